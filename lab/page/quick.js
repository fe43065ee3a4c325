// Spheres and discs where the processor draws. A sphere is a disc that faces the eye, in the plane of the circle in which the
// cone from the eye touches the sphere. Spheres that do not overlap cover each other as these discs do, so no pixel computes a
// depth, and hidden pixels are not computed at all, since the nearest spheres are drawn first. Each has four vertices of its
// own: such renderers take 15 microseconds for each instance of an instanced draw call.

import { program } from "./program.js";

const VERTEX = `#version 300 es
precision highp float;
layout(location = 0) in vec4 place;   // and radius
layout(location = 1) in vec2 look;    // colour, and whether it is marked
uniform mat4 view, projection;
uniform highp sampler2D palette;
out vec2 corner;
flat out vec4 base;                   // and the mark
flat out vec3 light, upward;          // seen from the sphere: right, up, towards the eye
void main() {
  vec3 c = (view * vec4(place.xyz, 1.0)).xyz, toward = normalize(c);
  float d2 = dot(c, c), share = max(1.0 - place.w * place.w / d2, 1e-4);
  vec3 u = normalize(cross(toward, abs(toward.y) < 0.9 ? vec3(0, 1, 0) : vec3(1, 0, 0))), v = cross(u, toward);
  corner = vec2(gl_VertexID & 1, (gl_VertexID >> 1) & 1) * 2.0 - 1.0;
  base = vec4(texelFetch(palette, ivec2(int(look.x * 255.0 + 0.5), 0), 0).rgb, look.y);
  vec3 lamp = normalize(vec3(-0.35, 0.55, 0.8)), up = (view * vec4(0.0, 0.0, 1.0, 0.0)).xyz;
  light = vec3(dot(lamp, u), dot(lamp, v), -dot(lamp, toward));
  upward = vec3(dot(up, u), dot(up, v), -dot(up, toward));
  gl_Position = projection * vec4(c * share + place.w * sqrt(share) * (corner.x * u + corner.y * v), 1.0);
}`;

// the lighting of light_up (shaders.js), with whole powers
const FRAGMENT = `#version 300 es
precision highp float;
in vec2 corner;
flat in vec4 base;
flat in vec3 light, upward;
uniform float dim;
uniform vec3 ground;
out vec4 colour;
void main() {
  float r2 = dot(corner, corner);
  if (r2 > 1.0) discard;
  vec3 n = vec3(corner, sqrt(1.0 - r2));
  float away = 1.0 - n.z, rim = away * away * away;
  float shine = max(dot(vec3(2.0 * n.z * n.xy, 2.0 * n.z * n.z - 1.0), light), 0.0);
  float s4 = shine * shine * shine * shine, s8 = s4 * s4;
  vec3 shown = base.rgb * (0.55 + 0.17 * dot(n, upward) + 0.58 * max(dot(n, light), 0.0)) + 0.22 * s8 * s8 * s8 * s4;
  shown *= 1.0 - 0.28 * rim;
  colour = vec4(mix(mix(shown, vec3(1.0, 0.5, 0.15), base.a * (0.45 + 0.5 * rim)), ground, dim), 1.0);
}`;

const FLAT_VERTEX = `#version 300 es
precision highp float;
layout(location = 0) in vec4 place;
layout(location = 1) in vec2 look;
uniform mat4 view, projection;
uniform highp sampler2D palette;
out vec2 corner;
flat out vec4 base;
void main() {
  corner = (vec2(gl_VertexID & 1, (gl_VertexID >> 1) & 1) * 2.0 - 1.0) * 1.06;
  base = vec4(texelFetch(palette, ivec2(int(look.x * 255.0 + 0.5), 0), 0).rgb, look.y);
  gl_Position = projection * (view * vec4(place.xyz, 1.0) + vec4(corner * place.w, 0.0, 0.0));
}`;

// as SPHERE_FRAGMENT (shaders.js) in two dimensions
const FLAT_FRAGMENT = `#version 300 es
precision highp float;
in vec2 corner;
flat in vec4 base;
uniform float dim;
uniform vec3 ground;
out vec4 colour;
void main() {
  float r = length(corner), edge = fwidth(r) + 1e-5;
  if (r > 1.0 + edge) discard;
  float rim = smoothstep(0.82 - edge, 0.82 + edge, r);
  vec3 shown = mix(base.rgb * (1.0 - 0.38 * rim) * (1.04 - 0.12 * r), vec3(1.0, 0.45, 0.1), base.a * rim);
  colour = vec4(mix(shown, ground, dim), 1.0 - smoothstep(1.0 - edge, 1.0 + edge, r));
}`;

const LAYERS = 1024;

export class Quick {
  constructor(gl) {
    this.gl = gl;
    this.balls = program(gl, VERTEX, FRAGMENT);
    this.discs = program(gl, FLAT_VERTEX, FLAT_FRAGMENT);
    this.buffers = [gl.createBuffer(), gl.createBuffer()];
    this.array = gl.createVertexArray();
    gl.bindVertexArray(this.array);
    for (const [index, size, type] of [[0, 4, gl.FLOAT], [1, 2, gl.UNSIGNED_BYTE]]) {
      gl.bindBuffer(gl.ARRAY_BUFFER, this.buffers[index]);
      gl.enableVertexAttribArray(index);
      gl.vertexAttribPointer(index, size, type, type !== gl.FLOAT, 0, 0);
    }
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, gl.createBuffer());
    gl.bindVertexArray(null);
    this.room = 0;
  }

  reserve(count) {
    if (count < this.room) return;
    this.room = count + (count >> 2) + 64;
    this.depth = new Float32Array(this.room);
    this.place = new Float32Array(16 * this.room);
    this.looks = new Uint8Array(8 * this.room);
    const corners = new Uint32Array(6 * this.room);
    for (let i = 0; i < this.room; i++) corners.set([4 * i, 4 * i + 1, 4 * i + 2, 4 * i + 2, 4 * i + 1, 4 * i + 3], 6 * i);
    this.gl.bindVertexArray(this.array);
    this.gl.bufferData(this.gl.ELEMENT_ARRAY_BUFFER, corners, this.gl.STATIC_DRAW);
    this.gl.bindVertexArray(null);
  }

  // Sorts the rows that are shown, the nearest first, by layers along the view. Returns their number.
  sort({ slots, place, hidden }, looks, view) {
    const [a, b, c] = [view[2], view[6], view[10]], ends = new Uint32Array(LAYERS + 1), { depth } = this;
    let low = Infinity, high = -Infinity;
    for (let i = 0; i < slots; i++) {
      const away = -(a * place[4 * i] + b * place[4 * i + 1] + c * place[4 * i + 2]);
      depth[i] = away;
      if (away < low) low = away;
      if (away > high) high = away;
    }
    const scale = high > low ? (LAYERS - 1) / (high - low) : 0;
    for (let i = 0; i < slots; i++) {
      // a depth that is rounded may be below the lowest
      depth[i] = place[4 * i + 3] > 0 && !(hidden && hidden[i]) ? Math.max(0, Math.floor((depth[i] - low) * scale)) : -1;
      if (depth[i] >= 0) ends[depth[i] + 1]++;
    }
    for (let k = 0; k < LAYERS; k++) ends[k + 1] += ends[k];
    for (let i = 0; i < slots; i++) {
      if (depth[i] < 0) continue;
      const to = ends[depth[i]]++;
      for (let k = 0; k < 16; k++) this.place[16 * to + k] = place[4 * i + (k & 3)];
      for (let k = 0; k < 8; k++) this.looks[8 * to + k] = looks[2 * i + (k & 1)];
    }
    return ends[LAYERS];
  }

  // `begin` chooses a program and sets its matrices and uniforms. Returns what is drawn.
  draw(cloud, looks, view, begin) {
    const gl = this.gl;
    this.reserve(cloud.slots);
    const count = this.sort(cloud, looks, view), flat = cloud.dimensions === 2;
    this.uploaded = 72 * count;
    [this.place.subarray(0, 16 * count), this.looks.subarray(0, 8 * count)].forEach((rows, k) => {
      gl.bindBuffer(gl.ARRAY_BUFFER, this.buffers[k]);
      gl.bufferData(gl.ARRAY_BUFFER, rows, gl.STREAM_DRAW);
    });
    begin(flat ? this.discs : this.balls);
    gl.bindVertexArray(this.array);
    gl.drawElements(gl.TRIANGLES, 6 * count, gl.UNSIGNED_INT, 0);
    gl.bindVertexArray(null);
    return { spheres: count, triangles: 0, pebbles: 0 };
  }
}
