// What detection does, drawn over the bodies, in a real browser. Part of browser.mjs.

// discs in a row: the first two touch, the third is within the margin, the fourth is far
const ROW = `
domain { dimensions = 2 }
stone = material { density = 2500, young = 1e5 }
for _, x in ipairs { 0, 0.019, 0.041, 0.2 } do
    body { shape = sphere { radius = 0.01 }, material = stone, position = {x, 0} }
end
solver { dt = 1e-6 }
margin { kind = "skin", length = 0.002 }
run { time = 1, title = "a row" }`;

export async function testInside({ page, test, check, opened, until, folder }) {
  const openRow = async (which) => {
    await which.evaluate((text) => window.lab.link.send("scene", [], [], text), ROW);
    await opened("a row", which);
    await which.click("#step");
    await which.waitForFunction(() => window.lab.status.steps === 1 && window.lab.cloud.steps === 1);
  };
  // the colour half-way between two bodies, by slots: of pixels there that which differs most from the ground
  const between = (which, a, b) => which.evaluate(([i, j]) => {
    const { lab } = window, from = document.getElementById("view"), copy = document.createElement("canvas");
    lab.paint(true);
    copy.width = from.width; copy.height = from.height;
    const pen = copy.getContext("2d"), scale = from.width / from.clientWidth, p = lab.hand.where(i), q = lab.hand.where(j);
    pen.drawImage(from, 0, 0);
    const [x, y] = lab.camera.project(p.map((one, k) => one + 0.5 * (q[k] - one)), from.clientWidth, from.clientHeight);
    const rows = pen.getImageData(Math.round(x * scale) - 1, Math.round(y * scale) - 1, 3, 3).data, ground = pen.getImageData(2, 2, 1, 1).data;
    let most = [...ground.slice(0, 3)], least = -1;
    for (let k = 0; k < rows.length; k += 4) {
      const apart = Math.abs(rows[k] - ground[0]) + Math.abs(rows[k + 1] - ground[1]) + Math.abs(rows[k + 2] - ground[2]);
      if (apart > least) { most = [...rows.slice(k, k + 3)]; least = apart; }
    }
    return most;
  }, [a, b]);

  await test("candidate pairs are drawn, and those that touch", async () => {
    await openRow(page);
    await page.evaluate(() => window.lab.fit());
    await page.locator("#show-pairs").check();
    await until(() => window.lab.view.overlay && window.lab.view.overlay.kinds[6] === 2);
    check(await page.evaluate(() => window.lab.view.overlay.touching) === 1, "others touch");
    await until(() => document.getElementById("structure-text").textContent === "2 candidate pairs, 1 of which touch");
    check(await page.evaluate(() => window.lab.status.candidates) === 2, "the status has another number");
    await page.locator("#show-bodies").uncheck();
    const touching = await between(page, 0, 1), apart = await between(page, 1, 2), far = await between(page, 2, 3);
    check(touching[0] - touching[2] > 60, "those that touch are " + touching);
    check(Math.abs(apart[0] - apart[2]) < 60 && Math.abs(apart[0] - far[0]) > 20, "those that do not are " + apart + " on " + far);
    await page.screenshot({ path: folder + "/pairs.png" });
    await page.locator("#show-bodies").check();
    await page.locator("#show-pairs").uncheck();
    await until(() => window.lab.view.overlay.pieceCount === 0);
  });

  await test("bodies are coloured by what is tested for them", async () => {
    await page.selectOption("#colour", "work");
    await until(() => window.lab.cloud.field === 4 && window.lab.cloud.upper === 2);
    const colours = await page.evaluate(() => [...window.lab.cloud.colour.slice(0, 4)]);
    check(colours.join() === "128,255,128,0", colours.join());
    await until(() => document.getElementById("bar-name").textContent === "candidates");
    // after a body was removed there is no list that is valid, until the next step
    await page.evaluate(() => window.lab.link.send("delete", [1, window.lab.cloud.number[1]]));
    await until(() => window.lab.cloud.bodies === 3 && window.lab.cloud.colour.slice(0, 4).every((value) => value === 0));
    await page.click("#step");
    await page.selectOption("#colour", "auto");
  });
}
