/*  Checkpoints of a run: the world, its scene, the course, and what the run has written. Old ones are removed only
    after a newer one is safely on disk. */
#include "app/run/ranks.h"
#include "app/run/run.h"

#include "base/decimal.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NAME_BEGIN "checkpoint-"
#define NAME_END ".scree"

char *scree_run_checkpoint_path(const scree_run *run, uint64_t step)
{
    return scree_folder_path(&run->folder, "checkpoints/" NAME_BEGIN "%012" PRIu64 NAME_END, step);
}

static bool step_of(const char *name, uint64_t *step)
{
    size_t begin = strlen(NAME_BEGIN), digits;

    if (strncmp(name, NAME_BEGIN, begin) != 0)
        return false;
    digits = strspn(name + begin, "0123456789");
    return strcmp(name + begin + digits, NAME_END) == 0 &&
           scree_text_to_whole(name + begin, digits, UINT64_MAX, step);
}

static int compare_downwards(const void *a, const void *b)
{
    uint64_t first = *(const uint64_t *)a, second = *(const uint64_t *)b;
    return (first < second) - (first > second);
}

bool scree_run_checkpoint_list(const scree_run *run, uint64_t **steps, size_t *count)
{
    char *path = scree_folder_path(&run->folder, "checkpoints");
    DIR *list = path ? opendir(path) : NULL;
    bool good = list != NULL;
    size_t room = 0;
    uint64_t step;

    *steps = NULL;
    *count = 0;
    for (struct dirent *entry; good && (entry = readdir(list));) {
        if (!step_of(entry->d_name, &step))
            continue;
        if (*count == room) {
            uint64_t *grown = realloc(*steps, (room + 16) * sizeof *grown);
            good = grown != NULL;
            *steps = good ? grown : *steps;
            room += 16;
        }
        if (good)
            (*steps)[(*count)++] = step;
    }
    if (list)
        closedir(list);
    free(path);
    if (*count)
        qsort(*steps, *count, sizeof **steps, compare_downwards);
    return good;
}

/* ---- the run's own records ---- */

static void keep_mark(FILE *out, const char *table, const scree_lines *lines)
{
    if (lines->descriptor >= 0)
        fprintf(out, "table %s %" PRIu64 " %" PRIu64 "\n", table, (uint64_t)lines->length,
                lines->sum);
}

char *scree_run_keep(const scree_run *run)
{
    char *text = NULL, time[SCREE_REAL_TEXT];
    size_t bytes = 0;
    FILE *out = open_memstream(&text, &bytes);

    if (!out)
        return NULL;
    fprintf(out, "scree-run 1\nsteps %" PRIu64 "\n", run->set_steps);
    keep_mark(out, "metrics", &run->metrics);
    keep_mark(out, "breaks", &run->breaks);
    for (const char *at = run->changes; at && *at; at += strcspn(at, "\n") + 1)
        fprintf(out, "change %.*s\n", (int)strcspn(at, "\n"), at);
    scree_run_film_keep(run, out);
    for (size_t k = 0; k < run->series_count; k++)
        if (run->series[k].base)
            fprintf(out, "base %zu %" PRIu64 "\n", k, run->series[k].base);
    for (size_t k = 0; k < run->series_count; k++)
        for (size_t i = 0; i < run->series[k].frame_count; i++) {
            scree_real_to_text(run->series[k].frame[i].time, time);
            fprintf(out, "frame %zu %" PRIu64 " %s\n", k, run->series[k].frame[i].number, time);
        }
    if (fclose(out) != 0) {
        free(text);
        return NULL;
    }
    return text;
}

/*  "frame SERIES NUMBER TIME" */
static bool recall_frame(scree_run *run, const char *line, size_t length)
{
    uint64_t word[2];
    double time;

    for (int k = 0; k < 2; k++) {
        const char *blank = memchr(line, ' ', length);
        size_t digits = blank ? (size_t)(blank - line) : 0;
        if (!scree_text_to_whole(line, digits, UINT64_MAX, &word[k]))
            return false;
        line += digits + 1;
        length -= digits + 1;
    }
    return word[0] < run->series_count && scree_text_to_real(line, length, &time) &&
           scree_run_series_add(&run->series[word[0]], word[1], time);
}

/*  "base SERIES NUMBER" */
static bool recall_base(scree_run *run, const char *line, size_t length)
{
    const char *blank = memchr(line, ' ', length);
    size_t digits = blank ? (size_t)(blank - line) : 0;
    uint64_t series, number;

    if (!blank || !scree_text_to_whole(line, digits, UINT64_MAX, &series) ||
        !scree_text_to_whole(blank + 1, length - digits - 1, UINT64_MAX, &number) ||
        series >= run->series_count)
        return false;
    run->series[series].base = number;
    return true;
}

/*  "table NAME LENGTH SUM" */
static bool recall_mark(scree_run *run, const char *line, size_t length)
{
    static const char metrics[] = "metrics ", breaks[] = "breaks ";
    const bool is_metrics =
        length > sizeof metrics && memcmp(line, metrics, sizeof metrics - 1) == 0;
    const bool is_breaks = length > sizeof breaks && memcmp(line, breaks, sizeof breaks - 1) == 0;
    scree_lines_mark *mark = is_metrics ? &run->metrics_mark : &run->breaks_mark;
    const size_t name = is_metrics ? sizeof metrics - 1 : sizeof breaks - 1;

    if (!is_metrics && !is_breaks)
        return false;
    const char *blank = memchr(line + name, ' ', length - name);
    mark->is_known =
        blank &&
        scree_text_to_whole(line + name, (size_t)(blank - line) - name, INT64_MAX, &mark->length) &&
        scree_text_to_whole(blank + 1, length - (size_t)(blank + 1 - line), UINT64_MAX, &mark->sum);
    return mark->is_known;
}

bool scree_run_recall(scree_run *run, const char *text, size_t bytes)
{
    static const char begin[] = "scree-run 1\nsteps ", frame[] = "frame ", table[] = "table ",
                      base[] = "base ", change[] = "change ", film[] = "film ";
    const char *end = text + bytes, *at = text + sizeof begin - 1;

    if (bytes < sizeof begin || memcmp(text, begin, sizeof begin - 1) != 0)
        return false;
    for (bool is_first = true; at < end; is_first = false) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        size_t length = stop ? (size_t)(stop - at) : 0;
        bool good = stop != NULL;
        if (good && is_first)
            good = scree_text_to_whole(at, length, UINT64_MAX, &run->set_steps);
        else if (good && length > sizeof table && memcmp(at, table, sizeof table - 1) == 0)
            good = recall_mark(run, at + sizeof table - 1, length - sizeof table + 1);
        else if (good && length > sizeof change && memcmp(at, change, sizeof change - 1) == 0)
            good = scree_run_add_change(run, at + sizeof change - 1, length - sizeof change + 1);
        else if (good && length > sizeof base && memcmp(at, base, sizeof base - 1) == 0)
            good = recall_base(run, at + sizeof base - 1, length - sizeof base + 1);
        else if (good && length > sizeof film && memcmp(at, film, sizeof film - 1) == 0)
            good = scree_run_film_recall(run, at + sizeof film - 1, length - sizeof film + 1);
        else if (good)
            good = length > sizeof frame - 1 && memcmp(at, frame, sizeof frame - 1) == 0 &&
                   recall_frame(run, at + sizeof frame - 1, length - sizeof frame + 1);
        if (!good)
            return false;
        at = stop + 1;
    }
    return true;
}

/* ---- writing ---- */

scree_status scree_run_write_state(scree_run *run, const char *path, scree_error *error)
{
    const char *resolved = scree_scene_resolved(run->scene);
    size_t course_bytes = scree_scene_course_bytes(run->scene);
    void *course = malloc(course_bytes ? course_bytes : 1);
    char *kept = scree_run_keep(run);
    scree_status status = SCREE_OUT_OF_MEMORY;

    if (course && kept)
        status = scree_scene_course_save(run->scene, course, course_bytes, error);
    if (!status) {
        const scree_checkpoint_part parts[] = {
            {"scene", resolved, strlen(resolved)},
            {"course", course, course_bytes},
            {"run", kept, strlen(kept)},
        };
        status = scree_run_ranks_checkpoint(run, path, parts, sizeof parts / sizeof *parts, error);
    }
    free(course);
    free(kept);
    return status;
}

/*  Removes all but the newest `kept`. */
static void remove_old(scree_run *run, size_t kept)
{
    uint64_t *steps;
    size_t count;

    if (scree_run_checkpoint_list(run, &steps, &count))
        for (size_t k = kept; k < count; k++) {
            char *path = scree_run_checkpoint_path(run, steps[k]);
            if (path && unlink(path) != 0)
                scree_notes_warn(&run->notes, SCREE_NOTE_OLD_FILE, "%s: cannot be removed: %s",
                                 path, strerror(errno));
            free(path);
        }
    free(steps);
}

bool scree_run_checkpoint(scree_run *run)
{
    scree_clock clock = scree_world_clock(run->world);
    char *path = scree_run_checkpoint_path(run, clock.steps);
    scree_error error = {SCREE_OUT_OF_MEMORY, "checkpoint: out of memory"};
    double begin = scree_run_wall(run);
    size_t kept = run->plan->checkpoints_kept ? run->plan->checkpoints_kept : 1;

    /* flush files that were written before the state */
    scree_run_outputs_list(run);
    if (!scree_lines_flush(&run->metrics, true))
        scree_notes_warn(&run->notes, SCREE_NOTE_METRICS,
                         "%s: cannot write: %s; rows wait in memory", run->metrics.path,
                         strerror(errno));
    (void)scree_run_breaks_flush(run, true);
    scree_status status = path ? scree_run_write_state(run, path, &error) : SCREE_OUT_OF_MEMORY;
    if (status && strstr(error.text, strerror(ENOSPC))) {
        /* the newest is sufficient for a restart, and disk space is short */
        remove_old(run, 1);
        status = scree_run_write_state(run, path, &error);
    }
    if (!status) {
        run->has_checkpoint = true;
        run->checkpoint_step = clock.steps;
        run->checkpoint_failures = 0;
        remove_old(run, kept);
        scree_notes_log(&run->notes, "checkpoint of step %" PRIu64, clock.steps);
    } else {
        run->checkpoint_failures++;
        scree_notes_warn(&run->notes, SCREE_NOTE_CHECKPOINT, "%s", error.text);
    }
    run->checkpoint_wall = scree_run_wall(run);
    if (run->checkpoint_wall - begin > run->checkpoint_seconds)
        run->checkpoint_seconds = run->checkpoint_wall - begin;
    free(path);
    return status == SCREE_OK;
}
