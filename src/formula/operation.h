/*  The operations of formulas: one list with the name of each in a text and its value. The same rules hold for scalar
    loops, vectors (run.inc.h) and constant folding, so a formula has one value. A condition is 1 or 0; any number other
    than 0 counts as true. min and max of a NaN and a number are the NaN. */
#ifndef SCREE_FORMULA_OPERATION_H
#define SCREE_FORMULA_OPERATION_H

#include "base/portable_math.h"

#include <math.h>
#include <stdint.h>

/*  Vectorised operations: value for x, y, z. */
#define SCREE_WIDE_OPERATIONS(X) /* operation, name of the function or NULL, arguments */          \
    X(NEGATE, NULL, 1)                                                                             \
    X(ABS, "abs", 1)                                                                               \
    X(SQRT, "sqrt", 1)                                                                             \
    X(SIGN, "sign", 1)                                                                             \
    X(NOT, NULL, 1)                                                                                \
    X(ADD, NULL, 2)                                                                                \
    X(SUBTRACT, NULL, 2)                                                                           \
    X(MULTIPLY, NULL, 2)                                                                           \
    X(DIVIDE, NULL, 2)                                                                             \
    X(MIN, "min", 2)                                                                               \
    X(MAX, "max", 2)                                                                               \
    X(LESS, NULL, 2)                                                                               \
    X(LESS_EQUAL, NULL, 2)                                                                         \
    X(EQUAL, NULL, 2)                                                                              \
    X(AND, NULL, 2)                                                                                \
    X(OR, NULL, 2)                                                                                 \
    X(IF, "if", 3)

/*  Scalar operations. */
#define SCREE_SINGLE_OPERATIONS(X)                                                                 \
    X(FLOOR, "floor", 1)                                                                           \
    X(CBRT, "cbrt", 1)                                                                             \
    X(EXP, "exp", 1)                                                                               \
    X(LOG, "log", 1)                                                                               \
    X(SIN, "sin", 1)                                                                               \
    X(COS, "cos", 1)                                                                               \
    X(TAN, "tan", 1)                                                                               \
    X(ATAN, "atan", 1)                                                                             \
    X(TANH, "tanh", 1)                                                                             \
    X(POW, "pow", 2)

typedef enum scree_operation
{
    SCREE_OP_NUMBER, /* a constant of the text */
    SCREE_OP_FIXED,  /* an input with the same value for all rows */
    SCREE_OP_VARIED, /* an input with a value per row */
#define X(name, function, arguments) SCREE_OP_##name,
    SCREE_WIDE_OPERATIONS(X) SCREE_SINGLE_OPERATIONS(X)
#undef X
        SCREE_OPERATIONS,
} scree_operation;

/*  1 - 2 / (exp(2 |x|) + 1), with the sign of x; near 0, where that would lose digits, the series. */
static inline double scree_tanh(double x)
{
    double size = fabs(x), square = x * x;

    if (size < 0.02)
        return x * (1 - square * (1.0 / 3 - square * (2.0 / 15 - square * (17.0 / 315))));
    double value = 1 - 2 / (scree_exp(2 * size) + 1);
    return x < 0 ? -value : value;
}

static inline double scree_sign(double x)
{
    if (x <= 0)
        return 0 <= x ? 0 : -1;
    return 0 <= x ? 1 : x;
}

static inline double scree_tangent(double x)
{
    double sine, cosine;

    scree_sin_cos(x, &sine, &cosine);
    return sine / cosine;
}

/*  The value of one operation. Operations with fewer operands ignore y and z. */
static inline double scree_operate(scree_operation operation, double x, double y, double z)
{
    switch (operation) {
    case SCREE_OP_NEGATE:
        return x * -1;
    case SCREE_OP_ABS:
        return fabs(x);
    case SCREE_OP_SQRT:
        return sqrt(x);
    case SCREE_OP_SIGN:
        return scree_sign(x);
    case SCREE_OP_NOT:
        return x == 0;
    case SCREE_OP_ADD:
        return x + y;
    case SCREE_OP_SUBTRACT:
        return x - y;
    case SCREE_OP_MULTIPLY:
        return x * y;
    case SCREE_OP_DIVIDE:
        return x / y;
    case SCREE_OP_MIN:
        return x != x || x < y ? x : y;
    case SCREE_OP_MAX:
        return x != x || x > y ? x : y;
    case SCREE_OP_LESS:
        return x < y;
    case SCREE_OP_LESS_EQUAL:
        return x <= y;
    case SCREE_OP_EQUAL:
        return x == y;
    case SCREE_OP_AND:
        return x != 0 && y != 0;
    case SCREE_OP_OR:
        return x != 0 || y != 0;
    case SCREE_OP_IF:
        return x != 0 ? y : z;
    case SCREE_OP_FLOOR:
        return floor(x);
    case SCREE_OP_CBRT:
        return scree_cube_root(x);
    case SCREE_OP_EXP:
        return scree_exp(x);
    case SCREE_OP_LOG:
        return scree_ln(x);
    case SCREE_OP_SIN:
        return scree_sin(x);
    case SCREE_OP_COS:
        return scree_cos(x);
    case SCREE_OP_TAN:
        return scree_tangent(x);
    case SCREE_OP_ATAN:
        return scree_atan(x);
    case SCREE_OP_TANH:
        return scree_tanh(x);
    case SCREE_OP_POW:
        return scree_pow(x, y);
    case SCREE_OP_NUMBER:
    case SCREE_OP_FIXED:
    case SCREE_OP_VARIED:
    case SCREE_OPERATIONS:
        break;
    }
    return x;
}

/*  Number of operands. */
uint32_t scree_operation_arguments(scree_operation operation);

#endif
