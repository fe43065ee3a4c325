// Spheres are squares that face the eye; what a ray through each pixel hits is worked out exactly, depth included.

export const SPHERE_VERTEX = `#version 300 es
layout(location = 0) in vec4 place;   // and radius
layout(location = 1) in vec2 look;    // colour, and whether it is marked
layout(location = 2) in vec4 turn;
uniform mat4 view, projection;
uniform bool flat2;
out vec2 corner;
out vec3 at;
flat out vec3 centre;
flat out float radius, mark;
flat out vec4 body;
flat out float value;
void main() {
  vec2 side = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0;
  vec4 c = view * vec4(place.xyz, 1.0);
  centre = c.xyz; radius = place.w; value = look.x; mark = look.y; body = turn;
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
flat in float radius, mark, value;
flat in vec4 body;
uniform mat4 view, projection;
uniform bool flat2, turns;
uniform sampler2D palette;
out vec4 colour;
vec3 turn_back(vec4 q, vec3 v) { return v + 2.0 * cross(-q.yzw, cross(-q.yzw, v) + q.x * v); }
void main() {
  vec3 base = texture(palette, vec2(value * 0.996 + 0.002, 0.5)).rgb;
  vec4 q = normalize(body + vec4(1e-6, 0.0, 0.0, 0.0));
  if (flat2) {
    float r = length(corner), edge = fwidth(r) + 1e-5;
    if (r > 1.0 + edge) discard;
    float rim = smoothstep(0.82 - edge, 0.82 + edge, r);
    vec3 shown = base * (1.0 - 0.38 * rim) * (1.04 - 0.12 * r);
    if (turns) {
      vec2 p = turn_back(q, vec3(corner, 0.0)).xy;
      float width = max(0.07, edge);
      float line = (1.0 - smoothstep(width, width + edge, abs(p.y))) * step(0.0, p.x);
      shown = mix(shown, shown * 0.35, line * (1.0 - rim));
    }
    shown = mix(shown, vec3(1.0, 0.45, 0.1), mark * rim);
    colour = vec4(shown, 1.0 - smoothstep(1.0 - edge, 1.0 + edge, r));
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
  vec3 light = normalize(vec3(-0.35, 0.55, 0.8));
  float lit = max(dot(n, light), 0.0), sky = 0.5 + 0.5 * dot(n, upward);
  float rim = pow(1.0 - max(dot(n, -ray), 0.0), 3.0);
  vec3 shown = base * (0.38 + 0.34 * sky + 0.58 * lit);
  shown += vec3(0.22) * pow(max(dot(reflect(ray, n), light), 0.0), 28.0);
  shown *= 1.0 - 0.28 * rim;
  shown = mix(shown, vec3(1.0, 0.5, 0.15), mark * (0.45 + 0.5 * rim));
  colour = vec4(shown, 1.0);
}`;

// Facets of walls are glass: clearer from the front than along.
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

// Lines of a width in pixels: edges where walls end or fold, and in two dimensions the walls themselves.
export const LINE_VERTEX = `#version 300 es
layout(location = 0) in vec3 from;
layout(location = 1) in vec3 to;
uniform mat4 view, projection;
uniform vec4 turn;
uniform vec3 shift;
uniform vec2 pixels;
uniform float width;
vec3 place(vec3 p) { return p + 2.0 * cross(turn.yzw, cross(turn.yzw, p) + turn.x * p) + shift; }
void main() {
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
  vec2 offset = (0.5 * vec2(-way.y, way.x) * side + way * out1) * width / pixels;
  gl_Position = vec4(end.xy + offset * end.w, end.z, end.w);
}`;

export const LINE_FRAGMENT = `#version 300 es
precision highp float;
uniform vec4 tint;
out vec4 colour;
void main() { colour = tint; }`;
