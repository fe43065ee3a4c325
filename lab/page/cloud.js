// The state of the bodies: rows by slot; and the poses of walls.
export class Cloud {
  constructor() {
    this.slots = 0;
    this.room = 0;
    this.bodies = 0;
    this.poses = new Float32Array(0);
    this.origin = [0, 0, 0];
    this.epoch = -1;
    this.time = 0;
    this.hidden = null; // 1 for each body that is not shown; null: all are
    this.reserve(64);
  }

  // smallest and largest radius; 0, 0 without bodies
  range() {
    let low = Infinity, high = 0;
    for (let i = 0; i < this.slots; i++) {
      const r = this.place[4 * i + 3];
      if (r > 0 && r < low) low = r;
      if (r > high) high = r;
    }
    return high > 0 ? [low, high] : [0, 0];
  }

  isShown(slot) { return this.place[4 * slot + 3] > 0 && !(this.hidden && this.hidden[slot]); }

  reserve(slots) {
    if (slots <= this.room) return;
    const room = slots + (slots >> 2) + 64;
    const grow = (array, Type, width) => {
      const grown = new Type(room * width);
      if (array) grown.set(array);
      return grown;
    };
    this.place = grow(this.place, Float32Array, 4); // x y z relative to origin, and radius
    this.turn = grow(this.turn, Int16Array, 4); // w x y z, 32767 for 1
    this.number = grow(this.number, Uint32Array, 1);
    this.shape = grow(this.shape, Uint16Array, 1); // index of its shape; 0: a ball
    this.colour = grow(this.colour, Uint8Array, 1);
    this.room = room;
  }
}
