/*  Whether stages can be what a scene says, before anything runs: what is there in each, what its condition can come to, how
    long it lasts. */
#include "base/error.h"
#include "scene_internal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define MOST_CONDITIONS 1000u

/* ---- how long --------------------------------------------------------------------------------------------- */

/*  Seconds after which a condition surely holds, or before which it surely does not; INFINITY: never known. */
typedef struct bounds
{
    double least, most;
} bounds;

static bounds bounds_of_row(const scree_scene_plan *plan, const scree_scene_condition *c,
                            double began)
{
    bool is_fixed = plan->world.time == SCREE_TIME_FIXED;

    switch (c->kind) {
    case SCREE_CONDITION_TIME:
        return (bounds){c->bound, c->bound};
    case SCREE_CONDITION_STEPS:
        return is_fixed ? (bounds){c->bound * plan->world.dt, c->bound * plan->world.dt}
                        : (bounds){0, INFINITY};
    case SCREE_CONDITION_RUN_TIME:
        return (bounds){0, fmax(0, c->bound - began)};
    case SCREE_CONDITION_REAL_TIME:
        return (bounds){0, INFINITY};
    default:
        return (bounds){c->during, INFINITY};
    }
}

/*  `began`: when the stage begins at the earliest. */
static bounds bounds_of(const scree_scene_plan *plan, uint32_t row, double began)
{
    const scree_scene_condition *c = &plan->conditions[row];
    bool is_all = c->kind == SCREE_CONDITION_ALL;

    if (!is_all && c->kind != SCREE_CONDITION_ANY)
        return bounds_of_row(plan, c, began);
    bounds sum = is_all ? (bounds){0, 0} : (bounds){INFINITY, INFINITY};
    for (uint32_t k = row + 1; k < row + c->span; k += plan->conditions[k].span) {
        bounds part = bounds_of(plan, k, began);
        sum.least = is_all ? fmax(sum.least, part.least) : fmin(sum.least, part.least);
        sum.most = is_all ? fmax(sum.most, part.most) : fmin(sum.most, part.most);
    }
    return sum;
}

void scene_bound_run(scree_scene *scene)
{
    scree_scene_plan *plan = &scene->plan;
    scree_scene_stage *stages = scene->list[SCENE_STAGES].rows;
    double began = 0, end = 0;
    bool is_known = true;

    scene_show_lists(scene);
    for (size_t i = 0; i < plan->stage_count; i++) {
        bounds b =
            stages[i].ends ? bounds_of(plan, stages[i].ends - 1, began) : (bounds){0, INFINITY};
        double longest = stages[i].at_most > 0 ? fmin(stages[i].at_most, b.most) : b.most;
        stages[i].longest = isfinite(longest) ? longest : 0;
        stages[i].earliest = began;
        is_known = is_known && isfinite(longest);
        began += fmin(b.least, longest);
        end += longest;
    }
    if (plan->end_time > 0 || plan->end_steps || plan->stage_count == 0)
        return;
    plan->ends_by_stages = true;
    plan->end_time = is_known ? end : 0;
}

static scree_status check_lengths(const scree_scene *scene, scree_error *error)
{
    const scree_scene_plan *plan = &scene->plan;
    double began = 0;

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
        if (!(stage->longest > 0) && plan->ends_by_stages)
            return scene_fail_at(scene, error, SCREE_BAD_FILE, stage->line,
                                 "stage \"%.40s\": may never end: `at_most` is missing, in s; or "
                                 "run { time = } says when the run ends at the latest",
                                 stage->name);
        bounds b = stage->ends ? bounds_of(plan, stage->ends - 1, began) : (bounds){0, INFINITY};
        if (stage->at_most > 0 && b.least > stage->at_most)
            return scene_fail_at(scene, error, SCREE_BAD_FILE, stage->line,
                                 "stage \"%.40s\": its condition takes %.6g s at least, and "
                                 "at_most is %.6g s: it can never hold",
                                 stage->name, b.least, stage->at_most);
        began += b.least;
    }
    return SCREE_OK;
}

/* ---- what conditions can come to ---------------------------------------------------------------------------- */

/*  INFINITY: not known. */
static double most_bodies(const scree_scene *scene)
{
    double sum = (double)scene->plan.body_count;

    for (size_t i = 0; i < scene->plan.source_count; i++)
        sum += scene->plan.sources[i].count ? (double)scene->plan.sources[i].count : INFINITY;
    return sum;
}

/*  `stage`: in which it is asked, from 0; of the run's own condition the last. */
static bool is_bonded_by(const scree_scene_plan *plan, size_t stage)
{
    for (size_t i = 0; i < plan->bond_count; i++)
        if (plan->bonds[i].stage <= stage + 1)
            return true;
    return false;
}

static bool has_bodies_by(const scree_scene_plan *plan, size_t stage)
{
    for (size_t i = 0; i < plan->source_count; i++)
        if (plan->sources[i].stage <= stage + 1)
            return true;
    return plan->body_count > 0;
}

/*  Why it can never hold; NULL: it can. */
static const char *why_never(const scree_scene *scene, const scree_scene_condition *c, size_t stage,
                             char *text, size_t size)
{
    const scree_scene_plan *plan = &scene->plan;
    bool has_region = c->kind == SCREE_CONDITION_COUNT && c->region.form != SCREE_FORM_NONE &&
                      c->region.form != SCREE_FORM_PLANE;

    if (c->kind == SCREE_CONDITION_QUIET && !has_bodies_by(plan, stage))
        return "there are no bodies by then";
    if (c->kind == SCREE_CONDITION_BROKEN && !is_bonded_by(plan, stage))
        return "no bodies are glued by then; bond { } glues them";
    if (has_region && !(scene_volume(&c->region, plan->world.dimensions) > 0))
        return "its region has no volume";
    if (c->kind == SCREE_CONDITION_COUNT && !c->is_below && c->bound >= most_bodies(scene)) {
        snprintf(text, size, "above is %g, and the scene makes %g bodies", c->bound,
                 most_bodies(scene));
        return text;
    }
    if (plan->stage_count == 0 && !plan->ends_by_stages && c->kind == SCREE_CONDITION_TIME &&
        plan->end_time > 0 && c->bound > plan->end_time) {
        snprintf(text, size, "the run ends at %g s", plan->end_time);
        return text;
    }
    return NULL;
}

static scree_status check_condition(const scree_scene *scene, uint32_t first, size_t stage,
                                    const bool *is_there, const bool *moves, scree_error *error)
{
    const scree_scene_condition *rows = scene->plan.conditions;

    for (uint32_t row = first - 1, end = row + rows[row].span; row < end; row++) {
        const scree_scene_condition *c = &rows[row];
        char text[120];
        const char *why = why_never(scene, c, stage, text, sizeof text);
        if (!why && c->wall && !is_there[c->wall - 1])
            why = "the wall is not there in this stage";
        if (!why && c->kind == SCREE_CONDITION_MOVED && !moves[c->wall - 1])
            why = "the wall does not move in this stage: it has no motion and no servo, and is not "
                  "loose";
        if (why)
            return scene_fail_at(scene, error, SCREE_BAD_FILE, c->line, "%s: can never hold: %s",
                                 scene_name_of_condition(c), why);
    }
    return SCREE_OK;
}

/* ---- what is there ------------------------------------------------------------------------------------------ */

static bool goes_its_way(const scree_scene_wall *wall)
{
    static const scree_wall_path still;

    return wall->has_servo || wall->is_free || memcmp(&wall->path, &still, sizeof still) != 0;
}

/*  A wall that is put in before it was ever taken out comes with that stage. */
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

/*  One change, with walls as they are before it. */
static scree_status check_change(const scree_scene *scene, const scree_scene_stage *stage,
                                 const scree_scene_change *change, bool *is_there, bool *moves,
                                 scree_error *error)
{
    const scree_scene_plan *plan = &scene->plan;
    uint32_t w = change->index - 1;

    switch (change->kind) {
    case SCREE_CHANGE_TAKE_WALL:
    case SCREE_CHANGE_PUT_WALL:
        if (is_there[w] == (change->kind == SCREE_CHANGE_PUT_WALL))
            return fail_change(scene, stage, change, is_there[w] ? "there already" : "not there",
                               error);
        is_there[w] = !is_there[w];
        moves[w] = goes_its_way(&plan->walls[w]);
        return SCREE_OK;
    case SCREE_CHANGE_DRIVE:
        if (!is_there[w])
            return fail_change(scene, stage, change, "not there", error);
        moves[w] = goes_its_way(change->wall);
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
                                  bool *is_there, bool *moves, scree_error *error)
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
        status = check_change(scene, stage, change, is_there, moves, error);
    }
    return status;
}

static scree_status check_things(const scree_scene *scene, bool *is_there, bool *moves,
                                 scree_error *error)
{
    const scree_scene_plan *plan = &scene->plan;
    scree_status status = SCREE_OK;

    for (size_t w = 0; w < plan->wall_count; w++) {
        is_there[w] = !plan->walls[w].comes_later;
        moves[w] = goes_its_way(&plan->walls[w]);
    }
    if (plan->stop && plan->stage_count == 0)
        status = check_condition(scene, plan->stop, 0, is_there, moves, error);
    for (size_t s = 0; s < plan->stage_count && !status; s++) {
        status = check_changes(scene, &plan->stages[s], is_there, moves, error);
        if (!status && plan->stages[s].ends)
            status = check_condition(scene, plan->stages[s].ends, s, is_there, moves, error);
    }
    return status;
}

/*  What a stage ends must have begun. */
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
    size_t walls = scene->plan.wall_count;

    if (scene->plan.condition_count > MOST_CONDITIONS)
        return scree_fail(error, SCREE_BAD_FILE, "%s: there are %zu conditions, and can be %u",
                          scene->name, scene->plan.condition_count, MOST_CONDITIONS);
    bool *is_there = scene_take(scene, 2 * walls + 1, sizeof *is_there);
    if (!is_there)
        return scree_fail(error, SCREE_OUT_OF_MEMORY, "%s: out of memory", scene->name);
    find_latecomers(scene);
    scree_status status = check_names(scene, error);
    if (!status)
        status = check_ends(scene, error);
    if (!status)
        status = check_things(scene, is_there, is_there + walls, error);
    return status ? status : check_lengths(scene, error);
}
