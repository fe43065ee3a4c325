/*  The insertion-sort collider as a method. A step restores the order of the lists (insertion_sort_mend.c), and
    applies the changes found on the way (insertion_sort_changes.c). At the start, and when too much is out of order,
    lists are sorted again and searched for all pairs (insertion_sort_sweep.c). */
#include "detect/insertion_sort.h"

/*  Moving one end at a time jumps through memory, mending all in passing does not: with more bodies
    moved than one in this many, that is faster. */
#define FEW_OF 8u

#define BOX_BLOCK 4096u  /* bodies whose boxes are copied at a time */
#define PAIR_BLOCK 1024u /* ids, in a search */

typedef struct insertion_job
{
    scree_insertion *self;
    const scree_bodies *bodies;
} insertion_job;

static scree_status insertion_create(void *state, const scree_method_env *env)
{
    scree_insertion *self = state;
    const scree_insertion_sort_def *def = &env->def->insertion_sort;
    if (def->sort_axis < -1 || def->sort_axis >= env->def->dimensions)
        return scree_fail(env->error, SCREE_BAD_ARGUMENT,
                          "detector def: insertion_sort.sort_axis is %d, must be -1 to %d",
                          def->sort_axis, env->def->dimensions - 1);
    self->dimensions = env->def->dimensions;
    self->sort_axis = def->sort_axis;
    self->sort_then_collide = def->sort_then_collide;
    return SCREE_OK;
}

static void insertion_destroy(void *state, const scree_method_env *env)
{
    scree_insertion *self = state;
    scree_memory *memory = env->memory;
    for (int k = 0; k < 3; k++) {
        scree_axis_free(&self->axis[k], memory);
        scree_axis_free(&self->fresh[k], memory);
        scree_memory_give(memory, &self->place[k], self->place_capacity[k], sizeof **self->place);
    }
    scree_insertion_release(self, memory);
    scree_memory_give(memory, &self->lists, self->list_capacity, sizeof *self->lists);
    scree_memory_give(memory, &self->box, self->box_capacity, sizeof *self->box);
    scree_memory_give(memory, &self->mark, self->mark_capacity, sizeof *self->mark);
    scree_memory_give(memory, &self->table, self->table_capacity, sizeof *self->table);
    scree_memory_give(memory, &self->number, self->number_capacity, sizeof *self->number);
    scree_memory_give(memory, &self->fresh_number, self->fresh_capacity,
                      sizeof *self->fresh_number);
    scree_pair_set_free(&self->pairs, memory);
}

/* ---- memory ---------------------------------------------------------------------------------- */

/*  Room for `count` bodies with ids below `bound`. */
static scree_status reserve_bodies(scree_insertion *self, const scree_method_env *env, size_t count,
                                   uint32_t bound)
{
    scree_memory *memory = env->memory;
    size_t marks_before = self->mark_capacity;
    scree_status status = SCREE_OK;
    for (int k = 0; k < self->dimensions && !status; k++) {
        status = scree_axis_reserve(&self->axis[k], memory, 2 * count);
        if (!status)
            status = scree_memory_reserve(memory, &self->place[k], &self->place_capacity[k],
                                          2 * (size_t)bound, sizeof **self->place);
    }
    if (!status)
        status =
            scree_memory_reserve(memory, &self->box, &self->box_capacity, bound, sizeof *self->box);
    if (!status)
        status = scree_memory_reserve(memory, &self->mark, &self->mark_capacity, bound,
                                      sizeof *self->mark);
    for (size_t i = marks_before; i < self->mark_capacity; i++)
        self->mark[i] = 0;
    if (!status)
        status = scree_pair_set_reserve(&self->pairs, memory, bound);
    return status;
}

static void copy_boxes(void *data, size_t block, uint32_t worker)
{
    const insertion_job *job = data;
    size_t end = scree_block_end(block, BOX_BLOCK, job->self->count);
    (void)worker;
    for (size_t i = block * BOX_BLOCK; i < end; i++) {
        uint32_t id = job->bodies->active[i];
        job->self->box[id] = job->bodies->box[id];
    }
}

static void keep_boxes(scree_insertion *self, const scree_method_env *env,
                       const scree_bodies *bodies)
{
    insertion_job job = {self, bodies};
    scree_workers_run(env->workers, scree_block_count(self->count, BOX_BLOCK), copy_boxes, &job);
}

/* ---- sorting again --------------------------------------------------------------------------- */

static void sort_axis(void *data, size_t block, uint32_t worker)
{
    const insertion_job *job = data;
    scree_insertion *self = job->self;
    scree_axis *axis = &self->axis[block];
    (void)worker;
    scree_axis_list_ends(axis, job->bodies->active, self->count);
    scree_axis_read_keys(axis, job->bodies->box, (int)block, 0, 2 * self->count);
    scree_axis_quick_sort(axis->key, axis->end, 2 * self->count);
    self->range_sum[block] = scree_axis_sum_ranges(axis, 2 * self->count);
}

static scree_status sort_whole(scree_insertion *self, const scree_method_env *env,
                               const scree_bodies *bodies)
{
    insertion_job job = {self, bodies};
    self->count = 0;
    self->places_are_current = false;
    scree_status status = reserve_bodies(self, env, bodies->active_count, bodies->bound);
    if (status)
        return status;
    self->count = bodies->active_count;
    self->remapped += self->count;
    scree_workers_run(env->workers, (size_t)self->dimensions, sort_axis, &job);
    keep_boxes(self, env, bodies);
    return scree_insertion_find_all(self, env, bodies);
}

static scree_status insertion_build(void *state, const scree_method_env *env,
                                    const scree_bodies *bodies)
{
    scree_insertion *self = state;
    self->inversions = 0;
    return sort_whole(self, env, bodies);
}

/* ---- bodies that move ------------------------------------------------------------------------ */

/*  For checks: lists are mended without looking, then searched for all pairs. */
static void resort_axis(void *data, size_t block, uint32_t worker)
{
    const insertion_job *job = data;
    scree_insertion *self = job->self;
    scree_axis *axis = &self->axis[block];
    (void)worker;
    scree_axis_read_keys(axis, job->bodies->box, (int)block, 0, 2 * self->count);
    self->piece[block][0].exchanges = scree_axis_resort(axis->key, axis->end, 2 * self->count);
    self->range_sum[block] = scree_axis_sum_ranges(axis, 2 * self->count);
}

static scree_status sort_then_collide(scree_insertion *self, const scree_method_env *env,
                                      const scree_bodies *bodies)
{
    insertion_job job = {self, bodies};
    scree_workers_run(env->workers, (size_t)self->dimensions, resort_axis, &job);
    self->inversions = 0;
    for (int k = 0; k < self->dimensions; k++)
        self->inversions += self->piece[k][0].exchanges;
    self->places_are_current = false;
    keep_boxes(self, env, bodies);
    return scree_insertion_find_all(self, env, bodies);
}

static scree_status insertion_update(void *state, const scree_method_env *env,
                                     const scree_bodies *bodies, const uint32_t *ids, size_t count)
{
    scree_insertion *self = state;
    bool is_few = ids && count <= self->count / FEW_OF;
    scree_status status = scree_insertion_begin(self, env);
    if (status)
        return status;
    self->remapped += ids ? count : self->count;
    if (self->sort_then_collide)
        return sort_then_collide(self, env, bodies);

    if (is_few)
        scree_insertion_mend_some(self, env, bodies, ids, count);
    else
        scree_insertion_mend_all(self, env, bodies);
    if (self->gave_up) {
        self->full_sorts++;
        return sort_whole(self, env, bodies);
    }
    if (is_few)
        for (size_t i = 0; i < count; i++)
            self->box[ids[i]] = bodies->box[ids[i]];
    else
        keep_boxes(self, env, bodies);
    return scree_insertion_make(self, env);
}

/* ---- bodies that come and go ----------------------------------------------------------------- */

static void mark_bodies(scree_insertion *self, const uint32_t *ids, size_t count, uint8_t value)
{
    for (size_t i = 0; i < count; i++)
        self->mark[ids[i]] = value;
}

static void insert_axis(void *data, size_t block, uint32_t worker)
{
    const insertion_job *job = data;
    scree_insertion *self = job->self;
    scree_axis *axis = &self->axis[block], *fresh = &self->fresh[block];
    size_t fresh_ends = 2 * self->fresh_count;
    (void)worker;
    scree_axis_read_keys(fresh, job->bodies->box, (int)block, 0, fresh_ends);
    scree_axis_merge(axis, 2 * self->count - fresh_ends, fresh, fresh_ends);
    self->range_sum[block] = scree_axis_sum_ranges(axis, 2 * self->count);
}

static scree_status reserve_fresh(scree_insertion *self, const scree_method_env *env,
                                  const uint32_t *ids, size_t count)
{
    for (int k = 0; k < self->dimensions; k++) {
        scree_status status = scree_axis_reserve(&self->fresh[k], env->memory, 2 * count);
        if (status)
            return status;
        scree_axis_list_ends(&self->fresh[k], ids, count);
    }
    return SCREE_OK;
}

/*  More new bodies than there were are as good as all new. */
static scree_status insertion_insert(void *state, const scree_method_env *env,
                                     const scree_bodies *bodies, const uint32_t *ids, size_t count)
{
    scree_insertion *self = state;
    insertion_job job = {self, bodies};
    if (count > self->count) {
        self->full_sorts++;
        return sort_whole(self, env, bodies);
    }
    scree_status status = reserve_bodies(self, env, self->count + count, bodies->bound);
    if (!status)
        status = reserve_fresh(self, env, ids, count);
    if (!status)
        status = scree_insertion_begin(self, env);
    if (status)
        return status;

    self->count += count;
    self->fresh_count = count;
    self->remapped += count;
    self->places_are_current = false;
    scree_workers_run(env->workers, (size_t)self->dimensions, insert_axis, &job);
    for (size_t i = 0; i < count; i++)
        self->box[ids[i]] = bodies->box[ids[i]];
    mark_bodies(self, ids, count, 1);
    status = scree_insertion_sweep_fresh(self, env, bodies);
    mark_bodies(self, ids, count, 0);
    return status ? status : scree_insertion_make(self, env);
}

static void remove_axis(void *data, size_t block, uint32_t worker)
{
    const insertion_job *job = data;
    (void)worker;
    scree_axis_drop(&job->self->axis[block], 2 * job->self->count, job->self->mark);
}

static bool both_stay(const void *data, uint32_t i, uint32_t j)
{
    const uint8_t *mark = data;
    return !mark[i] && !mark[j];
}

static scree_status insertion_remove(void *state, const scree_method_env *env,
                                     const scree_bodies *bodies, const uint32_t *ids, size_t count)
{
    scree_insertion *self = state;
    insertion_job job = {self, bodies};
    self->count -= count;
    self->places_are_current = false;
    mark_bodies(self, ids, count, 1);
    scree_workers_run(env->workers, (size_t)self->dimensions, remove_axis, &job);
    scree_pair_set_prune(&self->pairs, both_stay, self->mark);
    mark_bodies(self, ids, count, 0);
    return SCREE_OK;
}

/* ---- search ---------------------------------------------------------------------------------- */

static size_t insertion_block_count(const void *state, const scree_bodies *bodies)
{
    (void)bodies;
    return scree_block_count(((const scree_insertion *)state)->pairs.bound, PAIR_BLOCK);
}

static void insertion_pairs(const void *state, const scree_bodies *bodies, size_t block,
                            scree_scratch *scratch, scree_sink *sink)
{
    const scree_pair_set *pairs = &((const scree_insertion *)state)->pairs;
    size_t end = scree_block_end(block, PAIR_BLOCK, pairs->bound);
    (void)bodies;
    (void)scratch;
    for (size_t i = block * PAIR_BLOCK; i < end && !sink->stopped; i++) {
        scree_pair_run run = pairs->run[i];
        for (size_t p = run.first; p < run.first + run.count; p++)
            scree_sink_pair(sink, (uint32_t)i, pairs->partner[p]);
    }
}

/*  A stretch of one list. */
typedef struct stretch
{
    int axis;
    size_t first, last;
    bool of_upper; /* upper ends are looked at, else lower ends */
} stretch;

/*  Bodies that the probe meets begin before it ends, and end after it begins: from the bottom up to the first bound,
    or from the second to the top, on the axis with the fewest entries. */
static stretch choose_stretch(const scree_insertion *self, const scree_probe *probe)
{
    size_t ends = 2 * self->count;
    stretch best = {0, 0, ends, false};
    for (int k = 0; k < self->dimensions; k++) {
        const uint64_t *key = self->axis[k].key;
        uint64_t begin = scree_key_of_double(probe->box.lower[k]);
        size_t below = scree_axis_count_up_to(key, ends, scree_key_of_double(probe->box.upper[k]));
        /* keys of numbers are above 0 */
        size_t before = scree_axis_count_up_to(key, ends, begin - 1);
        if (below < best.last - best.first)
            best = (stretch){k, 0, below, false};
        if (ends - before < best.last - best.first)
            best = (stretch){k, before, ends, true};
    }
    return best;
}

static void insertion_query(const void *state, const scree_bodies *bodies, const scree_probe *probe,
                            scree_hit_sink *sink)
{
    const scree_insertion *self = state;
    stretch s = choose_stretch(self, probe);
    for (size_t p = s.first; p < s.last && !sink->stopped; p++) {
        uint32_t end = self->axis[s.axis].end[p], id = scree_end_id(end);
        if (scree_end_is_upper(end) == s.of_upper && scree_probe_meets(probe, &bodies->box[id]))
            scree_sink_hit(sink, id);
    }
}

/* ---- figures ---------------------------------------------------------------------- */

static void insertion_stats(const void *state, scree_stats *stats)
{
    const scree_insertion *self = state;
    stats->inversions += self->inversions;
    stats->remapped += self->remapped;
    stats->rebuilds += self->full_sorts;
    stats->created += self->pairs.created;
    stats->destroyed += self->pairs.destroyed;
}

static void insertion_outline(const void *state, const scree_bodies *bodies, scree_scratch *scratch,
                              scree_outline_sink *sink)
{
    const scree_insertion *self = state;
    (void)scratch;
    for (int k = 0; k < self->dimensions; k++)
        scree_axis_outline(&self->axis[k], 2 * self->count, k, NULL, bodies, sink);
}

const scree_method scree_method_insertion_sort = {
    .info =
        {
            .name = "insertion-sort",
            .summary = "sorted lists on all axes and a set of pairs, kept from step to step",
            .cost = "N log N and a search at first, then N and what changes",
            .worst_time = "N^2, where most bodies overlap most others on every axis",
            .worst_memory = "N log N + K",
            .capabilities = SCREE_METHOD_COHERENT | SCREE_METHOD_INCREMENTAL | SCREE_METHOD_DIRTY |
                            SCREE_METHOD_QUERY | SCREE_METHOD_THREADS,
            .exponent = {0, 0},
        },
    .state_bytes = sizeof(scree_insertion),
    .batches = true,
    .create = insertion_create,
    .destroy = insertion_destroy,
    .build = insertion_build,
    .update = insertion_update,
    .insert = insertion_insert,
    .remove = insertion_remove,
    .block_count = insertion_block_count,
    .pairs = insertion_pairs,
    .query = insertion_query,
    .stats = insertion_stats,
    .outline = insertion_outline,
};
