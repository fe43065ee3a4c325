/*  Contacts of spheres with a dry contact model ("linear", "hertz", "penalty", "linear-rolling", "hertz-rolling", most
    of those written as formulas), in steps that need only forces. A few vectors of contacts at once are taken from
    positions to sums in one pass, so that intermediate values stay in the nearest cache. Other contact models, those
    of hosts, force records, energy balance and stiffness use batches (sphere_forces.c). Both ways give the same
    bits. */
#ifndef SCREE_WORLD_DRY_CONTACTS_H
#define SCREE_WORLD_DRY_CONTACTS_H

#include "world/contacts/plane_contacts.h"
#include "world/forces/push_kernels.h"
#include "world/forces/sphere_forces.h"

typedef struct scree_dry_run
{
    const scree_geometry *geometry;
    const scree_contact_list *list;
    double *const *next; /* new contact history: scree_contact_sets */
    scree_sums *sums;
    uint32_t worker;
    scree_quantum_rule rule;
    const double *constants; /* of the contact model */
    scree_law_force *force;  /* of a contact model written as formulas, and its user data */
    void *user;
    uint32_t planes;  /* number of history arrays of such a model */
    double dt, ahead; /* as in a batch */
    bool are_few;     /* no body has more contacts than SCREE_FEW_CONTACTS */
    double deepest;   /* deeper contacts, relative to the smaller radius, must be reported */
    bool has_belts;   /* of planes */
} scree_dry_run;

typedef struct scree_dry_result
{
    uint32_t contacts; /* number of contacts */
    bool may_be_deep;  /* a contact may be deeper than `deepest`: must be checked exactly */
} scree_dry_result;

/*  Computes first the touching pairs among `packed` pairs from `begin`, which are full vectors. Changes of touches
    are recorded in touches_next. Then computes `count` pairs that are known to touch; behind them the last is
    repeated, up to a full vector. */
typedef scree_dry_result scree_dry_fn(const scree_dry_run *run, uint32_t begin, uint32_t packed,
                                      const uint32_t *candidates, uint32_t count);

/*  Computes the touching contacts among begin .. end - 1 with planes. Touches and history are written where they
    were read. The neighbour list of the run is not used. `begin` is a multiple of SCREE_PACK. */
typedef scree_dry_result scree_dry_planes_fn(const scree_dry_run *run, scree_plane_contacts *planes,
                                             uint32_t begin, uint32_t end);

/*  The kernel for contacts with these pair parameters; NULL: there is none. Contact models written as formulas have
    a kernel if they have no rolling, no interaction range beyond touching, and at most as many history variables as
    "hertz". */
scree_dry_fn *scree_dry_kernel(scree_simd simd, const scree_rule_slot *slot);
/*  The same for planes, from the model's function for batches. */
scree_dry_planes_fn *scree_dry_planes_kernel(scree_simd simd, scree_law_force *force);

#endif
