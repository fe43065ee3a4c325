// Bodies on the graphics card. Rows of bodies of the same shape are adjacent, so each shape is one draw call: spheres,
// triangle meshes, clumps of pebbles.

import { paint } from "./colours.js";
import { unroll } from "./shapes.js";

const PLACE = 0, LOOK = 1, TURN = 2; // vertex attributes of a body, in all programs

export class Bodies {
  constructor(gl) {
    this.gl = gl;
    this.buffers = { place: gl.createBuffer(), look: gl.createBuffer(), turn: gl.createBuffer() };
    this.spheres = this.makeArray();
    this.shapes = []; // by shape index: { array, count, ... }; missing ones are drawn as balls
    this.groups = []; // [shape index, first row, number of rows]
    this.looks = new Uint8Array(0);
    this.room = 0;
    this.hasTurns = false;
    this.told = null; // shapes for the next frames
    this.epoch = -1;
    this.drawn = { spheres: 0, triangles: 0, pebbles: 0 }; // numbers in the last picture
    this.uploaded = 0; // bytes of rows, for the last picture
  }

  // sets attributes for rows of bodies; `then` adds the rest
  makeArray(then = () => {}) {
    const gl = this.gl, array = gl.createVertexArray();
    gl.bindVertexArray(array);
    for (const index of [PLACE, LOOK, TURN]) gl.enableVertexAttribArray(index);
    then();
    gl.bindVertexArray(null);
    return array;
  }

  // the bound array begins at that row; each row is used for several instances
  begin(row, every) {
    const gl = this.gl;
    for (const [index, buffer, size, type, bytes] of [
      [PLACE, this.buffers.place, 4, gl.FLOAT, 16], [LOOK, this.buffers.look, 2, gl.UNSIGNED_BYTE, 2], [TURN, this.buffers.turn, 4, gl.SHORT, 8]]) {
      // without orientations all bodies have the initial one
      if (index === TURN && !this.hasTurns) {
        gl.disableVertexAttribArray(TURN);
        gl.vertexAttrib4f(TURN, 0, 0, 0, 0);
        continue;
      }
      gl.enableVertexAttribArray(index);
      gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
      gl.vertexAttribPointer(index, size, type, type !== gl.FLOAT, 0, row * bytes);
      gl.vertexAttribDivisor(index, every);
    }
  }

  // data that comes with a scene is valid from its first frame
  setShapes(told) { this.told = told; }

  change() {
    const gl = this.gl;
    for (const shape of this.shapes) {
      if (!shape) continue;
      gl.deleteVertexArray(shape.array);
      for (const buffer of shape.buffers || []) gl.deleteBuffer(buffer);
      if (shape.texture) gl.deleteTexture(shape.texture);
    }
    this.shapes = this.told.shapes.map((shape) => shape && (shape.facets ? this.makeMesh(shape) : this.makeClump(shape)));
    this.epoch = this.told.epoch;
    this.told = null;
  }

  makeMesh(shape) {
    const gl = this.gl, { places, turned, folds, count } = unroll(shape), buffers = [];
    const lay = (index, rows, size, type) => {
      const buffer = gl.createBuffer();
      gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
      gl.bufferData(gl.ARRAY_BUFFER, rows, gl.STATIC_DRAW);
      gl.enableVertexAttribArray(index);
      gl.vertexAttribPointer(index, size, type, type !== gl.FLOAT, 0, 0);
      buffers.push(buffer);
    };
    const array = this.makeArray(() => {
      lay(3, places, 3, gl.FLOAT);
      lay(4, turned, 4, gl.BYTE);
      lay(5, folds, 4, gl.UNSIGNED_BYTE);
    });
    return { array, buffers, count };
  }

  // pebbles as a row of texels, shared by all bodies
  makeClump({ pebbles }) {
    const gl = this.gl, texture = gl.createTexture(), pebbleCount = pebbles.length / 4;
    gl.bindTexture(gl.TEXTURE_2D, texture);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA32F, pebbleCount, 1, 0, gl.RGBA, gl.FLOAT, pebbles);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST);
    return { array: this.makeArray(), texture, pebbleCount };
  }

  // a missing shape is a ball
  kindOf(cloud, slot) { return this.shapes[cloud.shape[slot] - 1] ? cloud.shape[slot] : 0; }

  // Uploads rows of bodies; orientations only where they can be seen. isElsewhere: spheres without orientations are drawn
  // from the cloud itself.
  upload(cloud, by, marks, showsTurns, isElsewhere) {
    if (this.told && this.told.epoch === cloud.epoch) this.change();
    if (this.looks.length < 2 * cloud.slots) this.looks = new Uint8Array(2 * cloud.room);
    paint(cloud, by, marks, this.looks);
    const hasShapes = this.epoch === cloud.epoch && this.shapes.length > 0;
    this.hasTurns = showsTurns || hasShapes;
    this.uploaded = 0;
    if (isElsewhere && !this.hasTurns) this.groups = [];
    else if (hasShapes || cloud.hidden) this.sort(cloud);
    else {
      this.groups = [[0, 0, cloud.slots]];
      this.put(cloud.slots, cloud.place, this.looks, cloud.turn);
    }
  }

  put(n, place, looks, turn) {
    const gl = this.gl;
    const list = [[this.buffers.place, place.subarray(0, 4 * n)], [this.buffers.look, looks.subarray(0, 2 * n)], [this.buffers.turn, turn.subarray(0, 4 * n)]];
    for (const [buffer, rows] of list.slice(0, this.hasTurns ? 3 : 2)) {
      this.uploaded += rows.byteLength;
      gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
      gl.bufferData(gl.ARRAY_BUFFER, rows, gl.STREAM_DRAW);
    }
  }

  // groups bodies by shape; empty slots and hidden bodies are left out
  sort(cloud) {
    const n = cloud.slots, ends = new Uint32Array(this.shapes.length + 1), { place, turn } = cloud;
    if (this.room < n) {
      this.room = cloud.room;
      this.rows = { place: new Float32Array(4 * this.room), looks: new Uint8Array(2 * this.room), turn: new Int16Array(4 * this.room) };
    }
    for (let i = 0; i < n; i++) if (cloud.isShown(i)) ends[this.kindOf(cloud, i)]++;
    this.groups = [];
    let sum = 0;
    ends.forEach((count, kind) => {
      if (count) this.groups.push([kind, sum, count]);
      ends[kind] = sum;
      sum += count;
    });
    const rows = this.rows;
    for (let i = 0; i < n; i++) {
      if (!cloud.isShown(i)) continue;
      const to = ends[this.kindOf(cloud, i)]++;
      for (let k = 0; k < 4; k++) { rows.place[4 * to + k] = place[4 * i + k]; rows.turn[4 * to + k] = turn[4 * i + k]; }
      rows.looks[2 * to] = this.looks[2 * i];
      rows.looks[2 * to + 1] = this.looks[2 * i + 1];
    }
    this.put(sum, rows.place, rows.looks, rows.turn);
  }

  // nothing but spheres, whose orientations are not seen
  areSpheres() { return !this.hasTurns; }

  // use(isOfTriangles) chooses the program and returns the locations of its uniforms
  draw(flat, use) {
    const gl = this.gl, balls = use(false);
    this.drawn = { spheres: 0, triangles: 0, pebbles: 0 };
    gl.uniform1i(balls.pebbleCount, 0);
    gl.uniform1i(balls.layer, 0);
    gl.bindVertexArray(this.spheres);
    for (const [kind, first, count] of this.groups) {
      if (kind) continue;
      this.begin(first, 1);
      gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, count);
      this.drawn.spheres += count;
    }
    // in two dimensions all outlines come before the interiors: a clump has one around all of its discs
    for (const layer of flat ? [1, 2] : [0]) this.drawClumps(balls, layer);
    if (this.groups.some(([kind]) => kind && this.shapes[kind - 1].buffers)) {
      use(true);
      this.drawMeshes();
    }
    gl.bindVertexArray(null);
  }

  drawClumps(at, layer) {
    const gl = this.gl;
    gl.uniform1i(at.layer, layer);
    gl.activeTexture(gl.TEXTURE1);
    for (const [kind, first, count] of this.groups) {
      const shape = this.shapes[kind - 1];
      if (!shape || !shape.texture) continue;
      gl.bindTexture(gl.TEXTURE_2D, shape.texture);
      gl.uniform1i(at.pebbleCount, shape.pebbleCount);
      gl.bindVertexArray(shape.array);
      this.begin(first, shape.pebbleCount);
      gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, count * shape.pebbleCount);
      if (layer < 2) this.drawn.pebbles += count * shape.pebbleCount;
    }
    gl.activeTexture(gl.TEXTURE0);
  }

  drawMeshes() {
    const gl = this.gl;
    gl.enable(gl.CULL_FACE);
    for (const [kind, first, count] of this.groups) {
      const shape = this.shapes[kind - 1];
      if (!shape || !shape.buffers) continue;
      gl.bindVertexArray(shape.array);
      this.begin(first, 1);
      gl.drawArraysInstanced(gl.TRIANGLES, 0, shape.count, count);
      this.drawn.triangles += count * shape.count / 3;
    }
    gl.disable(gl.CULL_FACE);
  }
}
