"""A view of worlds for notebooks: the page of the lab without its engine, in an iframe that needs nothing else."""

import base64
import json
from html import escape
from importlib import resources

import numpy as np

MAX_FACETS = 20000  # of a shape; those with more are shown as balls
TRIANGLES, PEBBLES, PLANE = 1, 2, 0x100
WALLS, SHAPES, EPOCH = 2, 5, 1

_COLOURS = (("speed", "m/s"), ("force", "N"), ("contacts", ""), ("size", ""), ("id", ""))


def _pack(array, dtype):
    """Numbers as a text of base64."""
    return base64.b64encode(np.ascontiguousarray(array, dtype).tobytes()).decode("ascii")


def _words(*numbers):
    return np.array(numbers, "<u4").tobytes()


# ---- turns: unit quaternions w x y z -------------------------------------------------------------

def _turn(q, points):
    """Points (n, 3), turned."""
    w, v = q[0], np.asarray(q[1:])
    return points + 2 * np.cross(v, np.cross(v, points) + w * points)


def _turn_back(q, points):
    return _turn([q[0], -q[1], -q[2], -q[3]], points)


def _turn_to(normal, dimensions):
    """From the axis that a plane's square is across to a normal, by the shortest way."""
    axis = np.array([0.0, 1, 0] if dimensions == 2 else [0.0, 0, 1])
    q = np.append(1 + axis @ normal, np.cross(axis, normal))
    if q[0] < 1e-9:  # the very opposite: half a turn about an axis across
        q = np.array([0.0, 0, 0, 1] if dimensions == 2 else [0.0, 1, 0, 0])
    return q / np.linalg.norm(q)


# ---- shapes and walls, as the page reads them (docs/lab.md) -----------------------------------------

def _shape_bytes(look):
    """One shape in the frame of its bodies; a ball where it has no frame or too many facets."""
    if look is None or (look[4] is not None and len(look[4]) > MAX_FACETS):
        return _words(0, 0, 0)
    inward, origin, turn, points, facets = look
    places = _turn_back(turn, points[:, :3] - origin)
    if facets is None:
        return _words(PEBBLES, len(points), 0) + np.column_stack([places, points[:, 3]]).astype("<f4").tobytes()
    if facets.shape[1] == 2:  # a polygon: triangles at one of its corners
        facets = np.column_stack([np.full(len(facets), facets[0, 0]), facets])
    if inward:
        facets = facets[:, [0, 2, 1]]
    return _words(TRIANGLES, len(places), len(facets)) + places.astype("<f4").tobytes() + facets.astype("<u4").tobytes()


_BALL = _shape_bytes(None)


def _plane_bytes(half, dimensions):
    """A square about the origin, in two dimensions a segment."""
    if dimensions == 2:
        corners, facets = [[-half, 0, 0], [half, 0, 0]], [[0, 1]]
    else:
        corners, facets = [[x * half, y * half, 0] for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1))], [[0, 1, 2], [0, 2, 3]]
    return (_words(PLANE | len(facets[0]), len(corners), len(facets)) + np.array(corners, "<f4").tobytes() + np.array(facets, "<u4").tobytes())


def _mesh_bytes(vertices, facets):
    return _words(facets.shape[1], len(vertices), len(facets)) + vertices.astype("<f4").tobytes() + facets.astype("<u4").tobytes()


# ---- what is around -------------------------------------------------------------------------------

def _box(states, walls):
    """Lower and upper corner of bodies and meshes, and of planes where bodies will meet them."""
    points = [corner for state in states for corner in state["box"]]
    for _, wall, mesh in walls:
        if mesh is not None:
            placed = _turn(wall.orientation, mesh[0]) + wall.position
            points += [placed.min(axis=0), placed.max(axis=0)]
    lower, upper = (np.min(points, axis=0), np.max(points, axis=0)) if points else (np.full(3, -0.5), np.full(3, 0.5))
    centre, size = (lower + upper) / 2, np.linalg.norm(upper - lower)
    for _, wall, mesh in walls:
        gap = (centre - wall.position) @ wall.normal
        if mesh is None and abs(gap) <= size:
            nearest = centre - gap * wall.normal
            lower, upper = np.minimum(lower, nearest), np.maximum(upper, nearest)
    return lower, upper


def _contacts_of(world):
    """How many contacts each body has, by rows."""
    contacts = world.contacts()
    ids, counts = np.unique(np.concatenate([contacts["first"], contacts["second"]]), return_counts=True)
    found, result = np.isin(world.id, ids), np.zeros(world.count)
    result[found] = counts[np.searchsorted(ids, np.asarray(world.id)[found])]
    return result


class Viewer:
    """States of a world as the lab shows them, in an iframe: drag turns it, the wheel zooms, a double click fits it.

    It has the state of when it was made; ``add()`` takes in that of now, and then there is a button that plays them. ``values``
    (n,), in the order of storage, colour bodies beside the fields of the lab. Meshes of more than 20000 facets, and those that enclose nothing,
    are shown as balls.
    """

    def __init__(self, world, values=None, width=640, height=420, most=50000):
        self.world, self.width, self.height, self.most = world, int(width), int(height), int(most)
        self.left_out = self.balls = 0  # the most bodies of a state that are not shown, or not as what they are
        self._walls, self._states = [], []
        self._shapes = {}  # of all states: what the page reads, and its number
        self.add(values)

    def add(self, values=None):
        """Takes in the state of now; returns itself."""
        world, order = self.world, self.world.order()
        colours = {"speed": np.linalg.norm(world.velocity, axis=1), "force": np.linalg.norm(world.force, axis=1),
                   "contacts": _contacts_of(world)}
        if values is not None:
            colours["values"] = np.asarray(values, float)
            if colours["values"].shape != (len(order),):
                raise ValueError(f"values has the shape {colours['values'].shape}, must be ({len(order)},)")
        self.left_out = max(self.left_out, len(order) - self.most)
        order = order[: self.most]
        shapes = self._numbers()[order]
        self.balls = max(self.balls, int((shapes == self._shapes.get(_BALL, -1)).sum()))
        known = {id for id, _, _ in self._walls}
        self._walls += [(int(id), world.wall(id), world._wall_look(id)) for id in world.walls() if int(id) not in known]
        place = np.column_stack([world.position[order], world.radius[order]])
        ends = place[:, :3] - place[:, 3:], place[:, :3] + place[:, 3:]
        self._states.append({
            "time": world.time, "place": place, "turn": world.orientation[order] * 32767, "number": world.serial[order],
            "shape": shapes, "walls": {int(id): world.wall(id) for id in world.walls()},
            "colours": {name: column[order] for name, column in colours.items()},
            "box": [ends[0].min(axis=0), ends[1].max(axis=0)] if len(place) else [],
        })
        return self

    def _numbers(self):
        """For each row the number of its shape, 0 for a sphere. A shape has the same number in all states, whose own lists begin anew."""
        rows, looks = self.world._looks()
        numbers = [self._shapes.setdefault(_shape_bytes(look), len(self._shapes) + 1) for look in looks]
        return np.array([0, *numbers])[rows]

    def __len__(self):
        return len(self._states)

    def _ranges(self):
        """Of each colour over all states: name, lowest and highest value, unit; None where the page finds them itself."""
        rows = []
        units = dict(_COLOURS)
        own = dict.fromkeys(name for state in self._states for name in state["colours"] if name not in units)
        for name in [*own, *units]:
            columns = [s["colours"][name] for s in self._states if name in s["colours"]]
            values = np.concatenate(columns) if columns else np.zeros(0)
            good = values[np.isfinite(values)]
            rows.append((name, float(good.min()), float(good.max()), units.get(name, "")) if len(good) else (name, None, None, ""))
        return rows

    def _poses(self, state, centre):
        """Where walls are, as seven numbers each: those that are gone are nowhere."""
        rows = np.full((len(self._walls), 7), np.nan)
        for k, (id, _, mesh) in enumerate(self._walls):
            wall = state["walls"].get(id)
            if wall is None:
                continue
            rows[k, :3], rows[k, 3:] = wall.position, wall.orientation
            if mesh is None:
                rows[k, :3] = centre - ((centre - wall.position) @ wall.normal) * wall.normal
                rows[k, 3:] = _turn_to(wall.normal, self.world.dimensions)
        return rows

    def _state(self, state, centre, ranges):
        """One state as the page reads it: places about the centre, colours as bytes."""
        place = state["place"].copy()
        place[:, :3] -= centre
        colours = {}
        for name, low, high, _ in ranges:
            if name in state["colours"] and low is not None:
                share = (state["colours"][name] - low) / (high - low) if high > low else np.zeros(len(place))
                colours[name] = _pack(np.nan_to_num(255 * share).clip(0, 255).round(), "u1")
        return {"bodies": len(place), "time": state["time"], "place": _pack(place, "<f4"), "turn": _pack(state["turn"].round(), "<i2"),
                "number": _pack(state["number"] & 0xFFFFFFFF, "<u4"), "shape": _pack(state["shape"], "<u2"), "colours": colours,
                "poses": _pack(self._poses(state, centre), "<f4")}

    @property
    def page(self):
        """The page as text, complete."""
        lower, upper = _box(self._states, self._walls)
        centre, half = (lower + upper) / 2, 0.75 * float(np.linalg.norm(upper - lower))
        ranges, dimensions = self._ranges(), self.world.dimensions
        walls = b"".join(_plane_bytes(half, dimensions) if mesh is None else _mesh_bytes(*mesh) for _, _, mesh in self._walls)
        shapes = b"".join(self._shapes)
        radii = np.concatenate([state["place"][:, 3] for state in self._states])
        told = {
            "dimensions": dimensions, "epoch": EPOCH, "lower": lower.tolist(), "upper": upper.tolist(), "origin": centre.tolist(),
            "radius": float(np.median(radii)) if len(radii) else half, "colours": ranges,
            "walls": _pack(np.frombuffer(_words(WALLS, EPOCH, len(self._walls)) + walls, "u1"), "u1"),
            "shapes": _pack(np.frombuffer(_words(SHAPES, EPOCH, len(self._shapes), 0) + shapes, "u1"), "u1"),
            "states": [self._state(state, centre, ranges) for state in self._states],
        }
        page = resources.files(__package__).joinpath("still.html").read_text(encoding="utf-8")
        return page.replace("@STATES@", json.dumps(told).replace("<", "\\u003c"))

    def _repr_html_(self):
        said = (self.left_out, "are left out"), (self.balls, "are shown as balls, as their meshes are too large or enclose nothing")
        notes = [f"{count} bodies {what}" for count, what in said if count]
        note = f"<div>{'; '.join(notes)}</div>" if notes else ""
        return (f'<iframe srcdoc="{escape(self.page, quote=True)}" width="{self.width}" height="{self.height}" '
                f'style="border:0"></iframe>{note}')

    def save(self, path):
        """The page as a file."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.page)
