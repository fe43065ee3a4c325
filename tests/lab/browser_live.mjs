// Scenes that are edited while they run: what takes effect at once, what restarts, and the pages of the methods. Part of browser.mjs.

const scene = ({ gravity = -9.81, friction = 0.3, rate = 2, count = 40, tail = "" }) => `
rate = param("rate", ${rate}, "rad/s")
gravity { 0, 0, ${gravity} }
g = material { density = 2500, young = 1e6, restitution = 0.3, friction = ${friction} }
wall { shape = cylinder { from = {0, 0, 0}, to = {0, 0.3, 0}, radius = 0.2 }, material = g, motion = spin { rate = rate, centre = {0, 0, 0}, axis = {0, 1, 0} } }
fill { count = ${count}, shape = sphere { radius = 0.015 }, material = g, region = cylinder { from = {0, 0.02, 0}, to = {0, 0.28, 0}, radius = 0.15 } }
solver { dt = 1e-4 }
run { time = 100, title = "edited" }
${tail}`;

export async function testLive({ page, test, check, until, opened }) {
  // the text is run; gives the note about it, and the state after it
  async function run(text, begin) {
    await page.evaluate(() => { document.getElementById("note").hidden = true; document.getElementById("note").textContent = ""; });
    await page.fill("#text", text);
    await page.click("#editor-run");
    await until((words) => !document.getElementById("note").hidden && document.getElementById("note").textContent.startsWith(words), begin);
    await until(() => window.lab.status.epoch === window.lab.stage.epoch && window.lab.cloud.epoch === window.lab.stage.epoch);
    return page.evaluate(() => ({ words: document.getElementById("note").textContent, steps: window.lab.status.steps, turn: window.lab.camera.turn, gravity: window.lab.status.physics.gravity[2], friction: window.lab.status.physics.friction, bodies: window.lab.status.bodies }));
  }

  await page.evaluate(() => { window.lab.link.send("play", [0]); window.lab.editor.show(true); });
  await page.fill("#text", scene({}));
  await page.click("#editor-run");
  await opened("edited");
  await page.evaluate(() => { window.lab.link.send("step", [200]); window.lab.camera.turn = 1.25; });
  await until(() => window.lab.status.steps === 200);

  await test("gravity, friction and the motion of a wall change without a restart", async () => {
    const now = await run(scene({ gravity: -1.62, friction: 0.7, rate: 5 }), "In effect");
    for (const part of ["gravity {0, 0, -9.81}", "is now {0, 0, -1.62}", "friction of the material of line 4 0.3 is now 0.7", "motion of the wall of line 5"])
      check(now.words.includes(part), "\"" + part + "\" is not in: " + now.words);
    check(now.steps === 200 && now.gravity === -1.62 && now.friction === 0.7, JSON.stringify(now));
    check(now.turn === 1.25, "the camera has moved");
    // and the drum turns with the new rate
    await page.evaluate(() => window.lab.link.send("step", [1000]));
    await until(() => window.lab.cloud.steps === 1200);
    const turned = await page.evaluate(() => 2 * Math.atan2(Math.abs(window.lab.cloud.poses[5]), Math.abs(window.lab.cloud.poses[3])));
    check(Math.abs(turned - (200 * 2e-4 + 1000 * 5e-4)) < 0.01, "it has turned by " + turned);
  });

  await test("what cannot change while it runs restarts the scene, and the camera stays", async () => {
    const now = await run(scene({ gravity: -1.62, count: 30 }), "Restarted");
    check(/fill "fill1", line 6: count/.test(now.words), now.words);
    check(now.steps === 0 && now.bodies === 30 && now.turn === 1.25, JSON.stringify(now));
    const again = await run(scene({ gravity: -1.62, count: 30 }), "Restarted: the scene is as it was");
    check(again.steps === 0 && again.turn === 1.25, JSON.stringify(again));
  });

  await test("a parameter that can change takes effect without a restart", async () => {
    await page.evaluate(() => { window.lab.link.send("step", [50]); window.lab.editor.show(false); });
    await until(() => window.lab.status.steps === 50);
    await page.locator("input[aria-label=rate]").fill("3");
    await page.keyboard.press("Enter");
    await until(() => document.getElementById("note").textContent.startsWith("In effect without a restart: motion of the wall"));
    check(await page.evaluate(() => window.lab.status.steps) === 50, "it has restarted");
    // it is kept when the text is edited
    await page.evaluate(() => window.lab.editor.show(true));
    const now = await run(scene({ gravity: -3, count: 30 }), "In effect");
    check(!now.words.includes("motion") && await page.inputValue("input[aria-label=rate]") === "3", now.words);
  });

  await test("a mistake in an edited scene changes nothing", async () => {
    await page.fill("#text", scene({ tail: "gravty { 0, 0, -1 }" }));
    await page.click("#editor-run");
    await until(() => document.getElementById("editor-error").textContent.includes("gravty"));
    const now = await page.evaluate(() => [window.lab.status.steps, window.lab.status.physics.gravity[2], window.lab.status.bodies]);
    check(now.join() === "50,-3,30", now.join());
    await page.evaluate(() => window.lab.editor.show(false));
  });

  await test("each method has a page", async () => {
    for (const [method, title] of [["dess2", "double-ended"], ["flat", "flat"], ["auto", "auto"]]) {
      await page.selectOption("#method", method);
      await until((wanted) => window.lab.status.method === wanted, method);
      await page.click("#method-page");
      await until((wanted) => document.getElementById("page").open && document.querySelector("#page h1").textContent.includes(wanted), title);
      check(await page.locator("#page table").count() > 0 && (await page.textContent("#page")).includes("Source"), method + ": the page is not whole");
      check(await page.evaluate(() => [...document.querySelectorAll("#page img")].every((image) => image.complete && image.naturalWidth > 0)), method + ": no drawing");
      await page.keyboard.press("Escape");
      await until(() => !document.getElementById("page").open);
    }
    // every method of the list, and links between pages
    const files = await page.evaluate(async () => {
      const { panel } = window.lab;
      return Promise.all(Object.keys(panel.methods).map((name) => panel.pages.fileOf(name)));
    });
    check(files.length > 20 && files.every((file) => /^[a-z0-9-]+\.md$/.test(file)), files.join());
    await page.evaluate(() => window.lab.panel.pages.openMethod("dess"));
    await page.locator("#page a", { hasText: "Spatial sorting" }).click();
    await until(() => document.querySelector("#page h1").textContent.includes("spatial-sort"));
    await page.click("#page-close");
    check(!(await page.evaluate(() => document.getElementById("page").open)), "it does not close");
  });

  await test("methods race side by side, each with its page", async () => {
    await page.click("#race");
    await until(() => document.querySelectorAll("#times button").length > 15);
    check(/(\d+) of \1 methods find the same/.test(await page.textContent("#times")), await page.textContent("#times .sum"));
    await page.locator("#times button", { hasText: "bvh8" }).click();
    await until(() => document.getElementById("page").open && document.querySelector("#page h1").textContent.includes("bvh8"));
    await page.click("#page-close");
  });
}
