/*  Contact onset in implicit steps. A dashpot acts with full strength as soon as bodies touch. At the end of an
    implicit step that may leave no solution: if the contact is assumed, it drives the bodies apart until they do not
    touch; if it is not assumed, they touch. Then no iterate converges, and among many thousand bodies some are in
    such a place in each step.

    The true effect of the contact within the step is smaller, since it acts only from its onset. While the bodies
    approach by the overlap d, a dashpot transfers the impulse c d, as much as one with the rate d / dt does in the
    whole step. So contact models get the rate d / dt if it is smaller. Forces then start at 0, and momentum and
    dissipated energy are those of the distance covered. */
#ifndef SCREE_WORLD_CONTACT_ONSET_H
#define SCREE_WORLD_CONTACT_ONSET_H

#include "world/state/settings.h"

/*  Whether an evaluation after `dt` treats contact onset this way. */
static inline bool scree_contacts_begin_slowly(const scree_world_def *def, double dt)
{
    return scree_integrator_is_implicit(def->step.integrator) && dt > 0;
}

/*  The normal rate of approach of a contact that did not exist before the step. */
static inline double scree_beginning_approach(double approach, double overlap, double dt)
{
    double most = overlap > 0 ? overlap / dt : 0;

    return approach > most ? most : approach;
}

#endif
