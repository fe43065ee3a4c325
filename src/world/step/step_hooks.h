/*  What takes part in the steps of a world from outside: ranks (src/dist/). A world without hooks steps as it always did. */
#ifndef SCREE_WORLD_STEP_HOOKS_H
#define SCREE_WORLD_STEP_HOOKS_H

#include "scree/world.h"

struct scree_world;

/*  Each gets `user`; one that is NULL is not called. The world of a host has `take_steps` alone, parts of it have the others. */
typedef struct scree_step_hooks
{
    void *user;
    /* takes the steps of a call */
    scree_status (*take_steps)(void *user, struct scree_world *world, uint64_t count);
    /* bodies are where forces are to be evaluated: copies of other ranks' bodies get their state */
    scree_status (*share)(void *user, struct scree_world *world);
    /* an evaluation has come to its end here: its status on all ranks, and what all have found of the step */
    scree_status (*agree)(void *user, struct scree_world *world, scree_status status);
    /* the least of all ranks' values */
    scree_status (*least)(void *user, double *value);
    /* a step has failed here, maybe before its evaluation, which the others wait for */
    scree_status (*fail)(void *user, struct scree_world *world, scree_status status);
} scree_step_hooks;

#endif
