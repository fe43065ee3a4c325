// Shapes of bodies that are not spheres, as received with a scene, prepared for rendering.

const TRIANGLES = 1, PEBBLES = 2, COARSE = 0x100;
const SMOOTH = 0.75; // facets fold if the cosine between their normals is below this

// { epoch, shapes, leftOut }: shapes are of triangles { vertices, facets, isCoarse }, of pebbles { pebbles, isCoarse },
// or null for balls. Index 1 is the first.
export function readShapes(buffer) {
  const view = new DataView(buffer), shapes = [];
  let at = 16;
  for (let i = view.getUint32(8, true); i > 0; i--) {
    const head = view.getUint32(at, true), kind = head & 0xff, isCoarse = (head & COARSE) !== 0;
    const first = view.getUint32(at + 4, true), second = view.getUint32(at + 8, true);
    at += 12;
    if (kind === TRIANGLES) {
      shapes.push({ isCoarse, vertices: new Float32Array(buffer, at, 3 * first), facets: new Uint32Array(buffer, at + 12 * first, 3 * second) });
      at += 12 * (first + second);
    } else if (kind === PEBBLES) {
      shapes.push({ isCoarse, pebbles: new Float32Array(buffer, at, 4 * first) });
      at += 16 * first;
    } else {
      shapes.push(null);
    }
  }
  return { epoch: view.getUint32(4, true), shapes, leftOut: view.getUint32(12, true) };
}

// A message about simplified shapes, or "".
export function missing({ shapes, leftOut }) {
  const balls = shapes.filter((shape) => !shape).length, coarse = shapes.filter((shape) => shape && shape.isCoarse).length;
  const words = [];
  if (coarse) words.push((coarse === shapes.length ? "bodies are" : coarse + " of " + shapes.length + " shapes are") + " shown with less detail");
  if (balls) words.push(balls + " of " + shapes.length + " shapes are shown as balls: they have too many triangles");
  if (leftOut) words.push(leftOut + " bodies are shown as balls: there are too many shapes");
  return words.length ? "What is computed is exact, but " + words.join("; ") + "." : "";
}

// Unit normals of facets.
export function normals({ vertices, facets }) {
  const rows = new Float32Array(facets.length);
  for (let f = 0; f < facets.length; f += 3) {
    const a = 3 * facets[f], b = 3 * facets[f + 1], c = 3 * facets[f + 2];
    const ux = vertices[b] - vertices[a], uy = vertices[b + 1] - vertices[a + 1], uz = vertices[b + 2] - vertices[a + 2];
    const vx = vertices[c] - vertices[a], vy = vertices[c + 1] - vertices[a + 1], vz = vertices[c + 2] - vertices[a + 2];
    const x = uy * vz - uz * vy, y = uz * vx - ux * vz, z = ux * vy - uy * vx, size = Math.hypot(x, y, z) || 1;
    rows[f] = x / size; rows[f + 1] = y / size; rows[f + 2] = z / size;
  }
  return rows;
}

// corners of facets (three times facet, plus 0 to 2) by vertex: those of v are list[start[v]] to list[start[v + 1] - 1]
function cornersOf({ vertices, facets }) {
  const start = new Uint32Array(vertices.length / 3 + 2), list = new Uint32Array(facets.length);
  for (const v of facets) start[v + 2]++;
  for (let v = 2; v < start.length; v++) start[v] += start[v - 1];
  facets.forEach((v, corner) => { list[start[v + 1]++] = corner; });
  return { start, list };
}

// For each corner of each facet a position; a normal, the mean of those of adjacent facets of the same smooth surface;
// and the distance to each of the three edges, 0 to 255, if that edge is a fold, otherwise 255: values near 0 are drawn
// as a line.
export function unroll(shape) {
  const { vertices, facets } = shape, own = normals(shape), { start, list } = cornersOf(shape), count = facets.length;
  const places = new Float32Array(3 * count), turned = new Int8Array(4 * count), folds = new Uint8Array(4 * count);
  const cosine = (f, g) => own[f] * own[g] + own[f + 1] * own[g + 1] + own[f + 2] * own[g + 2];
  for (let corner = 0; corner < count; corner++) {
    const k = corner % 3, f = corner - k, v = facets[corner], next = facets[f + (k + 1) % 3], sum = [0, 0, 0];
    let folded = true;
    for (let i = start[v]; i < start[v + 1]; i++) {
      const g = list[i] - list[i] % 3, isSmooth = cosine(f, g) > SMOOTH;
      for (let axis = 0; axis < 3 && isSmooth; axis++) sum[axis] += own[g + axis];
      // the facet across the edge from this corner to the next
      if (g !== f && isSmooth && (facets[g] === next || facets[g + 1] === next || facets[g + 2] === next)) folded = false;
    }
    const size = Math.hypot(...sum) || 1;
    for (let axis = 0; axis < 3; axis++) {
      places[3 * corner + axis] = vertices[3 * v + axis];
      turned[4 * corner + axis] = Math.round(127 * sum[axis] / size);
    }
    // that edge is opposite to the corner after the next
    const across = (k + 2) % 3;
    for (let other = 0; other < 3; other++) folds[4 * (f + other) + across] = folded && other !== across ? 0 : 255;
  }
  return { places, turned, folds, count };
}
