/*  Touching triangles of two meshes by their trees of boxes.

    Nothing is done to a body that moves: the mesh's own tree (shape/mesh.h) is searched as it is, with boxes of the
    one body turned into the frame of the other as they are met. Triangles are turned themselves, so that their boxes
    are tight, and only those are brought into the world whose boxes meet and which the planes of their faces do not
    keep apart. */
#ifndef SCREE_MESH_BOXES_H
#define SCREE_MESH_BOXES_H

#include "narrow/mesh_contact.h"

/*  The triangles of a group of the tree's lowest level, side by side: x y z of the first corner, of the second and of
    the third, in the tree's units; a direction across each, and where it begins and ends along that. Places that are
    not used are zero. */
typedef struct scree_mesh_leaf
{
    float corner[9][8], across[3][8], bottom[8], top[8];
} scree_mesh_leaf;

typedef struct scree_mesh_boxes
{
    const scree_mesh *mesh; /* held */
    scree_mesh_leaf *leaves;
    size_t leaf_count;
} scree_mesh_boxes;

/*  Once for each mesh of triangles; never changes, so any number of threads may search it. SCREE_OUT_OF_MEMORY. */
scree_status scree_mesh_boxes_init(scree_mesh_boxes *boxes, const scree_mesh *mesh,
                                   scree_memory *memory);
void scree_mesh_boxes_free(scree_mesh_boxes *boxes, scree_memory *memory);

/*  An engine as in mesh_contact.h; both bodies have boxes. */
scree_status scree_mesh_find_boxes(scree_mesh_finder *finder, const scree_mesh_body *a,
                                   const scree_mesh_body *b);

/*  Places of a group that are used, of boxes or, in level 0, of facets: all but at the end of a level. */
static inline int scree_mesh_boxes_in_group(const scree_mesh *mesh, int level, uint32_t group)
{
    const size_t *start = mesh->tree.level_start + level;
    size_t items = level > 0 ? start[0] - start[-1] : mesh->facet_count;
    size_t left = items - SCREE_MESH_WIDTH * (size_t)group;
    return (int)(left < SCREE_MESH_WIDTH ? left : SCREE_MESH_WIDTH);
}

/* ---- its kernels, by level (mesh_sift.c) ---- */

/*  From the units of one tree to those of another, and how much boxes are widened there. */
typedef struct scree_mesh_frame
{
    float turn[3][3], shift[3], widen;
    float rotation[3][3]; /* turn without its change of units: for directions */
} scree_mesh_frame;

/*  Eight boxes in the other tree's units. */
typedef struct scree_mesh_turned
{
    float lower[3][8], upper[3][8];
} scree_mesh_turned;

/*  The triangles of a leaf there, and their boxes; bottom and top are widened as well. */
typedef struct scree_mesh_turned_leaf
{
    scree_mesh_turned boxes;
    scree_mesh_leaf leaf;
    float widen;
} scree_mesh_turned_leaf;

typedef struct scree_mesh_sifter
{
    /*  Boxes around a group's boxes, and around a leaf's triangles. What becomes of places that are not used is not
        to be looked at. */
    void (*turn_boxes)(const scree_mesh_frame *frame, const scree_mesh_group *group,
                       scree_mesh_turned *turned);
    void (*turn_leaf)(const scree_mesh_frame *frame, const scree_mesh_leaf *leaf,
                      scree_mesh_turned_leaf *turned);
    /*  Box i against those of listed groups: writes 8 g + k for box k of group g, in their order, and returns how many
        there are. Boxes that only touch meet. */
    size_t (*sift)(const scree_mesh_group *groups, const scree_mesh_turned *turned, int i,
                   const uint32_t *list, size_t count, uint32_t *met);
    /*  The same for triangle i and those of listed leaves, without those that a plane keeps apart. */
    size_t (*sift_leaf)(const scree_mesh_group *groups, const scree_mesh_leaf *leaves,
                        const scree_mesh_turned_leaf *turned, int i, const uint32_t *list,
                        size_t count, uint32_t *met);
    /*  Bits of the boxes of a group that a box meets. */
    uint32_t (*meet)(const scree_mesh_group *group, const float lower[3], const float upper[3]);
    /*  How far the boxes of a group, or the triangles of a leaf, reach along a direction, and bits of those that
        reach beyond a limit. */
    uint32_t (*reach_of_boxes)(const scree_mesh_group *group, const float along[3], float limit,
                               float reach[8]);
    uint32_t (*reach_of_leaf)(const scree_mesh_leaf *leaf, const float along[3], float limit,
                              float reach[8]);
} scree_mesh_sifter;

extern const scree_mesh_sifter scree_mesh_sifters[SCREE_SIMD_ROWS]; /* by scree_simd */

#endif
