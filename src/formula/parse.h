/*  From text to the nodes of a graph.

        text        { name = sum ; } value
        value       conditions with `or`, `and`, `not`, comparisons < <= > >= == !=, sums, products, powers with ^
        power       number | name | 'name' | function(value, ...) | (value)

    Names have letters, digits, _ and points; other names are in single quotes. A name defined with = can be used from
    there on, also in later texts of the same graph. `pi` is predefined. */
#ifndef SCREE_FORMULA_PARSE_H
#define SCREE_FORMULA_PARSE_H

#include "formula/graph.h"

/*  A name that formulas may use: an input, and whether it has one value for all rows. */
typedef struct scree_formula_name
{
    const char *name;
    uint32_t input;
    bool is_varied;
} scree_formula_name;

/*  The names that formulas can use. `recall` replaces a value by another one that the caller keeps, such as its value
    at the start. It returns the node, or SCREE_NO_NODE with a message. */
typedef struct scree_formula_scope
{
    const scree_formula_name *names;
    size_t name_count;
    const char *const *recalls; /* names of such functions, NULL-terminated; NULL: none */
    uint32_t (*recall)(void *user, scree_graph *graph, size_t which, uint32_t node,
                       scree_error *error);
    void *user;
} scree_formula_scope;

/*  *node becomes the value. If `node` is NULL the text must consist of definitions only. Messages begin with "column 7:
    ". SCREE_BAD_VALUE: the text is wrong; SCREE_TOO_LARGE: the text is too long, or exceeds a graph. */
scree_status scree_formula_parse(scree_graph *graph, const scree_formula_scope *scope,
                                 const char *text, uint32_t *node, scree_error *error);

/*  Returns NULL if a name can be given to a parameter or a column, otherwise the reason why not. */
const char *scree_formula_name_fault(const char *name);

#endif
