// Layouts at several window sizes, and what someone does who sees the page for the first time. Part of browser.mjs.

import { statSync } from "node:fs";

const SIZES = [["a small window", 800, 600], ["a usual window", 1280, 800], ["a large window", 2560, 1440], ["a telephone", 390, 780]];

export async function testLayouts({ page, test, check, folder }) {
  const boxes = (selector) => page.evaluate((wanted) => [...document.querySelectorAll(wanted)].filter((one) => one.checkVisibility() && one.getBoundingClientRect().width > 0)
    .map((one) => { const { left, right, top, bottom } = one.getBoundingClientRect(); return { name: one.id || one.dataset.tool || one.className, left, right, top, bottom }; }), selector);
  const overlap = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1;
  function apart(list, where) {
    list.forEach((a, k) => list.slice(k + 1).forEach((b) => check(!overlap(a, b), where + ": " + a.name + " covers " + b.name)));
  }

  for (const [name, width, height] of SIZES) {
    await test("in " + name + " every button is there, and none covers another", async () => {
      await page.setViewportSize({ width, height });
      await page.evaluate(() => { window.lab.hand.choose("wall"); window.lab.fit(); });
      check(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "the page is wider than the window");
      const list = await boxes("header button, header input");
      check(list.length === 19, list.length + " controls: " + list.map((one) => one.name));
      for (const one of list) check(one.left >= 0 && one.right <= width && one.top >= 0 && one.bottom <= height, one.name + " is outside");
      apart(list, name);
      await page.screenshot({ path: folder + "/size-" + width + ".png" });
    });

    await test("in " + name + " the view is large, and its words are apart", async () => {
      const [view] = await boxes("#view"), [panel] = await boxes("#panel");
      check((view.right - view.left) >= 0.5 * width && (view.bottom - view.top) >= 0.4 * height, "the view is " + (view.right - view.left) + " by " + (view.bottom - view.top));
      check(panel && panel.right <= width + 1 && panel.bottom <= height + 1 && !overlap(view, panel), "the panel covers the view");
      const words = await boxes("#title, #tool-hint, #told, #legend");
      check(words.length === 4, words.map((one) => one.name).join());
      apart(words, name);
      for (const one of words) check(one.left >= view.left && one.right <= view.right + 1 && one.top >= view.top && one.bottom <= view.bottom, one.name + " is outside of the view");
    });
  }
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.evaluate(() => window.lab.hand.choose("look"));

  await test("without a graphics card there are no smooth edges, which would take the time of a picture", async () => {
    const told = await page.evaluate(() => {
      const { gl } = window.lab.view, info = gl.getExtension("WEBGL_debug_renderer_info");
      return [info ? gl.getParameter(info.UNMASKED_RENDERER_WEBGL) : "", gl.getContextAttributes().antialias];
    });
    const isSoftware = /swiftshader|llvmpipe|software/i.test(told[0]);
    check(told[1] === !isSoftware, "drawn by " + told[0] + (told[1] ? " with" : " without") + " smooth edges");
  });

  const isQuick = await page.evaluate(() => Boolean(window.lab.view.quick));
  for (const [name, text] of [
    ["spheres", "for i = 0, 5 do for j = 0, 5 do for k = 0, 3 do body { shape = sphere { radius = 0.3 + 0.03 * i }, material = g, position = { i, j, k } } end end end"],
    ["discs", "domain { dimensions = 2 } for i = 0, 9 do for j = 0, 9 do body { shape = sphere { radius = 0.3 + 0.015 * i }, material = g, position = { i, j } } end end"],
  ]) if (isQuick) await test(name + " without a graphics card look as with one", async () => {
    await page.evaluate((scene) => { window.lab.setColour("id"); window.lab.link.send("scene", [], [], scene); }, "g = material { density = 1, young = 1e6 }\n" + text + "\nrun { time = 1, title = \"quick " + name + "\" }");
    await page.waitForFunction((title) => window.lab.stage.title === title && window.lab.cloud.epoch === window.lab.stage.epoch && window.lab.cloud.bodies >= 100, "quick " + name);
    const told = await page.evaluate(() => {
      const { lab } = window, { view, cloud } = lab, { gl, quick } = view;
      const pixels = () => {
        view.upload(cloud);
        view.draw(cloud, false);
        const rows = new Uint8Array(4 * gl.drawingBufferWidth * gl.drawingBufferHeight);
        gl.readPixels(0, 0, gl.drawingBufferWidth, gl.drawingBufferHeight, gl.RGBA, gl.UNSIGNED_BYTE, rows);
        return rows;
      };
      lab.fit();
      lab.paint(true);
      const one = pixels(), spheres = view.bodies.drawn.spheres;
      view.quick = null;
      const other = pixels();
      view.quick = quick;
      lab.isNew = true;
      lab.paint(true);
      let off = 0, painted = 0;
      for (let k = 0; k < one.length; k += 4) {
        const far = (a, b, from, at) => [0, 1, 2].some((c) => Math.abs(a[from + c] - b[at + c]) > 30);
        if (far(other, other, k, 0)) painted++;
        if (far(one, other, k, k)) off++;
      }
      return { off, painted, spheres, bodies: cloud.bodies };
    });
    check(told.spheres === told.bodies && told.painted > 20000 && told.off < 0.03 * told.painted, JSON.stringify(told));
  });

  await test("where a picture takes too long, there are fewer pixels while something moves, and all of them afterwards", async () => {
    const width = () => page.evaluate(() => { const { canvas } = window.lab.view; return canvas.width / Math.round(canvas.clientWidth * Math.min(devicePixelRatio, 2)); });
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 400)));
    check(await width() === 1, "fewer pixels at rest");
    // what is measured is made up
    const [moving, saved] = await page.evaluate(() => {
      const { lab } = window, { canvas } = lab.view, whole = canvas.width;
      lab.pixels.level = 0;
      lab.pixels.took(300);
      lab.camera.distance *= 1.01;
      lab.camera.height *= 1.01;
      lab.paint();
      const share = canvas.width / whole;
      lab.paint(true);
      return [share, canvas.width / whole];
    });
    check(Math.abs(moving - 0.5) < 0.01, "while it moves a share of " + moving);
    check(saved === 1, "a picture that is saved has a share of " + saved);
    await page.evaluate(() => { window.lab.camera.distance *= 1.01; window.lab.camera.height *= 1.01; window.lab.paint(); });
    check(await width() < 0.6, "it moves again");
    await page.waitForFunction(() => window.lab.view.canvas.width === Math.round(window.lab.view.canvas.clientWidth * Math.min(devicePixelRatio, 2)));
    // and with time left there are more again
    const level = await page.evaluate(() => { const { pixels } = window.lab; for (let k = 0; k < 40; k++) pixels.took(5); return pixels.level; });
    check(level === 0, "level " + level);
  });
}

// by what can be seen alone: buttons, and words on them
export async function testFirstUse({ lab, test, check, openPage, folder }) {
  const made = await openPage(1280, 800);
  await made.goto(lab.url);
  await made.waitForFunction(() => window.lab && window.lab.status && window.lab.cloud.bodies > 0);
  const button = (words) => made.locator("button", { hasText: words }).and(made.locator(":visible")).first();
  const middle = async () => { const box = await made.locator("#view").boundingBox(); return [box.x + box.width / 2, box.y + box.height / 2]; };

  await test("each tool says how it is used, and Escape leaves it", async () => {
    for (const name of await made.locator("[data-tool]:not([data-tool=look])").allTextContents()) {
      await button(name).click();
      const hint = await made.textContent("#tool-hint");
      check(/press|drag/i.test(hint) && hint.endsWith("Esc: back to looking."), name + ": " + hint);
    }
    await made.locator("#view").focus();
    await made.keyboard.press("Escape");
    check(await made.getAttribute("[data-tool=look]", "aria-checked") === "true" && await made.textContent("#tool-hint") === "", "the tool is still chosen");
  });

  await test("a tower is built and knocked over", async () => {
    await made.click("#gallery button[data-name=tower]");
    await made.waitForFunction(() => window.lab.stage && window.lab.stage.example === "tower" && window.lab.status.epoch === window.lab.stage.epoch && window.lab.cloud.epoch === window.lab.stage.epoch && window.lab.status.bonds > 100);
    if (!(await made.evaluate(() => window.lab.status.plays))) await made.click("#play");
    await made.waitForFunction(() => window.lab.status.plays && window.lab.status.steps > 10);
    const bonds = await made.evaluate(() => window.lab.status.bonds);
    await button("explode").click();
    // where the tower is seen
    const at = await made.evaluate(() => {
      const { lab } = window, canvas = document.getElementById("view");
      let best = null;
      for (let i = 0; i < lab.cloud.slots; i++) {
        const seen = lab.camera.project(lab.hand.where(i), canvas.clientWidth, canvas.clientHeight), hit = seen && lab.hand.pick(lab.hand.ray(...seen)) === i;
        if (hit && (!best || seen[1] > best[1]) && lab.cloud.place[4 * i + 3] > 0) best = seen;
      }
      const box = canvas.getBoundingClientRect();
      return [best[0] + box.left, best[1] + box.top];
    });
    await made.mouse.click(...at);
    await made.waitForFunction((before) => window.lab.status.bonds < before, bonds);
    await made.screenshot({ path: folder + "/knocked.png" });
  });

  await test("the method is changed while bodies move", async () => {
    const steps = await made.evaluate(() => window.lab.status.steps);
    await made.selectOption("#method", "flat");
    await made.waitForFunction((before) => window.lab.status.method === "flat" && window.lab.status.plays && window.lab.status.steps > before, steps);
    check((await made.textContent("#method-text")).length > 10, "nothing is said about it");
    await button("undo").click();
    await made.waitForFunction(() => window.lab.status.undos === 0);
  });

  await test("a film is saved", async () => {
    await button("record").click();
    await made.waitForFunction(() => document.getElementById("film").textContent === "stop");
    await made.waitForTimeout(1200);
    const [download] = await Promise.all([made.waitForEvent("download"), button("stop").click()]);
    check(download.suggestedFilename() === "scree-lab.webm", download.suggestedFilename());
    await download.saveAs(folder + "/first.webm");
    check(statSync(folder + "/first.webm").size > 1000, "it is empty");
    await made.mouse.move(...await middle());
    await made.evaluate(() => window.lab.link.send("play", [0]));
    await made.close();
  });
}
