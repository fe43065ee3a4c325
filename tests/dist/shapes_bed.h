/*  Shapes of bodies for ranks_bed.h: blocks, clumps and meshes, each of several sizes. */
#ifndef TEST_DIST_SHAPES_BED_H
#define TEST_DIST_SHAPES_BED_H

#include "scree/scree.h"

/*  Kinds of bodies, as bits; they take turns. */
enum
{
    BED_SPHERES = 1,
    BED_CLUMPS = 2,
    BED_BLOCKS = 4, /* in two dimensions polygons */
    BED_MESHES = 8, /* in three dimensions only */
    BED_ALL = 15,
};

#define BED_SIZES 3

/*  Made once, shared by bodies; not spheres. */
typedef struct shape_stock
{
    scree_clump *clump[BED_SIZES];
    scree_mesh *block[BED_SIZES], *globe[BED_SIZES], *quadric;
    double radius[BED_SIZES];
} shape_stock;

static inline scree_status stock_clump(double radius, int dimensions, scree_clump **clump)
{
    const scree_pebble pebbles[3] = {{{-0.45 * radius, 0.1 * radius, 0}, 0.5 * radius},
                                     {{0.4 * radius, 0, 0}, 0.55 * radius},
                                     {{0, 0.45 * radius, 0}, 0.45 * radius}};
    scree_clump_def def = scree_default_clump_def();

    def.dimensions = dimensions;
    def.pebbles = pebbles;
    def.pebble_count = 3;
    return scree_clump_create(&def, clump);
}

/*  Eight corners; in two dimensions five. */
static inline scree_status stock_block(double radius, int dimensions, scree_mesh **mesh)
{
    const double a = 0.5 * radius, b = 0.62 * radius;
    const double points[8][3] = {{-a, -a, -b}, {b, -a, -a}, {-a, b, -a}, {a, a, -a},
                                 {-a, -a, a},  {a, -a, b},  {-b, a, a},  {a, a, a}};
    const double flat[5][3] = {{-a, -b, 0}, {b, -a, 0}, {a, a, 0}, {0, b, 0}, {-b, a, 0}};
    scree_hull_def def = scree_default_hull_def();

    def.corners = dimensions;
    def.points = dimensions == 2 ? flat[0] : points[0];
    def.point_count = dimensions == 2 ? 5 : 8;
    return scree_mesh_hull(&def, mesh);
}

static inline scree_status stock_globe(double radius, scree_mesh **mesh)
{
    scree_globe_def def = scree_default_globe_def();

    def.facets = 80;
    def.radius = 0.6 * radius;
    def.bumps = 1.3;
    return scree_mesh_globe(&def, mesh);
}

static inline scree_status stock_quadric(double radius, int dimensions, scree_mesh **mesh)
{
    scree_superquadric_def def = scree_default_superquadric_def();

    def.dimensions = dimensions;
    def.radii[0] = radius;
    def.radii[1] = 0.8 * radius;
    def.radii[2] = dimensions == 3 ? 0.6 * radius : 0;
    def.exponents[1] = 3;
    return scree_mesh_superquadric(&def, mesh);
}

static inline scree_status stock_make(shape_stock *stock, double smallest, double largest,
                                      int dimensions)
{
    scree_status status = SCREE_OK;

    *stock = (shape_stock){.quadric = NULL};
    for (int k = 0; k < BED_SIZES && !status; k++) {
        const double radius = smallest + (largest - smallest) * k / (BED_SIZES - 1);
        stock->radius[k] = radius;
        status = stock_clump(radius, dimensions, &stock->clump[k]);
        if (!status)
            status = stock_block(radius, dimensions, &stock->block[k]);
        if (!status && dimensions == 3)
            status = stock_globe(radius, &stock->globe[k]);
    }
    if (!status)
        status = stock_quadric(largest, dimensions, &stock->quadric);
    return status;
}

static inline void stock_free(shape_stock *stock)
{
    for (int k = 0; k < BED_SIZES; k++) {
        scree_clump_destroy(stock->clump[k]);
        scree_mesh_destroy(stock->block[k]);
        scree_mesh_destroy(stock->globe[k]);
    }
    scree_mesh_destroy(stock->quadric);
}

/*  The shape of body k. The largest convex ones are superquadrics. */
static inline scree_shape stock_shape(const shape_stock *stock, uint32_t kinds, uint32_t k,
                                      double radius)
{
    const uint32_t size = k / 4 % BED_SIZES;
    uint32_t turn = k;

    while (!(kinds >> turn % 4 & 1))
        turn++;
    switch (1u << turn % 4) {
    case BED_CLUMPS:
        return scree_shape_clump(stock->clump[size]);
    case BED_BLOCKS:
        if (size == BED_SIZES - 1)
            return scree_shape_superquadric(stock->quadric);
        return scree_shape_block(stock->block[size], 0.1 * stock->radius[size]);
    case BED_MESHES:
        return scree_shape_mesh(stock->globe[size], 0.2 * stock->radius[size]);
    default:
        return scree_shape_sphere(radius);
    }
}

#endif
