/*  Evaluates conditions. Compared values follow from the state of the world, except seconds on the machine's clock.
    The time since when a condition holds, and its reference values, are part of the course, so that a run continued
    from a checkpoint ends at the same step. */
#include "base/clock.h"
#include "base/error.h"
#include "base/vector.h"
#include "scene_internal.h"
#include "schedule.h"
#include "scree/bond.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct looking
{
    scree_scene *scene;
    scree_world *world;
    scree_clock clock;
    double began_time;
    uint64_t began_step;
} looking;

static bool is_group(const scree_scene_condition *c)
{
    return c->kind == SCREE_CONDITION_ALL || c->kind == SCREE_CONDITION_ANY;
}

/*  The simulated time from which the condition is true; NAN: it is no condition of time. */
static double moment_of(const scree_scene_condition *c, double began_time)
{
    return c->kind == SCREE_CONDITION_TIME       ? began_time + c->bound
           : c->kind == SCREE_CONDITION_RUN_TIME ? c->bound
                                                 : NAN;
}

/* ---- values ---------------------------------------------------------------------------------------------- */

/*  Sum over the selected parts of a wall; the parts of a box are its sides. */
static scree_status sum_of_wall(const looking *l, const scree_scene_condition *c, double place[3],
                                double force[3])
{
    const scree_scene_wall *wall = &l->scene->plan.walls[c->wall - 1];
    scree_wall_id part[6] = {{0}};
    scree_wall now;
    uint32_t at = 0;

    memset(place, 0, 3 * sizeof *place);
    memset(force, 0, 3 * sizeof *force);
    scree_status status = scene_find_parts(l->scene, l->world, wall, part);
    for (int side = 0; side < 6 && at < wall->count && !status; side++) {
        bool is_box = wall->surface.form == SCREE_FORM_BOX;
        if (is_box && (wall->surface.open >> side & 1))
            continue;
        status = scree_world_get_wall(l->world, part[at++], &now);
        if (status || (is_box && !(c->sides >> side & 1)))
            continue;
        memcpy(place, now.position, 3 * sizeof *place);
        for (int k = 0; k < 3; k++)
            force[k] += now.force[k];
    }
    return status;
}

/*  A stage may have removed the wall, or adds it later. */
static bool has_wall(const looking *l, const scree_scene_condition *c)
{
    return l->scene->plan.walls[c->wall - 1].count > 0;
}

static double along(const scree_scene_condition *c, const double vector[3])
{
    double square = scree_dot(c->axis, c->axis);

    return square > 0 ? scree_dot(vector, c->axis) / sqrt(square) : sqrt(scree_dot(vector, vector));
}

static scree_status value_of_wall(const looking *l, const scree_scene_condition *c,
                                  scene_condition_state *state)
{
    double place[3], force[3];

    state->value = 0;
    if (!has_wall(l, c))
        return SCREE_OK;
    scree_status status = sum_of_wall(l, c, place, force);
    for (int k = 0; k < 3; k++)
        place[k] -= state->base[k];
    state->value = along(c, c->kind == SCREE_CONDITION_FORCE ? force : place);
    return status;
}

static double count_bodies(const looking *l, const scree_scene_condition *c)
{
    scree_bodies_view view = scree_world_bodies(l->world);
    int dimensions = l->scene->plan.world.dimensions;
    uint64_t count = 0;

    for (size_t i = 0; i < view.count; i++)
        count += (!c->material || scree_uint32_at(view.material, i) == c->material) &&
                 (c->region.form == SCREE_FORM_NONE ||
                  scene_holds_point(&c->region, dimensions, scree_row_at(view.position, i)));
    return (double)count;
}

static bool is_pouring(const looking *l)
{
    for (size_t i = 0; i < l->scene->plan.source_count; i++)
        if (scene_pour_continues(l->scene, i, l->clock.time))
            return true;
    return false;
}

/*  False: the condition does not hold, whatever the energy is. */
static bool value_of_quiet(const looking *l, scene_condition_state *state)
{
    size_t bodies = scree_world_body_count(l->world);
    scree_energy energy = scree_world_energy(l->world);

    state->value = bodies ? (energy.kinetic + energy.rotational) / (double)bodies : 0;
    return bodies > 0 && !is_pouring(l);
}

static double value_of_bonds(const looking *l, const scree_scene_condition *c,
                             const scene_condition_state *state)
{
    double broken = (double)scree_world_bond_counts(l->world).broken - state->base[0];

    return !c->is_share ? broken : state->base[1] > 0 ? broken / state->base[1] : 0;
}

/*  The time between the last test before a checkpoint and the restart does not count. */
static double value_of_clock(scene_condition_state *state)
{
    double now = scree_clock_seconds();

    state->base[0] += state->read > 0 ? now - state->read : 0;
    state->read = now;
    return state->base[0];
}

/* ---- one row ---------------------------------------------------------------------------------------------- */

/*  Compares a value: whether the condition holds now. */
static scree_status compare(const looking *l, const scree_scene_condition *c,
                            scene_condition_state *state, bool *is_so)
{
    scree_status status = SCREE_OK;

    *is_so = true;
    switch (c->kind) {
    case SCREE_CONDITION_QUIET:
        *is_so = value_of_quiet(l, state);
        break;
    case SCREE_CONDITION_COUNT:
        state->value = count_bodies(l, c);
        break;
    case SCREE_CONDITION_BROKEN:
        state->value = value_of_bonds(l, c, state);
        break;
    default:
        *is_so = has_wall(l, c);
        status = value_of_wall(l, c, state);
    }
    *is_so = *is_so && (c->is_below ? state->value < c->bound : state->value > c->bound);
    return status;
}

/*  Conditions of time and of steps. */
static bool has_come(const looking *l, const scree_scene_condition *c, scene_condition_state *state)
{
    double moment = moment_of(c, l->began_time);

    if (c->kind == SCREE_CONDITION_STEPS) {
        state->value = (double)(l->clock.steps - l->began_step);
        return state->value >= c->bound;
    }
    if (c->kind == SCREE_CONDITION_REAL_TIME) {
        state->value = value_of_clock(state);
        return state->value >= c->bound;
    }
    state->value = l->clock.time - (c->kind == SCREE_CONDITION_TIME ? l->began_time : 0);
    return scree_schedule_has_come(moment, l->clock);
}

static scree_status look_at_row(const looking *l, const scree_scene_condition *c,
                                scene_condition_state *state, bool *holds)
{
    bool is_so;

    if (c->kind == SCREE_CONDITION_TIME || c->kind == SCREE_CONDITION_STEPS ||
        c->kind == SCREE_CONDITION_RUN_TIME || c->kind == SCREE_CONDITION_REAL_TIME) {
        *holds = has_come(l, c, state);
        if (*holds && state->since < 0)
            state->since = l->clock.time;
        return SCREE_OK;
    }
    scree_status status = compare(l, c, state, &is_so);
    if (!is_so)
        state->since = -1;
    else if (state->since < 0)
        state->since = l->clock.time;
    *holds = is_so && scree_schedule_has_come(state->since + c->during, l->clock);
    return status;
}

/*  Evaluates all parts, even if one decides, since the time for which each has held counts later. */
static scree_status look(const looking *l, uint32_t row, uint32_t *by)
{
    const scree_scene_condition *c = &l->scene->plan.conditions[row];
    bool is_all = c->kind == SCREE_CONDITION_ALL, holds = is_all;
    uint32_t first = 0, part_by;
    scree_status status = SCREE_OK;

    *by = 0;
    if (!is_group(c)) {
        status = look_at_row(l, c, &l->scene->course.conditions[row], &holds);
        *by = holds && !status ? row + 1 : 0;
        return status;
    }
    for (uint32_t k = row + 1; k < row + c->span && !status;
         k += l->scene->plan.conditions[k].span) {
        status = look(l, k, &part_by);
        first = first ? first : part_by;
        holds = is_all ? holds && part_by : holds || part_by;
    }
    if (!status && holds)
        *by = is_all ? row + 1 : first;
    return status;
}

scree_status scene_look_at_condition(scree_scene *scene, scree_world *world, uint32_t first,
                                     double began_time, uint64_t began_step, uint32_t *by,
                                     scree_error *error)
{
    const looking l = {scene, world, scree_world_clock(world), began_time, began_step};
    scree_status status = look(&l, first - 1, by);

    return status ? scree_fail(error, status, "%s: out of memory", scene->name) : SCREE_OK;
}

scree_status scene_begin_condition(scree_scene *scene, scree_world *world, uint32_t first,
                                   scree_error *error)
{
    const looking l = {.scene = scene, .world = world};
    const scree_scene_condition *rows = scene->plan.conditions;
    scree_bond_counts bonds = scree_world_bond_counts(world);
    scree_status status = SCREE_OK;
    double force[3];

    for (uint32_t row = first - 1, end = row + rows[row].span; row < end && !status; row++) {
        scene_condition_state *state = &scene->course.conditions[row];
        *state = (scene_condition_state){.since = -1, .read = scree_clock_seconds()};
        if (rows[row].kind == SCREE_CONDITION_MOVED)
            status = sum_of_wall(&l, &rows[row], state->base, force);
        if (rows[row].kind == SCREE_CONDITION_BROKEN) {
            state->base[0] = (double)bonds.broken;
            state->base[1] = (double)bonds.intact;
        }
    }
    return status ? scree_fail(error, status, "%s: out of memory", scene->name) : SCREE_OK;
}

/* ---- moments ---------------------------------------------------------------------------------------------- */

uint64_t scene_steps_to_moment(const scree_scene *scene, uint32_t first, scree_clock clock,
                               double growth, double began_time, uint64_t began_step,
                               uint64_t steps)
{
    const scree_scene_condition *rows = scene->plan.conditions;

    for (uint32_t row = first - 1, end = row + rows[row].span; row < end; row++) {
        double moment = moment_of(&rows[row], began_time);
        uint64_t room = steps;
        if (scene->course.conditions[row].since >= 0)
            continue;
        if (!isnan(moment))
            room = scree_schedule_room_until(moment, clock, growth);
        else if (rows[row].kind == SCREE_CONDITION_STEPS)
            room = began_step + (uint64_t)rows[row].bound - clock.steps;
        steps = room < steps ? room : steps;
    }
    return steps;
}

bool scene_moment_has_come(const scree_scene *scene, uint32_t first, scree_clock clock,
                           double began_time, uint64_t began_step)
{
    const scree_scene_condition *rows = scene->plan.conditions;

    for (uint32_t row = first - 1, end = row + rows[row].span; row < end; row++) {
        double moment = moment_of(&rows[row], began_time);
        if (scene->course.conditions[row].since >= 0)
            continue;
        if (!isnan(moment) && scree_schedule_has_come(moment, clock))
            return true;
        if (rows[row].kind == SCREE_CONDITION_STEPS &&
            (double)(clock.steps - began_step) >= rows[row].bound)
            return true;
    }
    return false;
}

/* ---- as text ----------------------------------------------------------------------------------------------- */

const char *scene_name_of_condition(const scree_scene_condition *c)
{
    static const char *const names[] = {
        [SCREE_CONDITION_ALL] = "all",          [SCREE_CONDITION_ANY] = "any",
        [SCREE_CONDITION_TIME] = "after",       [SCREE_CONDITION_STEPS] = "after",
        [SCREE_CONDITION_RUN_TIME] = "after",   [SCREE_CONDITION_REAL_TIME] = "after",
        [SCREE_CONDITION_QUIET] = "quiet",      [SCREE_CONDITION_COUNT] = "count",
        [SCREE_CONDITION_FORCE] = "wall_force", [SCREE_CONDITION_MOVED] = "wall_moved",
        [SCREE_CONDITION_BROKEN] = "broken"};

    return names[c->kind];
}

static const char *noun_of(const scree_scene_condition *c)
{
    switch (c->kind) {
    case SCREE_CONDITION_TIME:
        return "time in the stage";
    case SCREE_CONDITION_STEPS:
        return "steps in the stage";
    case SCREE_CONDITION_RUN_TIME:
        return "time of the run";
    case SCREE_CONDITION_REAL_TIME:
        return "time on the clock";
    case SCREE_CONDITION_QUIET:
        return "kinetic energy of a body";
    case SCREE_CONDITION_COUNT:
        return "bodies counted";
    case SCREE_CONDITION_FORCE:
        return "force on the wall";
    case SCREE_CONDITION_MOVED:
        return "way of the wall";
    default:
        return c->is_share ? "share of broken bonds" : "broken bonds";
    }
}

static const char *unit_of(const scree_scene_condition *c)
{
    switch (c->kind) {
    case SCREE_CONDITION_TIME:
    case SCREE_CONDITION_RUN_TIME:
    case SCREE_CONDITION_REAL_TIME:
        return " s";
    case SCREE_CONDITION_QUIET:
        return " J";
    case SCREE_CONDITION_FORCE:
        return " N";
    case SCREE_CONDITION_MOVED:
        return " m";
    default:
        return "";
    }
}

static size_t say(char *text, size_t size, size_t used, const char *more)
{
    int n = snprintf(text + used, size - used, "%s", more);
    return n < 0 || (size_t)n >= size - used ? size - 1 : used + (size_t)n;
}

/*  for example "bodies counted 3 (below 10)", or without a value "bodies counted below 10" */
static void say_row(const scree_scene_condition *c, const scene_condition_state *state, char *text,
                    size_t size)
{
    const char *unit = unit_of(c);
    bool is_moment = (c->kind >= SCREE_CONDITION_TIME && c->kind <= SCREE_CONDITION_REAL_TIME);
    char wanted[120], during[40] = "";

    if (c->during > 0)
        snprintf(during, sizeof during, " for %.6g s", c->during);
    snprintf(wanted, sizeof wanted, "%s %.6g%s%s",
             is_moment     ? "at least"
             : c->is_below ? "below"
                           : "above",
             c->bound, unit, during);
    if (state)
        snprintf(text, size, "%s %.6g%s (%s)", noun_of(c), state->value, unit, wanted);
    else
        snprintf(text, size, "%s %s", noun_of(c), wanted);
}

void scene_say_condition(const scree_scene *scene, uint32_t row, bool with_value, char *text,
                         size_t size)
{
    const scree_scene_condition *rows = scene->plan.conditions, *c = &rows[row];
    size_t used = 0;
    char part[160];

    text[0] = 0;
    if (!is_group(c)) {
        say_row(c, with_value ? &scene->course.conditions[row] : NULL, text, size);
        return;
    }
    used = say(text, size, used, c->kind == SCREE_CONDITION_ALL ? "all of (" : "any of (");
    for (uint32_t k = row + 1; k < row + c->span; k += rows[k].span) {
        scene_say_condition(scene, k, with_value, part, sizeof part);
        used = say(text, size, used, k > row + 1 ? "; " : "");
        used = say(text, size, used, part);
    }
    say(text, size, used, ")");
}
