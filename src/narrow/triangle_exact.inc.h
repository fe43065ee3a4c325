/*  The nearest points of two triangles by comparison of all feature pairs. Included for each SIMD instruction set,
    after triangle_pair.inc.h.

    If the triangles do not cross, nine pairs of edges (segments with their ends) and six corners over the inside of the
    other face are all candidates. If they cross, one of six edges passes through the other face. Each candidate is a
    pair of points of the triangles, so the result is never below the true distance. If slivers or nearly parallel edges
    make one of them inaccurate, others are equally near except for rounding. */

typedef struct
{
    wide square, x[4];
    wide crossed; /* 1: an edge passes through the other face */
} WIDE_FN(nearest_pair);

/*  A face, and the vectors whose products with a point give its parameters on the two edges. */
typedef struct
{
    WIDE_FN(triple) normal, share1, share2;
} WIDE_FN(face_frame);

/*  The projection of a corner on the other face. */
typedef struct
{
    wide share1, share2, height;
} WIDE_FN(over_face);

TRIANGLE_INLINE WIDE_FN(triple) WIDE_FN(triple_cross)(WIDE_FN(triple) a, WIDE_FN(triple) b)
{
    return (WIDE_FN(triple)){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

TRIANGLE_INLINE WIDE_FN(triple) WIDE_FN(triple_times)(WIDE_FN(triple) a, wide factor)
{
    return (WIDE_FN(triple)){a.x * factor, a.y * factor, a.z * factor};
}

TRIANGLE_INLINE WIDE_FN(face_frame) WIDE_FN(face_of)(WIDE_FN(triple) e1, WIDE_FN(triple) e2)
{
    const wide zero = wide_set(0);
    WIDE_FN(face_frame) face = {.normal = WIDE_FN(triple_cross)(e1, e2)};
    wide square = WIDE_FN(triple_dot)(face.normal, face.normal);
    wide inverse = wide_where(square, zero, zero, wide_set(1) / square);
    face.share1 = WIDE_FN(triple_times)(WIDE_FN(triple_cross)(e2, face.normal), inverse);
    face.share2 = WIDE_FN(triple_times)(WIDE_FN(triple_cross)(face.normal, e1), inverse);
    return face;
}

/*  The nearer; of equals the later; never NaN. */
TRIANGLE_INLINE void WIDE_FN(consider)(WIDE_FN(nearest_pair) * best, wide square, wide x0, wide x1,
                                       wide x2, wide x3)
{
    best->x[0] = wide_where(square, best->square, x0, best->x[0]);
    best->x[1] = wide_where(square, best->square, x1, best->x[1]);
    best->x[2] = wide_where(square, best->square, x2, best->x[2]);
    best->x[3] = wide_where(square, best->square, x3, best->x[3]);
    best->square = wide_min(square, best->square);
}

/*  At least 0 if the parameters are those of a point of the triangle; NaN if one is NaN. */
TRIANGLE_INLINE wide WIDE_FN(inside)(wide share1, wide share2)
{
    return wide_min(wide_min(share1, share2), (wide_set(1) - share1) - share2);
}

/*  A corner over a face: `from` leads to it from the face's first corner. Returns the squared distance, infinity if it
    is not over the inside. */
TRIANGLE_INLINE wide WIDE_FN(corner_over)(const WIDE_FN(face_frame) * face, WIDE_FN(triple) e1,
                                          WIDE_FN(triple) e2, WIDE_FN(triple) from,
                                          WIDE_FN(over_face) * over)
{
    over->share1 = WIDE_FN(triple_dot)(from, face->share1);
    over->share2 = WIDE_FN(triple_dot)(from, face->share2);
    over->height = WIDE_FN(triple_dot)(from, face->normal);
    WIDE_FN(triple)
    foot = {over->share1 * e1.x + over->share2 * e2.x, over->share1 * e1.y + over->share2 * e2.y,
            over->share1 * e1.z + over->share2 * e2.z};
    WIDE_FN(triple) way = WIDE_FN(triple_minus)(from, foot);
    return wide_where(wide_set(0), WIDE_FN(inside)(over->share1, over->share2),
                      WIDE_FN(triple_dot)(way, way), wide_set(INFINITY));
}

/*  At least 0 if the corners are not all on one side. */
TRIANGLE_INLINE wide WIDE_FN(straddling)(const WIDE_FN(over_face) over[3])
{
    wide least = wide_min(wide_min(over[0].height, over[1].height), over[2].height);
    wide most = wide_max(wide_max(over[0].height, over[1].height), over[2].height);
    return wide_min(wide_set(0) - least, most);
}

/*  Where an edge passes through the plane of the other: the parameter of the edge, and the parameters on the face. At
    least 0 if `both` is and the point is on the edge and in the face. */
TRIANGLE_INLINE wide WIDE_FN(crossing)(const WIDE_FN(over_face) * begin,
                                       const WIDE_FN(over_face) * end, wide both, wide share[3])
{
    wide t = begin->height / (begin->height - end->height);
    share[0] = t;
    share[1] = begin->share1 + t * (end->share1 - begin->share1);
    share[2] = begin->share2 + t * (end->share2 - begin->share2);
    wide on_edge = wide_min(wide_min(t, wide_set(1) - t), both);
    return wide_min(on_edge, WIDE_FN(inside)(share[1], share[2]));
}

/*  The two points of a crossing coincide except for rounding; if a sliver makes them differ, they are just two points.
    */
TRIANGLE_INLINE void WIDE_FN(consider_crossing)(const WIDE_FN(two_triangles) * pair,
                                                WIDE_FN(nearest_pair) * best, wide within,
                                                const wide x[4])
{
    WIDE_FN(triple) away = WIDE_FN(way_at)(pair, x);
    wide square = WIDE_FN(triple_dot)(away, away);
    square = wide_where(wide_set(0), within, square, wide_set(INFINITY));
    wide noise = pair->size * wide_set(TRIANGLE_NOISE);
    best->crossed = wide_where(square, noise * noise, wide_set(1), best->crossed);
    WIDE_FN(consider)(best, square, x[0], x[1], x[2], x[3]);
}

/*  Edges of the first through the face of the second, then the reverse. */
TRIANGLE_INLINE void WIDE_FN(consider_crossings)(const WIDE_FN(two_triangles) * pair,
                                                 WIDE_FN(nearest_pair) * best,
                                                 const WIDE_FN(over_face) a[3],
                                                 const WIDE_FN(over_face) b[3], wide both)
{
    const wide zero = wide_set(0), one = wide_set(1);
    wide share[3], within;
    within = WIDE_FN(crossing)(&a[0], &a[1], both, share);
    WIDE_FN(consider_crossing)(pair, best, within, (wide[4]){share[0], zero, share[1], share[2]});
    within = WIDE_FN(crossing)(&a[0], &a[2], both, share);
    WIDE_FN(consider_crossing)(pair, best, within, (wide[4]){zero, share[0], share[1], share[2]});
    within = WIDE_FN(crossing)(&a[1], &a[2], both, share);
    WIDE_FN(consider_crossing)
    (pair, best, within, (wide[4]){one - share[0], share[0], share[1], share[2]});
    within = WIDE_FN(crossing)(&b[0], &b[1], both, share);
    WIDE_FN(consider_crossing)(pair, best, within, (wide[4]){share[1], share[2], share[0], zero});
    within = WIDE_FN(crossing)(&b[0], &b[2], both, share);
    WIDE_FN(consider_crossing)(pair, best, within, (wide[4]){share[1], share[2], zero, share[0]});
    within = WIDE_FN(crossing)(&b[1], &b[2], both, share);
    WIDE_FN(consider_crossing)
    (pair, best, within, (wide[4]){share[1], share[2], one - share[0], share[0]});
}

/*  Corners over faces; and edges through them, if any pair of the vector may cross. */
TRIANGLE_INLINE void WIDE_FN(consider_faces)(const WIDE_FN(two_triangles) * pair,
                                             WIDE_FN(nearest_pair) * best)
{
    const wide zero = wide_set(0), one = wide_set(1);
    WIDE_FN(face_frame) first = WIDE_FN(face_of)(pair->a1, pair->a2);
    WIDE_FN(face_frame) second = WIDE_FN(face_of)(pair->f1, pair->f2);
    WIDE_FN(triple) from = {zero - pair->b0.x, zero - pair->b0.y, zero - pair->b0.z};
    WIDE_FN(over_face) a[3], b[3];
    wide square = WIDE_FN(corner_over)(&second, pair->f1, pair->f2, from, &a[0]);
    WIDE_FN(consider)(best, square, zero, zero, a[0].share1, a[0].share2);
    from = WIDE_FN(triple_minus)(pair->a1, pair->b0);
    square = WIDE_FN(corner_over)(&second, pair->f1, pair->f2, from, &a[1]);
    WIDE_FN(consider)(best, square, one, zero, a[1].share1, a[1].share2);
    from = WIDE_FN(triple_minus)(pair->a2, pair->b0);
    square = WIDE_FN(corner_over)(&second, pair->f1, pair->f2, from, &a[2]);
    WIDE_FN(consider)(best, square, zero, one, a[2].share1, a[2].share2);
    square = WIDE_FN(corner_over)(&first, pair->a1, pair->a2, pair->b0, &b[0]);
    WIDE_FN(consider)(best, square, b[0].share1, b[0].share2, zero, zero);
    from = WIDE_FN(triple_along)(pair->b0, one, pair->f1);
    square = WIDE_FN(corner_over)(&first, pair->a1, pair->a2, from, &b[1]);
    WIDE_FN(consider)(best, square, b[1].share1, b[1].share2, one, zero);
    from = WIDE_FN(triple_along)(pair->b0, one, pair->f2);
    square = WIDE_FN(corner_over)(&first, pair->a1, pair->a2, from, &b[2]);
    WIDE_FN(consider)(best, square, b[2].share1, b[2].share2, zero, one);
    /* each pair by itself, so that its neighbours make no difference */
    wide both = wide_min(WIDE_FN(straddling)(a), WIDE_FN(straddling)(b));
    if (wide_less_equal(zero, both))
        WIDE_FN(consider_crossings)(pair, best, a, b, both);
}

/*  The three edges of a triangle and their starts: the first corner twice, then the edge between the others. */
typedef struct
{
    WIDE_FN(segment_edge) edge[3];
    WIDE_FN(triple) begin[3];
} WIDE_FN(three_edges);

TRIANGLE_INLINE WIDE_FN(three_edges)
    WIDE_FN(edges_of)(WIDE_FN(triple) corner, WIDE_FN(triple) e1, WIDE_FN(triple) e2)
{
    WIDE_FN(three_edges)
    edges = {
        .edge = {WIDE_FN(edge_of)(e1), WIDE_FN(edge_of)(e2),
                 WIDE_FN(edge_of)(WIDE_FN(triple_minus)(e2, e1))},
        .begin = {corner, corner, WIDE_FN(triple_along)(corner, wide_set(1), e1)},
    };
    return edges;
}

/*  Converts a parameter of edge k to parameters of the first two edges. */
TRIANGLE_INLINE wide WIDE_FN(first_share)(int k, wide share)
{
    if (k == 1)
        return wide_set(0);
    if (k == 2)
        return wide_set(1) - share;
    return share;
}

TRIANGLE_INLINE void WIDE_FN(consider_edges)(WIDE_FN(nearest_pair) * best,
                                             const WIDE_FN(three_edges) * first,
                                             const WIDE_FN(three_edges) * second, int i, int j)
{
    const wide zero = wide_set(0);
    wide share[2];
    WIDE_FN(triple) from = WIDE_FN(triple_minus)(first->begin[i], second->begin[j]);
    WIDE_FN(triple) way = WIDE_FN(between_edges)(first->edge[i], second->edge[j], from, share);
    WIDE_FN(consider)
    (best, WIDE_FN(triple_dot)(way, way), WIDE_FN(first_share)(i, share[0]),
     i == 0 ? zero : share[0], WIDE_FN(first_share)(j, share[1]), j == 0 ? zero : share[1]);
}

TRIANGLE_INLINE WIDE_FN(nearest_pair) WIDE_FN(nearest_of)(const WIDE_FN(two_triangles) * pair)
{
    const wide zero = wide_set(0);
    WIDE_FN(nearest_pair)
    best = {.square = wide_set(INFINITY), .x = {zero, zero, zero, zero}, .crossed = zero};
    WIDE_FN(triple) origin = {zero, zero, zero};
    WIDE_FN(three_edges) first = WIDE_FN(edges_of)(origin, pair->a1, pair->a2);
    WIDE_FN(three_edges) second = WIDE_FN(edges_of)(pair->b0, pair->f1, pair->f2);
    WIDE_FN(consider_edges)(&best, &first, &second, 0, 0);
    WIDE_FN(consider_edges)(&best, &first, &second, 0, 1);
    WIDE_FN(consider_edges)(&best, &first, &second, 0, 2);
    WIDE_FN(consider_edges)(&best, &first, &second, 1, 0);
    WIDE_FN(consider_edges)(&best, &first, &second, 1, 1);
    WIDE_FN(consider_edges)(&best, &first, &second, 1, 2);
    WIDE_FN(consider_edges)(&best, &first, &second, 2, 0);
    WIDE_FN(consider_edges)(&best, &first, &second, 2, 1);
    WIDE_FN(consider_edges)(&best, &first, &second, 2, 2);
    WIDE_FN(consider_faces)(pair, &best);
    return best;
}
