// Bodies that are not spheres on a 2D canvas: front-facing facets, or pebbles, the farthest first.

import { PALETTES } from "./colours.js";
import { normals } from "./shapes.js";

const MOST = 60000;  // facets and pebbles of all bodies; further bodies are discs
const LEAST = 3;     // radius of a body in pixels: smaller ones are discs

const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

export class PlainShapes {
  constructor(view) {
    this.view = view;
    this.shapes = [];
    this.epoch = -1;
    this.left = 0;
  }

  set({ shapes, epoch }) {
    this.shapes = shapes.map((shape) => shape && shape.facets ? { ...shape, normals: normals(shape) } : shape);
    this.epoch = epoch;
  }

  begin() { this.left = MOST; }

  // returns false if it must be drawn as a disc
  draw(cloud, slot, radius, look, isMarked) {
    const shape = cloud.epoch === this.epoch ? this.shapes[cloud.shape[slot] - 1] : null;
    if (!shape || radius < LEAST) return false;
    this.left -= shape.facets ? shape.facets.length / 3 : shape.pebbles.length / 4;
    if (this.left < 0) return false;
    const turned = this.frame(cloud, slot);
    if (shape.facets) this.drawFacets(shape, turned, look, isMarked);
    else this.drawPebbles(shape, turned, cloud.dimensions);
    return true;
  }

  // from the body's frame to the world: points, or directions if the shift is 0
  frame(cloud, slot) {
    const q = Array.from(cloud.turn.subarray(4 * slot, 4 * slot + 4)), size = Math.hypot(...q);
    const [w, x, y, z] = size > 0 ? q.map((part) => part / size) : [1, 0, 0, 0];
    const place = [0, 1, 2].map((k) => cloud.place[4 * slot + k] + cloud.origin[k]);
    return (v, at, shift = 1) => {
      const a = v[at], b = v[at + 1], c = v[at + 2];
      const t = [y * c - z * b + w * a, z * a - x * c + w * b, x * b - y * a + w * c];
      return [shift * place[0] + a + 2 * (y * t[2] - z * t[1]), shift * place[1] + b + 2 * (z * t[0] - x * t[2]), shift * place[2] + c + 2 * (x * t[1] - y * t[0])];
    };
  }

  // lit as on the graphics card, without the highlight
  ink(look, isMarked, normal) {
    const [right, up, back] = this.view.camera.axes(), light = [0, 1, 2].map((k) => (-0.35 * right[k] + 0.55 * up[k] + 0.8 * back[k]) / 1.032);
    const lit = 0.38 + 0.34 * (0.5 + 0.5 * normal[2]) + 0.58 * Math.max(0, dot(normal, light));
    const base = isMarked ? [255, 127, 38] : PALETTES[this.view.by].subarray(4 * look, 4 * look + 3);
    return "rgb(" + Array.from(base, (part) => Math.min(255, Math.round(part * lit))).join(",") + ")";
  }

  drawFacets(shape, turned, look, isMarked) {
    const { pen, camera, width, height } = this.view, eye = camera.eye(), back = camera.axes()[2];
    const places = [], seen = [], facing = [], { vertices, facets } = shape;
    for (let v = 0; v < vertices.length; v += 3) places.push(turned(vertices, v));
    for (const place of places) seen.push(camera.project(place, width, height));
    for (let f = 0; f < facets.length; f += 3) {
      const corners = [facets[f], facets[f + 1], facets[f + 2]], normal = turned(shape.normals, f, 0), first = places[corners[0]];
      if (dot(normal, [eye[0] - first[0], eye[1] - first[1], eye[2] - first[2]]) <= 0 || corners.some((v) => !seen[v])) continue;
      facing.push([corners.reduce((sum, v) => sum + dot(places[v], back), 0), corners, normal]);
    }
    facing.sort((a, b) => a[0] - b[0]);
    pen.save();
    pen.lineWidth = 0.7;
    for (const [, corners, normal] of facing) {
      // an outline in the same colour hides gaps between facets
      pen.fillStyle = pen.strokeStyle = this.ink(look, isMarked, normal);
      pen.beginPath();
      for (const v of corners) pen.lineTo(seen[v][0], seen[v][1]);
      pen.closePath();
      pen.fill();
      pen.stroke();
    }
    pen.restore();
  }

  // in two dimensions outlines first: one around all of a body's discs
  drawPebbles(shape, turned, dimensions) {
    const view = this.view, pen = view.pen, back = view.camera.axes()[2], list = [];
    for (let k = 0; k < shape.pebbles.length; k += 4) {
      const place = turned(shape.pebbles, k), at = view.see(place);
      if (at) list.push([dot(place, back), at, at[2] * shape.pebbles[k + 3]]);
    }
    if (dimensions === 3) list.sort((a, b) => a[0] - b[0]);
    const width = (radius) => Math.max(0.5, radius * 0.08);
    if (dimensions === 2) for (const [, at, radius] of list) this.disc(at, radius, pen.stroke, width(radius));
    for (const [, at, radius] of list) {
      this.disc(at, dimensions === 2 ? radius - width(radius) / 2 : radius, pen.fill);
      if (dimensions === 3 && radius > 2) this.disc(at, radius, pen.stroke, width(radius));
    }
  }

  disc(at, radius, how, lineWidth = 1) {
    const pen = this.view.pen;
    pen.lineWidth = lineWidth;
    pen.beginPath();
    pen.arc(at[0], at[1], Math.max(0.5, radius), 0, 2 * Math.PI);
    how.call(pen);
  }
}
