/*  Ranks as threads of one process: what MPI does between processes, for tests. */
#ifndef SCREE_DIST_COMM_THREADS_H
#define SCREE_DIST_COMM_THREADS_H

#include "dist/comm.h"

/*  What one rank does. Its status is that of the run. */
typedef scree_status scree_rank_fn(const scree_comm *comm, void *data);

/*  Runs `rank` on `size` threads of their own, 1 to 64, and returns when all are done: the status of the lowest rank that
    failed. SCREE_BAD_ARGUMENT, SCREE_OUT_OF_MEMORY where threads cannot be started: then none has run. */
scree_status scree_run_ranks(uint32_t size, scree_rank_fn *rank, void *data);

#endif
