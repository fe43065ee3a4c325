// States of a world to look at, without an engine: the page in a notebook. They are part of the page itself; what it draws
// with is the lab's.

import { Camera } from "./camera.js";
import { Cloud } from "./cloud.js";
import { PALETTES } from "./colours.js";
import { Hand } from "./hand.js";
import { makeView } from "./make_view.js";
import { readShapes } from "./shapes.js";

const PICTURE_MS = 80; // between states that are played
const by = (id) => document.getElementById(id);

// numbers from a text of base64
function unpack(text, Type) {
  return new Type(Uint8Array.from(atob(text), (c) => c.charCodeAt(0)).buffer);
}

function short(value) { return Number(value.toPrecision(3)).toString(); }

class Still {
  constructor(told) {
    this.told = told;
    this.camera = new Camera();
    this.view = makeView(by("view"), this.camera);
    this.cloud = new Cloud();
    this.link = { send() {} }; // what the hand does to bodies has nobody to do it
    this.hand = new Hand(this);
    this.moment = 0;
    this.timer = 0;
    this.view.usualRadius = told.radius;
    this.view.setWalls(unpack(told.walls, Uint8Array).buffer);
    this.view.setShapes(readShapes(unpack(told.shapes, Uint8Array).buffer));
    this.listen();
    this.show(told.states.length - 1);
    this.fit();
  }

  listen() {
    const count = this.told.states.length, redraw = () => this.redraw();
    for (const [name] of this.told.colours) by("colour").add(new Option(name, name));
    by("colour").addEventListener("change", () => { this.colour(); this.redraw(); });
    by("play").hidden = by("moment").hidden = count < 2;
    by("moment").max = count - 1;
    by("moment").addEventListener("input", () => this.show(Number(by("moment").value)));
    by("play").addEventListener("click", () => this.toggle());
    by("view").addEventListener("dblclick", () => this.fit());
    new ResizeObserver(redraw).observe(this.view.canvas);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
  }

  // the state of that number
  show(moment) {
    const state = this.told.states[moment], cloud = this.cloud, n = state.bodies;
    this.moment = moment;
    by("moment").value = moment;
    cloud.reserve(n);
    cloud.place.set(unpack(state.place, Float32Array));
    cloud.turn.set(unpack(state.turn, Int16Array));
    cloud.number.set(unpack(state.number, Uint32Array));
    cloud.shape.set(unpack(state.shape, Uint16Array));
    cloud.poses = unpack(state.poses, Float32Array);
    cloud.slots = cloud.bodies = n;
    cloud.origin = this.told.origin;
    cloud.dimensions = this.told.dimensions;
    cloud.epoch = this.told.epoch;
    cloud.time = state.time;
    this.colour();
    this.redraw();
  }

  // a palette of the page, or the first one for numbers of the host
  colour() {
    const name = by("colour").value, state = this.told.states[this.moment];
    const [, low, high, unit] = this.told.colours.find(([known]) => known === name);
    this.view.by = name in PALETTES ? name : "speed";
    if (name in state.colours) this.cloud.colour.set(unpack(state.colours[name], Uint8Array));
    else this.cloud.colour.fill(0); // a state without them does not show those of another
    this.view.upload(this.cloud);
    const range = low === null ? "" : " · " + short(low) + " to " + short(high) + " " + unit;
    by("words").textContent = this.cloud.bodies + " bodies · t = " + short(state.time) + " s" + range;
  }

  fit() {
    const canvas = this.view.canvas;
    this.camera.fit(this.told.lower, this.told.upper, this.told.dimensions, canvas.clientWidth / Math.max(1, canvas.clientHeight));
    this.redraw();
  }

  toggle() {
    if (this.timer) clearInterval(this.timer);
    this.timer = this.timer ? 0 : setInterval(() => this.show((this.moment + 1) % this.told.states.length), PICTURE_MS);
    by("play").textContent = this.timer ? "stop" : "play";
  }

  redraw() {
    if (this.isDue) return;
    this.isDue = true;
    requestAnimationFrame(() => {
      this.isDue = false;
      this.view.draw(this.cloud, matchMedia("(prefers-color-scheme: dark)").matches);
      document.body.dataset.drawn = this.moment; // for tests
    });
  }
}

window.still = new Still(JSON.parse(by("states").textContent));
