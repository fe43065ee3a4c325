/*  What sorting does for each sphere of a grid: once as plain C, and once with the four numbers of a sphere, or the
    numbers of four, in one AVX2 vector. Both give the same bits. For spheres that are not far. */
#ifndef SCREE_FLAT_ROWS_H
#define SCREE_FLAT_ROWS_H

#include "detect/flat.h"

typedef struct scree_flat_spheres
{
    const double (*sphere)[4]; /* by id */
    const uint32_t *listed;    /* ids */
    const scree_flat_frame *frame;
    const scree_flat_sorts *sorts;
    const scree_flat_level *level; /* of each range of sizes */
    int dimensions;
    scree_simd simd;
} scree_flat_spheres;

/*  Of each range of sizes, by every other sphere: two sums, so that a sphere seldom waits for the one before it. */
typedef struct scree_flat_sums
{
    double least[2][SCREE_FLAT_SIZES][4], most[2][SCREE_FLAT_SIZES][4];
    double radii[2][SCREE_FLAT_SIZES];
    uint32_t count[2][SCREE_FLAT_SIZES];
} scree_flat_sums;

/*  Sums up listed[begin] to listed[end - 1]; frame and levels are not needed. */
void scree_flat_sum_up(const scree_flat_spheres *spheres, size_t begin, size_t end,
                       scree_flat_sums *sums);

/*  key[a] becomes the row of sphere listed[a], begin <= a < end, among those of all levels. */
void scree_flat_find_rows(const scree_flat_spheres *spheres, size_t begin, size_t end,
                          uint32_t *key);

/*  Writes each sphere and its id to its place in `record`, which is the next one of its row: places[key[a]]++. A record
    has the first `columns` numbers and the id. For frames that are not fine. */
void scree_flat_move_to_rows(const scree_flat_spheres *spheres, size_t begin, size_t end,
                             const uint32_t *key, uint32_t *places, uint32_t columns,
                             float *record);

#endif
