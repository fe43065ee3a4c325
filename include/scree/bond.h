/*  scree/bond.h: bonds between spheres, which break when they are loaded too much.

        scree_bond_def bond = scree_default_bond_def();
        bond.gap = 1e-6;
        uint64_t made;
        scree_world_add_bonds(world, &bond, &made);
        scree_world_step(world, 10000);
        printf("%llu of %llu broke\n", (unsigned long long)scree_world_bond_counts(world).broken,
               (unsigned long long)made);

    The law "bonded" (scree/law.h) sets stiffness and strength of a bond. */
#ifndef SCREE_BOND_H
#define SCREE_BOND_H

#include "scree/world.h"

#ifdef __cplusplus
extern "C" {
#endif

/*  Which spheres to bond. A pair is bonded only if its law is "bonded" (scree/law.h). */
typedef struct scree_bond_def
{
    uint32_t cookie;             /* set by the default function */
    uint32_t size;               /* in bytes, set by the default function */
    double gap;                  /* largest distance between the surfaces, m, 0 or more; 0 */
    uint64_t groups;             /* both bodies must be in one of these groups; all */
    scree_body_id first, second; /* bond only these two; none: all pairs */
} scree_bond_def;

/*  What scree_default_bond_def calls: writes default values to the first `size` bytes of a definition. */
SCREE_API void scree_init_bond_def(scree_bond_def *def, size_t size);
/*  Returns a definition with default values. */
static inline scree_bond_def scree_default_bond_def(void)
{
    scree_bond_def def;
    scree_init_bond_def(&def, sizeof def);
    return def;
}

/*  Bonds all matching pairs that have no intact bond. Bonds start without strain. Pairs that are farther apart than the
    law's bond_reach get none. The history of existing contacts is kept. `made` gets the number of new bonds; it may be
    NULL. On failure nothing changes. SCREE_BAD_DEF; SCREE_BAD_VALUE: gap; SCREE_BAD_ARGUMENT: groups is 0, or first and
    second name no body, the same body, or two that cannot be bonded; SCREE_OUT_OF_MEMORY; and any reason why forces
    cannot be computed. */
SCREE_API scree_status scree_world_add_bonds(scree_world *world, const scree_bond_def *def,
                                             uint64_t *made);

/*  Why a bond broke. If both strengths are exceeded in the same step, the cause is tension. */
typedef enum scree_break_cause
{
    SCREE_BREAK_NONE,     /* it is intact */
    SCREE_BREAK_TENSION,  /* the tensile strength was exceeded */
    SCREE_BREAK_SHEAR,    /* the shear strength was exceeded */
    SCREE_BREAK_DISTANCE, /* the surfaces were farther apart than bond_reach */
} scree_break_cause;

/*  A bond, with the forces that it exerts on the first body. They are 0 if it is broken. */
typedef struct scree_bond
{
    scree_body_id first, second; /* first has the smaller global id */
    bool is_intact;              /* false: it is broken */
    double stretch;              /* change of length since it was made, m */
    double shear[3];             /* shear force, N */
    double bending[3], twisting; /* bending moment; twisting moment about the normal; N m */
    scree_break_cause cause;     /* why it broke */
} scree_bond;

/*  Lists all intact bonds, and broken ones whose bodies are still within the interaction range. The order is that of
    contacts. The list is valid until the next call that lists bonds or contacts. SCREE_BAD_ARGUMENT,
    SCREE_OUT_OF_MEMORY. */
SCREE_API scree_status scree_world_bonds(scree_world *world, const scree_bond **bonds,
                                         size_t *count);

/*  Numbers of bonds. A bond that disappears because a body was removed, or was moved out of range by the host, is
    counted in `made` only. All numbers but `intact` are part of the state. Checkpoints of early versions do not have
    them; bonds that broke before such a checkpoint are not counted. */
typedef struct scree_bond_counts
{
    uint64_t intact;                            /* intact bonds now */
    uint64_t made, broken;                      /* made and broken since the world was created */
    uint64_t by_tension, by_shear, by_distance; /* the broken ones by cause */
} scree_bond_counts;

/*  Returns the numbers of bonds. All are 0 if `world` is NULL. */
SCREE_API scree_bond_counts scree_world_bond_counts(const scree_world *world);

/*  The record of a broken bond. */
typedef struct scree_break
{
    uint64_t step;                        /* the step in which it broke */
    double time;                          /* the time at the end of that step, s */
    scree_body_id first, second;          /* first has the smaller global id */
    uint64_t first_serial, second_serial; /* their global ids */
    scree_break_cause cause;              /* why it broke */
    double point[3];                      /* the middle between the surfaces, m */
    double normal[3];                     /* unit vector from first to second */
} scree_break;

/*  Lists the bonds that broke since the world was created or restored, or since scree_world_forget_breaks. The order is
    by step, then by global ids. With local time steps (local_steps) the step is the whole one. The list belongs to
    the world and is valid until the next call that takes the world without const. SCREE_BAD_ARGUMENT. */
SCREE_API scree_status scree_world_breaks(const scree_world *world, const scree_break **breaks,
                                          size_t *count);
/*  Empties the list, so that it does not grow without limit. The counts stay. NULL is allowed. */
SCREE_API void scree_world_forget_breaks(scree_world *world);

#ifdef __cplusplus
}
#endif

#endif
