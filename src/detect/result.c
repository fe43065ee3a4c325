/*  What a detector found: pairs one by one, as arrays, or as neighbours by body. */
#include "detect/detector_internal.h"

#include "base/clock.h"

#include <string.h>

static void note_search(scree_detector *d, double start)
{
    d->stats.tested = d->search.tested;
    d->stats.reported = d->search.reported;
    d->stats.sec_query = scree_clock_seconds() - start;
}

static scree_status make_ready(scree_detector *d)
{
    return d->is_stale ? scree_detector_build(d) : SCREE_OK;
}

scree_status scree_detector_for_each_pair(scree_detector *d, scree_pair_fn *action, void *user)
{
    if (!d)
        return SCREE_BAD_ARGUMENT;
    if (!action)
        return scree_fail(&d->error, SCREE_BAD_ARGUMENT, "for_each_pair: action is NULL");
    scree_status status = make_ready(d);
    if (status)
        return status;
    double start = scree_clock_seconds();
    status = scree_search_deliver(&d->search, action, user);
    note_search(d, start);
    return status ? scree_detector_out_of_memory(d, "for_each_pair") : SCREE_OK;
}

/*  All pairs into the detector's own arrays, as found. */
static scree_status collect(scree_detector *d, uint64_t *count)
{
    if (scree_search_store(&d->search, count) ||
        scree_pair_arrays_reserve(&d->arrays, &d->memory, *count))
        return SCREE_OUT_OF_MEMORY;
    scree_search_copy(&d->search, d->arrays.first, d->arrays.second);
    return SCREE_OK;
}

static scree_status sort_pairs(scree_detector *d, uint64_t count)
{
    scree_pair_arrays *a = &d->arrays;
    uint32_t bound = d->store.bound;
    if (scree_memory_reserve(&d->memory, &a->start, &a->start_capacity, (size_t)bound + 1,
                             sizeof *a->start) ||
        scree_memory_reserve(&d->memory, &a->neighbor, &a->neighbor_capacity, (size_t)count,
                             sizeof *a->neighbor) ||
        scree_pair_rows(a, &d->memory, a->first, a->second, count, bound, true, a->start,
                        a->neighbor))
        return SCREE_OUT_OF_MEMORY;
    scree_pair_unroll(a->start, a->neighbor, bound, a->first, a->second);
    return SCREE_OK;
}

scree_status scree_detector_pairs(scree_detector *d, const scree_pairs_options *options,
                                  scree_pairs *pairs)
{
    static const scree_pairs_options defaults = {false, NULL, NULL, 0};
    if (!d)
        return SCREE_BAD_ARGUMENT;
    if (!options)
        options = &defaults;
    if (!pairs || !options->first != !options->second)
        return scree_fail(&d->error, SCREE_BAD_ARGUMENT, "pairs: %s is NULL",
                          !pairs ? "the result" : "one of the two arrays");
    *pairs = (scree_pairs){0, NULL, NULL};
    scree_status status = make_ready(d);
    if (status)
        return status;

    double start = scree_clock_seconds();
    uint64_t count = 0;
    status = collect(d, &count);
    if (!status && options->canonical)
        status = sort_pairs(d, count);
    note_search(d, start);
    if (status)
        return scree_detector_out_of_memory(d, "pairs");
    if (!options->first) {
        *pairs = (scree_pairs){count, d->arrays.first, d->arrays.second};
        return SCREE_OK;
    }
    *pairs = (scree_pairs){count, options->first, options->second};
    if (count > options->capacity)
        return scree_fail(&d->error, SCREE_TOO_SMALL,
                          "pairs: the arrays have room for %llu pairs, %llu are needed",
                          (unsigned long long)options->capacity, (unsigned long long)count);
    if (count) {
        memcpy(options->first, d->arrays.first, (size_t)count * sizeof *options->first);
        memcpy(options->second, d->arrays.second, (size_t)count * sizeof *options->second);
    }
    return SCREE_OK;
}

/*  The rows' arrays: the caller's if given and large enough, else the detector's. */
static scree_status choose_rows(scree_detector *d, const scree_neighbors_options *options,
                                uint64_t entries, uint64_t **start, uint32_t **neighbor)
{
    scree_pair_arrays *a = &d->arrays;
    uint64_t rows = (uint64_t)d->store.bound + 1;
    if (options->start) {
        if (options->start_capacity < rows || options->capacity < entries)
            return scree_fail(
                &d->error, SCREE_TOO_SMALL,
                "neighbors: the arrays have room for %llu starts and %llu neighbours, "
                "%llu and %llu are needed",
                (unsigned long long)options->start_capacity, (unsigned long long)options->capacity,
                (unsigned long long)rows, (unsigned long long)entries);
        *start = options->start;
        *neighbor = options->neighbor;
        return SCREE_OK;
    }
    if (entries > SIZE_MAX ||
        scree_memory_reserve(&d->memory, &a->start, &a->start_capacity, (size_t)rows,
                             sizeof *a->start) ||
        scree_memory_reserve(&d->memory, &a->neighbor, &a->neighbor_capacity, (size_t)entries,
                             sizeof *a->neighbor))
        return scree_detector_out_of_memory(d, "neighbors");
    *start = a->start;
    *neighbor = a->neighbor;
    return SCREE_OK;
}

scree_status scree_detector_neighbors(scree_detector *d, const scree_neighbors_options *options,
                                      scree_neighbors *neighbors)
{
    static const scree_neighbors_options defaults = {false, NULL, 0, NULL, 0};
    if (!d)
        return SCREE_BAD_ARGUMENT;
    if (!options)
        options = &defaults;
    if (!neighbors || !options->start != !options->neighbor)
        return scree_fail(&d->error, SCREE_BAD_ARGUMENT, "neighbors: %s is NULL",
                          !neighbors ? "the result" : "one of the two arrays");
    *neighbors = (scree_neighbors){0, 0, NULL, NULL};
    scree_status status = make_ready(d);
    if (status)
        return status;

    double begin = scree_clock_seconds();
    uint64_t count = 0, *start = NULL;
    uint32_t *neighbor = NULL;
    if (collect(d, &count))
        return scree_detector_out_of_memory(d, "neighbors");
    uint64_t entries = options->half ? count : 2 * count;
    neighbors->id_bound = d->store.bound;
    neighbors->count = entries;
    status = choose_rows(d, options, entries, &start, &neighbor);
    if (status)
        return status;
    if (scree_pair_rows(&d->arrays, &d->memory, d->arrays.first, d->arrays.second, count,
                        d->store.bound, options->half, start, neighbor))
        return scree_detector_out_of_memory(d, "neighbors");
    note_search(d, begin);
    neighbors->start = start;
    neighbors->neighbor = neighbor;
    return SCREE_OK;
}
