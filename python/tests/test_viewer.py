"""The view of notebooks: the lab's page with states in it, self-contained, and drawn by a browser where there is one."""

import base64
import json
import os
import re
import shutil
import subprocess
from html import unescape
from pathlib import Path

import numpy as np
import pytest
from conftest import QUICK, make_heap

import scree

ROOT = os.environ.get("SCREE_ROOT", "")


def told(view):
    """What the page has of the world."""
    text = re.search(r'<script type="application/json" id="states">(.*?)</script>', view.page, re.S).group(1)
    return json.loads(text)


def numbers(text, dtype):
    return np.frombuffer(base64.b64decode(text), dtype)


def read_board(text, row_words):
    """Heads of the walls or shapes of a board."""
    data, rows = base64.b64decode(text), []
    count, at = int(numbers(text, "u1")[8:12].view("<u4")[0]), row_words
    for _ in range(count):
        kind, first, second = np.frombuffer(data, "<u4", 3, at)
        corners = kind & 0xFF if row_words == 12 else 3
        size = 12 * first + 4 * corners * second if row_words == 12 or kind == 1 else 16 * first
        rows.append((int(kind), int(first), int(second), data[at + 12: at + 12 + size]))
        at += 12 + int(size)
    assert at == len(data)
    return rows


def test_bodies_in_the_order_in_which_they_were_added(heap):
    heap.step(50)
    page = told(heap.view())
    state, order = page["states"][0], heap.order()
    place = numbers(state["place"], "<f4").reshape(-1, 4)
    assert state["bodies"] == 60 and np.isclose(state["time"], heap.time)
    assert np.allclose(place[:, :3] + page["origin"], heap.position[order], atol=1e-6) and np.allclose(place[:, 3], 0.01)
    assert np.array_equal(numbers(state["number"], "<u4"), heap.serial[order])
    assert np.abs(numbers(state["turn"], "<i2").reshape(-1, 4) - 32767 * heap.orientation[order]).max() <= 1
    lower, upper = np.array(page["lower"]), np.array(page["upper"])
    assert (lower <= heap.position.min(axis=0)).all() and (upper >= heap.position.max(axis=0)).all() and lower[2] <= 0


def test_colours_and_their_ranges(heap):
    heap.step(200)
    page, order = told(heap.view(values=np.arange(60) * 1.0)), heap.order()
    ranges = {name: (low, high, unit) for name, low, high, unit in page["colours"]}
    assert list(ranges) == ["values", "speed", "force", "contacts", "size", "id"] and ranges["values"] == (0, 59, "")
    speed = np.linalg.norm(heap.velocity[order], axis=1)
    assert np.isclose(ranges["speed"][1], speed.max()) and ranges["speed"][2] == "m/s"
    shown = numbers(page["states"][0]["colours"]["speed"], "u1")
    assert np.abs(shown - 255 * (speed - speed.min()) / np.ptp(speed)).max() <= 0.5001
    contacts = heap.contacts()
    most = max(int(((contacts["first"] == i) | (contacts["second"] == i)).sum()) for i in heap.id)
    assert ranges["contacts"][1] == most > 1


def test_states_that_are_played(heap):
    view = heap.view()
    for world in heap.iterate(every=1e-3, until=3e-3):
        view.add()
    page = told(view)
    assert len(view) == 4 and np.allclose([state["time"] for state in page["states"]], [0, 1e-3, 2e-3, 3e-3])
    first, last = (numbers(page["states"][k]["place"], "<f4") for k in (0, 3))
    assert not np.array_equal(first, last)


def test_bodies_come_and_go_between_states(heap):
    view = heap.view()
    heap.remove(heap.id[:10].copy())
    view.add()
    assert [state["bodies"] for state in told(view)["states"]] == [60, 50]


def test_states_keep_their_shapes():
    """Numbers of shapes hold for all states, also where a body with the first one has gone."""
    world = scree.World(step=1e-5)
    m = world.add_material()
    clump = world.add_clumps([[0, 0, 0]], scree.Clump([[0, 0, 0, 1.0], [1.5, 0, 0, 0.5]]), material=m)
    world.add_blocks([[10, 0, 0.0]], scree.Mesh.box((0, 0, 0), (1, 2, 3)), 0.01, material=m)
    view = world.view()
    world.remove(clump)
    page = told(view.add())
    shapes = read_board(page["shapes"], 16)
    drawn = [[shapes[k - 1][0] for k in numbers(state["shape"], "<u2")] for state in page["states"]]
    assert drawn == [[2, 1], [1]] and len(shapes) == 2


def test_what_a_later_state_has(heap):
    """Colours, walls and bodies past the most are those of all states, and the note speaks of all."""
    view = heap.view(most=59)
    heap.remove(heap.id[:10].copy())
    heap.add_wall(material=1, point=(0, 0, -1))
    page = told(view.add(values=np.arange(50)))
    assert ["values", 0, 49, ""] in page["colours"] and len(read_board(page["walls"], 12)) == 2
    assert np.isnan(numbers(page["states"][0]["poses"], "<f4").reshape(-1, 7)[1]).all()
    assert "1 bodies are left out" in view._repr_html_()


def test_walls_of_the_page():
    world = scree.World(step=1e-5)
    m = world.add_material()
    box = scree.Mesh.box((0, 0, 0), (1, 2, 3))
    world.add_wall(material=m, normal=(0, 0, 1), point=(0, 0, -1))
    gone = world.add_wall(box, material=m, point=(5, 0, 0))
    view = world.view()
    world.remove_wall(gone)
    view.add()
    page = told(view)
    plane, mesh = read_board(page["walls"], 12)
    assert plane[:3] == (0x103, 4, 2) and mesh[:3] == (3, 8, 12)
    assert np.allclose(np.frombuffer(mesh[3], "<f4", 24).reshape(-1, 3), box.vertices)
    poses = [numbers(state["poses"], "<f4").reshape(-1, 7) for state in page["states"]]
    assert np.allclose(poses[0][0, 2] + 0, -1) and np.allclose(poses[0][1, :3], [5, 0, 0]) and np.isnan(poses[1][1]).all()
    assert page["upper"][0] == 6 and page["lower"][2] == -1


def test_planes_lie_along_their_normals():
    for normal in ((0, 0, -1), (1, 0, 0), (0.6, 0, 0.8)):
        world = scree.World(step=1e-5)
        world.add_wall(material=world.add_material(), normal=normal)
        w, x, y, z = numbers(told(world.view())["states"][0]["poses"], "<f4")[3:]
        assert np.allclose([2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)], normal, atol=1e-6)


def test_shapes_of_the_page():
    world = scree.World(step=1e-5)
    m = world.add_material()
    clump = scree.Clump([[0, 0, 0, 1.0], [1.5, 0, 0, 0.5]])
    outward = scree.Mesh.box((0, 0, 0), (1, 2, 3))
    box = scree.Mesh(outward.vertices, outward.facets[:, ::-1])  # normals inward
    world.add_clumps([[0, 0, 0], [5, 0, 0]], clump, material=m)
    world.add_blocks([[10, 0, 0.0]], box, 0.01, material=m)
    world.add_meshes([[20, 0, 0.0]], scree.Mesh.globe(facets=40 * 40 * 16, kind="uv"), 0.01, material=m)
    world.add_spheres([[30, 0, 0.0]], 1.0, material=m)
    page = told(world.view())
    assert "1 bodies are shown as balls" in world.view()._repr_html_()
    assert numbers(page["states"][0]["shape"], "<u2").tolist() == [1, 1, 2, 3, 0]
    pebbles, block, globe = read_board(page["shapes"], 16)
    assert pebbles[:2] == (2, 2) and block[:3] == (1, 8, 12) and globe[0] == 0  # too many facets: a ball
    rows = np.frombuffer(pebbles[3], "<f4").reshape(-1, 4)
    assert np.isclose(np.linalg.norm(rows[1, :3] - rows[0, :3]), 1.5) and rows[:, 3].tolist() == [1, 0.5]
    # about the centre of mass, seen from outside all facets go round the same way
    corners = np.frombuffer(block[3], "<f4", 24).reshape(-1, 3)
    facets = np.frombuffer(block[3], "<u4", offset=96).reshape(-1, 3)
    a, b, c = (corners[facets[:, k]] for k in range(3))
    assert np.allclose(corners.mean(axis=0), 0, atol=1e-6) and np.isclose(np.einsum("ij,ij->", a, np.cross(b, c)) / 6, 6)


def test_two_dimensions_of_the_page():
    world = scree.World(step=1e-5, dimensions=2)
    m = world.add_material()
    world.add_wall(material=m)
    world.add_spheres([[0, 1], [0, 3]], 0.5, material=m)
    world.add_blocks([[5, 1]], scree.Mesh.hull([[0, 0], [1, 0], [1, 1], [0, 1]]), 0.01, material=m)
    page = told(world.view())
    assert page["dimensions"] == 2 and read_board(page["walls"], 12)[0][:3] == (0x102, 2, 1)
    assert read_board(page["shapes"], 16)[0][:3] == (1, 4, 4)


def test_a_page_is_complete(heap, tmp_path):
    view = heap.view(values=np.arange(60), most=50, width=300)
    shown = view._repr_html_()
    assert shown.startswith("<iframe srcdoc=") and 'width="300"' in shown and "10 bodies are left out" in shown
    page = unescape(re.search(r'srcdoc="(.*?)" width', shown, re.S).group(1))
    assert page == view.page and page.startswith("<!doctype html>")
    # nothing comes from elsewhere
    assert not re.search(r"https?:|\bimport\b|\bsrc=|<link|fetch\(|XMLHttpRequest|@STATES@|@SCRIPT@", page)
    view.save(tmp_path / "view.html")
    assert (tmp_path / "view.html").read_text() == page
    with pytest.raises(ValueError, match="values"):
        heap.view(values=np.arange(3))


def test_empty_worlds_and_closed_ones(heap):
    assert told(scree.World(step=1e-5).view())["states"][0]["bodies"] == 0
    heap.close()
    with pytest.raises(ValueError, match="closed"):
        heap.view()


def test_texts_cannot_leave_the_page(heap):
    """What a browser takes for the end of a script is not among the states."""
    assert "<" not in re.search(r'id="states">(.*?)</script>', heap.view().page, re.S).group(1)


@pytest.mark.skipif(not scree.has_scenes, reason="built without Lua")
def test_scenes_are_viewed_too():
    scene = scree.Scene.example("discs")
    assert scene.world is None and len(told(scene.view())["states"]) == 1 and scene.world is not None


@pytest.mark.skipif(not ROOT, reason="SCREE_ROOT is not set: the page's modules are not there")
def test_the_page_is_that_of_the_lab(heap):
    page = heap.view().page
    for name in ("view.js", "bodies.js", "shaders.js", "camera.js", "hand.js", "plain.js"):
        lines = [line for line in Path(ROOT, "lab/page", name).read_text().splitlines() if len(line) > 60 and "import" not in line and "export" not in line]
        assert lines and all(line in page for line in lines), name


CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


@pytest.mark.skipif(QUICK or not CHROMIUM, reason="there is no browser, or all is slow")
@pytest.mark.parametrize("drawing", ["webgl", "plain"])
def test_a_browser_draws_it(tmp_path, drawing):
    """In an iframe, as a notebook has it."""
    world = make_heap()
    world.add_clumps([[0.1, 0, 0.1]], scree.Clump([[0, 0, 0, 0.02], [0.02, 0, 0, 0.01]]), material=1)
    view = world.view()
    world.step(100)
    view.add()
    (tmp_path / "page.html").write_text(f"""<!doctype html><body>{view._repr_html_()}<script>
    const frame = document.querySelector("iframe");
    setInterval(() => {{
      const inside = frame.contentDocument;
      if (!inside || inside.body.dataset.drawn === undefined) return;
      document.body.dataset.drawn = inside.body.dataset.drawn;
      document.body.dataset.words = inside.getElementById("words").textContent;
      document.body.dataset.way = frame.contentWindow.still.view.constructor.name;
    }}, 20);
    frame.contentWindow.onerror = (text) => {{ document.body.dataset.error = text; }};
    </script></body>""")
    way = ["--use-angle=swiftshader", "--enable-unsafe-swiftshader"] if drawing == "webgl" else ["--disable-gpu", "--disable-3d-apis"]
    done = subprocess.run([CHROMIUM, "--headless", "--no-sandbox", "--virtual-time-budget=4000", f"--user-data-dir={tmp_path / 'profile'}", *way,
                           "--dump-dom", f"file://{tmp_path / 'page.html'}"], capture_output=True, text=True, timeout=120)
    body = re.search(r"<body[^>]*>", done.stdout).group(0)
    assert "data-error" not in body and 'data-drawn="1"' in body and "61 bodies" in body
    assert ('data-way="PlainView"' in body) == (drawing == "plain")
