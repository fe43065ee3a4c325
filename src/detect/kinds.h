/*  Classes of bodies for filters. Bodies with the same groups, mask and flags are of one kind, and there are few
    kinds: so a body needs one byte, and the pairs of kinds are a table of bits that fits into a few cache lines. The
    columns of bodies, which are at least eight times as large, are read only when they change, in order, and not for
    each pair. */
#ifndef SCREE_KINDS_H
#define SCREE_KINDS_H

#include "detect/sink.h"
#include "detect/store.h"

/*  With more kinds, each pair is tested with the columns themselves. */
#define SCREE_KINDS 64u

/*  Updated at the start of a search if filters have changed. */
typedef struct scree_kinds
{
    uint64_t found_at; /* those of the store that kinds are of, or 0 */
    uint8_t *of;       /* by id, of bodies that are there */
    size_t of_capacity;
    uint32_t count;
    bool are_few;                /* each body has its kind */
    bool all_meet;               /* and no pair is left out */
    uint64_t meets[SCREE_KINDS]; /* for each kind, a bit for each that it meets */
} scree_kinds;

/*  Whether filters other than owners are used. */
static inline bool scree_kinds_are_needed(const scree_store *store)
{
    return store->group || store->mask || store->has_fixed;
}

/*  Finds the kinds of all bodies, unless they are known. */
scree_status scree_kinds_find(scree_kinds *kinds, scree_memory *memory, const scree_store *store);
void scree_kinds_free(scree_kinds *kinds, scree_memory *memory);

/*  Removes filtered pairs from a sink, by part 2 of the rule except infinite bodies. */
void scree_kinds_keep(const scree_kinds *kinds, const scree_store *store, scree_sink *sink);

#endif
