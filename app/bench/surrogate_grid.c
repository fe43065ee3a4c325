/*  Table 9: very many bodies. */
#include "app/bench/surrogate_tables.h"

#include "app/bench/published.h"
#include "measure/bars.h"

#include <inttypes.h>

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
    scree_table_paper(report, format, "%.4g", row->paper_comparisons);
    scree_table_paper(report, format, "%.4f", row->seconds);
    scree_table_paper(report, format, "%.2f", 1e6 * row->seconds / row->pairs);
    scree_table_paper(report, format, "%g", 1e3 * row->paper_ms);
    scree_report_add(report, "%.0f", row->contacts);
    scree_table_paper(report, format, "%.0f", row->bytes);
}

static void claim_grid(scree_table_job *job, const scree_grid_row row[SCREE_IMPLICIT_METHODS])
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
        scree_claim_add(&job->claims, "MR-H9", "NW-47", cut >= cuts[k].least, cuts[k].text, cut);
    }
    scree_claim_add(&job->claims, "MR-H7", "NW-44", cost <= 4,
                    "multiscale takes %.2f times as long as explicit, in the grid; 4 at most",
                    cost);
    scree_claim_add(&job->claims, "table 9", "NW-36",
                    row[SCREE_IMPLICIT_EXPLICIT].meeting == row[SCREE_IMPLICIT_EXPLICIT].pairs,
                    "%.0f pairs are found near each other: those of neighbours in the grid",
                    row[SCREE_IMPLICIT_EXPLICIT].meeting);
    scree_claim_add(&job->claims, "MR-H10", "NW-36",
                    row[SCREE_IMPLICIT_WITHIN].state == state &&
                        row[SCREE_IMPLICIT_WITHIN_ROOTS].state == state &&
                        row[SCREE_IMPLICIT_BOXES].state == state,
                    "within Picard and by boxes %.0f bodies end in bit-identical states",
                    row[SCREE_IMPLICIT_FLAT].bodies);
}

/* ---- the picture ---- */

/*  Pairs of one of the paper's 24 cores. */
#define PAPER_PAIRS 1984

typedef struct grid_bars
{
    scree_bar bar[2 * SCREE_IMPLICIT_METHODS];
    size_t count;
} grid_bars;

static void add_bar(grid_bars *bars, const char *name, double value, const char *note, bool is_ours)
{
    if (value > 0)
        bars->bar[bars->count++] = (scree_bar){name, value, note, is_ours};
}

static void draw_grid(const void *data, FILE *out)
{
    const scree_grid_row *row = data;
    grid_bars times = {.count = 0}, comparisons = {.count = 0};

    for (int m = 0; m < SCREE_IMPLICIT_METHODS; m++) {
        double of_paper = row[m].paper_comparisons / PAPER_PAIRS;
        add_bar(&times, row[m].method, 1e6 * row[m].seconds / row[m].pairs, NULL, true);
        add_bar(&times, row[m].method, 1e3 * row[m].paper_ms, "paper", false);
        add_bar(&comparisons, row[m].method, row[m].comparisons / row[m].pairs, NULL, true);
        add_bar(&comparisons, row[m].method, of_paper, "paper", false);
    }
    const scree_bar_group groups[] = {{"us a pair", times.bar, times.count},
                                      {"comparisons a pair", comparisons.bar, comparisons.count}};
    const scree_bars page = {"A step of a grid of globes at rest",
                             "1,224 triangles each; the paper's figures, of its machine, lighter",
                             "a step and pair", groups, SCREE_COUNT_OF(groups)};
    scree_bars_write(&page, out);
}

int scree_table_grid(scree_table_job *job)
{
    scree_grid_row row[SCREE_IMPLICIT_METHODS];
    const scree_grid_def def = {.bodies = (uint32_t)job->bodies,
                                .steps = (uint32_t)job->grid_steps,
                                .single = job->single,
                                .own = job->own};
    scree_report report;
    scree_status status = scree_bench_grid(&def, row, &job->error);

    if (status)
        return scree_table_end(job, status);
    scree_table_title(
        job, "Table 9: a grid of globes of 1,224 triangles at rest, a step (paper: comparisons of "
             "one core of 24; of single level, unless\nbodies are few, what it would compare)");
    scree_report_begin(&report, grid_columns, SCREE_COUNT_OF(grid_columns));
    for (int m = 0; m < SCREE_IMPLICIT_METHODS; m++)
        add_grid_row(&report, job->format, &row[m]);
    claim_grid(job, row);
    int code = scree_report_end(&report, job->format, stdout);
    return code == SCREE_EXIT_OK && job->out
               ? scree_write_into(job->out, "surrogate-grid.svg", draw_grid, row)
               : code;
}
