#include "dist/gather_rows.h"

void scree_row_inbox_free(scree_row_inbox *inbox, scree_memory *memory)
{
    scree_memory_give(memory, &inbox->counts, inbox->count_capacity, sizeof *inbox->counts);
    scree_memory_give(memory, &inbox->messages, inbox->message_capacity, sizeof *inbox->messages);
    inbox->count_capacity = inbox->message_capacity = 0;
}

scree_status scree_rows_count(scree_row_inbox *inbox, scree_memory *memory, const scree_comm *comm,
                              size_t own)
{
    const size_t words = 2 * (size_t)comm->size;
    scree_status status = scree_memory_reserve(memory, &inbox->counts, &inbox->count_capacity,
                                               words, sizeof *inbox->counts);

    if (!status)
        status = scree_memory_reserve(memory, &inbox->messages, &inbox->message_capacity,
                                      comm->size, sizeof *inbox->messages);
    status = scree_comm_agree(comm, status);
    inbox->own = own;
    inbox->total = 0;
    if (status)
        return status;
    memset(inbox->counts, 0, words * sizeof *inbox->counts);
    inbox->counts[0] = own;
    status = comm->all_to_all(comm->user, inbox->counts, inbox->counts + comm->size, 1);
    for (uint32_t r = 0; r < comm->size; r++)
        inbox->total += (size_t)inbox->counts[comm->size + r];
    return status;
}

/*  The messages of rank 0. Returns their number. */
static size_t list_messages(scree_row_inbox *inbox, const scree_comm *comm, void *all,
                            size_t row_bytes)
{
    unsigned char *at = all;
    size_t count = 0;

    for (uint32_t r = 0; comm->rank == 0 && r < comm->size; r++) {
        const size_t bytes = (size_t)inbox->counts[comm->size + r] * row_bytes;
        if (bytes)
            inbox->messages[count++] = (scree_rank_message){r, bytes, at};
        at = at ? at + bytes : NULL;
    }
    return count;
}

scree_status scree_rows_gather(scree_row_inbox *inbox, const scree_comm *comm, void *own, void *all,
                               size_t row_bytes)
{
    const scree_rank_message out = {0, inbox->own * row_bytes, own};
    const size_t count = list_messages(inbox, comm, all, row_bytes);

    return comm->exchange(comm->user, &out, inbox->own > 0, inbox->messages, count);
}

scree_status scree_rows_return(scree_row_inbox *inbox, const scree_comm *comm, void *own, void *all,
                               size_t row_bytes)
{
    const scree_rank_message in = {0, inbox->own * row_bytes, own};
    const size_t count = list_messages(inbox, comm, all, row_bytes);

    return comm->exchange(comm->user, inbox->messages, count, &in, inbox->own > 0);
}
