/*  Spatial sorting, the original scheme of MIMES: on each axis bodies are sorted by their lower
    ends alone. Where a body ends is found by binary search, so it knows the bodies that begin
    within it, its partial range, but not those that begin before and reach into it. Three variants
    find the rest, a file each; what they share is here. (E. Perkins, MIT 1999, section 4.1.) */
#ifndef SCREE_SPATIAL_SORT_H
#define SCREE_SPATIAL_SORT_H

#include "detect/axis_sort.h"
#include "detect/method.h"

/*  The first member of the state of each variant.

    Bodies are numbered by their place on the master axis, the one with the shortest ranges. Arrays
    of `count`: id by body; for each axis, rank by body: its place there, and stop by place: one
    past the last place in the range of the body that is at this one. Invariant: rank[order[0]][a]
    == a; stop[k][p] > p. */
typedef struct scree_spatial
{
    int dimensions;
    size_t count;
    bool by_insertion;
    scree_axis axis[3]; /* `count` lower ends each */
    uint32_t *table, *number;
    size_t table_capacity, number_capacity;
    uint32_t *id, *rank[3], *stop[3];
    int order[3]; /* the axes, the master first; in 2D the third is the second again */
    uint64_t range_sum[3], exchanges[3]; /* range_sum: of stop[p] - p, by axis */
    uint64_t inversions, remapped;
} scree_spatial;

/*  Sorts the active bodies. `again`: they are those of the last time, so that insertion sort, if
    asked for, starts from their order. */
scree_status scree_spatial_sort(scree_spatial *self, const scree_method_env *env,
                                const scree_bodies *bodies, bool again);
/*  The same, and grows a table with an element for each body and axis, as scree_memory_reserve does. */
scree_status scree_spatial_sort_table(scree_spatial *self, const scree_method_env *env,
                                      const scree_bodies *bodies, bool again, void *table_pointer,
                                      size_t *capacity, size_t element_bytes);
void scree_spatial_free(scree_spatial *self, scree_memory *memory);

/*  One past the last place in the range of body a on an axis. */
static inline uint32_t scree_spatial_stop(const scree_spatial *self, int axis, size_t a)
{
    return self->stop[axis][self->rank[axis][a]];
}

/*  first <= rank < stop, as one comparison: without sign, a rank below first is far above. */
static inline bool scree_rank_within(uint32_t rank, uint32_t first, uint32_t stop)
{
    return rank - first < stop - first;
}

/*  Parts of the descriptors. */
#define SCREE_SPATIAL_BLOCK 1024u /* bodies */
scree_status scree_spatial_create(void *state, const scree_method_env *env);
size_t scree_spatial_block_count(const void *state, const scree_bodies *bodies);
void scree_spatial_query(const void *state, const scree_bodies *bodies, const scree_probe *probe,
                         scree_hit_sink *sink);
void scree_spatial_stats(const void *state, scree_stats *stats);
void scree_spatial_outline(const void *state, const scree_bodies *bodies, scree_scratch *scratch,
                           scree_outline_sink *sink);

#endif
