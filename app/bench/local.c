/*  scree-bench local: what steps of their own save. */
#include "app/bench/verbs.h"
#include "base/common.h"
#include "cases/local_steps.h"
#include "common/report.h"

static const scree_option local_options[] = {
    {"heaps", "N", "of 14 large spheres; 1000"},
    {"steps", "N", "of the large spheres; 40"},
    {"format", "WORD", "table, csv or json; table"},
    {NULL, NULL, NULL},
};

static const scree_report_column local_columns[] = {
    {"ratio", false, false},    {"large", false, false},   {"small", false, false},
    {"level", false, false},    {"shorter", false, false}, {"uniform_ms", false, false},
    {"local_ms", false, false}, {"gain", false, false},    {"difference", false, false},
};

static void add_local_row(scree_report *report, const scree_local_row *row)
{
    scree_report_add(report, "%g", row->ratio);
    scree_report_add(report, "%llu", (unsigned long long)row->large);
    scree_report_add(report, "%llu", (unsigned long long)row->small);
    scree_report_add(report, "%u", row->level);
    scree_report_add(report, "%llu", (unsigned long long)row->in_shorter);
    scree_report_add(report, "%.2f", row->uniform_ms);
    scree_report_add(report, "%.2f", row->local_ms);
    scree_report_add(report, "%.2f", row->uniform_ms / row->local_ms);
    scree_report_add(report, "%.2g", row->apart);
}

static int run_bench_local(const scree_arguments *arguments)
{
    const scree_verb *verb = &scree_verb_bench_local;
    scree_local_row row[SCREE_LOCAL_ROWS];
    scree_error error = {SCREE_OK, ""};
    scree_report report;
    uint64_t heaps = 1000, steps = 40;
    int format = SCREE_REPORT_TABLE;

    if (!scree_parse_count(verb, arguments, "heaps", 1, 1000000, &heaps) ||
        !scree_parse_count(verb, arguments, "steps", 1, 1000000, &steps) ||
        !scree_parse_word(verb, arguments, "format", scree_report_formats, &format))
        return SCREE_EXIT_USAGE;
    scree_status status = scree_bench_local(heaps, steps, row, &error);
    if (status)
        return scree_status_error(status, error.text);
    scree_report_begin(&report, local_columns, SCREE_COUNT_OF(local_columns));
    for (size_t k = 0; k < SCREE_LOCAL_ROWS; k++)
        add_local_row(&report, &row[k]);
    int code = scree_report_end(&report, format, stdout);
    if (code == SCREE_EXIT_OK && format == SCREE_REPORT_TABLE)
        fputs("\nMilliseconds of processor time for the time of one step of the large spheres: "
              "with the "
              "shortest\nstep for all (2^level steps), and with a step of its own for each body. "
              "difference: the largest\ndifference of positions at the end, over radii.\n",
              stdout);
    return code;
}

const scree_verb scree_verb_bench_local = {
    .name = "local",
    .summary = "Measures what local time stepping saves.",
    .text = "Heaps of large balls at rest, with one small bouncing ball for every fifty of them. "
            "The small\n"
            "radii are a fourth to a thirty-second. docs/results/local-steps.md explains.",
    .example = "scree-bench local --heaps 1000 --steps 40",
    .options = local_options,
    .run = run_bench_local,
};
