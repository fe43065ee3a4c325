/*  The state of one rank, and the parts of its work: steps of all ranks (rank_steps.c), what a step asks of the other ranks
    (rank_hooks.c), and the way from the world of the host to the parts and back (rank_host.c). Commands are in ranks.c. */
#ifndef SCREE_DIST_RANK_TEAM_H
#define SCREE_DIST_RANK_TEAM_H

#include "dist/comm_meter.h"
#include "dist/distribution.h"
#include "dist/host_force.h"
#include "dist/ranks.h"
#include "dist/shape_exchange.h"
#include "world/state/settings.h"
#include "world/step/step_hooks.h"
#include "world/step/world_data.h"

/*  What tells that the host has changed its world, apart from the digest of surroundings. Only words. */
typedef struct scree_host_state
{
    scree_physics physics;
    scree_course clock;
    uint64_t next_serial, has_loads, has_shapes, heat_changes;
    uint64_t sleep_changes, computes_all; /* of sleep */
    uint64_t has_force;                   /* function of the host */
    uint64_t lists_events, audit;
    scree_bond_course bonds;
} scree_host_state;

/*  What the world of a rank other than 0 has of its own, and gets back when ranks are closed. */
typedef struct scree_own_hooks
{
    scree_force_fn *force;
    void *force_user;
    bool lists_events;
    uint32_t audit;
} scree_own_hooks;

struct scree_rank_team
{
    scree_memory memory;
    scree_comm_meter meter;
    scree_comm comm; /* through the meter */
    scree_rank_load load;
    scree_world *whole; /* the host's; NULL on other ranks */
    scree_world *part;
    scree_distribution distribution;
    scree_told_shapes told_shapes;
    scree_host_forces host_forces;
    scree_step_hooks whole_hooks, part_hooks;
    scree_rank_work_fn *work;
    scree_own_hooks own;
    bool has_chosen;         /* the length of the current step is known */
    bool has_failed;         /* on any rank */
    scree_status own_status; /* the reason, if it failed here */
    bool own_is_crossing;    /* a crossing was found here */
    bool has_failed_halfway; /* the current evaluation, on any rank */
    uint64_t leaving;        /* bodies that the boundary removes, on this rank */
    /* state of the host's world when it was last gathered */
    scree_host_state gathered;
    uint64_t added, removed, restores;
    bool is_gathered;
    bool
        is_torn; /* the host's world has the states of some bodies before, and of others after, a gathering that failed */
    scree_status broken; /* why ranks cannot continue: the others have left */
};

/*  What the steps of a part call. */
scree_step_hooks scree_rank_hooks(scree_rank_team *ranks);

/* ---- rank_steps.c, on all ranks together ---- */

/*  Takes steps of the parts: fewer than asked for if bodies are to be removed, which rank 0 does in the world of the host. */
scree_status scree_rank_take_steps(scree_rank_team *ranks, uint64_t count);
/*  The largest value of all ranks. */
scree_status scree_rank_largest(const scree_rank_team *ranks, double *value);
/*  An upper bound of the next step, the same on all ranks, for the first `count` bodies of `world`. */
scree_status scree_rank_bound_step(const scree_rank_team *ranks, const scree_world *world,
                                   uint32_t count, double *dt);

/*  The force function of a part: that of the host, which rank 0 calls for the bodies of all ranks. */
scree_status scree_rank_ask_host(scree_force_sink *sink, const scree_bodies_view *view, double time,
                                 void *user);

/* ---- rank_host.c ---- */

/*  On all ranks together: from the world of the host to the parts, and back. */
scree_status scree_rank_distribute_whole(scree_rank_team *ranks);
scree_status scree_rank_gather(scree_rank_team *ranks);
/*  On rank 0: the parts have the state of the host's world from now on. */
void scree_rank_note_host(scree_rank_team *ranks);
/*  On rank 0: whether the host has changed its world since it was gathered. */
bool scree_rank_host_has_changed(const scree_rank_team *ranks);

#endif
