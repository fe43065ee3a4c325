// The engine in its own thread: receives messages of the page, sends boards and frames, and takes steps in between. The
// first message of the page is the number of threads.

const MAX_BODIES = 200000, MAX_BYTES = 1 << 30;

// a function that makes a vector and counts its bits: tests whether SIMD code can run here
const HAS_SIMD = WebAssembly.validate(new Uint8Array([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11,
]));

function live(engine, threads, atWork) {
  const text = new TextDecoder(), again = new MessageChannel();
  let isDue = false, timer = 0;

  const fail = () => postMessage({ failed: engine.UTF8ToString(engine._scree_site_error()) });
  // views of shared memory must be recreated after any thread has grown it
  const memory = () => (engine.wasmMemory ? new Uint8Array(engine.wasmMemory.buffer) : engine.HEAPU8);

  function post() {
    for (let at; (at = engine._scree_site_next());) {
      const bytes = memory().slice(at, at + engine._scree_site_next_bytes());
      if (engine._scree_site_next_is_text()) postMessage(text.decode(bytes));
      else postMessage(bytes.buffer, [bytes.buffer]);
    }
  }

  // at once, but after queued messages
  function soon() {
    clearTimeout(timer);
    if (!isDue) again.port2.postMessage(0);
    isDue = true;
  }

  again.port1.onmessage = () => {
    isDue = false;
    const rest = engine._scree_site_turn();
    post();
    if (rest > 0) timer = setTimeout(soon, 1000 * rest);
    else soon();
  };

  onmessage = ({ data }) => {
    const at = engine._malloc(data.length);
    if (!at) { postMessage({ failed: "out of memory" }); return; }
    memory().set(data, at);
    if (engine._scree_site_tell(at, data.length)) fail();
    engine._free(at);
    soon();
  };

  if (engine._scree_site_open(MAX_BODIES, MAX_BYTES, threads, atWork)) { fail(); return; }
  postMessage({ threads });
  soon();
  // for external inspection
  self.engine = engine;
}

async function begin({ threads: wanted, atWork }) {
  // the engine with threads requires SIMD
  const threads = HAS_SIMD ? wanted : 1, folder = threads > 1 ? "threads/" : HAS_SIMD ? "" : "plain/";
  // the engine would wait forever for the workers of its threads if that file could not be loaded
  if (threads > 1 && !(await fetch(folder + "scree.worker.js")).ok) throw new Error("scree.worker.js is missing");
  importScripts(folder + "scree.js");
  // which they load again
  const mainScriptUrlOrBlob = new URL(folder + "scree.js", location.href).href;
  live(await createScree({ locateFile: (name) => folder + name, mainScriptUrlOrBlob, workers: threads - 1 }), threads, atWork);
}

onmessage = ({ data }) => begin(data).catch((error) => postMessage({ failed: "the engine cannot be started: " + error.message }));
