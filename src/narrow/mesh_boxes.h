/*  Finds the touching triangles of two meshes with their trees of boxes.

    Moving a body costs nothing: the tree of its mesh (shape/mesh.h) is searched as it is, and boxes of one body are
    transformed into the frame of the other when they are met. Triangles are transformed themselves, so that their boxes
    are tight. Only those are brought into the world whose boxes meet and which the planes of their faces do not
    separate. */
#ifndef SCREE_MESH_BOXES_H
#define SCREE_MESH_BOXES_H

#include "narrow/mesh_contact.h"

/*  The triangles of a leaf group of the tree, as columns: x y z of the first, the second and the third corner, in the
    tree's units; a direction perpendicular to each, and its smallest and largest value along it. Unused places are
    zero. */
typedef struct scree_mesh_leaf
{
    float corner[9][8], across[3][8], bottom[8], top[8];
} scree_mesh_leaf;

typedef struct scree_mesh_boxes
{
    const scree_mesh *mesh; /* reference counted */
    scree_mesh_leaf *leaves;
    size_t leaf_count;
} scree_mesh_boxes;

/*  Created once for each mesh of triangles. It never changes, so any number of threads may search it.
    SCREE_OUT_OF_MEMORY. */
scree_status scree_mesh_boxes_init(scree_mesh_boxes *boxes, const scree_mesh *mesh,
                                   scree_memory *memory);
void scree_mesh_boxes_free(scree_mesh_boxes *boxes, scree_memory *memory);

/*  An engine as in mesh_contact.h; both bodies have boxes. */
scree_status scree_mesh_find_boxes(scree_mesh_finder *finder, const scree_mesh_body *a,
                                   const scree_mesh_body *b);

/*  Number of used places of a group, for boxes or, in level 0, facets: all except at the end of a level. */
static inline int scree_mesh_boxes_in_group(const scree_mesh *mesh, int level, uint32_t group)
{
    const size_t *start = mesh->tree.level_start + level;
    size_t items = level > 0 ? start[0] - start[-1] : mesh->facet_count;
    size_t left = items - SCREE_MESH_WIDTH * (size_t)group;
    return (int)(left < SCREE_MESH_WIDTH ? left : SCREE_MESH_WIDTH);
}

/* ---- its kernels, by SIMD instruction set (mesh_sift.c) ---- */

/*  The transformation from the units of one tree to those of another, and the enlargement of boxes there. */
typedef struct scree_mesh_frame
{
    float turn[3][3], shift[3], widen;
    float rotation[3][3]; /* rotation without the change of units, for directions */
} scree_mesh_frame;

/*  Eight boxes in the other tree's units. */
typedef struct scree_mesh_turned
{
    float lower[3][8], upper[3][8];
} scree_mesh_turned;

/*  The triangles of a leaf there, and their boxes; bottom and top are enlarged, too. */
typedef struct scree_mesh_turned_leaf
{
    scree_mesh_turned boxes;
    scree_mesh_leaf leaf;
    float widen;
} scree_mesh_turned_leaf;

typedef struct scree_mesh_sifter
{
    /*  Boxes around the boxes of a group, and around the triangles of a leaf. Results for unused places are undefined.
        */
    void (*turn_boxes)(const scree_mesh_frame *frame, const scree_mesh_group *group,
                       scree_mesh_turned *turned);
    void (*turn_leaf)(const scree_mesh_frame *frame, const scree_mesh_leaf *leaf,
                      scree_mesh_turned_leaf *turned);
    /*  Compares box i with those of listed groups: writes 8 g + k for box k of group g, in order, and returns their
        number. Boxes that only touch meet. */
    size_t (*sift)(const scree_mesh_group *groups, const scree_mesh_turned *turned, int i,
                   const uint32_t *list, size_t count, uint32_t *met);
    /*  Does the same for triangle i and those of listed leaves, without those that a plane separates. */
    size_t (*sift_leaf)(const scree_mesh_group *groups, const scree_mesh_leaf *leaves,
                        const scree_mesh_turned_leaf *turned, int i, const uint32_t *list,
                        size_t count, uint32_t *met);
    /*  Bits of the boxes of a group that a box meets. */
    uint32_t (*meet)(const scree_mesh_group *group, const float lower[3], const float upper[3]);
    /*  Extent of the boxes of a group, or of the triangles of a leaf, along a direction, and bits of those beyond a
        limit. */
    uint32_t (*reach_of_boxes)(const scree_mesh_group *group, const float along[3], float limit,
                               float reach[8]);
    uint32_t (*reach_of_leaf)(const scree_mesh_leaf *leaf, const float along[3], float limit,
                              float reach[8]);
} scree_mesh_sifter;

extern const scree_mesh_sifter scree_mesh_sifters[SCREE_SIMD_ROWS]; /* indexed by scree_simd */

#endif
