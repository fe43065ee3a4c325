"""What cannot be used is refused by a fitting exception, and nothing changes."""

import threading

import numpy as np
import pytest
from conftest import make_heap

import scree

GOOD = np.array([[0, 0, 0], [1, 0, 0.0]])

BAD_TABLES = [
    ("one dimension", lambda: (np.zeros(3), 1.0), ValueError),
    ("four columns", lambda: (np.zeros((2, 4)), 1.0), ValueError),
    ("three dimensions", lambda: (np.zeros((2, 3, 1)), 1.0), ValueError),
    ("radii of another length", lambda: (GOOD, [1.0, 1.0, 1.0]), ValueError),
    ("radii of two dimensions", lambda: (GOOD, np.ones((2, 1))), ValueError),
    ("no radii", lambda: (GOOD, None), TypeError),
    ("objects", lambda: (GOOD.astype(object), 1.0), TypeError),
    ("complex", lambda: (GOOD.astype(complex), 1.0), TypeError),
    ("texts", lambda: (np.array([["a", "b", "c"]]), 1.0), TypeError),
    ("dates", lambda: (np.zeros((2, 3), "M8[s]"), 1.0), TypeError),
    ("records", lambda: (np.zeros(2, [("x", "f8")]), 1.0), TypeError),
    ("big-endian", lambda: (GOOD.astype(">f8"), 1.0), TypeError),
    ("big-endian radii", lambda: (GOOD, np.ones(2, ">f4")), TypeError),
    ("complex radii", lambda: (GOOD, np.ones(2, complex)), TypeError),
    ("NaN", lambda: ([[np.nan, 0, 0], [1, 0, 0]], 1.0), ValueError),
    ("infinite", lambda: ([[np.inf, 0, 0], [1, 0, 0]], 1.0), ValueError),
    ("too large", lambda: ([[1e101, 0, 0], [1, 0, 0]], 1.0), ValueError),
    ("negative radius", lambda: (GOOD, [-1.0, 1.0]), ValueError),
    ("NaN radius", lambda: (GOOD, [np.nan, 1.0]), ValueError),
    ("ragged", lambda: ([[0, 0, 0], [1, 0]], 1.0), ValueError),
    ("nothing", lambda: (None, 1.0), TypeError),
]


@pytest.mark.parametrize("make, kind", [row[1:] for row in BAD_TABLES], ids=[row[0] for row in BAD_TABLES])
def test_bad_tables(make, kind):
    with pytest.raises(kind) as caught:
        scree.pairs(*make())
    assert str(caught.value)
    with scree.Detector() as detector:
        detector.update(GOOD, 0.6)
        with pytest.raises((TypeError, ValueError)):
            detector.update(*make())
        assert detector.pairs().tolist() == [[0, 1]] and detector.stats().bodies == 2


BAD_COLUMNS = [
    ("ids", [0], ValueError), ("ids", [0, 0], ValueError), ("ids", [-1, 0], ValueError), ("ids", [0, 2**32], ValueError),
    ("ids", [0.5, 1.0], TypeError), ("ids", ["a", "b"], TypeError), ("ids", [0, 2**31], ValueError),
    ("groups", [1.5, 1], TypeError), ("groups", [-1, 1], ValueError), ("groups", [[1, 1]], ValueError),
    ("masks", [1, 2, 3], ValueError), ("owners", [0, -2], ValueError), ("flags", [0, 256], ValueError),
]


@pytest.mark.parametrize("name, value, kind", BAD_COLUMNS)
def test_bad_columns(name, value, kind):
    with scree.Detector() as detector:
        with pytest.raises(kind):
            detector.update(GOOD, 0.6, **{name: value})
        assert detector.stats().bodies == 0


@pytest.mark.parametrize("keywords, kind", [
    ({"method": "no-such"}, ValueError), ({"method": 3}, TypeError), ({"dimensions": 4}, ValueError), ({"dimensions": 2.5}, TypeError),
    ({"threads": 0}, ValueError), ({"threads": -1}, ValueError), ({"threads": 2**40}, ValueError), ({"period": (1, 2, 3, 4)}, ValueError),
    ({"period": (-1, 0, 0)}, ValueError), ({"margin": "no-such"}, ValueError), ({"margin": {"length": np.nan, "kind": "skin"}}, ValueError),
    ({"no_such": 1}, TypeError), ({"margin": 5}, TypeError), ({"unusable": "maybe"}, ValueError), ({"method": "fl\0at"}, ValueError),
    ({"simd": "avx9"}, ValueError), ({"cell_factor": "wide"}, TypeError), ({"rtree_max_entries": 2**33}, ValueError),
])
def test_bad_detectors(keywords, kind):
    with pytest.raises(kind):
        scree.Detector(**keywords)


@pytest.mark.parametrize("query, kind", [
    ({}, TypeError), ({"box": ([0, 0, 0], [1, 1, 1]), "sphere": ([0, 0, 0], 1)}, TypeError), ({"sphere": ([0, 0, 0], -1)}, ValueError),
    ({"sphere": ([np.nan, 0, 0], 1)}, ValueError), ({"ray": ([0, 0, 0], [0, 0, 0])}, ValueError), ({"box": ([0], [1])}, ValueError),
    ({"nearest": ([0, np.inf, 0], 2)}, ValueError), ({"ray": ([0, 0, 0], [1, 0, 0], -1)}, ValueError),
])
def test_bad_queries(query, kind):
    with scree.Detector() as detector:
        detector.update(GOOD, 0.6)
        with pytest.raises(kind):
            detector.query(**query)


def test_removing_what_is_not_there():
    with scree.Detector() as detector:
        detector.update(GOOD, 0.6)
        for ids in ([7], [0, 0], [0, 9]):
            with pytest.raises(ValueError):
                detector.remove(ids)
        assert detector.stats().bodies == 2


# ---- worlds ---------------------------------------------------------------------------------------

@pytest.mark.parametrize("keywords, kind", [
    ({"step": -1.0}, ValueError), ({"step": np.nan}, ValueError), ({"step": "fast"}, TypeError), ({"step": 1, "dt": 1}, TypeError),
    ({}, ValueError), ({"step": 1e-5, "gravity": (0, 0)}, ValueError), ({"step": 1e-5, "gravity": "down"}, TypeError),
    ({"step": 1e-5, "dimensions": 4}, ValueError), ({"step": 1e-5, "integrator": "rk4"}, ValueError), ({"step": 1e-5, "boundary": "wrap"}, ValueError),
    ({"step": 1e-5, "no_such": 1}, TypeError), ({"step": 1e-5, "local_damping": 2.0}, ValueError), ({"step": 1e-5, "threads": 0}, ValueError),
    ({"step": 1e-5, "boundary": "periodic", "lower": (0, 0, 0), "upper": (0, 0, 0)}, ValueError),
    ({"step": 1e-5, "picard": {"wrong": 1}}, TypeError), ({"step": 1e-5, "overlap_limit": -1.0}, ValueError),
    ({"step": 1e-5, "method": "no-such"}, ValueError), ({"step": 1e-5, "gravity": (np.inf, 0, 0)}, ValueError),
])
def test_bad_worlds(keywords, kind):
    with pytest.raises(kind) as caught:
        scree.World(**keywords)
    assert str(caught.value)


BAD_BODIES = [
    ({"position": [[np.nan, 0, 0]]}, ValueError), ({"position": [0, 0, 0]}, ValueError), ({"position": [[0, 0]]}, ValueError),
    ({"radius": -1.0}, ValueError), ({"radius": 0.0}, ValueError), ({"radius": [1.0, 2.0]}, ValueError), ({"radius": None}, TypeError),
    ({"material": 99}, ValueError), ({"material": -1}, ValueError), ({"material": 0.5}, TypeError), ({"velocity": [np.inf, 0, 0]}, ValueError),
    ({"velocity": [[1, 2]]}, ValueError), ({"orientation": [0, 0, 0, 0]}, ValueError), ({"orientation": [1, 0, 0]}, ValueError),
    ({"mass": -1.0}, ValueError), ({"inertia": [1, 1]}, ValueError), ({"groups": -1}, ValueError), ({"flags": 2**33}, ValueError),
    ({"serial": 1}, ValueError), ({"no_such": 1}, TypeError), ({"spin": np.ones((1, 3), complex)}, TypeError),
    ({"position": np.zeros((1, 3), ">f8")}, TypeError), ({"position": np.zeros((1, 3), object)}, TypeError), ({"mask": "all"}, TypeError),
]


@pytest.mark.parametrize("change, kind", BAD_BODIES, ids=[f"{list(c)[0]}-{i}" for i, (c, _) in enumerate(BAD_BODIES)])
def test_bad_bodies(heap, change, kind):
    before, digest = heap.count, heap.digest()
    given = {"position": [[0, 0, 5.0]], "radius": 0.1, "material": 1, **change}
    with pytest.raises(kind):
        heap.add_spheres(**given)
    assert heap.count == before and heap.digest() == digest


def test_one_bad_body_of_many_keeps_all_out(heap):
    digest = heap.digest()
    x = np.full((100, 3), 5.0)
    x[77, 1] = np.nan
    with pytest.raises(ValueError):
        heap.add_spheres(x, 0.01, material=1)
    assert heap.digest() == digest


def set_bad(world, name, value):
    with world.edit() as e:
        getattr(e, name)[1] = value


@pytest.mark.parametrize("name, value", [
    ("position", np.nan), ("position", 1e200), ("velocity", np.inf), ("spin", np.nan), ("orientation", 0.0), ("material", 99),
    ("load", np.nan),
])
def test_bad_edits_change_nothing(heap, name, value):
    heap.step(50)
    digest = heap.digest()
    with pytest.raises(ValueError):
        set_bad(heap, name, value)
    assert heap.digest() == digest


def test_an_edit_that_fails_late_takes_all_back(heap):
    heap.step(50)
    digest = heap.digest()
    with pytest.raises(ValueError):
        with heap.edit() as e:
            e.velocity[:] = 1
            e.material[-1] = 99
    assert heap.digest() == digest


def test_edits_of_what_cannot_be(heap):
    with pytest.raises(AttributeError, match="cannot be written"):
        with heap.edit() as e:
            e.radius[:] = 1
    with pytest.raises(TypeError):
        with heap.edit() as e:
            e.velocity = np.ones((60, 3), complex)
    with pytest.raises(ValueError):
        with heap.edit() as e:
            e.groups = -1


@pytest.mark.parametrize("call, kind", [
    (lambda w: w.step(-1), ValueError), (lambda w: w.step(1.5), TypeError), (lambda w: w.step("1"), TypeError), (lambda w: w.step(1, 2), TypeError),
    (lambda w: w.step(2**64), ValueError), (lambda w: w.run(), TypeError), (lambda w: w.run(until=1, steps=1), TypeError),
    (lambda w: w.run(until=np.inf), ValueError), (lambda w: w.remove([12345]), ValueError), (lambda w: w.body(0), ValueError),
    (lambda w: w.wall(77), ValueError), (lambda w: w.remove_wall(77), ValueError), (lambda w: w.contacts(body=77), ValueError),
    (lambda w: w.contacts(no_such=1), TypeError), (lambda w: w.contacts(bodies_only=True, walls_only=True), ValueError),
    (lambda w: w.events(), ValueError), (lambda w: w.temperature, ValueError), (lambda w: w.body_heat(1), ValueError),
    (lambda w: w.add_material(density=-1.0), ValueError), (lambda w: w.add_material(desity=1.0), TypeError),
    (lambda w: w.add_material(poisson=0.7), ValueError), (lambda w: w.add_rule("hertzian"), ValueError),
    (lambda w: w.add_rule("hertz", no_such=1), ValueError), (lambda w: w.add_rule(5), TypeError), (lambda w: w.add_rule("hertz", type="both"), ValueError),
    (lambda w: w.add_wall(material=1, normal=(0, 0, np.nan)), ValueError), (lambda w: w.add_wall(material=1, speed=1), TypeError),
    (lambda w: w.add_wall(material=1, velocity=(1, np.nan, 0)), ValueError), (lambda w: w.add_wall(material=1, table=[[0, 0, 0]]), ValueError),
    (lambda w: w.add_wall(material=1, table=[[1, 0, 0, 0], [0, 0, 0, 0.0]]), ValueError), (lambda w: w.add_wall(material=1, function=5.5), TypeError),
    (lambda w: w.set_wall_servo(w.walls()[0], force=1.0), ValueError), (lambda w: w.set_free_wall(w.walls()[0], mass=-1.0), ValueError),
    (lambda w: setattr(w, "gravity", (0, np.nan, 0)), ValueError), (lambda w: setattr(w, "dt", -1), ValueError),
    (lambda w: setattr(w, "time_mode", "slow"), ValueError), (lambda w: setattr(w, "damping", (0, 3)), ValueError),
    (lambda w: w.set_friction(-1), ValueError), (lambda w: w.set_friction(0.5, 99), ValueError), (lambda w: w.set_material_value("yuong", 1), ValueError),
    (lambda w: w.set_material_value("young", -1), ValueError), (lambda w: w.set_rule_value(99, "young", 1), ValueError), (lambda w: w.set_method("none"), ValueError),
    (lambda w: w.set_margin(kind="wide"), ValueError), (lambda w: w.set_cell(tilt=(1, 0, 0)), ValueError), (lambda w: w.set_sleep(speed=-1.0), ValueError),
    (lambda w: w.set_cell_servo(pressure=1.0), ValueError), (lambda w: w.picture(field="colour"), ValueError), (lambda w: w.picture(width=0), ValueError),
    (lambda w: w.picture(values=np.zeros(3)), ValueError), (lambda w: w.picture(values=np.full(60, np.nan)), ValueError),
    (lambda w: w.picture(camera={"wrong": 1}), TypeError), (lambda w: w.export("x.doc"), ValueError), (lambda w: w.export("x", "doc"), ValueError),
    (lambda w: w.export("/no/such/folder/x.csv"), OSError), (lambda w: w.checkpoint("/no/such/folder/x"), OSError),
    (lambda w: w.fields((0, 0, 0), (1, 1, 1), (2, 2, 2), -1.0).values(), ValueError), (lambda w: w.fields((0, 0, 0), (1, 1, 1), 0, 1.0), ValueError),
    (lambda w: w.solid_volume((0, 0, 0), -1.0), ValueError), (lambda w: w.chains(min_bodies=0), ValueError), (lambda w: w.add_bonds(gap=-1.0), ValueError),
    (lambda w: w.set_force(3.5), TypeError), (lambda w: w.set_force(0), ValueError), (lambda w: next(w.iterate(every=0)), ValueError),
    (lambda w: w.add_blocks([[0, 0, 9]], "mesh", 0.1, material=1), TypeError), (lambda w: w.add_clumps([[0, 0, 9]], [], material=1), ValueError),
    (lambda w: w.add_blocks([[0, 0, 9]], scree.Mesh.box((0, 0, 0), (1, 1, 1)), 0.1, material=1, shape=3), ValueError),
    (lambda w: w.add_meshes([[0, 0, 9]], scree.Mesh.box((0, 0, 0), (1, 1, 1)), 0.1, material=1, frame="world"), ValueError),
    (lambda w: w._column("colour"), ValueError), (lambda w: scree.World.from_checkpoint(b"not a checkpoint"), ValueError),
    (lambda w: scree.World.from_checkpoint("/no/such/file"), OSError), (lambda w: w.restore("x"), TypeError),
])
def test_bad_calls(heap, call, kind):
    heap.step(20)
    digest = heap.digest()
    with pytest.raises(kind) as caught:
        call(heap)
    assert str(caught.value)
    assert heap.digest() == digest


@pytest.mark.parametrize("make, kind", [
    (lambda: scree.Mesh(np.zeros((3, 2)), [[0, 1, 2]]), ValueError), (lambda: scree.Mesh(np.eye(3), [[0, 1, 3]]), ValueError),
    (lambda: scree.Mesh(np.eye(3), [[0.5, 1, 2]]), TypeError), (lambda: scree.Mesh(np.eye(3), [[0, 1, -1]]), ValueError),
    (lambda: scree.Mesh(np.zeros((3, 3)), [[0, 1, 2]]), ValueError), (lambda: scree.Mesh(np.full((3, 3), np.nan), [[0, 1, 2]]), ValueError),
    (lambda: scree.Mesh(np.eye(3).astype(complex), [[0, 1, 2]]), TypeError), (lambda: scree.Mesh.hull(np.zeros((5, 3))), ValueError),
    (lambda: scree.Mesh.read("/no/such.stl"), OSError), (lambda: scree.Mesh.globe(facets=0), ValueError), (lambda: scree.Mesh.globe(size=1), TypeError),
    (lambda: scree.Clump([[0, 0, 0]]), ValueError), (lambda: scree.Clump([[0, 0, 0, -1]]), ValueError), (lambda: scree.Clump(np.zeros((0, 4))), ValueError),
    (lambda: scree.Clump.fill("mesh"), TypeError), (lambda: scree.Mesh.box((0, 0, 0), (1, 1, 1)).solid(-1.0), ValueError),
])
def test_bad_shapes(make, kind):
    with pytest.raises(kind):
        make()


# ---- who may use what -----------------------------------------------------------------------------

def test_closed_worlds():
    world = make_heap()
    position = world.position
    world.close()
    world.close()
    assert world.closed and "closed" in repr(world) and "closed" in world._repr_html_()
    for use in (lambda: world.step(), lambda: world.position, lambda: world.digest(), lambda: position[0], lambda: world.add_material(),
                lambda: world.contacts(), lambda: len(world), lambda: world.snapshot()):
        with pytest.raises(ValueError, match="closed"):
            use()
    assert np.asarray(position).shape == (60, 3)  # the bare array still has memory of its own


def test_two_threads_at_once():
    world = make_heap(500)
    outcome, begun = [], threading.Event()

    def step():
        begun.set()
        world.step(4000)

    thread = threading.Thread(target=step)
    thread.start()
    begun.wait()
    for _ in range(2000):
        try:
            world.time
        except scree.Busy as error:
            outcome.append(str(error))
            break
    thread.join()
    assert outcome and "another thread" in outcome[0]
    world.step()


def test_calls_of_a_callback_into_its_world():
    world = make_heap()
    seen = []

    def force(time, bodies, force, torque):
        with pytest.raises(scree.Busy):
            world.step()
        seen.append(time)

    world.set_force(force)
    world.step(3)
    assert len(seen) >= 3


@pytest.mark.skipif(not scree.has_scenes, reason="built without Lua")
def test_files_that_are_no_utf_8(tmp_path):
    """What an error quotes of them is shown as far as it can be."""
    (tmp_path / "scene.lua").write_bytes("material { dichte\xe9 = 1 }".encode("latin-1"))
    with pytest.raises(scree.BadFile):
        scree.Scene(tmp_path / "scene.lua")


class Closing:
    """A number that closes what it is given to."""

    def __init__(self, target, shape=(2, 3), dtype=np.float64):
        self.target, self.shape, self.dtype = target, shape, dtype

    def __float__(self):
        self.target.close()
        return 0.5

    def __array__(self, dtype=None, copy=None):
        self.target.close()
        return np.zeros(self.shape, dtype or self.dtype)


@pytest.mark.parametrize("call", [
    lambda w, c: w.set_body(w.id[0], position=(c, 0, 0)), lambda w, c: w.set_cell(lower=(c, 0, 0)), lambda w, c: w.set_margin(length=c),
    lambda w, c: w.add_material(density=c), lambda w, c: w.set_material_heat(1, conductivity=c), lambda w, c: w.set_heat(temperature=c),
    lambda w, c: w.add_wall(material=1, velocity=(c, 0, 0)), lambda w, c: w.set_wall_path(w.add_wall(material=1), velocity=(c, 0, 0)),
    lambda w, c: w.place_on_path(0, velocity=(c, 0, 0)), lambda w, c: w.set_wall_heat(w.add_wall(material=1), temperature=c),
    lambda w, c: w.add_spheres(Closing(w), 0.1, material=1), lambda w, c: w.remove(Closing(w, 3, np.uint64)), lambda w, c: w.apply_impulse(w.id[0], Closing(w, 3)),
    lambda w, c: w.contacts(lower=(c, 0, 0), upper=(1, 1, 1)), lambda w, c: w.chains(angle=c), lambda w, c: w.add_rule("hertz", friction=c),
    lambda w, c: w.fields((0, 0, 0), (1, 1, 1), (4, 4, 4), c).sample(), lambda w, c: w.picture(values=c), lambda w, c: w.picture(range=(c, 1)), lambda w, c: w.copy(dt=c),
    lambda w, c: w.set_sleep(speed=c), lambda w, c: w.set_wall_servo(w.add_wall(material=1), force=c),
])
def test_numbers_that_close_their_world(call):
    """What a call has converted may have run the host's code: the world is looked at after that."""
    world = make_heap()
    with pytest.raises(ValueError, match="closed"):
        call(world, Closing(world))


@pytest.mark.parametrize("call", [
    lambda d, c: d.update(c, 0.1), lambda d, c: d.insert(c, 0.1), lambda d, c: d.remove(Closing(d, 2, np.uint32)), lambda d, c: d.leeway(0, (c, 0, 0, 1)),
    lambda d, c: d.advance(np.zeros((2, 3)), 0.1, velocity=c, dt=0.1),
])
def test_numbers_that_close_their_detector(call):
    detector = scree.Detector(method="flat")
    detector.update(np.zeros((2, 3)), 0.1)
    with pytest.raises(ValueError, match="closed"):
        call(detector, Closing(detector))
