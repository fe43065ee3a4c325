/*  scree calibrate: looks for the parameters with which a scene measures what an experiment did. */
#include "app/calibrate/calibration.h"
#include "app/calibrate/search.h"
#include "app/calibrate/verbs.h"

#include "app/run/folder.h"
#include "app/run/signals.h"
#include "common/report.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAX_JOBS 1024

/*  Tries that an earlier call has made must be those that would be made now. */
static bool is_same_place(const scree_calibration *c, const scree_try *old, const scree_try *tried)
{
    bool same = true;
    for (size_t d = 0; d < c->axis_count; d++)
        same = same && old->parameter[d] == tried->parameter[d];
    return same;
}

/*  Fills in the results of earlier calls. */
static int take_earlier(const scree_calibration *c, const scree_try *earlier, scree_try *tries,
                        size_t begin, size_t end)
{
    for (size_t k = begin; k < end; k++) {
        if (!earlier[k].is_done)
            continue;
        if (!is_same_place(c, &earlier[k], &tries[k])) {
            scree_message("calibrate: %s/tries.csv: try %zu has other parameters than this search "
                          "gives it: the table was changed; --force starts again",
                          c->folder, k + 1);
            return SCREE_EXIT_INPUT;
        }
        memcpy(tries[k].measured, earlier[k].measured, sizeof tries[k].measured);
        tries[k].code = earlier[k].code;
        tries[k].is_done = true;
    }
    return SCREE_EXIT_OK;
}

/*  Batch after batch, until all targets are met or all runs are used. */
static int search(const scree_calibration *c, const scree_try *earlier, scree_try *tries,
                  size_t *done)
{
    int code = SCREE_EXIT_OK;

    *done = 0;
    while (*done < c->max_runs && code == SCREE_EXIT_OK) {
        size_t left = (size_t)c->max_runs - *done, batch = (size_t)c->batch;
        size_t count = *done ? batch : scree_search_start(c);
        count = count < left ? count : left;
        size_t end = *done + count;
        scree_status status = scree_search_next(c, tries, *done, count);
        code = status ? scree_status_error(status, NULL) : SCREE_EXIT_OK;
        if (code == SCREE_EXIT_OK)
            code = take_earlier(c, earlier, tries, *done, end);
        if (code == SCREE_EXIT_OK)
            code = scree_run_tries(c, tries, *done, end);
        if (code != SCREE_EXIT_OK)
            break;
        *done = end;
        size_t best = scree_best_try(c, tries, *done);
        if (best == *done || scree_is_met(c, &tries[best]))
            break;
    }
    return code;
}

static int calibrate(const scree_calibration *c)
{
    scree_try *tries = calloc(2 * c->max_runs, sizeof *tries), *earlier;
    size_t done = 0;
    uint64_t scene = 0;
    int code;

    if (!tries)
        return scree_status_error(SCREE_OUT_OF_MEMORY, NULL);
    earlier = tries + c->max_runs;
    code = scree_look_at_scene(c, &scene);
    if (code == SCREE_EXIT_OK)
        code = scree_tries_begin(c, scene);
    if (code == SCREE_EXIT_OK)
        code = scree_tries_read(c, earlier, c->max_runs);
    if (code == SCREE_EXIT_OK) {
        scree_signals_begin();
        code = search(c, earlier, tries, &done);
        scree_signals_end();
        if (code > 128)
            scree_message("calibrate: stopped; the same command continues");
    }
    if (code == SCREE_EXIT_OK)
        code = scree_say_result(c, tries, done);
    free(tries);
    return code;
}

/* ---- the command line ---- */

static bool read_lists(const scree_verb *verb, const scree_arguments *arguments,
                       scree_calibration *c)
{
    const char *text;

    for (size_t k = 0; (text = scree_argument_at(verb, arguments, "vary", k)) != NULL; k++)
        if (!scree_read_axes(c, text))
            return false;
    for (size_t k = 0; (text = scree_argument_at(verb, arguments, "fit", k)) != NULL; k++)
        if (!scree_read_targets(c, text))
            return false;
    if (!c->axis_count || !c->target_count) {
        scree_usage_error("calibrate: --%s is missing: %s", c->axis_count ? "fit" : "vary",
                          c->axis_count ? "what should be measured, such as heap.mass=0.02+-0.0005"
                                        : "which parameters may change, such as friction=0.1..0.9");
        return false;
    }
    return true;
}

static bool read_settings(const scree_verb *verb, const scree_arguments *arguments,
                          scree_calibration *c, const char **settings)
{
    const char *text;

    for (size_t k = 0; (text = scree_argument_at(verb, arguments, "set", k)) != NULL; k++) {
        const char *equals = strchr(text, '=');
        if (!equals || equals == text) {
            scree_usage_error("calibrate: --set: \"%.100s\" should be name=value", text);
            return false;
        }
        settings[c->setting_count++] = text;
    }
    c->settings = settings;
    return true;
}

static bool read_options(const scree_verb *verb, const scree_arguments *arguments,
                         scree_calibration *c)
{
    long processors = sysconf(_SC_NPROCESSORS_ONLN);

    c->seed = 1;
    c->max_runs = 40;
    c->batch = 4;
    c->threads = 1;
    c->jobs = processors < 1 ? 1 : processors < MAX_JOBS ? (uint64_t)processors : MAX_JOBS;
    c->from = -1;
    c->force = scree_argument(verb, arguments, "force") != NULL;
    c->is_quiet = scree_argument(verb, arguments, "quiet") != NULL;
    return scree_parse_count(verb, arguments, "seed", 0, UINT64_MAX, &c->seed) &&
           scree_parse_count(verb, arguments, "runs", 1, SCREE_CALIBRATE_MAX_TRIES, &c->max_runs) &&
           scree_parse_count(verb, arguments, "batch", 1, 64, &c->batch) &&
           scree_parse_count(verb, arguments, "jobs", 1, MAX_JOBS, &c->jobs) &&
           scree_parse_count(verb, arguments, "threads", 1, 256, &c->threads) &&
           scree_parse_real(verb, arguments, "from", 0, 1e15, &c->from) &&
           scree_parse_word(verb, arguments, "format", scree_report_formats, &c->format);
}

static int run_calibrate(const scree_arguments *arguments)
{
    const scree_verb *verb = &scree_verb_calibrate;
    scree_calibration c = {.scene = arguments->operand};

    if (!c.scene)
        return scree_usage_error(
            "calibrate: which scene? scree calibrate SCENE.lua --fit ... --vary ...");
    const char **settings = malloc(((size_t)arguments->word_count + 1) * sizeof *settings);
    if (!settings)
        return scree_status_error(SCREE_OUT_OF_MEMORY, NULL);
    char *name = NULL;
    int code = SCREE_EXIT_USAGE;
    if (read_options(verb, arguments, &c) && read_settings(verb, arguments, &c, settings) &&
        read_lists(verb, arguments, &c)) {
        c.folder = scree_argument(verb, arguments, "out");
        if (!c.folder) {
            static const char *const ending[] = {"calibrate"};
            name = scree_folder_name("out", c.scene, ending, 1);
            c.folder = name;
        }
        code = c.folder ? calibrate(&c) : scree_status_error(SCREE_OUT_OF_MEMORY, NULL);
    }
    free(name);
    free((void *)settings);
    return code;
}

static const scree_option calibrate_options[] = {
    {"vary", "NAME=A..B...",
     "a parameter of the scene and the range in which it is looked for; several with\ncommas. A "
     "range "
     "of two decades or more is searched by its logarithm"},
    {"fit", "NAME=VALUE...",
     "a column of metrics.csv and what it should be, NAME=VALUE+-TOLERANCE; several with\ncommas. "
     "Without a tolerance: 1 % of the value"},
    {"from", "T", "compare means of the rows from this time on (s); default: the last row"},
    {"set", "NAME=VALUE...", "set a parameter of the scene in all runs"},
    {"runs", "N", "at most so many runs; default 40"},
    {"batch", "N", "runs that are chosen together; default 4. Another number is another search"},
    {"jobs", "N", "runs at the same time; default: all processors; results do not depend on it"},
    {"threads", "N", "of each run; default 1; results do not depend on it"},
    {"seed", "N", "of the search; default 1"},
    {"out", "DIR", "the folder of all runs; default: out/SCENE-calibrate"},
    {"force", NULL, "start again where the folder has a search"},
    {"format", "FORMAT", "of the result: table, csv or json; default table"},
    {"quiet", NULL, "print only the result, warnings and errors"},
    {NULL, NULL, NULL},
};

const scree_verb scree_verb_calibrate = {
    .name = "calibrate",
    .operand = "SCENE",
    .summary = "Finds parameters of a scene with which it gives what was measured.",
    .text = "Runs the scene with different parameters, each run in a folder of its own, and ends "
            "when all\n"
            "targets are met within their tolerances. The next runs are chosen by Gaussian "
            "processes of the\n"
            "measured values (expected improvement). tries.csv has all runs, calibration.svg how "
            "the misfit\n"
            "fell. The same command continues a search that was stopped or killed; more --runs "
            "extend it.\n"
            "Exit code 1: the targets were not met.",
    .example = "scree calibrate rolling_balls.lua --vary friction=0.1..0.9,rolling=0..0.3 \\\n"
               "    --fit sliding.speed=0.73+-0.005,rolling.speed=0.4+-0.005",
    .options = calibrate_options,
    .run = run_calibrate,
};
