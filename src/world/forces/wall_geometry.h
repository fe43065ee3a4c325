/*  Positions and velocities of spheres at their contacts with walls, as contact models need them. */
#ifndef SCREE_WORLD_WALL_GEOMETRY_H
#define SCREE_WORLD_WALL_GEOMETRY_H

#include "world/contacts/batch_room.h"

/*  Of each wall, in rows of four: position, velocity and angular velocity at the end of the step, and the velocity and
    angular velocity of its belt. */
#define SCREE_WALL_ROWS 5u

/*  Rows of bodies, of contacts and of walls, from index 0. */
typedef struct scree_wall_geometry
{
    const double *position, *velocity, *spin; /* of bodies */
    const double *point, *normal; /* of contacts: the fourth value of a point is the overlap */
    const uint32_t *body, *wall;  /* of each contact */
    const double *wall_rows;
    bool has_belts; /* of any wall */
} scree_wall_geometry;

/*  For the contacts in the batch, rounded up to full vectors; each body is the first of its contact. */
typedef void scree_wall_geometry_fn(const scree_wall_geometry *geometry, uint32_t count,
                                    scree_batch_room *room);
/*  By SIMD level. */
extern scree_wall_geometry_fn *const scree_wall_geometry_kernels[];

#endif
