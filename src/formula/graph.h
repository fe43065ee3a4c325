/*  Formulas as a graph of operations: no operation twice, constants folded, operands before what uses them.

    A graph has room for a fixed number of nodes, so that nothing is allocated while a text is read. */
#ifndef SCREE_FORMULA_GRAPH_H
#define SCREE_FORMULA_GRAPH_H

#include "base/common.h"
#include "formula/operation.h"

#define SCREE_MOST_NODES 512u
#define SCREE_MOST_LOCALS 48u
#define SCREE_FORMULA_NAME 64u    /* bytes of a name, the end included */
#define SCREE_FORMULA_BYTES 4096u /* of a text, at most */
#define SCREE_NO_NODE UINT32_MAX  /* the graph is full */

typedef struct scree_node
{
    uint8_t operation; /* scree_operation */
    bool is_varied;    /* depends on an input with a value for each row */
    uint16_t from[3];
    uint32_t input; /* FIXED, VARIED: which */
    double number;  /* NUMBER */
} scree_node;

/*  A name that a text has given to a value. */
typedef struct scree_local
{
    char name[SCREE_FORMULA_NAME];
    uint32_t node;
} scree_local;

typedef struct scree_graph
{
    uint32_t count, local_count;
    scree_node nodes[SCREE_MOST_NODES];
    scree_local locals[SCREE_MOST_LOCALS];
    uint16_t bucket[2 * SCREE_MOST_NODES]; /* by hash: a node plus 1; 0: none */
} scree_graph;

void scree_graph_clear(scree_graph *graph);
/*  Each gives a node that was there already if there is one like it; SCREE_NO_NODE where there is no room. */
uint32_t scree_graph_number(scree_graph *graph, double number);
uint32_t scree_graph_input(scree_graph *graph, uint32_t input, bool is_varied);
/*  `from` as many nodes as the operation takes. Powers with exponents that are half of whole numbers become products and roots. */
uint32_t scree_graph_operation(scree_graph *graph, scree_operation operation,
                               const uint32_t from[3]);
/*  Whether a node is a constant, and which. */
bool scree_graph_is_number(const scree_graph *graph, uint32_t node, double *number);

#endif
