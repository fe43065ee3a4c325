"""Drawings of the methods that test all pairs, and of those that sort bodies along axes."""

from bodies import BODIES, HIGH, View, by_lower, lower, pairs, upper
from picture import BODY, COOL, COOL_EDGE, EDGE, GRID, PALE, SOFT, WARM, WARM_EDGE, Picture

HIT = (WARM, WARM_EDGE)
SEEN = (COOL, COOL_EDGE)


def all_pairs():
    p = Picture(
        "All pairs",
        "pairing hands on every pair; bounding-volume tests the volumes of every pair and keeps those that overlap",
        370,
    )
    view = View(24, 300, 35)
    view.frame(p)
    for name in sorted(BODIES)[1:]:
        p.line(view.at(*BODIES["A"][:2]), view.at(*BODIES[name][:2]), stroke=GRID)
    found = pairs()
    view.discs(p, colours={name: HIT for pair in found for name in pair})
    p.lines(24, 326, ["The first body, A, meets the 11 bodies after it, B meets 10,", "and so on: 12 x 11 / 2 = 66 pairs."], fill=SOFT)

    # the triangle of pairs
    names, left, top, cell = sorted(BODIES), 540, 92, 17
    for i, first in enumerate(names):
        p.text(left - 8, top + i * cell + 13, first, anchor="end")
        p.text(left + i * cell + cell / 2, top - 6, first, anchor="middle")
        for j in range(i + 1, len(names)):
            is_found = first + names[j] in found
            p.rect(left + j * cell, top + i * cell, cell, cell, WARM if is_found else "#eef1f5", "#fff" if not is_found else WARM_EDGE)
    p.rect(540, 312, 12, 12, "#eef1f5")
    p.text(558, 322, "a candidate of pairing (66)")
    p.rect(540, 332, 12, 12, WARM, WARM_EDGE)
    p.text(558, 342, "volumes overlap: AB, DE, HI, KL (4)")
    return p


def bars(p, view, top, step, names, colours):
    """A body a row: its interval on x."""
    for i, name in enumerate(names):
        y = top + i * step
        fill, edge = colours.get(name, (BODY, EDGE))
        p.rect(view.x(lower(name, 0)), y, view.x(upper(name, 0)) - view.x(lower(name, 0)), step - 6, fill, edge)
        p.text(view.x(lower(name, 0)) - 5, y + step - 9, name, anchor="end")


def spatial_sort():
    p = Picture(
        "Spatial sorting: bodies sorted by their lower ends",
        "one axis (x); a bar is the interval of a body, bars stand in the order of their lower ends",
        410,
    )
    view, order = View(60, 0, 42), by_lower(0)
    top, step = 78, 20
    begin, end = view.x(lower("D", 0)), view.x(upper("D", 0))
    p.rect(begin, top - 8, end - begin, 12 * step + 12, PALE)
    p.line((begin, top - 8), (begin, top + 12 * step + 4), dash="4 3")
    p.line((end, top - 8), (end, top + 12 * step + 4), dash="4 3")
    bars(p, view, top, step, order, {"D": HIT, "E": SEEN, "I": ("#f3e3f5", "#8b4a95")})
    p.line((60, 330), (60 + 12 * 42, 330))
    p.text(60 + 12 * 42 + 6, 334, "x")
    x = 590
    p.lines(x, 96, ["Target: D.", "Where D ends is sought among", "the lower ends (binary search)."])
    p.rect(x, 158, 12, 12, COOL, COOL_EDGE)
    p.lines(x + 18, 168, ["partial range of D: bodies that", "begin within it (E)"])
    p.rect(x, 204, 12, 12, "#f3e3f5", "#8b4a95")
    p.lines(x + 18, 214, ["begins before D and reaches into", "it (I): not in the partial range"])
    p.lines(
        24,
        364,
        [
            "spatial-sort-1: a pair is in the partial range of the body that begins first; a list of these, crossed out axis by axis.",
            "spatial-sort-2: the range is widened down to the first body that reaches in: I to E, with all that stand in between.",
            "spatial-sort-3: the partial range on one axis; on the others the full range, whose beginning a linear search finds.",
        ],
        fill=SOFT,
    )
    return p


def ends(axis):
    """Both ends of all bodies in order: (name, is upper)."""
    found = [(lower(n, axis), 0, n) for n in BODIES] + [(upper(n, axis), 1, n) for n in BODIES]
    return [(name, side == 1) for _, side, name in sorted(found)]


def ranks(axis):
    """By name: place among the lower ends, and how many lower ends come before the upper end."""
    begun, place, stop = 0, {}, {}
    for name, is_upper in ends(axis):
        if is_upper:
            stop[name] = begun
        else:
            place[name] = begun
            begun += 1
    return place, stop


def dess():
    p = Picture(
        "Double-ended spatial sorting",
        "both ends of every body stand in one sorted index an axis; after that, overlap is a matter of whole numbers",
        450,
    )
    view = View(24, 292, 36)
    view.frame(p)
    for name in "DE":
        for x in (lower(name, 0), upper(name, 0)):
            p.line(view.at(x, BODIES[name][1]), view.at(x, 0), dash="3 3")
    view.discs(p, colours={"D": HIT, "E": SEEN})
    row = ends(0)
    texts = [("%s]" if is_upper else "[%s") % name for name, is_upper in row]
    begin, end = row.index(("D", False)), row.index(("D", True))
    p.text(24, 326, "the index of x, the master axis: [D is where D begins, D] is where it ends")
    p.boxes(24, 336, texts, width=33, marked=(begin, end))
    p.boxes(24 + 33 * row.index(("E", False)), 336, ["[E"], width=33, marked=(0,), fill=COOL, stroke=COOL_EDGE)
    p.line((24 + 33 * begin, 368), (24 + 33 * (end + 1), 368), stroke=WARM_EDGE, wide=2)
    p.text(24 + 33 * begin, 384, "bodies that begin within D: E alone", fill=WARM_EDGE)

    x_place, x_stop = ranks(0)
    y_place, y_stop = ranks(1)
    left, top = 520, 92
    for x, head in ((0, "number"), (60, "stop"), (120, "y.lower"), (185, "y.upper")):
        p.text(left + x, top, head, weight=600)
    for i, name in enumerate("CIDEJ"):
        y = top + 24 + i * 22
        if name in "DE":
            p.rect(left - 8, y - 15, 260, 21, WARM if name == "D" else COOL)
        for x, value in ((0, f"{name}  {x_place[name]}"), (60, x_stop[name]), (140, y_place[name]), (195, y_stop[name])):
            p.text(left + x, y, str(value))
    d, e = "D", "E"
    assert x_place[e] == x_place[d] + 1 == x_stop[d] - 1
    assert y_place[e] < y_stop[d] and y_place[d] < y_stop[e]
    p.lines(
        left,
        246,
        [
            f"D is number {x_place[d]} and its stop is {x_stop[d]}: number {x_place[e]}, E, is left.",
            f"On y, E begins before D ends ({y_place[e]} < {y_stop[d]})",
            f"and D begins before E ends ({y_place[d]} < {y_stop[e]}):",
            "the pair D, E is found, once.",
        ],
    )
    p.lines(
        24,
        416,
        [
            "dess sorts the index anew in every step (heap sort); dess2 keeps it and puts it in order by insertion sort.",
            "Ranks count lower ends only: stop is how many bodies begin before this one ends.",
        ],
        fill=SOFT,
    )
    return p


def stripe_sort():
    p = Picture(
        "Stripes: one axis is taken away by cutting it",
        "bodies in the order of their lower ends on x, cut into stripes of 2 sqrt(N) = 7 bodies",
        385,
    )
    order = by_lower(0)
    own, rest = order[:7], order[7:]
    reach = max(upper(name, 0) for name in own)
    border = [name for name in rest if lower(name, 0) <= reach]
    assert border == ["E"]
    view = View(24, 320, 42)
    cut, end = lower(rest[0], 0), lower(rest[1], 0)
    view.area(p, lower(own[0], 0), 0, cut, HIGH, fill=PALE)
    view.area(p, cut, 0, end, HIGH, fill="#e6f2e9")
    view.frame(p)
    p.line(view.at(cut, 0), view.at(cut, HIGH), stroke=WARM_EDGE)
    p.line(view.at(reach, 0), view.at(reach, HIGH), stroke=WARM_EDGE, dash="4 3")
    view.discs(p, colours={name: HIT for name in own} | {"E": SEEN})
    p.text(view.x(2.2), 62 + 22, "stripe 1: A G B H C I D")
    p.text(view.x(7.6), 62 + 22, "stripe 2: E J K F L")
    x = 552
    p.lines(
        x,
        96,
        [
            "D ends at the dashed line: what begins",
            "before it may touch a body of stripe 1.",
            "This border (E) is copied into the search",
            "of stripe 1; stripe 2 still begins with E.",
            "",
            "Within a stripe both ends are sorted along",
            "y, and each body looks at those that begin",
            "within it on y: a constant number.",
            "",
            "A pair belongs to the stripe of the body",
            "that begins first on x, so it comes once.",
        ],
    )
    p.lines(
        24,
        348,
        [
            "Published stripes have a fixed number of bodies. Here a stripe grows until it has four times as many as its border.",
            "In three dimensions each stripe is cut a second time, along the next axis.",
        ],
        fill=SOFT,
    )
    return p


def insertion_sort():
    p = Picture(
        "Insertion sort, kept from step to step",
        "a part of the sorted list of x in two steps: only what changes place is looked at",
        380,
    )
    view = View(-130, 0, 45)

    def scene(middle, centre, label):
        """D and E, whose centre is at this x, with D's centre at this height."""
        p.text(24, middle - 50, label, weight=600)
        (x, y, r), (_, v, s) = BODIES["D"], BODIES["E"]
        p.circle(view.x(x), middle, r * view.scale, *HIT)
        p.text(view.x(x), middle + 4, "D", anchor="middle")
        p.circle(view.x(centre), middle + (y - v) * view.scale, s * view.scale, *SEEN)
        p.text(view.x(centre), middle + (y - v) * view.scale + 4, "E", anchor="middle")

    scene(138, 6.75, "step n")
    scene(278, 6.5, "step n + 1: E has moved to the left")
    first = ["[D", "I]", "D]", "[E", "[J", "E]"]
    second = ["[D", "I]", "[E", "D]", "[J", "E]"]
    p.text(270, 112, "list of x")
    p.boxes(270, 122, first, width=36, marked=(2,))
    p.boxes(270 + 3 * 36, 122, ["[E"], width=36, marked=(0,), fill=COOL, stroke=COOL_EDGE)
    p.text(270, 262, "list of x")
    p.boxes(270, 272, second, width=36, marked=(3,))
    p.boxes(270 + 2 * 36, 272, ["[E"], width=36, marked=(0,), fill=COOL, stroke=COOL_EDGE)
    p.arrow((270 + 2.5 * 36, 154), (270 + 3.5 * 36, 266), stroke=WARM_EDGE)
    p.arrow((270 + 3.5 * 36, 154), (270 + 2.5 * 36, 266), stroke=COOL_EDGE)
    p.text(520, 112, "set of pairs")
    p.boxes(520, 122, ["AB", "HI", "KL"], width=36)
    p.text(520, 262, "set of pairs")
    p.boxes(520, 272, ["AB", "DE", "HI", "KL"], width=36, marked=(1,))
    p.lines(
        500,
        184,
        [
            "[E passes below D]: D and E may begin to overlap.",
            "Their boxes decide, as they were and as they are.",
        ],
        fill=WARM_EDGE,
    )
    p.lines(
        24,
        346,
        [
            "A lower end that passes below an upper end may begin a pair; the other way round it may end one.",
            "Two lower ends or two upper ends that change places mean nothing. Pairs that exist are read from the set, without a search.",
        ],
        fill=SOFT,
    )
    p.line((24, 326), (836, 326), stroke=GRID)
    return p


PICTURES = {
    "method-all-pairs": all_pairs,
    "method-spatial-sort": spatial_sort,
    "method-dess": dess,
    "method-stripe-sort": stripe_sort,
    "method-insertion-sort": insertion_sort,
}
