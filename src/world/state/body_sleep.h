/*  Sleep (scree/sleep.h): which bodies sleep, and what is stored about the forces between them. The rule is in
    sleep.c. How forces that cannot have changed are skipped is in sleep_tiles.h. */
#ifndef SCREE_WORLD_BODY_SLEEP_H
#define SCREE_WORLD_BODY_SLEEP_H

#include "scree/sleep.h"
#include "world/state/bodies.h"

/*  A body's row. */
enum
{
    SCREE_SLEEP_QUIET, /* consecutive steps that ended idle; at the rule's number the body sleeps */
    SCREE_SLEEP_FORCE, /* force on it at that time */
    SCREE_SLEEP_TORQUE = 4, /* torque about its centre */
    SCREE_SLEEP_VALUES = 8,
};

/*  Stored in snapshots as it is here. */
typedef struct scree_sleep_rule
{
    double speed, acceleration;
    uint64_t steps;
} scree_sleep_rule;

/*  Neighbour pairs per tile if sleep is on: few, so that one moving body keeps few others busy. */
#define SCREE_SLEEP_TILE 128u

typedef struct scree_sleep_state
{
    bool is_on, computes_all;
    scree_sleep_rule rule;
    uint64_t fell, woke, spared;
    uint64_t changes; /* how often the host has set the rule */

    bool is_valid;     /* rows and stored forces are those of the last step, of length `dt` */
    bool was_complete; /* all tiles have been evaluated in the current evaluation */
    bool is_used;      /* the current evaluation may skip unchanged tiles */
    double dt;
    uint8_t *settled,
        *spares; /* by tile: unchanged since the last evaluation; skipped in this one */
    size_t settled_capacity, spares_capacity;
} scree_sleep_state;

/*  Bits of a body in `still`, which every drift sets again. */
#define SCREE_SLEEPS_NOW 1u
#define SCREE_HAS_SETTLED 2u
/*  At the end of a step, once it is decided. */
#define SCREE_FALLS_ASLEEP 4u
#define SCREE_WAKES 8u
/*  In an evaluation that skips unchanged tiles: the sum over the contacts of this body stays. */
#define SCREE_SUM_STAYS 16u

static inline bool scree_body_is_asleep(const scree_sleep_state *sleep,
                                        const scree_body_arrays *bodies, uint32_t slot)
{
    return sleep->is_on && bodies->sleep[slot][SCREE_SLEEP_QUIET] >= (double)sleep->rule.steps;
}

/*  The same for the current step, from its drift on. */
static inline bool scree_body_is_still(const scree_sleep_state *sleep,
                                       const scree_body_arrays *bodies, uint32_t slot)
{
    return sleep->is_on && bodies->still[slot][0] != 0;
}

static inline bool scree_sum_stays(const scree_sleep_state *sleep, const scree_body_arrays *bodies,
                                   uint32_t slot)
{
    return sleep->is_used && (bodies->still[slot][0] & SCREE_SUM_STAYS) != 0;
}

/*  Forces depend on something that has changed and that no evaluation would notice. */
static inline void scree_sleep_forget(scree_sleep_state *sleep)
{
    sleep->is_valid = false;
}

#endif
