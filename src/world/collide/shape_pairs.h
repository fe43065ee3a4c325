/*  Where two things touch of which one at least is a solid. */
#ifndef SCREE_WORLD_SHAPE_PAIRS_H
#define SCREE_WORLD_SHAPE_PAIRS_H

#include "narrow/block_contact.h"
#include "narrow/mesh_features.h"
#include "narrow/mesh_points.h"
#include "narrow/mesh_surrogate.h"
#include "narrow/plane_mesh.h"
#include "world/collide/shape_contacts.h"

/*  What a contact remembers that is of surrogates, and gone before the step is taken. */
#define SCREE_FEATURE_STAND_IN (SCREE_FEATURES + 1)

/*  One contact as it is found. */
typedef struct scree_solid_found
{
    scree_mesh_memory memory;
    uint32_t facet, heir;
    double point[3], normal[3], overlap;
    double arm[2][3];
    double radius; /* as laws see it */
    /*  The smaller radius; 0 where one is of triangles and no block, and there is a halo. */
    double least;
    double weight; /* what the law gives counts so much */
} scree_solid_found;

/*  A pebble in the world. */
typedef struct scree_solid_pebble
{
    double at[4]; /* centre and radius */
    uint32_t number;
} scree_solid_pebble;

/*  Scratch of one worker. */
typedef struct scree_solid_worker
{
    scree_mesh_finder finder;
    scree_surrogate_search search;
    scree_mesh_merger merger;
    scree_mesh_features features;
    scree_sphere_mesh sphere;
    scree_plane_mesh plane;
    scree_block_contact block;
    scree_facet_list facets;
    scree_solid_pebble *near[2]; /* of two clumps */
    size_t near_count[2], near_capacity[2];
    uint8_t *taken; /* contacts of the last step that have an heir */
    size_t taken_capacity;
    double *share; /* of contacts of a polygon and a wall of segments */
    size_t share_capacity;
    scree_solid_found *found;
    size_t count, capacity;
    scree_solid_found *found_before; /* in the evaluation before */
    size_t before_capacity;
    scree_local_counts tested;
    scree_status status;
} scree_solid_worker;

/*  Adds what one item of the work comes to, and sets its height. `reach`: how far beyond touching contacts are wanted.
    SCREE_OUT_OF_MEMORY. */
scree_status scree_solids_touch_pair(const scree_solid_job *job, scree_solid_worker *worker,
                                     scree_solid_work *work, double reach);

/*  Of a solid, as the evaluation under way has it. */
void scree_solid_frame_of(const scree_solid_job *job, uint32_t slot, scree_solid_frame *frame);

#endif
