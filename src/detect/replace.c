/*  Replaces all bodies by a whole table with ids 0 .. rows - 1, in any order, without bodies that have no bounds or
    are infinite, and without a margin. Such rows are not read one by one: a first pass over columns checks whether
    all are valid, a second one stores them. If a row is invalid, nothing has been changed yet, and the caller reads
    the rows in the general way, which has the messages. Blocks of rows are distributed over the workers. */
#include "detect/columns.h"
#include "detect/detector_internal.h"

#include <string.h>

/*  Rows that one worker takes at a time. */
#define TASK_ROWS 8192u

/*  Result of a worker; joined so that it does not matter which worker did which rows. */
typedef struct share
{
    bool has_unusable;
    bool has_other_ids; /* ids differ from row numbers */
    bool has_fixed;
    bool has_other_filters;   /* filters differ from the previous ones */
    scree_box bounds;         /* of boxes; */
    scree_sphere_range range; /* or of spheres */
} share;

typedef struct replacement
{
    const scree_table *table;
    scree_store *store;
    const scree_cell *cell;
    scree_simd simd;
    bool has_range;  /* spheres without boxes */
    bool has_bounds; /* for images, and with boxes */
    share shares[SCREE_MAX_WORKERS];
} replacement;

bool scree_replace_fits(const scree_detector *d, const scree_table *table)
{
    const scree_store *s = &d->store;
    return table->count > 0 && (table->groups.data || !s->group) &&
           (table->masks.data || !s->mask) && (table->owners.data || !s->owner) &&
           !scree_margin_is_on(&d->margin);
}

static void run(scree_detector *d, const scree_table *table, scree_block_fn *pass, replacement *r)
{
    r->table = table;
    r->store = &d->store;
    r->cell = &d->images.cell;
    r->simd = d->def.simd;
    r->has_range = !d->store.box;
    r->has_bounds = d->store.box || r->cell->is_on;
    for (uint32_t worker = 0; worker < d->workers.count; worker++)
        r->shares[worker] = (share){.bounds = d->store.bounds, .range = scree_no_spheres};
    scree_workers_run(&d->workers, scree_block_count(r->table->count, TASK_ROWS), pass, r);
}

/*  Ids of a block's rows. Returns whether they are the rows' own numbers. */
static bool read_ids(const scree_table *table, const scree_block *block, uint32_t *ids)
{
    const size_t stride = table->ids.stride;
    const char *at = (const char *)table->ids.data + block->begin * stride;
    uint32_t others = 0;
    if (stride == sizeof *ids)
        memcpy(ids, at, block->count * sizeof *ids);
    for (uint32_t row = 0; stride != sizeof *ids && row < block->count; row++, at += stride)
        memcpy(&ids[row], at, sizeof *ids);
    for (uint32_t row = 0; row < block->count; row++) /* side by side: several at a time */
        others |= ids[row] ^ (uint32_t)(block->begin + row);
    return others == 0;
}

/* ---- first pass ---- */

/*  True if all bodies of a block have bounds and are finite. */
static bool are_flags_plain(const scree_table *table, const scree_block *block)
{
    uint8_t all = 0;
    if (!table->flags.data)
        return true;
    const char *at = (const char *)table->flags.data + block->begin * table->flags.stride;
    for (uint32_t row = 0; row < block->count; row++, at += table->flags.stride)
        all |= (uint8_t)*at;
    return (all & (uint8_t)~SCREE_FIXED) == 0;
}

static void check_rows(void *data, size_t task, uint32_t worker)
{
    replacement *r = data;
    size_t end = scree_block_end(task, TASK_ROWS, r->table->count);
    bool usable = true;
    uint32_t ids[SCREE_BLOCK_ROWS];
    scree_block block;
    for (size_t row = task * TASK_ROWS; row < end && usable; row += SCREE_BLOCK_ROWS) {
        scree_block_read(r->table, r->store->dimensions, row, end, &block);
        usable = scree_block_is_usable(&block, r->table->volume, r->simd) &&
                 scree_block_fits_cell(&block, r->table->volume, r->cell, r->simd) &&
                 are_flags_plain(r->table, &block);
        if (r->table->ids.data && !r->shares[worker].has_other_ids)
            r->shares[worker].has_other_ids = !read_ids(r->table, &block, ids);
    }
    r->shares[worker].has_unusable |= !usable;
}

/*  Whether the ids are those below `count`, each once; false if there is no room for so many yet. */
static bool are_all_named(scree_detector *d, const scree_table *table)
{
    return table->count <= d->store.state_capacity && !scree_store_begin(&d->store) &&
           scree_store_is_each_named(&d->store, table->ids, (uint32_t)table->count);
}

bool scree_replace_is_usable(scree_detector *d, const scree_table *table)
{
    replacement r; /* large: only the workers' shares are initialised */
    bool usable = true, has_other_ids = false;
    run(d, table, check_rows, &r);
    for (uint32_t worker = 0; worker < d->workers.count; worker++) {
        usable &= !r.shares[worker].has_unusable;
        has_other_ids |= r.shares[worker].has_other_ids;
    }
    return usable && (!has_other_ids || are_all_named(d, table));
}

/* ---- second pass ---- */

/*  Writes a column of a block's rows by id, or, if ids is NULL, by row number. Returns whether anything changed:
    nearly always it is the same, and reading is cheaper than writing. */
SCREE_KERNEL_PART bool place_column(scree_integers column, size_t bytes, const scree_block *block,
                                    const uint32_t *ids, void *by_id)
{
    const char *at = (const char *)column.data + block->begin * column.stride;
    char *to = (char *)by_id + (ids ? 0 : block->begin * bytes);
    bool differs = false;
    if (!ids && column.stride == bytes) {
        differs = memcmp(to, at, block->count * bytes) != 0;
        if (differs)
            memcpy(to, at, block->count * bytes);
        return differs;
    }
    for (uint32_t row = 0; row < block->count; row++, at += column.stride) {
        char *cell = to + (ids ? ids[row] : row) * bytes;
        differs |= memcmp(cell, at, bytes) != 0;
        memcpy(cell, at, bytes);
    }
    return differs;
}

/*  Flags become states. */
static void place_flags(scree_integers column, const scree_block *block, const uint32_t *ids,
                        uint8_t *state, share *found)
{
    const char *at = (const char *)column.data + block->begin * column.stride;
    uint8_t all = 0, differences = 0;
    for (uint32_t row = 0; row < block->count; row++, at += column.stride) {
        uint8_t *cell = &state[ids ? ids[row] : block->begin + row];
        uint8_t now = (uint8_t)(SCREE_STATE_PRESENT | (uint8_t)*at);
        differences |= *cell ^ now;
        all |= now;
        *cell = now;
    }
    found->has_fixed |= (all & SCREE_FIXED) != 0;
    found->has_other_filters |= differences != 0;
}

static void place_filters(const replacement *r, const scree_block *block, const uint32_t *ids,
                          share *found)
{
    const scree_table *table = r->table;
    scree_store *store = r->store;
    if (table->groups.data)
        found->has_other_filters |=
            place_column(table->groups, sizeof *store->group, block, ids, store->group);
    if (table->masks.data)
        found->has_other_filters |=
            place_column(table->masks, sizeof *store->mask, block, ids, store->mask);
    if (table->owners.data)
        (void)place_column(table->owners, sizeof *store->owner, block, ids, store->owner);
    if (table->flags.data)
        place_flags(table->flags, block, ids, store->state, found);
}

static void place_rows(void *data, size_t task, uint32_t worker)
{
    replacement *r = data;
    scree_store *store = r->store;
    size_t end = scree_block_end(task, TASK_ROWS, r->table->count);
    share found = r->shares[worker];
    uint32_t ids[SCREE_BLOCK_ROWS];
    scree_block block;
    for (size_t row = task * TASK_ROWS; row < end; row += SCREE_BLOCK_ROWS) {
        scree_block_read(r->table, store->dimensions, row, end, &block);
        bool in_order = !r->table->ids.data || read_ids(r->table, &block, ids);
        if (r->has_range)
            scree_block_place_spheres(&block, in_order ? NULL : ids, store->dimensions, r->simd,
                                      store->sphere, &found.range,
                                      r->has_bounds ? &found.bounds : NULL);
        else
            scree_block_place(&block, in_order ? NULL : ids, store->volume, store->dimensions,
                              r->simd, store->sphere, store->box, &found.bounds);
        place_filters(r, &block, in_order ? NULL : ids, &found);
    }
    r->shares[worker] = found;
}

/*  Joins the ranges of all workers. Without images bounds may be wider than the bodies. */
static void take_range(scree_store *store, const replacement *r, uint32_t workers)
{
    scree_sphere_range *range = &store->range;
    scree_box bounds;
    *range = scree_no_spheres;
    for (uint32_t worker = 0; worker < workers; worker++)
        scree_sphere_range_join(range, &r->shares[worker].range);
    store->has_range = true;
    for (int k = 0; k < 3 && !r->has_bounds; k++) {
        double lower, upper, radius = k < store->dimensions ? range->most[3] : 0;
        scree_sphere_bounds(range->least[k], radius, &bounds.lower[k], &upper);
        scree_sphere_bounds(range->most[k], radius, &lower, &bounds.upper[k]);
    }
    if (!r->has_bounds)
        scree_store_grow_bounds(store, &bounds);
}

bool scree_replace_all(scree_detector *d, const scree_table *table)
{
    replacement r; /* large: only the workers' shares are initialised */
    scree_store_forget_bounds(&d->store);
    run(d, table, place_rows, &r);
    bool has_fixed = false;
    for (uint32_t worker = 0; worker < d->workers.count; worker++) {
        if (r.has_bounds)
            scree_store_grow_bounds(&d->store, &r.shares[worker].bounds);
        has_fixed |= r.shares[worker].has_fixed;
        d->store.filters += r.shares[worker].has_other_filters;
    }
    if (r.has_range)
        take_range(&d->store, &r, d->workers.count);
    return scree_store_fill(&d->store, (uint32_t)table->count, table->flags.data != NULL,
                            has_fixed);
}
