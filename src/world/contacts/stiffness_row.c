/*  The step that springs and dashpots allow: stiffness.c explains why. */
#include "world/contacts/stiffness_row.h"

#include <math.h>

#define MAX_INERTIA_RATIO 1.6 /* stiffness.c derives a limit of 2 */

double scree_stable_rate(double stiffness, double shear, double dashpot, double inverse_inertia)
{
    double spring = (stiffness + 2 * shear) * inverse_inertia / MAX_INERTIA_RATIO;
    double drag = 2 * dashpot * inverse_inertia / MAX_INERTIA_RATIO;

    return drag + sqrt(drag * drag + spring);
}
