/*  From text to the nodes of a graph.

        text        { name = sum ; } value
        value       conditions with `or`, `and`, `not`, comparisons < <= > >= == !=, sums, products, powers with ^
        power       number | name | 'name' | function(value, ...) | (value)

    Names have letters, digits, _ and points; others stand in single quotes. What a text names with = is known to what follows,
    also to later texts of the same graph. `pi` is there already. */
#ifndef SCREE_FORMULA_PARSE_H
#define SCREE_FORMULA_PARSE_H

#include "formula/graph.h"

/*  A name that formulas may use: an input, and for all rows the same or not. */
typedef struct scree_formula_name
{
    const char *name;
    uint32_t input;
    bool is_varied;
} scree_formula_name;

/*  What formulas know. `recall` makes of a value another one that the caller keeps, as its value at the start; it gives the node,
    or SCREE_NO_NODE with a message. */
typedef struct scree_formula_scope
{
    const scree_formula_name *names;
    size_t name_count;
    const char *const *recalls; /* names of such functions, ended with NULL; NULL: none */
    uint32_t (*recall)(void *user, scree_graph *graph, size_t which, uint32_t node,
                       scree_error *error);
    void *user;
} scree_formula_scope;

/*  *node is the value. With `node` NULL the text has definitions alone. Messages begin with "column 7: ". SCREE_BAD_VALUE: the text
    is wrong; SCREE_TOO_LARGE: too long, or too much for a graph. */
scree_status scree_formula_parse(scree_graph *graph, const scree_formula_scope *scope,
                                 const char *text, uint32_t *node, scree_error *error);

/*  Whether a name can be given to a parameter or a column, and NULL, or else why not. */
const char *scree_formula_name_fault(const char *name);

#endif
