// Which bodies are shown: a slice hides those on the eye's side of a plane, and a range of sizes those within it. Hidden bodies stay
// in the world; they are neither drawn nor picked.

const ALL_AXES = ["x", "y", "z"];

export class Filter {
  constructor() { this.clear(); }

  clear() {
    this.axis = ""; // of the slice; "": none
    this.place = 0.5; // of the plane, as a share of the scene's box
    this.sizes = [0, 1]; // shares of the range of radii
  }

  get isOn() { return this.axis !== "" || this.sizes[0] > 0 || this.sizes[1] < 1; }

  // the coordinate of the plane
  plane({ lower, upper }) {
    const k = ALL_AXES.indexOf(this.axis);
    return lower[k] + this.place * (upper[k] - lower[k]);
  }

  // whether the bodies with larger coordinates are hidden: they are on the side of the eye
  hidesUpper(camera, stage) { return camera.dimensions === 2 || camera.eye()[ALL_AXES.indexOf(this.axis)] > this.plane(stage); }

  // the view has been turned, so that another side is to be hidden
  hasTurned(camera, stage) { return this.axis !== "" && Boolean(stage) && this.hidesUpper(camera, stage) !== this.isUpper; }

  // Sets cloud.hidden: 1 for each hidden body; null if all are shown. Bodies of the smallest and the largest size are within
  // shares of 0 and 1 in spite of rounding.
  apply(cloud, stage, camera) {
    cloud.hidden = null;
    if (!this.isOn || !stage) return;
    const k = ALL_AXES.indexOf(this.axis), most = k < 0 ? 0 : this.plane(stage) - cloud.origin[k];
    this.isUpper = k >= 0 && this.hidesUpper(camera, stage);
    const [low, high] = cloud.range(), least = low + this.sizes[0] * (high - low) * 0.999999, largest = low + this.sizes[1] * (high - low) * 1.000001;
    cloud.hidden = new Uint8Array(cloud.slots);
    for (let i = 0; i < cloud.slots; i++) {
      const r = cloud.place[4 * i + 3];
      cloud.hidden[i] = (k >= 0 && cloud.place[4 * i + k] > most === this.isUpper) || r < least || r > largest ? 1 : 0;
    }
  }
}
