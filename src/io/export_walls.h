/*  Walls as facets, where they lie now: those of meshes, and for planes, which have no end, a square (in two
    dimensions a line) as wide as all that is there. */
#ifndef SCREE_EXPORT_WALLS_H
#define SCREE_EXPORT_WALLS_H

#include "io/export_rows.h"

/*  How many come before those of a wall. */
typedef struct scree_wall_start
{
    size_t point, line, triangle;
} scree_wall_start;

typedef struct scree_wall_rows
{
    const scree_walls *walls;
    scree_wall_start *start; /* one more than walls: the sums */
    double centre[3], half;  /* of the squares */
    scree_facet_load
        *loads; /* of each cell, first all lines, then all triangles; NULL: not asked for */
    bool flat;
} scree_wall_rows;

/*  SCREE_OUT_OF_MEMORY. With planes, or without. */
scree_status scree_wall_rows_make(scree_wall_rows *rows, const scree_export_job *job,
                                  scree_memory *memory, bool planes);
void scree_wall_rows_free(scree_wall_rows *rows, scree_memory *memory);

/*  Corner c of a triangle, both by number. */
void scree_wall_rows_corner(const scree_wall_rows *rows, size_t triangle, size_t corner,
                            double point[3]);

#endif
