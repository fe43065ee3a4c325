/*  The constants of the kernel of a built-in law, and its contact history. Plain C, and plain OpenCL C. */
#ifndef SCREE_LAW_CONSTANTS_H
#define SCREE_LAW_CONSTANTS_H

/*  k is the normal stiffness dF/d(overlap); m and R are effective mass and radius. */
typedef enum scree_law_constant
{
    SCREE_LAW_STIFFNESS,     /* linear: k; hertz: k / sqrt(R overlap) */
    SCREE_LAW_DAMPING,       /* over sqrt(k m) */
    SCREE_LAW_SHEAR,         /* tangential stiffness over k */
    SCREE_LAW_SHEAR_DAMPING, /* over sqrt(k m) */
    SCREE_LAW_FRICTION,
    /*  bounds of the square of the factor by which a change of stiffness changes the tangential spring's force */
    SCREE_LAW_GROWTH_LEAST,
    SCREE_LAW_GROWTH_MOST,
    SCREE_LAW_ROLLING_MODEL,   /* scree_law_rolling */
    SCREE_LAW_ROLLING,         /* stiffness over k R^2 */
    SCREE_LAW_ROLLING_DAMPING, /* over R^2 sqrt(k m) */
    SCREE_LAW_ROLLING_FRICTION,
    SCREE_LAW_TWISTING,
    SCREE_LAW_TWISTING_DAMPING,
    SCREE_LAW_TWISTING_FRICTION,
    SCREE_LAW_OWN, /* from here on: additional constants of single laws */

    /*  4 pi W with "jkr", 2 pi W with "dmt", 2 pi times the density of cohesion with "sjkr", 4 pi gamma
        cos(theta) with "capillary", kc with "plastic", 3/2 pi W sqrt(2 dp / d) with "eepa" */
    SCREE_LAW_ADHESION = SCREE_LAW_OWN,
    /*  (2 pi W / E)^(1/3) with "jkr", the separation with "dmt", 2 / V with "capillary" (1/m^3) */
    SCREE_LAW_ADHESION_LENGTH,
    SCREE_LAW_BRIDGE_END,    /* gap at which it breaks */
    SCREE_LAW_PLASTIC,       /* k2 - k1 */
    SCREE_LAW_PLASTIC_DEPTH, /* overlap from which k2 is constant, over R */

    SCREE_LAW_EEPA_PLASTICITY = SCREE_LAW_ADHESION + 1, /* lambda */
    SCREE_LAW_EEPA_STEEPER,  /* stiffness of unloading over that of loading, 1 / (1 - lambda) */
    SCREE_LAW_EEPA_PULL,     /* constant attraction, N */
    SCREE_LAW_EEPA_EXPONENT, /* twice chi: a whole number */

    SCREE_LAW_BOND_YOUNG = SCREE_LAW_OWN,
    SCREE_LAW_BOND_SHEAR,   /* ks over kn */
    SCREE_LAW_BOND_RADIUS,  /* over the smaller radius */
    SCREE_LAW_BOND_TENSION, /* strengths */
    SCREE_LAW_BOND_SHEARED,
    SCREE_LAW_BOND_MOMENT,  /* weight of bending and twisting in stresses */
    SCREE_LAW_BOND_REACH,   /* for a stretched bond, over R: range of detection, */
    SCREE_LAW_BOND_END,     /* and distance at which it breaks; INFINITY if bonds persist */
    SCREE_LAW_BOND_DAMPING, /* twice the ratio to critical damping */
    SCREE_LAW_BOND_IS_FLAT, /* 1 in two dimensions */
    SCREE_LAW_CONSTANTS,
} scree_law_constant;

/*  State of a bond. */
enum
{
    SCREE_BOND_NONE,
    SCREE_BOND_INTACT,
    SCREE_BOND_TORN, /* broken by tension */
    SCREE_BOND_SHEARED,
    SCREE_BOND_PARTED, /* broken by distance */
};

typedef enum scree_law_rolling
{
    SCREE_ROLLING_NONE,
    SCREE_ROLLING_CONSTANT,
    SCREE_ROLLING_SPRING,
} scree_law_rolling;

/*  History variables: first the force of the tangential spring (3), then with "hertz" its overlap, then with rolling
    the moments of the rolling spring (3) and of the twisting spring. */
#define SCREE_LINEAR_MEMORY 3u
#define SCREE_HERTZ_MEMORY 4u
#define SCREE_ROLLING_MEMORY 4u
/*  After these: 1 while there is a liquid bridge; the largest overlap, and the overlap; with "eepa" see
    law_adhesion.inc.h; for bonds see law_bond.inc.h. */
#define SCREE_BRIDGE_MEMORY (SCREE_HERTZ_MEMORY + SCREE_ROLLING_MEMORY)
#define SCREE_PLASTIC_MEMORY (SCREE_LINEAR_MEMORY + SCREE_ROLLING_MEMORY)
#define SCREE_EEPA_MEMORY (SCREE_HERTZ_MEMORY + SCREE_ROLLING_MEMORY)
#define SCREE_BOND_MEMORY (SCREE_LINEAR_MEMORY + SCREE_ROLLING_MEMORY)
#define SCREE_BOND_MADE (SCREE_BOND_MEMORY + 7)
#define SCREE_BOND_STATE (SCREE_BOND_MEMORY + 8)

/*  End of the stable branch of JKR's law, see law_adhesion.inc.h: y = (1/4)^(1/3), d = -3/4 y. */
#define SCREE_JKR_MIN_ROOT 0.6299605249474366
#define SCREE_JKR_TEAR 0.4724703937105774
/*  Number of separations after which the attraction of "dmt" is 0. */
#define SCREE_DMT_RANGE 9.0

#endif
