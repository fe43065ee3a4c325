#include "world/state/body_order.h"

scree_status scree_body_order_reserve(scree_body_order *order, scree_memory *memory, size_t count)
{
    if (scree_memory_reserve(memory, &order->key, &order->key_capacity, count,
                             sizeof *order->key) ||
        scree_memory_reserve(memory, &order->slot, &order->slot_capacity, count,
                             sizeof *order->slot))
        return SCREE_OUT_OF_MEMORY;
    return SCREE_OK;
}

scree_status scree_body_order_sort(scree_body_order *order, scree_memory *memory,
                                   const scree_workers *workers, size_t count)
{
    return scree_sort_u64(&order->sorter, memory, workers, order->key, order->slot, count);
}

void scree_body_order_free(scree_body_order *order, scree_memory *memory)
{
    scree_sorter_free(&order->sorter, memory);
    scree_memory_give(memory, &order->key, order->key_capacity, sizeof *order->key);
    scree_memory_give(memory, &order->slot, order->slot_capacity, sizeof *order->slot);
    order->key_capacity = order->slot_capacity = 0;
}
