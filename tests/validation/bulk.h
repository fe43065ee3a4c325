/*  What the three bulk cases of a comparison of engines have in common: Dosta et al., "Comparing open-source DEM frameworks for
    simulations of common bulk processes", Computer Physics Communications 296 (2024) 109066. Parameters are those of the decks that
    MercuryDPM and Yade have of it. */
#ifndef SCREE_VALIDATION_BULK_H
#define SCREE_VALIDATION_BULK_H

#include "rig.h"

enum
{
    BULK_M1,
    BULK_M2,
    BULK_STEEL, /* walls, and what falls on a bed */
    BULK_KINDS
};

#define BULK_GRAVITY 9.81

/*  Both kinds of grains are so many times as soft as published: steps may be longer by the root of it. */
void bulk_materials(rig *r, double softer, scree_material_id id[BULK_KINDS]);
/*  What a profile of so many points (distance from the z axis, height) covers as it turns about that axis. */
scree_mesh *bulk_turned(const double (*profile)[2], uint32_t points);
/*  The wall takes the mesh over. `turn` may be NULL. */
scree_wall_id bulk_shell(rig *r, scree_mesh *mesh, scree_material_id steel, const double turn[4]);

#endif
