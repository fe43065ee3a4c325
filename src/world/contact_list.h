/*  Pairs of bodies that may touch, and what contacts remember.

    The list is made anew at each search and stays until the next. Contacts that last are found again in the
    new one, so memory lives as long as two bodies touch. Whatever a candidate holds that does not touch is
    without meaning, but for its row, which is zero. */
#ifndef SCREE_CONTACT_LIST_H
#define SCREE_CONTACT_LIST_H

#include "world/bodies.h"

/*  For each candidate. */
#define SCREE_CONTACT_FIELDS(X)                                                                    \
    X(uint32_t, first, 1) /* slot; has the smaller serial */                                       \
    X(uint32_t, second, 1)                                                                         \
    X(uint32_t, slot, 1)        /* of the table of laws and materials, see rules.h */              \
    X(uint8_t, older, 1)        /* a contact that began now would have another slot */             \
    X(uint8_t, touches, 1)      /* at the last step taken, */                                      \
    X(uint8_t, touches_next, 1) /* and at the evaluation under way */                              \
    X(double, row, 8) /* force on first, arm of first; force x arm direction, arm of second */

/*  The row: {F, arm1, T, arm2}: first gets force F and torque arm1 T, second -F and arm2 T. Moments of laws
    beside that stand in an array of their own: moment on first; second gets the opposite. */

typedef struct scree_contact_list
{
    scree_memory *memory;
    size_t count;
#define X(type, name, n)                                                                           \
    type(*name)[n];                                                                                \
    size_t name##_capacity;
    SCREE_CONTACT_FIELDS(X)
    X(double, moment, 4)  /* on first; only where some law has_moments, */
    X(double, account, 4) /* stored, and lost in three ways; only where a ledger is kept */
#undef X
    bool has_moments, has_account;
    bool has_older;  /* for some older is set */
    uint32_t planes; /* numbers that laws remember */
    double *remembered[SCREE_MAX_MEMORY], *next[SCREE_MAX_MEMORY];
    size_t plane_capacity[2 * SCREE_MAX_MEMORY]; /* of the one, then of the other */

    /*  Contacts of the body in slot s, by serial of the partner: entry[begin[s]] .. entry[end[s] - 1], each
        2 * candidate + (1 where s is second). */
    uint32_t *begin, *end;
    size_t begin_capacity, end_capacity;
    uint32_t *entry;
    size_t entry_capacity;
} scree_contact_list;

void scree_contact_list_init(scree_contact_list *list, scree_memory *memory);
void scree_contact_list_free(scree_contact_list *list);
/*  Room for so many candidates with so many numbers each; content is kept. */
scree_status scree_contact_list_reserve(scree_contact_list *list, size_t wanted, uint32_t planes,
                                        bool has_moments, bool has_account);
/*  Fills begin, end and entry. SCREE_TOO_LARGE for 2^31 candidates, SCREE_OUT_OF_MEMORY. */
scree_status scree_contact_list_index(scree_contact_list *list, const scree_crowd *bodies);
/*  The candidate of two bodies, in either order; SIZE_MAX if there is none. */
size_t scree_contact_list_find(const scree_contact_list *list, uint32_t first, uint32_t second);
/*  Takes over from `old` what is remembered of pairs that touched; slots of both are those of now. The
    candidates of `old` that have no place here lose it: they have parted. */
void scree_contact_list_inherit(scree_contact_list *list, const scree_contact_list *old);

/*  Candidates of slot 0 exert no force, and leave the list; true if there were any: then it must be indexed
    again. */
bool scree_contact_list_drop_lawless(scree_contact_list *list);

/*  Bodies are about to be added in slots from .. to - 1: they have no contacts yet. */
scree_status scree_contact_list_admit(scree_contact_list *list, uint32_t from, uint32_t to);
/*  The step is taken: what contacts remember is what was last evaluated. True where one has ended that had an
    older law than it would get now: then a new list must be made. */
bool scree_contact_list_accept(scree_contact_list *list);
/*  A body has been removed: its contacts end; whether it had any. Then the one that moved from slot `from`
    to `to` is followed. The list is good for being inherited from, no more. */
bool scree_contact_list_forget(scree_contact_list *list, uint32_t slot);
void scree_contact_list_follow(scree_contact_list *list, uint32_t from, uint32_t to);
/*  `count` bodies were permuted: what was in slot s is now in place[s]. `buffer` has room for so many. */
void scree_contact_list_permute(scree_contact_list *list, const uint32_t *place, uint32_t count,
                                uint32_t *buffer);

#endif
