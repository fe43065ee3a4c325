/*  Packing and searching rectangles of ranks. Items are put in sort-tile-recursive order and cut
   into full nodes; the nodes are the items of the next level. Integers make nodes half as large as
   those of doubles, and four or more entries are compared at a time. */
#include "detect/rank_tree.h"

/*  Lanes come in whole vectors of any instruction set, with no remainder loop. */
#define LANES 8u

void scree_rank_tree_free(scree_rank_tree *tree, scree_memory *memory)
{
    scree_memory_give(memory, &tree->bounds, tree->bounds_capacity, sizeof *tree->bounds);
    scree_memory_give(memory, &tree->child, tree->child_capacity, sizeof *tree->child);
    scree_memory_give(memory, &tree->count, tree->count_capacity, sizeof *tree->count);
    scree_tiler_free(&tree->tiler, memory);
}

static uint32_t *node_bounds(const scree_rank_tree *tree, uint32_t node)
{
    return tree->bounds + (size_t)node * 2 * tree->dimensions * tree->width;
}

static uint32_t *node_children(const scree_rank_tree *tree, uint32_t node)
{
    return tree->child + (size_t)node * tree->width;
}

scree_rank_box scree_rank_tree_node_box(const scree_rank_tree *tree, uint32_t node)
{
    scree_rank_box box = {{0}, {0}};
    for (uint32_t k = 0; k < tree->dimensions; k++) {
        const uint32_t *lower = node_bounds(tree, node) + (size_t)k * tree->width;
        const uint32_t *upper = lower + (size_t)tree->dimensions * tree->width;
        box.lower[k] = lower[0];
        box.upper[k] = upper[0];
        for (uint32_t slot = 1; slot < tree->count[node]; slot++) {
            box.lower[k] = lower[slot] < box.lower[k] ? lower[slot] : box.lower[k];
            box.upper[k] = upper[slot] > box.upper[k] ? upper[slot] : box.upper[k];
        }
    }
    return box;
}

/* ---- building ---- */

/*  One level: its items are those given (level 0) or the nodes from first_item on. */
typedef struct packing
{
    scree_rank_tree *tree;
    uint32_t *const *lower, *const *upper;
    bool is_leaf_level;
    uint32_t axis, first_item, first_node;
    size_t item_count, node_count;
} packing;

static scree_rank_box item_box(const packing *pack, size_t item)
{
    if (!pack->is_leaf_level)
        return scree_rank_tree_node_box(pack->tree, pack->first_item + (uint32_t)item);
    scree_rank_box box = {{0}, {0}};
    for (uint32_t k = 0; k < pack->tree->dimensions; k++) {
        box.lower[k] = pack->lower[k][item];
        box.upper[k] = pack->upper[k][item];
    }
    return box;
}

#define ITEMS_PER_BLOCK 4096u
#define NODES_PER_BLOCK 256u

static void fill_keys(void *data, size_t block, uint32_t worker)
{
    const packing *pack = data;
    size_t end = scree_block_end(block, ITEMS_PER_BLOCK, pack->item_count);
    (void)worker;
    for (size_t i = block * ITEMS_PER_BLOCK; i < end; i++) {
        scree_rank_box box = item_box(pack, i);
        pack->tree->tiler.key[i] = (uint64_t)box.lower[pack->axis] + box.upper[pack->axis];
    }
}

static void fill_node(const packing *pack, uint32_t node, size_t begin, size_t end)
{
    scree_rank_tree *tree = pack->tree;
    uint32_t *bounds = node_bounds(tree, node), *child = node_children(tree, node);
    size_t upper_half = (size_t)tree->dimensions * tree->width;
    tree->count[node] = (uint32_t)(end - begin);
    for (size_t slot = 0; slot < tree->width; slot++) {
        /* an empty slot overlaps nothing, as no rank is below 0; so searches need no count */
        scree_rank_box box = {{UINT32_MAX, UINT32_MAX, UINT32_MAX}, {0}};
        child[slot] = 0;
        if (begin + slot < end) {
            size_t item = tree->tiler.order[begin + slot];
            box = item_box(pack, item);
            child[slot] = (uint32_t)item + (pack->is_leaf_level ? 0 : pack->first_item);
        }
        for (size_t k = 0; k < tree->dimensions; k++) {
            bounds[k * tree->width + slot] = box.lower[k];
            bounds[upper_half + k * tree->width + slot] = box.upper[k];
        }
    }
}

static void fill_nodes(void *data, size_t block, uint32_t worker)
{
    const packing *pack = data;
    const scree_rank_tree *tree = pack->tree;
    size_t node_end = scree_block_end(block, NODES_PER_BLOCK, pack->node_count);
    (void)worker;
    for (size_t i = block * NODES_PER_BLOCK; i < node_end; i++) {
        size_t begin, end;
        scree_tile_range(i, pack->item_count, tree->max_entries, tree->min_entries, &begin, &end);
        fill_node(pack, pack->first_node + (uint32_t)i, begin, end);
    }
}

static scree_status pack_level(packing *pack, scree_memory *memory, const scree_workers *workers)
{
    scree_rank_tree *tree = pack->tree;
    for (pack->axis = 0; pack->axis < tree->dimensions; pack->axis++) {
        scree_workers_run(workers, scree_block_count(pack->item_count, ITEMS_PER_BLOCK), fill_keys,
                          pack);
        scree_status status =
            scree_tiler_sort_axis(&tree->tiler, memory, workers, pack->axis, tree->dimensions,
                                  pack->item_count, tree->max_entries);
        if (status)
            return status;
    }
    scree_workers_run(workers, scree_block_count(pack->node_count, NODES_PER_BLOCK), fill_nodes,
                      pack);
    return SCREE_OK;
}

static scree_status reserve(scree_rank_tree *tree, scree_memory *memory, size_t item_count)
{
    size_t node_count = 0, items = item_count;
    do {
        items = scree_block_count(items, tree->max_entries);
        node_count += items;
    } while (items > 1);
    scree_status status = scree_memory_reserve(memory, &tree->count, &tree->count_capacity,
                                               node_count, sizeof *tree->count);
    if (!status)
        status = scree_memory_reserve(memory, &tree->child, &tree->child_capacity,
                                      node_count * tree->width, sizeof *tree->child);
    if (!status)
        status = scree_memory_reserve(memory, &tree->bounds, &tree->bounds_capacity,
                                      node_count * 2 * tree->dimensions * tree->width,
                                      sizeof *tree->bounds);
    if (!status)
        status = scree_tiler_reserve(&tree->tiler, memory, item_count);
    return status;
}

scree_status scree_rank_tree_build(scree_rank_tree *tree, scree_memory *memory,
                                   const scree_workers *workers, uint32_t *const lower[3],
                                   uint32_t *const upper[3], size_t item_count)
{
    packing pack = {.tree = tree,
                    .lower = lower,
                    .upper = upper,
                    .is_leaf_level = true,
                    .item_count = item_count};
    tree->node_count = tree->leaf_count = 0;
    tree->width = (tree->max_entries + LANES - 1) / LANES * LANES;
    scree_status status = reserve(tree, memory, item_count);
    while (!status && pack.item_count > (pack.is_leaf_level ? 0u : 1u)) {
        pack.node_count = scree_block_count(pack.item_count, tree->max_entries);
        status = pack_level(&pack, memory, workers);
        tree->node_count = pack.first_node + (uint32_t)pack.node_count;
        if (pack.is_leaf_level)
            tree->leaf_count = tree->node_count;
        pack.is_leaf_level = false;
        pack.first_item = pack.first_node;
        pack.first_node = tree->node_count;
        pack.item_count = pack.node_count;
    }
    return status;
}

/* ---- searching ---- */

uint32_t scree_rank_tree_select(const scree_rank_tree *tree, uint32_t node,
                                const scree_rank_box *sought, uint32_t *found)
{
    uint32_t overlaps[SCREE_RANK_TREE_MAX_ENTRIES];
    const uint32_t *lower = node_bounds(tree, node), *child = node_children(tree, node);
    size_t width = tree->width;
    for (size_t slot = 0; slot < width; slot++)
        overlaps[slot] = 1;
    for (uint32_t k = 0; k < tree->dimensions; k++) {
        const uint32_t *low = lower + k * width, *high = low + tree->dimensions * width;
        uint32_t begin = sought->lower[k], end = sought->upper[k];
        for (size_t slot = 0; slot < width; slot++)
            overlaps[slot] &= (uint32_t)(low[slot] < end) & (uint32_t)(high[slot] >= begin);
    }

    /* written always, kept by counting: no branch to guess wrong */
    uint32_t fill = 0;
    for (size_t slot = 0; slot < width; slot++) {
        found[fill] = child[slot];
        fill += overlaps[slot];
    }
    return fill;
}

/* ---- checking ---- */

static bool boxes_equal(const scree_rank_box *a, const scree_rank_box *b)
{
    bool equal = true;
    for (int k = 0; k < 3; k++)
        equal = equal && a->lower[k] == b->lower[k] && a->upper[k] == b->upper[k];
    return equal;
}

bool scree_rank_tree_is_valid(const scree_rank_tree *tree, uint32_t *const lower[3],
                              uint32_t *const upper[3], size_t item_count)
{
    const packing leaves = {
        .tree = (scree_rank_tree *)tree, .lower = lower, .upper = upper, .is_leaf_level = true};
    const packing inner = {.tree = (scree_rank_tree *)tree};
    size_t items = 0, below = 0;
    for (uint32_t node = 0; node < tree->node_count; node++) {
        bool is_leaf = node < tree->leaf_count;
        uint32_t count = tree->count[node];
        if (count > tree->max_entries || count == 0 ||
            (node + 1 != tree->node_count && count < tree->min_entries))
            return false;
        *(is_leaf ? &items : &below) += count;
        for (uint32_t slot = 0; slot < count; slot++) {
            uint32_t child = node_children(tree, node)[slot];
            if (child >= (is_leaf ? item_count : node))
                return false;
            scree_rank_box box = item_box(is_leaf ? &leaves : &inner, child), own = {{0}, {0}};
            for (uint32_t k = 0; k < tree->dimensions; k++) {
                own.lower[k] = node_bounds(tree, node)[k * tree->width + slot];
                own.upper[k] = node_bounds(tree, node)[(k + tree->dimensions) * tree->width + slot];
            }
            if (!boxes_equal(&box, &own))
                return false;
        }
    }
    return items == item_count && below + 1 == (tree->node_count ? tree->node_count : 1);
}
