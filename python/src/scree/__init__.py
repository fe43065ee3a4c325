"""scree: contact detection and discrete-element simulation.

``scree.pairs`` finds who may touch, ``scree.World`` lets bodies move and push each other, ``scree.Scene`` runs scenes
in Lua. Arrays are NumPy's. The guide is docs/python.md; what numbers mean is said in the headers of the C library,
whose names are the same.
"""

import os as _os
import sys as _sys

# force functions of C, which are given by their address, call scree_force_sink_add: libraries that are loaded later find it here
_flags = _sys.getdlopenflags()
_sys.setdlopenflags(_flags | _os.RTLD_GLOBAL)
try:
    from . import _scree
finally:
    _sys.setdlopenflags(_flags)

from ._detect import FIXED, INFINITE, NO_BOUND, Detector, neighbors, pairs
from ._errors import BadFile, Busy, Error, FileError, InvalidValue, StaleView, StepRefused
from ._fields import Fields
from ._figures import Figures
from ._interchange import (frame, from_ase, from_meshio, from_triangles, read_bodies, read_checkpoint, to_ase,
                           to_triangles, write_series)
from ._kinds import BodyType, BreakCause, EventKind, JointKind
from ._laws import FormulaLaw, Law, batch_dtype
from ._plot import plot
from ._query import Hits
from ._scene import Scene
from ._shapes import Clump, Mesh
from ._views import View
from ._world import (FREEZE, FREEZE_SPIN_X, FREEZE_SPIN_Y, FREEZE_SPIN_Z, FREEZE_X, FREEZE_Y, FREEZE_Z, GHOST, World)

__version__ = _scree.version
has_scenes = _scree.has_scenes


def methods():
    """Methods of detection, by name: what each says of itself.

    >>> import scree
    >>> "flat" in scree.methods()
    True
    """
    return {row["name"]: Figures(row) for row in _scree.methods()}


def laws():
    """Built-in force laws, by name.

    >>> import scree
    >>> "restitution" in scree.laws()["hertz"].parameters
    True
    """
    return {row["name"]: Figures(row) for row in _scree.laws()}


def simd():
    """The SIMD instruction set that worlds and detectors use where none is chosen: "avx2", ..."""
    return _scree.simd()


def export_formats():
    """Formats of World.export, by name: the suffix of their files, and the fields that they can have.

    >>> import scree
    >>> scree.export_formats()["csv"].suffix
    '.csv'
    """
    return {name: Figures({"suffix": suffix, "fields": fields}) for name, suffix, fields in _scree._export_formats()}


def picture_fields():
    """What pictures can be coloured by: name, unit and a line of help."""
    return _scree.picture_choices()[0]


def picture_maps():
    """Names of colour maps."""
    return _scree.picture_choices()[1]


__all__ = [name for name in dir() if not name.startswith("_")]
