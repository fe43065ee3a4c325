/*  A run that continues with a scene that was edited meanwhile: what may differ, and how the world takes it over. */
#include "base/error.h"
#include "scene_internal.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ---- what may differ -------------------------------------------------------------------------------------- */

const char *scree_scene_other_solver(const scree_scene *old, const scree_scene *other)
{
    const scree_world_def *a = &old->plan.world, *b = &other->plan.world;

    return a->step.integrator != b->step.integrator         ? "integrator"
           : a->step.local_steps != b->step.local_steps     ? "local_steps"
           : a->overlap_limit != b->overlap_limit           ? "overlap_limit"
           : a->step.safety_factor != b->step.safety_factor ? "safety_factor"
           : a->step.max_growth != b->step.max_growth       ? "max_growth"
                                                            : NULL;
}

static bool same(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

static bool same_vector(const double *a, const double *b, int count)
{
    for (int k = 0; k < count; k++)
        if (!same(a[k], b[k]))
            return false;
    return true;
}

/*  Shapes are compared by what they weigh and how large they are. */
static bool same_stone(const scree_scene_stone *a, const scree_scene_stone *b)
{
    if (!a || !b)
        return a == b;
    return !a->mesh == !b->mesh && a->is_block == b->is_block &&
           a->is_superquadric == b->is_superquadric && same(a->skin, b->skin) &&
           same(a->around, b->around) && same(a->volume, b->volume);
}

static bool same_body(const scree_scene_body *a, const scree_scene_body *b)
{
    return a->material == b->material && same_stone(a->stone, b->stone) &&
           a->is_turned == b->is_turned && same(a->radius, b->radius) && same(a->mass, b->mass) &&
           same_vector(a->position, b->position, 3) && same_vector(a->velocity, b->velocity, 3) &&
           same_vector(a->spin, b->spin, 3) && same_vector(a->orientation, b->orientation, 4) &&
           a->groups == b->groups && a->mask == b->mask && a->flags == b->flags &&
           same(a->temperature, b->temperature) && same(a->heat_source, b->heat_source) &&
           a->holds_temperature == b->holds_temperature;
}

static bool same_cell(const scree_scene_cell *a, const scree_scene_cell *b)
{
    if (!a->line || !b->line)
        return !a->line == !b->line;
    return same_vector(a->gradient[0], b->gradient[0], 9) && same_vector(a->tilt, b->tilt, 3) &&
           a->homogeneous == b->homogeneous && a->has_servo == b->has_servo &&
           (!a->has_servo || (same_vector(a->servo.stress, b->servo.stress, 6) &&
                              same(a->servo.pressure, b->servo.pressure) &&
                              same(a->servo.max_rate, b->servo.max_rate)));
}

static bool same_domain(const scree_world_def *a, const scree_world_def *b)
{
    return a->dimensions == b->dimensions && same_vector(a->domain.lower, b->domain.lower, 3) &&
           same_vector(a->domain.upper, b->domain.upper, 3) &&
           memcmp(a->domain.boundary, b->domain.boundary, sizeof a->domain.boundary) == 0;
}

/*  What bodies are there at the start, and how they are placed. */
static const char *other_start(const scree_scene_plan *a, const scree_scene_plan *b, int *line)
{
    *line = 0;
    if (a->seed != b->seed)
        return "seed";
    if (!same_domain(&a->world, &b->world))
        return "domain";
    if (a->world.energy_balance != b->world.energy_balance)
        return "solver: energy_balance";
    if (!same_cell(&a->cell, &b->cell))
        return "cell";
    if (a->body_count != b->body_count)
        return "the number of bodies";
    for (size_t k = 0; k < a->body_count; k++)
        if (!same_body(&a->bodies[k], &b->bodies[k])) {
            *line = b->bodies[k].line;
            return "body";
        }
    return NULL;
}

bool scree_scene_can_follow(const scree_scene *old, const scree_scene *other, char *text,
                            size_t room)
{
    int line;
    const char *what = scree_scene_other_solver(old, other);

    text[0] = 0;
    if (what) {
        snprintf(text, room, "solver: %s", what);
        return false;
    }
    what = other_start(&old->plan, &other->plan, &line);
    if (what && line)
        snprintf(text, room, "%s of line %d", what, line);
    else if (what)
        snprintf(text, room, "%s", what);
    return !what && scene_same_from_now(&old->plan, &other->plan, true, text, room);
}

/* ---- settings --------------------------------------------------------------------------------------------- */

typedef struct teller
{
    scree_scene_note_fn *note;
    void *user;
} teller;

static void tell(const teller *t, const char *format, ...) SCREE_PRINTF(2, 3);

static void tell(const teller *t, const char *format, ...)
{
    char text[250];
    va_list list;

    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    t->note(text, t->user);
}

static void tell_number(const teller *t, const char *what, const char *unit, double before,
                        double after)
{
    if (before != after)
        tell(t, "%s %.9g%s is now %.9g%s", what, before, unit, after, unit);
}

static bool same_rest(const scree_scene_plan *a, const scree_scene_plan *b)
{
    return a->has_rest == b->has_rest &&
           (!a->has_rest ||
            (a->rest.speed == b->rest.speed && a->rest.acceleration == b->rest.acceleration &&
             a->rest.steps == b->rest.steps));
}

/*  Bodies that sleep wake up where the rule is another. */
static scree_status take_rest(const scree_scene_plan *before, const scree_scene_plan *after,
                              scree_world *world, const teller *t)
{
    if (same_rest(before, after))
        return SCREE_OK;
    tell(t, "sleep: %s",
         after->has_rest ? "has other settings, and all bodies are awake"
                         : "is off, and all bodies are awake");
    return scree_world_set_sleep(world, after->has_rest ? &after->rest : NULL);
}

static scree_status take_step(const scree_scene *scene, const scree_scene *old, scree_world *world,
                              const teller *t)
{
    double before = scree_scene_dt(old), after = scree_scene_dt(scene);
    scree_time_mode mode = scene->plan.world.step.mode;

    if (before == after && old->plan.world.step.mode == mode)
        return SCREE_OK;
    tell_number(t, "dt", " s", before, after);
    if (old->plan.world.step.mode != mode)
        tell(t, "the choice of time steps is another");
    return scree_world_set_dt(world, mode, after);
}

scree_status scree_scene_take_settings(const scree_scene *scene, const scree_scene *old,
                                       scree_world *world, scree_scene_note_fn *note, void *user,
                                       scree_error *error)
{
    const scree_world_def *a = &old->plan.world, *b = &scene->plan.world;
    const teller t = {note, user};
    scree_status status = take_step(scene, old, world, &t);

    if (!status &&
        (a->global_damping != b->global_damping || a->local_damping != b->local_damping)) {
        tell_number(&t, "damping", " 1/s", a->global_damping, b->global_damping);
        tell_number(&t, "local damping", "", a->local_damping, b->local_damping);
        status = scree_world_set_damping(world, b->global_damping, b->local_damping);
    }
    if (!status && memcmp(a->gravity, b->gravity, sizeof a->gravity) != 0) {
        tell(&t, "gravity {%.9g, %.9g, %.9g} m/s^2 is now {%.9g, %.9g, %.9g} m/s^2", a->gravity[0],
             a->gravity[1], a->gravity[2], b->gravity[0], b->gravity[1], b->gravity[2]);
        status = scree_world_set_gravity(world, b->gravity);
    }
    if (!status)
        status = take_rest(&old->plan, &scene->plan, world, &t);
    return status ? scree_fail(error, status, "%s: %s", scene->name, scree_world_message(world))
                  : SCREE_OK;
}

/* ---- motions of walls ------------------------------------------------------------------------------------- */

static scree_status move_part(scree_world *world, scree_wall_id part,
                              const scree_scene_wall *before, const scree_scene_wall *wall)
{
    scree_status status = SCREE_OK;

    if (!scene_same_belt(before, wall))
        status = scree_world_set_wall_belt(world, part, wall->has_belt ? &wall->belt : NULL);
    if (!status && !scene_same_path(&before->path, &wall->path))
        status = scree_world_set_wall_path(world, part, &wall->path);
    return status;
}

scree_status scree_scene_take_paths(const scree_scene *scene, const scree_scene *old,
                                    scree_world *world, scree_scene_note_fn *note, void *user,
                                    scree_error *error)
{
    const teller t = {note, user};
    scree_status status = SCREE_OK;

    for (size_t k = 0; k < scene->plan.wall_count && !status; k++) {
        const scree_scene_wall *wall = &scene->plan.walls[k], *before = &old->plan.walls[k];
        scree_wall_id part[6] = {{0}};
        if (!wall->count ||
            (scene_same_path(&before->path, &wall->path) && scene_same_belt(before, wall)))
            continue;
        status = scene_find_parts(scene, world, wall, part);
        for (uint32_t i = 0; i < wall->count && !status; i++)
            status = move_part(world, part[i], before, wall);
        status = scene_refused(scene, world, status, wall->line, "wall", error);
        if (!status)
            tell(&t, "motion of the wall of line %d", wall->line);
    }
    return status;
}
