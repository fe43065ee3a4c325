// The laboratory: what comes from the socket goes to the view and the panel, what is pressed goes to the socket.

import { Camera } from "./camera.js";
import { Editor } from "./editor.js";
import { Hand } from "./hand.js";
import { FIELDS, Link } from "./link.js";
import { Panel } from "./panel.js";
import { Plots, save, short } from "./plots.js";
import { View } from "./view.js";

const by = (id) => document.getElementById(id);
const COLOURS = ["speed", "force", "size", "id"];

class Lab {
  constructor() {
    this.camera = new Camera();
    this.view = new View(by("view"), this.camera);
    this.plots = new Plots(by("plot-energy"), by("plot-contacts"));
    this.panel = new Panel(this);
    this.hand = new Hand(this);
    this.editor = new Editor((text) => { this.sent = true; this.link.send("scene", [], [], text); });
    this.region = null;
    this.shown = []; // when pictures were, lately
    this.link = new Link({
      text: (told) => this.told(told),
      walls: (buffer) => { this.view.setWalls(buffer); this.redraw(); },
      saved: (bytes) => save("lab.scree", new Blob([bytes], { type: "application/octet-stream" })),
      frame: () => { this.isNew = true; this.redraw(); },
      state: (words) => this.state(words),
    });
    this.cloud = this.link.cloud;
    this.listen();
    new ResizeObserver(() => this.redraw()).observe(by("stage"));
  }

  // ---- what is told

  told(told) {
    if (told.kind === "hello") this.panel.hello(told);
    else if (told.kind === "stage") this.stageIs(told);
    else if (told.kind === "status") this.statusIs(told);
    else if (told.kind === "note") this.note(told);
    else if (told.kind === "times") this.panel.times(told);
    else if (told.kind === "found") this.panel.found(told);
  }

  stageIs(stage) {
    const isOther = !this.stage || this.stage.text !== stage.text;
    this.stage = stage;
    this.sent = false;
    this.panel.stage(stage);
    this.editor.set(stage.text || "", stage.title);
    this.select(null);
    this.showRadius();
    if (isOther) this.fit();
    by("note").hidden = true;
    // what a page has chosen holds for the next scene too
    this.sendField();
  }

  statusIs(status) {
    this.status = status;
    this.plots.add(status);
    const now = performance.now();
    this.shown = this.shown.filter((then) => now - then < 1000);
    this.panel.status(status, this.shown.length);
    this.redraw();
  }

  note(note) {
    const box = by("note");
    if (note.error && (note.line > 0 || this.sent)) {
      this.editor.show(true);
      this.editor.mark(note.line, note.text);
      this.sent = false;
      box.hidden = true;
      return;
    }
    this.sent = false;
    box.textContent = note.text;
    box.className = note.error ? "bad" : "";
    box.hidden = false;
    clearTimeout(this.noteTimer);
    this.noteTimer = setTimeout(() => { box.hidden = true; }, 9000);
  }

  state(words) {
    const box = by("note");
    box.hidden = !words;
    box.textContent = words;
    box.className = words ? "bad" : "";
  }

  // ---- what is done

  togglePlay() { this.link.send("play", [this.status && this.status.plays ? 0 : 1]); }
  reset() { this.link.send("reset"); }
  pourRadius() { return (this.stage && this.stage.radius || 0.01) * 10 ** Number(by("pour-radius").value); }
  pourCount() { return Number(by("pour-count").value); }

  showRadius() {
    by("pour-radius-text").textContent = short(this.pourRadius()) + " m";
    by("pour-count-text").textContent = by("pour-count").value;
  }

  fit() {
    const canvas = by("view");
    if (!this.stage) return;
    this.camera.fit(this.stage.lower, this.stage.upper, this.stage.dimensions, canvas.clientWidth / Math.max(1, canvas.clientHeight));
    this.redraw();
  }

  // a box of the world, or nothing
  select(box) {
    this.region = box;
    by("found").hidden = true;
    if (box) this.link.send("region", [], [...box[0], ...box[1]]);
    this.isNew = true;
    this.redraw();
  }

  mark() {
    if (!this.region) { this.view.marks = null; return; }
    const [lower, upper] = this.region, cloud = this.cloud, marks = new Uint8Array(cloud.slots);
    for (let i = 0; i < cloud.slots; i++) {
      let isIn = cloud.place[4 * i + 3] > 0;
      for (let k = 0; k < cloud.dimensions && isIn; k++) {
        const x = cloud.place[4 * i + k] + cloud.origin[k];
        isIn = x >= lower[k] && x <= upper[k];
      }
      marks[i] = isIn ? 1 : 0;
    }
    this.view.marks = marks;
  }

  setColour(name) {
    by("colour").value = name;
    this.view.by = name;
    this.sendField();
    this.isNew = true;
    this.redraw();
  }

  sendField() { this.link.send("field", [Math.max(0, FIELDS.indexOf(this.view.by))]); }

  isDark() {
    const chosen = document.documentElement.dataset.theme;
    return chosen === "dark" || (chosen === "auto" && matchMedia("(prefers-color-scheme: dark)").matches);
  }

  toggleTheme() {
    document.documentElement.dataset.theme = this.isDark() ? "light" : "dark";
    this.redraw();
  }

  togglePanel() {
    const is = by("panel").hidden;
    by("panel").hidden = !is;
    by("panel-toggle").setAttribute("aria-expanded", String(is));
  }

  picture() {
    this.paint();
    by("view").toBlob((blob) => save("scree-lab.png", blob));
  }

  async load() {
    const file = by("file").files[0];
    by("file").value = "";
    if (file) this.link.send("load", [], [], new Uint8Array(await file.arrayBuffer()));
  }

  // ---- drawing

  redraw() {
    if (this.isDue) return;
    this.isDue = true;
    requestAnimationFrame(() => { this.isDue = false; this.paint(); });
  }

  paint() {
    if (this.isNew) {
      this.mark();
      this.view.upload(this.cloud);
      this.panel.legend(this.cloud, this.view.by);
      this.shown.push(performance.now());
    }
    this.isNew = false;
    this.view.draw(this.cloud, this.isDark());
    this.plots.draw();
    this.link.drawn();
  }

  // ---- keys and buttons

  listen() {
    const press = (id, action) => by(id).addEventListener("click", action);
    press("play", () => this.togglePlay());
    by("step").addEventListener("click", (event) => this.link.send("step", [event.shiftKey ? 100 : 1]));
    press("reset", () => this.reset());
    press("fit", () => this.fit());
    press("theme", () => this.toggleTheme());
    press("shot", () => this.picture());
    press("save", () => this.link.send("save"));
    press("load", () => by("file").click());
    press("panel-toggle", () => this.togglePanel());
    press("csv", () => save("scree-lab.csv", new Blob([this.plots.csv()], { type: "text/csv" })));
    press("clear-plots", () => { this.plots.clear(); this.redraw(); });
    by("file").addEventListener("change", () => this.load());
    by("colour").addEventListener("change", () => this.setColour(by("colour").value));
    by("show-walls").addEventListener("change", (event) => { this.view.showsWalls = event.target.checked; this.redraw(); });
    by("show-turns").addEventListener("change", (event) => {
      this.view.showsTurns = event.target.checked;
      this.link.want(event.target.checked);
      this.redraw();
    });
    for (const id of ["pour-radius", "pour-count"]) by(id).addEventListener("input", () => this.showRadius());
    document.addEventListener("keydown", (event) => this.key(event));
  }

  key(event) {
    const isField = /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName);
    if (event.ctrlKey || event.metaKey || event.altKey || isField) return;
    if (event.key === " " && event.target.tagName === "BUTTON") return;
    const tools = ["look", "pour", "drag", "erase", "select"], canvas = by("view");
    const turn = (x, y) => (event.shiftKey || this.camera.dimensions === 2 ? this.camera.pan(-x, -y, canvas.clientHeight) : this.camera.orbit(x, y));
    const zoom = (factor) => this.camera.zoom(factor, canvas.clientWidth / 2, canvas.clientHeight / 2, canvas.clientWidth, canvas.clientHeight);
    const actions = {
      " ": () => this.togglePlay(), ".": () => this.link.send("step", [1]), ">": () => this.link.send("step", [100]),
      r: () => this.reset(), f: () => this.fit(), e: () => this.editor.show(true), p: () => this.togglePanel(), d: () => this.toggleTheme(),
      c: () => this.setColour(COLOURS[(COLOURS.indexOf(this.view.by) + 1) % COLOURS.length]),
      m: () => { const list = by("method"); list.selectedIndex = (list.selectedIndex + 1) % list.length; list.dispatchEvent(new Event("change")); },
      ArrowLeft: () => turn(-25, 0), ArrowRight: () => turn(25, 0), ArrowUp: () => turn(0, -25), ArrowDown: () => turn(0, 25),
      "+": () => zoom(1.15), "=": () => zoom(1.15), "-": () => zoom(1 / 1.15),
      Escape: () => this.select(null),
      Delete: () => { if (this.region) this.link.send("clear", [], [...this.region[0], ...this.region[1]]); this.select(null); },
    };
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const action = actions[key] || (tools[Number(key) - 1] && (() => this.hand.choose(tools[Number(key) - 1])));
    if (!action) return;
    event.preventDefault();
    action();
    this.redraw();
  }
}

try {
  window.lab = new Lab();
} catch (error) {
  by("note").hidden = false;
  by("note").className = "bad";
  by("note").textContent = error.message;
}
