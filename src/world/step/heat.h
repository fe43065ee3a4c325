/*  Heat that comes and goes with bodies, and with what they are made of. */
#ifndef SCREE_WORLD_HEAT_H
#define SCREE_WORLD_HEAT_H

#include "world/state/body_heat.h"

struct scree_world;

/*  What is more than before has entered, what is less is removed. */
void scree_heat_book(scree_heat_course *course, double change);
/*  A body has been added, and gets its row; is about to be removed; is of another material than when it had `before` J. */
void scree_heat_enter(struct scree_world *world, uint32_t slot);
void scree_heat_leave(struct scree_world *world, uint32_t slot);
void scree_heat_change(struct scree_world *world, uint32_t slot, double before);

#endif
