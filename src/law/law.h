/*  Laws inside the library: what a world needs from them in addition to their public struct.

    law.c           the built-in laws, by name, and the check of a user's law law_prepare.c   from materials and
    parameters to constants law_damping.c   the damping that gives a required restitution law_force.c     forces; a
    vector of contacts in law_row.inc.h, adhesion in law_adhesion.inc.h, bonds in law_bond.inc.h, for each SIMD
    instruction set */
#ifndef SCREE_LAW_LAW_H
#define SCREE_LAW_LAW_H

#include "base/common.h"
#include "scree/law.h"

typedef void scree_law_force(const scree_batch *batch, const double *constants, void *user);

/*  Returns the force function of a law for a SIMD instruction set: the kernel of a built-in law (or of a copy that
    forwards to it), or the user's own function. Results are bit-identical for all instruction sets. */
scree_law_force *scree_law_forces(const scree_law *law, scree_simd level);

/*  Interaction range of a law between two materials: `fixed`, plus `root` times the cube root of the effective radius,
    plus `share` times it. */
typedef struct scree_law_reach
{
    double fixed, root, share;
} scree_law_reach;

/*  For a law of the host, the range it states. */
scree_law_reach scree_law_reach_of(const scree_law *law, const double *constants);
/*  Whether the contact history of the law includes bonds. */
bool scree_law_has_bonds(const scree_law *law);
/*  Which of its contacts persist at any distance. */
typedef enum scree_persistent
{
    SCREE_LASTS_NOT,
    SCREE_LASTS_BONDED, /* those with an intact bond */
    SCREE_LASTS,
} scree_persistent;
scree_persistent scree_law_persistent(const scree_law *law, const double *constants);
double scree_law_reach_at(const scree_law_reach *reach, double radius);

/*  SCREE_BAD_ARGUMENT, with a message, if a user's law is incomplete or exceeds a limit. */
scree_status scree_law_check(const scree_law *law, scree_error *error);

/*  Returns the index of a parameter of a law, also by the name of an earlier version; -1 if it has none of this name. */
int scree_law_find_parameter(const scree_law *law, const char *name);
/*  Returns the name that a parameter had in the first version. Files have it, and digests are computed with it. */
const char *scree_law_first_name(const scree_law *law, const char *name);

#endif
