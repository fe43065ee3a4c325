"""What tests share: a small world at rest on a floor, and generators of bodies."""

import os

import numpy as np
import pytest

import scree

QUICK = bool(os.environ.get("SCREE_PYTHON_QUICK"))  # under a sanitizer all is slower


@pytest.fixture
def rng():
    return np.random.default_rng(7)


def make_heap(count=60, step=2e-5, **more):
    """Spheres over a floor, some of which touch."""
    world = scree.World(gravity=(0, 0, -9.81), step=step, **more)
    glass = world.add_material(name="glass", young=1e6, friction=0.4)
    world.add_wall(material=glass)
    side = 5
    index = np.arange(count)
    x = np.column_stack([index % side, index // side % side, index // side**2]) * 0.0195 + [0, 0, 0.0099]
    world.add_spheres(x, 0.01, material=glass)
    return world


@pytest.fixture
def heap():
    return make_heap()


def brute_pairs(x, r):
    """All pairs of spheres that overlap, by comparing each with each."""
    x, r = np.asarray(x, float), np.asarray(r, float)
    d = x[:, None] - x[None]
    near = (d**2).sum(-1) <= (r[:, None] + r[None]) ** 2
    return np.argwhere(np.triu(near, 1))


def same(found, wanted):
    """Whether two lists of pairs have the same pairs, each once."""
    a = sorted(map(tuple, np.asarray(found).tolist()))
    b = sorted(map(tuple, np.asarray(wanted).tolist()))
    return a == b
