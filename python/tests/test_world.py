"""Worlds: bodies from arrays, views, edits, steps, what is read off."""

import gc
import pickle
import weakref

import numpy as np
import pytest
from conftest import make_heap

import scree


# ---- physics with known answers ---------------------------------------------------------------------

def test_free_fall():
    world = scree.World(gravity=(0, 0, -10), step=1e-3)
    world.add_spheres([[0, 0, 0.0]], 0.1, material=world.add_material())
    world.step(100)
    assert np.allclose(world.position[0], [0, 0, -10 * 0.1**2 / 2], atol=1e-12)
    assert np.allclose(world.velocity[0], [0, 0, -1])


def test_a_device_gives_the_same_digest():
    def fall(**more):
        world = scree.World(gravity=(0, 0, -10), step=1e-5, **more)
        m = world.add_material(young=1e6)
        world.add_wall(material=m)
        world.add_spheres([[0, 0, 0.0101], [0.001, 0, 0.0305]], 0.01, material=m)
        return world

    here = fall()
    assert here.device_refusals() == ""
    here.step(300)
    try:
        there = fall(device="gpu")
    except scree.Error as error:
        assert "device" in str(error) or "OpenCL" in str(error)
        with pytest.raises(scree.Error):
            fall().set_device("gpu")
    else:
        there.step(300)
        assert there.digest() == here.digest()
        there.set_device("cpu")
        there.step(100)
        here.step(100)
        assert there.digest() == here.digest()
        assert np.array_equal(there.position, here.position)
    moving = scree.World(gravity=(0, 0, -10), time="automatic")
    assert "step" in moving.device_refusals()


def test_restitution():
    world = scree.World(step=1e-6)
    m = world.add_material(restitution=0.7, friction=0)
    world.add_wall(material=m)
    world.add_spheres([[0, 0, 0.0101]], 0.01, velocity=[0, 0, -1], material=m)
    world.run(until=0.01)
    assert abs(world.velocity[0, 2] - 0.7) < 0.01


def test_hertz_force():
    world = scree.World(step=1e-7)
    m = world.add_material(young=1e7, poisson=0.3, restitution=1)
    world.add_spheres([[0, 0, 0], [0.0199, 0, 0]], 0.01, material=m)
    world.step()
    e, r, d = 1e7 / (2 * (1 - 0.09)), 0.005, 1e-4
    assert np.isclose(world.contacts()["force"][0, 0], -4 / 3 * e * r**0.5 * d**1.5, rtol=1e-6)


def test_energy_closes():
    world = make_heap(energy_balance=True)
    world.step(2000)
    e = world.energy()
    left = e.kinetic + e.rotational + e.potential + e.elastic + e.damping + e.friction + e.rolling + e.body_damping
    right = e.walls + e.loads + e.boundary + e.entered - e.removed
    assert abs(left - right) < 1e-4 * abs(e.entered) and e.damping > 0


def test_two_dimensions():
    world = scree.World(gravity=(0, -9.81), step=1e-4, dimensions=2)
    m = world.add_material()
    world.add_wall(material=m)
    world.add_spheres(np.array([[0, 1.0], [1, 1]]), 0.1, velocity=np.array([[1.0, 0], [0, 0]]), spin=2.0, material=m)
    world.step(100)
    assert world.position.shape == (2, 3) and (world.position[:, 2] == 0).all()
    assert np.allclose(world.spin[:, 2], 2) and world.position[:, 0].max() > 1 - 1e-9
    assert np.isclose(world.mass[0], 2500 * np.pi * 0.01)


# ---- bodies -------------------------------------------------------------------------------------------

def test_columns_of_bodies():
    world = scree.World(step=1e-4)
    m = world.add_material(density=1000)
    ids = world.add_spheres([[0, 0, 0], [1, 0, 0], [2, 0, 0]], [0.1, 0.2, 0.3], material=m, velocity=[[1, 0, 0]] * 3, spin=[0, 0, 5],
                            orientation=[2, 0, 0, 0], groups=[1, 2, 4], mask=7, user=[10, 20, 30], flags=scree.FREEZE_X, serial=[5, 9, 7])
    rows = world.bodies()
    assert rows["serial"].tolist() == [5, 7, 9] and rows["user"].tolist() == [10, 30, 20]
    assert rows["groups"].tolist() == [1, 4, 2] and (rows["mask"] == 7).all() and (rows["flags"] == 1).all()
    assert np.allclose(world.mass[world.order()], 1000 * 4 / 3 * np.pi * np.array([0.1, 0.3, 0.2]) ** 3)
    body = world.body(ids[1])
    assert body.radius == 0.2 and body.shape == "sphere" and body.user == 20 and np.array_equal(body.spin, [0, 0, 5])
    assert np.allclose(body.orientation, [1, 0, 0, 0]) and world.has_body(int(ids[1])) and world.has_body(ids[1])
    assert len(world) == world.count == 3


def test_mass_and_inertia_may_be_given():
    world = scree.World(step=1e-4)
    ids = world.add_spheres([[0, 0, 0]], 0.1, material=world.add_material(), mass=3.0, inertia=[1, 2, 3])
    assert world.body(ids[0]).mass == 3 and np.array_equal(world.body(ids[0]).inertia, [1, 2, 3])


def test_removing():
    world = make_heap()
    ids = world.id.copy()
    world.remove(ids[:10])
    assert world.count == 50 and not world.has_body(int(ids[0]))
    with pytest.raises(ValueError):
        world.remove(ids[:1])
    world.remove(ids[10])
    assert world.totals().removed == 11


def test_blocks_meshes_clumps():
    world = scree.World(gravity=(0, 0, -9.81), step=1e-5)
    m = world.add_material(young=1e6)
    world.add_wall(material=m)
    cube = scree.Mesh.box((-0.1, -0.1, -0.1), (0.1, 0.1, 0.1))
    small = scree.Mesh.box((-0.05, -0.05, -0.05), (0.05, 0.05, 0.05))
    blocks = world.add_blocks([[0, 0, 0.2], [1, 0, 0.2]], [cube, small], 0.005, shape=[0, 1], material=m)
    globe = scree.Mesh.globe(facets=80, radius=0.1)
    meshes = world.add_meshes([[2, 0, 0.2]], globe, 0.005, material=m)
    clump = scree.Clump([[0, 0, 0, 0.05], [0.06, 0, 0, 0.05]])
    clumps = world.add_clumps([[3, 0, 0.2]], clump, material=m, orientation=[0.6, 0, 0.8, 0])
    assert [world.body(i).shape for i in (*blocks, *meshes, *clumps)] == ["block", "block", "mesh", "clump"]
    assert np.isclose(world.body(blocks[0]).mass, 2500 * 0.008) and np.isclose(world.body(blocks[1]).mass, 2500 * 0.001)
    assert world.body(blocks[0]).rounding == 0.005 and world.body(blocks[0]).contact_skin == 0
    assert world.body(meshes[0]).contact_skin == 0.005 and world.body(meshes[0]).rounding == 0
    world.step(200)
    assert (world.velocity[:, 2] < 0).all()


def test_superquadrics():
    world = scree.World(step=1e-5, gravity=(0, 0, -9.81))
    m = world.add_material(young=1e6)
    egg, dice = scree.Mesh.superquadric((0.1, 0.1, 0.15)), scree.Mesh.superquadric((0.1, 0.1, 0.1), (8, 8), facets=100)
    ids = world.add_superquadrics([[0, 0, 0.2], [1, 0, 0.2]], [egg, dice], shape=[0, 1], material=m)
    assert [world.body(i).shape for i in ids] == ["superquadric"] * 2
    assert np.isclose(world.body(ids[0]).mass, 2500 * 4 / 3 * np.pi * 0.0015)
    assert np.isclose(world.body(ids[0]).radius, 0.15) and world.body(ids[0]).contact_skin == 0
    world.step(200)
    assert (world.velocity[:, 2] < 0).all()
    again = pickle.loads(pickle.dumps(dice))
    assert again.solid() == dice.solid() and len(again.facets) == len(dice.facets)
    assert scree.Mesh.superquadric((2, 1), 4).vertices.shape[0] == 320
    with pytest.raises(scree.Error, match="no formula"):
        world.add_superquadrics([[0, 0, 9]], scree.Mesh.box((0, 0, 0), (1, 1, 1)), material=m)
    with pytest.raises(scree.Error, match=r"exponents\[0\] is 9"):
        scree.Mesh.superquadric((1, 1, 1), (9, 2))
    with pytest.raises(ValueError, match="radii has the shape"):
        scree.Mesh.superquadric((1, 1, 1, 1))


def test_old_names_of_the_skin():
    world = scree.World(step=1e-5)
    m = world.add_material(young=1e6)
    cube = scree.Mesh.box((-0.1, -0.1, -0.1), (0.1, 0.1, 0.1))
    with pytest.warns(DeprecationWarning, match="add_blocks: halo is called rounding now"):
        block = world.add_blocks([[0, 0, 0]], cube, halo=0.01, material=m)
    with pytest.warns(DeprecationWarning, match="add_meshes: halo is called contact_skin now"):
        mesh = world.add_meshes([[1, 0, 0]], cube, halo=0.02, material=m)
    with pytest.warns(DeprecationWarning, match="body: halo is called rounding now"):
        assert world.body(block[0]).halo == 0.01
    with pytest.warns(DeprecationWarning, match="body: halo is called contact_skin now"):
        assert world.body(mesh[0])["halo"] == 0.02
    with pytest.warns(DeprecationWarning, match="add_rule: halo is called contact_skin now"):
        world.add_rule("penalty", halo=0.02)
    world.add_rule("penalty", contact_skin=0.01)
    with pytest.warns(DeprecationWarning, match="set_rule_value: halo is called contact_skin now"):
        world.set_rule_value(2, "halo", 0.03)
    assert world.rule_value(2, "contact_skin") == 0.03
    with pytest.raises(TypeError, match="halo is the old name of contact_skin; leave one"):
        world.add_meshes([[2, 0, 0]], cube, 0.02, halo=0.02, material=m)
    with pytest.raises(TypeError, match="contact_skin is missing"):
        world.add_meshes([[2, 0, 0]], cube, material=m)
    with pytest.raises(scree.Error, match="has no parameter"):
        world.add_rule("hertz", halo=0.02)
    with pytest.raises(AttributeError, match="no figure 'skin'"):
        world.body(mesh[0]).skin


def test_placing_by_the_mesh_frame():
    world = scree.World(step=1e-4)
    mesh = scree.Mesh.box((0, 0, 0), (1, 1, 1))
    ids = world.add_blocks([[5, 5, 5]], mesh, 0.01, material=world.add_material(), frame="mesh")
    assert np.allclose(world.body(ids[0]).position, 5.5)
    origin, turn = world.body_frame(int(ids[0]))
    assert np.allclose(origin, 5) and np.allclose(turn, [1, 0, 0, 0])


# ---- views --------------------------------------------------------------------------------------------

COLUMNS = ["position", "radius", "velocity", "inverse_mass", "spin", "inverse_inertia", "orientation", "force", "torque", "id", "serial",
           "user", "material"]


@pytest.mark.parametrize("name", COLUMNS)
def test_views_are_read_only_and_not_copies(heap, name):
    heap.step(10)
    first, second = getattr(heap, name), getattr(heap, name)
    assert len(first) == 60 and np.array_equal(first, second)
    assert np.shares_memory(np.asarray(first), np.asarray(second))
    assert not first.flags.owndata and not first.flags.writeable
    with pytest.raises(ValueError):
        first[0] = 1
    with pytest.raises(ValueError):
        np.asarray(first).flags.writeable = True


def test_a_view_of_many_bodies_takes_no_memory():
    import tracemalloc

    world = scree.World(step=1e-4)
    world.add_spheres(np.arange(300000).reshape(-1, 3) * 1.0, 0.1, material=world.add_material())
    tracemalloc.start()
    view = world.position
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 20000 and view.shape == (100000, 3)


def test_views_behave_as_arrays(heap):
    heap.step(10)
    p = heap.position
    bare = p.copy()
    assert type(bare) is np.ndarray and bare.flags.owndata
    assert isinstance(p, np.ndarray) and p.shape == (60, 3) and p.dtype == np.float64
    assert np.allclose((p + 1) * 2, bare * 2 + 2) and type(p + 1) is np.ndarray
    assert p.sum() == bare.sum() and p.mean() == bare.mean() and p.max() == bare.max() and np.allclose(p.std(0), bare.std(0))
    assert np.array_equal(p[:, 2], bare[:, 2]) and np.array_equal(p[p[:, 2] > 0.02], bare[bare[:, 2] > 0.02])
    assert np.array_equal(np.sort(p, axis=0), np.sort(bare, axis=0)) and p.tolist() == bare.tolist() and [*p][0].tolist() == bare[0].tolist()
    assert np.array_equal(np.concatenate([p, p]), np.concatenate([bare, bare])) and repr(p) == repr(bare) and str(p) == str(bare)
    assert np.array_equal(p @ np.eye(3), bare) and np.array_equal(p.T, bare.T) and p.astype(np.float32).dtype == np.float32
    assert np.array_equal(pickle.loads(pickle.dumps(p)), bare)


def test_a_stale_view_is_refused(heap):
    p = heap.position
    part = p[:, 2]
    heap.add_spheres(np.arange(3000).reshape(-1, 3) + 5.0, 0.1, material=1)
    for use in (lambda: p[0], lambda: p.sum(), lambda: p + 1, lambda: part.max(), lambda: np.sort(p), lambda: p.copy(), lambda: repr(p), lambda: list(p),
                lambda: p.tolist(), lambda: np.concatenate([p, p])):
        with pytest.raises(scree.StaleView, match="moved"):
            use()
    assert heap.position.shape == (1060, 3)


def test_copies_of_views_last(heap):
    kept = heap.position.copy()
    doubled = heap.position * 2
    order = heap.order()
    picked, masked = heap.position[order], heap.serial[heap.position[:, 2] > 0.02]
    wanted = kept[order], masked.tolist()
    heap.add_spheres(np.arange(3000).reshape(-1, 3) + 5.0, 0.1, material=1)
    assert np.array_equal(doubled, kept * 2) and np.array_equal(picked, wanted[0]) and masked.tolist() == wanted[1]


def test_bare_arrays_never_see_foreign_memory():
    for _ in range(20):
        world = make_heap()
        bare = [np.asarray(getattr(world, name)) for name in COLUMNS]
        before = [b.copy() for b in bare]
        world.add_spheres(np.arange(30000).reshape(-1, 3) + 5.0, 0.1, material=1)
        world.close()
        del world
        gc.collect()
        junk = [np.full(60 * 32, 77, np.uint8) for _ in range(200)]
        assert np.array_equal(bare[0], before[0]) and np.array_equal(bare[10], before[10])
        del junk


def test_views_keep_their_world_alive():
    world = make_heap()
    gone = weakref.ref(world)
    view = world.position
    del world
    gc.collect()
    assert gone() is not None and view.shape == (60, 3) and view.sum() != 0
    del view
    gc.collect()
    assert gone() is None


# ---- edits --------------------------------------------------------------------------------------------

def test_edit_writes_all_at_the_end(heap):
    with heap.edit() as e:
        e.velocity[:] = [0, 0, 1]
        e.user[:] = np.arange(60)
        e.groups = 3
        e.load[:, 2] = 0.5
        assert (heap.velocity == 0).all()
    assert (heap.velocity[:, 2] == 1).all() and sorted(heap.user.tolist()) == list(range(60))
    rows = heap.bodies()
    assert (rows["groups"] == 3).all() and (rows["load"][:, 2] == 0.5).all()


def test_edit_goes_by_rows(heap):
    heap.step(100)
    with heap.edit() as e:
        row = int(np.flatnonzero(heap.serial == 7)[0])
        e.position[row] += [0, 0, 1]
    assert heap.bodies()["position"][6, 2] > 1 or heap.bodies()["serial"].tolist().index(7) >= 0
    assert float(heap.position[heap.serial == 7][0, 2]) > 0.9


def test_edit_without_changes_changes_nothing(heap):
    heap.step(100)
    digest = heap.digest()
    with heap.edit() as e:
        e.velocity *= 1
    assert heap.digest() == digest


def test_edit_is_dropped_where_its_block_fails(heap):
    digest = heap.digest()
    with pytest.raises(KeyError):
        with heap.edit() as e:
            e.velocity[:] = 5
            raise KeyError
    assert heap.digest() == digest


# ---- steps --------------------------------------------------------------------------------------------

def test_portions_do_not_matter():
    first, second, third = make_heap(), make_heap(), make_heap()
    first.step(500)
    for _ in range(500):
        second.step()
    third.run(steps=500)
    assert first.digest() == second.digest() == third.digest()


@pytest.mark.parametrize("options", [{"threads": 2}, {"method": "bvh8"}, {"method": "hashing"}, {"simd": "scalar"}, {"sort_every": 7},
                                     {"margin": "skin"}])
def test_the_same_bytes(options):
    first, second = make_heap(), make_heap(**options)
    first.step(400)
    second.step(400)
    assert first.digest() == second.digest()


def test_run_until():
    world = make_heap()
    assert world.run(until=0.01) == 500 and np.isclose(world.time, 0.01)
    assert world.run(until=0.01) == 0
    assert world.run(steps=7) == 7


def test_run_in_automatic_time():
    world = make_heap(step=1e-3, time="automatic")
    world.run(until=0.02)
    assert abs(world.time - 0.02) < 1e-3


def test_progress(heap, capsys):
    seen = []
    heap.run(until=0.005, progress=lambda world, share: seen.append(share))
    assert seen[-1] == 1 and all(a <= b for a, b in zip(seen, seen[1:]))
    heap.run(until=0.006, progress=True)
    assert "100.0 %" in capsys.readouterr().out


def test_iterate(heap):
    times = [w.time for w in heap.iterate(every=0.002, until=0.01)]
    assert np.allclose(times, [0.002, 0.004, 0.006, 0.008, 0.01])


def test_a_step_that_is_refused_says_why():
    world = scree.World(step=1e-4)
    m = world.add_material()
    ids = world.add_spheres([[9, 0, 0], [0, 0, 0], [0.05, 0, 0]], 0.1, material=m)
    digest = world.digest()
    with pytest.raises(scree.StepRefused) as caught:
        world.step(10)
    assert sorted(caught.value.bodies) == sorted(ids[1:]) and caught.value.body in ids[1:] and caught.value.wall == 0
    assert "overlap" in str(caught.value) and "shorter step" in caught.value.remedy and caught.value.status
    assert world.digest() == digest and isinstance(caught.value, RuntimeError)


def test_a_wall_to_blame():
    world = scree.World(step=1e-4)
    m = world.add_material()
    world.add_wall(material=m, point=(0, 0, -50))
    wall = world.add_wall(material=m)
    ids = world.add_spheres([[0, 0, 0.01]], 0.1, material=m)
    with pytest.raises(scree.StepRefused) as caught:
        world.step()
    assert caught.value.wall == wall and caught.value.body == ids[0]


def test_a_body_to_blame():
    world = scree.World(step=1e-4)
    ids = world.add_spheres([[0, 0, 0], [5, 0, 0]], 0.1, material=world.add_material())

    def force(time, bodies, force, torque):
        force[bodies.serial == 2] = np.nan

    world.set_force(force)
    with pytest.raises(scree.StepRefused) as caught:
        world.step()
    assert caught.value.body == ids[1] and "finite" in caught.value.remedy


# ---- types of bodies ----------------------------------------------------------------------------------

def test_types_of_bodies():
    world = scree.World(gravity=(0, 0, -10), step=1e-3)
    m = world.add_material()
    ids = world.add_spheres(np.arange(3)[:, None] * [1.0, 0, 0], 0.1, material=m, velocity=[[0, 0, 0], [0, 0, 1], [0, 0, 0]],
                            type=["dynamic", "kinematic", scree.BodyType.STATIC])
    assert [world.body_type(i) for i in ids] == ["dynamic", "kinematic", "static"] and world.body(ids[2]).type == "static"
    assert world.bodies()["type"].tolist() == [0, 1, 2] and world.bodies()["flags"].tolist() == [0, scree.FREEZE, scree.FREEZE]
    world.step(100)
    assert np.allclose(world.velocity[world.order(), 2], [-1, 1, 0])
    world.set_body_type(ids[:2], "static")
    assert not world.velocity.any() and (world.bodies()["type"] == scree.BodyType.STATIC).all()
    world.set_body_type(ids[0], scree.BodyType.DYNAMIC)
    world.set_body(int(ids[1]), type="kinematic", velocity=(1, 0, 0))
    assert [world.body_type(i) for i in ids] == ["dynamic", "kinematic", "static"]
    block = world.add_blocks([[9, 9, 9]], scree.Mesh.box((-1, -1, -1), (1, 1, 1)), 0.1, material=m, type="static")
    assert world.body_type(block[0]) == "static"


def test_types_that_are_refused(heap):
    ids, digest = heap.id.copy(), heap.digest()
    with pytest.raises(ValueError):
        heap.set_body_type(np.array([ids[0], 12345, ids[1]], np.uint64), "static")
    for wrong, kind in (("fixed", ValueError), (3, ValueError), (1.0, TypeError), (["static"], ValueError)):
        with pytest.raises(kind, match="type"):
            heap.set_body_type(ids[:2], wrong)
        with pytest.raises(kind, match="type"):
            heap.add_spheres([[5, 5, 5], [6, 6, 6]], 0.1, material=1, type=wrong)
    with pytest.raises(ValueError):
        heap.body_type(12345)
    with pytest.raises(ValueError, match="static"):
        heap.add_spheres([[5, 5, 5]], 0.1, material=1, type="static", velocity=[1, 0, 0])
    assert heap.digest() == digest


# ---- what is read off ---------------------------------------------------------------------------------

def test_contacts(heap):
    heap.step(300)
    all_of_them = heap.contacts()
    assert len(all_of_them) == heap.detection_stats().contacts > 20
    walls, bodies = heap.contacts(walls_only=True), heap.contacts(bodies_only=True)
    assert len(walls) + len(bodies) == len(all_of_them) and (walls["second"] == 0).all() and (walls["wall"] == heap.walls()[0]).all()
    one = int(bodies["first"][0])
    mine = heap.contacts(body=one)
    assert len(mine) and ((mine["first"] == one) | (mine["second"] == one)).all()
    low = heap.contacts(lower=(-1, -1, -1), upper=(1, 1, 0.005))
    assert 0 < len(low) < len(all_of_them) and (low["point"][:, 2] <= 0.005).all()
    rows, memory = heap.contacts(memory=True)
    assert memory.shape[0] == len(rows) and memory.shape[1] > 0
    assert np.allclose(np.linalg.norm(rows["normal"], axis=1), 1)


def test_figures(heap):
    heap.enable_timings(True)
    heap.step(100)
    assert heap.clock().steps == 100 and np.isclose(heap.clock().time, heap.time)
    assert heap.totals().bodies == 60 and heap.totals()["mass"] == heap.totals().mass
    assert heap.timings().steps == 100 and heap.detection_stats().late_contacts == 0
    assert heap.local_counts().pairs == 0 and heap.local_step_stats().islands == 0
    assert heap.stable_step().dt > 0
    row = heap.metrics()
    assert row["bodies"] == 60 and row["kinetic"] >= 0
    with pytest.raises(AttributeError, match="no figure"):
        heap.totals().weight


def test_settings():
    world = make_heap()
    world.gravity = (1, 2, 3)
    assert world.gravity.tolist() == [1, 2, 3]
    world.dt = 1e-5
    assert world.dt == 1e-5
    world.time_mode = "automatic"
    assert world.time_mode == "automatic"
    world.set_step("fixed", 2e-5)
    world.damping = 0.1, 0.2
    assert world.damping == (0.1, 0.2)
    world.set_friction(0.9, 1)
    assert world.friction(1) == 0.9 and np.isnan(world.friction(5))
    world.set_method("bvh8")
    assert world.method == "bvh8"
    world.method = "hashing"
    assert world.method == "hashing"
    assert world.margin.kind == "per-body"
    world.set_margin(kind="skin", length=0.001)
    assert world.margin.kind == "skin" and world.margin.length == 0.001
    kept = world.margin
    world.margin = "distance"
    assert world.margin.kind == "distance"
    world.margin = kept
    assert world.margin.kind == "skin" and world.margin.length == 0.001
    assert world.domain.boundary == ("none",) * 3
    world.step(10)


def test_rules():
    world = scree.World(step=1e-6)
    a, b = world.add_material(friction=0), world.add_material(friction=0)
    world.add_rule(None, materials=(a, a))
    world.add_rule("linear", materials=(a, b), stiffness=1000, restitution=1)
    world.add_spheres([[0, 0, 0], [0.19, 0, 0], [0.38, 0, 0]], 0.1, material=[a, a, b])
    world.step()
    c = world.contacts()
    assert np.allclose(c["force"][c["rule"] == 2][:, 0], -10) and len(c[c["rule"] == 1]) in (0, 1)


def test_walls_and_their_motions():
    world = scree.World(step=1e-3)
    m = world.add_material()
    plate = scree.Mesh.box((-1, -1, -0.1), (1, 1, 0))
    ids = [world.add_wall(material=m, velocity=(1, 0, 0)),
           world.add_wall(plate, material=m, axis=(0, 0, 1), rate=np.pi, centre=(0, 0, 0)),
           world.add_wall(plate, material=m, swing=(0, 0, 1), frequency=0.25),
           world.add_wall(plate, material=m, table=[[0, 0, 0, 0], [1, 0, 2, 0]]),
           world.add_wall((plate.vertices, plate.facets), material=m, function=lambda t: ((t, 0, 0), (1, 0, 0)), user=5)]
    assert world.walls().tolist() == ids
    world.step(500)
    assert np.isclose(world.wall(ids[0]).velocity[0], 1) and world.wall(ids[0]).kind == "plane"
    assert np.allclose(abs(world.wall(ids[1]).orientation), [np.cos(np.pi / 4), 0, 0, np.sin(np.pi / 4)], atol=1e-9)
    assert np.isclose(world.wall(ids[2]).position[2], np.sin(np.pi / 4), atol=1e-6)
    assert np.isclose(world.wall(ids[3]).position[1], 1)
    assert np.isclose(world.wall(ids[4]).position[0], 0.5) and world.wall(ids[4]).user == 5
    world.set_wall_path(ids[0])
    world.step(10)
    assert world.wall(ids[0]).velocity[0] == 0
    world.remove_wall(ids[0])
    assert len(world.walls()) == 4


def test_motions_that_add_up():
    world = scree.World(step=1e-3)
    m = world.add_material()
    plate = scree.Mesh.box((-1, -1, -0.1), (1, 1, 0))
    wall = world.add_wall(plate, material=m, motions=[
        {"kind": "move", "vector": (1, 0, 0)}, {"kind": "spin", "vector": (0, 0, 1), "rate": np.pi, "start": 0.25},
        {"kind": "table", "table": [[0, 0, 0, 0], [1, 0, 2, 0]]}])
    world.step(500)
    state = world.wall(wall)
    assert np.allclose(abs(state.orientation), [np.cos(np.pi / 8), 0, 0, np.sin(np.pi / 8)], atol=1e-9)
    assert np.isclose(state.position[1], 1, atol=1e-9) and np.isclose(state.position[0], 0.5, atol=1e-9)
    for bad, kind in (({"kind": "fly"}, ValueError), ({"vectr": (0, 0, 0)}, TypeError), ({"kind": "table", "table": [[0, 0]]}, ValueError), (5, TypeError)):
        with pytest.raises(kind):
            world.add_wall(plate, material=m, motions=[bad])
    with pytest.raises(ValueError, match="32"):
        world.add_wall(plate, material=m, motions=[{"kind": "move", "vector": (1, 0, 0)}] * 33)


def test_one_body_by_its_id():
    world = scree.World(step=1e-3)
    ids = world.add_spheres([[0, 0, 0], [5, 0, 0]], 0.1, material=world.add_material(), mass=2.0)
    world.set_body(ids[1], velocity=(1, 2, 3), user=9)
    assert world.body(ids[1]).velocity.tolist() == [1, 2, 3] and world.body(ids[1]).user == 9 and world.body(ids[0]).user == 0
    world.apply_impulse(ids[0], (0, 0, 4))
    assert world.body(ids[0]).velocity.tolist() == [0, 0, 2]
    world.apply_impulse(ids[0], (0, 0, 4), point=(0.1, 0, 0))
    assert world.body(ids[0]).spin[1] < 0
    for fields, kind in (({"velocity": (np.nan, 0, 0)}, ValueError), ({"speed": 1}, TypeError), ({"mass": 5.0}, ValueError)):
        with pytest.raises(kind):
            world.set_body(ids[0], **fields)
    with pytest.raises(ValueError):
        world.apply_impulse(0, (0, 0, 1))


def test_advance():
    world = make_heap()
    world.advance(0.0100003)
    assert abs(world.time - 0.0100003) < 1e-12
    whole, steps = make_heap(), make_heap()
    whole.advance(0.01)
    steps.step(500)
    assert whole.digest() == steps.digest()
    with pytest.raises(ValueError):
        world.advance(-1)


def test_servo_and_free_walls(heap):
    lid = heap.add_wall(material=1, point=(0, 0, 0.06), normal=(0, 0, -1))
    heap.set_wall_servo(lid, force=0.5, max_speed=0.5)
    heap.step(3000)
    assert heap.wall(lid).servo.is_on and heap.wall(lid).servo.target == 0.5 and heap.wall(lid).servo.contacts > 0
    servo = heap.wall_servo(lid)
    assert servo.force == 0.5 and servo.max_speed == 0.5 and np.allclose(abs(servo.axis), [0, 0, 1])
    heap.set_wall_servo(lid, **servo)
    assert heap.wall_servo(lid).max_speed == 0.5
    heap.set_wall_servo(lid, None)
    assert heap.wall_servo(lid) is None and heap.free_wall(lid) is None
    assert not heap.wall(lid).servo.is_on
    plate = heap.add_wall(scree.Mesh.box((-1, -1, 0), (1, 1, 0.1)), material=1, point=(0, 0, 1))
    heap.set_free_wall(plate, mass=1.0, inertia=(1, 1, 1))
    assert heap.wall(plate).is_free
    heap.step(100)
    assert heap.wall(plate).velocity[2] < 0
    free = heap.free_wall(plate)
    assert free.mass == 1 and free.inertia.tolist() == [1, 1, 1] and np.allclose(free.velocity, heap.wall(plate).velocity)
    for read in (heap.free_wall, heap.wall_servo):
        with pytest.raises(ValueError):
            read(12345)
    heap.set_free_wall(plate, None)
    assert not heap.wall(plate).is_free


def test_wear(heap):
    floor = heap.walls()[0]
    assert heap.wall_wear(floor) is None
    with pytest.raises(ValueError, match="does not wear"):
        heap.wear(floor)
    heap.set_wall_wear(floor, coefficient=1e-3, hardness=2e9, erosion=1e-7, angle_exponent=0.7)
    settings = heap.wall_wear(floor)
    assert settings.coefficient == 1e-3 and settings.hardness == 2e9 and settings.angle_exponent == 0.7 and settings.speed_exponent == 2.35
    heap.set_wall_belt(floor, velocity=(0.3, 0, 0))
    heap.step(3000)
    worn = heap.wear(floor)
    assert worn.shape == (1,) and worn["sliding"][0] > 0 and worn["slid_volume"][0] == pytest.approx(1e-3 * worn["sliding"][0] / 2e9)
    assert worn["depth"][0] == 0  # a plane
    with pytest.raises(ValueError, match="plane"):
        heap.worn_mesh(floor)
    for wrong in ({"coefficient": -1}, {"hardness": 0}, {"erosion": float("nan")}, {"speed_exponent": 99}):
        with pytest.raises(ValueError):
            heap.set_wall_wear(floor, **wrong)
    with pytest.raises(TypeError):
        heap.set_wall_wear(floor, speed=1)
    heap.set_wall_wear(floor, None)
    assert heap.wall_wear(floor) is None


def test_worn_mesh():
    world = scree.World(step=1e-5, gravity=(0, 0, -9.81))
    steel = world.add_material(young=1e7, restitution=0.2)
    square = scree.Mesh([(-1, -1, 0), (1, -1, 0), (1, 1, 0), (-1, 1, 0)], [(0, 1, 2), (0, 2, 3)])
    floor = world.add_wall(square, material=steel)
    world.add_spheres([(0.5, -0.5, 0.1)], 0.1, material=steel, velocity=(0, 0, -1))
    world.set_wall_wear(floor, erosion=1e-3)
    world.step(1000)
    worn = world.wear(floor)
    assert worn["impacts"].sum() == 1 and (worn["depth"] > 0).sum() == 1 and worn["area"].tolist() == [2, 2]
    above = {"projection": "orthographic", "placed": True, "eye": (0, 0, 5), "up": (0, 1, 0), "height": 2.4}
    looks = {"camera": above, "field": "none", "walls": "solid", "wall_field": "wear", "colour_bar": False, "time_label": False}
    assert world.picture_frame(**looks).wall_range[1] == worn["depth"].max()
    seen = world.picture(width=50, height=50, **looks).sum(axis=2).astype(int)
    assert seen[40, 27] > seen[10, 20] + 150
    depth = worn["depth"].max()
    mesh = world.worn_mesh(floor, times=0.01 / depth)
    assert np.sort(mesh.vertices[:, 2]) == pytest.approx([-0.01, -0.005, -0.005, 0], abs=1e-12)
    assert np.all(world.worn_mesh(floor, times=0).vertices[:, 2] == 0)
    with pytest.raises(ValueError):
        world.worn_mesh(floor, times=-1)


def test_belts(heap):
    floor = heap.walls()[0]
    assert heap.wall_belt(floor) is None
    heap.set_wall_belt(floor, velocity=(0.3, 0, 0), rate=2.0, centre=(0, 1, 0), axis=(0, 0, 4))
    belt = heap.wall_belt(floor)
    assert belt.velocity.tolist() == [0.3, 0, 0] and belt.axis.tolist() == [0, 0, 1] and belt.rate == 2 and belt.centre.tolist() == [0, 1, 0]
    heap.step(2000)
    assert abs(heap.wall(floor).force[0]) + abs(heap.wall(floor).force[1]) > 0
    for wrong in ({"velocity": (float("nan"), 0, 0)}, {"axis": (0, 0, 0)}, {"rate": float("inf")}):
        with pytest.raises(ValueError):
            heap.set_wall_belt(floor, **wrong)
    with pytest.raises(TypeError):
        heap.set_wall_belt(floor, speed=1)
    with pytest.raises(ValueError):
        heap.wall_belt(12345)
    assert heap.wall_belt(floor).rate == 2
    heap.set_wall_belt(floor, None)
    assert heap.wall_belt(floor) is None


def test_joints():
    world = scree.World(step=1e-4, gravity=(0, 0, -10), events=True, energy_balance=True)
    rock = world.add_material()
    first, second = (int(i) for i in world.add_spheres([[0, 0, 0], [0.5, 0, 0]], 0.1, material=rock))
    top = world.add_joint(first=first, axis=(0, 1, 0), anchor=(0, 0, 0))
    rod = world.add_joint(kind="spring", first=first, second=second, second_anchor=(0.5, 0, 0), strength=1e3)
    assert world.joints()["kind"].tolist() == [scree.JointKind.HINGE, scree.JointKind.SPRING]
    assert world.joints()["position"].tolist() == [0, 0.5] and world.joint(rod).first == first and world.joint(rod).second == second
    assert world.joint(top).motor["mode"] == "off" and world.joint(top).stiffness > 0
    world.set_joint_motor(top, mode="speed", target=3.0, max_effort=5.0)
    world.step(3000)
    assert abs(world.joint(top).speed - 3) < 0.05 and world.joint(top).motor["target"] == 3
    assert world.joint_counts() == {"intact": 2, "made": 2, "broken": 0, "lost": 0}
    world.set_joint_motor(top)
    assert world.joint(top).motor["mode"] == "off"
    world.remove([second])
    world.step()
    assert world.events("joint-lost")["joint"].tolist() == [rod]
    world.remove_joint(top)
    assert len(world.joints()) == 0 and world.joint_counts().lost == 1
    for wrong in ({"first": 77}, {"first": first, "stiffness": -1.0}, {"first": first, "axis": (0, 0, 0)}, {"first": first, "kind": "rope"},
                  {"first": first, "motor": {"mode": "speed"}}):
        with pytest.raises(ValueError):
            world.add_joint(**wrong)
    for call in (world.joint, world.remove_joint, world.set_joint_motor):
        with pytest.raises(ValueError):
            call(99)
    with pytest.raises(TypeError):
        world.add_joint(first=first, length=1.0)


def test_wall_loads(heap):
    floor = heap.walls()[0]
    heap.step(300)
    loads = heap.wall_loads(int(floor))
    assert loads.shape == (1,) and loads["contacts"][0] == len(heap.contacts(walls_only=True))
    assert np.allclose(loads["force"][0], heap.wall(floor).force)


def test_bonds():
    world = scree.World(step=1e-6)
    m = world.add_material(young=1e7)
    world.add_rule("bonded", bond_young=1e7, bond_tension=1e4)
    world.add_spheres([[0, 0, 0], [0.2, 0, 0], [0.4, 0, 0]], 0.1, material=m)
    assert world.add_bonds(gap=1e-6) == 2 and world.bond_counts().intact == 2
    world.step()
    assert world.bonds()["is_intact"].all()
    with world.edit() as e:
        e.velocity[world.serial == 3] = [10, 0, 0]
    world.step(2000)
    assert world.bond_counts().broken >= 1 and len(world.breaks()) == world.bond_counts().broken
    world.forget_breaks()
    assert len(world.breaks()) == 0


def test_heat():
    world = scree.World(step=1e-5)
    m = world.add_material()
    world.add_wall(material=m)
    assert world.heat_settings() is None
    world.set_heat(temperature=300)
    assert world.heat_settings() == {"temperature": 300, "loss_share": 0}
    world.set_material_heat(m, conductivity=50, capacity=450)
    ids = world.add_spheres([[0, 0, 0.0995]], 0.1, material=m)
    world.set_wall_heat(int(world.walls()[0]), 400)
    world.step(100)
    assert world.temperature[0] > 300 and world.body_heat(ids[0]).temperature == world.temperature[0]
    world.set_body_heat(int(ids[0]), temperature=350.0)
    assert world.temperature[0] == 350 and world.heat().is_on and world.wall_heat(world.walls()[0]).is_given
    world.set_heat(None)
    assert not world.heat().is_on and world.heat_settings() is None


def test_rest(heap):
    heap.damping = 100, 0
    assert heap.sleep_settings() is None
    heap.set_sleep(speed=1e-2, acceleration=3.0, steps=10)
    assert heap.sleep_settings() == {"speed": 1e-2, "acceleration": 3.0, "steps": 10, "computes_all": False}
    heap.step(4000)
    assert heap.sleep_counts().asleep > 0 and any(heap.is_asleep(int(i)) for i in heap.id)
    heap.set_sleep(None)
    assert heap.sleep_counts().asleep == 0


def test_cell():
    world = scree.World(step=1e-5, boundary="periodic", lower=(0, 0, 0), upper=(1, 1, 1))
    m = world.add_material(young=1e6)
    world.add_spheres(np.stack(np.meshgrid(*[np.arange(5) * 0.2 + 0.1] * 3), -1).reshape(-1, 3), 0.1005, material=m)
    world.set_cell(gradient=[[0, 1.0, 0], [0, 0, 0], [0, 0, 0]], homogeneous=True)
    world.step(100)
    assert np.isclose(world.cell()["tilt"][0], 1e-3, rtol=1e-6)
    world.set_cell_servo(pressure=1000.0, max_rate=0.1)
    world.step(10)
    assert world.cell_servo().pressure == 1000 and world.cell_servo().pressure_now > 0
    world.set_cell_servo(None)
    assert world.cell_servo() is None


def test_fields(heap):
    heap.step(300)
    fields = heap.fields((-0.02, -0.02, 0), (0.1, 0.1, 0.06), (6, 6, 3), 0.02)
    mass = fields.density.sum() * (0.12 * 0.12 * 0.06) / 108
    assert fields.density.shape == (6, 6, 3) and 0.5 * heap.totals().mass < mass < 1.1 * heap.totals().mass
    once = fields.pressure.copy()
    assert np.array_equal(fields.sample().pressure, once) and np.allclose(fields.sample().pressure, once) and fields.samples == 2
    assert fields.velocity.shape == (6, 6, 3, 3)
    with pytest.raises(AttributeError):
        fields.colour
    # the first axis is the first index
    assert fields.density[:, :, 2].sum() < fields.density[:, :, 0].sum()


def test_wall_field_solid_volume_chains(heap):
    heap.step(300)
    loads = heap.wall_field(heap.walls()[0], (-0.1, -0.1, -0.01), (0.2, 0.2, 0.01), (3, 3, 1))
    assert loads.shape == (3, 3, 1) and np.isclose(loads["push"].sum(), -heap.wall(heap.walls()[0]).force[2])
    p = heap.position[0].copy()
    assert np.isclose(heap.solid_volume(p, 0.005), 4 / 3 * np.pi * 0.005**3)
    figures, bodies, members = heap.chains(min_bodies=2)
    assert len(bodies) == 60 and figures.bodies == len(members) and figures.mean_stress > 0
