/*  scree-bench surrogate in parts: what all of its tables share, and a file for each kind of tables. */
#ifndef SCREE_BENCH_SURROGATE_TABLES_H
#define SCREE_BENCH_SURROGATE_TABLES_H

#include "app/bench/verbs.h"
#include "cases/grid.h"
#include "cases/surrogate.h"
#include "cases/triangles.h"
#include "common/report.h"

/*  What was claimed and what came out, for the end. */
typedef struct scree_claim_list
{
    struct
    {
        const char *id, *rows; /* of docs/checklist.md, parted by blanks */
        bool passed;
        char text[200];
    } claim[64];
    size_t count;
} scree_claim_list;

/*  Everything that tables want. */
typedef struct scree_table_job
{
    int format;
    uint64_t steps, pairs, grid_steps, bodies;
    bool own, single;
    const char *out; /* folder of pictures; NULL: none */
    scree_claim_list claims;
    scree_error error;
    bool has_triangles; /* measured, for both tables */
    scree_triangle_bench triangles[SCREE_TRIANGLE_BENCHES];
    size_t triangle_count;
    bool has_implicit; /* measured, for both tables */
    scree_implicit_row implicit[SCREE_IMPLICIT_ROWS];
} scree_table_job;

/* ---- surrogate_tables.c */
void scree_claim_add(scree_claim_list *list, const char *id, const char *rows, bool passed,
                     const char *format, double value);
/*  The exit code, after a message where there is one. */
int scree_table_end(scree_table_job *job, scree_status status);
/*  A figure, or a dash where the paper has none. */
void scree_table_paper(scree_report *report, int format, const char *text, double value);
void scree_table_title(const scree_table_job *job, const char *text);

/*  Each prints a table, or several, and adds what is claimed of them. They return exit codes. */
/* ---- surrogate_flat.c: tables 1, 2 and 3 */
int scree_table_shapes(scree_table_job *job);
int scree_table_flat(scree_table_job *job, int table);
/* ---- surrogate_steps.c: tables 4 and 8, explicit */
int scree_table_steps(scree_table_job *job);
int scree_table_sizes(scree_table_job *job);
/* ---- surrogate_implicit.c: tables 5 to 8 */
int scree_table_guesses(scree_table_job *job);
int scree_table_implicit(scree_table_job *job);
int scree_table_implicit_sizes(scree_table_job *job, bool same_triangles);
/* ---- surrogate_grid.c: table 9 */
int scree_table_grid(scree_table_job *job);

#endif
