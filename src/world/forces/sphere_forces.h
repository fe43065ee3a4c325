/*  Scratch and kernels of contacts between bodies. */
#ifndef SCREE_WORLD_SPHERE_FORCES_H
#define SCREE_WORLD_SPHERE_FORCES_H

#include "world/contacts/batch_room.h"
#include "world/contacts/stiffness_row.h"
#include "world/forces/force_job.h"
#include "world/forces/push_kernels.h"
#include "world/forces/sphere_rows.h"
#include "world/state/body_sleep.h"
#include "world/state/cell_box.h"

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
    uint32_t touching[SCREE_TILE + SCREE_ROOM_STEP]; /* candidates of a tile */
    uint32_t alike[SCREE_TILE + SCREE_ROOM_STEP];    /* those of one law */
    size_t contacts, spared; /* contacts found; candidates of tiles that were spared */
    scree_deep_pairs deep;
    bool is_unsound;        /* forces of some body are not finite */
    double foremost;        /* argmax.c: the greatest number that it has seen, */
    uint32_t foremost_slot; /* and whose; UINT32_MAX: none */
};

/*  Bodies from which on rows are asked for ahead, before so many contacts: of fewer that costs more than it saves. */
#define SCREE_MANY_BODIES 32768u
#define SCREE_ASK_AHEAD 64u

/*  Which of the candidates begin .. end - 1 lie within reach of each other: their numbers, ascending.
    At most SCREE_TILE; room for eight more is needed. */
typedef uint32_t scree_touch_fn(const scree_geometry *geometry, size_t begin, size_t end,
                                uint32_t *touching);
/*  The same of those that may touch since bodies have travelled so far, see gaps.h; where there are no images. */
typedef uint32_t scree_touch_apart_fn(const scree_geometry *geometry, size_t begin, size_t end,
                                      double travelled, double *until, uint32_t *touching);
/*  Overlap, normal, velocities, of the candidates in the room, rounded up to full vectors. */
typedef void scree_geometry_fn(const scree_geometry *geometry, uint32_t count,
                               scree_batch_room *room);

/*  Writes rows of force at the contacts' places. */
typedef void scree_rows_fn(const scree_batch_room *room, uint32_t count, double (*row)[8]);
/*  And what laws with moments exert beside. */
typedef void scree_moments_fn(const scree_batch_room *room, uint32_t count, double (*moment)[4]);

scree_geometry scree_pair_geometry(const scree_crowd *bodies, const scree_contact_list *pairs,
                                   const scree_strain *cell, double reach);

/*  By SIMD level. */
extern scree_touch_fn *const scree_touch_kernels[];
extern scree_touch_apart_fn *const scree_touch_apart_kernels[];
extern scree_geometry_fn *const scree_geometry_kernels[];
extern scree_rows_fn *const scree_rows_kernels[];
extern scree_moments_fn *const scree_moments_kernels[];

/*  Contacts between bodies, of a step: what is read, and where results go. step/room_data.c fills it once sums have begun. */
typedef struct scree_pair_job
{
    const scree_step *step;
    const scree_crowd *bodies;
    const scree_strain *cell;
    double reach; /* that bodies act beyond touching, at most */
    scree_contact_list *pairs;
    scree_contact_sets *contacts;
    scree_rest *rest;
    scree_sums *sums;
    scree_force_scratch *scratch; /* by worker */
    bool wants_stiffness;
    const double *
        travel; /* of each SCREE_TRAVEL_ROWS bodies since the evaluation before; NULL: it is not known */
    bool list_is_new; /* made in this step */
    bool in_place;    /* contacts remember where they remembered: there is no way back */
} scree_pair_job;

/* ---- stiffness.c */
/*  Before a law is asked for stiffness, and after its forces have been taken out of the room, which is spoilt:
    writes the row of each contact into rows[contact]. */
void scree_stiffness_await(scree_batch_room *room);
void scree_stiffness_write(const scree_batch *batch, scree_batch_room *room,
                           const scree_rule_slot *slot, scree_stiffness_row *rows);

/* ---- sphere_forces.c */
/*  Who touches, and the forces, of all candidates, at `position`, `velocity` and `spin` as they are, into rows and `next` of
    contacts. SCREE_UNSTABLE where an overlap passes the limit. */
scree_status scree_pair_forces(const scree_pair_job *job);
/*  Whether all candidates go by one kernel of dry contacts, so that what they remember can be written where it was read. */
bool scree_pairs_are_dry(const scree_pair_job *job);
/*  Stiffness of the contacts that touch in the state as it is, into `stiffness` of contacts; nothing else changes.
    SCREE_OUT_OF_MEMORY. */
scree_status scree_pair_stiffness(const scree_pair_job *job);

#endif
