/*  The bodies of one detector: the caller's values by id, and the lists of active and infinite bodies. Changes are
    made in two steps: read and check everything, then commit without failing. */
#ifndef SCREE_STORE_H
#define SCREE_STORE_H

#include "base/memory.h"
#include "detect/table.h"

/*  State of an id: the caller's flags, and these. */
#define SCREE_STATE_PRESENT 0x80u
#define SCREE_STATE_REJECTED 0x40u /* present, but with invalid values: meets nothing */
#define SCREE_STATE_FREED 0x20u    /* on the list of ids to be used again */
/*  With any of these a body is not active. */
#define SCREE_STATE_PASSIVE (SCREE_INFINITE | SCREE_NO_BOUND | SCREE_STATE_REJECTED)

/*  Columns by id. One list, from which they are grown and released. */
#define SCREE_STORE_COLUMNS(X)                                                                     \
    X(scree_box, box)     /* NULL unless has_boxes */                                              \
    X(uint32_t, active)   /* ids, a list */                                                        \
    X(uint32_t, position) /* of an id in that list */                                              \
    X(uint32_t, freed)    /* ids, a stack; once some are removed */                                \
    X(uint32_t, stamp)    /* last call that named the id, once one has: finds ids named twice */   \
    X(uint8_t, state)

/*  Columns that are there only if some table gave them, or some body is infinite. */
#define SCREE_STORE_OPTIONAL_COLUMNS(X)                                                            \
    X(uint64_t, group)                                                                             \
    X(uint64_t, mask)                                                                              \
    X(uint32_t, owner)                                                                             \
    X(uint32_t, infinite_at) /* place in the list of infinite bodies, or SCREE_NOT_ACTIVE */

typedef double scree_sphere[4]; /* x y z r, as given */

typedef struct scree_store
{
    scree_memory *memory;
    int dimensions;
    scree_volume volume;
    uint32_t bound;        /* ids are below this */
    uint32_t high;         /* and have been below this since all were given together */
    uint32_t body_count;   /* present */
    uint32_t active_count; /* present and not passive */
    uint32_t freed_count;
    uint32_t rejected_count;
    uint32_t call;    /* the stamp of the present call */
    bool has_boxes;   /* otherwise boxes of spheres are computed on demand: saves memory and time */
    bool has_filters; /* some body may be filtered: fixed, grouped or owned; */
    bool has_fixed;   /* some may be fixed */
    uint64_t filters; /* changes whenever groups, masks or states may have changed; above 0 */
    scree_box bounds; /* encloses all active boxes; may be larger than needed */
    bool has_range;   /* while the method is built of spheres that were all given together: */
    scree_sphere_range range;
    uint32_t *infinite; /* ids of infinite bodies, ascending unless changed singly */
    uint32_t infinite_count;
    size_t infinite_capacity;
    scree_sphere *sphere; /* NULL for boxes */
    size_t sphere_capacity;
#define X(type, name) type *name;
    SCREE_STORE_COLUMNS(X)
    SCREE_STORE_OPTIONAL_COLUMNS(X)
#undef X
#define X(type, name) size_t name##_capacity; /* separate capacities, since one may fail to grow */
    SCREE_STORE_COLUMNS(X)
    SCREE_STORE_OPTIONAL_COLUMNS(X)
#undef X
} scree_store;

void scree_store_init(scree_store *store, scree_memory *memory, int dimensions,
                      scree_volume volume);

/*  Reserves ids below `bound`, the columns that this table has, and `infinite` more infinite bodies. Nothing visible
    changes. */
scree_status scree_store_reserve(scree_store *store, uint32_t bound, const scree_table *table,
                                 size_t infinite);
/*  Room for spheres of periodic images behind those of the bodies, `count` in all. */
scree_status scree_store_reserve_spheres(scree_store *store, size_t count);
void scree_store_free(scree_store *store);

/*  Begins a call that names bodies; then true the first time an id is named in it. There must be
   room for the id when it begins. */
scree_status scree_store_begin(scree_store *store);
static inline bool scree_store_name(scree_store *store, uint32_t id)
{
    bool first = store->stamp[id] != store->call;
    store->stamp[id] = store->call;
    return first;
}
bool scree_store_was_named(const scree_store *store, uint32_t id);

/*  Whether ids are those below `count`, each once, in a call that has begun and in which no body was named yet; there
    must be space for them, at least one. */
bool scree_store_is_each_named(scree_store *store, scree_integers ids, uint32_t count);

static inline bool scree_store_has(const scree_store *store, uint32_t id)
{
    return id < store->bound && (store->state[id] & SCREE_STATE_PRESENT);
}

static inline bool scree_store_is_active(const scree_store *store, uint32_t id)
{
    return scree_store_has(store, id) && store->position[id] != SCREE_NOT_ACTIVE;
}

/*  Writes a row to its id, present or not; the lists are not touched. Returns whether this changes
    which lists the body belongs to. */
bool scree_store_write(scree_store *store, const scree_row *row);
/*  True if the row is of a new body, or differs from the stored one except in its volume. */
bool scree_store_differs(const scree_store *store, const scree_row *row);
/*  True if writing this row makes an active body passive. */
bool scree_store_would_leave(const scree_store *store, const scree_row *row);

/*  Called before all boxes are written: resets the common bounds, which are then enlarged by what is added. */
void scree_store_forget_bounds(scree_store *store);
void scree_store_grow_bounds(scree_store *store, const scree_box *box);

/*  Sets the bodies to 0 .. count - 1, all active. Their volumes and columns of filters have been written, and so
    have their states if there were flags; `has_fixed` if some are fixed. Returns whether the lists had to change. */
bool scree_store_fill(scree_store *store, uint32_t count, bool has_flags, bool has_fixed);

/*  Makes the lists follow the states: of one body, or of all (then ascending). */
void scree_store_relist(scree_store *store, uint32_t id);
void scree_store_relist_all(scree_store *store);

/*  Removes a body; its id will be reused. There must be room to note all removed ids. */
scree_status scree_store_reserve_freed(scree_store *store);
void scree_store_remove(scree_store *store, uint32_t id);
/*  Drops all bodies not named in this call, and forgets the ids to be reused. The lists are not touched. Returns
    whether there were any. */
bool scree_store_drop_unnamed(scree_store *store);
/*  All bodies have been named: new ones get the ids above them. */
void scree_store_forget_freed(scree_store *store);

/*  An id for a new body: the one freed last, else a new one. There must be room for it. */
uint32_t scree_store_new_id(scree_store *store);

void scree_store_clear(scree_store *store);

/*  The box of an active body, kept or made. */
static inline scree_box scree_store_box(const scree_store *store, uint32_t id)
{
    return store->has_boxes ? store->box[id]
                            : scree_sphere_box(store->sphere[id], store->dimensions);
}

/*  What methods see. */
scree_bodies scree_store_view(const scree_store *store);

#endif
