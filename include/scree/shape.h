/*  scree/shape.h: the geometry of bodies and walls.

    A shape is a small value that is copied. A mesh or clump is geometry that many bodies share: it is created once,
    never changes, and is freed when its last user releases it. */
#ifndef SCREE_SHAPE_H
#define SCREE_SHAPE_H

#include "scree/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/*  The kinds of shapes. */
typedef enum scree_shape_kind
{
    SCREE_SHAPE_NONE = 0, /* no shape */
    SCREE_SHAPE_SPHERE,   /* a sphere; a disc in two dimensions */
    SCREE_SHAPE_MESH,     /* the inside of a closed mesh of triangles; three dimensions only */
    SCREE_SHAPE_CLUMP,    /* overlapping spheres that move as one body; discs in two dimensions */
    SCREE_SHAPE_BLOCK,    /* a convex mesh with rounded edges; a convex polygon in two dimensions */
    SCREE_SHAPE_SUPERQUADRIC, /* an ellipsoid or superquadric; in two dimensions a superellipse */
} scree_shape_kind;

/*  A mesh, see scree_mesh_create. */
typedef struct scree_mesh scree_mesh;
/*  A clump, see scree_clump_create. */
typedef struct scree_clump scree_clump;

/*  A shape. Make it with one of the functions below. */
typedef struct scree_shape
{
    scree_shape_kind kind; /* which one */
    /*  Of a sphere, m; when read from a body, the radius of its bounding sphere. */
    double radius;
    /*  Two surfaces are in contact if their distance is below the sum of both contact skins or rounding radii, and the
        overlap is the difference. Spheres, clumps and walls have none: 0. */
    union
    {
        double contact_skin; /* of a mesh, m */
        double rounding;     /* of a block: radius of its edges and corners, m */
    };
    union
    {
        const scree_mesh *mesh;   /* of a mesh, block or superquadric */
        const scree_clump *clump; /* of a clump */
    };
} scree_shape;

/*  Returns a sphere. */
static inline scree_shape scree_shape_sphere(double radius)
{
    scree_shape shape = {SCREE_SHAPE_SPHERE, radius, {0}, {NULL}};
    return shape;
}

/*  Returns a mesh with a contact skin of thickness `contact_skin`. Choose it at least as large as the largest expected overlap.

    THE BODY FRAME. Its origin is the centre of mass. Its axes are the principal axes of inertia, named so that they are
    as near as possible to the axes of the mesh or clump; if those are principal axes, they are the same. In two
    dimensions the axes do not change. See scree_shape_frame. */
static inline scree_shape scree_shape_mesh(const scree_mesh *mesh, double contact_skin)
{
    scree_shape shape = {SCREE_SHAPE_MESH, 0, {contact_skin}, {mesh}};
    return shape;
}

/*  Returns a convex block whose edges and corners are rounded with radius `rounding`. The mesh must be convex, for
    example from scree_mesh_hull; coplanar facets count as one face. For two blocks, or a block and a plane, the depth
    and the direction of the overlap are known, so overlaps may be larger than the rounding. In two dimensions the mesh
    is a closed line of segments and the block a convex polygon with round corners. Area and volume do not include the
    rounding. */
static inline scree_shape scree_shape_block(const scree_mesh *mesh, double rounding)
{
    scree_shape shape = {SCREE_SHAPE_BLOCK, 0, {rounding}, {mesh}};
    return shape;
}

/*  Returns a clump. */
static inline scree_shape scree_shape_clump(const scree_clump *clump)
{
    scree_shape shape = {SCREE_SHAPE_CLUMP, 0, {0}, {NULL}};
    shape.clump = clump;
    return shape;
}

/*  Returns a superquadric. The mesh must come from scree_mesh_superquadric: contacts, mass and inertia are those of its
    formula, and its facets are for pictures, files and queries. Superquadrics have one contact with each other and with
    planes, blocks and spheres. The normal is the direction in which the distance of both surfaces is largest, and an
    overlap is the shortest way that separates them. It is exact up to the smaller radii of curvature. The radius for
    contact models is that of the ball (disc) with the same volume, as for blocks and meshes: the force is then the
    derivative of an energy, which one with the local curvature is not. */
static inline scree_shape scree_shape_superquadric(const scree_mesh *mesh)
{
    scree_shape shape = {SCREE_SHAPE_SUPERQUADRIC, 0, {0}, {mesh}};
    return shape;
}

/* ---- mass -------------------------------------------------------------------------------------- */

/*  Mass properties of a body. */
typedef struct scree_mass
{
    double volume; /* m^3; in two dimensions the area, m^2 */
    double mass;   /* kg */
    /*  Principal moments about the centre of mass, kg m^2; in two dimensions only the third is used. */
    double inertia[3];
} scree_mass;

/*  Computes the mass properties of a shape. SCREE_BAD_VALUE: a density, size or mass that is not above 0 and finite;
    for meshes the statuses of scree_mesh_solid_of; SCREE_BAD_ARGUMENT: a mesh or clump for the other number of
    dimensions. */
SCREE_API scree_status scree_shape_mass(const scree_shape *shape, double density, int dimensions,
                                        scree_mass *mass, scree_error *error);

/*  Computes the body frame relative to the frame of its mesh or clump: its origin, and the unit quaternion w x y z that
    rotates its axes into those of the mesh or clump frame. For a sphere 0 and 1 0 0 0. Statuses of scree_shape_mass. */
SCREE_API scree_status scree_shape_frame(const scree_shape *shape, double origin[3],
                                         double orientation[4], scree_error *error);

/* ---- meshes -------------------------------------------------------------------------------------- */

/*  A surface of triangles, or in two dimensions a line of segments. It need not be closed or oriented: both sides are
    surface. */
typedef struct scree_mesh_def
{
    uint32_t cookie;        /* set by the default function */
    uint32_t size;          /* in bytes, set by the default function */
    int corners;            /* corners of a facet: 3 for triangles, 2 for segments; 3 */
    const double *vertices; /* x y z each, m, at most 1e60 in magnitude; for segments z is 0 */
    uint32_t vertex_count;  /* number of vertices */
    /*  `corners` vertex indices each; NULL: 0 1 2, 3 4 5, ... as in STL files. */
    const uint32_t *facets;
    uint32_t facet_count; /* number of facets */
    /*  Vertices closer than this are merged into the first of them, as files may repeat vertices for each facet. As a
        fraction of the largest extent, 1e-14 to 0.1; 0: merge equal ones only; 1e-9. */
    double weld;
    scree_allocator allocator; /* malloc */
    scree_error *error;        /* gets the message of a failure; NULL */
} scree_mesh_def;

/*  What scree_default_mesh_def calls: writes default values to the first `size` bytes of a definition. */
SCREE_API void scree_init_mesh_def(scree_mesh_def *def, size_t size);
/*  Returns a definition with default values. */
static inline scree_mesh_def scree_default_mesh_def(void)
{
    scree_mesh_def def;
    scree_init_mesh_def(&def, sizeof def);
    return def;
}

/*  Creates a mesh. The arrays are copied. Facets without area (no higher than the weld distance, or 1e-10 of their
    longest edge) and repeated facets are dropped and counted. SCREE_BAD_DEF; SCREE_BAD_ARGUMENT: an index past the end,
    or no facets; SCREE_BAD_VALUE: an unusable coordinate, naming facet and corner, or no facet has an area;
    SCREE_OUT_OF_MEMORY; SCREE_TOO_LARGE: more than 2^30 facets. */
SCREE_API scree_status scree_mesh_create(const scree_mesh_def *def, scree_mesh **mesh);
/*  Releases the mesh. Bodies and walls that use it keep it. NULL is allowed. */
SCREE_API void scree_mesh_destroy(scree_mesh *mesh);

/*  The content of a mesh. Pointers are valid as long as the mesh. */
typedef struct scree_mesh_info
{
    int corners;                                    /* 3: triangles; 2: segments */
    uint32_t vertex_count, facet_count, edge_count; /* after merging and dropping */
    const double *vertices;                         /* x y z each */
    const uint32_t *facets;                         /* vertex indices */
    const uint32_t *source;                         /* index of each facet in the definition */
    uint32_t dropped_flat, dropped_duplicates;      /* dropped facets: without area; repeated */
    uint32_t open_edges;                            /* edges with one facet */
    uint32_t nonmanifold_edges;                     /* edges with more than two facets */
    /*  Edges whose two facets have opposite orientation. */
    uint32_t flipped_edges;
    double lower[3], upper[3]; /* bounding box */
    double radii[3];           /* of the formula of scree_mesh_superquadric; otherwise 0 */
    double exponents[2];       /* the same */
    double far;                /* largest distance of a point of it from its centre; otherwise 0 */
} scree_mesh_info;

/*  Returns the content of a mesh. */
SCREE_API scree_mesh_info scree_mesh_describe(const scree_mesh *mesh);

/*  How the surface of a globe is divided into facets. */
typedef enum scree_globe_kind
{
    /*  SCREE_GLOBE_ICO if it has meshes of that many facets, otherwise SCREE_GLOBE_UV. */
    SCREE_GLOBE_ANY = 0,
    /*  An icosahedron whose facets are divided into n^2: 20, 80, 180, 320, ... 1280, ... 5120, ... */
    SCREE_GLOBE_ICO,
    SCREE_GLOBE_UV, /* s slices and t + 1 stacks: 2 s t facets, s at least 3 */
} scree_globe_kind;

/*  A globe: a ball, optionally bumpy or elongated, as a test body. */
typedef struct scree_globe_def
{
    uint32_t cookie;       /* set by the default function */
    uint32_t size;         /* in bytes, set by the default function */
    scree_globe_kind kind; /* SCREE_GLOBE_ANY */
    uint32_t facets;       /* number of facets, at most 20,000,000; 1280 */
    double radius;         /* before bumps, m, 1e-50 to 1e50; 0.5 */
    /*  Largest over smallest distance of a vertex from the centre; the smallest is the radius. The bumps are gradient
        noise (Perlin 2002) of `octaves` layers, each half as high and half as long as the one before. 1 to 10; 1: none;
        1. */
    double bumps;
    double waves;              /* waves of the first layer per radius, above 0, at most 1000; 1.5 */
    uint32_t octaves;          /* number of layers, 1 to 16; 4 */
    uint64_t seed;             /* of the noise; 1 */
    double elongation;         /* factor for z, applied last, 1 to 100; 1 */
    scree_allocator allocator; /* malloc */
    scree_error *error;        /* gets the message of a failure; NULL */
} scree_globe_def;

/*  What scree_default_globe_def calls: writes default values to the first `size` bytes of a definition. */
SCREE_API void scree_init_globe_def(scree_globe_def *def, size_t size);
/*  Returns a definition with default values. */
static inline scree_globe_def scree_default_globe_def(void)
{
    scree_globe_def def;
    scree_init_globe_def(&def, sizeof def);
    return def;
}

/*  Creates a closed mesh about the origin with normals outward. It is bit-identical on all machines. SCREE_BAD_DEF;
    SCREE_BAD_ARGUMENT: the kind has no mesh of that many facets; SCREE_BAD_VALUE; SCREE_OUT_OF_MEMORY. */
SCREE_API scree_status scree_mesh_globe(const scree_globe_def *def, scree_mesh **mesh);

/*  Mass properties of the inside of a closed mesh, with uniform density; for segments of the enclosed area. */
typedef struct scree_mesh_solid
{
    double volume, area, mass; /* m^3, m^2, kg; for segments area, length and mass */
    double centre[3];          /* centre of mass, in the frame of the mesh */
    double inertia[3][3];      /* about the centre of mass, along the axes of the mesh, kg m^2 */
    double principal[3];       /* principal moments; for segments all about z */
    double orientation[4];     /* w x y z: rotates the principal frame into the axes of the mesh */
    bool inward;               /* normals point inward: the signs above were reversed */
} scree_mesh_solid;

/*  Computes mass properties by sums over tetrahedra, exactly except for rounding. If the mesh has several closed parts,
    those inside others are cavities and must have the opposite orientation; parts that lie in no other must all have
    the same. This is checked for up to 2,000 parts. SCREE_BAD_ARGUMENT: not closed, or facets without a common
    orientation, with their number; SCREE_BAD_VALUE: the density, a part with the wrong orientation, or a volume below
    rounding errors; SCREE_OUT_OF_MEMORY. */
SCREE_API scree_status scree_mesh_solid_of(const scree_mesh *mesh, double density,
                                           scree_mesh_solid *solid, scree_error *error);

/*  The defects of a surface, if it is to be a body. */
typedef struct scree_mesh_report
{
    bool closed;        /* every edge has two facets */
    bool oriented;      /* the two facets of each edge have the same orientation */
    bool orientable;    /* they have, or could have by reversing facets */
    uint32_t patches;   /* number of parts connected by edges */
    uint32_t crossings; /* pairs of facets that intersect */
    uint32_t first[2];  /* indices of the first such pair */
} scree_mesh_report;

/*  Checks a surface. Facets that only touch, and coplanar facets, do not count as intersecting; within rounding they
    touch. SCREE_BAD_ARGUMENT: NULL, or segments; SCREE_OUT_OF_MEMORY. */
SCREE_API scree_status scree_mesh_check(const scree_mesh *mesh, scree_mesh_report *report,
                                        scree_error *error);

/* ---- blocks --------------------------------------------------------------------------------------- */

/*  The convex hull of points, for a block; in two dimensions a polygon. */
typedef struct scree_hull_def
{
    uint32_t cookie;      /* set by the default function */
    uint32_t size;        /* in bytes, set by the default function */
    const double *points; /* x y z each, m, at most 1e60 in magnitude */
    uint32_t point_count; /* at least 4; for a polygon 3 */
    /*  Points that stick out by less than this are omitted, and so are corners of facets that are no higher, and points
        in the middle of edges and faces. As a fraction of the largest extent, 1e-9 to 0.1; 1e-9. */
    double tolerance;
    scree_allocator allocator; /* malloc */
    scree_error *error;        /* gets the message of a failure; NULL */
    int corners;               /* 3: a mesh of triangles; 2: the polygon of points with z = 0; 3 */
} scree_hull_def;

/*  What scree_default_hull_def calls: writes default values to the first `size` bytes of a definition. */
SCREE_API void scree_init_hull_def(scree_hull_def *def, size_t size);
/*  Returns a definition with default values. */
static inline scree_hull_def scree_default_hull_def(void)
{
    scree_hull_def def;
    scree_init_hull_def(&def, sizeof def);
    return def;
}

/*  Creates the convex hull: a closed mesh of triangles, or of segments, with normals outward. Its vertices are points
    of the definition. On which side of a plane a point lies is decided without rounding errors, so points may be
    coplanar, collinear or repeated, in any number. SCREE_BAD_DEF; SCREE_BAD_ARGUMENT: too few points; SCREE_BAD_VALUE:
    an unusable coordinate, naming the point, or points that lie in a plane (for a polygon on a line) to within the
    tolerance; SCREE_OUT_OF_MEMORY. */
SCREE_API scree_status scree_mesh_hull(const scree_hull_def *def, scree_mesh **mesh);

/* ---- superquadrics -------------------------------------------------------------------------------- */

/*  A superquadric: the points with (|x/a|^n + |y/b|^n)^(m/n) + |z/c|^m <= 1. With both exponents 2 it is an ellipsoid;
    the larger they are, the more it looks like a box, or with n = 2 like a cylinder. In two dimensions it is the
    superellipse |x/a|^n + |y/b|^n <= 1. It is convex and has no edges. */
typedef struct scree_superquadric_def
{
    uint32_t cookie; /* set by the default function */
    uint32_t size;   /* in bytes, set by the default function */
    /*  Half axes a, b, c, m, 1e-50 to 1e50; the largest at most 100 times the smallest. In two dimensions c is 0. Must be
        given. */
    double radii[3];
    /*  m, along z, and n, in the plane of x and y; each 2 to 8. In two dimensions the first is 2. 2, 2. */
    double exponents[2];
    int dimensions;  /* 3; 2 for a superellipse; 3 */
    uint32_t facets; /* roughly, of the mesh, 8 to 1e6; in two dimensions segments, 8 to 1e5; 320 */
    scree_allocator allocator; /* malloc */
    scree_error *error;        /* gets the message of a failure; NULL */
} scree_superquadric_def;

/*  What scree_default_superquadric_def calls: writes default values to the first `size` bytes of a definition. */
SCREE_API void scree_init_superquadric_def(scree_superquadric_def *def, size_t size);
/*  Returns a definition with default values. Set `radii`. */
static inline scree_superquadric_def scree_default_superquadric_def(void)
{
    scree_superquadric_def def;
    scree_init_superquadric_def(&def, sizeof def);
    return def;
}

/*  Creates a mesh about the origin that has its vertices on the surface of a superquadric, and its formula: its mass
    properties are those of the formula, not of the facets. It is bit-identical on all machines. SCREE_BAD_DEF;
    SCREE_BAD_VALUE: a field out of range; SCREE_OUT_OF_MEMORY. */
SCREE_API scree_status scree_mesh_superquadric(const scree_superquadric_def *def,
                                               scree_mesh **mesh);

/* ---- clumps ---------------------------------------------------------------------------------------- */

/*  A sphere of a clump. Pebbles may overlap. Each collides as a sphere; pebbles of the same clump do not collide. */
typedef struct scree_pebble
{
    double centre[3]; /* m, at most 1e60 in magnitude; in two dimensions z is 0 */
    double radius;    /* m, 1e-60 to 1e60 */
} scree_pebble;

/*  Mass properties of a clump of density 1. */
typedef struct scree_clump_mass
{
    double volume;    /* in two dimensions the area */
    double centre[3]; /* centre of mass */
    /*  About the centre of mass, along the axes of the clump; in two dimensions only [2][2] is used. */
    double inertia[3][3];
} scree_clump_mass;

/*  A clump: a rigid body made of overlapping spheres, or discs in two dimensions. */
typedef struct scree_clump_def
{
    uint32_t cookie;             /* set by the default function */
    uint32_t size;               /* in bytes, set by the default function */
    int dimensions;              /* 3; 2 for discs; 3 */
    const scree_pebble *pebbles; /* the spheres */
    uint32_t pebble_count;       /* 1 to 65535 */
    /*  Mass properties of the particle that the pebbles represent. NULL: of the union of the pebbles, in which overlaps
        count once; in closed form in two dimensions, in three as a sum over slices, refined until two sums differ by
        less than 1e-13 of the volume. */
    const scree_clump_mass *mass;
    scree_allocator allocator; /* malloc */
    scree_error *error;        /* gets the message of a failure; NULL */
} scree_clump_def;

/*  What scree_default_clump_def calls: writes default values to the first `size` bytes of a definition. */
SCREE_API void scree_init_clump_def(scree_clump_def *def, size_t size);
/*  Returns a definition with default values. */
static inline scree_clump_def scree_default_clump_def(void)
{
    scree_clump_def def;
    scree_init_clump_def(&def, sizeof def);
    return def;
}

/*  Creates a clump. It never changes. The arrays are copied. SCREE_BAD_DEF; SCREE_BAD_ARGUMENT: no pebbles, too many,
    or dimensions; SCREE_BAD_VALUE: an unusable pebble, naming its number, or mass properties that no body can have;
    SCREE_OUT_OF_MEMORY. */
SCREE_API scree_status scree_clump_create(const scree_clump_def *def, scree_clump **clump);
/*  Releases the clump. Bodies that use it keep it. NULL is allowed. */
SCREE_API void scree_clump_destroy(scree_clump *clump);

/*  The content of a clump. */
typedef struct scree_clump_info
{
    int dimensions;              /* 2 or 3 */
    uint32_t pebble_count;       /* number of pebbles */
    const scree_pebble *pebbles; /* as given; valid as long as the clump */
    scree_clump_mass mass;       /* mass properties for density 1 */
    double principal[3];         /* principal moments for density 1 */
    /*  w x y z: rotates the principal frame into the axes of the clump. */
    double orientation[4];
    /*  Largest distance of a point of a pebble from the centre of mass, m. */
    double reach;
} scree_clump_info;

/*  Returns the content of a clump. */
SCREE_API scree_clump_info scree_clump_describe(const scree_clump *clump);

/*  How to fill a closed mesh with pebbles (Ferellec and McDowell, Granular Matter 12 (2010) 459). From a random vertex
    that is not covered yet, a sphere that touches the surface there grows inward until it meets another vertex. It
    covers all vertices that are nearer to it than `gap`. This is repeated until all vertices are covered, or
    max_pebbles is reached. */
typedef struct scree_clump_fill_def
{
    uint32_t cookie;        /* set by the default function */
    uint32_t size;          /* in bytes, set by the default function */
    const scree_mesh *mesh; /* a closed mesh; must be given */
    /*  Largest distance of a covered vertex, over the radius of the sphere with the volume of the mesh, above 0 to 1;
        0.1. */
    double gap;
    double smallest;      /* radius of the smallest pebble, over the same radius, 0 to 1; 0.05 */
    uint32_t max_pebbles; /* largest number of pebbles, 1 to 65535; 65535 */
    /*  Mass properties of the inside of the mesh; false: of the pebbles; true. */
    bool mass_of_mesh;
    uint64_t seed;             /* of the random numbers; 1 */
    scree_allocator allocator; /* malloc */
    scree_error *error;        /* gets the message of a failure; NULL */
} scree_clump_fill_def;

/*  What scree_default_clump_fill_def calls: writes default values to the first `size` bytes of a definition. */
SCREE_API void scree_init_clump_fill_def(scree_clump_fill_def *def, size_t size);
/*  Returns a definition with default values. Set `mesh`. */
static inline scree_clump_fill_def scree_default_clump_fill_def(void)
{
    scree_clump_fill_def def;
    scree_init_clump_fill_def(&def, sizeof def);
    return def;
}

/*  Creates a clump that fills a mesh, with the axes and the origin of the mesh. `covered` gets the fraction of vertices
    that are nearer to a pebble than the gap; it may be NULL. SCREE_BAD_DEF; SCREE_BAD_ARGUMENT: no mesh, or one that
    encloses nothing; SCREE_BAD_VALUE: a field out of range, or no pebble was as large as `smallest`;
    SCREE_OUT_OF_MEMORY. */
SCREE_API scree_status scree_clump_fill(const scree_clump_fill_def *def, scree_clump **clump,
                                        double *covered);

#ifdef __cplusplus
}
#endif

#endif
