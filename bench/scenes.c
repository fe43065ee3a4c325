/*  Scenes are drawn from one counter-based stream each, body by body, and use only + - * / and sqrt
    and the portable functions of base, so no machine's libm can change a bit. Densities are derived
    from the wanted number of neighbours: a body of size s meets n * V(s) / L^d others on average,
    where V(s) is the volume in which the other's centre must lie. */
#include "scenes.h"

#include "base/error.h"
#include "base/portable_math.h"
#include "base/random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846
#define NEIGHBOURS 6.0
#define CLUSTERS 50u

typedef struct scene_kind
{
    const char *name;  /* before the colon */
    const char *shown; /* for listings */
    bool has_ratio;
    int dimensions;
    scree_volume volume;
    void (*make)(scree_scene *scene, double ratio, scree_random *random);
} scene_kind;

static double cube_root(double x)
{
    return x > 0 ? scree_pow(x, 1.0 / 3.0) : 0;
}

/*  The side of a cube or square of this volume, all dimensions the same. */
static double side_of(const scree_scene *scene, double volume)
{
    return scene->dimensions == 3 ? cube_root(volume) : sqrt(volume);
}

static void set_bounds(scree_scene *scene, double side)
{
    for (int k = 0; k < scene->dimensions; k++) {
        scene->lower[k] = 0;
        scene->upper[k] = side;
    }
}

static void place_uniformly(scree_scene *scene, size_t i, scree_random *random)
{
    for (int k = 0; k < scene->dimensions; k++)
        scene->centre[k][i] = scree_random_range(random, scene->lower[k], scene->upper[k]);
}

/* ---- at random in a box -------------------------------------------------------------------------
 */

/*  Radii log-uniform in [1, ratio]. The volume fraction of equal bodies with c neighbours is c /
   2^d, since a centre must lie within twice the radius. It is kept for all ratios, by the radii
   drawn. */
static void make_mixture(scree_scene *scene, double ratio, scree_random *random)
{
    bool solid = scene->dimensions == 3;
    double volume = 0;
    for (size_t i = 0; i < scene->count; i++) {
        double r = ratio > 1 ? scree_random_log_uniform(random, 1, ratio) : 1;
        scene->radius[i] = r;
        volume += solid ? 4.0 / 3.0 * PI * r * r * r : PI * r * r;
    }
    set_bounds(scene, side_of(scene, volume / (NEIGHBOURS / (solid ? 8 : 4))));
    for (size_t i = 0; i < scene->count; i++)
        place_uniformly(scene, i, random);
}

static void make_equal(scree_scene *scene, double ratio, scree_random *random)
{
    (void)ratio;
    make_mixture(scene, 1, random);
}

static void make_ratio10(scree_scene *scene, double ratio, scree_random *random)
{
    (void)ratio;
    make_mixture(scene, 10, random);
}

static void make_ratio100(scree_scene *scene, double ratio, scree_random *random)
{
    (void)ratio;
    make_mixture(scene, 100, random);
}

static void make_discs32(scree_scene *scene, double ratio, scree_random *random)
{
    (void)ratio;
    make_mixture(scene, 32, random);
}

/*  Radii uniform in [1, ratio]; the square is such that the mean of pi (r_i + r_j)^2 over all
   pairs, times n, is the wanted number of neighbours: n * mean = 2 pi (n sum(r^2) + sum(r)^2) / n.
 */
static void make_even(scree_scene *scene, double ratio, scree_random *random)
{
    double sum = 0, sum_sq = 0, n = (double)scene->count;
    for (size_t i = 0; i < scene->count; i++) {
        double r = scree_random_range(random, 1, ratio);
        scene->radius[i] = r;
        sum += r;
        sum_sq += r * r;
    }
    double total = n > 0 ? 2 * PI * (n * sum_sq + sum * sum) / n : 0;
    set_bounds(scene, sqrt(total / NEIGHBOURS));
    for (size_t i = 0; i < scene->count; i++)
        place_uniformly(scene, i, random);
}

static void random_direction(scree_random *random, int dimensions, double direction[3])
{
    double length_sq;
    do {
        length_sq = 0;
        for (int k = 0; k < 3; k++) {
            direction[k] = k < dimensions ? scree_random_normal(random) : 0;
            length_sq += direction[k] * direction[k];
        }
    } while (length_sq < 1e-6);
    for (int k = 0; k < 3; k++)
        direction[k] /= sqrt(length_sq);
}

/*  The large ones lie outside and cut into the cube, like a planet and boulders: inside, each would
    meet every other body, and the scene would measure nothing but that. */
static void make_giant(scree_scene *scene, double ratio, scree_random *random)
{
    make_equal(scene, ratio, random);
    double side = scene->upper[0];
    for (size_t i = 0; i < scene->count && i <= 10; i++) {
        double r = i == 0 ? 1000 : 100, direction[3];
        scene->radius[i] = r;
        random_direction(random, 3, direction);
        double distance = r + side * scree_random_range(random, 0.15, 0.45);
        for (int k = 0; k < 3; k++) {
            double centre = side / 2 + direction[k] * distance;
            scene->centre[k][i] = centre;
            scene->lower[k] = centre < scene->lower[k] ? centre : scene->lower[k];
            scene->upper[k] = centre > scene->upper[k] ? centre : scene->upper[k];
        }
    }
}

/*  In a gaussian cluster of m equal spheres and width s, a sphere meets m V / ((4 pi)^(3/2) s^3)
   others on average, V = 4/3 pi 2^3: from the number of neighbours, log-uniform over 0.1 to 30,
   follows s. */
static void make_clusters(scree_scene *scene, double ratio, scree_random *random)
{
    double middle[CLUSTERS][3], width[CLUSTERS];
    double m = (double)scene->count / CLUSTERS;
    (void)ratio;
    set_bounds(scene, 1e6);
    for (size_t c = 0; c < CLUSTERS; c++) {
        double neighbours = scree_random_log_uniform(random, 0.1, 30);
        double volume = m * (4.0 / 3.0 * PI * 8) / (neighbours * 4 * PI * sqrt(4 * PI));
        width[c] = cube_root(volume);
        for (int k = 0; k < 3; k++)
            middle[c][k] = scree_random_range(random, 2e5, 8e5);
    }
    for (size_t i = 0; i < scene->count; i++) {
        uint32_t c = scree_random_below(random, CLUSTERS);
        bool outlier = scree_random_below(random, 100) == 0;
        scene->radius[i] = 1;
        if (outlier)
            place_uniformly(scene, i, random);
        else
            for (int k = 0; k < 3; k++)
                scene->centre[k][i] = middle[c][k] + width[c] * scree_random_normal(random);
    }
}

/*  Two needles along one axis (1 in 3) must lie within 2 x 2 x 100, across (2 in 3) within
    2 x 51 x 51, in full edges: the mean is (400 + 2 * 5202) / 3. Half edges are 1, 1, 50. */
static void make_needles(scree_scene *scene, double ratio, scree_random *random)
{
    double n = (double)scene->count;
    (void)ratio;
    set_bounds(scene, cube_root(8 * n * (400 + 2 * 5202) / 3 / NEIGHBOURS));
    for (size_t i = 0; i < scene->count; i++) {
        uint32_t axis = scree_random_below(random, 3);
        scene->radius[i] = 1;
        for (uint32_t k = 0; k < 3; k++)
            scene->half[k][i] = k == axis ? 50 : 1;
        place_uniformly(scene, i, random);
    }
}

static void make_identical(scree_scene *scene, double ratio, scree_random *random)
{
    (void)ratio;
    (void)random;
    for (size_t i = 0; i < scene->count; i++)
        scene->radius[i] = 1;
    set_bounds(scene, 2);
    for (size_t i = 0; i < scene->count; i++)
        for (int k = 0; k < 3; k++)
            scene->centre[k][i] = 1;
}

/* ---- the tests of the thesis --------------------------------------------------------------------
 */

/*  A lattice with a spacing of 2.05 largest radii, filled row by row; bodies without four
   neighbours are the fixed ring. Speeds are 0.05 diameters a step on each axis, signs as on a
   chessboard: every body runs into its right or its upper neighbour. */
static void make_lattice(scree_scene *scene, double ratio, scree_random *random)
{
    size_t n = scene->count, side = 0;
    while (side * side < n)
        side++;
    double spacing = 2.05 * ratio;
    for (size_t i = 0; i < n; i++) {
        size_t column = i % side, row = i / side;
        bool ring = row == 0 || column == 0 || column + 1 == side || i + side >= n;
        double r = ratio > 1 ? scree_random_range(random, 1, ratio) : 1;
        double speed = (row + column) % 2 ? -0.1 * r : 0.1 * r;
        scene->radius[i] = r;
        scene->flags[i] = ring ? SCREE_FIXED : 0;
        scene->centre[0][i] = spacing * ((double)column + 0.5);
        scene->centre[1][i] = spacing * ((double)row + 0.5);
        scene->velocity[0][i] = scene->velocity[1][i] = ring ? 0 : speed;
    }
    set_bounds(scene, spacing * (double)side);
    scene->springs = true;
}

static void make_thesis1(scree_scene *scene, double ratio, scree_random *random)
{
    (void)ratio;
    make_lattice(scene, 1, random);
}

/* ---- the list -----------------------------------------------------------------------------------
 */

static const scene_kind kinds[] = {
    {"uniform", "uniform", false, 3, SCREE_SPHERES, make_equal},
    {"ratio10", "ratio10", false, 3, SCREE_SPHERES, make_ratio10},
    {"ratio100", "ratio100", false, 3, SCREE_SPHERES, make_ratio100},
    {"giant", "giant", false, 3, SCREE_SPHERES, make_giant},
    {"clusters", "clusters", false, 3, SCREE_SPHERES, make_clusters},
    {"discs", "discs", false, 2, SCREE_SPHERES, make_equal},
    {"discs32", "discs32", false, 2, SCREE_SPHERES, make_discs32},
    {"even2", "even2:4", true, 2, SCREE_SPHERES, make_even},
    {"needles", "needles", false, 3, SCREE_BOXES, make_needles},
    {"identical", "identical", false, 3, SCREE_SPHERES, make_identical},
    {"thesis1", "thesis1", false, 2, SCREE_SPHERES, make_thesis1},
    {"thesis2", "thesis2:4", true, 2, SCREE_SPHERES, make_lattice},
};

const char *scree_scene_name(size_t index)
{
    return index < SCREE_COUNT_OF(kinds) ? kinds[index].shown : NULL;
}

/*  Splits "thesis2:8"; NULL with a message if there is no such scene. */
static const scene_kind *find_kind(const char *name, double *ratio, scree_error *error)
{
    const char *colon = strchr(name, ':');
    size_t length = colon ? (size_t)(colon - name) : strlen(name);
    for (size_t i = 0; i < SCREE_COUNT_OF(kinds); i++) {
        const scene_kind *kind = &kinds[i];
        if (strlen(kind->name) != length || memcmp(kind->name, name, length) != 0)
            continue;
        *ratio = 4;
        if (!colon)
            return kind;
        char *end = NULL;
        *ratio = strtod(colon + 1, &end);
        if (kind->has_ratio && end != colon + 1 && *end == 0 && *ratio >= 1 && *ratio <= 1e6)
            return kind;
        scree_fail(error, SCREE_BAD_ARGUMENT,
                   kind->has_ratio ? "scene: the ratio in \"%.60s\" must be from 1 to 1e6"
                                   : "scene: \"%.60s\" takes no ratio",
                   name);
        return NULL;
    }
    scree_fail(error, SCREE_BAD_ARGUMENT, "scene: there is no \"%.60s\"", name);
    return NULL;
}

static scree_status take_column(scree_scene *scene, double **column)
{
    scree_status status = scree_memory_take(&scene->memory, scene->count, sizeof(double), column);
    if (status == SCREE_OK && scene->count)
        memset(*column, 0, scene->count * sizeof(double));
    return status;
}

static scree_status take_columns(scree_scene *scene)
{
    scree_status status = take_column(scene, &scene->radius);
    for (int k = 0; k < 3 && status == SCREE_OK; k++) {
        status = take_column(scene, &scene->centre[k]);
        if (status == SCREE_OK)
            status = take_column(scene, &scene->velocity[k]);
        if (status != SCREE_OK || scene->volume == SCREE_SPHERES)
            continue;
        status = take_column(scene, &scene->half[k]);
        if (status == SCREE_OK)
            status = take_column(scene, &scene->low[k]);
        if (status == SCREE_OK)
            status = take_column(scene, &scene->high[k]);
    }
    if (status == SCREE_OK)
        status = scree_memory_take(&scene->memory, scene->count, 1, &scene->flags);
    if (status == SCREE_OK && scene->count)
        memset(scene->flags, 0, scene->count);
    return status;
}

scree_status scree_scene_create(const char *name, size_t n, uint64_t seed,
                                const scree_allocator *allocator, scree_scene *scene,
                                scree_error *error)
{
    double ratio = 1;
    memset(scene, 0, sizeof *scene);
    const scene_kind *kind = find_kind(name, &ratio, error);
    if (!kind)
        return SCREE_BAD_ARGUMENT;
    if (n > SCREE_MAX_BODIES)
        return scree_fail(error, SCREE_TOO_LARGE, "scene: n is %zu, at most %u", n,
                          SCREE_MAX_BODIES);
    scree_status status = scree_memory_init(&scene->memory, allocator);
    if (status != SCREE_OK)
        return scree_fail(error, status, "scene: the allocator lacks a function");
    scene->dimensions = kind->dimensions;
    scene->volume = kind->volume;
    scene->count = n;
    status = take_columns(scene);
    if (status != SCREE_OK) {
        scree_scene_free(scene);
        return scree_fail(error, status, "scene: no memory for %zu bodies", n);
    }
    /* a stream a scene: two scenes of one seed have nothing in common */
    scree_random random = scree_random_stream(seed, (uint64_t)(kind - kinds));
    kind->make(scene, ratio, &random);
    for (size_t i = 0; i < n; i++)
        scree_scene_refresh(scene, i);
    return SCREE_OK;
}

void scree_scene_free(scree_scene *scene)
{
    size_t n = scene->count;
    scree_memory_give(&scene->memory, &scene->radius, n, sizeof(double));
    scree_memory_give(&scene->memory, &scene->flags, n, 1);
    for (int k = 0; k < 3; k++) {
        scree_memory_give(&scene->memory, &scene->centre[k], n, sizeof(double));
        scree_memory_give(&scene->memory, &scene->velocity[k], n, sizeof(double));
        scree_memory_give(&scene->memory, &scene->half[k], n, sizeof(double));
        scree_memory_give(&scene->memory, &scene->low[k], n, sizeof(double));
        scree_memory_give(&scene->memory, &scene->high[k], n, sizeof(double));
    }
    scene->count = 0;
}

void scree_scene_refresh(scree_scene *scene, size_t row)
{
    if (scene->volume != SCREE_BOXES)
        return;
    for (int k = 0; k < 3; k++) {
        scene->low[k][row] = scene->centre[k][row] - scene->half[k][row];
        scene->high[k][row] = scene->centre[k][row] + scene->half[k][row];
    }
}

scree_table scree_scene_table(const scree_scene *scene)
{
    size_t stride = sizeof(double);
    scree_view a[3], b[3], none = {0};
    scree_table table;
    if (scene->volume == SCREE_BOXES) {
        for (int k = 0; k < 3; k++) {
            a[k] = scree_doubles(scene->low[k], stride);
            b[k] = scree_doubles(scene->high[k], stride);
        }
        table = scree_table_boxes(scene->count, a, b);
    } else {
        for (int k = 0; k < 3; k++)
            a[k] = scree_doubles(scene->centre[k], stride);
        table = scree_table_spheres(scene->count, a[0], a[1], scene->dimensions == 3 ? a[2] : none,
                                    scree_doubles(scene->radius, stride));
    }
    table.flags = scree_integer_view(scene->flags, 1);
    return table;
}
