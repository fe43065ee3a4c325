/*  Clumps inside the library. A clump never changes once it is created, so any number of threads may read it. */
#ifndef SCREE_CLUMP_H
#define SCREE_CLUMP_H

#include "base/memory.h"
#include "scree/shape.h"

#define SCREE_MAX_PEBBLES 65535u

/*  Pebbles that vectors look at together. */
#define SCREE_PEBBLE_GROUP 8u

struct scree_clump
{
    scree_memory memory;
    atomic_size_t users;
    int dimensions;
    uint32_t pebble_count;
    scree_pebble *pebbles;
    double (*local)
        [4]; /* pebbles in the body's frame: centre and radius; the last is repeated to a whole group */
    scree_clump_mass mass;
    double principal[3], orientation[4];
    double reach;    /* rounded up by more than any rotation and shift in the world can add */
    double smallest; /* radius */
};

/*  Adds a reference, released by scree_clump_release. Thread-safe. */
void scree_clump_hold(const scree_clump *clump);
void scree_clump_release(const scree_clump *clump); /* NULL is allowed */

/*  clump_mass.c: mass properties of the union of pebbles. SCREE_OUT_OF_MEMORY. */
scree_status scree_clump_weigh(const scree_pebble *pebbles, size_t count, int dimensions,
                               scree_memory *memory, scree_clump_mass *mass);

#endif
