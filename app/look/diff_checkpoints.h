/*  Differences between two states. */
#ifndef SCREE_DIFF_CHECKPOINTS_H
#define SCREE_DIFF_CHECKPOINTS_H

#include "common/json.h"

#include "scree/checkpoint.h"

/*  Prints how two checkpoints differ, to `json` if given. Returns false if they do not. Parts of the host and names of
    bodies and walls are not compared, because they do not influence a run. */
bool scree_diff_checkpoints(const scree_checkpoint *a, const scree_checkpoint *b, scree_json *json);

#endif
