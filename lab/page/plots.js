// Curves over time, drawn as they come, and kept to be saved.

const MOST = 4000; // samples; then every second one is dropped

export class Plots {
  constructor(energy, contacts) {
    this.energy = energy;
    this.contacts = contacts;
    this.clear();
  }

  clear() {
    this.rows = [];
    this.epoch = -1;
  }

  add(status) {
    if (status.epoch !== this.epoch) { this.clear(); this.epoch = status.epoch; }
    const last = this.rows[this.rows.length - 1];
    if (last && status.time < last.time) this.rows = [];
    if (last && status.time === last.time) return;
    this.rows.push({
      time: status.time, kinetic: status.kinetic, rotational: status.rotational, potential: status.potential,
      elastic: status.elastic, contacts: status.contacts, bodies: status.bodies, candidates: status.candidates,
      step_seconds: status.step_seconds,
    });
    if (this.rows.length > MOST) this.rows = this.rows.filter((row, k) => k % 2 === 0);
  }

  draw() {
    const style = getComputedStyle(document.documentElement);
    const ink = (name) => style.getPropertyValue(name).trim();
    this.curves(this.energy, [["kinetic", ink("--k1")], ["rotational", ink("--k2")], ["elastic", ink("--k3")]], "J", ink);
    this.curves(this.contacts, [["contacts", ink("--k4")]], "", ink);
  }

  curves(canvas, list, unit, ink) {
    const ratio = window.devicePixelRatio || 1, width = canvas.clientWidth, height = canvas.clientHeight;
    if (!width) return;
    if (canvas.width !== Math.round(width * ratio)) { canvas.width = Math.round(width * ratio); canvas.height = Math.round(height * ratio); }
    const pen = canvas.getContext("2d"), rows = this.rows;
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, width, height);
    if (rows.length < 2) return;
    const begin = rows[0].time, span = rows[rows.length - 1].time - begin || 1;
    let high = 0;
    for (const row of rows) for (const [key] of list) high = Math.max(high, row[key]);
    high = high || 1;
    pen.fillStyle = ink("--faint");
    pen.font = "11px system-ui, sans-serif";
    pen.fillText(short(high) + " " + unit, 5, 12);
    const text = short(begin + span) + " s";
    pen.fillText(text, width - 5 - pen.measureText(text).width, height - 5);
    for (const [key, colour] of list) {
      pen.strokeStyle = colour;
      pen.lineWidth = 1.6;
      pen.beginPath();
      rows.forEach((row, k) => {
        const x = (row.time - begin) / span * (width - 8) + 4, y = height - 4 - row[key] / high * (height - 22);
        if (k) pen.lineTo(x, y); else pen.moveTo(x, y);
      });
      pen.stroke();
    }
  }

  csv() {
    const keys = Object.keys(this.rows[0] || { time: 0 });
    return [keys.join(","), ...this.rows.map((row) => keys.map((key) => row[key]).join(","))].join("\n") + "\n";
  }
}

// a number in four figures
export function short(x) {
  if (!isFinite(x)) return "–";
  if (x === 0) return "0";
  const size = Math.abs(x);
  if (size >= 1e5 || size < 1e-3) return x.toExponential(2).replace("e+", "e");
  return String(Number(x.toPrecision(4)));
}

export function save(name, blob) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}
