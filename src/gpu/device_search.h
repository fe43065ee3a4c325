/*  Contact detection on the device: neighbour lists, row by row, for spheres of any sizes.

    THE RULE. Bodies i and j are a neighbour pair if |x_i - x_j - v| <= (r_i + r_j) + margin, v the lattice vector of
    the nearest image in periodic domains (detect/cell.h), with the formula and rounding of the detector on the host:
    with a margin of 0 the pairs are those that it reports. A body whose radius is negative or NaN has none.

    THE RESULT. Row i has partner[start[i]] .. partner[start[i + 1] - 1], ascending. Each pair is in the row of the
    smaller index only, or in both rows (`is_full`). Rows are counted before they are filled, so none is truncated. The
    lists depend on the input only, not on the device or the order in which it works.

    ALGORITHM. Sizes are divided into levels, each of spheres up to half as large as those of the level before. A level
    has a grid, whose cells are as wide as the interaction range of its largest spheres; all cells of all grids have
    numbers, row by row, and bodies are sorted by that. A body searches the cells around it in the grids of its own
    level and of all levels before: of two bodies the smaller one finds the larger, so each pair is found once. A table
    of where cells begin has about two entries a body, for one cell each, or for 2^shift of them where space is mostly
    empty, which are then searched by halves: memory and time depend on the bodies, not on how far apart they are. */
#ifndef SCREE_DEVICE_SEARCH_H
#define SCREE_DEVICE_SEARCH_H

#include "gpu/device_sort.h"

#define SCREE_SEARCH_LEVELS 24u

typedef struct scree_search_def
{
    double margin;             /* m, 0 or more */
    double period[3], tilt[3]; /* of the cell, as in detect/cell.h; 0: not periodic on this axis */
    bool is_full;
} scree_search_def;

/*  The result of a search; the buffers are reused by the next one. All zero is empty. */
typedef struct scree_candidate_rows
{
    scree_gpu_buffer start;   /* uint32_t, one more than rows */
    scree_gpu_buffer partner; /* uint32_t */
    uint32_t rows;
    uint32_t count; /* of partners */
} scree_candidate_rows;

/*  Kernels and scratch of a search, reused by the next one. */
typedef struct scree_device_search scree_device_search;

scree_status scree_device_search_make(scree_gpu *gpu, scree_device_search **search);
void scree_device_search_free(scree_device_search *search); /* NULL is allowed */

/*  Finds the neighbour pairs of `count` spheres, rows of four doubles x, y, z, radius. Waits for the device.
    SCREE_BAD_VALUE: an invalid number in `def`, a position that is not finite, or an impossible cell; SCREE_TOO_LARGE:
    2^32 - 1 pairs or more; SCREE_OUT_OF_MEMORY; SCREE_DEVICE_ERROR. On failure `found` has no rows. */
scree_status scree_device_search_run(scree_device_search *search, const scree_gpu_buffer *spheres,
                                     uint32_t count, const scree_search_def *def,
                                     scree_candidate_rows *found);
void scree_candidate_rows_free(scree_gpu *gpu, scree_candidate_rows *found);

/*  The indices of bodies in the order of their cells, from the last search, for callers that sort bodies by it.
    uint32_t, `count` of them. */
const scree_gpu_buffer *scree_device_search_order(const scree_device_search *search);

#endif
