/*  What scree is compared with: closed forms, and small integrators that are slow and obvious and share no
    code with the library. */
#ifndef SCREE_VALIDATION_REFERENCE_H
#define SCREE_VALIDATION_REFERENCE_H

#include <stdbool.h>
#include <stddef.h>

#define VALIDATION_PI 3.14159265358979323846

/* ---- two elastic spheres ------------------------------------------------------------------------- */

typedef struct elastic_solid
{
    double young, poisson, density, radius; /* young INFINITY: rigid; radius INFINITY: a wall */
} elastic_solid;

/*  Hertz' contact of two: F = stiffness * overlap^1.5. */
typedef struct hertz_contact
{
    double young, shear; /* E*, G* */
    double radius, mass; /* R*, m* */
    double stiffness;    /* 4/3 E* sqrt(R*) */
} hertz_contact;

double sphere_mass(const elastic_solid *solid);
hertz_contact hertz_of(const elastic_solid *a, const elastic_solid *b);
double hertz_overlap(const hertz_contact *c, double speed); /* largest, of an elastic impact */
double hertz_force(const hertz_contact *c, double overlap);
double hertz_duration(const hertz_contact *c, double speed); /* of an elastic impact */

/*  Share x of the damping rate in the angular frequency of a damped linear contact whose force never
    attracts, such that it has this restitution: exp(-x (pi - 2 atan x)) = restitution. Hertz contacts with
    damping in proportion to sqrt(stiffness) have the same. */
double damping_for(double restitution);

/* ---- an oblique impact on a rigid wall, law by law --------------------------------------------------- */

typedef enum shear_law
{
    SHEAR_SECANT,      /* F = -k(overlap) s */
    SHEAR_INCREMENTAL, /* dF = -k(overlap) ds */
    SHEAR_RESCALED,    /* that, and F is scaled by k / k before where the overlap falls */
} shear_law;

typedef struct oblique_impact
{
    hertz_contact contact; /* with a wall: radius and mass are the sphere's */
    double friction;
    double damping; /* b = x / sqrt(1 + x^2), x as above; 0: elastic */
    bool attracts;  /* the normal force may be negative */
    bool
        shear_damping; /* a dashpot beside the tangential spring, with b and the tangential stiffness */
    bool
        spring_yields; /* when sliding, the spring holds the limit less the dashpot; else all of the limit */
    bool
        short_arm; /* torque acts at radius - overlap, and velocity is that there; else at the radius */
    shear_law law;
    double normal, tangential,
        spin; /* before: towards the wall; of the centre; of the surface: v + R w */
} oblique_impact;

typedef struct oblique_outcome
{
    double normal, tangential, spin; /* after: away from the wall; the others as before */
} oblique_outcome;

/*  Leapfrog with so many steps for the time of an elastic contact. */
oblique_outcome oblique_reference(const oblique_impact *impact, int steps);

/* ---- a chain of beads ------------------------------------------------------------------------------- */

typedef struct solitary_wave
{
    double speed;      /* m/s, from one bead to the other */
    double force;      /* largest between the first of the two and the next */
    double bead_speed; /* largest of the first of the two */
} solitary_wave;

/*  Equal beads that touch, of which the first starts with `velocity`; by leapfrog. At most 128. */
solitary_wave solitary_reference(const elastic_solid *bead, double velocity, int count, int from,
                                 int to, double dt, double until);

/* ---- others ------------------------------------------------------------------------------------------ */

/*  K(k), k^2 = square: the complete elliptic integral by the arithmetic-geometric mean. */
double elliptic_k(double square);
/*  Time between changes of sign of w2 of a free body with moments i[0] < i[1] < i[2]. */
double flip_period(const double i[3], const double w[3]);

/*  Contact value of g(r) in a fluid of equal hard spheres (Carnahan and Starling). */
double hard_sphere_contact_value(double volume_fraction);
/*  Collisions of one particle in unit time; temperature m <v^2> / 3. */
double collision_rate(double diameter, double mass, double number_density, double temperature,
                      double volume_fraction);

/*  Probability that `count` numbers, which are sorted, come from a normal distribution of mean 0 and this
    deviation but lie at least so far from it (Kolmogorov and Smirnov). */
double normal_probability(const double *sorted, size_t count, double deviation);

/*  Slope and offset of the line y = slope x + offset nearest to the points. */
void fit_line(const double *x, const double *y, size_t count, double *slope, double *offset);

/*  Where the parabola through three samples at -1, 0, 1 has its extreme: place, and value. */
double parabola_place(double before, double at, double after);
double parabola_peak(double before, double at, double after);

#endif
