/*  scree-bench meshes: what it costs to find the touching triangles of two bodies. */
#include "cases/meshes.h"
#include "app/bench/meshes_peers.h"
#include "app/bench/verbs.h"
#include "cases/mesh_fit.h"
#include "common/report.h"

static const scree_option options[] = {
    {"searches", "N", "searches that each figure is measured over; 2000"},
    {"format", "WORD", "table, csv or json; table"},
    {"fit", NULL, "engines on meshes of many sizes instead, and what they are expected to cost"},
    {"peers", "DIR", "other libraries on the same meshes instead: the folder of their programs"},
    {NULL, NULL, NULL},
};

static const scree_report_column columns[] = {
    {"bodies", true, false},      {"triangles", false, false},    {"gap", false, false},
    {"contacts", false, false},   {"points", false, false},       {"candidates", false, false},
    {"box_tests", false, false},  {"placed", false, false},       {"scalar_us", false, false},
    {"simd128_us", false, false}, {"avx2_us", false, false},      {"avx512_us", false, false},
    {"merge_us", false, false},   {"all_pairs_us", false, false}, {"faster", false, false},
    {"build_us", false, false},
};

static void add_row(scree_report *report, int format, const scree_mesh_bench *bench)
{
    int best = SCREE_SIMD_AVX512;
    while (best > SCREE_SIMD_SCALAR && !(bench->us[best] > 0))
        best--;
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

/* ---- what auto goes by ---- */

static const scree_report_column fit_columns[] = {
    {"first", false, false},       {"second", false, false},          {"all_us", false, false},
    {"boxes_us", false, false},    {"surrogate_us", false, false},    {"all_known", false, false},
    {"boxes_known", false, false}, {"surrogate_known", false, false}, {"fastest", true, false},
    {"chosen", true, false},
};

static const char *const way_names[SCREE_MESH_WAYS] = {"all", "boxes", "surrogate"};

static scree_mesh_way fastest_of(const double us[SCREE_MESH_WAYS])
{
    scree_mesh_way best = SCREE_MESH_BY_ALL;
    for (int way = 0; way < SCREE_MESH_WAYS; way++)
        best = us[way] < us[best] ? (scree_mesh_way)way : best;
    return best;
}

/*  Measured, as the library foretells it, and the constants that would foretell this. */
static int print_fit(int format)
{
    scree_mesh_fit_row row[SCREE_MESH_FIT_ROWS];
    scree_mesh_fit fit[SCREE_MESH_WAYS];
    scree_error error = {SCREE_OK, ""};
    scree_report report;
    scree_status status = scree_bench_mesh_fit(row, fit, &error);
    if (status == SCREE_BAD_VALUE) {
        fprintf(stderr, "scree-bench: meshes: %s\n", error.text);
        return SCREE_EXIT_CHECK;
    }
    if (status)
        return scree_status_error(status, error.text);
    scree_report_begin(&report, fit_columns, SCREE_COUNT_OF(fit_columns));
    for (size_t k = 0; k < SCREE_MESH_FIT_ROWS; k++) {
        const uint32_t *n = row[k].triangles;
        scree_report_add(&report, "%u", n[0]);
        scree_report_add(&report, "%u", n[1]);
        for (int way = 0; way < SCREE_MESH_WAYS; way++)
            scree_report_add(&report, "%.2f", row[k].us[way]);
        for (int way = 0; way < SCREE_MESH_WAYS; way++)
            scree_report_add(&report, "%.2f", scree_mesh_cost((scree_mesh_way)way, n[0], n[1]));
        scree_report_add(&report, "%s", way_names[fastest_of(row[k].us)]);
        scree_report_add(&report, "%s", way_names[scree_mesh_cheapest(n[0], n[1])]);
    }
    int code = scree_report_end(&report, format, stdout);
    if (code != SCREE_EXIT_OK || format != SCREE_REPORT_TABLE)
        return code;
    puts("\nMicroseconds of a search, half of them in contact; known: what the library goes by. By "
         "these "
         "figures:");
    for (int way = 0; way < SCREE_MESH_WAYS; way++)
        printf("  %-9s  %.3g + %.3g %s, within a factor of %.2f\n", way_names[way], fit[way].fixed,
               fit[way].slope, way == SCREE_MESH_BY_ALL ? "n m" : "sqrt(n + m)", fit[way].worst);
    return code;
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
    if (scree_argument(verb, arguments, "fit") &&
        (scree_argument(verb, arguments, "searches") || scree_argument(verb, arguments, "peers"))) {
        scree_usage_error("meshes: --fit goes with no other option but --format");
        return SCREE_EXIT_USAGE;
    }
    if (scree_argument(verb, arguments, "fit"))
        return print_fit(format);
    if (scree_argument(verb, arguments, "peers"))
        return scree_bench_meshes_peers(scree_argument(verb, arguments, "peers"), searches, format);
    scree_status status = scree_bench_meshes(searches, bench, &count, &error);
    if (status == SCREE_BAD_VALUE) {
        fprintf(stderr, "scree-bench: meshes: %s\n", error.text);
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
    .name = "meshes",
    .summary = "Measures how fast the touching triangles of two meshes are found.",
    .text = "Two globes of 1,280 triangles, round and bumpy, with contact skins of 0.01, at gaps "
            "of 0.005, "
            "0.015 and\n"
            "0.05. docs/results/meshes.md explains. Exit code 1 if boxes find anything but what "
            "all pairs give.\n"
            "With --peers: FCL, CGAL, Embree, Bullet and ODE on these meshes, each asked what it "
            "can answer; the\n"
            "programs are built by ./do bench peers.",
    .example = "scree-bench meshes --fit",
    .options = options,
    .run = run_bench_meshes,
};
