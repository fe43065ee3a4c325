"""Queries: what is in a box or a sphere, on a ray, near a point."""

import numpy as np
import pytest

import scree


@pytest.fixture
def line():
    """Ten spheres along x; every second one is in group 2."""
    world = scree.World(step=1e-4)
    world.add_spheres(np.arange(10)[:, None] * [1.0, 0, 0], 0.1, material=world.add_material(), groups=[1, 2] * 5)
    return world


def test_query_of_boxes_and_spheres(line):
    ids = line.id[line.order()]
    found = line.query(box=((1.5, -1, -1), (3.95, 1, 1)))
    assert found.ids.dtype == np.uint64 and found.ids.tolist() == ids[[2, 3, 4]].tolist() and (found.distances == 0).all()
    assert found.points.shape == (3, 3) and not found.points.any()
    assert line.query(sphere=((5, 0, 1), 0.91)).ids.tolist() == ids[[5]].tolist() and len(line.query(sphere=((5, 0, 1), 0.89)).ids) == 0
    assert line.query(box=((-1, -1, -1), (20, 1, 1)), groups=2).ids.tolist() == ids[1::2].tolist()


def test_query_of_rays(line):
    ids = line.id[line.order()]
    found, distances, points = line.query(ray=((-1, 0, 0), (2, 0, 0)))
    assert found.tolist() == ids.tolist() and np.allclose(distances, (np.arange(10) + 0.9) / 2) and np.allclose(points[:, 0], np.arange(10) - 0.1)
    assert line.query(ray=((-1, 0, 0), (1, 0, 0), 2.0)).ids.tolist() == ids[:2].tolist()
    assert line.query(ray=((-1, 0, 0), (1, 0, 0)), first=True, groups=2).ids.tolist() == ids[1:2].tolist()


def test_query_of_the_nearest(line):
    ids = line.id[line.order()]
    found, distances, points = line.query(nearest=(4.2, 0, 0), k=3)
    assert found.tolist() == ids[[4, 5, 3]].tolist() and np.allclose(distances, [0.1, 0.7, 1.1]) and np.allclose(points[:, 0], [4.1, 4.9, 3.1])
    assert len(line.query(nearest=(0, 0, 0), k=50).ids) == 10 and len(line.query(nearest=(0, 0, 0)).ids) == 1
    with line.edit() as e:
        e.position[:, 1] += 5
    assert np.isclose(line.query(nearest=(4, 0, 0)).distances[0], 4.9)  # positions of now, without a step


def test_query_finds_many_bodies(rng):
    world = scree.World(step=1e-4)
    x = rng.random((500, 3))
    ids = world.add_spheres(x, 0.01, material=world.add_material())
    lower, upper = np.array([0.1, 0.2, 0.3]), np.array([0.8, 0.9, 0.7])
    gap = np.maximum(np.maximum(lower - x, x - upper), 0)
    assert sorted(world.query(box=(lower, upper)).ids) == sorted(ids[np.linalg.norm(gap, axis=1) <= 0.01])
    order = world.query(nearest=(0.5, 0.5, 0.5), k=500).ids
    assert order.tolist() == ids[np.argsort(np.linalg.norm(x - 0.5, axis=1))].tolist()


def test_query_of_shapes_and_images():
    world = scree.World(step=1e-4, lower=(0, 0, 0), upper=(2, 2, 2), boundary="periodic")
    m = world.add_material()
    cube = world.add_blocks([[0.5, 0.5, 0.5]], scree.Mesh.box((-0.2, -0.2, -0.2), (0.2, 0.2, 0.2)), 0.01, material=m)
    clump = world.add_clumps([[1.5, 1.5, 1.5]], scree.Clump([[0, 0, 0, 0.05], [0.06, 0, 0, 0.05]]), material=m)
    found = world.query(nearest=(-0.5, 0.5, 0.5), k=1)
    assert found.ids.tolist() == cube.tolist() and np.isclose(found.distances[0], 0.8) and np.isclose(found.points[0, 0], 0.3)
    assert world.query(sphere=((3.5, -0.5, 1.5), 0.1)).ids.tolist() == clump.tolist()


def test_query_in_two_dimensions():
    world = scree.World(step=1e-4, dimensions=2)
    ids = world.add_spheres([[0, 0.0], [1, 0]], 0.1, material=world.add_material())
    assert world.query(box=((0.5, -1), (2, 1))).ids.tolist() == ids[1:].tolist()
    assert np.isclose(world.query(nearest=(3, 0)).distances[0], 1.9)


@pytest.mark.parametrize("query, kind, word", [
    ({}, TypeError, "one of box"), ({"nearest": (0, 0, 0), "sphere": ((0, 0, 0), 1)}, TypeError, "one of box"),
    ({"sphere": ((0, 0, 0), -1)}, ValueError, "radius"), ({"sphere": 5}, ValueError, "centre, radius"), ({"ray": ((0, 0, 0),)}, ValueError, "direction"),
    ({"ray": ((0, 0, 0), (0, 0, 0))}, ValueError, "direction"), ({"nearest": (0, np.nan, 0)}, ValueError, "finite"),
    ({"nearest": (0, 0)}, ValueError, "nearest"), ({"nearest": (0, 0, 0), "k": 1.5}, TypeError, "integer"),
    ({"box": ((0, 0), (1, 1))}, ValueError, "lower"),
])
def test_queries_that_cannot_be(line, query, kind, word):
    with pytest.raises(kind, match=word):
        line.query(**query)
