// One run that is played: its list of frames, those that are loaded, and the bodies that are shown.

import { Cloud } from "./cloud.js";
import { PLANE, readFrame } from "./run.js";

const KEPT = 64e6; // bytes of frames that are kept
const EDGE = 0.1; // share of frames whose box may be outside of what the camera frames: single bodies fly far

// the value below which a share of a sorted list lies
const quantile = (list, share) => [...list].sort((a, b) => a - b)[Math.min(list.length - 1, Math.floor(share * list.length))];

// the shortest rotation of the axis of a plane, y in two dimensions, else z, to its normal: w x y z
function turnTo(normal, dimensions) {
  const axis = dimensions === 2 ? [0, 1, 0] : [0, 0, 1], size = Math.hypot(...normal) || 1, n = normal.map((x) => x / size);
  const turn = [1 + axis[0] * n[0] + axis[1] * n[1] + axis[2] * n[2], axis[1] * n[2] - axis[2] * n[1], axis[2] * n[0] - axis[0] * n[2], axis[0] * n[1] - axis[1] * n[0]];
  if (turn[0] < 1e-9) return dimensions === 2 ? [0, 0, 0, 1] : [0, 1, 0, 0];
  const length = Math.hypot(...turn);
  return turn.map((x) => x / length);
}

// a plane as a wall of a walls board: a square, in two dimensions a segment
function planeMesh(half, dimensions) {
  const corners = dimensions === 2 ? [[-1, 0], [1, 0]] : [[-1, -1], [1, -1], [1, 1], [-1, 1]], facets = dimensions === 2 ? [0, 1] : [0, 1, 2, 0, 2, 3];
  const bytes = new Uint8Array(12 + 12 * corners.length + 4 * facets.length), view = new DataView(bytes.buffer);
  [dimensions | 0x100, corners.length, facets.length / dimensions].forEach((value, k) => view.setUint32(4 * k, value, true));
  corners.flatMap(([x, y]) => [half * x, half * y, 0]).forEach((value, k) => view.setFloat32(12 + 4 * k, value, true));
  facets.forEach((value, k) => view.setUint32(12 + 12 * corners.length + 4 * k, value, true));
  return bytes;
}

export class Track {
  constructor(run) {
    this.run = run;
    this.frames = [];
    this.loaded = new Map(); // by number, the newest use last
    this.cloud = new Cloud();
    this.cloud.epoch = 0;
    this.isGoing = false;
    this.damaged = 0;
    this.shown = null;
  }

  // what the run has by now
  async look() {
    const told = await this.run.list();
    this.frames = told.frames.sort((a, b) => a.time - b.time);
    this.isGoing = told.going;
    this.damaged = told.damaged;
    this.table = await this.run.table();
    if (this.frames.length) this.measure();
  }

  // what bodies and walls look like; the first frame that can be read says how many dimensions there are
  async readParts() {
    this.parts = await this.run.parts();
    let problem = null;
    for (let k = 0; k < this.frames.length; k++) {
      try {
        this.dimensions = (await this.load(k)).dimensions;
        return;
      } catch (error) { problem = problem || error; }
    }
    throw problem;
  }

  // the box of the first frame, and that of most others
  measure() {
    const { frames } = this, r = frames[0].radius || 0;
    this.lower = [0, 1, 2].map((k) => Math.min(frames[0].lower[k], quantile(frames.map((frame) => frame.lower[k]), EDGE)) - r);
    this.upper = [0, 1, 2].map((k) => Math.max(frames[0].upper[k], quantile(frames.map((frame) => frame.upper[k]), 1 - EDGE)) + r);
  }

  // index of the last frame at or before a time, with a tolerance: times are sums of many steps
  at(time) {
    let low = 0, high = this.frames.length - 1;
    const until = time + 1e-9 * (this.frames[high].time - this.frames[0].time);
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.frames[middle].time <= until) low = middle; else high = middle - 1;
    }
    return low;
  }

  words(time) {
    const k = this.at(time);
    return "t = " + Number(this.frames[k].time.toPrecision(4)) + " s   frame " + (k + 1) + " of " + this.frames.length + (this.isGoing ? ", the run goes on" : "")
      + (this.shown ? "   " + this.shown.bodies.toLocaleString("en") + " bodies" : "");
  }

  async load(k) {
    const { number } = this.frames[k];
    let frame = this.loaded.get(number);
    if (!frame) {
      try {
        frame = readFrame(await this.run.frame(number));
      } catch (error) {
        throw new Error(this.run.name + ": frame " + number + " cannot be shown: " + error.message);
      }
    }
    this.loaded.delete(number);
    this.loaded.set(number, frame);
    let bytes = 0;
    for (const kept of this.loaded.values()) bytes += 40 * kept.bodies;
    for (const [old, kept] of this.loaded) {
      if (bytes <= KEPT || old === number) break;
      this.loaded.delete(old);
      bytes -= 40 * kept.bodies;
    }
    return frame;
  }

  // Shows the frame of a time; if another one is wanted meanwhile, that one. A frame that cannot be read is not asked for again.
  async show(time) {
    const k = this.at(time);
    this.wanted = k;
    if (this.shown && this.shownNumber === this.frames[k].number) return;
    if (this.refused === this.frames[k].number) return;
    let frame;
    try {
      frame = await this.load(k);
    } catch (error) {
      this.refused = this.frames[k].number;
      throw error;
    }
    if (this.wanted !== k) return;
    this.shownNumber = this.frames[k].number;
    this.set(frame);
    if (k + 1 < this.frames.length) this.load(k + 1).catch(() => {});
  }

  set(frame) {
    const cloud = this.cloud, n = frame.bodies, { shapeOf } = this.parts;
    this.shown = frame;
    cloud.reserve(n);
    cloud.place.set(frame.place);
    cloud.turn.set(frame.turn);
    cloud.number.set(frame.number);
    for (let i = 0; i < n; i++) cloud.shape[i] = shapeOf.size ? shapeOf.get(frame.number[i]) || 0 : 0;
    const v = frame.velocity;
    for (let i = 0; i < n; i++) cloud.colour[i] = Math.min(255, Math.round(255 * Math.hypot(v[3 * i], v[3 * i + 1], v[3 * i + 2]) / this.top));
    cloud.slots = cloud.bodies = n;
    cloud.origin = frame.lower;
    cloud.dimensions = frame.dimensions;
    cloud.time = frame.time;
    cloud.steps = frame.steps;
    cloud.lower = 0;
    cloud.upper = this.top;
    this.pose(frame);
  }

  // ---- walls: their meshes are those of the checkpoint, and planes are squares

  layWalls(stage) {
    this.half = 0.75 * Math.hypot(...stage.upper.map((x, k) => x - stage.lower[k]));
    this.centre = stage.upper.map((x, k) => (x + stage.lower[k]) / 2);
    this.laid = null;
    this.view.setShapes(this.parts.told);
    if (this.shown) this.pose(this.shown);
  }

  pose(frame) {
    const walls = frame.walls.filter((wall) => wall.kind === PLANE || this.parts.meshes.has(wall.key));
    const keys = walls.map((wall) => wall.key + "/" + wall.kind).join(" ");
    if (keys !== this.laid) this.view.setWalls(this.board(walls));
    this.laid = keys;
    const poses = new Float32Array(7 * walls.length);
    walls.forEach((wall, k) => {
      let { position, orientation } = wall;
      if (wall.kind === PLANE) {
        const gap = this.centre.reduce((sum, x, axis) => sum + (x - position[axis]) * wall.normal[axis], 0);
        position = this.centre.map((x, axis) => x - gap * wall.normal[axis]);
        orientation = turnTo(wall.normal, frame.dimensions);
      }
      poses.set([...position, ...orientation], 7 * k);
    });
    this.cloud.poses = poses;
  }

  // a walls board
  board(walls) {
    const meshes = walls.map((wall) => (wall.kind === PLANE ? planeMesh(this.half, this.dimensions) : this.parts.meshes.get(wall.key)));
    const bytes = new Uint8Array(12 + meshes.reduce((sum, mesh) => sum + mesh.length, 0)), view = new DataView(bytes.buffer);
    view.setUint32(0, 2, true);
    view.setUint32(8, meshes.length, true);
    let at = 12;
    for (const mesh of meshes) { bytes.set(mesh, at); at += mesh.length; }
    return bytes.buffer;
  }
}
