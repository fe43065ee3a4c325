/*  Sums over all contacts: before the first is added, and once more from rows of force where they did not fit. */
#ifndef SCREE_WORLD_CONTACT_SUMS_H
#define SCREE_WORLD_CONTACT_SUMS_H

#include "world/state/sums.h"

struct scree_world;

/*  Of a contact of two bodies, and of one with a wall; bodies of any shape by the spheres around them. */
scree_quantum scree_pair_quantum(const struct scree_world *world, uint32_t first, uint32_t second);
scree_quantum scree_wall_quantum(const struct scree_world *world, uint32_t slot);

/*  All sums are 0, in quanta for the bodies there are and a step of `dt`. SCREE_OUT_OF_MEMORY, with the message. */
scree_status scree_contact_sums_begin(struct scree_world *world, double dt);
/*  All contacts have been added: if some did not fit, they are added with more words, until they do. What fits in no number
    of words is as if it were not finite. SCREE_OUT_OF_MEMORY, with the message. */
scree_status scree_contact_sums_end(struct scree_world *world);

#endif
