/*  scree-bench surrogate: surrogate trees in the rows of the paper that they come from, with the paper's figures beside, and what
    it claims. */
#include "app/bench/published.h"
#include "app/bench/record.h"
#include "app/bench/surrogate_tables.h"

static const scree_option options[] = {
    {"table", "N", "1 to 9 of the paper, and the claims that it concerns"},
    {"all", NULL, "all of them"},
    {"steps", "N", "steps of the scenes of tables 4 to 9; 100, as in the paper, and 5 of table 9"},
    {"n", "N", "bodies of table 9; 24576, as in the paper"},
    {"own", NULL,
     "table 9: each body has a mesh and a tree of its own, as in the paper: takes hours"},
    {"single", NULL,
     "table 9: single level is stepped whatever it takes, of 1024 bodies minutes a step"},
    {"pairs", "N", "pairs that each figure of tables 2 and 3 is measured over; 200000"},
    {"format", "WORD", "table, csv or json; table"},
    {"out", "DIR", "table 9 also as a picture, surrogate-grid.svg"},
    {"record", "DIR", "write which rows of the checklist the claims prove, and their figures"},
    {NULL, NULL, NULL},
};

static void print_claims(const scree_claim_list *list)
{
    for (size_t k = 0; k < list->count; k++)
        printf("%-7s %-5s %s\n", list->claim[k].id, list->claim[k].passed ? "pass" : "miss",
               list->claim[k].text);
}

/* ---- the record of the checklist ---- */

typedef struct recorded_claims
{
    const scree_claim_list *list;
    char program[40], strength[80];
} recorded_claims;

static void write_record(const void *data, FILE *out)
{
    const recorded_claims *of = data;
    for (size_t k = 0; k < of->list->count; k++)
        scree_record_lines(&(scree_recorded){of->list->claim[k].rows, of->program,
                                             of->list->claim[k].id, of->list->claim[k].text,
                                             of->strength, of->list->claim[k].passed},
                           out);
    scree_record_end(out);
}

/*  Each table has a record of its own; how much was measured is said where it is not what the paper has. */
static int record_claims(const scree_verb *verb, const scree_arguments *arguments,
                         const scree_claim_list *list)
{
    static const char *const sizes[] = {"steps", "n", "pairs"};
    static const char *const names[] = {"steps", "bodies", "pairs"};
    const char *folder = scree_argument(verb, arguments, "record");
    const char *table = scree_argument(verb, arguments, "table");
    recorded_claims of = {list, "", ""};

    snprintf(of.program, sizeof of.program, table ? "bench %s %s" : "bench %s", verb->name, table);
    for (size_t k = 0; k < SCREE_COUNT_OF(sizes); k++) {
        const char *size = scree_argument(verb, arguments, sizes[k]);
        size_t used = strlen(of.strength);
        if (size)
            snprintf(of.strength + used, sizeof of.strength - used, "%s%s %s", used ? ", " : "",
                     size, names[k]);
    }
    if (!of.strength[0])
        snprintf(of.strength, sizeof of.strength, "full");
    return folder ? scree_record_into(folder, of.program, write_record, &of) : SCREE_EXIT_OK;
}

/* ---- the verb ---- */

/*  Formats other than tables are a single report, so they contain the implicit steps only. */
static int print_both_sizes(scree_table_job *job)
{
    int code = SCREE_EXIT_OK;

    if (job->format == SCREE_REPORT_TABLE) {
        code = scree_table_sizes(job);
        putchar('\n');
    }
    return code == SCREE_EXIT_OK ? scree_table_implicit_sizes(job, true) : code;
}

static int print_surrogate_table(scree_table_job *job, int table)
{
    switch (table) {
    case 1:
        return scree_table_shapes(job);
    case 4:
        return scree_table_steps(job);
    case 5:
        return scree_table_guesses(job);
    case 6:
        return scree_table_implicit(job);
    case 7:
        return scree_table_implicit_sizes(job, false);
    case 8:
        return print_both_sizes(job);
    case 9:
        return scree_table_grid(job);
    default:
        return scree_table_flat(job, table);
    }
}

static int run_bench_surrogate(const scree_arguments *arguments)
{
    static const char *const words[] = {"1", "2", "3", "4", "5", "6", "7", "8", "9", NULL};
    static const int tables[] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
    static const char *const of_grid[] = {"n", "own", "single", "out"};
    static scree_table_job job;
    const scree_verb *verb = &scree_verb_bench_surrogate;
    int table = -1, code = SCREE_EXIT_OK;
    bool all = scree_argument(verb, arguments, "all");
    job.steps = 100;
    job.grid_steps = 5;
    job.pairs = 200000;
    job.bodies = SCREE_GRID_BODIES;
    job.own = scree_argument(verb, arguments, "own");
    job.single = scree_argument(verb, arguments, "single");
    job.out = scree_argument(verb, arguments, "out");
    if (!scree_parse_word(verb, arguments, "table", words, &table) ||
        !scree_parse_count(verb, arguments, "steps", 1, 100000, &job.steps) ||
        !scree_parse_count(verb, arguments, "steps", 1, 100000, &job.grid_steps) ||
        !scree_parse_count(verb, arguments, "n", 2, SCREE_GRID_BODIES, &job.bodies) ||
        !scree_parse_count(verb, arguments, "pairs", 1, 1000000000, &job.pairs) ||
        !scree_parse_word(verb, arguments, "format", scree_report_formats, &job.format))
        return SCREE_EXIT_USAGE;
    if (all == (table >= 0))
        return scree_usage_error("surrogate: one of --table and --all");
    for (int k = 0; k < (int)SCREE_COUNT_OF(of_grid) && !all && tables[table] != 9; k++)
        if (scree_argument(verb, arguments, of_grid[k]))
            return scree_usage_error("surrogate: --%s is for table 9", of_grid[k]);
    for (int k = 0; k < (int)SCREE_COUNT_OF(tables) && code == SCREE_EXIT_OK; k++)
        if (all || k == table) {
            code = print_surrogate_table(&job, tables[k]);
            if (job.format == SCREE_REPORT_TABLE)
                putchar('\n');
        }
    if (code == SCREE_EXIT_OK && job.format == SCREE_REPORT_TABLE)
        print_claims(&job.claims);
    return code == SCREE_EXIT_OK ? record_claims(verb, arguments, &job.claims) : code;
}

const scree_verb scree_verb_bench_surrogate = {
    .name = "surrogate",
    .summary = "Measures surrogate trees of triangulated bodies, in the paper's tables.",
    .text = "Rows are those of Noble and Weinzierl, with their figures beside; claims pass or miss "
            "at the end of\n"
            "the tables. docs/results/surrogate.md explains. Exit code 1 if trees find other "
            "contacts than all pairs.",
    .example = "scree-bench surrogate --table 5",
    .options = options,
    .run = run_bench_surrogate,
};
