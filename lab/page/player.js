// Plays the films of runs: one, or two next to each other with one time and one camera. While it is on, the view belongs to it,
// and the scene of the lab waits.

import { Curves } from "./curves.js";
import { makeView } from "./make_view.js";
import { short } from "./plots.js";
import { ChosenRun } from "./run.js";
import { Track } from "./track.js";

const by = (id) => document.getElementById(id);
const LOOK_AGAIN = 2000; // ms, for new frames of a run that is going on
const WHOLE_IN = 10; // s: how long the film takes at first

export class Player {
  constructor(lab) {
    this.lab = lab;
    this.tracks = [];
    this.time = 0;
    this.plays = false;
    this.curves = new Curves((time) => this.seek(time));
    const press = (id, action) => by(id).addEventListener("click", action);
    press("film-back", () => this.step(-1));
    press("film-on", () => this.step(1));
    press("film-close", () => this.close());
    press("run-choose", () => by("run-folder").click());
    by("film-time").addEventListener("input", () => { this.pause(); this.seek(this.first + Number(by("film-time").value) * (this.last - this.first)); });
    by("film-speed").addEventListener("change", () => this.keepRate());
    by("run-folder").addEventListener("change", () => this.choose());
  }

  get isOn() { return this.tracks.length > 0; }
  get cloud() { return this.tracks[0].cloud; }

  // ---- opening and closing

  async begin(runs) {
    this.runs = runs;
    by("runs").hidden = false;
    if (runs.length) {
      by("panel").prepend(by("runs"));
      by("runs").open = true;
    }
    by("run-list").replaceChildren(...runs.map((run) => {
      const button = document.createElement("button");
      button.textContent = run.name;
      button.addEventListener("click", () => this.open([run]));
      return button;
    }));
    if (runs.length === 2) {
      const both = document.createElement("button");
      both.textContent = "both, side by side";
      both.addEventListener("click", () => this.open(runs));
      by("run-list").append(both);
    }
    if (runs.length) await this.open(runs);
  }

  // the files of a folder that was chosen, next to the run that is open if the box is ticked
  async choose() {
    const files = [...by("run-folder").files];
    by("run-folder").value = "";
    if (!files.length) return;
    const run = new ChosenRun(files, (bytes) => this.lab.link.partsOf(bytes));
    await this.open(by("run-beside").checked && this.isOn ? [this.tracks[0].run, run] : [run]);
  }

  async open(runs) {
    const tracks = [];
    try {
      for (const run of runs) {
        const track = new Track(run);
        await track.look();
        if (!track.frames.length) throw new Error(run.name + (track.isGoing ? ": the run has just begun, and its film has no frame yet; open it again in a while" : ": " + (track.damaged ? "all " + track.damaged + " frames of its film are damaged" : "there is no film in it; was it run with --no-film?")));
        tracks.push(track);
      }
      for (const track of tracks) await track.readParts();
    } catch (error) {
      this.say(error.message);
      return;
    }
    if (this.isOn) this.close();
    this.lab.leaveScene();
    this.tracks = tracks;
    this.lab.cloud = this.cloud;
    this.makeViews();
    document.body.classList.add("plays-film");
    document.body.classList.toggle("plays-two", tracks.length === 2);
    by("film-bar").hidden = false;
    by("runs").open = true;
    this.measure();
    this.time = this.first;
    this.rate = 0;
    this.keepRate();
    this.name();
    this.lab.fit();
    this.curves.open(tracks);
    this.timer = setInterval(() => this.lookAgain(), LOOK_AGAIN);
    this.tellMissing();
    await this.seek(this.first);
    if (this.lab.starts !== false) this.play();
  }

  close() {
    if (!this.isOn) return;
    this.pause();
    clearInterval(this.timer);
    this.tracks = [];
    document.body.classList.remove("plays-film", "plays-two");
    by("film-bar").hidden = true;
    this.curves.close();
    this.lab.backToScene();
  }

  makeViews() {
    const { lab } = this;
    this.tracks[0].view = lab.view;
    if (this.tracks.length < 2) return;
    if (!this.second) {
      this.second = makeView(by("view-2"), lab.camera);
      lab.hand.watch(by("view-2"));
    }
    this.tracks[1].view = this.second;
  }

  tellMissing() {
    const words = this.tracks.flatMap((track) => [
      track.damaged ? track.run.name + ": " + track.damaged + " of its frames are damaged or incomplete, and left out" : "",
      track.parts.message ? track.run.name + ": " + track.parts.message : "",
    ]).filter(Boolean);
    if (words.length) this.say(words.join(". ") + ".", false);
  }

  say(text, error = true) { this.lab.note({ text, error }); }

  // ---- what the films cover

  measure() {
    const frames = this.tracks.flatMap((track) => track.frames);
    this.first = Math.min(...frames.map((frame) => frame.time));
    this.last = Math.max(...frames.map((frame) => frame.time));
    const dimensions = Math.max(...this.tracks.map((track) => track.dimensions));
    const lower = [0, 1, 2].map((k) => Math.min(...this.tracks.map((track) => track.lower[k])));
    const upper = [0, 1, 2].map((k) => Math.max(...this.tracks.map((track) => track.upper[k])));
    const radius = this.tracks[0].frames[0].radius || 0.01;
    this.lab.stage = { lower, upper, dimensions, radius, title: "", text: "", example: "", parameters: [] };
    for (const track of this.tracks) {
      track.top = Math.max(1e-300, ...frames.map((frame) => frame.speed));
      track.view.usualRadius = radius;
      track.layWalls(this.lab.stage);
    }
  }

  async lookAgain() {
    if (!this.tracks.some((track) => track.isGoing)) return;
    const known = this.tracks.map((track) => track.frames.length), tracks = this.tracks;
    try {
      for (const track of tracks) if (track.isGoing) await track.look();
    } catch { return; } // the lab has ended, and says so itself
    if (tracks !== this.tracks || tracks.every((track, k) => track.frames.length === known[k])) return;
    this.measure();
    this.curves.open(tracks);
    this.tell();
  }

  // ---- time

  keepRate() {
    const chosen = by("film-speed").value;
    this.rate = chosen === "real" ? 1 : (this.last - this.first) / Number(chosen || WHOLE_IN);
  }

  toggle() { if (this.plays) this.pause(); else this.play(); }

  play() {
    if (!this.isOn) return;
    if (this.time >= this.last && !this.tracks.some((track) => track.isGoing)) this.time = this.first;
    this.plays = true;
    this.then = performance.now();
    this.lab.panel.playing(true);
    requestAnimationFrame(() => this.tick());
  }

  pause() {
    this.plays = false;
    this.lab.panel.playing(false);
  }

  // a picture is shown before the next one is due, so a slow machine shows fewer
  async tick() {
    if (!this.plays) return;
    const now = performance.now();
    this.keepRate();
    await this.seek(this.time + this.rate * (now - this.then) / 1000);
    this.then = now;
    if (this.time >= this.last && !this.tracks.some((track) => track.isGoing)) this.pause();
    else if (this.plays) requestAnimationFrame(() => this.tick());
  }

  // the frame before or after this one, of the run that has one nearest
  step(by) {
    this.pause();
    const times = this.tracks.flatMap((track) => track.frames.map((frame) => frame.time)).sort((a, b) => a - b);
    const now = this.shownTime(), found = by > 0 ? times.find((time) => time > now) : times.findLast((time) => time < now);
    return this.seek(found === undefined ? (by > 0 ? this.last : this.first) : found);
  }

  // that of the newest frame that is shown
  shownTime() { return Math.max(...this.tracks.map((track) => track.frames[track.at(this.time)].time)); }

  async seek(time) {
    const tracks = this.tracks;
    this.time = Math.max(this.first, Math.min(this.last, time));
    this.tell();
    try {
      await Promise.all(tracks.map((track) => track.show(this.time)));
    } catch (error) {
      // the others can be shown
      this.say(error.message);
    }
    if (tracks !== this.tracks || !this.isOn) return;
    this.lab.chooseColour();
    this.tell();
    this.lab.isNew = true;
    this.lab.redraw();
  }

  // ---- what is shown

  tell() {
    const share = this.last > this.first ? (this.time - this.first) / (this.last - this.first) : 0;
    if (document.activeElement !== by("film-time") || this.plays) by("film-time").value = share;
    by("film-time").setAttribute("aria-valuetext", short(this.time) + " s");
    by("film-told").textContent = short(this.time) + " of " + short(this.last) + " s";
    by("figures").textContent = this.tracks.map((track) => (this.tracks.length > 1 ? track.run.name + ":  " : "") + track.words(this.time)).join("\n");
    this.curves.mark(this.time);
  }

  name() {
    by("title").textContent = this.tracks.map((track) => track.run.name).join("  |  ");
    document.title = by("title").textContent + " – scree lab";
  }

  // isNew: bodies, colours or filters have changed
  paint(isNew, isDark, share) {
    const { filter, stage, camera, view, panel } = this.lab;
    for (const track of this.tracks) {
      track.view.by = view.by;
      for (const what of ["showsWalls", "showsBodies", "showsTurns"]) track.view[what] = view[what];
      if (isNew) {
        filter.apply(track.cloud, stage, camera);
        track.view.upload(track.cloud);
      }
      track.view.draw(track.cloud, isDark, share);
    }
    if (isNew) panel.legend(this.cloud, view.by);
    this.curves.draw();
  }
}
