/*  What it costs to find the touching triangles of two meshes, by each engine: foretold from how many triangles they have. All
    engines find the same, so nothing but time depends on it; and it is a function of numbers, so it is the same on
    every machine.

    The constants are measured: scree-bench meshes --fit prints them, as least squares of relative errors over globes of 4 to 1,280
    triangles, half of the pairs in contact and half near misses. Boxes and surrogates look at what is near, which grows
    as the root of the number of triangles; all pairs at all of them. */
#ifndef SCREE_MESH_COST_H
#define SCREE_MESH_COST_H

#include <stdint.h>

typedef enum scree_mesh_way
{
    SCREE_MESH_BY_ALL,
    SCREE_MESH_BY_BOXES,
    SCREE_MESH_BY_SURROGATES,
    SCREE_MESH_WAYS,
} scree_mesh_way;

/*  Cost is fixed + slope times this. */
double scree_mesh_cost_of_size(scree_mesh_way way, uint32_t first, uint32_t second);

/*  Microseconds of one search. */
double scree_mesh_cost(scree_mesh_way way, uint32_t first, uint32_t second);

/*  All pairs or boxes, whichever is cheaper. Surrogates cost more than one of these whatever the numbers (tests hold them
    to that), and would want trees to be grown first. */
scree_mesh_way scree_mesh_cheapest(uint32_t first, uint32_t second);

#endif
