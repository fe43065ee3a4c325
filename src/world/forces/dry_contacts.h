/*  Contacts of spheres by a law that is dry and does not roll ("linear", "hertz", "penalty"), where nobody asks for more than
    forces: from two places to sums in one go, a few vectors of contacts at once, so that what lies in between stays in the nearest
    cache. What other laws, hosts' laws, rows of force, accounts and stiffness need goes by batches (sphere_forces.c); both
    find the same numbers. */
#ifndef SCREE_WORLD_DRY_CONTACTS_H
#define SCREE_WORLD_DRY_CONTACTS_H

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
    double dt, ahead;        /* as in a batch */
    double deepest; /* a contact that is deeper, over its smaller radius, is to be told of */
    double *depth;  /* room for those of all contacts, and a full vector */
} scree_dry_run;

/*  Of `count` candidates that touch; past them the last one is repeated, up to a full vector. Whether some is deeper than `deepest`: then
    all depths are there. */
typedef bool scree_dry_fn(const scree_dry_run *run, const uint32_t *candidates, uint32_t count);

/*  The kernel of a law by its force on batches; NULL: it has none. */
scree_dry_fn *scree_dry_kernel(scree_simd simd, scree_law_force *force);

#endif
