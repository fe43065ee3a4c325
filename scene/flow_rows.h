/*  Reads a flow on a grid from a file of numbers. */
#ifndef SCREE_SCENE_FLOW_ROWS_H
#define SCREE_SCENE_FLOW_ROWS_H

#include "scree/ambient.h"

struct scree_scene;

/*  Lines of x, y, z and the velocity there, x y z, as number_lines.h reads them, in any order. The places must be all
    nodes of a regular grid. The velocities, *nodes, are owned by the scene, and may be changed. SCREE_IO_ERROR, SCREE_BAD_FILE with file and
    line, SCREE_OUT_OF_MEMORY. */
scree_status scene_read_flow(struct scree_scene *scene, const char *path, scree_flow_grid *flow,
                             double (**nodes)[3], scree_error *error);

#endif
