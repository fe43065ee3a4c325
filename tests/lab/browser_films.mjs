// Films of runs in a real browser: opened by scree lab RUN, or as a folder that is chosen in the page. Part of browser.mjs.

import { execFileSync, spawn, spawnSync } from "node:child_process";
import { copyFileSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";

const SCENE = `
g = material { density = 2500, young = 1e6, restitution = 0.3, friction = 0.4 }
gravity { 0, 0, -9.81 }
wall { shape = plane { }, material = g }
wall { shape = cylinder { from = {0, 0, 0}, to = {0, 0, 0.1}, radius = 0.06, open = {"from", "to"} }, material = g, motion = spin { rate = 5, centre = {0, 0, 0}, axis = {0, 0, 1} } }
fill { count = param("count", 60), shape = sphere { radius = uniform(0.003, 0.005) }, material = g, region = box { lower = {-0.03, -0.03, 0}, upper = {0.03, 0.03, 0.1} } }
fill { count = 5, shape = clump { pebbles = { {-0.004, 0, 0, 0.004}, {0.004, 0, 0, 0.004} } }, material = g, region = box { lower = {-0.03, -0.03, 0.1}, upper = {0.03, 0.03, 0.2} } }
output { every = 0.01, write = "csv" }
solver { dt = 2e-5 }
run { time = param("time", 0.2) }`;

// a frame of so many discs in a row, as common/film_format.h says; `speed` is that of all along x
function frame(time, count, speed = 1) {
  const bytes = Buffer.alloc(112 + 20 * count);
  bytes.write("scree-film 1", 0, "latin1");
  bytes.writeBigUInt64LE(BigInt(Math.round(1000 * time)), 16);
  bytes.writeBigUInt64LE(BigInt(count), 24);
  bytes.writeDoubleLE(time, 32);
  bytes.writeUInt32LE(2, 44);
  [0, 0, 0, 1, 1, 0, 0.05, speed].forEach((value, k) => bytes.writeDoubleLE(value, 48 + 8 * k));
  for (let i = 0; i < count; i++) {
    const at = 112 + 20 * i;
    bytes[at] = 1;
    bytes.writeUInt16LE(Math.round(65535 * (i + 0.5) / count), at + 1);
    bytes.writeUInt16LE(Math.round(65535 * Math.min(1, time)), at + 3);
    bytes.writeUInt16LE(65535, at + 7);
    bytes.writeInt16LE(32767, at + 9);
    bytes.writeInt8(127, at + 15);
    bytes[at + 19] = 1;
  }
  return bytes;
}

export async function testFilms({ IS_SITE, program, folder, lab, page, test, check, startLab, openPage, complaintsOf }) {
  const place = folder + "/runs";
  rmSync(place, { recursive: true, force: true });
  mkdirSync(place, { recursive: true });
  const at = (name) => place + "/" + name;

  // a run that was made up
  function make(name, frames, table) {
    mkdirSync(at(name) + "/film", { recursive: true });
    mkdirSync(at(name) + "/checkpoints", { recursive: true });
    writeFileSync(at(name) + "/run.json", '{\n  "state": "finished"\n}\n');
    writeFileSync(at(name) + "/scene.lua", "\n");
    frames.forEach((bytes, k) => writeFileSync(at(name) + "/film/frame-" + String(k).padStart(6, "0") + ".film", bytes));
    if (table) writeFileSync(at(name) + "/metrics.csv", table);
  }

  // a page that shows runs
  async function look(names, width = 1280, height = 800) {
    const served = await startLab(["--paused", "--threads", "1", ...names.map(at)]), made = await openPage(width, height);
    await made.goto(served.url);
    const end = async () => { await made.close(); served.child.kill("SIGTERM"); };
    return { made, end, url: served.url };
  }
  const isOpen = (made) => made.waitForFunction(() => window.lab && window.lab.player.isOn && window.lab.player.tracks.every((track) => track.shown));
  const numberShown = (made) => made.evaluate(() => window.lab.player.tracks[0].frames[window.lab.player.tracks[0].at(window.lab.player.time)].number);
  const waitNumber = (made, number) => made.waitForFunction((wanted) => window.lab.player.tracks[0].shownNumber === wanted, number);
  const told = (made, words) => made.waitForFunction((wanted) => !document.getElementById("note").hidden && document.getElementById("note").textContent.includes(wanted), words);

  make("line", [0, 0.25, 0.5, 0.75, 1].map((time) => frame(time, 10)), "step,time,kinetic,contacts\n0,0,1,0\n500,0.5,3,2\n1000,1,2,4\n1500,1.5,");

  await test("a folder that is chosen in the page is played", async () => {
    const made = await openPage(1280, 800);
    await made.goto(lab.url + "#paused");
    await made.waitForFunction(() => window.lab && window.lab.status && !document.getElementById("runs").hidden);
    await made.setInputFiles("#run-folder", at("line"));
    await isOpen(made);
    check(await made.textContent("#title") === "line", "it is called " + await made.textContent("#title"));
    check(await made.evaluate(() => window.lab.cloud.bodies) === 10 && await made.evaluate(() => window.lab.camera.dimensions) === 2, "other bodies");
    // discs of radius 0.05 in a row, as high as the time is late
    await made.evaluate(() => window.lab.player.seek(0.5));
    await waitNumber(made, 2);
    const y = await made.evaluate(() => window.lab.cloud.place[1] + window.lab.cloud.origin[1]);
    check(Math.abs(y - 0.5) < 1e-4, "it is at " + y);
    check(Math.abs(await made.evaluate(() => window.lab.cloud.place[3]) - 0.05) < 1e-6, "another radius");
    check(!(await made.evaluate(() => document.getElementById("run-curves").hidden)), "there are no curves");
    check(await made.evaluate(() => window.lab.player.curves.tables[0].get("time").length) === 3, "the row that is not complete is taken");
    check((await made.textContent("#note")).includes("there is no checkpoint in the folder"), "what is missing is not told");
    await made.keyboard.press(".");
    await waitNumber(made, 3);
    await made.keyboard.press(",");
    await waitNumber(made, 2);
    await made.screenshot({ path: folder + "/film-chosen.png" });
    await made.click("#film-close");
    await made.waitForFunction(() => !window.lab.player.isOn && window.lab.cloud.bodies > 0 && window.lab.stage.title === window.lab.scene.title);
    await made.close();
  });

  await test("a folder without a film is refused, and the scene stays", async () => {
    mkdirSync(at("other"), { recursive: true });
    writeFileSync(at("other") + "/notes.txt", "x");
    const made = await openPage(1000, 700);
    await made.goto(lab.url + "#paused");
    await made.waitForFunction(() => window.lab && window.lab.status && !document.getElementById("runs").hidden);
    await made.setInputFiles("#run-folder", at("other"));
    await told(made, "there is no film in it");
    check(!(await made.evaluate(() => window.lab.player.isOn)), "it is open");
    await made.close();
  });

  await test("frames that are damaged are left out, and said so", async () => {
    const cut = frame(0.5, 10), wild = frame(0.75, 10);
    wild.fill(255, 112); // a global id without an end
    make("hurt", [frame(0, 10), frame(0.25, 10), cut.subarray(0, 150), wild, Buffer.alloc(0), frame(1, 10)]);
    const made = await openPage(1000, 700);
    await made.goto(lab.url + "#paused");
    await made.waitForFunction(() => window.lab && window.lab.status && !document.getElementById("runs").hidden);
    await made.setInputFiles("#run-folder", at("hurt"));
    await isOpen(made);
    await told(made, "hurt: 2 of its frames are damaged");
    await made.evaluate(() => window.lab.player.seek(0.8));
    await told(made, "hurt: frame 3 cannot be shown: it ends after");
    await made.evaluate(() => window.lab.player.seek(1));
    await waitNumber(made, 5);
    check(await made.evaluate(() => document.getElementById("run-curves").hidden && !document.getElementById("run-no-curves").hidden), "curves without a table");
    await made.close();
  });

  if (IS_SITE) return;

  writeFileSync(at("scene.lua"), SCENE);
  const run = (name, settings) => execFileSync(program, ["run", at("scene.lua"), "--out", at(name), "--quiet", "--threads", "1", ...settings.flatMap((one) => ["--set", one])]);
  run("first", []);
  run("second", ["count=30", "time=0.3"]);

  await test("a folder that is chosen in the page has its meshes and shapes", async () => {
    const made = await openPage(1280, 800);
    await made.goto(lab.url + "#paused");
    await made.waitForFunction(() => window.lab && window.lab.status && !document.getElementById("runs").hidden);
    const steps = await made.evaluate(() => window.lab.status.steps);
    await made.setInputFiles("#run-folder", at("first"));
    await isOpen(made);
    const seen = await made.evaluate(async () => {
      await window.lab.player.seek(0.2);
      window.lab.paint(true);
      const { cloud, view } = window.lab;
      return { walls: view.walls.map((wall) => wall.isPlane), clumps: cloud.shape.slice(0, cloud.slots).filter((shape) => shape > 0).length, drawn: view.bodies.drawn.pebbles };
    });
    check(seen.walls.length === 2 && seen.walls.filter((isPlane) => isPlane).length === 1, "walls: " + seen.walls);
    check(seen.clumps === 5 && seen.drawn === 10, seen.clumps + " clumps of " + seen.drawn + " pebbles");
    await made.screenshot({ path: folder + "/film-chosen-shapes.png" });
    // the lab has read it for the page alone
    await made.click("#film-close");
    await made.waitForFunction((before) => !window.lab.player.isOn && window.lab.status.steps === before && window.lab.cloud.bodies > 0, steps);

    // a checkpoint that is damaged
    cpSync(at("first"), at("torn"), { recursive: true });
    for (const name of readdirSync(at("torn") + "/checkpoints")) writeFileSync(at("torn") + "/checkpoints/" + name, "no checkpoint");
    await made.setInputFiles("#run-folder", at("torn"));
    await told(made, "all bodies are shown as balls, as the newest checkpoint cannot be read");
    await isOpen(made);
    await made.close();
  });

  const one = await look(["first"]);
  await test("scree lab RUN opens the run", async () => {
    await isOpen(one.made);
    check(await one.made.textContent("#title") === "first", "no title");
    check(await one.made.evaluate(() => window.lab.player.tracks[0].frames.length) === 21, "not all frames");
    check(!(await one.made.isVisible(".tools")) && !(await one.made.isVisible("#parameters")), "it can be changed");
    check((await one.made.textContent("#figures")).includes("frame 1 of 21   65 bodies"), await one.made.textContent("#figures"));
  });

  await test("a film plays to its end, and from its beginning again", async () => {
    const { made } = one;
    await made.selectOption("#film-speed", "5");
    await made.keyboard.press("Space");
    await made.waitForFunction(() => window.lab.player.plays && window.lab.player.time > 0);
    await made.evaluate(() => window.lab.player.seek(0.19));
    await made.waitForFunction(() => !window.lab.player.plays && window.lab.player.time === window.lab.player.last);
    await waitNumber(made, 20);
    await made.click("#play");
    await made.waitForFunction(() => window.lab.player.plays && window.lab.player.time < 0.1);
    await made.click("#play");
    check(!(await made.evaluate(() => window.lab.player.plays)), "it still plays");
  });

  await test("the time slider, and steps to and fro", async () => {
    const { made } = one;
    await made.evaluate(() => { const slider = document.getElementById("film-time"); slider.value = 0.5; slider.dispatchEvent(new Event("input")); });
    await waitNumber(made, 10);
    await made.click("#film-on");
    await waitNumber(made, 11);
    await made.click("#film-back");
    await made.click("#film-back");
    await waitNumber(made, 9);
    await made.click("#reset");
    await waitNumber(made, 0);
    await made.keyboard.press(",");
    check(await numberShown(made) === 0, "there is something before the beginning");
  });

  await test("walls stand as they did, and bodies have their shapes", async () => {
    const { made } = one;
    const state = (time) => made.evaluate(async (when) => {
      await window.lab.player.seek(when);
      const { cloud, view } = window.lab;
      return { poses: [...cloud.poses], walls: view.walls.length, planes: view.walls.filter((wall) => wall.isPlane).length, shapes: cloud.shape.slice(0, cloud.slots).filter((shape) => shape > 0).length };
    }, time);
    const first = await state(0), last = await state(0.2);
    check(first.walls === 2 && first.planes === 1, first.walls + " walls, " + first.planes + " planes");
    check(first.shapes === 5, first.shapes + " clumps");
    // it turns about z
    const mesh = first.poses.length - 7 + 3;
    check(Math.abs(first.poses[mesh] - last.poses[mesh]) > 0.01 || Math.abs(first.poses[mesh + 3] - last.poses[mesh + 3]) > 0.01, "the drum has not turned");
    check(Math.abs(last.poses[mesh + 1]) < 1e-6 && Math.abs(last.poses[mesh + 2]) < 1e-6, "it has turned about another axis");
    await made.screenshot({ path: folder + "/film.png" });
  });

  await test("bodies stand where the run says they do", async () => {
    const { made } = one;
    const state = (name) => execFileSync(program, ["convert", name, "--to", "csv", "-o", at("state.csv")]) && readFileSync(at("state.csv"), "utf8").trim().split("\n");
    const last = readdirSync(at("first") + "/checkpoints").filter((name) => name.endsWith(".scree")).sort().pop();
    const rows = state(at("first") + "/checkpoints/" + last), names = rows[0].split(","), column = (name) => names.indexOf(name);
    await made.evaluate(() => window.lab.player.seek(0.2));
    await waitNumber(made, 20);
    const seen = await made.evaluate(() => { const { cloud } = window.lab; return Object.fromEntries(Array.from({ length: cloud.slots }, (_, i) => [cloud.number[i], [0, 1, 2].map((k) => cloud.place[4 * i + k] + cloud.origin[k])])); });
    check(rows.length === 66, rows.length + " rows: " + rows[0]);
    for (const row of rows.slice(1).map((text) => text.split(","))) {
      const here = seen[row[column("id")]], there = ["x", "y", "z"].map((name) => Number(row[column(name)]));
      check(here && here.every((x, k) => Math.abs(x - there[k]) < 1e-5), row[column("id")] + " is at " + here + ", not " + there);
    }
  });

  await test("a film is coloured by speed, size and number, not by forces", async () => {
    const { made } = one;
    for (const [name, shown] of [["speed", "speed"], ["size", "size"], ["id", "id"], ["force", "speed"], ["auto", "size"]]) {
      await made.selectOption("#colour", name);
      check(await made.evaluate(() => window.lab.view.by) === shown, name + " shows " + await made.evaluate(() => window.lab.view.by));
    }
    await made.selectOption("#colour", "speed");
    await made.evaluate(() => window.lab.player.seek(0.05));
    check(await made.evaluate(() => { const { cloud } = window.lab; return cloud.upper > 0 && cloud.colour.slice(0, cloud.slots).some((value) => value > 50); }), "no speeds");
  });

  await test("curves of a run have a cursor, and a press goes to that time", async () => {
    const { made } = one;
    check(await made.evaluate(() => window.lab.player.curves.chosen.join()) === "kinetic,contacts,bodies", "others are chosen");
    await made.locator("#run-curve-1").click({ position: { x: 140, y: 40 } });
    const time = await made.evaluate(() => window.lab.player.time), width = await made.evaluate(() => document.getElementById("run-curve-1").clientWidth);
    check(Math.abs(time - 0.2 * 136 / (width - 8)) < 0.002, "it went to " + time);
    await made.evaluate(() => window.lab.paint(true));
    const red = await made.evaluate(() => {
      const canvas = document.getElementById("run-curve-1"), rows = canvas.getContext("2d").getImageData(0, canvas.height / 2, canvas.width, 1).data;
      return Array.from({ length: canvas.width }, (_, x) => x).filter((x) => rows[4 * x + 3] > 200 && rows[4 * x] > 140 && rows[4 * x + 1] < 80 && rows[4 * x + 2] < 80);
    });
    check(red.some((x) => Math.abs(x - 140) <= 2), "the cursor is at " + red);
    await made.selectOption("#run-curve-2-of", "kinetic");
    check(await made.evaluate(() => window.lab.player.curves.chosen[1]) === "kinetic", "another curve cannot be chosen");
  });

  await test("a film can be sliced, followed and looked at from all sides", async () => {
    const { made } = one, drawn = () => made.evaluate(() => { window.lab.isNew = true; window.lab.paint(true); return window.lab.view.bodies.drawn.spheres; });
    const all = await drawn();
    await made.selectOption("#slice", "y");
    const some = await drawn();
    check(some > 0 && some < all, some + " of " + all + " are shown");
    await made.click("#show-all");
    const turn = await made.evaluate(() => window.lab.camera.turn);
    await made.locator("#view").focus();
    await made.keyboard.press("ArrowLeft");
    check(await made.evaluate(() => window.lab.camera.turn) !== turn, "it does not turn");
    await made.evaluate(() => window.lab.follow([400, 400]));
    const number = await made.evaluate(() => window.lab.followed[1]);
    await made.evaluate(() => window.lab.player.seek(0.1));
    await made.evaluate(() => window.lab.paint(true));
    check(await made.evaluate(() => window.lab.followed[1]) === number, "another body is followed");
  });

  await test("a scene of the lists ends the film", async () => {
    const { made } = one;
    await made.click("#gallery button[data-name=marbles]");
    await made.waitForFunction(() => !window.lab.player.isOn && window.lab.stage && window.lab.stage.title === "marbles on a chute" && window.lab.cloud.bodies > 0);
    check(await made.isVisible(".tools") && !(await made.isVisible("#film-bar")), "the controls of the film are still there");
    await made.click("#run-list button");
    await isOpen(made);
    await one.end();
  });

  await test("two runs side by side have one time and one camera", async () => {
    const { made, end } = await look(["first", "second"]);
    await isOpen(made);
    check(await made.textContent("#title") === "first  |  second", await made.textContent("#title"));
    await made.evaluate(() => window.lab.player.seek(0.1));
    check(await made.evaluate(() => window.lab.player.tracks.map((track) => track.cloud.bodies + "/" + track.shownNumber).join()) === "65/10,35/10", "other frames");
    // the longer one goes on, the other one stays at its end
    await made.evaluate(() => window.lab.player.seek(0.3));
    check(await made.evaluate(() => window.lab.player.tracks.map((track) => track.shownNumber).join()) === "20,30", "other frames at the end");
    const boxes = await Promise.all(["#view", "#view-2"].map((name) => made.locator(name).boundingBox()));
    check(Math.abs(boxes[0].width - boxes[1].width) < 3 && boxes[1].x >= boxes[0].x + boxes[0].width - 1, "they are not next to each other");
    const turn = await made.evaluate(() => window.lab.camera.turn);
    await made.mouse.move(boxes[1].x + 100, boxes[1].y + 200);
    await made.mouse.down();
    await made.mouse.move(boxes[1].x + 200, boxes[1].y + 200, { steps: 3 });
    await made.mouse.up();
    check(Math.abs(await made.evaluate(() => window.lab.camera.turn) - turn) > 0.1, "the second view does not turn");
    await made.screenshot({ path: folder + "/film-two.png" });
    await made.click("#run-list button:text-is('second')");
    await made.waitForFunction(() => window.lab.player.tracks.length === 1 && window.lab.player.tracks[0].shown);
    check(!(await made.isVisible("#view-2")), "two views of one run");
    await end();
  });

  await test("a run that is going on grows, and is not disturbed", async () => {
    writeFileSync(at("long.lua"), SCENE.replace("solver { dt = 2e-5 }", "solver { dt = 2e-6 }").replace('param("time", 0.2)', "1000"));
    const child = spawn(program, ["run", at("long.lua"), "--out", at("long"), "--quiet", "--threads", "1"], { stdio: "ignore" });
    const ended = new Promise((resolve) => child.on("exit", resolve));
    try {
      for (const until = Date.now() + 60000; !existsSync(at("long") + "/film/frame-000001.film");) {
        check(Date.now() < until, "the run has no frames");
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      const { made, end } = await look(["long"]);
      await isOpen(made);
      check((await made.textContent("#figures")).includes("the run goes on"), await made.textContent("#figures"));
      const count = await made.evaluate(() => window.lab.player.tracks[0].frames.length);
      await made.waitForFunction((known) => window.lab.player.tracks[0].frames.length > known, count);
      await end();
    } finally {
      child.kill("SIGTERM");
      await ended;
    }
    check(JSON.parse(readFileSync(at("long") + "/run.json", "utf8")).state !== "failed", "the run has failed");
  });

  await test("without WebGL2 a film is played as well", async () => {
    const served = await startLab(["--paused", "--threads", "1", at("first")]), made = await openPage(1000, 700);
    await made.addInitScript(() => {
      const get = HTMLCanvasElement.prototype.getContext;
      HTMLCanvasElement.prototype.getContext = function (kind, ...rest) { return kind === "webgl2" ? null : get.call(this, kind, ...rest); };
    });
    await made.goto(served.url);
    await isOpen(made);
    await made.evaluate(() => window.lab.player.seek(0.1));
    await made.screenshot({ path: folder + "/film-plain.png" });
    check(await made.evaluate(() => window.lab.view.pen !== undefined && window.lab.view.walls.length) === 2, "no walls");
    await made.close();
    served.child.kill("SIGTERM");
  });

  await test("a run without frames, or without meshes, says so", async () => {
    make("empty", []);
    const empty = await look(["empty"]);
    await told(empty.made, "there is no film in it");
    check(await empty.made.evaluate(() => window.lab.cloud.bodies > 0), "there is no scene");
    await empty.end();
    cpSync(at("first"), at("bare"), { recursive: true });
    rmSync(at("bare") + "/checkpoints", { recursive: true });
    mkdirSync(at("bare") + "/checkpoints");
    copyFileSync(at("first") + "/film/frame-000003.film", at("bare") + "/checkpoints/checkpoint-000000000001.scree");
    const bare = await look(["bare"]);
    await isOpen(bare.made);
    await told(bare.made, "the newest checkpoint cannot be read");
    check(await bare.made.evaluate(() => window.lab.view.walls.length) === 1, "the plane is not shown");
    await bare.end();
  });

  await test("what is no run is refused", async () => {
    const refuse = (words) => spawnSync(program, ["lab", "--port", "0", ...words], { encoding: "utf8", timeout: 20000 });
    let answer = refuse([place]);
    check(answer.status === 2 && answer.stderr.includes("not that of a run"), answer.status + ": " + answer.stderr);
    answer = refuse([at("first"), at("scene.lua")]);
    check(answer.status === 2 && answer.stderr.includes("is not the folder of a run"), answer.status + ": " + answer.stderr);
    const words = await complaintsOf(async () => {
      const { made, end } = await look(["first"]);
      await isOpen(made);
      check(await made.evaluate(async () => (await fetch("runs/0/frame/99")).status) === 404, "there is a frame 99");
      await end();
    });
    check(words.every((text) => text.includes("404")), words.join(" | "));
  });
}
