/*  Geometry of non-spherical bodies: each mesh and each clump once, with what is computed from it at first use.
    Entries stay as long as the world, so that removed bodies can be restored. */
#ifndef SCREE_WORLD_SHAPE_GEOMETRY_H
#define SCREE_WORLD_SHAPE_GEOMETRY_H

#include "base/error.h"
#include "narrow/mesh_boxes.h"
#include "shape/clump.h"
#include "shape/convex.h"
#include "shape/surrogate.h"
#include "world/state/bodies.h"

typedef struct scree_shape_data
{
    const scree_mesh *mesh;   /* a reference is held; NULL: a clump */
    const scree_clump *clump; /* a reference is held; NULL: a mesh */
    uint64_t digest;          /* scree_mesh_digest, scree_clump_digest */
    uint32_t number;          /* in the snapshot that is being written, from 1; 0: not in it */
    /*  Of meshes: */
    scree_mesh_boxes boxes;
    scree_surrogate *tree; /* NULL unless meshes are searched with surrogates */
    double *area;          /* by vertex: a third of the area of its facets */
    /*  Only if it is a body: */
    bool is_body;
    scree_mesh_solid solid; /* density 1; for clumps only volume, centre, axes */
    double reach;           /* distance of the farthest vertex from the centre, rounded up */
    double round;           /* radius of the sphere with the same volume */
    bool is_block;
    scree_convex convex; /* about the centre; only of blocks */
} scree_shape_data;

typedef struct scree_shape_table
{
    scree_memory *memory;
    bool wants_trees;
    const scree_workers *workers; /* build the trees */
    scree_shape_data *mesh;       /* in the order of first use */
    size_t count, capacity;
    uint32_t *
        home; /* hash table from address to index + 1; 0: free. A power of two, at most half full */
    size_t home_capacity;
} scree_shape_table;

/*  Uses of a mesh; each includes the ones before it. */
typedef enum scree_mesh_use
{
    SCREE_MESH_AS_WALL,
    SCREE_MESH_AS_BODY,
    SCREE_MESH_AS_BLOCK,
} scree_mesh_use;

void scree_shape_table_free(scree_shape_table *meshes);

static inline scree_mesh_use scree_shape_use_of_mesh(const scree_shape *shape)
{
    return shape->kind == SCREE_SHAPE_BLOCK ? SCREE_MESH_AS_BLOCK : SCREE_MESH_AS_BODY;
}

/*  The mesh or clump of a shape; NULL: neither. */
static inline const void *scree_shape_geometry(const scree_shape *shape)
{
    return scree_shape_is_of_triangles(shape) ? (const void *)shape->mesh
           : shape->kind == SCREE_SHAPE_CLUMP ? (const void *)shape->clump
                                              : NULL;
}

/*  NULL if it is not in the table. `geometry`: of a shape. */
const scree_shape_data *scree_shape_table_find(const scree_shape_table *meshes,
                                               const void *geometry);
/*  The entry with the same digest that is a body, a block if possible; NULL: none. */
const scree_shape_data *scree_shape_table_find_digest(const scree_shape_table *meshes,
                                                      uint64_t digest);
/*  Adds an entry, or prepares it for this use. SCREE_OUT_OF_MEMORY, or the reason why it cannot be a body, with a
    message. */
scree_status scree_shape_table_take(scree_shape_table *meshes, const scree_mesh *mesh,
                                    scree_mesh_use use, scree_error *error);
/*  The same for a clump. SCREE_OUT_OF_MEMORY. */
scree_status scree_shape_table_take_clump(scree_shape_table *meshes, const scree_clump *clump);

/*  Makes surrogate trees of all present and future meshes. SCREE_OUT_OF_MEMORY, with a message; some meshes have
    trees then. */
scree_status scree_shape_table_want_trees(scree_shape_table *meshes, scree_error *error);
/*  Makes surrogate trees of all present bodies, whatever is used in searches. Statuses as above. */
scree_status scree_shape_table_grow_trees(scree_shape_table *meshes, scree_error *error);

#endif
