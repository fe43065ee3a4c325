"""From and to other programs: ASE, arrays of triangles, files of bodies, pandas."""

import os

import numpy as np

from . import _scree
from ._arrays import checked
from ._figures import Figures
from ._shapes import Mesh


def read_checkpoint(source):
    """What is in a checkpoint: figures, your parts as bytes, and its sections."""
    figures, parts, sections = _scree._read_checkpoint(source if isinstance(source, bytes) else os.fspath(source))
    return Figures(figures), parts, sections


def read_bodies(path, format="auto", *, frame=-1, radius=0.0, ignore_columns=False):
    """Spheres of a file of LAMMPS, LIGGGHTS, Yade or a CSV table, or of its bytes: a structured array, and box, step and frames.

    Rows go to add_spheres: ``world.add_spheres(rows["position"], rows["radius"], velocity=rows["velocity"], material=m)``.
    """
    rows, box, step, frames = _scree._read_bodies(path if isinstance(path, bytes) else os.fspath(path), format, frame, radius, ignore_columns)
    return rows, Figures({"box": box, "step": step, "frames": frames})


def write_series(path, files, times):
    """A collection (.pvd) that gives each exported file its time, s, for ParaView; names are relative to its folder."""
    files = [os.fspath(file) for file in files]
    _scree._write_series(os.fspath(path), files, np.ascontiguousarray(checked(times, "times"), np.float64))


def to_ase(world, symbols="X"):
    """An ase.Atoms of the bodies, in the order they were added, with velocities, masses, and radii as an array "radius"."""
    from ase import Atoms

    order = world.order()
    domain = world.domain
    periodic = [b == "periodic" for b in domain.boundary]
    cell = [domain.upper[k] - domain.lower[k] if periodic[k] else 0.0 for k in range(3)]
    symbols = [symbols] * len(order) if isinstance(symbols, str) else symbols
    atoms = Atoms(symbols=symbols, positions=world.position[order], masses=world.mass[order], cell=cell, pbc=periodic)
    atoms.set_velocities(world.velocity[order])
    atoms.set_array("radius", np.array(world.radius[order]))
    atoms.set_array("serial", world.serial[order].astype(np.int64))
    return atoms


def from_ase(world, atoms, *, material, radius=None):
    """Adds the atoms of an ase.Atoms as spheres; radii from its array "radius" if not given. Returns their ids."""
    if radius is None:
        if "radius" not in atoms.arrays:
            raise ValueError('the atoms have no array "radius": radius must be given')
        radius = atoms.arrays["radius"]
    return world.add_spheres(atoms.get_positions(), radius, material=material, velocity=atoms.get_velocities())


def to_triangles(mesh):
    """(vertices, faces) of a mesh, as meshio, trimesh and others have them."""
    return mesh.vertices, mesh.facets.astype(np.int64)


def from_triangles(vertices, faces, weld=1e-9):
    """A Mesh of arrays of vertices (n, 3) and faces (m, 3); or of one object that has points and cells, as of meshio."""
    return Mesh(vertices, checked(faces, "faces"), weld=weld)


def from_meshio(mesh, weld=1e-9):
    """A Mesh of the triangles of a meshio.Mesh."""
    blocks = [np.asarray(block.data) for block in mesh.cells if block.type == "triangle"]
    if not blocks:
        raise ValueError("the mesh has no cells of type triangle")
    return Mesh(np.asarray(mesh.points), np.concatenate(blocks), weld=weld)


def frame(rows):
    """A pandas.DataFrame of a structured array, as contacts() and bodies() give; vectors become columns name_x, _y, _z."""
    import pandas

    columns = {}
    for name in rows.dtype.names:
        values = rows[name]
        if values.ndim == 1:
            columns[name] = values
        else:
            endings = "xyz" if values.shape[1] == 3 else [str(k) for k in range(values.shape[1])]
            columns.update({f"{name}_{end}": values[:, k] for k, end in enumerate(endings)})
    return pandas.DataFrame(columns)
