/*  Ranks as threads of one process, for tests: equivalent to MPI between processes. */
#ifndef SCREE_DIST_COMM_THREADS_H
#define SCREE_DIST_COMM_THREADS_H

#include "dist/comm.h"

/*  The function of one rank. Returns the status of its run. */
typedef scree_status scree_rank_fn(const scree_comm *comm, void *data);

/*  Runs `rank` on `size` new threads, 1 to 64, and returns when all are done: the status of the lowest rank that
    failed. SCREE_BAD_ARGUMENT; SCREE_OUT_OF_MEMORY if threads cannot be started: then none has run. */
scree_status scree_run_ranks(uint32_t size, scree_rank_fn *rank, void *data);

#endif
