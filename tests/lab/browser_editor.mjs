// The editor of scenes in a real browser: completion, help and errors. Part of browser.mjs.

export async function testEditor({ page, test, check, until, opened, folder }) {
  const list = () => page.evaluate(() => [...document.querySelectorAll("#completion:not([hidden]) li")].map((row) => row.firstChild.textContent));
  const text = () => page.inputValue("#text");
  // writes anew, with the caret at the end
  const write = async (words) => {
    await page.fill("#text", "");
    await page.locator("#text").focus();
    await page.keyboard.insertText(words);
  };
  const suggest = (words) => page.evaluate(async (written) => {
    const at = written.indexOf("|"), { words: known } = window.lab.editor.completion;
    return known.suggest(written.replace("|", ""), at).list.map((one) => one.word);
  }, words);

  await test("the editor knows the language from the reference", async () => {
    await page.click("#edit");
    const known = await page.evaluate(() => Object.keys(window.lab.editor.completion.words.functions));
    for (const name of ["material", "fill", "wall", "solver", "run", "stage", "param"]) check(known.includes(name), "it does not know " + name);
    check(known.length > 60, "only " + known.length + " functions");
    const fields = await page.evaluate(() => window.lab.editor.completion.words.functions.material.fields);
    check(fields.density.range === "above 0; kg/m^3" && fields.density.standard === "2500", JSON.stringify(fields.density));
  });

  await test("with the editor open the view keeps half of the window", async () => {
    for (const [width, height] of [[800, 600], [1280, 800], [2560, 1440]]) {
      await page.setViewportSize({ width, height });
      await page.evaluate(() => { window.lab.editor.show(false); window.lab.editor.show(true); });
      const box = await page.locator("#view").boundingBox();
      check(box.width >= 0.5 * width, box.width + " of " + width);
      check(await page.isVisible("#panel") === (width === 2560), "the panel at " + width);
    }
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.evaluate(() => window.lab.editor.show(false));
    check(await page.isVisible("#panel"), "the panel does not come back");
    await page.click("#edit");
  });

  await test("functions, fields, words and variables are suggested where they belong", async () => {
    const has = async (words, wanted, unwanted = []) => {
      const found = await suggest(words);
      for (const one of wanted) check(found.includes(one), words + " does not suggest " + one + ": " + found.slice(0, 9));
      for (const one of unwanted) check(!found.includes(one), words + " suggests " + one);
    };
    await has("ma|", ["material", "math"], ["density"]);
    await has("g = material { den|", ["density"], ["density_", "dt"]);
    await has("material { density = 2, |", ["young", "friction"], ["fill"]);
    await has("grain = material { }\nwall { shape = plane { }, material = gr|", ["grain"], ["gravity_"]);
    await has("fill { shape = sphere { ra|", ["radius"], ["rate"]);
    await has("fill { shape = sphere { radius = uni|", ["uniform"]);
    await has('solver { integrator = "ver|', ["verlet"], ["material"]);
    await has("-- solver { in|", [], ["integrator"]);
    await has("--[[ solver {\n in|", [], ["integrator"]);
    await has('print("{ den|', [], ["density"]);
    await has("wall { shape = plane { }, |", ["motion", "material"], ["normal_"]);
    await has("fill { region = box { lower = {0, 0, 0}, up|", ["upper"]);
    await has("fo|r k = 1, 2 do end", ["for"]);
  });

  await test("what is suggested is taken by Tab, by Enter when chosen, and by the mouse", async () => {
    await write("g = mate");
    await until(() => !document.getElementById("completion").hidden);
    check((await list())[0] === "material", String(await list()));
    await page.keyboard.press("Tab");
    check(await text() === "g = material", await text());
    check((await list()).length === 0, "the list is still open");
    await page.keyboard.insertText(" { fric");
    await until(() => !document.getElementById("completion").hidden);
    await page.keyboard.press("ArrowDown");
    check(await page.getAttribute("#text", "aria-activedescendant") === "completion-0", "it is not announced");
    await until(() => document.getElementById("caret-help").textContent.includes("Coulomb"));
    await page.screenshot({ path: folder + "/completion.png" });
    await page.keyboard.press("Enter");
    check(await text() === "g = material { friction", await text());
    // Enter is a new line where nothing was chosen, and Escape closes the list alone
    await page.keyboard.insertText(" = 0.5, den");
    await until(() => !document.getElementById("completion").hidden);
    await page.keyboard.press("Enter");
    check((await text()).endsWith("den\n"), await text());
    await page.keyboard.insertText("young");
    await page.keyboard.press("Backspace");
    await until(() => !document.getElementById("completion").hidden);
    await page.keyboard.press("Escape");
    check((await list()).length === 0 && await page.isVisible("#editor"), "Escape closes something else");
    await write("fill { sha");
    await until(() => !document.getElementById("completion").hidden);
    await page.click("#completion li >> nth=0");
    check(await text() === "fill { shape" && await page.evaluate(() => document.activeElement.id) === "text", await text());
    // where nothing has been begun it opens on demand
    await write("solver { ");
    check((await list()).length === 0, "it opens by itself");
    await page.keyboard.press("Control+Space");
    check((await list()).length === 8, String(await list()));
    await page.keyboard.press("Escape");
  });

  await test("a word under the mouse, and at the caret, is explained", async () => {
    await write("-- friction\ng = material {\n\tfriction = 0.5 }\nsolver { integrator = \"verlet\" }\n");
    const over = (row, column) => page.evaluate(([y, x]) => {
      const area = document.getElementById("text"), made = window.lab.editor.completion, box = area.getBoundingClientRect();
      return [box.left + parseFloat(getComputedStyle(area).paddingLeft) + (x + 0.5) * made.letter(), box.top + 8 + (y + 0.5) * 19];
    }, [row, column]);
    await page.mouse.move(...await over(2, 6)); // after a tab
    await until(() => !document.getElementById("word-help").hidden);
    check((await page.textContent("#word-help")).startsWith("material { friction }number; 0 or more; default 0.5. Coulomb"), await page.textContent("#word-help"));
    await page.mouse.move(...await over(3, 2));
    await until(() => document.getElementById("word-help").textContent.startsWith("solver"));
    await page.mouse.move(...await over(3, 25));
    await until(() => document.getElementById("word-help").textContent.startsWith("solver { integrator }"));
    await page.mouse.move(...await over(0, 5));
    await until(() => document.getElementById("word-help").hidden);
    await page.evaluate(() => document.getElementById("text").setSelectionRange(18, 18));
    await until(() => document.getElementById("caret-help").textContent.startsWith("material: "));
  });

  await test("mistakes are shown at their line, wherever it is", async () => {
    const lines = Array.from({ length: 120 }, (_, k) => "-- " + (k + 1));
    lines[89] = "material { densty = 3 }";
    await write(lines.join("\n"));
    await page.keyboard.press("Escape");
    if (!(await page.isVisible("#editor"))) await page.click("#edit");
    await page.click("#editor-run");
    await until(() => document.querySelector("#lines .bad"));
    check(await page.textContent("#lines .bad") === "90", "line " + await page.textContent("#lines .bad"));
    check((await page.textContent("#editor-error")).includes("density"), await page.textContent("#editor-error"));
    check(await page.evaluate(() => { const { scrollTop, clientHeight } = document.getElementById("text"); return 89 * 19 >= scrollTop && 89 * 19 <= scrollTop + clientHeight; }), "the line is not in sight");
    await write("gravity { 0, 0, -9.81 ");
    await page.keyboard.press("Control+Enter");
    await until(() => document.getElementById("editor-error").textContent !== "" && !document.getElementById("editor-error").textContent.includes("densty"));
    check(await page.locator("#lines .bad").count() === 1, "a mistake of grammar has no line: " + await page.textContent("#editor-error"));
    await page.evaluate(() => window.lab.editor.show(false));
    await page.evaluate(() => window.lab.openExample(window.lab.panel.examples.findIndex((one) => one.name === "marbles")));
    await opened("marbles on a chute");
  });
}
