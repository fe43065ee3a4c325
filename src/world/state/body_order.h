/*  Bodies in an order: scratch of those who lay them by place, write them or tell of them by serial number. */
#ifndef SCREE_WORLD_BODY_ORDER_H
#define SCREE_WORLD_BODY_ORDER_H

#include "base/memory.h"
#include "base/radix_sort.h"
#include "base/tasks.h"

/*  Made anew by each who needs it; nothing of it lasts. */
typedef struct scree_body_order
{
    scree_sorter sorter;
    uint64_t *key;  /* by which they are sorted */
    uint32_t *slot; /* in that order */
    size_t key_capacity, slot_capacity;
} scree_body_order;

/*  Room for so many. SCREE_OUT_OF_MEMORY. */
scree_status scree_body_order_reserve(scree_body_order *order, scree_memory *memory, size_t count);
/*  By keys. SCREE_OUT_OF_MEMORY. */
scree_status scree_body_order_sort(scree_body_order *order, scree_memory *memory,
                                   const scree_workers *workers, size_t count);
void scree_body_order_free(scree_body_order *order, scree_memory *memory);

#endif
