/*  Compiles a graph to a program: the nodes that outputs need, in the order of the graph, in which operands come first;
    then register allocation. A register is released after the last operation that reads it. An output keeps its
    register, which is the caller's output array. */
#include "formula/program_internal.h"

#include "base/error.h"

#include <string.h>

#define NO_PLACE UINT16_MAX

/*  Allocation of each node. */
typedef struct compiler
{
    const scree_graph *graph;
    const uint32_t *outputs;
    uint32_t output_count;
    bool is_used[SCREE_MAX_NODES];
    uint32_t last_use[SCREE_MAX_NODES]; /* index of the last node that reads it */
    uint16_t place[SCREE_MAX_NODES];    /* scalar or column */
    uint16_t free_registers[SCREE_MAX_REGISTERS];
    uint32_t free_count, register_count, varied_count;
    scree_program head;
} compiler;

static bool is_input(const scree_node *node)
{
    return node->operation <= SCREE_OP_VARIED;
}

/*  From the last node to the first: marks operands of needed nodes as needed. */
static void mark_used(compiler *c)
{
    for (uint32_t k = 0; k < c->output_count; k++) {
        c->is_used[c->outputs[k]] = true;
        c->last_use[c->outputs[k]] = UINT32_MAX;
    }
    for (uint32_t n = c->graph->count; n-- > 0;) {
        const scree_node *node = &c->graph->nodes[n];
        for (uint32_t k = 0; c->is_used[n] && k < scree_operation_arguments(node->operation); k++) {
            c->is_used[node->from[k]] = true;
            if (c->last_use[node->from[k]] < n)
                c->last_use[node->from[k]] = n;
        }
    }
}

static void count_parts(compiler *c)
{
    for (uint32_t n = 0; n < c->graph->count; n++) {
        const scree_node *node = &c->graph->nodes[n];
        c->head.number_count += c->is_used[n] && node->operation == SCREE_OP_NUMBER;
        c->head.fixed_count += c->is_used[n] && node->operation == SCREE_OP_FIXED;
        c->head.varied_count += c->is_used[n] && node->operation == SCREE_OP_VARIED;
        c->head.scalar_code_count += c->is_used[n] && !is_input(node) && !node->is_varied;
        c->head.column_code_count += c->is_used[n] && !is_input(node) && node->is_varied;
    }
    c->head.scalar_count = c->head.number_count + c->head.fixed_count + c->head.scalar_code_count;
    c->head.output_count = c->output_count;
}

/* ---- places ---- */

static void place_scalars(compiler *c)
{
    uint32_t number = 0, fixed = c->head.number_count, result = fixed + c->head.fixed_count;

    for (uint32_t n = 0; n < c->graph->count; n++) {
        const scree_node *node = &c->graph->nodes[n];
        if (!c->is_used[n] || node->is_varied)
            continue;
        c->place[n] = (uint16_t)(node->operation == SCREE_OP_NUMBER  ? number++
                                 : node->operation == SCREE_OP_FIXED ? fixed++
                                                                     : result++);
    }
}

static uint16_t take_register(compiler *c)
{
    if (c->free_count)
        return c->free_registers[--c->free_count];
    return c->register_count < SCREE_MAX_REGISTERS
               ? (uint16_t)(c->head.varied_count + c->register_count++)
               : NO_PLACE;
}

/*  Releases operands that no node after n reads. */
static void give_registers(compiler *c, uint32_t n)
{
    const scree_node *node = &c->graph->nodes[n];

    for (uint32_t k = 0; k < scree_operation_arguments(node->operation); k++) {
        uint32_t m = node->from[k];
        bool is_seen = (k > 0 && node->from[k - 1] == m) || (k > 1 && node->from[0] == m);
        if (!is_seen && c->graph->nodes[m].is_varied && !is_input(&c->graph->nodes[m]) &&
            c->last_use[m] == n)
            c->free_registers[c->free_count++] = c->place[m];
    }
}

static bool place_columns(compiler *c)
{
    uint32_t input = 0;

    for (uint32_t n = 0; n < c->graph->count; n++)
        if (c->is_used[n] && c->graph->nodes[n].operation == SCREE_OP_VARIED)
            c->place[n] = (uint16_t)input++;
    for (uint32_t n = 0; n < c->graph->count; n++) {
        const scree_node *node = &c->graph->nodes[n];
        if (!c->is_used[n] || !node->is_varied || is_input(node))
            continue;
        /* the result may overwrite an operand: operations go row by row */
        give_registers(c, n);
        c->place[n] = take_register(c);
        if (c->place[n] == NO_PLACE)
            return false;
    }
    return true;
}

/* ---- the block ---- */

static size_t padded(size_t bytes)
{
    return (bytes + 15) / 16 * 16;
}

static size_t block_bytes(const scree_program *head)
{
    return padded(sizeof *head) + padded(head->number_count * sizeof(double)) +
           padded((head->fixed_count + head->varied_count) * sizeof(uint32_t)) +
           padded((head->scalar_code_count + head->column_code_count) * sizeof(scree_instruction)) +
           padded(head->output_count * sizeof(scree_output));
}

static scree_instruction make_instruction(const compiler *c, uint32_t n)
{
    const scree_node *node = &c->graph->nodes[n];
    scree_instruction code = {.operation = node->operation, .to = c->place[n]};

    for (uint32_t k = 0; k < scree_operation_arguments(node->operation); k++) {
        code.from[k] = c->place[node->from[k]];
        code.fixed |= (uint8_t)(!c->graph->nodes[node->from[k]].is_varied << k);
    }
    return code;
}

static scree_output make_output(const compiler *c, uint32_t k)
{
    const scree_node *node = &c->graph->nodes[c->outputs[k]];
    scree_output output = {.is_scalar = !node->is_varied,
                           .is_copied = node->is_varied && is_input(node),
                           .from = c->place[c->outputs[k]]};

    for (uint32_t other = 0; other < k; other++)
        output.is_copied =
            output.is_copied || (node->is_varied && c->outputs[other] == c->outputs[k]);
    return output;
}

static void fill_block(const compiler *c, scree_program *program)
{
    char *at = (char *)program + padded(sizeof *program);
    double *numbers = (double *)(void *)at;
    uint32_t *fixed = (uint32_t *)(void *)(at += padded(c->head.number_count * sizeof(double)));
    uint32_t *varied = fixed + c->head.fixed_count;
    at += padded((c->head.fixed_count + c->head.varied_count) * sizeof(uint32_t));
    scree_instruction *scalar = (scree_instruction *)(void *)at;
    scree_instruction *column = scalar + c->head.scalar_code_count;
    at +=
        padded((c->head.scalar_code_count + c->head.column_code_count) * sizeof(scree_instruction));
    scree_output *outputs = (scree_output *)(void *)at;

    *program = c->head;
    program->numbers = numbers;
    program->fixed = fixed;
    program->varied = varied;
    program->scalar_code = scalar;
    program->column_code = column;
    program->outputs = outputs;
    for (uint32_t n = 0; n < c->graph->count; n++) {
        const scree_node *node = &c->graph->nodes[n];
        if (!c->is_used[n])
            continue;
        if (node->operation == SCREE_OP_NUMBER)
            *numbers++ = node->number;
        else if (node->operation == SCREE_OP_FIXED)
            *fixed++ = node->input;
        else if (node->operation == SCREE_OP_VARIED)
            *varied++ = node->input;
        else if (node->is_varied)
            *column++ = make_instruction(c, n);
        else
            *scalar++ = make_instruction(c, n);
    }
    for (uint32_t k = 0; k < c->output_count; k++)
        outputs[k] = make_output(c, k);
}

/*  As many rows as the registers have room for. */
static uint32_t rows_of_block(uint32_t registers)
{
    uint32_t rows = SCREE_FORMULA_BLOCK;

    while (rows * registers > SCREE_REGISTER_ROOM)
        rows /= 2;
    return rows;
}

scree_status scree_program_make(scree_memory *memory, const scree_graph *graph,
                                const uint32_t *outputs, uint32_t output_count,
                                scree_program **program, scree_error *error)
{
    scree_status status = SCREE_OK;
    compiler *c = NULL;

    *program = NULL;
    if (output_count > SCREE_MAX_FORMULAS)
        return scree_fail(error, SCREE_TOO_LARGE, "there are %u formulas, at most %u", output_count,
                          SCREE_MAX_FORMULAS);
    if (scree_memory_take(memory, 1, sizeof *c, &c))
        return scree_fail(error, SCREE_OUT_OF_MEMORY, "out of memory");
    memset(c, 0, sizeof *c);
    c->graph = graph;
    c->outputs = outputs;
    c->output_count = output_count;
    mark_used(c);
    count_parts(c);
    place_scalars(c);
    if (!place_columns(c)) {
        status = scree_fail(error, SCREE_TOO_LARGE,
                            "the formulas need more than %u values at once; shorten them",
                            SCREE_MAX_REGISTERS);
    } else {
        void *block = NULL;
        c->head.register_count = c->register_count;
        c->head.block_rows = rows_of_block(c->register_count);
        c->head.bytes = block_bytes(&c->head);
        status = scree_memory_take(memory, c->head.bytes, 1, &block);
        if (status)
            scree_fail(error, status, "out of memory");
        else
            fill_block(c, block);
        *program = block;
    }
    scree_memory_give(memory, &c, 1, sizeof *c);
    return status;
}

void scree_program_free(scree_memory *memory, scree_program **program)
{
    if (*program)
        scree_memory_give(memory, program, (*program)->bytes, 1);
}

bool scree_program_reads(const scree_program *program, bool is_varied, uint32_t input)
{
    const uint32_t *inputs = is_varied ? program->varied : program->fixed;
    uint32_t count = is_varied ? program->varied_count : program->fixed_count;

    for (uint32_t k = 0; k < count; k++)
        if (inputs[k] == input)
            return true;
    return false;
}
