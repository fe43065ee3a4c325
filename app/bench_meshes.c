/*  scree bench meshes: what it costs to find the touching triangles of two bodies. */
#include "bench_meshes.h"
#include "report.h"
#include "verbs.h"

static const scree_option options[] = {
    {"searches", "N", "searches that each figure is measured over; 2000"},
    {"format", "WORD", "table, csv or json; table"},
    {NULL, NULL, NULL},
};

static const scree_report_column columns[] = {
    {"bodies", true, false},        {"triangles", false, false}, {"gap", false, false},
    {"contacts", false, false},     {"points", false, false},    {"candidates", false, false},
    {"box_tests", false, false},    {"placed", false, false},    {"scalar_us", false, false},
    {"avx2_us", false, false},      {"avx512_us", false, false}, {"merge_us", false, false},
    {"all_pairs_us", false, false}, {"faster", false, false},    {"build_us", false, false},
};

static void add_row(scree_report *report, int format, const scree_mesh_bench *bench)
{
    int best = bench->us[SCREE_SIMD_AVX512] > 0 ? SCREE_SIMD_AVX512
               : bench->us[SCREE_SIMD_AVX2] > 0 ? SCREE_SIMD_AVX2
                                                : SCREE_SIMD_SCALAR;
    scree_report_add(report, "%s", bench->name);
    scree_report_add(report, "%u", bench->triangles);
    scree_report_add(report, "%g", bench->gap);
    scree_report_add(report, "%llu", (unsigned long long)bench->counts.contacts);
    scree_report_add(report, "%zu", bench->points);
    scree_report_add(report, "%llu", (unsigned long long)bench->counts.candidates);
    scree_report_add(report, "%llu", (unsigned long long)bench->counts.boxes);
    scree_report_add(report, "%llu", (unsigned long long)bench->counts.placed);
    for (int level = SCREE_SIMD_SCALAR; level <= SCREE_SIMD_AVX512; level++)
        if (bench->us[level] > 0)
            scree_report_add(report, "%.2f", bench->us[level]);
        else
            scree_report_add(report, "%s", format == SCREE_REPORT_TABLE ? "-" : "0");
    scree_report_add(report, "%.2f", bench->merge_us);
    scree_report_add(report, "%.0f", bench->all_us);
    scree_report_add(report, "%.0f", bench->all_us / bench->us[best]);
    scree_report_add(report, "%.0f", bench->build_us);
}

static int run_bench_meshes(const scree_arguments *arguments)
{
    static scree_mesh_bench bench[SCREE_MESH_BENCHES];
    const scree_verb *verb = &scree_verb_bench_meshes;
    scree_error error = {SCREE_OK, ""};
    scree_report report;
    uint64_t searches = 2000;
    size_t count;
    int format = SCREE_REPORT_TABLE;
    if (!scree_parse_count(verb, arguments, "searches", 1, 100000000, &searches) ||
        !scree_parse_word(verb, arguments, "format", scree_report_formats, &format))
        return SCREE_EXIT_USAGE;
    scree_status status = scree_bench_meshes(searches, bench, &count, &error);
    if (status == SCREE_BAD_VALUE) {
        fprintf(stderr, "scree: bench meshes: %s\n", error.text);
        return SCREE_EXIT_CHECK;
    }
    if (status)
        return scree_status_error(status, error.text);
    scree_report_begin(&report, columns, SCREE_COUNT_OF(columns));
    for (size_t k = 0; k < count; k++)
        add_row(&report, format, &bench[k]);
    int code = scree_report_end(&report, format, stdout);
    if (code == SCREE_EXIT_OK && format == SCREE_REPORT_TABLE)
        fputs(
            "\nMicroseconds of processor time to find all triangle pairs within 0.02 of each "
            "other, with\n"
            "points. Nothing is done to a body that moves beside this. placed: triangles brought "
            "into the\n"
            "world. faster: all pairs over boxes, at the best level. build: once for each mesh.\n",
            stdout);
    return code;
}

const scree_verb scree_verb_bench_meshes = {
    "bench meshes",
    NULL,
    "Measures how fast the touching triangles of two meshes are found.",
    "Two globes of 1,280 triangles, round and bumpy, with halos of 0.01, at gaps of 0.005, 0.015 "
    "and\n"
    "0.05. docs/results/meshes.md explains. Exit code 1 if boxes find anything but what all pairs "
    "give.",
    options,
    run_bench_meshes,
};
