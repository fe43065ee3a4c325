/*  Pairs of bodies that may touch.

    The list is made anew at each search and stays until the next. Of a candidate that touches it knows the
    number of its contact (contact_history.h); what contacts remember is handed on by handing on these numbers. */
#ifndef SCREE_WORLD_CANDIDATES_H
#define SCREE_WORLD_CANDIDATES_H

#include "world/state/bodies.h"

/*  For each candidate. */
#define SCREE_CANDIDATE_FIELDS(X)                                                                  \
    X(uint32_t, first, 1) /* slot; has the smaller serial */                                       \
    X(uint32_t, second, 1)                                                                         \
    X(uint32_t, number, 1)      /* of its contact at the last step taken, from 1; 0: apart */      \
    X(uint32_t, number_next, 1) /* and at the evaluation under way */

/*  Behind the last entry are so many zeros, for those who look ahead. */
#define SCREE_ENTRIES_AHEAD 16u

typedef struct scree_contact_list
{
    scree_memory *memory;
    size_t count;
#define X(type, name, n)                                                                           \
    type(*name)[n];                                                                                \
    size_t name##_capacity;
    SCREE_CANDIDATE_FIELDS(X)
#undef X
    bool has_lawless;   /* some touch by an older law, and would exert no force if they began now */
    bool rows_are_next; /* rows of force go by number_next: there was an evaluation since */
    uint32_t alike;     /* slot of the table of laws that all have who touch; 0: they may differ */

    /*  Contacts of the body in slot s, by serial of the partner: entry[begin[s]] .. entry[end[s] - 1], each
        2 * candidate + (1 where s is second). */
    uint32_t *begin, *end;
    size_t begin_capacity, end_capacity;
    uint32_t *entry;
    size_t entry_capacity;
} scree_contact_list;

void scree_contact_list_init(scree_contact_list *list, scree_memory *memory);
void scree_contact_list_free(scree_contact_list *list);
/*  Room for so many candidates; content is kept. */
scree_status scree_contact_list_reserve(scree_contact_list *list, size_t wanted);
/*  Fills begin, end and entry. SCREE_TOO_LARGE for 2^31 candidates, SCREE_OUT_OF_MEMORY. */
scree_status scree_contact_list_index(scree_contact_list *list, const scree_crowd *bodies);
/*  The candidate of two bodies, in either order; SIZE_MAX if there is none. */
size_t scree_contact_list_find(const scree_contact_list *list, uint32_t first, uint32_t second);
/*  Takes over from `old` who touches; slots of both are those of now. The candidates of `old` that have no
    place here lose it: they have parted. */
void scree_contact_list_inherit(scree_contact_list *list, const scree_contact_list *old);

/*  The number by which the row of force of a candidate is found: row 0 is zero. */
static inline uint32_t scree_contact_row(const scree_contact_list *list, size_t candidate)
{
    return list->rows_are_next ? list->number_next[candidate][0] : list->number[candidate][0];
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
