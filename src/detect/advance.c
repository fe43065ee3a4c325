/*  One step with a margin: once it is known which bodies must be mapped, and all rows are valid, maps them. Also the
    longest step in which no body can leave its margin, and the remaining margin. */
#include "detect/look.h"

#include "base/clock.h"
#include "detect/motion.h"

#include <math.h>
#include <string.h>

/* ---- carrying it out ---- */

/*  Removes bodies that are missing in the table. */
static void drop_vanished(scree_detector *d)
{
    size_t count = 0;
    for (uint32_t id = 0; id < d->store.bound; id++)
        if (scree_store_has(&d->store, id) && !scree_store_was_named(&d->store, id))
            d->vanished[count++] = id;
    scree_change_remove(d, d->vanished, count);
    scree_change_settle(d);
}

static scree_status map_all(scree_detector *d, const scree_table *table, scree_plan *p)
{
    scree_status status;
    d->margin.farthest = p->farthest;
    scree_margin_begin_run(&d->margin, &p->speeds, d->dt, p->smallest < INFINITY ? p->smallest : 0);
    if (p->is_in_order) {
        scree_look_map_all(d, table, p);
        status = scree_change_finish(d, true);
    } else if (p->is_plain) {
        status = scree_change_finish(d, !scree_replace_all(d, table));
    } else {
        status = scree_change_all(d, table);
    }
    scree_margin_end_run(&d->margin);
    return status;
}

/*  With a tolerance bodies are mapped one by one; otherwise one that must be mapped causes all to be mapped. */
static scree_status carry_out(scree_detector *d, const scree_table *table, scree_plan *p,
                              scree_advance *did)
{
    bool singly = d->margin.def.kind == SCREE_MARGIN_TOLERANCE;
    bool vanished = p->present < d->store.body_count;
    bool all = !scree_margin_is_on(&d->margin) || p->all_must ||
               scree_margin_is_due(&d->margin, &p->speeds);
    did->ran = vanished || p->row_count > 0 || all;
    did->late = p->late;
    did->used = p->used;
    if (!did->ran) {
        scree_margin_skip_run(&d->margin, &p->speeds);
        return SCREE_OK;
    }
    if (p->are_named && (!singly || all || p->row_count == table->count)) {
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
        !(motion && scree_motion_has_velocities(motion, d->def.dimensions)))
        status = scree_fail(&d->error, SCREE_BAD_ARGUMENT,
                            "advance: this margin needs velocities, none are given");
    return status;
}

scree_status scree_detector_advance(scree_detector *d, const scree_table *table,
                                    const scree_motion *motion, double dt, scree_advance *did)
{
    scree_advance unused;
    scree_plan p;
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
    status = scree_plan_make(d, table, &p);
    if (!status) {
        scree_change_settle(d);
        status = carry_out(d, table, &p, did);
        if (did->ran)
            d->leeway.rows = 0;
        /* as in an update of all: ids of new bodies must not depend on what was skipped */
        scree_store_forget_freed(&d->store);
        scree_margin_begin_step(&d->margin, dt);
        d->stats.advances++;
        d->stats.runs += did->ran;
        d->stats.late += did->late;
    }
    d->motion = NULL;
    d->dt = 0;
    d->stats.sec_update = scree_clock_seconds() - start;
    return status;
}

static scree_status limit_step(scree_detector *d, const scree_table *table, size_t index,
                               double *dt)
{
    scree_row row = {0};
    scree_status status = scree_change_read(d, table, index, &row, &d->error);
    if (status || !scree_row_is_bounded(&row))
        return status;
    scree_row_motion row_motion = scree_detector_row_motion(d, &row, index);
    status = scree_plan_check_row_motion(d, &row, index, &row_motion, false);
    if (!status && !scree_store_is_active(&d->store, row.id))
        status = scree_fail(&d->error, SCREE_BAD_ARGUMENT, "row %zu: body %u has not been mapped",
                            index, row.id);
    if (!status && row_motion.speed > 0)
        *dt = fmin(*dt, d->margin.allowance[row.id] / row_motion.speed);
    return status;
}

scree_status scree_detector_longest_step(scree_detector *d, const scree_table *table,
                                         const scree_motion *motion, double *dt)
{
    double longest = INFINITY;
    if (!d || !dt)
        return SCREE_BAD_ARGUMENT;
    scree_status status = check_call(d, table, motion, 1);
    if (!status && !scree_margin_is_on(&d->margin))
        status = scree_fail(&d->error, SCREE_BAD_ARGUMENT, "longest_step: there is no margin");
    if (!status && !(motion && scree_motion_has_velocities(motion, d->def.dimensions)))
        status = scree_fail(&d->error, SCREE_BAD_ARGUMENT, "longest_step: no velocities are given");
    if (status)
        return status;
    d->motion = motion;
    for (size_t k = 0; k < table->count && !status; k++)
        status = limit_step(d, table, k, &longest);
    d->motion = NULL;
    if (!status)
        *dt = longest;
    return status;
}

scree_status scree_detector_leeway(const scree_detector *d, uint32_t id, const double *volume,
                                   double *moved, double *left)
{
    if (!d || !volume || !moved || !left || !scree_store_is_active(&d->store, id))
        return SCREE_BAD_ARGUMENT;
    *moved = *left = 0;
    if (!scree_margin_is_on(&d->margin))
        return SCREE_OK;
    scree_row row = {.id = id};
    memcpy(row.number, volume, (d->def.volume == SCREE_SPHERES ? 4 : 6) * sizeof *volume);
    *moved = scree_margin_moved(&d->margin, &d->store, &row);
    *left = d->margin.allowance[id] - *moved;
    return SCREE_OK;
}

uint32_t scree_detector_speed_classes(const scree_detector *d, scree_speed_class *classes)
{
    return d ? scree_margin_classes(&d->margin, &d->store, classes) : 0;
}
