// Surfaces of a scene, as received, prepared for rendering.

// [{ vertices, facets, corners, isPlane }]
export function readWalls(buffer) {
  const view = new DataView(buffer), walls = [];
  let at = 12;
  for (let i = view.getUint32(8, true); i > 0; i--) {
    const head = view.getUint32(at, true), corners = head & 0xff;
    const vertexCount = view.getUint32(at + 4, true), facetCount = view.getUint32(at + 8, true);
    walls.push({
      corners, isPlane: (head & 0x100) !== 0,
      vertices: new Float32Array(buffer, at + 12, 3 * vertexCount),
      facets: new Uint32Array(buffer, at + 12 + 12 * vertexCount, corners * facetCount),
    });
    at += 12 + 12 * vertexCount + 4 * corners * facetCount;
  }
  return walls;
}

// Edges with one facet, or with two that meet at an angle: from and to, six numbers each.
function foldedEdges(vertices, facets) {
  const normal = (f) => {
    const p = (k) => vertices.subarray(3 * facets[3 * f + k], 3 * facets[3 * f + k] + 3);
    const [a, b, c] = [p(0), p(1), p(2)];
    const u = [b[0] - a[0], b[1] - a[1], b[2] - a[2]], v = [c[0] - a[0], c[1] - a[1], c[2] - a[2]];
    const n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    const l = Math.hypot(...n) || 1;
    return n.map((x) => x / l);
  };
  const seen = new Map(), lines = [];
  const add = (a, b) => lines.push(...vertices.subarray(3 * a, 3 * a + 3), ...vertices.subarray(3 * b, 3 * b + 3));
  for (let f = 0; f < facets.length / 3; f++)
    for (let k = 0; k < 3; k++) {
      const a = facets[3 * f + k], b = facets[3 * f + (k + 1) % 3], key = Math.min(a, b) * 16777216 + Math.max(a, b);
      if (!seen.has(key)) { seen.set(key, [a, b, f]); continue; }
      const other = seen.get(key);
      seen.set(key, null);
      if (!other) continue;
      const m = normal(f), n = normal(other[2]);
      if (Math.abs(m[0] * n[0] + m[1] * n[1] + m[2] * n[2]) < 0.9) add(a, b);
    }
  for (const left of seen.values()) if (left) add(left[0], left[1]);
  return new Float32Array(lines);
}

// Lines of a wall: its segments, or the edges of its triangles.
export function edges({ vertices, facets, corners }) {
  if (corners === 3) return foldedEdges(vertices, facets);
  const lines = new Float32Array(3 * facets.length);
  facets.forEach((v, k) => lines.set(vertices.subarray(3 * v, 3 * v + 3), 3 * k));
  return lines;
}
