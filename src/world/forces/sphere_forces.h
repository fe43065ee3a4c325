/*  Workspace and kernels of contacts between spheres. */
#ifndef SCREE_WORLD_SPHERE_FORCES_H
#define SCREE_WORLD_SPHERE_FORCES_H

#include "world/contacts/batch_room.h"
#include "world/contacts/stiffness_row.h"
#include "world/forces/force_job.h"
#include "world/forces/push_kernels.h"
#include "world/forces/sphere_rows.h"
#include "world/state/body_sleep.h"
#include "world/state/cell_box.h"

/*  Pairs whose overlap exceeds the limit: their number, the first by global ids, and the deepest. Depths are
    relative to the smaller radius. */
typedef struct scree_deep_pairs
{
    uint32_t count, first, deepest;
    double depth_of_first, depth_of_deepest;
} scree_deep_pairs;

/*  Workspace of one worker. */
struct scree_force_scratch
{
    scree_batch_room room;
    uint32_t touching[SCREE_TILE + SCREE_ROOM_STEP]; /* pairs of a tile */
    uint32_t alike[SCREE_TILE + SCREE_ROOM_STEP];    /* those with the same pair parameters */
    size_t contacts, spared;                         /* contacts found; pairs of skipped tiles */
    scree_deep_pairs deep;
    bool is_unsound;       /* forces on a body are not finite */
    double largest;        /* argmax.c: the largest value so far, */
    uint32_t largest_slot; /* and its slot; UINT32_MAX: none */
};

/*  From this number of bodies on rows are prefetched, SCREE_AHEAD contacts in advance. For fewer bodies prefetching
    costs more than it saves. */
#define SCREE_MANY_BODIES 32768u
#define SCREE_ASK_AHEAD 64u

/*  Finds the pairs among begin .. end - 1 that are within the interaction range and writes their indices in
    ascending order. At most SCREE_TILE; room for eight more is needed. */
typedef uint32_t scree_touch_fn(const scree_geometry *geometry, size_t begin, size_t end,
                                uint32_t *touching);
/*  The same, but skips pairs that cannot touch after this displacement, see gaps.h. Not for periodic domains. */
typedef uint32_t scree_touch_apart_fn(const scree_geometry *geometry, size_t begin, size_t end,
                                      double travelled, double *until, uint32_t *touching);
/*  Overlap, normal and velocities of the pairs in the batch, rounded up to full vectors. */
typedef void scree_geometry_fn(const scree_geometry *geometry, uint32_t count,
                               scree_batch_room *room);

/*  Writes force records to the index of each contact. */
typedef void scree_rows_fn(const scree_batch_room *room, uint32_t count, double (*row)[8]);
/*  Writes the further torques of models with moments. */
typedef void scree_moments_fn(const scree_batch_room *room, uint32_t count, double (*moment)[4]);

scree_geometry scree_pair_geometry(const scree_body_arrays *bodies, const scree_contact_list *pairs,
                                   const scree_strain *cell, double reach);

/*  By SIMD level. */
extern scree_touch_fn *const scree_touch_kernels[];
extern scree_touch_apart_fn *const scree_touch_apart_kernels[];
extern scree_geometry_fn *const scree_geometry_kernels[];
extern scree_rows_fn *const scree_rows_kernels[];
extern scree_moments_fn *const scree_moments_kernels[];

/*  Contacts between bodies in a step: input and output. step/room_data.c fills it once sums have begun. */
typedef struct scree_pair_job
{
    const scree_step *step;
    const scree_body_arrays *bodies;
    const scree_strain *cell;
    double reach; /* largest interaction range */
    scree_contact_list *pairs;
    scree_contact_sets *contacts;
    scree_sleep_state *sleep;
    scree_sums *sums;
    scree_force_scratch *scratch; /* by worker */
    bool wants_stiffness;
    const double
        *travel; /* displacements since the last evaluation by SCREE_TRAVEL_ROWS; NULL: unknown */
    bool list_is_new; /* made in this step */
    bool in_place;    /* history is overwritten: the step cannot be undone */
} scree_pair_job;

/* ---- stiffness.c */
/*  Before a contact model computes stiffness, and after its forces have been read from the batch, which is
    overwritten: writes the stiffness record of each contact to rows[contact]. */
void scree_stiffness_await(scree_batch_room *room);
void scree_stiffness_write(const scree_batch *batch, scree_batch_room *room,
                           const scree_rule_slot *slot, scree_stiffness_row *rows);

/* ---- sphere_forces.c */
/*  Finds the touching pairs and their forces, from the present `position`, `velocity` and `spin`. Writes records and
    `next` of contacts. SCREE_UNSTABLE if an overlap exceeds the limit. */
scree_status scree_pair_forces(const scree_pair_job *job);
/*  Whether one kernel of dry contacts handles all pairs, so that history can be overwritten in place. */
bool scree_pairs_are_dry(const scree_pair_job *job);
/*  Computes the stiffness of the touching pairs in the present state into `stiffness` of contacts. Nothing else
    changes. SCREE_OUT_OF_MEMORY. */
scree_status scree_pair_stiffness(const scree_pair_job *job);

#endif
