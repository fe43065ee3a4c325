/*  A group of the tree over the facets of a mesh. Plain C, and plain OpenCL C. */
#ifndef SCREE_MESH_GROUP_H
#define SCREE_MESH_GROUP_H

#define SCREE_MESH_LEVELS 11 /* 8^10 * 8 > 2^30 */
#define SCREE_MESH_WIDTH 8u

/*  Boxes over facets, eight per group, and over groups, eight per group, up to a single group. */
typedef struct scree_mesh_group
{
    float lower[3][8], upper[3][8]; /* unused places: infinity, minus infinity */
} scree_mesh_group;

#endif
