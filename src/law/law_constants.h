/*  Which constants a kernel of a built-in law is given, and what it remembers. Plain C, and plain OpenCL C. */
#ifndef SCREE_LAW_CONSTANTS_H
#define SCREE_LAW_CONSTANTS_H

/*  With k the normal stiffness dF/d(overlap), m and R mass and radius of the contact. */
typedef enum scree_law_constant
{
    SCREE_LAW_STIFFNESS,     /* linear: k; hertz: k / sqrt(R overlap) */
    SCREE_LAW_DAMPING,       /* over sqrt(k m) */
    SCREE_LAW_SHEAR,         /* tangential stiffness over k */
    SCREE_LAW_SHEAR_DAMPING, /* over sqrt(k m) */
    SCREE_LAW_FRICTION,
    SCREE_LAW_GROWTH_LEAST, /* of the tangential spring's force with its stiffness: bounds of its square */
    SCREE_LAW_GROWTH_MOST,
    SCREE_LAW_ROLLING_MODEL,   /* scree_law_rolling */
    SCREE_LAW_ROLLING,         /* stiffness over k R^2 */
    SCREE_LAW_ROLLING_DAMPING, /* over R^2 sqrt(k m) */
    SCREE_LAW_ROLLING_FRICTION,
    SCREE_LAW_TWISTING,
    SCREE_LAW_TWISTING_DAMPING,
    SCREE_LAW_TWISTING_FRICTION,
    SCREE_LAW_OWN, /* from here on what a law has beside these */

    /*  4 pi W with "jkr", 2 pi W with "dmt", 2 pi times the density of cohesion with "sjkr", 4 pi gamma
        cos(theta) with "capillary", kc with "plastic" */
    SCREE_LAW_ADHESION = SCREE_LAW_OWN,
    /*  (2 pi W / E)^(1/3) with "jkr", the separation with "dmt", 2 / V with "capillary" (1/m^3) */
    SCREE_LAW_ADHESION_LENGTH,
    SCREE_LAW_BRIDGE_END,    /* gap at which it breaks */
    SCREE_LAW_PLASTIC,       /* k2 - k1 */
    SCREE_LAW_PLASTIC_DEPTH, /* overlap from which k2 grows no more, over R */

    SCREE_LAW_BOND_YOUNG = SCREE_LAW_OWN,
    SCREE_LAW_BOND_SHEAR,   /* ks over kn */
    SCREE_LAW_BOND_RADIUS,  /* over the smaller radius */
    SCREE_LAW_BOND_TENSION, /* strengths */
    SCREE_LAW_BOND_SHEARED,
    SCREE_LAW_BOND_MOMENT,  /* share of bending and twisting in stresses */
    SCREE_LAW_BOND_REACH,   /* of a bond that is stretched, over R: how far detection looks, */
    SCREE_LAW_BOND_END,     /* and where it breaks; INFINITY where bonds last */
    SCREE_LAW_BOND_DAMPING, /* twice the ratio to critical */
    SCREE_LAW_BOND_IS_FLAT, /* 1 in two dimensions */
    SCREE_LAW_CONSTANTS,
} scree_law_constant;

/*  What became of a bond. */
enum
{
    SCREE_BOND_NONE,
    SCREE_BOND_INTACT,
    SCREE_BOND_TORN, /* by tension */
    SCREE_BOND_SHEARED,
    SCREE_BOND_PARTED, /* by distance */
};

typedef enum scree_law_rolling
{
    SCREE_ROLLING_NONE,
    SCREE_ROLLING_CONSTANT,
    SCREE_ROLLING_SPRING,
} scree_law_rolling;

/*  Numbers remembered: first the force of the tangential spring (3), then with "hertz" the overlap it had
    then, then with rolling the moments of the rolling spring (3) and of the twisting spring. */
#define SCREE_LINEAR_MEMORY 3u
#define SCREE_HERTZ_MEMORY 4u
#define SCREE_ROLLING_MEMORY 4u
/*  Behind these: 1 while there is a bridge; the greatest overlap, and the overlap; of bonds see law_bond.inc.h. */
#define SCREE_BRIDGE_MEMORY (SCREE_HERTZ_MEMORY + SCREE_ROLLING_MEMORY)
#define SCREE_PLASTIC_MEMORY (SCREE_LINEAR_MEMORY + SCREE_ROLLING_MEMORY)
#define SCREE_BOND_MEMORY (SCREE_LINEAR_MEMORY + SCREE_ROLLING_MEMORY)
#define SCREE_BOND_MADE (SCREE_BOND_MEMORY + 7)
#define SCREE_BOND_STATE (SCREE_BOND_MEMORY + 8)

/*  Where the stable branch of JKR's law ends, see law_adhesion.inc.h: y = (1/4)^(1/3), d = -3/4 y. */
#define SCREE_JKR_LEAST_ROOT 0.6299605249474366
#define SCREE_JKR_TEAR 0.4724703937105774
/*  The separations over which the pull of "dmt" goes out. */
#define SCREE_DMT_RANGE 9.0

#endif
