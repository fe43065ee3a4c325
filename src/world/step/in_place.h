/*  Steps in place.

    A step that can be undone reads one copy of the bodies and writes another. But most steps of a call are never
    undone. So between two such steps others are made in place, with one copy: this halves the memory traffic. The
    state before the first of the two is kept in the second copies and in the old contact history. If a step in place
    cannot be taken, the world returns to that state and repeats the steps, now with undo, up to the failing one.
    They give the same bits. So a step that fails leaves the state before it, in both ways. */
#ifndef SCREE_WORLD_IN_PLACE_H
#define SCREE_WORLD_IN_PLACE_H

#include "world/step/step.h"

/*  Takes one step of a call, in place if possible. `is_first`: the first step of the call; `left`: number of steps
    after it. */
scree_status scree_world_take_step_of_call(struct scree_world *world, const scree_local_way *local,
                                           bool is_first, uint64_t left);

#endif
