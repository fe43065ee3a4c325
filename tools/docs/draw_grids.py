"""Drawings of the methods that put bodies into the cells of grids."""

from math import floor, sqrt

from bodies import BODIES, HIGH, SMALL, WIDE, View, lower, overlap, upper
from picture import BODY, COOL, COOL_EDGE, EDGE, GRID, LINE, PALE, SOFT, WARM, WARM_EDGE, Picture

HIT = (WARM, WARM_EDGE)
SEEN = (COOL, COOL_EDGE)


def cell_of(name, origin, cell):
    x, y, _ = BODIES[name]
    return floor((x - origin[0]) / cell[0]), floor((y - origin[1]) / cell[1])


def shade(p, view, origin, cell, at, fill):
    x, y = origin[0] + at[0] * cell[0], origin[1] + at[1] * cell[1]
    view.area(p, x, y, x + cell[0], y + cell[1], fill=fill)


def hashing():
    p = Picture(
        "A grid of squares, row by row",
        "a body is in the square of its centre; squares are at least as wide as the largest body (here G; D and K left out)",
        410,
    )
    view, cell = View(24, 292, 36), (1.2, 1.2)
    origin = min(b[0] for b in SMALL.values()), min(b[1] for b in SMALL.values())
    where = {name: cell_of(name, origin, cell) for name in SMALL}
    x, y = where["I"]
    visited = [(x, y), (x - 1, y), (x - 1, y - 1), (x, y - 1), (x + 1, y - 1)]
    assert where["H"] in visited
    for at in visited:
        shade(p, view, origin, cell, at, PALE)
    view.lattice(p, origin, cell, (8, 4), stroke=LINE)
    view.discs(p, SMALL, {"I": HIT, "H": SEEN})
    view.area(p, 9.4, 0.15, 9.4 + 2.6, 0.15 + 2.6, stroke=WARM_EDGE, dash="4 3")
    p.text(view.x(9.4), view.y(2.85), "a square with K", fill=WARM_EDGE)
    p.lines(
        500,
        96,
        [
            "Two bodies that overlap are in the same square or in",
            "adjacent ones. Rows are taken one after the other.",
            "I meets (yellow):",
            "- later bodies of its own square,",
            "- the square before it in its row,",
            "- three squares of the row before.",
            "So H and I meet once: I finds H.",
        ],
    )
    for i, row in enumerate((3, 2)):
        top = 240 + i * 52
        p.text(500, top, "this row" if row == 3 else "row before")
        texts = ["".join(sorted(n for n in SMALL if where[n] == (c, row))) for c in range(8)]
        marked = [c for c in range(8) if (c, row) in visited]
        p.boxes(500, top + 8, texts, width=38, marked=marked, fill=PALE, stroke=LINE)
    p.lines(
        24,
        346,
        [
            "Only two rows of squares exist at a time (in three dimensions, a few rows of this layer and of the layer before).",
            "hashing clears both arrays whole for every row; hashing2 clears only the squares that hold bodies.",
            "With K in the scene, squares would be as wide as K (dashed) and every small body would meet many others.",
        ],
        fill=SOFT,
    )
    return p


def cgrid():
    p = Picture(
        "A body in every bin that it overlaps",
        "bins of 1.5 times the mean width; what lies outside belongs to the bins at the boundary",
        390,
    )
    view = View(24, 292, 36)
    size = 1.5 * sum(2 * r for _, _, r in BODIES.values()) / len(BODIES)
    origin = min(b[0] for b in BODIES.values()), min(b[1] for b in BODIES.values())
    most = max(b[0] for b in BODIES.values()), max(b[1] for b in BODIES.values())
    count = [1 + floor((most[k] - origin[k]) / size) for k in (0, 1)]

    def bins(name, axis):
        """First and last bin on an axis."""
        at = [floor((f(name, axis) - origin[axis]) / size) for f in (lower, upper)]
        return [min(max(i, 0), count[axis] - 1) for i in at]

    edge_x = [0] + [origin[0] + i * size for i in range(1, count[0])] + [WIDE]
    edge_y = [0] + [origin[1] + i * size for i in range(1, count[1])] + [HIGH]
    (a, b), (c, d) = bins("K", 0), bins("K", 1)
    view.area(p, edge_x[a], edge_y[c], edge_x[b + 1], edge_y[d + 1], fill=PALE)
    corner = max(lower("K", 0), lower("L", 0)), max(lower("K", 1), lower("L", 1))
    i, j = max(a, bins("L", 0)[0]), max(c, bins("L", 1)[0])
    view.area(p, edge_x[i], edge_y[j], edge_x[i + 1], edge_y[j + 1], fill=COOL)
    for x in edge_x:
        p.line(view.at(x, 0), view.at(x, HIGH))
    for y in edge_y:
        p.line(view.at(0, y), view.at(WIDE, y))
    view.discs(p, colours={"K": HIT, "L": SEEN})
    for name in "KL":
        view.area(p, lower(name, 0), lower(name, 1), upper(name, 0), upper(name, 1), stroke=SOFT, dash="2 3")
    p.circle(*view.at(*corner), 4, fill=COOL_EDGE, stroke="#fff")
    p.lines(
        500,
        96,
        [
            f"K is in {(b - a + 1) * (d - c + 1)} bins (yellow and green),",
            "L in one of them. Two bodies may share several bins,",
            "so a rule says in which one the pair is handed on:",
            "",
            "the bin with the corner (dot) made of the larger",
            "lower end on each axis. Both boxes reach into it.",
            "",
            "A row is filled bin by bin: a body goes in at its",
            "first row and out after its last one.",
        ],
    )
    p.lines(
        24,
        326,
        [
            "Bins depend on the mean size, not on the largest, so one large body makes no bin larger; it is in many bins.",
            "If bodies were in more than 16 bins on average, bins are made larger.",
            "Only one row of bins exists at a time.",
        ],
        fill=SOFT,
    )
    assert (i, j) == (bins("L", 0)[0], 1)
    return p


def hash_grids():
    p = Picture(
        "A hierarchy of grids: each body in one cell of the grid of its size",
        "cells of level 1 are twice as wide as those of level 0; a body is smaller than a cell of its level",
        450,
    )
    cell0 = 1.0 * sqrt(2)  # from A, the first body, of diameter 1
    cell1 = 2 * cell0
    level = {name: 0 if 2 * r < cell0 else 1 for name, (_, _, r) in BODIES.items()}
    assert [n for n in BODIES if level[n]] == ["D", "K"]
    assert all(cell0 <= 2 * BODIES[n][2] < cell1 for n in "DK")
    small = [n for n in BODIES if level[n] == 0]
    left, right = View(24, 300, 33), View(452, 300, 33)

    x, y = (floor(v / cell0) for v in BODIES["I"][:2])
    near = [(x - 1, y - 1), (x, y - 1), (x + 1, y - 1), (x - 1, y), (x, y)]
    assert tuple(floor(v / cell0) for v in BODIES["H"][:2]) in near
    for at in near:
        left.shade(p, cell0, at, PALE)
    left.cells(p, cell0)
    left.frame(p)
    left.discs(p, small, {"I": HIT, "H": SEEN})
    p.text(24, 86, "level 0: cells of 1.41")
    p.lines(24, 322, ["Same level: I looks into its cell and", "half of the cells around it."])

    reach = 2 * BODIES["K"][2]  # the largest size in level 1
    first = [floor((lower("L", k) - reach / 2) / cell1) for k in (0, 1)]
    last = [floor((upper("L", k) + reach / 2) / cell1) for k in (0, 1)]
    for i in range(first[0], last[0] + 1):
        for j in range(first[1], last[1] + 1):
            right.shade(p, cell1, (i, j), PALE)
    right.cells(p, cell1)
    right.frame(p)
    right.discs(p, "DK", {"K": SEEN})
    right.discs(p, "L", {"L": HIT})
    p.text(452, 86, "level 1: cells of 2.83")
    p.lines(452, 322, ["Between levels the smaller body looks: L (level 0) into", "the cells of level 1 whose bodies may reach its box."])

    p.text(24, 378, "Folding: a grid is a block of 16 cells an axis; cell 17 of space is cell 1 of the block, so there is no domain to leave.")
    for i in range(20):
        p.rect(24 + i * 40, 390, 40, 22, PALE if i % 16 == 1 else "#f6f8fa", LINE)
        p.text(44 + i * 40, 405, str(i), anchor="middle")
    p.text(24, 432, "Bodies in cells 1 and 17 share a list: some pairs too many are tested, none is missed.", fill=SOFT)
    return p


def specks(count, x, y, size, radius):
    """Small discs at random in a square that do not overlap; the same on every machine."""
    found, state = [], 12345
    while len(found) < count:
        place = []
        for _ in range(2):
            state = (state * 1103515245 + 12345) % 2**31
            place.append(state / 2**31 * (size - 2 * radius) + radius)
        disc = (x + place[0], y + place[1], radius)
        if not any(overlap(disc, other) for other in found):
            found.append(disc)
    return found


def cell_space():
    p = Picture(
        "Linked cells that are refined where bodies are small",
        "parent cells over a domain; a cell with more than 10 bodies, of which many would fit, is cut into a space of its own",
        395,
    )
    view = View(24, 300, 36)
    dust = specks(36, 3.0, 0.0, 3.0, 0.12)
    view.area(p, 6, 0, 12, 6, fill=PALE)
    for i in range(2):
        for j in range(2):
            view.area(p, 3 + 1.5 * i, 1.5 * j, 4.5 + 1.5 * i, 1.5 + 1.5 * j, fill="#eef7f0", stroke=COOL_EDGE)
    view.lattice(p, (0, 0), (3, 3), (4, 2), stroke=LINE)
    for x, y, r in dust:
        p.circle(*view.at(x, y), r * view.scale, COOL, COOL_EDGE)
    for name in "ABK":
        view.discs(p, name, {"K": HIT})
    view.area(p, *(f("K", k) for f in (lower, upper) for k in (0, 1)), stroke=SOFT, dash="2 3")
    g = (2.5, 3.5, 0.6)
    p.circle(*view.at(*g[:2]), g[2] * view.scale, BODY, EDGE)
    p.text(view.x(g[0]), view.y(g[1]) + 4, "G", anchor="middle")
    view.area(p, g[0] - g[2], g[1] - g[2], g[0] + g[2], g[1] + g[2], stroke=SOFT, dash="2 3")
    assert (3 - g[0]) ** 2 + (3 - g[1]) ** 2 > g[2] ** 2
    p.text(view.x(3.1), view.y(3.1), "refined: 2 x 2", fill=COOL_EDGE)
    p.lines(
        496,
        96,
        [
            "K reaches into four cells (yellow): each of the four lists",
            "K, and K lists the four. When K moves, only the lists",
            "that change are touched.",
            "",
            "The box of G (dashed) reaches into the cell of the dust,",
            "G itself does not: it is not listed there. This is the",
            "conformal check.",
            "",
            "Each leaf cell is searched by itself. A pair that shares",
            "several leaves is handed on in the one that holds a",
            "point of the pair: the component-wise larger lower",
            "corner of boxes, a point between the centres of spheres.",
        ],
    )
    p.lines(
        24,
        336,
        [
            "A leaf is refined if more than 10 centres lie in it (target) and more than 20 bodies of their mean size would fit (factor).",
            "It is merged again when fewer than 2 centres are left (merge_below), or when its bodies have become large.",
            "The first and last cells of an axis have no end, so a body that leaves the domain is not lost.",
        ],
        fill=SOFT,
    )
    return p


def flat():
    p = Picture(
        "Dense grids by size, bodies numbered cell by cell",
        "what a body may touch lies in a few runs of consecutive numbers, tested many at a time",
        450,
    )
    view = View(24, 292, 36)
    cell = 0.6, 1.2  # as wide as the widest pair of the level reaches, and half of that along x
    origin = min(b[0] for b in SMALL.values()), min(b[1] for b in SMALL.values())
    where = {name: cell_of(name, origin, cell) for name in SMALL}
    order = sorted(SMALL, key=lambda n: (where[n][1], where[n][0], n))
    x, y, r = BODIES["H"]
    reach = r + BODIES["G"][2]
    first, last = (floor((x + s * reach - origin[0]) / cell[0]) for s in (-1, 1))
    rows = [where["H"][1], where["H"][1] + 1]
    runs = {row: [n for n in order if where[n][1] == row and first <= where[n][0] <= last] for row in rows}
    for row in rows:
        view.area(p, origin[0] + first * cell[0], origin[1] + row * cell[1], origin[0] + (last + 1) * cell[0], origin[1] + (row + 1) * cell[1], fill=PALE)
    view.lattice(p, origin, cell, (16, 4))
    view.discs(p, SMALL, {"H": HIT} | {n: SEEN for row in rows for n in runs[row] if n != "H"})
    p.text(24, 72, "the level of small bodies; D and K have a level of their own")
    p.lines(
        500,
        96,
        [
            "Level: bodies of much the same size, with a grid of",
            "their own. Cells are as wide as two of them reach,",
            "and half as wide along x.",
            "",
            "Bodies are sorted by level, row and cell, so the",
            "cells of a row that H may reach (yellow) are one run",
            "of consecutive numbers.",
            "",
            "H looks at what follows it in its own row, and at the",
            "runs of later rows: each pair once. Of two levels,",
            "the one for which it is cheaper looks into the other.",
        ],
    )
    names = order + ["D", "K"]
    looked = [names.index(n) for row in rows for n in runs[row] if n != "H"]
    p.text(24, 326, "the sorted columns x, y, z, r (floats) and id")
    p.boxes(24, 336, names, width=44, marked=looked, fill=COOL, stroke=COOL_EDGE)
    p.boxes(24 + 44 * names.index("H"), 336, ["H"], width=44, marked=(0,))
    p.text(24, 378, "level 0, row 0 ...", fill=SOFT)
    p.text(24 + 44 * 10, 378, "level 1", fill=SOFT)
    p.lines(
        24,
        412,
        [
            "Floats decide what is clear. A pair so near to touching that rounding matters is put to the rule in double precision.",
            "Crowded scenes are first split into islands that touch no other, each with grids of its own; what cannot be split goes to bvh8.",
        ],
        fill=SOFT,
    )
    return p


PICTURES = {
    "method-hashing": hashing,
    "method-cgrid": cgrid,
    "method-hash-grids": hash_grids,
    "method-cell-space": cell_space,
    "method-flat": flat,
}
