/*  Bodies that rest (scree/sleep.h): which do, and what is known of the forces between them. The rule is in sleep.c, the
    shortcut past what cannot have changed in sleep_tiles.h. */
#ifndef SCREE_WORLD_BODY_SLEEP_H
#define SCREE_WORLD_BODY_SLEEP_H

#include "scree/sleep.h"
#include "world/state/bodies.h"

/*  A body's row. */
enum
{
    SCREE_REST_QUIET, /* steps in a row at whose end it was quiet; as many as the rule says: it rests, */
    SCREE_REST_FORCE,      /* and what acted on it then: x y z, */
    SCREE_REST_TORQUE = 4, /* and about its centre */
    SCREE_RESTS = 8,
};

/*  In snapshots as it is here. */
typedef struct scree_rest_rule
{
    double speed, acceleration;
    uint64_t steps;
} scree_rest_rule;

/*  Of candidates where there is rest: so many that a body that moves keeps few others busy. */
#define SCREE_REST_TILE 128u

typedef struct scree_rest
{
    bool is_on, computes_all;
    scree_rest_rule rule;
    uint64_t fell, woke, spared;

    bool is_valid;     /* rows and memory are those of the last step taken, which was one of `dt` */
    bool was_complete; /* all tiles have been through the evaluation under way */
    bool is_used;      /* in it settled tiles may be left as they are */
    double dt;
    uint8_t *settled, *spares; /* by tile: as of the last evaluation; left as it was in this one */
    size_t settled_capacity, spares_capacity;
} scree_rest;

/*  Bits of a body's place in `still`, which is made anew with each drift. */
#define SCREE_RESTS_NOW 1u
#define SCREE_HAS_SETTLED 2u
/*  At the end of a step, from the decision on. */
#define SCREE_FALLS_ASLEEP 4u
#define SCREE_WAKES 8u
/*  In an evaluation that leaves settled tiles as they are: so is the sum over its contacts. */
#define SCREE_SUM_STAYS 16u

static inline bool scree_body_rests(const scree_rest *rest, const scree_crowd *bodies,
                                    uint32_t slot)
{
    return rest->is_on && bodies->rest[slot][SCREE_REST_QUIET] >= (double)rest->rule.steps;
}

/*  The same of the step under way, from its drift on. */
static inline bool scree_body_is_still(const scree_rest *rest, const scree_crowd *bodies,
                                       uint32_t slot)
{
    return rest->is_on && bodies->still[slot][0] != 0;
}

static inline bool scree_sum_stays(const scree_rest *rest, const scree_crowd *bodies, uint32_t slot)
{
    return rest->is_used && (bodies->still[slot][0] & SCREE_SUM_STAYS) != 0;
}

/*  What forces are found from has changed in a way that no evaluation will tell of. */
static inline void scree_rest_forget(scree_rest *rest)
{
    rest->is_valid = false;
}

#endif
