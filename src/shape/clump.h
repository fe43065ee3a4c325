/*  A clump from inside. It never changes once it is made, so any number of threads may read it. */
#ifndef SCREE_CLUMP_H
#define SCREE_CLUMP_H

#include "base/memory.h"
#include "scree/shape.h"

#define SCREE_MOST_PEBBLES 65535u

struct scree_clump
{
    scree_memory memory;
    atomic_size_t users;
    int dimensions;
    uint32_t pebble_count;
    scree_pebble *pebbles;
    double (*local)[4]; /* pebbles in the body's frame: centre and radius */
    scree_clump_mass mass;
    double principal[3], orientation[4];
    double reach;    /* rounded up by more than a turn and a shift in the world can add */
    double smallest; /* radius */
};

/*  One more user, who lets go by scree_clump_release. Safe from any thread. */
void scree_clump_hold(const scree_clump *clump);
void scree_clump_release(const scree_clump *clump); /* NULL is fine */

/*  clump_mass.c: of what pebbles fill together. SCREE_OUT_OF_MEMORY. */
scree_status scree_clump_weigh(const scree_pebble *pebbles, size_t count, int dimensions,
                               scree_memory *memory, scree_clump_mass *mass);

#endif
