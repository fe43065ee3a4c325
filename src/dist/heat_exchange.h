/*  Heat of the host's world on all ranks: what it has besides the temperatures of bodies, which travel with them. */
#ifndef SCREE_DIST_HEAT_EXCHANGE_H
#define SCREE_DIST_HEAT_EXCHANGE_H

#include "dist/comm.h"
#include "world/step/world_data.h"

/*  Collective: gives a part the heat of `whole`, which is NULL on other ranks: whether it is on, its balance, the heat of
    materials and walls. SCREE_OUT_OF_MEMORY or a status of `comm`, on all ranks alike. */
scree_status scree_share_heat(const scree_comm *comm, const scree_world *whole, scree_world *part);
/*  After steps: the host's world gets the balance and the heat of walls from its part. */
void scree_gather_heat(const scree_world *part, scree_world *whole);

#endif
