/*  scree/sleep.h: bodies at rest fall asleep and cost little until something wakes them.

        scree_sleep_def sleep = scree_default_sleep_def();
        sleep.speed = 1e-4;
        scree_world_set_sleep(world, &sleep);
        scree_world_step(world, 100000);
        printf("%llu asleep\n", (unsigned long long)scree_world_sleep_counts(world).asleep);

    FALLING ASLEEP. A body is idle if the sum of its speed and its surface speed due to rotation is at most `speed`, and
    the acceleration of its centre plus that of its surface, due to force and torque, is at most `acceleration`. A body
    that has been idle at the end of `steps` consecutive steps falls asleep: its velocity and angular velocity become 0
    and it does not move. Its kinetic energy counts as body damping in the energy balance.

    WAKING UP. Contact forces on a sleeping body are still computed. It wakes if the acceleration due to them is above
    `acceleration` in the first step, or later differs by more than that from its value in the first step: for example
    if a neighbour arrives, leaves or pushes differently, or if a wall moves or gravity or a load changes. It then moves
    like any other body. A packing at rest stays bit-identical, and a packing that is hit wakes where the impact is
    felt. scree_world_set_body wakes the body that it sets.

    ACCURACY. A sleeping body may have a residual force of up to mass x `acceleration`. Sleeping therefore changes the
    results, as damping does. A weightless body that drifts more slowly than `speed` also falls asleep.

    WHAT IS SKIPPED. From the second step asleep, the history of a contact between two sleeping spheres does not change.
    Neither does its force, so it is not computed again, and forces are not summed for bodies whose forces have not
    changed. For blocks, clumps and meshes the contact points with each other, with spheres and with walls at rest do
    not change; they are not searched again, which saves most of the work of such contacts. Their forces, and those of
    spheres at walls, are computed in each step. Skipping changes no bit of the results. `computes_all` turns it off, to
    check this. If dt changes from step to step, everything is computed.

    RESTRICTIONS. Ghosts do not sleep. For bodies with frozen components the speed counts and the force does not.
    Sleeping needs an explicit integrator, and excludes mass scaling (SCREE_TIME_MASS_SCALING) and local time steps.
    While a periodic cell deforms (scree/cell.h) no body falls asleep.

    Which bodies sleep is part of the state, and bit-identical as all of it. A world without sleeping needs no memory
    and no time for it. */
#ifndef SCREE_SLEEP_H
#define SCREE_SLEEP_H

#include "scree/world.h"

#ifdef __cplusplus
extern "C" {
#endif

/*  When bodies fall asleep. */
typedef struct scree_sleep_def
{
    uint32_t cookie;     /* set by the default function */
    uint32_t size;       /* in bytes, set by the default function */
    double speed;        /* speed limit, m/s, above 0, at most 1e100; must be given */
    double acceleration; /* acceleration limit, m/s^2, 0 to 1e100; 0: 1/100 of gravity; 0 */
    uint32_t steps;      /* idle steps before a body falls asleep, 1 or more; 100 */
    bool computes_all;   /* skip nothing: to check by; not part of the state; false */
} scree_sleep_def;

/*  What scree_default_sleep_def calls: writes default values to the first `size` bytes of a definition. */
SCREE_API void scree_init_sleep_def(scree_sleep_def *def, size_t size);
/*  Returns a definition with default values. Set `speed`. */
static inline scree_sleep_def scree_default_sleep_def(void)
{
    scree_sleep_def def;
    scree_init_sleep_def(&def, sizeof def);
    return def;
}

/*  Turns sleeping on from now on, with all bodies awake; NULL turns it off and wakes all bodies. On failure nothing
    changes. SCREE_BAD_DEF; SCREE_BAD_VALUE; SCREE_BAD_ARGUMENT: an implicit integrator, mass scaling or local time
    steps; SCREE_OUT_OF_MEMORY. */
SCREE_API scree_status scree_world_set_sleep(scree_world *world, const scree_sleep_def *def);

/*  What scree_world_get_sleep calls: writes the first `size` bytes of the definition. */
SCREE_API bool scree_world_read_sleep(const scree_world *world, scree_sleep_def *def, size_t size);
/*  Returns whether sleeping is on, and reads its definition, or the default one; `def` may be NULL. */
static inline bool scree_world_get_sleep(const scree_world *world, scree_sleep_def *def)
{
    return scree_world_read_sleep(world, def, sizeof *def);
}

/*  Returns whether the body is asleep; false if `id` names no body. */
SCREE_API bool scree_world_is_asleep(const scree_world *world, scree_body_id id);

/*  Statistics of sleeping. Not part of the state. All are 0 if sleeping is off. */
typedef struct scree_sleep_counts
{
    uint64_t asleep;            /* bodies asleep now */
    uint64_t fell_asleep, woke; /* number of times since scree_world_set_sleep */
    /*  Pairs of bodies whose forces were not computed, summed over all steps. */
    uint64_t skipped;
} scree_sleep_counts;

/*  Returns the statistics. Reads all bodies once. All are 0 if `world` is NULL. */
SCREE_API scree_sleep_counts scree_world_sleep_counts(const scree_world *world);

#ifdef __cplusplus
}
#endif

#endif
