/*  Rows of binary STL, for meshes and for walls. */
#ifndef SCREE_EXPORT_STL_H
#define SCREE_EXPORT_STL_H

#include "io/write_file.h"

void scree_stl_put_head(scree_file *file, uint32_t triangles);
/*  The corners fit into floats; if they lie on a line, the normal is 0. Failures are kept in the file. */
void scree_stl_put_triangle(scree_file *file, const double *const corner[3]);
/*  Whether a number is in the range of floats. */
bool scree_is_float(double value);

#endif
