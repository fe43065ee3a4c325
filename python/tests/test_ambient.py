"""A fluid and force fields from Python."""

import pickle

import numpy as np
import pytest

import scree


def sinking(**fluid):
    world = scree.World(gravity=(0, 0, -9.81), step=1e-4, energy_balance=True)
    world.add_spheres([[0, 0, 0], [1, 0, 0]], 1e-3, material=world.add_material(density=2500))
    world.set_fluid(density=900, viscosity=0.1, drag="stokes", **fluid)
    return world


def test_a_ball_sinks_in_wind():
    world = sinking(velocity=(0.5, "-0.1 * x", 0), lower=(-5, -5, -5), upper=(5, 5, 5))
    world.step(2000)
    assert np.allclose(world.velocity[:, 0], 0.5)
    assert np.allclose(world.velocity[:, 2], -(2500 - 900) * 9.81 * 4e-6 / 18 / 0.1)
    fluid = world.fluid()
    assert fluid.drag == "stokes" and fluid.velocity == ("0.5", "-0.1 * x", "0.0") and fluid.void_fraction is None
    assert world.ambient_work()["fluid"] != 0 and world.ambient_work()["fields"] == 0
    for other in (pickle.loads(pickle.dumps(world)), world.copy()):
        assert world.digest() == other.digest()
        assert other.fluid().velocity == fluid.velocity
    world.set_fluid(None)
    assert world.fluid() is None


def test_a_flow_on_a_grid():
    velocity = np.zeros((2, 3, 4, 3))
    velocity[..., 0] = np.arange(4) * 0.1
    velocity[1, :, :, 1] = 1
    world = scree.World(step=1e-4)
    world.add_spheres([[1.5, 0, 0], [9, 0, 0.5]], 1e-3, material=world.add_material(density=2500))
    world.set_fluid(viscosity=0.1, drag="stokes", flow=dict(lower=(0, 0, 0), spacing=(1, 1, 1), velocity=velocity))
    world.step(500)
    assert np.allclose(world.velocity[np.argsort(world.position[:, 0])], [[0.15, 0, 0], [0.3, 0.5, 0]], atol=0.01)
    assert np.array_equal(world.fluid().flow["velocity"], velocity) and tuple(world.fluid().flow["spacing"]) == (1, 1, 1)
    for wrong in (dict(velocity=velocity[0]), dict(velocity=velocity, spacing=(0, 1, 1)), dict(), dict(velocity=velocity, lower=(1, 2))):
        with pytest.raises(ValueError):
            world.set_fluid(viscosity=0.1, drag="stokes", flow=wrong)
    with pytest.raises(TypeError):
        world.set_fluid(viscosity=0.1, drag="stokes", flow=dict(velocity=velocity, speed=1))


def test_force_fields():
    world = scree.World(step=1e-3)
    world.add_spheres([[0, 0, 0]], 1e-2, material=world.add_material())
    world.add_force_field(acceleration=(1, 0, "2"))
    world.add_force_field(force=(0, "mass", 0), groups=1)
    world.step(10)
    assert np.allclose(world.velocity[0], (0.01, 0.01, 0.02))
    assert [field["acceleration"][2] for field in world.force_fields()] == ["2", None]
    world.clear_force_fields()
    assert world.force_fields() == []


@pytest.mark.parametrize("given, kind, word", [
    (dict(viscosity=1, drag="newton"), ValueError, "schiller-naumann"), (dict(viscosity=0), ValueError, "viscosity"), (dict(speed=1), TypeError, "speed"),
    (dict(drag="none", velocity=(1, 2)), ValueError, "3"), (dict(drag="none", velocity=("q", 0, 0)), ValueError, "velocity"),
    (dict(drag="none", void_fraction=0.5, cell=1), ValueError, "cell"), (dict(drag="none", velocity=3), TypeError, ""),
])
def test_fluids_that_are_wrong(given, kind, word):
    world = scree.World(step=1e-3)
    with pytest.raises(kind, match=word):
        world.set_fluid(**given)
    assert world.fluid() is None


def test_a_step_that_is_too_long():
    world = sinking()
    world.set_step("fixed", 1)
    with pytest.raises(scree.StepRefused, match="drag of the fluid on body 1"):
        world.step()
