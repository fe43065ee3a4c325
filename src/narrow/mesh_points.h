/*  Contact points of two meshes, for laws of force. If a corner is near a corner, every triangle around one touches
    every triangle around the other. Points that are near enough to be one contact are merged (Noble and Weinzierl,
    arXiv:2105.12415, section 2: points nearer than a skin).

    The point of a triangle pair is between the two nearest points, divided in the ratio of the skins; its direction is
    from the first body to the second. In the order of the pairs, each joins the first point whose current mean is no
    farther than half the sum of the skins, or starts a new one. So the result is a function of the contacts, whose
    order does not depend on the engine. */
#ifndef SCREE_MESH_POINTS_H
#define SCREE_MESH_POINTS_H

#include "narrow/mesh_contact.h"

typedef struct scree_mesh_point
{
    double position[3]; /* mean */
    /*  Unit, from the first body to the second: the mean direction. If all pairs of a point cross, the mean of the
        normals of the larger triangle of each pair; if these cancel, the direction between the middles of the meshes'
        bounding boxes. */
    double normal[3];
    double distance;   /* mean */
    uint32_t facet[2]; /* facets of the first of its pairs */
    uint32_t pairs;
} scree_mesh_point;

/*  Reusable scratch. */
typedef struct scree_mesh_merger
{
    scree_mesh_point *points; /* in the order of their first pairs */
    size_t count;
    scree_memory *memory;
    struct scree_mesh_cluster *cluster;
    uint32_t *bucket; /* first cluster with this hash, plus one; 0: none */
    size_t point_capacity, cluster_capacity, bucket_capacity;
    size_t bucket_count; /* in use: a power of two */
    double origin[3], radius, cell;
} scree_mesh_merger;

void scree_mesh_merger_init(scree_mesh_merger *merger, scree_memory *memory);
void scree_mesh_merger_free(scree_mesh_merger *merger);

/*  Merges what a finder has found for the two bodies. Takes O(n log n) time for n contacts, also if there are many
    points. SCREE_OUT_OF_MEMORY: no points. */
scree_status scree_mesh_merge(scree_mesh_merger *merger, const scree_mesh_body *a,
                              const scree_mesh_body *b, const scree_mesh_touch *contacts,
                              size_t count);

#endif
