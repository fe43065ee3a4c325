"""The twelve discs that most drawings show, and where they lie on paper."""

from picture import BODY, EDGE, GRID

# name: x, y, radius
BODIES = {
    "A": (1.2, 1.3, 0.5),
    "B": (2.0, 1.8, 0.5),
    "C": (3.6, 1.1, 0.4),
    "D": (5.3, 1.6, 0.9),
    "E": (6.5, 1.2, 0.4),
    "F": (9.8, 1.6, 0.5),
    "G": (1.4, 4.4, 0.6),
    "H": (3.4, 3.95, 0.5),
    "I": (4.0, 4.73, 0.5),
    "J": (7.0, 4.4, 0.5),
    "K": (9.0, 4.2, 1.3),
    "L": (10.6, 4.0, 0.4),
}
SMALL = {name: body for name, body in BODIES.items() if name not in "DK"}
WIDE, HIGH = 12.0, 6.0  # of the part of the plane that is drawn


def overlap(a, b):
    (x, y, r), (u, v, s) = a, b
    return (x - u) ** 2 + (y - v) ** 2 <= (r + s) ** 2


def pairs(bodies=BODIES):
    names = sorted(bodies)
    return [a + b for a in names for b in names if a < b and overlap(bodies[a], bodies[b])]


def lower(name, axis):
    return BODIES[name][axis] - BODIES[name][2]


def upper(name, axis):
    return BODIES[name][axis] + BODIES[name][2]


def by_lower(axis, names=None):
    return sorted(names or BODIES, key=lambda name: (lower(name, axis), name))


class View:
    """The plane on paper: y upwards, its lower left corner at (left, bottom) in pixels."""

    def __init__(self, left, bottom, scale):
        self.left, self.bottom, self.scale = left, bottom, scale

    def x(self, x):
        return self.left + x * self.scale

    def y(self, y):
        return self.bottom - y * self.scale

    def at(self, x, y):
        return self.x(x), self.y(y)

    def area(self, picture, x, y, u, v, **style):
        """The rectangle from (x, y) to (u, v)."""
        picture.rect(self.x(x), self.y(v), (u - x) * self.scale, (v - y) * self.scale, **style)

    def frame(self, picture):
        self.area(picture, 0, 0, WIDE, HIGH, stroke=GRID)

    def lattice(self, picture, origin, cell, count, stroke=GRID):
        """Lines of a grid of count[0] x count[1] cells of cell[0] x cell[1]."""
        (x, y), (a, b), (n, m) = origin, cell, count
        for i in range(n + 1):
            picture.line(self.at(x + i * a, y), self.at(x + i * a, y + m * b), stroke=stroke)
        for j in range(m + 1):
            picture.line(self.at(x, y + j * b), self.at(x + n * a, y + j * b), stroke=stroke)

    def cells(self, picture, cell, stroke=GRID):
        """The grid of such cells that begins at (0, 0), as far as the drawn part goes."""
        for i in range(1, int(WIDE / cell) + 1):
            picture.line(self.at(i * cell, 0), self.at(i * cell, HIGH), stroke=stroke)
        for j in range(1, int(HIGH / cell) + 1):
            picture.line(self.at(0, j * cell), self.at(WIDE, j * cell), stroke=stroke)

    def shade(self, picture, cell, at, fill):
        """One of these cells."""
        x, y = at[0] * cell, at[1] * cell
        self.area(picture, x, y, min(x + cell, WIDE), min(y + cell, HIGH), fill=fill)

    def discs(self, picture, names=None, colours=None):
        """Bodies with their names; colours: name -> (fill, edge)."""
        for name in names or BODIES:
            x, y, r = BODIES[name]
            fill, edge = (colours or {}).get(name, (BODY, EDGE))
            picture.circle(*self.at(x, y), r * self.scale, fill=fill, stroke=edge)
            picture.text(self.x(x), self.y(y) + 4, name, anchor="middle")


# drawings rely on these
assert pairs() == ["AB", "DE", "HI", "KL"]
assert "".join(by_lower(0)) == "AGBHCIDEJKFL"
