/*  A mesh inside the library: a surface with a search tree and adjacency. It never changes once it is created, so any
    number of threads may read it.

    A facet has `corners` vertices. Its edge k goes from corner k to the next one. The edges of segments are their end
    points: edge k of a segment is its vertex k, and statements about edges apply to these. */
#ifndef SCREE_MESH_H
#define SCREE_MESH_H

#include "base/memory.h"
#include "scree/shape.h"
#include "shape/mesh_group.h"
#include "shape/superquadric.h"

/*  Coordinates are at most this large, and facets at least the inverse, so fourth powers stay finite. */
#define SCREE_MESH_LARGEST 1e60
#define SCREE_MESH_MAX_FACETS (1u << 30)

typedef struct scree_mesh_tree
{
    scree_mesh_group *groups;
    uint32_t *facet;                       /* by place in groups of level 0 */
    size_t group_count;                    /* of all levels */
    size_t level_start[SCREE_MESH_LEVELS]; /* index of the level's first group; 0: over facets */
    int levels;
    double origin[3], scale; /* boxes are of (x - origin) scale, which is in [0, 1] */
} scree_mesh_tree;

struct scree_mesh
{
    scree_memory memory;
    atomic_size_t users;
    int corners;
    uint32_t vertex_count, facet_count, edge_count;
    double *vertices; /* x y z each */
    double *normals; /* of facets: unit, right-handed; of segments to the left of their direction */
    uint32_t *facets;  /* vertices of each */
    uint32_t *source;  /* index of each facet in the definition */
    uint32_t *edge_of; /* edge k of facet f: edge_of[f * corners + k] */
    /*  Facets of edge e: edge_facet[edge_start[e]] .. [edge_start[e + 1] - 1], ascending; of vertices the
        same. */
    uint32_t *edge_start, *edge_facet;
    uint32_t *vertex_start, *vertex_facet;
    /*  Inside and outside are undefined at a boundary: edges that do not join two facets of a two-sided surface, and
        vertices that are not in the middle of one closed fan of such facets. */
    uint8_t *edge_is_rim, *vertex_is_rim;
    /*  Facets connected by edges with two facets are a patch. Within it normals turn[f] * normal[f] are all on the same
        side; 0 if that is impossible, as on a Moebius strip. */
    uint32_t *patch;
    int8_t *turn;
    uint32_t dropped_flat, dropped_duplicates, open_edges, nonmanifold_edges, flipped_edges;
    double lower[3], upper[3];
    scree_mesh_tree tree;
    scree_superquadric quadric; /* its formula; of other meshes all is 0 */
};

/*  Whether it comes from scree_mesh_superquadric. */
static inline bool scree_mesh_is_superquadric(const scree_mesh *mesh)
{
    return mesh->quadric.radii[0] > 0;
}

/*  Adds a reference, released by scree_mesh_release. Thread-safe. */
void scree_mesh_hold(const scree_mesh *mesh);
void scree_mesh_release(const scree_mesh *mesh); /* NULL is allowed */

/*  Unit normal of a facet with the given vertices, which must not be collinear. */
void scree_facet_normal(int corners, const double *const corner[3], double normal[3]);

/* ---- stages of creation, in this order; each leaves what it allocated in the mesh, also on failure ---- */

/*  mesh_clean.c: vertices, facets, source, and counts of dropped facets. */
scree_status scree_mesh_clean(scree_mesh *mesh, const scree_mesh_def *def);
/*  mesh_edges.c: edges, incidence, boundaries, patches. */
scree_status scree_mesh_link(scree_mesh *mesh);
/*  mesh_tree.c. */
scree_status scree_mesh_grow_tree(scree_mesh *mesh);
/*  mesh_order.c, from mesh_tree.c: the facets of the tree, in order. */
scree_status scree_mesh_order_facets(scree_mesh *mesh);

/*  mesh_shells.c: for a closed mesh of several parts, checks their orientations against their nesting. SCREE_BAD_VALUE,
    SCREE_OUT_OF_MEMORY. */
scree_status scree_mesh_check_shells(const scree_mesh *mesh, scree_error *error);

/* ---- search ---- */

typedef struct scree_facet_list
{
    uint32_t *facet;
    size_t count, capacity;
} scree_facet_list;

/*  Replaces the content of the list by the facets no farther than `reach` from a point, ascending; the list grows in
    `memory`. The point is in the mesh's own frame. SCREE_OUT_OF_MEMORY. */
scree_status scree_mesh_near(const scree_mesh *mesh, const double centre[3], double reach,
                             scree_memory *memory, scree_facet_list *list);
void scree_facet_list_free(scree_facet_list *list, scree_memory *memory);

#endif
