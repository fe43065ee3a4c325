"""Drawings of the trees."""

from math import ceil, sqrt

from bodies import BODIES, View, lower, upper
from draw_grids import specks
from draw_sorting import ends
from picture import COOL, COOL_EDGE, LINE, PALE, SOFT, WARM, WARM_EDGE, Picture

HIT = (WARM, WARM_EDGE)
SEEN = (COOL, COOL_EDGE)
SHADES = ["#2b6cb0", "#8b4a95", "#2f7d4f", "#b7791f"]


def pack(boxes, entries):
    """Sort-tile-recursive: leaves of names, from boxes name -> (lower x, lower y, upper x, upper y)."""
    nodes = ceil(len(boxes) / entries)
    slab = ceil(nodes / ceil(sqrt(nodes))) * entries
    middle = lambda k: lambda n: (boxes[n][k] + boxes[n][k + 2], n)
    along_x = sorted(boxes, key=middle(0))
    slabs = [sorted(along_x[i : i + slab], key=middle(1)) for i in range(0, len(along_x), slab)]
    order = [name for part in slabs for name in part]
    return [order[i : i + entries] for i in range(0, len(order), entries)]


def hull(boxes):
    boxes = list(boxes)
    return tuple(min(b[k] for b in boxes) for k in (0, 1)) + tuple(max(b[k] for b in boxes) for k in (2, 3))


def meet(a, b):
    return all(a[k] <= b[k + 2] and b[k] <= a[k + 2] for k in (0, 1))


def tree(p, x, y, leaves, entered, entered_names=()):
    """Root, leaves and their entries as rows of boxes."""
    width = 24
    span = [len(leaf) * width for leaf in leaves]
    total = sum(span) + 10 * (len(leaves) - 1)
    p.boxes(x + total / 2 - 13 * len(leaves), y, [str(i + 1) for i in range(len(leaves))], width=26, marked=[i for i in range(len(leaves)) if i in entered], fill=PALE, stroke=LINE)
    at = x
    for i, leaf in enumerate(leaves):
        p.line((x + total / 2 - 13 * len(leaves) + 26 * i + 13, y + 26), (at + span[i] / 2, y + 74), stroke=SHADES[i])
        p.boxes(at, y + 74, leaf, width=width, marked=[k for k, n in enumerate(leaf) if n in entered_names])
        p.rect(at - 2, y + 72, span[i] + 4, 30, stroke=SHADES[i])
        at += span[i] + 10


def rtree():
    p = Picture(
        "A tree of boxes",
        "rtree-packed with four entries a node (the default is 16); rtree and rtree-rstar arrive at other boxes",
        375,
    )
    boxes = {n: (lower(n, 0), lower(n, 1), upper(n, 0), upper(n, 1)) for n in BODIES}
    leaves = pack(boxes, 4)
    hulls = [hull(boxes[n] for n in leaf) for leaf in leaves]
    view = View(24, 300, 36)
    view.frame(p)
    for i, box in enumerate(hulls):
        view.area(p, *box, stroke=SHADES[i], wide=2)
        p.text(view.x(box[0]) + 4, view.y(box[3]) + 14, str(i + 1), fill=SHADES[i], weight=600)
    view.discs(p, colours={"H": HIT, "I": SEEN})
    view.area(p, *boxes["H"], stroke=WARM_EDGE, dash="3 3")
    entered = [i for i, box in enumerate(hulls) if meet(box, boxes["H"])]
    found = [n for i in entered for n in leaves[i] if meet(boxes[n], boxes["H"]) and n > "H"]
    assert found == ["I"], found
    p.text(496, 92, "the root: boxes of the nodes below")
    tree(p, 500, 104, leaves, entered, found)
    p.lines(
        496,
        236,
        [
            "The box of H (dashed) is looked for from the root.",
            "Nodes whose boxes overlap it (yellow) are entered:",
            "here %s. In the leaves, bodies with a larger id" % ", ".join(str(i + 1) for i in entered),
            "whose boxes overlap are handed on: %s." % ", ".join(found),
        ],
    )
    p.lines(
        24,
        336,
        [
            "Each node but the root has 6 to 16 entries (rtree_min_entries, rtree_max_entries). Boxes of nodes may overlap; the less, the better.",
            "rtree: a body goes where a box grows least. rtree-rstar: where boxes overlap least. rtree-packed: all at once, from three sorts.",
        ],
        fill=SOFT,
    )
    return p


def dess_rtree():
    p = Picture(
        "A tree over ranks",
        "left: the bodies; right: the same bodies as rectangles of ranks, in a tree with four entries a node",
        440,
    )
    rank = {}
    for k in (0, 1):
        for at, (name, is_upper) in enumerate(ends(k)):
            rank[name, k, is_upper] = at
    boxes = {n: (rank[n, 0, False], rank[n, 1, False], rank[n, 0, True], rank[n, 1, True]) for n in BODIES}
    leaves = pack(boxes, 4)
    view = View(24, 300, 33)
    view.frame(p)
    view.discs(p, colours={"K": HIT, "L": SEEN})
    left, bottom, cell = 480, 340, 11
    for i in range(25):
        p.line((left + i * cell, bottom), (left + i * cell, bottom - 24 * cell), stroke="#eef1f5")
        p.line((left, bottom - i * cell), (left + 24 * cell, bottom - i * cell), stroke="#eef1f5")
    place = lambda box: (left + box[0] * cell, bottom - (box[3] + 1) * cell, (box[2] - box[0] + 1) * cell, (box[3] - box[1] + 1) * cell)
    for name, box in boxes.items():
        fill, edge = HIT if name == "K" else SEEN if name == "L" else ("none", "#5b7290")
        p.rect(*place(box), fill=fill, stroke=edge)
    for name, box in boxes.items():
        x, y, width, height = place(box)
        p.text(x + 3, y + 11, name, size=11)
    for i, leaf in enumerate(leaves):
        p.rect(*place(hull(boxes[n] for n in leaf)), stroke=SHADES[i], wide=2)
    p.text(left, bottom + 16, "0", fill=SOFT)
    p.text(left + 24 * cell, bottom + 16, "23: place among all ends on x", anchor="end", fill=SOFT)
    k, l = boxes["K"], boxes["L"]
    p.lines(
        24,
        326,
        [
            f"On x, K begins as end {k[0]} and ends as end {k[2]}; L is {l[0]} to {l[2]}.",
            f"On y they are {k[1]} to {k[3]} and {l[1]} to {l[3]}. These intervals overlap,",
            "so K and L do: whole numbers decide, exactly.",
        ],
    )
    p.lines(
        24,
        398,
        [
            "Lower ends come before upper ends at the same coordinate, so bodies that touch overlap in ranks as well.",
            "A region is brought to ranks by two binary searches an axis. Coloured frames: the three leaves.",
        ],
        fill=SOFT,
    )
    return p


def morton(x, y, bits=10):
    """The digits of both numbers, one after the other."""
    key = 0
    for b in range(bits):
        key |= ((x >> b) & 1) << (2 * b) | ((y >> b) & 1) << (2 * b + 1)
    return key


def bvh8():
    p = Picture(
        "A tree of eight branches over the Morton order",
        "40 bodies; eight that follow each other on the curve are a leaf, eight leaves a node",
        370,
    )
    discs = specks(40, 0.0, 0.0, 6.0, 0.2)
    discs = [(x * 1.9, y, r) for x, y, r in discs]
    low = [min(d[k] for d in discs) for k in (0, 1)]
    raise_ = 1023 / max(max(d[k] for d in discs) - low[k] for k in (0, 1))
    discs.sort(key=lambda d: morton(int((d[0] - low[0]) * raise_), int((d[1] - low[1]) * raise_)))
    view = View(24, 296, 36)
    view.frame(p)
    shades = SHADES + ["#c2571a"]
    p.line(*(view.at(x, y) for x, y, _ in discs), stroke="#b9c2cf")
    for i in range(5):
        part = discs[8 * i : 8 * i + 8]
        box = hull((x - r, y - r, x + r, y + r) for x, y, r in part)
        view.area(p, *box, stroke=shades[i], wide=2)
        for x, y, r in part:
            p.circle(*view.at(x, y), r * view.scale, "#fff", shades[i])
        p.text(view.x(box[0]) + 4, view.y(box[3]) + 14, str(i), fill=shades[i], weight=600)
    x = 496
    p.text(x, 92, "the group of the root: eight boxes, a column a face")
    faces = ["lower x", "lower y", "upper x", "upper y"]
    for row, face in enumerate(faces):
        p.text(x, 116 + row * 20, face)
        for lane in range(8):
            is_there = lane < 5
            p.rect(x + 60 + lane * 30, 102 + row * 20, 30, 20, "#fff" if is_there else "#eef1f5", LINE)
            p.text(x + 75 + lane * 30, 116 + row * 20, str(lane) if is_there else "NaN", size=11 if is_there else 9, anchor="middle", fill=shades[lane] if is_there else SOFT)
    p.lines(
        x,
        206,
        [
            "One vector comparison a face tests a box against",
            "all eight. A lane without a box is NaN and overlaps",
            "nothing. Where the children of a node are follows",
            "from its number: there are no pointers.",
            "",
            "Only what comes later on the curve is looked at,",
            "so each pair comes once.",
        ],
    )
    p.lines(
        24,
        336,
        [
            "The grey line is the order. It comes from one sort by keys that weave the digits of the coordinates; crowded cells are sorted again.",
            "When bodies move, boxes are fitted again and the order stays, until the leaves have grown by a quarter or a few of them far more.",
        ],
        fill=SOFT,
    )
    return p


PICTURES = {"method-rtree": rtree, "method-dess-rtree": dess_rtree, "method-bvh8": bvh8}
