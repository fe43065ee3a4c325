/*  Boxes turned and compared. Included for each level, after triangle_wide.h. */
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

static WIDE_TARGET void WIDE_FN(turn_leaf)(const scree_mesh_frame *frame,
                                           const scree_mesh_leaf *leaf, scree_mesh_turned *turned)
{
    const wide widen = wide_set(frame->widen);
    for (uint32_t lane = 0; lane < 8; lane += WIDE_LANES)
        for (int k = 0; k < 3; k++) {
            wide at[3];
            for (int c = 0; c < 3; c++)
                at[c] = WIDE_FN(turned_along)(frame->turn[k], wide_load(&leaf->corner[3 * c][lane]),
                                              wide_load(&leaf->corner[3 * c + 1][lane]),
                                              wide_load(&leaf->corner[3 * c + 2][lane]));
            wide lower = wide_min(wide_min(at[0], at[1]), at[2]);
            wide upper = wide_max(wide_max(at[0], at[1]), at[2]);
            lower = lower + (wide_set(frame->shift[k]) - widen);
            upper = upper + (wide_set(frame->shift[k]) + widen);
            wide_store(&turned->lower[k][lane], lower);
            wide_store(&turned->upper[k][lane], upper);
        }
}

/*  The greatest of the gaps along the three axes tells. */
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
        const scree_mesh_group *group = groups + list[n];
        uint32_t hits = 0, number = 8 * list[n];
        for (uint32_t lane = 0; lane < 8; lane += WIDE_LANES) {
            wide gap = wide_max(wide_load(&group->lower[0][lane]) - upper[0],
                                lower[0] - wide_load(&group->upper[0][lane]));
            for (int k = 1; k < 3; k++) {
                gap = wide_max(wide_load(&group->lower[k][lane]) - upper[k], gap);
                gap = wide_max(lower[k] - wide_load(&group->upper[k][lane]), gap);
            }
            hits |= wide_less_equal(gap, wide_set(0)) << lane;
        }
        for (; hits; hits >>= 1, number++)
            if (hits & 1)
                met[met_count++] = number;
    }
    return met_count;
}
