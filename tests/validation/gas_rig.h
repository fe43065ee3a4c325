/*  A gas of spheres in a periodic cube. Units: mass, diameter and first temperature (m <v^2> / 3) are 1. */
#ifndef SCREE_VALIDATION_GAS_RIG_H
#define SCREE_VALIDATION_GAS_RIG_H

#include "rig.h"

typedef struct gas_def
{
    size_t count;
    double volume_fraction;
    double restitution;
    double
        contact_share; /* duration of a contact over the mean free time that theory expects at first */
    double contact_steps; /* time steps in a contact */
    bool
        normal_speeds; /* each component is normally distributed from the start; else even in a cube */
    bool events, energy_balance;
    const scree_law *own_law; /* instead of "linear" */
    uint64_t seed;
} gas_def;

typedef struct gas
{
    rig r;
    double dt, rate,
        stiffness; /* rate: collisions of one sphere in unit time that theory expects at first */
} gas;

gas gas_open(validation *v, const gas_def *def);
/*  m <v^2> / 3 */
double gas_temperature(gas *g);
/*  Steps for at least this time. */
bool gas_advance(gas *g, double time);

#endif
