/*  Finds what a step with a margin needs: which bodies must be mapped, and what the schedules need to know of all.
    Most steps need nothing, so a quick check finds that out for tables with the same bodies as before (look.c). Only
    if something must change, or is invalid, are the rows read with all checks. */
#include "detect/plan.h"

#include "detect/look.h"
#include "detect/motion.h"

#include <math.h>
#include <string.h>

scree_row_motion scree_detector_row_motion(const scree_detector *d, const scree_row *row,
                                           size_t index)
{
    scree_row_motion row_motion = {0, d->dt, d->margin.def.constant, -1, SCREE_PIECE_BALL};
    (void)row;
    if (d->motion)
        scree_motion_read(d->motion, d->def.dimensions, index, &row_motion);
    return row_motion;
}

static bool is_motion_usable(const scree_row_motion *row_motion)
{
    return row_motion->speed <= SCREE_MAX_COORDINATE && row_motion->kind < SCREE_PIECE_KINDS &&
           row_motion->constant >= 0 && row_motion->constant <= SCREE_MAX_COORDINATE;
}

scree_status scree_plan_check_row_motion(scree_detector *d, const scree_row *row, size_t index,
                                         const scree_row_motion *row_motion, bool is_mapped)
{
    if (!is_motion_usable(row_motion))
        return scree_motion_explain(d->motion, d->def.dimensions, index, row->id, &d->error);
    if (d->margin.def.kind != SCREE_MARGIN_TOLERANCE || !is_mapped)
        return SCREE_OK;
    scree_row_motion rest = *row_motion;
    double size = scree_margin_size(&d->margin, row);
    rest.speed = 0;
    if (!(scree_margin_tolerance(&d->margin, size, &rest) > 0))
        return scree_fail(&d->error, SCREE_BAD_VALUE,
                          "row %zu (body %u): tolerance is 0 at rest, must be above: size is %g, "
                          "constant %g",
                          index, row->id, size, row_motion->constant);
    double growth = d->margin.def.reach * scree_margin_tolerance(&d->margin, size, row_motion) +
                    0.5 * d->margin.def.interaction;
    if (!(growth <= SCREE_MAX_COORDINATE))
        return scree_fail(&d->error, SCREE_BAD_VALUE,
                          "row %zu (body %u): tolerance makes it grow by %g, must be at most 1e100",
                          index, row->id, growth);
    return SCREE_OK;
}

/* ---- one body ---- */

/*  Whether a body that has been mapped must be mapped again. */
static bool must_be_mapped(const scree_detector *d, const scree_row *row,
                           const scree_row_motion *row_motion, scree_plan *p)
{
    const scree_margin *margin = &d->margin;
    uint32_t id = row->id;
    double moved = scree_margin_moved(margin, &d->store, row);
    if (moved > p->used * margin->allowance[id])
        p->used = moved / margin->allowance[id];
    bool must = scree_margin_has_left(margin, &d->store, row, moved);
    if (margin->def.kind == SCREE_MARGIN_TOLERANCE) {
        p->late += moved > margin->def.reach * margin->allowance[id];
        must |=
            row_motion->constant != margin->constant[id] || row_motion->kind != margin->kind[id];
        must |= margin->volume == SCREE_SPHERES && row->number[3] != margin->size[id];
    }
    return must;
}

/*  Records what the lengths of a run depend on. */
static void note_size(const scree_detector *d, const scree_row *row, scree_plan *p)
{
    double size = scree_margin_size(&d->margin, row);
    if (size > 0 && size < p->smallest)
        p->smallest = size;
    p->farthest = fmax(p->farthest, scree_margin_magnitude(&d->margin, row));
}

static scree_status plan_row(scree_detector *d, const scree_table *table, size_t index,
                             scree_plan *p)
{
    scree_row row = {0};
    scree_status status = SCREE_OK;
    (void)scree_change_read(d, table, index, &row, NULL);
    bool must = scree_store_differs(&d->store, &row);
    p->present += scree_store_has(&d->store, row.id);
    if (scree_row_is_bounded(&row)) {
        scree_row_motion row_motion = scree_detector_row_motion(d, &row, index);
        status = scree_plan_check_row_motion(d, &row, index, &row_motion, false);
        if (status)
            return status;
        note_size(d, &row, p);
        if (scree_store_is_active(&d->store, row.id)) {
            scree_margin_add_speed(&d->margin, &p->speeds, row.id, row_motion.speed);
            must |= !scree_margin_is_on(&d->margin) || must_be_mapped(d, &row, &row_motion, p);
        } else {
            p->speeds.largest = fmax(p->speeds.largest, row_motion.speed);
        }
        if (must)
            status = scree_plan_check_row_motion(d, &row, index, &row_motion, true);
    }
    if (must)
        d->rows[p->row_count++] = (uint32_t)index;
    return status;
}

static void begin(scree_plan *p)
{
    memset(p, 0, sizeof *p);
    p->smallest = INFINITY;
}

/* ---- speeds alone ---- */

/*  Only speeds are read if the caller trusts them, all bodies were mapped by an advance, and the rows are the
    present bodies, in the order of their ids. */
static bool may_trust(const scree_detector *d, const scree_table *table)
{
    return d->margin.def.trust_velocities && scree_margin_is_scheduled(&d->margin) &&
           !d->margin.must_run && !d->margin.is_cramped && !table->ids.data &&
           table->count == d->store.body_count && table->count == d->store.bound;
}

/* ---- every check ---- */

static scree_status plan_rows(scree_detector *d, const scree_table *table, scree_plan *p)
{
    scree_survey found;
    scree_status status = scree_change_survey(d, table, NULL, &found);
    uint32_t bound = found.bound > d->store.high ? found.bound : d->store.high;
    /* as many bodies may vanish as there are */
    size_t changed = table->count > d->store.body_count ? table->count : d->store.body_count;
    if (!status)
        status = scree_change_reserve(d, bound, table, changed, found.infinite);
    if (!status && (scree_store_reserve_freed(&d->store) ||
                    scree_memory_reserve(&d->memory, &d->vanished, &d->vanished_capacity,
                                         d->store.body_count, sizeof *d->vanished)))
        status = scree_detector_out_of_memory(d, "advance");
    if (!status)
        status = scree_change_check_ids(d, table, NULL, -1);
    for (size_t k = 0; k < table->count && !status; k++)
        status = plan_row(d, table, k, p);
    p->are_named = true;
    return status;
}

scree_status scree_plan_make(scree_detector *d, const scree_table *table, scree_plan *p)
{
    const size_t known_rows = d->leeway.rows;

    begin(p);
    d->leeway.rows = 0;
    if (may_trust(d, table)) {
        scree_status status = scree_look_at_speeds(d, table->count, p);
        if (status || !scree_margin_is_due(&d->margin, &p->speeds))
            return status;
        begin(p);
    }
    if (scree_replace_fits(d, table) && scree_replace_is_usable(d, table) &&
        (!d->motion || scree_look_is_motion_usable(d, table->count))) {
        p->is_plain = p->are_named = true;
        return scree_change_reserve(d, (uint32_t)table->count, table, 0, 0);
    }
    if (scree_memory_reserve(&d->memory, &d->rows, &d->rows_capacity, table->count,
                             sizeof *d->rows))
        return scree_detector_out_of_memory(d, "advance");
    if (scree_look_follows_travel(d, table) &&
        scree_memory_reserve(&d->memory, &d->leeway.left, &d->leeway.capacity,
                             scree_block_count(table->count, SCREE_TRAVEL_ROWS),
                             sizeof *d->leeway.left))
        return scree_detector_out_of_memory(d, "advance");
    if (scree_look_fits(d, table)) {
        p->known_rows = known_rows;
        scree_look look = scree_look_at_all(d, table, p);
        if (look != SCREE_LOOK_CLOSER)
            return scree_change_reserve(d, d->store.high, table, p->row_count, 0);
        begin(p);
    }
    return plan_rows(d, table, p);
}
