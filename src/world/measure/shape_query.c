/*  Tests one body against a box, a point or a ray. A clump is a set of spheres. For a mesh, facets are tested first.
    If none is hit, the winding number tells whether the object is inside, so small holes and intersecting facets do
    no harm. */
#include "world/measure/shape_query.h"

#include "base/quaternion.h"
#include "base/vector.h"
#include "shape/facet_point.h"

#include <math.h>
#include <string.h>

/*  Rounding errors after moving triangle and box to the origin, relative to the largest coordinate: a few times
    those of doubles. */
#define ROUNDING 1e-14

/* ---- spheres ---- */

static bool sphere_meets_box(const double centre[3], double radius, const double lower[3],
                             const double upper[3])
{
    double apart_sq = 0;

    for (int k = 0; k < 3; k++) {
        double apart = fmax(fmax(lower[k] - centre[k], centre[k] - upper[k]), 0);
        apart_sq += apart * apart;
    }
    return apart_sq <= radius * radius;
}

static double sphere_distance(const double centre[3], double radius, const double point[3],
                              double nearest[3])
{
    double apart = scree_apart(point, centre), distance = fmax(apart - radius, 0);

    for (int k = 0; k < 3; k++)
        nearest[k] = distance > 0 ? centre[k] + radius / apart * (point[k] - centre[k]) : point[k];
    return distance;
}

/*  Uses the point of the line that is nearest to the centre, which loses less to rounding than the quadratic
    formula. */
static bool sphere_meets_ray(const double centre[3], double radius, const double origin[3],
                             const double direction[3], double t_max, double *t)
{
    double from[3], closest[3], length_sq = scree_dot(direction, direction);

    for (int k = 0; k < 3; k++)
        from[k] = origin[k] - centre[k];
    if (scree_dot(from, from) <= radius * radius) {
        *t = 0;
        return true;
    }
    double middle = -scree_dot(from, direction) / length_sq;
    for (int k = 0; k < 3; k++)
        closest[k] = from[k] + middle * direction[k];
    double half_sq = (radius * radius - scree_dot(closest, closest)) / length_sq;
    if (!(middle > 0 && half_sq >= 0))
        return false;
    *t = fmax(middle - sqrt(half_sq), 0);
    return *t <= t_max;
}

/* ---- frames ---- */

static void from_frame(const scree_placed_shape *shape, const double local[3], double point[3])
{
    memcpy(point, shape->origin, 3 * sizeof *point);
    scree_quaternion_shift(shape->turn, local, 1, point);
}

static void to_frame(const scree_placed_shape *shape, const double point[3], double local[3])
{
    double from[3];

    for (int k = 0; k < 3; k++)
        from[k] = point[k] - shape->origin[k];
    scree_quaternion_turn_back(shape->turn, from, local);
}

/* ---- facets ---- */

static const double *corner_of(const scree_mesh *mesh, uint32_t facet, int corner)
{
    size_t corners = (size_t)mesh->corners;

    /* a segment is a triangle with two equal corners */
    corner = corner < mesh->corners ? corner : mesh->corners - 1;
    return mesh->vertices + 3 * (size_t)mesh->facets[corners * facet + (size_t)corner];
}

/*  The solid angle of a facet, seen from a place, in units of the full sphere: Van Oosterom and Strackee, IEEE
    Trans. Biomed. Eng. 30 (1983) 125. */
static double winding_of_facet(const scree_mesh *mesh, uint32_t facet, const double place[3])
{
    static const double turn = 6.283185307179586;
    double v[3][3], cross[3], length[3];

    for (int i = 0; i < 3; i++) {
        const double *corner = corner_of(mesh, facet, i);
        for (int k = 0; k < 3; k++)
            v[i][k] = corner[k] - place[k];
        length[i] = scree_length(v[i]);
    }
    if (mesh->corners == 2)
        return atan2(v[0][0] * v[1][1] - v[0][1] * v[1][0], scree_dot(v[0], v[1])) / turn;
    scree_cross(v[1], v[2], cross);
    return atan2(scree_dot(v[0], cross),
                 length[0] * length[1] * length[2] + scree_dot(v[0], v[1]) * length[2] +
                     scree_dot(v[1], v[2]) * length[0] + scree_dot(v[2], v[0]) * length[1]) /
           turn;
}

static bool mesh_holds(const scree_mesh *mesh, const double place[3])
{
    double winding = 0;

    for (int k = 0; k < 3; k++)
        if (!(place[k] >= mesh->lower[k] && place[k] <= mesh->upper[k]))
            return false;
    for (uint32_t facet = 0; facet < mesh->facet_count; facet++)
        winding += winding_of_facet(mesh, facet, place);
    return fabs(winding) > 0.5;
}

/*  A triangle relative to a box about the origin. `slack` is an upper bound of the rounding errors. */
typedef struct triangle_in_frame
{
    double corner[3][3], half[3], slack;
    double extent; /* upper bound of all coordinates */
} triangle_in_frame;

/*  Whether the axis does not separate them. `length` is an upper bound of the components of the axis. In doubt they
    overlap: corners, and edges from which the axis is computed, have errors up to the slack. */
static bool overlaps_along(const triangle_in_frame *t, const double axis[3], double length)
{
    double a = scree_dot(axis, t->corner[0]), b = scree_dot(axis, t->corner[1]),
           c = scree_dot(axis, t->corner[2]), reach = length * t->slack;

    for (int k = 0; k < 3; k++)
        reach += fabs(axis[k]) * t->half[k];
    return fmin(a, fmin(b, c)) <= reach && fmax(a, fmax(b, c)) >= -reach;
}

/*  Tests the separating axes, except those of the box: Akenine-Moeller, J. Graphics Tools 6 (2001) 29. */
static bool overlaps_along_own_axes(const triangle_in_frame *t)
{
    double edge[3][3], normal[3];

    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            edge[i][k] = t->corner[(i + 1) % 3][k] - t->corner[i][k];
    scree_cross(edge[0], edge[1], normal);
    if (!overlaps_along(t, normal, 8 * t->extent * t->extent))
        return false;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            const double side[3] = {j == 0, j == 1, j == 2};
            double axis[3];
            scree_cross(edge[i], side, axis);
            if (!overlaps_along(t, axis, 2 * t->extent))
                return false;
        }
    return true;
}

/*  The axes of the box are tested without rounding, so that touching counts. */
static bool triangle_meets_box(const double v[3][3], const double lower[3], const double upper[3],
                               const double middle[3])
{
    triangle_in_frame t = {.extent = 0};
    double size = 0;

    for (int k = 0; k < 3; k++) {
        if (fmin(v[0][k], fmin(v[1][k], v[2][k])) > upper[k] ||
            fmax(v[0][k], fmax(v[1][k], v[2][k])) < lower[k])
            return false;
        t.half[k] = fmax(upper[k] - middle[k], middle[k] - lower[k]);
        t.extent = fmax(t.extent, t.half[k]);
        size = fmax(size, fmax(fabs(lower[k]), fabs(upper[k])));
        for (int i = 0; i < 3; i++) {
            t.corner[i][k] = v[i][k] - middle[k];
            t.extent = fmax(t.extent, fabs(t.corner[i][k]));
            size = fmax(size, fabs(v[i][k]));
        }
    }
    t.slack = ROUNDING * size;
    return overlaps_along_own_axes(&t);
}

static bool mesh_meets_box(const scree_placed_shape *shape, const double lower[3],
                           const double upper[3])
{
    double middle[3], local[3], v[3][3];

    for (int k = 0; k < 3; k++)
        middle[k] = lower[k] + (upper[k] - lower[k]) / 2;
    for (uint32_t facet = 0; facet < shape->mesh->facet_count; facet++) {
        for (int i = 0; i < 3; i++)
            from_frame(shape, corner_of(shape->mesh, facet, i), v[i]);
        if (triangle_meets_box((const double(*)[3])v, lower, upper, middle))
            return true;
    }
    to_frame(shape, middle, local);
    return mesh_holds(shape->mesh, local);
}

static double mesh_distance(const scree_placed_shape *shape, const double point[3],
                            double nearest[3])
{
    const scree_mesh *mesh = shape->mesh;
    double place[3], best = INFINITY, local[3] = {0};

    to_frame(shape, point, place);
    if (mesh_holds(mesh, place)) {
        memcpy(nearest, point, 3 * sizeof *nearest);
        return 0;
    }
    for (uint32_t facet = 0; facet < mesh->facet_count; facet++) {
        scree_facet_point found = scree_facet_nearest(
            mesh, mesh->vertices, mesh->normals + 3 * (size_t)facet, facet, place);
        if (found.away_sq >= best)
            continue;
        best = found.away_sq;
        for (int k = 0; k < 3; k++)
            local[k] = place[k] + found.away[k];
    }
    from_frame(shape, local, nearest);
    return sqrt(best);
}

/*  Corners are relative to the start of the ray. Two facets with a common edge compute bit-identical results for it,
    so no ray passes between them. */
static bool facet_meets_ray(const double v[3][3], int corners, const double direction[3], double *t)
{
    double first[3], second[3], normal[3], cross[3], side[3];

    for (int i = 0; i < corners; i++) {
        const double *a = v[i], *b = v[(i + 1) % corners];
        scree_cross(a, b, cross);
        side[i] =
            corners == 3 ? scree_dot(direction, cross) : direction[0] * a[1] - direction[1] * a[0];
    }
    if (corners == 3 && !(side[0] >= 0 && side[1] >= 0 && side[2] >= 0) &&
        !(side[0] <= 0 && side[1] <= 0 && side[2] <= 0))
        return false;
    if (corners == 2 && ((side[0] > 0 && side[1] > 0) || (side[0] < 0 && side[1] < 0)))
        return false;
    for (int k = 0; k < 3; k++) {
        first[k] = v[1][k] - v[0][k];
        second[k] = corners == 3 ? v[2][k] - v[0][k] : k == 2;
    }
    scree_cross(first, second, normal);
    double speed = scree_dot(normal, direction);
    if (speed == 0)
        return false;
    *t = scree_dot(normal, v[0]) / speed;
    return *t >= 0;
}

static bool mesh_meets_ray(const scree_placed_shape *shape, const double origin[3],
                           const double direction[3], double t_max, double *t)
{
    const scree_mesh *mesh = shape->mesh;
    double place[3], local[3], v[3][3], best = INFINITY;

    to_frame(shape, origin, place);
    scree_quaternion_turn_back(shape->turn, direction, local);
    if (mesh_holds(mesh, place)) {
        *t = 0;
        return true;
    }
    for (uint32_t facet = 0; facet < mesh->facet_count; facet++) {
        double at;
        for (int i = 0; i < 3; i++) {
            const double *corner = corner_of(mesh, facet, i);
            for (int k = 0; k < 3; k++)
                v[i][k] = corner[k] - place[k];
        }
        if (facet_meets_ray((const double(*)[3])v, mesh->corners, local, &at))
            best = fmin(best, at);
    }
    *t = best;
    return best <= t_max && best < INFINITY;
}

/* ---- any shape ---- */

bool scree_shape_meets_box(const scree_placed_shape *shape, const double lower[3],
                           const double upper[3])
{
    if (shape->mesh)
        return mesh_meets_box(shape, lower, upper);
    if (!shape->clump)
        return sphere_meets_box(shape->centre, shape->radius, lower, upper);
    for (uint32_t k = 0; shape->clump && k < shape->clump->pebble_count; k++) {
        double centre[3];
        from_frame(shape, shape->clump->pebbles[k].centre, centre);
        if (sphere_meets_box(centre, shape->clump->pebbles[k].radius, lower, upper))
            return true;
    }
    return false;
}

double scree_shape_distance(const scree_placed_shape *shape, const double point[3],
                            double nearest[3])
{
    double best = INFINITY;

    if (shape->mesh)
        return mesh_distance(shape, point, nearest);
    if (!shape->clump)
        return sphere_distance(shape->centre, shape->radius, point, nearest);
    for (uint32_t k = 0; k < shape->clump->pebble_count; k++) {
        double centre[3], there[3];
        from_frame(shape, shape->clump->pebbles[k].centre, centre);
        double distance = sphere_distance(centre, shape->clump->pebbles[k].radius, point, there);
        if (distance < best)
            memcpy(nearest, there, sizeof there);
        best = fmin(best, distance);
    }
    return best;
}

bool scree_shape_meets_ray(const scree_placed_shape *shape, const double origin[3],
                           const double direction[3], double t_max, double *t)
{
    double best = INFINITY;

    if (shape->mesh)
        return mesh_meets_ray(shape, origin, direction, t_max, t);
    if (!shape->clump)
        return sphere_meets_ray(shape->centre, shape->radius, origin, direction, t_max, t);
    for (uint32_t k = 0; k < shape->clump->pebble_count; k++) {
        double centre[3], at;
        from_frame(shape, shape->clump->pebbles[k].centre, centre);
        if (sphere_meets_ray(centre, shape->clump->pebbles[k].radius, origin, direction, t_max,
                             &at))
            best = fmin(best, at);
    }
    *t = best;
    return best <= t_max && best < INFINITY;
}
