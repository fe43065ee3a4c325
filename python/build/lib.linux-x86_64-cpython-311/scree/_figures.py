"""Figures that the engine reports: read by name, as attributes or as a mapping."""

import numpy as np


class Figures(dict):
    """A dict whose entries are attributes as well; rows of numbers are arrays.

    >>> f = Figures({"mass": 2.0, "centre": (0.0, 0.0, 1.0)})
    >>> f.mass, f["mass"]
    (2.0, 2.0)
    >>> f.centre
    array([0., 0., 1.])
    """

    def __init__(self, items):
        super().__init__({name: _value(item) for name, item in items.items()})

    def __getattr__(self, name):
        try:
            return self[name]
        except KeyError:
            raise AttributeError(f"there is no figure {name!r}; there are {', '.join(self)}") from None

    def __dir__(self):
        return sorted(set(super().__dir__()) | set(self))

    def _repr_html_(self):
        return html_table(self)


def _value(item):
    if isinstance(item, dict):
        return Figures(item)
    if isinstance(item, tuple) and item and not isinstance(item[0], str):
        return np.array(item)
    return item


def html_table(rows):
    """A table of names and values for a notebook."""
    from html import escape

    lines = "".join(
        f"<tr><th style='text-align:left'>{escape(str(name))}</th><td>{escape(_text(value))}</td></tr>"
        for name, value in rows.items()
    )
    return f"<table>{lines}</table>"


def _text(value):
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, np.ndarray):
        return np.array2string(value, precision=6)
    return str(value)
