/*  What steps of their own save: heaps of great balls that lie on a floor, and some small ones that hop beside them and bear
    shorter steps only, once all in these, and once each in his own. */
#ifndef SCREE_BENCH_PACE_H
#define SCREE_BENCH_PACE_H

#include "scree/world.h"

#define SCREE_PACE_ROWS 5

typedef struct scree_pace_row
{
    double ratio; /* of radii; 0: there are no small ones */
    uint64_t great, small;
    uint32_t level;      /* the shortest steps are dt / 2^level */
    uint64_t in_shorter; /* bodies that go in steps shorter than dt, at the end */
    double uniform_ms,
        local_ms; /* of processor time for a step of dt: all in the shortest, and each in his own */
    double
        apart; /* the two in the end: the greatest distance of a body's places, over its radius */
} scree_pace_row;

/*  `heaps` of 14 balls, and for each fifty of them a small one; `steps` of dt. Of the library's errors those of worlds. */
scree_status scree_bench_pace(uint64_t heaps, uint64_t steps, scree_pace_row row[SCREE_PACE_ROWS],
                              scree_error *error);

#endif
