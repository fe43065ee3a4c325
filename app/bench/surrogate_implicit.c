/*  Tables 5 to 8: implicit steps of worlds. */
#include "app/bench/surrogate_tables.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static const scree_report_column guess_columns[] = {
    {"scene", true, false},
    {"method", true, false},
    {"guesses_a_step", false, false},
    {"paper", false, false},
};

static const scree_report_column implicit_columns[] = {
    {"scene", true, false},          {"method", true, false},       {"triangles", false, false},
    {"scale", false, false},         {"steps", false, false},       {"guesses", false, false},
    {"paper_guesses", false, false}, {"comparisons", false, false}, {"paper_100", false, false},
    {"us_a_step", false, false},     {"paper_s_100", false, false}, {"contacts", false, false},
    {"touching_%", false, false},
};

static void add_implicit_row(scree_report *report, int format, const scree_implicit_row *row)
{
    scree_report_add(report, "%s", row->scene);
    scree_report_add(report, "%s", row->method);
    scree_report_add(report, "%" PRIu32, row->triangles[1]);
    scree_report_add(report, "%g", row->scale);
    scree_report_add(report, "%" PRIu32, row->steps);
    scree_report_add(report, "%.2f", row->guesses);
    scree_table_paper(report, format, "%.4g", row->paper_guesses);
    scree_report_add(report, "%.1f", row->comparisons);
    scree_table_paper(report, format, "%.4g", row->paper_comparisons);
    scree_report_add(report, "%.2f", row->ns * 1e-3);
    scree_table_paper(report, format, "%.3g", row->paper_seconds);
    scree_report_add(report, "%.1f", row->contacts);
    scree_report_add(report, "%.0f", 100 * row->touching);
}

static void claim_guesses(scree_table_job *job)
{
    double single = 0, multiscale = 0;

    for (int k = 0; k < SCREE_IMPLICIT_ROWS; k++) {
        const scree_implicit_row *row = &job->implicit[k];
        if (strcmp(row->method, "single level") == 0 && row->guesses > single)
            single = row->guesses;
        if (strncmp(row->method, "multiscale", 10) == 0 && row->guesses > multiscale)
            multiscale = row->guesses;
    }
    scree_claim_add(&job->claims, "MR-H6", "NW-42", single <= 7,
                    "%.2f guesses a step, single level; 7 at most", single);
    scree_claim_add(&job->claims, "MR-H6", "NW-42", multiscale <= 13,
                    "%.2f guesses a step, multiscale; 13 at most", multiscale);
}

static void claim_costs(scree_table_job *job)
{
    static const struct
    {
        int method;
        const char *text[2];
    } costs[] = {
        {SCREE_IMPLICIT_LEVELS,
         {"multiscale takes %.2f times as long as explicit, particle-particle; 4 at most",
          "multiscale takes %.2f times as long as explicit, on plane; 4 at most"}},
        {SCREE_IMPLICIT_LEVELS_ROOTS,
         {"multiscale from the roots takes %.2f times as long as explicit, particle-particle",
          "multiscale from the roots takes %.2f times as long as explicit, on plane"}},
        {SCREE_IMPLICIT_WITHIN,
         {"within Picard takes %.2f times as long as explicit, particle-particle",
          "within Picard takes %.2f times as long as explicit, on plane"}},
    };
    bool same = true;

    for (int scene = 0; scene < 2; scene++) {
        const scree_implicit_row *row = &job->implicit[scene * SCREE_IMPLICIT_METHODS];
        uint64_t state = row[SCREE_IMPLICIT_FLAT].state;
        for (size_t k = 0; k < SCREE_COUNT_OF(costs); k++) {
            double ratio = row[costs[k].method].ns / row[SCREE_IMPLICIT_EXPLICIT].ns;
            scree_claim_add(&job->claims, "MR-H7", "NW-43 NW-44", ratio <= 4, costs[k].text[scene],
                            ratio);
        }
        same &= row[SCREE_IMPLICIT_WITHIN].state == state &&
                row[SCREE_IMPLICIT_WITHIN_ROOTS].state == state &&
                row[SCREE_IMPLICIT_BOXES].state == state;
    }
    scree_claim_add(&job->claims, "MR-H10", "NW-43", same,
                    "flat and within Picard end in bit-identical states, in %.0f scenes", 2);
}

static int measure_implicit(scree_table_job *job)
{
    scree_status status = SCREE_OK;

    if (!job->has_implicit)
        status = scree_bench_implicit_steps((uint32_t)job->steps, job->implicit, &job->error);
    job->has_implicit = !status;
    return scree_table_end(job, status);
}

int scree_table_guesses(scree_table_job *job)
{
    scree_report report;
    int code = measure_implicit(job);

    if (code != SCREE_EXIT_OK)
        return code;
    scree_table_title(job, "Table 5: guesses of an implicit step");
    scree_report_begin(&report, guess_columns, SCREE_COUNT_OF(guess_columns));
    for (int k = 0; k < SCREE_IMPLICIT_ROWS; k++) {
        scree_report_add(&report, "%s", job->implicit[k].scene);
        scree_report_add(&report, "%s", job->implicit[k].method);
        scree_report_add(&report, "%.2f", job->implicit[k].guesses);
        scree_table_paper(&report, job->format, "%g", job->implicit[k].paper_guesses);
    }
    claim_guesses(job);
    return scree_report_end(&report, job->format, stdout);
}

int scree_table_implicit(scree_table_job *job)
{
    scree_report report;
    int code = measure_implicit(job);

    if (code != SCREE_EXIT_OK)
        return code;
    scree_table_title(
        job,
        "Table 6: implicit steps of a globe of 1,224 triangles, contact skin 0.01: means over all "
        "steps (paper: sums over 100)");
    scree_report_begin(&report, implicit_columns, SCREE_COUNT_OF(implicit_columns));
    for (int k = 0; k < SCREE_IMPLICIT_ROWS; k++)
        add_implicit_row(&report, job->format, &job->implicit[k]);
    claim_costs(job);
    return scree_report_end(&report, job->format, stdout);
}

/*  Of a table of sizes: that there is something to be measured, what the partner's size costs, and the guesses as published. */
static void claim_sizes(scree_table_job *job, const scree_implicit_row row[SCREE_IMPLICIT_SIZES],
                        bool same_triangles)
{
    static const struct
    {
        const char *time, *comparisons;
    } texts[2][2] = {
        {{"of 80 triangles, a partner eight times as large takes %.2f times as long, from the "
          "roots; 3 at most",
          "and %.2f times as many comparisons, from the roots; 3 at most"},
         {"of 80 triangles, a partner eight times as large takes %.2f times as long, sets are "
          "kept; 3 at most",
          "and %.2f times as many comparisons, sets are kept; 3 at most"}},
        {{"an implicit step takes %.2f times as long at scale 8, from the roots; 3 at most",
          "and %.2f times as many comparisons, from the roots; 4 at most (paper: 3.75)"},
         {"an implicit step takes %.2f times as long at scale 8, sets are kept; 3 at most",
          "and %.2f times as many comparisons, sets are kept; 4 at most (paper: 3.75)"}},
    };
    const char *id = same_triangles ? "MR-H8" : "table 7";
    const char *rows = same_triangles ? "NW-46" : "NW-45";
    double least = 1, most = 0;

    for (int k = 0; k < SCREE_IMPLICIT_SIZES; k++)
        least = fmin(least, row[k].touching);
    scree_claim_add(&job->claims, id, rows, least >= 0.5,
                    "bodies touch at the end of %.0f %% of all steps, at least; 50 at least",
                    100 * least);
    for (int m = 0; m < 2; m++) {
        const scree_implicit_row *small = &row[m * SCREE_IMPLICIT_SCALES];
        const scree_implicit_row *large = &small[SCREE_IMPLICIT_SCALES - 1];
        double more = large->comparisons / small->comparisons;
        scree_claim_add(&job->claims, id, rows, large->ns <= 3 * small->ns,
                        texts[same_triangles][m].time, large->ns / small->ns);
        scree_claim_add(&job->claims, id, rows, more <= (same_triangles ? 4 : 3),
                        texts[same_triangles][m].comparisons, more);
    }
    for (int k = 0; k < SCREE_IMPLICIT_SCALES; k++)
        most = fmax(most, row[k].guesses);
    scree_claim_add(&job->claims, id, rows, most <= 20,
                    "%.1f guesses a step at most, from the roots; 20 at most (paper: 13 to 20)",
                    most);
}

int scree_table_implicit_sizes(scree_table_job *job, bool same_triangles)
{
    scree_implicit_row row[SCREE_IMPLICIT_SIZES];
    scree_report report;
    scree_status status =
        scree_bench_implicit_sizes((uint32_t)job->steps, same_triangles, row, &job->error);

    if (status)
        return scree_table_end(job, status);
    scree_table_title(job, same_triangles
                               ? "Table 8: the same in implicit steps, as published (from the "
                                 "roots) and with sets that are kept"
                               : "Table 7: a globe of 80 triangles meets larger ones of 80, "
                                 "implicit steps, as published (from the roots)\nand with sets "
                                 "that are kept");
    scree_report_begin(&report, implicit_columns, SCREE_COUNT_OF(implicit_columns));
    for (int k = 0; k < SCREE_IMPLICIT_SIZES; k++)
        add_implicit_row(&report, job->format, &row[k]);
    claim_sizes(job, row, same_triangles);
    return scree_report_end(&report, job->format, stdout);
}
