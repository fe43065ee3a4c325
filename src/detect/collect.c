/*  Applies the rest of the rule, and delivers pairs in order. A search is divided into the method's blocks and one
    more for infinite bodies. With one worker and an action, pairs are delivered as they are found, and none is
    stored. With several, blocks are processed in waves, stored, and delivered in order after each wave. */
#include "detect/collect.h"

#include "detect/exact.h"
#include "detect/scratch.h"

#define WIDE_LEVEL WIDE_SCALAR
#include "base/wide.h"

#include <string.h>

/*  Blocks per wave and worker: enough to balance the load, few enough to bound memory. */
#define WAVE_BLOCKS 8u

/* ---- the rule ---- */

static void keep_overlapping(const scree_store *store, scree_sink *sink)
{
    if (store->sphere)
        SCREE_SINK_KEEP_IF(sink, scree_spheres_overlap(store->sphere[i], store->sphere[j]));
    else
        SCREE_SINK_KEEP_IF(sink, scree_boxes_overlap(&store->box[i], &store->box[j]));
}

/* ---- where pairs go ---- */

/*  A full sink is one block for the caller. */
_Static_assert(SCREE_SINK_CAPACITY == SCREE_BLOCK_PAIRS, "a sink is a block of pairs");

/*  Smaller ids first: copies the pairs of a sink, and perhaps some behind them, up to a multiple of
    ORDER_LANES. */
#define ORDER_LANES 8u

static void order_pairs_scalar(const scree_sink *sink, uint32_t count, uint32_t *first,
                               uint32_t *second)
{
    for (uint32_t k = 0; k < count; k++) {
        uint32_t i = sink->first[k], j = sink->second[k];
        first[k] = i < j ? i : j;
        second[k] = i < j ? j : i;
    }
}

#if WIDE_HAS_X86
__attribute__((target("avx2"))) static void order_pairs_avx2(const scree_sink *sink, uint32_t count,
                                                             uint32_t *first, uint32_t *second)
{
    for (uint32_t k = 0; k < count; k += ORDER_LANES) {
        __m256i i = _mm256_loadu_si256((const void *)(sink->first + k));
        __m256i j = _mm256_loadu_si256((const void *)(sink->second + k));
        _mm256_storeu_si256((void *)(first + k), _mm256_min_epu32(i, j));
        _mm256_storeu_si256((void *)(second + k), _mm256_max_epu32(i, j));
    }
}
#endif

static void order_pairs(const scree_collector *collector, uint32_t count, uint32_t *first,
                        uint32_t *second)
{
#if WIDE_HAS_X86
    if (collector->search->simd >= SCREE_SIMD_AVX2) {
        order_pairs_avx2(&collector->sink, count, first, second);
        return;
    }
#endif
    order_pairs_scalar(&collector->sink, count, first, second);
}

static void store_pairs(scree_collector *collector, uint32_t count)
{
    scree_memory *memory = collector->search->memory;
    size_t wanted = collector->count + count + ORDER_LANES;
    if (scree_memory_reserve(memory, &collector->first, &collector->first_capacity, wanted,
                             sizeof *collector->first) ||
        scree_memory_reserve(memory, &collector->second, &collector->second_capacity, wanted,
                             sizeof *collector->second)) {
        collector->out_of_memory = collector->sink.stopped = true;
        return;
    }
    order_pairs(collector, count, collector->first + collector->count,
                collector->second + collector->count);
    collector->count += count;
    collector->reported += count;
}

static void deliver_pairs(scree_collector *collector, uint32_t count)
{
    order_pairs(collector, count, collector->sink.first, collector->sink.second);
    const scree_pairs block = {count, collector->sink.first, collector->sink.second};
    collector->reported += count;
    if (collector->action(&block, collector->user))
        collector->sink.stopped = true;
}

static void flush_pairs(scree_sink *sink)
{
    scree_collector *collector = (scree_collector *)sink;
    const scree_search *search = collector->search;
    if (!sink->stopped) {
        collector->tested += sink->fill;
        if (collector->has_images)
            sink->fill = scree_images_keep(search->images, search->store, collector->is_tested,
                                           search->coarse, sink);
        else if (collector->is_tested)
            keep_overlapping(search->store, sink);
        if (search->store->has_filters)
            scree_kinds_keep(&search->kinds, search->store, sink);
        if (sink->fill && collector->action)
            deliver_pairs(collector, sink->fill);
        else if (sink->fill)
            store_pairs(collector, sink->fill);
    }
    sink->fill = 0;
    sink->clear = 0;
}

/* ---- blocks ---- */

/*  Infinite bodies overlap all others without a test, so these pairs are not counted as tested. */
static void pair_infinite(scree_collector *collector)
{
    const scree_store *store = collector->search->store;
    uint64_t tested = collector->tested;
    collector->is_tested = collector->has_images = false;
    for (uint32_t k = 0; k < store->infinite_count && !collector->sink.stopped; k++)
        for (uint32_t a = 0; a < store->active_count && !collector->sink.stopped; a++)
            scree_sink_pair(&collector->sink, store->infinite[k], store->active[a]);
    flush_pairs(&collector->sink);
    collector->tested = tested;
}

static size_t method_block_count(const scree_search *search)
{
    if (search->bodies.active_count < 2)
        return 0;
    return search->method->block_count ? search->method->block_count(search->state, &search->bodies)
                                       : 1;
}

static void run_block(scree_collector *collector, size_t block, size_t method_blocks)
{
    const scree_search *search = collector->search;
    if (block == method_blocks) {
        pair_infinite(collector);
        return;
    }
    collector->has_images = search->images != NULL;
    collector->is_tested = !search->coarse && !scree_method_is_exact(search->method, search->state);
    collector->scratch.used = 0;
    search->method->pairs(search->state, &search->bodies, block, &collector->scratch,
                          &collector->sink);
    flush_pairs(&collector->sink);
    if (collector->scratch.failed)
        collector->out_of_memory = collector->sink.stopped = true;
}

static scree_status prepare_collectors(scree_search *search, size_t wanted)
{
    search->was_stopped = true; /* until all is done */
    if (scree_memory_reserve(search->memory, &search->collectors, &search->collector_capacity,
                             wanted, sizeof *search->collectors))
        return SCREE_OUT_OF_MEMORY;
    while (search->collector_count < wanted) {
        scree_collector *collector;
        if (scree_memory_take(search->memory, 1, sizeof *collector, &collector))
            return SCREE_OUT_OF_MEMORY;
        memset(collector, 0, sizeof *collector);
        collector->scratch.memory = search->memory;
        collector->sink.flush = flush_pairs;
        search->collectors[search->collector_count++] = collector;
    }
    for (size_t i = 0; i < search->collector_count; i++) {
        scree_collector *collector = search->collectors[i];
        collector->search = search;
        collector->sink.fill = 0;
        collector->sink.stopped = collector->out_of_memory = collector->scratch.failed = false;
        collector->action = NULL;
        collector->tested = collector->reported = 0;
        collector->count = 0;
    }
    search->tested = search->reported = 0;
    if (scree_kinds_are_needed(search->store) &&
        scree_kinds_find(&search->kinds, search->memory, search->store))
        return SCREE_OUT_OF_MEMORY;
    search->bodies = search->images ? scree_images_view(search->images, search->store)
                                    : scree_store_view(search->store);
    return SCREE_OK;
}

/*  Sums the statistics of all workers; SCREE_OUT_OF_MEMORY if one ran out. */
static scree_status finish_search(scree_search *search)
{
    scree_status status = SCREE_OK;
    search->was_stopped = false;
    for (size_t i = 0; i < search->collector_count; i++) {
        search->tested += search->collectors[i]->tested;
        search->reported += search->collectors[i]->reported;
        search->was_stopped |= search->collectors[i]->sink.stopped;
        if (search->collectors[i]->out_of_memory)
            status = SCREE_OUT_OF_MEMORY;
    }
    return status;
}

void scree_search_free(scree_search *search)
{
    scree_kinds_free(&search->kinds, search->memory);
    for (size_t i = 0; i < search->collector_count; i++) {
        scree_collector *collector = search->collectors[i];
        scree_scratch_free(&collector->scratch);
        scree_memory_give(search->memory, &collector->first, collector->first_capacity,
                          sizeof *collector->first);
        scree_memory_give(search->memory, &collector->second, collector->second_capacity,
                          sizeof *collector->second);
        scree_memory_give(search->memory, &search->collectors[i], 1, sizeof *collector);
    }
    scree_memory_give(search->memory, &search->collectors, search->collector_capacity,
                      sizeof *search->collectors);
    scree_memory_give(search->memory, &search->segments, search->segment_capacity,
                      sizeof *search->segments);
}

/* ---- waves ---- */

typedef struct wave
{
    scree_search *search;
    size_t method_blocks;
} wave;

static void run_wave_block(void *data, size_t index, uint32_t worker)
{
    wave *w = data;
    scree_search *search = w->search;
    scree_collector *collector = search->collectors[worker];
    scree_segment *segment = &search->segments[index];
    segment->worker = worker;
    segment->begin = collector->count;
    if (!collector->sink.stopped)
        run_block(collector, search->wave_begin + index, w->method_blocks);
    segment->end = collector->count;
}

static scree_status reserve_segments(scree_search *search, size_t count)
{
    return scree_memory_reserve(search->memory, &search->segments, &search->segment_capacity, count,
                                sizeof *search->segments);
}

/*  Delivers the stored pairs of a wave, in blocks of the same size as with one worker; true if the action wants to
    stop. */
static bool deliver_wave(scree_search *search, size_t count, scree_pair_block_fn *action,
                         void *user, uint64_t *delivered)
{
    for (size_t s = 0; s < count; s++) {
        const scree_segment *segment = &search->segments[s];
        const scree_collector *collector = search->collectors[segment->worker];
        for (size_t begin = segment->begin; begin < segment->end; begin += SCREE_SINK_CAPACITY) {
            size_t left = segment->end - begin;
            const scree_pairs block = {left < SCREE_SINK_CAPACITY ? left : SCREE_SINK_CAPACITY,
                                       collector->first + begin, collector->second + begin};
            *delivered += block.count;
            if (action(&block, user))
                return true;
        }
    }
    return false;
}

static scree_status deliver_in_waves(scree_search *search, size_t method_blocks,
                                     scree_pair_block_fn *action, void *user)
{
    wave w = {search, method_blocks};
    size_t wave_size = (size_t)search->workers->count * WAVE_BLOCKS;
    uint64_t delivered = 0;
    bool stop = false;
    if (reserve_segments(search, wave_size))
        return SCREE_OUT_OF_MEMORY;
    for (size_t begin = 0; begin <= method_blocks && !stop; begin += wave_size) {
        size_t count =
            method_blocks + 1 - begin < wave_size ? method_blocks + 1 - begin : wave_size;
        search->wave_begin = begin;
        scree_workers_run(search->workers, count, run_wave_block, &w);
        for (size_t i = 0; i < search->collector_count; i++)
            stop |= search->collectors[i]->out_of_memory;
        if (!stop)
            stop = deliver_wave(search, count, action, user, &delivered);
        for (size_t i = 0; i < search->collector_count; i++)
            search->collectors[i]->count = 0;
    }
    scree_status status = finish_search(search);
    search->reported = delivered;
    search->was_stopped |= stop;
    return status;
}

/* ---- the two ways to search ---- */

scree_status scree_search_deliver(scree_search *search, scree_pair_block_fn *action, void *user)
{
    if (prepare_collectors(search, search->workers->count))
        return SCREE_OUT_OF_MEMORY;
    size_t method_blocks = method_block_count(search);
    if (search->workers->count > 1)
        return deliver_in_waves(search, method_blocks, action, user);

    scree_collector *collector = search->collectors[0];
    collector->action = action;
    collector->user = user;
    for (size_t block = 0; block <= method_blocks && !collector->sink.stopped; block++)
        run_block(collector, block, method_blocks);
    return finish_search(search);
}

scree_status scree_search_store(scree_search *search, uint64_t *count)
{
    if (prepare_collectors(search, search->workers->count))
        return SCREE_OUT_OF_MEMORY;
    wave w = {search, method_block_count(search)};
    search->segment_count = w.method_blocks + 1;
    if (reserve_segments(search, search->segment_count))
        return SCREE_OUT_OF_MEMORY;
    search->wave_begin = 0;
    scree_workers_run(search->workers, search->segment_count, run_wave_block, &w);
    *count = 0;
    for (size_t s = 0; s < search->segment_count; s++) {
        scree_segment *segment = &search->segments[s];
        segment->place = *count;
        *count += segment->end - segment->begin;
    }
    return finish_search(search);
}

bool scree_search_is_whole(const scree_search *search, const uint32_t **first,
                           const uint32_t **second)
{
    *first = search->collectors[0]->first;
    *second = search->collectors[0]->second;
    return search->workers->count == 1;
}

typedef struct copying
{
    const scree_search *search;
    uint32_t *first, *second;
} copying;

static void copy_segment(void *data, size_t index, uint32_t worker)
{
    const copying *c = data;
    const scree_segment *segment = &c->search->segments[index];
    const scree_collector *collector = c->search->collectors[segment->worker];
    size_t count = segment->end - segment->begin;
    (void)worker;
    if (count == 0)
        return;
    memcpy(c->first + segment->place, collector->first + segment->begin, count * sizeof *c->first);
    memcpy(c->second + segment->place, collector->second + segment->begin,
           count * sizeof *c->second);
}

void scree_search_copy(const scree_search *search, uint32_t *first, uint32_t *second)
{
    copying c = {search, first, second};
    scree_workers_run(search->workers, search->segment_count, copy_segment, &c);
}
