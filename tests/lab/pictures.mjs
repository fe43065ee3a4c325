// What the page itself achieves (./do bench lab): frames that a browser on the same machine gets, and pictures that it draws of
// them, in a second, while the scene is played as fast as it can be. Usage: node pictures.mjs PROGRAM.

import { spawn } from "node:child_process";
import { chromium } from "playwright-core";

const [program] = process.argv.slice(2);
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
console.log("in a browser, 1280 x 800, drawn by " + how + "\n\n| bodies | frames a second that come | pictures a second | share of the thread's time |\n|---|---|---|---|");
for (const [name, count, scene] of CROWDS) {
  await page.evaluate((text) => window.lab.link.send("scene", [], [], text), scene);
  await page.waitForFunction((n) => window.lab.status.bodies === n && window.lab.cloud.bodies === n, count, { timeout: 120000 });
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
await browser.close();
child.kill("SIGTERM");
process.exit(0);
