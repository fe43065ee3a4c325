/*  The region of a query as methods see it. */
#ifndef SCREE_PROBE_H
#define SCREE_PROBE_H

#include "detect/bodies.h"

typedef struct scree_probe
{
    scree_box box; /* encloses the region; grids and sorted lists need no more */
    bool is_ray;
    double origin[3], inverse_direction[3], t_max; /* ray; t_max shrinks while a first hit is sought */
    double slack;                                  /* ray: absolute rounding of origin and far points */
} scree_probe;

/*  False only if no body inside `box` can be hit: what trees prune by. */
bool scree_probe_meets(const scree_probe *probe, const scree_box *box);

#endif
