/*  Bodies by id, with a dense list of the active ones. A body enters and leaves the list in O(1):
   the last one takes the place of the one that leaves. */
#include "detect/store.h"

#include <string.h>

void scree_store_init(scree_store *store, scree_memory *memory, int dimensions, scree_volume volume)
{
    memset(store, 0, sizeof *store);
    store->memory = memory;
    store->dimensions = dimensions;
    store->volume = volume;
    store->has_boxes = true;
    store->filters = 1;
    scree_store_forget_bounds(store);
}

/* ---- memory ---- */

static scree_status grow(scree_store *store, void *column_pointer, size_t *capacity, size_t wanted,
                         size_t element_bytes, int fill)
{
    size_t before = *capacity;
    scree_status status =
        scree_memory_reserve(store->memory, column_pointer, capacity, wanted, element_bytes);
    if (!status && *capacity > before) {
        char *column;
        memcpy(&column, column_pointer, sizeof column);
        memset(column + before * element_bytes, fill, (*capacity - before) * element_bytes);
    }
    return status;
}

#define GROW(name, fill)                                                                           \
    grow(store, &store->name, &store->name##_capacity, bound, sizeof *store->name, fill)

scree_status scree_store_reserve(scree_store *store, uint32_t bound, const scree_table *table,
                                 size_t infinite)
{
    bool had_mask = store->mask != NULL;
    /* a new column must have values for all present bodies, even if the table names smaller ids */
    if (bound < store->high)
        bound = store->high;
    if (store->has_boxes && GROW(box, 0))
        return SCREE_OUT_OF_MEMORY;
    if (GROW(active, 0) || GROW(position, 0xff) || GROW(state, 0))
        return SCREE_OUT_OF_MEMORY;
    if (store->volume == SCREE_SPHERES && GROW(sphere, 0))
        return SCREE_OUT_OF_MEMORY;

    /* bodies from before the column existed have its default */
    if ((store->group || table->groups.data) && GROW(group, 0xff))
        return SCREE_OUT_OF_MEMORY;
    if ((store->mask || table->masks.data) && GROW(mask, 0xff))
        return SCREE_OUT_OF_MEMORY;
    if ((store->owner || table->owners.data) && GROW(owner, 0))
        return SCREE_OUT_OF_MEMORY;
    if (!had_mask && store->mask && store->group)
        memcpy(store->mask, store->group, store->bound * sizeof *store->mask);
    if ((store->infinite_at || infinite) && GROW(infinite_at, 0xff))
        return SCREE_OUT_OF_MEMORY;
    return scree_memory_reserve(store->memory, &store->infinite, &store->infinite_capacity,
                                store->infinite_count + infinite, sizeof *store->infinite);
}

scree_status scree_store_reserve_spheres(scree_store *store, size_t count)
{
    const size_t bound = count;
    return GROW(sphere, 0);
}

void scree_store_free(scree_store *store)
{
    scree_memory *memory = store->memory;
#define X(type, name)                                                                              \
    scree_memory_give(memory, &store->name, store->name##_capacity, sizeof *store->name);
    SCREE_STORE_COLUMNS(X)
    SCREE_STORE_OPTIONAL_COLUMNS(X)
    X(scree_sphere, sphere)
    X(uint32_t, infinite)
#undef X
}

/* ---- one call's ids ---- */

scree_status scree_store_begin(scree_store *store)
{
    size_t bound = store->state_capacity;
    if (GROW(stamp, 0))
        return SCREE_OUT_OF_MEMORY;
    if (++store->call == 0) {
        if (store->stamp_capacity)
            memset(store->stamp, 0, store->stamp_capacity * sizeof *store->stamp);
        store->call = 1;
    }
    return SCREE_OK;
}

bool scree_store_is_each_named(scree_store *store, scree_integers ids, uint32_t count)
{
    const size_t words = count / 32, rest = count % 32;
    uint32_t *bits = store->stamp, all = UINT32_MAX; /* no call is 0: stamps of 0 name no body */
    const char *at = ids.data;
    bool is_below = true;
    memset(bits, 0, (words + 1) * sizeof *bits);
    for (uint32_t row = 0; row < count && is_below; row++, at += ids.stride) {
        uint32_t id;
        memcpy(&id, at, sizeof id);
        is_below = id < count;
        if (is_below)
            bits[id / 32] |= 1u << id % 32;
    }
    for (size_t word = 0; word < words; word++)
        all &= bits[word];
    bool is_each = is_below && all == UINT32_MAX && bits[words] == (1u << rest) - 1;
    memset(bits, 0, (words + 1) * sizeof *bits);
    return is_each;
}

bool scree_store_was_named(const scree_store *store, uint32_t id)
{
    return store->stamp[id] == store->call;
}

/* ---- rows ---- */

static uint8_t state_of(const scree_row *row)
{
    return (uint8_t)(row->flags | SCREE_STATE_PRESENT | (row->usable ? 0u : SCREE_STATE_REJECTED));
}

static bool is_active_state(uint8_t state)
{
    return (state & SCREE_STATE_PRESENT) && !(state & SCREE_STATE_PASSIVE);
}

void scree_store_forget_bounds(scree_store *store)
{
    for (int k = 0; k < 3; k++) {
        store->bounds.lower[k] = 2 * SCREE_MAX_COORDINATE;
        store->bounds.upper[k] = -2 * SCREE_MAX_COORDINATE;
    }
}

void scree_store_grow_bounds(scree_store *store, const scree_box *box)
{
    scree_box *bounds = &store->bounds;
    for (int k = 0; k < 3; k++) {
        if (box->lower[k] < bounds->lower[k])
            bounds->lower[k] = box->lower[k];
        if (box->upper[k] > bounds->upper[k])
            bounds->upper[k] = box->upper[k];
    }
}

bool scree_store_differs(const scree_store *store, const scree_row *row)
{
    uint32_t id = row->id;
    if (!scree_store_has(store, id) ||
        ((store->state[id] ^ state_of(row)) & (uint8_t)~SCREE_STATE_FREED))
        return true;
    return (store->group && store->group[id] != row->group) ||
           (store->mask && store->mask[id] != row->mask) ||
           (store->owner && store->owner[id] != row->owner);
}

bool scree_store_would_leave(const scree_store *store, const scree_row *row)
{
    return scree_store_is_active(store, row->id) && !is_active_state(state_of(row));
}

bool scree_store_write(scree_store *store, const scree_row *row)
{
    const uint8_t listing = SCREE_STATE_PRESENT | SCREE_STATE_PASSIVE;
    uint32_t id = row->id;
    uint8_t before = store->state[id], after = state_of(row);

    if (scree_store_differs(store, row))
        store->filters++;
    store->state[id] = (uint8_t)(after | (before & SCREE_STATE_FREED));
    store->body_count += !(before & SCREE_STATE_PRESENT);
    store->rejected_count += !row->usable;
    store->rejected_count -= (before & SCREE_STATE_REJECTED) != 0;
    if (store->group)
        store->group[id] = row->group;
    if (store->mask)
        store->mask[id] = row->mask;
    if (store->owner)
        store->owner[id] = row->owner;
    store->has_fixed |= (after & SCREE_FIXED) != 0;
    store->has_filters |= store->group || store->mask || store->owner || store->has_fixed;
    if (id >= store->bound)
        store->bound = id + 1;
    if (store->bound > store->high)
        store->high = store->bound;

    if (is_active_state(after)) {
        const scree_box box = scree_row_box(row, store->volume, store->dimensions);
        scree_store_grow_bounds(store, &box);
        if (store->has_boxes)
            store->box[id] = box;
        if (store->sphere)
            memcpy(store->sphere[id], row->number, sizeof store->sphere[id]);
    }
    return ((before ^ after) & listing) != 0;
}

/* ---- lists ---- */

static void leave_active(scree_store *store, uint32_t id)
{
    uint32_t at = store->position[id], last = store->active[--store->active_count];
    store->active[at] = last;
    store->position[last] = at;
    store->position[id] = SCREE_NOT_ACTIVE;
}

static void leave_infinite(scree_store *store, uint32_t id)
{
    uint32_t at = store->infinite_at[id], last = store->infinite[--store->infinite_count];
    store->infinite[at] = last;
    store->infinite_at[last] = at;
    store->infinite_at[id] = SCREE_NOT_ACTIVE;
}

static void enter_infinite(scree_store *store, uint32_t id)
{
    /* the columns have grown for a table with infinite bodies before its rows enter */
    /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference) */
    store->infinite_at[id] = store->infinite_count;
    store->infinite[store->infinite_count++] = id;
}

static bool is_infinite_state(uint8_t state)
{
    return (state & SCREE_STATE_PRESENT) && (state & SCREE_INFINITE) && !(state & SCREE_NO_BOUND);
}

void scree_store_relist(scree_store *store, uint32_t id)
{
    uint8_t state = store->state[id];
    bool is_active = store->position[id] != SCREE_NOT_ACTIVE;
    bool is_infinite = store->infinite_at && store->infinite_at[id] != SCREE_NOT_ACTIVE;
    if (is_active && !is_active_state(state))
        leave_active(store, id);
    if (!is_active && is_active_state(state)) {
        store->position[id] = store->active_count;
        store->active[store->active_count++] = id;
    }
    if (is_infinite && !is_infinite_state(state))
        leave_infinite(store, id);
    if (!is_infinite && is_infinite_state(state))
        enter_infinite(store, id);
}

void scree_store_relist_all(scree_store *store)
{
    store->active_count = 0;
    store->infinite_count = 0;
    for (uint32_t id = 0; id < store->bound; id++) {
        store->position[id] = SCREE_NOT_ACTIVE;
        if (store->infinite_at)
            store->infinite_at[id] = SCREE_NOT_ACTIVE;
        if (is_active_state(store->state[id])) {
            store->position[id] = store->active_count;
            store->active[store->active_count++] = id;
        } else if (is_infinite_state(store->state[id])) {
            enter_infinite(store, id);
        }
    }
}

bool scree_store_fill(scree_store *store, uint32_t count, bool has_flags, bool has_fixed)
{
    /* as many active bodies as ids: it is those, and no other kind is there */
    bool same = store->bound == count && store->active_count == count;
    if (!same || has_fixed != store->has_fixed)
        store->filters++;
    if (!has_flags && (!same || store->has_fixed))
        memset(store->state, SCREE_STATE_PRESENT, count);
    for (uint32_t id = count; id < store->bound; id++) {
        store->state[id] &= SCREE_STATE_FREED;
        store->position[id] = SCREE_NOT_ACTIVE;
        if (store->infinite_at)
            store->infinite_at[id] = SCREE_NOT_ACTIVE;
    }
    store->bound = store->body_count = count;
    store->rejected_count = 0;
    store->has_fixed = has_fixed;
    store->has_filters = store->group || store->mask || store->owner || has_fixed;
    scree_store_forget_freed(store);
    if (!same)
        scree_store_relist_all(store);
    return !same;
}

/* ---- leaving ---- */

scree_status scree_store_reserve_freed(scree_store *store)
{
    size_t bound = store->state_capacity;
    return GROW(freed, 0);
}

static void forget(scree_store *store, uint32_t id)
{
    store->rejected_count -= (store->state[id] & SCREE_STATE_REJECTED) != 0;
    store->state[id] &= SCREE_STATE_FREED;
    store->body_count--;
}

static void lower_bound_to_last(scree_store *store)
{
    while (store->bound > 0 && !(store->state[store->bound - 1] & SCREE_STATE_PRESENT))
        store->bound--;
}

void scree_store_remove(scree_store *store, uint32_t id)
{
    forget(store, id);
    scree_store_relist(store, id);
    if (!(store->state[id] & SCREE_STATE_FREED)) {
        store->state[id] |= SCREE_STATE_FREED;
        store->freed[store->freed_count++] = id;
    }
    lower_bound_to_last(store);
}

void scree_store_forget_freed(scree_store *store)
{
    for (uint32_t i = 0; i < store->freed_count; i++)
        store->state[store->freed[i]] &= (uint8_t)~SCREE_STATE_FREED;
    store->freed_count = 0;
    lower_bound_to_last(store);
    store->high = store->bound;
}

/*  The lists are not touched. */
static void drop(scree_store *store, uint32_t id)
{
    forget(store, id);
    store->position[id] = SCREE_NOT_ACTIVE;
    if (store->infinite_at)
        store->infinite_at[id] = SCREE_NOT_ACTIVE;
}

bool scree_store_drop_unnamed(scree_store *store)
{
    bool any = false;
    for (uint32_t id = 0; id < store->bound; id++) {
        if (scree_store_has(store, id) && !scree_store_was_named(store, id)) {
            drop(store, id);
            any = true;
        }
    }
    scree_store_forget_freed(store);
    return any;
}

uint32_t scree_store_new_id(scree_store *store)
{
    while (store->freed_count) {
        uint32_t id = store->freed[--store->freed_count];
        store->state[id] &= (uint8_t)~SCREE_STATE_FREED;
        /* its id may have been reused at the caller's request */
        if (!(store->state[id] & SCREE_STATE_PRESENT))
            return id;
    }
    return store->bound;
}

void scree_store_clear(scree_store *store)
{
    for (uint32_t id = 0; id < store->bound; id++)
        if (scree_store_has(store, id))
            drop(store, id);
    scree_store_forget_freed(store);
    store->active_count = 0;
    store->infinite_count = 0;
    store->has_filters = store->has_fixed = false;
    scree_store_forget_bounds(store);
}

scree_bodies scree_store_view(const scree_store *store)
{
    scree_bodies bodies = {
        .dimensions = store->dimensions,
        .volume = store->volume,
        .bound = store->bound,
        .active_count = store->active_count,
        .active = store->active,
        .position = store->position,
        .box = store->box,
        .sphere = (const double(*)[4])store->sphere,
        .range = store->has_range ? &store->range : NULL,
    };
    return bodies;
}
