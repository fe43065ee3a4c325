// Takes the pictures of the lab that the guide shows, in a real browser without a graphics card. Needs chromium, and
// playwright-core in build/lab, which `./do test-lab` gets. Usage: node build/lab/images.mjs PROGRAM RUN RUN FOLDER, after
// cp tools/lab/images.mjs build/lab/; RUN: folders of two runs of scree.

import { spawn } from "node:child_process";
import { chromium } from "playwright-core";

const [program, first, second, folder] = process.argv.slice(2);

async function serve(words) {
  const child = spawn(program, ["lab", "--port", "0", "--threads", "1", "--paused", ...words], { stdio: ["ignore", "pipe", "inherit"] });
  const url = await new Promise((resolve) => child.stdout.on("data", (bytes) => { const found = String(bytes).match(/http:\/\/\S+/); if (found) resolve(found[0]); }));
  return { child, url };
}

const browser = await chromium.launch({ executablePath: process.env.CHROMIUM || "/usr/bin/chromium", args: process.getuid() === 0 ? ["--no-sandbox"] : [] });
const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, colorScheme: "light" });
const wait = (body, argument) => page.waitForFunction(body, argument, { timeout: 180000 });
const shot = async (name) => {
  await page.evaluate(() => { document.activeElement.blur(); window.lab.isNew = true; window.lab.paint(); });
  await page.screenshot(name.endsWith(".jpg") ? { path: folder + "/" + name, type: "jpeg", quality: 82 } : { path: folder + "/" + name });
};

// an example, after so many steps, with its camera where the whole is seen
async function openExample(name, steps) {
  await page.evaluate((wanted) => window.lab.openExample(window.lab.panel.examples.findIndex((one) => one.name === wanted)), name);
  await wait((wanted) => window.lab.stage && window.lab.stage.example === wanted && window.lab.status.epoch === window.lab.stage.epoch && window.lab.cloud.epoch === window.lab.stage.epoch, name);
  for (let taken = 0; taken < steps; taken += 1000) {
    await page.evaluate((count) => window.lab.link.send("step", [count]), Math.min(1000, steps - taken));
    await wait((count) => window.lab.status.steps >= count && window.lab.cloud.steps >= count, Math.min(steps, taken + 1000));
  }
  await page.evaluate(() => window.lab.fit());
}

const lab = await serve([]);
await page.goto(lab.url);
await wait(() => window.lab && window.lab.status && window.lab.cloud.bodies > 0);
await openExample("tumbler", 4000);
await shot("lab.png");
await openExample("bricks", 3000);
await shot("lab-bricks.png");
await openExample("hopper", 6000);
await page.locator("#show-chains").check();
await wait(() => window.lab.view.overlay && window.lab.view.overlay.chainCount > 100);
await shot("lab-forces.jpg");
await page.locator("#show-chains").uncheck();
await openExample("sizes", 200);
await page.selectOption("#method", "hash-grids");
await page.locator("#show-structure").check();
await page.click("#step");
await wait(() => window.lab.view.overlay && window.lab.view.overlay.pieceCount > 100);
await page.locator("#show-structure").scrollIntoViewIfNeeded();
await shot("lab-cells.jpg");
await page.locator("#show-structure").uncheck();
await page.selectOption("#method", "auto");
await openExample("tumbler", 20);
await page.locator("#ledger").check();
await wait(() => window.lab.stage.ledger && window.lab.status.steps === 0);
for (let k = 1; k <= 40; k++) {
  await page.evaluate(() => window.lab.link.send("step", [100]));
  await wait((count) => window.lab.status.steps >= count, 100 * k);
}
await page.locator("#plot-cost").scrollIntoViewIfNeeded();
await shot("lab-plots.jpg");
await page.locator("#ledger").uncheck();
await wait(() => !window.lab.stage.ledger);
await page.click("#edit");
await page.fill("#text", "");
await page.locator("#text").focus();
await page.keyboard.insertText("grain = material { density = 2500, friction = 0.4 }\ngravity { 0, 0, -9.81 }\nwall { shape = plane { }, material = grain }\nfill { count = 500, ma");
await page.keyboard.press("ArrowDown");
await page.screenshot({ path: folder + "/lab-editor.jpg", type: "jpeg", quality: 82 });
lab.child.kill("SIGTERM");
const runs = await serve([first, second]);
await page.goto(runs.url);
await wait(() => window.lab && window.lab.player.isOn && window.lab.player.tracks.every((track) => track.shown));
await page.evaluate(() => window.lab.player.seek(0.6 * window.lab.player.last));
await page.waitForTimeout(1000);
await shot("lab-film.jpg");
runs.child.kill("SIGTERM");
await browser.close();
process.exit(0);
