// How what the colours show is distributed over the bodies that are shown: bars in these colours.

import { paint, PALETTES } from "./colours.js";

const BARS = 32; // of eight colours each
const EVERY = 150; // ms

export class Histogram {
  constructor(canvas) {
    this.canvas = canvas;
    this.looks = new Uint8Array(0);
    this.counts = new Uint32Array(BARS);
    this.then = -EVERY;
  }

  // The bars of a state; numbers of bodies have no distribution. Several times a second is enough.
  take(cloud, by, isLast) {
    const now = performance.now();
    if (!isLast && now < this.then + EVERY) return;
    this.then = now;
    this.by = by;
    this.counts.fill(0);
    if (by === "id") return;
    if (this.looks.length < 2 * cloud.slots) this.looks = new Uint8Array(2 * cloud.room);
    paint(cloud, by, null, this.looks);
    for (let i = 0; i < cloud.slots; i++) if (cloud.isShown(i)) this.counts[this.looks[2 * i] >> 3]++;
    [this.low, this.high] = by === "size" ? cloud.sizes : [cloud.lower, cloud.upper];
  }

  // where a bar begins: sizes are spread by their logarithm
  edge(k) {
    const share = Math.min(1, 8 * k / 255);
    return this.by === "size" && this.low > 0 ? this.low * (this.high / this.low) ** share : this.low + share * (this.high - this.low);
  }

  draw(ink) {
    const { canvas, counts } = this, width = canvas.clientWidth, height = canvas.clientHeight, ratio = window.devicePixelRatio || 1;
    if (!width) return;
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
    const pen = canvas.getContext("2d"), most = Math.max(...counts), wide = (width - 8) / BARS;
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    if (!most) return;
    counts.forEach((count, k) => {
      pen.fillStyle = "rgb(" + PALETTES[this.by].subarray(4 * (8 * k + 4), 4 * (8 * k + 4) + 3).join() + ")";
      const tall = count ? Math.max(1.5, (height - 22) * count / most) : 0;
      pen.fillRect(4 + k * wide, height - 4 - tall, wide - 1, tall);
    });
    pen.font = "11px system-ui, sans-serif";
    pen.fillStyle = ink;
    pen.fillText(most.toLocaleString("en") + (most === 1 ? " body" : " bodies"), 5, 12);
  }

  csv() {
    const rows = [...this.counts].map((count, k) => [this.edge(k), this.edge(k + 1), count].join(","));
    return ["from,to,bodies", ...(this.by === "id" ? [] : rows)].join("\n") + "\n";
  }
}
