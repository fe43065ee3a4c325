/*  Parameter sweeps: combinations are counted like the digits of a number, the last parameter fastest. All folders
    are checked before the first run starts, so that the tenth run does not fail because its folder exists. */
#include "app/run/ranks.h"
#include "app/run/run.h"
#include "common/options.h"
#include "common/report.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define MAX_RUNS 100000

typedef struct sweep_axis
{
    const char *text; /* "rate=4,6,8" */
    size_t name_length;
    size_t count, at;
} sweep_axis;

static bool begin_axis(sweep_axis *axis, const char *text)
{
    const char *equals = strchr(text, '=');

    *axis = (sweep_axis){.text = text, .name_length = (size_t)(equals - text), .count = 1};
    for (const char *c = equals + 1; *c; c++)
        axis->count += *c == ',';
    return equals[1] != 0;
}

/*  "rate=6", to be freed. */
static char *setting_of(const sweep_axis *axis)
{
    const char *value = axis->text + axis->name_length + 1;
    size_t bytes = strlen(axis->text) + 1;
    char *text = malloc(bytes);

    for (size_t k = 0; k < axis->at; k++)
        value = strchr(value, ',') + 1;
    if (text)
        snprintf(text, bytes, "%.*s=%.*s", (int)axis->name_length, axis->text,
                 (int)strcspn(value, ","), value);
    return text;
}

/*  On ranks one of them prints. */
static int refuse_values(const scree_run_options *options, const char *sweep)
{
    return scree_run_ranks_leads(options->ranks)
               ? scree_usage_error("run: --sweep: \"%.100s\" has no values", sweep)
               : SCREE_EXIT_USAGE;
}

static int refuse_number(const scree_run_options *options, double runs)
{
    return scree_run_ranks_leads(options->ranks)
               ? scree_usage_error("run: --sweep: %.0f runs are more than %d", runs, MAX_RUNS)
               : SCREE_EXIT_USAGE;
}

static bool next_combination(sweep_axis *axes, size_t count)
{
    for (size_t k = count; k > 0; k--) {
        if (++axes[k - 1].at < axes[k - 1].count)
            return true;
        axes[k - 1].at = 0;
    }
    return false;
}

/*  Settings of one combination: common ones, followed by its own. */
typedef struct sweep_run
{
    const char **settings;
    size_t count, own; /* own: number of the last ones, which must be freed */
    char *folder;
} sweep_run;

static void free_run(sweep_run *run)
{
    for (size_t k = run->count - run->own; run->settings && k < run->count; k++)
        free((void *)run->settings[k]);
    free((void *)run->settings);
    free(run->folder);
}

static bool make_run(sweep_run *run, const scree_run_options *options, const sweep_axis *axes,
                     size_t axis_count, const char *base)
{
    bool good = true;

    run->own = axis_count;
    run->count = options->setting_count + axis_count;
    run->settings = calloc(run->count, sizeof *run->settings);
    run->folder = NULL;
    if (!run->settings)
        return false;
    for (size_t k = 0; k < run->count; k++) {
        run->settings[k] = k < options->setting_count
                               ? options->settings[k]
                               : setting_of(&axes[k - options->setting_count]);
        good = good && run->settings[k];
    }
    if (good && base)
        run->folder =
            scree_folder_name(base, "", run->settings + options->setting_count, axis_count);
    else if (good)
        run->folder = scree_folder_name("out", options->scene, run->settings, run->count);
    return run->folder != NULL;
}

static const scree_report_column columns[] = {
    {.name = "folder", .is_text = true},
    {.name = "exit_code"},
    {.name = "digest", .is_text = true},
};

/*  Whether the end of one run ends all: the others would fail in the same way, or the user has stopped it. */
static bool ends_all(int code)
{
    return code == SCREE_EXIT_USAGE || code == SCREE_EXIT_INPUT || code == SCREE_EXIT_SYSTEM ||
           code == SCREE_EXIT_MEMORY || code > 128;
}

/*  One pass over all combinations: checks the folders, or runs. On ranks all make it together. */
static int pass(const scree_run_options *options, sweep_axis *axes, size_t axis_count,
                const char *base, scree_report *report)
{
    int first = SCREE_EXIT_OK;
    bool continues = true;

    do {
        sweep_run run;
        scree_run_options own = *options;
        uint64_t digest = 0;
        char text[32];
        int code = SCREE_EXIT_OK;
        if (!make_run(&run, options, axes, axis_count, base)) {
            code = scree_status_error(SCREE_OUT_OF_MEMORY, NULL);
        } else if (!report) {
            if (scree_run_ranks_leads(options->ranks) && !options->force)
                code = scree_folder_check(run.folder, false, false);
        } else {
            own.settings = run.settings;
            own.setting_count = run.count;
            own.folder = run.folder;
            if (scree_run_ranks_leads(options->ranks) &&
                (options->mode == SCREE_PROGRESS_LINE || options->mode == SCREE_PROGRESS_PLAIN))
                printf("%s\n", run.folder);
            code = options->ranks ? scree_run_ranks_go(&own, &digest) : scree_run_go(&own, &digest);
            scree_report_add(report, "%s", run.folder);
            scree_report_add(report, "%d", code);
            snprintf(text, sizeof text, "%016" PRIx64, digest);
            scree_report_add(report, "%s", code == SCREE_EXIT_OK ? text : "");
        }
        free_run(&run);
        first = first ? first : code;
        continues = !ends_all(code) && next_combination(axes, axis_count);
    } while (continues);
    for (size_t k = 0; k < axis_count; k++)
        axes[k].at = 0;
    return first;
}

int scree_run_sweep(const scree_run_options *options, const char *const *sweeps, size_t sweep_count,
                    const char *base)
{
    sweep_axis *axes = malloc(sweep_count * sizeof *axes);
    scree_report report;
    double runs = 1;
    int code = SCREE_EXIT_OK;

    if (!axes)
        return scree_status_error(SCREE_OUT_OF_MEMORY, NULL);
    for (size_t k = 0; k < sweep_count && code == SCREE_EXIT_OK; k++) {
        if (!begin_axis(&axes[k], sweeps[k]))
            code = refuse_values(options, sweeps[k]);
        runs *= (double)axes[k].count;
    }
    if (code == SCREE_EXIT_OK && runs > MAX_RUNS)
        code = refuse_number(options, runs);
    if (code == SCREE_EXIT_OK)
        code = pass(options, axes, sweep_count, base, NULL);
    code = scree_run_ranks_agree(options->ranks, code);
    if (code == SCREE_EXIT_OK) {
        /* an unknown format prints nothing */
        int format = !scree_run_ranks_leads(options->ranks)  ? -1
                     : options->mode == SCREE_PROGRESS_JSON  ? SCREE_REPORT_JSON
                     : options->mode == SCREE_PROGRESS_QUIET ? -1
                                                             : SCREE_REPORT_TABLE;
        scree_report_begin(&report, columns, sizeof columns / sizeof *columns);
        code = pass(options, axes, sweep_count, base, &report);
        int printed = scree_report_end(&report, format, stdout);
        code = code ? code : printed;
    }
    free(axes);
    return code;
}
