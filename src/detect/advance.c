/*  One step with a margin: looks at every body's place and speed, decides who must be mapped, and maps
    them. Nothing is changed before all rows, old and new, have been read and found usable. */
#include "detect/detector_internal.h"

#include "base/clock.h"
#include "detect/motion.h"

#include <math.h>
#include <string.h>

/*  What is found out about a step before anything is changed. */
typedef struct plan
{
    scree_speeds speeds;
    size_t row_count; /* rows that must be mapped, in detector->rows */
    size_t present;   /* rows of bodies that are there */
    uint64_t late;
    double used, smallest;
} plan;

scree_pace scree_detector_pace(const scree_detector *d, const scree_row *row, size_t index)
{
    scree_pace pace = {0, d->dt, d->margin.def.constant, -1, SCREE_PIECE_BALL};
    (void)row;
    if (d->motion)
        scree_motion_read(d->motion, d->def.dimensions, index, &pace);
    return pace;
}

static bool is_bounded(const scree_row *row)
{
    return row->usable && !(row->flags & (SCREE_INFINITE | SCREE_NO_BOUND));
}

static scree_status check_pace(scree_detector *d, const scree_row *row, size_t index,
                               const scree_pace *pace)
{
    if (!(pace->speed <= SCREE_MAX_COORDINATE))
        return scree_fail(&d->error, SCREE_BAD_VALUE,
                          "row %zu (body %u): speed is %g, must be finite and at most 1e100", index,
                          row->id, pace->speed);
    if (pace->kind >= SCREE_PIECE_KINDS)
        return scree_fail(&d->error, SCREE_BAD_VALUE,
                          "row %zu (body %u): kind is %u, must be 0 to %d", index, row->id,
                          pace->kind, SCREE_PIECE_KINDS - 1);
    if (!(pace->constant >= 0 && pace->constant <= SCREE_MAX_COORDINATE))
        return scree_fail(&d->error, SCREE_BAD_VALUE,
                          "row %zu (body %u): constant tolerance is %g, must be 0 to 1e100", index,
                          row->id, pace->constant);
    if (d->margin.def.kind != SCREE_MARGIN_TOLERANCE)
        return SCREE_OK;
    double size = scree_margin_size(&d->margin, row);
    double tolerance = scree_margin_tolerance(&d->margin, size, pace);
    if (!(tolerance > 0 && tolerance <= SCREE_MAX_COORDINATE))
        return scree_fail(&d->error, SCREE_BAD_VALUE,
                          "row %zu (body %u): tolerance is %g, must be above 0: size is %g", index,
                          row->id, tolerance, size);
    return SCREE_OK;
}

/* ---- planning ---- */

/*  True if bodies are mapped one by one; else one that must be mapped makes all of them be. */
static bool maps_singly(const scree_detector *d)
{
    return d->margin.def.kind == SCREE_MARGIN_TOLERANCE;
}

/*  A body that is there and was mapped: whether it must be mapped again. */
static bool must_be_mapped(scree_detector *d, const scree_row *row, plan *p)
{
    const scree_margin *margin = &d->margin;
    double moved = scree_margin_moved(margin, &d->store, row);
    double allowance = margin->allowance[row->id];
    if (moved > 0)
        p->used = fmax(p->used, allowance > 0 ? moved / allowance : INFINITY);
    if (margin->def.kind == SCREE_MARGIN_TOLERANCE)
        p->late += moved > margin->growth[row->id] - 0.5 * margin->def.interaction;
    return scree_margin_has_left(margin, &d->store, row, moved) ||
           (margin->def.kind == SCREE_MARGIN_TOLERANCE &&
            scree_margin_size(margin, row) != margin->size[row->id] &&
            margin->volume == SCREE_SPHERES);
}

static scree_status plan_row(scree_detector *d, const scree_table *table, size_t index, plan *p)
{
    scree_row row;
    (void)scree_change_read(d, table, index, &row, NULL);
    bool was_active = scree_store_is_active(&d->store, row.id);
    bool must = scree_store_differs(&d->store, &row);
    p->present += scree_store_has(&d->store, row.id);
    if (is_bounded(&row)) {
        scree_pace pace = scree_detector_pace(d, &row, index);
        scree_status status = check_pace(d, &row, index, &pace);
        if (status)
            return status;
        double size = scree_margin_size(&d->margin, &row);
        if (size > 0)
            p->smallest = fmin(p->smallest, size);
        if (was_active) {
            scree_margin_add_speed(&d->margin, &p->speeds, row.id, pace.speed);
            must |= !scree_margin_is_on(&d->margin) || must_be_mapped(d, &row, p);
        } else {
            p->speeds.greatest = fmax(p->speeds.greatest, pace.speed);
        }
    }
    if (must)
        d->rows[p->row_count++] = (uint32_t)index;
    return SCREE_OK;
}

/*  Only speeds are looked at: the caller trusts them, and the bodies are the same as before. */
static bool may_trust(const scree_detector *d, const scree_table *table)
{
    return d->margin.def.trust_velocities && scree_margin_needs_velocities(&d->margin) &&
           d->margin.has_run && !table->ids.data && table->count == d->store.body_count &&
           table->count == d->store.bound;
}

static scree_status plan_speeds(scree_detector *d, size_t count, plan *p)
{
    for (uint32_t id = 0; id < count; id++) {
        if (!scree_store_is_active(&d->store, id))
            continue;
        scree_row row = {.id = id};
        scree_pace pace = scree_detector_pace(d, &row, id);
        if (!(pace.speed <= SCREE_MAX_COORDINATE))
            return check_pace(d, &row, id, &pace);
        scree_margin_add_speed(&d->margin, &p->speeds, id, pace.speed);
    }
    p->present = count;
    return SCREE_OK;
}

static scree_status make_plan(scree_detector *d, const scree_table *table, plan *p)
{
    scree_survey found;
    memset(p, 0, sizeof *p);
    p->smallest = INFINITY;
    if (may_trust(d, table)) {
        scree_status status = plan_speeds(d, table->count, p);
        if (status || !scree_margin_is_due(&d->margin, &p->speeds))
            return status;
        memset(p, 0, sizeof *p);
        p->smallest = INFINITY;
    }
    scree_status status = scree_change_survey(d, table, NULL, &found);
    uint32_t bound = found.bound > d->store.high ? found.bound : d->store.high;
    /* bodies that vanish may be as many as there are */
    size_t changed = table->count > d->store.body_count ? table->count : d->store.body_count;
    if (!status)
        status = scree_change_reserve(d, bound, table, changed, found.infinite);
    if (!status && (scree_memory_reserve(&d->memory, &d->rows, &d->rows_capacity, table->count,
                                         sizeof *d->rows) ||
                    scree_memory_reserve(&d->memory, &d->vanished, &d->vanished_capacity,
                                         d->store.body_count, sizeof *d->vanished)))
        status = scree_detector_out_of_memory(d, "advance");
    if (!status)
        status = scree_change_check_ids(d, table, NULL, -1);
    for (size_t k = 0; k < table->count && !status; k++)
        status = plan_row(d, table, k, p);
    return status;
}

/* ---- carrying it out ---- */

/*  Bodies that the table does not name leave. */
static void drop_vanished(scree_detector *d)
{
    size_t count = 0;
    for (uint32_t id = 0; id < d->store.bound; id++)
        if (scree_store_has(&d->store, id) && !scree_store_was_named(&d->store, id))
            d->vanished[count++] = id;
    scree_change_remove(d, d->vanished, count);
}

static scree_status map_all(scree_detector *d, const scree_table *table, const plan *p)
{
    scree_margin_begin_run(&d->margin, &p->speeds, d->dt, p->smallest < INFINITY ? p->smallest : 0);
    scree_status status = scree_change_all(d, table);
    scree_margin_end_run(&d->margin);
    return status;
}

static scree_status carry_out(scree_detector *d, const scree_table *table, const plan *p,
                              scree_advance *did)
{
    bool vanished = p->present < d->store.body_count;
    bool any = vanished || p->row_count > 0 || d->margin.def.kind == SCREE_MARGIN_NONE ||
               scree_margin_is_due(&d->margin, &p->speeds);
    did->ran = any;
    did->late = p->late;
    did->used = p->used;
    if (!any)
        return SCREE_OK;
    if (!maps_singly(d) || p->row_count == table->count) {
        did->mapped = table->count;
        return map_all(d, table, p);
    }
    const scree_rows rows = {d->rows, p->row_count};
    did->mapped = p->row_count;
    if (vanished)
        drop_vanished(d);
    return scree_change_some(d, table, &rows);
}

static scree_status check_call(scree_detector *d, const scree_table *table,
                               const scree_motion *motion, double dt)
{
    scree_status status = scree_table_check(table, d->def.volume, d->def.dimensions, &d->error);
    if (!status && !(dt > 0 && dt <= SCREE_MAX_COORDINATE))
        status = scree_fail(&d->error, SCREE_BAD_VALUE,
                            "advance: dt is %g, must be above 0 and at most 1e100", dt);
    if (!status && motion)
        status = scree_motion_check(motion, d->def.dimensions, table->count, &d->error);
    if (!status && scree_margin_needs_velocities(&d->margin) &&
        !(motion && scree_motion_has_velocities(motion)))
        status = scree_fail(&d->error, SCREE_BAD_ARGUMENT,
                            "advance: this margin needs velocities, none are given");
    return status;
}

scree_status scree_detector_advance(scree_detector *d, const scree_table *table,
                                    const scree_motion *motion, double dt, scree_advance *did)
{
    scree_advance unused;
    plan p;
    if (!did)
        did = &unused;
    *did = (scree_advance){false, 0, 0, 0};
    if (!d)
        return SCREE_BAD_ARGUMENT;
    double start = scree_clock_seconds();
    scree_status status = check_call(d, table, motion, dt);
    if (status)
        return status;
    d->motion = motion;
    d->dt = dt;
    status = make_plan(d, table, &p);
    if (!status) {
        status = carry_out(d, table, &p, did);
        scree_margin_end_step(&d->margin, &p.speeds, dt);
        d->stats.advances++;
        d->stats.runs += did->ran;
        d->stats.late += did->late;
    }
    d->motion = NULL;
    d->dt = 0;
    d->stats.sec_update = scree_clock_seconds() - start;
    return status;
}

scree_status scree_detector_longest_step(scree_detector *d, const scree_table *table,
                                         const scree_motion *motion, double *dt)
{
    if (!d || !dt)
        return SCREE_BAD_ARGUMENT;
    *dt = INFINITY;
    scree_status status = check_call(d, table, motion, 1);
    if (!status && !scree_margin_is_on(&d->margin))
        status = scree_fail(&d->error, SCREE_BAD_ARGUMENT, "longest_step: there is no margin");
    d->motion = motion;
    for (size_t k = 0; k < table->count && !status; k++) {
        scree_row row;
        status = scree_change_read(d, table, k, &row, &d->error);
        if (status || !is_bounded(&row))
            continue;
        scree_pace pace = scree_detector_pace(d, &row, k);
        status = check_pace(d, &row, k, &pace);
        if (!status && !scree_store_is_active(&d->store, row.id))
            status = scree_fail(&d->error, SCREE_BAD_ARGUMENT,
                                "row %zu: body %u has not been mapped", k, row.id);
        if (!status && pace.speed > 0)
            *dt = fmin(*dt, d->margin.allowance[row.id] / pace.speed);
    }
    d->motion = NULL;
    return status;
}
