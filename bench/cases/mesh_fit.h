/*  What searches of touching triangles cost by each engine, over globes of many sizes; and the constants of
    narrow/mesh_cost.h, from these figures. */
#ifndef SCREE_BENCH_MESH_FIT_H
#define SCREE_BENCH_MESH_FIT_H

#include "narrow/mesh_cost.h"
#include "scree/base.h"

#include <stddef.h>

#define SCREE_MESH_FIT_ROWS 21

/*  Means over poses, half in contact and half near misses. */
typedef struct scree_mesh_fit_row
{
    uint32_t triangles[2];
    double us[SCREE_MESH_WAYS];
} scree_mesh_fit_row;

typedef struct scree_mesh_fit
{
    double fixed, slope;
    double worst; /* the largest of measured over fitted and fitted over measured */
} scree_mesh_fit;

/*  SCREE_BAD_VALUE: the engines find different contacts. SCREE_OUT_OF_MEMORY. */
scree_status scree_bench_mesh_fit(scree_mesh_fit_row row[SCREE_MESH_FIT_ROWS],
                                  scree_mesh_fit fit[SCREE_MESH_WAYS], scree_error *error);

#endif
