/*  Replacing all bodies by a plain table: no ids, no filters, no margin. Such rows say nothing but
    numbers, so they are not read one by one: a first pass, over columns, finds whether all
    can be used, a second writes them. Where one cannot, nothing has been changed yet, and the caller reads
    the rows in the general way, which knows what to say. Blocks of rows are spread over the workers. */
#include "detect/columns.h"
#include "detect/detector_internal.h"

/*  Rows that one worker takes at a time. */
#define TASK_ROWS 8192u

/*  What a worker has found; joined afterwards, in ways that do not depend on who did what. */
typedef struct share
{
    bool has_unusable;
    scree_box bounds;
} share;

typedef struct replacement
{
    const scree_table *table;
    scree_store *store;
    const scree_cell *cell;
    scree_simd simd;
    share shares[SCREE_MAX_WORKERS];
} replacement;

bool scree_replace_fits(const scree_detector *d, const scree_table *table)
{
    const scree_store *s = &d->store;
    return table->count > 0 && !table->ids.data && !table->groups.data && !table->masks.data &&
           !table->owners.data && !table->flags.data && !s->group && !s->mask && !s->owner &&
           !scree_margin_is_on(&d->margin);
}

static void run(scree_detector *d, const scree_table *table, scree_block_fn *pass, replacement *r)
{
    r->table = table;
    r->store = &d->store;
    r->cell = &d->images.cell;
    r->simd = d->def.simd;
    for (uint32_t worker = 0; worker < d->workers.count; worker++)
        r->shares[worker] = (share){false, d->store.bounds};
    scree_workers_run(&d->workers, scree_block_count(r->table->count, TASK_ROWS), pass, r);
}

/* ---- first pass ---- */

static void check_rows(void *data, size_t task, uint32_t worker)
{
    replacement *r = data;
    size_t end = scree_block_end(task, TASK_ROWS, r->table->count);
    bool usable = true;
    scree_block block;
    for (size_t row = task * TASK_ROWS; row < end && usable; row += SCREE_BLOCK_ROWS) {
        scree_block_read(r->table, r->store->dimensions, row, end, &block);
        usable = scree_block_is_usable(&block, r->table->volume, r->simd) &&
                 scree_block_fits_cell(&block, r->table->volume, r->cell, r->simd);
    }
    r->shares[worker].has_unusable |= !usable;
}

bool scree_replace_is_usable(scree_detector *d, const scree_table *table)
{
    replacement r; /* large: only the workers' shares are set */
    bool usable = true;
    run(d, table, check_rows, &r);
    for (uint32_t worker = 0; worker < d->workers.count; worker++)
        usable &= !r.shares[worker].has_unusable;
    return usable;
}

/* ---- second pass ---- */

static void place_rows(void *data, size_t task, uint32_t worker)
{
    replacement *r = data;
    scree_store *store = r->store;
    size_t end = scree_block_end(task, TASK_ROWS, r->table->count);
    scree_box bounds = r->shares[worker].bounds;
    scree_block block;
    for (size_t row = task * TASK_ROWS; row < end; row += SCREE_BLOCK_ROWS) {
        scree_block_read(r->table, store->dimensions, row, end, &block);
        scree_block_place(&block, store->volume, store->dimensions, r->simd, store->sphere,
                          store->box, &bounds);
    }
    r->shares[worker].bounds = bounds;
}

bool scree_replace_all(scree_detector *d, const scree_table *table)
{
    replacement r; /* large: only the workers' shares are set */
    scree_store_forget_bounds(&d->store);
    run(d, table, place_rows, &r);
    for (uint32_t worker = 0; worker < d->workers.count; worker++)
        scree_store_grow_bounds(&d->store, &r.shares[worker].bounds);
    return scree_store_fill(&d->store, (uint32_t)table->count);
}
