/*  A moment belongs to the step whose end is nearest: less than half a step before it, or the first after it.
    Rounding of times makes no difference. */
#include "schedule.h"

#include <math.h>

#define MAX_STEPS 1000000000000 /* more than any run: counting further is not needed */

scree_clock scree_schedule_clock(const scree_world *world)
{
    scree_clock clock = scree_world_clock(world);
    scree_time_mode mode;
    double dt;

    scree_world_get_dt(world, &mode, &dt);
    if (mode != SCREE_TIME_AUTOMATIC && dt > clock.dt)
        clock.dt = dt;
    return clock;
}

bool scree_schedule_has_come(double moment, scree_clock clock)
{
    /* at the start no part of a step has passed */
    double half = clock.steps ? 0.5 * clock.dt : 0;
    return clock.time + half >= moment;
}

/*  Time number n. */
static double moment_of(const scree_schedule *s, uint64_t n)
{
    return s->origin.time + (double)(n - s->base) * s->time;
}

/*  Number of moments up to now, without that at 0. */
static uint64_t times_until(const scree_schedule *s, scree_clock clock)
{
    if (s->steps)
        return s->base + (clock.steps - s->origin.steps) / s->steps;
    if (!(s->time > 0))
        return s->base;
    double half = clock.steps ? 0.5 * clock.dt : 0;
    double share = (clock.time + half - s->origin.time) / s->time;
    uint64_t n = s->base + (share < 9e15 ? (uint64_t)share : 9000000000000000);
    /* the division may have rounded: the rule decides */
    while (n > s->base && !scree_schedule_has_come(moment_of(s, n), clock))
        n--;
    while (scree_schedule_has_come(moment_of(s, n + 1), clock) && n < 9000000000000000)
        n++;
    return n;
}

scree_schedule scree_schedule_from(uint64_t steps, double time, scree_clock origin, uint64_t base,
                                   scree_clock now)
{
    scree_schedule s = {.steps = steps, .time = time, .origin = origin, .base = base};
    s.next = times_until(&s, now) + 1;
    return s;
}

uint64_t scree_schedule_number(const scree_schedule *s, scree_clock clock)
{
    return times_until(s, clock);
}

scree_schedule scree_schedule_begin(uint64_t steps, double time, scree_clock clock,
                                    bool is_at_start)
{
    scree_schedule s = {.steps = steps, .time = time};
    s.next = is_at_start ? 0 : times_until(&s, clock) + 1;
    return s;
}

bool scree_schedule_is_due(const scree_schedule *s, scree_clock clock, uint64_t *number)
{
    if (!s->steps && !(s->time > 0))
        return false;
    *number = times_until(s, clock);
    return *number >= s->next;
}

void scree_schedule_pass(scree_schedule *s, scree_clock clock)
{
    uint64_t done = times_until(s, clock);
    s->next = done >= s->next ? done + 1 : s->next;
}

uint64_t scree_schedule_room_until(double moment, scree_clock clock, double growth)
{
    double left = moment - clock.time, count;

    if (!(left > 0) || !(clock.dt > 0))
        return 1;
    /* steps dt g, dt g^2, ... dt g^k add up to dt g (g^k - 1) / (g - 1) */
    if (growth > 1)
        count = log1p(left / clock.dt * (growth - 1) / growth) / log(growth);
    else
        count = left / clock.dt;
    /* one less for rounding, and because the nearest step may be the one before */
    count = floor(count) - 1;
    return count < 1 ? 1 : count > MAX_STEPS ? MAX_STEPS : (uint64_t)count;
}

uint64_t scree_schedule_room(const scree_schedule *s, scree_clock clock, double growth)
{
    if (s->steps) {
        uint64_t due = s->origin.steps + (s->next - s->base) * s->steps;
        return due > clock.steps ? due - clock.steps : 1;
    }
    if (!(s->time > 0))
        return MAX_STEPS;
    return scree_schedule_room_until(moment_of(s, s->next), clock, growth);
}

/*  The rounding error of a time that is a sum of steps, plus a millionth of a step, which is never intended. */
static double rounding(scree_clock clock)
{
    double sum = (double)clock.steps * 0x1p-53 * clock.time;
    return fmin(0.5 * clock.dt, 1e-6 * clock.dt + sum);
}

bool scree_schedule_has_ended(double end, scree_clock clock)
{
    return end - clock.time <= rounding(clock);
}

double scree_schedule_last_step(double end, scree_clock clock, bool is_fixed)
{
    double left = end - clock.time, steps = left / clock.dt;

    /* before the first step its length may be unknown */
    if (!(clock.dt > 0))
        return left;
    if (steps >= 2 || (is_fixed && fabs(steps - nearbyint(steps)) * clock.dt <= rounding(clock)))
        return 0;
    return steps <= 1 ? left : left / 2;
}
