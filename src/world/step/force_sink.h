/*  Where the host's force function adds its forces: to the sums of the step under way. */
#ifndef SCREE_WORLD_FORCE_SINK_H
#define SCREE_WORLD_FORCE_SINK_H

#include "base/error.h"
#include "world/state/bodies.h"

struct scree_force_sink
{
    scree_body_arrays *bodies;
    uint64_t step;       /* the number of the step, for messages */
    scree_error *error;  /* gets the message of the first call that failed */
    scree_status status; /* of that call; SCREE_OK: none failed */
};

#endif
