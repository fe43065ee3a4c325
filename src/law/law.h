/*  Laws inside the library: what a world asks of them beside their public struct.

    law.c           the built-in laws, by name, and the check of a user's
    law_prepare.c   from materials and parameters to constants
    law_damping.c   the damping that gives a wanted restitution
    law_force.c     forces; a vector of contacts in law_row.inc.h, what pulls in law_adhesion.inc.h, bonds in law_bond.inc.h, at each SIMD level */
#ifndef SCREE_LAW_LAW_H
#define SCREE_LAW_LAW_H

#include "base/common.h"
#include "scree/law.h"

typedef void scree_law_force(const scree_batch *batch, const double *constants, void *user);

/*  The function to call for the forces of a law at a SIMD level: of a built-in one (or a copy that forwards
    to it) the kernel at that level, of a user's his own. Results are the same bits at all levels. */
scree_law_force *scree_law_forces(const scree_law *law, scree_simd level);

/*  How far beyond touching a law acts between two materials: `fixed`, and `root` times the cube root of what the batch
    calls radius, and a `share` of it. */
typedef struct scree_law_reach
{
    double fixed, root, share;
} scree_law_reach;

/*  Of a host's law what it says itself. */
scree_law_reach scree_law_reach_of(const scree_law *law, const double *constants);
/*  Whether contacts of the law remember bonds. */
bool scree_law_has_bonds(const scree_law *law);
/*  Which of its contacts go on at any distance. */
typedef enum scree_lasting
{
    SCREE_LASTS_NOT,
    SCREE_LASTS_BONDED, /* those with a bond that holds */
    SCREE_LASTS,
} scree_lasting;
scree_lasting scree_law_lasting(const scree_law *law, const double *constants);
double scree_law_reach_at(const scree_law_reach *reach, double radius);

/*  SCREE_BAD_ARGUMENT, with a message, if a law of the user's lacks something or asks for too much. */
scree_status scree_law_check(const scree_law *law, scree_error *error);

/*  Where a parameter stands among those of a law; -1 if it has none of this name. */
int scree_law_find_parameter(const scree_law *law, const char *name);

#endif
