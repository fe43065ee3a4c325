/*  Walls as facets at their current position. Planes, which are infinite, become a square (in two dimensions a line) as
    wide as the content of the world. */
#ifndef SCREE_EXPORT_WALLS_H
#define SCREE_EXPORT_WALLS_H

#include "io/export_rows.h"

/*  Numbers of rows before those of a wall. */
typedef struct scree_wall_start
{
    size_t point, line, triangle;
} scree_wall_start;

typedef struct scree_wall_rows
{
    const scree_walls *walls;
    scree_wall_start *start; /* the prefix sums; one more than walls */
    double centre[3], half;  /* of the squares that show planes */
    scree_facet_load
        *loads; /* of each cell, first all lines, then all triangles; NULL: not requested */
    bool flat;
} scree_wall_rows;

/*  With or without planes. SCREE_OUT_OF_MEMORY. */
scree_status scree_wall_rows_make(scree_wall_rows *rows, const scree_export_job *job,
                                  scree_memory *memory, bool planes);
void scree_wall_rows_free(scree_wall_rows *rows, scree_memory *memory);

/*  Corner c of a triangle of the concatenated rows. */
void scree_wall_rows_corner(const scree_wall_rows *rows, size_t triangle, size_t corner,
                            double point[3]);

#endif
