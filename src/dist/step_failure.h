/*  A step has failed: which rank's message the host reads, and which body is named. */
#ifndef SCREE_DIST_STEP_FAILURE_H
#define SCREE_DIST_STEP_FAILURE_H

#include "dist/comm.h"
#include "scree/world.h"

/*  Collective. `failed`: the status that all ranks have; `own`: of this rank, SCREE_OK where nothing failed here, and `is_crossing`
    whether for something that would be passed unseen. Of ranks whose own status is `failed` that one's message is taken which
    found a crossing, then which names the body of the smallest serial number, then which owns it. On rank 0 it becomes the
    message of `whole`, which is NULL on the others. SCREE_OK, or what `comm` returns. */
scree_status scree_step_failure_report(const scree_comm *comm, const scree_world *part,
                                       scree_status own, bool is_crossing, scree_status failed,
                                       scree_world *whole);

#endif
