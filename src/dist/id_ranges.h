/*  Bodies in the order of their global ids, over all ranks: each rank has the same number of them, rounded, one range of
    ids after the other. The row of a body is its place in that order. */
#ifndef SCREE_DIST_ID_RANGES_H
#define SCREE_DIST_ID_RANGES_H

#include "base/radix_sort.h"
#include "dist/comm.h"
#include "world/state/bodies.h"

typedef struct scree_id_ranges
{
    scree_memory *memory;
    const scree_comm *comm;
    uint64_t total; /* bodies of all ranks */
    uint64_t *
        begin; /* range r has the ids begin[r] .. begin[r + 1] - 1, the last one also the largest id */
    uint64_t *id; /* of the bodies of this rank's range, in order */
    size_t count; /* of these */
    size_t id_capacity;
    scree_sorter sorter;
} scree_id_ranges;

/*  Collective: cuts the ids of the first `owned` bodies of each rank into ranges. SCREE_OUT_OF_MEMORY on all ranks, or a
    status of `comm`. To be freed, also after a failure. */
scree_status scree_id_ranges_make(scree_id_ranges *ranges, scree_memory *memory,
                                  const scree_comm *comm, const scree_body_arrays *bodies,
                                  uint32_t owned);
void scree_id_ranges_free(scree_id_ranges *ranges);

/*  The rank whose range has this id. */
uint32_t scree_id_ranges_owner(const scree_id_ranges *ranges, uint64_t id);
/*  The first row of a range. */
static inline uint64_t scree_id_ranges_first_row(const scree_id_ranges *ranges, uint32_t rank)
{
    const uint64_t size = ranges->comm->size;

    return ranges->total / size * rank + ranges->total % size * rank / size;
}

/*  Collective: the rows of bodies of any range. `ids` are overwritten by them: UINT64_MAX if there is no such body. The
    range of each rank must have its ids. The same statuses. */
scree_status scree_id_ranges_find_rows(const scree_id_ranges *ranges, uint64_t *ids, size_t count);

#endif
