/*  What filters come to. Bodies of the same groups, mask and flags are of one kind, and there are few kinds: so a
    body is a byte, and which kinds meet is a table of bits that fits into a few lines of the cache. Columns of
    bodies, eight times as large and more, are looked at when they change, in order, and not for each pair. */
#ifndef SCREE_KINDS_H
#define SCREE_KINDS_H

#include "detect/sink.h"
#include "detect/store.h"

/*  More kinds than these, and pairs are put to the columns themselves. */
#define SCREE_KINDS 64u

/*  Rewritten at the begin of a search if filters are others than at the last one. */
typedef struct scree_kinds
{
    uint64_t found_at; /* those of the store that kinds are of, or 0 */
    uint8_t *of;       /* by id, of bodies that are there */
    size_t of_capacity;
    uint32_t count;
    bool are_few;                /* each body has its kind */
    bool all_meet;               /* and no pair is left out */
    uint64_t meets[SCREE_KINDS]; /* of each kind, a bit for each that it meets */
} scree_kinds;

/*  Whether filters are more than owners. */
static inline bool scree_kinds_are_needed(const scree_store *store)
{
    return store->group || store->mask || store->has_fixed;
}

/*  Finds the kinds of all bodies, unless they are known. */
scree_status scree_kinds_find(scree_kinds *kinds, scree_memory *memory, const scree_store *store);
void scree_kinds_free(scree_kinds *kinds, scree_memory *memory);

/*  Takes pairs that are filtered out of a sink, in part 2 of the rule, but for infinite ones. */
void scree_kinds_keep(const scree_kinds *kinds, const scree_store *store, scree_sink *sink);

#endif
