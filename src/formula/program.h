/*  A graph as a flat list of vector operations. What does not depend on the row is computed once a call, in scalars; the rest goes by
    blocks of rows, each operation for the whole block, so that what is decided between operations costs little for a row. The
    values are the same bits at each SIMD level. */
#ifndef SCREE_FORMULA_PROGRAM_H
#define SCREE_FORMULA_PROGRAM_H

#include "base/memory.h"
#include "formula/graph.h"

/*  Rows are read and written up to a multiple of this: arrays have room for that. */
#define SCREE_FORMULA_ROWS 8u
#define SCREE_MOST_FORMULAS 48u /* outputs of a program */

typedef struct scree_program scree_program;

/*  `outputs` are nodes. SCREE_OUT_OF_MEMORY; SCREE_TOO_LARGE, with a message: too many values are needed at once, or outputs. */
scree_status scree_program_make(scree_memory *memory, const scree_graph *graph,
                                const uint32_t *outputs, uint32_t output_count,
                                scree_program **program, scree_error *error);
void scree_program_free(scree_memory *memory, scree_program **program);

/*  What a program reads, by number of the input, and where it writes. An input that formulas do not use may be NULL. Outputs may not
    overlap inputs or each other; an output may be NULL. */
typedef struct scree_program_data
{
    const double *fixed;         /* inputs that are the same for all rows */
    const double *const *varied; /* inputs with a value for each row */
    double *const *outputs;
    uint32_t rows;
} scree_program_data;

typedef void scree_program_fn(const scree_program *program, const scree_program_data *data);

void scree_program_run(const scree_program *program, scree_simd level,
                       const scree_program_data *data);
/*  The function behind it, for those who call it often. */
scree_program_fn *scree_program_kernel(scree_simd level);

/*  Whether an input is read. */
bool scree_program_reads(const scree_program *program, bool is_varied, uint32_t input);

#endif
