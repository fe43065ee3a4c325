/*  Method "dess-rtree": double-ended sorting, then a tree, as proposed at the end of E. D. Perkins'
   thesis (M.S., MIT, 1999). Both ends of every body are sorted on each axis, and an end's rank, its
   place in that order, stands for its coordinate from there on: bodies become rectangles of
   integers, and a tree over these is searched with integer comparisons alone. A region is brought
   to ranks by two binary searches an axis. */
#include "detect/dess_rtree.h"

#define BODIES_PER_BLOCK 4096u
/*  About a thousand bodies where a node has the usual 16 entries. */
#define LEAVES_PER_BLOCK 64u

static scree_status create(void *self, const scree_method_env *env)
{
    scree_dess_rtree *dess = self;
    dess->tree.dimensions = (uint32_t)env->def->dimensions;
    dess->tree.max_entries = env->def->rtree_max_entries;
    dess->tree.min_entries = env->def->rtree_min_entries;
    return SCREE_OK;
}

static void destroy(void *self, const scree_method_env *env)
{
    scree_dess_rtree *dess = self;
    scree_rank_tree_free(&dess->tree, env->memory);
    scree_sorter_free(&dess->sorter, env->memory);
    for (int k = 0; k < 3; k++) {
        scree_axis_free(&dess->axis[k], env->memory);
        scree_memory_give(env->memory, &dess->lower[k], dess->lower_capacity[k],
                          sizeof *dess->lower[k]);
        scree_memory_give(env->memory, &dess->upper[k], dess->upper_capacity[k],
                          sizeof *dess->upper[k]);
    }
}

/* ---- ranks ---- */

/*  What scree_key_of_double makes a key from. */
static double double_of_key(uint64_t key)
{
    union
    {
        uint64_t bits;
        double number;
    } u = {key >> 63 ? key ^ (uint64_t)1 << 63 : ~key};
    return u.number;
}

typedef struct ranking
{
    scree_dess_rtree *dess;
    const scree_bodies *bodies;
    int axis;
} ranking;

/*  Lower ends first, then upper ends, so that a stable sort by coordinate puts lower before upper:
    intervals are closed. */
static void fill_ends(void *data, size_t block, uint32_t worker)
{
    const ranking *r = data;
    scree_axis *axis = &r->dess->axis[r->axis];
    uint32_t count = r->bodies->active_count;
    size_t end = scree_block_end(block, BODIES_PER_BLOCK, count);
    (void)worker;
    for (size_t i = block * BODIES_PER_BLOCK; i < end; i++) {
        const scree_box *box = &r->bodies->box[r->bodies->active[i]];
        axis->key[i] = scree_key_of_double(box->lower[r->axis]);
        axis->end[i] = (uint32_t)i;
        axis->key[i + count] = scree_key_of_double(box->upper[r->axis]);
        axis->end[i + count] = (uint32_t)i | SCREE_UPPER_END;
    }
}

static void fill_ranks(void *data, size_t block, uint32_t worker)
{
    const ranking *r = data;
    const scree_axis *axis = &r->dess->axis[r->axis];
    uint32_t *lower = r->dess->lower[r->axis], *upper = r->dess->upper[r->axis];
    size_t end = scree_block_end(block, BODIES_PER_BLOCK, 2 * (size_t)r->bodies->active_count);
    (void)worker;
    for (size_t rank = block * BODIES_PER_BLOCK; rank < end; rank++) {
        uint32_t *ranks = scree_end_is_upper(axis->end[rank]) ? upper : lower;
        ranks[scree_end_id(axis->end[rank])] = (uint32_t)rank;
    }
}

static scree_status rank_axis(scree_dess_rtree *dess, const scree_method_env *env,
                              const scree_bodies *bodies, int axis)
{
    ranking job = {dess, bodies, axis};
    size_t count = bodies->active_count;
    scree_status status = scree_axis_reserve(&dess->axis[axis], env->memory, 2 * count);
    if (!status)
        status = scree_memory_reserve(env->memory, &dess->lower[axis], &dess->lower_capacity[axis],
                                      count, sizeof *dess->lower[axis]);
    if (!status)
        status = scree_memory_reserve(env->memory, &dess->upper[axis], &dess->upper_capacity[axis],
                                      count, sizeof *dess->upper[axis]);
    if (status)
        return status;
    scree_workers_run(env->workers, scree_block_count(count, BODIES_PER_BLOCK), fill_ends, &job);
    status = scree_sort_u64(&dess->sorter, env->memory, env->workers, dess->axis[axis].key,
                            dess->axis[axis].end, 2 * count);
    if (!status)
        scree_workers_run(env->workers, scree_block_count(2 * count, BODIES_PER_BLOCK), fill_ranks,
                          &job);
    return status;
}

static scree_status build(void *self, const scree_method_env *env, const scree_bodies *bodies)
{
    scree_dess_rtree *dess = self;
    scree_status status = SCREE_OK;
    dess->body_count = bodies->active_count;
    for (int k = 0; !status && k < bodies->dimensions; k++)
        status = rank_axis(dess, env, bodies, k);
    if (!status)
        status = scree_rank_tree_build(&dess->tree, env->memory, env->workers, dess->lower,
                                       dess->upper, bodies->active_count);
    dess->placed += bodies->active_count;
    return status;
}

scree_rank_box scree_dess_rtree_region(const scree_dess_rtree *dess, const scree_box *region)
{
    scree_rank_box ranks = {{0}, {0}};
    size_t count = 2 * (size_t)dess->body_count;
    for (uint32_t k = 0; k < dess->tree.dimensions; k++) {
        const uint64_t *key = dess->axis[k].key;
        uint64_t low = scree_key_of_double(region->lower[k]);
        uint64_t high = scree_key_of_double(region->upper[k]);
        /* keys of numbers are above 0, so one less than a key is a bound, too */
        ranks.lower[k] = (uint32_t)scree_axis_count_up_to(key, count, low - 1);
        ranks.upper[k] = (uint32_t)scree_axis_count_up_to(key, count, high);
    }
    return ranks;
}

/* ---- searching ---- */

/*  A body looks for others from its own rectangle: an end of another that comes before its upper
   end, or not before its lower, has a different rank, so open and closed are the same here. */
static void find_partners(const scree_dess_rtree *dess, const uint32_t *id, uint32_t body,
                          scree_sink *sink)
{
    const scree_rank_tree *tree = &dess->tree;
    uint32_t waiting[SCREE_RANK_TREE_STACK], found[SCREE_RANK_TREE_MAX_ENTRIES];
    size_t top = 0;
    scree_rank_box own = {{0}, {0}};
    for (uint32_t k = 0; k < tree->dimensions; k++) {
        own.lower[k] = dess->lower[k][body];
        own.upper[k] = dess->upper[k][body];
    }
    waiting[top++] = tree->node_count - 1;
    while (top > 0) {
        uint32_t node = waiting[--top];
        if (node >= tree->leaf_count) {
            top += scree_rank_tree_select(tree, node, &own, waiting + top);
            continue;
        }
        uint32_t fill = scree_rank_tree_select(tree, node, &own, found);
        for (uint32_t i = 0; i < fill; i++)
            if (found[i] > body)
                scree_sink_pair(sink, id[body], id[found[i]]);
    }
}

static size_t block_count(const void *self, const scree_bodies *bodies)
{
    const scree_dess_rtree *dess = self;
    (void)bodies;
    return scree_block_count(dess->tree.leaf_count, LEAVES_PER_BLOCK);
}

/*  Bodies in the order of the leaves: neighbours take nearly the same way down. */
static void pairs(const void *self, const scree_bodies *bodies, size_t block,
                  scree_scratch *scratch, scree_sink *sink)
{
    const scree_dess_rtree *dess = self;
    const scree_rank_tree *tree = &dess->tree;
    size_t end = scree_block_end(block, LEAVES_PER_BLOCK, tree->leaf_count);
    (void)scratch;
    for (size_t leaf = block * LEAVES_PER_BLOCK; leaf < end; leaf++)
        for (uint32_t slot = 0; slot < tree->count[leaf] && !sink->stopped; slot++)
            find_partners(dess, bodies->active, tree->child[leaf * tree->width + slot], sink);
}

/*  Only rays use coordinates, since they are not parallel to the axes. The real box of a node follows from the
    coordinates at its ranks. */
static scree_box node_box(const scree_dess_rtree *dess, uint32_t node)
{
    scree_rank_box ranks = scree_rank_tree_node_box(&dess->tree, node);
    scree_box box = {{0}, {0}};
    for (uint32_t k = 0; k < dess->tree.dimensions; k++) {
        box.lower[k] = double_of_key(dess->axis[k].key[ranks.lower[k]]);
        box.upper[k] = double_of_key(dess->axis[k].key[ranks.upper[k]]);
    }
    return box;
}

static void hit_bodies(const scree_dess_rtree *dess, const scree_bodies *bodies,
                       const scree_probe *probe, const scree_rank_box *region, uint32_t leaf,
                       scree_hit_sink *sink)
{
    uint32_t found[SCREE_RANK_TREE_MAX_ENTRIES];
    uint32_t fill = scree_rank_tree_select(&dess->tree, leaf, region, found);
    for (uint32_t i = 0; i < fill; i++) {
        uint32_t id = bodies->active[found[i]];
        if (!probe->is_ray || scree_probe_meets(probe, &bodies->box[id]))
            scree_sink_hit(sink, id);
    }
    /* a hit that is tested now shortens the ray for the nodes on the stack */
    if (probe->is_ray && sink->fill > 0)
        sink->flush(sink);
}

/*  The children of `node` that the probe meets, for rays the nearest on top. */
static size_t push_children(const scree_dess_rtree *dess, const scree_probe *probe,
                            const scree_rank_box *region, uint32_t node,
                            scree_waiting_node *waiting)
{
    uint32_t found[SCREE_RANK_TREE_MAX_ENTRIES];
    uint32_t found_count = scree_rank_tree_select(&dess->tree, node, region, found);
    size_t fill = 0;
    for (uint32_t i = 0; i < found_count; i++) {
        scree_waiting_node entry = {0, 0, found[i]};
        if (probe->is_ray) {
            scree_box box = node_box(dess, found[i]);
            if (!scree_probe_enters(probe, &box, &entry.t))
                continue;
        }
        fill = scree_waiting_put(waiting, fill, entry);
    }
    return fill;
}

static void query(const void *self, const scree_bodies *bodies, const scree_probe *probe,
                  scree_hit_sink *sink)
{
    const scree_dess_rtree *dess = self;
    const scree_rank_tree *tree = &dess->tree;
    scree_waiting_node waiting[SCREE_RANK_TREE_STACK];
    size_t top = 0;
    scree_rank_box region = scree_dess_rtree_region(dess, &probe->box);
    waiting[top++] = (scree_waiting_node){0, 0, tree->node_count - 1};
    while (top > 0 && !sink->stopped) {
        scree_waiting_node next = waiting[--top];
        if (probe->is_ray && next.t > probe->t_max)
            continue;
        if (next.node >= tree->leaf_count)
            top += push_children(dess, probe, &region, next.node, waiting + top);
        else
            hit_bodies(dess, bodies, probe, &region, next.node, sink);
    }
}

static void stats(const void *self, scree_stats *figures)
{
    const scree_dess_rtree *dess = self;
    figures->remapped += dess->placed;
}

/*  The coordinate of an end by its rank. */
static double place_of_rank(const scree_dess_rtree *dess, const scree_bodies *bodies, int axis,
                            uint32_t rank)
{
    uint32_t end = dess->axis[axis].end[rank];
    const scree_box *box = &bodies->box[bodies->active[scree_end_id(end)]];
    return scree_end_is_upper(end) ? box->upper[axis] : box->lower[axis];
}

/*  Nodes are rectangles of ranks: the ends of these ranks are the edges of a box. */
static void outline_nodes(const scree_dess_rtree *dess, const scree_bodies *bodies,
                          scree_outline_sink *sink)
{
    const scree_rank_tree *tree = &dess->tree;
    struct
    {
        uint32_t node, level;
    } waiting[SCREE_RANK_TREE_STACK], here;
    uint32_t waiting_count = 1;

    waiting[0].node = tree->node_count - 1;
    waiting[0].level = 0;
    while (waiting_count > 0 && !sink->stopped) {
        here = waiting[--waiting_count];
        scree_rank_box ranks = scree_rank_tree_node_box(tree, here.node);
        scree_outline_piece piece = {
            .kind = SCREE_OUTLINE_NODE, .level = here.level, .count = tree->count[here.node]};
        for (uint32_t k = 0; k < tree->dimensions; k++) {
            piece.lower[k] = place_of_rank(dess, bodies, (int)k, ranks.lower[k]);
            piece.upper[k] = place_of_rank(dess, bodies, (int)k, ranks.upper[k]);
        }
        scree_outline_put(sink, &piece);
        for (uint32_t slot = 0; here.node >= tree->leaf_count && slot < piece.count; slot++) {
            waiting[waiting_count].node = tree->child[(size_t)here.node * tree->width + slot];
            waiting[waiting_count++].level = here.level + 1;
        }
    }
}

static void outline(const void *self, const scree_bodies *bodies, scree_scratch *scratch,
                    scree_outline_sink *sink)
{
    const scree_dess_rtree *dess = self;
    (void)scratch;
    for (int k = 0; k < bodies->dimensions; k++)
        scree_axis_outline(&dess->axis[k], 2 * (size_t)dess->body_count, k, bodies->active, bodies,
                           sink);
    outline_nodes(dess, bodies, sink);
}

const scree_method scree_method_dess_rtree = {
    .info = {.name = "dess-rtree",
             .summary = "double-ended sorting, then a packed tree over rectangles of integer ranks",
             .cost = "N log N",
             .worst_time = "N^2, where long bodies cross without touching",
             .worst_memory = "N",
             .capabilities = SCREE_METHOD_QUERY | SCREE_METHOD_THREADS,
             .exponent = {1.1, 1.1}},
    .state_bytes = sizeof(scree_dess_rtree),
    .create = create,
    .destroy = destroy,
    .build = build,
    .block_count = block_count,
    .pairs = pairs,
    .query = query,
    .stats = stats,
    .outline = outline,
};
