/*  What all ranks have in common: settings, materials and contact models, walls, the cell, heat, fluid and force fields.
    Rank 0 sends those of the host's world to all parts, and gets their state back after steps. */
#ifndef SCREE_DIST_SURROUNDINGS_EXCHANGE_H
#define SCREE_DIST_SURROUNDINGS_EXCHANGE_H

#include "dist/comm.h"
#include "world/step/world_data.h"

/*  Collective: each part gets the surroundings of the host's world; definitions only if it has other ones. Bodies and
    contacts of the parts are lost. `whole` is NULL on ranks other than 0. SCREE_OUT_OF_MEMORY, or a status of `comm`,
    on all ranks alike; then the parts must not be used. */
scree_status scree_share_surroundings(const scree_comm *comm, scree_memory *memory,
                                      scree_world *whole, scree_world *part);
/*  What steps have changed of it, which is the same in all parts. */
void scree_gather_surroundings(const scree_world *part, scree_world *whole);

#endif
