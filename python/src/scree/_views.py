"""Views of a world's state: arrays without a copy, which know when the state has moved."""

import numpy as np


def _check(array):
    column = getattr(array, "_column", None)
    # what has memory of its own is a copy, whatever it was made from
    if column is not None and array.base is not None:
        column.check()
    return array


def _plain(value):
    if isinstance(value, View):
        return _check(value).view(np.ndarray)
    if isinstance(value, (list, tuple)):
        return type(value)(_plain(item) for item in value)
    if isinstance(value, dict):
        return {name: _plain(item) for name, item in value.items()}
    return value


class View(np.ndarray):
    """An array that looks into a world's state, read only and without a copy.

    Where the state has moved in memory since, its use raises StaleView; ``copy()`` makes an array that lasts.
    Rows are in the order of storage, which changes as bodies are sorted by place; ``world.serial`` says whose
    they are. ``numpy.asarray(view)`` gives the bare array, which never shows foreign memory, but may be old.
    """

    _column = None

    def __array_finalize__(self, made_from):
        self._column = getattr(made_from, "_column", None)

    def __array_ufunc__(self, function, method, *inputs, **keywords):
        return getattr(function, method)(*_plain(inputs), **_plain(keywords))

    def __array_function__(self, function, types, args, keywords):
        return function(*_plain(args), **_plain(keywords))

    def __getitem__(self, index):
        _check(self)
        found = super().__getitem__(_plain(index))
        if not isinstance(found, View):
            return found
        bare = found.view(np.ndarray)
        # rows that were picked by a list are a copy, which lasts
        return found if np.may_share_memory(bare, self.view(np.ndarray)) else bare

    def __iter__(self):
        return iter(_plain(self))

    def copy(self, order="C"):
        """An array of its own, which lasts."""
        return _plain(self).copy(order)

    def astype(self, *args, **keywords):
        """As numpy's; always a copy."""
        return _plain(self).astype(*args, **keywords)

    def tolist(self):
        """As numpy's."""
        return _plain(self).tolist()

    def tobytes(self, order="C"):
        """As numpy's."""
        return _plain(self).tobytes(order)

    def item(self, *args):
        """As numpy's."""
        return _plain(self).item(*args)

    def __repr__(self):
        return repr(_plain(self))

    def __str__(self):
        return str(_plain(self))

    def __reduce__(self):
        return _plain(self).copy().__reduce__()

    def __deepcopy__(self, unused):
        return self.copy()


def view_of(world, name):
    """The column ``name`` of a world's bodies."""
    column = world._column(name)
    view = np.asarray(column).view(View)
    view._column = column
    return view
