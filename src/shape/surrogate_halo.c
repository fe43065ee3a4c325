/*  The size of the halo of a surrogate, and its volume.

    Let u = 2^-53. The vector w from the surrogate's first corner to a corner of a facet, and the surrogate's edges
    e1 and e2, are differences of given numbers, with relative error u. For the point s e1 + t e2 that is used as the nearest,
    s and t are not below 0 and their sum is at most 1 + u; so it is off the triangle by no more than u (|e1| + |e2|),
    whatever rounding did to s and t: at worst it is not the nearest. Its products, their sum and the differences' own
    errors come to at most 4 u (|e1| + |e2|), those of w and of the last difference to u |w| and u d, and the square of
    the length and its root to 4 u d. So the distance is at most d (1 + 5 u) + 6 u (|w| + |e1| + |e2|) for the computed
    d; 8 u are added of each, which is 2^-50. Everything is done in a unit in which the largest of these differences is
    in [1/2, 1): if a square underflows, its root is below what is added. */
#include "base/vector.h"
#include "shape/surrogate.h"
#include "shape/surrogate_fit.h"

#include <math.h>

#define OUTWARD 0x1p-50
#define SMALLEST 0x1p-1000

double scree_surrogate_normal(const double corner[3][3], double normal[3])
{
    for (int k = 0; k < 3; k++) {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        normal[k] = (corner[1][i] - corner[0][i]) * (corner[2][j] - corner[0][j]) -
                    (corner[1][j] - corner[0][j]) * (corner[2][i] - corner[0][i]);
    }
    return scree_dot(normal, normal);
}

double scree_halo_volume(const double corner[3][3], double radius)
{
    const double pi = 3.14159265358979323846;
    double normal[3], perimeter = 0;
    for (int i = 0; i < 3; i++) {
        const double *a = corner[i], *b = corner[(i + 1) % 3];
        const double edge[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
        perimeter += scree_length(edge);
    }
    /* twice the area is the length of the normal */
    return radius * (sqrt(scree_surrogate_normal(corner, normal)) +
                     radius * (0.5 * pi * perimeter + radius * (4 * pi / 3)));
}

static double largest_of(const double v[3], double least)
{
    return scree_larger_of(scree_larger_of(fabs(v[0]), fabs(v[1])),
                           scree_larger_of(fabs(v[2]), least));
}

static void halo_way(const double from[3], const double to[3], double unit, double way[3])
{
    for (int k = 0; k < 3; k++)
        way[k] = (to[k] - from[k]) * unit;
}

double scree_surrogate_unit(double size)
{
    int exponent;
    frexp(size, &exponent);
    return ldexp(1, exponent > -1000 ? -exponent : 1000);
}

/*  The largest difference of coordinates. */
static double extent_about(const scree_facet_set *set, const double corner[3][3])
{
    double way[3], size = 0;
    for (int i = 1; i < 3; i++) {
        halo_way(corner[0], corner[i], 1, way);
        size = largest_of(way, size);
    }
    for (uint32_t i = 0; i < set->count; i++)
        for (uint32_t k = 0; k < 3; k++) {
            halo_way(corner[0], scree_facet_corner(set, i, k), 1, way);
            size = largest_of(way, size);
        }
    return size;
}

double scree_surrogate_radius(const scree_facet_set *set, const double corner[3][3])
{
    double size = extent_about(set, corner), unit, edge1[3], edge2[3], max_sq = 0, radius;
    if (size == 0)
        return 0;
    unit = scree_surrogate_unit(size);
    halo_way(corner[0], corner[1], unit, edge1);
    halo_way(corner[0], corner[2], unit, edge2);
    for (uint32_t i = 0; i < set->count; i++)
        for (uint32_t k = 0; k < 3; k++) {
            double place[3], share[2];
            halo_way(corner[0], scree_facet_corner(set, i, k), unit, place);
            scree_surrogate_nearest(place, edge1, edge2, share);
            for (int c = 0; c < 3; c++)
                place[c] -= share[0] * edge1[c] + share[1] * edge2[c];
            max_sq = scree_larger_of(max_sq, scree_dot(place, place));
        }
    /* w, e1 and e2 are each shorter than sqrt(3) */
    radius = sqrt(max_sq) * (1 + OUTWARD) + 6 * OUTWARD;
    return radius / unit + SMALLEST;
}
