"""Own functions within a step, as the module in C calls them."""

import numpy as np


class Batch:
    """Contacts of one law, up to 64: each quantity an array over them. ``force`` and what follows are to be written.

    The normal points from the first body to the second; ``force`` and ``moment`` are what acts on the first.
    """

    __slots__ = ("dt", "ahead", "overlap", "normal", "approach", "slide", "roll", "twist", "radius", "mass", "arm", "memory",
                 "next", "force", "moment", "energy", "loss", "stiffness", "shear_stiffness", "count")

    def __init__(self, dt, ahead, given, memory, out, kept):
        self.dt, self.ahead, self.count = dt, ahead, given.shape[1]
        self.overlap, self.normal, self.approach = given[0], given[1:4].T, given[4]
        self.slide, self.roll, self.twist = given[5:8].T, given[8:11].T, given[11]
        self.radius, self.mass, self.arm = given[12], given[13], given[14:16].T
        self.memory, self.next = memory.T, kept.T
        self.force, self.moment = out[0:3].T, out[3:6].T
        self.energy, self.loss = out[6], out[7:10].T
        self.stiffness, self.shear_stiffness = out[10], out[11]


class Bodies:
    """Bodies as a force function sees them: copies, in the order of storage."""

    __slots__ = ("position", "radius", "velocity", "inverse_mass", "spin", "orientation", "serial", "user")

    def __init__(self, *columns):
        for name, column in zip(self.__slots__, columns):
            setattr(self, name, column)


def call_law(function, dt, ahead, given, memory, out, kept, constants):
    """One batch of a law."""
    function(Batch(dt, ahead, given, memory, out, kept), constants)


def call_prepare(function, first, second, parameters, dimensions):
    """Constants of a pair of materials."""
    return [float(c) for c in np.ravel(function(first, second, parameters, dimensions))]


def call_force(function, time, *columns):
    """What the host adds to forces in a step: to the last two of the columns."""
    function(time, Bodies(*columns[:-2]), *columns[-2:])


def call_path(function, time):
    """Where a wall is: shift, velocity, turn, spin; what is left out is at rest."""
    result = function(time)
    parts = [(0, 0, 0), (0, 0, 0), (1, 0, 0, 0), (0, 0, 0)]
    if len(result) == 3 and all(np.ndim(number) == 0 for number in result):
        raise TypeError("the wall's function must return (shift, velocity) or (shift, velocity, turn, spin)")
    if not 2 <= len(result) <= 4:
        raise ValueError("the wall's function must return (shift, velocity) or (shift, velocity, turn, spin)")
    parts[: len(result)] = result
    return [float(number) for part in parts for number in np.ravel(part)]
