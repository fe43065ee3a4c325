/*  Contacts of spheres by a law that is dry and does not roll ("linear", "hertz", "penalty", most that are written as formulas), where nobody asks for more than
    forces: from two places to sums in one go, a few vectors of contacts at once, so that what lies in between stays in the nearest
    cache. What other laws, hosts' laws, rows of force, accounts and stiffness need goes by batches (sphere_forces.c); both
    find the same numbers. */
#ifndef SCREE_WORLD_DRY_CONTACTS_H
#define SCREE_WORLD_DRY_CONTACTS_H

#include "world/contacts/plane_contacts.h"
#include "world/forces/push_kernels.h"
#include "world/forces/sphere_forces.h"

typedef struct scree_dry_run
{
    const scree_geometry *geometry;
    const scree_contact_list *list;
    double *const *next; /* what they will remember: scree_contact_sets */
    scree_sums *sums;
    uint32_t worker;
    scree_quantum_rule rule;
    const double *constants; /* of the law */
    scree_law_force *force;  /* of a law written as formulas, and its user */
    void *user;
    uint32_t planes;  /* numbers that such a law remembers */
    double dt, ahead; /* as in a batch */
    bool are_few;     /* contacts of each body: no more than SCREE_FEW_CONTACTS */
    double deepest;   /* a contact that may be deeper, over its smaller radius, is to be told of */
} scree_dry_run;

typedef struct scree_dry_result
{
    uint32_t contacts; /* that there are */
    bool
        may_be_deep; /* one may be deeper than `deepest`: that is to be looked at without rounding */
} scree_dry_result;

/*  Of `packed` candidates from `begin`, full vectors of them, those that touch: which these are is noted where they are not those
    of the last step, see touches_next. Then of `count` candidates that touch; past them the last one is repeated, up to a full
    vector. */
typedef scree_dry_result scree_dry_fn(const scree_dry_run *run, uint32_t begin, uint32_t packed,
                                      const uint32_t *candidates, uint32_t count);

/*  Of the contacts begin .. end - 1 with planes, those that touch; who does, and what they remember, is noted where it was read.
    Of the run no list of candidates is looked at. `begin` is a multiple of SCREE_PACK. */
typedef scree_dry_result scree_dry_planes_fn(const scree_dry_run *run, scree_plane_contacts *planes,
                                             uint32_t begin, uint32_t end);

/*  The kernel for contacts of a slot; NULL: it has none. Of laws written as formulas those have one that do not roll, act no farther
    than touching and remember no more than "hertz" does. */
scree_dry_fn *scree_dry_kernel(scree_simd simd, const scree_rule_slot *slot);
/*  That for planes, by the law's force on batches. */
scree_dry_planes_fn *scree_dry_planes_kernel(scree_simd simd, scree_law_force *force);

#endif
