/*  No body is lost without a word: before each step as many are there as came and did not go. */
#ifndef SCREE_WORLD_BODY_COUNT_H
#define SCREE_WORLD_BODY_COUNT_H

#include "world/step/world_data.h"

/*  Two sums while nobody is missing. Else SCREE_BAD_VALUE, with the first body by its name that has no slot any
    more, where it was last seen, and the step. */
scree_status scree_world_call_roll(scree_world *world);

#endif
