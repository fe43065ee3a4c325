/*  The surrogate tree of a triangulated surface: coarser and coarser proxies. Each is a single triangle with a halo
    that contains all facets it represents. (Noble and Weinzierl, "A multiresolution Discrete Element Method for
    triangulated objects with implicit time stepping", arXiv:2105.12415: definition 4.6, appendices A and B.)

    The root represents the whole surface. A node that represents more than eight facets has up to eight children, among
    which they are divided evenly; one with at most eight has the facets themselves below it. So 64 facets give three
    models: 64 facets, 8 surrogates, 1 surrogate.

    Halos are those of a surface without thickness: `radius` is how far the farthest corner of a facet below is from the
    surrogate. Distance to a triangle is a convex function, so its maximum over a facet is at a corner, and facets lie
    entirely in the halo. A surface with a contact skin of eps lies in radius + eps. Children need not lie in their
    parents' halos; only facets do. If two halos are apart, so are the facets in them: that is all a search needs (Lemma
    5.1).

    The quality of a fit affects the speed of a search, never its result. A tree never changes once it is created, and
    is bit-identical for any number of threads. Triangles may be degenerate, repeated, connected or not. */
#ifndef SCREE_SURROGATE_H
#define SCREE_SURROGATE_H

#include "base/tasks.h"
#include "shape/mesh.h"

#define SCREE_SURROGATE_WIDTH 8u /* N_surrogate: children of a node, facets of a leaf */
#define SCREE_SURROGATE_LEVELS 12

typedef struct scree_surrogate_node
{
    double corner[3][3]; /* in the frame of the surface */
    double radius;
    uint32_t begin, end; /* facets below: tree->facet[begin] to [end - 1] */
    uint32_t child;      /* the first of its children, which are consecutive; 0 for a leaf */
    uint32_t children;   /* 0: a leaf, below which are facets */
} scree_surrogate_node;

typedef struct scree_surrogate
{
    scree_memory memory;
    scree_surrogate_node *nodes; /* level by level, the root first */
    uint32_t *facet;             /* facets of the surface, each once, those of a node consecutive */
    uint32_t node_count, facet_count;
    uint32_t level_count; /* number of levels of surrogates; facets are one more */
    uint32_t level_start[SCREE_SURROGATE_LEVELS +
                         1]; /* nodes of level k: [k] .. [k + 1] - 1; 0: the root */
    double reach;            /* largest magnitude of a coordinate of facets and surrogates */
    uint64_t source;         /* scree_surrogate_source of the surface it was created from */
} scree_surrogate;

/*  A triangulated surface: facets[3 f + k] is corner k of facet f; NULL: corners 3 f, 3 f + 1, 3 f + 2. */
typedef struct scree_surface
{
    const double *vertices; /* x y z each, finite and at most SCREE_MESH_LARGEST */
    const uint32_t *facets;
    uint32_t vertex_count, facet_count;
} scree_surface;

typedef struct scree_surrogate_def
{
    scree_surface surface;
    uint64_t seed; /* for the initial cluster centres; 1 */
    /*  true: starts from the best of functional (6) and a few triangles along the longest extent, and optimises the
        probability of contact. false: the result of functional (6), as published. */
    bool tighten;
    const scree_workers *workers; /* NULL: the caller alone */
    scree_allocator allocator;
    scree_error *error;
} scree_surrogate_def;

scree_surrogate_def scree_default_surrogate_def(void);
/*  The triangles of a mesh. */
scree_surface scree_surface_of(const scree_mesh *mesh);

/*  SCREE_BAD_ARGUMENT (no facets, a corner index past the end), SCREE_BAD_VALUE (an unusable coordinate),
    SCREE_TOO_LARGE (more than SCREE_MESH_MAX_FACETS), SCREE_OUT_OF_MEMORY; then *tree is NULL. */
scree_status scree_surrogate_create(const scree_surrogate_def *def, scree_surrogate **tree);
void scree_surrogate_destroy(scree_surrogate *tree); /* NULL is allowed */

/*  Hash of vertices, facets and parameters: trees of the same source are the same. */
uint64_t scree_surrogate_source(const scree_surrogate_def *def);

/*  Volume of a triangle's halo (Steiner): area A and perimeter P give 2 A r + P r^2 pi / 2 + r^3 4 pi / 3. */
double scree_halo_volume(const double corner[3][3], double radius);

/*  Statistics of one level. `around` is the sphere about the middle of each node's box that contains its facets. */
typedef struct scree_surrogate_level
{
    uint32_t nodes, leaves;
    uint32_t min_facets, max_facets;
    double longest_edge, largest_radius; /* over the surrogates */
    double halo_volume,
        sphere_volume; /* sums over nodes of halos and of spheres, each enlarged by eps */
} scree_surrogate_level;

void scree_surrogate_describe(const scree_surrogate *tree, const scree_surface *surface, double eps,
                              scree_surrogate_level level[SCREE_SURROGATE_LEVELS]);

/*  Whether the tree is valid: the structure, each facet once, and halos that contain their facets. `seen` has room for
    one byte per facet; there must be a node. A tree from a file that passes misses nothing. */
bool scree_surrogate_is_valid(const scree_surrogate *tree, const scree_surface *surface,
                              uint8_t *seen);
/*  Sets `reach`. */
void scree_surrogate_measure(scree_surrogate *tree, const scree_surface *surface);

/* ---- for files ---- */

/*  The checks of scree_surrogate_create on its definition. */
scree_status scree_surrogate_check(const scree_surrogate_def *def);
/*  Allocates a tree whose nodes and facets are written later. SCREE_OUT_OF_MEMORY. */
scree_status scree_surrogate_allot(const scree_allocator *allocator, uint32_t nodes,
                                   uint32_t facets, scree_surrogate **tree);

/* ---- stages of creation ---- */

/*  Some facets of a surface: order[0] to order[count - 1]. */
typedef struct scree_facet_set
{
    const scree_surface *surface;
    const uint32_t *order;
    uint32_t count;
} scree_facet_set;

/*  Corner k of the set's facet i. */
static inline const double *scree_facet_corner(const scree_facet_set *set, uint32_t i, uint32_t k)
{
    size_t at = 3 * (size_t)set->order[i] + k;
    return set->surface->vertices +
           3 * (size_t)(set->surface->facets ? set->surface->facets[at] : at);
}

/*  surrogate_fit.c. Scratch for one worker: the set of facets, and the same as columns for kernels (surrogate_fit.h),
    padded with copies of the last one to a multiple of eight. */
#define SCREE_SURROGATE_SAMPLE 512u
#define SCREE_SURROGATE_OUTLINE 98u
typedef struct scree_fit_columns
{
    double corner[9][SCREE_SURROGATE_SAMPLE];
    double edge[6][SCREE_SURROGATE_SAMPLE]; /* vectors to the second corner and to the third, */
    double product
        [3][SCREE_SURROGATE_SAMPLE]; /* and their products: first squared, both, second squared */
    double outline[3][(SCREE_SURROGATE_OUTLINE + 7) / 8 * 8];
} scree_fit_columns;

typedef struct scree_surrogate_room
{
    double triangle[SCREE_SURROGATE_SAMPLE][3][3];
    double outline[SCREE_SURROGATE_OUTLINE][3];
    uint32_t triangle_count, outline_count;
    scree_fit_columns columns;
    scree_simd simd;
} scree_surrogate_room;

void scree_surrogate_fit(const scree_facet_set *set, bool tighten, scree_surrogate_room *room,
                         double corner[3][3], double *radius);

/*  Functional (6) over the triangles in the scratch, and its gradient by the nine coordinates; they must be in columns.
    */
double scree_surrogate_functional(const scree_surrogate_room *room, const double corner[3][3],
                                  double gradient[3][3]);
/*  Distance of the farthest corner of the set, rounded up. */
double scree_surrogate_radius(const scree_facet_set *set, const double corner[3][3]);

/*  surrogate_split.c. Sorts order[0] to order[count - 1] into `parts` clusters, of which the p-th gets size[p]; sizes
    differ by at most one. `middle` is three times the middle of each facet of the surface, by index; the other arrays
    have room for `count` each. */
typedef struct scree_cluster_room
{
    const double (*middle)[3];
    double *regret;
    uint32_t *cluster, *rank, *spare;
} scree_cluster_room;

void scree_surrogate_split(uint32_t *order, uint32_t count, uint32_t parts, uint64_t seed,
                           uint64_t stream, const scree_cluster_room *room, uint32_t *size);

#endif
