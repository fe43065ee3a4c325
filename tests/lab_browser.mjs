// The page of the laboratory in a real browser: ./do test-lab. Usage: node lab_browser.mjs PROGRAM FOLDER; pictures go to
// the folder. Ends with "N passed, N failed".

import { spawn } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import { chromium } from "playwright-core";

const [program, folder] = process.argv.slice(2);
const PATIENCE = 60000;
let passed = 0, failed = 0;

async function test(name, run) {
  try {
    await run();
    passed++;
  } catch (error) {
    failed++;
    console.log("FAILED: " + name + ": " + error.message.split("\n").slice(0, 4).join(" "));
  }
}

function check(holds, words) {
  if (!holds) throw new Error(words);
}

function startLab(words) {
  const child = spawn(program, ["lab", "--port", "0", ...words], { stdio: ["ignore", "pipe", "inherit"] });
  return new Promise((resolve, reject) => {
    let said = "";
    child.stdout.on("data", (bytes) => {
      said += bytes;
      const url = said.match(/http:\/\/\S+/);
      if (url) resolve({ child, url: url[0] });
    });
    child.on("exit", (code) => reject(new Error("scree lab ended with " + code)));
  });
}

const lab = await startLab([]);
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM || "/usr/bin/chromium", args: process.getuid() === 0 ? ["--no-sandbox"] : [] });
const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, acceptDownloads: true });
const complaints = [];
page.on("console", (message) => { if (message.type() === "error") complaints.push(message.text()); });
page.on("pageerror", (error) => complaints.push(error.message));
page.setDefaultTimeout(PATIENCE);

const status = () => page.evaluate(() => window.lab.status || {});
const until = (body, argument) => page.waitForFunction(body, argument, { timeout: PATIENCE });
const shot = (name) => page.screenshot({ path: folder + "/" + name + ".png" });
// in pixels of the page, a point of the view by shares of its width and height
async function at(x, y) {
  const box = await page.locator("#view").boundingBox();
  return [box.x + x * box.width, box.y + y * box.height];
}
// how many colours of the view differ from its corner
const painted = () => page.evaluate(() => {
  window.lab.paint();
  const from = document.getElementById("view"), copy = document.createElement("canvas");
  copy.width = from.width; copy.height = from.height;
  const pen = copy.getContext("2d");
  pen.drawImage(from, 0, 0);
  const rows = pen.getImageData(0, 0, copy.width, copy.height).data;
  let count = 0;
  for (let k = 0; k < rows.length; k += 4) count += Math.abs(rows[k] - rows[0]) + Math.abs(rows[k + 1] - rows[1]) + Math.abs(rows[k + 2] - rows[2]) > 60 ? 1 : 0;
  return count;
});

await test("opens with a drum", async () => {
  await page.goto(lab.url);
  await until(() => window.lab.cloud.bodies > 100 && window.lab.status);
  check(await page.textContent("#title") === "a rotating drum", "no title");
  check(await painted() > 10000, "nothing is drawn");
  await shot("drum");
});

await test("plays, pauses, steps, resets", async () => {
  await page.click("#play");
  await until(() => window.lab.status.plays && window.lab.status.steps > 20);
  await page.keyboard.press("Space");
  await until(() => !window.lab.status.plays);
  const before = (await status()).steps;
  await page.click("#step");
  await until((steps) => window.lab.status.steps === steps + 1, before);
  await page.click("#reset");
  await until(() => window.lab.status.steps === 0);
});

await test("every method, with the same checksum", async () => {
  await page.click("#step");
  await until(() => window.lab.status.checksum_steps > 0);
  const first = (await status()).checksum, names = await page.locator("#method option").allTextContents();
  for (const name of names) {
    await page.selectOption("#method", name);
    await until((wanted) => window.lab.status.method === wanted, name);
    check((await status()).checksum === first, name + " has another checksum");
  }
  await page.selectOption("#method", "auto");
  await page.click("#race");
  await until(() => document.querySelectorAll("#times .bar").length > 10);
  check(await page.locator("#times .other").count() === 0, "methods differ");
});

await test("discs are poured, selected and taken away", async () => {
  await page.click("#gallery button:has-text('discs')");
  await until(() => window.lab.stage.dimensions === 2 && window.lab.cloud.dimensions === 2);
  await page.evaluate(() => window.lab.fit());
  const before = (await status()).bodies;
  await page.keyboard.press("2");
  await page.mouse.move(...await at(0.5, 0.1));
  await page.mouse.down();
  await until((bodies) => window.lab.status.bodies > bodies, before);
  await page.mouse.up();
  await page.keyboard.press("5");
  await page.mouse.move(...await at(0.3, 0.02));
  await page.mouse.down();
  await page.mouse.move(...await at(0.7, 0.6), { steps: 5 });
  await page.mouse.up();
  await until(() => !document.getElementById("found").hidden);
  check(!(await page.textContent("#found")).startsWith("0 bodies"), "nobody is in the box");
  await shot("selected");
  const all = (await status()).bodies;
  await page.keyboard.press("Delete");
  await until((bodies) => window.lab.status.bodies < bodies, all);
});

await test("a body is dragged", async () => {
  await page.evaluate(() => window.lab.link.send("speed", [], [0.05]));
  await page.click("#play");
  await page.keyboard.press("3");
  const where = await page.evaluate(() => {
    const { cloud, camera, hand } = window.lab, canvas = document.getElementById("view");
    let highest = -1;
    for (let k = 0; k < cloud.slots; k++) if (cloud.place[4 * k + 3] > 0 && (highest < 0 || cloud.place[4 * k + 1] > cloud.place[4 * highest + 1])) highest = k;
    const seen = camera.project(hand.where(highest), canvas.clientWidth, canvas.clientHeight), box = canvas.getBoundingClientRect();
    return [box.left + seen[0], box.top + seen[1]];
  });
  await page.mouse.move(...where);
  await page.mouse.down();
  await until(() => window.lab.hand.held !== null);
  await page.mouse.move(where[0] + 60, where[1] - 30, { steps: 5 });
  await page.mouse.up();
  await until(() => window.lab.hand.held === null);
  await page.click("#play");
  await page.keyboard.press("1");
});

await test("sliders change the world", async () => {
  await page.locator("input[aria-label='gravity y']").fill("5");
  const before = (await status()).steps;
  await page.click("#step");
  await until((steps) => window.lab.status.steps > steps, before);
  check(await page.locator("#note").isHidden(), await page.textContent("#note"));
});

await test("a parameter begins the scene anew", async () => {
  await page.locator("input[aria-label=count]").fill("250");
  await page.keyboard.press("Enter");
  await until(() => window.lab.status.bodies === 250);
});

await test("a checkpoint is saved and loaded", async () => {
  await page.locator("summary:has-text('Checkpoint')").click();
  const bodies = (await status()).bodies;
  const [download] = await Promise.all([page.waitForEvent("download"), page.click("#save")]);
  await download.saveAs(folder + "/lab.scree");
  check(statSync(folder + "/lab.scree").size > 1000, "too small");
  await page.click("#gallery button:has-text('settling')");
  await until(() => window.lab.stage.dimensions === 3);
  await page.setInputFiles("#file", folder + "/lab.scree");
  await until((count) => window.lab.stage.dimensions === 2 && window.lab.status.bodies === count, bodies);
});

await test("the editor shows a mistake at its line", async () => {
  await page.click("#edit");
  await page.fill("#text", "-- one\n-- two\nfill { count = 'many' }\n");
  await page.keyboard.press("Control+Enter");
  await until(() => document.querySelector("#lines .bad"));
  check(await page.textContent("#lines .bad") === "3", "another line");
  check((await page.textContent("#editor-error")).includes("scene:3:"), "no message");
  await shot("mistake");
  await page.fill("#text", readFileSync(new URL("../../examples/scenes/hopper.lua", import.meta.url), "utf8"));
  await page.click("#editor-run");
  await until(() => window.lab.stage.title.includes("hopper"));
  await page.click("#editor-close");
});

await test("in the dark, with walls and turns", async () => {
  await page.keyboard.press("d");
  await page.locator("#show-turns").check();
  await page.selectOption("#colour", "size");
  await page.click("#play");
  await until(() => window.lab.status.steps > 300);
  await shot("hopper");
  check(await painted() > 10000, "nothing is drawn");
});

await test("every control has a name", async () => {
  const nameless = await page.evaluate(() => [...document.querySelectorAll("button, input, select, textarea, canvas")].filter((e) =>
    !(e.getAttribute("aria-label") || e.textContent.trim() || e.closest("label") || e.closest("[aria-hidden=true]"))).map((e) => e.outerHTML));
  check(nameless.length === 0, nameless.join(" "));
});

await test("on a telephone", async () => {
  await page.setViewportSize({ width: 390, height: 780 });
  await page.evaluate(() => window.lab.fit());
  await shot("telephone");
  check(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "wider than the screen");
});

await test("nothing is complained about", async () => check(complaints.length === 0, complaints.join(" | ")));

await browser.close();
lab.child.kill("SIGTERM");
console.log(passed + " passed, " + failed + " failed");
process.exit(failed ? 1 : 0);
