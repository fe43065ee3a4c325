/*  One body into an R-tree, or out of it, after Guttman, "R-trees: a dynamic index structure for
    spatial searching", SIGMOD 1984. An insertion walks down by the policy's choice; a node that
    overflows is split, which may overflow its parent, and so on up to the root. A removal dissolves
    nodes that have become too empty and inserts their entries again, each at its own level. */
#include "detect/rtree.h"

/*  The node of entry->level under which the entry belongs. */
static uint32_t choose_node(const scree_rtree *tree, const scree_rtree_entry *entry)
{
    uint32_t node = tree->root;
    while (tree->head[node].level > entry->level)
        node = scree_rtree_children(tree, node)[tree->policy->choose(tree, node, &entry->box)];
    return node;
}

/*  `box` was added to `node`: enlarges the boxes above. */
static void grow_ancestors(scree_rtree *tree, uint32_t node, const scree_box *box)
{
    while (node != tree->root) {
        uint32_t parent = tree->head[node].parent;
        uint32_t slot = scree_rtree_slot_of(tree, parent, node);
        scree_box grown = scree_rtree_slot_box(tree, parent, slot);
        scree_box_include(&grown, box);
        scree_rtree_set_box(tree, parent, slot, &grown);
        node = parent;
    }
}

/*  `node` has changed: makes the entry above its hull again. */
static void tighten(scree_rtree *tree, uint32_t node)
{
    uint32_t parent = tree->head[node].parent;
    scree_box hull = scree_rtree_node_box(tree, node);
    scree_rtree_set_box(tree, parent, scree_rtree_slot_of(tree, parent, node), &hull);
}

static scree_status reserve_pending(scree_rtree *tree, scree_memory *memory, size_t more)
{
    return scree_memory_reserve(memory, &tree->pending, &tree->pending_capacity,
                                tree->pending_count + more, sizeof *tree->pending);
}

static double centre_distance_sq(const scree_box *a, const scree_box *b)
{
    double sum = 0;
    for (int k = 0; k < 3; k++) {
        double d = 0.5 * (a->lower[k] + a->upper[k]) - 0.5 * (b->lower[k] + b->upper[k]);
        sum += d * d;
    }
    return sum;
}

/*  Forced reinsertion (Beckmann, Kriegel, Schneider, Seeger, SIGMOD 1990, section 4.3): the 30 % of
    the entries whose centres are farthest from that of the node are taken out, to be inserted again,
    the closest of them first ("close reinsert"). `entries` are all of the node and the new one. */
static scree_status take_out_farthest(scree_rtree *tree, scree_memory *memory, uint32_t node,
                                      scree_rtree_entry *entries, uint32_t count)
{
    double distance[SCREE_RTREE_MAX_ENTRIES + 1];
    scree_box hull = entries[0].box;
    for (uint32_t i = 1; i < count; i++)
        scree_box_include(&hull, &entries[i].box);

    /* farthest first: pending entries are served from the end */
    for (uint32_t i = 0; i < count; i++) {
        scree_rtree_entry entry = entries[i];
        double d = centre_distance_sq(&entry.box, &hull);
        uint32_t place = i;
        for (; place > 0 && distance[place - 1] < d; place--) {
            distance[place] = distance[place - 1];
            entries[place] = entries[place - 1];
        }
        distance[place] = d;
        entries[place] = entry;
    }

    uint32_t out = tree->max_entries * 3 / 10;
    scree_status status = reserve_pending(tree, memory, out);
    if (status)
        return status;
    for (uint32_t i = 0; i < out; i++)
        tree->pending[tree->pending_count++] = entries[i];
    tree->head[node].count = 0;
    for (uint32_t i = out; i < count; i++)
        scree_rtree_append(tree, node, &entries[i]);
    for (; node != tree->root; node = tree->head[node].parent)
        tighten(tree, node);
    return SCREE_OK;
}

/*  Distributes the entries over `node` and a new sibling, and makes a new root if `node` was the root. *sibling
    becomes the entry that the parent still lacks. */
static scree_status split_node(scree_rtree *tree, scree_memory *memory, uint32_t node,
                               scree_rtree_entry *entries, uint32_t count,
                               scree_rtree_entry *sibling)
{
    uint32_t level = tree->head[node].level, other;
    scree_status status = scree_rtree_add_node(tree, memory, level, &other);
    if (status)
        return status;
    uint32_t first = tree->policy->split(tree, entries, count);
    tree->head[node].count = 0;
    for (uint32_t i = 0; i < count; i++)
        scree_rtree_append(tree, i < first ? node : other, &entries[i]);
    sibling->box = scree_rtree_node_box(tree, other);
    sibling->child = other;
    sibling->level = level + 1;

    if (node != tree->root) {
        tighten(tree, node);
        return SCREE_OK;
    }
    scree_rtree_entry old_root = {scree_rtree_node_box(tree, node), node, level + 1};
    status = scree_rtree_add_node(tree, memory, level + 1, &tree->root);
    if (!status)
        scree_rtree_append(tree, tree->root, &old_root);
    return status;
}

/*  `reinserted` has a bit for each level with a reinsertion in this call: a second overflow there is a split, so
    that this ends. */
static scree_status place_entry(scree_rtree *tree, scree_memory *memory,
                                const scree_rtree_entry *item, uint32_t *reinserted)
{
    scree_rtree_entry entries[SCREE_RTREE_MAX_ENTRIES + 1], added = *item;
    uint32_t node = choose_node(tree, item);
    while (tree->head[node].count == tree->max_entries) {
        uint32_t count = tree->head[node].count, bit = 1u << tree->head[node].level;
        for (uint32_t slot = 0; slot < count; slot++)
            entries[slot] = scree_rtree_get(tree, node, slot);
        entries[count++] = added;
        if (tree->policy->reinserts && node != tree->root && !(*reinserted & bit)) {
            *reinserted |= bit;
            return take_out_farthest(tree, memory, node, entries, count);
        }
        scree_status status = split_node(tree, memory, node, entries, count, &added);
        if (status)
            return status;
        node = tree->head[node].parent;
    }
    scree_rtree_append(tree, node, &added);
    grow_ancestors(tree, node, &item->box);
    return SCREE_OK;
}

static scree_status place_pending(scree_rtree *tree, scree_memory *memory, uint32_t *reinserted)
{
    scree_status status = SCREE_OK;
    while (!status && tree->pending_count > 0) {
        scree_rtree_entry entry = tree->pending[--tree->pending_count];
        status = place_entry(tree, memory, &entry, reinserted);
    }
    return status;
}

scree_status scree_rtree_insert(scree_rtree *tree, scree_memory *memory, const scree_box *box,
                                uint32_t id)
{
    scree_rtree_entry entry = {*box, id, 0};
    uint32_t reinserted = 0;
    scree_status status = SCREE_OK;
    if (tree->root == SCREE_RTREE_NONE)
        status = scree_rtree_add_node(tree, memory, 0, &tree->root);
    if (!status)
        status = place_entry(tree, memory, &entry, &reinserted);
    if (!status)
        status = place_pending(tree, memory, &reinserted);
    tree->placed++;
    return status;
}

/*  Dissolves `node`: its entries wait for reinsertion. */
static scree_status dissolve(scree_rtree *tree, scree_memory *memory, uint32_t node)
{
    uint32_t count = tree->head[node].count, parent = tree->head[node].parent;
    scree_status status = reserve_pending(tree, memory, count);
    if (status)
        return status;
    for (uint32_t slot = 0; slot < count; slot++)
        tree->pending[tree->pending_count++] = scree_rtree_get(tree, node, slot);
    scree_rtree_erase(tree, parent, scree_rtree_slot_of(tree, parent, node));
    scree_rtree_free_node(tree, node);
    return SCREE_OK;
}

scree_status scree_rtree_remove(scree_rtree *tree, scree_memory *memory, uint32_t id)
{
    uint32_t node = tree->leaf_of[id], reinserted = 0;
    scree_rtree_erase(tree, node, scree_rtree_slot_of(tree, node, id));
    scree_status status = SCREE_OK;
    while (!status && node != tree->root) {
        uint32_t parent = tree->head[node].parent;
        if (tree->head[node].count < tree->min_entries)
            status = dissolve(tree, memory, node);
        else
            tighten(tree, node);
        node = parent;
    }

    /* before the root shrinks: entries of high levels need a node to go to. At most one child of
       the root was dissolved, so it still has one */
    if (!status)
        status = place_pending(tree, memory, &reinserted);
    while (!status && tree->head[tree->root].level > 0 && tree->head[tree->root].count == 1) {
        uint32_t old_root = tree->root;
        tree->root = scree_rtree_children(tree, old_root)[0];
        scree_rtree_free_node(tree, old_root);
    }
    return status;
}
