"""Numbers with names: columns of arrays have the numbers, arguments may be either."""

import enum
import operator

import numpy as np


class BodyType(enum.IntEnum):
    """What moves a body: the column ``type`` of ``World.bodies()``.

    >>> import scree
    >>> scree.BodyType.STATIC == 2
    True
    """

    DYNAMIC = 0  #: forces
    KINEMATIC = 1  #: its velocity and angular velocity, which only you change
    STATIC = 2  #: nothing


class EventKind(enum.IntEnum):
    """What happened: the column ``kind`` of ``World.events()``; see scree/event.h."""

    CONTACT_BEGIN = 0
    CONTACT_END = 1
    BOND_BROKE = 2
    FELL_ASLEEP = 3
    WOKE = 4
    BODY_LEFT = 5
    JOINT_BROKE = 6
    JOINT_LOST = 7
    DEEP = 8


class BreakCause(enum.IntEnum):
    """Why a bond broke: the column ``cause`` of ``World.breaks()``, ``bonds()`` and ``events()``."""

    NONE = 0
    TENSION = 1
    SHEAR = 2
    DISTANCE = 3


class JointKind(enum.IntEnum):
    """What a joint leaves free: the column ``kind`` of ``World.joints()``; see scree/joint.h."""

    HINGE = 0
    SLIDER = 1
    BALL = 2
    WELD = 3
    SPRING = 4


def _text(member):
    return member.name.lower().replace("_", "-")


def number_of(value, kinds, name):
    """The number of one kind, given by its name, such as "contact-begin", or its number."""
    if isinstance(value, str):
        for member in kinds:
            if value == _text(member):
                return int(member)
    else:
        try:
            number = operator.index(value)
        except TypeError:
            raise TypeError(f"{name} must be a str, or one of {kinds.__name__}") from None
        if number in set(map(int, kinds)):
            return number
    raise ValueError(f"{name} is {value!r}, must be one of " + ", ".join(f'"{_text(member)}"' for member in kinds))


def numbers_of(value, kinds, name):
    """The number of one kind, or an array of those of several."""
    if isinstance(value, str) or np.ndim(value) == 0:
        return number_of(value, kinds, name)
    return np.array([number_of(item, kinds, name) for item in value], np.int64)
