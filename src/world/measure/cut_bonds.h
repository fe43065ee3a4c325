/*  Cuts bonds that the host chooses by their place, as the lab does along a stroke of the mouse. */
#ifndef SCREE_WORLD_CUT_BONDS_H
#define SCREE_WORLD_CUT_BONDS_H

#include "scree/world.h"

/*  Whether to cut the bond between bodies at these points: the centre of one, and the nearest image of the other's. */
typedef bool scree_cut_fn(const double from[3], const double to[3], void *user);

/*  Cuts all intact bonds that are chosen, between steps. A bond that has been cut exerts no force, and is not among those
    that broke; the bodies collide from now on like others. Returns their number. */
uint64_t scree_world_cut_bonds(scree_world *world, scree_cut_fn *is_chosen, void *user);

#endif
