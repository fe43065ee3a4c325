/*  Estimates the cost of a run. It is that of its steps, which change during the run: grains fall, touch, settle,
    are added and removed. So a trial runs the whole course, most of it with the longest stable steps (those of the
    run have a safety factor that resolves collisions finely). At regular intervals it takes a stretch with the steps
    of the run. Total number and cost of steps are integrated from these by the trapezoidal rule. A short run is
    simply made completely. */
#include "trial.h"

#include "examine.h"
#include "scene_internal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#define STRETCHES 32u
#define ROUND 32u /* steps between updates of the stable step */
#define PORTION 4u
/*  Safety factor of long steps: collisions still take four steps, so that about as much energy is lost. */
#define LONG_SAFETY 0.6
#define LONG_GROWTH 2.0
#define MIN_SHARE 0.04    /* largest share of a stretch made with the steps of the run */
#define FIRST_SHARE 0.05  /* share of the time for the first stretch */
#define RESERVE 0.4       /* share of the time: steps become slower as bodies settle */
#define LONG_COST 1.15    /* relative cost of a long step: it includes more searches */
#define REST_PARTS 16u    /* parts of the remaining time, for pours */
#define MIN_GROWTH 1.25   /* less between beginning and end of a trial may be chance */
#define MAX_GROWTH 1.5    /* of number and of cost of steps after the trial */
#define WORTH_TELLING 1.1 /* a smaller difference is less than what else is uncertain */
#define MAX_RATE 1e100    /* steps per second of run time: a finite limit */

/* ---- time of the processor -------------------------------------------------------------------------------- */

static double clock_of(clockid_t clock)
{
    struct timespec now = {0, 0};
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

scree_scene_stopwatch scree_scene_stopwatch_start(uint32_t threads)
{
    return (scree_scene_stopwatch){threads ? threads : 1, clock_of(CLOCK_THREAD_CPUTIME_ID),
                                   clock_of(CLOCK_PROCESS_CPUTIME_ID)};
}

double scree_scene_stopwatch_read(const scree_scene_stopwatch *watch)
{
    double mine = clock_of(CLOCK_THREAD_CPUTIME_ID) - watch->mine;
    double all = clock_of(CLOCK_PROCESS_CPUTIME_ID) - watch->all;
    return fmax(mine, all / watch->threads);
}

/* ---- the world ---------------------------------------------------------------------------------------------- */

scree_status scree_scene_build_trial(scree_scene *scene, const scree_world_def *hooks,
                                     scree_world **world, scree_error *error)
{
    scree_world_def said = scene->plan.world;

    /* actions between steps would copy the state to and fro */
    scene->plan.world.compute.device = NULL;
    /* the safety factor of the run is applied by take_bound */
    scene->plan.world.step.safety_factor = fmax(said.step.safety_factor, LONG_SAFETY);
    scene->plan.world.step.max_growth = fmax(said.step.max_growth, LONG_GROWTH);
    /* long steps may have large overlaps: the limit of the run is checked in stretches with the steps of the run */
    scene->plan.world.overlap_limit = INFINITY;
    scree_status status = scree_scene_build(scene, hooks, world, error);
    scene->plan.world = said;
    if (status)
        return status;
    status = scree_scene_start(scene, *world, error);
    if (status) {
        scree_world_destroy(*world);
        *world = NULL;
    }
    return status;
}

/* ---- samples ------------------------------------------------------------------------------------------------ */

/*  At one time of the run: steps per second of run time, and cost of a step. */
typedef struct moment
{
    double time, rate, cost, bodies;
} moment;

typedef struct trying
{
    scree_scene *scene;
    scree_world *world;
    const scree_scene_plan *plan;
    scree_scene_trial *trial;
    scree_scene_stopwatch watch;
    double budget;
    double gain; /* ratio of a long step to one of the run */
    moment seen[2 * STRETCHES + 2];
    uint32_t count;
    scree_error why;
} trying;

static double now_of(const trying *t)
{
    return scree_world_clock(t->world).time;
}

static double left_to_spend(const trying *t)
{
    return t->budget - scree_scene_stopwatch_read(&t->watch);
}

/*  Adds the interval between two times, with the trapezoidal rule. */
static void add_between(scree_scene_trial *trial, const moment *a, const moment *b)
{
    double half = (b->time - a->time) / 2;

    trial->run_steps += half * (a->rate + b->rate);
    trial->run_seconds += half * (a->rate * a->cost + b->rate * b->cost);
    trial->body_steps += half * (a->rate * a->bodies + b->rate * b->bodies);
}

static void see(trying *t, moment now)
{
    if (t->count == 0 && now.time > 0) {
        moment first = now;
        first.time = 0;
        add_between(t->trial, &first, &now);
    } else if (t->count > 0) {
        add_between(t->trial, &t->seen[t->count - 1], &now);
    }
    t->seen[t->count++] = now;
    t->trial->max_bodies = fmax(t->trial->max_bodies, now.bodies);
}

/*  The end in simulated time; if it is given in steps, estimated with the last steps. */
static double end_of(const trying *t)
{
    const scree_scene_plan *plan = t->plan;

    if (scree_scene_is_over(t->scene))
        return now_of(t);
    if (!plan->end_steps || t->count == 0)
        return plan->end_steps ? INFINITY : plan->end_time;
    const moment *last = &t->seen[t->count - 1];
    return last->time + fmax(0, (double)plan->end_steps - t->trial->run_steps) / last->rate;
}

/* ---- steps as the run's ------------------------------------------------------------------------------------- */

static void note_stable(scree_scene_trial *trial, double dt)
{
    if (!isfinite(dt))
        return;
    if (trial->shortest_stable == 0 || dt < trial->shortest_stable)
        trial->shortest_stable = dt;
    trial->longest_stable = fmax(trial->longest_stable, dt);
}

/*  The world's safety factor is that of long steps, so the steps of the run are obtained with an upper bound. */
static bool take_bound(trying *t)
{
    const scree_world_def *def = &t->plan->world;
    double bound = scree_scene_dt(t->scene);

    if (def->step.mode == SCREE_TIME_AUTOMATIC) {
        scree_stable_step stable;
        scree_status status = scree_world_stable_step(t->world, &stable);
        double share =
            status ? INFINITY : fmin(def->step.safety_factor * stable.springs, stable.dt);
        if (!status)
            note_stable(t->trial, stable.dt);
        bound = bound > 0 ? fmin(bound, share) : share;
        bound = isfinite(bound) ? bound : 0;
    }
    return scree_world_set_dt(t->world, def->step.mode, bound) == SCREE_OK;
}

static bool take_steps(trying *t, uint64_t count)
{
    return scree_scene_step(t->scene, t->world, count, &t->why) == SCREE_OK;
}

/*  Takes steps in small portions while there is time: with a million bodies even a few steps take long. */
static bool take_round(trying *t, double until, const scree_scene_stopwatch *stretch,
                       double seconds)
{
    bool good = take_bound(t);

    for (uint32_t k = 0; k < ROUND / PORTION && good; k++) {
        uint64_t steps = scree_world_clock(t->world).steps, many = PORTION,
                 end = t->plan->end_steps;
        if (end && t->count == 0 && end - steps < many)
            many = end - steps;
        good = take_steps(t, many);
        if (now_of(t) >= until || scree_scene_is_over(t->scene) ||
            (k > 0 && scree_scene_stopwatch_read(stretch) > seconds))
            break;
    }
    return good;
}

/*  As long as the trial follows the run exactly, failures are reported; later they may be due to long steps. */
static bool is_within_limit(trying *t)
{
    return t->trial->long_steps > 0 || !scree_scene_overlaps(t->world, t->plan->world.overlap_limit,
                                                             t->why.text, sizeof t->why.text);
}

/*  Until the run reaches `until`, or `seconds` have been used. False: a step was refused. */
static bool take_stretch(trying *t, double until, double seconds)
{
    scree_scene_stopwatch stretch = scree_scene_stopwatch_start(t->watch.threads);
    uint64_t first = scree_world_clock(t->world).steps, last = first, rounds = 0;
    double began = now_of(t), body_steps = 0;
    bool good = true, is_over = false;

    while (good && !is_over) {
        good = take_round(t, until, &stretch, seconds);
        uint64_t now = scree_world_clock(t->world).steps;
        body_steps += (double)(now - last) * (double)scree_world_body_count(t->world);
        last = now;
        rounds++;
        is_over = now_of(t) >= until || scree_scene_is_over(t->scene) ||
                  scree_scene_stopwatch_read(&stretch) >= seconds ||
                  (t->count == 0 && now == t->plan->end_steps);
    }
    double timed = scree_scene_stopwatch_read(&stretch), steps = (double)(last - first);
    good = good && is_within_limit(t);
    if (last > first) {
        /* each change of the bound evaluates forces once more */
        moment from = {began, fmin(steps / (now_of(t) - began), MAX_RATE),
                       timed / (steps + (double)rounds), body_steps / steps};
        moment to = from;
        to.time = t->plan->end_steps ? now_of(t) : fmin(now_of(t), t->plan->end_time);
        see(t, from);
        see(t, to);
    }
    return good;
}

/* ---- long steps --------------------------------------------------------------------------------------------- */

/*  Largest long step: while nothing moves it must not jump over the end. */
static double long_bound(const trying *t, double until)
{
    const scree_world_def *def = &t->plan->world;
    double bound = (until - now_of(t)) / 4;

    if (def->step.mode == SCREE_TIME_AUTOMATIC && scree_scene_dt(t->scene) > 0)
        bound =
            fmin(bound, fmax(1, LONG_SAFETY / def->step.safety_factor) * scree_scene_dt(t->scene));
    return bound;
}

/*  Moves to `until`; false if long steps are not possible. */
static bool take_long(trying *t, double until)
{
    double began = now_of(t);
    uint64_t first = scree_world_clock(t->world).steps;

    /* not worth less than one step */
    if ((until - began) * t->seen[t->count - 1].rate < 1)
        return true;
    if (t->plan->world.step.mode == SCREE_TIME_MASS_SCALING || t->plan->world.step.local_steps)
        return false;
    bool good =
        scree_world_set_dt(t->world, SCREE_TIME_AUTOMATIC, long_bound(t, until)) == SCREE_OK;
    while (good && now_of(t) < until && left_to_spend(t) > 0 && !scree_scene_is_over(t->scene))
        good = take_steps(
            t, until - now_of(t) < PORTION * scree_world_clock(t->world).dt ? 1 : PORTION);
    uint64_t taken = scree_world_clock(t->world).steps - first;
    t->trial->long_steps += taken;
    if (taken > 0)
        t->gain = (now_of(t) - began) / (double)taken * t->seen[t->count - 1].rate;
    return good;
}

/* ---- the course --------------------------------------------------------------------------------------------- */

/*  Seconds available for run steps between here and `until`, if the rest of the course must be covered as well.
    Never more than available: even the smallest share of a run of years is hours. */
static double share_of(const trying *t, double until)
{
    const moment *last = &t->seen[t->count - 1];
    double now = now_of(t), end = end_of(t), here = fmax(0, until - now) * last->rate * last->cost;
    double rest = fmax(0, end - now) * last->rate * last->cost, slow = LONG_COST / t->gain;
    double ready = (1 - RESERVE) * left_to_spend(t);
    double share = rest > 0 ? (ready / rest - slow) / (1 - slow) : 1;

    if (!(slow < 1) || share > 1)
        share = 1;
    return fmin(here * fmax(share, MIN_SHARE), left_to_spend(t));
}

/*  Moves to `until`, where at least one step of the run is taken. */
static bool take_part(trying *t, double until, bool *is_fast)
{
    const moment *last = &t->seen[t->count - 1];
    double seconds = share_of(t, until);

    if (*is_fast)
        *is_fast = take_long(t, until - seconds / (last->cost * last->rate));
    return left_to_spend(t) > 0 && take_stretch(t, until, *is_fast ? seconds : left_to_spend(t));
}

static void take_course(trying *t)
{
    double end = t->plan->end_steps ? INFINITY : t->plan->end_time;
    bool is_fast = true;

    /* not timed: the first step allocates what later ones reuse */
    bool good = take_bound(t) && take_steps(t, 1) && is_within_limit(t);
    if (good && now_of(t) < end && t->plan->end_steps != 1)
        good = take_stretch(t, end, FIRST_SHARE * t->budget);
    if (!good)
        snprintf(t->trial->stopped, sizeof t->trial->stopped, "%s", t->why.text);
    while (good && t->count > 0 && t->count <= 2 * STRETCHES) {
        double rest = end_of(t) - now_of(t);
        if (!(rest > 0) || left_to_spend(t) <= 0)
            return;
        good = take_part(t, now_of(t) + rest / (STRETCHES + 1 - t->count / 2), &is_fast);
        if (!good && t->trial->long_steps == 0 && t->why.text[0])
            snprintf(t->trial->stopped, sizeof t->trial->stopped, "%s", t->why.text);
    }
}

/* ---- extrapolation ------------------------------------------------------------------------------------------ */

/*  Bodies that a pour has added by then according to its rate. */
static double poured_by(const trying *t, const scree_scene_source *source, double time)
{
    double density = t->plan->materials[source->material - 1].density;
    double mass = density * scene_mean_volume(&source->radius, t->plan->world.dimensions);
    double passed = fmax(0, fmin(time, source->stop) - source->start);
    double count = passed * (source->rate > 0 ? source->rate : source->mass_rate / mass);

    count = source->count ? fmin(count, (double)source->count) : count;
    return source->mass > 0 ? fmin(count, source->mass / mass) : count;
}

static double poured_between(const trying *t, double from, double to)
{
    double sum = 0;

    for (size_t i = 0; i < t->plan->source_count; i++)
        if (t->plan->sources[i].is_pour)
            sum +=
                poured_by(t, &t->plan->sources[i], to) - poured_by(t, &t->plan->sources[i], from);
    return sum;
}

/*  The earliest end: conditions that have not held yet hold as soon as they can. */
static double earliest_end(const trying *t)
{
    const scree_scene_plan *plan = t->plan;
    uint32_t number = scree_scene_stage_number(t->scene);
    double end = end_of(t), time = now_of(t);

    if (scree_scene_is_over(t->scene) || (number == 0 && !plan->stop))
        return end;
    if (plan->stop)
        return time;
    if (!scree_scene_report_stage(t->scene, number).has_ended)
        time = fmax(time, scree_scene_report_stage(t->scene, number).began_time +
                              scene_soonest_end(plan, number - 1));
    for (; number < plan->stage_count; number++)
        time += scene_soonest_end(plan, number);
    return fmin(time, end);
}

/*  How fast a value grew in the trial, as a share of the last one in a second of run time; 0 if it did not. */
static double growth_of(double first, double last, double time)
{
    return first > 0 && time > 0 && last > MIN_GROWTH * first ? (1 - first / last) / time : 0;
}

static double grown(double growth, double time)
{
    return fmin(MAX_GROWTH, 1 + growth * time);
}

/*  From where the trial came to, or a later moment, up to `end`: steps as long as there, of the cost that a body has
    there. If `grows`, both go on to grow as they did in the trial: grains that have begun to touch are followed by
    others. */
static void guess_until(trying *t, moment *before, double end, bool grows)
{
    const moment from = t->seen[t->count - 1], first = t->seen[0];
    double began = before->time, length = (end - began) / REST_PARTS, time = from.time - first.time;
    double rate = grows ? growth_of(first.rate, from.rate, time) : 0;
    double cost = grows ? growth_of(first.cost * from.bodies, from.cost * first.bodies, time) : 0;

    for (uint32_t k = 1; k <= REST_PARTS && length > 0; k++) {
        moment next = from;
        next.time = began + k * length;
        next.rate *= grown(rate, next.time - from.time);
        next.cost *= grown(cost, next.time - from.time);
        next.bodies += poured_between(t, from.time, next.time);
        next.cost *= from.bodies > 0 ? next.bodies / from.bodies : 1;
        add_between(t->trial, before, &next);
        t->trial->max_bodies = fmax(t->trial->max_bodies, next.bodies);
        *before = next;
    }
}

/*  The whole run, as far as the trial came and from there to `end`. */
static scree_scene_trial guess_all(trying *t, double least, double end, bool grows)
{
    const scree_scene_trial seen = *t->trial;
    moment before = t->seen[t->count - 1];

    guess_until(t, &before, least, grows);
    t->trial->min_steps = t->trial->run_steps;
    t->trial->min_seconds = t->trial->run_seconds;
    guess_until(t, &before, end, grows);
    const scree_scene_trial all = *t->trial;
    *t->trial = seen;
    return all;
}

static void guess_rest(trying *t)
{
    const double from = t->seen[t->count - 1].time, least = earliest_end(t), end = end_of(t);
    const scree_scene_trial same = guess_all(t, least, end, false),
                            more = guess_all(t, least, end, true);

    *t->trial = same;
    if (more.run_seconds > WORTH_TELLING * same.run_seconds) {
        *t->trial = more;
        t->trial->grows = true;
        t->trial->min_steps = same.min_steps;
        t->trial->min_seconds = same.min_seconds;
    }
    t->trial->run_time = fmax(end, from);
    t->trial->reached = t->trial->run_time > 0 ? fmin(1, from / t->trial->run_time) : 1;
}

void scree_scene_try(scree_scene *scene, scree_world *world, uint32_t threads, double seconds,
                     scree_scene_trial *trial)
{
    trying t = {.scene = scene,
                .world = world,
                .plan = &scene->plan,
                .trial = trial,
                .watch = scree_scene_stopwatch_start(threads),
                .budget = seconds,
                .gain = fmax(1, LONG_SAFETY / scene->plan.world.step.safety_factor)};

    memset(trial, 0, sizeof *trial);
    if (!(seconds > 0))
        return;
    take_course(&t);
    trial->seconds = scree_scene_stopwatch_read(&t.watch);
    trial->steps = scree_world_clock(world).steps - trial->long_steps;
    if (t.count > 0) {
        guess_rest(&t);
    } else {
        /* only one step, or none */
        trial->run_steps = (double)scree_world_clock(world).steps;
        trial->run_time = now_of(&t);
        trial->run_seconds = trial->seconds;
        trial->max_bodies = (double)scree_world_body_count(world);
        trial->body_steps = trial->run_steps * trial->max_bodies;
        trial->reached = 1;
        trial->min_steps = trial->run_steps;
        trial->min_seconds = trial->run_seconds;
    }
    if (scene->plan.end_steps && !scree_scene_is_over(scene))
        trial->run_steps = (double)scene->plan.end_steps;
}
