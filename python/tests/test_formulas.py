"""Laws by formulas: the same as built-in ones, with memory and parameters, kept by checkpoints; and what is refused."""

import pickle

import numpy as np
import pytest
from conftest import make_heap

import scree

# docs/guide/formulas.md
HERTZ = dict(where="a = sqrt(R * d); root = sqrt(2 * E * a * m)",
             normal="max(0, 4/3 * E * a * d + 2 * sqrt(5/6) * zeta * root * vn)",
             spring_stiffness="8 * G * a", spring_damping="2 * sqrt(5/6) * zeta * sqrt(4 * G / E) * root", spring_limit="mu * fn")


def two_balls(law, **parameters):
    world = scree.World(step=1e-5, energy_balance=True)
    m = world.add_material()
    world.add_rule(law, **parameters)
    world.add_spheres([[0, 0, 0], [0.19, 0, 0]], 0.1, velocity=[[0, 0, 0], [0, 1.0, 0]], spin=[[0, 0, 1.0], [0, 0, 0]], material=m)
    return world


def test_hertz_by_formulas_is_the_built_in_one():
    own, built_in = make_heap(), make_heap()
    own.add_rule(scree.FormulaLaw("my hertz", **HERTZ))
    # later, where the heap falls apart, differences of the last digit grow
    own.step(300)
    built_in.step(300)
    assert len(own.contacts()) > 20
    assert np.allclose(own.position[own.order()], built_in.position[built_in.order()], rtol=0, atol=1e-12)


def test_formulas_do_not_depend_on_threads():
    digests = set()
    for options in ({}, {"threads": 2}, {"simd": "scalar"}, {"method": "flat"}):
        world = make_heap(200, **options)
        world.add_rule(scree.FormulaLaw("my hertz", **HERTZ))
        world.step(50)
        digests.add(world.digest())
    assert len(digests) == 1


def test_parameters_of_formulas():
    law = scree.FormulaLaw("spring", "k_n * d + extra", parameters={"k_n": None, "extra": 2.0})
    for given, force in (({"k_n": 1000}, -12), ({"k_n": 1000, "extra": 0}, -10)):
        world = two_balls(law, **given)
        world.step()
        assert np.isclose(world.contacts()["force"][0, 0], force, atol=0.01)
    with pytest.raises(ValueError, match="k_n"):
        two_balls(law)
    with pytest.raises(ValueError, match="kn"):
        two_balls(law, kn=5)


def test_memory_of_formulas():
    world = two_balls(scree.FormulaLaw("worn", "1000 * max(d, deepest)", memory={"deepest": "max(d, deepest)"}))
    world.step(5)
    assert np.isclose(world.contacts(memory=True)[1][0, 0], 0.01, rtol=1e-2)


@pytest.mark.parametrize("more, what", [(dict(tangential="0.1 * fn"), "force"), (dict(rolling="0.01 * fn"), "moment")])
def test_what_acts_along_and_against_rolling(more, what):
    world = two_balls(scree.FormulaLaw("own", "1000 * d", **more))
    bare = two_balls(scree.FormulaLaw("bare", "1000 * d"))
    world.step()
    bare.step()
    assert not np.allclose(world.contacts()[what], bare.contacts()[what])


def test_energy_and_stiffness_of_formulas():
    world = two_balls(scree.FormulaLaw("spring", "1000 * d", energy="500 * d^2", stiffness="1000"))
    world.step()
    overlap = world.contacts()["overlap"][0]
    assert overlap > 0 and np.isclose(world.energy().elastic, 500 * overlap**2, rtol=1e-3)
    assert np.isclose(world.stable_step().dt, two_balls("linear", stiffness=1000, restitution=1, friction=0).stable_step().dt, rtol=0.6)


def test_range_of_formulas():
    world = scree.World(step=1e-5)
    m = world.add_material()
    world.add_rule(scree.FormulaLaw("pull", "-1", reach=0.01))
    world.add_spheres([[0, 0, 0], [0.205, 0, 0]], 0.1, material=m)
    world.step()
    assert np.isclose(world.contacts()["force"][0, 0], 1)


def test_worlds_with_formulas_are_saved(tmp_path):
    world = make_heap()
    world.add_rule(scree.FormulaLaw("my hertz", **HERTZ))
    world.step(50)
    world.checkpoint(tmp_path / "a.scree")
    others = [pickle.loads(pickle.dumps(world)), scree.World.from_checkpoint(tmp_path / "a.scree"), world.copy()]
    world.step(50)
    for other in others:
        other.step(50)
        assert other.digest() == world.digest()


def test_one_law_in_many_worlds():
    law = scree.FormulaLaw("spring", "1000 * d")
    first, second = two_balls(law), two_balls(law)
    del law
    first.step(10)
    second.step(10)
    assert first.digest() == second.digest()


@pytest.mark.parametrize("given, kind, word", [
    (dict(normal="k * dd"), ValueError, "dd"), (dict(normal="1 +"), ValueError, "normal"), (dict(normal=""), ValueError, "normal"),
    (dict(normal=5), TypeError, "normal"), (dict(normal="d", tangential="vt", spring_stiffness="1"), ValueError, "tangential|spring"),
    (dict(normal="d", memory={"d": "d"}), ValueError, "d"), (dict(normal="d", parameters={"R": 1.0}), ValueError, "R"),
    (dict(normal="d", parameters={"p": "x"}), TypeError, "p"), (dict(normal="d", parameters={f"p{i}": 1.0 for i in range(16)}), ValueError, "15"),
    (dict(normal="d", memory={f"m{i}": "d" for i in range(9)}), ValueError, "8"), (dict(normal="d", reach=-1.0), ValueError, "reach"),
    (dict(normal="d", where="a == 1"), ValueError, "where"), (dict(normal="fn"), ValueError, "fn"), (dict(normal="d\0"), ValueError, ""),
    (dict(normal="d", memory={3: "d"}), TypeError, ""), (dict(normal="d" + "+ d" * 3000), ValueError, ""),
])
def test_formulas_that_are_wrong(given, kind, word):
    with pytest.raises(kind, match=word):
        scree.FormulaLaw("own", **given)


def test_a_law_that_a_rule_refuses_changes_nothing():
    world = make_heap()
    digest = world.digest()
    with pytest.raises(ValueError):
        world.add_rule(scree.FormulaLaw("spring", "k_n * d", parameters={"k_n": None}), materials=(1, 99), k_n=1.0)
    world.step(10)
    other = make_heap()
    other.step(10)
    assert digest == make_heap().digest() and world.digest() == other.digest()
    assert repr(scree.FormulaLaw("spring", "d")) == "<scree.FormulaLaw 'spring'>"
