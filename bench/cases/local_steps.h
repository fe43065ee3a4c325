/*  What local time stepping saves: heaps of large balls on a floor, and some small ones that hop next to them and need
    shorter steps; once all bodies take the shorter steps, and once each takes its own. */
#ifndef SCREE_BENCH_LOCAL_STEPS_H
#define SCREE_BENCH_LOCAL_STEPS_H

#include "scree/world.h"

#define SCREE_LOCAL_ROWS 5

typedef struct scree_local_row
{
    double ratio; /* of radii; 0: there are no small ones */
    uint64_t large, small;
    uint32_t level;      /* the shortest steps are dt / 2^level */
    uint64_t in_shorter; /* bodies that take steps shorter than dt, at the end */
    double uniform_ms,
        local_ms; /* of processor time for a step of dt: all in the shortest, and each in its own */
    double apart; /* the two in the end: the largest distance of a body's places, over its radius */
} scree_local_row;

/*  `heaps` of 14 balls, and for each fifty of them a small one; `steps` of dt. Of the library's errors those of worlds. */
scree_status scree_bench_local(uint64_t heaps, uint64_t steps,
                               scree_local_row row[SCREE_LOCAL_ROWS], scree_error *error);

#endif
