/*  Bonds, which act at any distance: bodies that are bonded are ghosts on the ranks of their partners wherever they
    are, and rank 0 gets the list of bonds that broke. */
#ifndef SCREE_DIST_BOND_EXCHANGE_H
#define SCREE_DIST_BOND_EXCHANGE_H

#include "dist/exchange.h"
#include "dist/ghosts.h"

/*  Finds the bodies of a part that other ranks need because of persistent contacts, by the received records, sorted by
    rank. SCREE_OUT_OF_MEMORY. The caller frees the list. */
scree_status scree_find_bonded(const scree_received *received, const scree_world *part,
                               uint32_t rank, scree_memory *memory, scree_ghost_wish **wishes,
                               size_t *count, size_t *capacity);

/*  Collective, after steps: appends the bonds that broke on any rank to the list of `whole`, the world of rank 0, NULL
    on others, in the order of one process; lists of parts are empty then. Handles are found by global id. Nothing has
    changed on a failure: SCREE_OUT_OF_MEMORY or a status of `comm`, on all ranks alike. */
scree_status scree_gather_breaks(const scree_comm *comm, scree_memory *memory, scree_world *part,
                                 scree_world *whole);

#endif
