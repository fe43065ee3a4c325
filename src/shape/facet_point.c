/*  Where facets are nearest, and their normals. */
#include "shape/facet_point.h"

#include "base/vector.h"

#include <math.h>

#include "shape/facet_point.inc.h"

void scree_facet_normal(int corners, const double *const corner[3], double normal[3])
{
    double edge[3][3], length_sq[3], length;
    int longest = 0;
    if (corners == 2) {
        double x = corner[1][0] - corner[0][0], y = corner[1][1] - corner[0][1];
        length = sqrt(x * x + y * y);
        normal[0] = -y / length;
        normal[1] = x / length;
        normal[2] = 0;
        return;
    }
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++)
            edge[i][k] = corner[(i + 1) % 3][k] - corner[i][k];
        length_sq[i] = scree_dot(edge[i], edge[i]);
        if (length_sq[i] > length_sq[longest])
            longest = i;
    }
    /* of the two short edges: loses least for slivers */
    const double *a = edge[(longest + 1) % 3], *b = edge[(longest + 2) % 3];
    normal[0] = a[1] * b[2] - a[2] * b[1];
    normal[1] = a[2] * b[0] - a[0] * b[2];
    normal[2] = a[0] * b[1] - a[1] * b[0];
    length = scree_length(normal);
    for (int k = 0; k < 3; k++)
        normal[k] /= length;
}
