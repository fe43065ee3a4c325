/*  Reads rows of a path from a file of numbers. */
#ifndef SCREE_SCENE_PATH_ROWS_H
#define SCREE_SCENE_PATH_ROWS_H

#include "scree/base.h"

struct scree_scene;

/*  Lines of t, x, y, z, optionally followed by a quaternion w x y z, separated by commas, semicolons, tabs or
    blanks. Empty lines and lines that start with # are skipped, and so is a header line. The rows are owned by the
    scene. SCREE_IO_ERROR, SCREE_BAD_FILE with file and line, SCREE_OUT_OF_MEMORY. */
scree_status scene_read_path_rows(struct scree_scene *scene, const char *path, double (**rows)[8],
                                  size_t *count, scree_error *error);

#endif
