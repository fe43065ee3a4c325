/*  Checks the stages of a scene before the run: what exists in each, whether conditions can be reached, and how long
    stages last. */
#include "base/error.h"
#include "scene_internal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define MAX_CONDITIONS 1000u
#define SIDES_ALONG_Z 0x30u /* of a box: -z, +z */

/* ---- duration --------------------------------------------------------------------------------------------- */

/*  Seconds after which a condition surely holds, and before which it surely does not; INFINITY: unknown. */
typedef struct bounds
{
    double least, most;
} bounds;

static bounds bounds_of_row(const scree_scene_plan *plan, const scree_scene_condition *c,
                            double began, double dt)
{
    bool is_fixed = plan->world.step.mode == SCREE_TIME_FIXED;

    switch (c->kind) {
    case SCREE_CONDITION_TIME:
        return (bounds){c->bound, c->bound};
    case SCREE_CONDITION_STEPS:
        return is_fixed ? (bounds){c->bound * dt, c->bound * dt} : (bounds){0, INFINITY};
    case SCREE_CONDITION_RUN_TIME:
        return (bounds){0, fmax(0, c->bound - began)};
    case SCREE_CONDITION_REAL_TIME:
        return (bounds){0, INFINITY};
    default:
        return (bounds){c->during, INFINITY};
    }
}

/*  `began`: earliest start of the stage; `dt`: its fixed time step, if it has one. */
static bounds bounds_of(const scree_scene_plan *plan, uint32_t row, double began, double dt)
{
    const scree_scene_condition *c = &plan->conditions[row];
    bool is_all = c->kind == SCREE_CONDITION_ALL;

    if (!is_all && c->kind != SCREE_CONDITION_ANY)
        return bounds_of_row(plan, c, began, dt);
    bounds sum = is_all ? (bounds){0, 0} : (bounds){INFINITY, INFINITY};
    for (uint32_t k = row + 1; k < row + c->span; k += plan->conditions[k].span) {
        bounds part = bounds_of(plan, k, began, dt);
        sum.least = is_all ? fmax(sum.least, part.least) : fmin(sum.least, part.least);
        sum.most = is_all ? fmax(sum.most, part.most) : fmin(sum.most, part.most);
    }
    return sum;
}

/* ---- how soon, for forecasts ------------------------------------------------------------------------------ */

/*  What drives a wall in a stage. */
static const scree_scene_wall *wall_in_stage(const scree_scene_plan *plan, size_t stage,
                                             uint32_t wall)
{
    const scree_scene_wall *found = &plan->walls[wall - 1];

    for (size_t s = 0; s <= stage; s++)
        for (uint32_t k = 0; k < plan->stages[s].change_count; k++)
            if (plan->stages[s].changes[k].kind == SCREE_CHANGE_DRIVE &&
                plan->stages[s].changes[k].index == wall)
                found = plan->stages[s].changes[k].wall;
    return found;
}

/*  How long an evenly moving wall takes for its way; 0: it moves otherwise. */
static double time_of_way(const scree_scene_plan *plan, size_t stage,
                          const scree_scene_condition *c)
{
    const scree_scene_wall *wall = wall_in_stage(plan, stage, c->wall);
    const scree_path_part *part = wall->path.parts;
    double length = 0, speed = 0;

    if (c->is_below || wall->has_servo || wall->is_free || wall->path.part_count != 1 ||
        part->kind != SCREE_PATH_MOVE || part->start > 0 || part->ramp > 0)
        return 0;
    for (int k = 0; k < 3; k++) {
        length += c->axis[k] * c->axis[k];
        speed += c->axis[k] * part->vector[k];
    }
    speed = length > 0
                ? speed / sqrt(length)
                : sqrt(part->vector[0] * part->vector[0] + part->vector[1] * part->vector[1] +
                       part->vector[2] * part->vector[2]);
    return speed > 0 && c->bound > 0 ? c->bound / speed : 0;
}

/*  Of condition `row`, and its parts. */
static double soonest_of(const scree_scene_plan *plan, size_t stage, uint32_t row, double began,
                         double dt)
{
    const scree_scene_condition *c = &plan->conditions[row];
    bool is_all = c->kind == SCREE_CONDITION_ALL;
    double soonest = is_all ? 0 : INFINITY;

    if (c->kind == SCREE_CONDITION_MOVED)
        return c->during + time_of_way(plan, stage, c);
    if (!is_all && c->kind != SCREE_CONDITION_ANY)
        return bounds_of_row(plan, c, began, dt).least;
    for (uint32_t k = row + 1; k < row + c->span; k += plan->conditions[k].span) {
        double part = soonest_of(plan, stage, k, began, dt);
        soonest = is_all ? fmax(soonest, part) : fmin(soonest, part);
    }
    return soonest;
}

double scene_soonest_end(const scree_scene_plan *plan, size_t stage)
{
    const scree_scene_stage *s = &plan->stages[stage];
    double dt = plan->world.step.dt;

    for (size_t k = 0; k <= stage; k++)
        dt = scene_dt_of_stage(&plan->stages[k], dt);
    return s->ends ? fmin(s->longest, soonest_of(plan, stage, s->ends - 1, s->earliest, dt)) : 0;
}

void scene_bound_run(scree_scene *scene)
{
    scree_scene_plan *plan = &scene->plan;
    scree_scene_stage *stages = scene->list[SCENE_STAGES].rows;
    double began = 0, end = 0, dt = plan->world.step.dt;

    scene_show_lists(scene);
    for (size_t i = 0; i < plan->stage_count; i++) {
        dt = scene_dt_of_stage(&stages[i], dt);
        bounds b =
            stages[i].ends ? bounds_of(plan, stages[i].ends - 1, began, dt) : (bounds){0, INFINITY};
        stages[i].shortest = b.least;
        stages[i].longest = stages[i].at_most > 0 ? fmin(stages[i].at_most, b.most) : b.most;
        stages[i].earliest = began;
        began += fmin(b.least, stages[i].longest);
        end += stages[i].longest;
    }
    if (plan->end_time > 0 || plan->end_steps || plan->stage_count == 0)
        return;
    plan->ends_by_stages = true;
    plan->end_time = isfinite(end) ? end : 0;
}

static scree_status check_lengths(const scree_scene *scene, scree_error *error)
{
    const scree_scene_plan *plan = &scene->plan;

    for (size_t i = 0; i < plan->stage_count; i++) {
        const scree_scene_stage *stage = &plan->stages[i];
        bool is_last = i + 1 == plan->stage_count;
        if (!stage->ends && !is_last)
            return scene_fail_at(scene, error, SCREE_BAD_FILE, stage->line,
                                 "stage \"%.40s\": `ends` is missing, and stage \"%.40s\" in line "
                                 "%d would never begin",
                                 stage->name, plan->stages[i + 1].name, plan->stages[i + 1].line);
        if (!stage->ends && plan->ends_by_stages)
            return scene_fail_at(scene, error, SCREE_BAD_FILE, stage->line,
                                 "stage \"%.40s\": `ends` is missing, as ends = after(1); or run { "
                                 "time = }, which ends it",
                                 stage->name);
        if (!isfinite(stage->longest) && plan->ends_by_stages)
            return scene_fail_at(scene, error, SCREE_BAD_FILE, stage->line,
                                 "stage \"%.40s\": may never end: `at_most` is missing, in s; or "
                                 "run { time = } says when the run ends at the latest",
                                 stage->name);
        if (stage->at_most > 0 && stage->shortest > stage->at_most)
            return scene_fail_at(scene, error, SCREE_BAD_FILE, stage->line,
                                 "stage \"%.40s\": its condition takes %.6g s at least, and "
                                 "at_most is %.6g s: it can never hold",
                                 stage->name, stage->shortest, stage->at_most);
    }
    return SCREE_OK;
}

/* ---- limits of conditions ----------------------------------------------------------------------------------- */

/*  INFINITY: unknown. */
static double max_bodies(const scree_scene *scene)
{
    double sum = (double)scene->plan.body_count;

    for (size_t i = 0; i < scene->plan.source_count; i++)
        sum += scene->plan.sources[i].count ? (double)scene->plan.sources[i].count : INFINITY;
    return sum;
}

/*  `stage`: bonded at the start of this stage, from 1; 0: of the run. */
static bool is_bonded_by(const scree_scene_plan *plan, size_t stage)
{
    for (size_t i = 0; i < plan->bond_count; i++)
        if (plan->bonds[i].stage <= stage)
            return true;
    return false;
}

static bool has_bodies_by(const scree_scene_plan *plan, size_t stage)
{
    for (size_t i = 0; i < plan->source_count; i++)
        if (plan->sources[i].stage <= stage)
            return true;
    return plan->body_count > 0;
}

/*  State of a wall in the stage being checked, and up to it. */
typedef struct wall_course
{
    bool is_there, moves;
    bool was_there, has_moved;
    bool comes_or_goes;
} wall_course;

/*  Where a condition is tested: in a stage, or in the whole run. */
typedef struct asking
{
    size_t stage; /* from 1; for the run the last */
    bool is_of_run;
    const wall_course *walls;
} asking;

/*  Why the condition can never hold; NULL: it can. */
static const char *why_never(const scree_scene *scene, const scree_scene_condition *c,
                             const asking *at, char *text, size_t size)
{
    const scree_scene_plan *plan = &scene->plan;
    bool has_region = c->kind == SCREE_CONDITION_COUNT && c->region.form != SCREE_FORM_NONE &&
                      c->region.form != SCREE_FORM_PLANE;

    if (c->kind == SCREE_CONDITION_QUIET && !has_bodies_by(plan, at->stage))
        return "there are no bodies by then";
    if (c->kind == SCREE_CONDITION_BROKEN && !is_bonded_by(plan, at->stage))
        return "no bodies are glued by then; bond { } glues them";
    if (c->is_share && at->is_of_run && !is_bonded_by(plan, 0))
        return "it is a share of the bonds there are when the run begins, and there are none; "
               "`above` counts those that stages add";
    if (has_region && !(scene_volume(&c->region, plan->world.dimensions) > 0))
        return "its region has no volume";
    if (c->kind == SCREE_CONDITION_COUNT && !c->is_below && c->bound >= max_bodies(scene)) {
        snprintf(text, size, "above is %g, and the scene makes %g bodies", c->bound,
                 max_bodies(scene));
        return text;
    }
    if (at->is_of_run && !plan->ends_by_stages && c->kind == SCREE_CONDITION_TIME &&
        plan->end_time > 0 && c->bound > plan->end_time) {
        snprintf(text, size, "the run ends at %g s", plan->end_time);
        return text;
    }
    return NULL;
}

static const char *why_never_of_wall(const scree_scene_condition *c, const asking *at)
{
    const wall_course *wall = c->wall ? &at->walls[c->wall - 1] : NULL;
    bool is_moved = c->kind == SCREE_CONDITION_MOVED;

    if (!wall)
        return NULL;
    if (at->is_of_run)
        return !wall->was_there ? "the wall is not there in any stage"
               : is_moved && !wall->has_moved
                   ? "the wall never moves: it has no motion and no servo, and is not free"
                   : NULL;
    return !wall->is_there ? "the wall is not there in this stage"
           : is_moved && !wall->moves
               ? "the wall does not move in this stage: it has no motion and no servo, and is not "
                 "free"
               : NULL;
}

/*  Why the condition would be pointless; NULL: it is not. */
static const char *why_senseless(const scree_scene *scene, const scree_scene_condition *c,
                                 const asking *at)
{
    if (at->is_of_run && c->kind == SCREE_CONDITION_MOVED && at->walls[c->wall - 1].comes_or_goes)
        return "a stage adds or removes the wall, so how far it has moved since the run began is "
               "not defined; `ends` of a stage counts from the beginning of that stage";
    if ((c->sides & SIDES_ALONG_Z) && scene->plan.world.dimensions == 2)
        return "sides: has one along z, and a box in two dimensions has none";
    return NULL;
}

static scree_status check_condition(const scree_scene *scene, uint32_t first, const asking *at,
                                    scree_error *error)
{
    const scree_scene_condition *rows = scene->plan.conditions;

    for (uint32_t row = first - 1, end = row + rows[row].span; row < end; row++) {
        const scree_scene_condition *c = &rows[row];
        char text[120];
        const char *why = why_senseless(scene, c, at);
        if (why)
            return scene_fail_at(scene, error, SCREE_BAD_FILE, c->line, "%s: %s",
                                 scene_name_of_condition(c), why);
        why = why_never(scene, c, at, text, sizeof text);
        if (!why)
            why = why_never_of_wall(c, at);
        if (why)
            return scene_fail_at(scene, error, SCREE_BAD_FILE, c->line, "%s: can never hold: %s",
                                 scene_name_of_condition(c), why);
    }
    return SCREE_OK;
}

/* ---- objects that exist ------------------------------------------------------------------------------------- */

static bool goes_its_way(const scree_scene_wall *wall)
{
    static const scree_wall_path still;

    return wall->has_servo || wall->is_free || memcmp(&wall->path, &still, sizeof still) != 0;
}

/*  A wall that is added before it was ever removed does not exist before that stage. */
static void find_latecomers(scree_scene *scene)
{
    scree_scene_wall *walls = scene->list[SCENE_WALLS].rows;
    const scree_scene_plan *plan = &scene->plan;

    for (size_t w = 0; w < plan->wall_count; w++) {
        bool is_known = false;
        for (size_t s = 0; s < plan->stage_count; s++)
            for (uint32_t k = 0; k < plan->stages[s].change_count; k++) {
                const scree_scene_change *change = &plan->stages[s].changes[k];
                bool puts = change->kind == SCREE_CHANGE_PUT_WALL;
                if (is_known || change->index != w + 1 ||
                    (!puts && change->kind != SCREE_CHANGE_TAKE_WALL))
                    continue;
                is_known = true;
                walls[w].comes_later = puts;
            }
    }
}

static scree_status fail_change(const scree_scene *scene, const scree_scene_stage *stage,
                                const scree_scene_change *change, const char *what,
                                scree_error *error)
{
    return scene_fail_at(scene, error, SCREE_BAD_FILE, change->line,
                         "stage \"%.40s\": %s: the wall of line %d is %s then", stage->name,
                         change->kind == SCREE_CHANGE_TAKE_WALL  ? "remove"
                         : change->kind == SCREE_CHANGE_PUT_WALL ? "add"
                                                                 : "drive",
                         scene->plan.walls[change->index - 1].line, what);
}

static bool has_bonding_law(const scree_scene_plan *plan)
{
    for (size_t i = 0; i < plan->rule_count; i++)
        if (plan->rules[i].law && strcmp(plan->rules[i].law, "bonded") == 0)
            return true;
    return false;
}

/*  Checks one change, with the walls before it. */
static scree_status check_change(const scree_scene *scene, const scree_scene_stage *stage,
                                 const scree_scene_change *change, wall_course *walls,
                                 scree_error *error)
{
    const scree_scene_plan *plan = &scene->plan;
    uint32_t w = change->index - 1;

    switch (change->kind) {
    case SCREE_CHANGE_TAKE_WALL:
    case SCREE_CHANGE_PUT_WALL:
        if (walls[w].is_there == (change->kind == SCREE_CHANGE_PUT_WALL))
            return fail_change(scene, stage, change,
                               walls[w].is_there ? "there already" : "not there", error);
        walls[w].is_there = !walls[w].is_there;
        walls[w].moves = goes_its_way(&plan->walls[w]);
        walls[w].comes_or_goes = true;
        return SCREE_OK;
    case SCREE_CHANGE_DRIVE:
        if (!walls[w].is_there)
            return fail_change(scene, stage, change, "not there", error);
        walls[w].moves = goes_its_way(change->wall);
        return SCREE_OK;
    case SCREE_CHANGE_BOND:
        return has_bonding_law(plan)
                   ? SCREE_OK
                   : scene_fail_at(scene, error, SCREE_BAD_FILE, plan->bonds[w].line,
                                   "bond: no rule has law = \"bonded\", which glues");
    case SCREE_CHANGE_GRAVITY:
        return plan->world.dimensions == 3 || change->number[2] == 0
                   ? SCREE_OK
                   : scene_fail_at(scene, error, SCREE_BAD_FILE, change->line,
                                   "stage \"%.40s\": gravity: z is %g, must be 0 in two dimensions",
                                   stage->name, change->number[2]);
    case SCREE_CHANGE_FLUID:
        return plan->has_fluid
                   ? SCREE_OK
                   : scene_fail_at(scene, error, SCREE_BAD_FILE, change->line,
                                   "stage \"%.40s\": set_fluid: the scene has no `fluid { }` that "
                                   "could change",
                                   stage->name);
    case SCREE_CHANGE_TAKE_BODIES:
        return change->region.form == SCREE_FORM_PLANE ||
                       scene_volume(&change->region, plan->world.dimensions) > 0
                   ? SCREE_OK
                   : scene_fail_at(scene, error, SCREE_BAD_FILE, change->line,
                                   "stage \"%.40s\": remove: the region has no volume",
                                   stage->name);
    default:
        return SCREE_OK;
    }
}

static scree_status check_changes(const scree_scene *scene, const scree_scene_stage *stage,
                                  wall_course *walls, scree_error *error)
{
    scree_status status = SCREE_OK;

    for (uint32_t k = 0; k < stage->change_count && !status; k++) {
        const scree_scene_change *change = &stage->changes[k];
        for (uint32_t i = 0; i < k && change->kind == SCREE_CHANGE_DRIVE; i++)
            if (stage->changes[i].kind == SCREE_CHANGE_DRIVE &&
                stage->changes[i].index == change->index)
                return scene_fail_at(
                    scene, error, SCREE_BAD_FILE, change->line,
                    "stage \"%.40s\": drive: the wall of line %d is driven in line "
                    "%d already",
                    stage->name, scene->plan.walls[change->index - 1].line, stage->changes[i].line);
        status = check_change(scene, stage, change, walls, error);
    }
    return status;
}

/*  Steps are taken with the present walls. */
static void note_walls(wall_course *walls, size_t count)
{
    for (size_t w = 0; w < count; w++) {
        walls[w].was_there |= walls[w].is_there;
        walls[w].has_moved |= walls[w].is_there && walls[w].moves;
    }
}

static scree_status check_things(const scree_scene *scene, wall_course *walls, scree_error *error)
{
    const scree_scene_plan *plan = &scene->plan;
    scree_status status = SCREE_OK;

    for (size_t w = 0; w < plan->wall_count; w++)
        walls[w] = (wall_course){.is_there = !plan->walls[w].comes_later,
                                 .moves = goes_its_way(&plan->walls[w])};
    if (plan->stage_count == 0)
        note_walls(walls, plan->wall_count);
    for (size_t s = 0; s < plan->stage_count && !status; s++) {
        const asking at = {.stage = s + 1, .walls = walls};
        status = check_changes(scene, &plan->stages[s], walls, error);
        note_walls(walls, plan->wall_count);
        if (!status && plan->stages[s].ends)
            status = check_condition(scene, plan->stages[s].ends, &at, error);
    }
    const asking at = {.stage = plan->stage_count, .is_of_run = true, .walls = walls};
    return !status && plan->stop ? check_condition(scene, plan->stop, &at, error) : status;
}

/*  A stage can only end something that has begun. */
static scree_status check_ends(const scree_scene *scene, scree_error *error)
{
    const scree_scene_plan *plan = &scene->plan;

    for (size_t i = 0; i < plan->source_count; i++)
        if (plan->sources[i].stage_end && plan->sources[i].stage >= plan->sources[i].stage_end)
            return scene_fail_at(scene, error, SCREE_BAD_FILE, plan->sources[i].line,
                                 "pour: stage \"%.40s\" removes it before stage \"%.40s\" adds it",
                                 plan->stages[plan->sources[i].stage_end - 1].name,
                                 plan->stages[plan->sources[i].stage - 1].name);
    for (size_t i = 0; i < plan->sink_count; i++)
        if (plan->sinks[i].stage_end && plan->sinks[i].stage >= plan->sinks[i].stage_end)
            return scene_fail_at(scene, error, SCREE_BAD_FILE, plan->sinks[i].line,
                                 "sink: stage \"%.40s\" removes it before stage \"%.40s\" adds it",
                                 plan->stages[plan->sinks[i].stage_end - 1].name,
                                 plan->stages[plan->sinks[i].stage - 1].name);
    return SCREE_OK;
}

static scree_status check_names(const scree_scene *scene, scree_error *error)
{
    const scree_scene_plan *plan = &scene->plan;

    for (size_t i = 0; i < plan->stage_count; i++)
        for (size_t k = 0; k < i; k++)
            if (strcmp(plan->stages[i].name, plan->stages[k].name) == 0)
                return scene_fail_at(scene, error, SCREE_BAD_FILE, plan->stages[i].line,
                                     "stage: the name \"%.40s\" is that of the stage in line %d; "
                                     "names must differ",
                                     plan->stages[i].name, plan->stages[k].line);
    return SCREE_OK;
}

scree_status scene_check_stages(scree_scene *scene, scree_error *error)
{
    if (scene->plan.condition_count > MAX_CONDITIONS)
        return scree_fail(error, SCREE_BAD_FILE, "%s: there are %zu conditions, and can be %u",
                          scene->name, scene->plan.condition_count, MAX_CONDITIONS);
    wall_course *walls = scene_take(scene, scene->plan.wall_count + 1, sizeof *walls);
    if (!walls)
        return scree_fail(error, SCREE_OUT_OF_MEMORY, "%s: out of memory", scene->name);
    find_latecomers(scene);
    scree_status status = check_names(scene, error);
    if (!status)
        status = check_ends(scene, error);
    if (!status)
        status = check_things(scene, walls, error);
    return status ? status : check_lengths(scene, error);
}
