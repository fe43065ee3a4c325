// Tools of the hand that need more than one body: a ball that pushes, explosions, gravity that is tilted, walls that are drawn, bonds that are cut.

const EXPLOSION_RADII = 8;
const TILT = 0.006; // radians for each pixel

const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const add = (a, b, share) => a.map((x, k) => x + share * b[k]);

// `v` rotated about the unit vector `axis`
function rotated(v, axis, angle) {
  const c = Math.cos(angle), s = Math.sin(angle), along = dot(axis, v) * (1 - c);
  const cross = [axis[1] * v[2] - axis[2] * v[1], axis[2] * v[0] - axis[0] * v[2], axis[0] * v[1] - axis[1] * v[0]];
  return v.map((x, k) => c * x + s * cross[k] + along * axis[k]);
}

export class Tools {
  constructor(lab) { this.lab = lab; }

  // the centre of the first body under a point of the view; without one a point at the depth of the camera's target
  under(ray) {
    const { hand, camera } = this.lab, slot = hand.pick(ray);
    return slot < 0 ? { at: camera.across(ray, camera.target), radius: 0 } : { at: hand.where(slot), radius: this.lab.cloud.place[4 * slot + 3] };
  }

  // a ball between the eye and what is under the mouse; returns where it begins
  push(ray) {
    const { camera, link } = this.lab, radius = this.lab.ballRadius(), hit = this.under(ray);
    const gap = hit.radius > 0 && camera.dimensions === 3 ? hit.radius + 1.5 * radius : 0;
    const at = add(hit.at, ray.direction, -gap);
    link.send("ball", [], [...at, radius]);
    return at;
  }

  // below the body under the mouse, so that it flies up
  explode(ray) {
    const hit = this.under(ray), at = hit.at, usual = this.lab.stage ? this.lab.stage.radius : 0.01;
    at[this.lab.camera.dimensions - 1] -= hit.radius / 2;
    this.lab.link.send("explode", [], [...at, EXPLOSION_RADII * usual, this.lab.explosionSpeed()]);
  }

  // gravity turns with the hand, as the view shows it
  tilt(dx, dy) {
    const [right, , back] = this.lab.camera.axes();
    // what has not come back yet is what was sent last
    const known = this.gravity && performance.now() - this.told < 500 ? this.gravity : this.lab.status && this.lab.status.physics.gravity;
    if (!known) return;
    if (!(Math.hypot(...known) > 0)) { this.lab.note({ text: "Gravity is 0, and has no direction to tilt: set it under Physics.", error: true }); return; }
    let now = rotated(known, back, dx * TILT);
    if (this.lab.camera.dimensions === 3) now = rotated(now, right, dy * TILT);
    this.gravity = now;
    this.told = performance.now();
    this.lab.link.send("gravity", [], now);
  }

  // In two dimensions a segment. In three a sheet that is seen edge-on: it goes on along the view, level; seen from above it stands upright.
  wall(first, last) {
    const { camera, link, hand } = this.lab, from = hand.ray(...first), a = this.under(from).at, b = camera.across(hand.ray(...last), a);
    if (Math.hypot(first[0] - last[0], first[1] - last[1]) < 5) { this.lab.note({ text: "A wall is drawn by dragging from one end to the other." }); return; }
    if (camera.dimensions === 2) { link.send("wall", [], [...a, ...b, 0, 0, 0]); return; }
    const back = camera.axes()[2], level = Math.hypot(back[0], back[1]), deep = camera.radius;
    const along = level > 0.3 ? [back[0] / level, back[1] / level, 0] : [0, 0, 1];
    const corner = add(a, along, -deep / 2);
    link.send("wall", [], [...corner, ...add(b, along, -deep / 2), ...add(corner, along, deep)]);
  }

  // bonds that a piece of the stroke passes over, at any depth
  cut(from, to) {
    const { camera, hand, link } = this.lab, a = hand.ray(...from), b = hand.ray(...to);
    if (from[0] === to[0] && from[1] === to[1]) return;
    if (!(this.lab.status && this.lab.status.bonds)) { this.lab.note({ text: "This scene has no bonds to cut." }); return; }
    if (camera.dimensions === 2) { link.send("cut", [], [0, 0, 0, ...a.at, ...b.at]); return; }
    const far = 2 * (camera.distance + 8 * camera.radius);
    link.send("cut", [], [...a.from, ...add(a.from, a.direction, far), ...add(b.from, b.direction, far)]);
  }

  // the line of a wall that is being drawn
  showStroke([a, b], [x, y]) {
    const line = document.getElementById("stroke");
    line.hidden = false;
    line.style.left = a + "px";
    line.style.top = b + "px";
    line.style.width = Math.hypot(x - a, y - b) + "px";
    line.style.transform = "rotate(" + Math.atan2(y - b, x - a) + "rad)";
  }
}
