/*  The order of a step. */
#ifndef SCREE_WORLD_STEP_H
#define SCREE_WORLD_STEP_H

#include "scree/world.h"

struct scree_world;

/*  Functions of local time stepping. */
typedef struct scree_local_way
{
    /* a step of *dt until forces are known; `is_too_long`: must be repeated with the new *dt */
    scree_status (*go)(struct scree_world *world, double *dt, bool *is_too_long);
    /* called before the step is accepted: the part that cannot be undone */
    void (*book)(struct scree_world *world);
    /* the state from which parts were made has changed */
    void (*drop_parts)(struct scree_world *world);
} scree_local_way;

/*  Work before a step: spatial sort if it is due, and evaluation of forces if they are not known. */
scree_status scree_world_make_ready(struct scree_world *world, const scree_local_way *local);
/*  Takes one step. If it fails, the world is in the state before it. */
scree_status scree_world_take_step(struct scree_world *world, const scree_local_way *local);
/*  Applies the domain boundary, as each step does at its end: a second time it changes nothing. */
void scree_world_let_go(struct scree_world *world);
/*  After a failed step: computes the force records of the present contacts again. */
scree_status scree_world_renew_rows(struct scree_world *world);

#endif
