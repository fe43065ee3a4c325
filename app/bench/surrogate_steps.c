/*  Tables 4 and 8: searches of explicit steps. */
#include "app/bench/surrogate_tables.h"

#include <inttypes.h>
#include <string.h>

static const scree_report_column step_columns[] = {
    {"scene", true, false},    {"method", true, false},       {"triangles", false, false},
    {"scale", false, false},   {"comparisons", false, false}, {"paper", false, false},
    {"open", false, false},    {"paper_open", false, false},  {"us_a_step", false, false},
    {"paper_s", false, false}, {"contacts", false, false},    {"L0", false, false},
    {"L1", false, false},      {"L2", false, false},          {"L3", false, false},
    {"L4", false, false},      {"L5", false, false},
};

static void add_step_row(scree_report *report, int format, const scree_surrogate_row *row)
{
    scree_report_add(report, "%s", row->scene);
    scree_report_add(report, "%s", row->method);
    scree_report_add(report, "%" PRIu32, row->triangles);
    scree_report_add(report, "%g", row->scale);
    scree_report_add(report, "%.1f", row->comparisons);
    scree_table_paper(report, format, "%.4g", row->paper_comparisons);
    scree_report_add(report, "%.1f", row->fallbacks);
    scree_table_paper(report, format, "%.4g", row->paper_fallbacks);
    scree_report_add(report, "%.2f", row->ns * 1e-3);
    scree_table_paper(report, format, "%.3g", row->paper_seconds);
    scree_report_add(report, "%.1f", row->contacts);
    for (int k = 0; k < 6; k++)
        scree_table_paper(report, format, "%.1f", row->level[k]);
}

static const scree_surrogate_row *row_of(const scree_surrogate_row *row, size_t count,
                                         const char *scene, const char *method)
{
    for (size_t k = 0; k < count; k++)
        if (strcmp(row[k].scene, scene) == 0 && strcmp(row[k].method, method) == 0)
            return &row[k];
    return NULL;
}

static void claim_steps(scree_table_job *job, const scree_surrogate_row *row, size_t count)
{
    static const struct
    {
        const char *scene, *method;
        double least;
        const char *text;
    } fewer[] = {
        {"particle-particle", "sides, certified", 183,
         "%.0f times fewer comparisons, particle-particle, by sides; 183 at least"},
        {"particle-particle", "pairs, certified", 183,
         "%.0f times fewer comparisons, particle-particle, by pairs"},
        {"particle-particle", "sets, certified, published fit", 183,
         "%.0f times fewer comparisons, particle-particle, by sets, published fit"},
        {"on plane", "sides, certified", 119,
         "%.0f times fewer comparisons, on plane, by sides; 119 at least"},
        {"on plane", "pairs, certified", 119, "%.0f times fewer comparisons, on plane, by pairs"},
        {"on plane", "sets, certified, published fit", 119,
         "%.0f times fewer comparisons, on plane, by sets, published fit"},
    };
    const scree_surrogate_row *flat = row_of(row, count, "particle-particle", "flat, comparison");
    const scree_surrogate_row *sides = row_of(row, count, "particle-particle", "sides, certified");
    /* so few steps that nothing has come near: trees would be compared with nothing */
    if (!(sides->contacts > 0))
        return;
    for (size_t k = 0; k < SCREE_COUNT_OF(fewer); k++) {
        const scree_surrogate_row *tree = row_of(row, count, fewer[k].scene, fewer[k].method);
        double ratio =
            row_of(row, count, fewer[k].scene, "flat, comparison")->comparisons / tree->comparisons;
        scree_claim_add(&job->claims, "MR-H4", "NW-41", ratio >= fewer[k].least, fewer[k].text,
                        ratio);
    }
    scree_claim_add(&job->claims, "MR-H5", "NW-41", flat->ns >= 100 * sides->ns,
                    "%.0f times less time than flat by comparison, particle-particle; 100 at least",
                    flat->ns / sides->ns);
    /* else there would have been no table */
    scree_claim_add(&job->claims, "MR-H10", "NW-34", true,
                    "the same contacts flat and by trees, at every %.0fth step", 7);
}

int scree_table_steps(scree_table_job *job)
{
    static scree_surrogate_row row[SCREE_SURROGATE_STEPS];
    scree_report report;
    size_t count;
    scree_status status =
        scree_bench_surrogate_steps((uint32_t)job->steps, row, &count, &job->error);
    if (status)
        return scree_table_end(job, status);
    scree_table_title(
        job,
        "Table 4: explicit steps of a globe of 1,224 triangles, contact skin 0.01: means over all "
        "steps, of flat rows over every tenth, comparisons by level");
    scree_report_begin(&report, step_columns, SCREE_COUNT_OF(step_columns));
    for (size_t k = 0; k < count; k++)
        add_step_row(&report, job->format, &row[k]);
    claim_steps(job, row, count);
    return scree_report_end(&report, job->format, stdout);
}

int scree_table_sizes(scree_table_job *job)
{
    static scree_surrogate_row row[SCREE_SURROGATE_SIZES];
    scree_report report;
    scree_status status = scree_bench_surrogate_sizes((uint32_t)job->steps, row, &job->error);
    double ratio;
    if (status)
        return scree_table_end(job, status);
    scree_table_title(
        job, "Table 8: a globe of 80 triangles against larger ones, triangles of equal size: "
             "explicit steps (the paper's are implicit)");
    scree_report_begin(&report, step_columns, SCREE_COUNT_OF(step_columns));
    for (int k = 0; k < SCREE_SURROGATE_SIZES; k++)
        add_step_row(&report, job->format, &row[k]);
    ratio = row[SCREE_SURROGATE_SIZES - 1].ns / row[0].ns;
    scree_claim_add(&job->claims, "MR-H8", "NW-46", ratio <= 3,
                    "a partner eight times as large takes %.2f times as long; 3 at most", ratio);
    return scree_report_end(&report, job->format, stdout);
}
