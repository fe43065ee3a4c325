/*  Method "flat": bodies in the order of the cells of dense grids, so that whatever one may touch lies
    in a few runs of consecutive numbers, which vector instructions go through without a branch a body.
    Bodies of much the same size share a level, with a grid of its own. Inside, numbers are floats in a
    frame of their own: they decide what is near enough to be in doubt, and only doubts are put to the
    rule's own formula in double. So the pairs are exactly those of the rule.

    flat_plan.c   the frame, what rounding may do, which levels there are and how their cells are laid
    flat_sort.c   bodies into the order of levels, rows and cells
    flat_sweep.c  pairs; the kernels are in flat_sweep.inc.h, at each SIMD level
    flat_query.c  bodies near a probe
    flat.c        the method */
#ifndef SCREE_FLAT_H
#define SCREE_FLAT_H

#include "detect/method.h"

#define SCREE_FLAT_LEVELS 12u
/*  Columns: x y z r, or lower x y z, upper x y z. */
#define SCREE_FLAT_COLUMNS 6u
/*  Elements that may be read past the end of a column. */
#define SCREE_FLAT_PADDING 16u
/*  Bodies of one block of the search. */
#define SCREE_FLAT_BLOCK 2048u

/*  A grid. Row (y, z) of it is row (y + 1) + (cells[1] + 2) (z + 1) of the level, in two dimensions
    z + 1 is 0: around it are empty rows. The bodies of cell x of row q of the level are those from
    start[first_cell + cells[0] q + x] to the next element of start. */
typedef struct scree_flat_level
{
    uint32_t first, count;               /* its bodies, in sorted order */
    uint32_t cells[3];                   /* without the empty rows */
    uint32_t rows;                       /* with them */
    uint32_t first_row;                  /* of the rows of all levels */
    size_t first_cell;                   /* of the cells of all levels */
    float inverse[3], shift[3], last[3]; /* cell = min(max(0, x * inverse + shift), last) */
    float size[3];                       /* the largest radius, or the largest width on each axis */
    bool is_even;                        /* all radii are the same */
    bool is_narrow; /* bodies of this level that overlap are in neighbouring rows */
    uint32_t first_block;
} scree_flat_level;

/*  What one body needs to know of a level to be tested against it. */
typedef struct scree_flat
{
    int dimensions;
    scree_volume volume;
    scree_simd simd;
    uint32_t columns;

    /* the frame: a number x of the caller is (x - origin) * scale */
    double origin[3], scale;
    float slack;    /* windows are wider by this: rounding on both sides */
    float doubt;    /* spheres: within this of 0, d^2 - s^2 decides nothing; boxes: gaps */
    uint32_t count; /* bodies */
    uint32_t level_count;
    scree_flat_level level[SCREE_FLAT_LEVELS];
    uint32_t block_count;

    float *column[SCREE_FLAT_COLUMNS];
    uint32_t *id;
    uint32_t *start;
    uint32_t *key;       /* row of each active body, while sorting */
    uint32_t *histogram; /* rows by blocks of bodies, while sorting */
    float *record;       /* columns and id of a body together, in the order of rows */
    size_t column_capacity[SCREE_FLAT_COLUMNS], id_capacity, start_capacity, key_capacity;
    size_t histogram_capacity, record_capacity;
} scree_flat;

/*  Number of the cell on one axis: never decreasing in `x`, whatever the rounding. */
static inline uint32_t flat_cell(float x, float inverse, float shift, float last)
{
    float at = x * inverse + shift;
    at = at > 0 ? at : 0;
    at = at < last ? at : last;
    return (uint32_t)(int32_t)at;
}

static inline uint32_t scree_flat_cell(const scree_flat_level *level, int axis, float x)
{
    return flat_cell(x, level->inverse[axis], level->shift[axis], level->last[axis]);
}

/*  In two dimensions cells[2] is 1 and z is 0. */
static inline uint32_t scree_flat_row(const scree_flat_level *level, uint32_t y, uint32_t z,
                                      int dimensions)
{
    return y + 1 + (level->cells[1] + 2) * (dimensions == 3 ? z + 1 : 0);
}

void scree_flat_plan(scree_flat *self, const scree_method_env *env, const scree_bodies *bodies);
scree_status scree_flat_sort(scree_flat *self, const scree_method_env *env,
                             const scree_bodies *bodies);
void scree_flat_pairs(const void *state, const scree_bodies *bodies, size_t block,
                      scree_scratch *scratch, scree_sink *sink);

#endif
