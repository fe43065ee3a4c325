// Palettes of 256 colours each, and the colour index of each body.

// From dark to bright in even steps of lightness, distinguishable with colour blindness: knots similar to Viridis.
const EVEN = [[46, 58, 116], [39, 99, 142], [30, 138, 142], [56, 176, 126], [134, 206, 88], [225, 218, 70], [252, 236, 170]];
const WARM = [[40, 54, 92], [86, 72, 130], [148, 76, 128], [208, 88, 100], [240, 130, 74], [250, 186, 92], [252, 240, 190]];
const CALM = [[214, 192, 146], [242, 190, 120], [232, 142, 88], [150, 170, 140], [72, 176, 168], [50, 132, 150], [38, 84, 112]];

function between(knots) {
  const rows = new Uint8Array(256 * 4);
  for (let i = 0; i < 256; i++) {
    const x = i / 255 * (knots.length - 1), k = Math.min(Math.floor(x), knots.length - 2), t = x - k;
    for (let c = 0; c < 3; c++) rows[4 * i + c] = Math.round(knots[k][c] * (1 - t) + knots[k + 1][c] * t);
    rows[4 * i + 3] = 255;
  }
  return rows;
}

const CHOICES = [[244, 166, 90], [88, 196, 182], [232, 228, 216], [120, 150, 200], [214, 118, 110], [160, 190, 110], [200, 170, 220], [90, 130, 140]];

function choices() {
  const rows = new Uint8Array(256 * 4);
  for (let i = 0; i < 256; i++) rows.set([...CHOICES[i >> 5], 255], 4 * i);
  return rows;
}

export const PALETTES = { speed: between(EVEN), force: between(WARM), contacts: between(EVEN), work: between(WARM), size: between(CALM), id: choices() };
export const NAMES = { speed: "speed, m/s", force: "force, N", contacts: "contacts", work: "candidates", size: "radius, m", id: "number" };

// Colour bytes for all slots: `marks` has a bit for each that is selected.
export function paint(cloud, by, marks, looks) {
  const n = cloud.slots;
  if (by === "id") {
    for (let i = 0; i < n; i++) looks[2 * i] = (Math.imul(cloud.number[i], 2654435761) >>> 24);
  } else if (by === "size") {
    const [low, high] = cloud.range();
    const span = Math.log(high / low) || 1;
    for (let i = 0; i < n; i++) {
      const r = cloud.place[4 * i + 3];
      looks[2 * i] = r > 0 ? Math.max(0, Math.min(255, Math.round(high > low ? 255 * Math.log(r / low) / span : 90))) : 0;
    }
    cloud.sizes = [low, high];
  } else {
    for (let i = 0; i < n; i++) looks[2 * i] = cloud.colour[i];
  }
  for (let i = 0; i < n; i++) looks[2 * i + 1] = marks && marks[i] ? 255 : 0;
}
