/*  Active sets of pairs of bodies of triangles, from guess to guess of implicit steps (narrow/mesh_surrogate_cut.h).
    Where surrogates of them are felt they begin at the roots in each try of a step: what a step comes to is a function of the
    state before it. Sets that dive find the contacts that there are, wherever they begin, and need not. */
#ifndef SCREE_WORLD_ACTIVE_SETS_H
#define SCREE_WORLD_ACTIVE_SETS_H

#include "narrow/mesh_surrogate_cut.h"
#include "world/state/bodies.h"

/*  Where a pair stands in the order of contacts. */
typedef struct scree_solid_rank
{
    uint64_t first, partner; /* serials; of a wall its place */
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
    bool is_on;           /* contacts are found by them */
    bool dives;           /* in this guess they go down to facets */
    bool is_exact;        /* in all guesses */
    uint64_t attempt;     /* cuts of others are to begin anew */
    scree_solid_cut *cut; /* one for each item of work, in its order */
    size_t count;
    scree_solid_cut *spare;
    size_t capacity, spare_capacity;
} scree_solid_cuts;

struct scree_solids;

void scree_solid_cuts_free(scree_solid_cuts *cuts, scree_memory *memory);
/*  After the work of an evaluation is listed: cuts of the same pairs go on. SCREE_OUT_OF_MEMORY. */
scree_status scree_solid_cuts_follow(struct scree_solids *solids, const scree_crowd *bodies);

#endif
