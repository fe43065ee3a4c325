/*  Formulas as a graph of operations: common subexpressions once, constants folded, operands before their users. A
    graph has room for a fixed number of nodes, so reading a text allocates nothing. */
#ifndef SCREE_FORMULA_GRAPH_H
#define SCREE_FORMULA_GRAPH_H

#include "base/common.h"
#include "formula/operation.h"

#define SCREE_MAX_NODES 512u
#define SCREE_MAX_LOCALS 48u
#define SCREE_FORMULA_NAME 64u    /* bytes of a name, including the terminating 0 */
#define SCREE_FORMULA_BYTES 4096u /* largest length of a text */
#define SCREE_NO_NODE UINT32_MAX  /* the graph is full */

typedef struct scree_node
{
    uint8_t operation; /* scree_operation */
    bool is_varied;    /* depends on an input with a value per row */
    uint16_t from[3];
    uint32_t input; /* of FIXED and VARIED: index of the input */
    double number;  /* of NUMBER */
} scree_node;

/*  A name that a text has defined. */
typedef struct scree_local
{
    char name[SCREE_FORMULA_NAME];
    uint32_t node;
} scree_local;

typedef struct scree_graph
{
    uint32_t count, local_count;
    scree_node nodes[SCREE_MAX_NODES];
    scree_local locals[SCREE_MAX_LOCALS];
    uint16_t bucket[2 * SCREE_MAX_NODES]; /* by hash: a node plus 1; 0: none */
} scree_graph;

void scree_graph_clear(scree_graph *graph);
/*  Each returns an existing node if there is an equal one; SCREE_NO_NODE if the graph is full. */
uint32_t scree_graph_number(scree_graph *graph, double number);
uint32_t scree_graph_input(scree_graph *graph, uint32_t input, bool is_varied);
/*  `from` has as many nodes as the operation has operands. Powers with half-integer exponents become products and
    roots. */
uint32_t scree_graph_operation(scree_graph *graph, scree_operation operation,
                               const uint32_t from[3]);
/*  Returns whether a node is a constant, and its value. */
bool scree_graph_is_number(const scree_graph *graph, uint32_t node, double *number);

#endif
