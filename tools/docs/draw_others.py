"""Drawings of the automatic choice and of what detection is."""

from picture import BODY, COOL, EDGE, GRID, LINE, PALE, SOFT, WARM, WARM_EDGE, Picture


def block(p, x, y, width, title, texts, fill="#f6f8fa"):
    height = 30 + 17 * len(texts)
    p.rect(x, y, width, height, fill, LINE)
    p.text(x + 12, y + 21, title, weight=600)
    p.lines(x + 12, y + 41, texts)
    return height


def auto():
    p = Picture(
        "The automatic choice",
        "a sample and counts give a prediction for each of four methods; the cheapest one is at work",
        370,
    )
    block(p, 24, 78, 236, "What is looked at", ["number of bodies", "range of sizes, share of large ones", "slenderness of boxes", "crowding (sample in cells)", "share that moved, and since when", "pairs a body in the last search"])
    p.arrow((262, 140), (296, 140))
    block(p, 298, 78, 210, "Predicted cost of a step", ["bounding-volume", "flat", "bvh8", "insertion-sort", "in nanoseconds a body, by", "formulas without a clock"])
    p.arrow((508, 140), (546, 140))
    block(p, 548, 78, 288, "At work: the cheapest", ["A method at work is left only for one", "predicted to take less than 0.92 of its", "time: building anew must pay.", "One structure exists at a time."], fill=COOL)
    p.text(24, 256, "When the scene is looked at")
    steps = ["build", "1", "", "2", "", "", "", "4", "", "", "", "", "", "", "", "8"]
    at = 24
    for i, text in enumerate(steps):
        marked = bool(text)
        p.rect(at, 268, 50, 30, PALE if marked else "#fff", LINE)
        p.text(at + 25, 287, "look" if marked and i else text, anchor="middle", weight=600 if marked else None)
        at += 50
    p.lines(
        24,
        322,
        [
            "At each build from nothing; then 1, 2, 4, 8, 16 and 32 steps later, and every 32 steps from then on; 2 steps after a change.",
            "Predictions come from counts alone, never from clocks: the same calls give the same methods and the same order of pairs.",
            "The pairs themselves are those of every other method.",
        ],
        fill=SOFT,
    )
    return p


def detection():
    p = Picture(
        "What detection keeps from step to step",
        "bodies are enlarged by a margin (a Verlet skin); the list of pairs stands while every body is inside its enlarged volume",
        455,
    )

    def body(x, y, r, margin, name, fill=BODY, edge=EDGE, moved=(0, 0)):
        p.circle(x, y, r + margin, fill="none", stroke=edge, dash="4 3")
        if moved != (0, 0):
            p.circle(x, y, r, fill="none", stroke=GRID)
        p.circle(x + moved[0], y + moved[1], r, fill=fill, stroke=edge)
        p.text(x + moved[0], y + moved[1] + 4, name, anchor="middle")

    # three moments
    hit = WARM, WARM_EDGE
    for k, (title, shift) in enumerate((("rebuild", (0, 0)), ("some steps later", (9, -5)), ("one body has left", (24, -12)))):
        left = 24 + 276 * k
        p.rect(left, 74, 260, 176, "#fff", GRID)
        p.text(left + 10, 94, title, weight=600)
        is_out = k == 2
        body(left + 70, 176, 38, 16, "a", *(hit if is_out else (BODY, EDGE)), moved=shift)
        body(left + 164, 158, 34, 16, "b", moved=(-4 * k, 3 * k))
        body(left + 218, 212, 14, 14, "c", moved=(0, -2 * k))
    p.lines(24, 272, ["Enlarged volumes (dashed) that overlap", "are put on the list: ab and bc."])
    p.lines(300, 272, ["Every body is inside its dashed line, so", "every true contact is on the list. Only", "the pairs of the list are tested."])
    p.lines(576, 272, ["a sticks out of its enlarged volume: all", "are enlarged again where they are now,", "and the list is rebuilt."])

    # the course of it
    at, y = 24, 352
    p.text(24, y - 10, "steps")
    for i in range(24):
        is_rebuild = i in (0, 9, 20)
        p.rect(at + i * 33.8, y, 33.8, 26, WARM if is_rebuild else "#f6f8fa", LINE)
        p.text(at + i * 33.8 + 17, y + 17, "list" if is_rebuild else "·", anchor="middle", size=11)
    p.lines(
        24,
        404,
        [
            "A large margin means few rebuilds and a long list, a small one many rebuilds and a short list. The contacts are the same.",
            "Volumes are closed: two that touch in one point overlap. The test is made in double precision on the numbers of the caller,",
            "by one formula, whatever method proposed the pair.",
        ],
        fill=SOFT,
    )
    return p


PICTURES = {"method-auto": auto, "concept-detection": detection}
