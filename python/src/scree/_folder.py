"""Runs that leave a folder behind: those of the program, from Python."""

import operator
import os
import signal
import sys

from . import _scree
from ._errors import BadFile, Error, FileError, InvalidValue, StepRefused, remedy_of

_KINDS = {1: Error, 2: InvalidValue, 3: BadFile, 4: FileError, 5: MemoryError, 7: StepRefused}
_QUIET, _LINE, _PLAIN = 0, 1, 2

# ends of messages that speak of the command line; what stands before them, such as the name of a folder, stays
_ENDS = (("; --out DIR chooses another folder", "; out= chooses another one"),
         ("; --force overwrites it, --out DIR chooses another folder", "; force=True overwrites it, out= chooses another one"),
         (" continues it, --force starts again", " continues it, force=True starts again"),
         ("; give --steps N", "; give steps="))

MAX_STEPS, MAX_THREADS = 10**15, 256  # as of `scree run`


def _raise(code, message):
    """The exception for an exit code of the program."""
    if code > 128:
        signal.raise_signal(code - 128)
        raise Error(f"the run was stopped by {signal.Signals(code - 128).name}; its folder has a checkpoint")
    for end, ours in _ENDS:
        if message.endswith(end):
            message = message[: -len(end)] + ours
    error = _KINDS.get(code, Error)(message or "the run failed")
    if isinstance(error, StepRefused):  # the world is gone: bodies have no ids any more
        error.remedy = remedy_of(message)
    raise error


def _bounded(name, value, most):
    value = operator.index(value)
    if not 0 <= value <= most:
        raise InvalidValue(f"{name} is {value}, must be 1 to {most}, or 0 for what the scene says")
    return value


def run_into(source, out, *, force=False, progress=False, steps=0, threads=0, device=None):
    """Runs a scene of (path, text, name, folder, settings) as ``scree run --out`` does; returns its digest."""
    if callable(progress):
        raise TypeError("progress must be True or False where a folder is written")
    steps, threads = _bounded("steps", steps, MAX_STEPS), _bounded("threads", threads, MAX_THREADS)
    mode = _QUIET if not progress else _LINE if sys.stdout.isatty() else _PLAIN
    path, text, name, folder, settings = source
    code, digest, message = _scree._run_folder(path, text, name or "scene", folder, settings, os.fspath(out), bool(force), threads, steps,
                                               device, mode)
    if code:
        _raise(code, message)
    return digest


def last_checkpoint(folder):
    """The path of the newest one of a run."""
    names = sorted(os.listdir(os.path.join(folder, "checkpoints")))
    return os.path.join(folder, "checkpoints", [name for name in names if name.endswith(".scree")][-1])


def read_metrics(folder):
    """metrics.csv as a list of dicts."""
    with open(os.path.join(folder, "metrics.csv"), encoding="utf-8") as file:
        names, *rows = [line.rstrip("\n").split(",") for line in file]
    return [dict(zip(names, map(float, row))) for row in rows]
