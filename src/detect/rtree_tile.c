/*  Sort-tile-recursive order (Leutenegger, Lopez, Edgington, "STR: a simple and efficient algorithm
    for R-tree packing", ICDE 1997). P nodes are wanted, so each axis is cut into S = P^(1/d) parts:
    all items are sorted along x and cut into S slabs, each slab is sorted along y and cut into S
    columns, each column is sorted along z. The slabs are not sorted one by one: a stable sort of
   all items along y, then a stable sort by slab, gives the same and runs on all threads. */
#include "detect/rtree_tile.h"

scree_status scree_tiler_reserve(scree_tiler *tiler, scree_memory *memory, size_t count)
{
    scree_status status =
        scree_memory_reserve(memory, &tiler->key, &tiler->key_capacity, count, sizeof *tiler->key);
    if (!status)
        status = scree_memory_reserve(memory, &tiler->order, &tiler->order_capacity, count,
                                      sizeof *tiler->order);
    if (!status)
        status = scree_memory_reserve(memory, &tiler->group_of, &tiler->group_of_capacity, count,
                                      sizeof *tiler->group_of);
    if (!status)
        status = scree_memory_reserve(memory, &tiler->group, &tiler->group_capacity, count,
                                      sizeof *tiler->group);
    return status;
}

void scree_tiler_free(scree_tiler *tiler, scree_memory *memory)
{
    scree_sorter_free(&tiler->sorter, memory);
    scree_memory_give(memory, &tiler->key, tiler->key_capacity, sizeof *tiler->key);
    scree_memory_give(memory, &tiler->order, tiler->order_capacity, sizeof *tiler->order);
    scree_memory_give(memory, &tiler->group_of, tiler->group_of_capacity, sizeof *tiler->group_of);
    scree_memory_give(memory, &tiler->group, tiler->group_capacity, sizeof *tiler->group);
}

/*  Items of one slab (axis 0) or column (axis 1): a multiple of the capacity, so that no node
    straddles two columns, and slabs are whole numbers of columns. */
static size_t group_size(uint32_t axis, uint32_t dimensions, size_t count, uint32_t capacity)
{
    uint64_t nodes = scree_block_count(count, capacity), parts = 1;
    while ((dimensions == 3 ? parts * parts * parts : parts * parts) < nodes)
        parts++;
    uint64_t nodes_of_group = dimensions == 3 && axis == 0 ? parts * parts : parts;
    return (size_t)nodes_of_group * capacity;
}

scree_status scree_tiler_sort_axis(scree_tiler *tiler, scree_memory *memory,
                                   const scree_workers *workers, uint32_t axis, uint32_t dimensions,
                                   size_t count, uint32_t capacity)
{
    uint32_t *order = tiler->order;
    for (size_t i = 0; i < count; i++)
        order[i] = (uint32_t)i;
    scree_status status = scree_sort_u64(&tiler->sorter, memory, workers, tiler->key, order, count);

    /* back into the groups of the axes before, in the new order inside each */
    if (!status && axis > 0) {
        for (size_t i = 0; i < count; i++)
            tiler->group[i] = tiler->group_of[order[i]];
        status = scree_sort_u32(&tiler->sorter, memory, workers, tiler->group, order, count);
    }
    if (!status && axis + 1 < dimensions) {
        size_t size = group_size(axis, dimensions, count, capacity);
        for (size_t i = 0; i < count; i++)
            tiler->group_of[order[i]] = (uint32_t)(i / size);
    }
    return status;
}

void scree_tile_range(size_t node, size_t count, uint32_t max_entries, uint32_t min_entries,
                      size_t *begin, size_t *end)
{
    size_t last = scree_block_count(count, max_entries) - 1;
    size_t last_begin = last * max_entries;
    /* moves entries from the node before to the last: max >= 2 min leaves enough */
    if (last > 0 && count - last_begin < min_entries)
        last_begin = count - min_entries;
    *begin = node == last ? last_begin : node * max_entries;
    *end = node == last ? count : node + 1 == last ? last_begin : (node + 1) * max_entries;
}
