/*  Results of a detector: pairs by blocks or one by one, as arrays, or as neighbours by body. */
#include "detect/detector_internal.h"

#include "base/clock.h"
#include "detect/csr.h"

#include <string.h>

static void note_search(scree_detector *d, double start)
{
    d->stats.tested = d->search.tested;
    d->stats.reported = d->search.reported;
    d->stats.sec_query = scree_clock_seconds() - start;
    /* pairs of exact methods are counted before filters, which do not reduce their work */
    bool is_exact = scree_method_is_exact(d->method, d->state);
    if (d->method->note_search && !d->search.was_stopped)
        d->method->note_search(d->state, is_exact ? d->search.tested : d->search.reported,
                               d->stats.sec_update + d->stats.sec_query);
}

static scree_status make_ready(scree_detector *d)
{
    scree_change_settle(d);
    return d->is_stale ? scree_detector_build(d) : SCREE_OK;
}

static scree_status deliver(scree_detector *d, scree_pair_block_fn *action, void *user,
                            const char *what)
{
    scree_status status = make_ready(d);
    if (status)
        return status;
    double start = scree_clock_seconds();
    status = scree_search_deliver(&d->search, action, user);
    note_search(d, start);
    return status ? scree_detector_out_of_memory(d, what) : SCREE_OK;
}

scree_status scree_detector_for_each_block(scree_detector *d, scree_pair_block_fn *action,
                                           void *user)
{
    if (!d)
        return SCREE_BAD_ARGUMENT;
    if (!action)
        return scree_fail(&d->error, SCREE_BAD_ARGUMENT, "for_each_block: action is NULL");
    return deliver(d, action, user, "for_each_block");
}

/*  Calls an action for each pair from one for each block. */
typedef struct single_action
{
    scree_pair_fn *action;
    void *user;
    uint64_t reported;
} single_action;

static int act_on_each(const scree_pairs *block, void *data)
{
    single_action *each = data;
    for (uint64_t k = 0; k < block->count; k++) {
        each->reported++;
        if (each->action(block->first[k], block->second[k], each->user))
            return 1;
    }
    return 0;
}

scree_status scree_detector_for_each_pair(scree_detector *d, scree_pair_fn *action, void *user)
{
    if (!d)
        return SCREE_BAD_ARGUMENT;
    if (!action)
        return scree_fail(&d->error, SCREE_BAD_ARGUMENT, "for_each_pair: action is NULL");
    single_action each = {action, user, 0};
    scree_status status = deliver(d, act_on_each, &each, "for_each_pair");
    if (!status)
        d->stats.reported = each.reported; /* without the rest of a block after a stop */
    return status;
}

/*  The detector's own arrays, with room for all pairs. */
static scree_status own_arrays(scree_detector *d, uint64_t count, uint32_t **first,
                               uint32_t **second)
{
    if (scree_pair_arrays_reserve(&d->arrays, &d->memory, count))
        return SCREE_OUT_OF_MEMORY;
    *first = d->arrays.first;
    *second = d->arrays.second;
    return SCREE_OK;
}

/*  All pairs in the order found: joins what several workers have stored. */
static scree_status gather(scree_detector *d, scree_pair_list *found)
{
    uint32_t *first, *second;
    if (scree_search_is_whole(&d->search, &found->first, &found->second))
        return SCREE_OK;
    if (own_arrays(d, found->count, &first, &second))
        return SCREE_OUT_OF_MEMORY;
    scree_search_copy(&d->search, first, second);
    found->first = first;
    found->second = second;
    return SCREE_OK;
}

static scree_status collect(scree_detector *d, scree_pair_list *found)
{
    return scree_search_store(&d->search, &found->count) ? SCREE_OUT_OF_MEMORY : gather(d, found);
}

static scree_status sort_pairs(scree_detector *d, scree_pair_list *found, uint32_t *first,
                               uint32_t *second)
{
    scree_pair_arrays *a = &d->arrays;
    uint32_t bound = d->store.bound;
    if (scree_memory_reserve(&d->memory, &a->start, &a->start_capacity, (size_t)bound + 1,
                             sizeof *a->start) ||
        (!first && own_arrays(d, found->count, &first, &second)) ||
        scree_pair_rows(a, &d->memory, &d->workers, found, bound, (scree_row_form){.half = true},
                        a->start, second))
        return SCREE_OUT_OF_MEMORY;
    scree_pair_unroll(&d->workers, a->start, bound, first);
    found->first = first;
    found->second = second;
    return SCREE_OK;
}

/*  Searches, and stores the pairs as the options require. *fits: the caller's arrays are large enough, or there are
    none. */
static scree_status find_pairs(scree_detector *d, const scree_pairs_options *options,
                               scree_pair_list *found, bool *fits)
{
    bool to_caller = options->first != NULL;
    scree_status status = SCREE_OK;
    if (to_caller && !options->canonical) {
        status = scree_search_store(&d->search, &found->count);
        *fits = found->count <= options->capacity;
        if (!status && *fits)
            scree_search_copy(&d->search, options->first, options->second);
        return status;
    }
    status = collect(d, found);
    *fits = !to_caller || found->count <= options->capacity;
    if (!status && *fits && options->canonical)
        status = sort_pairs(d, found, options->first, options->second);
    return status;
}

static scree_status check_pairs_call(scree_detector *d, const scree_pairs_options *options,
                                     scree_pairs *pairs)
{
    if (!pairs || (options && !options->first != !options->second))
        return scree_fail(&d->error, SCREE_BAD_ARGUMENT, "pairs: %s is NULL",
                          !pairs ? "the result" : "one of the two arrays");
    *pairs = (scree_pairs){0, NULL, NULL};
    return SCREE_OK;
}

scree_status scree_detector_pairs(scree_detector *d, const scree_pairs_options *options,
                                  scree_pairs *pairs)
{
    static const scree_pairs_options defaults = {false, NULL, NULL, 0};
    if (!d)
        return SCREE_BAD_ARGUMENT;
    scree_status status = check_pairs_call(d, options, pairs);
    if (!status)
        status = make_ready(d);
    if (status)
        return status;
    if (!options)
        options = &defaults;

    double start = scree_clock_seconds();
    scree_pair_list found = {0, NULL, NULL};
    bool fits = true;
    status = find_pairs(d, options, &found, &fits);
    note_search(d, start);
    if (status)
        return scree_detector_out_of_memory(d, "pairs");
    *pairs = options->first ? (scree_pairs){found.count, options->first, options->second}
                            : (scree_pairs){found.count, found.first, found.second};
    if (fits)
        return SCREE_OK;
    return scree_fail(&d->error, SCREE_TOO_SMALL,
                      "pairs: the arrays have room for %llu pairs, %llu are needed",
                      (unsigned long long)options->capacity, (unsigned long long)found.count);
}

scree_status scree_detector_pairs_of(scree_detector *d, const scree_table *table,
                                     const scree_pairs_options *options, scree_pairs *pairs)
{
    if (!d)
        return SCREE_BAD_ARGUMENT;
    scree_status status = check_pairs_call(d, options, pairs);
    if (!status)
        status = scree_detector_update(d, table, NULL);
    return status ? status : scree_detector_pairs(d, options, pairs);
}

/* ---- neighbours ---- */

/*  The arrays of rows: the caller's if given and large enough, otherwise the detector's. */
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
    scree_pair_list found = {0, NULL, NULL};
    uint64_t *start = NULL;
    uint32_t *neighbor = NULL;
    if (collect(d, &found))
        return scree_detector_out_of_memory(d, "neighbors");
    uint64_t entries = options->half ? found.count : 2 * found.count;
    neighbors->id_bound = d->store.bound;
    neighbors->count = entries;
    status = choose_rows(d, options, entries, &start, &neighbor);
    if (status)
        return status;
    if (scree_pair_rows(&d->arrays, &d->memory, &d->workers, &found, d->store.bound,
                        (scree_row_form){.half = options->half}, start, neighbor))
        return scree_detector_out_of_memory(d, "neighbors");
    note_search(d, begin);
    neighbors->start = start;
    neighbors->neighbor = neighbor;
    return SCREE_OK;
}

/* ---- neighbours in 32 bits ---- */

static scree_status check_csr_call(scree_detector *d, scree_csr *csr)
{
    if (!csr)
        return scree_fail(&d->error, SCREE_BAD_ARGUMENT, "csr: the result is NULL");
    *csr = (scree_csr){0, 0, NULL, NULL};
    return SCREE_OK;
}

/*  By ranges of rows, which are sorted if requested. */
static scree_status fill_by_ranges(scree_detector *d, const scree_csr_options *options)
{
    scree_pair_arrays *a = &d->arrays;
    scree_row_form form = {options->half, !options->canonical};
    scree_pair_list found = {d->search.reported, NULL, NULL};
    if (gather(d, &found) ||
        scree_memory_reserve(&d->memory, &a->start, &a->start_capacity, (size_t)d->store.bound + 1,
                             sizeof *a->start) ||
        scree_pair_rows(a, &d->memory, &d->workers, &found, d->store.bound, form, a->start,
                        a->neighbor))
        return SCREE_OUT_OF_MEMORY;
    scree_csr_shorten(a->start, d->store.bound, a->short_start);
    return SCREE_OK;
}

/*  Into the detector's own arrays. */
static scree_status fill_csr(scree_detector *d, const scree_csr_options *options, uint32_t entries)
{
    scree_pair_arrays *a = &d->arrays;
    uint32_t bound = d->store.bound;
    if (scree_memory_reserve(&d->memory, &a->short_start, &a->short_start_capacity,
                             (size_t)bound + 1, sizeof *a->short_start) ||
        scree_memory_reserve(&d->memory, &a->neighbor, &a->neighbor_capacity, entries,
                             sizeof *a->neighbor))
        return SCREE_OUT_OF_MEMORY;
    if (options->canonical || !scree_csr_is_quick(&d->workers))
        return fill_by_ranges(d, options);
    scree_csr_fill(&d->search, bound, options->half, a->short_start, a->neighbor);
    return SCREE_OK;
}

scree_status scree_detector_csr(scree_detector *d, const scree_csr_options *options, scree_csr *csr)
{
    static const scree_csr_options defaults = {false, false};
    uint64_t pairs;
    uint32_t entries;
    if (!d)
        return SCREE_BAD_ARGUMENT;
    scree_status status = check_csr_call(d, csr);
    if (!status)
        status = make_ready(d);
    if (status)
        return status;
    if (!options)
        options = &defaults;

    double begin = scree_clock_seconds();
    if (scree_search_store(&d->search, &pairs))
        return scree_detector_out_of_memory(d, "csr");
    status = scree_csr_count(pairs, options->half, &entries, &d->error);
    if (status)
        return status;
    if (fill_csr(d, options, entries))
        return scree_detector_out_of_memory(d, "csr");
    note_search(d, begin);
    *csr = (scree_csr){d->store.bound, entries, d->arrays.short_start, d->arrays.neighbor};
    return SCREE_OK;
}

scree_status scree_detector_csr_of(scree_detector *d, const scree_table *table,
                                   const scree_csr_options *options, scree_csr *csr)
{
    if (!d)
        return SCREE_BAD_ARGUMENT;
    scree_status status = check_csr_call(d, csr);
    if (!status)
        status = scree_detector_update(d, table, NULL);
    return status ? status : scree_detector_csr(d, options, csr);
}
