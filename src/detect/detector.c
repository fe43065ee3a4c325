/*  The life of a detector: creation, changes to its bodies, and searches. Each change is read and
    checked as a whole before any of it is made; then the method hears of it in the way that costs it
    least. Queries are in query.c. */
#include "detect/detector_internal.h"

#include "base/clock.h"
#include "detect/definition.h"

#include <string.h>

/* ---- life --------------------------------------------------------------------------------------- */

static scree_status open_detector(scree_detector *d, const scree_detector_def *def,
                                  scree_error *error)
{
    d->def = *def;
    d->def.simd = scree_simd_resolve(def->simd);
    d->env = (scree_method_env){&d->memory, &d->workers, &d->def, &d->error};
    d->search.memory = &d->memory;
    d->search.workers = &d->workers;
    d->search.store = &d->store;
    d->search.coarse = def->coarse;
    scree_store_init(&d->store, &d->memory, def->dimensions, def->volume);

    scree_status status = scree_detector_def_check(def, &d->method, error);
    if (status)
        return status;
    status = scree_workers_init(&d->workers, &def->tasks, def->thread_count, &def->allocator,
                                &def->log);
    if (status)
        return scree_fail(error, status, "detector def: tasks or thread_count (%u): %s",
                          def->thread_count, scree_status_name(status));
    status = scree_memory_take(&d->memory, 1, d->method->state_bytes, &d->state);
    if (!status) {
        memset(d->state, 0, d->method->state_bytes);
        d->search.method = d->method;
        d->search.state = d->state;
        d->is_stale = true;
        if (d->method->create)
            status = d->method->create(d->state, &d->env);
    }
    return status ? scree_fail(error, status, "detector: %s", scree_status_name(status)) : SCREE_OK;
}

scree_status scree_detector_create(const scree_detector_def *def, scree_detector **detector)
{
    if (!detector)
        return SCREE_BAD_ARGUMENT;
    *detector = NULL;
    if (!def || !scree_detector_def_is_ours(def))
        return SCREE_BAD_DEF;

    scree_memory memory;
    scree_detector *d;
    scree_status status = scree_memory_init(&memory, &def->allocator);
    if (status)
        return scree_fail(def->error, status,
                          "detector def: allocator needs all three functions, or none");
    status = scree_memory_take(&memory, 1, sizeof *d, &d);
    if (status)
        return scree_fail(def->error, status, "detector: %s", scree_status_name(status));
    memset(d, 0, sizeof *d);
    d->memory.allocator = memory.allocator;
    d->memory.bytes = sizeof *d;

    status = open_detector(d, def, def->error);
    if (status)
        scree_detector_destroy(d);
    else
        *detector = d;
    return status;
}

void scree_detector_destroy(scree_detector *d)
{
    if (!d)
        return;
    if (d->state) {
        d->method->destroy(d->state, &d->env);
        scree_memory_give(&d->memory, &d->state, 1, d->method->state_bytes);
    }
    scree_search_free(&d->search);
    scree_pair_arrays_free(&d->arrays, &d->memory);
    scree_store_free(&d->store);
    scree_memory_give(&d->memory, &d->changed, d->changed_capacity, sizeof *d->changed);
    scree_workers_free(&d->workers);
    scree_memory memory;
    memory.allocator = d->memory.allocator;
    memory.bytes = sizeof *d;
    scree_memory_give(&memory, &d, 1, sizeof *d);
}

const char *scree_detector_message(const scree_detector *d) { return d ? d->error.text : ""; }

const scree_method_info *scree_detector_method(const scree_detector *d)
{
    return d ? &d->method->info : NULL;
}

static scree_status fail_memory(scree_detector *d, const char *what)
{
    return scree_fail(&d->error, SCREE_OUT_OF_MEMORY, "%s: out of memory with %u bodies", what,
                      d->store.body_count);
}

/* ---- what the method hears ---------------------------------------------------------------------- */

static scree_status build(scree_detector *d)
{
    scree_bodies bodies = scree_store_view(&d->store);
    d->is_stale = true;
    scree_status status = d->method->build(d->state, &d->env, &bodies);
    if (status)
        return fail_memory(d, "building the structure");
    d->is_stale = false;
    d->stats.rebuilds++;
    return SCREE_OK;
}

/*  One of the method's ways to hear of some bodies. Without it, or if it fails, the structure is stale. */
typedef scree_status change_fn(void *self, const scree_method_env *env, const scree_bodies *bodies,
                               const uint32_t *ids, size_t count);

static scree_status tell(scree_detector *d, change_fn *change, const uint32_t *ids, size_t count)
{
    if (count == 0 || d->is_stale)
        return SCREE_OK;
    d->is_stale = true;
    if (!change)
        return SCREE_OK;
    scree_bodies bodies = scree_store_view(&d->store);
    if (change(d->state, &d->env, &bodies, ids, count))
        return fail_memory(d, "changing the structure");
    d->is_stale = false;
    return SCREE_OK;
}

/* ---- reading tables ----------------------------------------------------------------------------- */

/*  What a first pass over the rows finds out. */
typedef struct survey
{
    uint32_t bound;    /* ids named are below this */
    size_t infinite;   /* infinite bodies among them */
} survey;

static scree_status read_row(const scree_detector *d, const scree_table *table, size_t index,
                             scree_row *row, scree_error *error)
{
    return scree_table_read(table, d->def.dimensions, d->def.unusable, index, row, error);
}

/*  Row k of those to be read. */
static size_t row_index(const scree_rows *dirty, size_t k) { return dirty ? dirty->rows[k] : k; }

static scree_status survey_rows(scree_detector *d, const scree_table *table,
                                const scree_rows *dirty, survey *found)
{
    size_t count = dirty ? dirty->count : table->count;
    *found = (survey){0, 0};
    for (size_t k = 0; k < count; k++) {
        scree_row row;
        size_t index = row_index(dirty, k);
        if (index >= table->count)
            return scree_fail(&d->error, SCREE_BAD_ARGUMENT,
                              "dirty row %zu is %zu, the table has %zu rows", k, index,
                              table->count);
        scree_status status = read_row(d, table, index, &row, &d->error);
        if (status)
            return status;
        if (row.id >= found->bound)
            found->bound = row.id + 1;
        found->infinite += (row.flags & SCREE_INFINITE) != 0;
    }
    return SCREE_OK;
}

/*  That no id is named twice, and, if `present` is 0 or 1, that all are absent or present. There must be
    room for the ids. */
static scree_status check_ids(scree_detector *d, const scree_table *table, const scree_rows *dirty,
                              int present)
{
    size_t count = dirty ? dirty->count : table->count;
    scree_store_begin(&d->store);
    for (size_t k = 0; k < count; k++) {
        scree_row row;
        size_t index = row_index(dirty, k);
        (void)read_row(d, table, index, &row, NULL);
        if (present >= 0 && scree_store_has(&d->store, row.id) != (present == 1))
            return scree_fail(&d->error, SCREE_BAD_ARGUMENT, "row %zu: body %u is %s", index, row.id,
                              present ? "not there" : "there already");
        if (!scree_store_name(&d->store, row.id))
            return scree_fail(&d->error, SCREE_BAD_ARGUMENT, "row %zu: body %u is named twice",
                              index, row.id);
    }
    return SCREE_OK;
}

static scree_status reserve(scree_detector *d, uint32_t bound, const scree_table *table,
                            size_t changed, size_t infinite)
{
    if (scree_store_reserve(&d->store, bound, table, infinite) ||
        scree_memory_reserve(&d->memory, &d->changed, &d->changed_capacity, changed,
                             sizeof *d->changed))
        return fail_memory(d, "reading the table");
    return SCREE_OK;
}

/* ---- changes ------------------------------------------------------------------------------------ */

static scree_status update_all(scree_detector *d, const scree_table *table)
{
    survey found;
    scree_status status = survey_rows(d, table, NULL, &found);
    if (!status)
        status = reserve(d, found.bound, table, 0, found.infinite);
    if (!status)
        status = check_ids(d, table, NULL, -1);
    if (status)
        return status;

    bool same = true;
    scree_store_forget_bounds(&d->store);
    for (size_t k = 0; k < table->count; k++) {
        scree_row row;
        (void)read_row(d, table, k, &row, NULL);
        same &= !scree_store_write(&d->store, &row);
    }
    same &= !scree_store_drop_unnamed(&d->store);
    if (!same)
        scree_store_relist_all(&d->store);
    if (!same || d->is_stale || !d->method->update)
        return build(d);

    scree_bodies bodies = scree_store_view(&d->store);
    d->is_stale = true;
    if (d->method->update(d->state, &d->env, &bodies, NULL, 0))
        return fail_memory(d, "updating the structure");
    d->is_stale = false;
    return SCREE_OK;
}

/*  The list `changed` has three parts: bodies that move from its beginning, those that enter from its
    end, and those that leave, which are told of before anything is written, from its beginning. */
static scree_status update_some(scree_detector *d, const scree_table *table,
                                const scree_rows *dirty)
{
    survey found;
    scree_status status = survey_rows(d, table, dirty, &found);
    if (!status)
        status = reserve(d, d->store.high, table, dirty->count, found.infinite);
    if (!status)
        status = check_ids(d, table, dirty, 1);
    if (status)
        return status;

    size_t leaving = 0, moving = 0, entering = dirty->count;
    for (size_t k = 0; k < dirty->count; k++) {
        scree_row row;
        (void)read_row(d, table, dirty->rows[k], &row, NULL);
        if (scree_store_would_leave(&d->store, &row))
            d->changed[leaving++] = row.id;
    }
    status = tell(d, d->method->remove, d->changed, leaving);

    for (size_t k = 0; k < dirty->count; k++) {
        scree_row row;
        (void)read_row(d, table, dirty->rows[k], &row, NULL);
        bool was_active = scree_store_is_active(&d->store, row.id);
        if (scree_store_write(&d->store, &row))
            scree_store_relist(&d->store, row.id);
        bool is_active = scree_store_is_active(&d->store, row.id);
        if (was_active && is_active)
            d->changed[moving++] = row.id;
        else if (is_active)
            d->changed[--entering] = row.id;
    }
    if (!status)
        status = tell(d, d->method->update, d->changed, moving);
    if (!status)
        status = tell(d, d->method->insert, d->changed + entering, dirty->count - entering);
    /* searching begins after the update: what must be built is built here */
    if (!status && d->is_stale)
        status = build(d);
    return status;
}

scree_status scree_detector_update(scree_detector *d, const scree_table *table,
                                   const scree_rows *dirty)
{
    if (!d)
        return SCREE_BAD_ARGUMENT;
    double start = scree_clock_seconds();
    scree_status status =
        scree_table_check(table, d->def.volume, d->def.dimensions, &d->error);
    if (status)
        return status;
    if (dirty && dirty->count && !dirty->rows)
        return scree_fail(&d->error, SCREE_BAD_ARGUMENT, "dirty has %zu rows at NULL", dirty->count);
    if (dirty && dirty->count > table->count)
        return scree_fail(&d->error, SCREE_BAD_ARGUMENT, "dirty has %zu rows, the table has %zu",
                          dirty->count, table->count);

    uint32_t rejected = d->store.rejected_count;
    status = dirty ? update_some(d, table, dirty) : update_all(d, table);
    d->stats.updates++;
    d->stats.sec_update = scree_clock_seconds() - start;
    if (d->store.rejected_count > rejected)
        scree_log_write(&d->def.log, SCREE_LOG_WARNING, SCREE_LOG_BODIES_REJECTED,
                        "%u bodies have unusable numbers and meet nothing", d->store.rejected_count);
    return status;
}

static scree_status check_insert(scree_detector *d, const scree_table *table, survey *found)
{
    scree_store *store = &d->store;
    scree_status status = survey_rows(d, table, NULL, found);
    if (status)
        return status;
    if (!table->ids.data) {
        if (table->count > SCREE_MAX_BODIES - store->high)
            return scree_fail(&d->error, SCREE_TOO_LARGE,
                              "insert: %zu bodies beside ids up to %u, must be below %u in all",
                              table->count, store->high, SCREE_MAX_BODIES);
        found->bound = store->high + (uint32_t)table->count;
    }
    status = reserve(d, found->bound > store->high ? found->bound : store->high, table,
                     table->count, found->infinite);
    if (!status && table->ids.data)
        status = check_ids(d, table, NULL, 0);
    return status;
}

scree_status scree_detector_insert(scree_detector *d, const scree_table *table, uint32_t *ids)
{
    if (!d)
        return SCREE_BAD_ARGUMENT;
    double start = scree_clock_seconds();
    survey found;
    scree_status status =
        scree_table_check(table, d->def.volume, d->def.dimensions, &d->error);
    if (!status)
        status = check_insert(d, table, &found);
    if (status)
        return status;

    size_t entering = 0;
    for (size_t k = 0; k < table->count; k++) {
        scree_row row;
        (void)read_row(d, table, k, &row, NULL);
        if (!table->ids.data)
            row.id = scree_store_new_id(&d->store);
        (void)scree_store_write(&d->store, &row);
        scree_store_relist(&d->store, row.id);
        if (scree_store_is_active(&d->store, row.id))
            d->changed[entering++] = row.id;
        if (ids)
            ids[k] = row.id;
    }
    status = tell(d, d->method->insert, d->changed, entering);
    d->stats.sec_update += scree_clock_seconds() - start;
    return status;
}

static scree_status check_remove(scree_detector *d, const uint32_t *ids, size_t count)
{
    if (count && !ids)
        return scree_fail(&d->error, SCREE_BAD_ARGUMENT, "remove: %zu ids at NULL", count);
    scree_store_begin(&d->store);
    for (size_t k = 0; k < count; k++) {
        if (!scree_store_has(&d->store, ids[k]))
            return scree_fail(&d->error, SCREE_BAD_ARGUMENT, "remove: body %u is not there", ids[k]);
        if (!scree_store_name(&d->store, ids[k]))
            return scree_fail(&d->error, SCREE_BAD_ARGUMENT, "remove: body %u is named twice",
                              ids[k]);
    }
    /* no id was named twice, so count is at most the number of bodies */
    if (scree_memory_reserve(&d->memory, &d->changed, &d->changed_capacity, count,
                             sizeof *d->changed))
        return fail_memory(d, "remove");
    return SCREE_OK;
}

scree_status scree_detector_remove(scree_detector *d, const uint32_t *ids, size_t count)
{
    if (!d)
        return SCREE_BAD_ARGUMENT;
    double start = scree_clock_seconds();
    scree_status status = check_remove(d, ids, count);
    if (status)
        return status;
    size_t leaving = 0;
    for (size_t k = 0; k < count; k++)
        if (scree_store_is_active(&d->store, ids[k]))
            d->changed[leaving++] = ids[k];
    status = tell(d, d->method->remove, d->changed, leaving);
    for (size_t k = 0; k < count; k++)
        scree_store_remove(&d->store, ids[k]);
    d->stats.sec_update += scree_clock_seconds() - start;
    return status;
}

scree_status scree_detector_clear(scree_detector *d)
{
    if (!d)
        return SCREE_BAD_ARGUMENT;
    scree_store_clear(&d->store);
    d->is_stale = true;
    return SCREE_OK;
}

/* ---- searches ----------------------------------------------------------------------------------- */

static void note_search(scree_detector *d, double start)
{
    d->stats.tested = d->search.tested;
    d->stats.reported = d->search.reported;
    d->stats.sec_query = scree_clock_seconds() - start;
}

static scree_status make_ready(scree_detector *d)
{
    return d->is_stale ? build(d) : SCREE_OK;
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
    return status ? fail_memory(d, "for_each_pair") : SCREE_OK;
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
        return fail_memory(d, "pairs");
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
            return scree_fail(&d->error, SCREE_TOO_SMALL,
                              "neighbors: the arrays have room for %llu starts and %llu neighbours, "
                              "%llu and %llu are needed",
                              (unsigned long long)options->start_capacity,
                              (unsigned long long)options->capacity, (unsigned long long)rows,
                              (unsigned long long)entries);
        *start = options->start;
        *neighbor = options->neighbor;
        return SCREE_OK;
    }
    if (entries > SIZE_MAX ||
        scree_memory_reserve(&d->memory, &a->start, &a->start_capacity, (size_t)rows,
                             sizeof *a->start) ||
        scree_memory_reserve(&d->memory, &a->neighbor, &a->neighbor_capacity, (size_t)entries,
                             sizeof *a->neighbor))
        return fail_memory(d, "neighbors");
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
        return fail_memory(d, "neighbors");
    uint64_t entries = options->half ? count : 2 * count;
    neighbors->id_bound = d->store.bound;
    neighbors->count = entries;
    status = choose_rows(d, options, entries, &start, &neighbor);
    if (status)
        return status;
    if (scree_pair_rows(&d->arrays, &d->memory, d->arrays.first, d->arrays.second, count,
                        d->store.bound, options->half, start, neighbor))
        return fail_memory(d, "neighbors");
    note_search(d, begin);
    neighbors->start = start;
    neighbors->neighbor = neighbor;
    return SCREE_OK;
}

scree_stats scree_detector_stats(const scree_detector *d)
{
    scree_stats stats;
    memset(&stats, 0, sizeof stats);
    if (!d)
        return stats;
    stats = d->stats;
    stats.rejected = d->store.rejected_count;
    stats.bodies = d->store.body_count;
    stats.bytes = d->memory.bytes;
    if (d->method->stats)
        d->method->stats(d->state, &stats);
    return stats;
}
