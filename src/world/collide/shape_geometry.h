/*  What bodies are made of that are no spheres: each mesh and each clump once, with what is found out about it when it is
    first used. They stay as long as the world does, so that what was taken from it may be put back. */
#ifndef SCREE_WORLD_SHAPE_GEOMETRY_H
#define SCREE_WORLD_SHAPE_GEOMETRY_H

#include "base/error.h"
#include "narrow/mesh_boxes.h"
#include "shape/clump.h"
#include "shape/convex.h"
#include "shape/surrogate.h"
#include "world/state/bodies.h"

typedef struct scree_solid_mesh
{
    const scree_mesh *mesh;   /* held; NULL: it is a clump */
    const scree_clump *clump; /* held; NULL: it is a mesh */
    uint64_t digest;          /* scree_mesh_digest, scree_clump_digest */
    uint32_t number;          /* in the snapshot that is being taken, from 1; 0: not in it */
    /*  Of meshes: */
    scree_mesh_boxes boxes;
    scree_surrogate *tree; /* NULL unless meshes are searched by them */
    double *area;          /* by vertex: a third of its facets' */
    /*  As a body, where it is one: */
    bool is_solid;
    scree_mesh_solid solid; /* of density 1; of a clump volume, centre, principal and orientation */
    double reach;           /* of its farthest vertex from the centre, rounded up */
    double round;           /* radius of the ball that has its volume */
    bool is_block;
    scree_convex convex; /* about the centre; of blocks alone */
} scree_solid_mesh;

typedef struct scree_solid_meshes
{
    scree_memory *memory;
    bool wants_trees;
    const scree_workers *workers; /* who grow them */
    scree_solid_mesh *mesh;       /* in the order of first use */
    size_t count, capacity;
    uint32_t *
        home; /* hash of addresses to number, from 1; 0: free. A power of two, at least half of it free */
    size_t home_capacity;
} scree_solid_meshes;

/*  What a mesh is to be good for: each is more than the one before. */
typedef enum scree_mesh_use
{
    SCREE_MESH_AS_WALL,
    SCREE_MESH_AS_SOLID,
    SCREE_MESH_AS_BLOCK,
} scree_mesh_use;

void scree_solid_meshes_free(scree_solid_meshes *meshes);

static inline scree_mesh_use scree_shape_use_of_mesh(const scree_shape *shape)
{
    return shape->kind == SCREE_SHAPE_BLOCK ? SCREE_MESH_AS_BLOCK : SCREE_MESH_AS_SOLID;
}

/*  What a shape is made of: a mesh or a clump; NULL: neither. */
static inline const void *scree_shape_geometry(const scree_shape *shape)
{
    return scree_shape_is_of_triangles(shape) ? (const void *)shape->mesh
           : shape->kind == SCREE_SHAPE_CLUMP ? (const void *)shape->clump
                                              : NULL;
}

/*  NULL where it is not there. `geometry`: of a shape. */
const scree_solid_mesh *scree_solid_meshes_find(const scree_solid_meshes *meshes,
                                                const void *geometry);
/*  One that is the same by its digest, and a body, if possible one of a block; NULL: there is none. */
const scree_solid_mesh *scree_solid_meshes_find_digest(const scree_solid_meshes *meshes,
                                                       uint64_t digest);
/*  Makes sure that it is there, and good for this. SCREE_OUT_OF_MEMORY, or what is wrong with it as a body, with a sentence. */
scree_status scree_solid_meshes_take(scree_solid_meshes *meshes, const scree_mesh *mesh,
                                     scree_mesh_use use, scree_error *error);
/*  The same for a clump. SCREE_OUT_OF_MEMORY. */
scree_status scree_solid_meshes_take_clump(scree_solid_meshes *meshes, const scree_clump *clump);

/*  All that are there, and all that come, get surrogate trees. SCREE_OUT_OF_MEMORY, with a sentence: some have. */
scree_status scree_solid_meshes_want_trees(scree_solid_meshes *meshes, scree_error *error);
/*  Those of bodies that are there have them after this, whatever searches go by. The same. */
scree_status scree_solid_meshes_grow_trees(scree_solid_meshes *meshes, scree_error *error);

#endif
