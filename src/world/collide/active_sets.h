/*  Active sets of pairs of bodies of triangles, from iteration to iteration of implicit steps
    (narrow/mesh_surrogate_cut.h). If contacts with surrogates count, sets start at the roots in each try of a step,
    so that the result of a step depends only on the state before it. Sets that refine to triangles at once find the
    true contacts wherever they start, so they need not be reset. */
#ifndef SCREE_WORLD_ACTIVE_SETS_H
#define SCREE_WORLD_ACTIVE_SETS_H

#include "narrow/mesh_surrogate_cut.h"
#include "world/state/bodies.h"

/*  Sort key of a pair in the order of contacts. */
typedef struct scree_solid_rank
{
    uint64_t first, partner; /* global ids; for a wall its index */
    bool is_wall;
} scree_solid_rank;

int scree_solid_rank_compare(const scree_solid_rank *a, const scree_solid_rank *b);

typedef struct scree_solid_cut
{
    scree_solid_rank rank;
    uint64_t attempt;
    scree_surrogate_cut cut;
} scree_solid_cut;

typedef struct scree_solid_cuts
{
    bool is_on;           /* contacts are found with active sets */
    bool dives;           /* this iteration refines to triangles at once */
    bool is_exact;        /* all iterations do */
    uint64_t attempt;     /* active sets of other attempts are reset */
    scree_solid_cut *cut; /* one for each entry of the work list, in its order */
    size_t count;
    scree_solid_cut *spare;
    size_t capacity, spare_capacity;
} scree_solid_cuts;

struct scree_solids;

void scree_solid_cuts_free(scree_solid_cuts *cuts, scree_memory *memory);
/*  Called after the work of an evaluation was listed: takes over active sets of the same pairs. SCREE_OUT_OF_MEMORY. */
scree_status scree_solid_cuts_follow(struct scree_solids *solids, const scree_body_arrays *bodies);

#endif
