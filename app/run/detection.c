/*  Statistics of detection and timings of a run: detection.csv, a part of run.json, and two lines at the end.
    Timings are not part of the state, and a restart begins with a search, so nothing of this is in metrics.csv,
    which must be bit-identical for the same scene. */
#include "app/run/run.h"
#include "common/json.h"

#include "base/common.h"
#include "base/decimal.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*  One list for the table, for run.json, and for reading it. */
#define COUNTS(X) X(steps) X(searches) X(wall_searches) X(late) X(audits) X(missing) X(deep)
#define SECONDS(X) X(search) X(pairs) X(walls) X(sums) X(motion) X(scene) X(writing)

/*  A timed step reads six clocks, which takes a fifth of the time of the shortest steps. If steps are shorter than
    this, after the first batches only one batch of eight is timed and stands for the following ones. */
#define SHORT_STEP 1e-5
#define FIRST_PORTIONS 16
#define PORTIONS 8

void scree_run_detection_time(scree_run *run, uint64_t steps, double took)
{
    scree_run_times *times = &run->times;
    scree_run_detection *all = &run->detection_so_far;

    if (times->is_on && took > 0) {
        times->timings = scree_world_timings(run->world);
        times->took = took;
    }
    if (times->took > 0) {
        const scree_timings *timings = &times->timings;
        const double share = took / times->took;
        const double world =
            timings->search + timings->pairs + timings->walls + timings->sums + timings->other;
        all->search += share * timings->search;
        all->pairs += share * timings->pairs;
        all->walls += share * timings->walls;
        all->sums += share * timings->sums;
        all->motion += share * timings->other;
        all->scene += share * fmax(times->took - world, 0);
    }
    times->portion++;
    times->is_on = took >= SHORT_STEP * (double)steps || times->portion < FIRST_PORTIONS ||
                   times->portion % PORTIONS == 0;
    scree_world_enable_timings(run->world, times->is_on);
}

scree_run_detection scree_run_detection_of(const scree_run *run, const scree_detection_stats *seen)
{
    scree_run_detection all = run->detection_so_far;

    all.steps += scree_world_clock(run->world).steps - run->first_step;
    all.searches += seen->rebuilds;
    all.wall_searches += seen->wall_rebuilds;
    all.late += seen->late_contacts;
    all.audits += seen->audits;
    all.missing += seen->missed_contacts;
    all.deep += scree_world_local_counts(run->world).deep;
    all.writing += run->writing_seconds;
    return all;
}

/* ---- the table ---- */

/*  To be freed; NULL without memory. `all` NULL: the header. */
static char *make_line(const scree_run *run, const scree_detection_stats *seen,
                       const scree_run_detection *all)
{
    char *line = NULL, text[SCREE_REAL_TEXT];
    size_t bytes = 0;
    FILE *out = open_memstream(&line, &bytes);

    if (!out)
        return NULL;
    if (all) {
        const scree_clock clock = scree_world_clock(run->world);
        scree_real_to_text(clock.time, text);
        fprintf(out, "%" PRIu64 ",%s,%" PRIu64 ",%" PRIu64, clock.steps, text,
                seen->potential_contacts, seen->contacts);
#define X(name) fprintf(out, ",%" PRIu64, all->name);
        COUNTS(X)
#undef X
#define X(name) fprintf(out, ",%.6f", all->name);
        SECONDS(X)
#undef X
    } else {
        fputs("step,time,candidates,contacts", out);
#define X(name) fputs("," #name, out);
        COUNTS(X)
#undef X
#define X(name) fputs("," #name "_seconds", out);
        SECONDS(X)
#undef X
    }
    if (fclose(out) != 0) {
        free(line);
        return NULL;
    }
    return line;
}

char *scree_run_detection_row(const scree_run *run)
{
    const scree_detection_stats seen = scree_world_detection_stats(run->world);
    const scree_run_detection all = scree_run_detection_of(run, &seen);

    return make_line(run, &seen, &all);
}

bool scree_run_detection_open(scree_run *run, bool is_resumed)
{
    char *path = scree_folder_path(&run->folder, "detection.csv");
    char *header = make_line(run, NULL, NULL);
    const scree_lines_mark no_mark = {.is_known = false};
    bool good = path && header && scree_lines_open(&run->detection, path) &&
                scree_lines_begin_rows(&run->detection, header, is_resumed,
                                       scree_world_clock(run->world).steps, &no_mark);
    if (!good)
        scree_notes_error(&run->notes, "%s: cannot write: %s", path ? path : "detection.csv",
                          strerror(errno));
    free(path);
    free(header);
    run->times.is_on = true;
    scree_world_enable_timings(run->world, true);
    return good;
}

void scree_run_detection_write(scree_run *run)
{
    uint64_t dropped = run->detection.dropped;
    char *line = scree_run_detection_row(run);

    if (!line) {
        scree_notes_warn(&run->notes, SCREE_NOTE_METRICS, "%s: a row is missing: out of memory",
                         run->detection.path);
        return;
    }
    run->row_bytes += (double)strlen(line) + 1;
    scree_lines_put(&run->detection, line);
    free(line);
    (void)scree_run_detection_flush(run, false);
    if (run->detection.dropped > dropped)
        scree_notes_warn(&run->notes, SCREE_NOTE_METRICS, "%s: a row is lost: too many are waiting",
                         run->detection.path);
}

bool scree_run_detection_flush(scree_run *run, bool to_disk)
{
    if (scree_lines_flush(&run->detection, to_disk))
        return true;
    scree_notes_warn(&run->notes, SCREE_NOTE_METRICS, "%s: cannot write: %s; rows wait in memory",
                     run->detection.path, strerror(errno));
    return false;
}

/* ---- run.json ---- */

void scree_run_detection_record(const scree_run *run, scree_json *json)
{
    const scree_detector *detector = scree_world_detector(run->world);
    const scree_detection_stats seen = scree_world_detection_stats(run->world);
    const scree_run_detection all = scree_run_detection_of(run, &seen);
    const scree_explanation why = scree_detector_explain(detector);
    const scree_stats stats = scree_detector_stats(detector);

    scree_json_object(json, "detection");
    scree_json_text(json, "at_work", why.method);
#define X(name) scree_json_count(json, #name, all.name);
    COUNTS(X)
#undef X
    scree_json_count(json, "candidates", seen.potential_contacts);
    scree_json_count(json, "contacts", seen.contacts);
    scree_json_count(json, "tested", stats.tested);
    scree_json_count(json, "reported", stats.reported);
    scree_json_count(json, "structure_bytes", stats.bytes);
    scree_json_end(json);
    scree_json_object(json, "seconds");
#define X(name) scree_json_real(json, #name, all.name);
    SECONDS(X)
#undef X
    scree_json_end(json);
}

void scree_run_detection_recall(scree_run *run, const char *key, const char *value)
{
#define X(name)                                                                                    \
    if (strcmp(key, #name) == 0)                                                                   \
        run->detection_so_far.name = strtoull(value, NULL, 10);
    COUNTS(X)
#undef X
#define X(name)                                                                                    \
    if (strcmp(key, #name) == 0)                                                                   \
        run->detection_so_far.name = strtod(value, NULL);
    SECONDS(X)
#undef X
}

/* ---- summary ---- */

static void say_audits(const scree_run_detection *all, char *text, size_t size)
{
    if (!all->audits)
        snprintf(text, size, "not audited (--audit N)");
    else if (!all->missing)
        snprintf(text, size, "%" PRIu64 " audits: none missing", all->audits);
    else
        snprintf(text, size, "%" PRIu64 " audits: %" PRIu64 " MISSING", all->audits, all->missing);
}

/*  Writes number, time and share of each phase to the log, and the shares to the terminal. */
static void say_times(scree_run *run, const scree_run_detection *all)
{
    const struct
    {
        const char *name;
        uint64_t count;
        double seconds;
    } timings[] = {
        {"searches", all->searches, all->search},
        {"forces between bodies", all->steps, all->pairs},
        {"walls and shapes", all->steps, all->walls},
        {"sums", all->steps, all->sums},
        {"motion and others", all->steps, all->motion},
        {"the scene", all->steps, all->scene},
        {"writing", 0, all->writing},
    };
    char shares[400];
    size_t used = 0;
    double sum = 0;

    for (size_t k = 0; k < SCREE_COUNT_OF(timings); k++)
        sum += timings[k].seconds;
    if (!(sum > 0))
        return;
    scree_notes_log(&run->notes, "%-24s %10s %12s %7s", "phase", "count", "seconds", "%");
    for (size_t k = 0; k < SCREE_COUNT_OF(timings); k++) {
        char count[24] = "";
        if (timings[k].count)
            snprintf(count, sizeof count, "%" PRIu64, timings[k].count);
        const double share = 100 * timings[k].seconds / sum;
        scree_notes_log(&run->notes, "%-24s %10s %12.6f %7.2f", timings[k].name, count,
                        timings[k].seconds, share);
        used += (size_t)snprintf(shares + used, sizeof shares - used, "%s%.0f %% %s", k ? ", " : "",
                                 share, timings[k].name);
    }
    scree_notes_log(&run->notes, "%-24s %10s %12.6f %7.2f", "total", "", sum, 100.0);
    scree_notes_say(&run->notes, "time: %s", shares);
}

void scree_run_detection_say(scree_run *run)
{
    const scree_detection_stats seen = scree_world_detection_stats(run->world);
    const scree_run_detection all = scree_run_detection_of(run, &seen);
    const scree_explanation why = scree_detector_explain(scree_world_detector(run->world));
    const char *asked = run->plan->world.detection.method;
    const bool is_chosen = !asked || strcmp(why.method, asked) != 0;
    char audits[80];

    say_audits(&all, audits, sizeof audits);
    scree_notes_say(
        &run->notes,
        "detection: %" PRIu64 " searches for pairs and %" PRIu64 " for walls in %" PRIu64
        " steps, by %s%s; %" PRIu64 " candidates, %" PRIu64 " contacts, %" PRIu64 " late; %s",
        all.searches, all.wall_searches, all.steps, why.method, is_chosen ? " (auto)" : "",
        seen.potential_contacts, seen.contacts, all.late, audits);
    if (all.deep > 0)
        scree_notes_say(
            &run->notes,
            "meshes and blocks: surfaces crossed in %" PRIu64
            " searches for contacts, which were carried on by depth; a thicker contact_skin or a "
            "stiffer material avoids that",
            all.deep);
    say_times(run, &all);
}
