// The connection to the engine without a server: a worker of the page, with the same messages as a socket.

const MAX_THREADS = 8;
const MAX_TRIES = 3; // a page that was reloaded past all caches may bypass the service worker once more
const CORES = navigator.hardwareConcurrency || 1;
// shared memory is available only to isolated pages, as two headers of their host request
const SHARES = window.crossOriginIsolated === true && typeof SharedArrayBuffer === "function";

// If the host does not send these headers a service worker can add them, when the page is loaded again. Then this
// function does not return; it does if that is useless or has been tried.
async function keepApart() {
  try {
    if (SHARES) sessionStorage.removeItem("tried");
    const tries = Number(sessionStorage.getItem("tried"));
    if (SHARES || CORES < 2 || !navigator.serviceWorker || tries >= MAX_TRIES) return;
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
    // the browser allows no storage or no service worker: one thread computes as well
  }
}

class LocalSocket {
  constructor() {
    this.readyState = WebSocket.CONNECTING;
    if (typeof WebAssembly !== "object") {
      // the caller has not set its handlers yet
      setTimeout(() => this.end("This browser has no WebAssembly: the lab needs one that has, or the program scree lab."));
      return;
    }
    keepApart().then(() => this.begin(SHARES ? Math.min(CORES, MAX_THREADS) : 1));
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

  // if several threads cannot be started, one may
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

// a file of the page, as text
export async function pageText(name) {
  const answer = await fetch(name);
  if (!answer.ok) throw new Error("the page has no " + name + " (" + answer.status + ")");
  return answer.text();
}

// a page without a server plays those that are chosen in it
export async function servedRuns() { return []; }

export const SILENT = "the engine cannot be started";
