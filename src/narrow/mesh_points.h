/*  Contact points of two meshes, for laws of force. Where a corner is near a corner, every triangle round the one
    touches every triangle round the other: what is so near that it is one contact is merged to one point
    (Noble and Weinzierl, arXiv:2105.12415, section 2: points nearer than a halo).

    A pair of triangles has its point between the two nearest ones, as far from each as their halos are thick, and a
    way from the first body to the second. In the order of the pairs, each joins the first point whose mean so far is
    no farther than half the sum of the halos, or begins a new one. So the result is a function of the contacts, which
    come in one order whatever found them. */
#ifndef SCREE_MESH_POINTS_H
#define SCREE_MESH_POINTS_H

#include "narrow/mesh_contact.h"

typedef struct scree_mesh_point
{
    double position[3]; /* mean */
    /*  Unit, from the first body to the second: the mean way. Where all of a point's pairs cross, the mean of the
        normals of the larger triangle of each; should these cancel, the way between the middles of the meshes'
        boxes. */
    double normal[3];
    double distance;   /* mean */
    uint32_t facet[2]; /* of the first of its pairs */
    uint32_t pairs;
} scree_mesh_point;

/*  Scratch that is used again and again. */
typedef struct scree_mesh_merger
{
    scree_mesh_point *points; /* in the order of their first pairs */
    size_t count;
    scree_memory *memory;
    struct scree_mesh_cluster *cluster;
    uint32_t *bucket; /* first cluster of cells with the same hash, and one; 0: none */
    size_t point_capacity, cluster_capacity, bucket_capacity;
    size_t bucket_count; /* in use: a power of two */
    double origin[3], radius, cell;
} scree_mesh_merger;

void scree_mesh_merger_init(scree_mesh_merger *merger, scree_memory *memory);
void scree_mesh_merger_free(scree_mesh_merger *merger);

/*  What a finder has found of the two bodies. Takes time in proportion to the contacts and the logarithm of their
    number, also where they are many points. SCREE_OUT_OF_MEMORY: no points. */
scree_status scree_mesh_merge(scree_mesh_merger *merger, const scree_mesh_body *a,
                              const scree_mesh_body *b, const scree_mesh_touch *contacts,
                              size_t count);

#endif
