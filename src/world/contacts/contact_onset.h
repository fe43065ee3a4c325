/*  Contacts that begin in an implicit step. A dashpot pushes as soon as bodies touch, however little. At the end of a step that
    may leave no way out: where the contact is found the bodies are driven apart so far that they do not touch, and where it is
    not they touch. No guess is right then, however near, and of many thousand bodies some are in such a place in each step.

    What such a contact did in the step is less: it was there since it began. A dashpot that was there while its bodies came nearer
    by the overlap d has given c d, as one with the rate d / dt would have in all of the step. So this is the rate that laws see,
    if it is the smaller. Forces then begin at 0, and momentum and what is lost are those of the way that was gone. */
#ifndef SCREE_WORLD_CONTACT_ONSET_H
#define SCREE_WORLD_CONTACT_ONSET_H

#include "world/state/settings.h"

/*  Whether contacts begin so in an evaluation after `dt`. */
static inline bool scree_contacts_begin_slowly(const scree_world_def *def, double dt)
{
    return scree_stepper_is_implicit(def->step.integrator) && dt > 0;
}

/*  The rate of approach of a contact that was not there before the step. */
static inline double scree_beginning_approach(double approach, double overlap, double dt)
{
    double most = overlap > 0 ? overlap / dt : 0;

    return approach > most ? most : approach;
}

#endif
