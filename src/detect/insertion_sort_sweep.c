/*  Searching along one sorted list. For all pairs, as at the beginning, the search of double-ended
    sorting is used: bodies in the order of their lower ends, ranks on the other axes, integers only.
    For the pairs of some new bodies, a body that was there before looks only at the new ones among
    those that begin within it, and a new one at all. */
#include "detect/insertion_sort.h"

#include "detect/rank_search.h"

#define SWEEP_BLOCK 1024u /* bodies */

typedef struct sweep_job
{
    scree_insertion *self;
    const scree_method_env *env;
    const scree_bodies *bodies;
} sweep_job;

/*  The axis on which bodies have the fewest others to look at, unless the user has named one. */
static int choose_axis(const scree_insertion *self)
{
    int best = 0;
    if (self->sort_axis >= 0)
        return self->sort_axis;
    for (int k = 1; k < self->dimensions; k++)
        if (self->range_sum[k] < self->range_sum[best])
            best = k;
    return best;
}

static scree_status reserve_table(scree_insertion *self, const scree_method_env *env,
                                  uint32_t bound, size_t columns)
{
    scree_status status = scree_memory_reserve(env->memory, &self->number, &self->number_capacity,
                                               bound, sizeof *self->number);
    if (status)
        return status;
    return scree_memory_reserve(env->memory, &self->table, &self->table_capacity,
                                columns * self->count, sizeof *self->table);
}

/*  Numbers bodies along an axis. Order holds ids as what they are, not as ranks. */
static void number_bodies(scree_insertion *self, int axis)
{
    self->order = (uint32_t *)self->table;
    self->stop = self->table + self->count;
    scree_axis_number(&self->axis[axis], 2 * self->count, self->number, self->order, self->stop);
}

/* ---- all pairs ------------------------------------------------------------------------------- */

static void sweep_block(void *data, size_t block, uint32_t worker)
{
    const sweep_job *job = data;
    scree_insertion *self = job->self;
    scree_change_list *list = &self->lists[worker];
    size_t end = scree_block_end(block, SWEEP_BLOCK, self->count);
    uint32_t hits[SCREE_RANK_CHUNK];

    for (size_t i = block * SWEEP_BLOCK; i < end; i++) {
        size_t stop = (size_t)self->stop[i];
        for (size_t first = i + 1; first < stop && !list->failed; first += SCREE_RANK_CHUNK) {
            size_t last = stop - first < SCREE_RANK_CHUNK ? stop : first + SCREE_RANK_CHUNK;
            size_t hit_count =
                scree_rank_search(self->other, self->dimensions - 1, i, first, last, hits);
            for (size_t h = 0; h < hit_count; h++)
                scree_note_change(list, job->env->memory,
                                  scree_pair_change(self->order[i], self->order[hits[h]], true));
        }
    }
}

scree_status scree_insertion_sweep(scree_insertion *self, const scree_method_env *env,
                                   const scree_bodies *bodies)
{
    sweep_job job = {self, env, bodies};
    int axis = choose_axis(self), others = 0;
    if (self->count < 2)
        return SCREE_OK;
    scree_status status = reserve_table(self, env, bodies->bound, 2 * (size_t)self->dimensions);
    if (status)
        return status;
    number_bodies(self, axis);
    for (int k = 0; k < self->dimensions; k++) {
        if (k == axis)
            continue;
        scree_ranks *ranks = &self->other[others++];
        ranks->lower = self->table + 2 * (size_t)others * self->count;
        ranks->upper = ranks->lower + self->count;
        scree_axis_rank(&self->axis[k], 2 * self->count, self->number, ranks->lower, ranks->upper);
    }
    scree_workers_run(env->workers, scree_block_count(self->count, SWEEP_BLOCK), sweep_block, &job);
    return SCREE_OK;
}

/* ---- pairs of new bodies --------------------------------------------------------------------- */

static void look(const sweep_job *job, scree_change_list *list, uint32_t i, uint32_t j)
{
    if (scree_boxes_overlap(&job->bodies->box[i], &job->bodies->box[j]))
        scree_note_change(list, job->env->memory, scree_pair_change(i, j, true));
}

/*  The first of the new bodies with a number of at least `number`. */
static size_t find_fresh(const scree_insertion *self, size_t number)
{
    size_t first = 0, count = self->fresh_count;
    while (count > 0) {
        size_t half = count / 2;
        if (self->fresh_number[first + half] < number) {
            first += half + 1;
            count -= half + 1;
        } else {
            count = half;
        }
    }
    return first;
}

static void sweep_fresh_block(void *data, size_t block, uint32_t worker)
{
    const sweep_job *job = data;
    const scree_insertion *self = job->self;
    scree_change_list *list = &job->self->lists[worker];
    size_t end = scree_block_end(block, SWEEP_BLOCK, self->count);
    size_t next = find_fresh(self, block * SWEEP_BLOCK);

    for (size_t i = block * SWEEP_BLOCK; i < end && !list->failed; i++) {
        uint32_t id = self->order[i];
        size_t stop = (size_t)self->stop[i];
        if (self->mark[id]) {
            next++;
            for (size_t j = i + 1; j < stop; j++)
                look(job, list, id, self->order[j]);
        } else {
            for (size_t f = next; f < self->fresh_count && self->fresh_number[f] < stop; f++)
                look(job, list, id, self->order[self->fresh_number[f]]);
        }
    }
}

scree_status scree_insertion_sweep_fresh(scree_insertion *self, const scree_method_env *env,
                                         const scree_bodies *bodies)
{
    sweep_job job = {self, env, bodies};
    scree_status status = reserve_table(self, env, bodies->bound, 2);
    if (!status)
        status = scree_memory_reserve(env->memory, &self->fresh_number, &self->fresh_capacity,
                                      self->fresh_count, sizeof *self->fresh_number);
    if (status)
        return status;
    number_bodies(self, choose_axis(self));
    size_t found = 0;
    for (size_t i = 0; i < self->count; i++)
        if (self->mark[self->order[i]])
            self->fresh_number[found++] = (uint32_t)i;
    scree_workers_run(env->workers, scree_block_count(self->count, SWEEP_BLOCK), sweep_fresh_block,
                      &job);
    return SCREE_OK;
}
