/*  Reuse of contacts that need not be found again. The contacts of two bodies depend only on their poses and on the
    contact history of the previous step.

    During an implicit step most bodies converge before the last ones do, and are frozen (implicit.c). Two frozen
    bodies, or a frozen body and a wall, have the contacts of the previous iteration. Not if they have contacts with
    surrogates: their active sets change from iteration to iteration.

    In explicit steps the bodies that do not move are sleeping bodies (sleep.h), and walls at rest. There a step was
    taken in between. So the contact history is the same only if the previous evaluation found exactly the contacts
    it started from. Then this evaluation would find them again. */
#include "world/collide/shape_pairs.h"

#include <string.h>

static void swap_work(scree_shape_finder *finder)
{
    scree_shape_work *work = finder->work_before;
    size_t capacity = finder->work_before_capacity;

    finder->work_before = finder->work;
    finder->work_before_count = finder->work_count;
    finder->work_before_capacity = finder->work_capacity;
    finder->work = work;
    finder->work_count = 0;
    finder->work_capacity = capacity;
}

static void swap_found(scree_shape_worker *worker)
{
    scree_shape_found *found = worker->found_before;
    size_t capacity = worker->before_capacity;

    worker->found_before = worker->found;
    worker->before_capacity = worker->capacity;
    worker->found = found;
    worker->count = 0;
    worker->capacity = capacity;
}

/*  If nothing will be reused, the same memory is used again, which is in the cache. */
static bool may_come_again(const scree_shape_job *job)
{
    return job->sleep->is_on || scree_integrator_is_implicit(job->step->def->step.integrator);
}

void scree_shape_finder_keep_found(const scree_shape_job *job)
{
    scree_shape_finder *finder = job->finder;
    bool is_kept = may_come_again(job);

    if (is_kept)
        swap_work(finder);
    else
        finder->work_count = finder->work_before_count = 0;
    for (uint32_t w = 0; w < finder->worker_count; w++) {
        if (is_kept)
            swap_found(&finder->workers[w]);
        else
            finder->workers[w].count = 0;
        finder->workers[w].status = SCREE_OK;
    }
}

static bool has_settled(const scree_shape_job *job, uint32_t slot)
{
    return (job->bodies->still[slot][0] & SCREE_HAS_SETTLED) != 0;
}

static bool wall_stands(const scree_wall_record *wall)
{
    return memcmp(wall->now.position, wall->next.position, sizeof wall->now.position) == 0 &&
           memcmp(wall->now.orientation, wall->next.orientation, sizeof wall->now.orientation) == 0;
}

static bool pair_stays(const scree_shape_job *job, const scree_shape_work *work)
{
    const uint8_t *frozen = job->finder->frozen;

    if (frozen)
        return frozen[work->first] && (work->second == UINT32_MAX || frozen[work->second]);
    return has_settled(job, work->first) &&
           (work->second == UINT32_MAX ? wall_stands(&job->walls->wall[work->wall])
                                       : has_settled(job, work->second));
}

bool scree_shape_contacts_are_steady(const scree_shape_contacts *contacts,
                                     const scree_shape_work *work)
{
    uint32_t count = work->end - work->begin;

    if (work->found_end - work->found_begin != count || work->old_end - work->old_begin != count)
        return false;
    for (uint32_t k = 0; k < count; k++)
        if (contacts->next.previous[work->begin + k][0] != work->old_begin + k ||
            memcmp(contacts->next.memory[work->begin + k],
                   contacts->now.memory[work->old_begin + k], sizeof *contacts->now.memory) != 0)
            return false;
    return true;
}

/*  Both work lists are in the order of contacts. */
void scree_shape_finder_find_again(const scree_shape_job *job)
{
    scree_shape_finder *finder = job->finder;
    size_t at = 0;

    for (size_t k = 0; (finder->frozen || job->sleep->is_used) && k < finder->work_count; k++) {
        scree_shape_work *work = &finder->work[k];
        if (!pair_stays(job, work))
            continue;
        const scree_shape_rank wanted = scree_shape_rank_of(job->bodies, work);
        int order = -1;
        for (; at < finder->work_before_count; at++) {
            const scree_shape_rank has = scree_shape_rank_of(job->bodies, &finder->work_before[at]);
            order = scree_shape_rank_compare(&has, &wanted);
            if (order >= 0)
                break;
        }
        const scree_shape_work *before = &finder->work_before[at];
        if (order == 0 && before->height == 0 && (finder->frozen || before->is_steady)) {
            work->before = (uint32_t)at;
            job->sleep->spared += !finder->frozen;
        }
    }
}

scree_status scree_shape_finder_take_again(scree_shape_finder *finder, scree_shape_worker *worker,
                                           const scree_shape_work *work)
{
    const scree_shape_work *before = &finder->work_before[work->before];
    const scree_shape_found *found =
        finder->workers[before->worker].found_before + before->found_begin;
    size_t count = before->found_end - before->found_begin;

    if (scree_memory_reserve(finder->memory, &worker->found, &worker->capacity,
                             worker->count + count, sizeof *worker->found))
        return SCREE_OUT_OF_MEMORY;
    if (count)
        memcpy(worker->found + worker->count, found, count * sizeof *found);
    /* in another step contacts have other indices */
    for (uint32_t k = 0; !finder->frozen && k < count; k++)
        worker->found[worker->count + k].previous = work->old_begin + k;
    worker->count += count;
    return SCREE_OK;
}
