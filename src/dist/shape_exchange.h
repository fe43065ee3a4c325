/*  Meshes and clumps of bodies: before bodies are distributed, each rank gets those of the host's world that it lacks.
    Only bodies of the scene's beginning are in all worlds; sources, resumed runs and hosts bring others. */
#ifndef SCREE_DIST_SHAPE_EXCHANGE_H
#define SCREE_DIST_SHAPE_EXCHANGE_H

#include "dist/comm.h"
#include "world/collide/shape_geometry.h"

/*  On rank 0: what other ranks have. */
typedef struct scree_told_shapes
{
    uint8_t
        *use; /* by index in the host's table: 1 + how ranks can use it; 0: they do not have it */
    size_t capacity;
} scree_told_shapes;

void scree_told_shapes_free(scree_told_shapes *told, scree_memory *memory);

/*  Collective: adds the meshes and clumps of bodies in `whole`, the table of the host's world, which is NULL on other
    ranks, to the table of each part. `dimensions`: of the world. SCREE_OUT_OF_MEMORY or the status of `comm`, on all
    ranks alike; some shapes may have been added then. */
scree_status scree_share_shapes(const scree_comm *comm, scree_memory *memory,
                                const scree_shape_table *whole, scree_told_shapes *told,
                                int dimensions, scree_shape_table *part);

#endif
