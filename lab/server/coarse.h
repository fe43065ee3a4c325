/*  Simplified surfaces for display. */
#ifndef SCREE_LAB_COARSE_H
#define SCREE_LAB_COARSE_H

#include "scree/shape.h"

typedef struct lab_coarse
{
    double *vertices; /* x y z each */
    uint32_t *facets; /* three vertices each */
    uint32_t vertex_count, facet_count;
} lab_coarse;

void scree_lab_coarse_free(lab_coarse *coarse);

/*  Simplifies a mesh of triangles by merging all vertices in each cell of a grid to their mean (Rossignac and Borrel
    1993). Cells are as small as leaves about `most` facets. `area` is that of the mesh. The result may be empty.
    SCREE_OUT_OF_MEMORY. */
scree_status scree_lab_coarse_make(const scree_mesh_info *mesh, double area, uint32_t most,
                                   lab_coarse *coarse);

#endif
