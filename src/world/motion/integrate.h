/*  From one state to the next. */
#ifndef SCREE_WORLD_INTEGRATE_H
#define SCREE_WORLD_INTEGRATE_H

#include "scree/world.h"

struct scree_world;

/*  What else is to be done with bodies begin .. end - 1, while they are at hand; `before` is where the first of them was, and
    so on. */
typedef void scree_drifted_fn(struct scree_world *world, const double (*before)[4], uint32_t begin,
                              uint32_t end);

/*  From the state before (twins) to the one at the end of the step, forces being those of its beginning. `drifted` sees each
    block of bodies that is there, of several at a time. */
void scree_world_drift(struct scree_world *world, double dt, scree_drifted_fn *drifted);
/*  The same in place, where scree_world_may_finish_early: there are no twins to go back to. */
void scree_world_drift_in_place(struct scree_world *world, double dt, scree_drifted_fn *drifted);
/*  With the forces at the end, what the stepper does once they are known. */
void scree_world_finish(struct scree_world *world, double dt);
/*  Whether no body needs more for that than its sum of forces, see sum_kernels.h. */
bool scree_world_may_finish_early(const struct scree_world *world);

#endif
