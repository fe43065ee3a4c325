/*  Sorted axes: the ends of bodies along one axis, in the order of their coordinates. The methods
    of the sorting family differ in which ends they keep and how they search; how ends are compared,
    sorted and sought is here.

    The order is by coordinate, then lower ends before upper ends, then by id. Lower before upper
    makes intervals closed: where one body ends at the coordinate at which another begins, the
    beginning comes first, so the bodies are found to touch. Without the id, order among equals
    would depend on the sort and on history. No two ends are equal. */
#ifndef SCREE_AXIS_SORT_H
#define SCREE_AXIS_SORT_H

#include "base/memory.h"
#include "base/radix_sort.h"
#include "detect/method_bodies.h"
#include "detect/outline.h"
#include "detect/probe.h"
#include "detect/sink.h"

/*  The side table of the thesis, folded into the index: this bit of an entry says upper. Ids stay
    below it, so comparing entries as numbers is comparing (side, id). */
#define SCREE_UPPER_END 0x80000000u

/*  Entry p is the end named by end[p], at the coordinate of which key[p] has the order. */
typedef struct scree_axis
{
    uint64_t *key;
    uint32_t *end;
    size_t key_capacity, end_capacity;
} scree_axis;

static inline bool scree_end_is_upper(uint32_t end)
{
    return (end & SCREE_UPPER_END) != 0;
}
static inline uint32_t scree_end_id(uint32_t end)
{
    return end & ~SCREE_UPPER_END;
}

static inline bool scree_end_before(uint64_t key_a, uint32_t end_a, uint64_t key_b, uint32_t end_b)
{
    return key_a < key_b || (key_a == key_b && end_a < end_b);
}

/*  The key of an end, from the present boxes. */
static inline uint64_t scree_end_key(const scree_box *box, int axis, uint32_t end)
{
    const scree_box *b = &box[scree_end_id(end)];
    return scree_key_of_double(scree_end_is_upper(end) ? b->upper[axis] : b->lower[axis]);
}

/*  The ends of `count` bodies, into entries 0 to 2 * count - 1; keys are not set. */
static inline void scree_axis_list_ends(scree_axis *axis, const uint32_t *ids, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        axis->end[2 * i] = ids[i];
        axis->end[2 * i + 1] = ids[i] | SCREE_UPPER_END;
    }
}

/*  Keys of the entries from `first` to `last` - 1, from the present boxes. */
static inline void scree_axis_read_keys(scree_axis *axis, const scree_box *box, int k, size_t first,
                                        size_t last)
{
    for (size_t p = first; p < last; p++)
        axis->key[p] = scree_end_key(box, k, axis->end[p]);
}

/*  Room for `count` entries; content is kept. Unchanged, or with room to spare, on failure. */
scree_status scree_axis_reserve(scree_axis *axis, scree_memory *memory, size_t count);
void scree_axis_free(scree_axis *axis, scree_memory *memory);

/*  N log N whatever the order was. */
void scree_axis_heap_sort(uint64_t *key, uint32_t *end, size_t count);

/*  N log N, faster than heap sort on entries in no order; heap sort takes over where pivots
    fail. */
void scree_axis_quick_sort(uint64_t *key, uint32_t *end, size_t count);

/*  Insertion sort for entries that are nearly sorted, linear then. Returns the number of neighbours
    exchanged, which is the number of inversions. Gives up in favour of heap sort where these are so
    many that heap sort is certainly faster: see axis_sort.c. */
uint64_t scree_axis_resort(uint64_t *key, uint32_t *end, size_t count);

/*  How many exchanges are certainly slower than sorting again. */
uint64_t scree_axis_exchange_limit(size_t count);

/*  Bodies that come and go. The `fresh_count` ends of `fresh` are sorted, then merged into the
    `count` ends of `axis`, which has room for both. */
void scree_axis_merge(scree_axis *axis, size_t count, scree_axis *fresh, size_t fresh_count);

/*  Drops the ends of bodies with mark[id] != 0, so that `kept` ends are left. */
void scree_axis_drop(scree_axis *axis, size_t kept, const uint8_t *mark);

/*  Sum over all bodies of the number of bodies that begin within them: the cost of a search along this axis. */
uint64_t scree_axis_sum_ranges(const scree_axis *axis, size_t end_count);

/*  Numbers bodies by their lower ends: order[number[id]] == id, and stop[i] is how many lower ends
    come before the upper end of body number i. */
void scree_axis_number(const scree_axis *axis, size_t end_count, uint32_t *number, uint32_t *order,
                       int32_t *stop);

/*  On another axis than that of the numbers: lower[i], the place of body number i among the lower
    ends, and upper[i], how many lower ends come before its upper end. */
void scree_axis_rank(const scree_axis *axis, size_t end_count, const uint32_t *number,
                     int32_t *lower, int32_t *upper);

/*  The share of the whole range that bodies cover together on an axis: 0 for points, `count` if each covers it all.
    The axis with the smallest share is probably, without sorting, the one on which bodies have the fewest others to
    test. */
double scree_axis_share(const scree_box *box, const uint32_t *ids, size_t count, int k);

/*  How many of `count` sorted keys are at most `bound`. */
size_t scree_axis_count_up_to(const uint64_t *key, size_t count, uint64_t bound);

/*  The query of a sorted axis: `order` has the ids by their lower ends. Bodies that contain the probe have no end
    inside it, so all that begin before it ends are tested, from the bottom. */
void scree_axis_query(const scree_bodies *bodies, int axis, const uint32_t *order, size_t count,
                      const scree_probe *probe, scree_hit_sink *sink);

/*  Bodies as ranges on an axis, by their lower ends among the first `count` entries. Ends name bodies by what is in
    `names`; NULL: by their ids. */
void scree_axis_outline(const scree_axis *axis, size_t count, int k, const uint32_t *names,
                        const scree_bodies *bodies, scree_outline_sink *sink);

#endif
