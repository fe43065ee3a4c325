/*  Shared by the three variants of spatial sorting: each axis is sorted by lower ends, the end of each range is
    found in the sorted list, and bodies get their ranks. */
#include "detect/spatial_sort.h"

#include <string.h>

typedef struct spatial_job
{
    scree_spatial *self;
    const scree_bodies *bodies;
    bool again;
} spatial_job;

scree_status scree_spatial_create(void *state, const scree_method_env *env)
{
    ((scree_spatial *)state)->by_insertion = env->def->sort_by_insertion;
    return SCREE_OK;
}

void scree_spatial_free(scree_spatial *self, scree_memory *memory)
{
    for (int k = 0; k < 3; k++)
        scree_axis_free(&self->axis[k], memory);
    scree_memory_give(memory, &self->table, self->table_capacity, sizeof *self->table);
    scree_memory_give(memory, &self->number, self->number_capacity, sizeof *self->number);
}

/*  Reserves memory and lays out the columns. */
static scree_status reserve_columns(scree_spatial *self, scree_memory *memory, size_t count,
                                    uint32_t bound)
{
    size_t columns = 1 + 2 * (size_t)self->dimensions;
    scree_status status = scree_memory_reserve(memory, &self->table, &self->table_capacity,
                                               columns * count, sizeof *self->table);
    if (!status)
        status = scree_memory_reserve(memory, &self->number, &self->number_capacity, bound,
                                      sizeof *self->number);
    for (int k = 0; k < self->dimensions && !status; k++)
        status = scree_axis_reserve(&self->axis[k], memory, count);
    if (status || count == 0)
        return status;

    self->id = self->table;
    for (size_t k = 0; k < (size_t)self->dimensions; k++) {
        self->rank[k] = self->table + (1 + 2 * k) * count;
        self->stop[k] = self->table + (2 + 2 * k) * count;
    }
    return SCREE_OK;
}

/*  Sorts one axis, and finds by binary search where each body's range ends. */
static void sort_lowers(void *data, size_t block, uint32_t worker)
{
    const spatial_job *job = data;
    scree_spatial *self = job->self;
    scree_axis *axis = &self->axis[block];
    size_t count = self->count;
    int k = (int)block;
    (void)worker;

    if (!job->again)
        memcpy(axis->end, job->bodies->active, count * sizeof *axis->end);
    scree_axis_read_keys(axis, job->bodies->box, k, 0, count);
    self->exchanges[k] = 0;
    if (self->by_insertion && job->again)
        self->exchanges[k] = scree_axis_resort(axis->key, axis->end, count);
    else
        scree_axis_heap_sort(axis->key, axis->end, count);

    self->range_sum[k] = 0;
    for (size_t p = 0; p < count; p++) {
        uint64_t upper = scree_end_key(job->bodies->box, k, axis->end[p] | SCREE_UPPER_END);
        size_t stop = scree_axis_count_up_to(axis->key, count, upper);
        self->stop[k][p] = (uint32_t)stop;
        self->range_sum[k] += stop - p;
    }
}

static void number_bodies(scree_spatial *self)
{
    int master = 0;
    for (int k = 1; k < self->dimensions; k++)
        if (self->range_sum[k] < self->range_sum[master])
            master = k;
    self->order[0] = master;
    self->order[1] = (master + 1) % self->dimensions;
    self->order[2] = self->dimensions == 2 ? self->order[1] : (master + 2) % self->dimensions;

    for (size_t p = 0; p < self->count; p++) {
        self->id[p] = self->axis[master].end[p];
        self->number[self->id[p]] = (uint32_t)p;
    }
    for (int k = 0; k < self->dimensions; k++)
        for (size_t p = 0; p < self->count; p++)
            self->rank[k][self->number[self->axis[k].end[p]]] = (uint32_t)p;
}

scree_status scree_spatial_sort(scree_spatial *self, const scree_method_env *env,
                                const scree_bodies *bodies, bool again)
{
    if (!again) {
        self->count = 0;
        self->dimensions = bodies->dimensions;
        scree_status status =
            reserve_columns(self, env->memory, bodies->active_count, bodies->bound);
        if (status)
            return status;
        self->count = bodies->active_count;
    }
    self->inversions = 0;
    if (self->count == 0)
        return SCREE_OK;
    spatial_job job = {self, bodies, again};
    scree_workers_run(env->workers, (size_t)self->dimensions, sort_lowers, &job);
    number_bodies(self);
    for (int k = 0; k < self->dimensions; k++)
        self->inversions += self->exchanges[k];
    self->remapped += self->count;
    return SCREE_OK;
}

scree_status scree_spatial_sort_table(scree_spatial *self, const scree_method_env *env,
                                      const scree_bodies *bodies, bool again, void *table_pointer,
                                      size_t *capacity, size_t element_bytes)
{
    scree_status status = scree_spatial_sort(self, env, bodies, again);

    if (status)
        return status;
    return scree_memory_reserve(env->memory, table_pointer, capacity,
                                (size_t)self->dimensions * self->count, element_bytes);
}

size_t scree_spatial_block_count(const void *state, const scree_bodies *bodies)
{
    (void)bodies;
    return scree_block_count(((const scree_spatial *)state)->count, SCREE_SPATIAL_BLOCK);
}

void scree_spatial_query(const void *state, const scree_bodies *bodies, const scree_probe *probe,
                         scree_hit_sink *sink)
{
    const scree_spatial *self = state;
    scree_axis_query(bodies, self->order[0], self->id, self->count, probe, sink);
}

void scree_spatial_stats(const void *state, scree_stats *stats)
{
    const scree_spatial *self = state;
    stats->inversions += self->inversions;
    stats->remapped += self->remapped;
}

void scree_spatial_outline(const void *state, const scree_bodies *bodies, scree_scratch *scratch,
                           scree_outline_sink *sink)
{
    const scree_spatial *self = state;
    (void)scratch;
    for (int k = 0; k < self->dimensions; k++)
        scree_axis_outline(&self->axis[k], self->count, k, NULL, bodies, sink);
}
