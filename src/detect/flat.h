/*  Method "flat". Bodies are sorted by the cells of dense grids, so that all bodies that one may touch lie in a few
    runs of consecutive numbers. Vector instructions test these runs without a branch for each body. Bodies of similar
    sizes share a level, which has its own grid. Positions are stored as floats relative to a frame. Floats find the
    pairs that may overlap; pairs that floats cannot decide, those in doubt, are tested by the formula of the rule in
    double. So the pairs are exactly those of the rule.

    If bodies are crowded in parts of the domain, they are divided into islands that do not touch each other. Each
    island has its own frame, levels and grids.

    flat_plan.c   the frame, bounds of rounding errors, which levels there are and how their cells are laid
    flat_split.c  islands
    flat_sort.c   sorts bodies by level, row and cell
    flat_keep.c   keeps pairs from step to step, if few bodies move
    flat_sweep.c  pairs; the kernels are in flat_sweep.inc.h, for each SIMD instruction set
    flat_query.c  bodies near a probe
    flat.c        the method */
#ifndef SCREE_FLAT_H
#define SCREE_FLAT_H

#include "detect/bvh8.h"
#include "detect/method.h"

#include <float.h>
#include <math.h>
#include <string.h>

/*  Levels: up to five ranges of sizes, each divided by the shape of boxes, and one for bodies that are far out. */
#define SCREE_FLAT_SIZES 5u
#define SCREE_FLAT_SHAPES 4u
#define SCREE_FLAT_LEVELS (SCREE_FLAT_SIZES * SCREE_FLAT_SHAPES + 1)
/*  Columns: x y z r, or lower x y z, upper x y z. */
#define SCREE_FLAT_COLUMNS 6u
/*  Kernels may read this many elements past the end of a column. */
#define SCREE_FLAT_PADDING 16u
/*  An island with at most this many bodies needs no grid. */
#define SCREE_FLAT_ISLET 256u
/*  Bodies of one block of the search. */
#define SCREE_FLAT_BLOCK 2048u
/*  Number of bodies in the sample from which levels are chosen. */
#define SCREE_FLAT_SAMPLE 1024u
/*  With fewer bodies than this, keeping pairs from step to step does not pay. */
#define SCREE_FLAT_MIN_KEPT 256u

/*  A number x of the caller is (x - origin) * scale in the frame. */
typedef struct scree_flat_frame
{
    double origin[3], scale;
    double range; /* largest distance from 0 of bodies that are not far, */
    double error; /* and the largest error of floats, or of whole numbers in a fine frame */
    bool is_fine; /* columns x y z are whole numbers */
} scree_flat_frame;

/*  Decides the level of a body. Numbers are those of the caller, not of the frame. */
typedef struct scree_flat_sorts
{
    uint32_t sizes;                     /* ranges of sizes, 1 to SCREE_FLAT_SIZES */
    double bound[SCREE_FLAT_SIZES - 1]; /* largest radius, or width, of each range but the last */
    uint32_t shapes;                    /* 1: all shapes; 4: long in x, y or z, and all others */
    bool has_far;
    double near_lower[3], near_upper[3]; /* bodies with centres, or corners, outside are far */
} scree_flat_sorts;

/*  What the bodies of a level are like. */
typedef struct scree_flat_extent
{
    uint32_t count;
    double lower[3], upper[3]; /* of the columns: centres, or boxes */
    double least[3], most[3];  /* radii (only the first), or widths on each axis */
    double sum;                /* of radii, or largest widths */
} scree_flat_extent;

/*  Bodies that touch no body of another island. */
typedef struct scree_flat_island
{
    uint32_t first, count; /* its bodies, in sorted order */
    uint32_t first_level, level_count;
    uint32_t row_count; /* of all its levels */
    scree_flat_sorts sorts;
    scree_flat_frame frame;
    /* if there are several islands: */
    scree_box box;            /* encloses its bodies, */
    scree_sphere_range range; /* if they are spheres, likewise, */
    double
        densities; /* and how much denser it is around a body than if they filled the box evenly */
} scree_flat_island;

/*  An island with so few bodies that all its pairs are tested. All islets together form one island, the last, with one
    level; the numbers of each are relative to its first body. */
typedef struct scree_flat_islet
{
    uint32_t first, count; /* its bodies, in sorted order */
    float doubt;           /* see scree_flat_doubt */
} scree_flat_islet;

/*  What islets are like. */
typedef struct scree_flat_islets
{
    double range,
        size; /* the largest width, and the largest size of a body, of islets with more than one body */
    bool is_even; /* all bodies, also those of other islands, are spheres of one radius */
} scree_flat_islets;

/*  A few islets near each other, for queries. */
typedef struct scree_flat_hull
{
    scree_box box;       /* encloses their bodies */
    uint32_t first, end; /* of the islets */
} scree_flat_hull;

/*  A grid. Row (y, z) of it is row (y + 1) + (cells[1] + 2) (z + 1) of the level, in two dimensions
    z + 1 is 0: around it are empty rows. The bodies of cell x of row q of the level are those from
    start[first_cell + cells[0] q + x] to the next element of start. */
typedef struct scree_flat_level
{
    uint32_t first, count; /* its bodies, in sorted order */
    uint32_t cells[3];     /* without the empty rows; on x with SCREE_FLAT_MARGIN on both sides */
    uint32_t rows;         /* with them */
    uint32_t first_row;    /* of the rows of its island */
    size_t first_cell;     /* of the cells of all levels */
    float inverse[3], shift[3], last[3]; /* cell = min(max(0, x * inverse + shift), last) */
    float size[3];                       /* the largest radius, or the largest width on each axis */
    float edge[3];                       /* of cells */
    float slack;                         /* windows are wider by this: rounding of both bodies */
    bool is_even;                        /* all radii are the same, but for rounding */
    bool is_far;                         /* its floats do not give the positions of its bodies */
    bool is_islets;                      /* without rows or cells */
    uint32_t first_block;                /* of the search */
    uint32_t targets; /* levels of its island that its bodies search, one bit each */
    uint32_t island;
} scree_flat_level;

#define SCREE_FLAT_MARGIN 4u

/*  Pairs kept from step to step: see flat_keep.c. */
typedef struct scree_flat_keep
{
    bool is_used;
    uint32_t few;    /* consecutive steps that moved few bodies, up to the number that is needed */
    uint32_t *first; /* all pairs as they were found; */
    uint32_t *second;
    size_t pair_count;
    uint64_t *is_moved; /* a bit for each id: whether it has moved since the pairs were stored; */
    uint32_t *moved;    /* their ids, */
    uint32_t moved_count;
    struct scree_flat *others; /* and they alone */
    size_t first_capacity, second_capacity, moved_capacity, word_capacity;
} scree_flat_keep;

typedef struct scree_flat
{
    int dimensions;
    scree_volume volume;
    scree_simd simd;
    uint32_t columns; /* as many as the kernels need: without radii if all are equal */

    uint32_t count;  /* bodies */
    uint64_t placed; /* bodies put into order, so far */
    uint32_t island_count, level_count;
    size_t cell_count; /* of all levels */
    uint32_t block_count;
    scree_flat_island *island;
    scree_flat_level *level; /* those of an island together */
    uint32_t islet_count, hull_count;
    scree_flat_islet *islet;
    scree_flat_hull *hull;
    struct scree_flat_list *list; /* not valid after islands were made */
    bool is_split;                /* there are several islands */
    uint32_t whole_steps;         /* changes until islands are tried again */

    scree_bvh8 tree;     /* has all bodies if they are too crowded for cells */
    bool is_crowded;     /* and now it has */
    uint32_t tree_steps; /* changes since cells were last tried */

    scree_flat_keep keep;

    float *column[SCREE_FLAT_COLUMNS];
    uint32_t *id;
    uint32_t *order; /* ids in the order of islands, if there are several */
    uint32_t *start;
    uint32_t *histogram; /* rows by blocks of bodies, while sorting */
    float *record;       /* columns and id of a body together, in the order of rows */
    size_t column_capacity[SCREE_FLAT_COLUMNS], id_capacity, order_capacity, start_capacity;
    size_t histogram_capacity, record_capacity, island_capacity, level_capacity;
    size_t islet_capacity, hull_capacity, list_capacity;
} scree_flat;

/*  Bound of positions in a frame, so that squares of distances are finite. */
#define SCREE_FLAT_FARTHEST 0x1p60f

/*  In a fine frame x y z are int32_t in the columns. Their order and cells are still those of floats. */
static inline int32_t scree_flat_fine(const scree_flat_frame *frame, int axis, double x)
{
    return (int32_t)((x - frame->origin[axis]) * frame->scale);
}

static inline int32_t scree_flat_whole(const float *number)
{
    int32_t whole;
    memcpy(&whole, number, sizeof whole);
    return whole;
}

/*  For a body that is not far: no bound is needed. */
static inline float scree_flat_near(const scree_flat_frame *frame, int axis, double x)
{
    return (float)((x - frame->origin[axis]) * frame->scale);
}

static inline float scree_flat_to_frame(const scree_flat_frame *frame, int axis, double x)
{
    double at = (x - frame->origin[axis]) * frame->scale;
    at = at < SCREE_FLAT_FARTHEST ? at : SCREE_FLAT_FARTHEST;
    at = at > -SCREE_FLAT_FARTHEST ? at : -SCREE_FLAT_FARTHEST;
    return (float)at;
}

/*  Returns the index of the cell on one axis. It never decreases as `x` grows, whatever the rounding. */
static inline uint32_t scree_flat_cell(const scree_flat_level *level, int axis, float x)
{
    float at = x * level->inverse[axis] + level->shift[axis];
    at = at > 0 ? at : 0;
    at = at < level->last[axis] ? at : level->last[axis];
    return (uint32_t)(int32_t)at;
}

/*  In two dimensions cells[2] is 1 and z is 0. */
static inline uint32_t scree_flat_row(const scree_flat_level *level, uint32_t y, uint32_t z,
                                      int dimensions)
{
    return y + 1 + (level->cells[1] + 2) * (dimensions == 3 ? z + 1 : 0);
}

/*  The box of a body. */
static inline scree_box scree_flat_box(const scree_bodies *bodies, uint32_t id)
{
    return bodies->sphere ? scree_sphere_box(bodies->sphere[id], bodies->dimensions)
                          : bodies->box[id];
}

/*  The level of a body. */
static inline uint32_t scree_flat_range(const scree_flat_sorts *sorts, double size)
{
    uint32_t range = 0;
    for (uint32_t k = 0; k + 1 < sorts->sizes; k++)
        range += size > sorts->bound[k];
    return range;
}

static inline uint32_t scree_flat_sort_of_sphere(const scree_flat_sorts *sorts,
                                                 const double sphere[4])
{
    if (sorts->has_far)
        for (int k = 0; k < 3; k++)
            if (!(sphere[k] >= sorts->near_lower[k] && sphere[k] <= sorts->near_upper[k]))
                return sorts->sizes;
    return scree_flat_range(sorts, sphere[3]);
}

static inline uint32_t scree_flat_sort_of_box(const scree_flat_sorts *sorts, const scree_box *box)
{
    double width[3], most = 0;
    uint32_t shape = 3;
    for (int k = 0; k < 3; k++) {
        if (sorts->has_far &&
            !(box->lower[k] >= sorts->near_lower[k] && box->upper[k] <= sorts->near_upper[k]))
            return sorts->sizes * sorts->shapes;
        width[k] = box->upper[k] - box->lower[k];
        most = most > width[k] ? most : width[k];
    }
    uint32_t range = scree_flat_range(sorts, most);
    if (sorts->shapes == 1)
        return range;
    /* long: three times as long as the rest */
    for (uint32_t k = 0; k < 3; k++)
        if (width[k] >= 3 * width[(k + 1) % 3] && width[k] >= 3 * width[(k + 2) % 3])
            shape = k;
    return range * SCREE_FLAT_SHAPES + shape;
}

/*  The first chooses levels from a sample, and returns the largest radius or width in it; `island` is NULL if there are
    not several. The second measures each level: `extent` has SCREE_FLAT_LEVELS elements. */
double scree_flat_choose(scree_flat_sorts *sorts, const scree_bodies *bodies,
                         const scree_flat_island *island);
void scree_flat_measure(const scree_flat_sorts *sorts, const scree_method_env *env,
                        const scree_bodies *bodies, scree_simd simd, scree_flat_extent *extent);

/*  After all bodies were planned as one island: how many bodies a body has in its cell on average, by a sample; 0 if
    that is few, or if the sample cannot tell. */
double scree_flat_sampled_crowding(const scree_flat *self, const scree_bodies *bodies);
/*  Makes islands and islets. */
scree_status scree_flat_split(scree_flat *self, const scree_method_env *env,
                              const scree_bodies *bodies, scree_flat_islets *islets);
void scree_flat_give_lists(scree_flat *self, scree_memory *memory);
/*  All bodies in one island. */
scree_status scree_flat_plan_whole(scree_flat *self, const scree_method_env *env,
                                   const scree_bodies *bodies);
/*  In those that have been made. */
scree_status scree_flat_plan_islands(scree_flat *self, const scree_method_env *env,
                                     const scree_bodies *bodies, const scree_flat_islets *islets);
/*  *crowding gets the sum over all cells of the squared number of bodies. */
scree_status scree_flat_sort(scree_flat *self, const scree_method_env *env,
                             const scree_bodies *bodies, uint64_t *crowding);
/*  Returns the largest error of floats in a frame, for numbers up to `farthest`. */
double scree_flat_error(double farthest);
/*  Returns the bound beyond which the sign of a kernel's result is certain, if the sum of two radii is at most `reach`.
    */
float scree_flat_doubt(scree_volume volume, const scree_flat_frame *frame, float reach);
void scree_flat_query_islets(const scree_flat *self, const scree_bodies *bodies,
                             const scree_probe *probe, scree_hit_sink *sink);
/*  Leaves out bodies that have moved while pairs are kept. */
void scree_flat_query_cells(const scree_flat *self, const scree_bodies *bodies,
                            const scree_probe *probe, scree_hit_sink *sink);
/*  Columns of a body that is not far. */
void scree_flat_read(const scree_flat_frame *frame, const scree_bodies *bodies, uint32_t id,
                     uint32_t columns, float *record);
void scree_flat_query(const void *state, const scree_bodies *bodies, const scree_probe *probe,
                      scree_hit_sink *sink);
void scree_flat_outline(const void *state, const scree_bodies *bodies, scree_scratch *scratch,
                        scree_outline_sink *sink);
void scree_flat_pairs(const void *state, const scree_bodies *bodies, size_t block,
                      scree_scratch *scratch, scree_sink *sink);

/*  Functions of the method. flat_keep.c also calls them, for a second structure with the moved bodies. */
scree_status scree_flat_build(void *state, const scree_method_env *env, const scree_bodies *bodies);
void scree_flat_destroy(void *state, const scree_method_env *env);
size_t scree_flat_block_count(const void *state, const scree_bodies *bodies);

/*  These bodies have moved. */
scree_status scree_flat_keep_update(scree_flat *self, const scree_method_env *env,
                                    const scree_bodies *bodies, const uint32_t *ids, size_t count);
/*  Finds the pairs of a body with this box and all bodies in cells, without islets. Returns false, and finds nothing,
    if floats of an island in its range are not accurate enough for its position. */
bool scree_flat_sweep_guest(const scree_flat *self, const scree_bodies *bodies, uint32_t id,
                            const scree_box *box, scree_sink *sink);
void scree_flat_keep_end(scree_flat *self);
void scree_flat_keep_free(scree_flat *self, const scree_method_env *env);
size_t scree_flat_keep_block_count(const scree_flat *self);
void scree_flat_keep_pairs(const scree_flat *self, const scree_bodies *bodies, size_t block,
                           scree_scratch *scratch, scree_sink *sink);

static inline bool scree_flat_is_moved(const scree_flat *self, uint32_t id)
{
    return self->keep.is_moved[id / 64] >> id % 64 & 1;
}

#endif
