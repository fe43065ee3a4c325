/*  Contacts of bodies: what they exert, and what they will remember, at the places that their candidates have in the list.
    What they remember as of the last step taken is the list's (candidates.h). */
#ifndef SCREE_WORLD_CONTACT_HISTORY_H
#define SCREE_WORLD_CONTACT_HISTORY_H

#include "world/contacts/candidates.h"
#include "world/contacts/stiffness_row.h"

/*  What contacts exert; of those that are apart it is without meaning. */
#define SCREE_EXERTED_FIELDS(X)                                                                    \
    X(double, row, 8)     /* {F, arm1, T, arm2}: first gets force F and torque arm1 T, */          \
                          /* second -F and arm2 T */                                               \
    X(double, moment, 4)  /* on first beside that, second the opposite; where laws have_moments */ \
    X(double, account, 4) /* stored, and lost in three ways; only where an energy balance is kept */

typedef struct scree_contact_sets
{
    scree_memory *memory;
    size_t touching;                /* contacts, at the evaluation under way */
    double *next[SCREE_MAX_MEMORY]; /* what is remembered, as the evaluation under way makes it */
    size_t next_capacity[SCREE_MAX_MEMORY];
    scree_stiffness_row *stiffness; /* where it is asked for */
    size_t stiffness_capacity;
#define X(type, name, n)                                                                           \
    type(*name)[n];                                                                                \
    size_t name##_capacity;
    SCREE_EXERTED_FIELDS(X)
#undef X
    bool has_moments, has_account;
    bool has_rows; /* and moments: some evaluations need not put them down */
} scree_contact_sets;

void scree_contact_sets_free(scree_contact_sets *sets);
/*  Room for what contacts of so many candidates will remember, and where has_rows is set for what they exert; the other flags
    are given. SCREE_OUT_OF_MEMORY. */
scree_status scree_contact_sets_reserve(scree_contact_sets *sets, size_t wanted, uint32_t planes,
                                        bool has_moments, bool has_account);
/*  The step is taken: what contacts of the list will remember is what they remember. */
void scree_contact_sets_accept(scree_contact_sets *sets, scree_contact_list *list);

/*  Zero times a finite number is zero. */
static inline bool scree_force_is_sound(const double force[3], const double torque[3])
{
    double probe =
        0 * force[0] + 0 * force[1] + 0 * force[2] + 0 * torque[0] + 0 * torque[1] + 0 * torque[2];
    return probe == 0;
}

#endif
