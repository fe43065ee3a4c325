/*  Worlds that tests, benchmarks, examples and the demonstration share: each is made by one function, from
    numbers that it is given, and the same on every machine. */
#ifndef SCREE_WORLDS_H
#define SCREE_WORLDS_H

#include "scree/scree.h"

/*  A drum that lies on its side and turns about the y axis, with grains in its lower half. */
typedef struct scree_drum_plan
{
    uint32_t bodies;
    double smallest, ratio; /* radius of the smallest grain, m; of the largest over it */
    double filling;         /* share of the drum that grains take as they are poured, loosely */
    double length;          /* of the drum over its diameter */
    double rate;            /* rad/s */
    uint32_t facets;        /* of the drum, a multiple of 4 from 12 */
    uint64_t seed;
} scree_drum_plan;

scree_drum_plan scree_default_drum_plan(void);

typedef struct scree_drum
{
    double radius, length;
    scree_mesh *mesh;
    scree_wall_id wall;
    scree_material_id grain, steel;
    scree_world *world;
} scree_drum;

/*  `def` gives dt, threads, method and so on; gravity is set. Equal shares of volume for each decade of
    sizes. On failure the drum is empty, and the message in `error`, which may be NULL. */
scree_status scree_drum_create(const scree_drum_plan *plan, const scree_world_def *def,
                               scree_drum *drum, scree_error *error);
void scree_drum_destroy(scree_drum *drum);

/*  Closed at both ends, with its axis along y and its centre at the origin: corners turn outward. */
scree_status scree_drum_mesh(double radius, double length, uint32_t facets, scree_mesh **mesh,
                             scree_error *error);

/*  Spheres in a box, dropped at random without overlap, the largest first. */
typedef struct scree_pour_plan
{
    double lower[3], upper[3];
    /*  Whether a place is inside, for regions that are not boxes; NULL: all are. */
    bool (*inside)(const double centre[3], double radius, const void *user);
    const void *user;
    double smallest, largest; /* radii; equal volume for each class of the logarithm */
    uint64_t seed;
} scree_pour_plan;

/*  Fills centre and radius for `count` spheres. SCREE_TOO_LARGE if one finds no place in many trials. */
scree_status scree_pour(const scree_pour_plan *plan, uint32_t count, double (*centre)[3],
                        double *radius, scree_error *error);

#endif
