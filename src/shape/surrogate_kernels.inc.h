/*  The sums that dominate the time of fitting a surrogate, several triangles or corners in a vector. Included for each
    SIMD instruction set, after base/wide.h. Terms are left in columns and summed one after the other, so results are
    bit-identical for all instruction sets. */
/* no include guard: included once for each level */

typedef struct
{
    wide x, y, z;
} WIDE_FN(fit_vector);

/*  A triangle prepared for distance queries: its edges from the first corner, and their products. */
typedef struct
{
    WIDE_FN(fit_vector) edge1, edge2;
    wide square1, product, square2;
} WIDE_FN(fit_edges);

SCREE_KERNEL_PART WIDE_TARGET wide WIDE_FN(fit_product)(WIDE_FN(fit_vector) a,
                                                        WIDE_FN(fit_vector) b)
{
    return (a.x * b.x + a.y * b.y) + a.z * b.z;
}

SCREE_KERNEL_PART WIDE_TARGET WIDE_FN(fit_vector)
    WIDE_FN(fit_load)(const double *x, const double *y, const double *z)
{
    return (WIDE_FN(fit_vector)){wide_load(x), wide_load(y), wide_load(z)};
}

SCREE_KERNEL_PART WIDE_TARGET WIDE_FN(fit_vector) WIDE_FN(fit_set)(const double v[3])
{
    return (WIDE_FN(fit_vector)){wide_set(v[0]), wide_set(v[1]), wide_set(v[2])};
}

SCREE_KERNEL_PART WIDE_TARGET WIDE_FN(fit_vector)
    WIDE_FN(fit_minus)(WIDE_FN(fit_vector) a, WIDE_FN(fit_vector) b)
{
    return (WIDE_FN(fit_vector)){a.x - b.x, a.y - b.y, a.z - b.z};
}

SCREE_KERNEL_PART WIDE_TARGET WIDE_FN(fit_edges)
    WIDE_FN(fit_edges_of)(WIDE_FN(fit_vector) edge1, WIDE_FN(fit_vector) edge2)
{
    return (WIDE_FN(fit_edges)){edge1, edge2, WIDE_FN(fit_product)(edge1, edge1),
                                WIDE_FN(fit_product)(edge1, edge2),
                                WIDE_FN(fit_product)(edge2, edge2)};
}

/*  Parameters of both edges that give the nearest point of a triangle. */
typedef struct
{
    wide first, second;
} WIDE_FN(fit_shares);

/*  Regions as in Ericson 2005, 5.1.5, from the last to the first, because the first that holds counts. A condition is a
    number that is at least 0 if it holds. Divisions by 0 in triangles without area give NaN, which is replaced by the
    bound. */
SCREE_KERNEL_PART WIDE_TARGET WIDE_FN(fit_shares)
    WIDE_FN(fit_nearest)(const WIDE_FN(fit_edges) * e, WIDE_FN(fit_vector) place)
{
    const wide zero = wide_set(0), one = wide_set(1);
    wide d1 = WIDE_FN(fit_product)(e->edge1, place), d2 = WIDE_FN(fit_product)(e->edge2, place);
    wide d3 = d1 - e->square1, d4 = d2 - e->product, d5 = d1 - e->product, d6 = d2 - e->square2;
    wide at3 = d1 * d4 - d3 * d2, at2 = d5 * d2 - d1 * d6, at1 = d3 * d6 - d5 * d4;
    wide sum = (at1 + at2) + at3, past4 = d4 - d3, past5 = d5 - d6;
    wide has_edge1 = wide_where(e->square1, zero, wide_set(-1), zero);
    wide at_second = wide_min(wide_min(d3, d3 - d4), has_edge1);
    wide on_edge1 = wide_min(wide_min(zero - at3, wide_min(d1, zero - d3)), has_edge1);
    wide at_third = wide_min(d6, d6 - d5);
    wide on_edge2 = wide_min(zero - at2, wide_min(d2, zero - d6));
    wide on_edge3 = wide_min(zero - at1, wide_min(past4, past5));
    wide top = wide_where(zero, on_edge1, d1, wide_where(zero, on_edge2, d2, past4));
    wide bottom = wide_where(zero, on_edge1, e->square1,
                             wide_where(zero, on_edge2, e->square2, past4 + past5));
    wide along = wide_min(top / bottom, one);
    WIDE_FN(fit_shares) at;
    at.first = wide_min(wide_max(at2 / sum, zero), one);
    at.second = wide_min(wide_max(at3 / sum, zero), one - at.first);
    at.first = wide_where(zero, on_edge3, one - along, at.first);
    at.second = wide_where(zero, on_edge3, along, at.second);
    at.first = wide_where(zero, on_edge2, zero, at.first);
    at.second = wide_where(zero, on_edge2, along, at.second);
    at.first = wide_where(zero, at_third, zero, at.first);
    at.second = wide_where(zero, at_third, one, at.second);
    at.first = wide_where(zero, on_edge1, along, at.first);
    at.second = wide_where(zero, on_edge1, zero, at.second);
    at.first = wide_where(zero, at_second, one, at.first);
    at.second = wide_where(zero, at_second, zero, at.second);
    wide at_begin = wide_max(d1, d2);
    at.first = wide_where(at_begin, zero, zero, at.first);
    at.second = wide_where(at_begin, zero, zero, at.second);
    return at;
}

SCREE_KERNEL_PART WIDE_TARGET WIDE_FN(fit_vector)
    WIDE_FN(fit_point)(const WIDE_FN(fit_edges) * e, WIDE_FN(fit_shares) at)
{
    return (WIDE_FN(fit_vector)){at.first * e->edge1.x + at.second * e->edge2.x,
                                 at.first * e->edge1.y + at.second * e->edge2.y,
                                 at.first * e->edge1.z + at.second * e->edge2.z};
}

/*  |x - t|^8 of some triangles t, and |x - t|^6 (x - t). Writes up to a multiple of the widest vector. */
static WIDE_TARGET void WIDE_FN(fit_approach)(const scree_surrogate_room *room, uint32_t first,
                                              uint32_t count, const double corner[3],
                                              scree_fit_pull *pull)
{
    const scree_fit_columns *c = &room->columns;
    const WIDE_FN(fit_vector) x = WIDE_FN(fit_set)(corner);
    for (uint32_t lane = 0; lane < count; lane += WIDE_LANES) {
        uint32_t t = first + lane;
        WIDE_FN(fit_vector)
        away = WIDE_FN(fit_minus)(
            x, WIDE_FN(fit_load)(&c->corner[0][t], &c->corner[1][t], &c->corner[2][t]));
        WIDE_FN(fit_edges)
        e = {WIDE_FN(fit_load)(&c->edge[0][t], &c->edge[1][t], &c->edge[2][t]),
             WIDE_FN(fit_load)(&c->edge[3][t], &c->edge[4][t], &c->edge[5][t]),
             wide_load(&c->product[0][t]), wide_load(&c->product[1][t]),
             wide_load(&c->product[2][t])};
        away = WIDE_FN(fit_minus)(away, WIDE_FN(fit_point)(&e, WIDE_FN(fit_nearest)(&e, away)));
        wide sq = WIDE_FN(fit_product)(away, away), sixth = sq * sq * sq;
        wide_store(&pull->power[lane], sq * sq * (sq * sq));
        wide_store(&pull->way[0][lane], sixth * away.x);
        wide_store(&pull->way[1][lane], sixth * away.y);
        wide_store(&pull->way[2][lane], sixth * away.z);
    }
}

/*  Heights above corner c of some triangles, along a normal; 0 if below. */
static WIDE_TARGET void WIDE_FN(fit_protrude)(const scree_surrogate_room *room, uint32_t first,
                                              uint32_t count, int c, const double normal[3],
                                              const double height[3],
                                              double above[3][SCREE_FIT_BLOCK])
{
    const double(*corner)[SCREE_SURROGATE_SAMPLE] = room->columns.corner + 3 * c;
    const WIDE_FN(fit_vector) n = WIDE_FN(fit_set)(normal);
    for (uint32_t lane = 0; lane < count; lane += WIDE_LANES) {
        uint32_t t = first + lane;
        wide below =
            WIDE_FN(fit_product)(WIDE_FN(fit_load)(&corner[0][t], &corner[1][t], &corner[2][t]), n);
        for (int i = 0; i < 3; i++)
            wide_store(&above[i][lane], wide_max(wide_set(0), wide_set(height[i]) - below));
    }
}

/*  Squared distance from a triangle to the farthest corner of the outline. */
static WIDE_TARGET double WIDE_FN(fit_farthest_sq)(const scree_surrogate_room *room,
                                                   const double corner[3][3])
{
    const WIDE_FN(fit_vector) origin = WIDE_FN(fit_set)(corner[0]);
    const WIDE_FN(fit_edges) e =
        WIDE_FN(fit_edges_of)(WIDE_FN(fit_minus)(WIDE_FN(fit_set)(corner[1]), origin),
                              WIDE_FN(fit_minus)(WIDE_FN(fit_set)(corner[2]), origin));
    const double *x = room->columns.outline[0], *y = room->columns.outline[1],
                 *z = room->columns.outline[2];
    double of_lane[WIDE_LANES], farthest = 0;
    wide most = wide_set(0);
    for (uint32_t i = 0; i < room->outline_count; i += WIDE_LANES) {
        WIDE_FN(fit_vector)
        place = WIDE_FN(fit_minus)(WIDE_FN(fit_load)(x + i, y + i, z + i), origin);
        place = WIDE_FN(fit_minus)(place, WIDE_FN(fit_point)(&e, WIDE_FN(fit_nearest)(&e, place)));
        most = wide_max(most, WIDE_FN(fit_product)(place, place));
    }
    wide_store(of_lane, most);
    for (uint32_t lane = 0; lane < WIDE_LANES; lane++)
        farthest = of_lane[lane] > farthest ? of_lane[lane] : farthest;
    return farthest;
}
