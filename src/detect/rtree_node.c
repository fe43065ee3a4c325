/*  Storage of nodes of the R-trees, and basic operations. The boxes of the entries of a node are stored coordinate
    by coordinate, so that one vector comparison tests several entries. Parent links make the way up, after an
    insertion or a removal, a simple loop. */
#include "detect/rtree.h"

#include <string.h>

/*  Eight lanes are the widest vector there is (see base/wide.h). */
#define LANES 8u

void scree_rtree_init(scree_rtree *tree, const scree_detector_def *def,
                      const scree_rtree_policy *policy)
{
    tree->policy = policy;
    tree->dimensions = (uint32_t)def->dimensions;
    tree->max_entries = def->rtree_max_entries;
    tree->min_entries = def->rtree_min_entries;
    tree->width = (def->rtree_max_entries + LANES - 1) / LANES * LANES;
    tree->simd = scree_simd_resolve(def->simd);
    tree->root = SCREE_RTREE_NONE;
    tree->free_node = SCREE_RTREE_NONE;
}

void scree_rtree_free(scree_rtree *tree, scree_memory *memory)
{
    scree_memory_give(memory, &tree->bounds, tree->bounds_capacity, sizeof *tree->bounds);
    scree_memory_give(memory, &tree->child, tree->child_capacity, sizeof *tree->child);
    scree_memory_give(memory, &tree->head, tree->head_capacity, sizeof *tree->head);
    scree_memory_give(memory, &tree->leaf_of, tree->leaf_capacity, sizeof *tree->leaf_of);
    scree_memory_give(memory, &tree->pending, tree->pending_capacity, sizeof *tree->pending);
    scree_tiler_free(&tree->tiler, memory);
}

static scree_status reserve_nodes(scree_rtree *tree, scree_memory *memory, size_t count)
{
    /* 2^31 bodies make less than 2^31 nodes, as each has two entries at least */
    scree_status status =
        scree_memory_reserve(memory, &tree->head, &tree->head_capacity, count, sizeof *tree->head);
    if (!status)
        status = scree_memory_reserve(memory, &tree->bounds, &tree->bounds_capacity,
                                      count * 6 * tree->width, sizeof *tree->bounds);
    if (!status)
        status = scree_memory_reserve(memory, &tree->child, &tree->child_capacity,
                                      count * tree->width, sizeof *tree->child);
    return status;
}

scree_status scree_rtree_reset(scree_rtree *tree, scree_memory *memory, size_t node_count,
                               uint32_t id_bound)
{
    tree->root = SCREE_RTREE_NONE;
    tree->free_node = SCREE_RTREE_NONE;
    tree->node_count = 0;
    tree->pending_count = 0;
    scree_status status = reserve_nodes(tree, memory, node_count);
    if (!status)
        status = scree_memory_reserve(memory, &tree->leaf_of, &tree->leaf_capacity, id_bound,
                                      sizeof *tree->leaf_of);
    return status;
}

scree_status scree_rtree_add_node(scree_rtree *tree, scree_memory *memory, uint32_t level,
                                  uint32_t *node)
{
    if (tree->free_node != SCREE_RTREE_NONE) {
        *node = tree->free_node;
        tree->free_node = tree->head[*node].parent;
    } else {
        scree_status status = reserve_nodes(tree, memory, (size_t)tree->node_count + 1);
        if (status)
            return status;
        *node = tree->node_count++;
        size_t width = tree->width;
        /* searches load whole vectors, also past the last entry */
        memset(scree_rtree_bounds(tree, *node), 0, 6 * width * sizeof *tree->bounds);
        memset(scree_rtree_children(tree, *node), 0, width * sizeof *tree->child);
    }
    scree_rtree_head head = {SCREE_RTREE_NONE, 0, (uint16_t)level};
    tree->head[*node] = head;
    return SCREE_OK;
}

void scree_rtree_free_node(scree_rtree *tree, uint32_t node)
{
    scree_rtree_head head = {tree->free_node, 0, SCREE_RTREE_FREE_LEVEL};
    tree->head[node] = head;
    tree->free_node = node;
}

scree_rtree_entry scree_rtree_get(const scree_rtree *tree, uint32_t node, uint32_t slot)
{
    scree_rtree_entry entry = {scree_rtree_slot_box(tree, node, slot),
                               scree_rtree_children(tree, node)[slot], tree->head[node].level};
    return entry;
}

void scree_rtree_set_box(scree_rtree *tree, uint32_t node, uint32_t slot, const scree_box *box)
{
    double *bounds = scree_rtree_bounds(tree, node) + slot;
    for (size_t k = 0; k < 3; k++) {
        bounds[k * tree->width] = box->lower[k];
        bounds[(k + 3) * tree->width] = box->upper[k];
    }
}

void scree_rtree_append(scree_rtree *tree, uint32_t node, const scree_rtree_entry *entry)
{
    uint32_t slot = tree->head[node].count++;
    scree_rtree_set_box(tree, node, slot, &entry->box);
    scree_rtree_children(tree, node)[slot] = entry->child;
    if (tree->head[node].level > 0)
        tree->head[entry->child].parent = node;
    else
        tree->leaf_of[entry->child] = node;
}

void scree_rtree_erase(scree_rtree *tree, uint32_t node, uint32_t slot)
{
    uint32_t last = --tree->head[node].count;
    scree_box box = scree_rtree_slot_box(tree, node, last);
    scree_rtree_set_box(tree, node, slot, &box);
    scree_rtree_children(tree, node)[slot] = scree_rtree_children(tree, node)[last];
}

uint32_t scree_rtree_slot_of(const scree_rtree *tree, uint32_t node, uint32_t child)
{
    const uint32_t *children = scree_rtree_children(tree, node);
    uint32_t slot = 0;
    while (children[slot] != child)
        slot++;
    return slot;
}

scree_box scree_rtree_node_box(const scree_rtree *tree, uint32_t node)
{
    const double *bounds = scree_rtree_bounds(tree, node);
    uint32_t count = tree->head[node].count;
    scree_box box;
    for (int k = 0; k < 3; k++) {
        const double *lower = bounds + (size_t)k * tree->width;
        const double *upper = bounds + (size_t)(k + 3) * tree->width;
        box.lower[k] = lower[0];
        box.upper[k] = upper[0];
        for (uint32_t slot = 1; slot < count; slot++) {
            box.lower[k] = lower[slot] < box.lower[k] ? lower[slot] : box.lower[k];
            box.upper[k] = upper[slot] > box.upper[k] ? upper[slot] : box.upper[k];
        }
    }
    return box;
}

static bool boxes_equal(const scree_box *a, const scree_box *b)
{
    bool equal = true;
    for (int k = 0; k < 3; k++)
        equal = equal && a->lower[k] == b->lower[k] && a->upper[k] == b->upper[k];
    return equal;
}

static bool leaf_is_valid(const scree_rtree *tree, uint32_t node, const scree_bodies *bodies)
{
    for (uint32_t slot = 0; slot < tree->head[node].count; slot++) {
        uint32_t id = scree_rtree_children(tree, node)[slot];
        scree_box box = scree_rtree_slot_box(tree, node, slot);
        if (id >= bodies->bound || bodies->position[id] == SCREE_NOT_ACTIVE ||
            tree->leaf_of[id] != node || scree_rtree_slot_of(tree, node, id) != slot ||
            !boxes_equal(&box, &bodies->box[id]))
            return false;
    }
    return true;
}

/*  Seen from below: the parent is one level up, and has one entry for this node with its hull. */
static bool link_is_valid(const scree_rtree *tree, uint32_t node)
{
    scree_rtree_head head = tree->head[node];
    if (head.count < tree->min_entries || head.parent >= tree->node_count ||
        tree->head[head.parent].level != head.level + 1u)
        return false;
    uint32_t found = 0;
    scree_box hull = scree_rtree_node_box(tree, node);
    for (uint32_t slot = 0; slot < tree->head[head.parent].count; slot++) {
        scree_box box = scree_rtree_slot_box(tree, head.parent, slot);
        if (scree_rtree_children(tree, head.parent)[slot] == node)
            found += boxes_equal(&box, &hull) ? 1 : 2;
    }
    return found == 1;
}

bool scree_rtree_is_valid(const scree_rtree *tree, const scree_bodies *bodies)
{
    size_t live = 0, node_entries = 0, body_entries = 0, unused = 0;
    if (tree->root >= tree->node_count || tree->head[tree->root].level >= SCREE_RTREE_MAX_LEVELS)
        return false;
    for (uint32_t node = 0; node < tree->node_count; node++) {
        scree_rtree_head head = tree->head[node];
        if (head.level == SCREE_RTREE_FREE_LEVEL)
            continue;
        live++;
        *(head.level > 0 ? &node_entries : &body_entries) += head.count;
        if (head.count > tree->max_entries || (node != tree->root && !link_is_valid(tree, node)) ||
            (head.level == 0 && !leaf_is_valid(tree, node, bodies)))
            return false;
    }
    for (uint32_t node = tree->free_node; node != SCREE_RTREE_NONE; node = tree->head[node].parent)
        unused++;

    /* every live node but the root is below its parent once: then these sums say there is no loop,
       no orphan and no body that is missing */
    bool root_is_full_enough =
        tree->head[tree->root].level == 0 || tree->head[tree->root].count >= 2;
    return root_is_full_enough && live + unused == tree->node_count && node_entries == live - 1 &&
           body_entries == bodies->active_count && tree->pending_count == 0;
}
