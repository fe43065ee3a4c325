// The view: bodies, walls and their edges, drawn with WebGL2.

import { Bodies } from "./bodies.js";
import { PALETTES } from "./colours.js";
import { TINTS } from "./overlay.js";
import { program } from "./program.js";
import { Quick } from "./quick.js";
import * as shader from "./shaders.js";
import { edges, readWalls } from "./walls.js";

// Whether the processor draws, by the name of what draws on another canvas: smooth edges are chosen before a canvas tells.
let isSoftware;
function hasNoCard() {
  if (isSoftware === undefined) {
    const gl = document.createElement("canvas").getContext("webgl2"), info = gl && gl.getExtension("WEBGL_debug_renderer_info");
    isSoftware = Boolean(info) && /swiftshader|llvmpipe|softpipe|software|basic render/i.test(gl.getParameter(info.UNMASKED_RENDERER_WEBGL));
    const end = gl && gl.getExtension("WEBGL_lose_context");
    if (end) end.loseContext();
  }
  return isSoftware;
}

export class View {
  constructor(canvas, camera) {
    // without a graphics card smooth edges would take nearly half of the time of a picture
    const gl = canvas.getContext("webgl2", { antialias: !hasNoCard(), alpha: false });
    if (!gl) throw new Error("no WebGL2");
    this.gl = gl;
    this.canvas = canvas;
    this.camera = camera;
    this.by = "speed";
    this.showsWalls = true;
    this.showsBodies = true;
    this.showsTurns = false;
    this.marks = null;
    this.usualRadius = 1;
    this.spheres = program(gl, shader.SPHERE_VERTEX, shader.SPHERE_FRAGMENT);
    this.glass = program(gl, shader.WALL_VERTEX, shader.WALL_FRAGMENT);
    this.lines = program(gl, shader.LINE_VERTEX, shader.LINE_FRAGMENT);
    this.boxes = program(gl, shader.PIECE_VERTEX, shader.PIECE_FRAGMENT);
    this.meshes = program(gl, shader.MESH_VERTEX, shader.MESH_FRAGMENT);
    this.bodies = new Bodies(gl);
    this.quick = hasNoCard() ? new Quick(gl) : null;
    this.textures = {};
    for (const [name, rows] of Object.entries(PALETTES)) this.textures[name] = this.texture(rows);
    this.walls = [];
    this.overlay = null;
    this.makeOverlay();
  }

  texture(rows) {
    const gl = this.gl, made = gl.createTexture();
    gl.bindTexture(gl.TEXTURE_2D, made);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, 256, 1, 0, gl.RGBA, gl.UNSIGNED_BYTE, rows);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST);
    return made;
  }

  // the surfaces of the scene
  setWalls(buffer) {
    const gl = this.gl;
    for (const wall of this.walls) for (const made of wall.made) made[0].call(gl, made[1]);
    this.walls = readWalls(buffer).map((wall) => this.makeWall(wall));
  }

  makeWall(shape) {
    const gl = this.gl, { vertices, facets, corners, isPlane } = shape;
    const wall = { corners, isPlane, made: [], facetCount: 0 };
    const buffer = (target, rows) => {
      const made = gl.createBuffer();
      gl.bindBuffer(target, made);
      gl.bufferData(target, rows, gl.STATIC_DRAW);
      wall.made.push([gl.deleteBuffer, made]);
    };
    const array = () => {
      const made = gl.createVertexArray();
      gl.bindVertexArray(made);
      wall.made.push([gl.deleteVertexArray, made]);
      return made;
    };
    const lines = edges(shape);
    if (corners === 3) {
      wall.facets = array();
      buffer(gl.ARRAY_BUFFER, vertices);
      gl.enableVertexAttribArray(0);
      gl.vertexAttribPointer(0, 3, gl.FLOAT, false, 0, 0);
      buffer(gl.ELEMENT_ARRAY_BUFFER, facets);
      wall.facetCount = facets.length;
    }
    wall.lines = array();
    buffer(gl.ARRAY_BUFFER, lines);
    for (const index of [0, 1]) {
      gl.enableVertexAttribArray(index);
      gl.vertexAttribPointer(index, 3, gl.FLOAT, false, 24, 12 * index);
      gl.vertexAttribDivisor(index, 1);
    }
    wall.lineCount = lines.length / 6;
    gl.bindVertexArray(null);
    return wall;
  }

  // arrays over the rows of an overlay, as received: a force line has seven numbers, a part of a structure eight
  makeOverlay() {
    const gl = this.gl;
    const lay = (stride, columns) => {
      const made = { array: gl.createVertexArray(), buffer: gl.createBuffer() };
      gl.bindVertexArray(made.array);
      gl.bindBuffer(gl.ARRAY_BUFFER, made.buffer);
      for (const [index, width, at, isWhole] of columns) {
        gl.enableVertexAttribArray(index);
        if (isWhole) gl.vertexAttribIPointer(index, width, gl.UNSIGNED_INT, stride, at);
        else gl.vertexAttribPointer(index, width, gl.FLOAT, false, stride, at);
        gl.vertexAttribDivisor(index, 1);
      }
      gl.bindVertexArray(null);
      return made;
    };
    this.chains = lay(28, [[0, 3, 0], [1, 3, 12], [2, 1, 24]]);
    this.pieces = lay(32, [[0, 3, 8], [1, 3, 20], [2, 2, 0, true]]);
  }

  setOverlay(overlay) {
    const gl = this.gl;
    this.overlay = overlay;
    for (const [made, rows] of [[this.chains, overlay.chains], [this.pieces, overlay.pieces]]) {
      gl.bindBuffer(gl.ARRAY_BUFFER, made.buffer);
      gl.bufferData(gl.ARRAY_BUFFER, rows, gl.STREAM_DRAW);
    }
  }

  setShapes(told) { this.bodies.setShapes(told); }

  upload(cloud) { this.bodies.upload(cloud, this.by, this.marks, this.showsTurns, this.quick !== null); }

  resize(share) {
    const ratio = Math.min(window.devicePixelRatio || 1, 2) * share, canvas = this.canvas;
    const width = Math.max(1, Math.round(canvas.clientWidth * ratio)), height = Math.max(1, Math.round(canvas.clientHeight * ratio));
    if (canvas.width !== width || canvas.height !== height) { canvas.width = width; canvas.height = height; }
    return ratio;
  }

  begin(which, view, projection) {
    const gl = this.gl;
    gl.useProgram(which.made);
    gl.uniformMatrix4fv(which.at.view, false, view);
    gl.uniformMatrix4fv(which.at.projection, false, projection);
  }

  // share: of the pixels in each direction
  draw(cloud, isDark, share = 1) {
    const gl = this.gl, ratio = this.resize(share), aspect = this.canvas.width / this.canvas.height;
    const view = this.camera.view(cloud.origin), projection = this.camera.projection(aspect);
    const ground = isDark ? [0.059, 0.094, 0.106] : [0.953, 0.945, 0.925];
    gl.viewport(0, 0, this.canvas.width, this.canvas.height);
    gl.clearColor(...ground, 1);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    const over = this.overlay && this.overlay.epoch === cloud.epoch ? this.overlay : null;
    const dim = over && (over.chainCount || over.pieceCount) ? (over.chainCount ? 0.62 : 0.3) : 0;
    if (this.showsBodies) this.drawBodies(cloud, view, projection, ground, dim);
    if (this.showsWalls) this.drawWalls(cloud, view, projection, isDark, ratio);
    if (over && over.pieceCount) this.drawPieces(over, cloud, view, projection);
    if (over && over.chainCount) this.drawChains(over, view, projection, isDark, ratio);
  }

  drawBodies(cloud, view, projection, ground, dim) {
    const gl = this.gl, flat = cloud.dimensions === 2;
    gl.activeTexture(gl.TEXTURE0);
    gl.bindTexture(gl.TEXTURE_2D, this.textures[this.by]);
    if (flat) {
      gl.disable(gl.DEPTH_TEST);
      gl.enable(gl.BLEND);
      gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA);
    } else {
      gl.enable(gl.DEPTH_TEST);
      gl.disable(gl.BLEND);
    }
    gl.depthMask(true);
    if (this.quick && !this.showsTurns && this.bodies.areSpheres()) {
      this.bodies.drawn = this.quick.draw(cloud, this.bodies.looks, view, (which) => {
        this.begin(which, view, projection);
        gl.uniform1f(which.at.dim, dim);
        gl.uniform3fv(which.at.ground, ground);
        gl.uniform1i(which.at.palette, 0);
      });
      return;
    }
    this.bodies.draw(flat, (isOfTriangles) => {
      const which = isOfTriangles ? this.meshes : this.spheres, at = which.at;
      this.begin(which, view, projection);
      gl.uniform1f(at.dim, dim);
      gl.uniform3fv(at.ground, ground);
      gl.uniform1i(at.palette, 0);
      if (!isOfTriangles) {
        gl.uniform1i(at.flat2, flat);
        gl.uniform1i(at.turns, this.showsTurns);
        gl.uniform1i(at.pebbles, 1);
      }
      return at;
    });
  }

  drawWalls(cloud, view, projection, isDark, ratio) {
    const gl = this.gl, ink = isDark ? [0.72, 0.82, 0.84] : [0.16, 0.27, 0.3];
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA);
    gl.depthMask(false);
    for (const which of [this.glass, this.lines]) {
      this.begin(which, view, projection);
      this.walls.forEach((wall, k) => {
        const pose = cloud.poses.subarray(7 * k, 7 * k + 7);
        if (pose.length < 7) return;
        gl.uniform3f(which.at.shift, pose[0] - cloud.origin[0], pose[1] - cloud.origin[1], pose[2] - cloud.origin[2]);
        gl.uniform4fv(which.at.turn, pose.subarray(3, 7));
        if (which === this.glass) this.drawFacets(wall, which, ink);
        else this.drawLines(wall, which, ink, ratio);
      });
    }
    gl.depthMask(true);
    gl.bindVertexArray(null);
  }

  drawFacets(wall, which, ink) {
    const gl = this.gl;
    if (!wall.facetCount) return;
    gl.uniform4f(which.at.tint, ...ink, wall.isPlane ? 0.1 : 0.17);
    gl.bindVertexArray(wall.facets);
    gl.drawElements(gl.TRIANGLES, wall.facetCount, gl.UNSIGNED_INT, 0);
  }

  drawLines(wall, which, ink, ratio) {
    const gl = this.gl, isSegment = wall.corners === 2;
    gl.uniform4f(which.at.tint, ...ink, isSegment ? 0.9 : wall.isPlane ? 0.2 : 0.6);
    gl.uniform1f(which.at.width, (isSegment ? 2.5 : 1.3) * ratio);
    gl.uniform2f(which.at.pixels, this.canvas.width / 2, this.canvas.height / 2);
    gl.uniform1f(which.at.mean, 1);
    gl.bindVertexArray(wall.lines);
    gl.vertexAttrib1f(2, 1);
    if (wall.lineCount) gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, wall.lineCount);
  }

  // drawn over everything, so that the inside of a pile is visible
  drawChains(over, view, projection, isDark, ratio) {
    const gl = this.gl, at = this.lines.at;
    this.begin(this.lines, view, projection);
    gl.disable(gl.DEPTH_TEST);
    gl.enable(gl.BLEND);
    gl.uniform3f(at.shift, 0, 0, 0);
    gl.uniform4f(at.turn, 1, 0, 0, 0);
    gl.uniform2f(at.pixels, this.canvas.width / 2, this.canvas.height / 2);
    // the mean force is a sixth of a radius wide, if that is visible
    const radius = this.usualRadius / this.camera.pixel(this.canvas.height);
    gl.uniform1f(at.width, Math.max(0.35 * ratio, Math.min(1.6 * ratio, radius / 6)));
    gl.uniform1f(at.mean, over.mean);
    gl.uniform4f(at.tint, ...(isDark ? [1, 0.62, 0.3] : [0.72, 0.16, 0.08]), 0.9);
    gl.bindVertexArray(this.chains.array);
    gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, over.chainCount);
    gl.bindVertexArray(null);
  }

  drawPieces(over, cloud, view, projection) {
    const gl = this.gl, flat = cloud.dimensions === 2, at = this.boxes.at;
    this.begin(this.boxes, view, projection);
    gl.enable(gl.BLEND);
    gl.depthMask(false);
    gl.uniform1i(at.flat2, flat);
    gl.uniform3fv(at.low, over.lower);
    gl.uniform3fv(at.high, over.upper);
    gl.uniform1f(at.most, over.most);
    gl.uniform3fv(at["tints[0]"], TINTS.flat());
    gl.bindVertexArray(this.pieces.array);
    if (flat) {
      gl.uniform1i(at.faces, 1);
      gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, over.pieceCount);
    }
    gl.uniform1i(at.faces, 0);
    // surrogates are inside what they represent, and pairs inside their bodies
    const isInside = over.kinds[5] > 0 || over.kinds[6] > 0;
    if (isInside) gl.disable(gl.DEPTH_TEST);
    gl.drawArraysInstanced(gl.LINES, 0, flat ? 8 : 24, over.pieceCount);
    if (isInside) gl.enable(gl.DEPTH_TEST);
    gl.depthMask(true);
    gl.bindVertexArray(null);
  }
}
