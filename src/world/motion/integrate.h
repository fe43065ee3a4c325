/*  From one state to the next. */
#ifndef SCREE_WORLD_INTEGRATE_H
#define SCREE_WORLD_INTEGRATE_H

#include "world/contacts/wall_contact_list.h"
#include "world/state/body_sleep.h"
#include "world/state/step_data.h"

/*  What else is to be done with bodies begin .. end - 1, while they are at hand; `before` is where the first of them was, and
    so on. Returns how far one of them has gone, at most. */
typedef double scree_drifted_fn(const scree_crowd *bodies, const double (*before)[4],
                                scree_surface_search *search, uint32_t begin, uint32_t end);

/*  What moves. step/room_data.c fills it. */
typedef struct scree_motion_job
{
    const scree_step *step;
    scree_crowd *bodies;
    const scree_rest *rest;
    bool slots_are_new;         /* bodies have changed places in memory since the last step */
    scree_drifted_fn *drifted;  /* sees a few bodies at a time, that have moved, with: */
    scree_surface_search *near; /* NULL: there are no walls */
    double *travel;    /* steps in place: gets the way of each SCREE_TRAVEL_ROWS bodies, at most */
    double *block_way; /* others: that of each of scree_bodies_drift_blocks; NULL: nobody asks */
} scree_motion_job;

/*  Blocks that so many bodies are moved in. */
size_t scree_bodies_drift_blocks(size_t count);
/*  From the state before (twins) to the one at the end of the step, forces being those of its beginning. */
void scree_bodies_drift(const scree_motion_job *job);
/*  The same in place, where scree_bodies_may_finish_early: there are no twins to go back to. */
void scree_bodies_drift_in_place(const scree_motion_job *job);
/*  With the forces at the end, what the integrator does once they are known. */
void scree_bodies_finish(const scree_motion_job *job);
/*  Whether no body needs more for that than its sum of forces, see sum_kernels.h, if the host adds none. */
bool scree_bodies_may_finish_early(const scree_world_def *def, const scree_crowd *bodies,
                                   const scree_rest *rest);

#endif
