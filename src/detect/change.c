/*  Changes to the bodies of a detector. Each is read and checked as a whole before anything is changed; then the
    method is told in the cheapest way. */
#include "detect/detector_internal.h"

#include "base/clock.h"
#include "detect/look.h"

#include <math.h>

/* ---- what the method hears ---- */

/*  A function of the method that is called for some bodies. Without it, or if it runs out of memory, the structure is
    stale: it is built when it is next needed. */
typedef scree_status change_fn(void *self, const scree_method_env *env, const scree_bodies *bodies,
                               const uint32_t *ids, size_t count);

static void tell(scree_detector *d, change_fn *change, const uint32_t *ids, size_t count)
{
    if (count == 0 || d->is_stale)
        return;
    d->is_stale = true;
    /* images change with every move: they are made again */
    if (!change || d->search.images)
        return;
    scree_bodies bodies = scree_store_view(&d->store);
    d->is_stale = change(d->state, &d->env, &bodies, ids, count) != SCREE_OK;
}

/*  Whether insertions and removals can be passed to the method later, in batches. */
static bool may_wait(const scree_detector *d)
{
    return d->method->batches && !d->is_stale && !d->search.images;
}

/*  Bodies have become active, by a call of their own. */
static void enter(scree_detector *d, const uint32_t *ids, size_t count)
{
    if (may_wait(d) && !scree_waiting_enter(&d->waiting, &d->memory, d->store.high, ids, count))
        return;
    scree_change_settle(d);
    tell(d, d->method->insert, ids, count);
}

/*  Bodies are about to be removed. */
static void leave(scree_detector *d, const uint32_t *ids, size_t count)
{
    if (may_wait(d) && !scree_waiting_leave(&d->waiting, &d->memory, ids, count))
        return;
    scree_change_settle(d);
    tell(d, d->method->remove, ids, count);
}

void scree_change_settle(scree_detector *d)
{
    scree_waiting *waiting = &d->waiting;
    if (scree_waiting_is_empty(waiting))
        return;
    double start = scree_clock_seconds();
    /* in this order: an id may have been reused */
    tell(d, d->method->remove, waiting->leaving, waiting->leaving_count);
    tell(d, d->method->insert, waiting->entering, waiting->entering_count);
    scree_waiting_clear(waiting);
    d->stats.sec_update += scree_clock_seconds() - start;
}

/* ---- reading tables ---- */

/*  Periodic domain: only one image of a body may overlap another, and coordinates must be accurate enough to be
    wrapped. */
static scree_status check_periodic(const scree_detector *d, const scree_row *row, size_t index,
                                   scree_error *error)
{
    bool spheres = d->def.volume == SCREE_SPHERES;
    for (int k = 0; k < d->def.dimensions; k++) {
        double period = d->images.cell.period[k], place = row->number[k];
        double width = spheres ? 2 * row->number[3] : row->number[3 + k] - row->number[k];
        if (period == 0)
            continue;
        if (!(width < 0.5 * period))
            return scree_fail(error, SCREE_BAD_VALUE,
                              "row %zu (body %u): it is %g wide on axis %c, must be less than half "
                              "the period, %g",
                              index, row->id, width, "xyz"[k], period);
        if (!(fabs(place) <= SCREE_CELL_MAX_PERIODS * period))
            return scree_fail(error, SCREE_BAD_VALUE,
                              "row %zu (body %u): it lies at %g on axis %c, must be within %g "
                              "periods of %g",
                              index, row->id, place, "xyz"[k], SCREE_CELL_MAX_PERIODS, period);
    }
    return SCREE_OK;
}

scree_status scree_change_read(const scree_detector *d, const scree_table *table, size_t index,
                               scree_row *row, scree_error *error)
{
    scree_status status =
        scree_table_read(table, d->def.dimensions, d->def.unusable, index, row, error);
    if (status || !d->search.images || !row->usable ||
        (row->flags & (SCREE_INFINITE | SCREE_NO_BOUND)))
        return status;
    if (d->def.unusable == SCREE_REFUSE_CALL)
        return check_periodic(d, row, index, error);
    row->usable = check_periodic(d, row, index, NULL) == SCREE_OK;
    return SCREE_OK;
}

/*  Row k of those to be read. */
static size_t row_index(const scree_rows *dirty, size_t k)
{
    return dirty ? dirty->rows[k] : k;
}

scree_status scree_change_survey(scree_detector *d, const scree_table *table,
                                 const scree_rows *dirty, scree_survey *found)
{
    size_t count = dirty ? dirty->count : table->count;
    *found = (scree_survey){0, 0};
    for (size_t k = 0; k < count; k++) {
        scree_row row = {0};
        size_t index = row_index(dirty, k);
        if (index >= table->count)
            return scree_fail(&d->error, SCREE_BAD_ARGUMENT,
                              "dirty row %zu is %zu, the table has %zu rows", k, index,
                              table->count);
        scree_status status = scree_change_read(d, table, index, &row, &d->error);
        if (status)
            return status;
        if (row.id >= found->bound)
            found->bound = row.id + 1;
        found->infinite += (row.flags & SCREE_INFINITE) != 0;
    }
    return SCREE_OK;
}

scree_status scree_change_check_ids(scree_detector *d, const scree_table *table,
                                    const scree_rows *dirty, int present)
{
    size_t count = dirty ? dirty->count : table->count;
    if (scree_store_begin(&d->store))
        return scree_detector_out_of_memory(d, "reading the table");
    for (size_t k = 0; k < count; k++) {
        size_t index = row_index(dirty, k);
        uint32_t id = (uint32_t)index;
        scree_integers_read(table->ids, index, &id, sizeof id);
        if (present >= 0 && scree_store_has(&d->store, id) != (present == 1))
            return scree_fail(&d->error, SCREE_BAD_ARGUMENT, "row %zu: body %u is %s", index, id,
                              present ? "not there" : "there already");
        if (!scree_store_name(&d->store, id))
            return scree_fail(&d->error, SCREE_BAD_ARGUMENT, "row %zu: body %u is named twice",
                              index, id);
    }
    return SCREE_OK;
}

scree_status scree_change_reserve(scree_detector *d, uint32_t bound, const scree_table *table,
                                  size_t changed, size_t infinite)
{
    if (scree_store_reserve(&d->store, bound, table, infinite) ||
        scree_margin_reserve(&d->margin, bound) ||
        scree_memory_reserve(&d->memory, &d->changed, &d->changed_capacity, changed,
                             sizeof *d->changed))
        return scree_detector_out_of_memory(d, "reading the table");
    return SCREE_OK;
}

/* ---- changes ---- */

/*  Maps a body with its margin: the row is enlarged before it is stored. */
static bool write_row(scree_detector *d, scree_row *row, size_t index)
{
    bool is_bounded = row->usable && !(row->flags & (SCREE_INFINITE | SCREE_NO_BOUND));
    if (scree_margin_is_on(&d->margin) && is_bounded) {
        scree_row_motion row_motion = scree_detector_row_motion(d, row, index);
        if (scree_store_is_active(&d->store, row->id))
            row_motion.moved = scree_margin_moved(&d->margin, &d->store, row);
        scree_margin_place(&d->margin, row, &row_motion);
    }
    return scree_store_write(&d->store, row);
}

static scree_status finish(scree_detector *d, bool same)
{
    const bool was_stale = d->is_stale;
    bool same_images;
    d->is_stale = true;
    scree_status status = scree_detector_make_images(d, &same_images);
    if (status)
        return status;
    if (was_stale || !same || !same_images || !d->method->update)
        return scree_detector_build_method(d);

    scree_bodies bodies = scree_detector_view(d);
    if (d->method->update(d->state, &d->env, &bodies, NULL, 0))
        return scree_detector_out_of_memory(d, "updating the structure");
    d->is_stale = false;
    return SCREE_OK;
}

scree_status scree_change_finish(scree_detector *d, bool same)
{
    scree_status status = finish(d, same);
    d->store.has_range = false;
    return status;
}

scree_status scree_change_all(scree_detector *d, const scree_table *table)
{
    bool same = true;
    scree_store_forget_bounds(&d->store);
    for (size_t k = 0; k < table->count; k++) {
        scree_row row = {0};
        (void)scree_change_read(d, table, k, &row, NULL);
        same &= !write_row(d, &row, k);
    }
    same &= !scree_store_drop_unnamed(&d->store);
    if (!same)
        scree_store_relist_all(&d->store);
    return scree_change_finish(d, same);
}

/*  The list `changed` has three parts: bodies that move from its start, those that enter from its end, and those
    that leave, which are passed to the method before anything is stored, from its start. */
scree_status scree_change_some(scree_detector *d, const scree_table *table, const scree_rows *dirty)
{
    size_t leaving = 0, moving = 0, entering = dirty->count;
    bool may_leave = table->flags.data || d->def.unusable == SCREE_SKIP_BODY;
    for (size_t k = 0; k < dirty->count && may_leave; k++) {
        scree_row row = {0};
        (void)scree_change_read(d, table, dirty->rows[k], &row, NULL);
        if (scree_store_would_leave(&d->store, &row))
            d->changed[leaving++] = row.id;
    }
    tell(d, d->method->remove, d->changed, leaving);

    for (size_t k = 0; k < dirty->count; k++) {
        scree_row row = {0};
        (void)scree_change_read(d, table, dirty->rows[k], &row, NULL);
        bool was_active = scree_store_is_active(&d->store, row.id);
        if (!write_row(d, &row, dirty->rows[k])) {
            if (was_active)
                d->changed[moving++] = row.id;
        } else if (was_active) {
            scree_store_relist(&d->store, row.id);
        } else {
            d->changed[--entering] = row.id;
        }
    }
    tell(d, d->method->update, d->changed, moving);
    /* only now: an update is for the bodies that the structure has */
    size_t first = dirty->count;
    for (size_t k = dirty->count; k-- > entering;) {
        uint32_t id = d->changed[k];
        scree_store_relist(&d->store, id);
        if (scree_store_is_active(&d->store, id))
            d->changed[--first] = id;
    }
    if (first < dirty->count)
        tell(d, d->method->insert, &d->changed[first], dirty->count - first);
    /* searches start after the update: if a build is needed, it is done here */
    return d->is_stale ? scree_detector_build(d) : SCREE_OK;
}

/*  Without a call of advance, bodies are mapped as if at rest. */
static void begin_run_at_rest(scree_detector *d, double smallest)
{
    static const scree_speeds rest;
    scree_margin_begin_run(&d->margin, &rest, 0, smallest < INFINITY ? smallest : 0);
}

static double find_smallest(const scree_detector *d, const scree_table *table)
{
    double smallest = INFINITY;
    for (size_t k = 0; k < table->count; k++) {
        scree_row row = {0};
        (void)scree_change_read(d, table, k, &row, NULL);
        double size = scree_margin_size(&d->margin, &row);
        if (row.usable && size > 0)
            smallest = fmin(smallest, size);
    }
    return smallest;
}

/*  With a margin: maps the present bodies again, by columns. */
static scree_status remap_all(scree_detector *d, const scree_table *table, scree_plan *plan)
{
    begin_run_at_rest(d, plan->smallest);
    d->margin.farthest = fmax(d->margin.farthest, plan->farthest);
    scree_look_map_all(d, table, plan);
    scree_store_forget_freed(&d->store);
    scree_status status = scree_change_finish(d, true);
    scree_margin_end_run(&d->margin);
    return status;
}

static scree_status update_all(scree_detector *d, const scree_table *table)
{
    scree_survey found;
    scree_plan plan;
    if (scree_look_at_rest(d, table, &plan))
        return remap_all(d, table, &plan);
    if (scree_replace_fits(d, table) && scree_replace_is_usable(d, table)) {
        uint32_t bound = (uint32_t)table->count;
        if (scree_change_reserve(d, bound, table, 0, 0))
            return SCREE_OUT_OF_MEMORY;
        return scree_change_finish(d, !scree_replace_all(d, table));
    }
    scree_status status = scree_change_survey(d, table, NULL, &found);
    if (!status)
        status = scree_change_reserve(d, found.bound, table, 0, found.infinite);
    if (!status)
        status = scree_change_check_ids(d, table, NULL, -1);
    if (status)
        return status;
    if (scree_margin_is_on(&d->margin))
        begin_run_at_rest(d, find_smallest(d, table));
    status = scree_change_all(d, table);
    scree_margin_end_run(&d->margin);
    return status;
}

static scree_status update_some(scree_detector *d, const scree_table *table,
                                const scree_rows *dirty)
{
    scree_survey found;
    scree_status status = scree_change_survey(d, table, dirty, &found);
    if (!status)
        status = scree_change_reserve(d, d->store.high, table, dirty->count, found.infinite);
    if (!status)
        status = scree_change_check_ids(d, table, dirty, 1);
    return status ? status : scree_change_some(d, table, dirty);
}

scree_status scree_detector_update(scree_detector *d, const scree_table *table,
                                   const scree_rows *dirty)
{
    if (!d)
        return SCREE_BAD_ARGUMENT;
    d->leeway.rows = 0;
    double start = scree_clock_seconds();
    scree_status status = scree_table_check(table, d->def.volume, d->def.dimensions, &d->error);
    if (status)
        return status;
    if (dirty && dirty->count && !dirty->rows)
        return scree_fail(&d->error, SCREE_BAD_ARGUMENT, "dirty has %zu rows at NULL",
                          dirty->count);
    if (dirty && dirty->count > table->count)
        return scree_fail(&d->error, SCREE_BAD_ARGUMENT, "dirty has %zu rows, the table has %zu",
                          dirty->count, table->count);

    uint32_t rejected = d->store.rejected_count;
    scree_change_settle(d);
    status = dirty ? update_some(d, table, dirty) : update_all(d, table);
    d->stats.updates++;
    d->stats.sec_update = scree_clock_seconds() - start;
    if (d->store.rejected_count > rejected)
        scree_log_write(&d->def.log, SCREE_LOG_WARNING, SCREE_LOG_BODIES_REJECTED,
                        "%u bodies have unusable numbers and meet nothing",
                        d->store.rejected_count);
    return status;
}

static scree_status check_insert(scree_detector *d, const scree_table *table, scree_survey *found)
{
    scree_store *store = &d->store;
    scree_status status = scree_change_survey(d, table, NULL, found);
    if (status)
        return status;
    if (!table->ids.data) {
        if (table->count > SCREE_MAX_BODIES - store->high)
            return scree_fail(&d->error, SCREE_TOO_LARGE,
                              "insert: %zu bodies beside ids up to %u, must be below %u in all",
                              table->count, store->high, SCREE_MAX_BODIES);
        found->bound = store->high + (uint32_t)table->count;
    }
    status = scree_change_reserve(d, found->bound > store->high ? found->bound : store->high, table,
                                  table->count, found->infinite);
    if (!status && table->ids.data)
        status = scree_change_check_ids(d, table, NULL, 0);
    return status;
}

scree_status scree_detector_insert(scree_detector *d, const scree_table *table, uint32_t *ids)
{
    if (!d)
        return SCREE_BAD_ARGUMENT;
    d->leeway.rows = 0;
    double start = scree_clock_seconds();
    scree_survey found;
    scree_status status = scree_table_check(table, d->def.volume, d->def.dimensions, &d->error);
    if (!status)
        status = check_insert(d, table, &found);
    if (status)
        return status;

    size_t entering = 0;
    for (size_t k = 0; k < table->count; k++) {
        scree_row row = {0};
        (void)scree_change_read(d, table, k, &row, NULL);
        if (!table->ids.data)
            row.id = scree_store_new_id(&d->store);
        (void)write_row(d, &row, k);
        scree_store_relist(&d->store, row.id);
        if (scree_store_is_active(&d->store, row.id))
            d->changed[entering++] = row.id;
        if (ids)
            ids[k] = row.id;
    }
    enter(d, d->changed, entering);
    d->stats.sec_update += scree_clock_seconds() - start;
    return SCREE_OK;
}

static scree_status check_remove(scree_detector *d, const uint32_t *ids, size_t count)
{
    if (count && !ids)
        return scree_fail(&d->error, SCREE_BAD_ARGUMENT, "remove: %zu ids at NULL", count);
    if (scree_store_begin(&d->store) || scree_store_reserve_freed(&d->store))
        return scree_detector_out_of_memory(d, "remove");
    for (size_t k = 0; k < count; k++) {
        if (!scree_store_has(&d->store, ids[k]))
            return scree_fail(&d->error, SCREE_BAD_ARGUMENT, "remove: body %u is not there",
                              ids[k]);
        if (!scree_store_name(&d->store, ids[k]))
            return scree_fail(&d->error, SCREE_BAD_ARGUMENT, "remove: body %u is named twice",
                              ids[k]);
    }
    /* no id was given twice, so count is at most the number of bodies */
    if (scree_memory_reserve(&d->memory, &d->changed, &d->changed_capacity, count,
                             sizeof *d->changed))
        return scree_detector_out_of_memory(d, "remove");
    return SCREE_OK;
}

void scree_change_remove(scree_detector *d, const uint32_t *ids, size_t count)
{
    size_t leaving = 0;
    for (size_t k = 0; k < count; k++)
        if (scree_store_is_active(&d->store, ids[k]))
            d->changed[leaving++] = ids[k];
    leave(d, d->changed, leaving);
    for (size_t k = 0; k < count; k++)
        scree_store_remove(&d->store, ids[k]);
}

scree_status scree_detector_remove(scree_detector *d, const uint32_t *ids, size_t count)
{
    if (!d)
        return SCREE_BAD_ARGUMENT;
    d->leeway.rows = 0;
    double start = scree_clock_seconds();
    scree_status status = check_remove(d, ids, count);
    if (status)
        return status;
    scree_change_remove(d, ids, count);
    d->stats.sec_update += scree_clock_seconds() - start;
    return SCREE_OK;
}

scree_status scree_detector_clear(scree_detector *d)
{
    if (!d)
        return SCREE_BAD_ARGUMENT;
    scree_store_clear(&d->store);
    d->leeway.rows = 0;
    d->is_stale = true;
    return SCREE_OK;
}
