/*  scree-bench peers: other libraries on the same bodies. The programs that do the work are built by
    `./do bench peers`; this verb calls them, one process for each library and case, compares what
    they find, and shows what it took. */
#include "app/bench/peers.h"
#include "common/machine.h"
#include "common/methods.h"
#include "common/report.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- the plan ---- */

typedef struct plan
{
    const char *scenes, *sizes, *motions;
} plan;

/*  What is measured by default. */
static const plan usual[] = {
    {"uniform,ratio10,ratio100,fines10,fines100,giant,clusters,discs,discs32,needles",
     "1e4,1e5,1e6", "none"},
    {"uniform,discs", "1e4,1e5,1e6", "all:0.01,few:1:0.1"},
};

static const plan quick[] = {
    {"uniform,fines10,discs,needles", "3000,1e4", "none"},
    {"uniform,discs", "3000", "all:0.01,few:1:0.1"},
};

/*  The next word of a list with commas; false at its end. */
static bool next_word(const char **list, char *word, size_t bytes)
{
    size_t length = strcspn(*list, ",");
    if (**list == 0)
        return false;
    snprintf(word, bytes, "%.*s", (int)length, *list);
    *list += length + ((*list)[length] == ',');
    return true;
}

static bool check_scene(const char *name)
{
    scree_scene scene;
    scree_error error;
    if (scree_scene_create(name, 0, 0, NULL, &scene, &error) != SCREE_OK) {
        scree_usage_error("peers: --%s", error.text);
        return false;
    }
    scree_scene_free(&scene);
    return true;
}

static bool check_motion(const char *text)
{
    scree_scene_motion motion;
    scree_error error;
    if (scree_scene_motion_parse(text, &motion, &error) == SCREE_OK &&
        motion.kind != SCREE_MOTION_SPRINGS)
        return true;
    scree_usage_error("peers: --motion: \"%.40s\" is not none, all:RADII or few:PERCENT[:RADII]",
                      text);
    return false;
}

static bool add_case(scree_peer_job *job, const char *scene, const char *motion, const char *size)
{
    uint64_t n;
    if (!scree_text_to_count(size, &n) || n < 1 || n > SCREE_MAX_BODIES) {
        scree_usage_error("peers: --n: \"%.40s\" is not a number of bodies", size);
        return false;
    }
    if (!check_scene(scene) || !check_motion(motion))
        return false;
    if (job->case_count == SCREE_PEER_CASES) {
        scree_usage_error("peers: more than %d cases", SCREE_PEER_CASES);
        return false;
    }
    scree_peer_case *c = &job->cases[job->case_count++];
    memset(c, 0, sizeof *c);
    snprintf(c->scene, sizeof c->scene, "%s", scene);
    snprintf(c->motion, sizeof c->motion, "%s", motion);
    c->n = n;
    return true;
}

/*  All scenes with all motions in all sizes; sizes inside, so that what took long is known. */
static bool add_cases(scree_peer_job *job, plan p)
{
    char scene[SCREE_PEER_NAME], motion[SCREE_PEER_NAME], size[SCREE_PEER_NAME];
    for (const char *scenes = p.scenes; next_word(&scenes, scene, sizeof scene);)
        for (const char *motions = p.motions; next_word(&motions, motion, sizeof motion);)
            for (const char *sizes = p.sizes; next_word(&sizes, size, sizeof size);)
                if (!add_case(job, scene, motion, size))
                    return false;
    return true;
}

static bool parse_plan(const scree_arguments *arguments, scree_peer_job *job)
{
    const scree_verb *verb = &scree_verb_bench_peers;
    const plan *plans = scree_argument(verb, arguments, "quick") ? quick : usual;
    const char *scenes = scree_argument(verb, arguments, "scene");
    const char *sizes = scree_argument(verb, arguments, "n");
    const char *motions = scree_argument(verb, arguments, "motion");
    if (scenes || motions) {
        plan own = {scenes ? scenes : plans[0].scenes, sizes ? sizes : plans[0].sizes,
                    motions ? motions : "none"};
        return add_cases(job, own);
    }
    for (size_t k = 0; k < 2; k++) {
        plan p = plans[k];
        p.sizes = sizes ? sizes : p.sizes;
        if (!add_cases(job, p))
            return false;
    }
    return true;
}

/* ---- the methods of scree ---- */

static void add_method(scree_peer_job *job, const char *method, const char *margin,
                       const char *settings)
{
    scree_peer_entry *entry = &job->entry[job->entry_count];
    if (job->entry_count == SCREE_PEER_ENTRIES)
        return;
    memset(entry, 0, sizeof *entry);
    snprintf(entry->package, sizeof entry->package, "scree");
    snprintf(entry->name, sizeof entry->name, "%.24s%s", method, margin);
    snprintf(entry->settings, sizeof entry->settings, "scree, method %.24s%s", method, settings);
    entry->is_scree = true;
    entry->only_moving = margin[0] != 0;
    job->entry_count++;
}

/*  Each method as it is, then with margins. */
static bool parse_methods(const scree_arguments *arguments, scree_peer_job *job)
{
    const scree_verb *verb = &scree_verb_bench_peers;
    const char *list = scree_argument(verb, arguments, "method"), *rest;
    char name[SCREE_PEER_NAME];
    if (!list)
        list = "flat";
    for (rest = list; next_word(&rest, name, sizeof name);) {
        if (!scree_check_method(verb, name))
            return false;
        add_method(job, name, "", "");
    }
    for (rest = list; next_word(&rest, name, sizeof name);) {
        add_method(job, name, "+skin", ", margin skin:length=-0.1");
        add_method(job, name, "+tolerance", ", margin tolerance:extent=0.05,reach=1");
    }
    if (job->entry_count == 0)
        scree_usage_error("peers: --method: there is no \"\"; see scree methods");
    return job->entry_count > 0;
}

/* ---- the verb ---- */

static bool parse_job(const scree_arguments *arguments, scree_peer_job *job)
{
    const scree_verb *verb = &scree_verb_bench_peers;
    const char *programs = scree_argument(verb, arguments, "programs");
    double seconds = 30, gigabytes = 8;
    job->programs = programs ? programs : "build/peers/bench/peers";
    job->out = scree_argument(verb, arguments, "out");
    job->wanted = scree_argument(verb, arguments, "peers");
    job->seed = 1;
    job->repeats = scree_argument(verb, arguments, "quick") ? 3 : 5;
    job->steps = scree_argument(verb, arguments, "quick") ? 20 : 100;
    if (!scree_parse_count(verb, arguments, "steps", 1, SCREE_PEER_STEPS, &job->steps) ||
        !scree_parse_count(verb, arguments, "repeat", 1, 100, &job->repeats) ||
        !scree_parse_count(verb, arguments, "seed", 0, UINT64_MAX, &job->seed) ||
        !scree_parse_real(verb, arguments, "limit", 0.1, 86400, &seconds) ||
        !scree_parse_real(verb, arguments, "memory", 0.1, 1e6, &gigabytes) ||
        !scree_parse_word(verb, arguments, "format", scree_report_formats, &job->format))
        return false;
    job->limits = (scree_peer_limits){seconds, (uint64_t)(gigabytes * 1e9), SCREE_PEER_FILE_BYTES};
    return parse_methods(arguments, job) && parse_plan(arguments, job);
}

static int measure_cases(scree_peer_job *job)
{
    bool table = job->format == SCREE_REPORT_TABLE;
    int code = SCREE_EXIT_OK;
    for (size_t k = 0; k < job->case_count; k++) {
        if (isatty(STDERR_FILENO))
            fprintf(stderr, "  case %zu of %zu: %s, n = %" PRIu64 ", motion %s\n", k + 1,
                    job->case_count, job->cases[k].scene, job->cases[k].n, job->cases[k].motion);
        int found = scree_peers_measure(job, k);
        if (found != SCREE_EXIT_OK)
            code = found;
        if (table && job->cases[k].figures[0].measured)
            scree_peers_print_case(job, k);
    }
    if (!table)
        scree_peers_print_all(job, job->format, stdout);
    else if (code == SCREE_EXIT_OK)
        puts("\nall find the same pairs");
    return code;
}

static int run_bench_peers(const scree_arguments *arguments)
{
    static scree_peer_job job;
    job.cases = malloc(SCREE_PEER_CASES * sizeof *job.cases);
    if (!job.cases)
        return scree_status_error(SCREE_OUT_OF_MEMORY, NULL);
    int code = SCREE_EXIT_USAGE;
    if (parse_job(arguments, &job))
        code = scree_peers_find(&job);
    scree_machine_load(job.load);
    if (code == SCREE_EXIT_OK)
        code = measure_cases(&job);
    /* one that finds other pairs does not cost what the others took */
    if ((code == SCREE_EXIT_OK || code == SCREE_EXIT_CHECK) && job.out) {
        int written = scree_peers_write(&job, job.out);
        code = written != SCREE_EXIT_OK ? written : code;
    }
    free(job.cases);
    return code;
}

static const scree_option bench_peers_options[] = {
    {"scene", "NAMES", "scenes of scree-bench detect, with commas; ten of them"},
    {"n", "NUMBERS", "bodies, with commas; 1e4,1e5,1e6"},
    {"motion", "MOTIONS",
     "none, all:RADII, few:PERCENT[:RADII], with commas; without it and --scene all\n"
     "scenes still, uniform and discs also with all:0.01 and few:1:0.1"},
    {"method", "NAMES", "methods of scree; the first is what all are compared with; flat"},
    {"peers", "NAMES", "libraries or variants; all that are there"},
    {"quick", NULL, "few scenes and bodies: a minute"},
    {"steps", "S", "steps of moving bodies; 100"},
    {"repeat", "R", "runs of still bodies; the median counts; 5"},
    {"limit", "SECONDS", "of work, after which a peer is stopped; 30"},
    {"memory", "GB", "address space of a peer; 8"},
    {"seed", "Q", "other scenes of the same kind; 1"},
    {"format", "FORMAT", "table, csv or json; table"},
    {"out", "DIR", "write peers.md, peers.csv and a chart for each number of bodies"},
    {"programs", "DIR", "where the peers are; build/peers/bench/peers"},
    {NULL, NULL, NULL},
};

const scree_verb scree_verb_bench_peers = {
    .name = "peers",
    .summary =
        "Measures other libraries on the same bodies, and checks that they find the same pairs.",
    .text = "The peers are programs that ./do bench peers builds, with the libraries that Debian "
            "has: CGAL,\n"
            "Boost.Geometry, nanoflann, Embree, Bullet, ODE, FCL, Box2D, Chipmunk; and a plain "
            "grid. Each case\n"
            "runs in a process of its own, with limits. times is the time over that of the first "
            "method; build and "
            "find are the\n"
            "parts of it, filter is the part of find that puts kept pairs to the rule; worst is "
            "the slowest run\n"
            "or step. Exit code 1 if one finds other pairs.",
    .example = "scree-bench peers --programs build/peers/bench/peers --quick",
    .options = bench_peers_options,
    .run = run_bench_peers,
};
