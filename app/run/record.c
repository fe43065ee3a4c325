/*  run.json: composed in memory, then written as a whole. The record of an earlier call of the same run is read line
    by line: only this file writes it, with each value on a line of its own. */
#include "app/run/run.h"
#include "common/json.h"
#include "common/machine.h"

#include "io/write_file.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>

static const char *const state_names[] = {"running", "finished", "stopped", "failed"};

static void put_machine(scree_json *json, const scree_run *run)
{
    char processor[128];
    struct utsname system;

    scree_machine_processor(processor);
    scree_json_object(json, "machine");
    scree_json_text(json, "processor", processor);
    scree_json_count(json, "cores", scree_machine_cores());
    scree_json_text(json, "simd",
                    scree_simd_name(scree_simd_resolve(run->plan->world.compute.simd)));
    if (uname(&system) == 0) {
        scree_json_text(json, "system", system.sysname);
        scree_json_text(json, "release", system.release);
        scree_json_text(json, "architecture", system.machine);
    }
    scree_json_end(json);
}

static void put_settings(scree_json *json, const scree_scene_plan *plan)
{
    scree_json_list(json, "parameters");
    for (size_t k = 0; k < plan->parameter_count; k++) {
        const scree_scene_parameter *p = &plan->parameters[k];
        scree_json_object(json, NULL);
        scree_json_text(json, "name", p->name);
        scree_json_text(json, "value", p->value);
        scree_json_text(json, "unit", p->unit);
        scree_json_flag(json, "set", p->is_set);
        scree_json_end(json);
    }
    scree_json_end(json);
}

static void put_columns(scree_json *json, const scree_scene *scene)
{
    scree_json_list(json, "columns");
    for (size_t k = 0; k < scree_scene_column_count(scene); k++) {
        scree_json_object(json, NULL);
        scree_json_text(json, "name", scree_scene_column_name(scene, k));
        scree_json_text(json, "unit", scree_scene_column_unit(scene, k));
        scree_json_end(json);
    }
    scree_json_end(json);
}

static void put_state(scree_json *json, scree_run *run, uint64_t digest)
{
    scree_clock clock = scree_world_clock(run->world);
    scree_totals totals = scree_world_totals(run->world);
    scree_scene_tally tally = scree_scene_count(run->scene);
    char text[32];

    scree_json_text(json, "state", state_names[run->state]);
    scree_json_count(json, "step", clock.steps);
    scree_json_real(json, "time", clock.time);
    if (run->end_steps)
        scree_json_count(json, "end_step", run->end_steps);
    else
        scree_json_real(json, "end_time", run->end_time);
    scree_json_count(json, "bodies", totals.bodies);
    scree_json_count(json, "added", totals.added);
    scree_json_count(json, "removed", totals.removed);
    scree_json_count(json, "destroyed", totals.destroyed);
    if (run->plan->quarantines) {
        scree_json_count(json, "quarantined", tally.quarantined);
        scree_json_real(json, "quarantined_mass", tally.quarantined_mass);
    }
    scree_json_count(json, "bytes", totals.bytes);
    if (run->has_checkpoint)
        scree_json_count(json, "checkpoint_step", run->checkpoint_step);
    if (run->state != SCREE_RUN_RUNNING) {
        snprintf(text, sizeof text, "%016" PRIx64, digest);
        scree_json_text(json, "digest", text);
    }
    if (run->signal)
        scree_json_count(json, "signal", (uint64_t)run->signal);
    if (run->message[0])
        scree_json_text(json, "message", run->message);
}

static void put_warnings(scree_json *json, const scree_run *run)
{
    uint64_t missed = 0;

    for (size_t k = 0; k < run->series_count; k++)
        missed += run->series[k].missed;
    scree_json_count(json, "frames_missed", missed);
    scree_json_object(json, "warnings");
    for (int kind = 0; kind < SCREE_NOTE_KINDS; kind++)
        if (run->notes.count[kind] && scree_notes_kind_name(kind))
            scree_json_count(json, scree_notes_kind_name(kind), run->notes.count[kind]);
    scree_json_end(json);
}

static void put_record(FILE *out, scree_run *run, uint64_t digest)
{
    scree_json json = scree_json_begin(out, false);
    const scree_scene_plan *plan = run->plan;
    char text[32];
    time_t now = time(NULL);
    struct tm day;

    scree_json_text(&json, "scree", SCREE_VERSION_TEXT);
    put_state(&json, run, digest);
    scree_json_text(&json, "title", plan->title);
    scree_json_text(&json, "started", run->started);
    if (gmtime_r(&now, &day) && strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &day))
        scree_json_text(&json, "written", text);
    scree_json_real(&json, "wall_seconds", run->wall_before + scree_run_wall(run));
    scree_json_real(&json, "writing_seconds", run->writing_seconds);
    /* of this process: `scree check` predicts it */
    scree_json_real(&json, "processor_seconds", (double)clock() / CLOCKS_PER_SEC);
    if (scree_machine_peak_bytes() > 0)
        scree_json_count(&json, "peak_bytes", (uint64_t)scree_machine_peak_bytes());
    scree_json_count(&json, "resumed", run->resumed);
    scree_json_count(&json, "seed", plan->seed);
    scree_json_text(&json, "method", plan->world.detection.method);
    scree_json_count(&json, "threads", run->threads);
    scree_run_detection_record(run, &json);
    scree_run_record_changes(run, &json);
    put_settings(&json, plan);
    put_columns(&json, run->scene);
    scree_run_stages_record(run, &json);
    put_machine(&json, run);
    scree_json_text(&json, "compiler", __VERSION__);
    put_warnings(&json, run);
    scree_json_finish(&json);
}

bool scree_run_record(scree_run *run, uint64_t digest)
{
    char *text = NULL, *path = scree_folder_path(&run->folder, "run.json");
    size_t bytes = 0;
    scree_error error = {SCREE_OUT_OF_MEMORY, "run.json: out of memory"};
    scree_file file;
    FILE *out = path ? open_memstream(&text, &bytes) : NULL;
    bool is_whole = false;

    if (out) {
        put_record(out, run, digest);
        is_whole = !ferror(out);
        is_whole = fclose(out) == 0 && is_whole;
    }
    if (is_whole && !scree_file_begin(&file, path, NULL, &error)) {
        scree_file_put(&file, text, bytes);
        is_whole = scree_file_commit(&file) == SCREE_OK;
    } else {
        is_whole = false;
    }
    if (!is_whole)
        scree_notes_warn(&run->notes, SCREE_NOTE_RECORD, "%s", error.text);
    free(text);
    free(path);
    return is_whole;
}

/*  Key and value of a line `    "key": value,` in an object of the record. */
static bool member_of(const char *line, char key[32], char value[32])
{
    return sscanf(line, "    \"%31[a-z_]\": %31[0-9.e+-]", key, value) == 2;
}

/*  The value of a line `  "key": value,`, at most `size` - 1 bytes of it, without quotes. */
static bool value_of(const char *line, const char *key, char *value, size_t size)
{
    char begin[64];
    int length = snprintf(begin, sizeof begin, "  \"%s\": ", key);

    if (strncmp(line, begin, (size_t)length) != 0)
        return false;
    line += length + (line[length] == '"');
    snprintf(value, size, "%.*s", (int)strcspn(line, "\",\n"), line);
    return true;
}

void scree_run_record_read(scree_run *run)
{
    char line[1024], key[32], value[32];
    bool is_ours = false; /* in an object that detection.c has written */
    char *path = scree_folder_path(&run->folder, "run.json");
    FILE *file = path ? fopen(path, "rb") : NULL;

    while (file && fgets(line, sizeof line, file)) {
        if (value_of(line, "started", value, sizeof value))
            memcpy(run->started, value, sizeof value);
        else if (value_of(line, "wall_seconds", value, sizeof value))
            run->wall_before = strtod(value, NULL);
        else if (value_of(line, "end_step", value, sizeof value))
            run->set_steps = strtoull(value, NULL, 10);
        else if (value_of(line, "resumed", value, sizeof value))
            run->resumed = strtoull(value, NULL, 10);
        else if (strncmp(line, "  \"", 3) == 0)
            is_ours = strncmp(line, "  \"detection\"", 13) == 0 ||
                      strncmp(line, "  \"seconds\"", 11) == 0;
        else if (is_ours && member_of(line, key, value))
            scree_run_detection_recall(run, key, value);
    }
    if (file)
        fclose(file);
    free(path);
}
