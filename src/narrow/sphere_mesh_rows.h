/*  Rows of the search for contacts of a sphere with a mesh, see sphere_mesh.h. Plain C, and plain OpenCL C. */
#ifndef SCREE_SPHERE_MESH_ROWS_H
#define SCREE_SPHERE_MESH_ROWS_H

#ifndef __OPENCL_C_VERSION__
#include <stddef.h>
#include <stdint.h>
#endif

#include "shape/facet_feature.h"

#define SCREE_NO_CONTACT UINT32_MAX
#define SCREE_NO_TOUCH UINT32_MAX
#define SCREE_NO_CORNER UINT16_MAX

#define SCREE_SIDE_DEEP 2

/*  The contact history. */
typedef struct scree_mesh_memory
{
    uint32_t facet;
    uint8_t feature; /* SCREE_ON_FACE, SCREE_ON_EDGE + k, SCREE_ON_VERTEX + k */
    /*  1: the side to which the facet's normal points, -1: the other; 0: at a boundary. SCREE_SIDE_DEEP: of two surfaces
        that cross */
    int8_t side;
    uint16_t
        /*  of the clump that touches; for a polygon its corner, or SCREE_NO_CORNER; otherwise 0. Not used here */
        pebble;
    double point[3];
} scree_mesh_memory;

typedef struct scree_mesh_contact
{
    scree_mesh_memory
        memory; /* history for the next step; the facet is the first of those around the feature */
    uint32_t from;    /* index of the contact that it continues, or SCREE_NO_CONTACT */
    double normal[3]; /* unit, from the sphere to the wall */
    double overlap;   /* above 0 */
} scree_mesh_contact;

/*  An old contact that a new one may continue. */
typedef struct scree_match
{
    double apart_sq;
    uint32_t now, before;
} scree_match;

/*  A facet within the radius. */
typedef struct scree_touch
{
    scree_facet_point nearest;
    uint32_t facet;
    uint32_t beaten_by; /* the best facet that beats it, or SCREE_NO_TOUCH */
    uint32_t walk;      /* the last walk that visited it, while cycles are searched */
} scree_touch;

/*  Results, and scratch that is reused. On the host, initialise to zero and free with scree_sphere_mesh_free. */
typedef struct scree_sphere_mesh
{
    scree_mesh_contact *contacts; /* sorted by facet, then feature */
    size_t count, capacity;
    scree_touch *touches;
    size_t touch_count, touch_capacity;
    scree_match *matches;
    size_t match_count, match_capacity;
} scree_sphere_mesh;

#endif
