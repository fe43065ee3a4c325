/*  Bodies that have come or gone, and that the method has not heard of. Where a method goes through all bodies for any
    change (method->batches), single changes wait until the structure is next needed and are made together: a thousand
    insertions, one by one, cost what one of a thousand bodies does.

    Invariant: the structure is that of the active bodies, without those that wait to enter, and with those that wait to
    leave. An id that left may have come again: it is in both lists. */
#ifndef SCREE_WAITING_H
#define SCREE_WAITING_H

#include "base/memory.h"

/*  place, by id: where it is in `entering`, plus 1; 0: nowhere. All zero is that nobody waits. */
typedef struct scree_waiting
{
    uint32_t *entering, *leaving, *place;
    size_t entering_count, leaving_count;
    size_t entering_capacity, leaving_capacity, place_capacity;
} scree_waiting;

static inline bool scree_waiting_is_empty(const scree_waiting *waiting)
{
    return waiting->entering_count + waiting->leaving_count == 0;
}

/*  Bodies, with ids below `bound`, have become active, or are about to leave. SCREE_OUT_OF_MEMORY changes nothing. */
scree_status scree_waiting_enter(scree_waiting *waiting, scree_memory *memory, uint32_t bound,
                                 const uint32_t *ids, size_t count);
scree_status scree_waiting_leave(scree_waiting *waiting, scree_memory *memory, const uint32_t *ids,
                                 size_t count);

/*  Nobody waits any more; memory is kept. */
void scree_waiting_clear(scree_waiting *waiting);
void scree_waiting_free(scree_waiting *waiting, scree_memory *memory);

#endif
