"""Arrays that users give: checked, and brought to what the engine reads."""

import numpy as np

from ._errors import InvalidValue


def checked(value, name):
    """An array of numbers in the machine's byte order; objects, complex numbers and texts are refused."""
    array = np.asarray(value)
    if array.dtype.kind not in "biuf":
        raise TypeError(f"{name} is an array of {array.dtype}, must be one of real numbers")
    if not array.dtype.isnative:
        raise TypeError(
            f"{name} has the byte order of another machine ({array.dtype.str}): "
            f"{name}.astype({name}.dtype.newbyteorder('='))"
        )
    return array


def columns(value, name, width, rows=None):
    """(rows, width) of float32 or float64, in place where strides allow it."""
    array = checked(value, name)
    if array.ndim != 2 or array.shape[1] != width:
        raise ValueError(f"{name} has the shape {array.shape}, must be (n, {width})")
    if rows is not None and len(array) != rows:
        raise ValueError(f"{name} has {len(array)} rows, must have {rows}")
    if array.dtype not in (np.float32, np.float64) or any(s <= 0 for s in array.strides[:1]):
        array = np.ascontiguousarray(array, array.dtype if array.dtype == np.float32 else np.float64)
    return array


def column(value, name, rows):
    """(rows,) of float32 or float64; one number is for all."""
    array = checked(value, name)
    if array.ndim == 0:
        return np.full(rows, array, np.float64)
    if array.shape != (rows,):
        raise ValueError(f"{name} has the shape {array.shape}, must be ({rows},) or one number")
    if array.dtype not in (np.float32, np.float64) or array.strides[0] <= 0:
        array = np.ascontiguousarray(array, array.dtype if array.dtype == np.float32 else np.float64)
    return array


def integers(value, name, dtype, rows=None):
    """(rows,) of an unsigned type, or None; one number is for all. Numbers that do not fit are refused."""
    if value is None:
        return None
    array = np.asarray(value)
    if array.dtype.kind == "f" and array.size == 0:
        array = array.astype(dtype)
    if array.dtype.kind not in "biu":
        raise TypeError(f"{name} is an array of {array.dtype}, must be one of whole numbers")
    limits = np.iinfo(dtype)
    if array.size and (int(array.min()) < 0 or int(array.max()) > limits.max):
        raise ValueError(f"{name} must be from 0 to {limits.max}")
    if array.ndim == 0 and rows is not None:
        return np.full(rows, array, dtype)
    if array.ndim != 1 or (rows is not None and len(array) != rows):
        raise ValueError(f"{name} has the shape {array.shape}, must be ({'n' if rows is None else rows},) or one number")
    return np.ascontiguousarray(array, dtype)


def reals(value, name, rows, width=1):
    """(rows, width) of contiguous doubles, or None; what is one row is for all."""
    if value is None:
        return None
    array = checked(value, name)
    shape = (rows, width) if width > 1 else (rows,)
    if array.shape not in (shape, shape[1:]):
        raise ValueError(f"{name} has the shape {array.shape}, must be {shape} or {shape[1:] or 'one number'}")
    return np.ascontiguousarray(np.broadcast_to(array, shape), np.float64)


def vector(value, name, dimensions=3, fill=0.0):
    """Three numbers; in two dimensions the third may be left out."""
    array = checked(value, name).ravel()
    if array.size == 2 and dimensions == 2:
        array = np.append(array, fill)
    if array.size != 3:
        raise ValueError(f"{name} has {array.size} numbers, must have {dimensions}")
    return tuple(float(x) for x in array)


def points(value, name, rows=None, dimensions=3):
    """(n, 3) doubles; in two dimensions (n, 2) will do."""
    array = checked(value, name)
    if array.ndim == 2 and array.shape[1] == 2 and dimensions == 2:
        array = np.column_stack([array, np.zeros(len(array))])
    if array.ndim != 2 or array.shape[1] != 3 or (rows is not None and len(array) != rows):
        raise ValueError(f"{name} has the shape {array.shape}, must be ({'n' if rows is None else rows}, {dimensions})")
    return np.ascontiguousarray(array, np.float64)


def one_of(given, known, what):
    """Refuses keywords that are not known."""
    for name in given:
        if name not in known:
            raise TypeError(f"{what} has no {name!r}; there are {', '.join(known)}")


def finite(array, name):
    """Refuses numbers that are not finite, and says where."""
    bad = ~np.isfinite(array)
    if bad.any():
        where = tuple(int(i) for i in np.argwhere(bad)[0])
        raise InvalidValue(f"{name}{list(where)} is {array[where]}, must be finite")
