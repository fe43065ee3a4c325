/*  Bodies in a sorted order: scratch of the spatial sort, of writers and of reports by global id. */
#ifndef SCREE_WORLD_BODY_ORDER_H
#define SCREE_WORLD_BODY_ORDER_H

#include "base/memory.h"
#include "base/radix_sort.h"
#include "base/tasks.h"

/*  Every user fills it again; nothing persists between uses. */
typedef struct scree_body_order
{
    scree_sorter sorter;
    uint64_t *key;  /* sort keys */
    uint32_t *slot; /* slots in sorted order */
    size_t key_capacity, slot_capacity;
} scree_body_order;

/*  Reserves entries. SCREE_OUT_OF_MEMORY. */
scree_status scree_body_order_reserve(scree_body_order *order, scree_memory *memory, size_t count);
/*  Sorts by key. SCREE_OUT_OF_MEMORY. */
scree_status scree_body_order_sort(scree_body_order *order, scree_memory *memory,
                                   const scree_workers *workers, size_t count);
void scree_body_order_free(scree_body_order *order, scree_memory *memory);

#endif
