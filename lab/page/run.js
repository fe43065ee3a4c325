// Runs whose films are played: what a frame contains (common/film_format.h), and where frames come from: the server, or the
// files of a folder that was chosen in the page.

import { readShapes } from "./shapes.js";

const MAGIC = "scree-film 1", HEAD = 112, WALL = 96, BODY = 19;
export const PLANE = 0;

// { steps, bodies, time, walls, dimensions, lower, upper, radius, speed } of the first bytes of a frame
export function readHead(buffer) {
  const bytes = new Uint8Array(buffer), view = new DataView(buffer);
  if (bytes.length < HEAD || String.fromCharCode(...bytes.subarray(0, MAGIC.length)) !== MAGIC) throw new Error("it is not a frame of a film");
  const whole = (at) => view.getUint32(at, true) + 4294967296 * view.getUint32(at + 4, true), real = (at) => view.getFloat64(at, true);
  const head = {
    steps: whole(16), bodies: whole(24), time: real(32), walls: view.getUint32(40, true), dimensions: view.getUint32(44, true),
    lower: [48, 56, 64].map(real), upper: [72, 80, 88].map(real), radius: real(96), speed: real(104),
  };
  if (!(head.dimensions === 2 || head.dimensions === 3) || !isFinite(head.time)) throw new Error("its head is damaged");
  if (HEAD + WALL * head.walls + (BODY + 1) * head.bodies > Number.MAX_SAFE_INTEGER) throw new Error("its head is damaged");
  return head;
}

// A frame: its head, and { walls: [{ key, kind, position, orientation, normal }], place, velocity, turn, number }.
export function readFrame(buffer) {
  const head = readHead(buffer), view = new DataView(buffer), n = head.bodies, size = head.upper.map((x, k) => x - head.lower[k]);
  const short = () => { throw new Error("it ends after " + buffer.byteLength + " bytes: the file is incomplete"); };
  if (buffer.byteLength < HEAD + WALL * head.walls + (BODY + 1) * n) short();
  const walls = [];
  let at = HEAD;
  for (let i = 0; i < head.walls; i++, at += WALL) {
    const reals = Array.from({ length: 10 }, (_, k) => view.getFloat64(at + 16 + 8 * k, true));
    walls.push({
      key: view.getUint32(at, true) + "." + view.getUint32(at + 4, true), kind: view.getUint32(at + 8, true),
      position: reals.slice(0, 3), orientation: reals.slice(3, 7), normal: reals.slice(7),
    });
  }
  const frame = { ...head, walls, place: new Float32Array(4 * n), velocity: new Float32Array(3 * n), turn: new Int16Array(4 * n), number: new Uint32Array(n) };
  let serial = 0;
  for (let i = 0; i < n; i++) {
    let byte = 128;
    for (let scale = 1; byte & 128; scale *= 128) {
      if (at + BODY >= buffer.byteLength || scale > 2 ** 63) short();
      byte = view.getUint8(at++);
      serial += (byte & 127) * scale;
    }
    frame.number[i] = serial % 4294967296;
    // relative to the lower corner
    for (let k = 0; k < 3; k++) frame.place[4 * i + k] = k < head.dimensions ? view.getUint16(at + 2 * k, true) / 65535 * size[k] : 0;
    frame.place[4 * i + 3] = view.getUint16(at + 6, true) / 65535 * head.radius;
    for (let k = 0; k < 3; k++) frame.velocity[3 * i + k] = view.getInt16(at + 8 + 2 * k, true) / 32767 * head.speed;
    for (let k = 0; k < 4; k++) frame.turn[4 * i + k] = view.getInt8(at + 14 + k) / 127 * 32767;
    at += BODY;
  }
  if (at !== buffer.byteLength) throw new Error("there are " + (buffer.byteLength - at) + " bytes too many at its end");
  return frame;
}

// Meshes of walls by key (bytes as in a walls board), shapes, and the index of the shape of bodies by number.
export function readParts(buffer) {
  const view = new DataView(buffer), whole = (at) => view.getUint32(at, true);
  const [said, wallCount, wallBytes, shapeBytes, rows] = [0, 4, 8, 12, 16].map(whole);
  const parts = { meshes: new Map(), told: { epoch: 0, shapes: [], leftOut: 0 }, shapeOf: new Map(), message: "" };
  let at = 20 + 12 * wallCount, mesh = at + 12;
  for (let i = 0; i < wallCount; i++) {
    const corners = whole(mesh) & 0xff, bytes = 12 + 12 * whole(mesh + 4) + 4 * corners * whole(mesh + 8);
    if (whole(20 + 12 * i + 8) !== PLANE) parts.meshes.set(whole(20 + 12 * i) + "." + whole(24 + 12 * i), new Uint8Array(buffer, mesh, bytes));
    mesh += bytes;
  }
  at += wallBytes;
  if (shapeBytes) parts.told = readShapes(buffer.slice(at, at + shapeBytes));
  at += shapeBytes;
  for (let i = 0; i < rows; i++, at += 8) parts.shapeOf.set(whole(at), whole(at + 4));
  parts.message = new TextDecoder().decode(new Uint8Array(buffer, at, said));
  return parts;
}

const NO_PARTS = () => ({ meshes: new Map(), told: { epoch: 0, shapes: [], leftOut: 0 }, shapeOf: new Map(), message: "" });

// The columns of a table of numbers, each a name and its values; none if it has no rows. A last row that is not complete,
// since the run is writing it, is left out.
export function readTable(text) {
  const lines = text.split("\n"), names = lines[0].split(",").map((name) => name.trim());
  const rows = lines.slice(1, -1).map((line) => line.split(",")).filter((row) => row.length === names.length);
  const columns = new Map();
  if (rows.length) names.forEach((name, k) => columns.set(name, rows.map((row) => (row[k] === "" ? NaN : Number(row[k])))));
  return columns;
}

// A run of the server.
export class ServedRun {
  // get: fetches a path
  constructor(name, index, get) {
    this.name = name;
    this.path = "runs/" + index;
    this.get = get;
  }

  async list() { return (await this.get(this.path + "/list")).json(); }
  async frame(number) { return (await this.get(this.path + "/frame/" + number)).arrayBuffer(); }
  async table() { return (await this.get(this.path + "/metrics")).text(); }
  async parts() { return readParts(await (await this.get(this.path + "/parts")).arrayBuffer()); }
}

const CHECKPOINT_MOST = 256 * 2 ** 20; // bytes that the engine takes

// The folder of a run, as files that the page may read. Meshes and shapes are in its checkpoints, which only the engine can read.
export class ChosenRun {
  // read: gives the parts of a checkpoint, as bytes
  constructor(files, read) {
    this.read = read;
    const path = (file) => (file.webkitRelativePath || file.name).split("/");
    this.name = path(files[0])[0];
    this.frames = new Map();
    for (const file of files) {
      const [folder, name] = path(file).slice(-2), number = name.match(/^frame-(\d{6,10})\.film$/);
      if (folder === "film" && number) this.frames.set(Number(number[1]), file);
      else if (name === "metrics.csv") this.metrics = file;
      // their names have the step with leading zeros
      else if (folder === "checkpoints" && name.endsWith(".scree") && !(this.newest && this.newest.name > name)) this.newest = file;
    }
  }

  async list() {
    const told = { going: false, damaged: 0, frames: [] };
    for (const number of [...this.frames.keys()].sort((a, b) => a - b)) {
      try {
        const file = this.frames.get(number), head = readHead(await file.slice(0, HEAD).arrayBuffer());
        if (file.size < HEAD + WALL * head.walls + (BODY + 1) * head.bodies) throw new Error("it is incomplete");
        told.frames.push({ number, ...head });
      } catch { told.damaged++; }
    }
    return told;
  }

  async frame(number) { return this.frames.get(number).arrayBuffer(); }
  async table() { return this.metrics ? this.metrics.text() : ""; }

  async parts() {
    const without = (why) => ({ ...NO_PARTS(), message: "walls other than planes are not shown, and all bodies are shown as balls, as " + why });
    if (!this.newest) return without("there is no checkpoint in the folder");
    if (this.newest.size > CHECKPOINT_MOST) return without("the newest checkpoint has more than 256 MiB; scree lab " + this.name + " reads it");
    try {
      return readParts(await this.read(new Uint8Array(await this.newest.arrayBuffer())));
    } catch (error) { return without("the newest checkpoint cannot be read: " + error.message); }
  }
}
