/*  Searches R-trees. For pairs, each body's box is searched from the root, and a body found is reported if its id is
    larger: so each pair is found once. The search is divided into blocks of nodes: a block has the bodies of the
    leaves among its nodes, whichever worker runs it. */
#include "detect/rtree.h"

#define WIDE_LEVEL WIDE_SCALAR
#include "base/wide.h"
#include "detect/rtree_search.inc.h"
#undef WIDE_LEVEL

#if WIDE_HAS_128
#define WIDE_LEVEL WIDE_128
#include "base/wide.h"
#include "detect/rtree_search.inc.h"
#undef WIDE_LEVEL
#endif

#if WIDE_HAS_X86
#define WIDE_LEVEL WIDE_AVX2
#include "base/wide.h"
#include "detect/rtree_search.inc.h"
#undef WIDE_LEVEL
#define WIDE_LEVEL WIDE_AVX512
#include "base/wide.h"
#include "detect/rtree_search.inc.h"
#undef WIDE_LEVEL
#endif

/*  About a thousand bodies where a node has the usual 16 entries. */
#define NODES_PER_BLOCK 64u

size_t scree_rtree_method_block_count(const void *self, const scree_bodies *bodies)
{
    const scree_rtree *tree = self;
    (void)bodies;
    return scree_block_count(tree->node_count, NODES_PER_BLOCK);
}

void scree_rtree_method_pairs(const void *self, const scree_bodies *bodies, size_t block,
                              scree_scratch *scratch, scree_sink *sink)
{
    const scree_rtree *tree = self;
    (void)bodies;
    (void)scratch;
    static void (*const searches[])(const scree_rtree *, uint32_t, scree_sink *) =
        WIDE_LEVELS(find_partners_of_leaf);
    void (*search)(const scree_rtree *, uint32_t, scree_sink *) = searches[tree->simd];
    size_t end = scree_block_end(block, NODES_PER_BLOCK, tree->node_count);
    for (size_t node = block * NODES_PER_BLOCK; node < end && !sink->stopped; node++)
        if (tree->head[node].level == 0)
            search(tree, (uint32_t)node, sink);
}

/*  The children of `node` that the probe meets, for rays the nearest on top. */
static size_t push_children(const scree_rtree *tree, const scree_probe *probe, uint32_t node,
                            scree_waiting_node *waiting)
{
    size_t fill = 0;
    for (uint32_t slot = 0; slot < tree->head[node].count; slot++) {
        scree_box box = scree_rtree_slot_box(tree, node, slot);
        scree_waiting_node entry = {0, 0, scree_rtree_children(tree, node)[slot]};
        if (!scree_boxes_overlap(&probe->box, &box) ||
            (probe->is_ray && !scree_probe_enters(probe, &box, &entry.t)))
            continue;
        fill = scree_waiting_put(waiting, fill, entry);
    }
    return fill;
}

static void hit_bodies(const scree_rtree *tree, const scree_probe *probe, uint32_t leaf,
                       scree_hit_sink *sink)
{
    for (uint32_t slot = 0; slot < tree->head[leaf].count; slot++) {
        scree_box box = scree_rtree_slot_box(tree, leaf, slot);
        if (scree_probe_meets(probe, &box))
            scree_sink_hit(sink, scree_rtree_children(tree, leaf)[slot]);
    }
    /* a hit that is tested now shortens the ray for the nodes on the stack */
    if (probe->is_ray && sink->fill > 0)
        sink->flush(sink);
}

void scree_rtree_method_query(const void *self, const scree_bodies *bodies,
                              const scree_probe *probe, scree_hit_sink *sink)
{
    const scree_rtree *tree = self;
    scree_waiting_node waiting[SCREE_RTREE_STACK];
    size_t top = 0;
    (void)bodies;
    waiting[top++] = (scree_waiting_node){0, 0, tree->root};
    while (top > 0 && !sink->stopped) {
        scree_waiting_node next = waiting[--top];
        if (next.t > probe->t_max && probe->is_ray)
            continue;
        if (tree->head[next.node].level == 0)
            hit_bodies(tree, probe, next.node, sink);
        else
            top += push_children(tree, probe, next.node, waiting + top);
    }
}
