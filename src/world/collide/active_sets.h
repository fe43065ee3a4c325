/*  Active sets of pairs of bodies of triangles, from iteration to iteration of implicit steps
    (narrow/mesh_surrogate_cut.h). If contacts with surrogates count, sets start at the roots in each try of a step,
    so that the result of a step depends only on the state before it. Sets that refine to triangles at once find the
    true contacts wherever they start, so they need not be reset. */
#ifndef SCREE_WORLD_ACTIVE_SETS_H
#define SCREE_WORLD_ACTIVE_SETS_H

#include "narrow/mesh_surrogate_cut.h"
#include "world/state/bodies.h"

/*  Sort key of a pair in the order of contacts. */
typedef struct scree_shape_rank
{
    uint64_t first, partner; /* global ids; for a wall its index */
    bool is_wall;
} scree_shape_rank;

int scree_shape_rank_compare(const scree_shape_rank *a, const scree_shape_rank *b);

typedef struct scree_shape_cut
{
    scree_shape_rank rank;
    uint64_t attempt;
    scree_surrogate_cut cut;
} scree_shape_cut;

typedef struct scree_shape_cuts
{
    bool is_on;           /* contacts are found with active sets */
    bool dives;           /* this iteration refines to triangles at once */
    bool is_exact;        /* all iterations do */
    uint64_t attempt;     /* active sets of other attempts are reset */
    scree_shape_cut *cut; /* one for each entry of the work list, in its order */
    size_t count;
    scree_shape_cut *spare;
    size_t capacity, spare_capacity;
} scree_shape_cuts;

struct scree_shape_finder;

void scree_shape_cuts_free(scree_shape_cuts *cuts, scree_memory *memory);
/*  Called after the work of an evaluation was listed: takes over active sets of the same pairs. SCREE_OUT_OF_MEMORY. */
scree_status scree_shape_cuts_follow(struct scree_shape_finder *finder,
                                     const scree_body_arrays *bodies);

#endif
