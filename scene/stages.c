/*  Runs the stages of a scene in order. A stage is tested after a step; if it has ended, the next one begins before
    the following step. So output at that step belongs to the stage that ends, and the division into calls makes no
    difference. */
#include "base/error.h"
#include "scene_internal.h"
#include "schedule.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const scree_scene_stage *stage_now(const scree_scene *scene)
{
    return scene->course.stage ? &scene->plan.stages[scene->course.stage - 1] : NULL;
}

/* ---- start of a stage ------------------------------------------------------------------------------------- */

/*  A failure leaves part of the stage's changes made. The course says so: SCENE_PARTIAL. */
static scree_status begin_stage(scree_scene *scene, scree_world *world, uint32_t number,
                                scree_error *error)
{
    const scree_scene_stage *stage = &scene->plan.stages[number - 1];
    scree_clock clock = scree_world_clock(world);
    scree_status status = SCREE_OK;

    scene->course.stage = number;
    scene->course.standing = SCENE_PARTIAL;
    scene->course.stages[number - 1] =
        (scene_stage_state){.began_step = clock.steps, .began_time = clock.time};
    for (uint32_t k = 0; k < stage->change_count && !status; k++)
        status = scene_make_change(scene, world, &stage->changes[k], error);
    if (!status)
        status = scene_check_fixed_step(scene, world, stage, error);
    if (!status && stage->ends)
        status = scene_begin_condition(scene, world, stage->ends, error);
    if (!status)
        scene->course.standing = SCENE_RUNS;
    return status;
}

scree_status scene_begin_stages(scree_scene *scene, scree_world *world, scree_error *error)
{
    scree_status status = scene_try_values(scene, world, error);

    if (!status && scene->plan.stop)
        status = scene_begin_condition(scene, world, scene->plan.stop, error);
    return !status && scene->plan.stage_count > 0 ? begin_stage(scene, world, 1, error) : status;
}

static scree_status tell_of_failure(const scree_scene *scene, scree_error *error)
{
    const scree_scene_stage *stage = stage_now(scene);
    char why[160];

    scene_say_condition(scene, stage->ends - 1, true, why, sizeof why);
    return scene_fail_at(scene, error, SCREE_BAD_VALUE, stage->line,
                         "stage \"%.40s\": had not ended after at_most = %.6g s: %s; use a longer "
                         "at_most, or or_fail = false to continue with the next stage",
                         stage->name, stage->at_most, why);
}

scree_status scene_next_stage(scree_scene *scene, scree_world *world, scree_error *error)
{
    if (scene->course.standing == SCENE_FAILED)
        return tell_of_failure(scene, error);
    if (scene->course.standing == SCENE_PARTIAL)
        return scene_fail_at(scene, error, SCREE_BAD_ARGUMENT, stage_now(scene)->line,
                             "stage \"%.40s\": could not begin", stage_now(scene)->name);
    return scene->course.standing == SCENE_ENDED
               ? begin_stage(scene, world, scene->course.stage + 1, error)
               : SCREE_OK;
}

/* ---- tests ------------------------------------------------------------------------------------------------ */

/*  By which factor a step may be longer than the one before. */
static double growth_of(const scree_scene_plan *plan)
{
    return plan->world.step.mode == SCREE_TIME_AUTOMATIC         ? plan->world.step.max_growth
           : plan->world.step.integrator >= SCREE_IMPLICIT_EULER ? 2
                                                                 : 1;
}

static uint64_t steps_to(const scree_scene *scene, scree_clock clock, uint32_t condition,
                         uint32_t every, double began_time, uint64_t began_step, uint64_t steps)
{
    uint64_t room = every - clock.steps % every;

    steps = room < steps ? room : steps;
    return scene_steps_to_moment(scene, condition, clock, growth_of(&scene->plan), began_time,
                                 began_step, steps);
}

uint64_t scene_steps_to_look(const scree_scene *scene, const scree_world *world, uint64_t steps)
{
    scree_clock clock = scree_schedule_clock(world);
    const scree_scene_stage *stage = stage_now(scene);

    if (scene->plan.stop)
        steps = steps_to(scene, clock, scene->plan.stop, scene->plan.stop_every, 0, 0, steps);
    if (stage && stage->ends) {
        const scene_stage_state *state = &scene->course.stages[scene->course.stage - 1];
        steps = steps_to(scene, clock, stage->ends, stage->check_every, state->began_time,
                         state->began_step, steps);
    }
    return steps;
}

static void end_stage(scree_scene *scene, scree_clock clock, uint32_t by)
{
    scene_stage_state *state = &scene->course.stages[scene->course.stage - 1];

    state->ended_step = clock.steps;
    state->ended_time = clock.time;
    state->by = by;
    scene->course.standing =
        scene->course.stage < scene->plan.stage_count ? SCENE_ENDED : SCENE_OVER;
}

/*  Tests conditions at multiples of check_every, and at moments of time. */
static scree_status look_at_end(scree_scene *scene, scree_world *world, uint32_t condition,
                                uint32_t every, double began_time, uint64_t began_step,
                                uint32_t *by, scree_error *error)
{
    scree_clock clock = scree_world_clock(world);

    *by = 0;
    if (clock.steps % every != 0 &&
        !scene_moment_has_come(scene, condition, clock, began_time, began_step))
        return SCREE_OK;
    return scene_look_at_condition(scene, world, condition, began_time, began_step, by, error);
}

/*  `is_stopped`: the run ends here, so the stage need not end by itself. */
static scree_status look_at_stage(scree_scene *scene, scree_world *world, bool is_stopped,
                                  scree_error *error)
{
    const scree_scene_stage *stage = stage_now(scene);
    const scene_stage_state *state = &scene->course.stages[scene->course.stage - 1];
    scree_clock clock = scree_world_clock(world);
    uint32_t by;
    scree_status status = look_at_end(scene, world, stage->ends, stage->check_every,
                                      state->began_time, state->began_step, &by, error);

    if (status || by) {
        if (by)
            end_stage(scene, clock, by);
        return status;
    }
    if (!(stage->at_most > 0) || clock.steps % stage->check_every != 0 ||
        !scree_schedule_has_come(state->began_time + stage->at_most, clock))
        return SCREE_OK;
    if (stage->continues) {
        end_stage(scene, clock, SCENE_BY_LIMIT);
        return SCREE_OK;
    }
    if (is_stopped)
        return SCREE_OK;
    scene->course.standing = SCENE_FAILED;
    return tell_of_failure(scene, error);
}

scree_status scene_look_at_stage(scree_scene *scene, scree_world *world, scree_error *error)
{
    const scree_scene_stage *stage = stage_now(scene);
    scree_status status = SCREE_OK;
    uint32_t by = 0;

    if (scene->plan.stop)
        status =
            look_at_end(scene, world, scene->plan.stop, scene->plan.stop_every, 0, 0, &by, error);
    if (!status && stage && stage->ends)
        status = look_at_stage(scene, world, by != 0, error);
    if (!status && by) {
        scene->course.stopped_by = by;
        scene->course.standing = SCENE_OVER;
    }
    return status;
}

/* ---- interface for hosts ----------------------------------------------------------------------------------- */

bool scree_scene_is_over(const scree_scene *scene)
{
    return scene->course.standing == SCENE_OVER;
}

scree_scene_stage_report scree_scene_report_stage(const scree_scene *scene, uint32_t number)
{
    scree_scene_stage_report report = {0};

    if (number == 0 || number > scene->course.stage)
        return report;
    const scree_scene_stage *stage = &scene->plan.stages[number - 1];
    const scene_stage_state *state = &scene->course.stages[number - 1];
    report = (scree_scene_stage_report){
        .has_begun = true,
        .has_ended = state->by != 0,
        .is_by_limit = state->by == SCENE_BY_LIMIT,
        .began_step = state->began_step,
        .ended_step = state->ended_step,
        .began_time = state->began_time,
        .ended_time = state->ended_time,
    };
    uint32_t row = state->by && !report.is_by_limit ? state->by : stage->ends;
    if (row) {
        report.value = scene->course.conditions[row - 1].value;
        scene_say_condition(scene, row - 1, true, report.condition, sizeof report.condition);
    }
    return report;
}

bool scree_scene_report_stop(const scree_scene *scene, char *text, size_t size)
{
    if (!scene->course.stopped_by)
        return false;
    scene_say_condition(scene, scene->course.stopped_by - 1, true, text, size);
    return true;
}

void scree_scene_say_end(const scree_scene *scene, uint32_t condition, char *text, size_t size)
{
    scene_say_condition(scene, condition - 1, false, text, size);
}
