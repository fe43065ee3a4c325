/*  Which rank owns a place: space is cut in two, each part again, until there is a part for each rank (recursive coordinate
    bisection, Berger and Bokhari 1987). Both sides of a cut have weight in proportion to the ranks that they go to.

    Weights are whole numbers and their sums exact. So the cuts follow from the set of bodies alone, to the bit: neither the number
    of ranks that hold the bodies nor their order matters. */
#ifndef SCREE_DIST_PARTITION_H
#define SCREE_DIST_PARTITION_H

#include "base/memory.h"
#include "dist/comm.h"

#define SCREE_MAX_RANKS 32768u

/*  A part of space. Places below `at` along `axis` are in part `child`, the others in the one behind it. */
typedef struct scree_cut
{
    uint32_t first, ranks; /* that share this part */
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

/*  Bodies of this rank: rows of position, the radius behind it. */
typedef struct scree_places
{
    const double (*row)[4];
    size_t count;
} scree_places;

void scree_partition_free(scree_partition *partition, scree_memory *memory);
/*  Collective: cuts space for `ranks` ranks, 1 to SCREE_MAX_RANKS, by the places of all ranks. Places are finite.
    SCREE_OUT_OF_MEMORY, on all ranks alike; what `comm` returns. */
scree_status scree_partition_make(scree_partition *partition, scree_memory *memory,
                                  const scree_comm *comm, const scree_places *places,
                                  uint32_t ranks);
uint32_t scree_partition_owner(const scree_partition *partition, const double place[3]);
/*  Ranks whose parts a box touches, ascending, each once, into an array with room for all. Returns how many. */
uint32_t scree_partition_touched(const scree_partition *partition, const double lower[3],
                                 const double upper[3], uint32_t *ranks);

#endif
