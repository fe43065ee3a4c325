/*  Which step springs and dashpots allow: see stiffness.c for why. */
#include "world/contacts/stiffness_row.h"

#include <math.h>

#define MOST_OF_INERTIA 1.6 /* of the 2 that stiffness.c finds */

double scree_stable_rate(double stiffness, double shear, double dashpot, double inverse_inertia)
{
    double spring = (stiffness + 2 * shear) * inverse_inertia / MOST_OF_INERTIA;
    double drag = 2 * dashpot * inverse_inertia / MOST_OF_INERTIA;

    return drag + sqrt(drag * drag + spring);
}
