/*  Conformal checks. Why separating axes are enough: if a point of the triangle and one of the cell
    are at most `margin` apart, then along any axis n their projections are at most margin |n|
    apart. So an axis along which they are farther apart proves that the cell is not reached; and an
    axis that was not tried only costs a cell too many. (Spec of the tests: Akenine-Moeller 2001,
    with the box grown.) */
#include "detect/conformal.h"

#include "detect/exact.h"

#include <math.h>

double scree_conformal_slack(const double centre[3], double radius)
{
    double reach = fmax(fabs(centre[0]), fmax(fabs(centre[1]), fabs(centre[2])));
    return 0x1p-48 * (reach + radius) + 0x1p-530;
}

bool scree_conformal_sphere(const scree_box *cell, const double sphere[4], double margin)
{
    double radius = sphere[3] + margin;

    radius += scree_conformal_slack(sphere, radius);
    return scree_box_distance_sq(cell, sphere) <= radius * radius;
}

/*  A triangle seen from the middle of the cell. */
struct facet
{
    double vertex[3][3], half[3], margin;
    double size; /* bounds all coordinates and half edges: what rounding errors are relative to */
};

/*  `scale` bounds the terms that the components of n were computed from. */
static bool separates(const struct facet *facet, const double n[3], double scale)
{
    double low = INFINITY, high = -INFINITY, reach;

    for (int v = 0; v < 3; v++) {
        const double *p = facet->vertex[v];
        double at = n[0] * p[0] + n[1] * p[1] + n[2] * p[2];
        low = fmin(low, at);
        high = fmax(high, at);
    }
    reach = facet->half[0] * fabs(n[0]) + facet->half[1] * fabs(n[1]) +
            facet->half[2] * fabs(n[2]) +
            facet->margin * sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    reach += 0x1p-44 * scale * facet->size + 0x1p-1000;
    return low > reach || high < -reach;
}

/*  The part of the cell that the grown box of the triangle overlaps: it alone can be within the
    margin, and it is finite. False if there is none. */
static bool clip(const scree_box *cell, const double vertex[3][3], double margin, scree_box *part)
{
    for (int k = 0; k < 3; k++) {
        double low = fmin(vertex[0][k], fmin(vertex[1][k], vertex[2][k]));
        double high = fmax(vertex[0][k], fmax(vertex[1][k], vertex[2][k]));
        double slack = 0x1p-50 * (fmax(fabs(low), fabs(high)) + margin);
        part->lower[k] = fmax(cell->lower[k], low - margin - slack);
        part->upper[k] = fmin(cell->upper[k], high + margin + slack);
        if (part->lower[k] > part->upper[k])
            return false;
    }
    return true;
}

bool scree_conformal_triangle(const scree_box *cell, const double vertex[3][3], double margin)
{
    struct facet facet = {.margin = margin, .size = margin};
    double edge[3][3], longest = 0, magnitude = 0;
    scree_box part;

    if (!clip(cell, vertex, margin, &part))
        return false;
    for (int k = 0; k < 3; k++) {
        double middle = 0.5 * (part.lower[k] + part.upper[k]);
        facet.half[k] = 0.5 * (part.upper[k] - part.lower[k]);
        facet.size = fmax(facet.size, facet.half[k]);
        magnitude = fmax(magnitude, fabs(middle));
        for (int v = 0; v < 3; v++) {
            facet.vertex[v][k] = vertex[v][k] - middle;
            facet.size = fmax(facet.size, fabs(facet.vertex[v][k]));
            edge[v][k] = vertex[(v + 1) % 3][k] - vertex[v][k];
            longest = fmax(longest, fabs(edge[v][k]));
        }
    }
    /* the middle was rounded: far from the origin that is all the accuracy there is */
    facet.size += 0x1p-6 * magnitude;

    const double *a = edge[0], *b = edge[1];
    const double normal[3] = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2],
                              a[0] * b[1] - a[1] * b[0]};
    if (separates(&facet, normal, longest * longest))
        return false;
    for (int v = 0; v < 3; v++) {
        const double *e = edge[v];
        const double axis[3][3] = {{0, -e[2], e[1]}, {e[2], 0, -e[0]}, {-e[1], e[0], 0}};
        for (int k = 0; k < 3; k++)
            if (separates(&facet, axis[k], longest))
                return false;
    }
    return true;
}
