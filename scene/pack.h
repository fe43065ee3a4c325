/*  Places for bodies so crowded that chance finds none: they push each other, and are pushed by walls and by what
    is there already, until none overlaps. */
#ifndef SCREE_SCENE_PACK_H
#define SCREE_SCENE_PACK_H

#include "place.h"

/*  From where `bodies` are, which may overlap each other but no wall, to where they are apart, with gaps of that
    share of their radii. *found: there is such an arrangement, as far as could be seen with bounded work: of
    spheres of one size that fill up to 0.6 of the region, of many sizes more. If not, *reached is the share of their radii
    to which all could grow; 0: not known. The same on every machine.
    SCREE_OUT_OF_MEMORY. */
scree_status scene_pack(scene_placer *placer, scree_world *world, double gap,
                        scree_body_def *bodies, size_t count, bool *found, double *reached,
                        scree_error *error);

#endif
