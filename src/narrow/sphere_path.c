#include "narrow/sphere_path.h"

#include "base/vector.h"
#include "narrow/triangle_distance.h"

#include <string.h>

double scree_path_facet_distance(const scree_mesh *mesh, uint32_t facet, const double from[3],
                                 const double to[3])
{
    const uint32_t *vertex = mesh->facets + (size_t)facet * (size_t)mesh->corners;
    double corner[3][3], way[3][3];

    memcpy(way[0], from, sizeof way[0]);
    memcpy(way[1], to, sizeof way[1]);
    memcpy(way[2], to, sizeof way[2]);
    for (int k = 0; k < mesh->corners; k++)
        memcpy(corner[k], mesh->vertices + 3 * (size_t)vertex[k], sizeof corner[k]);
    if (mesh->corners == 2)
        return scree_segment_distance((const double(*)[3])way, (const double(*)[3])corner).distance;
    return scree_triangle_distance((const double(*)[3])way, (const double(*)[3])corner).distance;
}

bool scree_spheres_pass(const double from[3], const double to[3], double sum, double least)
{
    double way[3], nearest[3], length_sq, share;
    bool begins = scree_length(from) < sum, ends = scree_length(to) < sum;

    for (int k = 0; k < 3; k++)
        way[k] = to[k] - from[k];
    length_sq = scree_dot(way, way);
    if (!(length_sq > 0) || (begins && ends))
        return false;
    share = -scree_dot(from, way) / length_sq;
    /* nearest at an end: contact detection sees it there */
    if (!(share > 0 && share < 1))
        return false;
    for (int k = 0; k < 3; k++)
        nearest[k] = from[k] + share * way[k];
    if (!(scree_length(nearest) < sum - 0.5 * least))
        return false;
    return (!begins && !ends) || scree_dot(from, to) < 0;
}
