/*  scree-bench engines: other discrete-element engines on the same beds of grains. Beds are made once and kept;
    each engine runs in a process of its own. */
#include "app/bench/engines.h"
#include "common/machine.h"
#include "common/out_file.h"
#include "common/report.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/*  The message passing of LAMMPS and LIGGGHTS keeps memory in files of some megabytes. */
#define ENGINE_FILE_BYTES ((uint64_t)64 << 20)

typedef struct row
{
    scree_bed_kind kind;
    uint32_t count;
    double aim; /* ns a body and step */
    bool is_quick;
} row;

/*  Small ones first: large beds take long to settle. */
static const row rows[] = {
    {SCREE_BED_SETTLED, 10000, 40, true},  {SCREE_BED_FALLING, 10000, 25, true},
    {SCREE_BED_SIZES, 20000, 50, true},    {SCREE_BED_SIZES_MOVING, 20000, 60, true},
    {SCREE_BED_DRUM, 10000, 80, true},     {SCREE_BED_FALLING, 100000, 30, true},
    {SCREE_BED_SETTLED, 100000, 60, true}, {SCREE_BED_SETTLED, 1000000, 90, false},
};

/* ---- the plan ---- */

/*  Is it in a list with commas? */
static bool is_listed(const char *list, const char *name)
{
    size_t length;
    for (const char *at = list; *at; at += length + (at[length] == ',')) {
        length = strcspn(at, ",");
        if (strlen(name) == length && memcmp(name, at, length) == 0)
            return true;
    }
    return false;
}

static bool check_states(const char *list)
{
    size_t length;
    for (const char *at = list; *at; at += length + (at[length] == ',')) {
        bool known = false;
        length = strcspn(at, ",");
        for (int k = 0; k < SCREE_BED_KINDS; k++) {
            const char *name = scree_bed_name((scree_bed_kind)k);
            known = known || (strlen(name) == length && memcmp(at, name, length) == 0);
        }
        if (!known) {
            scree_usage_error("engines: --state: there is no \"%.*s\"; there are settled, "
                              "falling, sizes, sizes-moving, drum",
                              (int)(length < 40 ? length : 40), at);
            return false;
        }
    }
    return true;
}

static void add_case(scree_engine_job *job, const row *r, uint64_t count)
{
    scree_engine_case *c = &job->cases[job->case_count++];
    memset(c, 0, sizeof *c);
    c->kind = r->kind;
    c->count = (uint32_t)count;
    c->aim = count == r->count ? r->aim : 0;
    c->steps = job->body_steps / count;
    c->steps = c->steps < 30 ? 30 : c->steps;
    c->warm = c->steps / 10 + 10;
}

/*  The usual states, or those that are asked for; with --n each state once, with so many grains. */
static bool parse_plan(const scree_arguments *arguments, scree_engine_job *job)
{
    const scree_verb *verb = &scree_verb_bench_engines;
    const char *states = job->states;
    uint64_t own = 0;
    bool has[SCREE_BED_KINDS] = {false};

    if (!scree_parse_count(verb, arguments, "n", 10, 10000000, &own) ||
        (states && !check_states(states)))
        return false;
    for (size_t k = 0; k < SCREE_COUNT_OF(rows); k++) {
        const row *r = &rows[k];
        if (states && !is_listed(states, scree_bed_name(r->kind)))
            continue;
        if (own ? has[r->kind] : job->quick && !r->is_quick)
            continue;
        has[r->kind] = true;
        add_case(job, r, own ? own : r->count);
    }
    if (job->case_count == 0)
        scree_usage_error("engines: --state: there is no \"\"");
    return job->case_count > 0;
}

/* ---- beds ---- */

typedef void write_bed(const scree_bed *bed, FILE *out);

static int write_file(const char *path, write_bed *write, const scree_bed *bed)
{
    scree_out_file file;
    int code = scree_out_open(&file, path);
    if (code != SCREE_EXIT_OK)
        return code;
    write(bed, file.stream);
    return scree_out_commit(&file);
}

/*  The bed's file, and that of its drum, if they are not there from another time. */
static int prepare_bed(const scree_engine_job *job, scree_engine_case *c)
{
    scree_error error = {SCREE_OK, ""};
    scree_bed bed;
    int code = scree_make_folder(job->cache);

    snprintf(c->data, sizeof c->data, "%s/%s-%" PRIu32 ".data", job->cache, scree_bed_name(c->kind),
             c->count);
    if (c->kind == SCREE_BED_DRUM)
        snprintf(c->mesh, sizeof c->mesh, "%s/%s-%" PRIu32 ".stl", job->cache,
                 scree_bed_name(c->kind), c->count);
    if (code != SCREE_EXIT_OK || access(c->data, R_OK) == 0)
        return code;
    if (isatty(STDERR_FILENO))
        fprintf(stderr, "  making %s\n", c->data);
    scree_status status = scree_bed_make(c->kind, c->count, &bed, &error);
    if (status)
        return scree_status_error(status, error.text);
    /* the grains last: their file says that all is there */
    if (c->mesh[0])
        code = write_file(c->mesh, scree_bed_write_drum, &bed);
    if (code == SCREE_EXIT_OK)
        code = write_file(c->data, scree_bed_write, &bed);
    scree_bed_free(&bed);
    return code;
}

/* ---- the verb ---- */

static bool parse_job(const scree_arguments *arguments, scree_engine_job *job)
{
    const scree_verb *verb = &scree_verb_bench_engines;
    const char *scripts = scree_argument(verb, arguments, "scripts");
    const char *cache = scree_argument(verb, arguments, "cache");
    double seconds = 600, gigabytes = 16;

    job->scripts = scripts ? scripts : "bench/engines";
    job->cache = cache ? cache : "build/engines";
    job->out = scree_argument(verb, arguments, "out");
    job->states = scree_argument(verb, arguments, "state");
    job->quick = scree_argument(verb, arguments, "quick") != NULL;
    job->body_steps = job->quick ? 3000000 : 30000000;
    if (!scree_parse_count(verb, arguments, "work", 1000, 1000000000000, &job->body_steps) ||
        !scree_parse_real(verb, arguments, "limit", 1, 86400, &seconds) ||
        !scree_parse_real(verb, arguments, "memory", 0.1, 1e6, &gigabytes) ||
        !scree_parse_word(verb, arguments, "format", scree_report_formats, &job->format))
        return false;
    job->limits = (scree_peer_limits){seconds, (uint64_t)(gigabytes * 1e9), ENGINE_FILE_BYTES};
    return parse_plan(arguments, job);
}

static int measure_cases(scree_engine_job *job)
{
    int code = SCREE_EXIT_OK;

    for (size_t k = 0; k < job->case_count && code == SCREE_EXIT_OK; k++) {
        code = prepare_bed(job, &job->cases[k]);
        if (code == SCREE_EXIT_OK)
            code = scree_engines_measure(job, &job->cases[k]);
        if (code == SCREE_EXIT_OK && job->format == SCREE_REPORT_TABLE)
            scree_engines_print_case(job, &job->cases[k]);
    }
    if (code == SCREE_EXIT_OK && job->format != SCREE_REPORT_TABLE)
        code = scree_engines_print_all(job, job->format, stdout);
    return code;
}

static int run_bench_engines(const scree_arguments *arguments)
{
    const scree_verb *verb = &scree_verb_bench_engines;
    const char *bed = scree_argument(verb, arguments, "measure");
    static scree_engine_job job;
    static const char *const laws[] = {"built-in", "own", "formulas", NULL};
    scree_engine_run alone = {.warm = 50, .steps = 500};
    uint64_t threads = 1;
    int law = 0;

    if (!scree_parse_word(verb, arguments, "law", laws, &law) ||
        !scree_parse_count(verb, arguments, "threads", 1, 1024, &threads) ||
        !scree_parse_count(verb, arguments, "warm", 0, 1000000000, &alone.warm) ||
        !scree_parse_count(verb, arguments, "steps", 1, 1000000000, &alone.steps))
        return SCREE_EXIT_USAGE;
    alone.threads = (uint32_t)threads;
    alone.law = law;
    if (bed)
        return scree_engines_run_scree(bed, &alone);
    if (!parse_job(arguments, &job))
        return SCREE_EXIT_USAGE;
    scree_engines_find(&job);
    scree_machine_load(job.load);
    int code = measure_cases(&job);
    scree_machine_load(job.load_after);
    if (code == SCREE_EXIT_OK && job.out)
        code = scree_engines_write(&job, job.out);
    return code;
}

static const scree_option bench_engines_options[] = {
    {"state", "NAMES",
     "settled, falling, sizes (radii 1:10, near rest), sizes-moving, drum, with commas;\nall"},
    {"n", "N", "grains, instead of those of the usual table"},
    {"quick", NULL, "at most 100,000 grains, fewer steps, two skins instead of five"},
    {"work", "W", "bodies times steps of a run; 3e7, with --quick 3e6"},
    {"limit", "SECONDS", "of work, after which an engine is stopped; 600"},
    {"memory", "GB", "address space of an engine; 16"},
    {"format", "FORMAT", "table, csv or json; table"},
    {"out", "DIR", "write engines.md and engines.csv; what stands below the page's mark stays"},
    {"cache", "DIR", "where beds are kept; build/engines"},
    {"scripts", "DIR", "what engines are told; bench/engines"},
    {"measure", "FILE", "only scree, on one bed of the cache"},
    {"law", "WORD",
     "with --measure: built-in, own: the same in a host's plain loops, or formulas; built-in"},
    {"threads", "T", "with --measure: of scree's steps; 1"},
    {"warm", "S", "with --measure: steps before those that count; 50"},
    {"steps", "S", "with --measure: steps that count; 500"},
    {NULL, NULL, NULL},
};

const scree_verb scree_verb_bench_engines = {
    .name = "engines",
    .summary = "Measures other discrete-element engines on the same grains, law, walls and steps.",
    .text = "The engines are LAMMPS, LIGGGHTS and Yade, as ./do bench engines installs them; one "
            "that is not\n"
            "there is left out. Beds are made and settled by scree and kept. Each engine runs with "
            "several\n"
            "settings, in a process of its own, with limits, on one thread; the best counts. times "
            "is over\n"
            "scree.",
    .example = "scree-bench engines --quick",
    .options = bench_engines_options,
    .run = run_bench_engines,
};
