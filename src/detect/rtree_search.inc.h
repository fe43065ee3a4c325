/*  The search for the partners of one body, at one SIMD level: see rtree_search.c, which includes
   this once a level. From the root, every branch whose box overlaps is entered. Found branches are
    appended without a branch of the program: written always, counted when they overlap. */

/*  One bit for each of the entries [first, first + WIDE_LANES) whose box overlaps. */
WIDE_TARGET static inline uint32_t WIDE_FN(overlapping)(const double *bounds, size_t width,
                                                        const scree_box *box)
{
    uint32_t mask = ~(uint32_t)0;
    for (size_t k = 0; k < 3; k++) {
        wide lower = wide_load(bounds + k * width), upper = wide_load(bounds + (k + 3) * width);
        mask &= wide_less_equal(lower, wide_set(box->upper[k]));
        mask &= wide_less_equal(wide_set(box->lower[k]), upper);
    }
    return mask;
}

/*  Children of `node` that overlap, to `found`, which has room for all of them. */
WIDE_TARGET static inline uint32_t WIDE_FN(select_children)(const scree_rtree *tree, uint32_t node,
                                                            const scree_box *box, uint32_t *found)
{
    const double *bounds = scree_rtree_bounds(tree, node);
    const uint32_t *child = scree_rtree_children(tree, node);
    uint32_t count = tree->head[node].count, fill = 0;
    for (uint32_t first = 0; first < count; first += WIDE_LANES) {
        uint32_t mask = WIDE_FN(overlapping)(bounds + first, tree->width, box);
        uint32_t lanes = count - first < WIDE_LANES ? count - first : WIDE_LANES;
        for (uint32_t lane = 0; lane < lanes; lane++) {
            found[fill] = child[first + lane];
            fill += mask >> lane & 1;
        }
    }
    return fill;
}

WIDE_TARGET static void WIDE_FN(find_partners)(const scree_rtree *tree, const scree_box *box,
                                               uint32_t id, scree_sink *sink)
{
    uint32_t waiting[SCREE_RTREE_STACK], found[SCREE_RTREE_MAX_ENTRIES];
    size_t top = 0;
    waiting[top++] = tree->root;
    while (top > 0) {
        uint32_t node = waiting[--top];
        if (tree->head[node].level > 0) {
            top += WIDE_FN(select_children)(tree, node, box, waiting + top);
            continue;
        }
        uint32_t fill = WIDE_FN(select_children)(tree, node, box, found);
        for (uint32_t i = 0; i < fill; i++)
            if (found[i] > id)
                scree_sink_pair(sink, id, found[i]);
    }
}

/*  All bodies of one leaf, one after the other: they take nearly the same way down, which is then
   in the cache. */
WIDE_TARGET static void WIDE_FN(find_partners_of_leaf)(const scree_rtree *tree, uint32_t leaf,
                                                       scree_sink *sink)
{
    for (uint32_t slot = 0; slot < tree->head[leaf].count && !sink->stopped; slot++) {
        scree_box box = scree_rtree_slot_box(tree, leaf, slot);
        WIDE_FN(find_partners)(tree, &box, scree_rtree_children(tree, leaf)[slot], sink);
    }
}
