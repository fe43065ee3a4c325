/*  Detects objects that pass through each other between the two ends of a step. */
#ifndef SCREE_WORLD_CROSSINGS_H
#define SCREE_WORLD_CROSSINGS_H

#include "scree/world.h"
#include "world/boundaries/wall_way.h"
#include "world/state/bodies.h"
#include "world/state/cell_box.h"

struct scree_world;

/*  Two objects that would pass through each other unnoticed. */
typedef struct scree_crossing
{
    uint32_t slot;    /* of the faster body; UINT32_MAX: no crossing */
    uint32_t partner; /* slot of the other, or UINT32_MAX: */
    uint32_t wall;    /* its index; UINT32_MAX as well: the body passes through the periodic cell */
    double way;       /* upper bound of the relative displacement */
    double most;      /* nothing can be passed with a smaller displacement */
} scree_crossing;

typedef struct scree_crossings
{
    double *block_way; /* by block of bodies in the last drift, see integrate.h */
    size_t block_capacity;
    scree_wall_way *wall_way; /* of walls, in the current step */
    size_t wall_capacity;
    bool is_found; /* the current step was refused because of a crossing */
    bool is_fast;  /* a path had to be examined: not possible in place */
    /* current step: largest displacement of bodies, of edges of the cell, of walls; smallest size of a body */
    double way, cell_way, walls_way, smallest;
    bool has_told; /* the message about shortened steps was given */
} scree_crossings;

void scree_crossings_free(scree_crossings *crossings, scree_memory *memory);
/*  Reserves memory for displacements. SCREE_OUT_OF_MEMORY. */
scree_status scree_crossings_reserve(struct scree_world *world);
/*  Tests bodies and walls at the end of a step of `dt`. SCREE_UNSTABLE if two have passed through each other
    unnoticed, with a message and the failed body; or if a step in place cannot tell. */
scree_status scree_world_find_crossings(struct scree_world *world, double dt);
/*  After a step was refused as SCREE_UNSTABLE: whether to try again with a shorter step. Only in automatic steps
    that would have passed through something, or begun a contact with a deep overlap. */
bool scree_world_shorten_for_crossing(struct scree_world *world, double *dt);

/*  How far the edges of a periodic cell move in a step. */
double scree_crossing_way_of_cell(const scree_strain *cell, double dt);

/* ---- shared by crossing_*.c ---- */

/*  Values that are the same for all tests of a step. */
typedef struct scree_crossing_look
{
    struct scree_world *world;
    double dt, time;      /* time: at the end of the step */
    scree_crossing found; /* the first by global ids */
} scree_crossing_look;

/*  Largest displacement of any point of a body in the step. */
double scree_crossing_way(const scree_body_arrays *bodies, uint32_t slot, double dt);
/*  Keeps the first crossing by global ids. */
void scree_crossing_note(scree_crossing_look *look, const scree_crossing *crossing);

/*  crossing_walls.c: tests a body with displacement `way` against all walls. */
scree_status scree_crossing_look_at_walls(scree_crossing_look *look, uint32_t slot, double way);
/*  crossing_pairs.c: tests all bodies with displacements above `slow` against all others. */
scree_status scree_crossing_look_at_pairs(scree_crossing_look *look, double slow, double cell_way);
/*  crossing_shapes.c: tests a non-spherical body against the body in slot `second`, or, if that is UINT32_MAX, a
    wall. `way` is an upper bound of the relative displacement, `rush` the same with the largest speeds during the
    step, and `size` the smallest displacement that can pass something. */
scree_status scree_crossing_look_at_shapes(scree_crossing_look *look, uint32_t first,
                                           uint32_t second, uint32_t wall, double way, double rush,
                                           double size, bool *passes);
/*  Whether a non-spherical body touches a wall at a fraction of its path. */
scree_status scree_crossing_shape_touches(scree_crossing_look *look, uint32_t slot, uint32_t wall,
                                          double share, bool *touches);

#endif
