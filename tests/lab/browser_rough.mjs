// What is wrong or rough: links made by hand, values that are too large, scripts without an end, a lost connection; the page says so, and
// the scene continues. And how what the colours show is distributed. Part of browser.mjs.

export async function testRough({ IS_SITE, page, test, check, until, openPage, startLab, complaintsOf, lab, folder, readText }) {
  const state = () => page.evaluate(() => ({ bodies: window.lab.status.bodies, steps: window.lab.status.steps, title: window.lab.stage.title }));

  await test("bars show how sizes and speeds are distributed, and are saved", async () => {
    await page.evaluate(() => { window.lab.link.send("scene", [], [], `
g = material { density = 2500, young = 1e6 }
for k = 0, 9 do body { shape = sphere { radius = k < 3 and 0.01 or 0.02 }, material = g, position = { 0.1 * k, 0, 0 }, velocity = { 0, 0, k } } end
solver { dt = 1e-5 }
run { time = 1, title = "two sizes" }`); window.lab.setColour("size"); });
    await until(() => window.lab.stage.title === "two sizes" && window.lab.cloud.bodies === 10 && window.lab.cloud.epoch === window.lab.stage.epoch);
    await until(() => { const { counts, by } = window.lab.histogram; return by === "size" && counts[0] === 3 && counts[31] === 7; });
    const [download] = await Promise.all([page.waitForEvent("download"), page.evaluate(() => document.getElementById("histogram-csv").click())]);
    await download.saveAs(folder + "/bars.csv");
    const rows = readText(folder + "/bars.csv").trim().split("\n").slice(1).map((line) => line.split(",").map(Number));
    check(rows.length === 32 && Math.abs(rows[0][0] - 0.01) < 1e-6 && rows[0][2] === 3 && rows[31][2] === 7 && Math.abs(rows[31][1] - 0.02) < 1e-6, JSON.stringify([rows[0], rows[31]]));
    // what is hidden does not count, and numbers have no distribution
    await page.evaluate(() => { document.getElementById("size-low").value = 0.5; window.lab.sendFilter(); });
    await until(() => window.lab.histogram.counts[0] === 0 && window.lab.histogram.counts[31] === 7);
    await page.evaluate(() => { window.lab.clearFilter(); window.lab.setColour("id"); });
    await until(() => window.lab.histogram.by === "id" && window.lab.histogram.counts.every((count) => count === 0));
    await page.evaluate(() => { window.lab.link.send("step", [2]); window.lab.setColour("speed"); });
    await until(() => window.lab.histogram.by === "speed" && window.lab.histogram.counts.reduce((sum, count) => sum + count, 0) === 10 && window.lab.histogram.counts.filter((count) => count > 0).length === 10);
  });

  await test("values that are too large are refused, and the scene continues", async () => {
    const before = await state();
    for (const [text, words] of [
      ["g = material { density = 1, young = 1e6 }\nfill { count = 1e7, material = g, shape = sphere { radius = 1 }, region = box { lower = {0, 0, 0}, upper = {1e9, 1e9, 1e9} } }\nrun { time = 1 }", "the lab takes at most"],
      ["while true do end", "instructions"],
      ["x = string.rep('x', 2^40)", "scene:1"],
      ["gravity { 0, 0, 1/0 }\nrun { time = 1 }", "scene:1"],
      ["", "empty"],
    ]) {
      await page.evaluate(() => { document.getElementById("editor-error").textContent = ""; window.lab.editor.show(true); });
      await page.fill("#text", text);
      await page.click("#editor-run");
      // an empty text is the present scene
      if (text) await until((wanted) => document.getElementById("editor-error").textContent.includes(wanted), words)
        .catch(async () => { throw new Error(text.slice(0, 20) + ": " + await page.textContent("#editor-error") + await page.textContent("#note")); });
      else await until(() => document.getElementById("note").textContent.startsWith("Restarted"));
      const now = await state();
      if (text) check(JSON.stringify(now) === JSON.stringify(before), text.slice(0, 20) + ": " + JSON.stringify(now));
    }
    await page.evaluate(() => window.lab.editor.show(false));
  });

  await test("links that were made by hand do no harm", async () => {
    const made = await openPage(1000, 700), url = IS_SITE ? lab.url : (await startLab(["--paused", "--threads", "1"]).then((served) => { made.served = served; return served.url; }));
    // below the view, or, of a line of the scene, below its text
    const say = (words) => made.waitForFunction((wanted) => window.lab && ["note", "editor-error"].some((id) => {
      const box = document.getElementById(id);
      return box.checkVisibility() && box.textContent.includes(wanted);
    }), words);
    for (const [hash, words] of [["#scene=%00%ff&paused", "names a scene that is not here"], ["#scene=drum&nonsense=1e15&paused", "no parameter \"nonsense\""], ["#scene=tumbler&grains=1e15&paused", "fill: count"]]) {
      await made.goto("about:blank");
      await made.goto(url + hash);
      await say(words).catch(async (error) => { throw new Error(hash + ": " + await made.textContent("#note") + ": " + error.message); });
    }
    for (const hash of ["#" + "x=1&".repeat(3000) + "paused", "#&&==&scene", "#scene=drum&a=NaN&b=<script>&paused"]) {
      await made.goto("about:blank");
      await made.goto(url + hash);
      await made.waitForFunction(() => window.lab && window.lab.status && window.lab.cloud.bodies > 0);
    }
    await made.close();
    if (made.served) made.served.child.kill("SIGTERM");
  });

  if (IS_SITE) return;

  await test("a connection that is lost is said, and taken up again", async () => {
    const served = await startLab(["--paused", "--threads", "1"]), made = await openPage(1000, 700), port = new URL(served.url).port;
    await made.goto(served.url);
    await made.waitForFunction(() => window.lab && window.lab.status && window.lab.cloud.bodies > 0);
    const bodies = await made.evaluate(() => window.lab.cloud.bodies);
    let next = null;
    const complaints = await complaintsOf(async () => {
      served.child.kill("SIGKILL");
      await made.waitForFunction(() => !document.getElementById("note").hidden && document.getElementById("note").textContent.includes("does not answer"));
      // the bodies are still there, and what is pressed does no harm
      await made.keyboard.press(" ");
      await made.keyboard.press(".");
      check(await made.evaluate(() => window.lab.cloud.bodies) === bodies, "the bodies are gone");
      next = await startLab(["--paused", "--threads", "1", "--port", port]);
      await made.waitForFunction(() => document.getElementById("note").hidden && window.lab.link.socket.readyState === WebSocket.OPEN);
    });
    check(complaints.every((words) => /WebSocket|ERR_CONNECTION/.test(words)), complaints.join(" | "));
    await made.evaluate(() => window.lab.link.send("step", [3]));
    await made.waitForFunction(() => window.lab.status.steps === 3 && window.lab.cloud.steps === 3);
    await made.close();
    next.child.kill("SIGTERM");
  });
}
