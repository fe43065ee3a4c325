"""Names of the version before. They work for one more version, with a warning that says the new one."""

import warnings

from ._figures import Figures


def warn(where, old, new):
    warnings.warn(f"{where}: {old} is called {new} now; version 2.0 will not know the old name", DeprecationWarning, stacklevel=4)


def renamed(where, given, value, old, new):
    """The value of an argument that may have been given in ``given`` by its old name."""
    if old in given:
        if value is not None:
            raise TypeError(f"{where}: {old} is the old name of {new}; leave one")
        warn(where, old, new)
        value = given.pop(old)
    if value is None:
        raise TypeError(f"{where}: {new} is missing")
    return value


class BodyFigures(Figures):
    """What is known of one body."""

    def __missing__(self, name):
        if name != "halo":
            raise KeyError(name)
        new = "rounding" if self["shape"] == "block" else "contact_skin"
        warn("body", name, new)
        return self[new]
