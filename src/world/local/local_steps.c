/*  Local time stepping: makes the parts, moves them to the end of the step, and checks them on the way: see
    local_steps.h. */
#include "world/local/local_steps.h"

#include "world/step/evaluate.h"
#include "world/step/remove_body.h"
#include "world/step/room_data.h"
#include "world/step/world_data.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/*  Largest displacement of a body in the large step, in radii: smaller than the linking distance by more than
    rounding errors. */
#define MAX_WAY (SCREE_LOCAL_SHARE * (1 - 0x1p-20))
/*  The smallest local step as a share of the given one; below that a run makes no progress. */
#define MIN_SHARE 1e-12

/* ---- making and destroying parts ---- */

static void drop_part(scree_memory *memory, struct scree_local_part *part)
{
    if (!part->world)
        return;
    scree_memory_give(memory, &part->world->rates, part->rate_capacity, sizeof *part->world->rates);
    part->rate_capacity = 0;
    scree_world_destroy(part->world);
    part->world = NULL;
}

void scree_local_renew_parts(scree_world *world)
{
    for (int k = 0; world->local && k < SCREE_LOCAL_LEVELS; k++)
        drop_part(&world->memory, &world->local->part[k]);
}

void scree_local_close(scree_world *world)
{
    scree_memory *memory = &world->memory;
    scree_local_steps *local = world->local;

    if (!local)
        return;
    scree_local_renew_parts(world);
    scree_memory_give(memory, &local->root, local->root_capacity, sizeof *local->root);
    scree_memory_give(memory, &local->place, local->place_capacity, sizeof *local->place);
    scree_memory_give(memory, &local->longest, local->longest_capacity, sizeof *local->longest);
    scree_memory_give(memory, &local->level, local->level_capacity, sizeof *local->level);
    scree_memory_give(memory, &local->names, local->name_capacity, sizeof *local->names);
    scree_memory_give(memory, &world->local, 1, sizeof *world->local);
    world->local = NULL;
}

static scree_status open_local(scree_local_steps **local, scree_memory *memory, scree_error *error)
{
    if (*local)
        return SCREE_OK;
    if (scree_memory_take(memory, 1, sizeof **local, local))
        return scree_fail(error, SCREE_OUT_OF_MEMORY, "world: local steps: %s",
                          scree_status_name(SCREE_OUT_OF_MEMORY));
    memset(*local, 0, sizeof **local);
    return SCREE_OK;
}

/* ---- making one ---- */

static scree_world_def def_of_part(const scree_world_def *whole, const scree_workers *workers,
                                   scree_error *error)
{
    scree_world_def def = *whole;
    const scree_log silent = {0};

    def.hooks.error = error;
    def.step.local_steps = 0;
    /* contacts are the same with all engines, and boxes are made quickly */
    def.detection.mesh_engine = SCREE_MESH_ENGINE_AUTO;
    def.events = false;
    def.detection.audit = 0;
    def.hooks.log = silent;
    def.compute.thread_count = 1;
    if (workers->count > 1)
        def.compute.tasks = workers->tasks;
    return def;
}

/*  Bodies of this level, or of all other levels. */
static size_t name_bodies(const scree_body_arrays *bodies, const scree_local_steps *local,
                          uint32_t level, bool is_of_level)
{
    size_t count = 0;

    for (uint32_t slot = 0; slot < bodies->count; slot++)
        if ((local->level[slot] == level) == is_of_level)
            local->names[count++] = bodies->id[slot][0];
    return count;
}

/*  The removed bodies touch none of the remaining ones, so forces stay. */
static void take_from_part(scree_world *part, const scree_body_id *names, size_t count)
{
    if (count)
        scree_world_take_out(part, names, sizeof *names, count);
    part->clock.unprimed = 0;
}

static scree_status make_part(scree_world *world, scree_local_steps *local, uint32_t level)
{
    struct scree_local_part *part = &local->part[level];
    const scree_world_def def = def_of_part(&world->def, &world->workers, &world->error);
    scree_status status;

    drop_part(&world->memory, part);
    status = scree_world_copy(world, &def, &part->world);
    if (status)
        return status;
    part->world->def.step.local_steps = 0;
    part->world->breaks.course.made = 0; /* bond failures are found in the whole */
    status = scree_memory_reserve(&world->memory, &part->world->rates, &part->rate_capacity,
                                  local->count[level], sizeof *part->world->rates);
    if (status)
        return scree_fail(&world->error, status, "world: local steps: %s",
                          scree_status_name(status));
    /* bodies leave the domain only at the end of the large step */
    for (int k = 0; k < 3; k++)
        if (part->world->def.domain.boundary[k] == SCREE_BOUNDARY_DESTROY)
            part->world->def.domain.boundary[k] = SCREE_BOUNDARY_NONE;
    take_from_part(part->world, local->names, name_bodies(&world->bodies, local, level, false));
    world->local_step_stats.level_changes += local->count[level];
    return SCREE_OK;
}

/*  Whether a part has exactly the bodies of its level, unchanged since the last step. */
static bool is_whole(const scree_body_arrays *bodies, const scree_local_steps *local,
                     uint32_t level)
{
    const scree_world *part = local->part[level].world;

    if (!part || part->bodies.count != local->count[level])
        return false;
    for (uint32_t slot = 0; slot < part->bodies.count; slot++) {
        size_t at = scree_bodies_slot(bodies, part->bodies.id[slot][0]);
        if (at == SIZE_MAX || local->level[at] != level)
            return false;
    }
    return true;
}

/*  Time and walls are exactly those of the whole, whatever the sum of shorter steps is. */
static void set_clock(const scree_world *world, scree_world *part, double dt)
{
    part->def.step.dt = dt;
    part->clock.time = world->clock.time;
    for (size_t w = 0; w < part->walls.count; w++)
        part->walls.wall[w].now = part->walls.wall[w].next = world->walls.wall[w].now;
}

static void count_levels(scree_local_steps *local, uint32_t bodies)
{
    memset(local->count, 0, sizeof local->count);
    for (uint32_t slot = 0; slot < bodies; slot++)
        local->count[local->level[slot]]++;
}

/* ---- during a step ---- */

/*  Whether a body has moved farther than unlinked bodies may. */
static bool some_went_far(const scree_body_arrays *bodies, const scree_body_arrays *part,
                          const double period[3])
{
    for (uint32_t slot = 0; slot < part->count; slot++) {
        size_t at = scree_bodies_slot(bodies, part->id[slot][0]);
        double most = MAX_WAY * part->position[slot][3];
        if (!(scree_local_displacement(bodies, (uint32_t)at, part, slot, period) <= most))
            return true;
    }
    return false;
}

/*  Records at the roots of islands the stable steps of those whose step is far too long for their new contacts. */
static bool find_late(const scree_body_arrays *bodies, scree_local_steps *local, uint32_t level,
                      double safety, double dt)
{
    const scree_world *part = local->part[level].world;
    double share = safety < 0.5 ? 2 * safety : 1;
    bool some = false;

    for (uint32_t slot = 0; slot < part->bodies.count; slot++) {
        double rate = part->rates[slot], stable = rate > 0 ? 1 / sqrt(rate) : INFINITY;
        if (!(dt > share * stable))
            continue;
        double *longest =
            &local->longest[local->root[scree_bodies_slot(bodies, part->bodies.id[slot][0])]];
        *longest = safety * stable < *longest ? safety * stable : *longest;
        some = true;
    }
    return some;
}

/*  Repeats them in the part with shorter steps. */
static scree_status put_off(scree_world *world, scree_local_steps *local, uint32_t level, double dt)
{
    scree_world *part = local->part[level].world;
    size_t count = 0;

    for (uint32_t slot = 0; slot < world->bodies.count; slot++) {
        double longest = local->longest[local->root[slot]];
        uint32_t needed;
        if (local->level[slot] != level || ldexp(dt, -(int)level) <= longest)
            continue;
        needed = scree_local_level(world->def.step.local_steps, dt, longest);
        if (needed > SCREE_MAX_LOCAL_STEPS)
            return scree_local_refuse(world, slot, dt, longest);
        local->level[slot] = (uint8_t)needed;
        local->names[count++] = world->bodies.id[slot][0];
        world->local_step_stats.restarts += local->root[slot] == slot;
    }
    take_from_part(part, local->names, count);
    count_levels(local, world->bodies.count);
    return SCREE_OK;
}

static void take_figures(scree_world *world, scree_world *part)
{
    world->detection_stats.force_evaluations += part->detection_stats.force_evaluations;
    world->detection_stats.rebuilds += part->detection_stats.rebuilds;
    world->detection_stats.wall_rebuilds += part->detection_stats.wall_rebuilds;
    world->detection_stats.late_contacts += part->detection_stats.late_contacts;
    scree_shape_finder_take_counts(&world->shape_finder, &part->shape_finder);
    memset(&part->detection_stats, 0, sizeof part->detection_stats);
}

/*  Moves the parts to the end of the large step. */
static scree_status lead(scree_world *world, scree_local_steps *local, uint32_t level, double dt,
                         bool *is_too_long)
{
    scree_world *part = local->part[level].world;
    uint64_t steps = (uint64_t)1 << level;
    double own = ldexp(dt, -(int)level), period[3];
    scree_status status = SCREE_OK;

    scree_local_periods(&world->def, &world->cell.now, period);
    set_clock(world, part, own);
    for (uint64_t k = 0; k < steps && !status && !*is_too_long && part->bodies.count; k++) {
        status = scree_world_step(part, 1);
        if (status) {
            world->failed_body = part->failed_body;
            return scree_fail(&world->error, status,
                              "world: step %" PRIu64 ": in local steps of %.3g: %.400s",
                              world->clock.steps + 1, own, part->error.text);
        }
        world->local_step_stats.body_steps += part->bodies.count;
        *is_too_long = some_went_far(&world->bodies, &part->bodies, period);
        if (find_late(&world->bodies, local, level, world->def.step.safety_factor, own))
            status = put_off(world, local, level, dt);
    }
    take_figures(world, part);
    return status;
}

static scree_status lead_all(scree_world *world, scree_local_steps *local, double dt,
                             bool *is_too_long)
{
    scree_status status = SCREE_OK;

    count_levels(local, world->bodies.count);
    for (uint32_t level = 0; level < SCREE_LOCAL_LEVELS && !status && !*is_too_long; level++) {
        if (local->count[level] == 0) {
            drop_part(&world->memory, &local->part[level]);
            continue;
        }
        if (!is_whole(&world->bodies, local, level))
            status = make_part(world, local, level);
        if (!status)
            status = lead(world, local, level, dt, is_too_long);
    }
    return status;
}

/* ---- the step ---- */

/*  After this, an undo returns to the state at the start of the step. */
static void stay(scree_world *world)
{
    scree_local_renew_parts(world);
    scree_bodies_swap(&world->bodies);
    scree_world_move_bodies(world, 0);
}

/*  `dt` is the remaining time. */
static scree_status check_length(const scree_step *step, double dt)
{
    if (dt >= MIN_SHARE * step->def->step.dt)
        return SCREE_OK;
    return scree_fail(step->error, SCREE_UNSTABLE,
                      "world: step %" PRIu64 ": a body is so fast that in %.3g, 1e-12 of the "
                      "step, it moves more than a quarter of its radius",
                      step->number, dt);
}

scree_status scree_local_take_step(scree_world *world, double *dt, bool *is_too_long)
{
    const scree_step step = scree_world_this_step(world, *dt);
    scree_status status = open_local(&world->local, &world->memory, &world->error);

    *is_too_long = false;
    if (!status)
        status = scree_local_choose(world, world->local, dt, is_too_long);
    if (!status && !*is_too_long) {
        status = lead_all(world, world->local, *dt, is_too_long);
        if (*is_too_long)
            *dt /= 2;
    }
    if (!status && *is_too_long)
        status = check_length(&step, *dt);
    if (status || *is_too_long) {
        stay(world);
        return status;
    }
    return scree_local_merge(world, world->local, *dt);
}

void scree_local_record(scree_world *world)
{
    const scree_local_steps *local = world->local;

    for (int k = 0; k < SCREE_LOCAL_LEVELS; k++)
        world->local_step_stats.bodies[k] = local->count[k];
    for (uint32_t slot = 0; world->def.energy_balance && slot < world->bodies.count; slot++)
        memcpy(world->bodies.account[slot],
               local->part[local->level[slot]].world->bodies.account[local->place[slot]],
               sizeof *world->bodies.account);
}
