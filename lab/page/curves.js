// Curves of a run's table over time, with a cursor at the time of the film. With two runs the second one is dashed.

import { short } from "./plots.js";
import { readTable } from "./run.js";

const by = (id) => document.getElementById(id);
const CANVASES = ["run-curve-1", "run-curve-2", "run-curve-3"];
const FIRST = [["kinetic"], ["contacts"], ["bodies", "coordination"]]; // what is shown at first, if the run has it
const MOST = 1500; // points of a curve: a canvas has fewer pixels

export class Curves {
  // seek: called with a time that was pressed
  constructor(seek) {
    this.tables = [];
    this.time = 0;
    this.chosen = [];
    CANVASES.forEach((id, k) => {
      const canvas = by(id), go = (event) => {
        if (!(event.buttons & 1) || !this.span) return;
        seek(this.span[0] + (event.offsetX - 4) / Math.max(1, canvas.clientWidth - 8) * (this.span[1] - this.span[0]));
      };
      canvas.addEventListener("pointerdown", go);
      canvas.addEventListener("pointermove", go);
      by(id + "-of").addEventListener("change", (event) => { this.chosen[k] = event.target.value; this.draw(); });
    });
  }

  open(tracks) {
    this.tables = tracks.map((track) => readTable(track.table)).filter((table) => table.has("time"));
    const names = this.tables.length ? [...this.tables[0].keys()].filter((name) => name !== "time" && name !== "step") : [];
    by("run-curves").hidden = names.length === 0;
    by("run-no-curves").hidden = names.length > 0;
    const times = this.tables.flatMap((table) => [table.get("time")[0], table.get("time").at(-1)]);
    this.span = times.length ? [Math.min(...times), Math.max(...times)] : null;
    CANVASES.forEach((id, k) => {
      const wanted = names.includes(this.chosen[k]) ? this.chosen[k] : FIRST[k].find((name) => names.includes(name)) || names[k % names.length];
      by(id + "-of").replaceChildren(...names.map((name) => new Option(name.replaceAll("_", " "), name, false, name === wanted)));
      this.chosen[k] = wanted;
    });
    this.draw();
  }

  close() { this.tables = []; }

  mark(time) { this.time = time; }

  draw() {
    if (!this.tables.length) return;
    const style = getComputedStyle(document.documentElement), ink = (name) => style.getPropertyValue(name).trim();
    CANVASES.forEach((id, k) => this.curve(by(id), this.chosen[k], ink));
  }

  curve(canvas, name, ink) {
    const ratio = window.devicePixelRatio || 1, width = canvas.clientWidth, height = canvas.clientHeight, [begin, end] = this.span;
    if (!width || !name) return;
    if (canvas.width !== Math.round(width * ratio)) { canvas.width = Math.round(width * ratio); canvas.height = Math.round(height * ratio); }
    const pen = canvas.getContext("2d"), across = (time) => 4 + (time - begin) / (end - begin || 1) * (width - 8);
    const values = this.tables.flatMap((table) => table.get(name) || []).filter(isFinite);
    let low = values.reduce((a, b) => Math.min(a, b), Infinity), high = values.reduce((a, b) => Math.max(a, b), -Infinity);
    if (!(low < high)) { low = Math.min(0, low); high = Math.max(low + 1, high); }
    const up = (value) => height - 4 - (value - low) / (high - low) * (height - 22);
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, width, height);
    pen.font = "11px system-ui, sans-serif";
    pen.fillStyle = ink("--faint");
    pen.fillText(short(high), 5, 12);
    pen.fillText(short(low), 5, height - 5);
    const now = this.tables.map((table) => this.valueAt(table, name)).map((value) => (value === undefined ? "–" : short(value))).join("  |  ");
    pen.fillStyle = ink("--ink");
    pen.fillText(now, width - 5 - pen.measureText(now).width, 12);
    this.tables.forEach((table, k) => {
      const times = table.get("time"), rows = table.get(name) || [], every = Math.max(1, Math.floor(rows.length / MOST));
      pen.strokeStyle = ink(k ? "--k1" : "--k2");
      pen.setLineDash(k ? [5, 3] : []);
      pen.lineWidth = 1.6;
      pen.beginPath();
      for (let i = 0; i < rows.length; i += every) if (isFinite(rows[i])) pen.lineTo(across(times[i]), up(rows[i]));
      pen.stroke();
    });
    pen.setLineDash([]);
    pen.fillStyle = ink("--bad");
    pen.fillRect(Math.round(across(this.time)), 0, 1.5, height);
  }

  // the last value at or before the time of the film
  valueAt(table, name) {
    const times = table.get("time"), k = times.findLastIndex((time) => time <= this.time * (1 + 1e-12));
    return k < 0 ? undefined : (table.get(name) || [])[k];
  }
}
