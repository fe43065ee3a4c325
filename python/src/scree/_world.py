"""Bodies that move, and push each other."""

import operator
import os
import tempfile
import time as _clock

import numpy as np

from . import _scree
from ._ambient import Ambient
from ._arrays import checked, integers, one_of, points, reals, vector
from ._edit import Edit
from ._fields import Fields, grid_of
from ._figures import Figures
from ._kinds import BodyType, EventKind, numbers_of
from ._laws import FormulaLaw, Law
from ._old_names import BodyFigures, renamed, warn
from ._progress import Progress
from ._query import Hits, request
from ._shapes import Mesh
from ._views import view_of

ALL = 2**64 - 1

FREEZE_X, FREEZE_Y, FREEZE_Z = 1, 2, 4  #: flags of a body: components that keep their velocity
FREEZE_SPIN_X, FREEZE_SPIN_Y, FREEZE_SPIN_Z = 8, 16, 32
FREEZE = 63  #: all components: a body that goes its way whatever pushes
GHOST = 64  #: a body that is owned elsewhere, moved from outside

_PATH = ("velocity", "centre", "axis", "rate", "swing", "frequency", "phase", "table", "motions", "function")
_BODY = ("velocity", "spin", "orientation", "mass", "inertia", "groups", "mask", "type", "flags", "serial", "user")


def _column(name):
    text = {
        "position": "Centres of bodies (n, 3), m.", "radius": "Radii (n,) of the spheres around bodies, m.",
        "velocity": "Velocities (n, 3), m/s.", "inverse_mass": "1 / mass (n,), 1/kg.", "spin": "Angular velocities (n, 3), rad/s.",
        "inverse_inertia": "1 / moment of inertia (n,); 0 where it differs by axis.",
        "orientation": "Unit quaternions w x y z (n, 4).", "force": "Resultant forces of the last step (n, 3), N.",
        "torque": "Resultant torques of the last step (n, 3), N m.", "id": "Ids of bodies (n,).",
        "serial": "Global ids (n,), which never change.", "user": "Your number of each body (n,).",
        "material": "Numbers of materials (n,).", "temperature": "Temperatures (n,), K, where there is heat.",
    }[name]
    return property(lambda self: view_of(self, name), doc=text + " A view without a copy, read only.")


class World(_scree.World, Ambient):
    """A world of bodies, walls and materials. Keywords are the fields of ``scree_world_def``; ``step`` is its ``dt``.

    >>> import scree
    >>> world = scree.World(gravity=(0, 0, -9.81), step=1e-4)
    >>> glass = world.add_material(young=1e7)
    >>> floor = world.add_wall(material=glass)
    >>> ids = world.add_spheres([[0, 0, 0.5]], radius=0.01, material=glass)
    >>> world.step(1000)
    >>> round(world.time, 6), round(float(world.position[0, 2]), 4)
    (0.1, 0.4509)
    """

    def __new__(cls, *, gravity=None, step=None, dt=None, dimensions=3, threads=None, lower=None, upper=None, margin=None, **more):
        if step is not None and dt is not None:
            raise TypeError("step and dt are the same: one of them will do")
        dt = step if dt is None else dt
        if dt is not None:
            more["dt"] = dt
        if gravity is not None:
            more["gravity"] = vector(gravity, "gravity", dimensions)
        if lower is not None:
            more["lower"] = vector(lower, "lower", dimensions)
        if upper is not None:
            more["upper"] = vector(upper, "upper", dimensions)
        if isinstance(more.get("boundary"), (tuple, list)) and len(more["boundary"]) == 2 and dimensions == 2:
            more["boundary"] = (*more["boundary"], "none")
        elif isinstance(more.get("boundary"), str) and dimensions == 2:
            more["boundary"] = (more["boundary"], more["boundary"], "none")
        if margin is not None:
            more["margin"] = {"kind": margin} if isinstance(margin, str) else margin
        if threads is not None:
            more["thread_count"] = threads
        return super().__new__(cls, dimensions=dimensions, **more)

    def __init__(self, *args, **keywords):
        pass

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        self.close()

    # ---- the state ------------------------------------------------------------------------------

    position = _column("position")
    radius = _column("radius")
    velocity = _column("velocity")
    inverse_mass = _column("inverse_mass")
    spin = _column("spin")
    inverse_inertia = _column("inverse_inertia")
    orientation = _column("orientation")
    force = _column("force")
    torque = _column("torque")
    id = _column("id")
    serial = _column("serial")
    user = _column("user")
    material = _column("material")
    temperature = _column("temperature")

    @property
    def mass(self):
        """Masses (n,), kg; a copy."""
        return 1.0 / self.inverse_mass.copy()

    def order(self):
        """Rows in the order in which bodies were added: ``world.position[world.order()]``."""
        return np.argsort(self.serial, kind="stable")

    def bodies(self):
        """All that is known of bodies, a structured array in the order in which they were added; a copy."""
        rows = self._bodies()
        return rows[np.argsort(rows["serial"], kind="stable")]

    def body(self, id):
        """One body, all of it."""
        return BodyFigures(self._body(int(id)))

    def __len__(self):
        return self.count

    def edit(self):
        """Writes to the state: ``with world.edit() as e: e.velocity[:] = 0``. All is checked, and written at the end or not
        at all. Rows are in the order of ``world.position`` and have position, velocity, spin, orientation, load, groups,
        mask, user, material and flags.
        """
        return Edit(self)

    # ---- settings -------------------------------------------------------------------------------

    @property
    def gravity(self):
        """Gravity, m/s^2; may be set."""
        return np.array(self._get_gravity())

    @gravity.setter
    def gravity(self, value):
        self._set_gravity(vector(value, "gravity", self.dimensions))

    @property
    def dt(self):
        """The length of a step, s, as given or set; may be set. ``clock().dt`` is that of the last step."""
        return self._get_dt()[1]

    @dt.setter
    def dt(self, value):
        self._set_dt(self._get_dt()[0], float(value))

    @property
    def time_mode(self):
        """"fixed", "automatic" or "mass_scaling"; may be set."""
        return self._get_dt()[0]

    @time_mode.setter
    def time_mode(self, value):
        self._set_dt(value, self._get_dt()[1])

    def set_step(self, mode, dt):
        """Time mode and length of steps at once."""
        self._set_dt(mode, float(dt))

    @property
    def damping(self):
        """(global, local) damping; may be set."""
        return self._get_damping()

    @damping.setter
    def damping(self, value):
        first, second = value
        self._set_damping(float(first), float(second))

    @property
    def domain(self):
        """lower, upper and boundaries of the domain."""
        lower, upper, boundary = self._get_domain()
        return Figures({"lower": lower, "upper": upper, "boundary": boundary})

    @property
    def time(self):
        """Time so far, s."""
        return self._time()

    def clock(self):
        """time, steps and dt."""
        return Figures(self._clock())

    @property
    def method(self):
        """The name of the detection method; may be set. Results do not change."""
        return self._get_method()

    @method.setter
    def method(self, name):
        self.set_method(name)

    @property
    def margin(self):
        """The margin of detection; may be set to a kind, or to a dict. Results do not change."""
        return Figures(self._get_margin())

    @margin.setter
    def margin(self, value):
        self.set_margin(**({"kind": value} if isinstance(value, str) else value))

    def set_friction(self, friction, material=0):
        """Friction from now on, of one material or, with 0, of all; NaN: as it was when they were added."""
        self._set_friction(float(friction), material)

    def set_material_value(self, name, value, material=0):
        """A value of a material from now on, as "young", or with 0 of all; NaN: as it was when they were added."""
        self._set_material_value(name, float(value), material)

    def set_cell_servo(self, off=False, **options):
        """The cell is driven so that bodies press with stresses; None: it is not any more. See scree/cell.h."""
        self._set_cell_servo(*([None] if off is None else []), **options)

    def cell_servo(self):
        """What drives the cell, with stresses and pressure of the last step; None without one."""
        servo = self._cell_servo()
        return servo and Figures({**servo[0], "stress_now": servo[1], "pressure_now": servo[2]})

    def set_sleep(self, off=False, **options):
        """Bodies are put to rest: speed, acceleration, steps; None: not any more."""
        self._set_sleep(*([None] if off is None else []), **options)

    def sleep_settings(self):
        """What set_sleep() set; None: sleeping is off."""
        return _or_none(self._get_sleep())

    def sleep_counts(self):
        """How many bodies rest."""
        return Figures(self._sleep_counts())

    # ---- rules ----------------------------------------------------------------------------------

    def add_rule(self, law="hertz", *, type="any", materials=(0, 0), groups=ALL, **parameters):
        """A row of the table of laws: which law acts between which materials, with parameters instead of what these say.

        ``law`` is the name of one, None for no force, or one of your own: a Law, or a FormulaLaw.

        >>> import scree
        >>> world = scree.World(step=1e-4)
        >>> glass, steel = world.add_material(), world.add_material(young=2e11)
        >>> world.add_rule("hertz-rolling", materials=(glass, steel), rolling_friction=0.1)
        """
        first, second = (materials, 0) if np.ndim(materials) == 0 else materials
        if law == "penalty" and "halo" in parameters:
            parameters["contact_skin"] = renamed("add_rule", parameters, parameters.get("contact_skin"), "halo", "contact_skin")
        parameters = {name: float(value) for name, value in parameters.items()}
        if isinstance(law, (Law, FormulaLaw)):
            law._add_to(self, type, first, second, groups, parameters)
        else:
            self._add_rule(law, type, first, second, groups, parameters)

    def set_rule_value(self, rule, name, value):
        """A value that a rule gives, from now on; rules count from 1. NaN: as it was given."""
        super().set_rule_value(rule, name, value)
        # a law written as formulas may have a value of its own with this name
        if name == "halo" and not np.isnan(self.rule_value(rule, "contact_skin")):
            warn("set_rule_value", "halo", "contact_skin")

    def set_force(self, function, user=0):
        """``function(time, bodies, force, torque)`` is called in each step, and adds to the arrays force and torque (n, 3) in
        place; rows are those of bodies. Slow: arrays are made anew for each call. The address of a scree_force_fn, as
        numba and ctypes give it, costs nothing; ``user`` is what it gets. None: no more.
        """
        if function is not None and not callable(function) and not isinstance(function, int):
            raise TypeError("function must be callable, an address, or None")
        self._set_force(function, user)

    # ---- walls ----------------------------------------------------------------------------------

    def add_wall(self, mesh=None, *, material, point=(0, 0, 0), normal=None, orientation=(1, 0, 0, 0), groups=1, mask=ALL, user=0,
                 **path):
        """A plane with bodies on the side of its normal, or a mesh; returns its id. Further keywords move it: velocity; axis,
        rate and centre; swing, frequency and phase; table, rows of t x y z; motions, a list of dicts with the fields of scree_path_part,
        which add up; or function, of time alone.
        """
        if normal is None:
            normal = (0, 0, 1) if self.dimensions == 3 else (0, 1, 0)
        if mesh is not None and not isinstance(mesh, _scree.Mesh):
            mesh = Mesh(*mesh) if isinstance(mesh, tuple) else Mesh(mesh)
        return self._add_wall(mesh, material, vector(point, "point", self.dimensions), vector(normal, "normal", self.dimensions),
                              tuple(float(q) for q in orientation), groups, mask, user, self._path(path))

    def _path(self, path):
        one_of(path, _PATH, "a wall's path")
        made = dict(path)
        for name in ("velocity", "centre", "swing"):
            if name in made:
                made[name] = vector(made[name], name, self.dimensions)
        if "table" in made:
            table = checked(made["table"], "table")
            if table.ndim != 2 or table.shape[1] != 4:
                raise ValueError(f"table has the shape {table.shape}, must be (n, 4): t, x, y, z")
            made["table"] = np.ascontiguousarray(table, np.float64)
        if made.get("motions") is not None:
            made["motions"] = [self._motion(motion) for motion in made["motions"]]
        return made

    def _motion(self, motion):
        made = dict(motion)
        for name in ("vector", "centre"):
            if name in made:
                made[name] = vector(made[name], name, self.dimensions)
        if "table" in made:
            table = checked(made["table"], "table")
            if table.ndim == 2 and table.shape[1] == 4:  # shifts alone
                table = np.column_stack([table, np.broadcast_to([1.0, 0, 0, 0], (len(table), 4))])
            if table.ndim != 2 or table.shape[1] != 8:
                raise ValueError(f"table has the shape {table.shape}, must be (n, 4) or (n, 8): t, x, y, z and a quaternion")
            made["table"] = np.ascontiguousarray(table, np.float64)
        return made

    def set_wall_path(self, id, **path):
        """Another path, from now on; without any the wall stays where it is."""
        self._set_wall_path(int(id), self._path(path))

    def place_on_path(self, time, **path):
        """Where a path of add_wall leads at a time: shift and unit quaternion w x y z.

        >>> import scree
        >>> scree.World(step=1e-5).place_on_path(2.0, velocity=(0, 0, 0.5))[0]
        array([0., 0., 1.])
        """
        shift, turn = self._path_place(float(time), self._path(path))
        return np.array(shift), np.array(turn)

    def set_wall_servo(self, id, off=False, **options):
        """The wall is driven so that bodies push it with a force, or a stress on an area; None: no more. See scree/wall.h."""
        if "between" in options:
            options["between"] = tuple(int(i) for i in options["between"]) + (0,) * (4 - len(options["between"]))
        self._set_wall_servo(int(id), *([None] if off is None else []), **options)

    def wall_servo(self, id):
        """What set_wall_servo() set; None: the wall has no servo. ``wall(id).servo`` has its state."""
        return _or_none(self._wall_servo(int(id)))

    def set_wall_belt(self, id, off=False, **options):
        """The surface of the wall moves along itself, as a conveyor belt or a roller: velocity; rate, axis, centre; None: no more.
        See scree/wall.h.

        >>> import scree
        >>> w = scree.World(step=1e-5)
        >>> floor = w.add_wall(material=w.add_material(young=1e7), normal=(0, 0, 1))
        >>> w.set_wall_belt(floor, velocity=(0.5, 0, 0))
        >>> w.wall_belt(floor).velocity
        array([0.5, 0. , 0. ])
        """
        self._set_wall_belt(int(id), *([None] if off is None else []), **options)

    def wall_belt(self, id):
        """What set_wall_belt() set, as it is in space now; None: the surface moves as the wall does."""
        return _or_none(self._wall_belt(int(id)))

    def set_wall_wear(self, id, off=False, **options):
        """Bodies wear the wall from now on: coefficient, hardness (sliding); erosion and more (impacts); None: no more. See scree/wear.h.

        >>> import scree
        >>> w = scree.World(step=1e-5, gravity=(0, 0, -9.81))
        >>> steel = w.add_material(young=1e7)
        >>> floor = w.add_wall(material=steel, normal=(0, 0, 1))
        >>> w.set_wall_wear(floor, coefficient=1e-4, hardness=2e9)
        >>> ball = w.add_spheres([(0, 0, 0.01)], 0.01, material=steel, velocity=(1, 0, 0))
        >>> w.step(1000)
        >>> bool(w.wear(floor)["slid_volume"][0] > 0)
        True
        """
        self._set_wall_wear(int(id), *([None] if off is None else []), **options)

    def wall_wear(self, id):
        """What set_wall_wear() set; None: the wall does not wear. ``wear(id)`` has what is worn."""
        return _or_none(self._wall_wear(int(id)))

    def wear(self, id):
        """What bodies have worn off each facet of a wall since set_wall_wear(); a structured array, of one row for a plane."""
        return self._wear(int(id))

    def worn_mesh(self, id, times=1.0):
        """The mesh that the wall would have after ``times`` of its present wear."""
        return self._worn_mesh(Mesh, int(id), float(times))

    def free_wall(self, id):
        """What set_free_wall() set, with velocity and spin of now; None: the wall is not free."""
        return _or_none(self._free_wall(int(id)))

    def set_free_wall(self, id, off=False, **options):
        """The wall is a rigid body that falls and is pushed: mass, inertia, ...; None: no more. See scree/wall.h."""
        self._set_free_wall(int(id), *([None] if off is None else []), **options)

    def wall(self, id):
        """Where a wall is, and what pushes it."""
        return Figures(self._wall(int(id)))

    # ---- bodies ---------------------------------------------------------------------------------

    def add_spheres(self, position, radius, *, material, **more):
        """Spheres (in two dimensions discs) from arrays; returns their ids. What is one row, or one number, is for all:
        velocity, spin, orientation, mass, inertia, groups, mask, type, flags, serial, user. ``type`` is "dynamic", "kinematic" or
        "static", or one of these for each.
        """
        centres = points(position, "position", dimensions=self.dimensions)
        table = self._rows(centres, material, more)
        table["radius"] = reals(radius, "radius", len(centres))
        return self._add_bodies(len(centres), table, [], False)

    def add_blocks(self, position, mesh, rounding=None, *, material, shape=None, frame="body", **more):
        """Convex blocks with edges of the radius ``rounding``: one mesh for all, or a list of meshes of which ``shape`` says
        each body's. ``frame="mesh"``: position and orientation are those of the mesh's own frame, not of the centre of mass.
        """
        rounding = renamed("add_blocks", more, rounding, "halo", "rounding")
        return self._add_shapes("block", position, mesh, rounding, material, shape, frame, more)

    def add_meshes(self, position, mesh, contact_skin=None, *, material, shape=None, frame="body", **more):
        """Bodies of triangles with contact skins of that thickness; see add_blocks."""
        contact_skin = renamed("add_meshes", more, contact_skin, "halo", "contact_skin")
        return self._add_shapes("mesh", position, mesh, contact_skin, material, shape, frame, more)

    def add_superquadrics(self, position, mesh, *, material, shape=None, **more):
        """Superquadrics and ellipsoids, from ``Mesh.superquadric``: one mesh for all, or a list; see add_blocks."""
        return self._add_shapes("superquadric", position, mesh, 0.0, material, shape, "body", more)

    def add_clumps(self, position, clump, *, material, shape=None, frame="body", **more):
        """Clumps: one for all, or a list of which ``shape`` says each body's; see add_blocks."""
        return self._add_shapes("clump", position, clump, 0.0, material, shape, frame, more)

    def _add_shapes(self, kind, position, given, skin, material, shape, frame, more):
        if frame not in ("body", "mesh"):
            raise ValueError(f'frame is {frame!r}, must be "body" or "mesh"')
        shapes = list(given) if isinstance(given, (list, tuple)) else [given]
        if not shapes:
            raise ValueError("there are no shapes")
        skins = np.broadcast_to(np.asarray(skin, float), len(shapes))
        centres = points(position, "position", dimensions=self.dimensions)
        table = self._rows(centres, material, more)
        table["shape"] = integers(0 if shape is None else shape, "shape", np.uint32, len(centres))
        if len(centres) and table["shape"].max() >= len(shapes):
            raise ValueError(f"shape must be below {len(shapes)}")
        return self._add_bodies(len(centres), table, [(kind, s, float(w)) for s, w in zip(shapes, skins)], frame == "mesh")

    def _rows(self, centres, material, more):
        one_of(more, _BODY, "a body")
        rows = len(centres)
        table = {"position": centres, "material": integers(material, "material", np.uint32, rows)}
        for name, width in (("orientation", 4), ("mass", 1), ("inertia", 3)):
            table[name] = reals(more.get(name), name, rows, width)
        for name in ("velocity", "spin"):
            value = more.get(name)
            if value is not None and self.dimensions == 2:
                value = self._flat(checked(value, name), name)
            table[name] = reals(value, name, rows, 3)
        for name, dtype in (("groups", np.uint64), ("mask", np.uint64), ("serial", np.uint64), ("user", np.uint64), ("flags", np.uint32)):
            table[name] = integers(more.get(name), name, dtype, rows)
        kind = more.get("type")
        table["type"] = None if kind is None else integers(numbers_of(kind, BodyType, "type"), "type", np.uint32, rows)
        return table

    @staticmethod
    def _flat(array, name):
        """In two dimensions velocities have two components, and spins one."""
        if name == "velocity" and array.ndim and array.shape[-1] == 2:
            return np.concatenate([array, np.zeros_like(array[..., :1])], axis=-1)
        if name == "spin" and (array.ndim == 0 or array.shape[-1] != 3):
            return np.stack([np.zeros_like(array), np.zeros_like(array), array], axis=-1)
        return array

    def remove(self, ids):
        """Removes bodies by their ids, all or none."""
        self._remove_bodies(integers(np.atleast_1d(ids), "ids", np.uint64))

    def set_body_type(self, ids, type):
        """Makes a body, or all bodies of an array of ids, "dynamic", "kinematic" or "static"; all or none. A static body stops; a
        dynamic one has no frozen components. ``type`` may be one for each body.

        >>> import scree
        >>> world = scree.World(step=1e-4)
        >>> ids = world.add_spheres([[0, 0, 0], [1, 0, 0]], 0.1, material=world.add_material(), type=["dynamic", "kinematic"])
        >>> world.set_body_type(ids, "static")
        >>> world.body_type(ids[1])
        'static'
        """
        ids = integers(np.atleast_1d(ids), "ids", np.uint64)
        self._set_body_types(ids, integers(numbers_of(type, BodyType, "type"), "type", np.uint32, len(ids)))

    # ---- queries --------------------------------------------------------------------------------

    def query(self, *, box=None, sphere=None, ray=None, nearest=None, k=1, first=False, groups=ALL):
        """Which bodies are in ``box=(lower, upper)`` or ``sphere=(centre, radius)``, which ``ray=(origin, direction[, t_max])`` hits
        (with ``first`` only the first one), or the ``k`` bodies nearest to the point ``nearest``. ``groups``: only bodies in one
        of these. Returns arrays of ids, distances and points: where the ray enters a body, and at which t; or the nearest point
        of a body, and how far it is. For boxes and spheres distances and points are 0. See scree/query.h.

        Surfaces and positions are those of now, and a periodic image counts as its body. Walls are not found.

        >>> import scree
        >>> world = scree.World(step=1e-4)
        >>> ids = world.add_spheres([[0, 0, 0], [1, 0, 0]], 0.1, material=world.add_material())
        >>> found, distances, points = world.query(ray=((-1, 0, 0), (1, 0, 0)))
        >>> distances.round(6).tolist(), points[0].round(6).tolist()
        ([0.9, 1.9], [-0.1, 0.0, 0.0])
        >>> (world.query(nearest=(2, 0, 0)).ids == ids[1]).tolist()
        [True]
        """
        asked = request(lambda value, name: vector(value, name, self.dimensions), box=box, sphere=sphere, ray=ray, nearest=nearest,
                        k=operator.index(k), first=first)
        return Hits(*self._query(*asked, groups))

    # ---- time -----------------------------------------------------------------------------------

    def run(self, until=None, *, steps=None, progress=False):
        """Steps until a time, s, or so many; returns how many were taken. ``progress`` prints a line, or is called with
        (world, share).
        """
        if (until is None) == (steps is None):
            raise TypeError("one of until and steps must be given")
        begin, first = self.time, self.clock()["steps"]
        shown = Progress(progress)
        size = 1
        while True:
            done = self.clock()["steps"] - first
            left = steps - done if steps is not None else self._steps_to(until)
            if left <= 0:
                break
            began = _clock.perf_counter()
            self.step(min(left, size) if progress else left)
            took = _clock.perf_counter() - began
            size = max(1, int(size * (2 if took < 0.05 else 0.5 if took > 0.2 else 1)))
            share = (self.time - begin) / (until - begin) if until is not None else (done + min(left, size)) / steps
            shown(self, min(share, 1.0))
        shown(self, 1.0, True)
        return self.clock()["steps"] - first

    def advance(self, seconds):
        """Steps until so many seconds have passed, to which the last ones are shortened.

        >>> import scree
        >>> world = scree.World(step=1e-3)
        >>> world.advance(0.0105)
        >>> round(world.time, 9)
        0.0105
        """
        seconds = float(seconds)
        if not 0 <= seconds < float("inf"):
            raise ValueError(f"seconds is {seconds}, must be finite and not negative")
        end = self.time + seconds
        self._forget_events()
        # the engine takes the last ones; those before can be ended by Ctrl-C
        while (count := self._steps_to(end)) > 8:
            self._go_on(count // 2)
        self._advance(max(end - self.time, 0.0))

    def apply_impulse(self, id, impulse, point=None):
        """Changes velocity and spin of a body at once, as a blow, N s, at a point does; without one at its centre."""
        self._apply_impulse(int(id), vector(impulse, "impulse", self.dimensions),
                            None if point is None else vector(point, "point", self.dimensions))

    def _steps_to(self, until):
        """How many steps are left, at least; 0 where the step after would be nearer to the time beyond."""
        clock = self._clock()
        left = float(until) - clock["time"]
        if not np.isfinite(left):
            raise ValueError(f"until is {until}, must be finite")
        if left <= 0 or clock["dt"] <= 0:
            return 0 if left <= 0 else 1
        count = left / clock["dt"]
        if self.time_mode == "automatic":
            return 0 if count < 0.5 and clock["steps"] else max(1, int(count / 2))
        return int(round(count))

    def iterate(self, every, until=None):
        """Yields the world after each ``every`` seconds, up to a time or for ever, for analysis while it runs.

        >>> import scree
        >>> world = scree.World(step=1e-3)
        >>> [round(w.time, 3) for w in world.iterate(every=0.01, until=0.03)]
        [0.01, 0.02, 0.03]
        """
        if not every > 0:
            raise ValueError(f"every is {every}, must be above 0")
        begin, number = self.time, 1
        while until is None or begin + number * every <= until + 0.5 * every * 1e-9:
            self.run(until=begin + number * every)
            yield self
            number += 1

    def stable_step(self):
        """The longest step that is stable for the contacts there are, and who sets it."""
        return Figures(self._stable_step())

    # ---- what is read off -----------------------------------------------------------------------

    def contacts(self, *, memory=False, **which):
        """Contacts of the last step that exerted forces, a structured array: first, second, wall, point, normal, overlap, force,
        ... Keywords narrow it: body, wall, bodies_only, walls_only, or lower and upper. With ``memory`` also what laws remember.

        >>> import scree
        >>> world = scree.World(step=1e-5)
        >>> m = world.add_material()
        >>> ids = world.add_spheres([[0, 0, 0], [0.19, 0, 0]], 0.1, material=m)
        >>> world.step()
        >>> world.contacts()["overlap"].round(6).tolist()
        [0.01]
        """
        if "lower" in which or "upper" in which:
            which["in_region"] = True
            for name in ("lower", "upper"):
                which[name] = vector(which[name], name, self.dimensions)
        return self._contacts(memory, **which)

    def events(self, kind=None):
        """What happened in the last call of step() or advance(), a structured array; for worlds with ``events=True``. ``kind``
        is a number of ``EventKind``: contacts that began (with point, normal and the speed of approach) or ended (with duration and
        impulse), bonds and joints that broke (with cause, or joint), bodies that fell asleep, woke or left, and pairs whose
        surfaces began to cross. With an argument ``kind``, a name such as "contact-begin", an ``EventKind``, or several, only these.
        See scree/event.h.

        >>> import scree
        >>> world = scree.World(step=1e-5, events=True)
        >>> m = world.add_material()
        >>> ids = world.add_spheres([[0, 0, 0], [0.2001, 0, 0]], 0.1, velocity=[[1, 0, 0], [0, 0, 0]], material=m)
        >>> world.step(20)
        >>> world.events(kind="contact-begin")["speed"].round(3).tolist()
        [1.0]
        """
        wanted = None if kind is None else numbers_of(kind, EventKind, "kind")
        rows = self._events()
        return rows if wanted is None else rows[np.isin(rows["kind"], wanted)]

    def energy(self):
        """Energies, J; with energy_balance=True all of them, and they close."""
        return Figures(self._energy())

    def totals(self):
        """Mass, momentum, coordination, counts of bodies."""
        return Figures(self._totals())

    def detection_stats(self):
        """Whether detection did what it promises."""
        return Figures(self._detection_stats())

    def local_counts(self):
        """Which tests found pairs of shapes to be apart."""
        return Figures(self._local_counts())

    def timings(self):
        """Where the time of steps goes, since enable_timings(True)."""
        return Figures(self._timings())

    def local_step_stats(self):
        """How bodies went in the last step, where steps are local."""
        return Figures(self._local_step_stats())

    def bond_counts(self):
        """Bonds that hold, were made, and broke."""
        return Figures(self._bond_counts())

    def joint(self, id):
        """One joint as it is now, with its motor; ``joints()`` has all, as columns. See scree/joint.h.

        >>> import scree
        >>> w = scree.World(step=1e-5)
        >>> wheel, = w.add_spheres([[0, 0, 0]], 0.1, material=w.add_material())
        >>> hinge = w.add_joint(kind="hinge", first=wheel, motor={"mode": "speed", "target": 2.0, "max_effort": 10.0})
        >>> w.step(5000)
        >>> round(w.joint(hinge).speed, 6)
        2.0
        """
        return Figures(self._joint(int(id)))

    def joint_counts(self):
        """Joints that hold, were made, broke, and were removed with their bodies."""
        return Figures(self._joint_counts())

    def chains(self, **options):
        """Force chains: figures, a structured array of bodies in the order of storage, and members of chains as rows."""
        figures, bodies, members = self._chains(**options)
        return Figures(figures), bodies, members

    def fields(self, lower, upper, cells, width, kernel="smooth"):
        """Coarse-grained fields on a grid; ``sample()`` adds to their mean over time. See scree/fields.h."""
        return Fields(self, lower, upper, cells, width, kernel)

    def wall_field(self, id, lower, upper, cells):
        """What bodies do to a wall, in the cells of a grid: a structured array of the shape of the cells."""
        grid = grid_of(self, lower, upper, cells)
        loads = self._wall_field(int(id), None, **grid)
        return loads.reshape(grid["cells"][::-1]).transpose(2, 1, 0)

    def write_wall_field(self, path, id, lower, upper, cells):
        """The same as a VTK image (.vti), or where the name ends in .csv as a table."""
        self._wall_field(int(id), os.fspath(path), **grid_of(self, lower, upper, cells))

    def solid_volume(self, centre, radius):
        """What of bodies lies in a ball, m^3."""
        return self._solid_volume(vector(centre, "centre", self.dimensions), float(radius))

    def metrics(self):
        """One row of figures: time, bodies, energies, contacts; a dict, for a table of your own."""
        energy, totals = self.energy(), self.totals()
        return {"time": self.time, "bodies": totals["bodies"], "mass": totals["mass"], "coordination": totals["coordination"],
                "contacts": self._detection_stats()["contacts"], **{name: float(value) for name, value in energy.items()}}

    # ---- heat -----------------------------------------------------------------------------------

    def set_heat(self, off=False, **options):
        """Bodies have temperatures from now on; None: not any more. See scree/heat.h."""
        self._set_heat(*([None] if off is None else []), **options)

    def heat_settings(self):
        """What set_heat() set; None: there is no heat."""
        return _or_none(self._get_heat())

    def heat(self):
        """Heat of all bodies, J."""
        return Figures(self._heat())

    def body_heat(self, id):
        """The heat of a body."""
        return Figures(self._body_heat(int(id)))

    def wall_heat(self, id):
        """The heat of a wall."""
        return Figures(self._wall_heat(int(id)))

    def set_wall_heat(self, id, temperature):
        """The temperature of a wall; None: it insulates."""
        self._set_wall_heat(int(id), temperature)

    # ---- files ----------------------------------------------------------------------------------

    def checkpoint(self, path, **parts):
        """Writes all of the world to a file, whole or not at all; ``parts`` are bytes of yours beside it."""
        self._checkpoint(os.fspath(path), parts)

    @classmethod
    def from_checkpoint(cls, source, **hooks):
        """A world from a file, or from bytes of one, that goes on to the same bytes. Hooks are threads, method, margin, events."""
        if "threads" in hooks:
            hooks["thread_count"] = hooks.pop("threads")
        return cls._from_checkpoint(source if isinstance(source, bytes) else os.fspath(source), **hooks)

    def restore_checkpoint(self, source):
        """Into a world that has the same materials, rules and walls: for those with functions of your own."""
        self._restore_checkpoint(source if isinstance(source, bytes) else os.fspath(source))

    def to_bytes(self):
        """A checkpoint as bytes."""
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "world.scree")
            self._checkpoint(path, {})
            with open(path, "rb") as file:
                return file.read()

    def __reduce__(self):
        return _from_bytes, (type(self), self.to_bytes())

    def __copy__(self):
        return self.copy()

    def __deepcopy__(self, unused):
        return self.copy()

    def export(self, path, format=None, fields=None):
        """Writes bodies, contacts, walls, ...: "vtp", "contacts", "walls", "lammps", "csv", "stl", "solids", "pebbles". Without
        a format the file's name says it.
        """
        path = os.fspath(path)
        if format is None:
            endings = {".vtp": "vtp", ".csv": "csv", ".stl": "stl", ".dump": "lammps", ".lammpstrj": "lammps"}
            format = endings.get(os.path.splitext(path)[1])
            if format is None:
                raise ValueError(f"{path}: a format must be given")
        self._export(path, format, None if fields is None else tuple(fields))

    # ---- pictures -------------------------------------------------------------------------------

    def picture(self, width=640, height=480, values=None, **options):
        """Pixels (height, width, 3) of what the world looks like. ``values`` (n,), in the order of storage, colours bodies
        instead of a field. Further keywords are those of scree_picture_def; ``camera`` is a dict.
        """
        return self._picture(_values(values), width=width, height=height, **options)[0]

    def picture_frame(self, values=None, **options):
        """What a series of pictures needs to be alike: range of the colours, the box that the camera is fitted to, and with a
        ``wall_field`` the range of the colours of walls."""
        colours, lower, upper, walls = self._picture_frame(_values(values), **options)
        return Figures({"range": colours, "lower": lower, "upper": upper, "wall_range": walls})

    def png(self, path=None, width=640, height=480, values=None, **options):
        """The same as a PNG: bytes, or written to a file."""
        data = self._png(_values(values), width=width, height=height, **options)
        if path is None:
            return data
        with open(path, "wb") as file:
            file.write(data)
        return None

    def _repr_png_(self):
        return self.png() if self.count or len(self.walls()) else None

    def _repr_html_(self):
        from ._notebook import world_html

        return world_html(self)

    def view(self, **options):
        """An interactive view for a notebook, as the lab shows the world: drag to turn it, wheel to zoom. It is part of the notebook and needs no
        network. ``view.add()`` takes in later states, to be played. Keywords: values, width, height, most (bodies).
        """
        from ._viewer import Viewer

        return Viewer(self, **options)

    def __repr__(self):
        if self.closed:
            return "<scree.World, closed>"
        try:
            return f"<scree.World {self.dimensions}D, {self.count} bodies, {len(self.walls())} walls, t = {self.time:.6g} s>"
        except RuntimeError as busy:
            return f"<scree.World: {busy}>"


def _or_none(settings):
    return None if settings is None else Figures(settings)


def _values(values):
    return None if values is None else np.ascontiguousarray(checked(values, "values"), np.float64)


def _from_bytes(kind, data):
    return kind.from_checkpoint(data)
