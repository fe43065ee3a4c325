/*  The formula of a superquadric, (|x/a|^n + |y/b|^n)^(m/n) + |z/c|^m <= 1, and what follows from it.

    The body is the unit ball of a norm that is made of two p-norms, one inside the other. So its support function, the
    largest height of its points in a direction, is the dual norm of the direction, also two p-norms with the dual
    exponents q = p / (p - 1), in closed form, and the highest point is its gradient. In two dimensions, the outer norm
    is left out. All is in the frame of the body. */
#ifndef SCREE_SUPERQUADRIC_H
#define SCREE_SUPERQUADRIC_H

#include "scree/shape.h"

#define SCREE_SUPERQUADRIC_MAX_EXPONENT 8.0
#define SCREE_SUPERQUADRIC_MAX_RATIO 100.0

typedef struct scree_superquadric
{
    double radii[3];     /* in two dimensions the third is 0 */
    double exponents[2]; /* along z, and in the plane of x and y */
    bool is_round;       /* both are 2: an ellipsoid or ellipse */
    double dual[2];      /* exponents of the support function */
    int whole[2];        /* the exponents if they are whole numbers, otherwise 0 */
    double least[2];     /* the smallest slope that derivatives know */
    double thin, far;    /* smallest half axis; largest distance of a point from the centre */
    uint32_t facets;     /* of the definition, for its mesh */
} scree_superquadric;

/*  `radii` and `exponents` must be in range. */
scree_superquadric scree_superquadric_of(const double radii[3], const double exponents[2]);

/*  Sets volume, mass, centre, inertia and axes; the surface area has no closed form. */
void scree_superquadric_solid(const scree_superquadric *shape, double density,
                              scree_mesh_solid *solid);

/*  The point that is highest along a direction, which must not be 0. `bend`: the derivative of the point by the
    direction, a symmetric matrix, for a direction of length 1; NULL: not wanted. Where the surface is flat it would be
    infinite; it is limited. */
void scree_superquadric_highest(const scree_superquadric *shape, const double way[3],
                                double point[3], double bend[3][3]);

/*  A direction along the normal of the surface where the ray from the centre to a point crosses it. */
void scree_superquadric_normal(const scree_superquadric *shape, const double point[3],
                               double normal[3]);

#endif
