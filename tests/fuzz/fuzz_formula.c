/*  Any text as a formula. What is refused must be refused with a column and a reason; what is taken must run, with the same bits at each
    SIMD level, and leave no memory. */
#include "formula/parse.h"
#include "formula/program.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/*  For what must never be, in every build. */
static void insist(bool holds)
{
    if (!holds)
        abort();
}

static const scree_formula_name names[] = {
    {"d", 0, true}, {"vn", 1, true}, {"E", 0, false}, {"mu", 1, false}, {"lid.force_z", 2, false},
};

static void run_it(const scree_program *program)
{
    _Alignas(64) double varied[2][64], result[64], scalar[64];
    const double fixed[] = {1e7, 0.5, -3}, *const columns[] = {varied[0], varied[1]};

    for (int k = 0; k < 64; k++) {
        varied[0][k] = 1e-6 * k;
        varied[1][k] = 0.1 * (k % 7 - 3);
    }
    for (scree_simd level = SCREE_SIMD_SCALAR; level <= SCREE_SIMD_AVX512; level++) {
        double *outputs[] = {level == SCREE_SIMD_SCALAR ? scalar : result};
        scree_program_data data = {fixed, columns, outputs, 61};
        scree_program_run(program, level, &data);
        for (int k = 0; level > SCREE_SIMD_SCALAR && k < 61; k++)
            insist(memcmp(&scalar[k], &result[k], sizeof result[k]) == 0 ||
                   (isnan(scalar[k]) && isnan(result[k])));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const scree_formula_scope scope = {names, SCREE_COUNT_OF(names), NULL, NULL, NULL};
    scree_memory memory;
    scree_error why = {SCREE_OK, ""};
    char *text = malloc(size + 1);
    scree_graph *graph = malloc(sizeof *graph);
    scree_program *program = NULL;
    uint32_t node;

    if (!text || !graph)
        abort();
    if (size > 0)
        memcpy(text, data, size);
    text[size] = 0;
    scree_memory_init(&memory, NULL);
    scree_graph_clear(graph);
    if (scree_formula_parse(graph, &scope, text, &node, &why)) {
        insist(strncmp(why.text, "column ", 7) == 0);
    } else if (!scree_program_make(&memory, graph, &node, 1, &program, &why)) {
        run_it(program);
        scree_program_free(&memory, &program);
    } else {
        insist(why.text[0] != 0);
    }
    insist(memory.bytes == 0);
    free(graph);
    free(text);
    return 0;
}
