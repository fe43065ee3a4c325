/*  The neighbour list, for display. */
#ifndef SCREE_WORLD_NEIGHBOUR_PAIRS_H
#define SCREE_WORLD_NEIGHBOUR_PAIRS_H

#include "scree/world.h"

/*  Two bodies that may touch: their distance is tested in each step. */
typedef struct scree_neighbour_pair
{
    scree_body_id first, second;
    double from[3], to[3]; /* centre of the first, and of the image of the second that is nearest */
} scree_neighbour_pair;

/*  Number of pairs in the list. 0 if there is none that is valid: bodies were added or removed since the last step. */
size_t scree_world_neighbour_count(const scree_world *world);
/*  A pair by its index in the list. */
scree_neighbour_pair scree_world_neighbour_pair(const scree_world *world, size_t index);

#endif
