/*  scree/sleep.h: bodies that are put to rest, and cost little until something wakes them.

        scree_sleep_def rest = scree_default_sleep_def();
        rest.speed = 1e-4;
        scree_world_set_sleep(world, &rest);
        scree_world_step(world, 100000);
        printf("%llu rest\n", (unsigned long long)scree_world_sleep_counts(world).resting);

    THE RULE. A body is quiet where its speed, and that of its surface by its spin, is at most `speed` together, and what acts on
    it would accelerate it, and its surface, by at most `acceleration` together. A body that has been quiet at the end of
    `steps` steps in a row is put to rest: velocity and spin become 0, and it stays where it is. Forces are found as
    ever, and it wakes when what acts on it would accelerate it by more than that in the first step, or in a later one differs by more
    than that from what did then: because a neighbour came, went or pushes in another way, or a wall, gravity or load. Then it goes on as any
    body. So a heap that stands stands still, to the bit, and one that is hit comes to life where the blow is
    felt. What it moved with is lost to body damping in the energy balance. A body that scree_world_set_body has set is awake.

    What is left out of balance at rest is less than `acceleration` times the mass, for each body: the rule changes what becomes
    of a world, as damping does. A body without weight that drifts more slowly than `speed` is quiet, too.

    THE SHORTCUT. From the second step at rest on what a contact of two such spheres remembers stays as it is. So nothing
    that its force is found from changes, and the force is what it was: it is not found anew, nor are forces summed where none
    has changed. Where blocks, clumps and bodies of triangles touch each other, spheres, or walls that do not move is what it was as well,
    and is not looked for again, which is most of the work of such a contact; forces there are found in each step, and so
    are those of spheres at walls. That changes no bit, and can be turned off (computes_all) to see that it does not. Where dt
    changes from step to step all is computed.

    WHO TAKES PART. All bodies but ghosts; of frozen components speeds count, forces do not. Explicit integrators; masses must
    not be scaled (SCREE_TIME_MASS_SCALING), and steps not be local. While the cell moves (scree/cell.h) nobody rests.

    THE SAME BYTES, as of all the state. A world without rest has no numbers of it, and does nothing for it. */
#ifndef SCREE_SLEEP_H
#define SCREE_SLEEP_H

#include "scree/world.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct scree_sleep_def
{
    uint32_t cookie;
    double speed;        /* m/s, above 0, at most 1e100; must be given */
    double acceleration; /* m/s^2, 0 to 1e100; 0: a hundredth of gravity's; 0 */
    uint32_t steps;      /* 1 or more; 100 */
    bool computes_all;   /* no shortcut; no part of the state; false */
} scree_sleep_def;

SCREE_API scree_sleep_def scree_default_sleep_def(void);

/*  From now on, and all bodies are awake; NULL: nobody rests any more. SCREE_BAD_DEF, SCREE_BAD_VALUE, SCREE_BAD_ARGUMENT (the
    integrator, scaled masses, local steps), SCREE_OUT_OF_MEMORY; then nothing changes. */
SCREE_API scree_status scree_world_set_sleep(scree_world *world, const scree_sleep_def *def);

/*  Whether the body rests; of an id that names no body false. */
SCREE_API bool scree_world_is_asleep(const scree_world *world, scree_body_id id);

/*  Figures, which are no part of the state; all 0 where nobody rests by rule. */
typedef struct scree_sleep_counts
{
    uint64_t asleep;            /* bodies, now */
    uint64_t fell_asleep, woke; /* so far, since the rule was set */
    uint64_t skipped; /* pairs of bodies that were not looked at, so far: those of each step */
} scree_sleep_counts;

/*  Looks at all bodies once. Of NULL all 0. */
SCREE_API scree_sleep_counts scree_world_sleep_counts(const scree_world *world);

#ifdef __cplusplus
}
#endif

#endif
