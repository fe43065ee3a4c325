/*  Searches of a mesh's tree of boxes by a point, and by a region that planes bound. */
#ifndef SCREE_MESH_SEARCH_H
#define SCREE_MESH_SEARCH_H

#include "shape/mesh.h"

/*  Looks at a facet, and returns the distance up to which the search continues. */
typedef double scree_facet_visit(void *user, uint32_t facet);

/*  Visits facets, roughly from near to far: all that are no farther from the point than `reach`, or than what the last
    visit returned; others may be among them. The point is in the mesh's own frame. */
void scree_mesh_search(const scree_mesh *mesh, const double point[3], double reach,
                       scree_facet_visit *visit, void *user);

/*  The points with normal * point <= limit; the normal is at most 1 long. */
typedef struct scree_half_space
{
    double normal[3], limit;
} scree_half_space;

#define SCREE_MAX_HALF_SPACES 8

/*  Replaces the content of the list by the facets whose boxes reach into each of the half-spaces, and perhaps others that
    nearly do, ascending. There are at most SCREE_MAX_HALF_SPACES, in the mesh's own frame. SCREE_OUT_OF_MEMORY. */
scree_status scree_mesh_within(const scree_mesh *mesh, const scree_half_space *spaces, int count,
                               scree_memory *memory, scree_facet_list *list);

#endif
