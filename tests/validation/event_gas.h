/*  Hard spheres in sheared boundaries (Lees and Edwards), from collision to collision: what a gas of soft ones comes to as contacts
    become short, with all that a kinetic theory leaves out. Shares no code with the library. */
#ifndef SCREE_VALIDATION_EVENT_GAS_H
#define SCREE_VALIDATION_EVENT_GAS_H

#include "enskog.h"

#include <stdint.h>

/*  A gas that starts at temperature `expected`, over the shear rate squared, is sheared by `rest`; means over the strain after
    that. NAN where there is no memory. */
sheared_gas sheared_by_events(double restitution, double volume_fraction, size_t count,
                              double expected, double rest, double strain, uint64_t seed);

#endif
