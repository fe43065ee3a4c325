/*  The point of a triangle that is nearest to a place, the slow and obvious way in long double: the best of
    the three edges, and of the face where the normal equations have a solution inside it. */
#ifndef SCREE_TESTS_SLOW_NEAREST_H
#define SCREE_TESTS_SLOW_NEAREST_H

#include "shape/mesh.h"

#include <math.h>
#include <string.h>

/*  Square of the distance; the point is given as seen from the place. */
static inline long double nearest_slowly(const scree_mesh *mesh, uint32_t facet, const double c[3],
                                         long double best_point[3])
{
    long double best = INFINITY, v[3][3];
    best_point[0] = best_point[1] = best_point[2] = 0;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            v[i][k] = (long double)
                          mesh->vertices[3 * mesh->facets[3 * facet + (uint32_t)i] + (uint32_t)k] -
                      (long double)c[k];
    for (int i = 0; i < 3; i++) { /* edges, ends included */
        long double *a = v[i], *b = v[(i + 1) % 3], e_sq = 0, along = 0, d_sq = 0, p[3];
        for (int k = 0; k < 3; k++) {
            e_sq += (b[k] - a[k]) * (b[k] - a[k]);
            along -= a[k] * (b[k] - a[k]);
        }
        long double t = e_sq > 0 ? along / e_sq : 0;
        t = t < 0 ? 0 : t > 1 ? 1 : t;
        for (int k = 0; k < 3; k++) {
            p[k] = a[k] + t * (b[k] - a[k]);
            d_sq += p[k] * p[k];
        }
        if (d_sq < best) {
            best = d_sq;
            memcpy(best_point, p, sizeof p);
        }
    }
    /* the face: coordinates in the plane by solving the two normal equations, refined, since those of a
       sliver lose digits */
    long double e[3], f[3], ee = 0, ef = 0, ff = 0, s = 0, t = 0, p[3], d_sq = 0;
    for (int k = 0; k < 3; k++) {
        e[k] = v[1][k] - v[0][k];
        f[k] = v[2][k] - v[0][k];
        ee += e[k] * e[k];
        ef += e[k] * f[k];
        ff += f[k] * f[k];
        p[k] = v[0][k];
    }
    for (int round = 0; round < 4; round++) {
        long double pe = 0, pf = 0, det = ee * ff - ef * ef;
        for (int k = 0; k < 3; k++) {
            pe -= p[k] * e[k];
            pf -= p[k] * f[k];
        }
        s += (pe * ff - pf * ef) / det;
        t += (pf * ee - pe * ef) / det;
        for (int k = 0; k < 3; k++)
            p[k] = v[0][k] + s * e[k] + t * f[k];
    }
    for (int k = 0; k < 3; k++)
        d_sq += p[k] * p[k];
    if (s >= 0 && t >= 0 && s + t <= 1 && d_sq < best) {
        best = d_sq;
        memcpy(best_point, p, sizeof p);
    }
    return best;
}

#endif
