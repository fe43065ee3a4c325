/*  scree diff: whether two states or two runs are the same, and where they first differ. */
#include "app/look/diff_checkpoints.h"
#include "app/look/diff_metrics.h"
#include "app/look/kept_states.h"
#include "app/look/verbs.h"
#include "common/out_file.h"

#include "scree/checkpoint.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* ---- two states ---- */

/*  Prints what both have in common, and how they differ. */
static bool compare_states(const scree_checkpoint *a, const scree_checkpoint *b, scree_json *json)
{
    scree_checkpoint_info x = scree_checkpoint_describe(a), y = scree_checkpoint_describe(b);
    bool differs;

    if (json) {
        scree_json_count(json, "step_a", x.steps);
        scree_json_count(json, "step_b", y.steps);
        scree_json_list(json, "differences");
    } else if (x.steps != y.steps) {
        printf("they are of steps %" PRIu64 " and %" PRIu64 "\n", x.steps, y.steps);
    }
    differs = scree_diff_checkpoints(a, b, json) || x.steps != y.steps;
    if (json) {
        scree_json_end(json);
        scree_json_flag(json, "equal", !differs);
    } else if (!differs) {
        printf("the same: step %" PRIu64 ", %" PRIu64 " bodies, digest %016" PRIx64 "\n", x.steps,
               x.bodies, x.digest);
    }
    return differs;
}

static int diff_files(const char *a, const char *b, scree_json *json)
{
    scree_checkpoint *first = NULL, *second = NULL;
    int code = scree_read_checkpoint(a, &first);

    if (code == SCREE_EXIT_OK)
        code = scree_read_checkpoint(b, &second);
    if (code == SCREE_EXIT_OK && compare_states(first, second, json))
        code = SCREE_EXIT_CHECK;
    scree_checkpoint_destroy(first);
    scree_checkpoint_destroy(second);
    return code;
}

/* ---- the checkpoints of a run ---- */

/*  The first step for which both have a checkpoint and these differ; counts those that both have. */
static const scree_kept_state *first_different(const scree_kept_states *a,
                                               const scree_kept_states *b, size_t *common,
                                               const scree_kept_state **other)
{
    *common = 0;
    for (size_t i = 0, j = 0; i < a->count && j < b->count;) {
        if (a->state[i].steps != b->state[j].steps) {
            if (a->state[i].steps < b->state[j].steps)
                i++;
            else
                j++;
            continue;
        }
        ++*common;
        if (a->state[i].digest != b->state[j].digest) {
            *other = &b->state[j];
            return &a->state[i];
        }
        i++;
        j++;
    }
    return NULL;
}

static int diff_states(const char *a, const char *b, scree_json *json)
{
    scree_kept_states first = {NULL, 0}, second = {NULL, 0};
    const scree_kept_state *one = NULL, *other = NULL;
    size_t common = 0;
    int code = scree_kept_states_list(a, &first);

    if (code == SCREE_EXIT_OK)
        code = scree_kept_states_list(b, &second);
    if (code == SCREE_EXIT_OK) {
        one = first_different(&first, &second, &common, &other);
        if (json)
            scree_json_count(json, "common_checkpoints", common);
        else
            printf("checkpoints: %zu and %zu, %zu of the same step%s\n", first.count, second.count,
                   common, common && !one ? ", all the same" : "");
        if (one && !json)
            printf("the first that differ are of step %" PRIu64 "\n", one->steps);
        if (one)
            code = diff_files(one->path, other->path, json);
    }
    scree_kept_states_free(&first);
    scree_kept_states_free(&second);
    return code;
}

/* ---- the metrics of a run ---- */

static void say_metrics(const scree_metrics_difference *d, scree_json *json)
{
    if (json) {
        scree_json_object(json, "metrics");
        scree_json_count(json, "rows", d->rows);
        scree_json_count(json, "differing", d->differing);
        scree_json_count(json, "more_in_a", d->more[0]);
        scree_json_count(json, "more_in_b", d->more[1]);
        scree_json_text(json, "column", d->column[0] ? d->column : NULL);
        scree_json_text(json, "first_cell", d->column[0] ? d->step : NULL);
        scree_json_text(json, "a", d->column[0] ? d->first[0] : NULL);
        scree_json_text(json, "b", d->column[0] ? d->first[1] : NULL);
        scree_json_end(json);
        return;
    }
    printf("metrics: %zu rows%s\n", d->rows, d->differing ? "" : ", all the same");
    if (d->differing)
        printf("metrics: %zu rows differ, first at %s: %s is %s and %s\n", d->differing, d->step,
               d->column, d->first[0], d->first[1]);
    for (int side = 0; side < 2; side++)
        if (d->more[side])
            printf("metrics: the %s has %zu rows more\n", side ? "second" : "first", d->more[side]);
}

static int diff_metrics(const char *a, const char *b, scree_json *json)
{
    char *first = scree_join_path(a, "metrics.csv"), *second = scree_join_path(b, "metrics.csv");
    scree_metrics_difference difference;
    struct stat info;
    int code = SCREE_EXIT_OK;

    if (!first || !second)
        code = scree_status_error(SCREE_OUT_OF_MEMORY, NULL);
    else if (stat(first, &info) == 0 || stat(second, &info) == 0) {
        code = scree_diff_metrics(first, second, &difference);
        if (code == SCREE_EXIT_OK) {
            say_metrics(&difference, json);
            if (difference.differing || difference.more[0] || difference.more[1])
                code = SCREE_EXIT_CHECK;
        }
    }
    free(first);
    free(second);
    return code;
}

static int diff_runs(const char *a, const char *b, scree_json *json)
{
    int states = diff_states(a, b, json), metrics = SCREE_EXIT_OK;

    if (states == SCREE_EXIT_OK || states == SCREE_EXIT_CHECK)
        metrics = diff_metrics(a, b, json);
    /* an unreadable file is reported before a difference */
    return states > metrics ? states : metrics;
}

/* ---- the command ---- */

static int run_diff(const scree_arguments *arguments)
{
    const char *a = arguments->operand, *b = arguments->second;
    scree_json json, *as_json = NULL;
    int code;

    if (!a || !b)
        return scree_usage_error("diff: give two files or two folders; see scree help diff");
    if (scree_is_folder(a) != scree_is_folder(b))
        return scree_usage_error("diff: %.80s is a folder, %.80s is none",
                                 scree_is_folder(a) ? a : b, scree_is_folder(a) ? b : a);
    if (scree_argument(&scree_verb_diff, arguments, "json")) {
        json = scree_json_begin(stdout, false);
        as_json = &json;
    }
    code = scree_is_folder(a) ? diff_runs(a, b, as_json) : diff_files(a, b, as_json);
    if (as_json)
        scree_json_finish(as_json);
    return code;
}

static const scree_option options[] = {
    {"json", NULL, "As one JSON object."},
    {NULL, NULL, NULL},
};

const scree_verb scree_verb_diff = {
    .name = "diff",
    .operand = "A B",
    .summary = "Compares two checkpoints or two runs.",
    .text = "Two checkpoints: which bodies, contacts, walls and values differ, by how much, and "
            "the first\n"
            "body (by its global id) and field. Two folders of runs: the first step of which both "
            "have a\n"
            "checkpoint and these differ, and the first row and column of metrics.csv; columns "
            "that depend\n"
            "on the machine (wall_..., ns_..., steps_per_...) are not compared. Host data stored "
            "with the\n"
            "world is not compared. Exit code 0: the same, 1: they differ.",
    .example = "scree diff out/one out/two",
    .options = options,
    .run = run_diff,
};
