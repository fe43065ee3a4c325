/*  Positions for dense packings, where random trials find none: bodies push each other apart, and are pushed by
    walls and present bodies, until none overlaps. */
#ifndef SCREE_SCENE_PACK_H
#define SCREE_SCENE_PACK_H

#include "place.h"

/*  Moves `bodies`, which may overlap each other but no wall, until they are apart, with gaps of this share of their
    radii. *found: an arrangement was found with bounded work; for equal spheres that is up to a volume fraction of
    0.6, for a mixture of sizes more. Otherwise *reached is the share of their radii to which all could grow; 0:
    unknown. The result is the same on every machine. SCREE_OUT_OF_MEMORY. */
scree_status scene_pack(scene_placer *placer, scree_world *world, double gap,
                        scree_body_def *bodies, size_t count, bool *found, double *reached,
                        scree_error *error);

#endif
