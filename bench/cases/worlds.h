/*  What a step of worlds costs that are not of plain spheres: bodies of pebbles, convex blocks and bodies of triangles that fall
    into a box and lie in it, beside spheres that do, and spheres that are glued together. What it came to: docs/results/worlds.md. */
#ifndef SCREE_BENCH_WORLDS_H
#define SCREE_BENCH_WORLDS_H

#include "scree/scree.h"

typedef enum scree_bench_kind
{
    SCREE_BENCH_SPHERES,
    SCREE_BENCH_CLUMPS_5, /* of five pebbles */
    SCREE_BENCH_CLUMPS,   /* of eight pebbles */
    SCREE_BENCH_CUBES,
    SCREE_BENCH_BLOCKS, /* of twelve faces */
    SCREE_BENCH_MESHES, /* of the same faces, as triangles with a contact skin */
    SCREE_BENCH_ELLIPSOIDS,
    SCREE_BENCH_TABLETS, /* superquadrics, nearly cylinders */
    SCREE_BENCH_KINDS,
} scree_bench_kind;

typedef struct scree_lain_plan
{
    uint32_t bodies[SCREE_BENCH_KINDS]; /* cubes of whole numbers fill their box best */
    uint64_t settling;                  /* steps before any are measured at rest */
    uint32_t turns, steps;              /* of each bed so many steps, by turns */
    uint32_t falls, falling;            /* so many steps of each bed as it falls, so many times */
} scree_lain_plan;

/*  A bed that has come to rest. Processor time is that of the cheapest turn. */
typedef struct scree_lain_row
{
    scree_bench_kind kind;
    uint32_t bodies;
    double speed;           /* mean of bodies, m/s */
    double pairs, contacts; /* that touch, for each body; a pair may have several contacts */
    double ns;              /* a body and step, at rest */
    double falling_ns;      /* the same from the lattice on, of the cheapest fall */
} scree_lain_row;

/*  Of the library's errors those of worlds. */
scree_status scree_bench_lain(const scree_lain_plan *plan, scree_lain_row row[SCREE_BENCH_KINDS],
                              scree_error *error);

typedef enum scree_bench_glue
{
    SCREE_BENCH_LOOSE, /* in the same places, under the law that bonds add to */
    SCREE_BENCH_GLUED,
    SCREE_BENCH_GLUES,
} scree_bench_glue;

/*  A cube of spheres that sways a little. */
typedef struct scree_glued_row
{
    scree_bench_glue glue;
    uint32_t bodies;
    double bonds, contacts; /* for each body */
    double ns;              /* a body and step, of the cheapest turn */
    scree_timings timings;  /* of the turn that took least by the clock */
    uint64_t searches;      /* of the detector, in all turns */
} scree_glued_row;

scree_status scree_bench_glued(uint32_t across, uint32_t turns, uint32_t steps,
                               scree_glued_row row[SCREE_BENCH_GLUES], scree_error *error);

#endif
