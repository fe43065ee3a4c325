// How the page reaches what moves the bodies where there is no server: a worker beside it, which is spoken to as a socket
// is, by the same messages.

class LocalSocket {
  constructor() {
    this.readyState = WebSocket.CONNECTING;
    if (typeof WebAssembly !== "object") {
      // whoever made this has not said yet what to do then
      setTimeout(() => this.end("This browser has no WebAssembly: the laboratory needs one that has, or the program scree lab."));
      return;
    }
    this.worker = new Worker("worker.js");
    this.worker.onmessage = ({ data }) => {
      if (data.isReady) this.open();
      else if (data.failed) this.end(data.failed);
      else this.onmessage({ data });
    };
    this.worker.onerror = (event) => this.end(event.message || SILENT);
  }

  open() {
    this.readyState = WebSocket.OPEN;
    this.onopen();
  }

  end(reason) {
    this.readyState = WebSocket.CLOSED;
    if (this.worker) this.worker.terminate();
    this.onclose({ reason });
  }

  send(bytes) { this.worker.postMessage(bytes, [bytes.buffer]); }
}

export function connect() { return new LocalSocket(); }

export const SILENT = "the engine cannot be started";
