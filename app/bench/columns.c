/*  scree-bench columns: what each column of a table, each feature of a detector and each form of its pairs costs
    beside the bare table. */
#include "cases/columns.h"
#include "app/bench/verbs.h"
#include "common/methods.h"
#include "common/report.h"

#include "base/common.h"

#include <inttypes.h>

static const scree_option options[] = {
    {"n", "N", "equal spheres; 100000"},
    {"method", "NAME", "flat"},
    {"simd", "LEVEL", "scalar, simd128, avx2 or avx512; auto: all that the machine has"},
    {"threads", "T", "1 to 256: with one thread, and then with T; 1"},
    {"repeat", "N", "turns of each, three runs a turn, of which the least counts; 9"},
    {"format", "WORD", "table, csv or json; table"},
    {NULL, NULL, NULL},
};

static const scree_report_column columns[] = {
    {"simd", true, false},       {"threads", false, false},    {"case", true, false},
    {"update_ns", false, false}, {"pairs_ns", false, false},   {"whole_ns", false, false},
    {"over_bare", false, false}, {"pairs_body", false, false},
};

typedef struct job
{
    uint64_t n, repeats, threads;
    const char *method;
    int simd, format; /* simd: SCREE_SIMD_AUTO for all levels */
} job;

/*  All cases at one level, with one thread and with several. */
typedef struct level_rows
{
    scree_column_row alone[SCREE_CASES], together[SCREE_CASES];
} level_rows;

static bool is_wanted(const job *j, int level)
{
    return scree_simd_resolve((scree_simd)level) == (scree_simd)level &&
           (j->simd == SCREE_SIMD_AUTO || level == (int)scree_simd_resolve((scree_simd)j->simd));
}

static void add_rows(scree_report *report, int level, uint64_t threads, const job *j,
                     const scree_column_row row[SCREE_CASES])
{
    double bare = row[SCREE_CASE_BARE].ns_update + row[SCREE_CASE_BARE].ns_pairs;
    for (int which = 0; which < SCREE_CASES; which++) {
        double whole = row[which].ns_update + row[which].ns_pairs;
        scree_report_add(report, "%s", scree_simd_words[level]);
        scree_report_add(report, "%" PRIu64, threads);
        scree_report_add(report, "%s", scree_column_case_names[which]);
        scree_report_add(report, "%.1f", row[which].ns_update);
        scree_report_add(report, "%.1f", row[which].ns_pairs);
        scree_report_add(report, "%.1f", whole);
        scree_report_add(report, "%.2f", whole / bare);
        scree_report_add(report, "%.2f", (double)row[which].pairs / (double)j->n);
    }
}

static int print_rows(const job *j, const level_rows rows[SCREE_SIMD_AVX512 + 1])
{
    scree_report report;
    scree_report_begin(&report, columns, SCREE_COUNT_OF(columns));
    for (int level = SCREE_SIMD_SCALAR; level <= SCREE_SIMD_AVX512; level++) {
        if (is_wanted(j, level))
            add_rows(&report, level, 1, j, rows[level].alone);
        if (is_wanted(j, level) && j->threads > 1)
            add_rows(&report, level, j->threads, j, rows[level].together);
    }
    int code = scree_report_end(&report, j->format, stdout);
    if (code == SCREE_EXIT_OK && j->format == SCREE_REPORT_TABLE)
        fputs("\nns a body, of processor time with one thread, by the clock with several: changing "
              "all bodies, and\n"
              "finding all pairs. over_bare: beside the bare table with as many threads.\n"
              "Periods and skins add pairs; quiet steps look at bodies, and search nothing. The "
              "cases from\n"
              "\"canonical\" on find the pairs of the bare table in another form.\n",
              stdout);
    return code;
}

static scree_status measure_level(const job *j, int level, level_rows *rows, scree_error *error)
{
    scree_status status = scree_bench_columns(j->method, j->n, (scree_simd)level, 1,
                                              (uint32_t)j->repeats, rows->alone, error);
    if (status != SCREE_OK || j->threads == 1)
        return status;
    return scree_bench_columns(j->method, j->n, (scree_simd)level, (uint32_t)j->threads,
                               (uint32_t)j->repeats, rows->together, error);
}

static int run_bench_columns(const scree_arguments *arguments)
{
    const scree_verb *verb = &scree_verb_bench_columns;
    const char *method = scree_argument(verb, arguments, "method");
    level_rows rows[SCREE_SIMD_AVX512 + 1] = {{{{0, 0, 0}}, {{0, 0, 0}}}};
    job j = {.n = 100000, .repeats = 9, .threads = 1, .method = method ? method : "flat"};
    scree_error error = {SCREE_OK, ""};
    if (!scree_parse_count(verb, arguments, "n", 1, 10000000, &j.n) ||
        !scree_parse_count(verb, arguments, "threads", 1, 256, &j.threads) ||
        !scree_parse_count(verb, arguments, "repeat", 1, 1000, &j.repeats) ||
        !scree_parse_word(verb, arguments, "simd", scree_simd_words, &j.simd) ||
        !scree_parse_word(verb, arguments, "format", scree_report_formats, &j.format) ||
        !scree_check_method(verb, j.method))
        return SCREE_EXIT_USAGE;
    for (int level = SCREE_SIMD_SCALAR; level <= SCREE_SIMD_AVX512; level++) {
        scree_status status = SCREE_OK;
        if (is_wanted(&j, level))
            status = measure_level(&j, level, &rows[level], &error);
        if (status != SCREE_OK)
            return scree_status_error(status, error.text);
    }
    return print_rows(&j, rows);
}

const scree_verb scree_verb_bench_columns = {
    .name = "columns",
    .summary =
        "Measures what ids, filters, periods, margins and forms of the pairs add to detection.",
    .text = "Equal spheres at random in a cube. docs/results/flat.md explains.",
    .example = "scree-bench columns --threads 2 --repeat 25",
    .options = options,
    .run = run_bench_columns,
};
