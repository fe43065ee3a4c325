"""Which bodies may touch: pairs, neighbours, queries."""

import numpy as np

from . import _scree
from ._arrays import checked, column, columns, integers
from ._figures import Figures
from ._query import request

ALL = 2**64 - 1

FIXED = 1  #: flag of a body that does not meet other fixed bodies
INFINITE = 2  #: flag of a body that overlaps every other one
NO_BOUND = 4  #: flag of a body that meets nothing


def pairs(x=None, r=None, *, lower=None, upper=None, period=None, tilt=None, method="auto", threads=1, canonical=False,
          groups=None, masks=None, owners=None, flags=None):
    """All pairs of spheres, discs, boxes or rectangles that overlap, each once: an array (m, 2), first < second.

    ``x`` is (n, 3) or (n, 2), ``r`` a radius for each or one for all; or ``lower`` and ``upper`` are corners of boxes.
    float32 and float64 are read where they lie, whatever their strides. ``period`` makes the domain periodic, with 0
    along axes that are not. Touching counts.

    >>> import numpy as np, scree
    >>> scree.pairs(np.array([[0, 0, 0], [1, 0, 0], [5, 0, 0.]]), 0.5)
    array([[0, 1]], dtype=uint32)
    >>> scree.pairs(np.array([[0.1, 0], [9.9, 0]]), 0.2, period=(10, 0))
    array([[0, 1]], dtype=uint32)
    >>> scree.pairs(lower=[[0, 0], [1, 1]], upper=[[1, 1], [2, 2.]])
    array([[0, 1]], dtype=uint32)
    """
    is_boxes = lower is not None or upper is not None
    width = _width(lower if is_boxes else x, "lower" if is_boxes else "x")
    with Detector(method=method, dimensions=width, boxes=is_boxes, period=period, tilt=tilt, threads=threads) as detector:
        detector.update(x, r, lower=lower, upper=upper, groups=groups, masks=masks, owners=owners, flags=flags)
        return detector.pairs(canonical=canonical)


def neighbors(x=None, r=None, *, half=False, canonical=True, **options):
    """Neighbours of each body, as rows of a sparse matrix: ``start`` (n + 1,) and ``neighbor`` (m,).

    >>> import scree
    >>> scree.neighbors([[0, 0, 0], [1, 0, 0], [2, 0, 0.]], 0.5)
    (array([0, 1, 3, 4], dtype=uint32), array([1, 0, 2, 1], dtype=uint32))
    """
    lower = options.pop("lower", None)
    upper = options.pop("upper", None)
    filters = {name: options.pop(name, None) for name in ("groups", "masks", "owners", "flags")}
    is_boxes = lower is not None or upper is not None
    width = _width(lower if is_boxes else x, "lower" if is_boxes else "x")
    with Detector(dimensions=width, boxes=is_boxes, **options) as detector:
        detector.update(x, r, lower=lower, upper=upper, **filters)
        return detector.neighbors(half=half, canonical=canonical)


def _width(x, name):
    array = checked(x, name)
    if array.ndim != 2 or array.shape[1] not in (2, 3):
        raise ValueError(f"{name} has the shape {array.shape}, must be (n, 3) or (n, 2)")
    return array.shape[1]


def _three(value, fill=0.0):
    numbers = [float(v) for v in np.ravel(value)]
    if not 2 <= len(numbers) <= 3:
        raise ValueError(f"{value!r} must have 2 or 3 numbers")
    return tuple((numbers + [fill])[:3])


class Detector(_scree.Detector):
    """A detector that keeps its bodies, for scenes that change.

    ``margin`` is the name of a margin ("skin", "per-body", ...) or a dict of its parameters; with one, ``advance()``
    says when pairs may have changed. Other keywords are those of ``scree_detector_def``. One thread at a time.

    >>> import numpy as np, scree
    >>> x = np.array([[0, 0, 0], [0.9, 0, 0], [3, 0, 0.]])
    >>> with scree.Detector() as detector:
    ...     detector.update(x, 0.5)
    ...     detector.pairs().tolist(), detector.query(sphere=([3, 0, 0], 0.1)).tolist()
    ([[0, 1]], [2])
    """

    def __new__(cls, method="auto", *, dimensions=3, boxes=False, margin=None, period=None, tilt=None, threads=1, **more):
        if isinstance(margin, str):
            margin = {"kind": margin}
        if margin is not None:
            more["margin"] = margin
        if period is not None:
            more["period"] = _three(period)
        if tilt is not None:
            more["tilt"] = tuple(float(t) for t in np.ravel(tilt)) if np.size(tilt) == 3 else (float(np.ravel(tilt)[0]), 0.0, 0.0)
        more.setdefault("thread_count", threads)
        self = super().__new__(cls, method=method, dimensions=dimensions, volume="boxes" if boxes else "spheres", **more)
        self.dimensions = dimensions
        self.boxes = boxes
        return self

    def __init__(self, *args, **keywords):
        pass

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        self.close()

    def _table(self, x, r, lower, upper, ids, groups, masks, owners, flags):
        if self.boxes:
            if x is not None or r is not None:
                raise TypeError("boxes are given by lower and upper")
            first = columns(lower, "lower", self.dimensions)
            table = {"lower": first, "upper": columns(upper, "upper", self.dimensions, len(first))}
        else:
            if lower is not None or upper is not None:
                raise TypeError("spheres are given by x and r; Detector(boxes=True) takes boxes")
            first = columns(x, "x", self.dimensions)
            if r is None:
                raise TypeError("r, a radius for each or one for all, must be given")
            table = {"centre": first, "radius": column(r, "r", len(first))}
        rows = len(first)
        table["ids"] = integers(ids, "ids", np.uint32, rows)
        table["groups"] = integers(groups, "groups", np.uint64, rows)
        table["masks"] = integers(masks, "masks", np.uint64, rows)
        table["owners"] = integers(owners, "owners", np.uint32, rows)
        table["flags"] = integers(flags, "flags", np.uint8, rows)
        return table

    def update(self, x=None, r=None, *, lower=None, upper=None, ids=None, groups=None, masks=None, owners=None, flags=None,
               rows=None):
        """The bodies have moved. The arrays are all there is; with ``rows`` only these of them are read."""
        table = self._table(x, r, lower, upper, ids, groups, masks, owners, flags)
        self._update(table, integers(rows, "rows", np.uint32))

    def insert(self, x=None, r=None, *, lower=None, upper=None, ids=None, groups=None, masks=None, owners=None, flags=None):
        """Adds bodies and returns their ids."""
        return self._insert(self._table(x, r, lower, upper, ids, groups, masks, owners, flags))

    def remove(self, ids):
        """Removes bodies by their ids, all or none."""
        self._remove(np.atleast_1d(integers(np.atleast_1d(ids), "ids", np.uint32)))

    def advance(self, x=None, r=None, *, dt, lower=None, upper=None, ids=None, groups=None, masks=None, owners=None,
                flags=None, velocity=None, spin=None, arm=None, constant=None, kinds=None):
        """Once a step, for detectors with a margin: maps the bodies that must be. ``ran`` says whether any was."""
        table = self._table(x, r, lower, upper, ids, groups, masks, owners, flags)
        return Figures(self._advance(table, self._motion(table, velocity, spin, arm, constant, kinds), float(dt)))

    def longest_step(self, x=None, r=None, *, lower=None, upper=None, ids=None, velocity=None, spin=None, arm=None):
        """The longest step in which no body moves by more than its margin allows."""
        table = self._table(x, r, lower, upper, ids, None, None, None, None)
        return self._advance(table, self._motion(table, velocity, spin, arm, None, None))

    def _motion(self, table, velocity, spin, arm, constant, kinds):
        rows = len(table["lower" if self.boxes else "centre"])
        motion = {}
        if velocity is not None:
            motion["velocity"] = columns(velocity, "velocity", self.dimensions, rows)
        if spin is not None:
            motion["spin"] = columns(spin, "spin", 3, rows) if self.dimensions == 3 else column(spin, "spin", rows)
        if arm is not None:
            motion["arm"] = column(arm, "arm", rows)
        if constant is not None:
            motion["constant"] = column(constant, "constant", rows)
        motion["kinds"] = integers(kinds, "kinds", np.uint8, rows)
        return motion

    def pairs(self, canonical=False):
        """All pairs as an array (m, 2); ``canonical`` sorts them by (first, second)."""
        return self._pairs(canonical)

    def neighbors(self, half=False, canonical=False):
        """``start`` (n + 1,) and ``neighbor`` (m,): those of body i are neighbor[start[i]:start[i + 1]]."""
        return self._neighbors(half, canonical)

    def query(self, *, box=None, sphere=None, ray=None, nearest=None, first=False, groups=ALL, distances=False):
        """Ids of bodies in a place: ``box=(lower, upper)``, ``sphere=(centre, radius)``, ``ray=(origin, direction[, t])``
        (with ``first`` only the one it meets first), or ``nearest=(point, k)``. With ``distances`` a pair of arrays.
        """
        point, k = (None, 1) if nearest is None else nearest
        asked = request(lambda value, name: _three(value), box=box, sphere=sphere, ray=ray, nearest=point, k=k, first=first)
        ids, far = self._query(*asked, groups)
        return (ids, far) if distances else ids

    def leeway(self, id, volume):
        """What a body would have used of its margin at a place, and what would be left."""
        return self._leeway(id, tuple(float(v) for v in np.ravel(volume)))

    def set_cell(self, period, tilt=(0, 0, 0)):
        """Other periods and tilts; which axes are periodic stays."""
        self._set_cell(_three(period), tuple(float(t) for t in tilt))

    def stats(self):
        """Figures of the last update and search."""
        return Figures(super().stats())

    def explain(self):
        """Which method is at work, and why."""
        return Figures(super().explain())

    def __repr__(self):
        if self.closed:
            return "<scree.Detector, closed>"
        stats = self.stats()
        kind = "boxes" if self.boxes else "spheres"
        return f"<scree.Detector \"{self.method['name']}\" of {stats.bodies} {kind} in {self.dimensions}D>"
