/*  scree run: runs a scene step by step, with checkpoints. */
#include "app/run/run.h"
#include "app/run/ranks.h"

#include "app/run/verbs.h"
#include "common/options.h"

#include "base/decimal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAX_SECONDS 1e9

/*  "90", "90s", "2.5m", "3h", "1d", and sums of them as "1h30m". */
static bool parse_duration(const char *text, double *seconds)
{
    static const char units[] = "smhd";
    static const double lengths[] = {1, 60, 3600, 86400};
    double sum = 0, value;

    do {
        size_t digits = strspn(text, "0123456789.");
        const char *unit = text[digits] ? strchr(units, text[digits]) : units;
        if (!unit || !scree_text_to_real(text, digits, &value))
            return false;
        sum += value * lengths[unit - units];
        text += digits + (text[digits] != 0);
    } while (*text);
    *seconds = sum;
    return sum > 0 && sum <= MAX_SECONDS;
}

/*  All arguments of an option that may be repeated, to be freed. */
static const char **collect(const scree_verb *verb, const scree_arguments *arguments,
                            const char *option, size_t *count)
{
    *count = 0;
    while (scree_argument_at(verb, arguments, option, *count))
        (*count)++;
    const char **list = malloc((*count + 1) * sizeof *list);
    for (size_t k = 0; list && k < *count; k++)
        list[k] = scree_argument_at(verb, arguments, option, k);
    return list;
}

static bool are_settings(const char *option, const char *const *list, size_t count)
{
    for (size_t k = 0; k < count; k++) {
        const char *equals = strchr(list[k], '=');
        if (!equals || equals == list[k]) {
            scree_usage_error("run: --%s: \"%.100s\" should be name=value", option, list[k]);
            return false;
        }
    }
    return true;
}

static bool parse_options(const scree_verb *verb, const scree_arguments *arguments,
                          scree_run_options *options)
{
    const char *limit = scree_argument(verb, arguments, "wall-limit");
    bool is_quiet = scree_argument(verb, arguments, "quiet") != NULL;
    bool is_json = scree_argument(verb, arguments, "json") != NULL;

    const char *steps = scree_argument(verb, arguments, "steps");

    options->whole = steps && strcmp(steps, "all") == 0;
    if (!scree_parse_count(verb, arguments, "threads", 1, 256, &options->threads) ||
        !scree_parse_count(verb, arguments, "audit", 1, UINT32_MAX, &options->audit) ||
        (!options->whole &&
         !scree_parse_count(verb, arguments, "steps", 1, 1000000000000000, &options->steps)))
        return false;
    if (limit && !parse_duration(limit, &options->wall_limit)) {
        scree_usage_error("run: --wall-limit: \"%.60s\" should be a duration such as 90s, 30m, 3h "
                          "or 1h30m, up to 1e9 s",
                          limit);
        return false;
    }
    if (is_quiet && is_json) {
        scree_usage_error("run: --quiet and --json exclude each other");
        return false;
    }
    options->device = scree_argument(verb, arguments, "device");
    options->no_film = scree_argument(verb, arguments, "no-film") != NULL;
    options->force = scree_argument(verb, arguments, "force") != NULL;
    options->mode = is_quiet                ? SCREE_PROGRESS_QUIET
                    : is_json               ? SCREE_PROGRESS_JSON
                    : isatty(STDOUT_FILENO) ? SCREE_PROGRESS_LINE
                                            : SCREE_PROGRESS_PLAIN;
    return true;
}

static int run_one(scree_run_options *options, const char *out)
{
    uint64_t digest;
    char *name =
        out ? NULL
            : scree_folder_name("out", options->scene, options->settings, options->setting_count);
    int code;

    options->folder = out ? out : name;
    if (!options->folder)
        code = scree_status_error(SCREE_OUT_OF_MEMORY, NULL);
    else if (options->ranks)
        code = scree_run_ranks_go(options, &digest);
    else
        code = scree_run_go(options, &digest);
    free(name);
    return code;
}

/*  All ranks run this, with the same command line. The exit code is that of rank 0: mpirun uses the first that is not
    0. */
static int run_on_ranks(scree_run_options *options, const char *const *sweeps, size_t sweep_count,
                        const char *out)
{
    scree_run_ranks on = {.command_line =
                              scree_run_ranks_digest(options, sweeps, sweep_count, out)};
    int code = scree_run_ranks_begin(&on, options);

    options->ranks = &on;
    if (code == SCREE_EXIT_OK)
        code = sweep_count ? scree_run_sweep(options, sweeps, sweep_count, out)
                           : run_one(options, out);
    if (!scree_run_ranks_leads(&on))
        code = SCREE_EXIT_OK;
    scree_run_ranks_end(&on);
    options->ranks = NULL;
    return code;
}

static bool is_on_ranks(const scree_verb *verb, const scree_arguments *arguments)
{
    return scree_run_is_on_ranks(scree_argument(verb, arguments, "ranks") != NULL);
}

/*  All that is needed to continue a run is in its folder. */
static int resume(const scree_verb *verb, const scree_arguments *arguments,
                  scree_run_options *options)
{
    static const char *const others[] = {"sweep", "out", "set"};
    const char *with = scree_argument(verb, arguments, "with");

    /* another scene may have settings */
    for (size_t k = 0; k < sizeof others / sizeof *others - (with ? 1 : 0); k++)
        if (scree_argument(verb, arguments, others[k]))
            return scree_usage_error(
                "run: --resume continues the run as it was started, without --%s", others[k]);
    if (arguments->operand)
        return scree_usage_error(
            "run: --resume takes the scene from its folder, without \"%.100s\"",
            arguments->operand);
    const char *folder = scree_argument(verb, arguments, "resume");
    options->resume = true;
    options->folder = folder;
    options->with = with;
    const char **settings = collect(verb, arguments, "set", &options->setting_count);
    options->settings = settings;
    int code = !settings ? scree_status_error(SCREE_OUT_OF_MEMORY, NULL)
               : !are_settings("set", settings, options->setting_count) ? SCREE_EXIT_USAGE
               : is_on_ranks(verb, arguments) ? run_on_ranks(options, NULL, 0, folder)
                                              : run_one(options, folder);
    free((void *)settings);
    return code;
}

static int run_run(const scree_arguments *arguments)
{
    const scree_verb *verb = &scree_verb_run;
    scree_run_options options = {0};
    size_t sweep_count;
    const char *out = scree_argument(verb, arguments, "out");

    if (!parse_options(verb, arguments, &options))
        return SCREE_EXIT_USAGE;
    if (scree_argument(verb, arguments, "resume"))
        return resume(verb, arguments, &options);
    if (scree_argument(verb, arguments, "with"))
        return scree_usage_error("run: --with is for --resume");
    if (!arguments->operand)
        return scree_usage_error("run: which scene? scree run SCENE.lua; scree new writes one");
    options.scene = arguments->operand;
    const char **settings = collect(verb, arguments, "set", &options.setting_count);
    const char **sweeps = collect(verb, arguments, "sweep", &sweep_count);
    options.settings = settings;
    int code;
    if (!settings || !sweeps)
        code = scree_status_error(SCREE_OUT_OF_MEMORY, NULL);
    else if (!are_settings("set", settings, options.setting_count) ||
             !are_settings("sweep", sweeps, sweep_count))
        code = SCREE_EXIT_USAGE;
    else if (is_on_ranks(verb, arguments))
        code = run_on_ranks(&options, sweeps, sweep_count, out);
    else if (sweep_count)
        code = scree_run_sweep(&options, sweeps, sweep_count, out);
    else
        code = run_one(&options, out);
    free((void *)settings);
    free((void *)sweeps);
    return code;
}

static const scree_option run_options[] = {
    {"set", "NAME=VALUE...", "set a parameter of the scene; may be given several times"},
    {"sweep", "NAME=A,B,C...",
     "one run for each value, each in its own folder; with several\nsweeps, one for each "
     "combination"},
    {"out", "DIR", "the folder of the run; default: out/SCENE, with the settings in its name"},
    {"force", NULL,
     "overwrite an earlier run, and use more than half of the free space on the disk;\nwith "
     "--resume: continue although a table was changed"},
    {"resume", "DIR", "continue a run that was stopped or killed; results are bit-identical"},
    {"with", "SCENE",
     "with --resume: continue with another scene, whose step, damping, gravity, end, conditions "
     "and\nintervals may differ; what changed is in log.txt and run.json"},
    {"threads", "N", "default: the scene's, or all processors; results do not depend on it"},
    {"device", "DEVICE",
     "the device for steps: cpu, gpu, gpu:N or part of a name; default: the scene's, or "
     "cpu;\nresults do not depend on it"},
    {"ranks", NULL,
     "share the steps among all processes that the launcher has started; not needed with Open "
     "MPI,\n"
     "MPICH and Slurm, which are recognised; results do not depend on their number"},
    {"steps", "N",
     "end after this number of steps, instead of the scene's end; kept by --resume until another "
     "is given,\nwhere all is the scene's end"},
    {"wall-limit", "T", "stop before this time is over, with a checkpoint: 90s, 30m, 3h, 1h30m"},
    {"no-film", NULL, "keep no small frames for scree render in film/"},
    {"audit", "N", "every N steps compare contacts with an independent method"},
    {"quiet", NULL, "print only warnings and errors"},
    {"json", NULL, "print everything as JSON, one object per line"},
    {NULL, NULL, NULL},
};

const scree_verb scree_verb_run = {
    .name = "run",
    .operand = "SCENE",
    .summary = "Runs a scene.",
    .text =
        "The folder gets scene.lua (the scene with its settings), run.json (what ran, how far, and "
        "its\n"
        "digest), log.txt, metrics.csv, detection.csv, checkpoints/, frames/ (exports) and "
        "pictures/.\n"
        "Ctrl-C finishes the step, writes a checkpoint and prints how to continue; pressed again "
        "it\n"
        "stops at once. SIGTERM, SIGHUP, SIGXCPU and SIGUSR1 do the same. A run that is killed "
        "loses what\n"
        "it computed since its last checkpoint.\n"
        "Further exit codes: 6 stopped at --wall-limit, 7 a step was refused (the last good state "
        "is\n"
        "kept as a checkpoint), 128 + N stopped by signal N: 130 after Ctrl-C, 143 after SIGTERM.",
    .example = "scree run hopper.lua --out out/hopper\n"
               "scree run --resume out/hopper",
    .options = run_options,
    .run = run_run,
};
