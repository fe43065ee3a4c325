// Fewer pixels while something moves, where a picture takes longer than it may; all of them as soon as nothing moves.

const MOST = 50, FEW = 20; // ms: a picture takes at most; and it may have twice the pixels if it takes less
const PATIENCE = 8; // pictures in a row with time left, before there are more pixels
const STILL = 250; // ms without motion
const SHARES = [1, 0.7, 0.5, 0.35]; // of the width and the height

export class Pixels {
  // gl: draws the pictures, null: they are not measured; still: called when nothing has moved for a while
  constructor(gl, still) {
    this.gl = gl || null;
    this.still = still;
    this.level = 0;
    this.early = 0;
    this.isSharp = true;
    this.fence = null;
  }

  // the next picture's share of the pixels in each direction. keepsAll: for a film or a picture that is saved
  share(moves, keepsAll) {
    if (!this.gl || keepsAll) return 1;
    if (moves) {
      this.isSharp = false;
      clearTimeout(this.timer);
      this.timer = setTimeout(() => { this.isSharp = true; if (this.level) this.still(); }, STILL);
    }
    return this.isSharp ? 1 : SHARES[this.level];
  }

  // a picture has been drawn: how long it takes until its pixels are there
  measure() {
    if (!this.gl || this.isSharp || this.fence) return;
    const { gl } = this, begin = performance.now();
    this.fence = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
    gl.flush();
    const look = () => {
      if (!gl.isContextLost() && gl.getSyncParameter(this.fence, gl.SYNC_STATUS) !== gl.SIGNALED && performance.now() - begin < 5000) { setTimeout(look, 2); return; }
      gl.deleteSync(this.fence);
      this.fence = null;
      this.took(performance.now() - begin);
    };
    setTimeout(look, 1);
  }

  took(ms) {
    this.early = ms < FEW ? this.early + 1 : 0;
    if (ms > MOST) this.level = Math.min(SHARES.length - 1, this.level + (ms > 2 * MOST ? 2 : 1));
    else if (this.early >= PATIENCE && this.level > 0) {
      this.level--;
      this.early = 0;
    }
  }
}
