/*  What ranks do not support: why, and what to do. */
#include "dist/ranks.h"
#include "world/step/world_data.h"

#include <stdio.h>

typedef struct refusals
{
    char *text;
    size_t bytes, length;
} refusals;

static void add(refusals *to, bool is_so, const char *what)
{
    int more;

    if (!is_so || to->length + 1 >= to->bytes)
        return;
    more = snprintf(to->text + to->length, to->bytes - to->length, "%s%s", to->length ? "; " : "",
                    what);
    if (more > 0)
        to->length +=
            (size_t)more < to->bytes - to->length ? (size_t)more : to->bytes - to->length - 1;
}

static void look_at_steps(const scree_world *world, refusals *to)
{
    const scree_world_def *def = &world->def;

    add(to, scree_integrator_is_implicit(def->step.integrator),
        "implicit integrators (they solve for all bodies at once: use an explicit one, or one "
        "process)");
    add(to, def->step.local_steps != 0,
        "local steps (their islands lie in one process: set them to 0, or use one process)");
    add(to, world->device != NULL,
        "a device for steps (ranks step on processors: leave it out, or use one process)");
}

static void look_at_bodies(const scree_world *world, refusals *to)
{
    const scree_body_arrays *bodies = &world->bodies;
    bool has_ghosts = false;

    for (uint32_t slot = 0; slot < bodies->count && !has_ghosts; slot++)
        has_ghosts = scree_is_ghost(bodies, slot);
    add(to, has_ghosts, "bodies that are owned elsewhere (ranks make ghosts: add none)");
    add(to, world->joints.count != 0,
        "joints (their bodies may lie on two ranks: use one process)");
}

void scree_ranks_refusals(const scree_world *world, char *text, size_t bytes)
{
    refusals to = {text, bytes, 0};

    text[0] = 0;
    look_at_steps(world, &to);
    look_at_bodies(world, &to);
}
