/*  Scratch memory of a worker: a list of pieces in the order of requests. Each block of a search makes the same
    requests, so after the first nothing is allocated. */
#include "detect/scratch.h"

struct scree_scratch_piece
{
    void *data;
    size_t bytes;
};

void *scree_scratch_take(scree_scratch *scratch, size_t count, size_t element_bytes)
{
    scree_memory *memory = scratch->memory;
    if (count == 0 || scratch->failed)
        return NULL;
    if (scratch->used == scratch->count) {
        if (scree_memory_reserve(memory, &scratch->pieces, &scratch->capacity, scratch->count + 1,
                                 sizeof *scratch->pieces))
            goto fail;
        scratch->pieces[scratch->count++] = (struct scree_scratch_piece){NULL, 0};
    }
    struct scree_scratch_piece *piece = &scratch->pieces[scratch->used];
    if (piece->bytes / element_bytes < count) {
        /* half as much again, so that slowly growing requests do not allocate each time */
        size_t wanted = count + count / 2;
        scree_memory_give(memory, &piece->data, piece->bytes, 1);
        piece->bytes = 0;
        if (scree_memory_take(memory, wanted, element_bytes, &piece->data))
            goto fail;
        piece->bytes = wanted * element_bytes;
    }
    scratch->used++;
    return piece->data;
fail:
    scratch->failed = true;
    return NULL;
}

void scree_scratch_free(scree_scratch *scratch)
{
    for (size_t i = 0; i < scratch->count; i++)
        scree_memory_give(scratch->memory, &scratch->pieces[i].data, scratch->pieces[i].bytes, 1);
    scree_memory_give(scratch->memory, &scratch->pieces, scratch->capacity,
                      sizeof *scratch->pieces);
    scratch->count = scratch->capacity = scratch->used = 0;
}
