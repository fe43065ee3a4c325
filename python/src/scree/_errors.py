"""What scree refuses, as exceptions of a fitting kind."""

import re


class Error(Exception):
    """What all of scree's own exceptions are. ``status`` has the engine's word for it."""

    status = ""


class InvalidValue(Error, ValueError):
    """A number, name or handle that cannot be used; the text says which, and what would be right."""


class BadFile(Error, ValueError):
    """A file whose content is not what it should be; the text says where."""


class FileError(Error, OSError):
    """The system failed to read or write a file."""


class Busy(Error, RuntimeError):
    """An object that is at work in another thread, or whose threads a fork has left behind."""


class StaleView(Error, RuntimeError):
    """A view of a state that has moved in memory since: take it from the world again."""


class StepRefused(Error, RuntimeError):
    """A step that would not be physics any more. The world is as it was before that step.

    ``bodies``: ids of the bodies that are named, of which ``body`` is the first, or 0; ``wall``: the id of the wall, or
    0; ``unconverged``: ids of bodies whose forces an implicit step has not found, with how far they are off; ``remedy``:
    what helps.
    """

    bodies = ()
    body = 0
    wall = 0
    remedy = ""
    unconverged = ()


_REMEDIES = (
    ("overlap", "a shorter step (see World.stable_step()), stiffer material, or bodies that begin farther apart"),
    ("finite", "a law, load or path gave a number that is not finite: look at it, or remove the body and go on"),
    ("settled", "a shorter step, or more iterations: picard=dict(iterations=...)"),
    ("short", "a lower bound of speeds or stiffness: the step that is stable became too short"),
)


def remedy_of(text):
    """What helps against what a step was refused for."""
    return next((remedy for word, remedy in _REMEDIES if word in text), "see World.stable_step()")


def step_refused(world, text, status, failed_body, unconverged):
    """A StepRefused with what is known of it; for the module in C."""
    error = StepRefused(text)
    error.status = status
    serials = [int(number) for pair in re.findall(r"\bbod(?:y|ies) (\d+)(?: and (\d+))?", text) for number in pair if number]
    ids = dict(zip(world.serial.tolist(), world.id.tolist()))
    named = [failed_body, *(ids.get(serial, 0) for serial in serials), *(body for body, _ in unconverged)]
    error.bodies = tuple(dict.fromkeys(body for body in named if body))
    error.body = error.bodies[0] if error.bodies else 0
    # messages have the place of a wall, which is the lower half of its id
    place = re.search(r"\bwall (\d+)", text)
    error.wall = next((int(w) for w in world.walls() if place and int(w) & 0xFFFFFFFF == int(place.group(1))), 0)
    error.unconverged = tuple(unconverged)
    error.remedy = remedy_of(text)
    return error
