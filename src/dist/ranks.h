/*  A world whose steps are taken by several ranks. Rank 0 has the world of the host; it and every other rank have a part of the
    bodies and step them. What the host sees after a call of scree_world_step is what one process would have come to, to the bit: sums
    of forces are exact integers, so it makes no difference that each contact over ranks is evaluated by both owners.

    Between calls the state is gathered on rank 0. If the host has changed something, bodies are spread again at the next call. */
#ifndef SCREE_DIST_RANKS_H
#define SCREE_DIST_RANKS_H

#include "dist/comm.h"
#include "scree/world.h"

typedef struct scree_rank_team scree_rank_team;

/*  Collective. `world` on rank 0: the host's, whose steps are taken by all ranks until scree_ranks_close. On other ranks: one with the same
    materials, laws and walls, made by the same calls; its bodies are lost. `comm` must last as long as what is opened. On failure, on
    all ranks alike, nothing has changed on rank 0:
    SCREE_UNSUPPORTED   ranks cannot do something yet that the world has, with its name
    SCREE_BAD_ARGUMENT  worlds differ
    SCREE_OUT_OF_MEMORY */
scree_status scree_ranks_open(const scree_comm *comm, scree_world *world, scree_rank_team **ranks,
                              scree_error *error);
/*  On ranks other than 0: takes part until rank 0 closes. SCREE_OK, or what made it impossible to go on. */
scree_status scree_ranks_serve(scree_rank_team *ranks);
/*  On rank 0 the other ranks are let go, and the world steps by itself again. NULL is fine. */
void scree_ranks_close(scree_rank_team *ranks);

/*  What it has come to, on this rank. */
typedef struct scree_ranks_stats
{
    uint32_t owned, copies;   /* bodies of this rank now, and copies of others */
    uint64_t spreads;         /* how often bodies were spread */
    uint64_t moved;           /* bodies that changed from this rank to another then */
    uint64_t shared_contacts; /* of own bodies with copies, after the last step */
} scree_ranks_stats;
scree_ranks_stats scree_ranks_stats_of(const scree_rank_team *ranks);

/*  What the world has that ranks cannot do yet, "; " between two; "" if there is nothing. */
void scree_ranks_refusals(const scree_world *world, char *text, size_t bytes);

#endif
