"""Events: contacts, bonds, bodies that leave, fall asleep and wake."""

import numpy as np
import pytest
from conftest import make_heap

import scree


def test_events():
    world = scree.World(step=1e-5, events=True)
    m = world.add_material()
    world.add_wall(material=m)
    ids = world.add_spheres([[0, 0, 0.0101]], 0.01, velocity=[0, 0, -1], material=m)
    world.step(2000)
    events = world.events()
    assert events["begins"].tolist() == [True, False] and (events["first"] == ids[0]).all() and (events["second"] == 0).all()
    world.step(5)
    assert len(world.events()) == 0


def test_events_have_kinds():
    world = scree.World(step=1e-5, events=True, gravity=(0, 0, -10))
    m = world.add_material(restitution=1, friction=0)
    floor = world.add_wall(material=m)
    ids = world.add_spheres([[0, 0, 0.0101]], 0.01, velocity=[0, 0, -1], material=m)
    world.step(2000)
    begin, end = world.events()
    assert (begin["kind"], end["kind"]) == (scree.EventKind.CONTACT_BEGIN, scree.EventKind.CONTACT_END)
    assert np.isclose(begin["speed"], 1.001, atol=1e-4) and np.allclose(begin["point"], 0, atol=1e-4) and begin["wall"] == end["wall"] == floor
    assert begin["first_serial"] == 1 and begin["second_serial"] == 0 and begin["time"] < end["time"] and np.isclose(end["time"], end["step"] * 1e-5)
    assert np.isclose(end["duration"], end["time"] - begin["time"])
    mass = world.mass[0]
    # turns the velocity round, and carries the weight meanwhile
    assert np.isclose(end["impulse"][2], mass * (2 * begin["speed"] + 10 * end["duration"]), rtol=1e-3) and end["speed"] == 0
    for kind in ("contact-end", scree.EventKind.CONTACT_END, 1, ["contact-end", "woke"], np.array([1, 2])):
        assert world.events(kind=kind)["step"].tolist() == [end["step"]]
    assert len(world.events(kind="body-left")) == 0 and world.events(kind=[]).dtype == world.events().dtype
    for wrong, error in (("contact", ValueError), (9, ValueError), (-1, ValueError), (0.5, TypeError), (object(), TypeError)):
        with pytest.raises(error, match="kind"):
            world.events(kind=wrong)
    assert ids[0] == begin["first"]


def test_events_of_bonds_and_of_bodies_that_leave():
    world = scree.World(step=1e-6, events=True, lower=(-1, -1, -1), upper=(1, 1, 1), boundary=("destroy", "none", "none"))
    m = world.add_material(young=1e7)
    world.add_rule("bonded", bond_young=1e7, bond_tension=1e4)
    ids = world.add_spheres([[0, 0, 0], [0.2, 0, 0], [1.09999, 0, 0]], 0.1, velocity=[[0, 0, 0], [10, 0, 0], [50, 0, 0]], material=m)
    assert world.add_bonds(gap=1e-6) == 1
    world.step(2000)
    broke = world.events(kind="bond-broke")
    assert broke["first"].tolist() == [ids[0]] and broke["second"].tolist() == [ids[1]] and broke["cause"].tolist() == [scree.BreakCause.TENSION]
    assert np.allclose(broke["point"], world.breaks()["point"]) and np.allclose(broke["normal"][0], [1, 0, 0])
    left = world.events(kind="body-left")
    assert left["first"].tolist() == [ids[2]] and np.isclose(left["speed"][0], 50) and left["point"][0, 0] > 1.1
    assert not world.events()["begins"].any() and world.count == 2


def test_events_of_deep_contacts():
    world = scree.World(step=1e-5, events=True)
    m = world.add_material(young=1e6)
    box = scree.Mesh.box((-0.05, -0.05, -0.05), (0.05, 0.05, 0.05))
    ids = world.add_blocks([[0, 0, 0], [0.01, 0.02, 0.102]], box, 1e-4, velocity=[[0, 0, 0], [0, 0, -2]], material=m)
    world.step(300)
    deep = world.events(kind="deep")
    assert deep["kind"].tolist() == [scree.EventKind.DEEP] and deep["first"][0] == ids[0] and deep["second"][0] == ids[1]
    assert np.allclose(deep["normal"][0], [0, 0, 1], atol=1e-4) and np.isclose(deep["speed"][0], 2, rtol=0.1) and world.local_counts().deep > 0


def test_events_of_sleep():
    world = make_heap(count=1, events=True)
    world.set_sleep(speed=1e-2, acceleration=3.0, steps=10)
    world.damping = 100, 0
    world.step(4000)
    asleep = world.events(kind="fell-asleep")
    assert asleep["first_serial"].tolist()[-1:] == [1] and world.is_asleep(world.id[0])


@pytest.mark.skipif(not scree.has_scenes, reason="built without Lua")
def test_worlds_of_scenes_list_events():
    text = """
solver { dt = 1e-5, events = true }
m = material { density = 2500, young = 1e7 }
wall { shape = plane { }, material = m }
body { shape = sphere { radius = 0.01 }, material = m, position = { 0, 0, 0.0101 }, velocity = { 0, 0, -1 } }
run { steps = 2000 }
"""
    scene = scree.Scene(text=text)
    world = scene.build()
    scene.step(2000)
    events = world.events()
    assert events["kind"].tolist() == [scree.EventKind.CONTACT_BEGIN, scree.EventKind.CONTACT_END]
    assert world.digest() == scree.Scene(text=text.replace(", events = true", "")).run().digest()
    other = scree.Scene(text=text)
    other.build()
    other.step(1000)
    other.step(5)
    assert len(other.world.events()) == 0


def test_advance_lists_all_of_its_events():
    first, second = (make_heap(events=True) for _ in range(2))
    first.step(1000)
    second.advance(1000 * second.dt)
    assert len(first.events()) > 20 and np.array_equal(first.events()[:20]["first"], second.events()[:20]["first"])
    assert second.events()["step"].min() == first.events()["step"].min()
    second.advance(0)
    assert len(second.events()) == 0
