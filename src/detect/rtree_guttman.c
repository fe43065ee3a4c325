/*  Method "rtree": the R-tree of Guttman, "R-trees: a dynamic index structure for spatial searching", SIGMOD 1984,
    as the thesis uses it. Bodies enter one at a time where the enclosing box grows least; a full node is split by
    the quadratic rule. The tree is rebuilt in every step (E. D. Perkins, M.S. thesis, MIT 1999, section 4.3). */
#include "detect/rtree.h"

/*  ChooseLeaf: least growth, then least size. */
static uint32_t choose_min_growth(const scree_rtree *tree, uint32_t node, const scree_box *box)
{
    uint32_t best = 0;
    scree_box_size best_growth = {0}, best_size = {0};
    for (uint32_t slot = 0; slot < tree->head[node].count; slot++) {
        scree_box own = scree_rtree_slot_box(tree, node, slot);
        scree_box_size size = scree_box_measure(&own, tree->dimensions);
        scree_box_size growth = scree_box_growth(&own, size, box, tree->dimensions);
        bool better =
            scree_box_size_less(growth, best_growth) ||
            (!scree_box_size_less(best_growth, growth) && scree_box_size_less(size, best_size));
        if (slot == 0 || better) {
            best = slot;
            best_growth = growth;
            best_size = size;
        }
    }
    return best;
}

static void swap_entries(scree_rtree_entry *entries, uint32_t i, uint32_t j)
{
    scree_rtree_entry entry = entries[i];
    entries[i] = entries[j];
    entries[j] = entry;
}

/*  PickSeeds: the two that waste most room in one box go first and last. */
static void pick_seeds(const scree_rtree *tree, scree_rtree_entry *entries, uint32_t count)
{
    uint32_t seed[2] = {0, 1};
    scree_box_size most = {0};
    for (uint32_t i = 0; i + 1 < count; i++) {
        scree_box_size size = scree_box_measure(&entries[i].box, tree->dimensions);
        for (uint32_t j = i + 1; j < count; j++) {
            scree_box_size other = scree_box_measure(&entries[j].box, tree->dimensions);
            scree_box_size waste =
                scree_box_growth(&entries[i].box, size, &entries[j].box, tree->dimensions);
            waste.volume -= other.volume;
            waste.margin -= other.margin;
            if ((i == 0 && j == 1) || scree_box_size_less(most, waste)) {
                most = waste;
                seed[0] = i;
                seed[1] = j;
            }
        }
    }
    swap_entries(entries, 0, seed[0]);
    swap_entries(entries, count - 1, seed[1]);
}

typedef struct split_group
{
    scree_box box;
    scree_box_size size;
    uint32_t count;
} split_group;

static void join_group(split_group *group, const scree_box *box, uint32_t dimensions)
{
    scree_box_include(&group->box, box);
    group->size = scree_box_measure(&group->box, dimensions);
    group->count++;
}

/*  Negative: the box fits the first group better. The choice affects only speed. */
static scree_box_size preference(const split_group groups[2], const scree_box *box,
                                 uint32_t dimensions)
{
    scree_box_size a = scree_box_growth(&groups[0].box, groups[0].size, box, dimensions);
    scree_box_size b = scree_box_growth(&groups[1].box, groups[1].size, box, dimensions);
    scree_box_size difference = {a.volume - b.volume, a.margin - b.margin};
    return difference;
}

/*  Ties are decided by the number of entries, so identical boxes are distributed evenly. */
static bool goes_first(const split_group groups[2], scree_box_size bias)
{
    const scree_box_size nothing = {0};
    if (scree_box_size_less(bias, nothing) || scree_box_size_less(nothing, bias))
        return scree_box_size_less(bias, nothing);
    if (scree_box_size_less(groups[0].size, groups[1].size) ||
        scree_box_size_less(groups[1].size, groups[0].size))
        return scree_box_size_less(groups[0].size, groups[1].size);
    return groups[0].count <= groups[1].count;
}

static double magnitude(double value)
{
    return value < 0 ? -value : value;
}

/*  PickNext: among entries [begin, end) the one that prefers one group most. */
static uint32_t pick_next(const scree_rtree *tree, const scree_rtree_entry *entries, uint32_t begin,
                          uint32_t end, const split_group groups[2], scree_box_size *bias)
{
    uint32_t best = begin;
    scree_box_size strongest = {0};
    for (uint32_t i = begin; i < end; i++) {
        scree_box_size own = preference(groups, &entries[i].box, tree->dimensions);
        scree_box_size strength = {magnitude(own.volume), magnitude(own.margin)};
        if (i == begin || scree_box_size_less(strongest, strength)) {
            strongest = strength;
            *bias = own;
            best = i;
        }
    }
    return best;
}

/*  The first group grows from the front of the array, the second from its end, until they meet. */
static uint32_t split_quadratic(const scree_rtree *tree, scree_rtree_entry *entries, uint32_t count)
{
    pick_seeds(tree, entries, count);
    split_group groups[2];
    for (int side = 0; side < 2; side++) {
        groups[side].box = entries[side ? count - 1 : 0].box;
        groups[side].size = scree_box_measure(&groups[side].box, tree->dimensions);
        groups[side].count = 1;
    }
    while (groups[0].count + groups[1].count < count) {
        /* one group needs all the rest to have enough entries */
        if (count - groups[1].count == tree->min_entries)
            return tree->min_entries;
        if (count - groups[0].count == tree->min_entries)
            return groups[0].count;

        uint32_t begin = groups[0].count, end = count - groups[1].count;
        scree_box_size bias = {0};
        uint32_t next = pick_next(tree, entries, begin, end, groups, &bias);
        bool first = goes_first(groups, bias);
        join_group(&groups[first ? 0 : 1], &entries[next].box, tree->dimensions);
        swap_entries(entries, next, first ? begin : end - 1);
    }
    return groups[0].count;
}

const scree_rtree_policy scree_rtree_guttman = {choose_min_growth, split_quadratic, false};

static scree_status create(void *self, const scree_method_env *env)
{
    scree_rtree_init(self, env->def, &scree_rtree_guttman);
    return SCREE_OK;
}

const scree_method scree_method_rtree = {
    .info = {.name = "rtree",
             .summary = "R-tree of Guttman: one body at a time, quadratic split",
             .cost = "N log N; building costs more than searching",
             .worst_time = "N^2, where long bodies cross without touching",
             .worst_memory = "N",
             .capabilities = SCREE_RTREE_CAPABILITIES,
             .exponent = {1.1, 1.1}},
    .create = create,
    SCREE_RTREE_PARTS,
};
