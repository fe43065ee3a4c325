/*  Rows of binary STL, for meshes, walls and bodies. */
#ifndef SCREE_EXPORT_STL_H
#define SCREE_EXPORT_STL_H

#include "io/write_file.h"

void scree_stl_put_head(scree_file *file, uint32_t triangles);
/*  The corners must fit into floats; if they are collinear, the normal is 0. Failures are kept in the file. */
void scree_stl_put_triangle(scree_file *file, const double *const corner[3]);
/*  The same for a numbered triangle with any corners. SCREE_BAD_VALUE, with path, number and axis; or the status of the
    file. */
scree_status scree_stl_put_corners(scree_file *file, size_t number, double point[3][3],
                                   scree_error *error);
/*  SCREE_BAD_ARGUMENT: the count is 0, with the message `none`. SCREE_TOO_LARGE. */
scree_status scree_stl_check_count(size_t count, const char *none, const char *path,
                                   scree_error *error);
/*  Whether a number is within the range of floats. */
bool scree_is_float(double value);

#endif
