/*  Spatial sorting with lists. In a first pass each body enters those in its partial range into its
    list, and itself into theirs, on every axis; in a second pass the lists of a body are
    intersected. Lists hold what overlaps on one axis exactly, and there are N sqrt(N) entries in
    them, N^(5/3) in three dimensions: memory is what ends this variant. */
#include "detect/spatial_sort.h"

#include <string.h>

/*  Neighbours on an axis: those of body a are entry[start[a]] to entry[start[a + 1] - 1]. */
typedef struct neighbor_lists
{
    size_t *start;
    uint32_t *entry;
    size_t start_capacity, entry_capacity;
} neighbor_lists;

typedef struct spatial_lists
{
    scree_spatial sorted;
    neighbor_lists lists[3];
    uint32_t *ended; /* by place: ranges that end just before it; scratch */
    size_t ended_capacity;
} spatial_lists;

static void lists_destroy(void *state, const scree_method_env *env)
{
    spatial_lists *self = state;
    scree_memory *memory = env->memory;
    scree_spatial_free(&self->sorted, memory);
    for (int k = 0; k < 3; k++) {
        neighbor_lists *lists = &self->lists[k];
        scree_memory_give(memory, &lists->start, lists->start_capacity, sizeof *lists->start);
        scree_memory_give(memory, &lists->entry, lists->entry_capacity, sizeof *lists->entry);
    }
    scree_memory_give(memory, &self->ended, self->ended_capacity, sizeof *self->ended);
}

static scree_status reserve_lists(spatial_lists *self, scree_memory *memory, int k)
{
    const scree_spatial *sorted = &self->sorted;
    neighbor_lists *lists = &self->lists[k];
    /* each body that begins within another is in its list, and the other in its own */
    uint64_t entries = 2 * (sorted->range_sum[k] - sorted->count);
    if (entries > SIZE_MAX)
        return SCREE_OUT_OF_MEMORY;
    scree_status status = scree_memory_reserve(memory, &lists->start, &lists->start_capacity,
                                               sorted->count + 2, sizeof *lists->start);
    if (!status)
        status = scree_memory_reserve(memory, &lists->entry, &lists->entry_capacity,
                                      (size_t)entries, sizeof *lists->entry);
    if (!status)
        status = scree_memory_reserve(memory, &self->ended, &self->ended_capacity,
                                      sorted->count + 1, sizeof *self->ended);
    return status;
}

/*  Sets start[a + 1] to where the list of body a begins; filling it moves that to where it ends. */
static void start_lists(spatial_lists *self, int k)
{
    const scree_spatial *sorted = &self->sorted;
    size_t *start = self->lists[k].start, ended = 0;
    memset(self->ended, 0, (sorted->count + 1) * sizeof *self->ended);
    for (size_t p = 0; p < sorted->count; p++)
        self->ended[sorted->stop[k][p]]++;

    /* a list holds the bodies that begin within, and those before that have not ended */
    start[0] = start[1] = 0;
    for (size_t p = 0; p < sorted->count; p++) {
        ended += self->ended[p];
        start[sorted->number[sorted->axis[k].end[p]] + 2] = sorted->stop[k][p] - 1 - ended;
    }
    for (size_t a = 2; a < sorted->count + 2; a++)
        start[a] += start[a - 1];
}

/*  The first pass on one axis. The thesis looks through a list before it enters a body, which takes
    its "hidden N squared costs"; but of two bodies only one is in the partial range of the other,
    so neither is ever there already, and no list is looked through. */
static void fill_lists(void *data, size_t block, uint32_t worker)
{
    spatial_lists *self = data;
    const scree_spatial *sorted = &self->sorted;
    const uint32_t *stop = sorted->stop[block], *end = sorted->axis[block].end;
    size_t *next = self->lists[block].start + 1;
    uint32_t *entry = self->lists[block].entry;
    (void)worker;
    for (size_t p = 0; p < sorted->count; p++) {
        uint32_t a = sorted->number[end[p]];
        for (size_t q = p + 1; q < stop[p]; q++) {
            uint32_t b = sorted->number[end[q]];
            entry[next[a]++] = b;
            entry[next[b]++] = a;
        }
    }
}

static scree_status make_lists(spatial_lists *self, const scree_method_env *env,
                               const scree_bodies *bodies, bool again)
{
    scree_status status = scree_spatial_sort(&self->sorted, env, bodies, again);
    for (int k = 0; k < self->sorted.dimensions && !status; k++) {
        status = reserve_lists(self, env->memory, k);
        if (!status)
            start_lists(self, k);
    }
    if (!status)
        scree_workers_run(env->workers, (size_t)self->sorted.dimensions, fill_lists, self);
    return status;
}

static scree_status lists_build(void *state, const scree_method_env *env,
                                const scree_bodies *bodies)
{
    return make_lists(state, env, bodies, false);
}

static scree_status lists_update(void *state, const scree_method_env *env,
                                 const scree_bodies *bodies, const uint32_t *ids, size_t count)
{
    (void)ids;
    (void)count;
    return make_lists(state, env, bodies, true);
}

/*  The second pass. A body that is in the lists of a on all axes is a candidate, reported by the
    one of the two with the smaller id. `seen` says in how many of the lists beside the master's it
    was. */
static void lists_pairs(const void *state, const scree_bodies *bodies, size_t block,
                        scree_scratch *scratch, scree_sink *sink)
{
    const spatial_lists *self = state;
    const scree_spatial *sorted = &self->sorted;
    const neighbor_lists *x = &self->lists[sorted->order[0]], *y = &self->lists[sorted->order[1]],
                         *z = &self->lists[sorted->order[2]];
    bool flat = sorted->dimensions == 2;
    size_t end = scree_block_end(block, SCREE_SPATIAL_BLOCK, sorted->count);
    uint8_t *seen = scree_scratch_take(scratch, sorted->count, sizeof *seen);
    (void)bodies;
    if (!seen)
        return;
    memset(seen, 0, sorted->count);

    for (size_t a = block * SCREE_SPATIAL_BLOCK; a < end && !sink->stopped; a++) {
        for (size_t e = y->start[a]; e < y->start[a + 1]; e++)
            seen[y->entry[e]] = flat ? 2 : 1;
        for (size_t e = z->start[a]; !flat && e < z->start[a + 1]; e++)
            seen[z->entry[e]] = (uint8_t)(seen[z->entry[e]] << 1);
        for (size_t e = x->start[a]; e < x->start[a + 1]; e++)
            if (seen[x->entry[e]] == 2 && sorted->id[a] < sorted->id[x->entry[e]])
                scree_sink_pair(sink, sorted->id[a], sorted->id[x->entry[e]]);
        for (size_t e = y->start[a]; e < y->start[a + 1]; e++)
            seen[y->entry[e]] = 0;
    }
}

const scree_method scree_method_spatial_sort_1 = {
    .info =
        {
            .name = "spatial-sort-1",
            .summary =
                "sorted lower ends; a list of neighbours for each body and axis, intersected",
            .cost = "time and memory N sqrt(N) in 2D, N^(5/3) in 3D",
            .capabilities = SCREE_METHOD_QUERY | SCREE_METHOD_THREADS,
            .exponent = {1.5, 5.0 / 3.0},
        },
    .state_bytes = sizeof(spatial_lists),
    .create = scree_spatial_create,
    .destroy = lists_destroy,
    .build = lists_build,
    .update = lists_update,
    .block_count = scree_spatial_block_count,
    .pairs = lists_pairs,
    .query = scree_spatial_query,
    .stats = scree_spatial_stats,
};
