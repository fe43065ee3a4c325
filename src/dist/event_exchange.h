/*  Lists of events: each rank records those whose first body it owns, and rank 0 merges them after each batch of steps in
    the order of one process. */
#ifndef SCREE_DIST_EVENT_EXCHANGE_H
#define SCREE_DIST_EVENT_EXCHANGE_H

#include "dist/comm.h"
#include "world/step/world_data.h"

/*  Collective, when the host's world is distributed: the part begins without records, but rank 0 gets those that the
    host's world found when forces were evaluated between steps. `whole` is NULL on other ranks. SCREE_OUT_OF_MEMORY, on
    all ranks alike; a status of `comm`. */
scree_status scree_give_early_events(const scree_comm *comm, scree_world *whole, scree_world *part);

/*  Collective, after steps: appends the events of all ranks to the list of `whole`. Those of the last step stay records
    until scree_events_close, since bodies that the boundary removes add to them; there is room for `contacts` that end
    so. Handles are found by global id. Nothing has changed on a failure: SCREE_OUT_OF_MEMORY or a status of `comm`, on
    all ranks alike. */
scree_status scree_gather_events(const scree_comm *comm, scree_memory *memory, scree_world *part,
                                 scree_world *whole, size_t contacts);

#endif
