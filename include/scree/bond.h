/*  scree/bond.h: spheres that are glued together, until what pulls at them is too much.

        scree_bond_def bond = scree_default_bond_def();
        bond.gap = 1e-6;
        uint64_t made;
        scree_world_add_bonds(world, &bond, &made);
        scree_world_step(world, 10000);
        printf("%llu of %llu broke\n", (unsigned long long)scree_world_bond_counts(world).broken,
               (unsigned long long)made);

    What a bond bears follows from the law "bonded" of its contact (scree/law.h). */
#ifndef SCREE_BOND_H
#define SCREE_BOND_H

#include "scree/world.h"

#ifdef __cplusplus
extern "C" {
#endif

/*  Which spheres are glued together. Only where their law is "bonded" (scree/law.h), which says how. */
typedef struct scree_bond_def
{
    uint32_t cookie;
    double gap;                  /* surfaces are at most so far apart, 0 or more; 0 */
    uint64_t groups;             /* both are in one of these; all */
    scree_body_id first, second; /* only these two; none: all pairs */
} scree_bond_def;

SCREE_API scree_bond_def scree_default_bond_def(void);

/*  Bonds all such pairs that have no bond that holds, unstrained as they are; those that are farther apart than the
    law's bond_reach get none. `made` may be NULL: how many. What is stored in contacts there were stays.
    SCREE_BAD_DEF, SCREE_BAD_VALUE (gap), SCREE_BAD_ARGUMENT (groups are 0; first and second name no body, the same body, or
    two that get none), SCREE_OUT_OF_MEMORY, and why forces cannot be found; then nothing changes. */
SCREE_API scree_status scree_world_add_bonds(scree_world *world, const scree_bond_def *def,
                                             uint64_t *made);

/*  Why a bond broke: where both strengths were passed at once, by tension. */
typedef enum scree_break_cause
{
    SCREE_BREAK_NONE, /* it holds */
    SCREE_BREAK_TENSION,
    SCREE_BREAK_SHEAR,
    SCREE_BREAK_DISTANCE, /* surfaces went farther apart than bond_reach */
} scree_break_cause;

/*  What a bond exerts on the first body; of a broken one 0. */
typedef struct scree_bond
{
    scree_body_id first, second; /* first has the smaller serial */
    bool is_intact;
    double stretch;                        /* longer by this than when it was made, m */
    double shear[3], bending[3], twisting; /* N, N m; twisting about the normal */
    scree_break_cause cause;
} scree_bond;

/*  Bonds that hold, and those that broke between bodies that are still within reach of each other: ordered as contacts, as
    long as the next call that lists bonds or contacts. SCREE_BAD_ARGUMENT, SCREE_OUT_OF_MEMORY. */
SCREE_API scree_status scree_world_bonds(scree_world *world, const scree_bond **bonds,
                                         size_t *count);

/*  Bonds by number. Those that go with a body that is removed, or that the host moves out of reach, are in `made` alone.
    All but `intact` are part of the state; what broke before an old checkpoint that has no such numbers is not known. */
typedef struct scree_bond_counts
{
    uint64_t intact;                            /* now */
    uint64_t made, broken;                      /* so far */
    uint64_t by_tension, by_shear, by_distance; /* of the broken */
} scree_bond_counts;

SCREE_API scree_bond_counts scree_world_bond_counts(const scree_world *world); /* of NULL all 0 */

/*  A bond that broke. */
typedef struct scree_break
{
    uint64_t step;               /* in which it was seen, */
    double time;                 /* and its end, s */
    scree_body_id first, second; /* first has the smaller serial */
    uint64_t first_serial, second_serial;
    scree_break_cause cause;
    double point[3];  /* half way between the surfaces, then */
    double normal[3]; /* from first to second */
} scree_break;

/*  Bonds that broke since the world was made or restored, or since scree_world_forget_breaks: ordered by step, then by
    serials. The list belongs to the world until the next call that is given it without const. Of steps that are taken in
    parts (local_steps) the step is that of the whole. SCREE_BAD_ARGUMENT. */
SCREE_API scree_status scree_world_breaks(const scree_world *world, const scree_break **breaks,
                                          size_t *count);
/*  Empties the list, so that it does not grow for ever; counts stay. NULL is fine. */
SCREE_API void scree_world_forget_breaks(scree_world *world);

#ifdef __cplusplus
}
#endif

#endif
