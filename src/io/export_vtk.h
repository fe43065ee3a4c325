/*  VTK XML files of PolyData or ImageData: a head that says where each array lies, then the arrays as they are in memory,
    one after the other ("appended raw"). All numbers have 8 bytes. */
#ifndef SCREE_EXPORT_VTK_H
#define SCREE_EXPORT_VTK_H

#include "io/export_rows.h"

typedef enum scree_vtk_type
{
    SCREE_VTK_REAL,
    SCREE_VTK_WHOLE,   /* 0 or more */
    SCREE_VTK_INTEGER, /* what VTK wants for connectivity and offsets */
    SCREE_VTK_CORNERS, /* the same, `width` to a row, which the file does not show */
} scree_vtk_type;

/*  Rows first .. first + count - 1 of an array, width words each. */
typedef void scree_vtk_fill(const void *context, int what, size_t first, size_t count,
                            scree_export_word *words);

typedef struct scree_vtk_array
{
    const char *section; /* "PointData", "CellData", "Points", "Verts", "Lines", "Polys" */
    const char *name;
    scree_vtk_type type;
    int width, what; /* at most SCREE_VTK_WIDTH; for the fill function */
    size_t rows;
} scree_vtk_array;

#define SCREE_VTK_ARRAYS 32
#define SCREE_VTK_WIDTH 9

/*  A grid of boxes; its arrays are "CellData". */
typedef struct scree_vtk_image
{
    uint32_t cells[3];
    double origin[3], spacing[3];
} scree_vtk_image;

typedef struct scree_vtk
{
    const scree_vtk_image *image;       /* NULL: it is PolyData, of */
    size_t points, verts, lines, polys; /* how many */
    int array_count;
    scree_vtk_array array[SCREE_VTK_ARRAYS]; /* those of a section beside each other */
    scree_vtk_fill *fill;
    const void *context;
} scree_vtk;

void scree_vtk_add(scree_vtk *vtk, const char *section, const char *name, scree_vtk_type type,
                   int width, size_t rows, int what);
/*  Failures stay in the file. */
void scree_vtk_write(const scree_vtk *vtk, scree_file *file, double time);

#endif
