/*  Formulas: what they are worth, compared with a slow evaluator of random expressions; the same bits at each SIMD level; and what is
    refused, with its column. */
#include "base/error.h"
#include "base/portable_math.h"
#include "base/random.h"
#include "formula/parse.h"
#include "formula/program.h"
#include "harness/failing_allocator.h"
#include "test.h"

#include <math.h>

#define ROWS 64

static const scree_formula_name names[] = {
    {"x", 0, true},
    {"y", 1, true},
    {"z", 2, true},
    {"a", 0, false},
    {"b", 1, false},
    {"lid.force_z", 2, false},
    {"box.side_-x", 3, false},
};
static const scree_formula_scope scope = {names, sizeof names / sizeof *names, NULL, NULL, NULL};

/*  One formula, from text to numbers. */
typedef struct bench
{
    scree_memory memory;
    scree_graph graph;
    scree_program *program;
    double varied[3][ROWS], fixed[4];
    _Alignas(64) double result[4][ROWS];
} bench;

static bench b;

static void begin(void)
{
    scree_memory_init(&b.memory, NULL);
    scree_graph_clear(&b.graph);
    b.program = NULL;
    for (int k = 0; k < ROWS; k++) {
        b.varied[0][k] = 0.25 * k - 3;
        b.varied[1][k] = 1.5 - 0.125 * k;
        b.varied[2][k] = k % 5;
    }
    b.fixed[0] = 2;
    b.fixed[1] = -0.75;
    b.fixed[2] = 40;
    b.fixed[3] = 7;
}

static void run(scree_simd level, uint32_t rows)
{
    const double *varied[] = {b.varied[0], b.varied[1], b.varied[2]};
    double *outputs[] = {b.result[0], b.result[1], b.result[2], b.result[3]};
    scree_program_data data = {b.fixed, varied, outputs, rows};

    memset(b.result, 0x7f, sizeof b.result);
    scree_program_run(b.program, level, &data);
}

static void compile(const char *text)
{
    scree_error why = {SCREE_OK, ""};
    uint32_t node;

    if (scree_formula_parse(&b.graph, &scope, text, &node, &why))
        FAIL("%s: %s", text, why.text);
    if (scree_program_make(&b.memory, &b.graph, &node, 1, &b.program, &why))
        FAIL("%s: %s", text, why.text);
}

static void end(void)
{
    scree_program_free(&b.memory, &b.program);
    CHECK_EQUAL(b.memory.bytes, 0);
}

static double value_of(const char *text)
{
    begin();
    compile(text);
    run(SCREE_SIMD_AUTO, 8);
    double value = b.result[0][7];
    end();
    return value;
}

/* ---- what formulas are worth ---- */

/*  Row 7: x = -1.25, y = 0.625, z = 2; a = 2, b = -0.75. */
TEST(formulas_are_worth_what_they_say)
{
    static const struct
    {
        const char *text;
        double value;
    } cases[] = {
        {"1 + 2 * 3", 7},
        {"(1 + 2) * 3", 9},
        {"2 - 3 - 4", -5},
        {"16 / 4 / 2", 2},
        {"-2^2", -4},
        {"2^3^2", 512},
        {"2^-1", 0.5},
        {"+-+3", -3},
        {"1e-3 * .5e3 + 1.", 1.5},
        {"x", -1.25},
        {"a * b", -1.5},
        {"x + y * z", 0},
        {"lid.force_z / 4", 10},
        {"'box.side_-x' + 1", 8},
        {"abs(x)", 1.25},
        {"sqrt(z * 8)", 4},
        {"sign(x) + sign(z) + sign(0)", 0},
        {"min(x, y, z)", -1.25},
        {"max(x, y, z)", 2},
        {"clamp(x, -1, 1)", -1},
        {"clamp(z, -1, 1)", 1},
        {"x < y", 1},
        {"x > y", 0},
        {"z <= a", 1},
        {"z >= a + 1", 0},
        {"z == a", 1},
        {"z != a", 0},
        {"z ~= a", 0},
        {"x < y and y < z", 1},
        {"x < y and y > z", 0},
        {"x > y or y < z", 1},
        {"not x > y", 1},
        {"not 3", 0},
        {"if(x < 0, 10, 20)", 10},
        {"if(x > 0, x, y)", 0.625},
        {"floor(x)", -2},
        {"cbrt(a * 4)", 2},
        {"pow(z, 3)", 8},
        {"z^0", 1},
        {"z^2", 4},
        {"(z * 2)^1.5", 8},
        {"(z * 2)^-0.5", 0.5},
        {"h = x * 2; k = h + 1; k * k", 2.25},
        {"h = 3;\n h + 1 ;", 4},
        {"cos(pi)", -1},
        {"tanh(0)", 0},
        {"tanh(50)", 1},
        {"exp(0) + log(1)", 1},
        {"atan(1) * 4 - pi", 0},
        {"tan(z) - sin(z) / cos(z)", 0},
        {"z^(x + 1.25)", 1},
        {"a^(x + 2.25)", 2},
        {"z^(b + 1.75)", 2},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (fabs(value_of(cases[i].text) - cases[i].value) > 5e-16)
            FAIL("%s is %.17g, not %.17g", cases[i].text, value_of(cases[i].text), cases[i].value);
}

TEST(hyperbolic_tangents_are_near_those_of_the_c_library)
{
    for (double x = -4; x < 4; x += 0.001)
        CHECK_NEAR(scree_tanh(x), tanh(x), 4e-16 + 3e-16 * fabs(tanh(x)) / 1);
    for (double x = 1e-12; x < 0.02; x *= 1.3)
        CHECK_NEAR(scree_tanh(x) / tanh(x), 1, 1e-14);
}

/*  A number that is none is never lost: not in min and max, as it would be with the C library's. */
TEST(min_and_max_keep_what_is_not_a_number)
{
    static const char *const texts[] = {"max(0, sqrt(x))", "max(sqrt(x), 0)", "min(0, sqrt(x))",
                                        "min(sqrt(x), 0)", "clamp(sqrt(x), 0, 1)"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        CHECK(isnan(value_of(texts[i])));
}

/* ---- random expressions ---- */

typedef struct generator
{
    scree_random random;
    char text[3000];
    size_t length;
    double row[3];
} generator;

static uint32_t draw(generator *g, uint32_t below)
{
    return scree_random_below(&g->random, below);
}

static void put(generator *g, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    g->length +=
        (size_t)vsnprintf(g->text + g->length, sizeof g->text - g->length, format, arguments);
    va_end(arguments);
}

static double leaf(generator *g)
{
    static const double numbers[] = {0, 1, 2, 0.5, 1e-3, 7.25};
    uint32_t which = draw(g, 8);

    if (which < 3) {
        put(g, "%s", which == 0 ? "x" : which == 1 ? "y" : "z");
        return g->row[which];
    }
    if (which < 5) {
        put(g, "%s", which == 3 ? "a" : "b");
        return b.fixed[which - 3];
    }
    double number = numbers[draw(g, 6)];
    put(g, "%g", number);
    return number;
}

static double grow(generator *g, int depth);

static double grow_pair(generator *g, int depth, const char *middle, double *second)
{
    put(g, "(");
    double first = grow(g, depth - 1);
    put(g, " %s ", middle);
    *second = grow(g, depth - 1);
    put(g, ")");
    return first;
}

static double grow_call(generator *g, int depth, const char *name)
{
    put(g, "%s(", name);
    double value = grow(g, depth - 1);
    put(g, ")");
    return value;
}

/*  The obvious way: each value is computed as the text is written. */
static double grow(generator *g, int depth)
{
    double p, q, r;

    if (depth == 0 || draw(g, 6) == 0)
        return leaf(g);
    switch (draw(g, 19)) {
    case 0:
        p = grow_pair(g, depth, "+", &q);
        return p + q;
    case 1:
        p = grow_pair(g, depth, "-", &q);
        return p - q;
    case 2:
    case 3:
        p = grow_pair(g, depth, "*", &q);
        return p * q;
    case 4:
        put(g, "((");
        p = grow(g, depth - 1);
        put(g, ") / (1 + abs(");
        q = grow(g, depth - 1);
        put(g, ")))");
        return p / (1 + fabs(q));
    case 5:
        p = grow_pair(g, depth, "<", &q);
        return p < q;
    case 6:
        p = grow_pair(g, depth, ">=", &q);
        return p >= q;
    case 7:
        p = grow_pair(g, depth, "!=", &q);
        return p != q;
    case 8:
        p = grow_pair(g, depth, "and", &q);
        return p != 0 && q != 0;
    case 9:
        p = grow_pair(g, depth, "or", &q);
        return p != 0 || q != 0;
    case 10:
        put(g, "if(");
        p = grow(g, depth - 1);
        put(g, ", ");
        q = grow(g, depth - 1);
        put(g, ", ");
        r = grow(g, depth - 1);
        put(g, ")");
        return p != 0 ? q : r;
    case 11:
        put(g, "min(");
        p = grow_pair(g, depth, ") , (", &q);
        put(g, ")");
        return isnan(p) ? p : p < q ? p : q;
    case 12:
        put(g, "max(");
        p = grow_pair(g, depth, ") , (", &q);
        put(g, ")");
        return isnan(p) ? p : p > q ? p : q;
    case 13:
        p = grow_call(g, depth, "abs");
        return fabs(p);
    case 14:
        put(g, "-");
        p = grow_call(g, depth, "floor");
        return -floor(p);
    case 15:
        put(g, "sqrt(abs(");
        p = grow(g, depth - 1);
        put(g, "))");
        return sqrt(fabs(p));
    case 16:
        p = grow_call(g, depth, "sin");
        return scree_sin(p);
    case 17:
        p = grow_call(g, depth, "atan");
        return scree_atan(p);
    default:
        put(g, "(");
        p = grow(g, depth - 1);
        put(g, ")^2");
        return p * p;
    }
}

static bool same(double p, double q)
{
    return p == q || (isnan(p) && isnan(q));
}

/*  Division by a constant 0, roots of constants below it and the like are refused, and are left out. */
static bool is_refused(const char *text)
{
    scree_error why = {SCREE_OK, ""};
    uint32_t node;
    bool refused = scree_formula_parse(&b.graph, &scope, text, &node, &why) != SCREE_OK;

    if (refused && !strstr(why.text, "must be a finite number"))
        FAIL("%s: %s", text, why.text);
    scree_graph_clear(&b.graph);
    return refused;
}

TEST(random_expressions_are_worth_what_a_slow_evaluator_says)
{
    const uint64_t count = TEST_EFFORT(3000, 60000);
    uint64_t refused = 0;

    for (uint64_t seed = 1; seed <= count; seed++) {
        generator g = {.random = scree_random_stream(seed, 0)};
        uint32_t row = (uint32_t)(seed % ROWS), rows = 1 + (uint32_t)(seed * 7 % ROWS);
        begin();
        row = row % rows;
        for (int k = 0; k < 3; k++)
            g.row[k] = b.varied[k][row];
        double wanted = grow(&g, 1 + (int)(seed % 5));
        if (is_refused(g.text)) {
            refused++;
            continue;
        }
        compile(g.text);
        for (scree_simd level = SCREE_SIMD_SCALAR; level <= SCREE_SIMD_AVX512; level++) {
            run(level, rows);
            if (!same(b.result[0][row], wanted))
                FAIL("seed %" PRIu64 ", row %u, level %d: %s is %.17g, not %.17g", seed, row,
                     (int)level, g.text, b.result[0][row], wanted);
        }
        end();
    }
    CHECK(refused < count / 10);
}

/* ---- programs ---- */

TEST(operations_that_are_alike_are_done_once)
{
    uint32_t first, second;
    scree_error why;

    begin();
    CHECK_EQUAL(scree_formula_parse(&b.graph, &scope, "sqrt(x * y) + a", &first, &why), 0);
    uint32_t count = b.graph.count;
    CHECK_EQUAL(scree_formula_parse(&b.graph, &scope, "a + sqrt(y * x)", &second, &why), 0);
    CHECK_EQUAL(first, second);
    CHECK_EQUAL(b.graph.count, count);
}

TEST(several_outputs_may_be_alike_or_inputs_or_constants)
{
    scree_error why;
    uint32_t node[4];

    begin();
    CHECK_EQUAL(scree_formula_parse(&b.graph, &scope, "x + y", &node[0], &why), 0);
    CHECK_EQUAL(scree_formula_parse(&b.graph, &scope, "y + x", &node[1], &why), 0);
    CHECK_EQUAL(scree_formula_parse(&b.graph, &scope, "x", &node[2], &why), 0);
    CHECK_EQUAL(scree_formula_parse(&b.graph, &scope, "a * 3", &node[3], &why), 0);
    CHECK_EQUAL(scree_program_make(&b.memory, &b.graph, node, 4, &b.program, &why), 0);
    for (scree_simd level = SCREE_SIMD_SCALAR; level <= SCREE_SIMD_AVX512; level++) {
        run(level, 40);
        for (int k = 0; k < 40; k++) {
            CHECK(b.result[0][k] == b.varied[0][k] + b.varied[1][k]);
            CHECK(b.result[1][k] == b.result[0][k]);
            CHECK(b.result[2][k] == b.varied[0][k]);
            CHECK(b.result[3][k] == 6);
        }
    }
    end();
}

/*  So many values at once that blocks of rows become shorter: s1 .. s40 are all needed at the end. */
TEST(long_programs_go_by_shorter_blocks)
{
    char text[4000] = "", *at = text;
    double wanted = 0;

    for (int k = 1; k <= 45; k++)
        at += sprintf(at, "s%d = sqrt(abs(x) + %d);", k, k);
    for (int k = 45; k >= 1; k--)
        at += sprintf(at, "%ss%d", k == 45 ? "" : "+", k);
    begin();
    compile(text);
    for (int k = 45; k >= 1; k--)
        wanted =
            k == 45 ? sqrt(fabs(b.varied[0][60]) + k) : wanted + sqrt(fabs(b.varied[0][60]) + k);
    for (scree_simd level = SCREE_SIMD_SCALAR; level <= SCREE_SIMD_AVX512; level++) {
        run(level, ROWS);
        CHECK(b.result[0][60] == wanted);
    }
    end();
}

TEST(without_memory_nothing_is_left)
{
    scree_error why = {SCREE_OK, ""};
    uint32_t node;

    begin();
    CHECK_EQUAL(scree_formula_parse(&b.graph, &scope, "x + y * a", &node, &why), 0);
    CHECK_EQUAL(
        scree_program_make(&b.memory, &b.graph, &node, SCREE_MAX_FORMULAS + 1, &b.program, &why),
        SCREE_TOO_LARGE);
    CHECK(!b.program);
    CHECK_EQUAL(b.memory.bytes, 0);
    for (size_t k = 1;; k++) {
        failing_allocator failing = {.fail_at = k};
        scree_allocator hooks = failing_allocator_hooks(&failing);
        scree_memory_init(&b.memory, &hooks);
        scree_status status = scree_program_make(&b.memory, &b.graph, &node, 1, &b.program, &why);
        CHECK_EQUAL(status, failing.requests < k ? SCREE_OK : SCREE_OUT_OF_MEMORY);
        CHECK(!status == (b.program != NULL));
        if (status)
            CHECK_TEXT(why.text, "out of memory");
        scree_program_free(&b.memory, &b.program);
        CHECK(failing_allocator_is_clean(&failing));
        if (!status)
            break;
    }
}

/* ---- what is refused ---- */

static void refuse_as(const char *text, bool only_definitions, const char *message)
{
    scree_error why = {SCREE_OK, ""};
    uint32_t node;

    begin();
    if (!scree_formula_parse(&b.graph, &scope, text, only_definitions ? NULL : &node, &why))
        FAIL("%s is taken", text);
    CHECK_TEXT(why.text, message);
}

TEST(bad_formulas_are_refused_with_their_column)
{
    static const char *const cases[][2] = {
        {"", "column 1: the formula is empty"},
        {"   ", "column 4: the value is missing"},
        {"x +", "column 4: a number, a name or a bracket is missing before the end of the text"},
        {"* x", "column 1: a number, a name or a bracket is missing before `*`"},
        {"(x + y",
         "column 7: `)` is missing before the end of the text: the bracket in column 1 is open"},
        {"x + y)", "column 6: `)` closes no bracket"},
        {"min(x, y", "column 9: `,` or `)` is missing before the end of the text: the bracket of "
                     "min in column 1 is open"},
        {"2 x", "column 3: an operator is missing before `x`"},
        {"2x", "column 2: an operator is missing before `x`, as in 2 * r"},
        {"x y", "column 3: an operator is missing before `y`"},
        {"lid.force_x", "column 1: there is no name `lid.force_x`; did you mean `lid.force_z`?"},
        {"x + unheard_of", "column 5: there is no name `unheard_of`"},
        {"sqr(x)", "column 1: there is no function `sqr`; did you mean `sqrt`?"},
        {"wavelet(x)", "column 1: there is no function `wavelet`"},
        {"sqrt", "column 1: `sqrt` is a function, and needs (...) behind it"},
        {"sqrt()", "column 1: sqrt has 0 arguments, must have 1"},
        {"sqrt(x, y)", "column 1: sqrt has 2 arguments, must have 1"},
        {"pow(x)", "column 1: pow has 1 argument, must have 2"},
        {"if(x, y)", "column 1: if has 2 arguments, must have 3"},
        {"min(x)", "column 1: min has 1 argument, must have 2 or more"},
        {"x / 0", "column 3: division by 0"},
        {"x / (2 - 2)", "column 3: division by 0"},
        {"0^-1", "column 2: this is infinite, must be a finite number"},
        {"sqrt(0 - 1)", "column 1: this is not a number, must be a finite number"},
        {"log(0)", "column 1: this is minus infinite, must be a finite number"},
        {"1e999", "column 1: `1e999` is too large"},
        {"1.2.3", "column 1: `1.2.3` is not a number"},
        {"x ** 2", "column 3: a power is written with ^, as x^2"},
        {"0 < x < 1", "column 7: comparisons in a row; join two with `and`, as a < b and b < c"},
        {"x = 2; x", "column 1: the name `x` is taken"},
        {"h = 2; h = 3; h", "column 8: the name `h` is taken"},
        {"sqrt = 2; 1", "column 1: the name `sqrt` is a word of formulas"},
        {"pi = 3; pi", "column 1: the name `pi` is a word of formulas"},
        {"h.x = 3; 1", "column 1: the name `h.x` has a point"},
        {"h = 2", "column 6: the value is missing"},
        {"x + (h = 2)", "column 6: there is no name `h`"},
        {"x + y = z", "column 7: `=` defines a name; compare two values with =="},
        {"and x", "column 1: a value is missing before `and`"},
        {"'box.side_-x", "column 1: the quote ' has no end"},
        {"''", "column 1: a name has 1 to 63 bytes"},
        {"x & y", "column 3: an operator is missing before `&`"},
        {"x \xc3\xa9", "column 3: an operator is missing before a byte 0xc3"},
        {"$", "column 1: a number, a name or a bracket is missing before `$`"},
        {"h = 2 3; h", "column 7: `;` or an operator is missing before `3`"},
        {"min(1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17)",
         "column 44: min has more than 16 arguments"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        refuse_as(cases[i][0], false, cases[i][1]);
    refuse_as("h = 2; h", true,
              "column 8: only definitions are allowed here, such as name = value;");
}

TEST(names_have_63_bytes_at_most)
{
    char name[70], text[80];

    memset(name, 'n', 64);
    name[63] = 0;
    CHECK(!scree_formula_name_fault(name));
    sprintf(text, "%s = 2; 1", name);
    begin();
    compile(text);
    end();
    name[63] = 'n';
    name[64] = 0;
    CHECK_TEXT(scree_formula_name_fault(name), "is longer than 63 bytes");
    sprintf(text, "%s = 2; 1", name);
    refuse_as(text, false, "column 1: a name has 1 to 63 bytes");
}

static uint32_t recall_nothing(void *user, scree_graph *graph, size_t which, uint32_t node,
                               scree_error *error)
{
    (void)user;
    (void)graph;
    (void)which;
    (void)node;
    scree_fail(error, SCREE_TOO_LARGE, "too much is kept");
    return SCREE_NO_NODE;
}

TEST(what_a_caller_cannot_keep_is_refused)
{
    static const char *const recalls[] = {"start", NULL};
    const scree_formula_scope keeping = {names, sizeof names / sizeof *names, recalls,
                                         recall_nothing, NULL};
    scree_error why = {SCREE_OK, ""};
    uint32_t node;

    begin();
    CHECK_EQUAL(scree_formula_parse(&b.graph, &keeping, "1 + start(x)", &node, &why),
                SCREE_BAD_VALUE);
    CHECK_TEXT(why.text, "column 5: too much is kept");
}

TEST(texts_that_are_too_long_or_deep_are_refused)
{
    static char text[SCREE_FORMULA_BYTES + 2];

    memset(text, ' ', sizeof text - 1);
    text[0] = 'x';
    refuse_as(text, false, "column 4097: the text has 4097 bytes, at most 4096");
    memset(text, '(', 200);
    text[200] = 0;
    refuse_as(text, false, "column 65: more than 64 brackets are nested");
    begin();
    scree_error why;
    uint32_t node;
    char *at = text;
    at += sprintf(at, "x");
    for (int k = 0; k < 900; k++)
        at += sprintf(at, "*x+%d", k % 10);
    CHECK_EQUAL(scree_formula_parse(&b.graph, &scope, text, &node, &why), SCREE_TOO_LARGE);
    CHECK_SAYS(why.text, "the formulas have more than 512 operations");
    begin();
    at = text;
    for (int k = 0; k <= 48; k++)
        at += sprintf(at, "h%d = x;", k);
    CHECK_EQUAL(scree_formula_parse(&b.graph, &scope, text, NULL, &why), SCREE_TOO_LARGE);
    CHECK_SAYS(why.text, "there are more than 48 definitions");
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(formulas_are_worth_what_they_say),
        CASE(hyperbolic_tangents_are_near_those_of_the_c_library),
        CASE(min_and_max_keep_what_is_not_a_number),
        CASE(random_expressions_are_worth_what_a_slow_evaluator_says),
        CASE(operations_that_are_alike_are_done_once),
        CASE(several_outputs_may_be_alike_or_inputs_or_constants),
        CASE(long_programs_go_by_shorter_blocks),
        CASE(without_memory_nothing_is_left),
        CASE(bad_formulas_are_refused_with_their_column),
        CASE(names_have_63_bytes_at_most),
        CASE(what_a_caller_cannot_keep_is_refused),
        CASE(texts_that_are_too_long_or_deep_are_refused),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
