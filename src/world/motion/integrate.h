/*  Moves bodies from one state to the next. */
#ifndef SCREE_WORLD_INTEGRATE_H
#define SCREE_WORLD_INTEGRATE_H

#include "world/contacts/wall_contact_list.h"
#include "world/state/body_sleep.h"
#include "world/state/step_data.h"

/*  Further work on bodies begin .. end - 1 while they are in the cache. `before` has their previous positions, the
    first being that of body `begin`. Returns an upper bound of their displacements. */
typedef double scree_drifted_fn(const scree_body_arrays *bodies, const double (*before)[4],
                                scree_wall_contact_search *search, uint32_t begin, uint32_t end);

/*  Input of the motion. step/room_data.c fills it. */
typedef struct scree_motion_job
{
    const scree_step *step;
    scree_body_arrays *bodies;
    const scree_sleep_state *sleep;
    bool slots_are_new;        /* bodies were moved in memory since the last step */
    scree_drifted_fn *drifted; /* called for a few bodies at a time after their drift, with: */
    scree_wall_contact_search *near; /* NULL: there are no walls */
    double *travel; /* in place: output, largest displacement of each SCREE_TRAVEL_ROWS bodies */
    double
        *block_way; /* otherwise: the same by block of bodies (body_blocks.h); NULL: not needed */
} scree_motion_job;

/*  First half: from the previous state (second copies) to the end of the step, with the forces at its start. */
void scree_bodies_drift(const scree_motion_job *job);
/*  The same in place, if scree_bodies_may_finish_early: there is no previous state to return to. */
void scree_bodies_drift_in_place(const scree_motion_job *job);
/*  Second half, once the forces at the end are known. */
void scree_bodies_finish(const scree_motion_job *job);
/*  Whether the second half needs only the sum of forces of each body, see sum_kernels.h, and the host adds none. */
bool scree_bodies_may_finish_early(const scree_world_def *def, const scree_body_arrays *bodies,
                                   const scree_sleep_state *sleep);

#endif
