/*  scree/shape.h: what bodies and walls are made of.

    A shape is a small value that is copied into what uses it. A mesh is geometry that many may share: it is
    made once, never changes, and is freed when the last of its users lets go. */
#ifndef SCREE_SHAPE_H
#define SCREE_SHAPE_H

#include "scree/base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum scree_shape_kind
{
    SCREE_SHAPE_NONE = 0,
    SCREE_SHAPE_SPHERE, /* a disc in two dimensions */
    SCREE_SHAPE_MESH,   /* what a closed surface of triangles encloses; in three dimensions */
    SCREE_SHAPE_CLUMP,  /* pebbles that are one body: spheres, in two dimensions discs */
    SCREE_SHAPE_BLOCK, /* the same as a mesh, where that is convex; a convex polygon in two dimensions */
} scree_shape_kind;

typedef struct scree_mesh scree_mesh;   /* see below */
typedef struct scree_clump scree_clump; /* see below */

typedef struct scree_shape
{
    scree_shape_kind kind;
    double radius; /* of a sphere; of a body that is read that of the ball around it */
    /*  Of a mesh or block: how far its surface acts. Surfaces touch where they are nearer than the sum of both halos, and the
        overlap is what is missing to that; spheres and walls have none. Of a block it is the radius of its edges. */
    double halo;
    union
    {
        const scree_mesh *mesh;
        const scree_clump *clump;
    };
} scree_shape;

static inline scree_shape scree_shape_sphere(double radius)
{
    scree_shape shape = {SCREE_SHAPE_SPHERE, radius, 0, {NULL}};
    return shape;
}

/*  THE FRAME OF A BODY. Its origin is the centre of mass, its axes are the principal ones, named so that they are as near
    to those of the mesh or clump as can be: where these are principal already, they are the same. In two dimensions
    axes stay as they are. See scree_shape_frame. */
static inline scree_shape scree_shape_mesh(const scree_mesh *mesh, double halo)
{
    scree_shape shape = {SCREE_SHAPE_MESH, 0, halo, {mesh}};
    return shape;
}

/*  A convex block, whose edges are round: its mesh must be convex (scree_mesh_hull makes such), and facets in one plane are one
    face, however it is cut. Blocks and planes know how deep they are in each other, and along which way out: halos may
    be thin beside overlaps there. In two dimensions the mesh is a closed line of segments, and the block a convex polygon with round
    corners, whose area does not count what the halo adds, as in three. */
static inline scree_shape scree_shape_block(const scree_mesh *mesh, double halo)
{
    scree_shape shape = {SCREE_SHAPE_BLOCK, 0, halo, {mesh}};
    return shape;
}

static inline scree_shape scree_shape_clump(const scree_clump *clump)
{
    scree_shape shape = {SCREE_SHAPE_CLUMP, 0, 0, {NULL}};
    shape.clump = clump;
    return shape;
}

/* ---- mass -------------------------------------------------------------------------------------- */

typedef struct scree_mass
{
    double volume; /* area in two dimensions */
    double mass;
    double inertia
        [3]; /* about the principal axes through the centre of mass; in two dimensions the third
                          alone counts */
} scree_mass;

/*  SCREE_BAD_VALUE for a density or size that is not above 0 and finite, or a mass that is not; of a mesh as
    scree_mesh_solid_of. SCREE_BAD_ARGUMENT for a mesh or clump of the other number of dimensions. */
SCREE_API scree_status scree_shape_mass(const scree_shape *shape, double density, int dimensions,
                                        scree_mass *mass, scree_error *error);

/*  The frame of a body of this shape as seen from its mesh's or clump's own: its origin, and the unit quaternion w x y z that turns
    its axes to where they are there. Of a sphere 0 and 1 0 0 0. Statuses of scree_shape_mass. */
SCREE_API scree_status scree_shape_frame(const scree_shape *shape, double origin[3],
                                         double orientation[4], scree_error *error);

/* ---- meshes -------------------------------------------------------------------------------------- */

/*  A surface of triangles, in two dimensions a line of segments. Not necessarily closed, nor oriented: both
    sides are surface. */
typedef struct scree_mesh_def
{
    uint32_t cookie;
    int corners;            /* of a facet: 3, or 2 for segments; 3 */
    const double *vertices; /* x y z each, at most 1e60 in magnitude; of segments z is 0 */
    uint32_t vertex_count;
    const uint32_t
        *facets; /* `corners` vertices each; NULL: vertices 0 1 2, 3 4 5, ... (as in STL) */
    uint32_t facet_count;
    /*  Vertices nearer than this to each other are one, the first of them, as in files that repeat them for
        each facet. Share of the largest extent, 1e-14 to 0.1; 0: only equal ones; 1e-9. */
    double weld;
    scree_allocator allocator; /* malloc */
    scree_error *error;        /* NULL */
} scree_mesh_def;

SCREE_API scree_mesh_def scree_default_mesh_def(void);

/*  Copies what it is given. SCREE_BAD_DEF, SCREE_BAD_ARGUMENT (an index past the end, no facets),
    SCREE_BAD_VALUE (a coordinate that cannot be used, with facet and corner), SCREE_OUT_OF_MEMORY,
    SCREE_TOO_LARGE (more than 2^30 facets). Facets without area, which are no higher than the welding
    distance or 1e-10 of their longest edge, and repeated ones are dropped and counted; if none remain, that
    is SCREE_BAD_VALUE. */
SCREE_API scree_status scree_mesh_create(const scree_mesh_def *def, scree_mesh **mesh);
/*  Lets go; what still uses the mesh keeps it. NULL is fine. */
SCREE_API void scree_mesh_destroy(scree_mesh *mesh);

typedef struct scree_mesh_info
{
    int corners;
    uint32_t vertex_count, facet_count, edge_count; /* after welding and dropping */
    const double *vertices;                         /* x y z each; as long as the mesh is */
    const uint32_t *facets;
    const uint32_t *source;                    /* facet's place in what was given */
    uint32_t dropped_flat, dropped_duplicates; /* facets without area, and repeated ones */
    uint32_t open_edges;                       /* that have one facet */
    uint32_t nonmanifold_edges;                /* that have more than two */
    uint32_t flipped_edges;                    /* whose two facets go round it the same way */
    double lower[3], upper[3];
} scree_mesh_info;

SCREE_API scree_mesh_info scree_mesh_describe(const scree_mesh *mesh);

/*  Globes, bumpy or long ones: bodies to try things with. */
typedef enum scree_globe_kind
{
    SCREE_GLOBE_ANY =
        0, /* SCREE_GLOBE_ICO where the number of facets is right for it, else SCREE_GLOBE_UV */
    SCREE_GLOBE_ICO, /* facets of an icosahedron, each cut into n^2: 20, 80, 180, 320, ... 1280, ... 5120, ... */
    SCREE_GLOBE_UV, /* s slices from pole to pole, cut into t + 1 stacks: 2 s t facets, s at least 3 */
} scree_globe_kind;

typedef struct scree_globe_def
{
    uint32_t cookie;
    scree_globe_kind kind; /* SCREE_GLOBE_ANY */
    uint32_t facets;       /* at most 20,000,000; 1280 */
    double radius;         /* before bumps, 1e-50 to 1e50; 0.5 */
    /*  The distance of vertices from the centre is radius times 1 to `bumps`, both of which occur, by gradient noise
        (Perlin 2002): `octaves` layers, each half as high as the one before and half as long, the first of them
        with `waves` to the radius. 1 to 10; 1: none. */
    double bumps;
    double waves;              /* above 0, at most 1000; 1.5 */
    uint32_t octaves;          /* 1 to 16; 4 */
    uint64_t seed;             /* of the noise; 1 */
    double elongation;         /* of z, in the end; 1 to 100; 1 */
    scree_allocator allocator; /* malloc */
    scree_error *error;        /* NULL */
} scree_globe_def;

SCREE_API scree_globe_def scree_default_globe_def(void);

/*  A closed mesh about the origin, normals outward: the same bits on every machine. SCREE_BAD_DEF,
    SCREE_BAD_ARGUMENT (a number of facets that the kind cannot have), SCREE_BAD_VALUE, SCREE_OUT_OF_MEMORY. */
SCREE_API scree_status scree_mesh_globe(const scree_globe_def *def, scree_mesh **mesh);

/*  The body that a closed surface encloses, of even density; of a closed line of segments the area within. */
typedef struct scree_mesh_solid
{
    double volume, area, mass; /* of segments area, length, mass */
    double centre[3];          /* of mass, in the mesh's frame */
    double inertia[3][3];      /* about the centre, along the mesh's axes */
    double
        principal[3]; /* moments about principal axes through the centre; of segments all about z */
    double orientation[4]; /* w x y z: turns the principal frame into the mesh's axes */
    bool inward;           /* normals point inward: the signs above are turned */
} scree_mesh_solid;

/*  Exact but for rounding: sums over tetrahedra. Of several closed parts those inside others are cavities and must be turned
    the other way, those that lie in none all the same way; of up to 2,000 parts that is looked at. SCREE_BAD_ARGUMENT (not
    closed; facets that have no common orientation, in number), SCREE_BAD_VALUE (density, a part that is turned the wrong
    way, or a volume that rounding hides), SCREE_OUT_OF_MEMORY. */
SCREE_API scree_status scree_mesh_solid_of(const scree_mesh *mesh, double density,
                                           scree_mesh_solid *solid, scree_error *error);

/*  What is wrong with a surface as a body. */
typedef struct scree_mesh_report
{
    bool closed;        /* every edge has two facets */
    bool oriented;      /* which go round it in opposite ways */
    bool orientable;    /* they do, or could by turning facets over */
    uint32_t patches;   /* parts that hang together by edges */
    uint32_t crossings; /* pairs of facets that pass through each other */
    uint32_t first[2];  /* the first of these, by number in the mesh */
} scree_mesh_report;

/*  Facets that only touch, and those that lie in each other's plane, are not counted as crossings; what is
    within rounding is touching. SCREE_BAD_ARGUMENT (NULL, segments), SCREE_OUT_OF_MEMORY. */
SCREE_API scree_status scree_mesh_check(const scree_mesh *mesh, scree_mesh_report *report,
                                        scree_error *error);

/* ---- blocks --------------------------------------------------------------------------------------- */

/*  The convex body that points span: with a halo it is a convex block with rounded edges. In two dimensions a polygon. */
typedef struct scree_hull_def
{
    uint32_t cookie;
    const double *points; /* x y z each, at most 1e60 in magnitude */
    uint32_t point_count; /* at least 4, of a polygon 3 */
    /*  Share of the largest extent, 1e-9 to 0.1; 1e-9. Points that stick out by less are left out, and so are
        corners of facets that are no higher, and those in the middle of edges and faces. */
    double tolerance;
    scree_allocator allocator; /* malloc */
    scree_error *error;        /* NULL */
    int corners; /* of a facet of what is made: 3; 2 for the polygon that points with z = 0 span; 3 */
} scree_hull_def;

SCREE_API scree_hull_def scree_default_hull_def(void);

/*  A closed mesh of triangles, or of segments, normals outward, whose vertices are those of the points that are its corners.
    Which side of a plane a point is on is decided without rounding: points may lie in planes and on lines, be there twice, and be as many
    as they are. SCREE_BAD_DEF, SCREE_BAD_ARGUMENT (too few points), SCREE_BAD_VALUE (a coordinate that cannot be used, with
    its point; points that lie in a plane, of a polygon on a line, or as near to one as the tolerance), SCREE_OUT_OF_MEMORY. */
SCREE_API scree_status scree_mesh_hull(const scree_hull_def *def, scree_mesh **mesh);

/* ---- clumps ---------------------------------------------------------------------------------------- */

/*  A clump is a rigid body of pebbles, which may overlap. Each touches what it meets as a sphere does; pebbles of one
    clump never touch each other. It never changes once it is made, and is kept by all bodies that are made of it. */
typedef struct scree_pebble
{
    double centre[3]; /* at most 1e60 in magnitude; in two dimensions z is 0 */
    double radius;    /* 1e-60 to 1e60 */
} scree_pebble;

/*  What a body of density 1 weighs. */
typedef struct scree_clump_mass
{
    double volume; /* area in two dimensions */
    double centre[3];
    double inertia
        [3]
        [3]; /* about the centre, along the clump's axes; in two dimensions [2][2] alone counts */
} scree_clump_mass;

typedef struct scree_clump_def
{
    uint32_t cookie;
    int dimensions; /* 3; 2 for discs */
    const scree_pebble *pebbles;
    uint32_t pebble_count; /* 1 to 65535 */
    /*  NULL: that of the space that the pebbles fill together, where they overlap once: in two dimensions a closed form,
        in three a sum over slices of closed forms that is refined until two sums differ by less than 1e-13 of the
        volume. Else this: of the particle that the pebbles stand for. */
    const scree_clump_mass *mass;
    scree_allocator allocator; /* malloc */
    scree_error *error;        /* NULL */
} scree_clump_def;

SCREE_API scree_clump_def scree_default_clump_def(void);

/*  Copies what it is given. SCREE_BAD_DEF, SCREE_BAD_ARGUMENT (no pebbles, too many, dimensions), SCREE_BAD_VALUE (a
    pebble that cannot be, with its number; a mass that no body can have), SCREE_OUT_OF_MEMORY. */
SCREE_API scree_status scree_clump_create(const scree_clump_def *def, scree_clump **clump);
/*  Lets go; what still uses the clump keeps it. NULL is fine. */
SCREE_API void scree_clump_destroy(scree_clump *clump);

typedef struct scree_clump_info
{
    int dimensions;
    uint32_t pebble_count;
    const scree_pebble *pebbles; /* as given; as long as the clump is */
    scree_clump_mass mass;
    double principal[3];   /* moments of inertia about the principal axes, of density 1 */
    double orientation[4]; /* w x y z: turns the principal frame into the clump's axes */
    double reach;          /* of the farthest pebble from the centre of mass */
} scree_clump_info;

SCREE_API scree_clump_info scree_clump_describe(const scree_clump *clump);

/*  Pebbles that fill a closed mesh of triangles (Ferellec and McDowell, Granular Matter 12 (2010) 459): from a vertex that
    is not covered yet, drawn by chance, a ball grows inward, touching the surface there, until it meets another
    vertex; it then covers all vertices that are nearer to it than `gap`. This goes on until all are covered,
    or there are as many pebbles as may be. */
typedef struct scree_clump_fill_def
{
    uint32_t cookie;
    const scree_mesh *mesh;
    double gap; /* share of the radius of the ball that has the mesh's volume, above 0 to 1; 0.1 */
    double
        smallest; /* radius of a pebble, as the same share: smaller ones are left out; 0 to 1; 0.05 */
    uint32_t max_pebbles; /* pebbles, 1 to 65535; 65535 */
    bool
        mass_of_mesh; /* true: the clump weighs what the mesh encloses; else what its pebbles fill */
    uint64_t seed;    /* of what is drawn; 1 */
    scree_allocator allocator; /* malloc */
    scree_error *error;        /* NULL */
} scree_clump_fill_def;

SCREE_API scree_clump_fill_def scree_default_clump_fill_def(void);

/*  The clump's axes and origin are those of the mesh. `covered`: the share of vertices that are nearer to a pebble than the
    gap; may be NULL. SCREE_BAD_DEF, SCREE_BAD_ARGUMENT (no mesh; one that encloses nothing), SCREE_BAD_VALUE (a field
    that cannot be; no pebble was as large as `smallest`), SCREE_OUT_OF_MEMORY. */
SCREE_API scree_status scree_clump_fill(const scree_clump_fill_def *def, scree_clump **clump,
                                        double *covered);

#ifdef __cplusplus
}
#endif

#endif
