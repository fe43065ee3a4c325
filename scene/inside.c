/*  Regions that a closed surface bounds. A point is inside where a ray along x goes out once more than in; what it
    crosses is found by comparing, in the order of vertices, so that facets with a common edge agree about it. A sphere is
    inside where its centre is and no facet is nearer than its radius. All facets are asked: regions have few. */
#include "scene_internal.h"
#include "shape/facet_point.h"

#include <math.h>
#include <string.h>

static const double *corner_of(const scree_mesh *mesh, uint32_t facet, int k)
{
    return mesh->vertices + 3 * (size_t)mesh->facets[(size_t)mesh->corners * facet + (size_t)k];
}

/*  Whether the line through the point across the axis `up`, towards more of the axis `along`, crosses the edge. Told
    from the end with the smaller number, so both facets of an edge are told the same. */
static bool crosses(const scree_mesh *mesh, uint32_t a, uint32_t b, int along, int up,
                    const double point[3])
{
    const double *p = mesh->vertices + 3 * (size_t)(a < b ? a : b);
    const double *q = mesh->vertices + 3 * (size_t)(a < b ? b : a);

    if ((p[up] > point[up]) == (q[up] > point[up]))
        return false;
    return point[along] <
           p[along] + (point[up] - p[up]) * ((q[along] - p[along]) / (q[up] - p[up]));
}

/*  Whether the ray along x from the point goes through the triangle. */
static bool goes_through_facet(const scree_mesh *mesh, uint32_t facet, const double point[3])
{
    const uint32_t *v = mesh->facets + 3 * (size_t)facet;
    const double *a = corner_of(mesh, facet, 0), *n = mesh->normals + 3 * (size_t)facet;
    bool is_over = crosses(mesh, v[0], v[1], 1, 2, point) ^ crosses(mesh, v[1], v[2], 1, 2, point) ^
                   crosses(mesh, v[2], v[0], 1, 2, point);

    return is_over && n[0] != 0 &&
           a[0] - (n[1] * (point[1] - a[1]) + n[2] * (point[2] - a[2])) / n[0] > point[0];
}

static bool is_enclosed(const scree_mesh *mesh, const double point[3])
{
    bool inside = false;

    for (uint32_t f = 0; f < mesh->facet_count; f++)
        inside ^= mesh->corners == 2 ? crosses(mesh, mesh->facets[2 * (size_t)f],
                                               mesh->facets[2 * (size_t)f + 1], 0, 1, point)
                                     : goes_through_facet(mesh, f, point);
    return inside;
}

/*  From the point to the nearest of the surface; its square. */
static double find_nearest(const scree_mesh *mesh, const double point[3], double away[3])
{
    double least = INFINITY;

    for (uint32_t f = 0; f < mesh->facet_count; f++) {
        scree_facet_point p =
            scree_facet_nearest(mesh, mesh->vertices, mesh->normals + 3 * (size_t)f, f, point);
        if (p.away_sq < least)
            memcpy(away, p.away, sizeof p.away);
        least = p.away_sq < least ? p.away_sq : least;
    }
    return least;
}

bool scene_surface_holds(const scree_mesh *mesh, const double centre[3], double radius)
{
    double away[3];

    return is_enclosed(mesh, centre) &&
           (radius == 0 || find_nearest(mesh, centre, away) >= radius * radius);
}

void scene_surface_pull(const scree_mesh *mesh, double centre[3], double radius)
{
    double away[3] = {0}, distance = sqrt(find_nearest(mesh, centre, away));
    double side = is_enclosed(mesh, centre) ? -1 : 1;

    /* on the surface itself neither side is nearer: another body pushes it off */
    for (int k = 0; distance > 0 && k < 3; k++)
        centre[k] += away[k] + side * radius * (away[k] / distance);
}

/*  By the divergence theorem; facets go round it all the same way. */
double scene_surface_volume(const scree_mesh *mesh)
{
    double sum = 0;

    for (uint32_t f = 0; f < mesh->facet_count; f++) {
        const double *a = corner_of(mesh, f, 0), *b = corner_of(mesh, f, 1);
        if (mesh->corners == 2) {
            sum += (a[0] * b[1] - a[1] * b[0]) / 2;
            continue;
        }
        const double *c = corner_of(mesh, f, 2);
        sum += (a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
                a[2] * (b[0] * c[1] - b[1] * c[0])) /
               6;
    }
    return fabs(sum);
}

/* ---- faces: what is on the surface --------------------------------------------------------------------------- */

static double area_of(const scree_mesh *mesh, uint32_t facet)
{
    const double *a = corner_of(mesh, facet, 0), *b = corner_of(mesh, facet, 1);
    double u[3], w[3], square = 0;

    for (int k = 0; k < 3; k++) {
        u[k] = b[k] - a[k];
        w[k] = mesh->corners == 3 ? corner_of(mesh, facet, 2)[k] - a[k] : 0;
    }
    if (mesh->corners == 2)
        return sqrt(u[0] * u[0] + u[1] * u[1]);
    for (int k = 0; k < 3; k++) {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        double across = u[i] * w[j] - u[j] * w[i];
        square += across * across;
    }
    return sqrt(square) / 2;
}

void scene_draw_on_surface(const scree_mesh *mesh, scree_random *random, double point[3])
{
    double sum = 0, s, t;
    uint32_t facet = 0;

    for (uint32_t f = 0; f < mesh->facet_count; f++)
        sum += area_of(mesh, f);
    double left = sum * scree_random_unit(random);
    for (uint32_t f = 0; f < mesh->facet_count && left >= 0; f++) {
        left -= area_of(mesh, f);
        facet = f;
    }
    s = scree_random_unit(random);
    t = mesh->corners == 3 ? scree_random_unit(random) : 0;
    /* the other half of the parallelogram is folded back */
    if (s + t > 1) {
        s = 1 - s;
        t = 1 - t;
    }
    const double *a = corner_of(mesh, facet, 0), *b = corner_of(mesh, facet, 1),
                 *c = corner_of(mesh, facet, mesh->corners - 1);
    for (int k = 0; k < 3; k++)
        point[k] = a[k] + s * (b[k] - a[k]) + t * (c[k] - a[k]);
}
