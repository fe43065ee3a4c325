/*  Two bodies of 1,280 triangles, round or bumpy, so far apart as one likes: what searches of touching triangles are
    measured on, ours and those of other libraries. */
#ifndef SCREE_BENCH_MESH_CASE_H
#define SCREE_BENCH_MESH_CASE_H

#include "narrow/mesh_boxes.h"

/*  Of bodies of diameter 1, as in the paper; they reach twice as far. */
#define SCREE_MESH_CASE_SKIN 0.01

/*  What is measured, by number: names of shapes, and gaps at the nearest points. The last of the gaps is a near miss. */
#define SCREE_MESH_CASES 6
const char *scree_mesh_case_name(size_t number);
double scree_mesh_case_gap(size_t number);

typedef struct scree_mesh_case
{
    scree_memory memory;
    scree_mesh *mesh[2];
    scree_mesh_boxes boxes[2];
    scree_mesh_body body[2];
    scree_mesh_finder finder;
    double build_us; /* what boxes need beside a mesh */
} scree_mesh_case;

/*  Moves the second of two bodies along the first axis until their surfaces are `gap` apart, to within `accuracy`. The
    distance between the bodies is searched from 0 to 2. Both must have boxes. SCREE_OUT_OF_MEMORY. */
scree_status scree_mesh_set_gap(scree_mesh_finder *finder, scree_mesh_body body[2], double gap,
                                double accuracy);

/*  Close it whatever came of it. SCREE_OUT_OF_MEMORY. */
scree_status scree_mesh_case_open(scree_mesh_case *c, size_t number, scree_error *error);
void scree_mesh_case_close(scree_mesh_case *c);

#endif
