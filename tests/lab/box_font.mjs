// A font whose every character is the same box, so that pictures of the page do not depend on the fonts of the machine: a
// TrueType file with the tables that browsers ask for. Coordinates are in thousandths of the size of the text.

const WIDTH = 560, LEFT = 60, RIGHT = 500, BOTTOM = 0, TOP = 620, ASCENT = 900, DESCENT = -250;

const short = (...values) => { const bytes = Buffer.alloc(2 * values.length); values.forEach((value, k) => bytes.writeInt16BE(value << 16 >> 16, 2 * k)); return bytes; };
const long = (...values) => { const bytes = Buffer.alloc(4 * values.length); values.forEach((value, k) => bytes.writeUInt32BE(value >>> 0, 4 * k)); return bytes; };
const join = (...parts) => Buffer.concat(parts);

// one outline of four points with coordinates in steps of 16 bits
const glyph = join(short(1, LEFT, BOTTOM, RIGHT, TOP), short(3, 0), Buffer.from([1, 1, 1, 1]),
  short(LEFT, 0, RIGHT - LEFT, 0), short(BOTTOM, TOP - BOTTOM, 0, BOTTOM - TOP));

// format 13: one glyph for all code points of a range
const characters = () => join(short(0, 1, 3, 10), long(12), short(13, 0), long(28, 0, 1, 32, 0x10ffff, 1));

function names() {
  const wide = Buffer.from("Boxes", "utf16le").swap16(), ids = [1, 2, 4, 6];
  return join(short(0, ids.length, 6 + 12 * ids.length), ...ids.map((id) => short(3, 1, 0x409, id, wide.length, 0)), wide);
}

const TABLES = {
  "OS/2": join(short(3, WIDTH, 400, 5, 0, 650, 600, 0, 75, 650, 600, 0, 350, 50, 250, 0), Buffer.alloc(10), long(1, 0, 0, 0), Buffer.from("scre"),
    short(0x40, 32, 0xffff, ASCENT, DESCENT, 0, ASCENT, -DESCENT), long(1, 0), short(480, TOP, 0, 32, 1)),
  cmap: characters(),
  glyf: glyph.length % 2 ? join(glyph, Buffer.alloc(1)) : glyph,
  head: join(long(0x10000, 0x10000, 0, 0x5f0f3cf5), short(0, 1000), Buffer.alloc(16), short(LEFT, BOTTOM, RIGHT, TOP, 0, 8, 2, 1, 0)),
  hhea: join(long(0x10000), short(ASCENT, DESCENT, 0, WIDTH, LEFT, WIDTH - RIGHT, RIGHT, 1, 0, 0, 0, 0, 0, 0, 0, 2)),
  hmtx: short(WIDTH, 0, WIDTH, LEFT),
  loca: long(0, 0, glyph.length),
  maxp: join(long(0x10000), short(2, 4, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0)),
  name: names(),
  post: join(long(0x30000, 0), short(-100, 50), long(1, 0, 0, 0, 0)),
};

function checksum(bytes) {
  let sum = 0;
  const whole = join(bytes, Buffer.alloc((4 - bytes.length % 4) % 4));
  for (let at = 0; at < whole.length; at += 4) sum = (sum + whole.readUInt32BE(at)) >>> 0;
  return sum;
}

export function boxFont() {
  const list = Object.entries(TABLES), padded = (bytes) => join(bytes, Buffer.alloc((4 - bytes.length % 4) % 4));
  let at = 12 + 16 * list.length;
  const rows = list.map(([tag, bytes]) => {
    const row = join(Buffer.from(tag), long(checksum(bytes), at, bytes.length));
    at += padded(bytes).length;
    return row;
  });
  return join(long(0x10000), short(list.length, 128, 3, 16 * list.length - 128), ...rows, ...list.map(([, bytes]) => padded(bytes)));
}
