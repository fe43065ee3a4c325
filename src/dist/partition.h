/*  Domain decomposition: which rank owns which part of space. Space is cut in two, and each part again, until there is
    a part for each rank (recursive coordinate bisection, Berger and Bokhari 1987). The weights of both sides of a cut
    are proportional to their numbers of ranks.

    Weights are integers and their sums exact. So the cuts depend only on the set of bodies, bitwise: neither on the
    number of ranks that hold the bodies nor on their order. */
#ifndef SCREE_DIST_PARTITION_H
#define SCREE_DIST_PARTITION_H

#include "base/memory.h"
#include "dist/comm.h"

#define SCREE_MAX_RANKS 32768u

/*  A part of space. Positions below `at` along `axis` are in part `child`, the others in part child + 1. */
typedef struct scree_cut
{
    uint32_t first, ranks; /* ranks that share this part */
    uint32_t child;        /* 0: it is not cut, and belongs to `first` */
    int axis;
    double at;
} scree_cut;

/*  2 size - 1 parts; the first is all of space. */
typedef struct scree_partition
{
    scree_cut *cuts;
    size_t capacity;
    uint32_t count;
} scree_partition;

/*  Bodies of this rank: rows of position and radius, and weights. */
typedef struct scree_places
{
    const double (*row)[4];
    size_t count;
    const uint32_t *weight; /* NULL: each has weight 1 */
} scree_places;

void scree_partition_free(scree_partition *partition, scree_memory *memory);
/*  Collective: cuts space for `ranks` ranks, 1 to SCREE_MAX_RANKS, by the positions on all ranks, which must be
    finite. SCREE_OUT_OF_MEMORY on all ranks, or a status of `comm`. */
scree_status scree_partition_make(scree_partition *partition, scree_memory *memory,
                                  const scree_comm *comm, const scree_places *places,
                                  uint32_t ranks);
uint32_t scree_partition_owner(const scree_partition *partition, const double place[3]);
/*  Writes the ranks whose parts overlap a box, ascending and unique, to an array with room for all. Returns their
    number. */
uint32_t scree_partition_touched(const scree_partition *partition, const double lower[3],
                                 const double upper[3], uint32_t *ranks);

#endif
