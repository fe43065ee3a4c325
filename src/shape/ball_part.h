/*  How much of a shape lies in a ball; in two dimensions in a disc, by area. */
#ifndef SCREE_BALL_PART_H
#define SCREE_BALL_PART_H

#include "base/memory.h"
#include "scree/shape.h"

/*  Of a ball of this radius whose centre is `distance` away from that of the ball with the radius `ball`. */
double scree_ball_part_of_ball(double radius, double distance, double ball, int dimensions);
/*  Of what a closed mesh encloses, in its frame: in two dimensions a line of segments. Halos do not count. */
double scree_ball_part_of_mesh(const scree_mesh *mesh, const double centre[3], double ball);
/*  Of a clump, in the frame of its body: of the space that its pebbles fill together, in proportion to the volume that it
    has. SCREE_OUT_OF_MEMORY. */
scree_status scree_ball_part_of_clump(const scree_clump *clump, const double centre[3], double ball,
                                      scree_memory *memory, double *volume);

#endif
