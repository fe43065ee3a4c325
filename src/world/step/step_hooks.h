/*  Functions by which ranks (src/dist/) take part in the steps of a world. Without hooks a world steps on its own. */
#ifndef SCREE_WORLD_STEP_HOOKS_H
#define SCREE_WORLD_STEP_HOOKS_H

#include "base/exact_sum.h"
#include "scree/world.h"
#include "world/state/bodies.h"

struct scree_world;

/*  Each gets `user`; NULL: not called. The world of a host has only `take_steps`, its parts have the others. */
typedef struct scree_step_hooks
{
    void *user;
    /* takes the steps of a call */
    scree_status (*take_steps)(void *user, struct scree_world *world, uint64_t count);
    /* called before forces are evaluated: ghosts of other ranks' bodies get their state */
    scree_status (*share)(void *user, struct scree_world *world);
    /* called within an evaluation, once the forces of contacts are known, if the next forces need all bodies: combines
       the status of all ranks, so that what follows may communicate */
    scree_status (*halfway)(void *user, struct scree_world *world, scree_status status);
    /* called at the end of an evaluation, and where heat flow has been found and examined: combines the status and
       results of all ranks */
    scree_status (*agree)(void *user, struct scree_world *world, scree_status status);
    /* the minimum over all ranks */
    scree_status (*least)(void *user, double *value);
    /* the largest of each value over all ranks */
    scree_status (*largest)(void *user, double *values, size_t count);
    /* exact sums over all ranks */
    scree_status (*sum)(void *user, scree_exact_sum *sums, size_t count);
    /* sums of words over all ranks */
    scree_status (*add)(void *user, uint64_t *words, size_t count);
    /* between substeps of heat flow: ghosts of other ranks' bodies get their temperatures */
    scree_status (*share_heat)(void *user, scree_body_arrays *bodies);
    /* bodies that the boundary removes: the host's world does so, by scree_world_let_go */
    void (*leave)(void *user, size_t count);
    /* a step has failed on this rank, possibly before the evaluation that the others wait for */
    scree_status (*fail)(void *user, struct scree_world *world, scree_status status);
} scree_step_hooks;

#endif
