/*  scree-bench triangles: what it costs to ask whether two triangles touch, by each method at each level. */
#include "cases/triangles.h"
#include "app/bench/verbs.h"
#include "common/report.h"

#include <inttypes.h>

static const scree_option options[] = {
    {"pairs", "N", "pairs that each figure is measured over; 500000"},
    {"layouts", NULL,
     "triangles that come from memory by index, as nine doubles and as nine floats; 1000000 pairs"},
    {"format", "WORD", "table, csv or json; table"},
    {NULL, NULL, NULL},
};

static const scree_report_column columns[] = {
    {"workload", true, false},   {"triangles", false, false},   {"pairs", false, false},
    {"touching", false, false},  {"method", true, false},       {"double", false, false},
    {"scalar", false, false},    {"simd128", false, false},     {"avx2", false, false},
    {"avx512", false, false},    {"steps", false, false},       {"fallback_%", false, false},
    {"paper_%", false, false},   {"in_double_%", false, false}, {"missed", false, false},
    {"unfounded", false, false}, {"faster", false, false},      {"paper", false, false},
};

/*  A figure, or a dash where there is none. */
static void add_figure(scree_report *report, int format, const char *text, double value, bool known)
{
    if (known)
        scree_report_add(report, text, value);
    else
        scree_report_add(report, "%s", format == SCREE_REPORT_TABLE ? "-" : "0");
}

static void add_row(scree_report *report, int format, const scree_triangle_bench *bench, int method)
{
    const double *ns = bench->ns[method], *exact = bench->ns[SCREE_TRIANGLES_COMPARISON];
    bool is_hybrid = method == SCREE_TRIANGLES_HYBRID, in_paper = is_hybrid && bench->triangles > 0;
    int best = SCREE_SIMD_AVX512;
    while (best > SCREE_SIMD_SCALAR && !(ns[best] > 0))
        best--;
    scree_report_add(report, "%s", bench->name);
    add_figure(report, format, "%.0f", bench->triangles, bench->triangles > 0);
    scree_report_add(report, "%zu", bench->pairs);
    scree_report_add(report, "%zu", bench->touching);
    scree_report_add(report, "%s", scree_triangle_method_names[method]);
    for (int level = 0; level <= SCREE_SIMD_AVX512; level++)
        add_figure(report, format, "%.1f", ns[level], ns[level] > 0);
    scree_report_add(report, "%.2f", bench->iterations[method]);
    add_figure(report, format, "%.3f", bench->fallback[method],
               method != SCREE_TRIANGLES_COMPARISON);
    add_figure(report, format, "%g", bench->paper_fallback, in_paper);
    scree_report_add(report, "%.3f", bench->doubles[method]);
    scree_report_add(report, "%zu", bench->missed[method]);
    scree_report_add(report, "%zu", bench->unfounded[method]);
    scree_report_add(report, "%.2f", exact[best] / ns[best]);
    add_figure(report, format, "%.2f", bench->paper_speed_up, in_paper);
}

static const scree_report_column layout_columns[] = {
    {"layout", true, false},       {"bytes_a_pair", false, false},      {"ns_a_pair", false, false},
    {"GB_a_second", false, false}, {"of_it_gathering_%", false, false},
};

/*  Row NW-15: a million pairs that come from memory. */
static int print_layouts(const scree_verb *verb, const scree_arguments *arguments, int format)
{
    scree_triangle_layout layout[SCREE_LAYOUTS];
    scree_error error = {SCREE_OK, ""};
    scree_report report;
    uint64_t pairs = 1000000;

    if (!scree_parse_count(verb, arguments, "pairs", 1, 100000000, &pairs))
        return SCREE_EXIT_USAGE;
    scree_status status = scree_bench_triangle_layouts((size_t)pairs, layout, &error);
    if (status != SCREE_OK)
        return status == SCREE_BAD_VALUE
                   ? (fprintf(stderr, "scree-bench: triangles: %s\n", error.text), SCREE_EXIT_CHECK)
                   : scree_status_error(status, error.text);
    scree_report_begin(&report, layout_columns, SCREE_COUNT_OF(layout_columns));
    for (int k = 0; k < SCREE_LAYOUTS; k++) {
        scree_report_add(&report, "%s", layout[k].name);
        scree_report_add(&report, "%zu", layout[k].bytes);
        scree_report_add(&report, "%.1f", layout[k].ns);
        scree_report_add(&report, "%.2f", layout[k].gb);
        scree_report_add(&report, "%.0f", 100 * layout[k].fill_share);
    }
    return scree_report_end(&report, format, stdout);
}

static int run_bench_triangles(const scree_arguments *arguments)
{
    static scree_triangle_bench bench[SCREE_TRIANGLE_BENCHES];
    const scree_verb *verb = &scree_verb_bench_triangles;
    scree_error error = {SCREE_OK, ""};
    scree_report report;
    uint64_t pairs = 500000;
    size_t count;
    int format = SCREE_REPORT_TABLE;
    if (!scree_parse_count(verb, arguments, "pairs", 1, 1000000000, &pairs) ||
        !scree_parse_word(verb, arguments, "format", scree_report_formats, &format))
        return SCREE_EXIT_USAGE;
    if (scree_argument(verb, arguments, "layouts"))
        return print_layouts(verb, arguments, format);
    scree_status status = scree_bench_triangles(pairs, bench, &count, &error);
    if (status != SCREE_OK)
        return status == SCREE_BAD_VALUE
                   ? (fprintf(stderr, "scree-bench: triangles: %s\n", error.text), SCREE_EXIT_CHECK)
                   : scree_status_error(status, error.text);
    scree_report_begin(&report, columns, SCREE_COUNT_OF(columns));
    for (size_t k = 0; k < count; k++)
        for (int method = 0; method < SCREE_TRIANGLE_METHODS; method++)
            add_row(&report, format, &bench[k], method);
    int code = scree_report_end(&report, format, stdout);
    if (code == SCREE_EXIT_OK && format == SCREE_REPORT_TABLE)
        fputs("\nns of processor time a pair: double is one pair at a time, the others batches of "
              "floats.\n"
              "fallback: pairs put to the comparison; paper: what Noble and Weinzierl print for "
              "hybrid.\n"
              "faster: time of comparison over that of the method, at the best level. Their times "
              "come to\n"
              "245 to 295 ns a pair for comparison (4 lanes), 100 to 133 for hybrid (8 lanes).\n",
              stdout);
    return code;
}

const scree_verb scree_verb_bench_triangles = {
    .name = "triangles",
    .summary = "Measures how fast touching triangles are found, and what each method misses.",
    .text = "Pairs at random, near ones, and the paper's: all triangles of two spheres, and of a "
            "sphere and a\n"
            "plane. docs/results/triangles.md explains. Exit code 1 if a method that must not miss "
            "any does.",
    .example = "scree-bench triangles --pairs 200000",
    .options = options,
    .run = run_bench_triangles,
};
