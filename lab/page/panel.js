// The panel: controls and status.

import { NAMES, PALETTES } from "./colours.js";
import { pageText } from "./engine.js";
import { MethodPages } from "./pages.js";
import { short } from "./plots.js";

const by = (id) => document.getElementById(id);

const ON_ITS_WAY = 1500; // ms
const MARGINS = ["none", "skin", "tolerance", "stride", "distance", "bins", "per body"];
const PHASES = [
  ["search", "neighbour lists", ["search"]], ["pairs", "forces of bodies", ["pairs"]], ["walls", "forces of walls", ["walls"]],
  ["sums", "sums and motion", ["sums", "rest"]], ["scene", "sources, measuring", ["scene"]], ["shown", "for the page", ["shown"]],
];

function element(name, properties = {}, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

// A slider with its name and its value. `apply` is called with the value; `read` returns the current one, since other
// pages may have changed it.
function slider(name, { low, high, step, read, show, apply }) {
  const output = element("output"), input = element("input", { type: "range", min: low, max: high, step });
  const set = (value) => { input.value = value; output.textContent = show(value); };
  input.setAttribute("aria-label", name);
  input.addEventListener("input", () => { output.textContent = show(Number(input.value)); apply(Number(input.value)); });
  return { row: element("label", { className: "row" }, name, input, output), follow: (physics) => set(read(physics)) };
}

export class Panel {
  constructor(lab) {
    this.lab = lab;
    this.examples = [];
    this.changed = -ON_ITS_WAY; // when the slider was last moved here
    by("method").addEventListener("change", () => lab.link.send("method", [], [], by("method").value));
    this.pages = new MethodPages(pageText);
    by("method-page").addEventListener("click", () => this.openPage(this.works || by("method").value));
    by("race").addEventListener("click", () => { by("times").textContent = "measuring…"; lab.link.send("race"); });
    by("speed").addEventListener("input", () => this.setSpeed());
    by("threads").addEventListener("input", () => lab.link.send("threads", [Number(by("threads").value)]));
    by("margin").replaceChildren(...MARGINS.map((name, k) => element("option", { value: k, textContent: name })));
    this.makePhases();
  }

  openPage(method) { this.pages.openMethod(method).catch((error) => this.lab.note({ text: error.message, error: true })); }

  setSpeed() {
    const at = Number(by("speed").value), rate = at > 1.05 ? 0 : 10 ** at;
    this.changed = performance.now();
    this.showSpeed(rate);
    this.lab.link.send("speed", [], [rate]);
  }

  showSpeed(rate) { by("speed-text").textContent = rate ? short(rate) + " ×" : "fastest"; }

  hello(hello) {
    this.examples = hello.examples;
    this.methods = Object.fromEntries(hello.methods.map((m) => [m.name, m]));
    const tiles = (group) => hello.examples.flatMap((example, k) => (example.group === group ? [this.tile(example, k)] : []));
    by("gallery").replaceChildren(...tiles("lab"));
    by("guide-gallery").replaceChildren(...tiles("guide"));
    by("method").replaceChildren(...hello.methods.map((m) => element("option", { value: m.name, textContent: m.name })));
    by("threads").max = hello.max_threads;
    by("threads-row").hidden = hello.max_threads < 2;
    by("threads-hint").textContent = this.lab.link.whyAlone();
  }

  tile(example, k) {
    const button = element("button", { title: example.summary }), name = example.name.replaceAll("_", " ");
    button.dataset.name = example.name;
    if (example.group === "lab") {
      const image = element("img", { src: "scene-" + example.name + ".png", alt: "", loading: "lazy", width: 132, height: 88 });
      image.addEventListener("error", () => image.remove());
      button.append(image);
    }
    button.append(name);
    button.addEventListener("click", () => this.lab.openExample(k));
    return button;
  }

  stage(stage) {
    for (const button of document.querySelectorAll(".gallery button"))
      button.setAttribute("aria-current", String(button.dataset.name === stage.example));
    by("title").textContent = stage.title;
    document.title = (stage.title || "scene") + " – scree lab";
    this.parameters(stage);
    this.epoch = stage.epoch;
    this.physics(stage);
    by("energy_balance").checked = stage.energy_balance;
    by("energy_balance").disabled = stage.scene_energy_balance;
    by("times").replaceChildren();
  }

  // Parameters of the scene: where one cannot change while the scene runs, the scene restarts. The rows remain as long as the
  // scene does, and so does the keyboard focus.
  parameters(stage) {
    // parameters that say how many bodies there are, as the examples name them
    this.counts = stage.parameters.filter((p) => !p.text && !p.unit && /count|grains|bodies/.test(p.name));
    const list = stage.parameters, form = by("parameters"), key = stage.text + list.map((p) => p.name).join();
    if (key === this.parametersOf) { for (const p of list) this.settings[p.name](p.value); return; }
    this.parametersOf = key;
    this.settings = {};
    form.replaceChildren(...(list.length ? list.map((p) => this.parameter(p)) : [element("p", { className: "hint", textContent: "The scene has none." })]));
    form.onsubmit = (event) => event.preventDefault();
  }

  // an input field; for a number also a slider from a tenth to ten times the scene's value
  parameter({ name, unit, value, text }) {
    const given = Number(value), field = element("input", { type: "text", name });
    const words = name.replaceAll("_", " ") + (unit ? ", " + unit : "");
    field.setAttribute("aria-label", name);
    const set = () => { this.lab.link.send("setting", [], [], name + "=" + field.value); this.lab.edit(""); };
    field.addEventListener("change", set);
    if (text || !isFinite(given)) {
      this.settings[name] = (now) => { field.value = now; };
      this.settings[name](value);
      return element("label", { className: "row of-text" }, words, field);
    }
    const slide = element("input", given === 0 ? { type: "range", min: 0, max: 1, step: 0.01 } : { type: "range", min: -1, max: 1, step: 0.01 });
    slide.setAttribute("aria-label", "slider of " + name);
    // an integer without a unit is a count
    const neat = (x) => (!unit && Number.isInteger(given) && given !== 0 ? Math.round(x) : Number(x.toPrecision(3)));
    slide.addEventListener("input", () => { field.value = String(neat(given === 0 ? Number(slide.value) : given * 10 ** Number(slide.value))); });
    slide.addEventListener("change", set);
    this.settings[name] = (now) => {
      field.value = String(Number(now));
      const share = Number(now) / given;
      if (slide !== document.activeElement) slide.value = given === 0 ? Number(now) : share > 0 ? Math.log10(share) : 0;
    };
    this.settings[name](value);
    return element("label", { className: "row" }, words, slide, field);
  }

  physics({ physics: given, dimensions, automatic, dt: first }) {
    const link = this.lab.link, most = Math.max(20, ...given.gravity.map((g) => 2 * Math.abs(g)));
    // updates the known state, so that the next message shows only changes by others
    const change = (kind, values) => { this.changed = performance.now(); link.send(kind, [], values); };
    const rows = ["x", "y", "z"].slice(0, dimensions).map((axis, k) => slider("gravity " + axis, {
      low: -most, high: most, step: most / 200, read: (now) => now.gravity[k], show: (v) => v.toFixed(1) + " m/s²",
      apply: (v) => { this.known.gravity[k] = v; change("gravity", this.known.gravity); },
    }));
    // sets all materials; shows the value of the first
    if (given.friction !== undefined) rows.push(slider("friction", {
      low: 0, high: Math.max(1.5, 2 * given.friction), step: 0.01, read: (now) => now.friction, show: (v) => v.toFixed(2),
      apply: (v) => change("friction", [v]),
    }));
    // each stage of a scene may have its own
    const said = (now) => (automatic ? first : now.scene_dt);
    rows.push(slider("time step", {
      low: -1, high: 0.5, step: 0.05, read: (now) => (now.dt > 0 ? Math.log10(now.dt / said(now)) : 0),
      show: (v) => (v === 0 ? "as given" : short(10 ** v) + " ×"), apply: (v) => change("dt", [v === 0 ? 0 : said(this.known) * 10 ** v]),
    }));
    rows.push(slider("drag", {
      low: 0, high: 20, step: 0.1, read: (now) => now.global_damping, show: (v) => v.toFixed(1) + " /s",
      apply: (v) => { this.known.global_damping = v; change("damping", [v, this.known.local_damping]); },
    }));
    rows.push(slider("local damping", {
      low: 0, high: 0.95, step: 0.01, read: (now) => now.local_damping, show: (v) => v.toFixed(2),
      apply: (v) => { this.known.local_damping = v; change("damping", [this.known.global_damping, v]); },
    }));
    this.sliders = rows;
    this.physicsIs(given);
    clearTimeout(this.later);
    by("physics").replaceChildren(...rows.map(({ row }) => row));
  }

  physicsIs(physics) {
    this.known = physics;
    for (const { follow } of this.sliders) follow(physics);
  }

  // Sliders that another page may have moved; a change made here may not have been confirmed yet.
  follow(status) {
    const rest = this.changed + ON_ITS_WAY - performance.now();
    clearTimeout(this.later);
    if (rest > 0) { this.later = setTimeout(() => this.follow(status), rest); return; }
    this.physicsIs(status.physics);
    this.showSpeed(status.rate);
    by("speed").value = status.rate > 0 ? Math.log10(status.rate) : by("speed").max;
  }

  playing(is) {
    by("play").textContent = is ? "❚❚" : "▶";
    by("play").setAttribute("aria-label", is ? "Pause" : "Play");
  }

  status(status, frames) {
    if (status.epoch === this.epoch) this.follow(status);
    this.playing(status.plays);
    if (by("method") !== document.activeElement || by("method").value === status.method) by("method").value = status.method;
    this.works = status.method;
    by("method-text").textContent = status.at_work !== status.method ? "chosen: " + status.at_work + ", since " + status.reason
      : this.methods && this.methods[status.method] ? this.methods[status.method].summary : "";
    if (by("margin") !== document.activeElement) by("margin").value = String(MARGINS.indexOf(status.margin));
    if (by("threads") !== document.activeElement) by("threads").value = status.threads;
    by("threads-text").textContent = status.threads + " of " + by("threads").max;
    by("tested").textContent = status.tested.toLocaleString("en");
    by("reported").textContent = status.reported.toLocaleString("en");
    by("structure-bytes").textContent = short(status.structure_bytes / 1e6) + " MB";
    // a choice of another page; one made here may not have been confirmed yet
    if (performance.now() - this.lab.choseOverlay > 1500) {
      by("show-structure").checked = (status.overlay & 1) !== 0;
      by("show-chains").checked = (status.overlay & 2) !== 0;
      by("show-surrogates").checked = (status.overlay & 4) !== 0;
      by("show-pairs").checked = (status.overlay & 8) !== 0;
    }
    this.phases(status);
    // a scene from a checkpoint is identified by its checksums
    const isKept = by("energy_balance").checked || status.lost !== 0 || status.elastic !== 0;
    for (const key of document.querySelectorAll(".of-energy-balance")) key.hidden = !isKept;
    by("contacts").textContent = status.contacts.toLocaleString("en");
    by("candidates").textContent = status.candidates.toLocaleString("en");
    by("checksum").textContent = status.checksum;
    by("late").textContent = status.late;
    this.truth(status);
    by("figures").textContent = [
      short(status.time) + " s   step " + status.steps.toLocaleString("en") + "   dt " + short(status.dt) + " s",
      status.bodies.toLocaleString("en") + (status.bodies === 1 ? " body   " : " bodies   ") + (status.plays
        ? short(status.steps_per_second) + " steps/s   " + short(status.reached) + " × real time   " + frames + " pictures/s   "
          + Math.round(100 * status.busy) + " % of " + (status.threads > 1 ? "the time " + status.threads + " threads compute" : "a core computes") : "paused"),
    ].join("\n");
  }

  // What was wanted and what is reached, the part of a step that costs most, and what would help.
  truth(status) {
    const box = by("truth"), isSlow = status.plays && status.rate > 0 && status.reached < 0.9 * status.rate;
    this.slowSince = isSlow ? this.slowSince || performance.now() : 0;
    // a moment's delay needs no words
    if (!isSlow || performance.now() - this.slowSince < 1000) { box.hidden = true; return; }
    const steps = Math.round(status.rate / status.dt), [dearest] = this.shares(status).sort((a, b) => b[2] - a[2]);
    const words = "wanted " + short(status.rate) + " ×, reaching " + short(status.reached) + " ×: a step takes " + short(1000 * status.step_seconds)
      + " ms, and " + steps.toLocaleString("en") + " are needed each second; most goes into " + dearest[1] + ". ";
    // buttons stay for a while, so that they can be pressed
    if (box.hidden || performance.now() - this.helpsMade > 4000) {
      this.helpsMade = performance.now();
      box.replaceChildren(words, document.createElement("br"), ...this.helps(status).map(([name, title, action]) => {
        const button = element("button", { textContent: name, title });
        button.addEventListener("click", action);
        return button;
      }));
    }
    box.firstChild.data = words;
    box.hidden = false;
  }

  helps(status) {
    const list = [], link = this.lab.link, longer = Math.min(0.8 * status.stable_dt, 4 * status.dt);
    if (longer > 1.15 * status.dt)
      list.push(["longer steps", "of " + short(longer) + " s, four fifths of the stable step", () => { this.changed = performance.now(); link.send("dt", [], [longer]); }]);
    const count = this.counts && this.counts.find(({ value }) => Number(value) > 20);
    if (count) list.push(["half the bodies", count.name + " = " + Math.round(count.value / 2) + "; restarts the scene",
      () => { link.send("setting", [], [], count.name + "=" + Math.round(count.value / 2)); this.lab.reset(); }]);
    const slower = Number((status.reached * 0.95).toPrecision(2));
    if (slower > 0) list.push(["slow motion", "at " + slower + " ×, evenly", () => { by("speed").value = Math.log10(slower); this.setSpeed(); }]);
    if (status.threads < Number(by("threads").max)) list.push(["more threads", "all " + by("threads").max, () => link.send("threads", [Number(by("threads").max)])]);
    return list;
  }

  shares(status) { return PHASES.map(([name, words, of]) => [name, words, 16 * of.reduce((sum, key) => sum + status.phases[key], 0)]); }

  // Fractions of the time, relative to a picture's 16 ms.
  phases(status) {
    const rows = this.shares(status);
    const sum = rows.reduce((all, row) => all + row[2], 0);
    for (const [name, , ms] of rows) {
      by("phase-" + name).style.width = 100 * Math.min(1, ms / Math.max(16, sum)) + "%";
      by("phase-" + name + "-text").textContent = ms.toFixed(1) + " ms";
    }
    by("phase-sum").textContent = status.plays ? sum.toFixed(1) + " of 16 ms, " + short(1e6 * status.step_seconds) + " µs a step" : "paused";
  }

  makePhases() {
    by("phases").replaceChildren(...PHASES.map(([name]) => element("span", { id: "phase-" + name, className: "phase " + name })));
    by("phase-list").replaceChildren(...PHASES.flatMap(([name, words]) => [
      element("dt", {}, element("i", { className: "phase " + name }), words), element("dd", { id: "phase-" + name + "-text", textContent: "0 ms" })]));
  }

  structure(overlay) {
    const isShown = (overlay.shows & 13) !== 0, level = by("level"), all = Number(level.value) >= Number(level.max);
    by("structure-text").textContent = isShown ? overlay.words() : "";
    by("level-row").hidden = !isShown || overlay.levels < 2;
    if (overlay.levels >= 2 && Number(level.max) !== overlay.levels - 1) {
      level.max = overlay.levels - 1;
      if (all) level.value = level.max;
    }
    by("level-text").textContent = Number(level.value) >= Number(level.max) ? "all" : "0 to " + level.value;
  }

  legend(cloud, name) {
    const bar = by("bar").getContext("2d"), rows = bar.createImageData(160, 10), from = PALETTES[name];
    for (let x = 0; x < 160; x++) for (let y = 0; y < 10; y++)
      rows.data.set(from.subarray(4 * Math.floor(x * 1.6), 4 * Math.floor(x * 1.6) + 4), 4 * (y * 160 + x));
    bar.putImageData(rows, 0, 0);
    const [low, high] = name === "size" ? cloud.sizes || [0, 0] : [cloud.lower, cloud.upper];
    by("bar-low").textContent = name === "id" ? "" : short(low);
    by("bar-name").textContent = NAMES[name];
    by("bar-high").textContent = name === "id" ? "" : short(high);
  }

  times(times) {
    const list = [...times.methods].sort((a, b) => a.seconds - b.seconds), most = list.length ? list[list.length - 1].seconds : 1;
    const first = list[0] ? list[0].checksum : "";
    const agree = list.filter((m) => m.checksum === first).length;
    const rows = list.flatMap((m) => {
      const bar = element("div", { className: m.checksum === first ? "bar" : "bar other" });
      bar.style.width = Math.max(2, 100 * m.seconds / most) + "%";
      const name = element("button", { textContent: m.name, className: "plain", title: "How " + m.name + " works" });
      name.addEventListener("click", () => this.openPage(m.name));
      return [name, bar, element("span", { textContent: short(1000 * m.seconds) + " ms" })];
    });
    by("times").replaceChildren(...rows, element("div", { className: "sum", textContent: list.length
      ? agree + " of " + list.length + " methods find the same " + list[0].pairs.toLocaleString("en") + " pairs of "
        + times.bodies.toLocaleString("en") + " bodies: checksum " + first : "" }));
  }

  found(found) {
    const away = element("button", { textContent: "remove them" });
    away.addEventListener("click", () => this.lab.clearRegion());
    by("found").hidden = false;
    by("found").replaceChildren(found.bodies.toLocaleString("en") + " bodies   " + short(found.mass) + " kg\n"
      + "mean radius " + short(found.radius) + " m\nmean speed " + short(found.speed) + " m/s\n"
      + "velocity " + found.velocity.map(short).join(", ") + " m/s\nkinetic energy " + short(found.kinetic) + " J\n", away);
  }
}
