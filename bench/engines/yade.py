# A bed of scree's in Yade: python3 variables come from the environment, because Yade takes arguments of its
# own. DATA (file of the bed), SKIN (m), WARM and STEPS (how many), HEIGHT (m).
import os
import time

from yade import utils

data, skin = os.environ["DATA"], float(os.environ["SKIN"])
warm, steps = int(os.environ["WARM"]), int(os.environ["STEPS"])

lines = open(data).read().split("\n")
count = int(lines[2].split()[0])
width = float(lines[5].split()[1])
atoms = lines.index("Atoms") + 2
speeds = lines.index("Velocities") + 2

grain = O.materials.append(FrictMat(young=1e7, poisson=0.3, frictionAngle=math.atan(0.5), density=2500))
for k in range(count):
    a = [float(word) for word in lines[atoms + k].split()]
    v = [float(word) for word in lines[speeds + k].split()]
    body = utils.sphere((a[4], a[5], a[6]), a[2] / 2, material=grain)
    body.state.vel, body.state.angVel = Vector3(v[1], v[2], v[3]), Vector3(v[4], v[5], v[6])
    O.bodies.append(body)
for axis, place, side in ((2, 0, 1), (0, 0, 1), (0, width, -1), (1, 0, 1), (1, width, -1)):
    O.bodies.append(utils.wall(place, axis, sense=side, material=grain))

O.engines = [
    ForceResetter(),
    InsertionSortCollider([Bo1_Sphere_Aabb(), Bo1_Wall_Aabb()], verletDist=skin),
    InteractionLoop(
        [Ig2_Sphere_Sphere_ScGeom(), Ig2_Wall_Sphere_ScGeom()],
        [Ip2_FrictMat_FrictMat_MindlinPhys(en=0.5, es=0.5)],
        [Law2_ScGeom_MindlinPhys_Mindlin()],
    ),
    NewtonIntegrator(damping=0, gravity=(0, 0, -9.81)),
]
O.dt = 5e-6
O.run(warm, True)
began = time.process_time()
O.run(steps, True)
spent = time.process_time() - began
energy = sum(0.5 * b.state.mass * b.state.vel.squaredNorm() for b in O.bodies if isinstance(b.shape, Sphere))
print("processor seconds %.6f" % spent)
print("kinetic %.9g" % energy)
