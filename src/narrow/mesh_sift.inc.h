/*  Transforms and compares boxes. Included for each SIMD instruction set, after base/wide_float.h. */
/* no include guard: included once for each level */

/*  Row k of a frame times a vector. */
static inline WIDE_TARGET wide WIDE_FN(turned_along)(const float row[3], wide x, wide y, wide z)
{
    return (wide_set(row[0]) * x + wide_set(row[1]) * y) + wide_set(row[2]) * z;
}

static WIDE_TARGET void WIDE_FN(turn_boxes)(const scree_mesh_frame *frame,
                                            const scree_mesh_group *group,
                                            scree_mesh_turned *turned)
{
    const wide half = wide_set(0.5), widen = wide_set(frame->widen);
    for (uint32_t lane = 0; lane < 8; lane += WIDE_LANES) {
        wide middle[3], extent[3];
        for (int k = 0; k < 3; k++) {
            wide lower = wide_load(&group->lower[k][lane]);
            wide upper = wide_load(&group->upper[k][lane]);
            middle[k] = (lower + upper) * half;
            extent[k] = (upper - lower) * half;
        }
        for (int k = 0; k < 3; k++) {
            const float *row = frame->turn[k];
            const float size[3] = {fabsf(row[0]), fabsf(row[1]), fabsf(row[2])};
            wide at = WIDE_FN(turned_along)(row, middle[0], middle[1], middle[2]);
            wide around = WIDE_FN(turned_along)(size, extent[0], extent[1], extent[2]) + widen;
            at = at + wide_set(frame->shift[k]);
            wide_store(&turned->lower[k][lane], at - around);
            wide_store(&turned->upper[k][lane], at + around);
        }
    }
}

/*  Smallest and largest value of three corners along a direction. */
typedef struct
{
    wide least, most;
} WIDE_FN(extent_along);

static inline WIDE_TARGET WIDE_FN(extent_along) WIDE_FN(extent_of)(wide a, wide b, wide c)
{
    WIDE_FN(extent_along)
    extent = {wide_min(wide_min(a, b), c), wide_max(wide_max(a, b), c)};
    return extent;
}

typedef struct
{
    wide x, y, z;
} WIDE_FN(direction);

static inline WIDE_TARGET wide WIDE_FN(dot_of)(WIDE_FN(direction) a, wide x, wide y, wide z)
{
    return (a.x * x + a.y * y) + a.z * z;
}

static WIDE_TARGET void WIDE_FN(turn_leaf)(const scree_mesh_frame *frame,
                                           const scree_mesh_leaf *leaf,
                                           scree_mesh_turned_leaf *turned)
{
    const wide widen = wide_set(frame->widen);
    turned->widen = frame->widen;
    for (uint32_t lane = 0; lane < 8; lane += WIDE_LANES) {
        wide corner[3][3];
        wide x = wide_load(&leaf->across[0][lane]), y = wide_load(&leaf->across[1][lane]);
        wide z = wide_load(&leaf->across[2][lane]);
        WIDE_FN(direction)
        across = {WIDE_FN(turned_along)(frame->rotation[0], x, y, z),
                  WIDE_FN(turned_along)(frame->rotation[1], x, y, z),
                  WIDE_FN(turned_along)(frame->rotation[2], x, y, z)};
        for (int k = 0; k < 3; k++) {
            wide shift = wide_set(frame->shift[k]);
            for (int c = 0; c < 3; c++) {
                wide at =
                    WIDE_FN(turned_along)(frame->turn[k], wide_load(&leaf->corner[3 * c][lane]),
                                          wide_load(&leaf->corner[3 * c + 1][lane]),
                                          wide_load(&leaf->corner[3 * c + 2][lane]));
                corner[c][k] = at + shift;
                wide_store(&turned->leaf.corner[3 * c + k][lane], corner[c][k]);
            }
            WIDE_FN(extent_along)
            box = WIDE_FN(extent_of)(corner[0][k], corner[1][k], corner[2][k]);
            wide_store(&turned->boxes.lower[k][lane], box.least - widen);
            wide_store(&turned->boxes.upper[k][lane], box.most + widen);
        }
        wide_store(&turned->leaf.across[0][lane], across.x);
        wide_store(&turned->leaf.across[1][lane], across.y);
        wide_store(&turned->leaf.across[2][lane], across.z);
        WIDE_FN(extent_along)
        thick =
            WIDE_FN(extent_of)(WIDE_FN(dot_of)(across, corner[0][0], corner[0][1], corner[0][2]),
                               WIDE_FN(dot_of)(across, corner[1][0], corner[1][1], corner[1][2]),
                               WIDE_FN(dot_of)(across, corner[2][0], corner[2][1], corner[2][2]));
        wide_store(&turned->leaf.bottom[lane], thick.least - widen);
        wide_store(&turned->leaf.top[lane], thick.most + widen);
    }
}

/*  Bits of the boxes in a group that box i meets: the largest of the gaps along the three axes decides. */
static inline WIDE_TARGET uint32_t WIDE_FN(boxes_met)(const scree_mesh_group *group,
                                                      const wide lower[3], const wide upper[3])
{
    uint32_t hits = 0;
    for (uint32_t lane = 0; lane < 8; lane += WIDE_LANES) {
        wide gap = wide_max(wide_load(&group->lower[0][lane]) - upper[0],
                            lower[0] - wide_load(&group->upper[0][lane]));
        for (int k = 1; k < 3; k++) {
            gap = wide_max(wide_load(&group->lower[k][lane]) - upper[k], gap);
            gap = wide_max(lower[k] - wide_load(&group->upper[k][lane]), gap);
        }
        hits |= wide_less_equal(gap, wide_set(0)) << lane;
    }
    return hits;
}

static WIDE_TARGET size_t WIDE_FN(sift)(const scree_mesh_group *groups,
                                        const scree_mesh_turned *turned, int i,
                                        const uint32_t *list, size_t count, uint32_t *met)
{
    size_t met_count = 0;
    wide lower[3], upper[3];
    for (int k = 0; k < 3; k++) {
        lower[k] = wide_set(turned->lower[k][i]);
        upper[k] = wide_set(turned->upper[k][i]);
    }
    for (size_t n = 0; n < count; n++) {
        uint32_t hits = WIDE_FN(boxes_met)(groups + list[n], lower, upper), number = 8 * list[n];
        for (; hits; hits >>= 1, number++)
            if (hits & 1)
                met[met_count++] = number;
    }
    return met_count;
}

/*  Bits of the triangles in a leaf that neither their own planes nor that of triangle i separate from it. */
static inline WIDE_TARGET uint32_t WIDE_FN(not_kept_apart)(const scree_mesh_leaf *leaf,
                                                           const scree_mesh_turned_leaf *turned,
                                                           int i, uint32_t hits)
{
    const float(*other)[8] = turned->leaf.corner;
    wide along[3], widen = wide_set(turned->widen);
    WIDE_FN(direction)
    across = {wide_set(turned->leaf.across[0][i]), wide_set(turned->leaf.across[1][i]),
              wide_set(turned->leaf.across[2][i])};
    uint32_t left = 0;
    for (uint32_t lane = 0; lane < 8; lane += WIDE_LANES) {
        if (!(hits >> lane & ((1u << WIDE_LANES) - 1)))
            continue;
        WIDE_FN(direction)
        own = {wide_load(&leaf->across[0][lane]), wide_load(&leaf->across[1][lane]),
               wide_load(&leaf->across[2][lane])};
        for (int c = 0; c < 3; c++)
            along[c] =
                WIDE_FN(dot_of)(own, wide_set(other[3 * c][i]), wide_set(other[3 * c + 1][i]),
                                wide_set(other[3 * c + 2][i]));
        WIDE_FN(extent_along) extent = WIDE_FN(extent_of)(along[0], along[1], along[2]);
        wide gap = wide_max(extent.least - wide_load(&leaf->top[lane]),
                            wide_load(&leaf->bottom[lane]) - extent.most);
        for (int c = 0; c < 3; c++)
            along[c] = WIDE_FN(dot_of)(across, wide_load(&leaf->corner[3 * c][lane]),
                                       wide_load(&leaf->corner[3 * c + 1][lane]),
                                       wide_load(&leaf->corner[3 * c + 2][lane]));
        extent = WIDE_FN(extent_of)(along[0], along[1], along[2]);
        wide beyond = wide_max(extent.least - wide_set(turned->leaf.top[i]),
                               wide_set(turned->leaf.bottom[i]) - extent.most);
        left |= (wide_less_equal(gap, widen) & wide_less_equal(beyond, wide_set(0))) << lane;
    }
    return left;
}

static WIDE_TARGET size_t WIDE_FN(sift_leaf)(const scree_mesh_group *groups,
                                             const scree_mesh_leaf *leaves,
                                             const scree_mesh_turned_leaf *turned, int i,
                                             const uint32_t *list, size_t count, uint32_t *met)
{
    size_t met_count = 0;
    wide lower[3], upper[3];
    for (int k = 0; k < 3; k++) {
        lower[k] = wide_set(turned->boxes.lower[k][i]);
        upper[k] = wide_set(turned->boxes.upper[k][i]);
    }
    for (size_t n = 0; n < count; n++) {
        uint32_t hits = WIDE_FN(boxes_met)(groups + list[n], lower, upper), number = 8 * list[n];
        if (hits)
            hits &= WIDE_FN(not_kept_apart)(leaves + list[n], turned, i, hits);
        for (; hits; hits >>= 1, number++)
            if (hits & 1)
                met[met_count++] = number;
    }
    return met_count;
}

static WIDE_TARGET uint32_t WIDE_FN(meet)(const scree_mesh_group *group, const float lower[3],
                                          const float upper[3])
{
    const wide low[3] = {wide_set(lower[0]), wide_set(lower[1]), wide_set(lower[2])};
    const wide high[3] = {wide_set(upper[0]), wide_set(upper[1]), wide_set(upper[2])};
    return WIDE_FN(boxes_met)(group, low, high);
}

/* ---- extents along a direction ---- */

static inline WIDE_TARGET uint32_t WIDE_FN(beyond)(wide reach, float limit)
{
    return wide_less_equal(reach, wide_set(limit)) ^ ((1u << WIDE_LANES) - 1);
}

static WIDE_TARGET uint32_t WIDE_FN(reach_of_boxes)(const scree_mesh_group *group,
                                                    const float along[3], float limit,
                                                    float reach[8])
{
    const float *x = along[0] > 0 ? group->upper[0] : group->lower[0];
    const float *y = along[1] > 0 ? group->upper[1] : group->lower[1];
    const float *z = along[2] > 0 ? group->upper[2] : group->lower[2];
    uint32_t far = 0;
    for (uint32_t lane = 0; lane < 8; lane += WIDE_LANES) {
        wide at = WIDE_FN(turned_along)(along, wide_load(x + lane), wide_load(y + lane),
                                        wide_load(z + lane));
        wide_store(reach + lane, at);
        far |= WIDE_FN(beyond)(at, limit) << lane;
    }
    return far;
}

static WIDE_TARGET uint32_t WIDE_FN(reach_of_leaf)(const scree_mesh_leaf *leaf,
                                                   const float along[3], float limit,
                                                   float reach[8])
{
    uint32_t far = 0;
    for (uint32_t lane = 0; lane < 8; lane += WIDE_LANES) {
        wide at[3];
        for (int c = 0; c < 3; c++)
            at[c] = WIDE_FN(turned_along)(along, wide_load(&leaf->corner[3 * c][lane]),
                                          wide_load(&leaf->corner[3 * c + 1][lane]),
                                          wide_load(&leaf->corner[3 * c + 2][lane]));
        at[0] = wide_max(at[0], at[1]);
        at[0] = wide_max(at[0], at[2]);
        wide_store(reach + lane, at[0]);
        far |= WIDE_FN(beyond)(at[0], limit) << lane;
    }
    return far;
}
