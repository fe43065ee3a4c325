/*  Writes exports and pictures at their intervals. If a frame cannot be written, the run prints a warning and skips
    it. After repeated failures a series retries less and less often. */
#include "app/convert/export_vtkhdf.h"
#include "app/run/run.h"
#include "common/film_format.h"
#include "common/machine.h"
#include "common/options.h"

#include "scree/io.h"
#include "scree/picture.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAX_WAIT 64

typedef struct kind_row
{
    uint32_t write; /* of the plan's outputs */
    const char *folder, *name;
    scree_export_format format;
    bool has_series; /* a .pvd collection */
} kind_row;

static const kind_row kinds[] = {
    [SCREE_KIND_BODIES] = {SCREE_WRITE_VTP_BODIES, "frames", "bodies", SCREE_EXPORT_VTP_BODIES,
                           true},
    [SCREE_KIND_WALLS] = {SCREE_WRITE_VTP_WALLS, "frames", "walls", SCREE_EXPORT_VTP_WALLS, true},
    [SCREE_KIND_CONTACTS] = {SCREE_WRITE_VTP_CONTACTS, "frames", "contacts",
                             SCREE_EXPORT_VTP_CONTACTS, true},
    [SCREE_KIND_LAMMPS] = {SCREE_WRITE_LAMMPS, "frames", "bodies", SCREE_EXPORT_LAMMPS, false},
    [SCREE_KIND_CSV] = {SCREE_WRITE_CSV, "frames", "bodies", SCREE_EXPORT_CSV, false},
    [SCREE_KIND_STL] = {SCREE_WRITE_STL, "frames", "walls", SCREE_EXPORT_STL, false},
    [SCREE_KIND_SOLIDS] = {SCREE_WRITE_VTP_SOLIDS, "frames", "solids", SCREE_EXPORT_VTP_SOLIDS,
                           true},
    [SCREE_KIND_STL_SOLIDS] = {SCREE_WRITE_STL_SOLIDS, "frames", "solids", SCREE_EXPORT_STL_SOLIDS,
                               false},
    [SCREE_KIND_PEBBLES] = {SCREE_WRITE_VTP_PEBBLES, "frames", "pebbles", SCREE_EXPORT_VTP_PEBBLES,
                            true},
    [SCREE_KIND_VTKHDF] = {SCREE_WRITE_VTKHDF, "frames", "bodies", SCREE_EXPORT_VTP_BODIES, false},
    [SCREE_KIND_PICTURE] = {0, "pictures", "picture", SCREE_EXPORT_FORMATS, false},
    [SCREE_KIND_FIELDS] = {0, "frames", "fields", SCREE_EXPORT_FORMATS, true},
    [SCREE_KIND_FILM] = {0, "film", "frame", SCREE_EXPORT_FORMATS, false},
};

/* ---- series ---- */

static bool add_series(scree_run *run, scree_run_kind kind, size_t output, scree_scene_every every,
                       bool is_at_start)
{
    scree_run_series *grown = realloc(run->series, (run->series_count + 1) * sizeof *run->series);
    if (!grown)
        return false;
    run->series = grown;
    scree_run_series *series = &grown[run->series_count++];
    *series = (scree_run_series){.kind = kind, .output = output};
    series->is_last_alone = !every.steps && !(every.time > 0);
    series->schedule =
        scree_schedule_begin(every.steps, every.time, scree_world_clock(run->world), is_at_start);
    return true;
}

/*  Fields may have sampling intervals of their own. */
static bool add_fields(scree_run *run, size_t index, bool is_at_start)
{
    const scree_scene_fields *grid = &run->plan->fields[index];

    if (!add_series(run, SCREE_KIND_FIELDS, index, grid->every, is_at_start))
        return false;
    run->series[run->series_count - 1].sample = scree_schedule_begin(
        grid->sample.steps, grid->sample.time, scree_world_clock(run->world), is_at_start);
    return true;
}

/*  ParaView's collections are for its own files only. */
static bool is_collected(const scree_run *run, const scree_run_series *series)
{
    return kinds[series->kind].has_series &&
           (series->kind != SCREE_KIND_FIELDS ||
            run->plan->fields[series->output].format == SCREE_FIELDS_VTI);
}

static bool lacks_hdf5(const scree_scene_output *output)
{
#ifdef SCREE_HDF5
    (void)output;
    return false;
#else
    return (output->write & SCREE_WRITE_VTKHDF) != 0;
#endif
}

/*  Without walls there are no files of walls; the same for bodies of triangles and for pebbles. */
static bool has_any(const scree_scene_plan *plan, int kind)
{
    if (kind == SCREE_KIND_WALLS)
        return plan->wall_count > 0;
    if (kind == SCREE_KIND_PEBBLES)
        return plan->has_clumps;
    return plan->has_stones || (kind != SCREE_KIND_SOLIDS && kind != SCREE_KIND_STL_SOLIDS);
}

/*  The film is the last series, so that the numbers of the others do not depend on it. It exists even if no frame is
    due, so that checkpoints always have its record. */
static bool add_film(scree_run *run, bool is_at_start)
{
    if (!add_series(run, SCREE_KIND_FILM, 0, scree_run_film_every(run), is_at_start))
        return false;
    run->series[run->series_count - 1].is_last_alone = false;
    return true;
}

int scree_run_outputs_open(scree_run *run)
{
    const scree_scene_plan *plan = run->plan;
    /* a checkpoint at the start was written after the frames at the start */
    bool is_at_start = !run->has_checkpoint, good = true;

    for (size_t k = 0; k < plan->output_count && good; k++) {
        const scree_scene_output *output = &plan->outputs[k];
        if (lacks_hdf5(output)) {
            scree_notes_error(
                &run->notes,
                "line %d: output: write: this scree was built without HDF5 "
                "(libhdf5-dev) and cannot write \"vtkhdf\"; \"vtk\" is read by the same "
                "programs",
                output->line);
            return SCREE_EXIT_INPUT;
        }
        for (int kind = SCREE_KIND_BODIES; kind < SCREE_KIND_PICTURE && good; kind++) {
            bool wanted = (output->write & kinds[kind].write) != 0;
            if (wanted && has_any(plan, kind))
                good = add_series(run, (scree_run_kind)kind, k, output->every, is_at_start);
        }
    }
    for (size_t k = 0; k < plan->picture_count && good; k++)
        good = add_series(run, SCREE_KIND_PICTURE, k, plan->pictures[k].every, is_at_start);
    for (size_t k = 0; k < plan->fields_count && good; k++)
        good = add_fields(run, k, is_at_start);
    if (good)
        good = add_film(run, is_at_start);
    if (!good)
        scree_notes_error(&run->notes, "out of memory");
    return good ? SCREE_EXIT_OK : SCREE_EXIT_MEMORY;
}

bool scree_run_series_add(scree_run_series *series, uint64_t number, double time)
{
    if (series->frame_count == series->frame_capacity) {
        size_t wanted = series->frame_capacity ? series->frame_capacity * 2 : 64;
        struct scree_run_frame *grown = realloc(series->frame, wanted * sizeof *grown);
        if (!grown)
            return false;
        series->frame = grown;
        series->frame_capacity = wanted;
    }
    series->frame[series->frame_count++] = (struct scree_run_frame){number, time};
    return true;
}

void scree_run_outputs_close(scree_run *run)
{
    for (size_t k = 0; k < run->series_count; k++)
        free(run->series[k].frame);
    free(run->series);
    run->series = NULL;
    run->series_count = 0;
}

/* ---- names ---- */

const char *scree_run_series_name(const scree_run_series *series)
{
    if (series->kind == SCREE_KIND_PICTURE)
        return "pictures";
    if (series->kind == SCREE_KIND_FIELDS)
        return "fields";
    if (series->kind == SCREE_KIND_FILM)
        return "film";
    return series->kind == SCREE_KIND_VTKHDF ? "vtkhdf"
                                             : scree_export_format_name(kinds[series->kind].format);
}

static const char *suffix_of(const scree_run *run, const scree_run_series *series)
{
    if (series->kind == SCREE_KIND_PICTURE)
        return ".png";
    if (series->kind == SCREE_KIND_FILM)
        return SCREE_FILM_SUFFIX;
    if (series->kind == SCREE_KIND_FIELDS)
        return is_collected(run, series) ? ".vti" : ".csv";
    if (series->kind == SCREE_KIND_VTKHDF)
        return ".vtkhdf";
    return scree_export_suffix(kinds[series->kind].format);
}

/*  "bodies", and "bodies2" for the scene's second output. */
static void base_name(const scree_run_series *series, char name[32])
{
    const char *base = kinds[series->kind].name;

    if (series->output == 0)
        snprintf(name, 32, "%s", base);
    else
        snprintf(name, 32, "%s%zu", base, series->output + 1);
}

static char *frame_path(const scree_run *run, const scree_run_series *series, uint64_t number)
{
    char name[32];

    base_name(series, name);
    if (series->is_last_alone)
        return scree_folder_path(&run->folder, "%s/%s%s", kinds[series->kind].folder, name,
                                 suffix_of(run, series));
    return scree_folder_path(&run->folder, "%s/%s-%06" PRIu64 "%s", kinds[series->kind].folder,
                             name, number, suffix_of(run, series));
}

/* ---- writing ---- */

static scree_status write_export(scree_run *run, const scree_run_series *series, const char *path,
                                 scree_error *error)
{
    const scree_scene_output *output = &run->plan->outputs[series->output];
    scree_export_format format = kinds[series->kind].format;
    scree_export_def options = scree_default_export_def();
    bool is_of_bodies = strcmp(kinds[series->kind].name, "bodies") == 0;

    if (is_of_bodies && output->fields) {
        options.fields = output->fields;
        options.field_count = output->field_count;
    }
    if (series->kind == SCREE_KIND_VTKHDF)
        return scree_export_vtkhdf(run->world, path, &options, error);
    return scree_export(run->world, format, path, &options, error);
}

static scree_status write_picture(scree_run *run, const scree_scene_picture *picture,
                                  const char *path, scree_error *error)
{
    scree_picture_def def = picture->def;

    def.thread_count = run->threads;
    if (run->pool)
        def.tasks = scree_pool_tasks(run->pool);
    return scree_picture_png(run->world, &def, path, error);
}

scree_status scree_run_write_frame(scree_run *run, const scree_run_series *series, const char *path,
                                   scree_error *error)
{
    switch (series->kind) {
    case SCREE_KIND_PICTURE:
        return write_picture(run, &run->plan->pictures[series->output], path, error);
    case SCREE_KIND_FIELDS:
        return scree_scene_write_fields(run->scene, run->world, series->output, path, error);
    case SCREE_KIND_FILM:
        return scree_run_write_film(run, path, error);
    default:
        return write_export(run, series, path, error);
    }
}

/*  While a series waits after failures, its frames are skipped. */
static void write_series(scree_run *run, scree_run_series *series, uint64_t number, double time)
{
    char *path;
    scree_error error = {SCREE_OUT_OF_MEMORY, "out of memory"};
    bool is_picture = series->kind == SCREE_KIND_PICTURE;

    if (series->wait > 0) {
        series->wait--;
        series->missed++;
        return;
    }
    path = frame_path(run, series, number);
    scree_status status =
        path ? scree_run_write_frame(run, series, path, &error) : SCREE_OUT_OF_MEMORY;
    if (!status && series->failures) {
        scree_notes_say(&run->notes, "frames are written again: %s", path);
        series->failures = 0;
    }
    if (!status && is_collected(run, series) && !scree_run_series_add(series, number, time))
        status = SCREE_OUT_OF_MEMORY;
    if (!status)
        series->frame_bytes = scree_machine_file_bytes(path);
    else {
        series->missed++;
        series->wait = series->failures < 6 ? 1u << series->failures : MAX_WAIT;
        series->failures++;
        scree_notes_warn(&run->notes, is_picture ? SCREE_NOTE_PICTURE : SCREE_NOTE_OUTPUT,
                         "%s; this frame is skipped, and so are the next %" PRIu32, error.text,
                         series->wait);
    }
    free(path);
}

void scree_run_outputs_look(scree_run *run)
{
    for (size_t k = 0; k < run->series_count; k++) {
        const scree_run_series *series = &run->series[k];
        char base[32];
        size_t missing = 0;
        base_name(series, base);
        for (size_t i = 0; i < series->frame_count; i++) {
            char *path = frame_path(run, series, series->frame[i].number);
            missing += path && access(path, F_OK) != 0;
            free(path);
        }
        if (missing)
            scree_notes_warn(&run->notes, SCREE_NOTE_SERIES,
                             "%s: %zu of the %zu frames that were written are missing", base,
                             missing, series->frame_count);
    }
}

/*  The collection of a series: names are relative to its folder. */
static scree_status list_series(scree_run *run, const scree_run_series *series, scree_error *error)
{
    size_t count = series->frame_count;
    char base[32], (*names)[64] = malloc(count * sizeof *names);
    const char **files = malloc(count * sizeof *files);
    double *times = malloc(count * sizeof *times);
    scree_status status = SCREE_OUT_OF_MEMORY;

    base_name(series, base);
    char *path = scree_folder_path(&run->folder, "frames/%s.pvd", base);
    if (names && files && times && path) {
        for (size_t k = 0; k < count; k++) {
            snprintf(names[k], sizeof names[k], "%s-%06" PRIu64 "%s", base, series->frame[k].number,
                     suffix_of(run, series));
            files[k] = names[k];
            times[k] = series->frame[k].time;
        }
        status = scree_export_series(path, files, times, count, error);
    }
    free(path);
    free(names);
    free((void *)files);
    free(times);
    return status;
}

/*  A long collection is not rewritten for each frame: the cost would be quadratic in their number. */
static void list_some(scree_run *run, bool all)
{
    for (size_t k = 0; k < run->series_count; k++) {
        scree_run_series *series = &run->series[k];
        size_t fresh = series->frame_count - series->listed;
        if (fresh == 0 || (!all && fresh < series->frame_count / 100))
            continue;
        scree_error error = {SCREE_OUT_OF_MEMORY, "out of memory"};
        if (list_series(run, series, &error))
            scree_notes_warn(&run->notes, SCREE_NOTE_SERIES, "%s", error.text);
        else
            series->listed = series->frame_count;
    }
}

void scree_run_outputs_list(scree_run *run)
{
    list_some(run, true);
}

void scree_run_outputs_write(scree_run *run, bool is_end)
{
    scree_clock clock = scree_world_clock(run->world);
    uint64_t number;

    for (size_t k = 0; k < run->series_count; k++) {
        scree_run_series *series = &run->series[k];
        if (is_end && series->is_last_alone) {
            write_series(run, series, 0, clock.time);
            continue;
        }
        if (!scree_schedule_is_due(&series->schedule, clock, &number))
            continue;
        scree_schedule_pass(&series->schedule, clock);
        write_series(run, series, number, clock.time);
        /* also after a failure: each mean covers its own interval */
        if (series->kind == SCREE_KIND_FIELDS)
            scree_scene_restart_fields(run->scene, series->output);
    }
    list_some(run, false);
}

void scree_run_outputs_sample(scree_run *run)
{
    scree_clock clock = scree_world_clock(run->world);
    uint64_t number;

    for (size_t k = 0; k < run->series_count; k++) {
        scree_run_series *series = &run->series[k];
        scree_error error = {SCREE_OK, ""};
        if (!scree_schedule_is_due(&series->sample, clock, &number))
            continue;
        scree_schedule_pass(&series->sample, clock);
        if (scree_scene_sample_fields(run->scene, run->world, series->output, &error))
            scree_notes_warn(&run->notes, SCREE_NOTE_OUTPUT, "a sample of fields is missing: %s",
                             error.text);
    }
}
