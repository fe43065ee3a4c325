/*  Memory of the hash grids: bricks of cells, and lists of bodies in size classes. What is given
    back is put on a free list and is taken again first, so bodies may be added and removed without
    end; nothing moves but the two arrays as a whole. */
#include "detect/hash_grids.h"

#include <string.h>

#define NONE SCREE_HASH_NONE

void scree_hash_pool_init(scree_hash_pool *pool, scree_memory *memory, uint32_t list_capacity)
{
    memset(pool, 0, sizeof *pool);
    pool->memory = memory;
    pool->list_capacity = list_capacity;
    scree_hash_pool_clear(pool);
}

void scree_hash_pool_clear(scree_hash_pool *pool)
{
    pool->brick_count = pool->bricks_live = 0;
    pool->unit_count = pool->units_live = 0;
    pool->brick_free = NONE;
    memset(pool->list_free, 0xff, sizeof pool->list_free);
}

void scree_hash_pool_free(scree_hash_pool *pool)
{
    scree_memory_give(pool->memory, &pool->brick, pool->brick_capacity, sizeof *pool->brick);
    scree_memory_give(pool->memory, &pool->note, pool->note_capacity, sizeof *pool->note);
    scree_memory_give(pool->memory, &pool->unit, pool->unit_capacity, sizeof *pool->unit);
    pool->brick_capacity = pool->note_capacity = pool->unit_capacity = 0;
    scree_hash_pool_clear(pool);
}

bool scree_hash_pool_is_wasteful(const scree_hash_pool *pool)
{
    return (pool->brick_capacity > 64 && pool->brick_capacity / 4 > pool->bricks_live) ||
           (pool->unit_capacity > 4096 && pool->unit_capacity / 4 > pool->units_live);
}

/* ---- bricks ---- */

scree_status scree_hash_take_brick(scree_hash_pool *pool, uint32_t *brick)
{
    *brick = pool->brick_free;
    if (*brick != NONE) {
        pool->brick_free = pool->note[*brick];
    } else {
        size_t wanted = (size_t)pool->brick_count + 1;
        if (scree_memory_reserve(pool->memory, &pool->brick, &pool->brick_capacity, wanted,
                                 sizeof *pool->brick) ||
            scree_memory_reserve(pool->memory, &pool->note, &pool->note_capacity, wanted,
                                 sizeof *pool->note))
            return SCREE_OUT_OF_MEMORY;
        *brick = pool->brick_count++;
        memset(&pool->brick[*brick], 0xff, sizeof *pool->brick);
    }
    pool->note[*brick] = 0;
    pool->bricks_live++;
    return SCREE_OK;
}

void scree_hash_give_brick(scree_hash_pool *pool, uint32_t brick)
{
    pool->note[brick] = pool->brick_free;
    pool->brick_free = brick;
    pool->bricks_live--;
}

/* ---- lists ---- */

/*  Units of a list of a class: its head, and its bodies. */
static uint64_t class_units(const scree_hash_pool *pool, uint32_t class)
{
    return 1 + (((uint64_t)pool->list_capacity << class) + 3) / 4;
}

scree_status scree_hash_take_list(scree_hash_pool *pool, uint32_t wanted, uint32_t *list)
{
    uint32_t class = 0;
    while ((uint64_t)pool->list_capacity << class < wanted)
        class ++;
    uint64_t units = class_units(pool, class);
    *list = pool->list_free[class];
    if (*list != NONE) {
        pool->list_free[class] = pool->unit[*list].word[SCREE_HASH_NEXT_FREE];
    } else {
        /* lists are named by 31 bits, all ones excepted */
        if (units >= SCREE_HASH_MANY - 1 - pool->unit_count ||
            scree_memory_reserve(pool->memory, &pool->unit, &pool->unit_capacity,
                                 (size_t)(pool->unit_count + units), sizeof *pool->unit))
            return SCREE_OUT_OF_MEMORY;
        *list = pool->unit_count;
        pool->unit_count += (uint32_t)units;
    }
    pool->units_live += (uint32_t)units;
    pool->outgrown += class > 0;
    pool->unit[*list] = (scree_hash_unit){{0, class, NONE, NONE}};
    return SCREE_OK;
}

void scree_hash_give_list(scree_hash_pool *pool, uint32_t list)
{
    uint32_t *head = scree_hash_list_head(pool, list);
    head[SCREE_HASH_NEXT_FREE] = pool->list_free[head[SCREE_HASH_CLASS]];
    pool->list_free[head[SCREE_HASH_CLASS]] = list;
    pool->units_live -= (uint32_t)class_units(pool, head[SCREE_HASH_CLASS]);
}
