/*  How many periods each body has been wrapped by at periodic boundaries since slots last changed. The detector uses
    the positions without wrapping. */
#ifndef SCREE_WORLD_WRAPS_H
#define SCREE_WORLD_WRAPS_H

#include "base/memory.h"

#include <math.h>
#include <stdbool.h>

/*  Up to this number of periods the position loses fewer digits than the enlarged radius allows for. */
#define SCREE_MAX_WRAPS 64

typedef struct scree_wraps
{
    int32_t (*count)[3]; /* by slot */
    size_t capacity;
    bool are_some;
} scree_wraps;

/*  Records that a body was wrapped by `periods` along an axis. False: too many periods; the detector must be updated
    instead. */
static inline bool scree_wraps_note(scree_wraps *wraps, uint32_t slot, int axis, double periods)
{
    if (!(fabs(periods + wraps->count[slot][axis]) <= SCREE_MAX_WRAPS))
        return false;
    wraps->count[slot][axis] += (int32_t)periods;
    wraps->are_some = true;
    return true;
}

#endif
