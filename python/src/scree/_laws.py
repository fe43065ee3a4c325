"""Force laws of your own: functions, and formulas."""

import numpy as np

from . import _scree

#: scree_batch of scree/law.h, for laws that are compiled: what is an array there is its address
batch_dtype = np.dtype([
    ("count", "u4"), ("dt", "f8"), ("ahead", "f8"), ("overlap", "u8"), ("normal", "u8", 3), ("approach", "u8"), ("slide", "u8", 3),
    ("roll", "u8", 3), ("twist", "u8"), ("radius", "u8"), ("mass", "u8"), ("arm", "u8", 2), ("memory", "u8", 16), ("next", "u8", 16),
    ("force", "u8", 3), ("moment", "u8", 3), ("energy", "u8"), ("loss", "u8", 3), ("stiffness", "u8"), ("shear_stiffness", "u8")], align=True)


class Law:
    """A force law of your own: ``force(batch, constants)`` is called with contacts in batches and writes ``batch.force``.

    Slow: some 20 us a batch of up to 64 contacts. With addresses of C functions, as numba's cfunc and ctypes give
    them, it is as fast as one that is built in; ``user`` is what they get. See scree/law.h.

    ``parameters`` names what a rule must give; without ``prepare(first, second, parameters, dimensions)``, which returns
    constants for a pair of materials, these are the constants.

    >>> import scree
    >>> def spring(batch, constants):
    ...     batch.force[:] = -constants[0] * batch.overlap[:, None] * batch.normal
    ...     batch.stiffness[:] = constants[0]
    >>> world = scree.World(step=1e-5)
    >>> m = world.add_material()
    >>> world.add_rule(scree.Law("spring", spring, parameters=["stiffness"]), stiffness=1000)
    >>> ids = world.add_spheres([[0, 0, 0], [0.19, 0, 0]], 0.1, material=m)
    >>> world.step()
    >>> world.contacts()["force"].round(6).tolist()
    [[-10.0, -0.0, -0.0]]
    """

    def __init__(self, name, force, *, parameters=(), memory_count=0, has_moment=False, reach=0.0, lasts=False, prepare=None, user=0):
        for function in (force, *([] if prepare is None else [prepare])):
            if not callable(function) and not isinstance(function, int):
                raise TypeError("functions of a law must be callable, or addresses")
        self.name, self.parameters = str(name), tuple(str(p) for p in parameters)
        self.memory_count, self.has_moment, self.reach, self.lasts = int(memory_count), bool(has_moment), float(reach), bool(lasts)
        self.force, self.prepare, self.user = force, prepare, user

    def _add_to(self, world, type, first, second, groups, parameters):
        world._add_own_rule(type, first, second, groups, parameters, self.name, self.parameters, self.memory_count, self.has_moment,
                            self.reach, self.lasts, self.force, self.prepare, self.user)


class FormulaLaw:
    """A force law written as formulas: checked when it is made, as fast as one that is built in, with the same bits everywhere. What
    formulas can say: docs/guide/formulas.md; what each is for: scree_formula_law_def in scree/law.h.

    ``parameters`` are names with values, None where a rule must give one; ``memory`` is what a contact remembers: names, each with
    what it becomes. Worlds with such laws can be pickled and saved.

    >>> import scree
    >>> spring = scree.FormulaLaw("spring", normal="k_n * d", parameters={"k_n": None})
    >>> world = scree.World(step=1e-5)
    >>> m = world.add_material()
    >>> world.add_rule(spring, k_n=1000)
    >>> ids = world.add_spheres([[0, 0, 0], [0.19, 0, 0]], 0.1, material=m)
    >>> world.step()
    >>> world.contacts()["force"].round(6).tolist()
    [[-10.0, -0.0, -0.0]]
    """

    def __init__(self, name, normal, *, where=None, tangential=None, spring_stiffness=None, spring_damping=None, spring_limit=None,
                 rolling=None, stiffness=None, energy=None, reach=0.0, memory=None, parameters=None):
        given = {"name": name, "normal": normal, "where": where, "tangential": tangential, "spring_stiffness": spring_stiffness,
                 "spring_damping": spring_damping, "spring_limit": spring_limit, "rolling": rolling, "stiffness": stiffness, "energy": energy}
        for field, text in given.items():
            if text is not None and not isinstance(text, str):
                raise TypeError(f"{field} is {text!r}, must be a text")
        self.name = name
        self._formulas = {**{field: text for field, text in given.items() if text is not None}, "reach": float(reach)}
        self._memory, self._parameters = dict(memory or {}), dict(parameters or {})
        _scree.check_formulas(self._formulas, self._memory, self._parameters)

    def _add_to(self, world, type, first, second, groups, parameters):
        world._add_formula_rule(type, first, second, groups, parameters, self._formulas, self._memory, self._parameters)

    def __repr__(self):
        return f"<scree.FormulaLaw {self.name!r}>"
