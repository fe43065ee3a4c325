/*  Reading the caller's columns of motion. */
#ifndef SCREE_MOTION_H
#define SCREE_MOTION_H

#include "base/error.h"
#include "detect/margin.h"

/*  Every column that is given fits `count` rows. */
scree_status scree_motion_check(const scree_motion *motion, int dimensions, size_t count,
                                scree_error *error);
/*  Whether anything says how fast bodies are. */
bool scree_motion_has_velocities(const scree_motion *motion, int dimensions);

/*  Speed, kind and constant of a row; what is not given stays as it is in *pace. The numbers may be
    unusable; the speed is then not finite. */
void scree_motion_read(const scree_motion *motion, int dimensions, size_t index, scree_pace *pace);

/*  SCREE_BAD_VALUE, naming the first number of the row that is not usable. There is one. */
scree_status scree_motion_explain(const scree_motion *motion, int dimensions, size_t index,
                                  uint32_t id, scree_error *error);

#endif
