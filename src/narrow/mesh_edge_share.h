/*  How much of a contact a crossing of two edges is, from 0 where it ends to 1, and how that changes as bodies move.

    The overlap of a crossing is the share times the overlap of the edges. If forces did not know how the share changes,
    they would have no potential: two bodies that slide off each other's edges would part with more than they had. */
#ifndef SCREE_MESH_EDGE_SHARE_H
#define SCREE_MESH_EDGE_SHARE_H

#include "narrow/mesh_feature_parts.h"

/*  A crossing along the lines of two edges. */
typedef struct scree_edge_crossing
{
    const scree_feature_edge *edge[2];
    double share[2]; /* of the length of each, where they are nearest to each other */
    double way[3];   /* unit, from the first to the second, */
    double distance; /* below 0: they have passed each other; then */
    /*  how far the point of each is outside of the other body, where it left that through another facet, and in which
        direction */
    double outside[2], outward[2][3];
} scree_edge_crossing;

/*  Grows smoothly from 0: at the ends of the edges, where they become parallel, where the way leaves the wedge of
    directions in which an edge is the nearest feature of its body, and where the point of an edge that has passed the
    other is outside of the other's body by the thickness. A way perpendicular to a facet counts in full: for faces on
    faces, crossings bound the intersection. 0: it is none. */
double scree_edge_share(const scree_edge_crossing *crossing, double thickness);

/*  Its change: `move` times the velocity of the second relative to the first, at the point of the first
    edge, plus `turn` times its relative angular velocity. The share must be above 0. */
void scree_edge_share_change(const scree_edge_crossing *crossing, double thickness, double move[3],
                             double turn[3]);

/*  Weight of a crossing of edges that are shorter than twice the thickness, by the lengths of both: at most 1. */
double scree_edge_weight(const scree_edge_crossing *crossing, double thickness);

#endif
