"""Copies of the state of bodies that are written back together."""

import numpy as np

from ._arrays import checked, finite, integers

_EDITED = {"position": 3, "velocity": 3, "spin": 3, "orientation": 4, "load": 6, "groups": "u8", "mask": "u8", "user": "u8",
           "material": "u4", "flags": "u4"}


class Edit:
    """Copies of the state that are written back at the end of a with block; see World.edit."""

    def __init__(self, world):
        self._world, self._before, self._arrays = world, {}, {}
        self.id = world.id.copy()

    def __enter__(self):
        return self

    def __getattr__(self, name):
        if name.startswith("_") or name not in _EDITED:
            raise AttributeError(f"{name} cannot be written; there are {', '.join(_EDITED)}")
        if name not in self._arrays:
            if name in ("load", "groups", "mask", "flags"):
                array = np.ascontiguousarray(self._world._bodies()[name])
            else:
                array = np.ascontiguousarray(getattr(self._world, name).copy())
            self._before[name], self._arrays[name] = array.copy(), array
        return self._arrays[name]

    def __setattr__(self, name, value):
        if name.startswith("_") or name == "id":
            object.__setattr__(self, name, value)
            return
        array = getattr(self, name)
        if value is not array:
            given = checked(value, name)
            if array.dtype.kind == "u":
                given = integers(given, name, array.dtype, len(array))
            array[...] = given

    def __exit__(self, kind, value, trace):
        if kind is not None:
            return
        changed = np.zeros(len(self.id), bool)
        for name, array in self._arrays.items():
            differs = (array != self._before[name]) | ((array != array) & (self._before[name] == self._before[name]))
            changed |= differs.any(axis=1) if array.ndim == 2 else differs
        for name, array in self._arrays.items():
            if array.dtype.kind == "f":
                finite(array, name)
        if changed.any():
            self._world._set_bodies(self.id[changed], {name: np.ascontiguousarray(array[changed])
                                                       for name, array in self._arrays.items()})
