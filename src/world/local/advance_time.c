/*  Steps up to a given time. The last one or two steps are shortened, so that the time is met exactly. */
#include "base/error.h"
#include "world/local/local_steps.h"

#include <math.h>

#define MAX_AT_ONCE 1000000
/*  A part of a step below this is a rounding error and needs no step. */
#define ROUNDING 1e-9

/*  A number of steps that surely fits into `left`, with one to spare: from the longest step, or with steps that
    grow. */
static uint64_t safe_steps(const scree_world *world, double left)
{
    const scree_world_def *def = &world->def;
    double last = world->clock.dt, growth = def->step.max_growth, count = 0;

    if (def->step.dt > 0)
        count = floor(left / def->step.dt) - 1;
    if (def->step.mode == SCREE_TIME_AUTOMATIC && world->clock.steps && last > 0 && growth > 1)
        count = fmax(count, floor(log1p(left / last * (growth - 1) / growth) / log(growth)) - 1);
    return count < 1 ? 0 : count > MAX_AT_ONCE ? MAX_AT_ONCE : (uint64_t)count;
}

/*  Upper bound of the next step. Two equal steps are better than a whole one and a very short one, after which steps
    would have to grow again. */
static double longest_step(double usual, double left)
{
    if (!(usual > 0) || left <= usual * (1 + ROUNDING))
        return left;
    return left < 2 * usual ? left / 2 : usual;
}

static scree_status step_up_to(scree_world *world, double usual, double left)
{
    const double given = world->def.step.dt;
    scree_status status;

    world->def.step.dt = longest_step(usual, left);
    status = scree_world_take_more_steps(world, 1);
    world->def.step.dt = given;
    return status;
}

/*  Whether a whole number of fixed steps ends there, except for rounding. */
static bool is_whole(const scree_world *world, double seconds, uint64_t *count)
{
    double steps = seconds / world->def.step.dt, whole = nearbyint(steps);

    if (world->def.step.mode != SCREE_TIME_FIXED || !(whole < 1e15) ||
        fabs(steps - whole) > ROUNDING * fmax(1, whole * 1e-3))
        return false;
    *count = (uint64_t)whole;
    return true;
}

scree_status scree_world_advance(scree_world *world, double seconds)
{
    scree_status status = SCREE_OK;
    uint64_t count;
    double end;

    if (!world)
        return SCREE_BAD_ARGUMENT;
    end = world->clock.time + seconds;
    if (!(seconds >= 0) || !(end < INFINITY))
        return scree_fail(&world->error, SCREE_BAD_VALUE,
                          "world: advance: %g s, must be 0 or more, and finite", seconds);
    if (is_whole(world, seconds, &count))
        return scree_world_step(world, count);
    scree_events_begin(&world->events);
    while (!status && world->clock.time < end) {
        const double left = end - world->clock.time;
        const double usual = world->def.step.mode == SCREE_TIME_FIXED || !world->clock.steps
                                 ? world->def.step.dt
                                 : world->clock.dt;
        count = safe_steps(world, left);
        if (count > 0)
            status = scree_world_take_more_steps(world, count);
        else if (world->clock.time + left / 2 == world->clock.time)
            break; /* the rest is below the last digit of the time */
        else
            status = step_up_to(world, usual, left);
    }
    return status;
}
