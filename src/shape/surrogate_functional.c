/*  Functional (6) of Noble and Weinzierl and its gradient: a surrogate's corners x stay close to all triangles t, span some
    area, and do not stick out along their normal N over the corners x_t of the triangles:

        1/b sum |x - t|^b  +  a/2 |(x2 - x1) x (x3 - x1)|^-2  +  c/2 sum max(0, (x - x_t).N)^2

    with b = 8, a = 1e-8 and c = 1 (not published) and lengths in units of the diagonal of the box of all triangles. */
#include "base/vector.h"
#include "shape/surrogate.h"
#include "shape/surrogate_fit.h"

#include <math.h>
#include <string.h>

#define AREA_WEIGHT 1e-8
#define INSIDE_WEIGHT 1.0

static void fit_way(const double from[3], const double to[3], double way[3])
{
    for (int k = 0; k < 3; k++)
        way[k] = to[k] - from[k];
}

/*  |x - t|^8 / 8 has the gradient |x - t|^6 (x - t), with the nearest point for t. */
static double keep_close(const scree_surrogate_room *room, const double corner[3][3],
                         double gradient[3][3])
{
    const scree_fit_kernels *kernels = &scree_fit_kernels_of[room->simd];
    double sum = 0;
    for (uint32_t first = 0; first < room->triangle_count; first += SCREE_FIT_BLOCK) {
        uint32_t left = room->triangle_count - first;
        uint32_t count = left < SCREE_FIT_BLOCK ? left : SCREE_FIT_BLOCK;
        scree_fit_pull pull[3];
        for (int i = 0; i < 3; i++)
            kernels->approach(room, first, count, corner[i], &pull[i]);
        for (uint32_t t = 0; t < count; t++)
            for (int i = 0; i < 3; i++) {
                sum += pull[i].power[t];
                for (int k = 0; k < 3; k++)
                    gradient[i][k] += pull[i].way[k][t];
            }
    }
    return sum / 8;
}

/*  Propagates a change of the unnormalised normal to the corners: dn = d2 x e2 + e1 x d3 - (d1 of both). */
static void pass_to_corners(const double edge1[3], const double edge2[3], const double by_normal[3],
                            double gradient[3][3])
{
    double second[3], third[3];
    scree_cross(edge2, by_normal, second);
    scree_cross(by_normal, edge1, third);
    for (int k = 0; k < 3; k++) {
        gradient[0][k] -= second[k] + third[k];
        gradient[1][k] += second[k];
        gradient[2][k] += third[k];
    }
}

/*  For a surrogate's corner x that is above a triangle's corner x_t by s: s^2 in the sum; in the gradient s N for x, and
    s (x - x_t) for the rotation of N. */
typedef struct fit_stay
{
    const double (*corner)[3], *unit_normal;
    double (*gradient)[3], *turning;
    double sum;
} fit_stay;

static void add_above(fit_stay *stay, const double other[3], int i, double s)
{
    stay->sum += s * s;
    for (int k = 0; k < 3; k++) {
        stay->gradient[i][k] += s * stay->unit_normal[k];
        stay->turning[k] += s * (stay->corner[i][k] - other[k]);
    }
}

/*  Sums over corners x and x_t of s = max(0, (x - x_t).N). */
static double stay_inside(const scree_surrogate_room *room, const double corner[3][3],
                          const double unit_normal[3], double gradient[3][3], double turning[3])
{
    const scree_fit_kernels *kernels = &scree_fit_kernels_of[room->simd];
    fit_stay stay = {corner, unit_normal, gradient, turning, 0};
    double height[3];
    for (int i = 0; i < 3; i++)
        height[i] = scree_dot(corner[i], unit_normal);
    for (uint32_t first = 0; first < room->triangle_count; first += SCREE_FIT_BLOCK) {
        uint32_t left = room->triangle_count - first;
        uint32_t count = left < SCREE_FIT_BLOCK ? left : SCREE_FIT_BLOCK;
        double above[3][3][SCREE_FIT_BLOCK];
        for (int c = 0; c < 3; c++)
            kernels->protrude(room, first, count, c, unit_normal, height, above[c]);
        for (uint32_t t = 0; t < count; t++)
            for (int c = 0; c < 3; c++)
                for (int i = 0; i < 3; i++)
                    if (above[c][i][t] > 0)
                        add_above(&stay, room->triangle[first + t][c], i,
                                  INSIDE_WEIGHT * above[c][i][t]);
    }
    return stay.sum / (2 * INSIDE_WEIGHT);
}

double scree_surrogate_functional(const scree_surrogate_room *room, const double corner[3][3],
                                  double gradient[3][3])
{
    double edge1[3], edge2[3], normal[3], unit_normal[3], turning[3] = {0, 0, 0};
    double value, length_sq, length;
    memset(gradient, 0, 9 * sizeof(double));
    fit_way(corner[0], corner[1], edge1);
    fit_way(corner[0], corner[2], edge2);
    length_sq = scree_surrogate_normal(corner, normal);
    if (!(length_sq > SCREE_SURROGATE_FLAT))
        return INFINITY;
    length = sqrt(length_sq);
    for (int k = 0; k < 3; k++)
        unit_normal[k] = normal[k] / length;
    value = keep_close(room, corner, gradient) +
            stay_inside(room, corner, unit_normal, gradient, turning) +
            0.5 * AREA_WEIGHT / length_sq;
    /* N rotates by the part of dn perpendicular to it, over |n|; |n|^-2 / 2 decreases by |n|^-4 n.dn */
    double along = scree_dot(turning, unit_normal);
    for (int k = 0; k < 3; k++)
        turning[k] = (turning[k] - along * unit_normal[k]) / length -
                     AREA_WEIGHT / (length_sq * length_sq) * normal[k];
    pass_to_corners(edge1, edge2, turning, gradient);
    return value;
}
