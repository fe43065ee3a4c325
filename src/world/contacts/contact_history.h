/*  Forces and new history of contacts between bodies, at the index of their pair in the neighbour list. The history
    of the last accepted step is in the list itself (candidates.h). */
#ifndef SCREE_WORLD_CONTACT_HISTORY_H
#define SCREE_WORLD_CONTACT_HISTORY_H

#include "world/contacts/candidates.h"
#include "world/contacts/stiffness_row.h"

/*  Results of a contact; undefined for pairs that do not touch. */
#define SCREE_EXERTED_FIELDS(X)                                                                    \
    X(double, row, 8)     /* {F, arm1, T, arm2}: force F and torque arm1 T on first, */            \
                          /* force -F and torque arm2 T on second */                               \
    X(double, moment, 4)  /* further torque on first, its opposite on second; if has_moments */    \
    X(double, account, 4) /* elastic energy, and three losses; only with an energy balance */

typedef struct scree_contact_sets
{
    scree_memory *memory;
    size_t touching;                /* number of contacts in the current evaluation */
    double *next[SCREE_MAX_MEMORY]; /* history that the current evaluation computes */
    size_t next_capacity[SCREE_MAX_MEMORY];
    scree_stiffness_row *stiffness; /* if requested */
    size_t stiffness_capacity;
#define X(type, name, n)                                                                           \
    type(*name)[n];                                                                                \
    size_t name##_capacity;
    SCREE_EXERTED_FIELDS(X)
#undef X
    bool has_moments, has_account;
    bool has_rows; /* also for moments: some evaluations do not store records */
} scree_contact_sets;

void scree_contact_sets_free(scree_contact_sets *sets);
/*  Reserves room for the history of this number of pairs and, if has_rows is set, for their results. The caller sets
    the other flags. SCREE_OUT_OF_MEMORY. */
scree_status scree_contact_sets_reserve(scree_contact_sets *sets, size_t wanted, uint32_t planes,
                                        bool has_moments, bool has_account);
/*  Accepts the step: the new history becomes that of the list. */
void scree_contact_sets_accept(scree_contact_sets *sets, scree_contact_list *list);

/*  Whether the force is finite: zero times a finite number is zero. */
static inline bool scree_force_is_sound(const double force[3], const double torque[3])
{
    double probe =
        0 * force[0] + 0 * force[1] + 0 * force[2] + 0 * torque[0] + 0 * torque[1] + 0 * torque[2];
    return probe == 0;
}

#endif
