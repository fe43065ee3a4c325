// A film of the view, by the browser's own recorder: WebM.

const RATE = 30; // pictures a second
const KINDS = ["video/webm;codecs=vp9", "video/webm;codecs=vp8", "video/webm"];

export class Film {
  // done: takes the film as a blob
  constructor(canvas, done) {
    this.canvas = canvas;
    this.done = done;
    this.recorder = null;
  }

  get isOn() { return this.recorder !== null; }

  // Starts, or ends and hands the film over. Returns why it cannot, or "".
  toggle() {
    if (this.recorder) {
      this.recorder.stop();
      this.recorder = null;
      return "";
    }
    const kind = window.MediaRecorder && this.canvas.captureStream && KINDS.find((name) => MediaRecorder.isTypeSupported(name));
    if (!kind) return "This browser cannot record films; a picture is under View.";
    const parts = [], recorder = new MediaRecorder(this.canvas.captureStream(RATE), { mimeType: kind, videoBitsPerSecond: 8e6 });
    recorder.ondataavailable = (event) => { if (event.data.size) parts.push(event.data); };
    recorder.onstop = () => {
      for (const track of recorder.stream.getTracks()) track.stop();
      this.done(new Blob(parts, { type: "video/webm" }));
    };
    recorder.start(1000);
    this.recorder = recorder;
    return "";
  }
}
