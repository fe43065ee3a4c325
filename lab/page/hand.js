// Mouse, touch and keys on the view: rotate and move it; pour, drag, erase and select bodies; and the tools of tools.js.

import { Tools } from "./tools.js";

export const TOOLS = ["look", "pour", "drag", "erase", "select", "push", "explode", "tilt", "wall", "cut"];
const POUR_EVERY = 60; // ms

export class Hand {
  constructor(lab) {
    this.lab = lab;
    this.tool = "look";
    this.tools = new Tools(lab);
    this.pointers = new Map();
    this.timer = 0;
    this.watch(lab.view.canvas);
    for (const button of document.querySelectorAll("[data-tool]"))
      button.addEventListener("click", () => this.choose(button.dataset.tool));
  }

  // a canvas that shows the bodies
  watch(canvas) {
    const lab = this.lab;
    canvas.addEventListener("pointerdown", (event) => this.down(event));
    canvas.addEventListener("pointermove", (event) => this.move(event));
    for (const end of ["pointerup", "pointercancel"]) canvas.addEventListener(end, (event) => this.up(event));
    canvas.addEventListener("contextmenu", (event) => event.preventDefault());
    canvas.addEventListener("wheel", (event) => {
      event.preventDefault();
      const [x, y] = this.place(event);
      lab.camera.zoom(Math.exp(-event.deltaY * 0.0015), x, y, canvas.clientWidth, canvas.clientHeight);
      lab.redraw();
    }, { passive: false });
  }

  choose(tool) {
    if (this.keyed) this.stop();
    this.tool = tool;
    for (const button of document.querySelectorAll("[data-tool]"))
      button.setAttribute("aria-checked", String(button.dataset.tool === tool));
    this.hint(tool);
    this.lab.view.canvas.style.cursor = tool === "look" ? "grab" : "crosshair";
  }

  // says how the tool is used, where the page has room for it
  hint(tool) {
    const line = document.getElementById("tool-hint"), button = document.querySelector("[data-tool=" + tool + "]");
    if (line && button) line.textContent = tool === "look" ? "" : button.title.replace(/ \(\d\)$/, "") + ". Esc: back to looking.";
  }

  place(event) {
    const box = event.target.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  }

  ray(x, y) {
    const canvas = this.lab.view.canvas;
    return this.lab.camera.ray(x, y, canvas.clientWidth, canvas.clientHeight);
  }

  // the slot of the first body that a ray hits; -1: none
  pick(ray) {
    const cloud = this.lab.cloud, p = cloud.place, o = cloud.origin, d = ray.direction;
    const from = ray.from.map((f, k) => f - o[k]);
    let nearest = Infinity, found = -1;
    for (let i = 0; i < cloud.slots; i++) {
      const r = p[4 * i + 3];
      if (!cloud.isShown(i)) continue;
      const x = p[4 * i] - from[0], y = p[4 * i + 1] - from[1], z = cloud.dimensions === 2 ? 0 : p[4 * i + 2] - from[2];
      const along = cloud.dimensions === 2 ? 0 : x * d[0] + y * d[1] + z * d[2];
      const apart = x * x + y * y + z * z - along * along;
      if (apart > r * r || along < 0) continue;
      const hit = cloud.dimensions === 2 ? apart : along - Math.sqrt(r * r - apart);
      if (hit < nearest) { nearest = hit; found = i; }
    }
    return found;
  }

  where(slot) {
    const cloud = this.lab.cloud;
    return [0, 1, 2].map((k) => cloud.place[4 * slot + k] + cloud.origin[k]);
  }

  down(event) {
    const [x, y] = this.place(event);
    event.target.setPointerCapture(event.pointerId);
    event.target.focus();
    this.pointers.set(event.pointerId, [x, y]);
    this.isMoving = event.button !== 0 || event.shiftKey || this.pointers.size > 1;
    if (this.isMoving || this.tool === "look") { this.stop(); return; }
    this.keyed = null;
    this.begin(x, y);
  }

  // a tool begins at a point of the view, with the mouse or the keyboard
  begin(x, y) {
    this.last = [x, y];
    this.first = [x, y];
    if (this.tool === "pour") {
      this.pour();
      this.timer = setInterval(() => this.pour(), POUR_EVERY);
    } else if (this.tool === "drag") {
      this.grab(x, y);
    } else if (this.tool === "erase") {
      this.erase(x, y);
    } else if (this.tool === "push") {
      this.held = this.tools.push(this.ray(x, y));
    } else if (this.tool === "explode") {
      this.tools.explode(this.ray(x, y));
    }
  }

  move(event) {
    const old = this.pointers.get(event.pointerId), [x, y] = this.place(event);
    if (!old) return;
    this.pointers.set(event.pointerId, [x, y]);
    const dx = x - old[0], dy = y - old[1], lab = this.lab, canvas = lab.view.canvas;
    if (this.pointers.size === 2) this.pinch(event.pointerId, old, [x, y]);
    else if (this.isMoving || (this.tool === "look" && lab.camera.dimensions === 2)) lab.camera.pan(dx, dy, canvas.clientHeight);
    else if (this.tool === "look") lab.camera.orbit(dx, dy);
    else this.use(x, y);
    this.last = [x, y];
    lab.redraw();
  }

  use(x, y) {
    if (this.tool === "drag" || this.tool === "push") this.pull(x, y);
    else if (this.tool === "erase") this.erase(x, y);
    else if (this.tool === "select") this.stretch(x, y);
    else if (this.tool === "tilt") this.tools.tilt(x - this.last[0], y - this.last[1]);
    else if (this.tool === "cut") this.tools.cut(this.last, [x, y]);
    else if (this.tool === "wall") this.tools.showStroke(this.first, [x, y]);
  }

  up(event) {
    if (!this.pointers.delete(event.pointerId)) return;
    if (!this.isMoving) this.finish();
    this.stop();
  }

  finish() {
    if (this.tool === "select") this.select();
    else if (this.tool === "wall") this.tools.wall(this.first, this.last);
  }

  // ---- with the keyboard: the first press begins, arrow keys move, the second ends

  press() {
    const canvas = this.lab.view.canvas;
    if (this.tool === "look" || this.pointers.size) return;
    if (this.keyed) {
      this.finish();
      this.stop();
      return;
    }
    this.keyed = [canvas.clientWidth / 2, canvas.clientHeight / 2];
    this.showCross();
    this.begin(...this.keyed);
  }

  step(dx, dy) {
    const canvas = this.lab.view.canvas, [x, y] = this.keyed;
    this.keyed = [Math.max(0, Math.min(canvas.clientWidth, x + dx)), Math.max(0, Math.min(canvas.clientHeight, y + dy))];
    this.use(...this.keyed);
    this.last = this.keyed;
    this.showCross();
  }

  showCross() {
    const cross = document.getElementById("cross");
    cross.hidden = !this.keyed;
    if (!this.keyed) return;
    cross.style.left = this.keyed[0] + "px";
    cross.style.top = this.keyed[1] + "px";
  }

  stop() {
    clearInterval(this.timer);
    if (this.held) this.lab.link.send("release");
    this.held = this.keyed = null;
    this.showCross();
    for (const id of ["box", "stroke"]) document.getElementById(id).hidden = true;
  }

  // two fingers: zoom and pan
  pinch(id, old, now) {
    const canvas = this.lab.view.canvas, other = [...this.pointers].find(([key]) => key !== id)[1];
    const before = Math.hypot(old[0] - other[0], old[1] - other[1]), after = Math.hypot(now[0] - other[0], now[1] - other[1]);
    if (before > 0 && after > 0)
      this.lab.camera.zoom(after / before, (now[0] + other[0]) / 2, (now[1] + other[1]) / 2, canvas.clientWidth, canvas.clientHeight);
    this.lab.camera.pan((now[0] - old[0]) / 2, (now[1] - old[1]) / 2, canvas.clientHeight);
  }

  pour() {
    const lab = this.lab, ray = this.ray(...this.last), radius = lab.pourRadius(), count = lab.pourCount();
    let at = lab.camera.across(ray, lab.camera.target);
    const slot = lab.camera.dimensions === 3 ? this.pick(ray) : -1;
    // above the body under the mouse
    if (slot >= 0) {
      at = this.where(slot);
      at[2] += lab.cloud.place[4 * slot + 3] + 4 * radius;
    }
    lab.link.send("pour", [count], [...at, 0, 0, 0, radius, radius * 1.6 * Math.cbrt(count) * (lab.camera.dimensions === 2 ? 1.3 : 1)]);
  }

  grab(x, y) {
    const lab = this.lab, slot = this.pick(this.ray(x, y));
    if (slot < 0) return;
    this.held = this.where(slot);
    lab.link.send("grab", [slot, lab.cloud.number[slot]], this.held);
  }

  pull(x, y) {
    if (!this.held) return;
    this.lab.link.send("pull", [], this.lab.camera.across(this.ray(x, y), this.held));
  }

  erase(x, y) {
    const lab = this.lab, slot = this.pick(this.ray(x, y));
    if (slot >= 0) lab.link.send("delete", [slot, lab.cloud.number[slot]]);
  }

  stretch(x, y) {
    const box = document.getElementById("box"), [a, b] = this.first;
    box.hidden = false;
    box.style.left = Math.min(a, x) + "px";
    box.style.top = Math.min(b, y) + "px";
    box.style.width = Math.abs(x - a) + "px";
    box.style.height = Math.abs(y - b) + "px";
  }

  // In two dimensions the drawn box; in three the bounding box of the bodies visible in it.
  select() {
    const lab = this.lab, [a, b] = this.first, [x, y] = this.last, canvas = lab.view.canvas;
    let lower = [Infinity, Infinity, Infinity], upper = [-Infinity, -Infinity, -Infinity];
    const include = (p) => { lower = lower.map((l, k) => Math.min(l, p[k])); upper = upper.map((u, k) => Math.max(u, p[k])); };
    if (Math.abs(x - a) < 3 && Math.abs(y - b) < 3) { lab.select(null); return; }
    if (lab.camera.dimensions === 2) {
      include(this.ray(a, b).at);
      include(this.ray(x, y).at);
    } else {
      for (let i = 0; i < lab.cloud.slots; i++) {
        if (!lab.cloud.isShown(i)) continue;
        const p = this.where(i), seen = lab.camera.project(p, canvas.clientWidth, canvas.clientHeight);
        if (seen && seen[0] >= Math.min(a, x) && seen[0] <= Math.max(a, x) && seen[1] >= Math.min(b, y) && seen[1] <= Math.max(b, y)) include(p);
      }
    }
    // enlarged slightly, so that rounding omits no body
    const more = (lab.cloud.quantum || 0) * 2;
    lab.select(lower[0] <= upper[0] ? [lower.map((l) => l - more), upper.map((u) => u + more)] : null);
  }
}
