/*  Energies of one body. Ghosts have 0: the world that owns the body counts its energy. */
#ifndef SCREE_WORLD_BODY_ENERGY_H
#define SCREE_WORLD_BODY_ENERGY_H

#include "world/state/bodies.h"

double scree_body_kinetic(const scree_body_arrays *bodies, uint32_t slot);
double scree_body_rotational(const scree_body_arrays *bodies, uint32_t slot);
double scree_body_potential(const scree_body_arrays *bodies, const double gravity[3],
                            uint32_t slot);
/*  The sum of all three. */
double scree_body_energy(const scree_body_arrays *bodies, const double gravity[3], uint32_t slot);

#endif
