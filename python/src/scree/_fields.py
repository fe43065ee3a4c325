"""Coarse-grained fields on a grid."""

import os

import numpy as np

from ._arrays import vector


def grid_of(world, lower, upper, cells):
    cells = tuple(int(c) for c in np.ravel(cells))
    cells = cells * 3 if len(cells) == 1 else cells
    if world.dimensions == 2 and len(cells) == 2:
        cells += (1,)
    if len(cells) != 3 or min(cells) < 1:
        raise ValueError(f"cells is {cells}, must be {world.dimensions} numbers above 0")
    return {"lower": vector(lower, "lower", world.dimensions), "upper": vector(upper, "upper", world.dimensions), "cells": cells}


class Fields:
    """Coarse-grained fields on a grid: density, velocity, stress, pressure and more at the middles of cells.

    ``sample()`` adds the state of now to the mean; until then values are those of now. Values are arrays of the shape of
    the cells: ``fields.pressure[i, j, k]``.
    """

    def __init__(self, world, lower, upper, cells, width, kernel="smooth"):
        self._world, self._sums, self.samples = world, None, 0
        self._grid = {**grid_of(world, lower, upper, cells), "width": float(width), "kernel": kernel}

    def sample(self):
        """Adds the state of now; returns itself."""
        sums = self._world._add_fields(self._sums, 1.0, **self._grid)
        self._sums, self.samples = sums, self.samples + 1
        return self

    def _mean(self):
        if self._sums is None:
            return self._world._add_fields(None, 1.0, **self._grid)
        return np.ascontiguousarray(self._sums / self.samples)

    def values(self):
        """A structured array of the shape of the cells."""
        values = self._world._read_fields(self._mean(), self._world.dimensions)
        return values.reshape(self._grid["cells"][::-1]).transpose(2, 1, 0)

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        try:
            return self.values()[name]
        except ValueError as error:
            raise AttributeError(str(error)) from None

    def write(self, path):
        """As a VTK image (.vti), or where the name ends in .csv a table."""
        self._world._write_fields(os.fspath(path), self._mean(), **self._grid)
