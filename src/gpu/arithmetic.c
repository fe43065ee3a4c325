/*  The same operations on the device and here, compared bit by bit. */
#include "gpu/arithmetic.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/random.h"
#include "gpu/opencl_internal.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#define OPERATIONS 16u

const char *scree_arithmetic_name(uint32_t operation)
{
    static const char *const names[OPERATIONS] = {"a + b",
                                                  "a - b",
                                                  "a * b",
                                                  "a / b",
                                                  "sqrt(|a|)",
                                                  "a * b + c, rounded twice",
                                                  "c - a * b, rounded twice",
                                                  "1 / sqrt(|a|)",
                                                  "a whole number of 64 bits to double",
                                                  "double to a whole number of 64 bits",
                                                  "floor(a)",
                                                  "rint(a)",
                                                  "min(a, b) - max(a, c)",
                                                  "double to float and back",
                                                  "comparisons of a and b",
                                                  "a + b * 2^-1060"};
    return operation < OPERATIONS ? names[operation] : NULL;
}

static uint64_t bits_of(double value)
{
    uint64_t bits;

    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static double double_of(uint64_t bits)
{
    double value;

    memcpy(&value, &bits, sizeof value);
    return value;
}

/* ---- rows ---- */

/*  1 <= |value| < 2 with both signs, times 2 to the power of -range .. range. */
static double near_one(scree_random *random, int range)
{
    uint64_t bits = scree_random_u64(random);
    int power = range > 0 ? (int)(scree_random_u64(random) % (uint64_t)(2 * range + 1)) - range : 0;

    return double_of((bits & UINT64_C(0x800fffffffffffff)) | (uint64_t)(1023 + power) << 52);
}

/*  a, and b of half a unit in its last place, or one bit more or less than that. */
static void half_way_sum(scree_random *random, double row[3])
{
    double unit;

    row[0] = near_one(random, 20);
    unit = ldexp(1, ilogb(row[0]) - 53);
    row[1] = unit * (1 + ((double)(scree_random_u64(random) % 3) - 1) * 0x1p-52);
    row[2] = -row[0];
}

/*  Two factors of 27 bits: the product has 54 bits, and often lies half way between two doubles. */
static void half_way_product(scree_random *random, double row[3])
{
    const uint64_t mask = (UINT64_C(1) << 27) - 1;

    row[0] = ldexp((double)((scree_random_u64(random) & mask) | 1), -13);
    row[1] = ldexp((double)((scree_random_u64(random) & mask) | 1), -20);
    row[2] = -row[0] * row[1];
}

/*  A square, plus or minus one bit; and a quotient near half way between two doubles. */
static void half_way_root(scree_random *random, double row[3])
{
    double x = near_one(random, 10), y = near_one(random, 10);
    uint64_t more = scree_random_u64(random) % 3;

    row[0] = double_of(bits_of(x * x) + more - 1);
    row[1] = y;
    row[2] = x * y;
}

static void tiny(scree_random *random, double row[3])
{
    row[0] = double_of(scree_random_u64(random) & UINT64_C(0x800fffffffffffff));
    row[1] = near_one(random, 60);
    row[2] = double_of(scree_random_u64(random) & UINT64_C(0x801fffffffffffff));
}

static void huge(scree_random *random, double row[3])
{
    for (int k = 0; k < 3; k++)
        row[k] = near_one(random, 3) * 0x1p1020;
    row[1] *= scree_random_u64(random) % 2 ? 1 : 0x1p-1021;
}

/*  c subtracts the rounded product: the result shows whether the product was rounded. */
static void cancelled(scree_random *random, double row[3])
{
    row[0] = near_one(random, 30);
    row[1] = near_one(random, 30);
    row[2] = (scree_random_u64(random) % 2 ? 1 : -1) * (row[0] * row[1]);
}

void scree_arithmetic_row(uint32_t number, double row[3])
{
    scree_random random = scree_random_stream(15, number);

    switch (number % 8) {
    case 0: /* any bits at all */
        for (int k = 0; k < 3; k++)
            row[k] = double_of(scree_random_u64(&random));
        break;
    case 1:
        for (int k = 0; k < 3; k++)
            row[k] = near_one(&random, 30);
        break;
    case 2:
        half_way_sum(&random, row);
        break;
    case 3:
        half_way_product(&random, row);
        break;
    case 4:
        half_way_root(&random, row);
        break;
    case 5:
        tiny(&random, row);
        break;
    case 6:
        huge(&random, row);
        break;
    default:
        cancelled(&random, row);
    }
}

/* ---- the host's results ---- */

static int64_t whole_of(double a)
{
    return fabs(a) < 9.0e18 ? (int64_t)a : 0;
}

static double narrow(double a)
{
    return fabs(a) > 1.0e-37 && fabs(a) < 1.0e38 ? (double)(float)a : a;
}

static void compute(const double row[3], uint64_t bits[OPERATIONS])
{
    /* volatile: the compiler does not know the values, and does each operation as the machine does */
    const volatile double a = row[0], b = row[1], c = row[2];
    int64_t whole;

    memcpy(&whole, row, sizeof whole);
    bits[0] = bits_of(a + b);
    bits[1] = bits_of(a - b);
    bits[2] = bits_of(a * b);
    bits[3] = bits_of(a / b);
    bits[4] = bits_of(sqrt(fabs(a)));
    bits[5] = bits_of(a * b + c);
    bits[6] = bits_of(c - a * b);
    bits[7] = bits_of(1.0 / sqrt(fabs(a)));
    bits[8] = bits_of((double)whole);
    bits[9] = (uint64_t)whole_of(a);
    bits[10] = bits_of(floor(a));
    bits[11] = bits_of(rint(a));
    bits[12] = bits_of((a < b ? a : b) - (a > c ? a : c));
    bits[13] = bits_of(narrow(a));
    bits[14] = (uint64_t)(a < b) | (uint64_t)(a <= b) << 1 | (uint64_t)(a == b) << 2 |
               (uint64_t)(fabs(a) > 0.0) << 3;
    bits[15] = bits_of(a + b * 0x1p-1000 * 0x1p-60);
}

/* ---- comparing ---- */

/*  Signs and digits of NaN depend on the processor, so all NaN count as equal. */
static bool is_nan(uint64_t bits)
{
    return (bits & UINT64_C(0x7fffffffffffffff)) > UINT64_C(0x7ff0000000000000);
}

/*  The first operation that differs, and the row. 16 bytes. */
typedef struct difference
{
    uint32_t operation, row; /* OPERATIONS: none */
    uint64_t there;          /* the device's result */
} difference;

/*  Compares rows `begin` .. begin + count, and only operations before the one known to differ. */
static void compare(uint32_t begin, uint32_t count, const uint64_t *found, difference *first)
{
    for (uint32_t i = 0; i < count; i++) {
        const uint64_t *there = &found[OPERATIONS * (size_t)i];
        double row[3];
        uint64_t here[OPERATIONS];
        scree_arithmetic_row(begin + i, row);
        compute(row, here);
        for (uint32_t k = 0; k < first->operation; k++)
            if (here[k] != there[k] && !(is_nan(here[k]) && is_nan(there[k]))) {
                *first = (difference){k, begin + i, there[k]};
                break;
            }
    }
}

static scree_status refuse(scree_gpu *gpu, const difference *first)
{
    double row[3];
    uint64_t here[OPERATIONS];

    scree_arithmetic_row(first->row, row);
    compute(row, here);
    return scree_fail(gpu->error, SCREE_DEVICE_ERROR,
                      "%.50s cannot be used: it computes %s differently: a %a, b %a, c %a give "
                      "%016" PRIx64 ", on the host %016" PRIx64,
                      gpu->info.name, scree_arithmetic_name(first->operation), row[0], row[1],
                      row[2], first->there, here[first->operation]);
}

/* ---- asking the device ---- */

/*  Rows that are generated, sent and compared at a time. */
#define BLOCK 25000u

/*  Memory of the check, on the device and on the host. */
typedef struct checking
{
    scree_gpu_program program;
    scree_gpu_kernel kernel;
    scree_gpu_buffer rows, results;
    double (*sent)[3];
    uint64_t *found; /* OPERATIONS per row */
} checking;

static scree_status prepare(scree_gpu *gpu, const char *options, checking *check)
{
    const size_t row_bytes = 3 * sizeof(double), result_bytes = OPERATIONS * sizeof(uint64_t);
    scree_status status = scree_gpu_build(gpu, "gpu/arithmetic.cl", options, &check->program);

    if (!status)
        status = scree_gpu_kernel_make(gpu, &check->program, "arithmetic", &check->kernel);
    if (!status)
        status = scree_gpu_reserve(gpu, &check->rows, BLOCK * row_bytes, "check of arithmetic");
    if (!status)
        status =
            scree_gpu_reserve(gpu, &check->results, BLOCK * result_bytes, "check of arithmetic");
    if (!status && (scree_memory_take(&gpu->memory, BLOCK, row_bytes, &check->sent) ||
                    scree_memory_take(&gpu->memory, BLOCK, result_bytes, &check->found)))
        status = scree_fail(gpu->error, SCREE_OUT_OF_MEMORY,
                            "no memory to check the arithmetic of the device");
    return status;
}

static scree_status check_block(scree_gpu *gpu, checking *check, uint32_t begin, difference *first)
{
    const uint32_t count = BLOCK;
    const scree_gpu_argument arguments[] = {SCREE_GPU_VALUE(count), SCREE_GPU_BUFFER(check->rows),
                                            SCREE_GPU_BUFFER(check->results)};
    scree_status status;

    for (uint32_t i = 0; i < count; i++)
        scree_arithmetic_row(begin + i, check->sent[i]);
    status = scree_gpu_write(gpu, &check->rows, 0, check->sent, count * sizeof *check->sent);
    if (!status)
        status =
            scree_gpu_launch(gpu, &check->kernel, count, 64, arguments, SCREE_COUNT_OF(arguments));
    if (!status)
        status = scree_gpu_read(gpu, &check->results, 0, check->found,
                                count * OPERATIONS * sizeof *check->found);
    if (!status)
        compare(begin, count, check->found, first);
    return status;
}

scree_status scree_arithmetic_check(scree_gpu *gpu, const char *options)
{
    checking check = {0};
    difference first = {OPERATIONS, 0, 0};
    scree_status status = prepare(gpu, options, &check);

    for (uint32_t begin = 0; begin < SCREE_ARITHMETIC_ROWS && !status; begin += BLOCK)
        status = check_block(gpu, &check, begin, &first);
    if (!status && first.operation < OPERATIONS)
        status = refuse(gpu, &first);
    scree_gpu_kernel_free(gpu, &check.kernel);
    scree_gpu_program_free(gpu, &check.program);
    scree_gpu_free(gpu, &check.rows);
    scree_gpu_free(gpu, &check.results);
    scree_memory_give(&gpu->memory, &check.sent, BLOCK, sizeof *check.sent);
    scree_memory_give(&gpu->memory, &check.found, BLOCK, OPERATIONS * sizeof *check.found);
    return status;
}
