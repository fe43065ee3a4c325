/*  How each scene is made. Densities are derived from the wanted number of neighbours: a body of size
    s meets n * V(s) / L^d others on average, where V(s) is the volume in which the other's centre must
    lie; or from a wanted volume fraction. */
#include "scenes/scenes_internal.h"

#include "base/portable_math.h"

#include <math.h>
#include <string.h>

#define PI 3.14159265358979323846
#define NEIGHBOURS 6.0
#define CLUSTERS 50u
#define COIL_PITCH 4.0

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

/* ---- at random in a box ---- */

/*  Radii are drawn; now the box, such that the bodies are this fraction of it, and the centres. */
static scree_status fill_box(scree_scene *scene, double fraction, scree_random *random)
{
    double volume = 0;
    bool solid = scene->dimensions == 3;
    for (size_t i = 0; i < scene->count; i++) {
        double r = scene->radius[i];
        volume += solid ? 4.0 / 3.0 * PI * r * r * r : PI * r * r;
    }
    set_bounds(scene, side_of(scene, volume / fraction));
    for (size_t i = 0; i < scene->count; i++)
        place_uniformly(scene, i, random);
    scene->fills_box = true;
    return SCREE_OK;
}

static void draw_log_uniform(scree_scene *scene, double ratio, scree_random *random)
{
    for (size_t i = 0; i < scene->count; i++)
        scene->radius[i] = ratio > 1 ? scree_random_log_uniform(random, 1, ratio) : 1;
}

/*  The volume fraction of equal bodies with c neighbours is c / 2^d, since a centre must lie within
    twice the radius. It is kept for all ratios. */
static scree_status make_log_uniform(scree_scene *scene, double ratio, scree_random *random)
{
    draw_log_uniform(scene, ratio, random);
    return fill_box(scene, NEIGHBOURS / (scene->dimensions == 3 ? 8 : 4), random);
}

scree_status scree_make_uniform(scree_scene *scene, const scree_scene_numbers *numbers,
                                scree_random *random)
{
    (void)numbers;
    return make_log_uniform(scene, 1, random);
}

scree_status scree_make_ratio10(scree_scene *scene, const scree_scene_numbers *numbers,
                                scree_random *random)
{
    (void)numbers;
    return make_log_uniform(scene, 10, random);
}

scree_status scree_make_ratio100(scree_scene *scene, const scree_scene_numbers *numbers,
                                 scree_random *random)
{
    (void)numbers;
    return make_log_uniform(scene, 100, random);
}

scree_status scree_make_discs32(scree_scene *scene, const scree_scene_numbers *numbers,
                                scree_random *random)
{
    (void)numbers;
    return make_log_uniform(scene, 32, random);
}

/*  Number density ~ r^-(tail + 1) between 1 and the ratio, by inversion: the share of radii up to r
    is (1 - r^-tail) / (1 - ratio^-tail). */
static scree_status make_fines(scree_scene *scene, double ratio, double tail, scree_random *random)
{
    double share = 1 - scree_pow(ratio, -tail);
    for (size_t i = 0; i < scene->count; i++)
        scene->radius[i] = scree_pow(1 - share * scree_random_unit(random), -1 / tail);
    return fill_box(scene, NEIGHBOURS / 8, random);
}

scree_status scree_make_fines10(scree_scene *scene, const scree_scene_numbers *numbers,
                                scree_random *random)
{
    (void)numbers;
    return make_fines(scene, 10, 3, random);
}

scree_status scree_make_fines100(scree_scene *scene, const scree_scene_numbers *numbers,
                                 scree_random *random)
{
    (void)numbers;
    return make_fines(scene, 100, 2.5, random);
}

scree_status scree_make_mixture(scree_scene *scene, const scree_scene_numbers *numbers,
                                scree_random *random)
{
    draw_log_uniform(scene, numbers->ratio, random);
    return fill_box(scene, numbers->fraction, random);
}

/*  Threes of equal spheres, each of which meets the next, anywhere in a cube so many bodies wide. */
scree_status scree_make_wide(scree_scene *scene, const scree_scene_numbers *numbers,
                             scree_random *random)
{
    set_bounds(scene, 2 * numbers->ratio);
    for (size_t i = 0; i < scene->count; i++) {
        scene->radius[i] = 1;
        if (i % 3 == 0)
            place_uniformly(scene, i, random);
        else
            for (int k = 0; k < 3; k++)
                scene->centre[k][i] = fmin(scene->centre[k][i - 1] + 1, scene->upper[k]);
    }
    return SCREE_OK;
}

/*  Two sizes, half of the volume each: one large body for ratio^3 small ones, and one at least. */
scree_status scree_make_bimodal(scree_scene *scene, const scree_scene_numbers *numbers,
                                scree_random *random)
{
    double ratio = numbers->ratio;
    size_t large = (size_t)((double)scene->count / (1 + ratio * ratio * ratio) + 0.5);
    large = large == 0 && scene->count > 0 ? 1 : large;
    for (size_t i = 0; i < scene->count; i++)
        scene->radius[i] = i < large ? ratio : 1;
    return fill_box(scene, numbers->fraction, random);
}

/*  Number density ~ r^-3 between 1 and the ratio, by inversion: the share of radii up to r is
    (1 - r^-2) / (1 - ratio^-2). */
scree_status scree_make_power(scree_scene *scene, const scree_scene_numbers *numbers,
                              scree_random *random)
{
    double share = 1 - 1 / (numbers->ratio * numbers->ratio);
    for (size_t i = 0; i < scene->count; i++)
        scene->radius[i] = 1 / sqrt(1 - share * scree_random_unit(random));
    return fill_box(scene, numbers->fraction, random);
}

/*  Radii uniform in [1, ratio]; the square is such that the mean of pi (r_i + r_j)^2 over all
   pairs, times n, is the wanted number of neighbours: n * mean = 2 pi (n sum(r^2) + sum(r)^2) / n.
 */
scree_status scree_make_even(scree_scene *scene, const scree_scene_numbers *numbers,
                             scree_random *random)
{
    double sum = 0, sum_sq = 0, n = (double)scene->count;
    for (size_t i = 0; i < scene->count; i++) {
        double r = scree_random_range(random, 1, numbers->ratio);
        scene->radius[i] = r;
        sum += r;
        sum_sq += r * r;
    }
    double total = n > 0 ? 2 * PI * (n * sum_sq + sum * sum) / n : 0;
    set_bounds(scene, sqrt(total / NEIGHBOURS));
    for (size_t i = 0; i < scene->count; i++)
        place_uniformly(scene, i, random);
    scene->fills_box = true;
    return SCREE_OK;
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
scree_status scree_make_giant(scree_scene *scene, const scree_scene_numbers *numbers,
                              scree_random *random)
{
    scree_make_uniform(scene, numbers, random);
    scene->fills_box = false;
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
    return SCREE_OK;
}

/*  In a gaussian cluster of m equal spheres and width s, a sphere meets m V / ((4 pi)^(3/2) s^3)
   others on average, V = 4/3 pi 2^3: from the number of neighbours, log-uniform over 0.1 to 30,
   follows s. */
scree_status scree_make_clusters(scree_scene *scene, const scree_scene_numbers *numbers,
                                 scree_random *random)
{
    double middle[CLUSTERS][3], width[CLUSTERS];
    double m = (double)scene->count / CLUSTERS;
    (void)numbers;
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
    return SCREE_OK;
}

/*  Two needles along one axis (1 in 3) must lie within 2 x 2 x 100, across (2 in 3) within
    2 x 51 x 51, in full edges: the mean is (400 + 2 * 5202) / 3. Half edges are 1, 1, 50. */
scree_status scree_make_needles(scree_scene *scene, const scree_scene_numbers *numbers,
                                scree_random *random)
{
    double n = (double)scene->count;
    (void)numbers;
    set_bounds(scene, cube_root(8 * n * (400 + 2 * 5202) / 3 / NEIGHBOURS));
    for (size_t i = 0; i < scene->count; i++) {
        uint32_t axis = scree_random_below(random, 3);
        scene->radius[i] = 1;
        for (uint32_t k = 0; k < 3; k++)
            scene->half[k][i] = k == axis ? 50 : 1;
        place_uniformly(scene, i, random);
    }
    return SCREE_OK;
}

scree_status scree_make_identical(scree_scene *scene, const scree_scene_numbers *numbers,
                                  scree_random *random)
{
    (void)numbers;
    (void)random;
    for (size_t i = 0; i < scene->count; i++)
        scene->radius[i] = 1;
    set_bounds(scene, 2);
    for (size_t i = 0; i < scene->count; i++)
        for (int k = 0; k < 3; k++)
            scene->centre[k][i] = 1;
    return SCREE_OK;
}

/* ---- hard ones ---- */

/*  All in one plane, though the scene is in space: on the third axis each body overlaps all others. A body meets
    n pi 2^2 / L^2 others. */
scree_status scree_make_layer(scree_scene *scene, const scree_scene_numbers *numbers,
                              scree_random *random)
{
    (void)numbers;
    set_bounds(scene, sqrt(4 * PI * (double)scene->count / NEIGHBOURS));
    scene->upper[2] = 0;
    for (size_t i = 0; i < scene->count; i++) {
        scene->radius[i] = 1;
        place_uniformly(scene, i, random);
    }
    return SCREE_OK;
}

/*  Wire wound around a square core: needles side by side, four a turn, each of which meets the two at its ends. The core
    is four times as wide as the winding is thick, so that a needle runs past nearly all others of its side. */
scree_status scree_make_coil(scree_scene *scene, const scree_scene_numbers *numbers,
                             scree_random *random)
{
    double core = 2 * COIL_PITCH * (double)scene->count / 4;
    (void)numbers;
    (void)random;
    for (size_t i = 0; i < scene->count; i++) {
        double away = core + COIL_PITCH * (double)(i / 4);
        int across = i % 2 ? 0 : 1;
        scene->radius[i] = 1;
        scene->centre[across][i] = i % 4 < 2 ? away : -away;
        scene->half[across][i] = 1;
        scene->half[1 - across][i] = away;
        scene->lower[0] = scene->lower[1] = -away;
        scene->upper[0] = scene->upper[1] = away;
    }
    return SCREE_OK;
}

/* ---- the tests of the thesis ---- */

/*  A lattice with a spacing of 2.05 largest radii, filled row by row; bodies without four
   neighbours are the fixed ring. Speeds are 0.05 diameters a step on each axis, signs as on a
   chessboard: every body runs into its right or its upper neighbour. */
scree_status scree_make_lattice(scree_scene *scene, const scree_scene_numbers *numbers,
                                scree_random *random)
{
    size_t n = scene->count, side = 0;
    double ratio = numbers->ratio, spacing = 2.05 * ratio;
    while (side * side < n)
        side++;
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
    return SCREE_OK;
}

scree_status scree_make_thesis1(scree_scene *scene, const scree_scene_numbers *numbers,
                                scree_random *random)
{
    scree_scene_numbers equal = *numbers;
    equal.ratio = 1;
    return scree_make_lattice(scene, &equal, random);
}
