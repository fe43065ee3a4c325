/*  Whether a plane keeps two meshes apart: most bodies that are near each other and do not touch are told by one, at the price
    of a few boxes.

    A direction is tried along the way between the middles; the corners of the one that is farthest along it, and of the
    other that is farthest back, give a better one (Gilbert 1966, SIAM J. Control 4, 61-80: the point of the
    difference of both hulls that is nearest to the origin, by segments). Whatever comes of it, a direction proves what
    it separates. */
#ifndef SCREE_MESH_APART_H
#define SCREE_MESH_APART_H

#include "narrow/mesh_boxes.h"

/*  The second is at turn x + shift in the units of the tree of the first. True: along some direction of length 1 all its
    corners are beyond all of the first by more than `widen`; false: none was found. `looked` counts boxes. */
bool scree_mesh_are_apart(const scree_mesh_sifter *sifter, const scree_mesh_boxes *first,
                          const scree_mesh_boxes *second, const double turn[3][3],
                          const double shift[3], double widen, uint64_t *looked);

#endif
