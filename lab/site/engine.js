// How the page reaches what moves the bodies where there is no server: a worker beside it, which is spoken to as a socket
// is, by the same messages.

const MOST_THREADS = 8;
const MOST_TRIES = 3; // a page that was asked for past all caches may once more begin past the worker
const CORES = navigator.hardwareConcurrency || 1;
// memory that workers share is for pages that keep apart from others, as two headers of their host say
const SHARES = window.crossOriginIsolated === true && typeof SharedArrayBuffer === "function";

// Where the host does not send the headers a worker that stands between can add them, if the page begins once more behind it.
// Then this does not end; it does where that is of no use, or has been tried.
async function keepApart() {
  try {
    if (SHARES) sessionStorage.removeItem("tried");
    const tries = Number(sessionStorage.getItem("tried"));
    if (SHARES || CORES < 2 || !navigator.serviceWorker || tries >= MOST_TRIES) return;
    sessionStorage.setItem("tried", tries + 1);
    const between = await navigator.serviceWorker.register("apart.js");
    const worker = between.installing || between.waiting || between.active;
    await new Promise((resolve, reject) => {
      const look = () => { if (worker.state === "activated") resolve(); else if (worker.state === "redundant") reject(); };
      worker.addEventListener("statechange", look);
      look();
    });
    location.reload();
    await new Promise(() => {});
  } catch {
    // the browser lets nothing be kept, or nobody stand between: one thread computes as well
  }
}

class LocalSocket {
  constructor() {
    this.readyState = WebSocket.CONNECTING;
    if (typeof WebAssembly !== "object") {
      // whoever made this has not said yet what to do then
      setTimeout(() => this.end("This browser has no WebAssembly: the laboratory needs one that has, or the program scree lab."));
      return;
    }
    keepApart().then(() => this.begin(SHARES ? Math.min(CORES, MOST_THREADS) : 1));
  }

  // one core is left to the page, if there are several
  begin(threads) {
    this.threads = threads;
    this.worker = new Worker("worker.js");
    this.worker.onmessage = ({ data }) => {
      if (data.threads) this.open(data.threads);
      else if (data.failed) this.fail(data.failed);
      else this.onmessage({ data });
    };
    this.worker.onerror = (event) => this.fail(event.message || SILENT);
    this.worker.postMessage({ threads, atWork: Math.max(1, Math.min(CORES - 1, threads)) });
  }

  open(threads) {
    this.readyState = WebSocket.OPEN;
    if (threads === 1 && CORES > 1) this.whyAlone = "One thread computes: " + (SHARES ? "this browser cannot start more." : "for more the host of this page has to send two headers.");
    this.onopen();
  }

  // where several threads cannot begin, one may
  fail(reason) {
    if (this.readyState !== WebSocket.CONNECTING || this.threads === 1) { this.end(reason); return; }
    this.worker.terminate();
    this.begin(1);
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
