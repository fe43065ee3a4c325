/*  Pairs of bodies that may touch.

    The list is made anew at each search and stays until the next. A candidate is known by its place in the list, and so is its
    contact while the two touch: what it remembers, and what it exerts (contact_history.h), lies at the same place. Those that
    touch when the list is made come first in their tile, so that they lie side by side. */
#ifndef SCREE_WORLD_CANDIDATES_H
#define SCREE_WORLD_CANDIDATES_H

#include "base/tasks.h"
#include "scree/law.h"
#include "world/contacts/gaps.h"
#include "world/state/bodies.h"

/*  Candidates that one worker takes at a time. */
#define SCREE_TILE 1024u
/*  Those of a tile that touch are packed in multiples of this: full vectors at every SIMD level. */
#define SCREE_PACK 8u

/*  For each candidate. */
#define SCREE_CANDIDATE_FIELDS(X)                                                                  \
    X(uint32_t, first, 1) /* slot; has the smaller serial */                                       \
    X(uint32_t, second, 1)                                                                         \
    X(uint8_t, touches, 1)      /* 1: at the last step taken; 0: apart */                          \
    X(uint8_t, touches_next, 1) /* and at the evaluation under way */                              \
    X(uint32_t, slot, 1)        /* of those that touch: in the table of laws, see law_table.h */

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
        *remembered[SCREE_MAX_MEMORY]; /* by those that touch, as many numbers as their law has */
    size_t remembered_capacity[SCREE_MAX_MEMORY];
    uint32_t planes; /* of these there are */
    uint32_t *
        packed; /* for each tile: so many from its first on touch, or nearly all of them: full vectors */
    size_t packed_capacity, packed_tiles; /* tiles that this is known of */
    uint8_t *
        few; /* of each tile, and known as soon as they are counted: its bodies have few candidates, see sums.h */
    size_t few_capacity;
    scree_gaps gaps;    /* while steps are made in place */
    bool has_lawless;   /* some touch by an older law, and would exert no force if they began now */
    bool rows_are_next; /* rows of force are of touches_next: there was an evaluation since */
    uint32_t alike;     /* slot of the table of laws that all have who touch; 0: they may differ */

    /*  Candidates of the body in slot s, by serial of the partner: entry[begin[s]] .. entry[end[s] - 1], each
        2 * candidate + (1 where s is second). Until the list is indexed, end[s] says how many there are. */
    bool is_indexed;
    uint32_t *begin, *end;
    size_t begin_capacity, end_capacity;
    uint32_t *entry;
    size_t entry_capacity;
} scree_contact_list;

void scree_contact_list_init(scree_contact_list *list, scree_memory *memory);
void scree_contact_list_free(scree_contact_list *list);
/*  Room for so many candidates; content is kept, but not what is remembered. */
scree_status scree_contact_list_reserve(scree_contact_list *list, size_t wanted);
/*  Room for what they remember, in so many planes; content is kept. SCREE_OUT_OF_MEMORY. */
scree_status scree_contact_list_reserve_memory(scree_contact_list *list, uint32_t planes);
/*  Gives back all of a list that nobody goes back to: it is empty then. */
void scree_contact_list_drop(scree_contact_list *list);
/*  Counts the candidates of each body, and makes room for its index. SCREE_TOO_LARGE for 2^31 candidates,
    SCREE_OUT_OF_MEMORY. */
scree_status scree_contact_list_count(scree_contact_list *list, uint32_t bodies,
                                      const scree_workers *workers);
/*  Fills the index of a list that was counted, if that is not done: begin, end and entry. */
void scree_contact_list_index(scree_contact_list *list, const scree_crowd *bodies);
/*  The candidate of two bodies, in either order; SIZE_MAX if there is none. The list is indexed. */
size_t scree_contact_list_find(const scree_contact_list *list, uint32_t first, uint32_t second);
/*  If they touched at the last step taken. The same, and of a list that bodies were removed from since, too: the candidates of these
    touch no more, whatever they name. */
size_t scree_contact_list_find_contact(const scree_contact_list *list, uint32_t first,
                                       uint32_t second);
/*  Takes over from `old`, indexed or not, who touches, and puts them first in each tile, with those that touch where
    `bodies` are now; then what they remember. Slots of both are those of now. The candidates of `old` that have no place here
    lose it: they have parted. SCREE_TOO_LARGE, SCREE_OUT_OF_MEMORY. */
scree_status scree_contact_list_inherit(scree_contact_list *list, const scree_contact_list *old,
                                        const scree_crowd *bodies, const scree_workers *workers);

/*  Of the candidates that stand where the index of `list` will, `count` of them, those that `old` has not. */
size_t scree_contact_list_count_new(scree_contact_list *list, const scree_contact_list *old,
                                    uint32_t bodies, size_t count);

/*  Whether a candidate has a row of force. */
static inline bool scree_contact_has_row(const scree_contact_list *list, size_t candidate)
{
    return list->rows_are_next ? list->touches_next[candidate][0] : list->touches[candidate][0];
}

/*  Bodies are about to be added in slots from .. to - 1: they have no contacts yet. */
scree_status scree_contact_list_admit(scree_contact_list *list, uint32_t from, uint32_t to);
/*  The step is taken: who touches is what was last found. */
void scree_contact_list_accept(scree_contact_list *list);
/*  A body has been removed: its contacts end; whether it had any. Then the one that moved from slot `from`
    to `to` is followed: what the list has of it, and its name in its contacts. The list is good for being inherited
    from, no more. */
bool scree_contact_list_forget(scree_contact_list *list, uint32_t slot);
void scree_contact_list_follow(scree_contact_list *list, uint32_t from, uint32_t to);
void scree_contact_list_follow_names(scree_contact_list *list, uint32_t from, uint32_t to);
/*  The same names for all contacts at once: what was in slot s, below `count`, is now in place[s]. Candidates of
    bodies that are gone may name slots that are none any more; then they name slot 0. */
void scree_contact_list_rename(scree_contact_list *list, const uint32_t *place, uint32_t count);
/*  `count` bodies were permuted: what was in slot s is now in place[s]. `buffer` has room for so many. */
void scree_contact_list_permute(scree_contact_list *list, const uint32_t *place, uint32_t count,
                                uint32_t *buffer);

#endif
