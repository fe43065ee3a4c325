/*  Spatial sorting with lists. In a first pass each body is entered in the lists of those it
    overlaps on one axis, for every axis; in a second pass the lists of a body are intersected. The
    thesis enters both bodies of a pair in each other's lists and drops one of the two reports by
    id; here the larger id is entered in the list of the smaller, at once. Lists have N sqrt(N)
    entries, N^(5/3) in three dimensions: memory is what ends this variant. On an axis on which nearly all
    overlap, as across a flat layer, they would have N^2: there a body is entered only where it already is
    in the list on the master axis. */
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
}

/*  Longer lists than so many times those of the master axis are not made. */
#define MOST_TIMES_MASTER 8

static bool says_little(const scree_spatial *sorted, int k)
{
    return sorted->range_sum[k] > MOST_TIMES_MASTER * sorted->range_sum[sorted->order[0]];
}

/*  Each body that begins within another makes one entry. */
static scree_status reserve_lists(spatial_lists *self, scree_memory *memory, int k)
{
    neighbor_lists *lists = &self->lists[k];
    const scree_spatial *sorted = &self->sorted;
    int axis = says_little(sorted, k) ? sorted->order[0] : k;
    uint64_t entries = sorted->range_sum[axis] - sorted->count;
    if (entries > SIZE_MAX)
        return SCREE_OUT_OF_MEMORY;
    scree_status status = scree_memory_reserve(memory, &lists->start, &lists->start_capacity,
                                               self->sorted.count + 2, sizeof *lists->start);
    if (!status)
        status = scree_memory_reserve(memory, &lists->entry, &lists->entry_capacity,
                                      (size_t)entries, sizeof *lists->entry);
    return status;
}

/*  Sets start[a + 1] to where the list of body a begins; filling it moves that to where it ends. */
static void start_lists(const scree_spatial *sorted, int k, size_t *start)
{
    const uint32_t *stop = sorted->stop[k], *end = sorted->axis[k].end;
    memset(start, 0, (sorted->count + 2) * sizeof *start);
    for (size_t p = 0; p < sorted->count; p++)
        for (size_t q = p + 1; q < stop[p]; q++)
            start[sorted->number[end[p] < end[q] ? end[p] : end[q]] + 2]++;
    for (size_t a = 2; a < sorted->count + 2; a++)
        start[a] += start[a - 1];
}

/*  The first pass on one axis. The thesis looks through a list before it enters a body, which takes
    its "hidden N squared costs"; but of two bodies only one is in the partial range of the other,
    so a pair comes by once and no list has to be looked through. */
static void fill_lists(void *data, size_t block, uint32_t worker)
{
    spatial_lists *self = data;
    const scree_spatial *sorted = &self->sorted;
    const uint32_t *stop = sorted->stop[block], *end = sorted->axis[block].end;
    uint32_t *entry = self->lists[block].entry;
    size_t *next = self->lists[block].start + 1;
    (void)worker;
    if (says_little(sorted, (int)block))
        return;
    start_lists(sorted, (int)block, self->lists[block].start);
    for (size_t p = 0; p < sorted->count; p++)
        for (size_t q = p + 1; q < stop[p]; q++) {
            uint32_t a = sorted->number[end[p]], b = sorted->number[end[q]];
            bool swap = end[q] < end[p];
            entry[next[swap ? b : a]++] = swap ? a : b;
        }
}

/*  Whether two bodies overlap on an axis: one begins within the other. */
static bool overlap_on(const scree_spatial *sorted, int k, uint32_t a, uint32_t b)
{
    uint32_t rank_a = sorted->rank[k][a], rank_b = sorted->rank[k][b];
    return scree_rank_within(rank_b, rank_a, sorted->stop[k][rank_a]) ||
           scree_rank_within(rank_a, rank_b, sorted->stop[k][rank_b]);
}

/*  The first pass on an axis that says little, once the master's lists are there. */
static void cut_lists(void *data, size_t block, uint32_t worker)
{
    spatial_lists *self = data;
    const scree_spatial *sorted = &self->sorted;
    const neighbor_lists *master = &self->lists[sorted->order[0]];
    neighbor_lists *lists = &self->lists[block];
    size_t place = 0;
    (void)worker;
    if (!says_little(sorted, (int)block))
        return;
    for (size_t a = 0; a < sorted->count; a++) {
        lists->start[a] = place;
        for (size_t e = master->start[a]; e < master->start[a + 1]; e++)
            if (overlap_on(sorted, (int)block, (uint32_t)a, master->entry[e]))
                lists->entry[place++] = master->entry[e];
    }
    lists->start[sorted->count] = place;
}

static scree_status make_lists(spatial_lists *self, const scree_method_env *env,
                               const scree_bodies *bodies, bool again)
{
    scree_status status = scree_spatial_sort(&self->sorted, env, bodies, again);
    for (int k = 0; k < self->sorted.dimensions && !status; k++)
        status = reserve_lists(self, env->memory, k);
    if (status)
        return status;
    scree_workers_run(env->workers, (size_t)self->sorted.dimensions, fill_lists, self);
    scree_workers_run(env->workers, (size_t)self->sorted.dimensions, cut_lists, self);
    return SCREE_OK;
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

/*  The second pass. A body that is in the lists of a on all axes is a candidate. `seen` says in how
    many of the lists beside the master's it was. */
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
            if (seen[x->entry[e]] == 2)
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
            .cost =
                "time and memory N sqrt(N) in 2D, N^(5/3) in 3D; N^2 where all overlap on all axes",
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
    .outline = scree_spatial_outline,
};
