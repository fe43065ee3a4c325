// The engine as WebAssembly, in node: after a thousand steps of each example its digest must be that of the program, with
// vectors, without, and with one thread and several; and a browser fetches no more than 2 MiB. Usage:
// node site_digests.mjs PROGRAM SITE [--speed [REPEATS]], where PROGRAM is tests/lab/digests of the build. With --speed it measures instead:
// time of the steps against the program's, the least of so many runs of each, and what a browser fetches.

import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { resolve } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";

const [program, site, option, repeats] = process.argv.slice(2);
const STEPS = 1000, STEP = 3, EXAMPLE = 6, METHOD = 12, AT_WORK = 28, THREADS = 3;
let passed = 0, failed = 0;

class Engine {
  static async open(folder, threads = 1) {
    const create = createRequire(import.meta.url)(folder + "/scree.js"), engine = new Engine();
    engine.code = await create({ wasmBinary: readFileSync(folder + "/scree.wasm"), workers: threads - 1 });
    if (engine.code._scree_site_open(200000, 2 ** 30, threads, threads)) throw new Error(engine.error());
    engine.boards = engine.turn();
    return engine;
  }

  // of several threads each may make it larger
  memory() { return this.code.wasmMemory ? new Uint8Array(this.code.wasmMemory.buffer) : this.code.HEAPU8; }
  error() { return this.code.UTF8ToString(this.code._scree_site_error()); }
  digest() { return this.code.UTF8ToString(this.code._scree_site_digest()); }

  // false: the message was refused
  tell(bytes) {
    const at = this.code._malloc(bytes.length + 1);
    this.memory().set(bytes, at);
    const isGood = this.code._scree_site_tell(at, bytes.length) === 0;
    this.code._free(at);
    return isGood;
  }

  // a turn, and the boards of text that it has given
  turn() {
    const boards = [];
    this.code._scree_site_turn();
    for (let at; (at = this.code._scree_site_next());) {
      const bytes = this.memory().slice(at, at + this.code._scree_site_next_bytes());
      if (this.code._scree_site_next_is_text()) boards.push(JSON.parse(new TextDecoder().decode(bytes)));
    }
    return boards;
  }

  say(kind, whole) {
    const bytes = new Uint8Array(5);
    bytes[0] = kind;
    new DataView(bytes.buffer).setUint32(1, whole, true);
    check(this.tell(bytes), "message " + kind + " is refused: " + this.error());
    return this.turn();
  }

  examples() { return this.boards.find((board) => board.kind === "hello").examples.map((example) => example.name); }

  // [digest, seconds of the processor]
  run(example) {
    const notes = this.say(EXAMPLE, this.examples().indexOf(example)).filter((board) => board.kind === "note");
    check(notes.length === 0, example + ": " + notes.map((note) => note.text).join(" "));
    const before = process.cpuUsage();
    this.say(STEP, STEPS);
    const spent = process.cpuUsage(before);
    return [this.digest(), (spent.user + spent.system) / 1e6];
  }
}

function check(holds, words) {
  if (!holds) throw new Error(words);
}

async function test(name, run) {
  try {
    await run();
    passed++;
  } catch (error) {
    failed++;
    console.log("FAILED: " + name + ": " + error.message);
  }
}

// of the program: [name, bodies, digest, seconds] of each example
function native(level, ...which) {
  const env = level ? { ...process.env, SCREE_SIMD: level } : process.env;
  return execFileSync(program, [String(STEPS), ...which], { env, encoding: "utf8" }).trim().split("\n").map((line) => {
    const [name, bodies, digest, seconds] = line.split(" ");
    return { name, bodies, digest, seconds: Number(seconds) };
  });
}

const folders = { simd: resolve(site), plain: resolve(site, "plain"), threads: resolve(site, "threads") };

async function testAll() {
  const wanted = native();
  for (const [kind, folder] of Object.entries(folders)) {
    const engine = await Engine.open(folder, kind === "threads" ? THREADS : 1);
    await test(kind + " has the examples of the program", () =>
      check(engine.examples().join() === wanted.map((row) => row.name).join(), engine.examples().join()));
    for (const row of wanted)
      await test(kind + ", " + row.name, () => {
        const [digest] = engine.run(row.name);
        check(digest === row.digest, "digest " + digest + ", in the program " + row.digest);
      });
    if (kind === "threads") await testThreads(engine, wanted);
    await test(kind + " refuses what is no message", () => {
      check(!engine.tell(new Uint8Array([250, 1])) && engine.error() !== "", "it did not");
      check(!engine.tell(new Uint8Array([STEP, 1])), "a message that is cut");
      check(!engine.tell(new Uint8Array(0)), "nothing at all");
    });
    await test(kind + " goes on after a mistake", () => {
      check(engine.tell(new Uint8Array([METHOD, 110, 111])), "the message itself is one");
      check(engine.turn().some((board) => board.kind === "note" && board.error), "nothing is said");
      check(engine.run(wanted[0].name)[0] === wanted[0].digest, "another digest");
    });
  }
  for (const folder of Object.values(folders))
    await test(folder + " is small enough", () => check(fetched(folder, gzipSync) <= 2 * 2 ** 20, fetched(folder, gzipSync) + " bytes with gzip"));
  console.log(passed + " passed, " + failed + " failed");
  process.exit(failed ? 1 : 0);
}

async function testThreads(engine, wanted) {
  for (let count = 1; count < THREADS; count++)
    await test("as many threads as are wanted: " + count, () => {
      engine.say(AT_WORK, count);
      for (const row of wanted) check(engine.run(row.name)[0] === row.digest, row.name + ": another digest");
    });
  await test("there are no more threads", () => {
    const notes = engine.say(AT_WORK, THREADS + 1).filter((board) => board.kind === "note" && board.error);
    check(notes.length === 1 && notes[0].text.includes("1 to " + THREADS), notes.map((note) => note.text).join(" "));
  });
}

// bytes of the page, and of an engine that lies in this folder
function fetched(folder, pack) {
  const page = readdirSync(site).filter((name) => name.includes(".") && !name.startsWith("scree.")).map((name) => resolve(site, name));
  const files = [...page, ...["scree.js", "scree.wasm", "scree.worker.js"].map((name) => resolve(folder, name)).filter(existsSync)];
  return files.reduce((sum, file) => sum + pack(readFileSync(file)).length, 0);
}

// ---- how fast, how large

async function measure(count) {
  const engines = { simd: await Engine.open(folders.simd), plain: await Engine.open(folders.plain) };
  const ratios = [];
  console.log("ms of the processor for " + STEPS + " steps, the least of " + count + " runs; ratios against the program without vectors");
  console.log("example            bodies   program  without vectors  WebAssembly          without vectors");
  for (const name of engines.simd.examples()) {
    const least = { best: Infinity, scalar: Infinity, simd: Infinity, plain: Infinity };
    let bodies = 0;
    for (let k = 0; k < count; k++) {
      for (const [key, level] of [["best", ""], ["scalar", "scalar"]]) {
        const [row] = native(level, name);
        bodies = row.bodies;
        least[key] = Math.min(least[key], row.seconds);
      }
      for (const kind of ["simd", "plain"]) least[kind] = Math.min(least[kind], engines[kind].run(name)[1]);
    }
    const ms = (seconds) => (1000 * seconds).toFixed(1).padStart(8), ratio = (kind) => (least[kind] / least.scalar).toFixed(2).padStart(6);
    ratios.push(least.simd / least.scalar);
    console.log(name.padEnd(16) + bodies.padStart(9) + "  " + ms(least.best) + "         " + ms(least.scalar) + "     " + ms(least.simd) + ratio("simd") + "     " + ms(least.plain) + ratio("plain"));
  }
  const mean = Math.exp(ratios.reduce((sum, x) => sum + Math.log(x), 0) / ratios.length);
  console.log("geometric mean " + mean.toFixed(2) + ", worst " + Math.max(...ratios).toFixed(2));
  for (const [kind, folder] of Object.entries(folders)) {
    const kib = (pack) => Math.ceil(fetched(folder, pack) / 1024);
    console.log("a browser fetches (" + kind + ") " + kib((bytes) => bytes) + " KiB: " + kib(gzipSync) + " KiB with gzip, " + kib(brotliCompressSync) + " KiB with brotli");
  }
}

if (option === "--speed") await measure(Number(repeats) || 7);
else await testAll();
