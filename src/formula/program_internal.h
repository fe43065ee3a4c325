/*  A program inside the library: program.c creates it, run.c runs it. */
#ifndef SCREE_FORMULA_PROGRAM_INTERNAL_H
#define SCREE_FORMULA_PROGRAM_INTERNAL_H

#include "formula/program.h"

#define SCREE_MAX_REGISTERS 320u
/*  Numbers in the registers of a block: rows times registers, 20 KiB, for the first-level cache. */
#define SCREE_REGISTER_ROOM 2560u
#define SCREE_FORMULA_BLOCK 64u

typedef struct scree_instruction
{
    uint8_t operation;
    uint8_t fixed; /* bit k: operand k is a scalar */
    uint16_t to, from[3];
} scree_instruction;

/*  Scalars: constants of the text, inputs, then results of `scalar_code`. Columns: varied inputs, then registers, the
    first of which are outputs. */
struct scree_program
{
    size_t bytes; /* of the block that starts with this struct */
    uint32_t number_count, fixed_count, scalar_count;
    uint32_t varied_count, register_count;
    uint32_t scalar_code_count, column_code_count, output_count;
    uint32_t block_rows;
    const double *numbers;
    const uint32_t *fixed, *varied; /* indices of the caller's inputs */
    const scree_instruction *scalar_code, *column_code;
    const struct scree_output *outputs;
};

typedef struct scree_output
{
    bool is_scalar;
    bool is_copied; /* copied at the end, because it is an input or equals another output */
    uint16_t from;
} scree_output;

#endif
