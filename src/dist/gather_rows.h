/*  Rows of all ranks on rank 0, one rank after the other, and back. */
#ifndef SCREE_DIST_GATHER_ROWS_H
#define SCREE_DIST_GATHER_ROWS_H

#include "base/memory.h"
#include "dist/comm.h"

typedef struct scree_row_inbox
{
    uint64_t *counts; /* sent to each rank, then received from each */
    scree_rank_message *messages;
    size_t count_capacity, message_capacity;
    size_t own, total; /* rows of this rank; on rank 0 those of all, 0 on others */
} scree_row_inbox;

void scree_row_inbox_free(scree_row_inbox *inbox, scree_memory *memory);

/*  Collective: tells rank 0 how many rows there are. SCREE_OUT_OF_MEMORY, on all ranks alike; a status of `comm`. */
scree_status scree_rows_count(scree_row_inbox *inbox, scree_memory *memory, const scree_comm *comm,
                              size_t own);
/*  Collective: sends the rows to rank 0, which has room for all. */
scree_status scree_rows_gather(scree_row_inbox *inbox, const scree_comm *comm, void *own, void *all,
                               size_t row_bytes);
/*  Collective: sends them back. */
scree_status scree_rows_return(scree_row_inbox *inbox, const scree_comm *comm, void *own, void *all,
                               size_t row_bytes);

#endif
