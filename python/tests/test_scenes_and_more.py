"""Scenes in Lua, pictures, notebooks, interchange, and the package itself."""

import doctest
import importlib
import inspect
import os
import re
import shutil
import subprocess
import sys
import xml.dom.minidom

import numpy as np
import pytest
from conftest import QUICK

import scree

needs_scenes = pytest.mark.skipif(not scree.has_scenes, reason="built without Lua")

SCENE = """
k = param { name = "friction", default = 0.5 }
run { time = 0.02 }
solver { dt = 2e-5 }
gravity { 0, 0, -9.81 }
glass = material { density = 2500, young = 1e6, friction = k, restitution = 0.5, poisson = 0.3 }
wall { shape = plane { point = { 0, 0, 0 }, normal = { 0, 0, 1 } }, material = glass }
for i = 0, 4 do
    body { shape = sphere { radius = 0.01 }, material = glass, position = { 0.001 * i, 0, 0.0099 + 0.0199 * i } }
end
"""


def by_hand():
    world = scree.World(gravity=(0, 0, -9.81), step=2e-5)
    m = world.add_material(name="glass", density=2500, young=1e6, friction=0.5, restitution=0.5, poisson=0.3)
    world.add_wall(material=m)
    i = np.arange(5)
    world.add_spheres(np.column_stack([0.001 * i, 0 * i, 0.0099 + 0.0199 * i]), 0.01, material=m)
    return world


# ---- scenes -------------------------------------------------------------------------------------------

@needs_scenes
def test_lua_and_python_give_one_digest():
    scene, world = scree.Scene(text=SCENE), by_hand()
    run = scene.run()
    world.run(until=0.02)
    assert run.clock() == world.clock() and np.array_equal(run.position[run.order()], world.position[world.order()])
    assert run.digest() == world.digest()


@needs_scenes
def test_the_program_gives_the_digest_too(tmp_path):
    program = os.environ.get("SCREE_PROGRAM")
    if not program:
        pytest.skip("SCREE_PROGRAM is not set")
    path = tmp_path / "stack.lua"
    path.write_text(SCENE)
    done = subprocess.run([program, "run", path, "--out", tmp_path / "out"], capture_output=True, text=True)
    found = re.search(r"digest ([0-9a-f]{16})", done.stdout + done.stderr)
    assert int(found.group(1), 16) == scree.Scene(path).run().digest()


C_HOST = r"""
#include "scree/scree.h"
#include <stdio.h>
int main(void)
{
    scree_world_def def = scree_default_world_def();
    def.gravity[2] = -9.81;
    def.step.dt = 2e-5;
    scree_world *world;
    if (scree_world_create(&def, &world))
        return 1;
    scree_material_def glass = scree_default_material_def();
    glass.name = "glass";
    glass.young = 1e6;
    scree_material_id material;
    scree_world_add_material(world, &glass, &material);
    scree_wall_def floor = scree_default_wall_def();
    floor.material = material;
    scree_world_add_wall(world, &floor, NULL);
    for (int i = 0; i < 5; i++) {
        scree_body_def body = scree_default_body_def();
        body.shape = scree_shape_sphere(0.01);
        body.material = material;
        body.position[0] = 0.001 * i;
        body.position[2] = 0.0099 + 0.0199 * i;
        scree_world_add_body(world, &body, NULL);
    }
    if (scree_world_step(world, 1000))
        return 1;
    printf("%016llx\n", (unsigned long long)scree_world_digest(world));
    scree_world_destroy(world);
    return 0;
}
"""


def test_c_gives_the_digest_too(tmp_path):
    root = os.environ.get("SCREE_ROOT")
    library = root and os.path.join(root, "build/release/libscree.a")
    if not library or not os.path.exists(library):
        pytest.skip("the library is not there")
    (tmp_path / "host.c").write_text(C_HOST)
    subprocess.run(["cc", "-std=c17", f"-I{root}/include", tmp_path / "host.c", library, "-lm", "-lpthread", "-o", tmp_path / "host"], check=True)
    done = subprocess.run([tmp_path / "host"], capture_output=True, text=True, check=True)
    world = by_hand()
    world.step(1000)
    assert int(done.stdout, 16) == world.digest()


@needs_scenes
def test_settings_of_scenes():
    scene = scree.Scene(text=SCENE, friction=0.9)
    assert scene.plan.parameters[0][:1] == ("friction",) and scene.plan.parameters[0][3] is True
    assert scene.build().friction(1) == 0.9 and "0.9" in scene._repr_html_()
    with pytest.raises(ValueError, match="fiction"):
        scree.Scene(text=SCENE, fiction=1)


@needs_scenes
@pytest.mark.parametrize("text, word", [("run {", "scene:1"), ("run { time = -1 }", "time"), ("error('stop')", "stop"), ("while true do end", "instruction"),
                                        ("sphere { radius = 1 } run { stps = 1 }", "stps")])
def test_scenes_that_are_wrong(text, word):
    with pytest.raises(scree.BadFile, match=word):
        scree.Scene(text=text)


@needs_scenes
def test_scenes_step_by_step():
    scene, other = scree.Scene(text=SCENE), scree.Scene(text=SCENE)
    world = scene.build(method="bvh8")
    assert scene.world is world and len(world) == 5
    with pytest.raises(ValueError, match="already"):
        scene.build()
    for _ in range(10):
        scene.step(100)
    assert world.digest() == other.run().digest()
    scene.close()
    with pytest.raises(ValueError, match="closed"):
        scene.step()
    assert world.clock().steps == 1000  # the world lives on


@needs_scenes
def test_scenes_without_a_world():
    scene = scree.Scene(text=SCENE)
    with pytest.raises(ValueError, match="build"):
        scene.step()
    assert scene.world is None and "not built" in repr(scene) and scene._repr_png_() is None
    with pytest.raises(TypeError):
        scree.Scene()
    with pytest.raises(OSError):
        scree.Scene("/no/such.lua")


@needs_scenes
def test_metrics_of_scenes():
    scene = scree.Scene(text=SCENE)
    scene.run()
    columns = scene.metrics(frame=False)
    assert len(columns["time"]) == 101 and np.isclose(columns["time"][-1], 0.02) and (columns["bodies"] == 5).all()
    assert (np.diff(columns["time"]) > 0).all()


STAGES = SCENE.replace("run { time = 0.02 }", "") + """
stage { name = "fine", ends = after { steps = 100 } }
stage { name = "coarse", dt = 2e-4, ends = after { steps = 90 } }
"""


@needs_scenes
def test_rows_where_stages_change_the_time_step():
    scene = scree.Scene(text=STAGES.replace("ends = after { steps = 90 } }", "ends = after(0.018) }"))
    every = scene.plan.end_time / 100
    world = scene.run()
    time = scene.metrics(frame=False)["time"]
    gaps = np.diff(time)
    assert scene.is_over and scene.stage == "coarse" and np.isclose(time[-1], world.time)
    # one row at least each hundredth of the whole, but for the length of a step; one where the stage ends
    assert gaps.min() > 0 and gaps.max() <= max(every, 2e-4) * 1.0001 and np.isclose(time, 0.002).any()


@needs_scenes
def test_a_run_stops_at_its_time_whatever_stages_do_to_the_step():
    text = STAGES.replace("ends = after { steps = 90 } }", "}") + "run { time = 0.02 } metrics { every = 0.01 }"
    scene = scree.Scene(text=text)
    world = scene.run(until=0.0031)
    assert abs(world.time - 0.0031) <= 1e-4 + 1e-9
    assert np.isclose(scene.metrics(frame=False)["time"][-1], world.time)
    scene.run()
    assert np.isclose(world.time, 0.02)


@needs_scenes
def test_steps_go_on_through_stages():
    scene, other = scree.Scene(text=STAGES), scree.Scene(text=STAGES)
    world = scene.build()
    scene.step(150)
    assert world.clock().steps == 150 and scene.stage == "coarse" and not scene.is_over
    scene.step(1000)
    assert world.clock().steps == 190 and scene.is_over
    single = other.build()
    for _ in range(190):
        other.step()
    assert world.digest() == single.digest()


@needs_scenes
@pytest.mark.parametrize("name", ["drum", "hopper", "discs", "clumps", "funnel"])
def test_examples_open_and_go(name):
    scene = scree.Scene.example(name)
    assert name in scree.Scene.examples()
    world = scene.build()
    scene.step(3)
    assert world.clock().steps == 3 and scene.count().quarantined == 0 and isinstance(scene.measure(), dict)
    assert scene.resolved and set(scene.units()) == set(scene.measure())


@needs_scenes
def test_no_such_example():
    with pytest.raises(ValueError, match="drum"):
        scree.Scene.example("no-such")


# ---- pictures and notebooks ------------------------------------------------------------------------------

def test_pictures(heap, tmp_path):
    pixels = heap.picture(width=80, height=60)
    assert pixels.shape == (60, 80, 3) and pixels.dtype == np.uint8 and pixels.std() > 5
    assert np.array_equal(pixels, heap.picture(width=80, height=60))
    data = heap.png(width=80, height=60)
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    heap.png(tmp_path / "a.png", width=80, height=60)
    assert (tmp_path / "a.png").read_bytes() == data
    own = heap.picture(width=80, height=60, values=np.arange(60), field="row", map=scree.picture_maps()[0])
    assert not np.array_equal(own, pixels)
    other = heap.picture(width=80, height=60, camera={"turn": 2.0}, background="light", field="none")
    assert not np.array_equal(other, pixels)


@pytest.mark.parametrize("field", list(scree.picture_fields()))
def test_every_field_of_pictures(heap, field):
    if field != "temperature":
        heap.step(3)
        assert heap.picture(width=32, height=24, field=field).shape == (24, 32, 3)


def test_tables_of_notebooks(heap):
    table = heap._repr_html_()
    assert "<table>" in table and "60" in table and f"{heap.digest():016x}" in table
    assert heap._repr_png_()[:4] == b"\x89PNG"
    assert scree.World(step=1e-5)._repr_png_() is None
    assert "<table>" in heap.totals()._repr_html_()


def test_plots(tmp_path):
    x = np.linspace(0, 1, 50)
    picture = scree.plot(x, x**2, np.sin(x), labels=["a < b", "sin"], title="curves & more", xlabel="x", ylabel="y")
    xml.dom.minidom.parseString(picture)
    assert picture._repr_svg_() == picture and picture.count("<polyline") == 2 and "a &lt; b" in picture
    picture.save(tmp_path / "a.svg")
    xml.dom.minidom.parseString(scree.plot([1, 1, 1]))
    xml.dom.minidom.parseString(scree.plot([0, 1, 2], [0, np.nan, 2], marks=True))
    for bad in (([0, 1], [0]), ([], []), ([0, 1], [np.nan, np.nan]), ([[0, 1]], [[1, 2]])):
        with pytest.raises(ValueError):
            scree.plot(*bad)


# ---- interchange ------------------------------------------------------------------------------------------

@pytest.mark.parametrize("ending", ["csv", "dump"])
def test_bodies_there_and_back(heap, tmp_path, ending):
    heap.step(10)
    path = tmp_path / f"bodies.{ending}"
    heap.export(path)
    rows, about = scree.read_bodies(path)
    order = heap.order()
    assert np.array_equal(rows["position"], heap.position[order]) and np.array_equal(rows["radius"], heap.radius[order])
    assert np.array_equal(rows["velocity"], heap.velocity[order]) and about.frames == 1
    world = scree.World(step=1e-5)
    world.add_spheres(rows["position"], rows["radius"], velocity=rows["velocity"], material=world.add_material())
    assert np.array_equal(world.position[world.order()], heap.position[order])


@pytest.mark.parametrize("format", ["vtp", "contacts", "walls", "lammps", "csv", "stl", "solids", "solids-stl", "pebbles"])
def test_every_export(heap, tmp_path, format):
    box = scree.Mesh.box((-1, -1, 0), (1, 1, 1))
    heap.add_wall(box, material=1, point=(0, 0, 5))
    heap.add_meshes([[0, 0, 3.0]], box, 0.01, material=1)
    heap.step(10)
    heap.export(tmp_path / "file", format)
    assert (tmp_path / "file").stat().st_size > 0


def test_fields_of_exports(heap, tmp_path):
    heap.export(tmp_path / "a.csv", fields=["radius", "velocity"])
    head = (tmp_path / "a.csv").read_text().splitlines()[0]
    assert "radius" in head and "mass" not in head
    with pytest.raises(ValueError, match="radius"):
        heap.export(tmp_path / "a.csv", fields=["radiu"])
    heap.fields((0, 0, 0), (0.1, 0.1, 0.1), 2, 0.02).write(tmp_path / "f.vti")
    assert (tmp_path / "f.vti").stat().st_size > 0


def test_files_that_are_wrong(tmp_path):
    (tmp_path / "a.csv").write_text("x,y,z,r\n1,2,three,4\n")
    with pytest.raises(scree.BadFile, match="2"):
        scree.read_bodies(tmp_path / "a.csv")
    with pytest.raises(ValueError):
        scree.read_bodies(tmp_path / "a.csv", "excel")
    with pytest.raises(scree.FileError):
        scree.read_bodies(tmp_path / "b.csv")


def test_meshes_there_and_back(tmp_path):
    mesh = scree.Mesh.globe(facets=320, radius=2.0, bumps=1.2)
    vertices, faces = scree.to_triangles(mesh)
    again = scree.from_triangles(vertices, faces)
    assert np.array_equal(again.vertices, vertices) and np.array_equal(again.facets, faces)
    mesh.write_stl(str(tmp_path / "a.stl"))
    read = scree.Mesh.read(tmp_path / "a.stl")
    assert len(read.facets) == 320 and mesh.check()["closed"] and mesh.info()["facet_count"] == 320
    assert np.isclose(read.solid()["volume"], mesh.solid()["volume"], rtol=1e-5)

    class Block:
        type, data = "triangle", faces

    class Meshio:
        points, cells = vertices, [Block]

    assert np.array_equal(scree.from_meshio(Meshio).facets, faces)
    with pytest.raises(ValueError):
        Block.type = "line"
        scree.from_meshio(Meshio)


def test_clumps_of_meshes():
    clump = scree.Clump.fill(scree.Mesh.globe(facets=320, elongation=2.0), gap=0.02, smallest=0.01, mass_of_mesh=True)
    assert len(clump.pebbles) > 1 and clump.info()["mass"]["volume"] > 0
    given = scree.Clump([[0, 0, 0, 1.0]], mass={"volume": 2.0, "centre": [0, 0, 0], "inertia": np.eye(3)})
    assert given.info()["mass"]["volume"] == 2


def test_ase(heap):
    pytest.importorskip("ase")
    heap.step(10)
    atoms = scree.to_ase(heap)
    assert len(atoms) == 60 and np.array_equal(atoms.positions, heap.position[heap.order()]) and np.allclose(atoms.get_masses(), heap.mass)
    world = scree.World(step=1e-5)
    scree.from_ase(world, atoms, material=world.add_material())
    assert np.allclose(world.velocity[world.order()], heap.velocity[heap.order()]) and np.allclose(world.radius, 0.01)


def test_pandas(heap):
    pandas = pytest.importorskip("pandas")
    heap.step(300)
    table = scree.frame(heap.contacts())
    assert isinstance(table, pandas.DataFrame) and "force_x" in table and len(table) == len(heap.contacts())
    assert scree.frame(heap.bodies())["orientation_3"].shape == (60,)
    if scree.has_scenes:
        scene = scree.Scene(text=SCENE)
        scene.run(until=0.001)
        assert isinstance(scene.metrics(), pandas.DataFrame)


# ---- the package ---------------------------------------------------------------------------------------------

MODULES = ["", "._arrays", "._callbacks", "._detect", "._edit", "._errors", "._fields", "._figures", "._folder", "._interchange", "._kinds", "._laws", "._notebook", "._plot",
           "._progress", "._query", "._scene", "._shapes", "._viewer", "._views", "._world"]


@pytest.mark.parametrize("name", MODULES)
def test_examples_of_docstrings(name):
    result = doctest.testmod(importlib.import_module("scree" + name))
    assert result.failed == 0


def test_version():
    root = os.environ.get("SCREE_ROOT")
    assert re.fullmatch(r"\d+\.\d+\.\d+", scree.__version__)
    if root:
        header = open(os.path.join(root, "include/scree/base.h")).read()
        assert f'"{scree.__version__}"' in header
    try:
        from importlib.metadata import version

        assert version("scree") == scree.__version__
    except ImportError:
        pass


def test_all_is_documented():
    for name in scree.__all__:
        thing = getattr(scree, name)
        if inspect.isclass(thing) or inspect.isfunction(thing):
            assert inspect.getdoc(thing), name
    for kind in (scree.World, scree.Detector, scree.Scene, scree.Mesh, scree.Clump, scree.Fields):
        for name, thing in inspect.getmembers(kind):
            if not name.startswith("_") and (callable(thing) or isinstance(thing, property)):
                assert inspect.getdoc(thing), f"{kind.__name__}.{name}"


def test_stubs_know_all_names():
    import scree as package

    declared = open(os.path.join(os.path.dirname(package.__file__), "__init__.pyi")).read()
    for kind in (scree.World, scree.Detector, scree.Scene, scree.Mesh, scree.Clump, scree.FormulaLaw, type(scree.World(step=1).view())):
        for name in dir(kind):
            if not name.startswith("_") and not hasattr(object, name):
                assert re.search(rf"\b{name}\b", declared), f"{kind.__name__}.{name} is not in __init__.pyi"
    for name in scree.__all__:
        assert re.search(rf"\b{name}\b", declared), f"{name} is not in __init__.pyi"


@pytest.mark.skipif(QUICK or not shutil.which("mypy"), reason="mypy is not installed, or all is slow")
def test_types_find_a_mistake(tmp_path):
    (tmp_path / "use.py").write_text("import numpy as np\nimport scree\nw = scree.World(step=1e-5)\nm: int = w.add_material(young=1e7)\n"
                                     "p = scree.pairs(np.zeros((3, 3)), 0.5)\nw.step('a')\n")
    done = subprocess.run(["mypy", "--python-executable", sys.executable, "--cache-dir", tmp_path, "use.py"], capture_output=True, text=True, cwd=tmp_path)
    if "import-not-found" in done.stdout or "Cannot find implementation" in done.stdout:
        pytest.skip("the package is not installed where mypy looks")
    assert "use.py:6" in done.stdout and "Found 1 error" in done.stdout


def test_laws_and_methods_are_listed():
    assert {"hertz", "linear", "jkr", "bonded"} <= set(scree.laws()) and "flat" in scree.methods()
    assert "speed" in scree.picture_fields() and scree.picture_maps()


def test_the_log_goes_to_logging(caplog):
    world = scree.World(step=1e-2)
    world.add_material(young=1e9)
    world.add_spheres([[0, 0, 0], [0.1999, 0, 0]], 0.1, material=1)
    with caplog.at_level("INFO", logger="scree"):
        try:
            world.step(3)
        except scree.StepRefused:
            pass
    assert caplog.records and caplog.records[0].name == "scree"


def test_every_field_of_the_engine_is_there():
    """Each member of the definitions in the headers is a keyword here, but for hooks."""
    root = os.environ.get("SCREE_ROOT")
    if not root:
        pytest.skip("SCREE_ROOT is not set: the headers are not there")
    text = "".join(open(os.path.join(root, "include/scree", name)).read() for name in os.listdir(os.path.join(root, "include/scree")))
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
    groups = {"scree_step_def": "step", "scree_domain_def": "domain", "scree_detection_def": "detection", "scree_compute_def": "compute"}
    hooks = {"cookie", "size", "hooks", *groups.values(), "allocator", "log", "tasks", "error", "flow", "own_user", "own_field", "clips", "clip_count"}
    tables = open(os.path.join(root, "python/module/tables.c")).read() + open(os.path.join(root, "python/module/tables_world.c")).read()
    for struct in ("scree_world_def", *groups, "scree_detector_def", "scree_margin_def", "scree_picard_def", "scree_material_def", "scree_wall_servo_def",
                   "scree_free_wall_def", "scree_cell_def", "scree_cell_servo_def", "scree_fluid_def", "scree_force_field_def", "scree_sleep_def", "scree_chains_def", "scree_fields_def", "scree_heat_def",
                   "scree_material_heat_def", "scree_bond_def", "scree_picture_def", "scree_picture_camera", "scree_globe_def", "scree_contact_filter_def",
                   "scree_hash_grids_def", "scree_cell_space_def", "scree_insertion_sort_def", "scree_energy", "scree_event", "scree_totals", "scree_detection_stats"):
        body = re.search(rf"typedef struct {struct}\s*\{{(.*?)\}} {struct};", text, re.S).group(1)
        names = [re.match(r"\**(\w+)", part.strip().split()[-1] if i == 0 else part.strip()).group(1)
                 for line in body.split(";") if line.strip() for i, part in enumerate(re.sub(r"\[.*?\]", "", line).split(","))]
        for name in set(names) - hooks:
            wanted = rf"scree_world_def,\s+{groups[struct]}\.{name}\b" if struct in groups else rf"\({struct}, {name}\b"
            assert re.search(wanted, tables), f"{struct}.{name}"
