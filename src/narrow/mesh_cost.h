/*  Predicted cost of finding the touching triangles of two meshes, by engine, from their numbers of triangles. All
    engines find the same contacts, so only time depends on the prediction. It is a pure function of numbers, so it is
    the same on every machine.

    The constants are measured: scree-bench meshes --fit prints them, as least squares of relative errors over globes of
    4 to 1,280 triangles, half of the pairs in contact and half near misses. The cost of boxes and surrogates grows as
    the root of the number of triangles, that of all pairs as the number of pairs. */
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

/*  The cost is fixed + slope times this. */
double scree_mesh_cost_of_size(scree_mesh_way way, uint32_t first, uint32_t second);

/*  Microseconds per search. */
double scree_mesh_cost(scree_mesh_way way, uint32_t first, uint32_t second);

/*  Returns all pairs or boxes, whichever is cheaper. Surrogates always cost more than one of these (tests check this),
    and their trees would have to be built first. */
scree_mesh_way scree_mesh_cheapest(uint32_t first, uint32_t second);

#endif
