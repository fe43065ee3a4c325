/*  All forces of a state, and the way back. */
#ifndef SCREE_WORLD_EVALUATE_H
#define SCREE_WORLD_EVALUATE_H

#include "scree/world.h"

struct scree_world;

/*  A phase ends here, and the next begins. */
void scree_world_end_phase(struct scree_world *world, double *phase);
/*  Who may touch whom, of bodies as they are, which came here in `dt`. */
scree_status scree_world_find_neighbours(struct scree_world *world, double dt);
/*  The step is not taken: what contacts remember is in the list before. */
void scree_world_undo_search(struct scree_world *world);
/*  Bodies begin .. end - 1 have moved, and walls may be as much nearer: `before` is where the first of them was, and so on. */
void scree_world_follow_bodies(struct scree_world *world, const double (*before)[4], uint32_t begin,
                               uint32_t end);
/*  From the twins to the end of a step; and walls are known to be as much nearer. */
void scree_world_move_bodies(struct scree_world *world, double dt);
/*  With the forces at the end of a step, what the integrator does once they are known. */
void scree_world_finish(struct scree_world *world, double dt);
/*  Who touches, and all forces, of bodies as they are and walls where they are at `time`, a step of `dt` from
    the state before. */
scree_status scree_world_evaluate(struct scree_world *world, double time, double dt);
/*  Bodies are where they were before the step, to try the same once more. */
void scree_world_step_back(struct scree_world *world);
/*  And contacts are what they were: the step is not taken. */
void scree_world_undo(struct scree_world *world);

#endif
