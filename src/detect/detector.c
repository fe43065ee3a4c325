/*  Creation, destruction and statistics of a detector. Changes to its bodies are in change.c, results in result.c,
    queries in query.c. */
#include "detect/detector_internal.h"

#include "base/sized_definition.h"
#include "detect/definition.h"

#include <string.h>

static void give_state(scree_detector *d, void *state)
{
    d->method->destroy(state, &d->env);
    scree_memory_give(&d->memory, &state, 1, d->method->state_bytes);
}

/*  A state of the method without bodies; NULL on failure. */
static scree_status make_state(scree_detector *d, void **state)
{
    scree_status status = scree_memory_take(&d->memory, 1, d->method->state_bytes, state);

    if (status)
        return status;
    memset(*state, 0, d->method->state_bytes);
    if (d->method->create)
        status = d->method->create(*state, &d->env);
    if (status) {
        give_state(d, *state);
        *state = NULL;
    }
    return status;
}

static void set_state(scree_detector *d, void *state)
{
    d->state = state;
    d->search.state = state;
    d->is_stale = true;
}

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
    d->search.simd = d->def.simd;
    d->images.memory = &d->memory;
    d->images.workers = &d->workers;
    d->images.simd = d->def.simd;
    scree_margin_init(&d->margin, &def->margin, &d->memory, def->dimensions, def->volume);
    scree_store_init(&d->store, &d->memory, def->dimensions, def->volume);

    scree_status status = scree_detector_def_check(def, &d->method, error);
    if (status)
        return status;
    d->images.cell = scree_cell_make(def->period, def->tilt, def->dimensions);
    scree_margin_set_cell(&d->margin, d->images.cell.period);
    d->leeway.rows = 0;
    if (d->images.cell.is_on)
        d->search.images = &d->images;
    d->store.has_boxes = def->volume == SCREE_BOXES || !d->method->spheres_alone;
    status =
        scree_workers_init(&d->workers, &def->tasks, def->thread_count, &def->allocator, &def->log);
    if (status)
        return scree_fail(error, status, "detector def: tasks or thread_count (%u): %s",
                          def->thread_count, scree_status_name(status));
    void *state = NULL;
    status = make_state(d, &state);
    d->search.method = d->method;
    set_state(d, state);
    if (!status)
        return SCREE_OK;
    /* a method that refuses its parameters has set the message */
    return scree_fail(error, status, "%s",
                      d->error.text[0] ? d->error.text : scree_status_name(status));
}

scree_status scree_detector_create(const scree_detector_def *def, scree_detector **detector)
{
    if (!detector)
        return SCREE_BAD_ARGUMENT;
    *detector = NULL;
    scree_detector_def own = scree_default_detector_def();
    if (!def || !scree_definition_read(&own, def))
        return SCREE_BAD_DEF;
    def = &own;

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
    if (d->state)
        give_state(d, d->state);
    scree_search_free(&d->search);
    scree_images_free(&d->images);
    scree_pair_arrays_free(&d->arrays, &d->memory);
    scree_store_free(&d->store);
    scree_margin_free(&d->margin);
    scree_waiting_free(&d->waiting, &d->memory);
    scree_memory_give(&d->memory, &d->rows, d->rows_capacity, sizeof *d->rows);
    scree_memory_give(&d->memory, &d->leeway.left, d->leeway.capacity, sizeof *d->leeway.left);
    scree_memory_give(&d->memory, &d->vanished, d->vanished_capacity, sizeof *d->vanished);
    scree_memory_give(&d->memory, &d->changed, d->changed_capacity, sizeof *d->changed);
    scree_workers_free(&d->workers);
    scree_memory memory;
    memory.allocator = d->memory.allocator;
    memory.bytes = sizeof *d;
    scree_memory_give(&memory, &d, 1, sizeof *d);
}

scree_status scree_detector_clear_all(scree_detector *d)
{
    void *state = NULL;

    if (!d)
        return SCREE_BAD_ARGUMENT;
    if (make_state(d, &state))
        return scree_detector_out_of_memory(d, "clear all");
    (void)scree_detector_clear(d);
    give_state(d, d->state);
    set_state(d, state);
    return SCREE_OK;
}

const char *scree_detector_message(const scree_detector *d)
{
    return d ? d->error.text : "";
}

const scree_method_info *scree_detector_method(const scree_detector *d)
{
    return d ? &d->method->info : NULL;
}

scree_status scree_detector_out_of_memory(scree_detector *d, const char *what)
{
    return scree_fail(&d->error, SCREE_OUT_OF_MEMORY, "%s: out of memory with %u bodies", what,
                      d->store.body_count);
}

scree_bodies scree_detector_view(const scree_detector *d)
{
    return d->search.images ? scree_images_view(&d->images, &d->store)
                            : scree_store_view(&d->store);
}

scree_status scree_detector_make_images(scree_detector *d, bool *same)
{
    *same = true;
    if (d->search.images && scree_images_build(&d->images, &d->store, same))
        return scree_detector_out_of_memory(d, "making periodic images");
    return SCREE_OK;
}

scree_status scree_detector_build(scree_detector *d)
{
    bool same;
    d->is_stale = true;
    scree_status status = scree_detector_make_images(d, &same);
    return status ? status : scree_detector_build_method(d);
}

scree_status scree_detector_build_method(scree_detector *d)
{
    scree_bodies bodies = scree_detector_view(d);
    d->is_stale = true;
    scree_waiting_clear(&d->waiting);
    if (d->method->build(d->state, &d->env, &bodies))
        return scree_detector_out_of_memory(d, "building the structure");
    d->is_stale = false;
    d->stats.rebuilds++;
    return SCREE_OK;
}

/* ---- periodic domains ---- */

scree_status scree_detector_set_cell(scree_detector *d, const double period[3],
                                     const double tilt[3])
{
    if (!d)
        return SCREE_BAD_ARGUMENT;
    if (!period || !tilt)
        return scree_fail(&d->error, SCREE_BAD_ARGUMENT, "set_cell: %s is NULL",
                          !period ? "period" : "tilt");
    scree_status status = scree_cell_check(period, tilt, d->def.dimensions, &d->error);
    for (int k = 0; k < 3 && !status; k++)
        if ((period[k] > 0) != (d->def.period[k] > 0))
            status = scree_fail(&d->error, SCREE_BAD_ARGUMENT,
                                "set_cell: axis %c was %speriodic and must stay so", "xyz"[k],
                                d -> def.period[k] > 0 ? "" : "not ");
    if (status)
        return status;
    d->images.cell = scree_cell_make(period, tilt, d->def.dimensions);
    scree_margin_set_cell(&d->margin, d->images.cell.period);
    d->is_stale = true;
    return SCREE_OK;
}

scree_status scree_detector_image(scree_detector *d, uint32_t first, uint32_t second, int64_t n[3])
{
    double nearest[3];
    if (!d)
        return SCREE_BAD_ARGUMENT;
    if (!n || !scree_store_is_active(&d->store, first) || !scree_store_is_active(&d->store, second))
        return scree_fail(&d->error, SCREE_BAD_ARGUMENT,
                          n ? "image: body %u or %u has no bounds" : "image: the result is NULL",
                          first, second);
    scree_images_nearest(&d->images.cell, &d->store, first, second, nearest);
    for (int k = 0; k < 3; k++)
        n[k] = (int64_t)nearest[k];
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

scree_explanation scree_detector_explain(const scree_detector *d)
{
    scree_explanation why;
    memset(&why, 0, sizeof why);
    if (!d)
        return why;
    why.method = d->method->info.name;
    why.reason = "it was asked for by name";
    why.bodies = d->store.body_count;
    if (d->method->explain)
        d->method->explain(d->state, &why);
    return why;
}
