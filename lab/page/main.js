// Connects the socket with the view and the panel.

import { Camera } from "./camera.js";
import { Editor } from "./editor.js";
import { Hand, TOOLS } from "./hand.js";
import { servedRuns } from "./engine.js";
import { FIELDS, Link } from "./link.js";
import { makeView } from "./make_view.js";
import { ALL_LEVELS, CHAINS, Overlay, PAIRS, STRUCTURE, SURROGATES } from "./overlay.js";
import { Panel } from "./panel.js";
import { PlainView } from "./plain.js";
import { Player } from "./player.js";
import { Plots, save, short } from "./plots.js";
import { Filter } from "./filter.js";
import { Film } from "./film.js";
import { Histogram } from "./histogram.js";
import { readPlace, writePlace } from "./place.js";
import { Pixels } from "./pixels.js";
import { missing, readShapes } from "./shapes.js";

const by = (id) => document.getElementById(id);
const NO_SHAPES = new ArrayBuffer(16);
const COLOURS = ["auto", "speed", "force", "contacts", "work", "size", "id"];

// whether two scenes are in about the same place, and of about the same size
function isNear(a, b) {
  const size = (stage) => Math.hypot(...stage.lower.map((x, k) => stage.upper[k] - x)), middle = (stage, k) => (stage.lower[k] + stage.upper[k]) / 2;
  const apart = Math.hypot(...[0, 1, 2].map((k) => middle(a, k) - middle(b, k))), share = size(b) / size(a);
  return a.dimensions === b.dimensions && apart < 0.5 * size(a) && share > 0.5 && share < 2;
}

class Lab {
  constructor() {
    this.camera = new Camera();
    this.view = makeView(by("view"), this.camera);
    this.plots = new Plots([by("plot-energy"), by("plot-balance"), by("plot-contacts"), by("plot-cost")]);
    this.choseOverlay = 0;
    this.histogram = new Histogram(by("histogram"));
    this.isLost = false;
    this.noted = 0; // when the last note was shown
    this.colour = "auto";
    this.film = new Film(by("view"), (blob) => save("scree-lab.webm", blob));
    this.hasShapes = false; // there are bodies that are not spheres
    this.filter = new Filter();
    this.followed = null; // [slot, number] of a body that the view follows
    this.panel = new Panel(this);
    this.hand = new Hand(this);
    this.editor = new Editor((text) => { this.sent = true; this.edit(text); });
    this.pixels = new Pixels(this.view.gl, () => this.redraw());
    this.region = null;
    this.shown = []; // times of recent pictures
    this.link = new Link({
      text: (told) => this.told(told),
      walls: (buffer) => this.wallsAre(buffer),
      shapes: (buffer) => this.shapesAre(buffer),
      lines: (buffer) => this.linesAre(new Overlay(buffer)),
      saved: (bytes) => save("lab.scree", new Blob([bytes], { type: "application/octet-stream" })),
      frame: () => this.frameIs(),
      state: (words) => this.state(words),
    });
    this.cloud = this.link.cloud;
    this.player = new Player(this);
    this.listen();
    if (this.view instanceof PlainView) this.note({ text: "This browser has no WebGL2: the drawing is simpler, with fewer bodies." });
    new ResizeObserver(() => this.redraw()).observe(by("stage"));
  }

  // ---- received messages

  told(told) {
    if (told.kind === "hello") this.helloIs(told);
    else if (told.kind === "stage") this.stageIs(this.scene = told);
    else if (told.kind === "status") this.statusIs(told);
    else if (told.kind === "note") this.note(told);
    else if (told.kind === "times") this.panel.times(told);
    else if (told.kind === "found") this.panel.found(told);
  }

  // the place that a link names is gone to once
  helloIs(hello) {
    this.panel.hello(hello);
    this.editor.completion.read(hello.reference);
    if (this.hasArrived) return;
    this.hasArrived = true;
    const place = readPlace(location.hash);
    this.starts = hello.starts && !place.isPaused;
    if (place.isPaused) this.link.send("play", [0]);
    servedRuns().then((runs) => this.player.begin(runs)).catch((error) => this.note({ text: error.message, error: true }));
    if (place.scene !== undefined) {
      const k = hello.examples.findIndex((example) => example.name === place.scene);
      if (k < 0) this.note({ text: "The link names a scene that is not here: " + place.scene.slice(0, 40), error: true });
      else this.openExample(k);
      for (const [name, value] of place.parameters) this.link.send("setting", [], [], name + "=" + value);
      if (k >= 0 && place.parameters.length) this.reset();
    }
  }

  // an edited scene; "": the present one, with parameters that were set
  edit(text) { this.link.send("edit", [], [], text); }

  openExample(k) {
    this.player.close();
    this.link.send("example", [k]);
    if (this.starts) this.link.send("play", [1]);
  }

  copyLink() {
    const { example, parameters } = this.stage || {};
    if (!example) { this.note({ text: "Only scenes of the lists can be linked to: this one was written here or comes from a file.", error: true }); return; }
    const link = location.origin + location.pathname + writePlace(example, parameters.filter((p) => !p.text).map((p) => [p.name, p.value]));
    history.replaceState(null, "", link);
    const done = () => this.note({ text: "Copied: " + link });
    if (navigator.clipboard) navigator.clipboard.writeText(link).then(done, () => this.note({ text: "The link is in the address bar." }));
    else this.note({ text: "The link is in the address bar." });
  }

  toggleFilm() {
    const problem = this.film.toggle();
    if (problem) this.note({ text: problem, error: true });
    by("film").setAttribute("aria-pressed", String(this.film.isOn));
    by("film").textContent = this.film.isOn ? "stop" : "record";
  }

  stageIs(stage) {
    if (this.player.isOn) return; // it is shown when the film is closed
    // the camera stays where a scene is edited, unless it is then another one
    const isOther = !this.stage || (this.stage.text !== stage.text && !(stage.edited && isNear(this.stage, stage)));
    this.stage = stage;
    this.view.usualRadius = stage.radius;
    this.sent = false;
    this.panel.stage(stage);
    this.editor.set(stage.text || "", stage.title);
    this.select(null);
    this.showRadius();
    if (isOther) this.fit();
    // a scene that begins ends errors of the last one, but not what was said about a link while it opened
    if (by("note").className === "bad" && performance.now() > this.noted + 2000) by("note").hidden = true;
    // settings of a page also apply to the next scene
    this.sendField();
  }

  statusIs(status) {
    this.status = status;
    if (this.player.isOn) return;
    this.plots.add(status);
    const now = performance.now();
    this.shown = this.shown.filter((then) => now - then < 1000);
    this.chooseColour();
    this.panel.status(status, this.shown.length);
    this.redraw();
  }

  frameIs() {
    if (this.player.isOn) { this.link.drawn(); return; }
    this.isNew = true;
    this.redraw();
  }

  wallsAre(buffer) {
    this.walls = buffer;
    if (this.player.isOn) return;
    this.view.setWalls(buffer);
    this.redraw();
  }

  // the film of a run takes the view
  leaveScene() {
    this.link.send("play", [0]);
    this.hand.choose("look");
    this.select(null);
    this.follow(null);
    this.view.marks = null;
    this.editor.show(false);
    by("truth").hidden = true;
  }

  // and gives it back
  backToScene() {
    this.cloud = this.link.cloud;
    if (this.walls) this.view.setWalls(this.walls);
    this.view.setShapes(readShapes(this.shapes || NO_SHAPES));
    this.stage = null;
    if (this.scene) this.stageIs(this.scene);
    if (this.status) this.statusIs(this.status);
    this.isNew = true;
    this.redraw();
  }

  // orientations are needed for bodies that are not spheres
  shapesAre(buffer) {
    this.shapes = buffer;
    if (this.player.isOn) return;
    const told = readShapes(buffer), words = missing(told);
    this.view.setShapes(told);
    this.hasShapes = told.shapes.length > 0;
    this.wantTurns();
    if (words) this.note({ text: words });
    this.redraw();
  }

  wantTurns() { this.link.want(by("show-turns").checked || this.hasShapes); }

  linesAre(overlay) {
    const hadRanges = this.view.overlay && this.view.overlay.kinds[4] > 0;
    this.view.setOverlay(overlay);
    this.panel.structure(overlay);
    // diagrams of sorted axes are next to the scene and need room
    if (!hadRanges && overlay.kinds[4] > 0) this.fit();
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
    this.noted = performance.now();
    clearTimeout(this.noteTimer);
    this.noteTimer = setTimeout(() => { box.hidden = true; }, 9000);
  }

  state(words) {
    const box = by("note");
    // other notes remain if there is no error
    if (!words && !this.isLost) return;
    this.isLost = words !== "";
    box.hidden = !words;
    box.textContent = words;
    box.className = words ? "bad" : "";
  }

  // ---- actions

  togglePlay() {
    if (this.player.isOn) this.player.toggle();
    else this.link.send("play", [this.status && this.status.plays ? 0 : 1]);
  }

  step(count) {
    if (this.player.isOn) this.player.step(1);
    else this.link.send("step", [count]);
  }

  reset() {
    if (this.player.isOn) this.player.seek(this.player.first);
    else this.link.send("reset");
  }

  pourRadius() { return (this.stage && this.stage.radius || 0.01) * 10 ** Number(by("pour-radius").value); }
  ballRadius() { return (this.stage && this.stage.radius || 0.01) * Number(by("ball-radius").value); }
  explosionSpeed() { return 10 ** Number(by("explosion").value); }
  undo() { this.link.send("undo"); }
  pourCount() { return Number(by("pour-count").value); }

  showRadius() {
    by("pour-radius-text").textContent = short(this.pourRadius()) + " m";
    by("pour-count-text").textContent = by("pour-count").value;
    by("ball-radius-text").textContent = short(this.ballRadius()) + " m";
    by("explosion-text").textContent = short(this.explosionSpeed()) + " m/s";
  }

  // Follows the body nearest to a point of the canvas, or none.
  follow(point) {
    const canvas = by("view"), cloud = this.cloud, [x, y] = point || [];
    let nearest = Infinity;
    this.followed = null;
    for (let i = 0; point && i < cloud.slots; i++) {
      const seen = cloud.place[4 * i + 3] > 0 && this.camera.project(this.hand.where(i), canvas.clientWidth, canvas.clientHeight);
      const apart = seen ? Math.hypot(seen[0] - x, seen[1] - y) : Infinity;
      if (apart < nearest) { nearest = apart; this.followed = [i, cloud.number[i]]; }
    }
    by("follow").setAttribute("aria-pressed", String(this.followed !== null));
    this.goAlong();
    this.redraw();
  }

  toggleFollow() {
    const canvas = by("view");
    const hit = this.hand.last && this.hand.pick(this.hand.ray(...this.hand.last)) >= 0;
    this.follow(this.followed ? null : hit ? this.hand.last : [canvas.clientWidth / 2, canvas.clientHeight / 2]);
  }

  goAlong() {
    if (!this.followed) return;
    const [, number] = this.followed;
    // the rows of a film move up where bodies have left
    if (this.player.isOn) this.followed[0] = this.cloud.number.subarray(0, this.cloud.slots).indexOf(number) >>> 0;
    const [slot] = this.followed;
    // it was removed, or the scene has changed
    if (slot >= this.cloud.slots || this.cloud.number[slot] !== number || !(this.cloud.place[4 * slot + 3] > 0)) this.follow(null);
    else this.camera.target = this.hand.where(slot);
  }

  fit() {
    const canvas = by("view");
    this.follow(null);
    if (!this.stage) return;
    const size = this.stage.lower.map((x, k) => this.stage.upper[k] - x), overlay = this.view.overlay;
    const room = overlay && overlay.kinds[4] > 0 ? 0.27 * Math.max(size[0], size[1]) : 0;
    this.camera.fit(this.stage.lower.map((x) => x - room), this.stage.upper, this.stage.dimensions, canvas.clientWidth / Math.max(1, canvas.clientHeight));
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

  clearRegion() {
    if (this.region) this.link.send("clear", [], [...this.region[0], ...this.region[1]]);
    this.select(null);
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
    by("colour").value = this.colour = name;
    if (name === "auto") this.chooseColour();
    else this.colourBy(name);
  }

  // sizes where there are several, else speeds once something moves, else numbers, so that bodies differ
  chooseColour() {
    if (this.colour !== "auto" || !(this.status || this.player.isOn) || !this.cloud.slots) return;
    const [low, high] = this.cloud.range();
    this.colourBy(high > 1.2 * low ? "size" : this.player.isOn || this.status.steps > 0 ? "speed" : "id");
  }

  // a film has no forces, no contacts and no candidates
  colourBy(wanted) {
    const name = this.player.isOn && ["force", "contacts", "work"].includes(wanted) ? "speed" : wanted;
    if (this.view.by === name) return;
    this.view.by = name;
    this.sendField();
    this.isNew = true;
    this.redraw();
  }

  sendField() { this.link.send("field", [Math.max(0, FIELDS.indexOf(this.view.by))]); }

  sendFilter() {
    const filter = this.filter, low = Number(by("size-low").value), high = Number(by("size-high").value);
    filter.axis = by("slice").value;
    filter.place = Number(by("slice-place").value);
    filter.sizes = [Math.min(low, high), Math.max(low, high)];
    by("slice-row").hidden = filter.axis === "";
    this.showFilter();
    this.isNew = true;
    this.redraw();
  }

  showFilter() {
    const filter = this.filter, [low, high] = this.cloud.range();
    by("slice-text").textContent = filter.axis && this.stage ? short(filter.plane(this.stage)) + " m" : "";
    by("size-low-text").textContent = short(low + filter.sizes[0] * (high - low)) + " m";
    by("size-high-text").textContent = short(low + filter.sizes[1] * (high - low)) + " m";
  }

  clearFilter() {
    by("slice").value = "";
    by("size-low").value = 0;
    by("size-high").value = 1;
    this.sendFilter();
  }

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

  // overlays are the same for all pages, so they are computed by the server
  sendOverlay() {
    this.choseOverlay = performance.now();
    const level = Number(by("level").value), most = Number(by("level").max);
    const shows = (by("show-structure").checked ? STRUCTURE : 0) | (by("show-chains").checked ? CHAINS : 0) | (by("show-surrogates").checked ? SURROGATES : 0) | (by("show-pairs").checked ? PAIRS : 0);
    this.link.send("overlay", [shows, level >= most ? ALL_LEVELS : level]);
  }

  sendMargin() {
    const kind = Number(by("margin").value), size = Number((10 ** Number(by("margin-size").value)).toPrecision(2));
    by("margin-text").textContent = short(size) + " ×";
    this.link.send("margin", [kind], [size]);
  }

  picture() {
    this.paint(true);
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

  // keepsAll: with all pixels, even if something moves
  paint(keepsAll = false) {
    const sight = JSON.stringify(this.camera), moves = this.isNew || sight !== this.sight;
    const share = this.pixels.share(moves, keepsAll || this.film.isOn);
    this.sight = sight;
    if (this.isNew) this.showHistogram();
    if (this.player.isOn) {
      this.goAlong();
      this.player.paint(this.isNew || this.filter.hasTurned(this.camera, this.stage), this.isDark(), share);
      this.isNew = false;
      this.pixels.measure();
      return;
    }
    if (this.isNew || this.filter.hasTurned(this.camera, this.stage)) {
      this.mark();
      this.filter.apply(this.cloud, this.stage, this.camera);
      this.goAlong();
      this.view.upload(this.cloud);
      this.panel.legend(this.cloud, this.view.by);
      this.shown.push(performance.now());
    }
    this.isNew = false;
    this.view.draw(this.cloud, this.isDark(), share);
    this.pixels.measure();
    this.plots.draw();
    this.link.drawn();
  }

  // The bars of a state that moves are a moment late, so the last state is drawn again.
  showHistogram(isLast = false) {
    this.histogram.take(this.cloud, this.view.by, isLast);
    this.histogram.draw(getComputedStyle(document.documentElement).getPropertyValue("--faint"));
    clearTimeout(this.barTimer);
    if (!isLast) this.barTimer = setTimeout(() => this.showHistogram(true), 200);
  }

  // ---- keys and buttons

  listen() {
    const press = (id, action) => by(id).addEventListener("click", action);
    press("play", () => this.togglePlay());
    by("step").addEventListener("click", (event) => this.step(event.shiftKey ? 100 : 1));
    press("reset", () => this.reset());
    press("fit", () => this.fit());
    press("theme", () => this.toggleTheme());
    press("shot", () => this.picture());
    press("save", () => this.link.send("save"));
    press("load", () => by("file").click());
    press("panel-toggle", () => this.togglePanel());
    press("csv", () => save("scree-lab.csv", new Blob([this.plots.csv()], { type: "text/csv" })));
    press("histogram-csv", () => { this.showHistogram(true); save("scree-lab-bars.csv", new Blob([this.histogram.csv()], { type: "text/csv" })); });
    press("plot-png", () => this.plots.picture((blob) => save("scree-lab-plots.png", blob)));
    press("follow", () => this.toggleFollow());
    press("link", () => this.copyLink());
    press("undo", () => this.undo());
    press("film", () => this.toggleFilm());
    by("view").addEventListener("dblclick", (event) => this.follow(this.hand.place(event)));
    for (const id of ["show-structure", "show-chains", "show-surrogates", "show-pairs"]) by(id).addEventListener("change", () => this.sendOverlay());
    by("level").addEventListener("input", () => this.sendOverlay());
    by("margin").addEventListener("change", () => this.sendMargin());
    by("margin-size").addEventListener("input", () => this.sendMargin());
    by("show-bodies").addEventListener("change", (event) => { this.view.showsBodies = event.target.checked; this.redraw(); });
    by("energy_balance").addEventListener("change", () => this.link.send("energy_balance", [by("energy_balance").checked ? 1 : 0]));
    for (const id of ["slice", "slice-place", "size-low", "size-high"]) by(id).addEventListener("input", () => this.sendFilter());
    press("show-all", () => this.clearFilter());
    press("clear-plots", () => { this.plots.clear(); this.redraw(); });
    by("file").addEventListener("change", () => this.load());
    by("colour").addEventListener("change", () => this.setColour(by("colour").value));
    by("show-walls").addEventListener("change", (event) => { this.view.showsWalls = event.target.checked; this.redraw(); });
    by("show-turns").addEventListener("change", (event) => {
      this.view.showsTurns = event.target.checked;
      this.isNew = true;
      this.wantTurns();
      this.redraw();
    });
    for (const id of ["pour-radius", "pour-count", "ball-radius", "explosion"]) by(id).addEventListener("input", () => this.showRadius());
    document.addEventListener("keydown", (event) => this.key(event));
  }

  key(event) {
    // a focused checkbox takes the space key, as a button does, and no other key
    const isField = event.target.matches("textarea, select, input:not([type=checkbox])");
    if ((event.ctrlKey || event.metaKey) && event.key === "z" && !isField) { event.preventDefault(); this.undo(); return; }
    if (event.ctrlKey || event.metaKey || event.altKey || isField) return;
    if (event.key === "Enter" && event.target !== by("view")) return;
    if (event.key === " " && event.target.matches("button, input")) return;
    const canvas = by("view"), hand = this.hand;
    const turn = (x, y) => (hand.keyed ? hand.step(x / (event.shiftKey ? 10 : 2), y / (event.shiftKey ? 10 : 2)) : event.shiftKey || this.camera.dimensions === 2 ? this.camera.pan(-x, -y, canvas.clientHeight) : this.camera.orbit(x, y));
    const zoom = (factor) => this.camera.zoom(factor, canvas.clientWidth / 2, canvas.clientHeight / 2, canvas.clientWidth, canvas.clientHeight);
    const actions = {
      " ": () => this.togglePlay(), ".": () => this.step(1), ">": () => this.step(100), ",": () => { if (this.player.isOn) this.player.step(-1); },
      r: () => this.reset(), f: () => this.fit(), e: () => this.editor.show(true), p: () => this.togglePanel(), d: () => this.toggleTheme(),
      c: () => this.setColour(COLOURS[(COLOURS.indexOf(this.colour) + 1) % COLOURS.length]),
      m: () => { const list = by("method"); list.selectedIndex = (list.selectedIndex + 1) % list.length; list.dispatchEvent(new Event("change")); },
      ArrowLeft: () => turn(-25, 0), ArrowRight: () => turn(25, 0), ArrowUp: () => turn(0, -25), ArrowDown: () => turn(0, 25),
      "+": () => zoom(1.15), "=": () => zoom(1.15), "-": () => zoom(1 / 1.15),
      o: () => this.toggleFollow(), v: () => this.toggleFilm(), l: () => by("show-chains").click(), g: () => by("show-structure").click(),
      z: () => this.undo(), Enter: () => hand.press(),
      "[": () => hand.tools.tilt(-15, 0), "]": () => hand.tools.tilt(15, 0), "{": () => hand.tools.tilt(0, -15), "}": () => hand.tools.tilt(0, 15),
      Escape: () => { if (!hand.keyed && !this.region) hand.choose("look"); hand.stop(); this.select(null); this.follow(null); },
      Delete: () => this.clearRegion(),
    };
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const action = actions[key] || (/^[0-9]$/.test(key) && (() => hand.choose(TOOLS[(Number(key) + 9) % 10])));
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
