/*  What an evaluation need not find again. While an implicit step looks for its end, most bodies get there before the last
    ones do, and stay (picard.c). Two that both stay, or one and a wall, touch as in the guess before: where their contacts are
    depends on where they are and on the step before alone. Not so while they feel surrogates: sets of these go on from guess
    to guess. */
#include "world/solid_touch.h"

#include <string.h>

static void swap_work(scree_solids *solids)
{
    scree_solid_work *work = solids->work_before;
    size_t capacity = solids->work_before_capacity;

    solids->work_before = solids->work;
    solids->work_before_count = solids->work_count;
    solids->work_before_capacity = solids->work_capacity;
    solids->work = work;
    solids->work_count = 0;
    solids->work_capacity = capacity;
}

static void swap_found(scree_solid_worker *worker)
{
    scree_solid_found *found = worker->found_before;
    size_t capacity = worker->before_capacity;

    worker->found_before = worker->found;
    worker->before_capacity = worker->capacity;
    worker->found = found;
    worker->count = 0;
    worker->capacity = capacity;
}

void scree_solids_keep_found(scree_solids *solids)
{
    swap_work(solids);
    for (uint32_t w = 0; w < solids->worker_count; w++) {
        swap_found(&solids->workers[w]);
        solids->workers[w].status = SCREE_OK;
    }
}

static bool pair_stays(const scree_solids *solids, const scree_solid_work *work)
{
    return solids->stays[work->first] &&
           (work->second == UINT32_MAX || solids->stays[work->second]);
}

/*  Both lists of work stand in the order of contacts. */
void scree_solids_find_again(scree_world *world)
{
    scree_solids *solids = &world->solids;
    size_t at = 0;

    for (size_t k = 0; solids->stays && k < solids->work_count; k++) {
        scree_solid_work *work = &solids->work[k];
        if (!pair_stays(solids, work))
            continue;
        const scree_solid_rank wanted = scree_solid_rank_of(world, work);
        int order = -1;
        for (; at < solids->work_before_count; at++) {
            const scree_solid_rank has = scree_solid_rank_of(world, &solids->work_before[at]);
            order = scree_solid_rank_compare(&has, &wanted);
            if (order >= 0)
                break;
        }
        if (order == 0 && solids->work_before[at].height == 0)
            work->before = (uint32_t)at;
    }
}

scree_status scree_solids_take_again(scree_solids *solids, scree_solid_worker *worker,
                                     const scree_solid_work *work)
{
    const scree_solid_work *before = &solids->work_before[work->before];
    const scree_solid_found *found =
        solids->workers[before->worker].found_before + before->found_begin;
    size_t count = before->found_end - before->found_begin;

    if (scree_memory_reserve(solids->memory, &worker->found, &worker->capacity,
                             worker->count + count, sizeof *worker->found))
        return SCREE_OUT_OF_MEMORY;
    if (count)
        memcpy(worker->found + worker->count, found, count * sizeof *found);
    worker->count += count;
    return SCREE_OK;
}
