/*  Periods that bodies have come in by through periodic borders since slots last changed: where they would be without is
    where detection knows them. */
#ifndef SCREE_WORLD_WRAPS_H
#define SCREE_WORLD_WRAPS_H

#include "base/memory.h"

#include <math.h>
#include <stdbool.h>

/*  So far from where it lies a place has lost no more digits than a radius covers that has grown by as much. */
#define SCREE_MOST_WRAPS 64

typedef struct scree_wraps
{
    int32_t (*count)[3]; /* by slot */
    size_t capacity;
    bool are_some;
} scree_wraps;

/*  A body has come in again, `periods` further up along an axis; false: it has gone too far to be followed. */
static inline bool scree_wraps_note(scree_wraps *wraps, uint32_t slot, int axis, double periods)
{
    if (!(fabs(periods + wraps->count[slot][axis]) <= SCREE_MOST_WRAPS))
        return false;
    wraps->count[slot][axis] += (int32_t)periods;
    wraps->are_some = true;
    return true;
}

#endif
