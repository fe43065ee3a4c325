/*  The neighbour list: pairs of bodies that may touch.

    Each search makes a new list. A pair, and its contact if the two touch, is identified by its index in the list:
    contact history and forces (contact_history.h) are at the same index. Pairs that touch when the list is made come
    first in their tile, so that they are contiguous. */
#ifndef SCREE_WORLD_CANDIDATES_H
#define SCREE_WORLD_CANDIDATES_H

#include "base/tasks.h"
#include "scree/law.h"
#include "world/contacts/gaps.h"
#include "world/state/bodies.h"

/*  Pairs per unit of work of a worker. */
#define SCREE_TILE 1024u
/*  Touching pairs of a tile are padded to a multiple of this: full vectors at every SIMD level. */
#define SCREE_PACK 8u

/*  Columns of the list. */
#define SCREE_CANDIDATE_FIELDS(X)                                                                  \
    X(uint32_t, first, 1) /* slot; the body with the smaller global id */                          \
    X(uint32_t, second, 1)                                                                         \
    X(uint8_t, touches, 1)      /* 1: touched in the last step; 0: did not */                      \
    X(uint8_t, touches_next, 1) /* the same in the current evaluation */                           \
    X(uint32_t, slot, 1)        /* of touching pairs: their pair parameters, see law_table.h */

typedef struct scree_contact_list
{
    scree_memory *memory;
    size_t count;
#define X(type, name, n)                                                                           \
    type(*name)[n];                                                                                \
    size_t name##_capacity;
    SCREE_CANDIDATE_FIELDS(X)
#undef X
    double
        *history[SCREE_MAX_MEMORY]; /* contact history; as many values as the contact model has */
    size_t history_capacity[SCREE_MAX_MEMORY];
    uint32_t planes;  /* number of these arrays */
    uint32_t *packed; /* by tile: this many of its first pairs touch, nearly all; full vectors */
    size_t packed_capacity, packed_tiles; /* number of tiles for which this is known */
    uint8_t *
        few; /* by tile: its bodies have few pairs each, see sums.h; known once pairs are counted */
    size_t few_capacity;
    scree_gaps gaps;            /* while steps are made in place */
    bool has_pairs_without_law; /* some contacts have parameters of an interaction that is gone */
    bool rows_are_next; /* force records are those of touches_next: there was an evaluation since */
    uint32_t alike;     /* the pair parameters that all contacts have; 0: they may differ */

    /*  Pairs of the body in slot s, by global id of the partner: entry[begin[s]] .. entry[end[s] - 1], each 2 * pair
        + (1 if s is second). Until the index is filled, end[s] is their number. */
    bool is_indexed;
    uint32_t *begin, *end;
    size_t begin_capacity, end_capacity;
    uint32_t *entry;
    size_t entry_capacity;
} scree_contact_list;

void scree_contact_list_init(scree_contact_list *list, scree_memory *memory);
void scree_contact_list_free(scree_contact_list *list);
/*  Reserves room for pairs. Contents are kept, except contact history. */
scree_status scree_contact_list_reserve(scree_contact_list *list, size_t wanted);
/*  Reserves room for contact history, with this number of arrays. Contents are kept. SCREE_OUT_OF_MEMORY. */
scree_status scree_contact_list_reserve_memory(scree_contact_list *list, uint32_t planes);
/*  Frees the memory of a list that is no longer needed, and empties it. */
void scree_contact_list_drop(scree_contact_list *list);
/*  Reserves room for the index of the pairs of so many bodies. SCREE_TOO_LARGE for 2^31 pairs, SCREE_OUT_OF_MEMORY. */
scree_status scree_contact_list_reserve_index(scree_contact_list *list, uint32_t bodies);
/*  Counts the pairs of each body, for which it reserves room. The same statuses. */
scree_status scree_contact_list_count(scree_contact_list *list, uint32_t bodies,
                                      const scree_workers *workers);
/*  Fills the index of a counted list, unless it is filled: begin, end and entry. */
void scree_contact_list_index(scree_contact_list *list, const scree_body_arrays *bodies);
/*  The pair of two bodies, in either order; SIZE_MAX if there is none. The index must be filled. */
size_t scree_contact_list_find(const scree_contact_list *list, uint32_t first, uint32_t second);
/*  The same, if they touched in the last step. Valid also if bodies have been removed since: their pairs no longer
    touch, whatever slots they name. */
size_t scree_contact_list_find_contact(const scree_contact_list *list, uint32_t first,
                                       uint32_t second);
/*  Takes the contacts of `old`, with or without index, over to a new list: puts touching pairs first in each tile,
    then those that overlap at the positions in `bodies`, and copies contact history. Slots of both lists are the
    present ones. A contact of `old` that is not in this list ends: its bodies have separated. SCREE_TOO_LARGE,
    SCREE_OUT_OF_MEMORY. */
scree_status scree_contact_list_inherit(scree_contact_list *list, const scree_contact_list *old,
                                        const scree_body_arrays *bodies,
                                        const scree_workers *workers);

/*  Counts the pairs that `old` does not have among `count` pairs, which are stored where the index of `list` will
    be. */
size_t scree_contact_list_count_new(scree_contact_list *list, const scree_contact_list *old,
                                    uint32_t bodies, size_t count);

/*  Whether a pair has a force record. */
static inline bool scree_contact_has_row(const scree_contact_list *list, size_t candidate)
{
    return list->rows_are_next ? list->touches_next[candidate][0] : list->touches[candidate][0];
}

/*  Bodies are about to be added in slots from .. to - 1. They have no contacts yet. */
scree_status scree_contact_list_admit(scree_contact_list *list, uint32_t from, uint32_t to);
/*  Accepts the step: touches becomes touches_next. */
void scree_contact_list_accept(scree_contact_list *list);
/*  Removes the contacts of a body; returns whether it had any. Then renames the body that moved from slot `from` to
    `to`. Afterwards the list may only be used to take contacts over from. */
bool scree_contact_list_forget(scree_contact_list *list, uint32_t slot);
void scree_contact_list_follow(scree_contact_list *list, uint32_t from, uint32_t to);
void scree_contact_list_follow_names(scree_contact_list *list, uint32_t from, uint32_t to);
/*  Renames all slots: the body that was in slot s, below `count`, is now in place[s]. Pairs of removed bodies may
    have invalid slots; they get slot 0. */
void scree_contact_list_rename(scree_contact_list *list, const uint32_t *place, uint32_t count);
/*  Bodies were permuted: the body that was in slot s is now in place[s]. `buffer` has room for `count`. */
void scree_contact_list_permute(scree_contact_list *list, const uint32_t *place, uint32_t count,
                                uint32_t *buffer);

/*  Number of pairs that touched in the last step. */
uint64_t scree_contact_list_touching(const scree_contact_list *list);

#endif
