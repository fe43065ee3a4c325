/*  Recursive descent parser, one function for each line of the grammar in parse.h. Every function returns a node, or
    SCREE_NO_NODE after an error; the first error is reported, with its column. */
#include "formula/parse.h"

#include "base/decimal.h"
#include "base/error.h"
#include "base/nearest_name.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/*  Each bracket counts twice: as operand of `not` and as operand of a sign. */
#define MAX_DEPTH 128
#define MAX_ARGUMENTS 16u

typedef struct parser
{
    scree_graph *graph;
    const scree_formula_scope *scope;
    const char *text, *at;
    int depth;
    scree_status status;
    scree_error *error;
} parser;

static uint32_t parse_value(parser *p);

/* ---- messages ---- */

static size_t column_of(const parser *p, const char *at)
{
    return (size_t)(at - p->text) + 1;
}

/*  Reports an error at `at`. */
#define REFUSE(p, at, ...) refuse(p, SCREE_BAD_VALUE, at, __VA_ARGS__)
static uint32_t refuse(parser *p, scree_status status, const char *at, const char *format, ...)
    SCREE_PRINTF(4, 5);

static uint32_t refuse(parser *p, scree_status status, const char *at, const char *format, ...)
{
    scree_error why = {SCREE_OK, ""};
    va_list arguments;

    if (p->status)
        return SCREE_NO_NODE;
    va_start(arguments, format);
    vsnprintf(why.text, sizeof why.text, format, arguments);
    va_end(arguments);
    p->status = scree_fail(p->error, status, "column %zu: %s", column_of(p, at), why.text);
    return SCREE_NO_NODE;
}

/*  The token at `at`, for messages. */
static const char *describe(const char *at, char text[24])
{
    unsigned char c = (unsigned char)*at;

    if (c == 0)
        return "the end of the text";
    if (c < ' ' || c > '~')
        snprintf(text, 24, "a byte 0x%02x", c);
    else
        snprintf(text, 24, "`%c`", c);
    return text;
}

/* ---- characters ---- */

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static void skip_space(parser *p)
{
    while (*p->at == ' ' || *p->at == '\t' || *p->at == '\n' || *p->at == '\r')
        p->at++;
}

/*  Letters, digits, _; and points between them, as in "lid.force_z". */
static size_t name_length(const char *at)
{
    size_t length = 0;

    if (!is_letter(*at))
        return 0;
    while (is_letter(at[length]) || is_digit(at[length]) ||
           (at[length] == '.' && (is_letter(at[length + 1]) || is_digit(at[length + 1]))))
        length++;
    return length;
}

static bool take(parser *p, const char *symbol)
{
    size_t length = strlen(symbol);

    skip_space(p);
    if (strncmp(p->at, symbol, length) != 0 ||
        (is_letter(symbol[0]) && name_length(p->at) != length))
        return false;
    p->at += length;
    return true;
}

static bool is_word(const char *name)
{
    return strcmp(name, "and") == 0 || strcmp(name, "or") == 0 || strcmp(name, "not") == 0;
}

/* ---- nodes ---- */

static uint32_t check_room(parser *p, const char *at, uint32_t node)
{
    return node != SCREE_NO_NODE ? node
                                 : refuse(p, SCREE_TOO_LARGE, at,
                                          "the formulas have more than %u operations; "
                                          "shorten them, or write the law in C",
                                          SCREE_MAX_NODES);
}

static uint32_t operate(parser *p, const char *at, scree_operation operation, uint32_t x,
                        uint32_t y, uint32_t z)
{
    const uint32_t from[3] = {x, y, z};
    double number;

    if (p->status)
        return SCREE_NO_NODE;
    if (operation == SCREE_OP_DIVIDE && scree_graph_is_number(p->graph, y, &number) && number == 0)
        return REFUSE(p, at, "division by 0");
    uint32_t node = check_room(p, at, scree_graph_operation(p->graph, operation, from));
    if (!p->status && scree_graph_is_number(p->graph, node, &number) && !isfinite(number))
        return REFUSE(p, at, "this is %s, must be a finite number",
                      isnan(number) ? "not a number"
                      : number > 0  ? "infinite"
                                    : "minus infinite");
    return node;
}

static uint32_t operate_2(parser *p, const char *at, scree_operation operation, uint32_t x,
                          uint32_t y)
{
    return operate(p, at, operation, x, y, 0);
}

/* ---- names ---- */

typedef struct function_row
{
    const char *name;
    uint32_t least, most; /* arguments */
    scree_operation operation;
} function_row;

static const function_row functions[] = {
#define X(operation, function, arguments) {function, arguments, arguments, SCREE_OP_##operation},
    SCREE_WIDE_OPERATIONS(X) SCREE_SINGLE_OPERATIONS(X)
#undef X
        {"clamp", 3, 3, SCREE_OPERATIONS},
};

static const function_row *find_function(const char *name)
{
    for (size_t i = 0; i < SCREE_COUNT_OF(functions); i++)
        if (functions[i].name && strcmp(functions[i].name, name) == 0)
            return &functions[i];
    return NULL;
}

static int find_recall(const parser *p, const char *name)
{
    for (int i = 0; p->scope->recalls && p->scope->recalls[i]; i++)
        if (strcmp(p->scope->recalls[i], name) == 0)
            return i;
    return -1;
}

/*  Functions, then names of the caller, then those of the text. */
static const char *next_known(const void *list, size_t index)
{
    const parser *p = list;

    if (index < p->scope->name_count)
        return p->scope->names[index].name;
    index -= p->scope->name_count;
    if (index < p->graph->local_count)
        return p->graph->locals[index].name;
    return index == p->graph->local_count ? "pi" : NULL;
}

static const char *next_function(const void *list, size_t index)
{
    const parser *p = list;

    if (index < SCREE_COUNT_OF(functions))
        return functions[index].name ? functions[index].name : "";
    index -= SCREE_COUNT_OF(functions);
    for (size_t i = 0; p->scope->recalls && p->scope->recalls[i]; i++)
        if (i == index)
            return p->scope->recalls[i];
    return NULL;
}

static uint32_t fail_unknown(parser *p, const char *at, const char *name)
{
    /* any name of one letter would be similar to another */
    const char *nearest = name[0] && name[1] ? scree_nearest_name(name, next_known, p) : NULL;

    if (find_function(name) || find_recall(p, name) >= 0)
        return REFUSE(p, at, "`%.60s` is a function, and needs (...) behind it", name);
    if (nearest && *nearest)
        return REFUSE(p, at, "there is no name `%.60s`; did you mean `%.60s`?", name, nearest);
    return REFUSE(p, at, "there is no name `%.60s`", name);
}

static uint32_t find_local(const scree_graph *graph, const char *name)
{
    for (uint32_t i = 0; i < graph->local_count; i++)
        if (strcmp(graph->locals[i].name, name) == 0)
            return i;
    return SCREE_NO_NODE;
}

static const scree_formula_name *find_name(const parser *p, const char *name)
{
    for (size_t i = 0; i < p->scope->name_count; i++)
        if (strcmp(p->scope->names[i].name, name) == 0)
            return &p->scope->names[i];
    return NULL;
}

static uint32_t use_name(parser *p, const char *at, const char *name)
{
    uint32_t local = find_local(p->graph, name);
    const scree_formula_name *known = find_name(p, name);

    if (local != SCREE_NO_NODE)
        return p->graph->locals[local].node;
    if (known)
        return check_room(p, at, scree_graph_input(p->graph, known->input, known->is_varied));
    if (strcmp(name, "pi") == 0)
        return check_room(p, at, scree_graph_number(p->graph, 3.14159265358979323846));
    return fail_unknown(p, at, name);
}

/*  Reads a name, also a quoted one. Returns false, with a message, if it is too long or its quote is not closed. */
static bool read_name(parser *p, char name[SCREE_FORMULA_NAME])
{
    const char *begin = p->at, *first = begin;
    size_t length = name_length(begin);

    if (*begin == '\'') {
        const char *end = strchr(begin + 1, '\'');
        if (!end) {
            REFUSE(p, begin, "the quote ' has no end");
            return false;
        }
        first = begin + 1;
        length = (size_t)(end - first);
        p->at = end + 1;
    } else {
        p->at += length;
    }
    if (length == 0 || length >= SCREE_FORMULA_NAME) {
        REFUSE(p, begin, "a name has 1 to %u bytes", SCREE_FORMULA_NAME - 1);
        return false;
    }
    memcpy(name, first, length);
    name[length] = 0;
    return true;
}

const char *scree_formula_name_fault(const char *name)
{
    size_t length = name_length(name);

    if (length == 0 || length != strlen(name))
        return "must begin with a letter, and have only letters, digits and _";
    if (length >= SCREE_FORMULA_NAME)
        return "is longer than 63 bytes";
    if (strcmp(name, "pi") == 0 || is_word(name) || find_function(name))
        return "is a word of formulas";
    return NULL;
}

/* ---- calls ---- */

static uint32_t fold(parser *p, const char *at, scree_operation operation, const uint32_t *node,
                     uint32_t count)
{
    uint32_t value = node[0];

    for (uint32_t k = 1; k < count; k++)
        value = operate_2(p, at, operation, value, node[k]);
    return value;
}

static uint32_t apply(parser *p, const char *at, const function_row *function,
                      const uint32_t node[3], uint32_t count)
{
    if (function->operation == SCREE_OP_MIN || function->operation == SCREE_OP_MAX)
        return fold(p, at, function->operation, node, count);
    if (function->operation == SCREE_OPERATIONS) /* clamp */
        return operate_2(p, at, SCREE_OP_MIN, operate_2(p, at, SCREE_OP_MAX, node[0], node[1]),
                         node[2]);
    return operate(p, at, function->operation, node[0], node[1], node[2]);
}

/*  Reads the arguments up to the bracket. Returns their number. */
static uint32_t parse_arguments(parser *p, const char *at, const char *name,
                                uint32_t node[MAX_ARGUMENTS])
{
    uint32_t count = 0;

    if (take(p, ")"))
        return 0;
    do {
        if (count == MAX_ARGUMENTS) {
            REFUSE(p, p->at, "%.60s has more than %u arguments", name, MAX_ARGUMENTS);
            return 0;
        }
        node[count++] = parse_value(p);
    } while (!p->status && take(p, ","));
    if (!p->status && !take(p, ")")) {
        char text[24];
        REFUSE(p, p->at,
               "`,` or `)` is missing before %s: the bracket of %.60s in column %zu is open",
               describe(p->at, text), name, column_of(p, at));
    }
    return count;
}

static uint32_t parse_call(parser *p, const char *at, const char *name)
{
    const function_row *function = find_function(name);
    uint32_t node[MAX_ARGUMENTS] = {0};
    scree_error why = {SCREE_OK, ""};
    int recall = find_recall(p, name);

    if (!function && recall < 0) {
        const char *nearest = scree_nearest_name(name, next_function, p);
        if (nearest && *nearest)
            return REFUSE(p, at, "there is no function `%.60s`; did you mean `%s`?", name, nearest);
        return REFUSE(p, at, "there is no function `%.60s`", name);
    }
    uint32_t count = parse_arguments(p, at, name, node);
    if (p->status)
        return SCREE_NO_NODE;
    bool takes_more =
        function && (function->operation == SCREE_OP_MIN || function->operation == SCREE_OP_MAX);
    uint32_t wanted = function ? function->least : 1;
    if (count < wanted || (count > wanted && !takes_more))
        return REFUSE(p, at, "%s has %u argument%s, must have %u%s", name, count,
                      count == 1 ? "" : "s", wanted, takes_more ? " or more" : "");
    if (function)
        return apply(p, at, function, node, count);
    uint32_t value = p->scope->recall(p->scope->user, p->graph, (size_t)recall, node[0], &why);
    if (value == SCREE_NO_NODE)
        return REFUSE(p, at, "%s", why.text);
    return value;
}

/* ---- the grammar, from the innermost rule outward ---- */

static size_t number_length(const char *at)
{
    size_t n = 0;

    while (is_digit(at[n]) || at[n] == '.')
        n++;
    if (at[n] == 'e' || at[n] == 'E') {
        size_t sign = at[n + 1] == '+' || at[n + 1] == '-';
        if (is_digit(at[n + 1 + sign]))
            for (n += 1 + sign; is_digit(at[n]);)
                n++;
    }
    return n;
}

static uint32_t parse_number(parser *p)
{
    const char *at = p->at;
    size_t length = number_length(at);
    double number = 0;

    if (!scree_text_to_real(at, length, &number))
        return REFUSE(p, at, "`%.*s` is not a number", (int)(length < 40 ? length : 40), at);
    if (!isfinite(number))
        return REFUSE(p, at, "`%.*s` is too large", (int)(length < 40 ? length : 40), at);
    p->at += length;
    if (is_letter(*p->at))
        return REFUSE(p, p->at, "an operator is missing before `%c`, as in 2 * r", *p->at);
    return check_room(p, at, scree_graph_number(p->graph, number));
}

static uint32_t parse_primary(parser *p)
{
    char name[SCREE_FORMULA_NAME], text[24];

    skip_space(p);
    const char *at = p->at;
    if (is_digit(*at) || (*at == '.' && is_digit(at[1])))
        return parse_number(p);
    if (take(p, "(")) {
        uint32_t value = parse_value(p);
        if (!p->status && !take(p, ")"))
            return REFUSE(p, p->at, "`)` is missing before %s: the bracket in column %zu is open",
                          describe(p->at, text), column_of(p, at));
        return value;
    }
    if (!is_letter(*at) && *at != '\'')
        return REFUSE(p, at, "a number, a name or a bracket is missing before %s",
                      describe(at, text));
    if (!read_name(p, name))
        return SCREE_NO_NODE;
    if (*at != '\'' && is_word(name))
        return REFUSE(p, at, "a value is missing before `%s`", name);
    if (*at != '\'' && take(p, "("))
        return parse_call(p, at, name);
    return use_name(p, at, name);
}

static uint32_t parse_unary(parser *p);

/*  -x^2 is -(x^2), 2^-1 is a half, a^b^c is a^(b^c). */
static uint32_t parse_power(parser *p)
{
    uint32_t value = parse_primary(p);
    const char *at = p->at;

    if (p->status || !take(p, "^"))
        return value;
    return operate_2(p, at, SCREE_OP_POW, value, parse_unary(p));
}

static bool go_deeper(parser *p)
{
    if (++p->depth > MAX_DEPTH)
        refuse(p, SCREE_TOO_LARGE, p->at, "more than %d brackets are nested", MAX_DEPTH / 2);
    return !p->status;
}

static uint32_t parse_unary(parser *p)
{
    uint32_t value = SCREE_NO_NODE;

    skip_space(p);
    const char *at = p->at;
    if (!go_deeper(p))
        return SCREE_NO_NODE;
    if (take(p, "-"))
        value = operate_2(p, at, SCREE_OP_NEGATE, parse_unary(p), 0);
    else
        value = take(p, "+") ? parse_unary(p) : parse_power(p);
    p->depth--;
    return value;
}

static uint32_t parse_product(parser *p)
{
    uint32_t value = parse_unary(p);

    while (!p->status) {
        skip_space(p);
        const char *at = p->at;
        if (at[0] == '*' && at[1] == '*')
            return REFUSE(p, at, "a power is written with ^, as x^2");
        if (take(p, "*"))
            value = operate_2(p, at, SCREE_OP_MULTIPLY, value, parse_unary(p));
        else if (take(p, "/"))
            value = operate_2(p, at, SCREE_OP_DIVIDE, value, parse_unary(p));
        else
            break;
    }
    return value;
}

static uint32_t parse_sum(parser *p)
{
    uint32_t value = parse_product(p);

    while (!p->status) {
        skip_space(p);
        const char *at = p->at;
        if (take(p, "+"))
            value = operate_2(p, at, SCREE_OP_ADD, value, parse_product(p));
        else if (take(p, "-"))
            value = operate_2(p, at, SCREE_OP_SUBTRACT, value, parse_product(p));
        else
            break;
    }
    return value;
}

typedef struct comparison
{
    const char *symbol;
    scree_operation operation;
    bool is_swapped, is_negated;
} comparison;

static const comparison comparisons[] = {
    {"<=", SCREE_OP_LESS_EQUAL, false, false}, {">=", SCREE_OP_LESS_EQUAL, true, false},
    {"==", SCREE_OP_EQUAL, false, false},      {"!=", SCREE_OP_EQUAL, false, true},
    {"~=", SCREE_OP_EQUAL, false, true},       {"<", SCREE_OP_LESS, false, false},
    {">", SCREE_OP_LESS, true, false},
};

static const comparison *take_comparison(parser *p)
{
    for (size_t i = 0; i < SCREE_COUNT_OF(comparisons); i++)
        if (take(p, comparisons[i].symbol))
            return &comparisons[i];
    return NULL;
}

static uint32_t parse_comparison(parser *p)
{
    uint32_t value = parse_sum(p);

    skip_space(p);
    const char *at = p->at;
    const comparison *c = p->status ? NULL : take_comparison(p);
    if (!c)
        return value;
    uint32_t other = parse_sum(p);
    value = c->is_swapped ? operate_2(p, at, c->operation, other, value)
                          : operate_2(p, at, c->operation, value, other);
    if (c->is_negated)
        value = operate_2(p, at, SCREE_OP_NOT, value, 0);
    skip_space(p);
    at = p->at;
    if (!p->status && take_comparison(p))
        return REFUSE(p, at, "comparisons in a row; join two with `and`, as a < b and b < c");
    return value;
}

static uint32_t parse_not(parser *p)
{
    uint32_t value = SCREE_NO_NODE;

    skip_space(p);
    const char *at = p->at;
    if (!go_deeper(p))
        return SCREE_NO_NODE;
    if (take(p, "not"))
        value = operate_2(p, at, SCREE_OP_NOT, parse_not(p), 0);
    else
        value = parse_comparison(p);
    p->depth--;
    return value;
}

static uint32_t parse_and(parser *p)
{
    uint32_t value = parse_not(p);

    for (const char *at = p->at; !p->status && take(p, "and"); at = p->at)
        value = operate_2(p, at, SCREE_OP_AND, value, parse_not(p));
    return value;
}

static uint32_t parse_value(parser *p)
{
    uint32_t value = parse_and(p);

    for (const char *at = p->at; !p->status && take(p, "or"); at = p->at)
        value = operate_2(p, at, SCREE_OP_OR, value, parse_and(p));
    return value;
}

/* ---- definitions ---- */

/*  Whether "name =" is next; if so, it has been read. */
static bool take_definition(parser *p, char name[SCREE_FORMULA_NAME])
{
    skip_space(p);
    const char *begin = p->at;
    size_t length = name_length(begin);

    p->at += length;
    skip_space(p);
    bool is_definition = length > 0 && p->at[0] == '=' && p->at[1] != '=';
    if (is_definition && length < SCREE_FORMULA_NAME) {
        memcpy(name, begin, length);
        name[length] = 0;
        p->at++;
        return true;
    }
    p->at = begin;
    if (is_definition)
        REFUSE(p, begin, "a name has 1 to %u bytes", SCREE_FORMULA_NAME - 1);
    return false;
}

static void define(parser *p, const char *at, const char *name)
{
    const char *fault = scree_formula_name_fault(name);

    if (fault || strchr(name, '.')) {
        REFUSE(p, at, "the name `%.60s` %s", name, fault ? fault : "has a point");
        return;
    }
    if (find_name(p, name) || find_local(p->graph, name) != SCREE_NO_NODE ||
        find_recall(p, name) >= 0) {
        REFUSE(p, at, "the name `%.60s` is taken", name);
        return;
    }
    uint32_t value = parse_value(p);
    if (p->status)
        return;
    if (p->graph->local_count == SCREE_MAX_LOCALS) {
        refuse(p, SCREE_TOO_LARGE, at, "there are more than %u definitions", SCREE_MAX_LOCALS);
        return;
    }
    scree_local *local = &p->graph->locals[p->graph->local_count++];
    snprintf(local->name, sizeof local->name, "%s", name);
    local->node = value;
}

/*  Reads all definitions before the value. */
static void parse_definitions(parser *p)
{
    char name[SCREE_FORMULA_NAME], text[24];

    for (;;) {
        skip_space(p);
        const char *at = p->at;
        if (p->status || !take_definition(p, name))
            return;
        define(p, at, name);
        if (!p->status && !take(p, ";") && *p->at)
            REFUSE(p, p->at, "`;` or an operator is missing before %s", describe(p->at, text));
    }
}

scree_status scree_formula_parse(scree_graph *graph, const scree_formula_scope *scope,
                                 const char *text, uint32_t *node, scree_error *error)
{
    parser p = {.graph = graph, .scope = scope, .text = text, .at = text, .error = error};
    char seen[24];

    if (strlen(text) > SCREE_FORMULA_BYTES)
        return scree_fail(error, SCREE_TOO_LARGE, "column %u: the text has %zu bytes, at most %u",
                          SCREE_FORMULA_BYTES + 1, strlen(text), SCREE_FORMULA_BYTES);
    parse_definitions(&p);
    skip_space(&p);
    if (!p.status && !node && *p.at)
        REFUSE(&p, p.at, "only definitions are allowed here, such as name = value;");
    if (!p.status && node) {
        if (!*p.at)
            REFUSE(&p, p.at, "%s", p.at == text ? "the formula is empty" : "the value is missing");
        *node = parse_value(&p);
        take(&p, ";");
        skip_space(&p);
        if (!p.status && *p.at == ')')
            REFUSE(&p, p.at, "`)` closes no bracket");
        if (!p.status && *p.at == '=')
            REFUSE(&p, p.at, "`=` defines a name; compare two values with ==");
        if (!p.status && *p.at)
            REFUSE(&p, p.at, "an operator is missing before %s", describe(p.at, seen));
    }
    return p.status;
}
