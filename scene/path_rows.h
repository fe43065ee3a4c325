/*  Rows of a path from a file of numbers. */
#ifndef SCREE_SCENE_PATH_ROWS_H
#define SCREE_SCENE_PATH_ROWS_H

#include "scree/base.h"

struct scree_scene;

/*  Lines of t, x, y, z, or these and a quaternion w x y z, separated by commas, semicolons, tabs or blanks. Empty lines and
    those that begin with # are passed over, and so is a first line of words. The rows are the scene's. SCREE_IO_ERROR,
    SCREE_BAD_FILE with file and line, SCREE_OUT_OF_MEMORY. */
scree_status scene_read_path_rows(struct scree_scene *scene, const char *path, double (**rows)[8],
                                  size_t *count, scree_error *error);

#endif
