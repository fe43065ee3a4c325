// Lighting of surfaces: from above the left shoulder and from the sky, with a highlight; `mark` is set for selected
// bodies.
const LIGHT = `
vec3 light_up(vec3 base, vec3 n, vec3 ray, vec3 upward, float mark) {
  vec3 light = normalize(vec3(-0.35, 0.55, 0.8));
  float lit = max(dot(n, light), 0.0), sky = 0.5 + 0.5 * dot(n, upward);
  float rim = pow(1.0 - max(dot(n, -ray), 0.0), 3.0);
  vec3 shown = base * (0.38 + 0.34 * sky + 0.58 * lit);
  shown += vec3(0.22) * pow(max(dot(reflect(ray, n), light), 0.0), 28.0);
  shown *= 1.0 - 0.28 * rim;
  return mix(shown, vec3(1.0, 0.5, 0.15), mark * (0.45 + 0.5 * rim));
}`;

// For a body whose orientation is unknown: the initial one.
const TURN = `
vec4 unit(vec4 q) { return normalize(q + vec4(1e-6, 0.0, 0.0, 0.0)); }
vec3 turn_by(vec4 q, vec3 v) { return v + 2.0 * cross(q.yzw, cross(q.yzw, v) + q.x * v); }`;

// Spheres are squares that face the eye; the hit point of the ray through each pixel is computed exactly, including its
// depth. Pebbles of clumps are spheres too: each row is then a body, which is drawn once per pebble. In two dimensions
// these have two layers, the full discs in the outline colour, then slightly smaller ones in their own colour, so that
// overlapping discs look like one body.

export const SPHERE_VERTEX = `#version 300 es
precision highp float;
layout(location = 0) in vec4 place;   // and radius
layout(location = 1) in vec2 look;    // colour, and whether it is marked
layout(location = 2) in vec4 turn;
uniform mat4 view, projection;
uniform bool flat2;
uniform int pebbleCount;              // 0: spheres
uniform highp sampler2D pebbles;      // centre and radius
out vec2 corner;
out vec3 at;
flat out vec3 centre;
flat out float radius, mark, outline;
flat out vec4 body;
flat out float value;
${TURN}
void main() {
  vec2 side = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0;
  vec4 ball = place;
  if (pebbleCount > 0) {
    vec4 pebble = texelFetch(pebbles, ivec2(gl_InstanceID % pebbleCount, 0), 0);
    ball = vec4(place.xyz + turn_by(unit(turn), pebble.xyz), pebble.w);
  }
  vec4 c = view * vec4(ball.xyz, 1.0);
  centre = c.xyz; radius = ball.w; value = look.x; mark = look.y; body = turn;
  outline = min(0.3, 0.09 * place.w / ball.w);
  if (!(radius > 0.0)) { gl_Position = vec4(2.0, 2.0, 2.0, 1.0); return; }
  if (flat2) {
    corner = side * 1.06;
    at = c.xyz + vec3(corner * radius, 0.0);
    gl_Position = projection * vec4(at, 1.0);
    return;
  }
  // the square is as large as the cone from the eye that holds the sphere
  float d2 = dot(c.xyz, c.xyz), r2 = radius * radius;
  vec3 toward = normalize(c.xyz);
  vec3 u = normalize(cross(toward, abs(toward.y) < 0.9 ? vec3(0, 1, 0) : vec3(1, 0, 0)));
  vec3 v = cross(u, toward);
  float size = radius * sqrt(d2 / max(d2 - r2, 1e-4 * d2));
  corner = side;
  at = c.xyz + size * (side.x * u + side.y * v);
  gl_Position = projection * vec4(at, 1.0);
}`;

export const SPHERE_FRAGMENT = `#version 300 es
precision highp float;
in vec2 corner;
in vec3 at;
flat in vec3 centre;
flat in float radius, mark, value, outline;
flat in vec4 body;
uniform mat4 view, projection;
uniform bool flat2, turns;
uniform int layer;   // of pebbles: 1 outlines, 2 what is in them
uniform float dim;   // how far bodies step back behind what is laid over them
uniform vec3 ground;
uniform sampler2D palette;
out vec4 colour;
${TURN}
${LIGHT}
vec3 turn_back(vec4 q, vec3 v) { return turn_by(vec4(q.x, -q.yzw), v); }
void main() {
  vec3 base = texture(palette, vec2(value * 0.996 + 0.002, 0.5)).rgb;
  vec4 q = unit(body);
  if (flat2) {
    float r = length(corner), edge = fwidth(r) + 1e-5;
    if (r > 1.0 + edge) discard;
    if (layer > 0) {
      float end = layer == 1 ? 1.0 : 1.0 - outline;
      vec3 tint = layer == 1 ? mix(base * 0.58, vec3(1.0, 0.45, 0.1), mark) : base * 0.98;
      colour = vec4(mix(tint, ground, dim), 1.0 - smoothstep(end - edge, end + edge, r));
      return;
    }
    float rim = smoothstep(0.82 - edge, 0.82 + edge, r);
    vec3 shown = base * (1.0 - 0.38 * rim) * (1.04 - 0.12 * r);
    if (turns) {
      vec2 p = turn_back(q, vec3(corner, 0.0)).xy;
      float width = max(0.07, edge);
      float line = (1.0 - smoothstep(width, width + edge, abs(p.y))) * step(0.0, p.x);
      shown = mix(shown, shown * 0.35, line * (1.0 - rim));
    }
    shown = mix(shown, vec3(1.0, 0.45, 0.1), mark * rim);
    colour = vec4(mix(shown, ground, dim), 1.0 - smoothstep(1.0 - edge, 1.0 + edge, r));
    return;
  }
  vec3 ray = normalize(at);
  float b = dot(ray, centre), h = b * b - dot(centre, centre) + radius * radius;
  if (h < 0.0) discard;
  vec3 hit = ray * (b - sqrt(h)), n = (hit - centre) / radius;
  vec4 clip = projection * vec4(hit, 1.0);
  gl_FragDepth = 0.5 + 0.5 * clip.z / clip.w;
  vec3 upward = (view * vec4(0.0, 0.0, 1.0, 0.0)).xyz;
  if (turns) {
    vec3 m = turn_back(q, (transpose(mat3(view)) * n));
    float sign2 = m.x * m.y * m.z;
    base *= sign2 > 0.0 ? 1.0 : 0.62;
  }
  vec3 shown = light_up(base, n, ray, upward, mark);
  colour = vec4(mix(shown, ground, dim), 1.0);
}`;

// Meshes and blocks, lit as spheres are. Edges where facets fold are drawn slightly darker, about a pixel wide, unless
// facets are hardly larger than that.
export const MESH_VERTEX = `#version 300 es
layout(location = 0) in vec4 place;
layout(location = 1) in vec2 look;
layout(location = 2) in vec4 turn;
layout(location = 3) in vec3 vertex;
layout(location = 4) in vec4 normal;
layout(location = 5) in vec4 fold;    // 0 on each of three edges, if it is one to be seen
uniform mat4 view, projection;
out vec3 at, facing, away;
flat out float value, mark;
${TURN}
void main() {
  vec4 q = unit(turn), seen = view * vec4(place.xyz + turn_by(q, vertex), 1.0);
  at = seen.xyz;
  facing = mat3(view) * turn_by(q, normal.xyz);
  away = fold.xyz; value = look.x; mark = look.y;
  gl_Position = projection * seen;
}`;

export const MESH_FRAGMENT = `#version 300 es
precision highp float;
in vec3 at, facing, away;
flat in float value, mark;
uniform mat4 view;
uniform float dim;
uniform vec3 ground;
uniform sampler2D palette;
out vec4 colour;
${LIGHT}
void main() {
  vec3 base = texture(palette, vec2(value * 0.996 + 0.002, 0.5)).rgb;
  vec3 upward = (view * vec4(0.0, 0.0, 1.0, 0.0)).xyz;
  vec3 shown = light_up(base, normalize(facing), normalize(at), upward, mark);
  vec3 pixel = max(fwidth(away), vec3(1e-6));
  vec3 lines = (1.0 - smoothstep(vec3(0.5), vec3(1.5), away / pixel)) * (1.0 - smoothstep(vec3(0.08), vec3(0.3), pixel));
  float line = max(lines.x, max(lines.y, lines.z));
  shown = mix(shown * (1.0 - 0.4 * line), vec3(1.0, 0.5, 0.15), mark * max(0.35, line));
  colour = vec4(mix(shown, ground, dim), 1.0);
}`;

// Facets of walls are glass: more transparent from the front than at grazing angles.
export const WALL_VERTEX = `#version 300 es
layout(location = 0) in vec3 place;
uniform mat4 view, projection;
uniform vec4 turn;
uniform vec3 shift;
out vec3 at;
void main() {
  vec3 world = place + 2.0 * cross(turn.yzw, cross(turn.yzw, place) + turn.x * place) + shift;
  vec4 seen = view * vec4(world, 1.0);
  at = seen.xyz;
  gl_Position = projection * seen;
}`;

export const WALL_FRAGMENT = `#version 300 es
precision highp float;
in vec3 at;
uniform vec4 tint;
out vec4 colour;
void main() {
  vec3 n = normalize(cross(dFdx(at), dFdy(at)));
  float along = 1.0 - abs(dot(n, normalize(at)));
  colour = vec4(tint.rgb * (0.75 + 0.25 * abs(n.y)), tint.a * (0.45 + 1.3 * along * along));
}`;

// Lines with a width in pixels: edges where walls end or fold, in two dimensions the walls themselves, and forces,
// whose width is their magnitude. For walls the weight is 1.
export const LINE_VERTEX = `#version 300 es
layout(location = 0) in vec3 from;
layout(location = 1) in vec3 to;
layout(location = 2) in float force;
uniform mat4 view, projection;
uniform vec4 turn;
uniform vec3 shift;
uniform vec2 pixels;
uniform float width, mean;
out float weight;
vec3 place(vec3 p) { return p + 2.0 * cross(turn.yzw, cross(turn.yzw, p) + turn.x * p) + shift; }
void main() {
  weight = min(force / mean, 6.0);
  vec4 a = projection * (view * vec4(place(from), 1.0)), b = projection * (view * vec4(place(to), 1.0));
  // an end behind the eye is drawn in front of it
  if (a.w < 1e-4 && b.w < 1e-4) { gl_Position = vec4(2.0, 2.0, 2.0, 1.0); return; }
  if (a.w < 1e-4) a = mix(b, a, (b.w - 1e-4) / (b.w - a.w));
  if (b.w < 1e-4) b = mix(a, b, (a.w - 1e-4) / (a.w - b.w));
  vec2 way = (b.xy / b.w - a.xy / a.w) * pixels;
  way = length(way) > 0.0 ? normalize(way) : vec2(1.0, 0.0);
  vec4 end = (gl_VertexID & 1) == 0 ? a : b;
  float side = float(gl_VertexID >> 1) * 2.0 - 1.0;
  float out1 = (gl_VertexID & 1) == 0 ? -0.5 : 0.5;
  vec2 offset = (0.5 * vec2(-way.y, way.x) * side + way * out1) * max(width * weight, 0.7) / pixels;
  gl_Position = vec4(end.xy + offset * end.w, end.z, end.w);
}`;

export const LINE_FRAGMENT = `#version 300 es
precision highp float;
in float weight;
uniform vec4 tint;
out vec4 colour;
void main() { colour = vec4(tint.rgb, tint.a * clamp(0.15 + 0.85 * weight, 0.0, 1.0)); }`;

// Parts of a structure: edges of boxes as lines, or in two dimensions their faces. Vertex k of edge e is a corner whose
// bits select the end of each axis.
export const PIECE_VERTEX = `#version 300 es
layout(location = 0) in vec3 lower;
layout(location = 1) in vec3 upper;
layout(location = 2) in uvec2 head;   // kind, axis, level; count or place
uniform mat4 view, projection;
uniform bool flat2, faces;
uniform vec3 low, high;               // around all pieces
uniform float most;                   // ranges on an axis
uniform vec3 tints[8];
out vec4 tint;
const int corners[24] = int[24](0, 1, 1, 3, 3, 2, 2, 0, 4, 5, 5, 7, 7, 6, 6, 4, 0, 4, 1, 5, 2, 6, 3, 7);
void main() {
  uint kind = head.x & 255u, axis = (head.x >> 8u) & 255u, level = head.x >> 16u;
  int corner = faces ? gl_VertexID : corners[gl_VertexID];
  vec3 end = vec3(corner & 1, (corner >> 1) & 1, corner >> 2);
  vec3 place = mix(lower, upper, end);
  float alpha = faces ? min(0.05 + 0.035 * float(head.y), 0.4) : 0.85;
  vec3 shade = tints[level & 7u];
  if (kind == 1u && faces) alpha = 0.05;
  if (kind == 2u || kind == 3u) { shade = tints[kind == 2u ? 1 : 0]; alpha = faces ? (kind == 2u ? 0.1 : 0.22) : 0.7; }
  if (kind == 6u) { shade = tints[level == 1u ? 0 : 7]; alpha = level == 1u ? 0.95 : 0.55; }
  if (kind == 5u || kind == 6u) {
    // an edge of a surrogate, or a candidate pair
    place = gl_VertexID == 0 ? lower : upper;
    if (faces || gl_VertexID > 1) { gl_Position = vec4(2.0, 2.0, 2.0, 1.0); return; }
  }
  if (kind == 4u) {
    // a diagram of the sorted axis beside the scene
    int across = axis == 0u ? (flat2 ? 1 : 2) : 0;
    float size = max(high.x - low.x, high.y - low.y);
    place = low;
    place[int(axis)] = (gl_VertexID == 0 ? lower : upper)[int(axis)];
    place[across] = low[across] - size * (0.03 + 0.22 * float(head.y) / most);
    shade = tints[axis + 1u];
    if (faces || gl_VertexID > 1) { gl_Position = vec4(2.0, 2.0, 2.0, 1.0); return; }
  }
  tint = vec4(shade, alpha);
  gl_Position = projection * (view * vec4(place, 1.0));
}`;

export const PIECE_FRAGMENT = `#version 300 es
precision highp float;
in vec4 tint;
out vec4 colour;
void main() { colour = tint; }`;
