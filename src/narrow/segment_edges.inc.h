/*  The nearest points of two segments, some of each side by side. Included for each level after base/wide.h or
    base/wide_float.h.

    By three clamps (Ericson 2005, 5.1.9, without its branches): the first segment's share where the lines are
    nearest, then the second's share for that, then the first's for that. Of lines that are nearly parallel the square
    of the sine is noise; it is taken as SEGMENT_PARALLEL at least, a few units of rounding. The share is then
    short of the best, but it goes the right way wherever that makes a difference, and where it makes none, the distance
    squared is as good but for rounding. A segment that is a point has the inverse 0, and share 0. */

#undef TRIANGLE_INLINE
#undef TRIANGLE_TILES
#define TRIANGLE_INLINE SCREE_KERNEL_PART WIDE_TARGET
#if defined(__GNUC__)
#define TRIANGLE_TILES __attribute__((unused)) WIDE_TARGET
#else
#define TRIANGLE_TILES WIDE_TARGET
#endif

typedef struct
{
    wide x, y, z;
} WIDE_FN(triple);

/*  A way from one end of an edge to the other. */
typedef struct
{
    WIDE_FN(triple) way;
    wide square, inverse; /* of its length squared; 0 for a point */
} WIDE_FN(segment_edge);

TRIANGLE_INLINE wide WIDE_FN(triple_dot)(WIDE_FN(triple) a, WIDE_FN(triple) b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

TRIANGLE_INLINE WIDE_FN(triple) WIDE_FN(triple_minus)(WIDE_FN(triple) a, WIDE_FN(triple) b)
{
    return (WIDE_FN(triple)){a.x - b.x, a.y - b.y, a.z - b.z};
}

/*  a + share b */
TRIANGLE_INLINE WIDE_FN(triple)
    WIDE_FN(triple_along)(WIDE_FN(triple) a, wide share, WIDE_FN(triple) b)
{
    return (WIDE_FN(triple)){a.x + share * b.x, a.y + share * b.y, a.z + share * b.z};
}

TRIANGLE_INLINE WIDE_FN(segment_edge) WIDE_FN(edge_of)(WIDE_FN(triple) way)
{
    WIDE_FN(segment_edge) edge = {.way = way, .square = WIDE_FN(triple_dot)(way, way)};
    const wide zero = wide_set(0);
    edge.inverse = wide_where(edge.square, zero, zero, wide_set(1) / edge.square);
    return edge;
}

/*  To [0, 1], and of NaN 0. */
TRIANGLE_INLINE wide WIDE_FN(clamped)(wide share)
{
    share = wide_max(share, wide_set(0));
    return wide_min(share, wide_set(1));
}

/*  `from` leads from the begin of the second edge to that of the first. Returns the way between the points,
    towards the first. */
TRIANGLE_INLINE WIDE_FN(triple)
    WIDE_FN(between_edges)(WIDE_FN(segment_edge) first, WIDE_FN(segment_edge) second,
                           WIDE_FN(triple) from, wide share[2])
{
    wide b = WIDE_FN(triple_dot)(first.way, second.way);
    wide c = WIDE_FN(triple_dot)(first.way, from), f = WIDE_FN(triple_dot)(second.way, from);
    wide squares = first.square * second.square;
    wide bottom = wide_max(squares - b * b, squares * wide_set(SEGMENT_PARALLEL));
    /* of points 0 / 0, which is clamped to 0 */
    wide s = WIDE_FN(clamped)((b * f - c * second.square) / bottom);
    wide t = WIDE_FN(clamped)((b * s + f) * second.inverse);
    s = WIDE_FN(clamped)((b * t - c) * first.inverse);
    share[0] = s;
    share[1] = t;
    WIDE_FN(triple) to = WIDE_FN(triple_along)(from, s, first.way);
    return (WIDE_FN(triple)){to.x - t * second.way.x, to.y - t * second.way.y,
                             to.z - t * second.way.z};
}
