// What the page itself achieves (./do bench lab): frames that a browser on the same machine gets, and pictures that it draws of
// them, in a second, while the scene is played as fast as it can be; then what one picture costs, and how many are drawn while the view
// turns; then the scenes of the gallery at the speed that they are made for. Usage: node pictures.mjs PROGRAM [cost | gallery: only that].

import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { chromium } from "playwright-core";

const [program, part] = process.argv.slice(2);
const WARM = 5000, TIME = 10000; // ms

const discs = (count, high) => `
domain { dimensions = 2 }
gravity { 0, -9.81 }
g = material { density = 20, stiffness = 1e4, restitution = 0.5, friction = 0.3 }
rule { law = "linear" }
wall { shape = box { lower = {0, 0}, upper = {1, 2} }, material = g }
fill { count = ${count}, material = g, shape = sphere { radius = uniform(0.001, 0.003) }, region = box { lower = {0, 0}, upper = {1, ${high}} } }
run { time = 100 }`;
const spheres = (count, side, high) => `
gravity { 0, 0, -9.81 }
g = material { density = 2500, young = 1e7, restitution = 0.5, friction = 0.3 }
wall { shape = box { lower = {0, 0, 0}, upper = {${side}, ${side}, 2} }, material = g }
fill { count = ${count}, material = g, shape = sphere { radius = uniform(0.001, 0.003) }, region = box { lower = {0, 0, 0}, upper = {${side}, ${side}, ${high}} } }
run { time = 100 }`;
const CROWDS = [
  ["1,000 discs", 1000, discs(1000, 0.06)], ["20,000 discs", 20000, discs(20000, 1.2)],
  ["10,000 spheres", 10000, spheres(10000, 0.15, 0.14)], ["100,000 spheres", 100000, spheres(100000, 0.3, 0.35)],
];

const child = spawn(program, ["lab", "--port", "0", "--threads", "1"], { stdio: ["ignore", "pipe", "inherit"] });
const url = await new Promise((resolve, reject) => {
  let said = "";
  child.stdout.on("data", (bytes) => { said += bytes; const found = said.match(/http:\/\/\S+/); if (found) resolve(found[0]); });
  child.on("exit", (code) => reject(new Error("scree lab ended with " + code)));
});
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM || "/usr/bin/chromium", args: process.getuid() === 0 ? ["--no-sandbox"] : [] });
const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
await page.goto(url);
await page.waitForFunction(() => window.lab.status);
const how = await page.evaluate(() => {
  const gl = window.lab.view.gl, info = gl && gl.getExtension("WEBGL_debug_renderer_info");
  return info ? gl.getParameter(info.UNMASKED_RENDERER_WEBGL) : "a plain canvas";
});
console.log("in a browser, 1280 x 800, drawn by " + how);
if (!part) console.log("\n| bodies | frames a second that come | pictures a second | share of the thread's time |\n|---|---|---|---|");
async function open(count, scene) {
  const epoch = await page.evaluate((text) => { window.lab.link.send("play", [0]); window.lab.link.send("scene", [], [], text); return window.lab.stage.epoch; }, scene);
  await page.waitForFunction(([n, old]) => window.lab.stage.epoch !== old && window.lab.status.epoch === window.lab.stage.epoch && window.lab.cloud.epoch === window.lab.stage.epoch
    && window.lab.status.bodies === n && window.lab.cloud.bodies === n, [count, epoch], { timeout: 120000 });
}
if (!part) for (const [name, count, scene] of CROWDS) {
  await open(count, scene);
  const { frames, pictures, seconds, devoted } = await page.evaluate(async ([warm, time]) => {
    const { lab } = window, wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
    lab.fit();
    lab.link.send("speed", [], [0]);
    lab.link.send("play", [1]);
    await wait(warm);
    let frames = 0, pictures = 0;
    const told = [], { frame } = lab.link.on, { statusIs } = lab, upload = lab.view.upload;
    lab.link.on.frame = (cloud) => { frames++; frame(cloud); };
    lab.view.upload = function (cloud) { pictures++; upload.call(this, cloud); };
    lab.statusIs = function (status) { told.push(status.devoted); statusIs.call(this, status); };
    const begin = performance.now();
    await wait(time);
    const seconds = (performance.now() - begin) / 1000;
    Object.assign(lab, { statusIs });
    lab.link.on.frame = frame;
    lab.view.upload = upload;
    lab.link.send("play", [0]);
    return { frames, pictures, seconds, devoted: told.reduce((sum, x) => sum + x, 0) / told.length };
  }, [WARM, TIME]);
  console.log("| " + [name, (frames / seconds).toFixed(1), (pictures / seconds).toFixed(1), (100 * devoted).toFixed(1) + " %"].join(" | ") + " |");
}
// ---- the cost of one picture

// processor time in ms of this process's descendants, except the program
function spent() {
  const parents = new Map(), ticks = new Map();
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const fields = readFileSync("/proc/" + name + "/stat", "utf8").replace(/^.*\) /s, "").split(" ");
      parents.set(Number(name), Number(fields[1]));
      ticks.set(Number(name), Number(fields[11]) + Number(fields[12]));
    } catch { /* it has ended meanwhile */ }
  }
  const isOurs = (id) => id !== child.pid && id > 1 && (parents.get(id) === process.pid || isOurs(parents.get(id) || 0));
  return 10 * [...ticks].reduce((sum, [id, count]) => sum + (isOurs(id) ? count : 0), 0);
}

const SHARES = [1, 0.7, 0.5, 0.35], TIMES = 12;
if (part !== "gallery") console.log("\n| bodies | vertices | bytes uploaded | pixels of squares | ms at " + SHARES.map((share) => 100 * share + " %").join(" | ") + " | pictures a second while the view turns, at |\n|---|---|---|---|" + SHARES.map(() => "---|").join("") + "---|");
if (part !== "gallery") for (const [name, count, scene] of [["1,000 spheres", 1000, spheres(1000, 0.07, 0.06)], ["10,000 spheres", 10000, spheres(10000, 0.15, 0.14)], ["10,000 discs", 10000, discs(10000, 0.6)]]) {
  await open(count, scene);
  const work = await page.evaluate(() => {
    const { lab } = window, { cloud, camera, view } = lab, canvas = view.canvas;
    lab.fit();
    lab.isNew = true;
    lab.paint(true);
    let pixels = 0;
    for (let i = 0; i < cloud.slots; i++) {
      const at = lab.hand.where(i), eye = camera.eye(), away = Math.hypot(...at.map((x, k) => x - eye[k]));
      const size = camera.dimensions === 2 ? camera.pixel(canvas.height) : camera.pixel(canvas.height) * away / camera.distance;
      pixels += (2 * cloud.place[4 * i + 3] / size) ** 2;
    }
    return { pixels, bytes: view.quick ? view.quick.uploaded : view.bodies.uploaded };
  });
  const row = [];
  for (const share of SHARES) {
    const draw = (times) => page.evaluate(([much, many]) => {
      const { view, cloud } = window.lab, { gl } = view, pixel = new Uint8Array(4);
      for (let k = 0; k < many; k++) { view.draw(cloud, false, much); gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel); }
    }, [share, times]);
    await draw(2);
    const before = spent();
    await draw(TIMES);
    row.push(Math.round((spent() - before) / TIMES));
  }
  const turning = await page.evaluate(() => new Promise((resolve) => {
    const { lab } = window, begin = performance.now(), shown = [];
    const turn = (now) => {
      lab.camera.turn += 0.01;
      lab.redraw();
      shown.push(now);
      if (now < begin + 6000) requestAnimationFrame(turn);
      else resolve([shown.filter((then) => then > now - 3000).length / 3, lab.view.canvas.width / lab.view.canvas.clientWidth]);
    };
    requestAnimationFrame(turn);
  }));
  console.log("| " + [name, 4 * count, work.bytes, (work.pixels / 1e6).toFixed(2) + " million", ...row, turning[0].toFixed(1) + ", " + Math.round(100 * turning[1]) + " %"].join(" | ") + " |");
}

// ---- the scenes of the gallery

if (part !== "cost") console.log("\n| scene | pictures a second | share of the speed that is wanted | share of the width and height |\n|---|---|---|---|");
const gallery = await page.evaluate(() => window.lab.panel.examples.flatMap(({ name, group }, k) => (group === "lab" ? [[name, k]] : [])));
if (part !== "cost") for (const [name, k] of gallery) {
  const told = await page.evaluate(async ([example, warm, time]) => {
    const { lab } = window, wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
    lab.link.send("speed", [], [1]);
    lab.openExample(example);
    lab.link.send("play", [1]);
    await wait(warm);
    const upload = lab.view.upload, begin = performance.now(), from = lab.status.time;
    let pictures = 0;
    lab.view.upload = function (cloud) { pictures++; upload.call(this, cloud); };
    await wait(time);
    lab.view.upload = upload;
    const seconds = (performance.now() - begin) / 1000;
    return [pictures / seconds, (lab.status.time - from) / seconds, lab.view.canvas.width / lab.view.canvas.clientWidth];
  }, [k, 2500, 4000]);
  console.log("| " + [name, told[0].toFixed(0), told[1].toFixed(2), Math.round(100 * told[2]) + " %"].join(" | ") + " |");
}
await browser.close();
child.kill("SIGTERM");
process.exit(0);
