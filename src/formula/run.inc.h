/*  A program for one SIMD instruction set: see run.c. */

/*  Each operand is a column or a scalar, for all rows. */
#define OPERAND(k, from, row)                                                                      \
    ((code->fixed >> (k)&1) ? wide_set(*(from)) : wide_load((from) + (row)))

#define EACH_ROW for (uint32_t row = 0; row < rows; row += WIDE_LANES)

#define UNARY(value)                                                                               \
    do {                                                                                           \
        EACH_ROW                                                                                   \
        {                                                                                          \
            wide x = wide_load(from[0] + row);                                                     \
            wide_store(to + row, value);                                                           \
        }                                                                                          \
    } while (0)

#define BINARY(value)                                                                              \
    do {                                                                                           \
        if (code->fixed == 0)                                                                      \
            EACH_ROW                                                                               \
            {                                                                                      \
                wide x = wide_load(from[0] + row), y = wide_load(from[1] + row);                   \
                wide_store(to + row, value);                                                       \
            }                                                                                      \
        else if (code->fixed == 1) {                                                               \
            const wide x = wide_set(*from[0]);                                                     \
            EACH_ROW                                                                               \
            {                                                                                      \
                wide y = wide_load(from[1] + row);                                                 \
                wide_store(to + row, value);                                                       \
            }                                                                                      \
        } else {                                                                                   \
            const wide y = wide_set(*from[1]);                                                     \
            EACH_ROW                                                                               \
            {                                                                                      \
                wide x = wide_load(from[0] + row);                                                 \
                wide_store(to + row, value);                                                       \
            }                                                                                      \
        }                                                                                          \
    } while (0)

/*  1 if x is not 0, also for NaN. */
SCREE_KERNEL_PART WIDE_TARGET wide WIDE_FN(formula_truth)(wide x)
{
    const wide zero = wide_set(0), one = wide_set(1);

    return wide_where(x, zero, wide_where(zero, x, zero, one), one);
}

SCREE_KERNEL_PART WIDE_TARGET wide WIDE_FN(formula_equal)(wide x, wide y)
{
    const wide zero = wide_set(0), one = wide_set(1);

    return wide_where(x, y, wide_where(y, x, one, zero), zero);
}

/*  Not (y <= x), and neither is NaN. */
SCREE_KERNEL_PART WIDE_TARGET wide WIDE_FN(formula_less)(wide x, wide y)
{
    const wide zero = wide_set(0), one = wide_set(1);

    return wide_where(y, x, zero, wide_where(x, y, one, zero));
}

SCREE_KERNEL_PART WIDE_TARGET wide WIDE_FN(formula_sign)(wide x)
{
    const wide zero = wide_set(0), one = wide_set(1);

    return wide_where(x, zero, wide_where(zero, x, zero, zero - one), wide_where(zero, x, one, x));
}

/*  z if x is 0, otherwise y. */
SCREE_KERNEL_PART WIDE_TARGET wide WIDE_FN(formula_if)(wide x, wide y, wide z)
{
    return wide_where(WIDE_FN(formula_truth)(x), wide_set(0), z, y);
}

SCREE_KERNEL_PART WIDE_TARGET void WIDE_FN(formula_step)(const scree_instruction *code,
                                                         const double *const from[3], double *to,
                                                         uint32_t rows)
{
    switch ((scree_operation)code->operation) {
    case SCREE_OP_NEGATE:
        UNARY(x * wide_set(-1));
        break;
    case SCREE_OP_ABS:
        UNARY(wide_abs(x));
        break;
    case SCREE_OP_SQRT:
        UNARY(wide_sqrt(x));
        break;
    case SCREE_OP_SIGN:
        UNARY(WIDE_FN(formula_sign)(x));
        break;
    case SCREE_OP_NOT:
        UNARY(WIDE_FN(formula_equal)(x, wide_set(0)));
        break;
    case SCREE_OP_ADD:
        BINARY(x + y);
        break;
    case SCREE_OP_SUBTRACT:
        BINARY(x - y);
        break;
    case SCREE_OP_MULTIPLY:
        BINARY(x * y);
        break;
    case SCREE_OP_DIVIDE:
        BINARY(x / y);
        break;
    case SCREE_OP_MIN:
        BINARY(wide_where(x, x, wide_min(x, y), x));
        break;
    case SCREE_OP_MAX:
        BINARY(wide_where(x, x, wide_max(x, y), x));
        break;
    case SCREE_OP_LESS:
        BINARY(WIDE_FN(formula_less)(x, y));
        break;
    case SCREE_OP_LESS_EQUAL:
        BINARY(wide_where(x, y, wide_set(1), wide_set(0)));
        break;
    case SCREE_OP_EQUAL:
        BINARY(WIDE_FN(formula_equal)(x, y));
        break;
    case SCREE_OP_AND:
        BINARY(wide_min(WIDE_FN(formula_truth)(x), WIDE_FN(formula_truth)(y)));
        break;
    case SCREE_OP_OR:
        BINARY(wide_max(WIDE_FN(formula_truth)(x), WIDE_FN(formula_truth)(y)));
        break;
    case SCREE_OP_IF:
        EACH_ROW
        wide_store(to + row, WIDE_FN(formula_if)(OPERAND(0, from[0], row), OPERAND(1, from[1], row),
                                                 OPERAND(2, from[2], row)));
        break;
    default:
        step_singly(code, from, to, rows);
        break;
    }
}

WIDE_TARGET static void WIDE_FN(formula_run)(const scree_program *program,
                                             const scree_program_data *data)
{
    _Alignas(64) double room[SCREE_REGISTER_ROOM];
    double scalars[SCREE_MAX_NODES];
    double *columns[SCREE_MAX_NODES + SCREE_MAX_REGISTERS];

    run_scalars(program, data, scalars);
    for (uint32_t begin = 0; begin < data->rows; begin += program->block_rows) {
        uint32_t left = data->rows - begin;
        uint32_t rows = left < program->block_rows ? left : program->block_rows;
        rows = (rows + SCREE_FORMULA_ROWS - 1) / SCREE_FORMULA_ROWS * SCREE_FORMULA_ROWS;
        place_columns(program, data, begin, room, columns);
        for (uint32_t k = 0; k < program->column_code_count; k++) {
            const scree_instruction *code = &program->column_code[k];
            const double *from[3];
            for (int n = 0; n < 3; n++)
                from[n] = code->fixed >> n & 1 ? &scalars[code->from[n]] : columns[code->from[n]];
            WIDE_FN(formula_step)(code, from, columns[code->to], rows);
        }
        write_outputs(program, data, begin, rows, scalars, columns);
    }
}

#undef OPERAND
#undef EACH_ROW
#undef UNARY
#undef BINARY
