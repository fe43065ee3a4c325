/*  Where a sphere touches a mesh; in two dimensions a disc and a line of segments.

    A contact is a place of the surface that is nearer to the centre than all of the surface around it, and
    nearer than the radius. So there is one for each feature that is met: over a plane one, however finely and
    in whatever way it is cut, also exactly on an edge or a vertex; in a corner of two walls two; on a convex
    edge one; inside a box up to six. The set is a function of the facets that the sphere reaches, not of
    their order.

    SIDES. Both sides of a surface are wall. A contact remembers on which side the sphere was when it began.
    While it lasts it pushes there, also when the centre has passed through the surface: the overlap then is
    the radius plus how far the centre is behind. At the open rim of a sheet, where a sphere may roll round to
    the other side, there is no side to remember.

    MEMORY. Contacts of a step are matched with those of the step before: first those on the same feature,
    then, nearest first, those whose points are nearer than the radius and whose facets share a vertex, or
    nearer than an eighth of it on any facets: these may be smaller than a step, and sheets may meet without
    shared vertices. Each is matched once. */
#ifndef SCREE_SPHERE_MESH_H
#define SCREE_SPHERE_MESH_H

#include "shape/facet_point.h"

#define SCREE_NO_CONTACT UINT32_MAX
#define SCREE_NO_CORNER UINT16_MAX

/*  What is kept of a contact from step to step. */
typedef struct scree_mesh_memory
{
    uint32_t facet;
    uint8_t feature; /* SCREE_ON_FACE, SCREE_ON_EDGE + k, SCREE_ON_VERTEX + k */
    int8_t side;     /* 1: where the facet's normal points, -1: behind, 0: at a rim */
    uint16_t
        pebble; /* of the clump that touches; of a polygon its corner, or SCREE_NO_CORNER; else 0: not set or looked at here */
    double point[3];
} scree_mesh_memory;

typedef struct scree_mesh_contact
{
    scree_mesh_memory
        memory;       /* for the next step; the facet is the first of those around the feature */
    uint32_t from;    /* index of the contact that it continues, or SCREE_NO_CONTACT */
    double normal[3]; /* unit, from the sphere to the wall */
    double overlap;   /* above 0 */
} scree_mesh_contact;

/*  Results, and scratch that is kept for the next time. All zero at first; freed by the function below. */
typedef struct scree_sphere_mesh
{
    scree_mesh_contact *contacts; /* by facet, then feature */
    size_t count, capacity;
    struct scree_touch *touches;
    size_t touch_count, touch_capacity;
    struct scree_match *matches;
    size_t match_count, match_capacity;
} scree_sphere_mesh;

/*  Contacts of a sphere with a mesh, into `work`, where they stay until its next use.
    `vertices`: where the mesh's vertices are now, moved rigidly; NULL: as they were given, which is faster.
    `facets`: all that may be within the radius, and others, each once. `old`: the contacts of the step
    before, with points in the frame that vertices are in. SCREE_OUT_OF_MEMORY. */
scree_status scree_sphere_mesh_contacts(scree_sphere_mesh *work, scree_memory *memory,
                                        const scree_mesh *mesh, const double *vertices,
                                        const uint32_t *facets, size_t facet_count,
                                        const double centre[3], double radius,
                                        const scree_mesh_memory *old, size_t old_count);
void scree_sphere_mesh_free(scree_sphere_mesh *work, scree_memory *memory);

/*  A plane that has bodies on one side only: the overlap, above 0 where they touch; the normal of the contact
    is the opposite of `normal`, a unit vector that points towards the bodies. */
static inline double scree_sphere_plane_overlap(const double point[3], const double normal[3],
                                                const double centre[3], double radius)
{
    return radius - (normal[0] * (centre[0] - point[0]) + normal[1] * (centre[1] - point[1]) +
                     normal[2] * (centre[2] - point[2]));
}

#endif
