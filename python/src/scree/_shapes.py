"""Meshes and clumps: made once, shared by bodies and walls."""

import os

import numpy as np

from . import _scree
from ._arrays import checked, points


class Mesh(_scree.Mesh):
    """A surface of triangles, in two dimensions a line of segments. It never changes.

    >>> import scree
    >>> cube = scree.Mesh.hull([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)])
    >>> round(cube.solid()["volume"], 12), len(cube.facets)
    (1.0, 12)
    """

    def __new__(cls, vertices, facets=None, weld=1e-9):
        corners = 3
        if facets is not None:
            facets = checked(facets, "facets")
            if facets.dtype.kind not in "iu":
                raise TypeError("facets must be whole numbers")
            if facets.ndim != 2 or facets.shape[1] not in (2, 3):
                raise ValueError(f"facets has the shape {facets.shape}, must be (m, 3), of segments (m, 2)")
            if facets.size and (facets.min() < 0 or facets.max() >= 2**32):
                raise ValueError("facets must be from 0 to 2^32 - 1")
            corners = facets.shape[1]
            facets = np.ascontiguousarray(facets, np.uint32)
        vertices = points(vertices, "vertices", dimensions=2 if corners == 2 else 3)
        return cls._make(vertices, facets, corners, float(weld))

    @classmethod
    def read(cls, path, weld=1e-9):
        """Reads STL, OBJ or PLY, a file or its bytes; what it is, its content says."""
        return cls._read(path if isinstance(path, bytes) else os.fspath(path), float(weld))

    @classmethod
    def hull(cls, given, tolerance=1e-9):
        """The convex body that points span, (n, 3); of points (n, 2) the polygon."""
        array = checked(given, "points")
        flat = array.ndim == 2 and array.shape[1] == 2
        return cls._hull(points(array, "points", dimensions=2 if flat else 3), float(tolerance), 2 if flat else 3)

    @classmethod
    def superquadric(cls, radii, exponents=(2, 2), facets=320):
        """A superquadric (|x/a|^n + |y/b|^n)^(m/n) + |z/c|^m = 1 with half axes (a, b, c) and exponents (m, n); (2, 2) is an
        ellipsoid. Of two half axes the superellipse |x/a|^n + |y/b|^n = 1, with one exponent n.

        >>> import scree
        >>> round(scree.Mesh.superquadric((3, 2, 1)).solid()["volume"], 6)
        25.132741
        """
        radii = np.atleast_1d(checked(radii, "radii")).astype(float)
        exponents = np.atleast_1d(checked(exponents, "exponents")).astype(float)
        if radii.shape not in ((2,), (3,)):
            raise ValueError(f"radii has the shape {radii.shape}, must be (3,), of a superellipse (2,)")
        flat = len(radii) == 2
        if flat and exponents.shape == (1,):
            exponents = np.array([2.0, exponents[0]])
        if exponents.shape != (2,):
            raise ValueError(f"exponents has the shape {exponents.shape}, must be (2,), of a superellipse (1,)")
        mesh = cls._superquadric([*radii, 0.0][:3], list(exponents), 2 if flat else 3, int(facets))
        mesh._made_of = (tuple(radii), tuple(exponents), int(facets))
        return mesh

    @classmethod
    def box(cls, lower, upper):
        """The closed surface of a box."""
        corners = np.array(np.meshgrid(*zip(lower, upper), indexing="ij"), float).reshape(len(lower), -1).T
        return cls.hull(corners)

    _made_of = None  # of a superquadric: its formula, which its facets do not tell

    def __reduce__(self):
        if self._made_of:
            return Mesh.superquadric, self._made_of
        return Mesh, (self.vertices, self.facets, 0.0)

    def __repr__(self):
        return f"<scree.Mesh of {len(self.vertices)} vertices and {len(self.facets)} facets>"


class Clump(_scree.Clump):
    """A rigid body of pebbles, rows (x, y, z, radius), which may overlap.

    >>> import scree
    >>> scree.Clump([[0, 0, 0, 1], [1.5, 0, 0, 1]])
    <scree.Clump of 2 pebbles>
    """

    def __new__(cls, pebbles, dimensions=3, mass=None):
        pebbles = checked(pebbles, "pebbles")
        if pebbles.ndim == 2 and pebbles.shape[1] == 3 and dimensions == 2:
            pebbles = np.insert(pebbles.astype(float), 2, 0.0, axis=1)
        if pebbles.ndim != 2 or pebbles.shape[1] != 4:
            raise ValueError(f"pebbles has the shape {pebbles.shape}, must be (n, 4)")
        if mass is not None:
            mass = np.concatenate([np.ravel(mass["volume"]), np.ravel(mass["centre"]), np.ravel(mass["inertia"])]).astype(float)
        return cls._make(np.ascontiguousarray(pebbles, np.float64), int(dimensions), mass)

    def __reduce__(self):
        info = self.info()
        return Clump, (self.pebbles, info["dimensions"], info["mass"])

    def __repr__(self):
        return f"<scree.Clump of {len(self.pebbles)} pebbles>"
