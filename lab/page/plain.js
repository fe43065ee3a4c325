// The same view without WebGL2: circles, facets, lines and rectangles on a 2D canvas. Slower, but usable.

import { PALETTES, paint } from "./colours.js";
import { PlainShapes } from "./plain_shapes.js";
import { TINTS, rangeLine } from "./overlay.js";
import { edges, readWalls } from "./walls.js";

const MOST = 30000; // largest number of bodies drawn

export class PlainView {
  constructor(canvas, camera) {
    this.canvas = canvas;
    this.camera = camera;
    this.pen = canvas.getContext("2d", { alpha: false });
    this.by = "speed";
    this.showsWalls = true;
    this.showsBodies = true;
    this.showsTurns = false;
    this.marks = null;
    this.looks = new Uint8Array(0);
    this.walls = [];
    this.shapes = new PlainShapes(this);
    this.overlay = null;
    this.inks = {};
    for (const [name, rows] of Object.entries(PALETTES))
      this.inks[name] = Array.from({ length: 256 }, (_, k) => "rgb(" + rows.slice(4 * k, 4 * k + 3).join(",") + ")");
  }

  setWalls(buffer) {
    this.walls = readWalls(buffer).map((wall) => ({ ...wall, lines: edges(wall) }));
  }

  setShapes(told) { this.shapes.set(told); }

  setOverlay(overlay) { this.overlay = overlay; }

  upload(cloud) {
    if (this.looks.length < 2 * cloud.slots) this.looks = new Uint8Array(2 * cloud.room);
    paint(cloud, this.by, this.marks, this.looks);
  }

  // to pixels of the page, and pixels per metre there
  see(point) {
    const width = this.width, height = this.height, seen = this.camera.project(point, width, height);
    if (!seen) return null;
    const axes = this.camera.axes(), beside = point.map((p, k) => p + axes[0][k]), other = this.camera.project(beside, width, height);
    return [seen[0], seen[1], other ? Math.hypot(other[0] - seen[0], other[1] - seen[1]) : 0];
  }

  draw(cloud, isDark) {
    const ratio = Math.min(window.devicePixelRatio || 1, 2), canvas = this.canvas, pen = this.pen;
    this.width = Math.max(1, canvas.clientWidth);
    this.height = Math.max(1, canvas.clientHeight);
    const width = Math.round(this.width * ratio), height = Math.round(this.height * ratio);
    if (canvas.width !== width || canvas.height !== height) { canvas.width = width; canvas.height = height; }
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.fillStyle = isDark ? "#0f181b" : "#f3f1ec";
    pen.fillRect(0, 0, this.width, this.height);
    const over = this.overlay && this.overlay.epoch === cloud.epoch ? this.overlay : null;
    pen.globalAlpha = over && over.chainCount ? 0.4 : 1;
    if (this.showsBodies) this.drawBodies(cloud, isDark);
    pen.globalAlpha = 1;
    if (this.showsWalls) this.drawWalls(cloud, isDark);
    if (over) this.drawOverlay(over, cloud, isDark);
  }

  // the farthest first
  order(cloud) {
    const list = [], p = cloud.place, step = Math.max(1, Math.ceil(cloud.bodies / MOST)), back = this.camera.axes()[2];
    for (let i = 0, k = 0; i < cloud.slots; i++) if (cloud.isShown(i) && k++ % step === 0) list.push(i);
    if (cloud.dimensions === 2) return list;
    const depth = new Float32Array(cloud.slots);
    for (const i of list) depth[i] = p[4 * i] * back[0] + p[4 * i + 1] * back[1] + p[4 * i + 2] * back[2];
    return list.sort((a, b) => depth[a] - depth[b]);
  }

  drawBodies(cloud, isDark) {
    const pen = this.pen, p = cloud.place, inks = this.inks[this.by], o = cloud.origin;
    pen.strokeStyle = isDark ? "rgba(0,0,0,.55)" : "rgba(20,30,30,.45)";
    this.shapes.begin();
    for (const i of this.order(cloud)) {
      const at = this.see([p[4 * i] + o[0], p[4 * i + 1] + o[1], p[4 * i + 2] + o[2]]);
      if (!at) continue;
      const radius = Math.max(0.5, at[2] * p[4 * i + 3]);
      if (at[0] + radius < 0 || at[1] + radius < 0 || at[0] - radius > this.width || at[1] - radius > this.height) continue;
      const look = this.looks[2 * i], isMarked = this.looks[2 * i + 1] > 0;
      pen.fillStyle = isMarked ? "#ff7f26" : inks[look];
      if (this.shapes.draw(cloud, i, radius, look, isMarked)) continue;
      pen.beginPath();
      pen.arc(at[0], at[1], radius, 0, 2 * Math.PI);
      pen.fill();
      if (radius > 2) { pen.lineWidth = Math.max(0.5, radius * 0.08); pen.stroke(); }
      if (this.showsTurns && cloud.dimensions === 2 && radius > 2) this.drawTurn(cloud, i, at, radius);
    }
  }

  drawTurn(cloud, i, at, radius) {
    const angle = 2 * Math.atan2(cloud.turn[4 * i + 3], cloud.turn[4 * i]);
    this.pen.beginPath();
    this.pen.moveTo(at[0], at[1]);
    this.pen.lineTo(at[0] + radius * Math.cos(angle), at[1] - radius * Math.sin(angle));
    this.pen.stroke();
  }

  line(from, to) {
    const a = this.see(from), b = this.see(to);
    if (!a || !b) return;
    this.pen.moveTo(a[0], a[1]);
    this.pen.lineTo(b[0], b[1]);
  }

  drawWalls(cloud, isDark) {
    const pen = this.pen;
    pen.strokeStyle = isDark ? "#b8d1d6" : "#29454d";
    this.walls.forEach((wall, k) => {
      const pose = cloud.poses.subarray(7 * k, 7 * k + 7), [x, y, z, w, a, b, c] = pose;
      if (pose.length < 7) return;
      const turned = (v) => {
        const t = [b * v[2] - c * v[1] + w * v[0], c * v[0] - a * v[2] + w * v[1], a * v[1] - b * v[0] + w * v[2]];
        return [x + v[0] + 2 * (b * t[2] - c * t[1]), y + v[1] + 2 * (c * t[0] - a * t[2]), z + v[2] + 2 * (a * t[1] - b * t[0])];
      };
      pen.lineWidth = wall.corners === 2 ? 2.5 : 1;
      pen.globalAlpha = wall.isPlane ? 0.3 : wall.corners === 2 ? 0.9 : 0.6;
      pen.beginPath();
      for (let i = 0; i < wall.lines.length; i += 6) this.line(turned(wall.lines.subarray(i, i + 3)), turned(wall.lines.subarray(i + 3, i + 6)));
      pen.stroke();
    });
    pen.globalAlpha = 1;
  }

  drawOverlay(over, cloud, isDark) {
    const pen = this.pen, o = cloud.origin, world = (p) => [p[0] + o[0], p[1] + o[1], p[2] + o[2]];
    pen.lineWidth = 1;
    // in three dimensions many lines overlap, so they are drawn before the bodies
    pen.globalAlpha = cloud.dimensions === 3 ? 0.25 : 0.8;
    for (let i = 0; i < Math.min(over.pieceCount, MOST); i++) {
      const head = over.pieces[8 * i], kind = head & 0xff, tint = kind === 4 ? (head >>> 8 & 0xff) + 1 : kind === 2 ? 1 : kind === 3 ? 0 : kind === 6 ? (head >>> 16 ? 0 : 7) : head >>> 16 & 7;
      pen.strokeStyle = "rgb(" + TINTS[tint].map((c) => Math.round(255 * c)).join(",") + ")";
      pen.beginPath();
      if (kind === 4) this.line(...rangeLine(over, i, cloud.dimensions).map(world));
      else if (kind === 5 || kind === 6) this.line(world(over.places.subarray(8 * i + 2, 8 * i + 5)), world(over.places.subarray(8 * i + 5, 8 * i + 8)));
      else this.box(over.places.subarray(8 * i + 2, 8 * i + 8), cloud.dimensions, world);
      pen.stroke();
    }
    pen.strokeStyle = isDark ? "#ff9e4d" : "#b82914";
    for (let i = 0; i < over.chainCount; i++) {
      const row = over.chains.subarray(7 * i, 7 * i + 7), weight = Math.min(row[6] / over.mean, 6);
      pen.lineWidth = Math.max(0.6, 1.5 * weight);
      pen.globalAlpha = Math.min(1, 0.25 + 0.75 * weight);
      pen.beginPath();
      this.line(world(row.subarray(0, 3)), world(row.subarray(3, 6)));
      pen.stroke();
    }
    pen.globalAlpha = 1;
  }

  box(ends, dimensions, world) {
    const corner = (c) => world([ends[(c & 1) * 3], ends[(c >> 1 & 1) * 3 + 1], ends[(c >> 2) * 3 + 2]]);
    for (const [a, b] of [[0, 1], [1, 3], [3, 2], [2, 0]]) {
      this.line(corner(a), corner(b));
      if (dimensions === 3) this.line(corner(a + 4), corner(b + 4));
    }
    for (let c = 0; c < 4 && dimensions === 3; c++) this.line(corner(c), corner(c + 4));
  }
}
