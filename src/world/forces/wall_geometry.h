/*  How spheres lie and move where they touch walls: what laws ask for. */
#ifndef SCREE_WORLD_WALL_GEOMETRY_H
#define SCREE_WORLD_WALL_GEOMETRY_H

#include "world/contacts/batch_room.h"

/*  Of each wall: place, velocity and spin at the end of the step, in rows of four. */
#define SCREE_WALL_ROWS 3u

/*  Rows of bodies, of contacts and of walls, from number 0. */
typedef struct scree_wall_geometry
{
    const double *position, *velocity, *spin; /* of bodies */
    const double *point, *normal; /* of contacts: the fourth of a point is the overlap */
    const uint32_t *body, *wall;  /* which they are of */
    const double *wall_rows;
} scree_wall_geometry;

/*  Of the contacts in the room, rounded up to full vectors; and their bodies, as the first of each. */
typedef void scree_wall_geometry_fn(const scree_wall_geometry *geometry, uint32_t count,
                                    scree_batch_room *room);
/*  By SIMD level. */
extern scree_wall_geometry_fn *const scree_wall_geometry_kernels[];

#endif
