/*  Regions bounded by a closed surface. A point is inside if a ray along x leaves the surface once more than it
    enters. Crossings are decided by exact signs of determinants, so all facets give consistent results, whatever the
    ray passes through. A sphere is inside if its centre is and no facet is nearer than its radius. All facets are
    tested: regions have few. */
#include "scene_internal.h"
#include "shape/facet_point.h"
#include "shape/orient.h"

#include <math.h>
#include <string.h>

static const double *corner_of(const scree_mesh *mesh, uint32_t facet, int k)
{
    return mesh->vertices + 3 * (size_t)mesh->facets[(size_t)mesh->corners * facet + (size_t)k];
}

/*  A ray along x. In units in which no coordinate is above 1, and values below 2^-280 are 0: then signs are exact. */
typedef struct beam
{
    const scree_mesh *mesh;
    double unit; /* a power of two, so scaling is exact */
    double from[3];
} beam;

static void bring(const beam *b, const double place[3], double out[3])
{
    for (int k = 0; k < 3; k++) {
        out[k] = place[k] * b->unit;
        out[k] = fabs(out[k]) < 0x1p-280 ? 0 : out[k];
    }
}

/*  Whether d is to the left of the line from `one` to `other` in the plane of two axes: 1 left, 0 on it, -1 right. */
static int turns(const double one[3], const double other[3], const double d[3], int along, int up)
{
    const double a[3] = {one[along], one[up]}, b[3] = {other[along], other[up]};
    const double c[3] = {d[along], d[up]}, over[3] = {0, 0, 1};

    return scree_orient(a, b, c, over);
}

/*  Whether a line from the start of the ray in the positive direction of axis `along` crosses the edge. A vertex at
    the same level counts as below, so of the edges that meet there those on both sides count. */
static bool crosses(const beam *b, const double p[3], const double q[3], int along, int up)
{
    const bool p_is_over = p[up] > b->from[up], q_is_over = q[up] > b->from[up];

    if (p_is_over == q_is_over)
        return false;
    return q_is_over ? turns(p, q, b->from, along, up) > 0 : turns(q, p, b->from, along, up) > 0;
}

static bool goes_through_facet(const beam *b, uint32_t facet)
{
    double at[3][3] = {{0}};

    for (int k = 0; k < b->mesh->corners; k++)
        bring(b, corner_of(b->mesh, facet, k), at[k]);
    if (b->mesh->corners == 2)
        return crosses(b, at[0], at[1], 0, 1);
    bool is_over = crosses(b, at[0], at[1], 1, 2) ^ crosses(b, at[1], at[2], 1, 2) ^
                   crosses(b, at[2], at[0], 1, 2);
    /* the orientation of the facet, seen along x, shows on which side of it the ray must start to hit it */
    return is_over &&
           scree_orient(at[0], at[1], at[2], b->from) * turns(at[0], at[1], at[2], 1, 2) < 0;
}

static bool is_enclosed(const scree_mesh *mesh, const double point[3])
{
    beam b = {.mesh = mesh};
    double largest = 0;
    bool inside = false;

    for (int k = 0; k < mesh->corners; k++) {
        if (point[k] < mesh->lower[k] || point[k] > mesh->upper[k])
            return false;
        largest = fmax(largest, fmax(fabs(mesh->lower[k]), fabs(mesh->upper[k])));
    }
    b.unit = scalbn(1, -1 - ilogb(largest));
    bring(&b, point, b.from);
    for (uint32_t f = 0; f < mesh->facet_count; f++)
        inside ^= goes_through_facet(&b, f);
    return inside;
}

/*  Squared distance from the point to the surface, and the nearest point. */
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

bool scene_surface_clears(const scree_mesh *mesh, const double centre[3], double radius)
{
    double away[3];

    return !is_enclosed(mesh, centre) &&
           (radius == 0 || find_nearest(mesh, centre, away) >= radius * radius);
}

/*  Moves to the nearest point of the surface, and `radius` beyond it if the sphere is on the other side, otherwise
    back by `radius`. */
static void move_off_surface(const scree_mesh *mesh, double centre[3], double radius,
                             bool to_inside)
{
    double away[3] = {0}, distance = sqrt(find_nearest(mesh, centre, away));
    double side = is_enclosed(mesh, centre) == to_inside ? -1 : 1;

    /* exactly on the surface neither side is nearer: another body will push it off */
    for (int k = 0; distance > 0 && k < 3; k++)
        centre[k] += away[k] + side * radius * (away[k] / distance);
}

void scene_surface_pull(const scree_mesh *mesh, double centre[3], double radius)
{
    move_off_surface(mesh, centre, radius, true);
}

void scene_surface_push(const scree_mesh *mesh, double centre[3], double radius)
{
    move_off_surface(mesh, centre, radius, false);
}

/*  By the divergence theorem; all facets have the same orientation. */
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

void scene_draw_on_surface(const scree_mesh *mesh, scree_random *random, double point[3],
                           double normal[3])
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
    /* reflect the other half of the parallelogram */
    if (s + t > 1) {
        s = 1 - s;
        t = 1 - t;
    }
    const double *a = corner_of(mesh, facet, 0), *b = corner_of(mesh, facet, 1),
                 *c = corner_of(mesh, facet, mesh->corners - 1);
    for (int k = 0; k < 3; k++)
        point[k] = a[k] + s * (b[k] - a[k]) + t * (c[k] - a[k]);
    memcpy(normal, mesh->normals + 3 * (size_t)facet, 3 * sizeof *normal);
}
