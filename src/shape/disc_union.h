/*  Area and moments of the union of discs, in which overlaps count once. */
#ifndef SCREE_DISC_UNION_H
#define SCREE_DISC_UNION_H

#include "base/memory.h"

/*  A covered arc, from one angle to a larger one. */
typedef struct scree_arc
{
    double begin, end;
} scree_arc;

/*  The discs, by index, and their neighbours: near[start[i]] .. near[start[i + 1] - 1] of disc i. */
typedef struct scree_near_discs
{
    const uint32_t *disc;
    size_t count;
    const size_t *start;
    const uint32_t *near;
} scree_near_discs;

/*  Computes moments in the order 1, x, y, xx, yy, xy. `discs` are x, y and radius; those of radius 0 are absent, and
    all others must be in the list. All that overlap are neighbours; `room` has two arcs for each neighbour. */
#define SCREE_DISC_MOMENTS 6
void scree_disc_union(const double (*discs)[3], const scree_near_discs *which, scree_arc *room,
                      double moments[SCREE_DISC_MOMENTS]);

#endif
