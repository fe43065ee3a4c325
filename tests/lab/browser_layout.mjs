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
