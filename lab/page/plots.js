// Curves over time, drawn as data arrives, and kept for saving.

const MOST = 4000; // samples; then every second one is dropped

// a plot: the values of a row that it shows, colour name and unit
const PLOTS = [
  [[["kinetic", "--k1"], ["rotational", "--k2"], ["elastic", "--k3"]], "J"],
  [[["potential", "--k2"], ["lost", "--k1"], ["given", "--k3"]], "J"],
  [[["contacts", "--k4"]], ""],
  [[["search", "--k1"], ["forces", "--k2"], ["other", "--k3"]], "ms of 16"],
];

const SUMS = ["potential", "lost", "given"];

export class Plots {
  constructor(canvases) {
    this.canvases = canvases;
    this.clear();
  }

  clear() {
    this.rows = [];
    this.epoch = -1;
  }

  add(status) {
    if (status.epoch !== this.epoch) { this.clear(); this.epoch = status.epoch; }
    const last = this.rows[this.rows.length - 1], p = status.phases;
    if (last && status.time < last.time) this.rows = [];
    if (last && status.time === last.time) return;
    // profile times of a few milliseconds are noisy: each is averaged with those before
    const mean = (key, share) => (last && this.rows.length ? 0.85 * last[key] + 0.15 * 16 * share : 16 * share);
    this.rows.push({
      time: status.time, kinetic: status.kinetic, rotational: status.rotational, potential: status.potential,
      elastic: status.elastic, lost: status.lost, given: status.given, contacts: status.contacts, bodies: status.bodies, candidates: status.candidates,
      step_seconds: status.step_seconds, search: mean("search", p.search), forces: mean("forces", p.pairs + p.walls),
      other: mean("other", p.sums + p.rest + p.scene + p.shown),
    });
    if (this.rows.length > MOST) this.rows = this.rows.filter((row, k) => k % 2 === 0);
  }

  draw() {
    const style = getComputedStyle(document.documentElement), ink = (name) => style.getPropertyValue(name).trim();
    this.canvases.forEach((canvas, k) => this.curves(canvas, PLOTS[k][0].map(([key, name]) => [key, ink(name)]), PLOTS[k][1], ink));
  }

  // all plots below each other, each with a legend
  picture(done) {
    const style = getComputedStyle(document.documentElement), ink = (name) => style.getPropertyValue(name).trim();
    const ratio = 2, width = 640, height = 190, canvas = document.createElement("canvas"), pen = canvas.getContext("2d");
    canvas.width = ratio * width;
    canvas.height = ratio * height * PLOTS.length;
    pen.fillStyle = ink("--sheet");
    pen.fillRect(0, 0, canvas.width, canvas.height);
    PLOTS.forEach(([list, unit], k) => {
      pen.setTransform(ratio, 0, 0, ratio, 0, ratio * height * k);
      this.trace(pen, width, height - 26, list.map(([key, name]) => [key, ink(name)]), unit, ink);
      let x = 8;
      for (const [key, name] of list) {
        pen.fillStyle = ink(name);
        pen.fillRect(x, height - 15, 14, 4);
        pen.fillStyle = ink("--ink");
        pen.fillText(key, x + 20, height - 9);
        x += 46 + pen.measureText(key).width;
      }
    });
    canvas.toBlob(done);
  }

  curves(canvas, list, unit, ink) {
    const ratio = window.devicePixelRatio || 1, width = canvas.clientWidth, height = canvas.clientHeight;
    if (!width) return;
    if (canvas.width !== Math.round(width * ratio)) { canvas.width = Math.round(width * ratio); canvas.height = Math.round(height * ratio); }
    const pen = canvas.getContext("2d");
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, width, height);
    this.trace(pen, width, height, list, unit, ink);
  }

  trace(pen, width, height, list, unit, ink) {
    const rows = this.rows;
    pen.font = "11px system-ui, sans-serif";
    if (rows.length < 2) return;
    const begin = rows[0].time, span = rows[rows.length - 1].time - begin || 1;
    // the zero of such a sum is arbitrary: only its change matters
    const value = (row, key) => (SUMS.includes(key) ? row[key] - rows[0][key] : row[key]);
    let high = 0, low = 0;
    for (const row of rows) for (const [key] of list) { high = Math.max(high, value(row, key)); low = Math.min(low, value(row, key)); }
    if (high === low) high = 1;
    const across = (row) => (row.time - begin) / span * (width - 8) + 4;
    const up = (y) => height - 4 - (y - low) / (high - low) * (height - 22);
    if (low < 0) {
      pen.fillStyle = ink("--line");
      pen.fillRect(4, up(0), width - 8, 1);
    }
    pen.fillStyle = ink("--faint");
    pen.fillText(short(high) + " " + unit, 5, 12);
    if (low < 0) pen.fillText(short(low) + " " + unit, 5, height - 5);
    const text = short(begin + span) + " s";
    pen.fillText(text, width - 5 - pen.measureText(text).width, 12);
    for (const [key, colour] of list) {
      pen.strokeStyle = colour;
      pen.lineWidth = 1.6;
      pen.beginPath();
      rows.forEach((row, k) => {
        if (k) pen.lineTo(across(row), up(value(row, key))); else pen.moveTo(across(row), up(value(row, key)));
      });
      pen.stroke();
    }
  }

  csv() {
    const keys = Object.keys(this.rows[0] || { time: 0 });
    return [keys.join(","), ...this.rows.map((row) => keys.map((key) => row[key]).join(","))].join("\n") + "\n";
  }
}

// a number with four digits
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
