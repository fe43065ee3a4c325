"""What notebooks show of worlds: a table, and a view that can be turned."""

import base64
from html import escape

import numpy as np

from ._figures import html_table


def world_html(world):
    """The world in a few lines."""
    if world.closed:
        return html_table({"world": "closed"})
    totals, clock = world.totals(), world.clock()
    return html_table({
        "dimensions": world.dimensions, "bodies": totals.bodies, "walls": len(world.walls()), "time (s)": clock.time,
        "steps": clock.steps, "dt (s)": clock.dt, "mass (kg)": totals.mass, "coordination": totals.coordination,
        "kinetic energy (J)": world.energy().kinetic, "digest": f"{world.digest():016x}",
    })


_PAGE = """<!doctype html><meta charset="utf-8"><style>html,body{margin:0;height:100%;background:#1b1e23}canvas{display:block;width:100%;
height:100%;touch-action:none}</style><canvas></canvas><script>
const raw=Uint8Array.from(atob("@DATA@"),c=>c.charCodeAt(0)),f=new Float32Array(raw.buffer),n=f.length/5,
canvas=document.querySelector("canvas"),g=canvas.getContext("2d");
let turn=.6,rise=.35,zoom=1,low=[1e99,1e99,1e99],high=[-1e99,-1e99,-1e99];
for(let i=0;i<n;i++)for(let k=0;k<3;k++){low[k]=Math.min(low[k],f[5*i+k]-f[5*i+3]);high[k]=Math.max(high[k],f[5*i+k]+f[5*i+3]);}
const mid=low.map((l,k)=>(l+high[k])/2),size=Math.hypot(...high.map((h,k)=>h-low[k]))||1,flat=@FLAT@;
function draw(){const w=canvas.width=canvas.clientWidth,h=canvas.height=canvas.clientHeight,s=.95*zoom*Math.min(w,h)/size;
const ct=flat?1:Math.cos(turn),st=flat?0:Math.sin(turn),cr=flat?0:Math.cos(rise),sr=flat?1:Math.sin(rise),list=[];
for(let i=0;i<n;i++){const x=f[5*i]-mid[0],y=f[5*i+1]-mid[1],z=f[5*i+2]-mid[2],a=ct*x+st*y,b=-st*x+ct*y;
list.push([cr*b-sr*z,w/2+s*a,h/2-s*(sr*b+cr*z),Math.max(.7,s*f[5*i+3]),f[5*i+4]]);}
list.sort((p,q)=>q[0]-p[0]);g.fillStyle="#1b1e23";g.fillRect(0,0,w,h);
for(const[,x,y,r,c]of list){const hue=240-200*c,b=g.createRadialGradient(x-r/3,y-r/3,r/8,x,y,r);
b.addColorStop(0,`hsl(${hue},60%,70%)`);b.addColorStop(1,`hsl(${hue},60%,32%)`);g.fillStyle=b;g.beginPath();g.arc(x,y,r,0,7);g.fill();}}
let last=null;canvas.onpointerdown=e=>{last=[e.clientX,e.clientY];canvas.setPointerCapture(e.pointerId);};
canvas.onpointermove=e=>{if(last){turn-=(e.clientX-last[0])/150;rise=Math.max(-1.5,Math.min(1.5,rise+(e.clientY-last[1])/150));
last=[e.clientX,e.clientY];draw();}};canvas.onpointerup=()=>last=null;
canvas.onwheel=e=>{e.preventDefault();zoom*=Math.exp(-e.deltaY/600);draw();};addEventListener("resize",draw);draw();
</script>"""


class Viewer:
    """Bodies as they were when it was made, in an iframe that needs nothing else. Clumps and meshes are the balls around them."""

    def __init__(self, world, values=None, width=640, height=420, most=50000):
        order = world.order()
        rows = np.zeros((len(order), 5), "<f4")
        rows[:, :3], rows[:, 3] = world.position[order], world.radius[order]
        shade = np.linalg.norm(world.velocity[order], axis=1) if values is None else np.asarray(values, float)[order]
        span = np.ptp(shade) if len(shade) else 0.0
        rows[:, 4] = (shade - shade.min()) / span if span > 0 else 0.5
        self.left_out = max(0, len(rows) - most)
        data = base64.b64encode(rows[:most].tobytes()).decode("ascii")
        self.page = _PAGE.replace("@DATA@", data).replace("@FLAT@", "true" if world.dimensions == 2 else "false")
        self.width, self.height = int(width), int(height)

    def _repr_html_(self):
        note = f"<div>{self.left_out} bodies are left out</div>" if self.left_out else ""
        return (f'<iframe srcdoc="{escape(self.page, quote=True)}" width="{self.width}" height="{self.height}" '
                f'style="border:0"></iframe>{note}')

    def save(self, path):
        """The page as a file."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.page)
