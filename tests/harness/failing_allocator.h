/*  An allocator that fails on demand and keeps books. The k-th request (allocate or reallocate,
    counted from 1) fails, or every one from the k-th on. Sizes handed back are compared with sizes
    handed out: a wrong one is counted in `wrong_sizes`, and a block still held in `live_blocks` and
    `live_bytes`. Safe from several threads.

        failing_allocator memory = {.fail_at = 3};
        scree_allocator hooks = failing_allocator_hooks(&memory);
        ... use hooks ...
        CHECK(failing_allocator_is_clean(&memory));

    The usual loop, over every request that a piece of code makes:

        for (size_t k = 1;; k++) {
            failing_allocator memory = {.fail_at = k};
            ... run; whatever happens, free everything ...
            CHECK(failing_allocator_is_clean(&memory));
            if (memory.requests < k)
                break;
        } */
#ifndef SCREE_FAILING_ALLOCATOR_H
#define SCREE_FAILING_ALLOCATOR_H

#include "scree/base.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

typedef struct failing_allocator
{
    size_t fail_at;         /* 0: never */
    bool fail_all_after;    /* and all that follow */
    atomic_size_t requests; /* made so far, the failed ones included */
    atomic_size_t failures; /* requests that were refused */
    atomic_size_t live_blocks, live_bytes;
    atomic_size_t wrong_sizes; /* blocks given back with another size, or sizes of 0 */
} failing_allocator;

/*  Before each block, so that what follows stays aligned as malloc aligns. */
typedef union failing_allocator_head
{
    size_t bytes;
    max_align_t align;
} failing_allocator_head;

static inline bool failing_allocator_refuses(failing_allocator *self)
{
    size_t request = atomic_fetch_add(&self->requests, 1) + 1;
    bool refused = self->fail_at != 0 &&
                   (self->fail_all_after ? request >= self->fail_at : request == self->fail_at);

    if (refused)
        atomic_fetch_add(&self->failures, 1);
    return refused;
}

static inline void *failing_allocator_allocate(size_t bytes, void *user)
{
    failing_allocator *self = user;
    failing_allocator_head *head;

    if (bytes == 0)
        atomic_fetch_add(&self->wrong_sizes, 1);
    if (failing_allocator_refuses(self))
        return NULL;
    head = malloc(sizeof *head + bytes);
    if (!head)
        return NULL;
    head->bytes = bytes;
    atomic_fetch_add(&self->live_blocks, 1);
    atomic_fetch_add(&self->live_bytes, bytes);
    return memset(head + 1, 0xA5, bytes); /* no caller may count on zeros */
}

static inline void failing_allocator_release(void *block, size_t bytes, void *user)
{
    failing_allocator *self = user;
    failing_allocator_head *head = (failing_allocator_head *)block - 1;

    if (bytes == 0 || head->bytes != bytes)
        atomic_fetch_add(&self->wrong_sizes, 1);
    atomic_fetch_sub(&self->live_blocks, 1);
    atomic_fetch_sub(&self->live_bytes, head->bytes);
    free(head);
}

/*  Always moves the block: no caller may keep the old address. */
static inline void *failing_allocator_reallocate(void *block, size_t old_bytes, size_t new_bytes,
                                                 void *user)
{
    void *moved = failing_allocator_allocate(new_bytes, user);

    if (!moved)
        return NULL;
    memcpy(moved, block, old_bytes < new_bytes ? old_bytes : new_bytes);
    failing_allocator_release(block, old_bytes, user);
    return moved;
}

static inline scree_allocator failing_allocator_hooks(failing_allocator *self)
{
    return (scree_allocator){failing_allocator_allocate, failing_allocator_reallocate,
                             failing_allocator_release, self};
}

/*  Everything was given back, with the size it had. */
static inline bool failing_allocator_is_clean(const failing_allocator *self)
{
    return self->live_blocks == 0 && self->live_bytes == 0 && self->wrong_sizes == 0;
}

#endif
