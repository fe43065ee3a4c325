/*  A small simulation that stands in for Yade's compression tests until the real one is there: spheres
    with springs and dashpots in a box whose walls close, ever slower. It gives motion as
    it is there, strong at first, then a dense packing whose bodies hardly move; what is measured are
    detectors that look on. */
#ifndef SCREE_COMPRESSION_H
#define SCREE_COMPRESSION_H

#include "base/memory.h"
#include "scree/detect.h"

/*  What a step consists of, as Yade calls it; the collider is with those who look on. */
typedef enum scree_compression_engine
{
    SCREE_ENGINE_RESET,        /* forces to zero */
    SCREE_ENGINE_BOUNDS,       /* boxes around the spheres */
    SCREE_ENGINE_INTERACTIONS, /* forces between spheres */
    SCREE_ENGINE_WALLS,        /* these close, and their forces */
    SCREE_ENGINE_INTEGRATOR,   /* velocities and places */
    SCREE_ENGINES,
} scree_compression_engine;

typedef struct scree_compression
{
    scree_memory memory;
    size_t count;
    double *x[3], *v[3], *f[3], *radius; /* mean radius 1 */
    double *low[3], *high[3];            /* boxes, for those who look on */
    double half;                         /* the walls are at -half and half on each axis */
    double first_half, last_half;
    uint64_t step;
    uint64_t contacts;         /* spheres that overlap now */
    double sec[SCREE_ENGINES]; /* processor time of the steps so far, without detection */
    scree_detector *detector;
    uint32_t *first, *second; /* what may touch */
    uint64_t pair_count;
    size_t first_capacity, second_capacity;
} scree_compression;

scree_status scree_compression_create(size_t n, uint64_t seed, scree_compression *c,
                                      scree_error *error);
void scree_compression_free(scree_compression *c);
scree_status scree_compression_step(scree_compression *c, scree_error *error);

/*  Processor time of forces and motion, so far: of all engines but the bounds, which belong to the
    collider. */
double scree_compression_seconds(const scree_compression *c);
void scree_compression_reset_clocks(scree_compression *c);

/*  The bodies' boxes and velocities; valid while the simulation is. */
scree_table scree_compression_table(const scree_compression *c);
scree_motion scree_compression_motion(const scree_compression *c);

/*  Boxes from centres, after these have been changed from outside. */
void scree_compression_refresh(scree_compression *c);

/*  The largest speed, in lengths per step. */
double scree_compression_speed(const scree_compression *c);

#endif
