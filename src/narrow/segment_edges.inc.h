/*  The nearest points of two segments, several pairs in a vector. Included for each SIMD instruction set, after
    base/wide.h or base/wide_float.h.

    Uses three clamps (Ericson 2005, 5.1.9, without its branches): the first segment's parameter where the lines are
    nearest, then the second's parameter for that, then the first's for that. For nearly parallel lines the square of
    the sine is noise, so SEGMENT_PARALLEL, a few rounding units, is its lower bound. The parameter then falls short of
    the best one, but has the right direction wherever that makes a difference; where it makes none, the squared
    distance is equally good except for rounding. A segment that is a point has inverse 0 and parameter 0. */

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

/*  The vector from one end of an edge to the other. */
typedef struct
{
    WIDE_FN(triple) way;
    wide square, inverse; /* squared length and its inverse; 0 for a point */
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

/*  Clamps to [0, 1]; NaN becomes 0. */
TRIANGLE_INLINE wide WIDE_FN(clamped)(wide share)
{
    share = wide_max(share, wide_set(0));
    return wide_min(share, wide_set(1));
}

/*  `from` is the vector from the start of the second edge to that of the first. Returns the vector between the points,
    towards the first. */
TRIANGLE_INLINE WIDE_FN(triple)
    WIDE_FN(between_edges)(WIDE_FN(segment_edge) first, WIDE_FN(segment_edge) second,
                           WIDE_FN(triple) from, wide share[2])
{
    wide b = WIDE_FN(triple_dot)(first.way, second.way);
    wide c = WIDE_FN(triple_dot)(first.way, from), f = WIDE_FN(triple_dot)(second.way, from);
    wide squares = first.square * second.square;
    wide bottom = wide_max(squares - b * b, squares * wide_set(SEGMENT_PARALLEL));
    /* for points 0 / 0, which is clamped to 0 */
    wide s = WIDE_FN(clamped)((b * f - c * second.square) / bottom);
    wide t = WIDE_FN(clamped)((b * s + f) * second.inverse);
    s = WIDE_FN(clamped)((b * t - c) * first.inverse);
    share[0] = s;
    share[1] = t;
    WIDE_FN(triple) to = WIDE_FN(triple_along)(from, s, first.way);
    return (WIDE_FN(triple)){to.x - t * second.way.x, to.y - t * second.way.y,
                             to.z - t * second.way.z};
}
