/*  Runs programs: scalars once, then block by block one operation after the other. The loops over rows are in
    run.inc.h, compiled for each SIMD instruction set. Operations without a vector form run number by number, with the
    same functions for all instruction sets. */
#include "formula/program_internal.h"

#include <string.h>

static void step_singly(const scree_instruction *code, const double *const from[3], double *to,
                        uint32_t rows)
{
    const uint32_t step_x = !(code->fixed & 1), step_y = !(code->fixed & 2);

    if (scree_operation_arguments(code->operation) == 1)
        for (uint32_t k = 0; k < rows; k++)
            to[k] = scree_operate(code->operation, from[0][k], 0, 0);
    else
        for (uint32_t k = 0; k < rows; k++)
            to[k] = scree_operate(code->operation, from[0][k * step_x], from[1][k * step_y], 0);
}

static void run_scalars(const scree_program *program, const scree_program_data *data,
                        double *scalars)
{
    if (program->number_count)
        memcpy(scalars, program->numbers, program->number_count * sizeof *scalars);
    for (uint32_t k = 0; k < program->fixed_count; k++)
        scalars[program->number_count + k] = data->fixed[program->fixed[k]];
    for (uint32_t k = 0; k < program->scalar_code_count; k++) {
        const scree_instruction *code = &program->scalar_code[k];
        scalars[code->to] = scree_operate(code->operation, scalars[code->from[0]],
                                          scalars[code->from[1]], scalars[code->from[2]]);
    }
}

/*  Addresses of the columns: inputs and outputs at the caller's, the others in `room`. */
static void place_columns(const scree_program *program, const scree_program_data *data,
                          uint32_t begin, double *room, double **columns)
{
    /* inputs are only read */
    for (uint32_t k = 0; k < program->varied_count; k++)
        columns[k] = (double *)(uintptr_t)(data->varied[program->varied[k]] + begin);
    for (uint32_t k = 0; k < program->register_count; k++)
        columns[program->varied_count + k] = room + (size_t)k * program->block_rows;
    for (uint32_t k = 0; k < program->output_count; k++) {
        const scree_output *output = &program->outputs[k];
        if (data->outputs[k] && !output->is_scalar && !output->is_copied)
            columns[output->from] = data->outputs[k] + begin;
    }
}

static void write_outputs(const scree_program *program, const scree_program_data *data,
                          uint32_t begin, uint32_t rows, const double *scalars,
                          double *const *columns)
{
    for (uint32_t k = 0; k < program->output_count; k++) {
        const scree_output *output = &program->outputs[k];
        double *to = data->outputs[k] ? data->outputs[k] + begin : NULL;
        for (uint32_t row = 0; to && output->is_scalar && row < rows; row++)
            to[row] = scalars[output->from];
        if (to && output->is_copied)
            memcpy(to, columns[output->from], rows * sizeof *to);
    }
}

#define WIDE_LEVEL WIDE_SCALAR
#include "base/wide.h"
#include "formula/run.inc.h"
#if WIDE_HAS_128
#undef WIDE_LEVEL
#define WIDE_LEVEL WIDE_128
#include "base/wide.h"
#include "formula/run.inc.h"
#endif
#if WIDE_HAS_X86
#undef WIDE_LEVEL
#define WIDE_LEVEL WIDE_AVX2
#include "base/wide.h"
#include "formula/run.inc.h"
#undef WIDE_LEVEL
#define WIDE_LEVEL WIDE_AVX512
#include "base/wide.h"
#include "formula/run.inc.h"
#endif

scree_program_fn *scree_program_kernel(scree_simd level)
{
    static scree_program_fn *const kernels[] = WIDE_LEVELS(formula_run);

    return kernels[scree_simd_resolve(level)];
}

void scree_program_run(const scree_program *program, scree_simd level,
                       const scree_program_data *data)
{
    scree_program_kernel(level)(program, data);
}
