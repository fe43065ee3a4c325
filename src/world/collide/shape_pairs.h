/*  Finds the contacts of a pair with at least one non-spherical body. */
#ifndef SCREE_WORLD_SHAPE_PAIRS_H
#define SCREE_WORLD_SHAPE_PAIRS_H

#include "narrow/block_contact.h"
#include "narrow/mesh_features.h"
#include "narrow/mesh_points.h"
#include "narrow/mesh_surrogate.h"
#include "narrow/plane_mesh.h"
#include "world/collide/shape_contacts.h"

/*  Feature of a contact with a surrogate, which is gone before the step is accepted. */
#define SCREE_FEATURE_STAND_IN (SCREE_FEATURES + 1)

/*  A contact that has just been found. */
typedef struct scree_shape_found
{
    scree_mesh_memory memory;
    uint32_t facet, previous;
    double point[3], normal[3], overlap;
    double arm[2][3];
    double radius; /* effective, for contact models */
    /*  The smaller radius, of which the overlap may be a part; as a number below 0 if that counts from where surfaces
        meet, and contact skins are used up; 0 if contact skins must not be used up. */
    double least;
    double weight;   /* factor of the force */
    double lever[8]; /* see scree_shape_contact_list; only the share is valid if it is 0 */
} scree_shape_found;

/*  A pebble in space. */
typedef struct scree_placed_pebble
{
    double at[4]; /* centre and radius */
    uint32_t number;
} scree_placed_pebble;

/*  Workspace of one worker. */
typedef struct scree_shape_worker
{
    scree_mesh_finder finder;
    scree_surrogate_search search;
    scree_mesh_merger merger;
    scree_mesh_features features;
    scree_sphere_mesh sphere;
    scree_plane_mesh plane;
    scree_block_contact block;
    scree_facet_list facets;
    scree_placed_pebble *near[2]; /* of two clumps */
    size_t near_count[2], near_capacity[2];
    uint8_t *taken; /* contacts of the previous step that continue */
    size_t taken_capacity;
    double *share; /* for contacts of a polygon and a wall of segments */
    size_t share_capacity;
    scree_shape_found *found;
    size_t count, capacity;
    scree_shape_found *found_before; /* of the previous evaluation */
    size_t before_capacity;
    scree_local_counts tested;
    scree_status status;
} scree_shape_worker;

/*  Finds the contacts of one entry of the work list, and sets its height. `reach`: the interaction range.
    SCREE_OUT_OF_MEMORY. */
scree_status scree_shape_pair_touch(const scree_shape_job *job, scree_shape_worker *worker,
                                    scree_shape_work *work, double reach);

/*  Frame of a non-spherical body in the current evaluation. */
void scree_posed_shape_of(const scree_shape_job *job, uint32_t slot, scree_posed_shape *frame);

#endif
