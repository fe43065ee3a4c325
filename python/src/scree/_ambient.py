"""A fluid and force fields: numbers become formulas."""

import numpy as np

from ._figures import Figures

_FORMULAS = ("velocity", "angular_velocity", "pressure_gradient", "void_fraction", "acceleration", "force")


def _formula(value):
    return value if value is None or isinstance(value, str) else repr(float(value))


def _with_formulas(options):
    """Numbers and texts of formulas as texts, three of them or one."""
    made = dict(options)
    for name in _FORMULAS:
        if name in made and name != "void_fraction" and made[name] is not None and not isinstance(made[name], str):
            made[name] = tuple(_formula(value) for value in made[name])
        elif name in made:
            made[name] = _formula(made[name])
    return made


def _grid_of(flow):
    """A grid as the engine takes it, and its velocities."""
    if flow is None:
        return None, None
    grid = dict(flow)
    velocity = np.ascontiguousarray(grid.pop("velocity", np.nan), dtype=np.float64)
    if velocity.ndim != 4 or velocity.shape[3] != 3:
        raise ValueError(f"flow: velocity has shape {velocity.shape}, must be (nz, ny, nx, 3)")
    return {**grid, "count": tuple(int(n) for n in velocity.shape[2::-1])}, velocity


class Ambient:
    """What surrounds the bodies of a world."""

    def set_fluid(self, off=False, **options):
        """A fluid flows past bodies: density, viscosity, drag, velocity (three numbers or formulas of x, y, z, t) and so on; None:
        not any more. ``flow`` is a flow on a grid, a dict of lower, spacing and velocity, an array of (nz, ny, nx, 3), which is
        added. See scree/ambient.h.

        >>> import scree
        >>> world = scree.World(step=1e-4)
        >>> ids = world.add_spheres([[0, 0, 0]], 1e-3, material=world.add_material(density=2500))
        >>> world.set_fluid(density=900, viscosity=0.1, drag="stokes", velocity=(0.5, 0, "0.1 * sin(t)"))
        >>> world.step(2000)
        >>> round(float(world.velocity[0, 0]), 6)
        0.5
        """
        grid, velocity = _grid_of(options.pop("flow", None))
        self._set_fluid(None if off is None else True, grid, velocity, **_with_formulas(options))

    def fluid(self):
        """What set_fluid() set, formulas as texts; None: there is no fluid."""
        found = self._get_fluid()
        if found and "flow" in found:
            grid = dict(found["flow"])
            grid["velocity"] = np.frombuffer(grid["velocity"]).reshape(*grid.pop("count")[::-1], 3)
            found["flow"] = grid
        return None if found is None else Figures(found)

    def add_force_field(self, **options):
        """Adds an ``acceleration`` or ``force``, three numbers or formulas of x, y, z, t, vx, vy, vz, mass and radius; with lower and
        upper in a box, with groups for some bodies. See scree/ambient.h."""
        self._add_force_field(**_with_formulas(options))

    def ambient_work(self):
        """Work of the fluid and of force fields on bodies, J; with energy_balance=True."""
        return Figures(self._ambient_work())
