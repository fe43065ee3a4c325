/*  What an evaluation need not find again: where contacts of two are depends on where they are, and on what contacts of the
    step before remember of places, alone.

    While an implicit step looks for its end, most bodies get there before the last ones do, and stay (implicit.c). Two that both
    stay, or one and a wall, touch as in the guess before. Not so while they feel surrogates: sets of these go on from guess
    to guess.

    In explicit steps it is bodies at rest (sleep.h) that stay, and walls that do not move. There a step has passed in between: so
    that what contacts remember is what it was then, the evaluation before must have found just what it was
    given. Then this one would find it once more. */
#include "world/collide/shape_pairs.h"

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

/*  Where nothing will come again room is used again, which is warm. */
static bool may_come_again(const scree_solid_job *job)
{
    return job->rest->is_on || scree_stepper_is_implicit(job->step->def->step.integrator);
}

void scree_solids_keep_found(const scree_solid_job *job)
{
    scree_solids *solids = job->solids;
    bool is_kept = may_come_again(job);

    if (is_kept)
        swap_work(solids);
    else
        solids->work_count = solids->work_before_count = 0;
    for (uint32_t w = 0; w < solids->worker_count; w++) {
        if (is_kept)
            swap_found(&solids->workers[w]);
        else
            solids->workers[w].count = 0;
        solids->workers[w].status = SCREE_OK;
    }
}

static bool has_settled(const scree_solid_job *job, uint32_t slot)
{
    return (job->bodies->still[slot][0] & SCREE_HAS_SETTLED) != 0;
}

static bool wall_stands(const scree_wall_record *wall)
{
    return memcmp(wall->now.position, wall->next.position, sizeof wall->now.position) == 0 &&
           memcmp(wall->now.orientation, wall->next.orientation, sizeof wall->now.orientation) == 0;
}

static bool pair_stays(const scree_solid_job *job, const scree_solid_work *work)
{
    const uint8_t *stays = job->solids->stays;

    if (stays)
        return stays[work->first] && (work->second == UINT32_MAX || stays[work->second]);
    return has_settled(job, work->first) &&
           (work->second == UINT32_MAX ? wall_stands(&job->walls->wall[work->wall])
                                       : has_settled(job, work->second));
}

bool scree_solids_are_steady(const scree_solid_contacts *contacts, const scree_solid_work *work)
{
    uint32_t count = work->end - work->begin;

    if (work->found_end - work->found_begin != count || work->old_end - work->old_begin != count)
        return false;
    for (uint32_t k = 0; k < count; k++)
        if (contacts->next.heir[work->begin + k][0] != work->old_begin + k ||
            memcmp(contacts->next.memory[work->begin + k],
                   contacts->now.memory[work->old_begin + k], sizeof *contacts->now.memory) != 0)
            return false;
    return true;
}

/*  Both lists of work stand in the order of contacts. */
void scree_solids_find_again(const scree_solid_job *job)
{
    scree_solids *solids = job->solids;
    size_t at = 0;

    for (size_t k = 0; (solids->stays || job->rest->is_used) && k < solids->work_count; k++) {
        scree_solid_work *work = &solids->work[k];
        if (!pair_stays(job, work))
            continue;
        const scree_solid_rank wanted = scree_solid_rank_of(job->bodies, work);
        int order = -1;
        for (; at < solids->work_before_count; at++) {
            const scree_solid_rank has = scree_solid_rank_of(job->bodies, &solids->work_before[at]);
            order = scree_solid_rank_compare(&has, &wanted);
            if (order >= 0)
                break;
        }
        const scree_solid_work *before = &solids->work_before[at];
        if (order == 0 && before->height == 0 && (solids->stays || before->is_steady)) {
            work->before = (uint32_t)at;
            job->rest->spared += !solids->stays;
        }
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
    /* in another step its contacts have other numbers */
    for (uint32_t k = 0; !solids->stays && k < count; k++)
        worker->found[worker->count + k].heir = work->old_begin + k;
    worker->count += count;
    return SCREE_OK;
}
