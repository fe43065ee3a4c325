/*  A gas of smooth inelastic spheres in uniform shear, as kinetic theory has it: closed forms, and Enskog's equation
    solved by Monte Carlo, which shares no code with the library. Mass and diameter of a sphere are 1, and so is the rate
    of shear, dvx/dy. */
#ifndef SCREE_VALIDATION_ENSKOG_H
#define SCREE_VALIDATION_ENSKOG_H

#include <stddef.h>

/*  In a steady state. The pressure tensor is over the density of the gas. */
typedef struct sheared_gas
{
    double temperature; /* <V^2> / 3, V less the flow */
    double pressure;    /* a third of the trace */
    double shear;       /* -Pxy: the viscosity, over the density */
    double difference;  /* Pxx - Pyy */
} sheared_gas;

/*  To first order in the gradient: Lun, Savage, Jeffrey and Chepurniy, J. Fluid Mech. 140 (1984) 223. */
sheared_gas sheared_by_lun(double restitution, double volume_fraction);

/*  Enskog's equation for uniform shear, by the Monte Carlo method of Montanero and Santos, Phys. Rev. E 54 (1996) 438: `count`
    velocities, sheared by `strain` to come to rest and by as much again to be looked at. */
sheared_gas sheared_by_enskog(double restitution, double volume_fraction, size_t count,
                              double strain);

#endif
