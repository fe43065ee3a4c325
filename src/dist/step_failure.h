/*  After a failed step: which rank's message the host reads, and which body is the failed one. */
#ifndef SCREE_DIST_STEP_FAILURE_H
#define SCREE_DIST_STEP_FAILURE_H

#include "dist/comm.h"
#include "scree/world.h"

/*  Collective. `failed`: the status that all ranks have; `own`: that of this rank, SCREE_OK if nothing failed here;
    `is_crossing`: it failed because of a crossing. Among ranks whose own status is `failed`, the message is that of
    one that found a crossing, then of the one with the smallest global id, then of the owner of that body. On rank 0
    it becomes the message of `whole`, which is NULL on other ranks. SCREE_OK, or a status of `comm`. */
scree_status scree_step_failure_report(const scree_comm *comm, const scree_world *part,
                                       scree_status own, bool is_crossing, scree_status failed,
                                       scree_world *whole);

#endif
