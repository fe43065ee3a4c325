/*  Bodies that were inserted or removed, that the method does not know yet. If a method visits all bodies for any
    change (method->batches), single changes wait until the structure is next needed and are made together: a thousand
    single insertions cost as much as one insertion of a thousand bodies.

    Invariant: the structure is that of the active bodies, without those that wait for insertion, and with those that
    wait for removal. A removed id may have been inserted again: then it is in both lists. */
#ifndef SCREE_WAITING_H
#define SCREE_WAITING_H

#include "base/memory.h"

/*  place, by id: index in `entering`, plus 1; 0: not waiting. All zero: no body waits. */
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

/*  Bodies with ids below `bound` have become active, or are about to be removed. SCREE_OUT_OF_MEMORY changes
    nothing. */
scree_status scree_waiting_enter(scree_waiting *waiting, scree_memory *memory, uint32_t bound,
                                 const uint32_t *ids, size_t count);
scree_status scree_waiting_leave(scree_waiting *waiting, scree_memory *memory, const uint32_t *ids,
                                 size_t count);

/*  Empties the lists; memory is kept. */
void scree_waiting_clear(scree_waiting *waiting);
void scree_waiting_free(scree_waiting *waiting, scree_memory *memory);

#endif
