/*  Outlines: the method visits its structure, and its pieces are converted to the caller's form here. */
#include "detect/outline.h"

#include "detect/axis_sort.h"
#include "detect/detector_internal.h"
#include "detect/scratch.h"

#include <math.h>

void scree_outline_put(scree_outline_sink *sink, const scree_outline_piece *piece)
{
    scree_outline_piece shown = *piece;

    if (sink->stopped)
        return;
    for (int k = 0; k < 3; k++) {
        const scree_box *bounds = &sink->bounds;
        if (k >= sink->dimensions)
            shown.lower[k] = shown.upper[k] = 0;
        if (shown.lower[k] == -HUGE_VAL)
            shown.lower[k] = fmin(bounds->lower[k], shown.upper[k]);
        if (shown.upper[k] == HUGE_VAL)
            shown.upper[k] = fmax(bounds->upper[k], shown.lower[k]);
    }
    sink->stopped = sink->action(&shown, sink->user) != 0;
}

/* ---- cells ---- */

bool scree_outline_take(scree_scratch *scratch, size_t count, scree_outline_entries *made)
{
    made->count = 0;
    made->key = scree_scratch_take(scratch, count, sizeof *made->key);
    made->body = scree_scratch_take(scratch, count, sizeof *made->body);
    return made->key && made->body;
}

static void put_cell(scree_outline_sink *sink, const scree_lattice *lattice, uint64_t key,
                     size_t count, uint32_t level)
{
    scree_outline_piece piece = {
        .kind = SCREE_OUTLINE_CELL, .level = level, .count = (uint32_t)count};
    uint64_t row = key / lattice->count[0];
    const uint64_t at[3] = {key % lattice->count[0], row % lattice->count[1],
                            row / lattice->count[1]};

    for (int k = 0; k < 3; k++) {
        piece.lower[k] = lattice->origin[k] + (double)at[k] * lattice->cell[k];
        piece.upper[k] = lattice->origin[k] + (double)(at[k] + 1) * lattice->cell[k];
    }
    scree_outline_put(sink, &piece);
}

void scree_outline_cells(scree_outline_sink *sink, const scree_lattice *lattice,
                         scree_outline_entries *entries, uint32_t level)
{
    scree_axis_quick_sort(entries->key, entries->body, entries->count);
    for (size_t i = 0, end; i < entries->count && !sink->stopped; i = end) {
        end = i + 1;
        while (end < entries->count && entries->key[end] == entries->key[i])
            end++;
        put_cell(sink, lattice, entries->key[i], end - i, level);
    }
}

/* ---- the caller's side ---- */

scree_status scree_detector_outline(const scree_detector *d, scree_outline_fn *action, void *user)
{
    if (!d || !action)
        return SCREE_BAD_ARGUMENT;
    scree_memory memory;
    scree_bodies bodies = scree_detector_view(d);
    if (d->is_stale || !scree_waiting_is_empty(&d->waiting) || bodies.active_count == 0 ||
        !d->method->outline)
        return SCREE_OK;
    /* an allocation record of its own: several threads may call this at once */
    (void)scree_memory_init(&memory, &d->memory.allocator);
    scree_scratch scratch = {.memory = &memory};
    scree_outline_sink sink = {
        .action = action, .user = user, .bounds = d->store.bounds, .dimensions = d->def.dimensions};
    d->method->outline(d->state, &bodies, &scratch, &sink);
    scree_scratch_free(&scratch);
    return scratch.failed ? SCREE_OUT_OF_MEMORY : SCREE_OK;
}
