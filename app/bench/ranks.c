/*  scree-bench ranks: what many ranks would send, and what a step would take with them. */
#include "app/bench/verbs.h"
#include "cases/rank_traffic.h"
#include "common/report.h"
#include "dist/partition.h"

#include "base/common.h"

#define MAX_ROWS 32

static const scree_option options[] = {
    {"scene", "NAME", "spheres: uniform, ratio10, ratio100, ...; uniform"},
    {"n", "N", "bodies that are cut into parts and counted; 1000000"},
    {"ranks", "NUMBERS", "with commas, to 32768; 8,64,512,4096"},
    {"margin", "M", "that bodies may move between distributions, in smallest radii; 0.2"},
    {"bodies", "N", "for which a step is predicted; 1e9"},
    {"body-ns", "T", "ns that a body takes on one core, a step; 300"},
    {"latency", "T", "of a message, microseconds; 2"},
    {"bandwidth", "B", "of a rank, GB/s; 1"},
    {"format", "WORD", "table, csv or json; table"},
    {NULL, NULL, NULL},
};

static const scree_report_column columns[] = {
    {"ranks", false, false},      {"bodies", false, false},    {"imbalance", false, false},
    {"copies", false, false},     {"offered", false, false},   {"messages", false, false},
    {"most", false, false},       {"bodies_of", false, false}, {"copies_of", false, false},
    {"kB", false, false},         {"work_ms", false, false},   {"messages_ms", false, false},
    {"bytes_ms", false, false},   {"reduce_ms", false, false}, {"divide_ms", false, false},
    {"efficiency", false, false},
};

typedef struct request
{
    const char *scene;
    uint64_t n, bodies, ranks[MAX_ROWS];
    size_t rank_count;
    double margin;
    scree_cluster cluster;
    int format;
} request;

static bool parse(const scree_arguments *arguments, request *r)
{
    const scree_verb *verb = &scree_verb_bench_ranks;
    const char *scene = scree_argument(verb, arguments, "scene");

    *r = (request){.scene = scene ? scene : "uniform",
                   .n = 1000000,
                   .bodies = 1000000000,
                   .margin = 0.2,
                   .cluster = {0, 300, 2, 1}};
    if (!scree_parse_count(verb, arguments, "n", 2, 1000000000, &r->n) ||
        !scree_parse_counts(verb, arguments, "ranks", "8,64,512,4096", SCREE_MAX_RANKS, MAX_ROWS,
                            r->ranks, &r->rank_count) ||
        !scree_parse_real(verb, arguments, "margin", 0, 1e6, &r->margin) ||
        !scree_parse_count(verb, arguments, "bodies", 1, UINT64_C(1) << 60, &r->bodies) ||
        !scree_parse_real(verb, arguments, "body-ns", 1e-3, 1e9, &r->cluster.body_ns) ||
        !scree_parse_real(verb, arguments, "latency", 0, 1e9, &r->cluster.latency_us) ||
        !scree_parse_real(verb, arguments, "bandwidth", 1e-6, 1e6, &r->cluster.bandwidth) ||
        !scree_parse_word(verb, arguments, "format", scree_report_formats, &r->format))
        return false;
    r->cluster.bodies = (double)r->bodies;
    return true;
}

static void add_row(scree_report *report, const scree_rank_traffic *t, const scree_cluster *cluster)
{
    const scree_rank_forecast f = scree_bench_rank_forecast(t, cluster);

    scree_report_add(report, "%u", t->ranks);
    scree_report_add(report, "%.0f", t->bodies);
    scree_report_add(report, "%.3f", t->imbalance);
    scree_report_add(report, "%.0f", t->copies);
    scree_report_add(report, "%.2f", t->offered);
    scree_report_add(report, "%.1f", t->messages);
    scree_report_add(report, "%.0f", t->max_messages);
    scree_report_add(report, "%.3g", f.bodies);
    scree_report_add(report, "%.3g", f.copies);
    scree_report_add(report, "%.3g", f.kilobytes);
    scree_report_add(report, "%.3g", f.work_ms);
    scree_report_add(report, "%.3g", f.messages_ms);
    scree_report_add(report, "%.3g", f.bytes_ms);
    scree_report_add(report, "%.3g", f.reductions_ms);
    scree_report_add(report, "%.3g", f.distribution_ms);
    scree_report_add(report, "%.3f", f.efficiency);
}

static scree_status count_all(const request *r, scree_rank_traffic row[MAX_ROWS],
                              scree_error *error)
{
    scree_scene scene;
    scree_status status = scree_scene_create(r->scene, r->n, 1, NULL, &scene, error);

    if (status)
        return status;
    if (scene.volume != SCREE_SPHERES) {
        scree_scene_free(&scene);
        snprintf(error->text, sizeof error->text, "ranks: scene \"%.60s\" has no spheres",
                 r->scene);
        return SCREE_BAD_ARGUMENT;
    }
    for (size_t k = 0; k < r->rank_count && !status; k++)
        status = scree_bench_rank_traffic(&scene, r->margin, (uint32_t)r->ranks[k], &row[k], error);
    scree_scene_free(&scene);
    return status;
}

static int run_bench_ranks(const scree_arguments *arguments)
{
    scree_error error = {SCREE_OK, ""};
    scree_rank_traffic row[MAX_ROWS];
    scree_report report;
    request r;

    if (!parse(arguments, &r))
        return SCREE_EXIT_USAGE;
    const scree_status status = count_all(&r, row, &error);
    if (status)
        return scree_status_error(status, error.text);
    scree_report_begin(&report, columns, SCREE_COUNT_OF(columns));
    for (size_t k = 0; k < r.rank_count; k++)
        add_row(&report, &row[k], &r.cluster);
    const int code = scree_report_end(&report, r.format, stdout);
    if (code == SCREE_EXIT_OK && r.format == SCREE_REPORT_TABLE)
        printf(
            "\nCounted in a partition of %llu bodies, for each rank: bodies owned; the most over "
            "the mean; copies of\nothers' bodies; what is offered in a distribution, over copies; "
            "messages "
            "a step, mean and most.\nPredicted for %.3g bodies: bodies and copies of a rank; kB "
            "that the busiest sends a step; milliseconds\na step for its own work, for latency, "
            "bytes, reductions, and new distributions; and how much of the\nranks' time is work "
            "that one core would have.\n",
            (unsigned long long)r.n, (double)r.bodies);
    return code;
}

const scree_verb scree_verb_bench_ranks = {
    .name = "ranks",
    .summary = "Counts what many ranks would send, and predicts steps with them.",
    .text =
        "Partitions and copies are those of runs on ranks, made by one process. Predictions are "
        "a model, not\n"
        "measurements: docs/results/scale.md has its assumptions.",
    .example = "scree-bench ranks --ranks 1000,10000 --n 1e7",
    .options = options,
    .run = run_bench_ranks,
};
