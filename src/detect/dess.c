/*  Double-ended spatial sorting: on each axis both ends of every body stand in one sorted index,
    and each body keeps the ranks of its ends. After that overlap is a matter of integers, sizes do
    not matter and there is no domain to leave. dess sorts by heap sort each step; dess2 keeps the
    index from step to step and mends it by insertion sort, which is nearly linear as bodies move
    little. (E. Perkins, MIT 1999, section 5.1; E. Perkins and J. Williams, Eng. Comput. 18,
    2001.) */
#include "detect/axis_sort.h"
#include "detect/method.h"
#include "detect/rank_search.h"

/*  Bodies are numbered by the order of their lower ends on the master axis, so that the search goes
    forward through memory. Arrays of `count` by this number: order (ids), stop, and the ranks on
    the other axes; all lie in `table`. By id: number, and mark, which is zero between calls.
    Invariant: order[number[id]] == id; stop[i] > i; ranks are at most count. */
typedef struct dess
{
    int dimensions;
    size_t count;
    scree_axis axis[3]; /* 2 count entries each */
    int32_t *table;
    size_t table_capacity;
    uint32_t *order;
    int32_t *stop;
    scree_ranks ranks[3]; /* by axis; those of the master are {order of numbers, stop}: not kept */
    int master;
    uint32_t *number;
    uint8_t *mark;
    size_t number_capacity, mark_capacity;
    scree_axis fresh[3]; /* ends of bodies being inserted */
    uint64_t range_sum[3], exchanges[3];
    uint64_t inversions, remapped;
} dess;

/*  Input of one axis in a block of work. */
typedef struct dess_job
{
    dess *self;
    const scree_bodies *bodies;
    size_t changed; /* number of bodies that moved, or are new */
} dess_job;

static void dess_destroy(void *state, const scree_method_env *env)
{
    dess *self = state;
    for (int k = 0; k < 3; k++) {
        scree_axis_free(&self->axis[k], env->memory);
        scree_axis_free(&self->fresh[k], env->memory);
    }
    scree_memory_give(env->memory, &self->table, self->table_capacity, sizeof *self->table);
    scree_memory_give(env->memory, &self->number, self->number_capacity, sizeof *self->number);
    scree_memory_give(env->memory, &self->mark, self->mark_capacity, sizeof *self->mark);
}

/* ---- ranks: from sorted axes to what the search reads ---------------------------------------- */

/*  Reserves everything that is not part of an axis. */
static scree_status reserve_tables(dess *self, const scree_method_env *env, size_t count,
                                   uint32_t bound)
{
    size_t columns = 2 + 2 * (size_t)(self->dimensions - 1);
    size_t marks_before = self->mark_capacity;
    scree_status status = scree_memory_reserve(env->memory, &self->table, &self->table_capacity,
                                               columns * count, sizeof *self->table);
    if (status == SCREE_OK)
        status = scree_memory_reserve(env->memory, &self->number, &self->number_capacity, bound,
                                      sizeof *self->number);
    if (status == SCREE_OK)
        status = scree_memory_reserve(env->memory, &self->mark, &self->mark_capacity, bound,
                                      sizeof *self->mark);
    for (size_t i = marks_before; i < self->mark_capacity; i++)
        self->mark[i] = 0;
    return status;
}

/*  The master axis is the one on which bodies have the fewest others to test. */
static void rank_bodies(dess *self)
{
    int32_t *column = self->table;
    self->master = 0;
    if (self->count == 0)
        return;
    for (int k = 1; k < self->dimensions; k++)
        if (self->range_sum[k] < self->range_sum[self->master])
            self->master = k;

    /* lay out the columns; order holds ids as what they are, not as ranks */
    self->order = (uint32_t *)column;
    self->stop = column + self->count;
    column += 2 * self->count;
    for (int k = 0; k < self->dimensions; k++) {
        if (k == self->master)
            continue;
        self->ranks[k].lower = column;
        self->ranks[k].upper = column + self->count;
        column += 2 * self->count;
    }

    scree_axis_number(&self->axis[self->master], 2 * self->count, self->number, self->order,
                      self->stop);
    for (int k = 0; k < self->dimensions; k++)
        if (k != self->master)
            scree_axis_rank(&self->axis[k], 2 * self->count, self->number, self->ranks[k].lower,
                            self->ranks[k].upper);
}

/* ---- sorting --------------------------------------------------------------------------------- */

/*  Runs `work` for each axis, several at a time, since axes are independent. Then ranks. */
static void work_on_axes(dess *self, const scree_method_env *env, const scree_bodies *bodies,
                         size_t changed, scree_block_fn *work)
{
    dess_job job = {self, bodies, changed};
    scree_workers_run(env->workers, (size_t)self->dimensions, work, &job);
    self->inversions = 0;
    for (int k = 0; k < self->dimensions; k++)
        self->inversions += self->exchanges[k];
    rank_bodies(self);
}

static void build_axis(void *data, size_t block, uint32_t worker)
{
    const dess_job *job = data;
    dess *self = job->self;
    scree_axis *axis = &self->axis[block];
    (void)worker;
    scree_axis_list_ends(axis, job->bodies->active, self->count);
    scree_axis_read_keys(axis, job->bodies->box, (int)block, 0, 2 * self->count);
    scree_axis_heap_sort(axis->key, axis->end, 2 * self->count);
    self->exchanges[block] = 0;
    self->range_sum[block] = scree_axis_sum_ranges(axis, 2 * self->count);
}

static scree_status dess_build(void *state, const scree_method_env *env, const scree_bodies *bodies)
{
    dess *self = state;
    size_t count = bodies->active_count;
    self->dimensions = bodies->dimensions;
    self->count = 0;
    for (int k = 0; k < self->dimensions; k++) {
        scree_status status = scree_axis_reserve(&self->axis[k], env->memory, 2 * count);
        if (status)
            return status;
    }
    scree_status status = reserve_tables(self, env, count, bodies->bound);
    if (status)
        return status;
    self->count = count;
    self->remapped += count;
    work_on_axes(self, env, bodies, 0, build_axis);
    return SCREE_OK;
}

/*  Bodies have moved: reads their coordinates again, then restores the order. */
static void mend_axis(void *data, size_t block, uint32_t worker)
{
    const dess_job *job = data;
    dess *self = job->self;
    scree_axis *axis = &self->axis[block];
    (void)worker;
    for (size_t p = 0; p < 2 * self->count; p++)
        if (self->mark[scree_end_id(axis->end[p])] || job->changed == self->count)
            axis->key[p] = scree_end_key(job->bodies->box, (int)block, axis->end[p]);
    self->exchanges[block] = scree_axis_resort(axis->key, axis->end, 2 * self->count);
    self->range_sum[block] = scree_axis_sum_ranges(axis, 2 * self->count);
}

static void mark_bodies(dess *self, const uint32_t *ids, size_t count, uint8_t value)
{
    for (size_t i = 0; i < count; i++)
        self->mark[ids[i]] = value;
}

/*  With few bodies moved the others' keys are as they were: only a pass over sorted numbers *
    remains. */
static scree_status dess2_update(void *state, const scree_method_env *env,
                                 const scree_bodies *bodies, const uint32_t *ids, size_t count)
{
    dess *self = state;
    size_t moved = ids ? count : self->count;
    mark_bodies(self, ids, ids ? count : 0, 1);
    work_on_axes(self, env, bodies, moved, mend_axis);
    mark_bodies(self, ids, ids ? count : 0, 0);
    self->remapped += moved;
    return SCREE_OK;
}

/* ---- bodies that come and go ----------------------------------------------------------------- */

static void insert_axis(void *data, size_t block, uint32_t worker)
{
    const dess_job *job = data;
    dess *self = job->self;
    scree_axis *axis = &self->axis[block], *fresh = &self->fresh[block];
    (void)worker;

    scree_axis_read_keys(fresh, job->bodies->box, (int)block, 0, 2 * job->changed);
    scree_axis_merge(axis, 2 * (self->count - job->changed), fresh, 2 * job->changed);
    self->exchanges[block] = 0;
    self->range_sum[block] = scree_axis_sum_ranges(axis, 2 * self->count);
}

static scree_status dess2_insert(void *state, const scree_method_env *env,
                                 const scree_bodies *bodies, const uint32_t *ids, size_t count)
{
    dess *self = state;
    size_t total = self->count + count;
    if (count > self->count)
        return dess_build(self, env, bodies);

    scree_status status = reserve_tables(self, env, total, bodies->bound);
    for (int k = 0; k < self->dimensions && status == SCREE_OK; k++) {
        status = scree_axis_reserve(&self->axis[k], env->memory, 2 * total);
        if (status == SCREE_OK)
            status = scree_axis_reserve(&self->fresh[k], env->memory, 2 * count);
    }
    if (status)
        return status;
    for (int k = 0; k < self->dimensions; k++)
        scree_axis_list_ends(&self->fresh[k], ids, count);
    self->count = total;
    self->remapped += count;
    work_on_axes(self, env, bodies, count, insert_axis);
    return SCREE_OK;
}

static void remove_axis(void *data, size_t block, uint32_t worker)
{
    const dess_job *job = data;
    dess *self = job->self;
    scree_axis *axis = &self->axis[block];
    (void)worker;
    scree_axis_drop(axis, 2 * self->count, self->mark);
    self->exchanges[block] = 0;
    self->range_sum[block] = scree_axis_sum_ranges(axis, 2 * self->count);
}

static scree_status dess2_remove(void *state, const scree_method_env *env,
                                 const scree_bodies *bodies, const uint32_t *ids, size_t count)
{
    dess *self = state;
    self->count -= count;
    mark_bodies(self, ids, count, 1);
    work_on_axes(self, env, bodies, 0, remove_axis);
    mark_bodies(self, ids, count, 0);
    return SCREE_OK;
}

/* ---- search ---------------------------------------------------------------------------------- */

#define DESS_BLOCK 1024u /* bodies; each looks at N^(1/2) to N^(2/3) others */

static size_t dess_block_count(const void *state, const scree_bodies *bodies)
{
    (void)bodies;
    return scree_block_count(((const dess *)state)->count, DESS_BLOCK);
}

static void dess_pairs(const void *state, const scree_bodies *bodies, size_t block,
                       scree_scratch *scratch, scree_sink *sink)
{
    const dess *self = state;
    size_t end = scree_block_end(block, DESS_BLOCK, self->count);
    uint32_t hits[SCREE_RANK_CHUNK];
    scree_ranks other[2];
    int other_count = 0;
    (void)bodies;
    (void)scratch;

    for (int k = 0; k < self->dimensions; k++)
        if (k != self->master)
            other[other_count++] = self->ranks[k];
    for (size_t i = block * DESS_BLOCK; i < end; i++) {
        size_t stop = (size_t)self->stop[i];
        for (size_t first = i + 1; first < stop && !sink->stopped; first += SCREE_RANK_CHUNK) {
            size_t last = stop - first < SCREE_RANK_CHUNK ? stop : first + SCREE_RANK_CHUNK;
            size_t hit_count = scree_rank_search(other, other_count, i, first, last, hits);
            for (size_t h = 0; h < hit_count; h++)
                scree_sink_pair(sink, self->order[i], self->order[hits[h]]);
        }
    }
}

static void dess_query(const void *state, const scree_bodies *bodies, const scree_probe *probe,
                       scree_hit_sink *sink)
{
    const dess *self = state;
    scree_axis_query(bodies, self->master, self->order, self->count, probe, sink);
}

static void dess_outline(const void *state, const scree_bodies *bodies, scree_scratch *scratch,
                         scree_outline_sink *sink)
{
    const dess *self = state;
    (void)scratch;
    for (int k = 0; k < self->dimensions; k++)
        scree_axis_outline(&self->axis[k], 2 * self->count, k, NULL, bodies, sink);
}

static void dess_stats(const void *state, scree_stats *stats)
{
    const dess *self = state;
    stats->inversions += self->inversions;
    stats->remapped += self->remapped;
}

const scree_method scree_method_dess = {
    .info =
        {
            .name = "dess",
            .summary = "double-ended spatial sorting, heap sort each step",
            .cost = "N sqrt(N) in 2D, N^(5/3) in 3D, and N log N to sort",
            .worst_time = "N^2, where most bodies overlap most others on every axis",
            .worst_memory = "N",
            .capabilities = SCREE_METHOD_QUERY | SCREE_METHOD_THREADS,
            .exponent = {1.5, 5.0 / 3.0},
        },
    .state_bytes = sizeof(dess),
    .destroy = dess_destroy,
    .build = dess_build,
    .block_count = dess_block_count,
    .pairs = dess_pairs,
    .query = dess_query,
    .stats = dess_stats,
    .outline = dess_outline,
};

const scree_method scree_method_dess2 = {
    .info =
        {
            .name = "dess2",
            .summary = "double-ended spatial sorting, kept sorted by insertion sort",
            .cost = "N sqrt(N) in 2D, N^(5/3) in 3D, and about N to sort if little moves",
            .worst_time = "N^2, where most bodies overlap most others on every axis",
            .worst_memory = "N",
            .capabilities = SCREE_METHOD_QUERY | SCREE_METHOD_THREADS | SCREE_METHOD_COHERENT |
                            SCREE_METHOD_INCREMENTAL,
            .exponent = {1.5, 5.0 / 3.0},
        },
    .state_bytes = sizeof(dess),
    .batches = true,
    .destroy = dess_destroy,
    .build = dess_build,
    .update = dess2_update,
    .insert = dess2_insert,
    .remove = dess2_remove,
    .block_count = dess_block_count,
    .pairs = dess_pairs,
    .query = dess_query,
    .stats = dess_stats,
    .outline = dess_outline,
};
