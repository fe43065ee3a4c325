// Overlays: forces as lines, parts of the detection method's data structure, and candidate pairs.

export const STRUCTURE = 1, CHAINS = 2, SURROGATES = 4, PAIRS = 8, ALL_LEVELS = 0xffff;
export const KINDS = ["cells", "boxes", "stripes", "borders", "ranges", "edges of surrogates", "candidate pairs"];
const HEAD = 32, CHAIN = 28, PIECE = 32;

// Rows are kept as received: the graphics card reads them in place.
export class Overlay {
  constructor(buffer) {
    const whole = (at) => new DataView(buffer).getUint32(at, true), real = (at) => new DataView(buffer).getFloat32(at, true);
    this.shows = whole(0) >>> 8;
    this.epoch = whole(4);
    this.chainCount = whole(8);
    this.pieceCount = whole(12);
    this.levels = whole(16);
    this.leftOut = whole(20);
    this.mean = real(24) || 1;
    this.chains = new Float32Array(buffer, HEAD, this.chainCount * CHAIN / 4);
    this.pieces = new Uint32Array(buffer, HEAD + CHAIN * this.chainCount, this.pieceCount * PIECE / 4);
    this.places = new Float32Array(buffer, HEAD + CHAIN * this.chainCount, this.pieceCount * PIECE / 4);
    this.measure();
  }

  // number of each kind, and the bounding box of all: diagrams of sorted axes are next to it
  measure() {
    this.kinds = KINDS.map(() => 0);
    this.lower = [Infinity, Infinity, Infinity];
    this.upper = [-Infinity, -Infinity, -Infinity];
    this.most = 1;
    this.touching = 0; // candidate pairs that touch
    for (let i = 0; i < this.pieceCount; i++) {
      const at = 8 * i, kind = this.pieces[at] & 0xff;
      this.kinds[kind]++;
      if (kind === 6) this.touching += this.pieces[at] >>> 16;
      if (kind === 4) this.most = Math.max(this.most, this.pieces[at + 1] + 1);
      for (let k = 0; k < 3; k++) {
        const from = this.places[at + 2 + k], to = this.places[at + 5 + k];
        this.lower[k] = Math.min(this.lower[k], from, to);
        this.upper[k] = Math.max(this.upper[k], from, to);
      }
    }
  }

  words() {
    const told = this.kinds.map((count, k) => (count ? count.toLocaleString("en") + " " + KINDS[k] : "")).filter(Boolean);
    if (this.touching) told[told.length - 1] += ", " + this.touching.toLocaleString("en") + " of which touch";
    if (this.levels > 1) told.push(this.levels + " levels");
    if (this.leftOut) told.push(this.leftOut.toLocaleString("en") + " more are not shown");
    if (!told.length && this.shows === SURROGATES) return "Surrogates are not used in this scene; set solver { mesh_engine = \"surrogate\" }.";
    return told.join(", ") || "Nothing to show: this method has no data structure, or no step has been taken yet.";
  }
}

// Colours of levels, for light and dark backgrounds.
export const TINTS = [[0.84, 0.33, 0.24], [0.13, 0.52, 0.72], [0.27, 0.6, 0.3], [0.6, 0.4, 0.75], [0.82, 0.58, 0.12], [0.1, 0.58, 0.56], [0.75, 0.35, 0.55], [0.45, 0.5, 0.55]];

// A diagram of a sorted axis: bodies in order, upward from below, away from the scene. In world coordinates: from, to.
export function rangeLine(overlay, i, dimensions) {
  const at = 8 * i, p = overlay.places, axis = overlay.pieces[at] >>> 8 & 0xff, lower = overlay.lower, upper = overlay.upper;
  const size = Math.max(upper[0] - lower[0], upper[1] - lower[1]), across = axis === 0 ? (dimensions === 3 ? 2 : 1) : 0;
  const away = lower[across] - size * (0.03 + 0.22 * overlay.pieces[at + 1] / overlay.most);
  const from = [0, 1, 2].map((k) => (k === axis ? p[at + 2 + k] : k === across ? away : lower[k]));
  return [from, from.map((x, k) => (k === axis ? p[at + 5 + k] : x))];
}
