/*  scree bench surrogate: surrogate trees in the rows of the paper that they come from, with the paper's figures beside, and what
    it claims. */
#include "bench_surrogate.h"
#include "bench_grid.h"
#include "bench_triangles.h"
#include "report.h"
#include "verbs.h"

#include <inttypes.h>
#include <string.h>

static const scree_option options[] = {
    {"table", "N", "1 to 9 of the paper, and the claims that it bears on"},
    {"all", NULL, "all of them"},
    {"steps", "N", "steps of the scenes of tables 4 to 9; 100, as in the paper, and 5 of table 9"},
    {"n", "N", "bodies of table 9; 24576, as in the paper"},
    {"own", NULL,
     "table 9: each body has a mesh and a tree of its own, as in the paper: takes hours"},
    {"pairs", "N", "pairs that each figure of tables 2 and 3 is measured over; 200000"},
    {"format", "WORD", "table, csv or json; table"},
    {NULL, NULL, NULL},
};

/*  What was claimed and what came out, for the end. */
typedef struct claim_list
{
    struct
    {
        const char *id;
        bool passed;
        char text[160];
    } claim[48];
    size_t count;
} claim_list;

static void add_claim(claim_list *list, const char *id, bool passed, const char *format,
                      double value)
{
    size_t at = list->count++;
    list->claim[at].id = id;
    list->claim[at].passed = passed;
    /* the formats are in this file */
    snprintf(list->claim[at].text, sizeof list->claim[at].text, format, value);
}

static void print_claims(const claim_list *list)
{
    for (size_t k = 0; k < list->count; k++)
        printf("%-7s %-5s %s\n", list->claim[k].id, list->claim[k].passed ? "pass" : "miss",
               list->claim[k].text);
}

/*  Everything that tables want. */
typedef struct table_job
{
    int format;
    uint64_t steps, pairs, grid_steps, bodies;
    bool own;
    claim_list claims;
    scree_error error;
    bool has_triangles; /* measured, for both tables */
    scree_triangle_bench triangles[SCREE_TRIANGLE_BENCHES];
    size_t triangle_count;
    bool has_implicit; /* measured, for both tables */
    scree_implicit_row implicit[SCREE_IMPLICIT_ROWS];
} table_job;

static int end_of_job(table_job *job, scree_status status)
{
    if (status == SCREE_BAD_VALUE)
        return fprintf(stderr, "scree: bench surrogate: %s\n", job->error.text), SCREE_EXIT_CHECK;
    return status ? scree_status_error(status, job->error.text) : SCREE_EXIT_OK;
}

/*  A figure, or a dash where the paper has none. */
static void add_paper(scree_report *report, int format, const char *text, double value)
{
    if (value > 0)
        scree_report_add(report, text, value);
    else
        scree_report_add(report, "%s", format == SCREE_REPORT_TABLE ? "-" : "0");
}

static void title(const table_job *job, const char *text)
{
    if (job->format == SCREE_REPORT_TABLE)
        printf("%s\n\n", text);
}

/* ---- table 1 ---- */

static const scree_report_column shape_columns[] = {
    {"eta_r", false, false},     {"triangles", false, false}, {"d_paper", false, false},
    {"eps_paper", false, false}, {"%_paper", false, false},   {"d_(6)", false, false},
    {"eps_(6)", false, false},   {"%_(6)", false, false},     {"d", false, false},
    {"eps", false, false},       {"%", false, false},         {"r", false, false},
    {"levels", false, false},    {"nodes", false, false},     {"build_ms", false, false},
};

static void claim_shapes(table_job *job, const scree_surrogate_shape *shape)
{
    double round = 0, lengthy = 1e9, round6 = 0, lengthy6 = 1e9;
    for (int k = 0; k < SCREE_SURROGATE_SHAPES; k++) {
        if (shape[k].stretch == 1) {
            round = shape[k].tightened.percent > round ? shape[k].tightened.percent : round;
            round6 = shape[k].functional.percent > round6 ? shape[k].functional.percent : round6;
        }
        if (k >= SCREE_SURROGATE_SHAPES - 3) {
            lengthy = shape[k].tightened.percent < lengthy ? shape[k].tightened.percent : lengthy;
            lengthy6 =
                shape[k].functional.percent < lengthy6 ? shape[k].functional.percent : lengthy6;
        }
    }
    add_claim(&job->claims, "MR-H1", round <= 135,
              "of a ball the root's halo is %.0f %% of the sphere's volume; 135 at most", round);
    add_claim(&job->claims, "MR-H1", lengthy <= 40, "drawn out 2.6 times it is %.0f %%; 40 at most",
              lengthy);
    add_claim(&job->claims, "MR-H1", round6 <= 135, "with functional (6) alone, a ball: %.0f %%",
              round6);
    add_claim(&job->claims, "MR-H1", lengthy6 <= 40,
              "with functional (6) alone, drawn out: %.0f %%", lengthy6);
}

static int print_shapes(table_job *job)
{
    static scree_surrogate_shape shape[SCREE_SURROGATE_SHAPES];
    scree_report report;
    scree_status status = scree_bench_surrogate_shapes(shape, &job->error);
    if (status)
        return end_of_job(job, status);
    title(job, "Table 1: the coarsest surrogate of globes drawn out eta_r times: longest edge d, "
               "halo eps, volume in % of "
               "the sphere's\naround; in the paper, by functional (6) alone, and tightened");
    scree_report_begin(&report, shape_columns, SCREE_COUNT_OF(shape_columns));
    for (int k = 0; k < SCREE_SURROGATE_SHAPES; k++) {
        const scree_surrogate_shape *s = &shape[k];
        scree_report_add(&report, "%.1f", s->stretch);
        scree_report_add(&report, "%" PRIu32, s->triangles);
        scree_report_add(&report, "%.2f", s->paper.edge);
        scree_report_add(&report, "%.2f", s->paper.eps);
        scree_report_add(&report, "%.0f", s->paper.percent);
        scree_report_add(&report, "%.2f", s->functional.edge);
        scree_report_add(&report, "%.2f", s->functional.eps);
        scree_report_add(&report, "%.0f", s->functional.percent);
        scree_report_add(&report, "%.2f", s->tightened.edge);
        scree_report_add(&report, "%.2f", s->tightened.eps);
        scree_report_add(&report, "%.0f", s->tightened.percent);
        scree_report_add(&report, "%.2f", 0.5 * s->stretch);
        scree_report_add(&report, "%" PRIu32, s->levels);
        scree_report_add(&report, "%" PRIu32, s->nodes);
        scree_report_add(&report, "%.1f", s->build_ms);
    }
    claim_shapes(job, shape);
    return scree_report_end(&report, job->format, stdout);
}

/* ---- tables 2 and 3 ---- */

static const scree_report_column flat_columns[] = {
    {"scene", true, false},       {"variant", true, false},    {"triangles", false, false},
    {"pairs", false, false},      {"ns_a_pair", false, false}, {"sweep_us", false, false},
    {"paper_s", false, false},    {"faster", false, false},    {"paper_faster", false, false},
    {"fallback_%", false, false}, {"paper_%", false, false},   {"missed", false, false},
};

static int best_level(const double ns[4])
{
    return ns[3] > 0 ? 3 : ns[2] > 0 ? 2 : 1;
}

static void add_flat_row(scree_report *report, int format, const scree_triangle_bench *b,
                         int method, double paper_seconds)
{
    int best = best_level(b->ns[method]);
    bool is_hybrid = method == SCREE_TRIANGLES_HYBRID;
    scree_report_add(report, "%s", b->name);
    scree_report_add(report, "%s", scree_triangle_method_names[method]);
    scree_report_add(report, "%" PRIu32, b->triangles);
    scree_report_add(report, "%zu", b->pairs);
    scree_report_add(report, "%.1f", b->ns[method][best]);
    scree_report_add(report, "%.2f", b->ns[method][best] * (double)b->pairs * 1e-3);
    add_paper(report, format, "%.3g", paper_seconds);
    scree_report_add(report, "%.2f", b->ns[SCREE_TRIANGLES_COMPARISON][best] / b->ns[method][best]);
    add_paper(report, format, "%.2f", is_hybrid ? b->paper_speed_up : 0);
    scree_report_add(report, "%.3f", b->fallback[method]);
    add_paper(report, format, "%g", is_hybrid ? b->paper_fallback : 0);
    scree_report_add(report, "%zu", b->missed[method]);
}

static void claim_flat(table_job *job, const scree_triangle_bench *fine,
                       const scree_triangle_bench *coarse)
{
    const double *exact = fine->ns[SCREE_TRIANGLES_COMPARISON];
    const double *certified = fine->ns[SCREE_TRIANGLES_CERTIFIED],
                 *hybrid = fine->ns[SCREE_TRIANGLES_HYBRID];
    int best = best_level(exact);
    double ratio = exact[best] / certified[best], published = exact[best] / hybrid[best];
    add_claim(&job->claims, "MR-H2", ratio >= 2,
              "certified is %.2f times as fast as comparison; 2 at least", ratio);
    add_claim(&job->claims, "MR-H2", published >= 2,
              "hybrid as published is %.2f times as fast as comparison; 2 at least", published);
    add_claim(&job->claims, "MR-H3", coarse->fallback[SCREE_TRIANGLES_CERTIFIED] <= 8,
              "certified leaves %.3g %% open of 12 triangles; 8 at most",
              coarse->fallback[SCREE_TRIANGLES_CERTIFIED]);
    add_claim(&job->claims, "MR-H3", fine->fallback[SCREE_TRIANGLES_CERTIFIED] <= 0.03,
              "certified leaves %.3g %% open of 1,224; 0.03 at most",
              fine->fallback[SCREE_TRIANGLES_CERTIFIED]);
    add_claim(&job->claims, "MR-H3", fine->fallback[SCREE_TRIANGLES_HYBRID] <= 0.03,
              "hybrid as published leaves %.3g %% open of 1,224",
              fine->fallback[SCREE_TRIANGLES_HYBRID]);
}

/*  Workloads 2 to 5 are two spheres, 6 to 9 a sphere on a plane, of 12, 36, 140 and 1,224 triangles. */
static int print_flat(table_job *job, int table)
{
    static const double seconds[2][2][4] = {
        {{6.59e-2, 5.17e-2, 3.80e-1, 4.35e1}, {4.99e-2, 2.76e-2, 1.83e-1, 1.99e1}},
        {{2.60e-2, 6.50e-2, 1.84e-1, 1.98}, {2.80e-2, 6.70e-2, 1.79e-1, 1.85}}};
    static const int methods[] = {SCREE_TRIANGLES_COMPARISON, SCREE_TRIANGLES_HYBRID,
                                  SCREE_TRIANGLES_CERTIFIED};
    const scree_triangle_bench *bench = job->triangles + (table == 2 ? 2 : 6);
    scree_report report;
    scree_status status = SCREE_OK;
    if (!job->has_triangles)
        status =
            scree_bench_triangles(job->pairs, job->triangles, &job->triangle_count, &job->error);
    if (status)
        return end_of_job(job, status);
    job->has_triangles = true;
    title(job, table == 2 ? "Table 2: all triangles of two spheres, one sweep"
                          : "Table 3: all triangles of a sphere and of a plane of two, one sweep");
    scree_report_begin(&report, flat_columns, SCREE_COUNT_OF(flat_columns));
    for (size_t m = 0; m < SCREE_COUNT_OF(methods); m++)
        for (int t = 0; t < 4; t++)
            add_flat_row(&report, job->format, &bench[t], methods[m],
                         m < 2 ? seconds[table - 2][m][t] : 0);
    if (table == 2)
        claim_flat(job, &bench[3], &bench[0]);
    return scree_report_end(&report, job->format, stdout);
}

/* ---- tables 4 and 8 ---- */

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
    add_paper(report, format, "%.4g", row->paper_comparisons);
    scree_report_add(report, "%.1f", row->fallbacks);
    add_paper(report, format, "%.4g", row->paper_fallbacks);
    scree_report_add(report, "%.2f", row->ns * 1e-3);
    add_paper(report, format, "%.3g", row->paper_seconds);
    scree_report_add(report, "%.1f", row->contacts);
    for (int k = 0; k < 6; k++)
        add_paper(report, format, "%.1f", row->level[k]);
}

static const scree_surrogate_row *row_of(const scree_surrogate_row *row, size_t count,
                                         const char *scene, const char *method)
{
    for (size_t k = 0; k < count; k++)
        if (strcmp(row[k].scene, scene) == 0 && strcmp(row[k].method, method) == 0)
            return &row[k];
    return NULL;
}

static void claim_steps(table_job *job, const scree_surrogate_row *row, size_t count)
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
    for (size_t k = 0; k < SCREE_COUNT_OF(fewer); k++) {
        const scree_surrogate_row *tree = row_of(row, count, fewer[k].scene, fewer[k].method);
        double ratio =
            row_of(row, count, fewer[k].scene, "flat, comparison")->comparisons / tree->comparisons;
        add_claim(&job->claims, "MR-H4", ratio >= fewer[k].least, fewer[k].text, ratio);
    }
    add_claim(&job->claims, "MR-H5", flat->ns >= 100 * sides->ns,
              "%.0f times less time than flat by comparison, particle-particle; 100 at least",
              flat->ns / sides->ns);
    /* else there would have been no table */
    add_claim(&job->claims, "MR-H10", true,
              "the same contacts flat and by trees, at every %.0fth step", 7);
}

static int print_steps(table_job *job)
{
    static scree_surrogate_row row[SCREE_SURROGATE_STEPS];
    scree_report report;
    size_t count;
    scree_status status =
        scree_bench_surrogate_steps((uint32_t)job->steps, row, &count, &job->error);
    if (status)
        return end_of_job(job, status);
    title(job, "Table 4: explicit steps of a globe of 1,224 triangles, halo 0.01: means over all "
               "steps, comparisons by level");
    scree_report_begin(&report, step_columns, SCREE_COUNT_OF(step_columns));
    for (size_t k = 0; k < count; k++)
        add_step_row(&report, job->format, &row[k]);
    claim_steps(job, row, count);
    return scree_report_end(&report, job->format, stdout);
}

static int print_sizes(table_job *job)
{
    static scree_surrogate_row row[SCREE_SURROGATE_SIZES];
    scree_report report;
    scree_status status = scree_bench_surrogate_sizes((uint32_t)job->steps, row, &job->error);
    double ratio;
    if (status)
        return end_of_job(job, status);
    title(job, "Table 8: a globe of 80 triangles against larger ones, triangles of equal size: "
               "explicit steps (the paper's are implicit)");
    scree_report_begin(&report, step_columns, SCREE_COUNT_OF(step_columns));
    for (int k = 0; k < SCREE_SURROGATE_SIZES; k++)
        add_step_row(&report, job->format, &row[k]);
    ratio = row[SCREE_SURROGATE_SIZES - 1].ns / row[0].ns;
    add_claim(&job->claims, "MR-H8", ratio <= 3,
              "a partner eight times as large takes %.2f times as long; 3 at most", ratio);
    return scree_report_end(&report, job->format, stdout);
}

/* ---- tables 5 to 8: implicit steps ---- */

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
};

static void add_implicit_row(scree_report *report, int format, const scree_implicit_row *row)
{
    scree_report_add(report, "%s", row->scene);
    scree_report_add(report, "%s", row->method);
    scree_report_add(report, "%" PRIu32, row->triangles[1]);
    scree_report_add(report, "%g", row->scale);
    scree_report_add(report, "%" PRIu32, row->steps);
    scree_report_add(report, "%.2f", row->guesses);
    add_paper(report, format, "%.4g", row->paper_guesses);
    scree_report_add(report, "%.1f", row->comparisons);
    add_paper(report, format, "%.4g", row->paper_comparisons);
    scree_report_add(report, "%.2f", row->ns * 1e-3);
    add_paper(report, format, "%.3g", row->paper_seconds);
    scree_report_add(report, "%.1f", row->contacts);
}

static void claim_guesses(table_job *job)
{
    double single = 0, multiscale = 0;

    for (int k = 0; k < SCREE_IMPLICIT_ROWS; k++) {
        const scree_implicit_row *row = &job->implicit[k];
        if (strcmp(row->method, "single level") == 0 && row->guesses > single)
            single = row->guesses;
        if (strncmp(row->method, "multiscale", 10) == 0 && row->guesses > multiscale)
            multiscale = row->guesses;
    }
    add_claim(&job->claims, "MR-H6", single <= 7, "%.2f guesses a step, single level; 7 at most",
              single);
    add_claim(&job->claims, "MR-H6", multiscale <= 13,
              "%.2f guesses a step, multiscale; 13 at most", multiscale);
}

static void claim_costs(table_job *job)
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
            add_claim(&job->claims, "MR-H7", ratio <= 4, costs[k].text[scene], ratio);
        }
        same &= row[SCREE_IMPLICIT_WITHIN].state == state &&
                row[SCREE_IMPLICIT_WITHIN_ROOTS].state == state &&
                row[SCREE_IMPLICIT_BOXES].state == state;
    }
    add_claim(&job->claims, "MR-H10", same,
              "flat and within Picard end in the same states to the bit, in %.0f scenes", 2);
}

static int measure_implicit(table_job *job)
{
    scree_status status = SCREE_OK;

    if (!job->has_implicit)
        status = scree_bench_implicit_steps((uint32_t)job->steps, job->implicit, &job->error);
    job->has_implicit = !status;
    return end_of_job(job, status);
}

static int print_guesses(table_job *job)
{
    scree_report report;
    int code = measure_implicit(job);

    if (code != SCREE_EXIT_OK)
        return code;
    title(job, "Table 5: guesses of an implicit step");
    scree_report_begin(&report, guess_columns, SCREE_COUNT_OF(guess_columns));
    for (int k = 0; k < SCREE_IMPLICIT_ROWS; k++) {
        scree_report_add(&report, "%s", job->implicit[k].scene);
        scree_report_add(&report, "%s", job->implicit[k].method);
        scree_report_add(&report, "%.2f", job->implicit[k].guesses);
        add_paper(&report, job->format, "%g", job->implicit[k].paper_guesses);
    }
    claim_guesses(job);
    return scree_report_end(&report, job->format, stdout);
}

static int print_implicit_steps(table_job *job)
{
    scree_report report;
    int code = measure_implicit(job);

    if (code != SCREE_EXIT_OK)
        return code;
    title(job, "Table 6: implicit steps of a globe of 1,224 triangles, halo 0.01: means over all "
               "steps (paper: sums over 100)");
    scree_report_begin(&report, implicit_columns, SCREE_COUNT_OF(implicit_columns));
    for (int k = 0; k < SCREE_IMPLICIT_ROWS; k++)
        add_implicit_row(&report, job->format, &job->implicit[k]);
    claim_costs(job);
    return scree_report_end(&report, job->format, stdout);
}

static int print_implicit_sizes(table_job *job, bool same_triangles)
{
    scree_implicit_row row[SCREE_IMPLICIT_SIZES];
    scree_report report;
    scree_status status =
        scree_bench_implicit_sizes((uint32_t)job->steps, same_triangles, row, &job->error);

    if (status)
        return end_of_job(job, status);
    title(job, same_triangles ? "Table 8: the same in implicit steps"
                              : "Table 7: a globe of 80 triangles against larger ones of 80, "
                                "implicit steps");
    scree_report_begin(&report, implicit_columns, SCREE_COUNT_OF(implicit_columns));
    for (int k = 0; k < SCREE_IMPLICIT_SIZES; k++)
        add_implicit_row(&report, job->format, &row[k]);
    if (same_triangles) {
        double ratio = row[SCREE_IMPLICIT_SIZES - 1].ns / row[0].ns;
        add_claim(&job->claims, "MR-H8", ratio <= 3,
                  "an implicit step takes %.2f times as long at scale 8; 3 at most", ratio);
    }
    return scree_report_end(&report, job->format, stdout);
}

/* ---- table 9 ---- */

static const scree_report_column grid_columns[] = {
    {"method", true, false},        {"bodies", false, false},   {"pairs", false, false},
    {"steps", false, false},        {"guesses", false, false},  {"comparisons", false, false},
    {"of_24", false, false},        {"paper", false, false},    {"s_a_step", false, false},
    {"us_a_pair", false, false},    {"paper_us", false, false}, {"contacts", false, false},
    {"bytes_a_body", false, false},
};

/*  The paper's comparisons are those of one core of 24. */
static void add_grid_row(scree_report *report, int format, const scree_grid_row *row)
{
    scree_report_add(report, "%s", row->method);
    scree_report_add(report, "%" PRIu32, row->bodies);
    scree_report_add(report, "%.0f", row->pairs);
    scree_report_add(report, "%" PRIu32, row->is_measured ? row->steps : 0);
    scree_report_add(report, "%.2f", row->guesses);
    scree_report_add(report, "%.4g", row->comparisons);
    scree_report_add(report, "%.4g", row->comparisons / 24);
    add_paper(report, format, "%.4g", row->paper_comparisons);
    add_paper(report, format, "%.4f", row->seconds);
    add_paper(report, format, "%.2f", 1e6 * row->seconds / row->pairs);
    add_paper(report, format, "%g", 1e3 * row->paper_ms);
    scree_report_add(report, "%.0f", row->contacts);
    add_paper(report, format, "%.0f", row->bytes);
}

static void claim_grid(table_job *job, const scree_grid_row row[SCREE_IMPLICIT_METHODS])
{
    static const struct
    {
        int method;
        double least;
        const char *text;
    } cuts[] = {
        {SCREE_IMPLICIT_WITHIN, 2600,
         "%.0f times fewer comparisons, within Picard; 2,600 at least"},
        {SCREE_IMPLICIT_WITHIN_ROOTS, 2600,
         "%.0f times fewer comparisons, within Picard, from the roots; 2,600 at least"},
        {SCREE_IMPLICIT_LEVELS, 7000, "%.0f times fewer comparisons, multiscale; 7,000 at least"},
        {SCREE_IMPLICIT_LEVELS_ROOTS, 7000,
         "%.0f times fewer comparisons, multiscale, from the roots; 7,000 at least"},
    };
    const uint64_t state = row[SCREE_IMPLICIT_FLAT].state;
    double cost = row[SCREE_IMPLICIT_LEVELS].seconds / row[SCREE_IMPLICIT_EXPLICIT].seconds;

    for (size_t k = 0; k < SCREE_COUNT_OF(cuts); k++) {
        double cut = row[SCREE_IMPLICIT_FLAT].comparisons / row[cuts[k].method].comparisons;
        add_claim(&job->claims, "MR-H9", cut >= cuts[k].least, cuts[k].text, cut);
    }
    add_claim(&job->claims, "MR-H7", cost <= 4,
              "multiscale takes %.2f times as long as explicit, in the grid; 4 at most", cost);
    add_claim(&job->claims, "MR-H10",
              row[SCREE_IMPLICIT_WITHIN].state == state &&
                  row[SCREE_IMPLICIT_WITHIN_ROOTS].state == state &&
                  row[SCREE_IMPLICIT_BOXES].state == state,
              "within Picard and by boxes %.0f bodies end in the same states to the bit",
              row[SCREE_IMPLICIT_FLAT].bodies);
}

static int print_grid(table_job *job)
{
    scree_grid_row row[SCREE_IMPLICIT_METHODS];
    const scree_grid_def def = {(uint32_t)job->bodies, (uint32_t)job->grid_steps, job->own};
    scree_report report;
    scree_status status = scree_bench_grid(&def, row, &job->error);

    if (status)
        return end_of_job(job, status);
    title(job,
          "Table 9: a grid of globes of 1,224 triangles at rest, a step (paper: comparisons of "
          "one core of 24; of single level, unless\nbodies are few, what it would compare)");
    scree_report_begin(&report, grid_columns, SCREE_COUNT_OF(grid_columns));
    for (int m = 0; m < SCREE_IMPLICIT_METHODS; m++)
        add_grid_row(&report, job->format, &row[m]);
    claim_grid(job, row);
    return scree_report_end(&report, job->format, stdout);
}

/* ---- the verb ---- */

/*  As formats other than tables are one report, these have the implicit steps alone. */
static int print_both_sizes(table_job *job)
{
    int code = SCREE_EXIT_OK;

    if (job->format == SCREE_REPORT_TABLE) {
        code = print_sizes(job);
        putchar('\n');
    }
    return code == SCREE_EXIT_OK ? print_implicit_sizes(job, true) : code;
}

static int print_surrogate_table(table_job *job, int table)
{
    switch (table) {
    case 1:
        return print_shapes(job);
    case 4:
        return print_steps(job);
    case 5:
        return print_guesses(job);
    case 6:
        return print_implicit_steps(job);
    case 7:
        return print_implicit_sizes(job, false);
    case 8:
        return print_both_sizes(job);
    case 9:
        return print_grid(job);
    default:
        return print_flat(job, table);
    }
}

static int run_bench_surrogate(const scree_arguments *arguments)
{
    static const char *const words[] = {"1", "2", "3", "4", "5", "6", "7", "8", "9", NULL};
    static const int tables[] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
    static table_job job;
    const scree_verb *verb = &scree_verb_bench_surrogate;
    int table = -1, code = SCREE_EXIT_OK;
    bool all = scree_argument(verb, arguments, "all");
    job.steps = 100;
    job.grid_steps = 5;
    job.pairs = 200000;
    job.bodies = SCREE_GRID_BODIES;
    job.own = scree_argument(verb, arguments, "own");
    if (!scree_parse_word(verb, arguments, "table", words, &table) ||
        !scree_parse_count(verb, arguments, "steps", 1, 100000, &job.steps) ||
        !scree_parse_count(verb, arguments, "steps", 1, 100000, &job.grid_steps) ||
        !scree_parse_count(verb, arguments, "n", 2, SCREE_GRID_BODIES, &job.bodies) ||
        !scree_parse_count(verb, arguments, "pairs", 1, 1000000000, &job.pairs) ||
        !scree_parse_word(verb, arguments, "format", scree_report_formats, &job.format))
        return SCREE_EXIT_USAGE;
    if (all == (table >= 0))
        return scree_usage_error("bench surrogate: one of --table and --all");
    for (int k = 0; k < (int)SCREE_COUNT_OF(tables) && code == SCREE_EXIT_OK; k++)
        if (all || k == table) {
            code = print_surrogate_table(&job, tables[k]);
            if (job.format == SCREE_REPORT_TABLE)
                putchar('\n');
        }
    if (code == SCREE_EXIT_OK && job.format == SCREE_REPORT_TABLE)
        print_claims(&job.claims);
    return code;
}

const scree_verb scree_verb_bench_surrogate = {
    "bench surrogate",
    NULL,
    "Measures surrogate trees of triangulated bodies, in the paper's tables.",
    "Rows are those of Noble and Weinzierl, with their figures beside; claims pass or miss at the "
    "end of\n"
    "the tables. docs/results/surrogate.md explains. Exit code 1 if trees find other contacts than "
    "all pairs.",
    options,
    run_bench_surrogate,
};
