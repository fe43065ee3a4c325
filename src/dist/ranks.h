/*  A world whose steps are taken by several ranks. Rank 0 has the host's world. Each rank, including 0, has a part of
    the bodies and moves them. After a call of scree_world_step the host sees bit-identical results to those of one
    process: force sums are exact integers, so it makes no difference that contacts between ranks are evaluated by both
    owners.

    Between calls the state is gathered on rank 0. If the host has changed something, bodies are distributed again at
    the next call. */
#ifndef SCREE_DIST_RANKS_H
#define SCREE_DIST_RANKS_H

#include "dist/comm.h"
#include "scree/world.h"

typedef struct scree_rank_team scree_rank_team;

/*  Collective. `world` on rank 0: the host's, whose steps are taken by all ranks until scree_ranks_close. On other
    ranks: a world with the same dimensions and domain. It gets what it lacks of materials, interactions and walls from
    rank 0, except for those that are functions of the host. Its bodies are lost, but not all of their memory: it should
    have none.
    `comm` must outlive the result. On a failure, which is the same on all ranks, nothing has changed on rank 0.
    SCREE_UNSUPPORTED: the world has something that ranks do not support, which the message names.
    SCREE_BAD_ARGUMENT: the worlds differ in what cannot be sent. SCREE_OUT_OF_MEMORY. */
scree_status scree_ranks_open(const scree_comm *comm, scree_world *world, scree_rank_team **ranks,
                              scree_error *error);
/*  On ranks other than 0: takes part until rank 0 closes. SCREE_OK, or the reason why ranks could not continue. */
scree_status scree_ranks_serve(scree_rank_team *ranks);
/*  On rank 0: releases the other ranks; the world steps by itself again. NULL is allowed. */
void scree_ranks_close(scree_rank_team *ranks);

/*  Work of all ranks together that a higher room brings, such as writing a file. The parts have the state of the host's world;
    `data` is NULL on ranks other than 0. `has_left`: ranks cannot go on. */
typedef scree_status scree_rank_work_fn(scree_rank_team *ranks, void *data, bool *has_left);
/*  On all ranks, after opening. */
void scree_ranks_set_work(scree_rank_team *ranks, scree_rank_work_fn *work);
/*  On rank 0: all ranks do the work. Its status, or SCREE_UNSUPPORTED if a rank has none; SCREE_OUT_OF_MEMORY,
    SCREE_IO_ERROR: the state could not be distributed. */
scree_status scree_ranks_work(scree_rank_team *ranks, void *data);

/*  On rank 0: whether ranks could not be reached while the state was gathered. Then the host's world has some bodies of an earlier
    state and some of a later one, and must not be saved. */
bool scree_ranks_have_lost_world(const scree_rank_team *ranks);

/*  Statistics of this rank. */
typedef struct scree_ranks_stats
{
    uint32_t owned, ghosts;   /* bodies of this rank, and ghosts */
    uint64_t distributions;   /* number of distributions */
    uint64_t moved;           /* bodies that changed their rank then */
    uint64_t shared_contacts; /* contacts of own bodies with ghosts, after the last step */
} scree_ranks_stats;
scree_ranks_stats scree_ranks_stats_of(const scree_rank_team *ranks);

/*  Work and communication of a rank since it was opened. */
typedef struct scree_rank_load
{
    uint64_t steps;               /* of this team; the same on all ranks */
    uint64_t owned, ghosts;       /* now */
    uint64_t work;                /* of the bodies of this rank, now, see body_work.h */
    uint64_t messages, bytes;     /* sent in steps and in distributions between them */
    uint64_t step_ns, waiting_ns; /* time in steps, and of this in communication */
} scree_rank_load;

/*  On rank 0: reads the loads of all ranks, in their order, into `of_rank`, which has room for all.
    SCREE_OUT_OF_MEMORY; SCREE_IO_ERROR: ranks cannot continue. */
scree_status scree_ranks_loads(scree_rank_team *ranks, scree_rank_load *of_rank);
/*  Number of ranks. */
uint32_t scree_ranks_count(const scree_rank_team *ranks);

/*  Lists what ranks do not support of this world, each with why and what to do, separated by "; "; "" if they support all. */
void scree_ranks_refusals(const scree_world *world, char *text, size_t bytes);

#endif
