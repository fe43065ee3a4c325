/*  VTK XML files of PolyData or ImageData: a head with the offset of each array, then the arrays as in memory, one
    after the other ("appended raw"). All numbers have 8 bytes. */
#ifndef SCREE_EXPORT_VTK_H
#define SCREE_EXPORT_VTK_H

#include "io/export_rows.h"

typedef enum scree_vtk_type
{
    SCREE_VTK_REAL,
    SCREE_VTK_WHOLE,   /* 0 or more */
    SCREE_VTK_INTEGER, /* the type that VTK requires for connectivity and offsets */
    SCREE_VTK_CORNERS, /* the same, `width` per row, which the file does not show */
} scree_vtk_type;

/*  Fills rows first .. first + count - 1 of an array, width words each. */
typedef void scree_vtk_fill(const void *context, int what, size_t first, size_t count,
                            scree_export_word *words);

typedef struct scree_vtk_array
{
    const char *section; /* "PointData", "CellData", "Points", "Verts", "Lines", "Polys" */
    const char *name;
    scree_vtk_type type;
    int width, what; /* width: at most SCREE_VTK_WIDTH; what: for the fill function */
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
    const scree_vtk_image *image;       /* NULL: PolyData with */
    size_t points, verts, lines, polys; /* these numbers of cells */
    int array_count;
    scree_vtk_array array[SCREE_VTK_ARRAYS]; /* arrays of a section are consecutive */
    scree_vtk_fill *fill;
    const void *context;
} scree_vtk;

void scree_vtk_add(scree_vtk *vtk, const char *section, const char *name, scree_vtk_type type,
                   int width, size_t rows, int what);
/*  Failures are kept in the file. */
void scree_vtk_write(const scree_vtk *vtk, scree_file *file, double time);

#endif
