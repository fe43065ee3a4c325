/*  The main loop of a run: batches of steps up to the next output, short enough that signals are answered at once.
    Everything that is due at a step is done before the next one: metrics, frames, then the checkpoint, so that it
    includes all that was written. */
#include "app/run/forecast.h"
#include "app/run/ranks.h"
#include "app/run/run.h"
#include "app/run/signals.h"
#include "common/options.h"

#include "base/clock.h"
#include "base/common.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define PORTION_SECONDS 0.1 /* approximate duration of a batch of steps */
#define MAX_PORTION 1000000
#define CHECKPOINT_SECONDS 600 /* wall-clock interval, if the scene has none for checkpoints */
#define MAX_CHECKPOINT_FAILURES 3

static bool has_ended(const scree_run *run)
{
    scree_clock clock = scree_world_clock(run->world);
    if (scree_scene_is_over(run->scene))
        return true;
    if (run->plan->ends_by_stages && !run->end_steps)
        return false;
    return run->end_steps
               ? clock.steps >= run->end_steps
               : scree_schedule_has_ended(run->end_time, scree_schedule_clock(run->world));
}

/* ---- schedules ---- */

static bool is_checkpoint_due(const scree_run *run, bool is_end)
{
    scree_clock clock = scree_world_clock(run->world);
    uint64_t number;

    if (run->has_checkpoint && run->checkpoint_step == clock.steps)
        return false;
    if (is_end || scree_schedule_is_due(&run->checkpoint_due, clock, &number))
        return true;
    bool by_wall = !run->checkpoint_due.steps && !(run->checkpoint_due.time > 0);
    return by_wall && scree_run_wall(run) - run->checkpoint_wall > CHECKPOINT_SECONDS;
}

static void do_what_is_due(scree_run *run, bool is_end)
{
    double began = scree_clock_seconds();

    scree_run_stages_note(run);
    scree_run_metrics_write(run);
    scree_run_outputs_sample(run);
    scree_run_outputs_write(run, is_end);
    if (is_checkpoint_due(run, is_end)) {
        scree_schedule_pass(&run->checkpoint_due, scree_world_clock(run->world));
        if (scree_run_checkpoint(run))
            scree_run_record(run, 0);
    }
    run->writing_seconds += scree_clock_seconds() - began;
}

static uint64_t sooner(const scree_schedule *schedule, scree_clock clock, double growth,
                       uint64_t least)
{
    uint64_t steps = scree_schedule_room(schedule, clock, growth);

    return steps < least ? steps : least;
}

/*  Number of steps until something is due, or the end. */
static uint64_t room(const scree_run *run)
{
    scree_clock clock = scree_schedule_clock(run->world);
    uint64_t least = run->end_steps ? run->end_steps - clock.steps
                                    : scree_schedule_room_until(run->end_time, clock, run->growth);
    const scree_schedule *due[] = {&run->metrics_due, &run->sample_due, &run->checkpoint_due};

    for (size_t k = 0; k < SCREE_COUNT_OF(due); k++)
        least = sooner(due[k], clock, run->growth, least);
    for (size_t k = 0; k < run->series_count; k++) {
        least = sooner(&run->series[k].schedule, clock, run->growth, least);
        least = sooner(&run->series[k].sample, clock, run->growth, least);
    }
    return least;
}

/*  Takes steps; the last ones of a run that ends at a time are shortened to meet it. */
static scree_status advance(scree_run *run, uint64_t steps, scree_error *error)
{
    scree_time_mode mode;
    double given, now, last = 0;

    scree_world_get_dt(run->world, &mode, &given);
    if (run->end_time > 0)
        last = scree_schedule_last_step(run->end_time, scree_schedule_clock(run->world),
                                        mode == SCREE_TIME_FIXED);
    if (!(last > 0) || (given > 0 && given <= last))
        return scree_scene_advance(run->scene, run->world, steps, error);
    scree_status status = scree_world_set_dt(run->world, mode, last);
    if (!status)
        status = scree_scene_advance(run->scene, run->world, 1, error);
    /* unless a stage has changed it meanwhile */
    scree_world_get_dt(run->world, &mode, &now);
    if (now == last)
        (void)scree_world_set_dt(run->world, mode, given);
    return status;
}

/* ---- progress ---- */

static scree_progress_report look(const scree_run *run)
{
    scree_clock clock = scree_world_clock(run->world);
    /* if stages or a condition ended the run, its end is the present time, and not the latest possible one */
    bool is_over = run->state == SCREE_RUN_FINISHED;

    return (scree_progress_report){
        .wall = scree_run_wall(run),
        .step = clock.steps,
        .end_step = is_over && run->end_steps ? clock.steps : run->end_steps,
        .time = clock.time,
        .end_time = is_over && run->end_time > 0 ? clock.time : run->end_time,
        .dt = clock.dt,
        .bodies = scree_world_body_count(run->world),
    };
}

/*  Whether the number of bodies is consistent: added minus removed by the boundary, sinks or quarantine. If not, the
    run's message says so. */
static bool books_add_up(scree_run *run)
{
    scree_totals totals = scree_world_totals(run->world);
    scree_scene_tally tally = scree_scene_count(run->scene);

    if (totals.bodies == totals.added - totals.removed &&
        totals.removed == totals.destroyed + tally.sunk + tally.quarantined + tally.removed)
        return true;
    snprintf(run->message, sizeof run->message,
             "the body count is wrong at step %" PRIu64 ": %" PRIu64 " are there, %" PRIu64
             " were added and %" PRIu64 " removed, %" PRIu64 " of them by the boundary, %" PRIu64
             " by sinks, %" PRIu64 " by quarantine and %" PRIu64 " by stages",
             scree_world_clock(run->world).steps, totals.bodies, totals.added, totals.removed,
             totals.destroyed, tally.sunk, tally.quarantined, tally.removed);
    return false;
}

/*  Quantities that need a loop over all bodies are computed only when they are shown, and not so often that they
    take more than 1 % of the time. */
static void show(scree_run *run, bool always)
{
    scree_progress_report now = look(run);

    scree_progress_note(&run->progress, &now);
    if (!always && !scree_progress_is_due(&run->progress, now.wall))
        return;
    scree_energy energy = scree_world_energy(run->world);
    now.contacts = scree_world_detection_stats(run->world).contacts;
    now.kinetic = energy.kinetic + energy.rotational;
    now.potential = energy.potential;
    scree_progress_show(&run->progress, &now);
    double least = 100 * (scree_run_wall(run) - now.wall);
    run->progress.gap = run->progress.gap < least ? least : run->progress.gap;
}

/* ---- main loop ---- */

/*  Why the run should stop before its end; the state stays RUNNING if there is no reason. */
static int look_for_stop(scree_run *run)
{
    const scree_run_options *options = run->options;

    run->signal = scree_signals_caught();
    if (run->signal) {
        run->state = SCREE_RUN_STOPPED;
        return 128 + run->signal;
    }
    /* allow for the time of the last checkpoint */
    if (options->wall_limit > 0 &&
        scree_run_wall(run) + 2 * run->checkpoint_seconds >= options->wall_limit) {
        run->state = SCREE_RUN_STOPPED;
        return SCREE_EXIT_TIME;
    }
    if (!scree_run_disk_suffices(run)) {
        run->state = SCREE_RUN_STOPPED;
        return SCREE_EXIT_SYSTEM;
    }
    if (run->checkpoint_failures >= MAX_CHECKPOINT_FAILURES) {
        run->state = SCREE_RUN_FAILED;
        snprintf(run->message, sizeof run->message,
                 "no checkpoint could be written %d times: the run stops", MAX_CHECKPOINT_FAILURES);
        return SCREE_EXIT_SYSTEM;
    }
    return SCREE_EXIT_OK;
}

static int refuse(scree_run *run, scree_status status, const char *text)
{
    run->state = SCREE_RUN_FAILED;
    run->is_unstable = status == SCREE_UNSTABLE;
    snprintf(run->message, sizeof run->message, "%s", text[0] ? text : scree_status_name(status));
    return status == SCREE_OUT_OF_MEMORY ? SCREE_EXIT_MEMORY
           : status == SCREE_IO_ERROR    ? SCREE_EXIT_SYSTEM
                                         : SCREE_EXIT_REFUSED;
}

/*  Runs until the end, or until something stops it. */
static int march(scree_run *run)
{
    uint64_t portion = 1;
    scree_error error = {SCREE_OK, ""};

    for (;;) {
        bool is_end = has_ended(run);
        if (!books_add_up(run)) {
            run->state = SCREE_RUN_FAILED;
            return SCREE_EXIT_CHECK;
        }
        do_what_is_due(run, is_end);
        show(run, false);
        if (is_end) {
            run->state = SCREE_RUN_FINISHED;
            return SCREE_EXIT_OK;
        }
        int code = look_for_stop(run);
        if (run->state != SCREE_RUN_RUNNING)
            return code;
        /* a stage may change the time step, which changes the number of steps until the next output */
        bool begins_stage = scree_run_stages_begin(run);
        uint64_t free_steps = begins_stage ? 1 : room(run);
        uint64_t steps = portion < free_steps ? portion : free_steps;
        uint64_t before = scree_world_clock(run->world).steps;
        double began = scree_clock_seconds();
        scree_status status = advance(run, steps, &error);
        double took = scree_clock_seconds() - began;
        scree_run_detection_time(run, scree_world_clock(run->world).steps - before, took);
        scree_run_breaks_note(run);
        if (status)
            return refuse(run, status, error.text);
        if (steps == portion && took < PORTION_SECONDS / 2 && portion < MAX_PORTION)
            portion *= 2;
        else if (took > PORTION_SECONDS && portion > 1)
            portion /= 2;
    }
}

/* ---- end of a run ---- */

static void say_frames(scree_run *run)
{
    uint64_t missed = 0;

    for (size_t k = 0; k < run->series_count; k++)
        missed += run->series[k].missed;
    if (missed)
        scree_notes_say(&run->notes, "%" PRIu64 " frames are missing: they could not be written",
                        missed);
}

static void say_quarantine(scree_run *run)
{
    scree_scene_tally tally = scree_scene_count(run->scene);

    if (tally.quarantined)
        scree_notes_say(&run->notes,
                        "%" PRIu64
                        " bodies (%.6g kg) were removed because their values were not finite",
                        tally.quarantined, tally.quarantined_mass);
}

/*  Reports each source that has made fewer bodies than the scene or its rate requires: how many, of how many, and
    why. */
static void say_sources(scree_run *run)
{
    for (size_t i = 0; i < run->plan->source_count; i++) {
        const scree_scene_source *source = &run->plan->sources[i];
        scree_scene_yield yield = scree_scene_yield_of(run->scene, i);
        uint64_t due = yield.made + yield.waiting;
        uint64_t all = source->count > due ? source->count : due;
        if (!source->is_pour || yield.made >= all)
            continue;
        scree_notes_say(&run->notes,
                        "pour \"%s\" made %" PRIu64 " bodies (%.6g kg) of %" PRIu64 ": %" PRIu64
                        " found no room%s",
                        source->name, yield.made, yield.mass, all, yield.waiting,
                        all > due ? ", the others were not due by then" : "");
    }
}

static void say_how_to_go_on(scree_run *run)
{
    if (run->has_checkpoint)
        scree_notes_say(&run->notes, "to continue from step %" PRIu64 ": scree run --resume %s",
                        run->checkpoint_step, run->folder.path);
}

/*  Whether --steps, of this call or an earlier one, ended the run before the scene would have. */
static bool is_cut_short(const scree_run *run)
{
    const scree_scene_plan *plan = run->plan;
    scree_clock clock = scree_world_clock(run->world);

    if (!run->set_steps || scree_scene_is_over(run->scene))
        return false;
    return plan->end_steps
               ? clock.steps < plan->end_steps
               : plan->ends_by_stages ||
                     (plan->end_time > 0 && !scree_schedule_has_come(plan->end_time, clock));
}

static void say_end(scree_run *run, uint64_t digest)
{
    scree_clock clock = scree_world_clock(run->world);
    scree_totals totals = scree_world_totals(run->world);
    char took[32];

    scree_notes_say(&run->notes,
                    "finished: %" PRIu64 " steps, %.6g s, %" PRIu64 " bodies (%" PRIu64
                    " added, %" PRIu64 " removed), in %s",
                    clock.steps, clock.time, totals.bodies, totals.added, totals.removed,
                    scree_duration_text(run->wall_before + scree_run_wall(run), took));
    scree_notes_say(&run->notes, "digest %016" PRIx64, digest);
    if (is_cut_short(run))
        scree_notes_say(&run->notes,
                        "--steps ended it before the scene does; to go on to the scene's end: "
                        "scree run --resume %s --steps all",
                        run->folder.path);
    scree_notes_say(&run->notes, "look in %s", run->folder.path);
}

/*  Saves the state and reports the result. Returns the exit code, which a full disk does not change. */
static int end(scree_run *run, int code, uint64_t *digest)
{
    scree_clock clock = scree_world_clock(run->world);
    bool is_saved = run->has_checkpoint && run->checkpoint_step == clock.steps;

    /* a stage that began only in part cannot be continued: the checkpoint before it can */
    if (!is_saved && run->checkpoint_failures < MAX_CHECKPOINT_FAILURES &&
        scree_scene_is_whole(run->scene) && !scree_run_ranks_have_lost_world(run))
        is_saved = scree_run_checkpoint(run);
    if (!scree_lines_flush(&run->metrics, true)) {
        scree_notes_warn(&run->notes, SCREE_NOTE_METRICS, "%s: the last rows are lost",
                         run->metrics.path);
        is_saved = false;
    }
    if (!scree_run_breaks_flush(run, true))
        is_saved = false;
    (void)scree_run_detection_flush(run, true);
    show(run, true);
    scree_progress_clear(&run->progress);
    *digest = scree_world_digest(run->world);
    if (run->state == SCREE_RUN_FINISHED && !is_saved) {
        run->state = SCREE_RUN_FAILED;
        snprintf(run->message, sizeof run->message, "the last state could not be saved");
    }
    /* try twice: without this record nothing says that the run has ended */
    bool is_recorded = scree_run_record(run, *digest) || scree_run_record(run, *digest);
    say_frames(run);
    scree_run_stages_say(run);
    say_quarantine(run);
    if (run->state != SCREE_RUN_STOPPED)
        say_sources(run);
    scree_run_detection_say(run);
    scree_run_ranks_say(run);
    if (run->message[0])
        scree_notes_error(&run->notes, "%s", run->message);
    if (run->is_unstable)
        scree_run_say_remedies(run);
    if (run->state == SCREE_RUN_FINISHED)
        say_end(run, *digest);
    else if (run->state == SCREE_RUN_STOPPED)
        scree_notes_say(&run->notes, "stopped at step %" PRIu64 ", %.6g s, %s", clock.steps,
                        clock.time,
                        run->signal       ? "on request"
                        : run->message[0] ? "before it fills the disk"
                                          : "at the limit of --wall-limit");
    if (run->state != SCREE_RUN_FINISHED)
        say_how_to_go_on(run);
    bool is_asked = code == SCREE_EXIT_OK || run->state == SCREE_RUN_STOPPED;
    return is_asked && (!is_saved || !is_recorded) ? SCREE_EXIT_SYSTEM : code;
}

int scree_run_go(const scree_run_options *options, uint64_t *digest)
{
    scree_run run;

    memset(&run, 0, sizeof run);
    /* the program ends on a signal while it opens a run; a host would notice it only after the run */
    if (options->has_host)
        scree_signals_begin_hosted();
    int code = scree_run_open(&run, options);
    if (code == SCREE_EXIT_OK) {
        if (!options->has_host)
            scree_signals_begin();
        code = march(&run);
        code = end(&run, code, digest);
        if (!options->has_host)
            scree_signals_end();
    }
    if (options->has_host)
        scree_signals_end();
    scree_run_close(&run);
    return code;
}
