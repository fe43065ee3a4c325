/*  Whether a plane separates two meshes. For most bodies that are near each other and do not touch, this takes only a
    few boxes.

    The first direction is that between the middles. The farthest corner of one along it, and the farthest corner of the
    other against it, give a better direction (Gilbert 1966, SIAM J. Control 4, 61-80: the point of the difference of
    both hulls that is nearest to the origin, by segments). Any direction that separates is a proof, however it was
    found. */
#ifndef SCREE_MESH_APART_H
#define SCREE_MESH_APART_H

#include "narrow/mesh_boxes.h"

/*  The second mesh is at turn x + shift in the units of the tree of the first. True: along some direction of length 1
    all its corners are beyond all of the first by more than `widen`; false: none was found. `looked` counts boxes. */
bool scree_mesh_are_apart(const scree_mesh_sifter *sifter, const scree_mesh_boxes *first,
                          const scree_mesh_boxes *second, const double turn[3][3],
                          const double shift[3], double widen, uint64_t *looked);

#endif
