/*  Nodes are found by a hash of their content, in a table twice as large as the graph. Operations on constants are
    folded. Otherwise only simplifications that change no bit are made: x * 1, x / 1, x - 0, but not x + 0, which turns
    -0 into +0. */
#include "formula/graph.h"

#include "base/hash.h"

#include <string.h>

/*  Powers up to this become products: x^1.5 is x sqrt(x). */
#define MAX_PRODUCTS 32

uint32_t scree_operation_arguments(scree_operation operation)
{
    static const uint8_t arguments[SCREE_OPERATIONS] = {
#define X(name, function, count) [SCREE_OP_##name] = count,
        SCREE_WIDE_OPERATIONS(X) SCREE_SINGLE_OPERATIONS(X)
#undef X
    };
    return arguments[operation];
}

void scree_graph_clear(scree_graph *graph)
{
    graph->count = graph->local_count = 0;
    memset(graph->bucket, 0, sizeof graph->bucket);
}

static uint64_t hash_of(const scree_node *node)
{
    uint64_t bits, hash = SCREE_HASH_START;

    memcpy(&bits, &node->number, sizeof bits);
    hash = scree_hash_word(hash, node->operation | (uint64_t)node->input << 8);
    hash = scree_hash_word(hash, node->from[0] | (uint64_t)node->from[1] << 16 |
                                     (uint64_t)node->from[2] << 32);
    return scree_hash_word(hash, bits);
}

static bool is_same(const scree_node *a, const scree_node *b)
{
    return a->operation == b->operation && a->input == b->input &&
           memcmp(a->from, b->from, sizeof a->from) == 0 &&
           memcmp(&a->number, &b->number, sizeof a->number) == 0;
}

static uint32_t add_node(scree_graph *graph, const scree_node *node)
{
    uint64_t hash = hash_of(node);
    uint32_t place = (uint32_t)((hash ^ hash >> 32) % SCREE_COUNT_OF(graph->bucket));

    for (; graph->bucket[place]; place = (place + 1) % SCREE_COUNT_OF(graph->bucket))
        if (is_same(&graph->nodes[graph->bucket[place] - 1], node))
            return graph->bucket[place] - 1u;
    if (graph->count == SCREE_MAX_NODES)
        return SCREE_NO_NODE;
    graph->nodes[graph->count++] = *node;
    graph->bucket[place] = (uint16_t)graph->count;
    return graph->count - 1;
}

uint32_t scree_graph_number(scree_graph *graph, double number)
{
    scree_node node = {.operation = SCREE_OP_NUMBER, .number = number};

    return add_node(graph, &node);
}

uint32_t scree_graph_input(scree_graph *graph, uint32_t input, bool is_varied)
{
    scree_node node = {.operation = is_varied ? SCREE_OP_VARIED : SCREE_OP_FIXED,
                       .is_varied = is_varied,
                       .input = input};

    return add_node(graph, &node);
}

bool scree_graph_is_number(const scree_graph *graph, uint32_t node, double *number)
{
    if (node >= graph->count || graph->nodes[node].operation != SCREE_OP_NUMBER)
        return false;
    *number = graph->nodes[node].number;
    return true;
}

/* ---- powers ---- */

static uint32_t make_2(scree_graph *graph, scree_operation operation, uint32_t x, uint32_t y)
{
    const uint32_t from[3] = {x, y, 0};

    return x == SCREE_NO_NODE || y == SCREE_NO_NODE ? SCREE_NO_NODE
                                                    : scree_graph_operation(graph, operation, from);
}

/*  x^n by repeated squaring, from the lowest bit of n: x^5 is x (x^2)^2. */
static uint32_t make_product(scree_graph *graph, uint32_t x, uint32_t n)
{
    uint32_t product = SCREE_NO_NODE;

    for (uint32_t square = x; n > 0 && square != SCREE_NO_NODE; n >>= 1) {
        if (n & 1)
            product = product == SCREE_NO_NODE ? square
                                               : make_2(graph, SCREE_OP_MULTIPLY, product, square);
        if (n & 1 && product == SCREE_NO_NODE)
            break;
        if (n > 1)
            square = make_2(graph, SCREE_OP_MULTIPLY, square, square);
    }
    return product;
}

/*  x^(n / 2). Returns SCREE_NO_NODE if the graph is full. */
static uint32_t make_half_power(scree_graph *graph, uint32_t x, int n)
{
    uint32_t halves = (uint32_t)(n < 0 ? -n : n);
    uint32_t power = halves < 2 ? scree_graph_number(graph, 1) : make_product(graph, x, halves / 2);

    if (halves & 1)
        power = make_2(graph, SCREE_OP_MULTIPLY, power, make_2(graph, SCREE_OP_SQRT, x, x));
    return n < 0 ? make_2(graph, SCREE_OP_DIVIDE, scree_graph_number(graph, 1), power) : power;
}

/* ---- operations ---- */

/*  Returns an existing node with the same value; SCREE_NO_NODE if there is none. */
static uint32_t find_simpler(const scree_graph *graph, scree_operation operation,
                             const uint32_t from[3])
{
    double x = 0, y = 0;
    bool has_x = scree_graph_is_number(graph, from[0], &x);
    bool has_y =
        scree_operation_arguments(operation) > 1 && scree_graph_is_number(graph, from[1], &y);

    if (operation == SCREE_OP_MULTIPLY && has_x && x == 1)
        return from[1];
    if ((operation == SCREE_OP_MULTIPLY || operation == SCREE_OP_DIVIDE) && has_y && y == 1)
        return from[0];
    if (operation == SCREE_OP_SUBTRACT && has_y && y == 0 && !signbit(y))
        return from[0];
    if (operation == SCREE_OP_IF && has_x)
        return x != 0 ? from[1] : from[2];
    if ((operation == SCREE_OP_MIN || operation == SCREE_OP_MAX) && from[0] == from[1])
        return from[0];
    return SCREE_NO_NODE;
}

/*  For + and *, which commute, the earlier node comes first. */
static void put_in_order(scree_operation operation, uint16_t from[3])
{
    bool commutes = operation == SCREE_OP_ADD || operation == SCREE_OP_MULTIPLY ||
                    operation == SCREE_OP_EQUAL || operation == SCREE_OP_AND ||
                    operation == SCREE_OP_OR;

    if (commutes && from[0] > from[1]) {
        uint16_t tmp = from[0];
        from[0] = from[1];
        from[1] = tmp;
    }
}

uint32_t scree_graph_operation(scree_graph *graph, scree_operation operation,
                               const uint32_t from[3])
{
    uint32_t arguments = scree_operation_arguments(operation);
    scree_node node = {.operation = (uint8_t)operation};
    double number[3] = {0}, exponent;
    bool all_numbers = true;
    uint32_t simpler = find_simpler(graph, operation, from);

    if (simpler != SCREE_NO_NODE)
        return simpler;
    if (operation == SCREE_OP_POW && scree_graph_is_number(graph, from[1], &exponent) &&
        fabs(exponent) <= MAX_PRODUCTS && 2 * exponent == floor(2 * exponent))
        return make_half_power(graph, from[0], (int)(2 * exponent));
    for (uint32_t k = 0; k < arguments && k < 3; k++) {
        node.from[k] = (uint16_t)from[k];
        node.is_varied = node.is_varied || graph->nodes[from[k]].is_varied;
        all_numbers = scree_graph_is_number(graph, from[k], &number[k]) && all_numbers;
    }
    if (all_numbers)
        return scree_graph_number(graph, scree_operate(operation, number[0], number[1], number[2]));
    put_in_order(operation, node.from);
    return add_node(graph, &node);
}
