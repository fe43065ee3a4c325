/*  The order of a step. */
#ifndef SCREE_WORLD_STEP_H
#define SCREE_WORLD_STEP_H

#include "scree/world.h"

struct scree_world;

/*  How clusters of bodies go in steps of their own. */
typedef struct scree_local_way
{
    /* a step of *dt to where forces are known; `is_too_long`: it is to be tried with the *dt that is there then */
    scree_status (*go)(struct scree_world *world, double *dt, bool *is_too_long);
    /* the step is about to be taken: what cannot be undone */
    void (*book)(struct scree_world *world);
    /* what parts were made from has changed */
    void (*drop_parts)(struct scree_world *world);
} scree_local_way;

/*  What comes before a step, where it is due: bodies are laid by place, and forces are found where they are. */
scree_status scree_world_make_ready(struct scree_world *world, const scree_local_way *local);
/*  One step. A step that is refused has not happened. */
scree_status scree_world_take_step(struct scree_world *world, const scree_local_way *local);
/*  After a refused step: rows of the contacts that there are, once more. */
scree_status scree_world_renew_rows(struct scree_world *world);

#endif
