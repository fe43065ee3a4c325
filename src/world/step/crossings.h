/*  Nothing passes through anything in silence: the ways of a step are looked at between its ends. */
#ifndef SCREE_WORLD_CROSSINGS_H
#define SCREE_WORLD_CROSSINGS_H

#include "scree/world.h"
#include "world/boundaries/wall_way.h"
#include "world/state/bodies.h"
#include "world/state/cell_box.h"

struct scree_world;

/*  Two that would pass through each other unseen. */
typedef struct scree_crossing
{
    uint32_t slot;    /* of the faster body; UINT32_MAX: there is none */
    uint32_t partner; /* slot of the other, or UINT32_MAX: */
    uint32_t wall;    /* its place; UINT32_MAX as well: the body goes through the periodic cell */
    double way;       /* against each other, at most */
    double most;      /* on a way that is not longer nothing can be passed */
} scree_crossing;

typedef struct scree_crossings
{
    double *block_way; /* of bodies in the last drift, see integrate.h */
    size_t block_capacity;
    scree_wall_way *wall_way; /* of walls, in the step under way */
    size_t wall_capacity;
    bool is_found; /* the step under way was refused for one */
    bool
        is_fast; /* what moved so far that it had to be looked at closely: no step for going in place */
    /* of the step under way: how far bodies have gone at most, edges of the cell, and walls; the smallest of bodies */
    double way, cell_way, walls_way, smallest;
    bool has_told; /* that steps are made shorter for it */
} scree_crossings;

void scree_crossings_free(scree_crossings *crossings, scree_memory *memory);
/*  Room for what drifts say. SCREE_OUT_OF_MEMORY. */
scree_status scree_crossings_reserve(struct scree_world *world);
/*  Where bodies and walls are at the end of a step of `dt`. SCREE_UNSTABLE where two have passed through each other unseen,
    with who, and the failed body; or in a step in place, where that cannot be known. */
scree_status scree_world_find_crossings(struct scree_world *world, double dt);
/*  After a step was refused as SCREE_UNSTABLE: whether it is to be tried once more, in a shorter time. Of steps that are chosen
    those are that would have passed something, or met it so fast that it was deep in it at once. */
bool scree_world_shorten_for_crossing(struct scree_world *world, double *dt);

/*  How far edges of a periodic cell go in a step. */
double scree_crossing_way_of_cell(const scree_strain *cell, double dt);

/* ---- what the files of this family share ---- */

/*  What is the same for all that is looked at in a step. */
typedef struct scree_crossing_look
{
    struct scree_world *world;
    double dt, time;      /* time: at its end */
    scree_crossing found; /* the first, by serial numbers */
} scree_crossing_look;

/*  How far the farthest point of a body has gone in the step, at most. */
double scree_crossing_way(const scree_crowd *bodies, uint32_t slot, double dt);
/*  Keeps the first of what is found. */
void scree_crossing_note(scree_crossing_look *look, const scree_crossing *crossing);

/*  crossing_walls.c: a body that has gone `way`, against all walls. */
scree_status scree_crossing_look_at_walls(scree_crossing_look *look, uint32_t slot, double way);
/*  crossing_pairs.c: all bodies that have gone farther than `slow` against all others. */
scree_status scree_crossing_look_at_pairs(scree_crossing_look *look, double slow, double cell_way);
/*  crossing_solids.c: a solid against a body in slot `second`, or if that is UINT32_MAX a wall. `way`: of both against each
    other, at most; `rush`: were they as fast in all of the step as at their fastest; `size`: what can be passed by no way that is shorter. */
scree_status scree_crossing_look_at_solids(scree_crossing_look *look, uint32_t first,
                                           uint32_t second, uint32_t wall, double way, double rush,
                                           double size, bool *passes);
/*  Whether a solid touches a wall at a share of its way. */
scree_status scree_crossing_solid_touches(scree_crossing_look *look, uint32_t slot, uint32_t wall,
                                          double share, bool *touches);

#endif
