/*  A graph as a flat list of vector operations. Values that do not depend on the row are computed once per call, as
    scalars. The others are computed in blocks of rows, each operation for the whole block, so dispatch costs little per
    row. Results are bit-identical for all SIMD instruction sets. */
#ifndef SCREE_FORMULA_PROGRAM_H
#define SCREE_FORMULA_PROGRAM_H

#include "base/memory.h"
#include "formula/graph.h"

/*  Rows are read and written up to a multiple of this; arrays must have room for that. */
#define SCREE_FORMULA_ROWS 8u
#define SCREE_MAX_FORMULAS 48u /* outputs of a program */

typedef struct scree_program scree_program;

/*  `outputs` are nodes. SCREE_OUT_OF_MEMORY; SCREE_TOO_LARGE, with a message: too many live values or outputs. */
scree_status scree_program_make(scree_memory *memory, const scree_graph *graph,
                                const uint32_t *outputs, uint32_t output_count,
                                scree_program **program, scree_error *error);
void scree_program_free(scree_memory *memory, scree_program **program);

/*  The inputs of a program, by index, and its outputs. An input that formulas do not use may be NULL. Outputs must not
    overlap inputs or each other; an output may be NULL. */
typedef struct scree_program_data
{
    const double *fixed;         /* inputs with the same value for all rows */
    const double *const *varied; /* inputs with a value per row */
    double *const *outputs;
    uint32_t rows;
} scree_program_data;

typedef void scree_program_fn(const scree_program *program, const scree_program_data *data);

void scree_program_run(const scree_program *program, scree_simd level,
                       const scree_program_data *data);
/*  The function of a program, for frequent callers. */
scree_program_fn *scree_program_kernel(scree_simd level);

/*  Whether the program reads an input. */
bool scree_program_reads(const scree_program *program, bool is_varied, uint32_t input);

#endif
