/*  Stages in the output of a run: which stage ended when, by which condition and with which value, in the log and in
    run.json. */
#include "app/run/run.h"
#include "app/run/stage_intervals.h"

#include <inttypes.h>

static uint32_t count_ended(const scree_run *run)
{
    uint32_t now = scree_scene_stage_number(run->scene);

    return now && !scree_scene_report_stage(run->scene, now).has_ended ? now - 1 : now;
}

static void note_end(scree_run *run, uint32_t number)
{
    const scree_scene_stage *stage = &run->plan->stages[number - 1];
    scree_scene_stage_report report = scree_scene_report_stage(run->scene, number);

    if (report.is_by_limit)
        scree_notes_warn(
            &run->notes, SCREE_NOTE_STAGE,
            "stage \"%s\" had not ended after at_most = %.6g s, at step %" PRIu64 ", %.6g s: %s",
            stage->name, stage->at_most, report.ended_step, report.ended_time, report.condition);
    else
        scree_notes_log(&run->notes, "stage \"%s\" ended at step %" PRIu64 ", %.6g s: %s",
                        stage->name, report.ended_step, report.ended_time, report.condition);
}

void scree_run_stages_note(scree_run *run)
{
    uint32_t ended = count_ended(run);

    for (; run->stages_ended < ended; run->stages_ended++) {
        note_end(run, run->stages_ended + 1);
        run->stage_row = true;
    }
}

/* ---- intervals of stages ---- */

/*  An interval of the stage replaces that of the scene, if the scene has one. */
static scree_schedule schedule_of(const scree_schedule *said, double seconds, scree_clock origin,
                                  uint64_t base, scree_clock now)
{
    bool is_never = !said->steps && !(said->time > 0);

    if (is_never)
        return *said;
    return seconds > 0 ? scree_schedule_from(0, seconds, origin, base, now)
                       : scree_schedule_from(said->steps, said->time, origin, base, now);
}

/*  Sets intervals of frames and rows for stage `number`, which began at `origin`; series know the number from which
    they count. */
static void set_intervals(scree_run *run, uint32_t number, scree_clock origin)
{
    const scree_scene_stage *stage = &run->plan->stages[number - 1];
    scree_clock now = scree_world_clock(run->world);

    run->metrics_due = schedule_of(&run->metrics_said, stage->metrics_every, origin, 0, now);
    for (size_t k = 0; k < run->series_count; k++) {
        scree_run_series *series = &run->series[k];
        if (series->kind != SCREE_KIND_FIELDS)
            series->schedule =
                schedule_of(&series->said, stage->output_every, origin, series->base, now);
    }
}

/*  Numbers continue from those of the previous stage. */
bool scree_run_stages_begin(scree_run *run)
{
    scree_clock now = scree_world_clock(run->world);

    if (run->plan->stage_count == 0 || run->stages_ended != scree_scene_stage_number(run->scene) ||
        run->stages_ended >= run->plan->stage_count)
        return false;
    if (!scree_stages_set_intervals(run->plan) || run->intervals == run->stages_ended + 1)
        return true;
    for (size_t k = 0; k < run->series_count; k++)
        run->series[k].base = scree_schedule_number(&run->series[k].schedule, now);
    run->intervals = run->stages_ended + 1;
    set_intervals(run, run->intervals, now);
    return true;
}

/*  For a run that starts or continues: sets the intervals of its present stage. */
void scree_run_stages_open(scree_run *run)
{
    uint32_t now = scree_scene_stage_number(run->scene);
    scree_scene_stage_report report = scree_scene_report_stage(run->scene, now);
    bool is_at_start = scree_world_clock(run->world).steps == 0;

    if (!now || !scree_stages_set_intervals(run->plan))
        return;
    run->metrics_said = run->metrics_due;
    for (size_t k = 0; k < run->series_count; k++)
        run->series[k].said = run->series[k].schedule;
    run->intervals = now;
    set_intervals(run, now, (scree_clock){.time = report.began_time, .steps = report.began_step});
    /* what is due at step 0 is due in any stage */
    if (!is_at_start)
        return;
    run->metrics_due.next = run->metrics_said.next;
    for (size_t k = 0; k < run->series_count; k++)
        run->series[k].schedule.next = run->series[k].said.next;
}

void scree_run_stages_recall(scree_run *run)
{
    run->stages_ended = count_ended(run);
}

void scree_run_stages_record(const scree_run *run, scree_json *json)
{
    char text[400];

    if (scree_scene_report_stop(run->scene, text, sizeof text))
        scree_json_text(json, "stopped_by", text);
    if (run->plan->stage_count == 0)
        return;
    scree_json_count(json, "stage", scree_scene_stage_number(run->scene));
    scree_json_list(json, "stages");
    for (uint32_t k = 1; k <= run->plan->stage_count; k++) {
        scree_scene_stage_report report = scree_scene_report_stage(run->scene, k);
        scree_json_object(json, NULL);
        scree_json_text(json, "name", run->plan->stages[k - 1].name);
        if (report.has_begun) {
            scree_json_count(json, "began_step", report.began_step);
            scree_json_real(json, "began_time", report.began_time);
        }
        if (report.has_ended) {
            scree_json_count(json, "ended_step", report.ended_step);
            scree_json_real(json, "ended_time", report.ended_time);
            scree_json_text(json, "ended_by", report.is_by_limit ? "at_most" : report.condition);
            scree_json_real(json, "value", report.value);
        }
        scree_json_end(json);
    }
    scree_json_end(json);
}

void scree_run_stages_say(scree_run *run)
{
    char text[400];
    uint32_t now = scree_scene_stage_number(run->scene);

    if (scree_scene_report_stop(run->scene, text, sizeof text))
        scree_notes_say(&run->notes, "the run's condition holds: %s", text);
    for (uint32_t k = 1; k <= now; k++) {
        scree_scene_stage_report report = scree_scene_report_stage(run->scene, k);
        if (report.has_ended && !report.is_by_limit)
            scree_notes_say(&run->notes, "stage \"%s\" ended at %.6g s: %s",
                            run->plan->stages[k - 1].name, report.ended_time, report.condition);
    }
    if (run->state == SCREE_RUN_FINISHED && count_ended(run) < run->plan->stage_count)
        scree_notes_say(&run->notes, "the run ended in stage \"%s\", which had not come to its end",
                        run->plan->stages[now - 1].name);
}
