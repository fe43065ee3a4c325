"""Queries: which bodies are in a box or a sphere, on a ray, or nearest to a point."""

from typing import NamedTuple

import numpy as np


class Hits(NamedTuple):
    """What a query of a world found: three arrays with a row for each body."""

    ids: np.ndarray
    distances: np.ndarray
    points: np.ndarray


def _parts(value, name, least, most, parts):
    """A box, sphere or ray as its parts."""
    try:
        count = len(value)
    except TypeError:
        count = 0
    if not least <= count <= most:
        raise ValueError(f"{name} must be {parts}")
    return value


def request(read, *, box=None, sphere=None, ray=None, nearest=None, k=1, first=False):
    """Arguments of ``_query``: kind, two points and a number. ``read(value, name)`` gives three numbers."""
    given = [name for name, value in (("box", box), ("sphere", sphere), ("ray", ray), ("nearest", nearest)) if value is not None]
    if len(given) != 1:
        raise TypeError("one of box, sphere, ray and nearest must be given")
    zero = (0.0, 0.0, 0.0)
    if box is not None:
        lower, upper = _parts(box, "box", 2, 2, "(lower, upper)")
        return "box", read(lower, "lower"), read(upper, "upper"), 0.0
    if sphere is not None:
        centre, radius = _parts(sphere, "sphere", 2, 2, "(centre, radius)")
        return "sphere", read(centre, "centre"), zero, float(radius)
    if ray is not None:
        origin, direction, *end = _parts(ray, "ray", 2, 3, "(origin, direction) or (origin, direction, t_max)")
        return "ray-first" if first else "ray", read(origin, "origin"), read(direction, "direction"), float(end[0]) if end else float("inf")
    return "nearest", read(nearest, "nearest"), zero, float(k)
