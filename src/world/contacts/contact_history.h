/*  Contacts of bodies: what they remember and exert, side by side for those pairs alone that touch.

    They are numbered from 1 in the order of candidates, so numbers do not depend on who found them. What is
    remembered lies twice: as of the last step taken, and as the evaluation under way makes it. */
#ifndef SCREE_WORLD_CONTACT_HISTORY_H
#define SCREE_WORLD_CONTACT_HISTORY_H

#include "base/memory.h"
#include "scree/law.h"

/*  A contact with number k is at k - 1. */
typedef struct scree_contact_set
{
    size_t count;    /* the last number */
    size_t touching; /* contacts; where there is rest (sleep.h) not all numbers are taken */
    uint32_t *slot;  /* of the table of laws and materials, see law_table.h */
    size_t slot_capacity;
    double *remembered[SCREE_MAX_MEMORY]; /* as many as its law does, of each */
    size_t plane_capacity[SCREE_MAX_MEMORY];
} scree_contact_set;

/*  What contacts exert, by number; number 0 is of those that are apart, and zero. */
#define SCREE_EXERTED_FIELDS(X)                                                                    \
    X(double, row, 8) /* {F, arm1, T, arm2}: first gets force F and torque arm1 T, */              \
                      /* second -F and arm2 T; where precision is mixed instead of it: */          \
    X(float, float_row, 8)                                                                         \
    X(double, moment, 4)  /* on first beside that, second the opposite; where laws have_moments */ \
    X(double, account, 4) /* stored, and lost in three ways; only where a ledger is kept */

typedef struct scree_contact_sets
{
    scree_memory *memory;
    scree_contact_set now, next;
#define X(type, name, n)                                                                           \
    type(*name)[n];                                                                                \
    size_t name##_capacity;
    SCREE_EXERTED_FIELDS(X)
#undef X
    bool is_mixed, has_moments, has_account;
} scree_contact_sets;

/*  What a contact exerts, whatever that is kept in. */
void scree_contact_exerts(const scree_contact_sets *sets, size_t number, double row[8]);

void scree_contact_sets_free(scree_contact_sets *sets);
/*  Room in `next` and for what is exerted by so many contacts. Sets the zero rows. SCREE_OUT_OF_MEMORY. */
scree_status scree_contact_sets_reserve(scree_contact_sets *sets, size_t wanted, uint32_t planes,
                                        bool is_mixed, bool has_moments, bool has_account);
/*  The step is taken: `next` becomes `now`. */
void scree_contact_sets_accept(scree_contact_sets *sets);

/*  Zero times a finite number is zero. */
static inline bool scree_force_is_sound(const double force[3], const double torque[3])
{
    double probe =
        0 * force[0] + 0 * force[1] + 0 * force[2] + 0 * torque[0] + 0 * torque[1] + 0 * torque[2];
    return probe == 0;
}

#endif
