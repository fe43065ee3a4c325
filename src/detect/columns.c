/*  Reads, checks and stores a block of rows. Columns are copied to contiguous doubles, with one loop for each type
    of column; later code does not depend on strides and types. The kernels are compiled once for each SIMD level and
    give the same bits. */
#include "detect/columns.h"

#include "base/prefetch.h"
#include "base/row4.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define WIDE_LEVEL WIDE_SCALAR
#include "base/wide.h"
#include "detect/columns.inc.h"
#if WIDE_HAS_128
#undef WIDE_LEVEL
#define WIDE_LEVEL WIDE_128
#include "base/wide.h"
#include "detect/columns.inc.h"
#endif
#if WIDE_HAS_X86
#undef WIDE_LEVEL
#define WIDE_LEVEL WIDE_AVX2
#include "base/wide.h"
#include "detect/columns.inc.h"
#undef WIDE_LEVEL
#define WIDE_LEVEL WIDE_AVX512
#include "base/wide.h"
#include "detect/columns.inc.h"
#endif

typedef struct block_kernels
{
    bool (*usable_spheres)(const scree_block *block);
    bool (*usable_boxes)(const scree_block *block);
    bool (*spheres_fit_periods)(const scree_block *block, const double period[3]);
    bool (*boxes_fit_period)(const scree_block *block, uint32_t axis, double period);
    void (*bound_spheres)(const scree_block *block, uint32_t axis, double *lower, double *upper,
                          scree_box *bounds);
    void (*bound_boxes)(const scree_block *block, uint32_t axis, scree_box *bounds);
    void (*range_of_spheres)(const scree_block *block, scree_sphere_range *range);
} block_kernels;

static const block_kernels *choose_kernels(scree_simd simd)
{
#define KERNELS(level)                                                                             \
    {                                                                                              \
        usable_spheres_##level, usable_boxes_##level, spheres_fit_periods_##level,                 \
            boxes_fit_period_##level, bound_spheres_##level, bound_boxes_##level,                  \
            range_of_spheres_##level                                                               \
    }
    static const block_kernels kernels[] = WIDE_TABLE(KERNELS);
#undef KERNELS
    return &kernels[simd];
}

/* ---- reading ---- */

static void read_floats(const char *at, size_t stride, uint32_t count, double *out)
{
    for (uint32_t row = 0; row < count; row++, at += stride) {
        float narrow;
        memcpy(&narrow, at, sizeof narrow);
        out[row] = (double)narrow;
    }
}

static void read_doubles(const char *at, size_t stride, uint32_t count, double *out)
{
    for (uint32_t row = 0; row < count; row++, at += stride)
        memcpy(&out[row], at, sizeof *out);
}

void scree_column_read(scree_view view, size_t begin, uint32_t count, double *out)
{
    const char *at = (const char *)view.data + begin * view.stride;
    if (view.real == SCREE_FLOAT32)
        read_floats(at, view.stride, count, out);
    else if (view.stride == sizeof *out)
        memcpy(out, at, count * sizeof *out);
    else
        read_doubles(at, view.stride, count, out);
    for (uint32_t row = count; row % 8 != 0; row++)
        out[row] = out[count - 1];
}

/*  The same without a copy, if the numbers need neither conversion nor repetition. */
static const double *column_at(scree_view view, size_t begin, uint32_t count, double *copy)
{
    const char *at = (const char *)view.data + begin * view.stride;
    if (view.real == SCREE_FLOAT64 && view.stride == sizeof *copy && count % 8 == 0 &&
        (uintptr_t)at % sizeof *copy == 0)
        return (const double *)(const void *)at;
    scree_column_read(view, begin, count, copy);
    return copy;
}

void scree_block_read(const scree_table *table, int dimensions, size_t begin, size_t end,
                      scree_block *block)
{
    uint32_t count = end - begin < SCREE_BLOCK_ROWS ? (uint32_t)(end - begin) : SCREE_BLOCK_ROWS;
    block->begin = begin;
    block->count = count;
    for (int k = 0; k < 6; k++)
        block->number[k] = block->copy[k];
    if (dimensions == 2) {
        memset(block->copy[2], 0, sizeof block->copy[2]);
        memset(block->copy[5], 0, sizeof block->copy[5]);
    }
    if (table->volume == SCREE_SPHERES) {
        for (int k = 0; k < dimensions; k++)
            block->number[k] = column_at(table->centre[k], begin, count, block->copy[k]);
        block->number[3] = column_at(table->radius, begin, count, block->copy[3]);
        return;
    }
    for (int k = 0; k < dimensions; k++) {
        block->number[k] = column_at(table->lower[k], begin, count, block->copy[k]);
        block->number[3 + k] = column_at(table->upper[k], begin, count, block->copy[3 + k]);
    }
}

/* ---- using ---- */

bool scree_block_is_usable(const scree_block *block, scree_volume volume, scree_simd simd)
{
    const block_kernels *kernels = choose_kernels(simd);
    return volume == SCREE_SPHERES ? kernels->usable_spheres(block) : kernels->usable_boxes(block);
}

bool scree_block_fits_cell(const scree_block *block, scree_volume volume, const scree_cell *cell,
                           scree_simd simd)
{
    const block_kernels *kernels = choose_kernels(simd);
    double period[3];
    bool fits = true;
    for (uint32_t k = 0; k < 3; k++) {
        period[k] = cell->period[k] > 0 ? cell->period[k] : INFINITY;
        if (volume == SCREE_BOXES && cell->period[k] > 0)
            fits &= kernels->boxes_fit_period(block, k, period[k]);
    }
    return volume == SCREE_SPHERES && cell->is_on ? kernels->spheres_fit_periods(block, period)
                                                  : fits;
}

/*  Where spheres will be written: anywhere, by their ids. */
static void fetch_spheres(const scree_block *block, const uint32_t *ids, double (*sphere)[4])
{
    for (uint32_t row = 0; row < block->count; row++)
        SCREE_PREFETCH_TO_WRITE(sphere[ids[row]]);
}

/*  Adding 0 turns -0.0 into +0.0, as scree_table_read does. */
static void write_spheres(const scree_block *block, const uint32_t *ids, double (*sphere)[4])
{
    const double *x = block->number[0], *y = block->number[1], *z = block->number[2],
                 *r = block->number[3];
    const row4 none = row4_set(0.0);
    for (uint32_t row = 0; row < block->count; row++)
        row4_store(sphere[ids ? ids[row] : block->begin + row],
                   row4_add(row4_of(x[row], y[row], z[row], r[row]), none));
}

static void write_boxes(const scree_block *block, const uint32_t *ids, const double *const edge[6],
                        scree_box *box)
{
    for (uint32_t row = 0; row < block->count; row++) {
        scree_box *to = &box[ids ? ids[row] : block->begin + row];
        to->lower[0] = edge[0][row] + 0.0;
        to->lower[1] = edge[1][row] + 0.0;
        to->lower[2] = edge[2][row] + 0.0;
        to->upper[0] = edge[3][row] + 0.0;
        to->upper[1] = edge[4][row] + 0.0;
        to->upper[2] = edge[5][row] + 0.0;
    }
}

/*  In two dimensions all third edges are 0. */
static void bound_third(int dimensions, scree_box *bounds)
{
    if (dimensions == 3)
        return;
    bounds->lower[2] = bounds->upper[2] = 0;
}

void scree_block_place(const scree_block *block, const uint32_t *ids, scree_volume volume,
                       int dimensions, scree_simd simd, double (*sphere)[4], scree_box *box,
                       scree_box *bounds)
{
    const block_kernels *kernels = choose_kernels(simd);
    double edge[6][SCREE_BLOCK_ROWS];
    const double *const edges[6] = {edge[0], edge[1], edge[2], edge[3], edge[4], edge[5]};
    bound_third(dimensions, bounds);
    if (volume == SCREE_BOXES) {
        for (uint32_t k = 0; k < (uint32_t)dimensions; k++)
            kernels->bound_boxes(block, k, bounds);
        write_boxes(block, ids, block->number, box);
        return;
    }
    if (ids)
        fetch_spheres(block, ids, sphere); /* which takes as long as the bounds */
    if (dimensions != 3)
        memset(edge, 0, sizeof edge);
    for (uint32_t k = 0; k < (uint32_t)dimensions; k++)
        kernels->bound_spheres(block, k, box ? edge[k] : NULL, edge[3 + k], bounds);
    write_spheres(block, ids, sphere);
    if (box)
        write_boxes(block, ids, edges, box);
}

/*  Of a block whose spheres have one radius, without looking at them again. */
static void bound_range(const scree_sphere_range *range, int dimensions, scree_box *bounds)
{
    for (int k = 0; k < dimensions; k++) {
        double lower, upper;
        scree_sphere_bounds(range->least[k], range->most[3], &lower, &upper);
        bounds->lower[k] = lower < bounds->lower[k] ? lower : bounds->lower[k];
        scree_sphere_bounds(range->most[k], range->most[3], &lower, &upper);
        bounds->upper[k] = upper > bounds->upper[k] ? upper : bounds->upper[k];
    }
}

static void bound_block(const block_kernels *kernels, const scree_block *block,
                        const scree_sphere_range *own, int dimensions, scree_box *bounds)
{
    bound_third(dimensions, bounds);
    if (own->least[3] == own->most[3]) {
        bound_range(own, dimensions, bounds);
        return;
    }
    for (uint32_t k = 0; k < (uint32_t)dimensions; k++)
        kernels->bound_spheres(block, k, NULL, NULL, bounds);
}

void scree_block_place_spheres(const scree_block *block, const uint32_t *ids, int dimensions,
                               scree_simd simd, double (*sphere)[4], scree_sphere_range *range,
                               scree_box *bounds)
{
    const block_kernels *kernels = choose_kernels(simd);
    scree_sphere_range own = scree_no_spheres;
    if (ids)
        fetch_spheres(block, ids, sphere); /* which takes as long as the range */
    kernels->range_of_spheres(block, &own);
    scree_sphere_range_join(range, &own);
    if (bounds)
        bound_block(kernels, block, &own, dimensions, bounds);
    write_spheres(block, ids, sphere);
}
