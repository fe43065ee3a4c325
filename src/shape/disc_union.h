/*  Area and moments of what discs cover together, where they overlap once. */
#ifndef SCREE_DISC_UNION_H
#define SCREE_DISC_UNION_H

#include "base/memory.h"

/*  Of arcs that are covered, from one angle to a greater one. */
typedef struct scree_arc
{
    double begin, end;
} scree_arc;

/*  Which discs there may be, by their numbers; and who is near whom: near[start[i]] .. near[start[i + 1] - 1] of disc i. */
typedef struct scree_near_discs
{
    const uint32_t *disc;
    size_t count;
    const size_t *start;
    const uint32_t *near;
} scree_near_discs;

/*  Moments in the order 1, x, y, xx, yy, xy. `discs` are x, y and radius; those of radius 0 are not there, nor may any
    other be that is not in the list. All that meet are near each other; `room` is for two arcs for each that is near a disc. */
#define SCREE_DISC_MOMENTS 6
void scree_disc_union(const double (*discs)[3], const scree_near_discs *who, scree_arc *room,
                      double moments[SCREE_DISC_MOMENTS]);

#endif
