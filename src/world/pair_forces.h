/*  Scratch and kernels of contacts between bodies. */
#ifndef SCREE_PAIR_FORCES_H
#define SCREE_PAIR_FORCES_H

#include "world/world_internal.h"

/*  Candidates that one worker takes at a time. */
#define SCREE_TILE 1024u

/*  One batch: what scree_batch points to, and what stays inside. */
typedef struct scree_batch_room
{
    _Alignas(64) double overlap[SCREE_BATCH];
    double normal[3][SCREE_BATCH];
    double approach[SCREE_BATCH];
    double slide[3][SCREE_BATCH];
    double roll[3][SCREE_BATCH];
    double twist[SCREE_BATCH];
    double radius[SCREE_BATCH];
    double mass[SCREE_BATCH];
    double memory[SCREE_MAX_MEMORY][SCREE_BATCH];
    double next[SCREE_MAX_MEMORY][SCREE_BATCH];
    double force[3][SCREE_BATCH];
    double moment[3][SCREE_BATCH];
    double energy[SCREE_BATCH];
    double loss[SCREE_LOSSES][SCREE_BATCH];
    double stiffness[SCREE_BATCH], shear_stiffness[SCREE_BATCH];
    double arm[2][SCREE_BATCH];
    double depth[SCREE_BATCH];       /* overlap over the smaller radius */
    uint32_t candidate[SCREE_BATCH]; /* of pairs of bodies */
    uint32_t contact[SCREE_BATCH];   /* where its results go: numbers, ascending */
    uint32_t last[SCREE_BATCH];      /* its number in the last step; 0: it is new */
    uint32_t first[SCREE_BATCH], second[SCREE_BATCH]; /* slots */
} scree_batch_room;

/*  Candidates whose overlap passes the limit: how many, the first by serials, and the deepest. Depths are
    shares of the smaller radius. */
typedef struct scree_deep_pairs
{
    uint32_t count, first, deepest;
    double depth_of_first, depth_of_deepest;
} scree_deep_pairs;

/*  Of one worker. */
struct scree_force_scratch
{
    scree_batch_room room;
    uint32_t touching[SCREE_TILE + 8]; /* candidates of a tile, */
    uint32_t order[SCREE_TILE];        /* and their order by slot of the table of laws */
    scree_deep_pairs deep;
    bool is_unsound;       /* forces of some body are not finite */
    double fastest;        /* timestep.c: greatest rate of a body that it has seen, */
    uint32_t fastest_slot; /* and whose; UINT32_MAX: none */
};

/*  What geometry kernels read. */
typedef struct scree_geometry
{
    const double *position, *velocity, *spin; /* rows of four, from slot 0 */
    const uint32_t *first, *second;           /* slots of candidates */
    double reach;
    bool is_periodic;
    double period[3]; /* 0: not periodic */
} scree_geometry;

/*  Which of the candidates begin .. end - 1 lie within reach of each other: their numbers, ascending.
    At most SCREE_TILE; room for eight more is needed. */
typedef uint32_t scree_touch_fn(const scree_geometry *geometry, size_t begin, size_t end,
                                uint32_t *touching);
/*  Overlap, normal, velocities, of the candidates in the room, rounded up to full vectors. */
typedef void scree_geometry_fn(const scree_geometry *geometry, uint32_t count,
                               scree_batch_room *room);

/*  Writes rows of force at the contacts' numbers. */
typedef void scree_rows_fn(const scree_batch_room *room, uint32_t count, double (*row)[8]);

/*  Of the bodies and candidates that there are. */
scree_geometry scree_world_geometry(const scree_world *world);

/*  By SIMD level. */
extern scree_touch_fn *const scree_touch_kernels[];
extern scree_geometry_fn *const scree_geometry_kernels[];
extern scree_rows_fn *const scree_rows_kernels[];

/*  A batch that points into the room, for a law and a step of `dt`. */
scree_batch scree_batch_of_room(const scree_world *world, scree_batch_room *room, uint32_t count,
                                double dt, const scree_law *law, bool wants_stiffness);

/* ---- stiffness.c */
/*  Before a law is asked for stiffness, and after its forces have been taken out of the room, which is spoilt:
    writes the row of each contact into rows[contact], {kx ky kz arm1 rx ry rz arm2}: k along the axes of
    space; r times the square of an arm about them. */
void scree_stiffness_await(scree_batch_room *room);
void scree_stiffness_write(const scree_batch *batch, scree_batch_room *room,
                           const scree_rule_slot *slot, double (*rows)[8]);

/* ---- pair_forces.c */
/*  Stiffness of the contacts that touch in the state as it is, into world->stiffness; nothing else changes.
    SCREE_OUT_OF_MEMORY. */
scree_status scree_world_pair_stiffness(scree_world *world);

#endif
