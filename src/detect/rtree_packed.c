/*  Method "rtree-packed": an R-tree made from all bodies at once. They are put in
   sort-tile-recursive order (rtree_tile.c) and cut into full nodes; the nodes are items of the next
   level, until one is left. Nodes are fuller and overlap less than with insertion, and the build is
   three sorts. (Leutenegger, Lopez, Edgington, ICDE 1997) */
#include "detect/rtree.h"

#define ITEMS_PER_BLOCK 4096u
#define NODES_PER_BLOCK 256u

/*  One level: its items are bodies (level 0) or the nodes [first_item, first_item + item_count). */
typedef struct packing
{
    scree_rtree *tree;
    const scree_bodies *bodies;
    uint32_t level, axis;
    uint32_t first_item, first_node;
    size_t item_count, node_count;
} packing;

static scree_rtree_entry item_entry(const packing *pack, size_t item)
{
    scree_rtree_entry entry;
    entry.level = pack->level;
    if (pack->level == 0) {
        entry.child = pack->bodies->active[item];
        entry.box = pack->bodies->box[entry.child];
    } else {
        entry.child = pack->first_item + (uint32_t)item;
        entry.box = scree_rtree_node_box(pack->tree, entry.child);
    }
    return entry;
}

/*  Centres (twice that: the order is the same) on one axis. */
static void fill_keys(void *data, size_t block, uint32_t worker)
{
    const packing *pack = data;
    size_t end = scree_block_end(block, ITEMS_PER_BLOCK, pack->item_count);
    (void)worker;
    for (size_t i = block * ITEMS_PER_BLOCK; i < end; i++) {
        scree_rtree_entry entry = item_entry(pack, i);
        pack->tree->tiler.key[i] =
            scree_key_of_double(entry.box.lower[pack->axis] + entry.box.upper[pack->axis]);
    }
}

static void fill_nodes(void *data, size_t block, uint32_t worker)
{
    const packing *pack = data;
    scree_rtree *tree = pack->tree;
    size_t node_end = scree_block_end(block, NODES_PER_BLOCK, pack->node_count);
    (void)worker;
    for (size_t i = block * NODES_PER_BLOCK; i < node_end; i++) {
        size_t begin, end;
        scree_tile_range(i, pack->item_count, tree->max_entries, tree->min_entries, &begin, &end);
        for (size_t k = begin; k < end; k++) {
            scree_rtree_entry entry = item_entry(pack, tree->tiler.order[k]);
            scree_rtree_append(tree, pack->first_node + (uint32_t)i, &entry);
        }
    }
}

static scree_status pack_level(packing *pack, const scree_method_env *env)
{
    scree_rtree *tree = pack->tree;
    scree_status status = scree_tiler_reserve(&tree->tiler, env->memory, pack->item_count);
    for (pack->axis = 0; !status && pack->axis < tree->dimensions; pack->axis++) {
        scree_workers_run(env->workers, scree_block_count(pack->item_count, ITEMS_PER_BLOCK),
                          fill_keys, pack);
        status = scree_tiler_sort_axis(&tree->tiler, env->memory, env->workers, pack->axis,
                                       tree->dimensions, pack->item_count, tree->max_entries);
    }
    pack->first_node = tree->node_count;
    for (size_t i = 0; !status && i < pack->node_count; i++)
        status = scree_rtree_add_node(tree, env->memory, pack->level, &tree->root);
    if (!status)
        scree_workers_run(env->workers, scree_block_count(pack->node_count, NODES_PER_BLOCK),
                          fill_nodes, pack);
    return status;
}

scree_status scree_rtree_pack(scree_rtree *tree, const scree_method_env *env,
                              const scree_bodies *bodies)
{
    packing pack = {.tree = tree, .bodies = bodies, .item_count = bodies->active_count};
    /* only speed: nodes are reserved as they are added */
    scree_status status = scree_rtree_reset(tree, env->memory, 1, bodies->bound);
    if (!status && pack.item_count == 0)
        return scree_rtree_add_node(tree, env->memory, 0, &tree->root);
    do {
        pack.node_count = scree_block_count(pack.item_count, tree->max_entries);
        if (!status)
            status = pack_level(&pack, env);
        pack.first_item = pack.first_node;
        pack.item_count = pack.node_count;
        pack.level++;
    } while (!status && pack.node_count > 1);
    tree->placed += bodies->active_count;
    return status;
}

static scree_status create(void *self, const scree_method_env *env)
{
    scree_rtree *tree = self;
    scree_rtree_init(tree, env->def, &scree_rtree_guttman);
    tree->packs = true;
    return SCREE_OK;
}

const scree_method scree_method_rtree_packed = {
    .info = {.name = "rtree-packed",
             .summary = "R-tree made in bulk, in sort-tile-recursive order",
             .cost = "N log N; building is three sorts",
             .worst_time = "N^2, where long bodies cross without touching",
             .worst_memory = "N",
             .capabilities = SCREE_RTREE_CAPABILITIES,
             .exponent = {1.1, 1.1}},
    .create = create,
    SCREE_RTREE_PARTS,
};
