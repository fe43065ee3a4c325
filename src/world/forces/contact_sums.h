/*  Sums over all contacts: before the first is added, and after the last. */
#ifndef SCREE_WORLD_CONTACT_SUMS_H
#define SCREE_WORLD_CONTACT_SUMS_H

#include "world/state/bodies.h"
#include "world/state/sums.h"

struct scree_world;

/*  Of a contact of two bodies, and of one with a wall; bodies of any shape by the spheres around them. */
scree_quantum scree_pair_quantum(const scree_quantum_rule *rule, const scree_crowd *bodies,
                                 uint32_t first, uint32_t second);
scree_quantum scree_wall_quantum(const scree_quantum_rule *rule, const scree_crowd *bodies,
                                 uint32_t slot);

/*  All sums are 0, in quanta for the bodies there are and a step of `dt`. SCREE_OUT_OF_MEMORY, with the message. */
scree_status scree_contact_sums_begin(struct scree_world *world, double dt);
/*  All contacts have been added, but those that were left as they are, beside what rests: these are now. Whether all sums fit;
    what fits in no number of words is as if it were not finite. */
bool scree_contact_sums_fit(struct scree_world *world);
/*  They did not: all are 0, and have more words. SCREE_OUT_OF_MEMORY, with the message. */
scree_status scree_contact_sums_widen(struct scree_world *world);

#endif
