/*  Active sets are stored in the order of the work list, so a new work list takes them over from the previous one in
    one pass. */
#include "world/collide/active_sets.h"

#include "world/collide/shape_contacts.h"

#include <string.h>

int scree_shape_rank_compare(const scree_shape_rank *a, const scree_shape_rank *b)
{
    if (a->first != b->first)
        return a->first < b->first ? -1 : 1;
    if (a->is_wall != b->is_wall)
        return a->is_wall ? 1 : -1;
    return (a->partner > b->partner) - (a->partner < b->partner);
}

static void free_cuts(scree_shape_cut *cut, size_t begin, size_t end, scree_memory *memory)
{
    for (size_t k = begin; k < end; k++)
        scree_surrogate_cut_free(&cut[k].cut, memory);
}

void scree_shape_cuts_free(scree_shape_cuts *cuts, scree_memory *memory)
{
    free_cuts(cuts->cut, 0, cuts->count, memory);
    scree_memory_give(memory, &cuts->cut, cuts->capacity, sizeof *cuts->cut);
    scree_memory_give(memory, &cuts->spare, cuts->spare_capacity, sizeof *cuts->spare);
}

static void swap_cuts(scree_shape_cuts *cuts)
{
    scree_shape_cut *cut = cuts->cut;
    size_t capacity = cuts->capacity;

    cuts->cut = cuts->spare;
    cuts->capacity = cuts->spare_capacity;
    cuts->spare = cut;
    cuts->spare_capacity = capacity;
}

scree_status scree_shape_cuts_follow(scree_shape_finder *finder, const scree_body_arrays *bodies)
{
    scree_shape_cuts *cuts = &finder->cuts;
    scree_memory *memory = finder->memory;
    size_t old = 0;

    if (scree_memory_reserve(memory, &cuts->spare, &cuts->spare_capacity, finder->work_count,
                             sizeof *cuts->spare))
        return SCREE_OUT_OF_MEMORY;
    for (size_t k = 0; k < finder->work_count; k++) {
        scree_shape_rank rank = scree_shape_rank_of(bodies, &finder->work[k]);
        size_t begin = old;
        while (old < cuts->count && scree_shape_rank_compare(&cuts->cut[old].rank, &rank) < 0)
            old++;
        free_cuts(cuts->cut, begin, old, memory);
        if (old < cuts->count && scree_shape_rank_compare(&cuts->cut[old].rank, &rank) == 0)
            cuts->spare[k] = cuts->cut[old++];
        else
            memset(&cuts->spare[k], 0, sizeof cuts->spare[k]);
        cuts->spare[k].rank = rank;
        if (cuts->spare[k].attempt != cuts->attempt)
            scree_surrogate_cut_reset(&cuts->spare[k].cut);
        cuts->spare[k].attempt = cuts->attempt;
    }
    free_cuts(cuts->cut, old, cuts->count, memory);
    cuts->count = finder->work_count;
    swap_cuts(cuts);
    return SCREE_OK;
}
