/*  How far a superquadric is from another one, from a point, or from a line, and how deep it overlaps them.

    For a direction n, the height of the one's lowest point over the other's highest is a lower bound of the distance of
    two convex bodies, and its largest value over all n is the distance. If it is below 0 for all n, its negative is the
    overlap: the shortest way that separates them. The derivative of that value by the place and the rotation of the
    bodies is the normal and the arm of the contact points, so a force that is a function of the overlap alone has an
    energy.

    THE SEARCH goes uphill from one of three directions: the line of centres, and the normals of both surfaces where they
    cross it; or, if it is known, from the normal of the step before. Each step is that of Newton's method, with a share for each body: the body's contact point moves by
    its share along its own surface, and the normals there give the next direction. So it also converges in a few
    steps where a surface is flat and the derivative of its points by the direction is infinite, and a step that does not
    gain is shortened, or is one of Newton's without the surfaces. If the bodies overlap by as much as their radii of
    curvature, there are several maxima, and all starts are tried.

    All is one path of scalar + - * / and sqrt, and of the portable powers: the same bits everywhere. */
#ifndef SCREE_SUPERQUADRIC_GAP_H
#define SCREE_SUPERQUADRIC_GAP_H

#include "shape/superquadric.h"

#include <stdbool.h>

/*  A superquadric in space. */
typedef struct scree_quadric_body
{
    const scree_superquadric *shape;
    double turn[3][3]; /* from its frame to space, by rows */
    double place[3];   /* of its centre */
} scree_quadric_body;

typedef struct scree_quadric_gap
{
    double distance;    /* below 0: the overlap; if it is `reach` or more, only a lower bound */
    double normal[3];   /* from the first to the second */
    double point[2][3]; /* on both surfaces, `distance` apart along the normal */
    uint32_t steps;     /* of the search, for tests */
} scree_quadric_gap;

/*  `across`: a unit vector to which the normal is perpendicular, as z in two dimensions, or NULL. The search ends when
    the distance is certain to be at least `reach`. `start`: the normal of the step before; NULL or 0: there is none. */
scree_quadric_gap scree_quadric_gap_of(const scree_quadric_body *first,
                                       const scree_quadric_body *second, const double *across,
                                       double reach, const double *start);
/*  The same with a point; if there is `across`, with the line through it along this direction. */
scree_quadric_gap scree_quadric_gap_of_point(const scree_quadric_body *body, const double point[3],
                                             const double *across, double reach,
                                             const double *start);

/*  The point that is highest along a direction. */
void scree_quadric_highest(const scree_quadric_body *body, const double way[3], double point[3]);

#endif
