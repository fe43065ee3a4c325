// The site of the documentation in a real browser: pages show, their pictures load, the search finds, and nothing is asked of another
// host. Usage: node browser.mjs SITE. Ends with "N passed, N failed".
import { readFile } from "node:fs";
import { createServer } from "node:http";
import { chromium } from "playwright-core";

const site = process.argv[2];
const PAGES = ["index.html", "gallery.html", "guide/first-scene.html", "guide/reference.html", "api/index.html", "man/scree.1.html", "results/engines.html"];
const TYPES = { html: "text/html", js: "text/javascript", css: "text/css", svg: "image/svg+xml", json: "application/json", png: "image/png", jpg: "image/jpeg", webm: "video/webm" };
let passed = 0, failed = 0;

function check(holds, words) {
  if (holds) passed++;
  else {
    failed++;
    console.log("FAILED: " + words);
  }
}

const server = createServer((request, response) => {
  const path = decodeURIComponent(new URL(request.url, "http://host").pathname).replace(/\/$/, "/index.html");
  readFile(site + path, (error, bytes) => {
    response.writeHead(error ? 404 : 200, { "content-type": TYPES[path.split(".").pop()] || "text/plain" });
    response.end(bytes);
  });
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const root = "http://127.0.0.1:" + server.address().port + "/";
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM || "/usr/bin/chromium", args: process.getuid() === 0 ? ["--no-sandbox"] : [] });
const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
page.setDefaultTimeout(60000);
const elsewhere = [], missing = [];
page.on("request", (request) => { if (!request.url().startsWith(root) && !/^(data|blob):/.test(request.url())) elsewhere.push(request.url()); });
page.on("response", (response) => { if (response.status() >= 400) missing.push(response.url()); });

for (const name of PAGES) {
  await page.goto(root + name, { waitUntil: "networkidle" });
  check((await page.title()).length > 0, name + " has no title");
  const empty = await page.evaluate(() => [...document.images].filter((image) => image.complete && !image.naturalWidth).map((image) => image.src));
  check(empty.length === 0, name + ": pictures that do not show: " + empty.join(" "));
}

await page.goto(root + "gallery.html", { waitUntil: "networkidle" });
const films = await page.evaluate(() => Promise.all([...document.querySelectorAll("video")].map((film) => new Promise((resolve) => {
  film.onloadedmetadata = () => resolve({ name: film.src, seconds: film.duration, width: film.videoWidth });
  film.onerror = () => resolve({ name: film.src, seconds: 0, width: 0 });
  film.preload = "metadata";
  film.load();
}))));
check(films.length >= 30, films.length + " films in the gallery");
for (const film of films)
  check(film.seconds > 2 && film.seconds < 30 && film.width >= 160, film.name + ": " + film.seconds + " s, " + film.width + " pixels wide");

await page.goto(root + "index.html", { waitUntil: "networkidle" });
await page.click("input.md-search__input");
await page.keyboard.type("angle of repose");
await page.waitForSelector(".md-search-result__link", { state: "attached" });
check((await page.textContent(".md-search-result__list")).includes("repose"), "the search finds no angle of repose");

check(elsewhere.length === 0, "asked of other hosts: " + elsewhere.join(" "));
check(missing.length === 0, "not there: " + missing.join(" "));
await browser.close();
server.close();
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed ? 1 : 0);
