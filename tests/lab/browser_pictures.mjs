// Pictures of the page at several window sizes, compared with those that are kept in tests/lab/pictures. They are small, blurred a
// little, and a few pixels may differ: a graphics card, or another version of the browser, draws edges otherwise. All text is in boxes
// (box_font.mjs), and scenes stand still at a step. Part of browser.mjs; SCREE_ACCEPT_PICTURES=1 keeps the pictures as they are
// now: look at each before it is committed.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { boxFont } from "./box_font.mjs";

const SIZES = [["800", 800, 600], ["1280", 1280, 800], ["2560", 2560, 1440], ["phone", 390, 780]];
const KEPT_WIDTH = 256, KEPT_WIDTH_PHONE = 130;
const FAR = 26, SHARE = 0.004; // of 255: how far a pixel may be off; share of pixels that may be further
const STEPS = 400;

const FLAT = `
domain { dimensions = 2 }
gravity { 0, -9.81 }
g = material { density = 2500, young = 1e6, restitution = 0.3, friction = 0.5 }
wall { shape = box { lower = {0, 0}, upper = {1, 0.6} }, material = g }
for i = 0, 9 do for j = 0, 4 do
    body { shape = sphere { radius = 0.02 + 0.001 * i }, material = g, position = { 0.1 + 0.08 * i + 0.01 * j, 0.05 + 0.08 * j } }
end end
solver { dt = 1e-4 }
run { time = 10, title = "discs" }`;
const SOLID = `
gravity { 0, 0, -9.81 }
g = material { density = 2500, young = 1e6, restitution = 0.3, friction = 0.5 }
wall { shape = plane { }, material = g }
wall { shape = cylinder { from = {0, 0, 0}, to = {0, 0, 0.5}, radius = 0.4, open = {"from", "to"} }, material = g }
for i = -2, 2 do for j = -2, 2 do
    body { shape = sphere { radius = 0.05 + 0.005 * i }, material = g, position = { 0.13 * i, 0.13 * j, 0.1 } }
end end
brick = {}
for _, x in ipairs { -0.1, 0.1 } do for _, y in ipairs { -0.06, 0.06 } do for _, z in ipairs { -0.05, 0.05 } do brick[#brick + 1] = { x, y, z } end end end
for k = 0, 2 do body { shape = block { points = brick }, material = g, position = { 0, 0, 0.26 + 0.14 * k } } end
solver { dt = 1e-4 }
run { time = 10, title = "bricks on balls" }`;

// of each view, what opens it; a page begins with its scene, at rest
const VIEWS = [
  ["discs", FLAT, () => {}],
  ["bricks", SOLID, () => {}],
  ["dark", SOLID, () => { document.documentElement.dataset.theme = "dark"; window.lab.setColour("id"); window.lab.hand.choose("pour"); }],
  ["detection", FLAT, () => document.getElementById("method").scrollIntoView({ block: "start" })],
  ["editor", FLAT, () => window.lab.editor.show(true)],
  ["method", FLAT, () => window.lab.panel.pages.openMethod("dess")],
];

// what differs from run to run, and drawings, whose letters are those of the machine
const CHANGING = "#page img, #phases, #phase-list, #phase-sum, #memory, .plot, #found, #note { visibility: hidden !important; }\n#threads-row, #threads-hint { display: none !important; }";

// In the page: a picture as a PNG of another width; and the share of pixels of two that are far off.
const shrink = (page, png, width) => page.evaluate(async ([data, wanted]) => {
  const image = await createImageBitmap(await (await fetch("data:image/png;base64," + data)).blob());
  const canvas = document.createElement("canvas"), pen = canvas.getContext("2d");
  canvas.width = wanted;
  canvas.height = Math.round(wanted * image.height / image.width);
  // halves, so that each pixel has its share
  let from = image;
  while (from.width > 2 * wanted) {
    const half = new OffscreenCanvas(from.width >> 1, from.height >> 1);
    half.getContext("2d").drawImage(from, 0, 0, half.width, half.height);
    from = half;
  }
  pen.imageSmoothingQuality = "high";
  pen.drawImage(from, 0, 0, canvas.width, canvas.height);
  return canvas.toDataURL("image/png").split(",")[1];
}, [png.toString("base64"), width]);

const compare = (page, first, second, far) => page.evaluate(async ([a, b, most]) => {
  const rows = await Promise.all([a, b].map(async (data) => {
    const image = await createImageBitmap(await (await fetch("data:image/png;base64," + data)).blob());
    const canvas = new OffscreenCanvas(image.width, image.height), pen = canvas.getContext("2d");
    pen.filter = "blur(1px)";
    pen.drawImage(image, 0, 0);
    return pen.getImageData(0, 0, image.width, image.height);
  }));
  const [one, other] = rows;
  if (one.width !== other.width || one.height !== other.height) return { share: 1, words: one.width + " x " + one.height + " instead of " + other.width + " x " + other.height };
  let count = 0, box = [Infinity, Infinity, 0, 0];
  for (let k = 0; k < one.data.length; k += 4) {
    const off = Math.max(...[0, 1, 2].map((c) => Math.abs(one.data[k + c] - other.data[k + c])));
    if (off <= most) continue;
    const x = (k / 4) % one.width, y = Math.floor(k / 4 / one.width);
    count++;
    box = [Math.min(box[0], x), Math.min(box[1], y), Math.max(box[2], x), Math.max(box[3], y)];
  }
  return { share: count / (one.data.length / 4), words: count + " pixels, within " + box.join(" ") + " of " + one.width + " x " + one.height };
}, [first, second, far]);

export async function testPictures({ test, check, openPage, lab, kept, folder }) {
  const accepts = process.env.SCREE_ACCEPT_PICTURES === "1", made = await openPage(1280, 800, { bypassCSP: true }), tools = await openPage(100, 100);
  mkdirSync(folder + "/pictures", { recursive: true });
  if (accepts) mkdirSync(kept, { recursive: true });
  await made.goto(lab.url + "#paused");
  await made.waitForFunction(() => window.lab && window.lab.status && window.lab.cloud.bodies > 0);
  await made.addStyleTag({ content: "@font-face { font-family: Boxes; src: url(data:font/ttf;base64," + boxFont().toString("base64") + "); }\n"
    + "* { font-family: Boxes !important; caret-color: transparent !important; }\n" + CHANGING });
  await made.evaluate(() => document.fonts.load("16px Boxes"));

  async function show([, scene, open]) {
    await made.evaluate((text) => {
      const { lab } = window;
      if (document.getElementById("page").open) document.getElementById("page").close();
      document.documentElement.dataset.theme = "light";
      document.getElementById("panel").scrollTop = 0;
      for (const part of document.querySelectorAll("#panel details")) part.open = !/guide-scenes|runs/.test(part.id);
      if (!document.getElementById("editor").hidden) lab.editor.show(false);
      lab.hand.choose("look");
      lab.setColour("size"); // the range of speeds depends on when frames are taken
      lab.before = lab.stage && lab.stage.epoch;
      lab.link.send("threads", [1]);
      lab.link.send("method", [], [], "flat");
      lab.link.send("scene", [], [], text);
    }, scene);
    await made.waitForFunction(() => window.lab.stage.epoch !== window.lab.before && window.lab.status.epoch === window.lab.stage.epoch);
    await made.evaluate((count) => window.lab.link.send("step", [count]), STEPS);
    await made.waitForFunction((count) => window.lab.status.steps === count && window.lab.cloud.steps === count, STEPS);
    await made.evaluate(open);
    await made.waitForFunction(() => [...document.images].every((image) => image.complete));
  }

  for (const view of VIEWS)
    await test("the view \"" + view[0] + "\" looks as the kept pictures", async () => {
      await show(view);
      const wrong = [];
      for (const [size, width, height] of SIZES) {
        await made.setViewportSize({ width, height });
        await made.evaluate(async () => {
          const pictures = () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
          if (document.activeElement) document.activeElement.blur();
          await pictures();
          window.lab.fit();
          await pictures();
          window.lab.paint(true);
          await pictures();
        });
        const name = view[0] + "-" + size + ".png", small = await shrink(tools, await made.screenshot(), size === "phone" ? KEPT_WIDTH_PHONE : KEPT_WIDTH);
        writeFileSync(folder + "/pictures/" + name, Buffer.from(small, "base64"));
        if (accepts) writeFileSync(kept + "/" + name, Buffer.from(small, "base64"));
        if (!existsSync(kept + "/" + name)) { wrong.push(name + " is not kept"); continue; }
        const { share, words } = await compare(tools, small, readFileSync(kept + "/" + name).toString("base64"), FAR);
        if (process.env.SCREE_PICTURES_TELL) console.log(name + ": " + words);
        if (share > SHARE) wrong.push(name + ": " + words);
      }
      await made.setViewportSize({ width: 1280, height: 800 });
      check(wrong.length === 0, wrong.join("; ") + "; they are in " + folder + "/pictures");
    });
  await made.close();
  await tools.close();
}
