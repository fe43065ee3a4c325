/*  Searching along one sorted list. For all pairs, as at the beginning, the search of double-ended
    sorting is used: bodies in the order of their lower ends, ranks on the other axes, integers only.
    But along one axis alone, a body in three dimensions has N^(2/3) others to look at; so space is
    cut into slabs on a second axis, and each slab is searched by itself. A body is in all slabs it
    reaches into, as a native where it begins and as a guest elsewhere. Two that overlap are together
    first where the later one begins: there one of them is native, and there they are found.

    For the pairs of some new bodies, a body that was there before looks only at the new ones among
    those that begin within it, and a new one at all. */
#include "detect/insertion_sort.h"

#include "detect/rank_search.h"

#include <string.h>

#define SWEEP_BLOCK 1024u /* bodies */

/*  The axis on which bodies have the fewest others to look at, but for `taken`; -1: none is. */
static int choose_axis(const scree_insertion *self, int taken)
{
    int best = -1;
    if (taken < 0 && self->sort_axis >= 0)
        return self->sort_axis;
    for (int k = 0; k < self->dimensions; k++)
        if (k != taken && (best < 0 || self->range_sum[k] < self->range_sum[best]))
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

/*  Numbers bodies along an axis. Order has ids here, not ranks. */
static void number_bodies(scree_insertion *self, int axis)
{
    self->order = (uint32_t *)self->table;
    self->stop = self->table + self->count;
    scree_axis_number(&self->axis[axis], 2 * self->count, self->number, self->order, self->stop);
}

/* ---- slabs ----------------------------------------------------------------------------------- */

/*  A slab has this many times as many natives as guests on average, so that guests cost little. */
#define NATIVES_PER_GUEST 4u
#define MIN_NATIVES 1024u

#define GUEST 0x80000000u

/*  Entries of slab s are [begin[s], begin[s + 1]), in the order of numbers; native are the bodies with
    ranks [s natives, (s + 1) natives) on the axis of the slabs, which is that of other[0]. By entry:
    member, the number, with GUEST for guests; stop, one past the last entry that begins before this one
    ends on the first axis; and the ranks on the other axes. */
typedef struct slabs
{
    size_t natives, count, entry_count;
    size_t *begin; /* count + 2 */
    uint32_t *table;
    uint32_t *member, *stop;
    scree_ranks other[2];
} slabs;

typedef struct sweep_job
{
    scree_insertion *self;
    const scree_method_env *env;
    const scree_bodies *bodies;
    slabs *slabs;
} sweep_job;

/*  The slabs that body number i is in are [first, last]. */
static inline size_t first_slab(const sweep_job *job, size_t i)
{
    return (size_t)job->self->other[0].lower[i] / job->slabs->natives;
}

static inline size_t last_slab(const sweep_job *job, size_t i)
{
    return (size_t)(job->self->other[0].upper[i] - 1) / job->slabs->natives;
}

static scree_status reserve_slabs(sweep_job *job, int axis)
{
    scree_memory *memory = job->env->memory;
    scree_insertion *self = job->self;
    slabs *s = job->slabs;
    size_t columns = 2 * (size_t)self->dimensions;
    uint64_t guests = self->range_sum[axis] / self->count;

    s->natives = MIN_NATIVES + (size_t)guests * NATIVES_PER_GUEST;
    s->count = scree_block_count(self->count, s->natives);
    scree_status status = scree_memory_take(memory, s->count + 2, sizeof *s->begin, &s->begin);
    if (status)
        return status;

    /* two places further on, for what fill_slabs does */
    memset(s->begin, 0, (s->count + 2) * sizeof *s->begin);
    for (size_t i = 0; i < self->count; i++)
        for (size_t k = first_slab(job, i); k <= last_slab(job, i); k++)
            s->begin[k + 2]++;
    for (size_t k = 2; k < s->count + 2; k++)
        s->begin[k] += s->begin[k - 1];
    s->entry_count = s->begin[s->count + 1];
    if (s->entry_count > UINT32_MAX) /* places have 32 bits */
        return SCREE_OUT_OF_MEMORY;
    status = scree_memory_take(memory, columns * s->entry_count, sizeof *s->table, &s->table);
    if (status)
        return status;
    s->member = s->table;
    s->stop = s->table + s->entry_count;
    for (size_t k = 0; k + 1 < (size_t)self->dimensions; k++) {
        s->other[k].lower = (int32_t *)(s->table + (2 * k + 2) * s->entry_count);
        s->other[k].upper = (int32_t *)(s->table + (2 * k + 3) * s->entry_count);
    }
    return SCREE_OK;
}

static void free_slabs(sweep_job *job)
{
    slabs *s = job->slabs;
    size_t columns = 2 * (size_t)job->self->dimensions;
    scree_memory_give(job->env->memory, &s->begin, s->count + 2, sizeof *s->begin);
    scree_memory_give(job->env->memory, &s->table, columns * s->entry_count, sizeof *s->table);
}

/*  begin[k + 1] is where the next entry of slab k goes, and in the end where slab k + 1 begins. */
static void fill_slabs(const sweep_job *job)
{
    slabs *s = job->slabs;
    for (size_t i = 0; i < job->self->count; i++) {
        size_t first = first_slab(job, i), last = last_slab(job, i);
        s->member[s->begin[first + 1]++] = (uint32_t)i;
        for (size_t k = first + 1; k <= last; k++)
            s->member[s->begin[k + 1]++] = (uint32_t)i | GUEST;
    }
}

/*  Fills in the entries of one slab. */
static void furnish_slab(void *data, size_t block, uint32_t worker)
{
    const sweep_job *job = data;
    const scree_insertion *self = job->self;
    slabs *s = job->slabs;
    size_t end = s->begin[block + 1];
    (void)worker;
    for (size_t e = s->begin[block]; e < end; e++) {
        uint32_t i = s->member[e] & ~GUEST;
        size_t first = e + 1, count = end - first;
        while (count > 0) {
            size_t half = count / 2;
            if ((s->member[first + half] & ~GUEST) < (uint32_t)self->stop[i]) {
                first += half + 1;
                count -= half + 1;
            } else {
                count = half;
            }
        }
        s->stop[e] = (uint32_t)first;
        for (int k = 0; k + 1 < self->dimensions; k++) {
            s->other[k].lower[e] = self->other[k].lower[i];
            s->other[k].upper[e] = self->other[k].upper[i];
        }
    }
}

/* ---- all pairs ------------------------------------------------------------------------------- */

static void sweep_block(void *data, size_t block, uint32_t worker)
{
    const sweep_job *job = data;
    const uint32_t *order = job->self->order;
    const slabs *s = job->slabs;
    scree_change_list *list = &job->self->lists[worker];
    size_t end = scree_block_end(block, SWEEP_BLOCK, s->entry_count);
    int others = job->self->dimensions - 1;
    uint32_t hits[SCREE_RANK_CHUNK];

    for (size_t e = block * SWEEP_BLOCK; e < end; e++) {
        size_t stop = s->stop[e];
        uint32_t one = s->member[e], i = order[one & ~GUEST];
        for (size_t first = e + 1; first < stop && !list->failed; first += SCREE_RANK_CHUNK) {
            size_t last = stop - first < SCREE_RANK_CHUNK ? stop : first + SCREE_RANK_CHUNK;
            size_t hit_count = scree_rank_search(s->other, others, e, first, last, hits);
            for (size_t h = 0; h < hit_count; h++) {
                uint32_t hit = s->member[hits[h]];
                if (!(one & hit & GUEST))
                    scree_note_change(list, job->env->memory,
                                      scree_pair_change(i, order[hit & ~GUEST], true));
            }
        }
    }
}

/*  Ranks on the axis of the slabs, then on the third. */
static void rank_others(scree_insertion *self, int axis, int slab_axis)
{
    for (int k = 0; k < self->dimensions; k++) {
        if (k == axis)
            continue;
        size_t place = k == slab_axis ? 0 : 1;
        scree_ranks *ranks = &self->other[place];
        ranks->lower = self->table + (2 * place + 2) * self->count;
        ranks->upper = ranks->lower + self->count;
        scree_axis_rank(&self->axis[k], 2 * self->count, self->number, ranks->lower, ranks->upper);
    }
}

scree_status scree_insertion_sweep(scree_insertion *self, const scree_method_env *env,
                                   const scree_bodies *bodies)
{
    slabs s = {0};
    sweep_job job = {self, env, bodies, &s};
    int axis = choose_axis(self, -1), slab_axis = choose_axis(self, axis);
    if (self->count < 2)
        return SCREE_OK;
    scree_status status = reserve_table(self, env, bodies->bound, 2 * (size_t)self->dimensions);
    if (status)
        return status;
    number_bodies(self, axis);
    rank_others(self, axis, slab_axis);
    status = reserve_slabs(&job, slab_axis);
    if (!status) {
        fill_slabs(&job);
        scree_workers_run(env->workers, s.count, furnish_slab, &job);
        scree_workers_run(env->workers, scree_block_count(s.entry_count, SWEEP_BLOCK), sweep_block,
                          &job);
    }
    free_slabs(&job);
    return status;
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
    sweep_job job = {self, env, bodies, NULL};
    scree_status status = reserve_table(self, env, bodies->bound, 2);
    if (!status)
        status = scree_memory_reserve(env->memory, &self->fresh_number, &self->fresh_capacity,
                                      self->fresh_count, sizeof *self->fresh_number);
    if (status)
        return status;
    number_bodies(self, choose_axis(self, -1)); /* only speed: any axis will do */
    size_t found = 0;
    for (size_t i = 0; i < self->count; i++)
        if (self->mark[self->order[i]])
            self->fresh_number[found++] = (uint32_t)i;
    scree_workers_run(env->workers, scree_block_count(self->count, SWEEP_BLOCK), sweep_fresh_block,
                      &job);
    return SCREE_OK;
}
