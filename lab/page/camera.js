// The camera. In three dimensions an eye on a sphere about a target, z upward; in two a height above the plane.
// Matrices are column-major, as in WebGL.

const ANGLE = 0.6; // vertical field of view

export class Camera {
  constructor() {
    this.dimensions = 3;
    this.turn = 0.6;
    this.rise = 0.4;
    this.distance = 3;
    this.target = [0, 0, 0];
    this.radius = 1;
  }

  fit(lower, upper, dimensions, aspect) {
    const size = lower.map((x, k) => upper[k] - x);
    this.dimensions = dimensions;
    this.target = lower.map((x, k) => (x + upper[k]) / 2);
    if (dimensions === 2) {
      // room below for the figures
      this.height = 1.2 * Math.max(size[1], size[0] / aspect);
      this.target[1] -= 0.035 * this.height;
      this.radius = Math.hypot(size[0], size[1]) / 2;
      return;
    }
    this.radius = Math.hypot(...size) / 2 || 1;
    this.distance = this.radius / Math.sin(ANGLE / 2) / Math.min(1, aspect) * 0.98;
    this.turn = 0.6;
    this.rise = 0.36;
  }

  // the eye's axes: right, up, back
  axes() {
    if (this.dimensions === 2) return [[1, 0, 0], [0, 1, 0], [0, 0, 1]];
    const c = Math.cos(this.turn), s = Math.sin(this.turn), u = Math.cos(this.rise), v = Math.sin(this.rise);
    return [[c, s, 0], [-s * v, c * v, u], [s * u, -c * u, v]];
  }

  eye() {
    const back = this.axes()[2];
    return this.target.map((x, k) => x + (this.dimensions === 2 ? 0 : this.distance * back[k]));
  }

  // from the world, relative to `origin`, to the eye
  view(origin) {
    const [right, up, back] = this.axes(), eye = this.eye().map((x, k) => x - origin[k]);
    const dot = (a) => a[0] * eye[0] + a[1] * eye[1] + a[2] * eye[2];
    return new Float32Array([
      right[0], up[0], back[0], 0, right[1], up[1], back[1], 0, right[2], up[2], back[2], 0,
      -dot(right), -dot(up), -dot(back), 1]);
  }

  projection(aspect) {
    if (this.dimensions === 2) {
      const h = 2 / this.height;
      return new Float32Array([h / aspect, 0, 0, 0, 0, h, 0, 0, 0, 0, -1e-3, 0, 0, 0, 0, 1]);
    }
    const near = Math.max(this.distance - 3 * this.radius, this.distance * 0.02), far = this.distance + 8 * this.radius;
    const f = 1 / Math.tan(ANGLE / 2), a = (near + far) / (near - far), b = 2 * near * far / (near - far);
    return new Float32Array([f / aspect, 0, 0, 0, 0, f, 0, 0, 0, 0, a, -1, 0, 0, b, 0]);
  }

  // width of a pixel in metres at the target
  pixel(height) {
    return (this.dimensions === 2 ? this.height : 2 * this.distance * Math.tan(ANGLE / 2)) / height;
  }

  // a ray through a point of the canvas; x and y from its upper left corner
  ray(x, y, width, height) {
    const [right, up, back] = this.axes();
    const a = (x / width * 2 - 1) * width / height, b = 1 - y / height * 2;
    if (this.dimensions === 2) {
      const from = this.target.map((t, k) => t + this.height / 2 * (a * right[k] + b * up[k]));
      return { from: [from[0], from[1], 1e9], direction: [0, 0, -1], at: [from[0], from[1], 0] };
    }
    const t = Math.tan(ANGLE / 2);
    const direction = back.map((z, k) => -z + t * (a * right[k] + b * up[k]));
    const length = Math.hypot(...direction);
    return { from: this.eye(), direction: direction.map((d) => d / length) };
  }

  // intersection of a ray with the plane through `point` that faces the eye
  across(ray, point) {
    if (this.dimensions === 2) return ray.at;
    const back = this.axes()[2];
    const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    const s = dot(back, point.map((p, k) => p - ray.from[k])) / dot(back, ray.direction);
    return ray.from.map((f, k) => f + s * ray.direction[k]);
  }

  orbit(dx, dy) {
    if (this.dimensions === 2) return;
    this.turn -= dx * 0.006;
    this.rise = Math.max(-1.55, Math.min(1.55, this.rise + dy * 0.006));
  }

  pan(dx, dy, height) {
    const [right, up] = this.axes(), pixel = this.pixel(height);
    this.target = this.target.map((t, k) => t + pixel * (-dx * right[k] + dy * up[k]));
  }

  // zooms by a factor; in two dimensions about the point under the mouse
  zoom(factor, x, y, width, height) {
    if (this.dimensions === 3) {
      this.distance = Math.max(this.radius * 1e-3, Math.min(this.radius * 60, this.distance / factor));
      return;
    }
    const before = this.ray(x, y, width, height).at;
    this.height = Math.max(this.radius * 1e-4, Math.min(this.radius * 60, this.height / factor));
    const after = this.ray(x, y, width, height).at;
    this.target = this.target.map((t, k) => t + before[k] - after[k]);
  }

  // to pixels, or null if behind the eye
  project(point, width, height) {
    const [right, up, back] = this.axes(), eye = this.eye();
    const d = point.map((p, k) => p - eye[k]);
    const dot = (a) => a[0] * d[0] + a[1] * d[1] + a[2] * d[2];
    const depth = this.dimensions === 2 ? this.height / 2 : -dot(back) * Math.tan(ANGLE / 2);
    if (depth <= 0) return null;
    return [width / 2 + dot(right) / depth * height / 2, height / 2 - dot(up) / depth * height / 2];
  }
}
