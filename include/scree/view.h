/*  scree/view.h: columns of numbers, without copying: where the first number is, and how far it is to the next one.

        struct grain { float x, y, z, r; } grains[100];
        scree_view x = scree_floats(&grains[0].x, sizeof grains[0]);

        scree_bodies_view bodies = scree_world_bodies(world);
        double speed = scree_row_at(bodies.velocity, row)[0];

    The host passes its own arrays to scree as columns (scree_table, scree_force_sink_add_columns), and reads those of
    scree as columns (scree_bodies_view). A column owns nothing: the function that takes or returns it says how long its
    numbers must stay, or stay valid. */
#ifndef SCREE_VIEW_H
#define SCREE_VIEW_H

#include "scree/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/*  The type of the numbers in a column. */
typedef enum scree_real
{
    SCREE_FLOAT64, /* double */
    SCREE_FLOAT32, /* float */
} scree_real;

/*  A column of numbers of the caller. Need not be aligned. */
typedef struct scree_view
{
    const void *data; /* the first number; NULL: the column is not given */
    size_t stride;    /* bytes from one number to the next */
    scree_real real;  /* their type */
} scree_view;

/*  Returns a column of doubles. */
static inline scree_view scree_doubles(const double *first, size_t stride)
{
    scree_view view = {first, stride, SCREE_FLOAT64};
    return view;
}

/*  Returns a column of floats. */
static inline scree_view scree_floats(const float *first, size_t stride)
{
    scree_view view = {first, stride, SCREE_FLOAT32};
    return view;
}

/*  A column of integers of the caller. The field that it is used for says their type. */
typedef struct scree_integers
{
    const void *data; /* the first number; NULL: the column is not given */
    size_t stride;    /* bytes from one number to the next */
} scree_integers;

/*  Returns a column of integers. */
static inline scree_integers scree_integer_view(const void *first, size_t stride)
{
    scree_integers view = {first, stride};
    return view;
}

/*  Returns the column of the k-th number of each row, from 0: with k = 1 that of y, if rows are x y z. The table of all
    spheres of a world is made of such columns of scree_world_bodies. */
static inline scree_view scree_view_component(scree_view column, size_t k)
{
    scree_view view = column;
    if (column.data)
        view.data = (const char *)column.data +
                    k * (column.real == SCREE_FLOAT32 ? sizeof(float) : sizeof(double));
    return view;
}

/*  Returns a row of a column of doubles: its first number, after which the others of the row follow. The column must be
    given and aligned, as those of scree_world_bodies are. */
static inline const double *scree_row_at(scree_view column, size_t row)
{
    return (const double *)(const void *)((const char *)column.data + row * column.stride);
}

/*  Returns the number in a row of a column of doubles, as scree_row_at. */
static inline double scree_double_at(scree_view column, size_t row)
{
    return *scree_row_at(column, row);
}

/*  Returns the number in a row of a column of uint64_t. The column must be given and aligned. */
static inline uint64_t scree_uint64_at(scree_integers column, size_t row)
{
    return *(const uint64_t *)(const void *)((const char *)column.data + row * column.stride);
}

/*  Returns the number in a row of a column of uint32_t. The column must be given and aligned. */
static inline uint32_t scree_uint32_at(scree_integers column, size_t row)
{
    return *(const uint32_t *)(const void *)((const char *)column.data + row * column.stride);
}

#ifdef __cplusplus
}
#endif

#endif
