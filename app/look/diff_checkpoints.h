/*  How two states differ. */
#ifndef SCREE_DIFF_CHECKPOINTS_H
#define SCREE_DIFF_CHECKPOINTS_H

#include "common/json.h"

#include "scree/checkpoint.h"

/*  Prints how two checkpoints differ, to `json` where that is given; false if they do not. Parts of the host
    and names of bodies and walls, which decide nothing, are not compared. */
bool scree_diff_checkpoints(const scree_checkpoint *a, const scree_checkpoint *b, scree_json *json);

#endif
