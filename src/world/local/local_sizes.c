/*  Chooses the step of each island, from the state at the start alone. */
#include "world/boundaries/free_wall.h"
#include "world/boundaries/wall_servo.h"
#include "world/local/local_steps.h"
#include "world/step/room_data.h"
#include "world/step/time_step.h"
#include "world/step/world_data.h"

#include <inttypes.h>
#include <math.h>

/*  Share of the allowed displacement that bodies are expected to use, so that steps rarely have to be repeated. */
#define EXPECTED 0.75

/* ---- what is not supported ---- */

static scree_status refuse_kind(const scree_step *step, const char *what)
{
    return scree_fail(step->error, SCREE_BAD_ARGUMENT,
                      "world: step %" PRIu64 ": local_steps is %" PRIu32
                      ": where steps are local there can be no %s",
                      step->number, step->def->step.local_steps, what);
}

static bool some_are_ghosts(const scree_body_arrays *bodies)
{
    for (uint32_t slot = 0; bodies->special && slot < bodies->count; slot++)
        if (bodies->flags[slot][0] & SCREE_GHOST)
            return true;
    return false;
}

static scree_status check_kinds(scree_world *world)
{
    const scree_step step = scree_world_this_step(world, 0);

    if (scree_integrator_is_implicit(world->def.step.integrator))
        return refuse_kind(&step, "implicit integrator");
    if (world->def.step.mode != SCREE_TIME_FIXED)
        return refuse_kind(&step, "time mode but fixed");
    if (world->def.events)
        return refuse_kind(&step, "list of events");
    if (world->force)
        return refuse_kind(&step, "force function of the host");
    if (some_are_ghosts(&world->bodies))
        return refuse_kind(&step, "ghosts");
    if (scree_servo_is_on(&world->walls))
        return refuse_kind(&step, "servo walls");
    if (scree_has_free_walls(&world->walls))
        return refuse_kind(&step, "free walls");
    if (world->cell.is_moving || world->cell.now.is_tilted)
        return refuse_kind(&step, "domain that is tilted or moves");
    if (world->heat.is_on)
        return refuse_kind(&step, "heat");
    if (scree_ambient_is_on(&world->ambient))
        return refuse_kind(&step, "fluid or force field");
    if (world->rules.some_last)
        return refuse_kind(&step, "contacts that last");
    return SCREE_OK;
}

/* ---- step lengths ---- */

uint32_t scree_local_level(uint32_t levels, double dt, double longest)
{
    uint32_t level = 0;

    while (level <= levels && !(dt <= longest)) {
        dt /= 2;
        level++;
    }
    return level <= levels ? level : SCREE_LOCAL_LEVELS;
}

scree_status scree_local_refuse(scree_world *world, uint32_t slot, double dt, double longest)
{
    world->failed_body = world->bodies.id[slot][0];
    return scree_fail(&world->error, SCREE_UNSTABLE,
                      "world: step %" PRIu64 ": the cluster of body %" PRIu64
                      " needs steps of at most %.3g, the shortest of local_steps = %" PRIu32
                      " are %.3g",
                      world->clock.steps + 1, world->bodies.serial[slot][0], longest,
                      world->def.step.local_steps, ldexp(dt, -(int)world->def.step.local_steps));
}

/*  The stable step of each body; returns whether a body would move too far in the large step. */
static bool find_longest(const scree_world_def *def, const scree_body_arrays *bodies,
                         double *longest, double dt)
{
    bool is_too_long = false;

    for (uint32_t slot = 0; slot < bodies->count; slot++) {
        double radius = bodies->position[slot][3], rate = longest[slot];
        double stable = rate > 0 ? def->step.safety_factor / sqrt(rate) : INFINITY;
        double moves = scree_body_time_to_move(bodies, slot, scree_body_max_move(bodies, slot));
        longest[slot] = stable < moves ? stable : moves;
        is_too_long |=
            dt > scree_body_time_to_move(bodies, slot, EXPECTED * SCREE_LOCAL_SHARE * radius);
    }
    return is_too_long;
}

/* ---- levels ---- */

/*  UINT32_MAX, or a body whose island needs shorter steps than there are. */
static uint32_t choose_levels(scree_local_steps *local, uint32_t bodies, uint32_t levels, double dt,
                              uint64_t *clusters)
{
    *clusters = 0;
    for (uint32_t slot = 0; slot < bodies; slot++) {
        double *least = &local->longest[local->root[slot]];
        *least = local->longest[slot] < *least ? local->longest[slot] : *least;
    }
    for (uint32_t slot = 0; slot < bodies; slot++) {
        uint32_t level = scree_local_level(levels, dt, local->longest[local->root[slot]]);
        if (level > SCREE_MAX_LOCAL_STEPS)
            return slot;
        local->level[slot] = (uint8_t)level;
        *clusters += local->root[slot] == slot;
    }
    return UINT32_MAX;
}

static scree_status reserve_local(scree_memory *memory, scree_local_steps *local, size_t count,
                                  scree_error *error)
{
    if (scree_memory_reserve(memory, &local->root, &local->root_capacity, count,
                             sizeof *local->root) ||
        scree_memory_reserve(memory, &local->place, &local->place_capacity, count,
                             sizeof *local->place) ||
        scree_memory_reserve(memory, &local->longest, &local->longest_capacity, count,
                             sizeof *local->longest) ||
        scree_memory_reserve(memory, &local->level, &local->level_capacity, count,
                             sizeof *local->level) ||
        scree_memory_reserve(memory, &local->names, &local->name_capacity, count,
                             sizeof *local->names))
        return scree_fail(error, SCREE_OUT_OF_MEMORY, "world: local steps: %s",
                          scree_status_name(SCREE_OUT_OF_MEMORY));
    return SCREE_OK;
}

scree_status scree_local_choose(scree_world *world, scree_local_steps *local, double *dt,
                                bool *is_too_long)
{
    scree_status status = check_kinds(world);

    *is_too_long = false;
    if (!status)
        status = reserve_local(&world->memory, local, world->bodies.count, &world->error);
    if (!status)
        status = scree_world_survey(world, local->longest);
    if (status)
        return status;
    *is_too_long = find_longest(&world->def, &world->bodies, local->longest, *dt);
    if (*is_too_long) {
        *dt /= 2;
        return SCREE_OK;
    }
    status = scree_local_find_islands(world, local->root);
    if (status)
        return status;
    uint32_t slot = choose_levels(local, world->bodies.count, world->def.step.local_steps, *dt,
                                  &world->local_step_stats.islands);
    return slot == UINT32_MAX
               ? SCREE_OK
               : scree_local_refuse(world, slot, *dt, local->longest[local->root[slot]]);
}
