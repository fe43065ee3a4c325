"""Copies of worlds: snapshots, checkpoints, pickles."""

import gc
import pickle
import weakref

import pytest
from conftest import make_heap

import scree


def test_snapshots(heap):
    heap.step(100)
    before, digest = heap.snapshot(), heap.digest()
    heap.step(100)
    after = heap.digest()
    heap.restore(before)
    assert heap.digest() == digest and before.bytes > 1000
    heap.step(100)
    assert heap.digest() == after


def test_a_snapshot_outlives_its_world():
    world = make_heap()
    kept = world.snapshot()
    other = make_heap()
    other.step(10)
    world.close()
    del world
    other.restore(kept)
    assert other.clock().steps == 0


def test_copies(heap):
    heap.step(100)
    second = heap.copy(method="bvh8")
    heap.step(100)
    second.step(100)
    assert second.digest() == heap.digest() and type(second) is scree.World and second.dimensions == 3


def test_checkpoints(heap, tmp_path):
    heap.step(100)
    path = tmp_path / "world.scree"
    heap.checkpoint(path, notes=b"hello")
    again = scree.World.from_checkpoint(path, threads=2)
    assert again.digest() == heap.digest()
    heap.step(50)
    again.step(50)
    assert again.digest() == heap.digest()
    figures, parts, sections = scree.read_checkpoint(path)
    assert parts == {"notes": b"hello"} and figures.bodies == 60 and figures.energy.kinetic >= 0
    assert any(s["name"] == "state.body.position" for s in sections)
    heap.restore_checkpoint(path)
    assert heap.clock().steps == 100
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    with pytest.raises(scree.BadFile):
        scree.World.from_checkpoint(bytes(data))


def test_pickling(heap):
    heap.step(100)
    again = pickle.loads(pickle.dumps(heap))
    assert again.digest() == heap.digest() and type(again) is scree.World
    for shape in (scree.Mesh.box((0, 0, 0), (1, 2, 3)), scree.Clump([[0, 0, 0, 1], [1, 0, 0, 1]])):
        twin = pickle.loads(pickle.dumps(shape))
        assert repr(twin) == repr(shape)


def test_a_world_of_2d_is_2d_after_pickling():
    world = scree.World(step=1e-4, dimensions=2)
    world.add_spheres([[0, 0.0]], 0.1, material=world.add_material())
    again = pickle.loads(pickle.dumps(world))
    assert again.dimensions == 2


def test_worlds_without_references_are_freed():
    world = make_heap()
    world.set_force(lambda *args: world.closed)  # a cycle through the engine
    gone = weakref.ref(world)
    del world
    gc.collect()
    assert gone() is None
