/*  metrics.csv: a row at each interval, with values that follow from the state alone. So a run that was killed and
    continued ends with exactly the same file as an uninterrupted one. */
#include "app/run/run.h"

#include "base/decimal.h"
#include "base/error.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *real_text(double value, char text[SCREE_REAL_TEXT])
{
    scree_real_to_text(value, text);
    return text;
}

/*  A line of all columns, to be freed; NULL without memory. Names, or values: `standard` and the scene's. */
static char *make_line(const scree_run *run, const double *standard)
{
    size_t bytes = 0, count = scree_scene_standard_count(run->scene);
    char *line = NULL, text[SCREE_REAL_TEXT];
    FILE *out = open_memstream(&line, &bytes);

    if (!out)
        return NULL;
    for (size_t k = 0; k < count; k++)
        fprintf(out, "%s%s", k ? "," : "",
                standard ? real_text(standard[k], text) : scree_scene_standard_name(run->scene, k));
    for (size_t k = 0; k < scree_scene_column_count(run->scene); k++)
        fprintf(out, ",%s",
                standard ? real_text(run->measured[k], text)
                         : scree_scene_column_name(run->scene, k));
    if (fclose(out) != 0) {
        free(line);
        return NULL;
    }
    return line;
}

bool scree_run_metrics_open(scree_run *run, bool is_resumed)
{
    scree_clock clock = scree_world_clock(run->world);
    scree_scene_every every = run->plan->metrics;
    char *path = scree_folder_path(&run->folder, "metrics.csv"), *header = make_line(run, NULL);
    bool good = path && header && scree_lines_open(&run->metrics, path);

    good = good && scree_lines_begin_rows(&run->metrics, header, is_resumed, clock.steps,
                                          &run->metrics_mark);
    if (!good)
        scree_notes_error(&run->notes, "%s: cannot write: %s", path ? path : "metrics.csv",
                          strerror(errno));
    free(path);
    free(header);

    /* default: a hundred rows */
    if (!every.steps && !(every.time > 0) && run->end_steps)
        every.steps = run->end_steps < 100 ? 1 : run->end_steps / 100;
    else if (!every.steps && !(every.time > 0))
        every.time = run->end_time / 100;
    run->metrics_due = scree_schedule_begin(every.steps, every.time, clock, !is_resumed);
    run->sample_due =
        scree_schedule_begin(run->plan->sample.steps, run->plan->sample.time, clock, !is_resumed);
    return good;
}

scree_status scree_run_metrics_row(scree_run *run, char **line, scree_error *error)
{
    double standard[SCREE_SCENE_MAX_STANDARD];
    scree_status status;

    *line = NULL;
    if (!run->measured)
        run->measured = calloc(scree_scene_column_count(run->scene) + 1, sizeof *run->measured);
    if (!run->measured)
        return scree_fail(error, SCREE_OUT_OF_MEMORY, "out of memory");
    scree_scene_standard(run->scene, run->world, standard);
    status = scree_scene_measure(run->scene, run->world, run->measured, error);
    if (status)
        return status;
    *line = make_line(run, standard);
    return *line ? SCREE_OK : scree_fail(error, SCREE_OUT_OF_MEMORY, "out of memory");
}

static void write_row(scree_run *run)
{
    scree_error error = {SCREE_OK, ""};
    char *line;

    if (scree_run_metrics_row(run, &line, &error) || !line) {
        scree_notes_warn(&run->notes, SCREE_NOTE_METRICS, "a row of metrics is missing: %s",
                         error.text);
        return;
    }
    run->row_bytes = (double)strlen(line) + 1;
    scree_lines_put(&run->metrics, line);
    free(line);
    scree_run_detection_write(run);
}

static void take_sample(scree_run *run, scree_clock clock)
{
    scree_error error = {SCREE_OK, ""};
    uint64_t number;

    if (!scree_schedule_is_due(&run->sample_due, clock, &number))
        return;
    scree_schedule_pass(&run->sample_due, clock);
    if (scree_scene_sample(run->scene, run->world, &error))
        scree_notes_warn(&run->notes, SCREE_NOTE_METRICS, "a sample of metrics is missing: %s",
                         error.text);
}

void scree_run_metrics_write(scree_run *run)
{
    scree_clock clock = scree_world_clock(run->world);
    uint64_t number, dropped = run->metrics.dropped;

    take_sample(run, clock);
    if (!scree_schedule_is_due(&run->metrics_due, clock, &number) && !run->stage_row)
        return;
    run->stage_row = false;
    scree_schedule_pass(&run->metrics_due, clock);
    write_row(run);
    if (!scree_lines_flush(&run->metrics, true))
        scree_notes_warn(&run->notes, SCREE_NOTE_METRICS,
                         "%s: cannot write: %s; rows wait in memory", run->metrics.path,
                         strerror(errno));
    if (run->metrics.dropped > dropped)
        scree_notes_warn(&run->notes, SCREE_NOTE_METRICS, "%s: a row is lost: too many are waiting",
                         run->metrics.path);
}
