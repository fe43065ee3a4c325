/*  scree-bench worlds: what bodies cost that are not plain spheres. */
#include "cases/worlds.h"
#include "app/bench/verbs.h"
#include "base/common.h"
#include "common/report.h"

#include <inttypes.h>

/*  What the library aims at. */
#define MAX_TIMES_SPHERE 8.0
#define MAX_TIMES_SPHERE_OF_5 5.0
#define MAX_US_PER_CONTACT 2.0
#define MAX_CUBE_NS 800.0
#define MAX_FALLING_CUBE_NS 300.0
#define MAX_GLUED_NS 80.0
#define MAX_DETECTION 0.05

static const scree_option worlds_options[] = {
    {"small", NULL, "few bodies and steps, to try it out: figures say nothing"},
    {"table", "WORD", "lain or glued; both"},
    {"turns", "N", "that each world has, of which the cheapest counts; 20"},
    {"format", "WORD", "table, csv or json; table"},
    {NULL, NULL, NULL},
};

typedef struct worlds_job
{
    scree_lain_plan lain;
    uint32_t across, steps; /* of the glued */
    int format, table;      /* below 0: both */
    scree_lain_row bed[SCREE_BENCH_KINDS];
    scree_glued_row cube[SCREE_BENCH_GLUES];
} worlds_job;

static const scree_report_column lain_columns[] = {
    {"bed", true, false},         {"bodies", false, false},    {"mm/s", false, false},
    {"pairs", false, false},      {"contacts", false, false},  {"ns", false, false},
    {"x_sphere", false, false},   {"us_pair", false, false},   {"us_contact", false, false},
    {"falling_ns", false, false}, {"x_falling", false, false},
};

static const scree_report_column glued_columns[] = {
    {"cube", true, false},      {"bodies", false, false},   {"bonds", false, false},
    {"contacts", false, false}, {"ns", false, false},       {"x_loose", false, false},
    {"search_%", false, false}, {"pairs_%", false, false},  {"sums_%", false, false},
    {"rest_%", false, false},   {"searches", false, false},
};

static int print_lain(const worlds_job *job)
{
    static const char *const names[] = {
        "spheres",    "clumps of 5 pebbles", "clumps of 8 pebbles",
        "cubes",      "blocks of 12 faces",  "meshes of 12 faces",
        "ellipsoids", "superquadrics",
    };
    scree_report report;

    scree_report_begin(&report, lain_columns, SCREE_COUNT_OF(lain_columns));
    for (int k = 0; k < SCREE_BENCH_KINDS; k++) {
        const scree_lain_row *row = &job->bed[k];
        scree_report_add(&report, "%s", names[k]);
        scree_report_add(&report, "%" PRIu32, row->bodies);
        scree_report_add(&report, "%.2f", 1e3 * row->speed);
        scree_report_add(&report, "%.2f", row->pairs);
        scree_report_add(&report, "%.2f", row->contacts);
        scree_report_add(&report, "%.0f", row->ns);
        scree_report_add(&report, "%.2f", row->ns / job->bed[SCREE_BENCH_SPHERES].ns);
        scree_report_add(&report, "%.3f", 1e-3 * row->ns / row->pairs);
        scree_report_add(&report, "%.3f", 1e-3 * row->ns / row->contacts);
        scree_report_add(&report, "%.0f", row->falling_ns);
        scree_report_add(&report, "%.2f",
                         row->falling_ns / job->bed[SCREE_BENCH_SPHERES].falling_ns);
    }
    return scree_report_end(&report, job->format, stdout);
}

static double sum_of(const scree_timings *timings)
{
    return timings->search + timings->pairs + timings->walls + timings->sums + timings->other;
}

static int print_glued(const worlds_job *job)
{
    static const char *const names[] = {"loose", "glued"};
    scree_report report;

    scree_report_begin(&report, glued_columns, SCREE_COUNT_OF(glued_columns));
    for (int k = 0; k < SCREE_BENCH_GLUES; k++) {
        const scree_glued_row *row = &job->cube[k];
        const double sum = sum_of(&row->timings);
        scree_report_add(&report, "%s", names[k]);
        scree_report_add(&report, "%" PRIu32, row->bodies);
        scree_report_add(&report, "%.2f", row->bonds);
        scree_report_add(&report, "%.2f", row->contacts);
        scree_report_add(&report, "%.1f", row->ns);
        scree_report_add(&report, "%.2f", row->ns / job->cube[SCREE_BENCH_LOOSE].ns);
        scree_report_add(&report, "%.1f", 100 * row->timings.search / sum);
        scree_report_add(&report, "%.1f", 100 * row->timings.pairs / sum);
        scree_report_add(&report, "%.1f", 100 * row->timings.sums / sum);
        scree_report_add(&report, "%.1f", 100 * (row->timings.other + row->timings.walls) / sum);
        scree_report_add(&report, "%" PRIu64, row->searches);
    }
    return scree_report_end(&report, job->format, stdout);
}

static void print_aim(const char *what, double found, double most)
{
    printf("%-5s %s: %.3g; %.3g at most\n", found <= most ? "met" : "miss", what, found, most);
}

static void print_lain_aims(const worlds_job *job)
{
    const scree_lain_row *bed = job->bed;

    puts(
        "\nns: of processor time for a body and step, at rest and while they fall from a lattice;\n"
        "pairs that touch and contacts are for each body.");
    print_aim("a clump of 5 pebbles, times a sphere",
              bed[SCREE_BENCH_CLUMPS_5].ns / bed[SCREE_BENCH_SPHERES].ns, MAX_TIMES_SPHERE_OF_5);
    print_aim("a clump of 8 pebbles, times a sphere",
              bed[SCREE_BENCH_CLUMPS].ns / bed[SCREE_BENCH_SPHERES].ns, MAX_TIMES_SPHERE);
    print_aim("a block of 12 faces, us a contact",
              1e-3 * bed[SCREE_BENCH_BLOCKS].ns / bed[SCREE_BENCH_BLOCKS].contacts,
              MAX_US_PER_CONTACT);
    print_aim("a cube, ns", bed[SCREE_BENCH_CUBES].ns, MAX_CUBE_NS);
    print_aim("a cube that falls, ns", bed[SCREE_BENCH_CUBES].falling_ns, MAX_FALLING_CUBE_NS);
}

static void print_glued_aims(const worlds_job *job)
{
    const scree_glued_row *glued = &job->cube[SCREE_BENCH_GLUED];

    puts("\nns: of processor time for a body and step, and where it goes.");
    print_aim("a glued sphere, ns", glued->ns, MAX_GLUED_NS);
    print_aim("of which detection", glued->timings.search / sum_of(&glued->timings), MAX_DETECTION);
}

static int run_lain(worlds_job *job, scree_error *error)
{
    scree_status status = scree_bench_lain(&job->lain, job->bed, error);
    int code = status ? scree_status_error(status, error->text) : print_lain(job);

    if (code == SCREE_EXIT_OK && job->format == SCREE_REPORT_TABLE)
        print_lain_aims(job);
    return code;
}

static int run_glued(worlds_job *job, scree_error *error)
{
    scree_status status =
        scree_bench_glued(job->across, job->lain.turns, job->steps, job->cube, error);
    int code = status ? scree_status_error(status, error->text) : print_glued(job);

    if (code == SCREE_EXIT_OK && job->format == SCREE_REPORT_TABLE)
        print_glued_aims(job);
    return code;
}

static worlds_job usual_job(bool is_small)
{
    if (is_small)
        return (worlds_job){.lain = {{64, 64, 64, 64, 64, 27, 64, 64}, 2000, 3, 5, 3, 400},
                            .across = 6,
                            .steps = 5};
    return (worlds_job){
        .lain = {{2197, 2197, 2197, 512, 512, 125, 512, 512}, 10000, 20, 20, 3, 400},
        .across = 46,
        .steps = 20};
}

static int run_bench_worlds(const scree_arguments *arguments)
{
    static const char *const tables[] = {"lain", "glued", NULL};
    const scree_verb *verb = &scree_verb_bench_worlds;
    worlds_job job = usual_job(scree_argument(verb, arguments, "small") != NULL);
    scree_error error = {SCREE_OK, ""};
    uint64_t turns = job.lain.turns;
    int code = SCREE_EXIT_OK;

    job.table = -1;
    if (!scree_parse_word(verb, arguments, "table", tables, &job.table) ||
        !scree_parse_count(verb, arguments, "turns", 1, 100000, &turns) ||
        !scree_parse_word(verb, arguments, "format", scree_report_formats, &job.format))
        return SCREE_EXIT_USAGE;
    if (job.table < 0 && job.format != SCREE_REPORT_TABLE)
        return scree_usage_error("worlds: csv and json are of one --table");
    job.lain.turns = (uint32_t)turns;
    if (job.table != 1)
        code = run_lain(&job, &error);
    if (job.table < 0)
        putchar('\n');
    if (code == SCREE_EXIT_OK && job.table != 0)
        code = run_glued(&job, &error);
    return code;
}

const scree_verb scree_verb_bench_worlds = {
    .name = "worlds",
    .summary = "Measures what clumps, blocks, superquadrics and bonds cost beside spheres.",
    .text = "Beds of each kind that lie in a box, and a cube of spheres loose and glued, by turns. "
            "docs/results/worlds.md\n"
            "explains.",
    .example = "scree-bench worlds",
    .options = worlds_options,
    .run = run_bench_worlds,
};
