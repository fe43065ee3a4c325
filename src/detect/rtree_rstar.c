/*  Method "rtree-rstar": the R*-tree (Beckmann, Kriegel, Schneider, Seeger, "The R*-tree: an
   efficient and robust access method for points and rectangles", SIGMOD 1990). Bodies go where
   boxes overlap least, splits run across the axis that gives the squarest boxes, and the first
   overflow of a level moves the outermost entries elsewhere before anything is split. Costs more to
   build than "rtree" and searches faster. */
#include "detect/rtree.h"

/*  For choices, which change only speed. */
static double overlap_volume(const scree_box *a, const scree_box *b, uint32_t dimensions)
{
    double volume = 1;
    for (uint32_t k = 0; k < dimensions; k++) {
        double lower = a->lower[k] > b->lower[k] ? a->lower[k] : b->lower[k];
        double upper = a->upper[k] < b->upper[k] ? a->upper[k] : b->upper[k];
        if (upper <= lower)
            return 0;
        volume *= upper - lower;
    }
    return volume;
}

/*  For choices, which change only speed.
    By how much the box of `slot` overlaps its siblings more once it has taken `box` in. No term is
    negative (a larger box never has the smaller intersection, in floating point neither), so the
   sum may be left once it is above `limit`. */
static double overlap_growth(const scree_rtree *tree, uint32_t node, uint32_t slot,
                             const scree_box *box, double limit)
{
    double sum = 0;
    scree_box own = scree_rtree_slot_box(tree, node, slot), grown = own;
    scree_box_include(&grown, box);
    for (uint32_t other = 0; other < tree->head[node].count && sum <= limit; other++) {
        if (other == slot)
            continue;
        scree_box sibling = scree_rtree_slot_box(tree, node, other);
        double after = overlap_volume(&grown, &sibling, tree->dimensions);
        /* most siblings are apart: then they were before, too */
        if (after > 0)
            sum += after - overlap_volume(&own, &sibling, tree->dimensions);
    }
    return sum;
}

/*  ChooseSubtree. Into a leaf: least overlap growth, then least growth, then least size; the slot of least growth is
    tested first, since it sets a limit that ends most other sums at once. Into inner nodes: as Guttman. */
static uint32_t choose_subtree(const scree_rtree *tree, uint32_t node, const scree_box *box)
{
    uint32_t best = scree_rtree_guttman.choose(tree, node, box);
    scree_box best_box = scree_rtree_slot_box(tree, node, best);
    scree_box_size best_size = scree_box_measure(&best_box, tree->dimensions);
    scree_box_size best_growth = scree_box_growth(&best_box, best_size, box, tree->dimensions);
    if (tree->head[node].level != 1 || best_growth.margin == 0)
        return best;

    double least = overlap_growth(tree, node, best, box, 1e303);
    uint32_t first = best;
    for (uint32_t slot = 0; slot < tree->head[node].count && least > 0; slot++) {
        double overlap = slot == first ? least : overlap_growth(tree, node, slot, box, least);
        if (overlap > least || slot == first)
            continue;
        scree_box own = scree_rtree_slot_box(tree, node, slot);
        scree_box_size size = scree_box_measure(&own, tree->dimensions);
        scree_box_size growth = scree_box_growth(&own, size, box, tree->dimensions);
        if (overlap < least || scree_box_size_less(growth, best_growth)) {
            best = slot;
            least = overlap;
            best_growth = growth;
        }
    }
    return best;
}

typedef struct sorted_entries
{
    const scree_rtree_entry *entries;
    uint32_t count;
    uint8_t order[SCREE_RTREE_MAX_ENTRIES + 1];
    scree_box hull_before[SCREE_RTREE_MAX_ENTRIES + 1]; /* of the first k + 1 in order */
    scree_box hull_after[SCREE_RTREE_MAX_ENTRIES + 1];  /* of all from the k-th on */
} sorted_entries;

/*  Orders by the lower or the upper ends on an axis, ties as they come. */
static void sort_entries(sorted_entries *sorted, uint32_t axis, bool upper)
{
    double value[SCREE_RTREE_MAX_ENTRIES + 1];
    for (uint32_t i = 0; i < sorted->count; i++) {
        const scree_box *box = &sorted->entries[i].box;
        double own = upper ? box->upper[axis] : box->lower[axis];
        uint32_t place = i;
        for (; place > 0 && value[place - 1] > own; place--) {
            value[place] = value[place - 1];
            sorted->order[place] = sorted->order[place - 1];
        }
        value[place] = own;
        sorted->order[place] = (uint8_t)i;
    }
}

static void hull_entries(sorted_entries *sorted)
{
    uint32_t last = sorted->count - 1;
    sorted->hull_before[0] = sorted->entries[sorted->order[0]].box;
    sorted->hull_after[last] = sorted->entries[sorted->order[last]].box;
    for (uint32_t i = 1; i <= last; i++) {
        sorted->hull_before[i] = sorted->hull_before[i - 1];
        scree_box_include(&sorted->hull_before[i], &sorted->entries[sorted->order[i]].box);
        sorted->hull_after[last - i] = sorted->hull_after[last - i + 1];
        scree_box_include(&sorted->hull_after[last - i],
                          &sorted->entries[sorted->order[last - i]].box);
    }
}

/*  One way to cut an order in two: `first` entries, then the rest. */
typedef struct distribution
{
    uint32_t axis, first;
    bool upper, valid;
    double overlap;
    scree_box_size size; /* of both boxes together */
} distribution;

/*  Evaluates all cuts of one order; returns the sum of their margins. */
static double weigh_cuts(const scree_rtree *tree, const sorted_entries *sorted, uint32_t axis,
                         bool upper, distribution *best)
{
    double margins = 0; /* only speed: any axis is right */
    for (uint32_t first = tree->min_entries; first <= sorted->count - tree->min_entries; first++) {
        const scree_box *a = &sorted->hull_before[first - 1], *b = &sorted->hull_after[first];
        scree_box_size size_a = scree_box_measure(a, tree->dimensions);
        scree_box_size size_b = scree_box_measure(b, tree->dimensions);
        distribution cut = {axis,
                            first,
                            upper,
                            true,
                            overlap_volume(a, b, tree->dimensions),
                            {size_a.volume + size_b.volume, size_a.margin + size_b.margin}};
        margins += cut.size.margin;
        if (!best->valid || cut.overlap < best->overlap ||
            (cut.overlap == best->overlap && scree_box_size_less(cut.size, best->size)))
            *best = cut;
    }
    return margins;
}

/*  Split: the axis is that with the least sum of margins (ChooseSplitAxis), the cut that with the
    least overlap (ChooseSplitIndex). Always ends, and both parts get min_entries, whatever the
    boxes: cuts are by count. */
static uint32_t split_rstar(const scree_rtree *tree, scree_rtree_entry *entries, uint32_t count)
{
    sorted_entries sorted = {.entries = entries, .count = count};
    distribution best = {0};
    double min_margins = 0;
    for (uint32_t axis = 0; axis < tree->dimensions; axis++) {
        distribution cut = {0};
        double margins = 0; /* only speed, as in weigh_cuts */
        for (int upper = 0; upper < 2; upper++) {
            sort_entries(&sorted, axis, upper != 0);
            hull_entries(&sorted);
            margins += weigh_cuts(tree, &sorted, axis, upper != 0, &cut);
        }
        if (axis == 0 || margins < min_margins) {
            min_margins = margins;
            best = cut;
        }
    }

    scree_rtree_entry copy[SCREE_RTREE_MAX_ENTRIES + 1];
    sort_entries(&sorted, best.axis, best.upper);
    for (uint32_t i = 0; i < count; i++)
        copy[i] = entries[sorted.order[i]];
    for (uint32_t i = 0; i < count; i++)
        entries[i] = copy[i];
    return best.first;
}

const scree_rtree_policy scree_rtree_rstar = {choose_subtree, split_rstar, true};

static scree_status create(void *self, const scree_method_env *env)
{
    scree_rtree_init(self, env->def, &scree_rtree_rstar);
    return SCREE_OK;
}

const scree_method scree_method_rtree_rstar = {
    .info = {.name = "rtree-rstar",
             .summary = "R*-tree: least overlap, splits by margin, forced reinsertion",
             .cost = "N log N; building costs several times the search",
             .worst_time = "N^2, where long bodies cross without touching",
             .worst_memory = "N",
             .capabilities = SCREE_RTREE_CAPABILITIES,
             .exponent = {1.1, 1.1}},
    .create = create,
    SCREE_RTREE_PARTS,
};
