"""Scenes in Lua: the same files that the program runs."""

import os
import time as _clock

import numpy as np

from . import _scree
from ._errors import InvalidValue
from ._figures import Figures
from ._folder import last_checkpoint, read_metrics, run_into
from ._progress import Progress
from ._world import World


class _Interval:
    """When rows are due: after so many seconds or steps each, counted from a moment."""

    def __init__(self, seconds, steps, from_time=0.0, from_steps=0):
        self.seconds, self.steps, self.from_time, self.from_steps = seconds, steps, from_time, from_steps

    def number(self, clock):
        """Of the last one up to now."""
        if self.steps:
            return (clock["steps"] - self.from_steps) // self.steps
        return int((clock["time"] - self.from_time) / self.seconds + 1e-6)

    def left(self, world, clock):
        """Steps up to the next one."""
        after = self.number(clock) + 1
        if self.steps:
            return self.from_steps + after * self.steps - clock["steps"]
        return max(1, world._steps_to(self.from_time + after * self.seconds))


def _as_text(path, text, name, folder, settings):
    """The same source by its text, so that a run that reads it once more runs what was opened."""
    if path is None or not os.path.isfile(path):
        return path, text, name, folder and os.path.abspath(folder), settings
    with open(path, "rb") as file:
        return None, file.read(), path, os.path.abspath(folder or os.path.dirname(path)), settings


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
        path, folder = (None if value is None else os.fspath(value) for value in (path, folder))
        source = path, text, name, folder, [f"{key}={value}" for key, value in settings.items()]
        self = cls._open(*source)
        self._source = _as_text(*source)
        return self

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
        now = self._stage()
        return now["name"] if now["number"] else None

    @property
    def is_over(self):
        """Whether the last stage has ended, or the run's own condition holds: no step follows."""
        return self._stage()["is_over"]

    def stages(self):
        """What stages have come to, in their order: when each began and ended, by which condition and value."""
        return [Figures(report) for report in self._reports()[0]]

    @property
    def stopped_by(self):
        """The run's own condition that has ended it, in words; None where none has."""
        return self._reports()[1]

    def step(self, count=1):
        """So many steps, with sources and sinks acting between them, and stages beginning and ending; none once it is over. Ctrl-C ends the call between steps."""
        left = int(count)
        if left < 0:
            raise ValueError(f"count is {count}, must be 0 or more")
        if self.world:
            self.world._forget_events()
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
            now = self._stage()
            if now["has_ended"] or now["is_over"]:
                break
            size = max(1, int(size * (2 if took < 0.01 else 0.5 if took > 0.04 else 1)))
        return count - left

    def run(self, until=None, *, out=None, progress=False, **hooks):
        """To the scene's end, or to a time; returns the world. Figures are kept on the way, see metrics().

        With ``out`` it is the run of the program: it begins at t = 0 and leaves a folder behind with metrics.csv, run.json, log.txt,
        frames, pictures and checkpoints (docs/files.md). ``force=True`` writes over an earlier run, ``steps`` ends it after so many,
        ``threads`` and ``device`` are as those of ``scree run``. Ctrl-C finishes the step and writes a checkpoint, from which ``scree
        run --resume`` goes on; a second one is not heard before that. Without ``out`` ``scene.world.events()``
        has those of the last interval of rows or samples.
        """
        if out is not None:
            return self._run_into(out, until, progress, **hooks)
        world = self.world or self.build(**hooks)
        plan, shown = self.plan, Progress(progress)
        end_steps = plan.end_steps if until is None else 0
        end = plan.end_time if until is None else float(until)
        whole = self._interval(end, end_steps)
        if until is None and plan.ends_by_stages:
            end *= 2  # the bound of all stages: the last one ends it
        has_samples = bool(plan.sample_time or plan.sample_steps)
        samples = _Interval(plan.sample_time, plan.sample_steps) if has_samples else whole
        rows = self.__dict__.setdefault("_rows", [])
        if not rows:
            if has_samples:
                self._sample()
            rows.append(self._row())
        is_told, due = True, self._interval_of_stage(whole)
        while not self.is_over:
            clock = world._clock()
            left = end_steps - clock["steps"] if end_steps else world._steps_to(end)
            if left <= 0:
                break
            number, sampled = due.number(clock), samples.number(clock)
            count = min(due.left(world, clock), samples.left(world, clock))
            begins = self._stage()["has_ended"]
            world._forget_events()  # those of a whole run would fill the memory
            # how long the steps of a stage are is known after its first one
            self._advance(1 if begins else min(left, count))
            if begins:
                due = self._interval_of_stage(whole)
                number = due.number(clock)
            clock = world._clock()
            if has_samples and samples.number(clock) > sampled:
                self._sample()
            is_told = self._stage()["has_ended"] or due.number(clock) > number
            if is_told:
                rows.append(self._row())
            shown(world, clock["steps"] / end_steps if end_steps else min(1.0, clock["time"] / end))
        if not is_told:
            rows.append(self._row())
        shown(world, 1.0, True)
        return world

    def _interval(self, end, end_steps):
        """As the scene has it, else a hundredth of the whole."""
        plan = self.plan
        steps = plan.metrics_steps or (max(1, end_steps // 100) if end_steps and not plan.metrics_time else 0)
        return _Interval(plan.metrics_time or (end or 1) / 100, steps)

    def _interval_of_stage(self, whole):
        """Of the stage that goes on: its own or that of the whole run. Where any stage has one they count from its beginning."""
        if not self.plan.has_intervals:
            return whole
        now = self._stage()
        steps = 0 if now["metrics_every"] else whole.steps
        return _Interval(now["metrics_every"] or whole.seconds, steps, now["began_time"], now["began_steps"])

    def _run_into(self, out, until, progress, *, force=False, steps=0, threads=0, device=None):
        if until is not None:
            raise TypeError("until cannot be given with out, whose folder has the whole run; steps= ends it before")
        self.resolved  # a scene that is closed is refused at once
        if self.world is not None:
            raise InvalidValue("the scene has its world already: a run with a folder begins at t = 0, with a scene of its own")
        run_into(self._source, out, force=force, progress=progress, steps=steps, threads=threads, device=device)
        self._go_on(World, last_checkpoint(out), thread_count=max(1, threads))
        self.__dict__["_rows"] = read_metrics(out)
        return self.world

    def measure(self):
        """What the scene measures, now: a dict of numbers."""
        return {name: float(value) for (name, _), value in zip(self._columns(), self._measure())}

    def units(self):
        """Units of what is measured."""
        return dict(self._columns())

    def standard(self):
        """The figures that every scene has, now, by the names of metrics.csv: a dict of numbers."""
        return dict(self._standard())

    def count(self):
        """What sources and sinks have done."""
        return Figures(self._count())

    def _row(self):
        return {**self.standard(), **self.measure()}

    def metrics(self, frame=None):
        """What was measured on the way of run(), with the columns of metrics.csv: a DataFrame where pandas is installed, else a
        dict of arrays; ``frame`` True or False asks for one of them.
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

    def view(self, **options):
        """The interactive view of its world, which is built if there is none; see World.view."""
        return (self.world or self.build()).view(**options)

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
