"""Scenes in Lua: the same files that the program runs."""

import os
import time as _clock

import numpy as np

from . import _scree
from ._errors import InvalidValue
from ._figures import Figures
from ._world import World, _Progress


def _row_number(clock, every, every_steps):
    return clock["steps"] // every_steps if every_steps else int(clock["time"] / every + 1e-6)


class Scene(_scree.Scene):
    """A scene, read and checked. ``settings`` are its parameters.

    >>> import scree
    >>> scene = scree.Scene(text='''
    ... run { time = 0.01 }
    ... solver { dt = 1e-4 }
    ... gravity { 0, 0, -9.81 }
    ... glass = material { density = 2500, young = 1e7 }
    ... body { shape = sphere { radius = 0.01 }, material = glass, position = { 0, 0, 1 } }
    ... ''') if scree.has_scenes else None
    >>> round(scene.run().time, 6) if scene else 0.01
    0.01
    """

    def __new__(cls, path=None, *, text=None, name=None, folder=None, **settings):
        if (path is None) == (text is None):
            raise TypeError("one of path and text must be given")
        return cls._open(None if path is None else os.fspath(path), text, name, None if folder is None else os.fspath(folder),
                         [f"{key}={value}" for key, value in settings.items()])

    @classmethod
    def example(cls, name, **settings):
        """One of the scenes that scree carries; ``Scene.examples()`` has their names."""
        for known, _, text in cls._examples():
            if known == name:
                return cls(text=text, name=name, **settings)
        raise InvalidValue(f"there is no example {name!r}; there are {', '.join(cls.examples())}")

    @classmethod
    def examples(cls):
        """Names of the example scenes, each with a line of what it is."""
        return {name: summary for name, summary, _ in cls._examples()}

    @property
    def plan(self):
        """What the scene says of its run."""
        return Figures(self._plan())

    def build(self, **hooks):
        """The world with its bodies of t = 0. Hooks are threads, method, margin and energy_balance."""
        if "threads" in hooks:
            hooks["thread_count"] = hooks.pop("threads")
        return self._build(World, **hooks)

    @property
    def stage(self):
        """The name of the stage the scene is in, or that has just ended; None where it has none."""
        number, name, *_ = self._stage()
        return name if number else None

    @property
    def is_over(self):
        """Whether the last stage has ended, or the run's own condition holds: no step follows."""
        return self._stage()[3]

    def step(self, count=1):
        """So many steps, with sources and sinks acting between them, and stages beginning and ending; none once it is over. Ctrl-C ends the call between steps."""
        left = int(count)
        if left < 0:
            raise ValueError(f"count is {count}, must be 0 or more")
        while left:
            left -= self._advance(left)
            if self.is_over:
                break

    def _advance(self, count):
        """So many steps, or up to where a stage ends; how many they were. In pieces, between which Ctrl-C comes through."""
        left, size = count, 1
        while left:
            began = _clock.perf_counter()
            left -= self._step(min(left, size))
            took = _clock.perf_counter() - began
            _, _, has_ended, is_over = self._stage()
            if has_ended or is_over:
                break
            size = max(1, int(size * (2 if took < 0.01 else 0.5 if took > 0.04 else 1)))
        return count - left

    def run(self, until=None, *, progress=False, **hooks):
        """To the scene's end, or to a time; returns the world. Figures are kept on the way, see metrics()."""
        world = self.world or self.build(**hooks)
        plan, shown = self.plan, _Progress(progress)
        end_steps = plan.end_steps if until is None else 0
        end = plan.end_time if until is None else float(until)
        every = plan.metrics_time or (0 if plan.metrics_steps else (end or 1) / 100)
        if until is None and plan.ends_by_stages:
            end *= 2  # the bound of all stages: the last one ends it
        every_steps = plan.metrics_steps or (max(1, end_steps // 100) if end_steps else 0)
        rows = self.__dict__.setdefault("_rows", [])
        if not rows:
            rows.append(self._row())
        is_told = True
        while not self.is_over:
            clock = world._clock()
            left = end_steps - clock["steps"] if end_steps else world._steps_to(end)
            if left <= 0:
                break
            row = _row_number(clock, every, every_steps)
            due = (row + 1) * every_steps - clock["steps"] if every_steps else max(1, world._steps_to((row + 1) * every))
            begins = self._stage()[2]
            # how long the steps of a stage are is known after its first one
            self._advance(1 if begins else min(left, due))
            clock = world._clock()
            is_told = not begins or self._stage()[2] or _row_number(clock, every, every_steps) > row
            if is_told:
                rows.append(self._row())
            shown(world, clock["steps"] / end_steps if end_steps else min(1.0, clock["time"] / end))
        if not is_told:
            rows.append(self._row())
        shown(world, 1.0, True)
        return world

    def measure(self):
        """What the scene measures, now: a dict of numbers."""
        return {name: float(value) for (name, _), value in zip(self._columns(), self._measure())}

    def units(self):
        """Units of what is measured."""
        return dict(self._columns())

    def count(self):
        """What sources and sinks have done."""
        return Figures(self._count())

    def _row(self):
        return {**self.world.metrics(), **self.measure()}

    def metrics(self, frame=None):
        """What was measured on the way of run(): a DataFrame where pandas is installed, else a dict of arrays; ``frame``
        True or False asks for one of them.
        """
        rows = self.__dict__.get("_rows", [])
        columns = {name: np.array([row[name] for row in rows]) for name in (rows[0] if rows else {})}
        if frame is False:
            return columns
        try:
            import pandas
        except ImportError:
            if frame:
                raise
            return columns
        return pandas.DataFrame(columns)

    def _repr_png_(self):
        return self.world._repr_png_() if self.world else None

    def _repr_html_(self):
        from ._figures import html_table

        plan = self.plan
        rows = {"title": plan.title or "scene", "end": f"{plan.end_steps} steps" if plan.end_steps else f"{plan.end_time} s",
                "bodies at the start": plan.start_bodies}
        rows.update({f"parameter {name}": f"{value} {unit}".strip() for name, unit, value, _ in plan.parameters})
        return html_table(rows)

    def __repr__(self):
        return f"<scree.Scene {self.plan.title!r}{'' if self.world else ', not built'}>"
