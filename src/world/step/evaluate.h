/*  Evaluates all forces of a state, and undoes it. */
#ifndef SCREE_WORLD_EVALUATE_H
#define SCREE_WORLD_EVALUATE_H

#include "scree/world.h"

struct scree_world;

/*  Ends a timed phase and starts the next. */
void scree_world_end_phase(struct scree_world *world, double *phase);
/*  Finds potential contacts at the present positions, which were reached in a step of `dt`. */
scree_status scree_world_find_neighbours(struct scree_world *world, double dt);
/*  Undoes a new neighbour list: contact history is in the previous one. */
void scree_world_undo_search(struct scree_world *world);
/*  Bodies begin .. end - 1 have moved, so walls may be nearer by as much. `before` has the previous position of
    each, the first being that of body `begin`. */
void scree_world_follow_bodies(struct scree_world *world, const double (*before)[4], uint32_t begin,
                               uint32_t end);
/*  Moves bodies from the previous state to the end of the step, and reduces the remaining distances to walls by as
    much. */
void scree_world_move_bodies(struct scree_world *world, double dt);
/*  The second half of the integration, once the forces at the end of the step are known. */
void scree_world_finish(struct scree_world *world, double dt);
/*  Finds contacts and all forces at the present positions of bodies and the poses of walls at `time`, after a step
    of `dt`. */
scree_status scree_world_evaluate(struct scree_world *world, double time, double dt);
/*  Restores bodies to the state before the step, to try the step again. */
void scree_world_step_back(struct scree_world *world);
/*  Also restores contacts: the step is not taken. */
void scree_world_undo(struct scree_world *world);

#endif
