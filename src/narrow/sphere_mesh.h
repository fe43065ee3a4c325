/*  Where a sphere touches a mesh; in two dimensions a disc and a line of segments.

    A contact is a point of the surface at which the distance to the centre has a local minimum below the radius. So
    there is one for each feature that is touched: over a plane one, regardless of its triangulation, also exactly on an
    edge or a vertex; in a corner of two walls two; on a convex edge one; inside a box up to six. The set depends on the
    facets within the radius, not on their order.

    SIDES. Both sides of a surface are wall. The history of a contact includes on which side the sphere was at contact
    onset. The contact pushes towards that side as long as it exists, also when the centre has crossed the surface: the
    overlap then is the radius plus the distance of the centre behind it. At the open edge of a sheet, where a sphere
    may roll to the other side, a contact has no side.

    HISTORY. Contacts of a step are matched with those of the step before: first those on the same feature, then,
    nearest first, those whose points are nearer than the radius and whose facets share a vertex, or nearer than an
    eighth of it on any facets: these may be smaller than a step, and sheets may meet without shared vertices. Each is
    matched once. */
#ifndef SCREE_SPHERE_MESH_H
#define SCREE_SPHERE_MESH_H

#include "narrow/sphere_mesh_rows.h"
#include "shape/facet_point.h"

/*  Computes the contacts of a sphere with a mesh. They are in `work` until its next use. `vertices`: current positions
    of the mesh's vertices after a rigid motion; NULL: as given, which is faster. `facets`: all facets that may be
    within the radius, and possibly others, each once. `old`: the contacts of the last step, with points in the frame of
    the vertices. SCREE_OUT_OF_MEMORY. */
scree_status scree_sphere_mesh_contacts(scree_sphere_mesh *work, scree_memory *memory,
                                        const scree_mesh *mesh, const double *vertices,
                                        const uint32_t *facets, size_t facet_count,
                                        const double centre[3], double radius,
                                        const scree_mesh_memory *old, size_t old_count);
void scree_sphere_mesh_free(scree_sphere_mesh *work, scree_memory *memory);

/*  A plane that has bodies on one side only: returns the overlap, above 0 in contact. The normal of the contact is the
    opposite of `normal`, a unit vector that points towards the bodies. */
static inline double scree_sphere_plane_overlap(const double point[3], const double normal[3],
                                                const double centre[3], double radius)
{
    return radius - (normal[0] * (centre[0] - point[0]) + normal[1] * (centre[1] - point[1]) +
                     normal[2] * (centre[2] - point[2]));
}

#endif
