/*  Steps in place.

    A step that may be undone keeps the state before it: it reads one copy of the bodies and writes another. Most steps of a
    call are never undone. So between two such steps others are made in place, in one copy: half the memory goes through the
    cache. The state before the first of the two stays where it is, in twins and in what contacts remembered. If a step in
    place cannot be taken, all is brought back to that state, and steps are made again, as steps that may be undone, up to
    this one; they come to the same bits. So a step that fails has still not happened, whichever way it goes. */
#ifndef SCREE_WORLD_IN_PLACE_H
#define SCREE_WORLD_IN_PLACE_H

#include "world/step/step.h"

/*  One step of a call, in place if that can be: whether it is the first, and how many are left after it. */
scree_status scree_world_take_step_of_call(struct scree_world *world, const scree_local_way *local,
                                           bool is_first, uint64_t left);

#endif
