// The connection to the engine: requests are sent as small binary messages, boards and frames are received. docs/lab.md
// describes every byte.

import { Cloud } from "./cloud.js";
import { connect, SILENT } from "./engine.js";

const KIND = {
  ready: 1, play: 2, step: 3, speed: 4, reset: 5, example: 6, scene: 7, setting: 8, gravity: 9, dt: 10,
  damping: 11, method: 12, field: 13, pour: 14, grab: 15, pull: 16, release: 17, delete: 18, region: 19,
  clear: 20, race: 21, save: 22, load: 23, margin: 24, overlay: 25, friction: 26, energy_balance: 27, threads: 28,
  undo: 29, ball: 30, explode: 31, wall: 32, cut: 33, edit: 34, parts_of: 35,
};
const LOOKS = 1, PLACES = 2, TURNS = 4, COLOURS = 8;
const ALL = 0x80000000;

const ONE = 32767;
const PATIENCE = 60000; // ms for a checkpoint to be read

// w x y z from the index of the largest component and the three others; the largest follows from the unit length
function unpackTurn(packed, turns, at) {
  const largest = packed >>> 30;
  let sum = 0, shift = 20;
  for (let k = 0; k < 4; k++) {
    if (k === largest) continue;
    const share = ((packed >>> shift & 1023) - 512) / 511 * Math.SQRT1_2;
    turns[at + k] = Math.round(ONE * share);
    sum += share * share;
    shift -= 10;
  }
  turns[at + largest] = Math.round(ONE * Math.sqrt(1 - Math.min(1, sum)));
}

export const FIELDS = ["none", "speed", "force", "contacts", "work"];

export class Link {
  // on: text(object), walls(buffer), shapes(buffer), saved(bytes), lines(buffer), frame(cloud), state(message or "")
  constructor(on) {
    this.on = on;
    this.cloud = new Cloud();
    this.parts = LOOKS | PLACES | COLOURS;
    this.pending = 0;
    this.awaited = []; // those that have sent a checkpoint, and await what is in it
    this.connect();
  }

  connect() {
    const socket = connect();
    socket.onopen = () => { this.on.state(""); this.cloud.epoch = -1; this.send("ready", [0, this.parts]); };
    socket.onclose = (event) => {
      this.on.state(event.reason || SILENT);
      for (const { reject } of this.awaited.splice(0)) reject(new Error("the lab has not answered"));
      setTimeout(() => this.connect(), 1500);
    };
    socket.onmessage = (event) => {
      if (typeof event.data === "string") this.on.text(JSON.parse(event.data));
      else this.read(event.data);
    };
    this.socket = socket;
  }

  // whole: integers of 32 bits; real: doubles; rest: a text or bytes
  send(name, whole = [], real = [], rest = null) {
    if (this.socket.readyState !== WebSocket.OPEN) return;
    const tail = typeof rest === "string" ? new TextEncoder().encode(rest) : rest || new Uint8Array(0);
    const bytes = new Uint8Array(1 + 4 * whole.length + 8 * real.length + tail.length);
    const view = new DataView(bytes.buffer);
    let at = 1;
    bytes[0] = KIND[name];
    for (const value of whole) { view.setUint32(at, value, true); at += 4; }
    for (const value of real) { view.setFloat64(at, value, true); at += 8; }
    bytes.set(tail, at);
    this.socket.send(bytes);
  }

  // Sends a checkpoint of a run; gives what its walls and bodies look like, as run.js reads it.
  partsOf(bytes) {
    return new Promise((resolve, reject) => {
      if (this.socket.readyState !== WebSocket.OPEN) { reject(new Error(SILENT)); return; }
      const one = { resolve, reject };
      this.awaited.push(one);
      setTimeout(() => { this.awaited = this.awaited.filter((other) => other !== one); reject(new Error(SILENT)); }, PATIENCE);
      this.send("parts_of", [], [], bytes);
    });
  }

  // reason why only one thread computes; "" if the user cannot change it
  whyAlone() { return this.socket.whyAlone || ""; }

  want(turns) {
    if (turns === ((this.parts & TURNS) !== 0)) return;
    this.parts = LOOKS | PLACES | COLOURS | (turns ? TURNS : 0);
    this.send("ready", [0, this.parts]);
  }

  // the last frame is on the screen
  drawn() {
    if (this.pending) this.send("ready", [this.pending, this.parts]);
    this.pending = 0;
  }

  read(buffer) {
    const kind = new DataView(buffer).getUint32(0, true) & 0xff;
    if (kind === 1) this.readFrame(buffer);
    else if (kind === 2) this.on.walls(buffer);
    else if (kind === 3) this.on.saved(new Uint8Array(buffer, 4));
    else if (kind === 4) this.on.lines(buffer);
    else if (kind === 5) this.on.shapes(buffer);
    else if (kind === 6 && this.awaited.length) this.awaited.shift().resolve(buffer.slice(4));
  }

  readFrame(buffer) {
    const view = new DataView(buffer), cloud = this.cloud;
    const flags = view.getUint32(0, true) >>> 8;
    const real = (at) => view.getFloat64(at, true), whole = (at) => view.getUint32(at, true);
    // two frames may arrive between two pictures: both were received
    if (this.pending) this.drawn();
    this.pending = whole(4);
    cloud.time = real(8);
    cloud.steps = real(16);
    cloud.origin = [real(24), real(32), real(40)];
    cloud.quantum = real(48);
    cloud.lower = view.getFloat32(56, true);
    cloud.upper = view.getFloat32(60, true);
    cloud.isNew = cloud.epoch !== whole(64);
    cloud.epoch = whole(64);
    cloud.field = whole(68);
    cloud.slots = whole(72);
    cloud.bodies = whole(76);
    cloud.dimensions = flags & 1 ? 2 : 3;
    cloud.reserve(cloud.slots);
    const poses = whole(80);
    cloud.poses = new Float32Array(buffer.slice(84, 84 + 28 * poses));
    let at = 84 + 28 * poses;
    at = this.readLooks(view, buffer, at);
    at = this.readPlaces(view, buffer, at, flags & 2);
    at = this.readTurns(view, buffer, at);
    this.readColours(view, buffer, at);
    this.on.frame(cloud);
  }

  // [count, slot of row k, offset of the rows]
  section(view, buffer, at) {
    const head = view.getUint32(at, true), count = (head & ~ALL) >>> 0;
    if (head & ALL || count === 0) return [count, (k) => k, at + 4];
    const list = new Uint32Array(buffer, at + 4, count);
    return [count, (k) => list[k], at + 4 + 4 * count];
  }

  readLooks(view, buffer, from) {
    const [count, slot, at] = this.section(view, buffer, from), cloud = this.cloud;
    const radius = new Float32Array(buffer, at, count), number = new Uint32Array(buffer, at + 4 * count, count);
    const shape = new Uint32Array(buffer, at + 8 * count, count);
    for (let k = 0; k < count; k++) {
      cloud.place[4 * slot(k) + 3] = radius[k];
      cloud.number[slot(k)] = number[k];
      cloud.shape[slot(k)] = shape[k];
    }
    return at + 12 * count;
  }

  readPlaces(view, buffer, from, isWide) {
    const [count, slot, at] = this.section(view, buffer, from), cloud = this.cloud;
    const rows = isWide ? new Int32Array(buffer, at, cloud.dimensions * count)
      : new Int16Array(buffer, at, cloud.dimensions * count);
    for (let axis = 0; axis < 3; axis++)
      for (let k = 0; k < count; k++)
        cloud.place[4 * slot(k) + axis] = axis < cloud.dimensions ? rows[axis * count + k] * cloud.quantum : 0;
    return (at + rows.byteLength + 3) & ~3;
  }

  readTurns(view, buffer, from) {
    const [count, slot, at] = this.section(view, buffer, from), cloud = this.cloud;
    if (cloud.dimensions === 2) {
      const angle = new Uint32Array(buffer, at, count);
      for (let k = 0; k < count; k++) {
        const half = angle[k] / 4294967296 * Math.PI;
        cloud.turn.set([ONE * Math.cos(half), 0, 0, ONE * Math.sin(half)], 4 * slot(k));
      }
    } else {
      const rows = new Uint32Array(buffer, at, count);
      for (let k = 0; k < count; k++) unpackTurn(rows[k], cloud.turn, 4 * slot(k));
    }
    return at + 4 * count;
  }

  readColours(view, buffer, from) {
    const [count, slot, at] = this.section(view, buffer, from);
    const rows = new Uint8Array(buffer, at, count);
    for (let k = 0; k < count; k++) this.cloud.colour[slot(k)] = rows[k];
  }
}
