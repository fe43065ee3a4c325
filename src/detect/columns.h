/*  A few hundred rows of the caller's table at a time, as columns of doubles in the first-level cache, whatever
    their stride and type: then checked and used several at a time. */
#ifndef SCREE_COLUMNS_H
#define SCREE_COLUMNS_H

#include "detect/cell.h"
#include "detect/table.h"

/*  A multiple of every WIDE_LANES. */
#define SCREE_BLOCK_ROWS 128u

/*  number: as scree_row.number; 0 in the third axis of two dimensions. The last value of a column is
    repeated until a multiple of 8, so that kernels need no rest. */
typedef struct scree_block
{
    size_t begin;            /* the first row */
    uint32_t count;          /* 1 to SCREE_BLOCK_ROWS */
    const double *number[6]; /* the caller's own columns where they are such already, else in */
    double copy[6][SCREE_BLOCK_ROWS];
} scree_block;

/*  Numbers [begin, begin + count) of a column, widened, and repeated as above. -0.0 stays as it is. */
void scree_column_read(scree_view view, size_t begin, uint32_t count, double *out);

/*  The volumes of rows [begin, end) of a checked table, up to SCREE_BLOCK_ROWS of them. */
void scree_block_read(const scree_table *table, int dimensions, size_t begin, size_t end,
                      scree_block *block);

/*  Whether all numbers of all rows are usable, as in scree_table_read. */
bool scree_block_is_usable(const scree_block *block, scree_volume volume, scree_simd simd);

/*  Whether all rows, with usable numbers, are narrow and near enough for a periodic cell. */
bool scree_block_fits_cell(const scree_block *block, scree_volume volume, const scree_cell *cell,
                           scree_simd simd);

/*  Writes the rows as the bodies of `ids`, if that is NULL as begin, begin + 1, ..., and grows *bounds by
    them. `sphere` or `box` may be NULL: not wanted. The numbers are usable. */
void scree_block_place(const scree_block *block, const uint32_t *ids, scree_volume volume,
                       int dimensions, scree_simd simd, double (*sphere)[4], scree_box *box,
                       scree_box *bounds);
/*  The same for spheres without boxes; grows *range, and *bounds unless that is NULL. */
void scree_block_place_spheres(const scree_block *block, const uint32_t *ids, int dimensions,
                               scree_simd simd, double (*sphere)[4], scree_sphere_range *range,
                               scree_box *bounds);

#endif
