/*  The volume of a shape inside a ball; in two dimensions the area inside a disc. */
#ifndef SCREE_BALL_PART_H
#define SCREE_BALL_PART_H

#include "base/memory.h"
#include "scree/shape.h"

/*  The intersection of a ball of this radius, centred at `distance`, with the ball of radius `ball`. */
double scree_ball_part_of_ball(double radius, double distance, double ball, int dimensions);
/*  The part enclosed by a closed mesh, in its frame; in two dimensions a line of segments. Rounding radii do not count.
    */
double scree_ball_part_of_mesh(const scree_mesh *mesh, const double centre[3], double ball);
/*  The part of a clump, in the frame of its body: that of the union of its pebbles, scaled by the clump's given volume.
    SCREE_OUT_OF_MEMORY. */
scree_status scree_ball_part_of_clump(const scree_clump *clump, const double centre[3], double ball,
                                      scree_memory *memory, double *volume);

#endif
