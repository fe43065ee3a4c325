/*  Where bodies are: one function a kind of scene. Each is one that some detection program got wrong
    at some time: equal coordinates, touching to the last bit, sizes far apart, bodies on the faces of
    cells. */
#include "generate.h"

#include <math.h>
#include <string.h>

static double below(scree_random *random, uint32_t bound)
{
    return (double)scree_random_below(random, bound);
}

static void set_all(double vector[3], double value)
{
    vector[0] = vector[1] = vector[2] = value;
}

/*  The side of a cube in which `count` bodies of diameter 1 have some neighbours each. */
static double cube_side(scree_random *random, uint32_t count, int dimensions)
{
    double root = dimensions == 2 ? sqrt((double)count) : cbrt((double)count);
    return (root + 1) * scree_random_range(random, 0.4, 1.6);
}

static void at_random(scree_random *random, blob *b, double side)
{
    for (int k = 0; k < 3; k++)
        b->centre[k] = scree_random_range(random, 0, side);
}

static void place_uniform(scree_random *random, blob *blobs, uint32_t count, int dimensions)
{
    double side = cube_side(random, count, dimensions);
    for (uint32_t i = 0; i < count; i++) {
        at_random(random, &blobs[i], side);
        set_all(blobs[i].half, scree_random_range(random, 0.3, 0.5));
    }
}

static void place_clusters(scree_random *random, blob *blobs, uint32_t count, int dimensions)
{
    double home[5][3];
    for (int c = 0; c < 5; c++)
        for (int k = 0; k < 3; k++)
            home[c][k] = scree_random_range(random, -100, 100);
    (void)dimensions;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t c = scree_random_below(random, 5);
        for (int k = 0; k < 3; k++)
            blobs[i].centre[k] = home[c][k] + (1 + c) * scree_random_normal(random);
        set_all(blobs[i].half, scree_random_range(random, 0.2, 0.8));
    }
}

/*  Sizes spread evenly over six orders of magnitude. */
static void place_ratio(scree_random *random, blob *blobs, uint32_t count, int dimensions)
{
    double side = cube_side(random, count, dimensions) * 2;
    double largest = scree_random_below(random, 2) ? 1e3 : 4;
    for (uint32_t i = 0; i < count; i++) {
        at_random(random, &blobs[i], side);
        set_all(blobs[i].half, scree_random_log_uniform(random, largest * 1e-6, largest));
    }
}

static void place_power_law(scree_random *random, blob *blobs, uint32_t count, int dimensions)
{
    double side = cube_side(random, count, dimensions);
    for (uint32_t i = 0; i < count; i++) {
        double u = scree_random_unit(random);
        at_random(random, &blobs[i], side);
        set_all(blobs[i].half, 0.1 / (u * sqrt(u) + 1e-4));
    }
}

/*  Every neighbour touches exactly. */
static void place_lattice(scree_random *random, blob *blobs, uint32_t count, int dimensions)
{
    uint32_t side = 1 + (uint32_t)(dimensions == 2 ? sqrt((double)count) : cbrt((double)count));
    uint32_t shift = scree_random_below(random, 5);
    for (uint32_t i = 0; i < count; i++) {
        blobs[i].centre[0] = (double)(i % side) - shift;
        blobs[i].centre[1] = (double)(i / side % side) - shift;
        blobs[i].centre[2] = (double)(i / side / side) - shift;
        set_all(blobs[i].half, 0.5);
    }
}

static void place_line(scree_random *random, blob *blobs, uint32_t count, int dimensions)
{
    int axis = (int)scree_random_below(random, (uint32_t)dimensions);
    double pitch = scree_random_range(random, 0.2, 1.2);
    for (uint32_t i = 0; i < count; i++) {
        set_all(blobs[i].centre, 7.25);
        blobs[i].centre[axis] = pitch * below(random, count);
        set_all(blobs[i].half, 0.5);
    }
}

/*  A plane in space, an axis in the plane: one direction has no extent. */
static void place_flat(scree_random *random, blob *blobs, uint32_t count, int dimensions)
{
    int axis = (int)scree_random_below(random, (uint32_t)dimensions);
    place_uniform(random, blobs, count, 2);
    for (uint32_t i = 0; i < count; i++) {
        blobs[i].centre[axis] = -3;
        blobs[i].half[axis] = 0;
    }
}

static void place_coincident(scree_random *random, blob *blobs, uint32_t count, int dimensions)
{
    double at = scree_random_range(random, -10, 10), half = below(random, 3);
    (void)dimensions;
    for (uint32_t i = 0; i < count; i++) {
        set_all(blobs[i].centre, at);
        set_all(blobs[i].half, half);
    }
}

/*  Some groups of bodies at exactly the same place. */
static void place_equal(scree_random *random, blob *blobs, uint32_t count, int dimensions)
{
    place_uniform(random, blobs, count, dimensions);
    for (uint32_t i = 0; i < count; i++)
        if (scree_random_below(random, 2))
            blobs[i] = blobs[scree_random_below(random, count)];
}

static double nudge(scree_random *random, double value)
{
    uint32_t way = scree_random_below(random, 3);
    if (way == 0)
        return value;
    return nextafter(value, way == 1 ? HUGE_VAL : -HUGE_VAL);
}

/*  Distances that are sums of radii, in exact triples, and one unit in the last place beside. */
static void place_touching(scree_random *random, blob *blobs, uint32_t count, int dimensions)
{
    static const double triples[5][3] = {{3, 4, 5}, {5, 12, 13}, {1, 0, 1}, {8, 15, 17}, {0, 2, 2}};
    double scale = ldexp(1, (int)scree_random_below(random, 20) - 10);
    double at[3] = {0, 0, 0};
    for (uint32_t i = 0; i < count; i++) {
        const double *t = triples[scree_random_below(random, 5)];
        uint32_t axis = scree_random_below(random, (uint32_t)dimensions);
        double share = scree_random_below(random, 2) ? 0.5 : 0.25;
        memcpy(blobs[i].centre, at, sizeof at);
        set_all(blobs[i].half, (i % 2 ? share : 1 - share) * t[2] * scale);
        at[axis] += t[0] * scale;
        at[(axis + 1) % (uint32_t)dimensions] +=
            t[1] * scale * (scree_random_below(random, 2) ? 1 : -1);
        for (int k = 0; k < dimensions; k++)
            at[k] = nudge(random, at[k]);
        if (scree_random_below(random, 4) == 0)
            set_all(at, 0);
    }
}

/*  Centres and ends at whole numbers of sizes, where cells begin and end. */
static void place_cell_faces(scree_random *random, blob *blobs, uint32_t count, int dimensions)
{
    double size = scree_random_below(random, 2) ? 1 : 0.1;
    uint32_t reach = 2 + (uint32_t)(dimensions == 2 ? sqrt((double)count) : cbrt((double)count));
    for (uint32_t i = 0; i < count; i++) {
        for (int k = 0; k < 3; k++)
            blobs[i].centre[k] = size * (below(random, 2 * reach) - reach);
        set_all(blobs[i].half, size * 0.5 * below(random, 3));
    }
}

static void place_points(scree_random *random, blob *blobs, uint32_t count, int dimensions)
{
    (void)dimensions;
    for (uint32_t i = 0; i < count; i++) {
        for (int k = 0; k < 3; k++)
            blobs[i].centre[k] = below(random, 4);
        set_all(blobs[i].half, scree_random_below(random, 5) ? 0 : 1);
    }
}

/*  Zeros of both signs, and the smallest numbers there are. */
static void place_zeros(scree_random *random, blob *blobs, uint32_t count, int dimensions)
{
    static const double values[8] = {0.0,      -0.0,       0x1p-1074, -0x1p-1074,
                                     0x1p-540, -0x1p-1022, 1e-200,    0.0};
    (void)dimensions;
    for (uint32_t i = 0; i < count; i++) {
        for (int k = 0; k < 3; k++)
            blobs[i].centre[k] = values[scree_random_below(random, 8)];
        set_all(blobs[i].half, fabs(values[scree_random_below(random, 8)]));
    }
}

static void place_needles(scree_random *random, blob *blobs, uint32_t count, int dimensions)
{
    place_uniform(random, blobs, count, dimensions);
    for (uint32_t i = 0; i < count; i++)
        blobs[i].half[scree_random_below(random, (uint32_t)dimensions)] *= 50;
}

static void place_giant(scree_random *random, blob *blobs, uint32_t count, int dimensions)
{
    place_uniform(random, blobs, count, dimensions);
    for (uint32_t i = 0; i < count; i++)
        if (i == 0 || scree_random_below(random, 40) == 0)
            set_all(blobs[i].half, i == 0 ? 1000 : 10);
}

static void place_outliers(scree_random *random, blob *blobs, uint32_t count, int dimensions)
{
    place_uniform(random, blobs, count, dimensions);
    for (uint32_t i = 0; i < count; i++)
        if (scree_random_below(random, 8) == 0)
            for (int k = 0; k < 3; k++)
                blobs[i].centre[k] *= scree_random_below(random, 2) ? 1e6 : -1e12;
}

const placement harness_placements[] = {
    {"uniform", false, place_uniform},
    {"clusters", false, place_clusters},
    {"ratio", true, place_ratio},
    {"power-law", false, place_power_law},
    {"lattice", false, place_lattice},
    {"line", true, place_line},
    {"flat", false, place_flat},
    {"coincident", true, place_coincident},
    {"equal", false, place_equal},
    {"touching", true, place_touching},
    {"cell-faces", false, place_cell_faces},
    {"points", true, place_points},
    {"zeros", true, place_zeros},
    {"needles", true, place_needles},
    {"giant", false, place_giant},
    {"outliers", false, place_outliers},
};
const uint32_t harness_placement_count = sizeof harness_placements / sizeof *harness_placements;
