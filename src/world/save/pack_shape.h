/*  A mesh or a clump as rows of numbers: in checkpoints, and in messages between ranks. */
#ifndef SCREE_WORLD_PACK_SHAPE_H
#define SCREE_WORLD_PACK_SHAPE_H

#include "base/error.h"
#include "base/memory.h"
#include "shape/clump.h"
#include "shape/mesh.h"

/*  A clump is stored as a mesh with facets of one corner, but without facets. Its vertices are two rows for each
    pebble, its centre and (radius, 0, 0), then the centre of mass, the three rows of the inertia tensor and
    (volume, 0, 0), for density 1. */
#define SCREE_CLUMP_CORNERS 1u
#define SCREE_CLUMP_MASS_ROWS 5u
/*  A superquadric as one with facets of five: its vertices are the half axes, and (both exponents, facets of the
    definition). Its mesh is made again. */
#define SCREE_QUADRIC_CORNERS 5u
#define SCREE_QUADRIC_ROWS 2u
typedef struct scree_packed_mesh
{
    uint64_t digest;
    uint32_t corners, vertex_count, facet_count, dropped_flat, dropped_duplicates, none;
} scree_packed_mesh;

/*  Whether its facets have rows of their own. */
static inline bool scree_packed_has_facets(uint32_t corners)
{
    return corners != SCREE_CLUMP_CORNERS && corners != SCREE_QUADRIC_CORNERS;
}

/*  The rows behind the first one; of a clump or superquadric only vertices. */
typedef struct scree_shape_rows
{
    double (*vertex)[3];
    uint32_t *corner; /* of facets: vertices, from 0 */
    uint32_t *source; /* scree_mesh_info.source */
} scree_shape_rows;

/*  One of the two. */
typedef struct scree_mesh_or_clump
{
    scree_mesh *mesh;
    scree_clump *clump;
} scree_mesh_or_clump;

/*  Whether a row is one that these functions can have written. */
bool scree_packed_mesh_is_sound(const scree_packed_mesh *row);

/*  The first row, which says how many others there are. */
scree_packed_mesh scree_mesh_pack(const scree_mesh *mesh);
scree_packed_mesh scree_clump_pack(const scree_clump *clump);
/*  Writes the others, which are zero. */
void scree_mesh_write_rows(const scree_mesh *mesh, const scree_shape_rows *to);
void scree_clump_write_rows(const scree_clump *clump, const scree_shape_rows *to);

/*  Makes it again, with the same digest, for a world of this number of dimensions. `number` is for messages.
    SCREE_OUT_OF_MEMORY; SCREE_BAD_FILE if the rows make no mesh or clump, or one with another digest. */
scree_status scree_shape_unpack(const scree_packed_mesh *row, const scree_shape_rows *rows,
                                size_t number, int dimensions, scree_memory *memory,
                                scree_mesh_or_clump *made, scree_error *error);

#endif
