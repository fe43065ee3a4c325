/*  Surfaces with fewer triangles, for whoever only looks at them. */
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

/*  What a mesh of triangles becomes where all vertices in a cell of a grid are one, in their middle (Rossignac and
    Borrel 1993); cells are as small as leaves at most `most` facets, about. `area` is that of the mesh. There may be
    nothing left. SCREE_OUT_OF_MEMORY. */
scree_status scree_lab_coarse_make(const scree_mesh_info *mesh, double area, uint32_t most,
                                   lab_coarse *coarse);

#endif
