/*  One impact: a sphere on a rigid wall, or on another sphere, in any direction. */
#ifndef SCREE_VALIDATION_IMPACT_H
#define SCREE_VALIDATION_IMPACT_H

#include "reference.h"
#include "rig.h"

typedef struct impact
{
    const char *law;       /* "hertz" */
    const char *parameter; /* of the law, with its value; NULL: as the law has it */
    double value;
    double stiffness; /* linear: of the contact, N/m */
    elastic_solid sphere;
    elastic_solid other; /* radius 0: a wall, rigid if young is 0 */
    double restitution, friction;
    /*  Before: towards the other; along the plane; of the surface by its spin, R w. Of the other likewise,
        in the same directions. */
    double normal, tangential, surface;
    double other_normal, other_tangential, other_surface;
    double steps; /* in the time of the contact if it were elastic */
    double phase; /* steps before the two touch, [0, 1) */
    scree_integrator integrator;
    /*  How it lies in space: normal (towards the other), tangent, and where the two touch. */
    double n[3], t[3], origin[3];
    bool other_first; /* is added first */
} impact;

typedef struct impact_end
{
    double normal, tangential,
        surface; /* after, in the directions before: a rebound has normal < 0 */
    double other_normal, other_tangential, other_surface;
    double overlap, force; /* largest, between steps too */
    double duration;
    double dt;
    scree_body body, other;
} impact_end;

/*  Elastic, without friction, along x, 200 steps. */
impact impact_default(void);
/*  The contact that the two make; of "linear" radius and mass alone count. */
hertz_contact impact_contact(const impact *i);
/*  Of the contact without damping. */
double impact_duration(const impact *i);
/*  `force` and `overlap`, if not NULL, are curves over time. */
impact_end impact_run(validation *v, const impact *i, validation_curve *force,
                      validation_curve *overlap);

#endif
