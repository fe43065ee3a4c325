/*  Composed regions: intersection, union, or difference of two regions. A sphere counts as inside if simple rules
    prove it: it is inside both, inside one of the two, or inside the first and outside the second. These rules
    reject some spheres that are inside, such as one across the common face of two boxes, but never accept one that
    is not. Tests of points are exact. */
#include "base/vector.h"
#include "scene_internal.h"

#include <math.h>
#include <string.h>

/* ---- clear of a region -------------------------------------------------------------------------------------- */

static double distance_to_segment(const double p[2], const double a[2], const double b[2])
{
    double way[2] = {b[0] - a[0], b[1] - a[1]}, offset[2] = {p[0] - a[0], p[1] - a[1]};
    double square = way[0] * way[0] + way[1] * way[1], share = 0;

    if (square > 0)
        share = (offset[0] * way[0] + offset[1] * way[1]) / square;
    share = share < 0 ? 0 : share > 1 ? 1 : share;
    offset[0] -= share * way[0];
    offset[1] -= share * way[1];
    return sqrt(offset[0] * offset[0] + offset[1] * offset[1]);
}

/*  In the half plane through the axis and the point, the cone is a trapezoid. */
static double distance_to_cone(const scree_scene_geometry *g, const double point[3])
{
    double p[2], height = scene_look_along_axis(g, point, &p[0], &p[1]);
    const double from[2] = {0, 0}, to[2] = {height, 0}, edge[2] = {0, g->radius},
                 edge_to[2] = {height, g->radius_to};

    return fmin(distance_to_segment(p, edge, edge_to),
                fmin(distance_to_segment(p, from, edge), distance_to_segment(p, to, edge_to)));
}

static double distance_to_box(const scree_scene_geometry *g, int dimensions, const double point[3])
{
    double sum = 0;

    for (int k = 0; k < dimensions; k++) {
        double away = fmax(g->lower[k] - point[k], point[k] - g->upper[k]);
        sum += away > 0 ? away * away : 0;
    }
    return sqrt(sum);
}

static double distance_to_point(const double a[3], const double b[3], int dimensions)
{
    double sum = 0;

    for (int k = 0; k < dimensions; k++)
        sum += (a[k] - b[k]) * (a[k] - b[k]);
    return sqrt(sum);
}

static double height_over_plane(const scree_scene_geometry *g, const double point[3])
{
    double offset[3];

    for (int k = 0; k < 3; k++)
        offset[k] = point[k] - g->point[k];
    return scree_dot(offset, g->normal) / sqrt(scree_dot(g->normal, g->normal));
}

bool scene_keeps_clear(const scree_scene_geometry *g, int dimensions, const double centre[3],
                       double radius)
{
    switch (g->form) {
    case SCREE_FORM_NONE:
        return false;
    case SCREE_FORM_PLANE:
        return height_over_plane(g, centre) >= radius;
    case SCREE_FORM_BOTH:
        return scene_keeps_clear(g->first, dimensions, centre, radius) ||
               scene_keeps_clear(g->second, dimensions, centre, radius);
    case SCREE_FORM_EITHER:
        return scene_keeps_clear(g->first, dimensions, centre, radius) &&
               scene_keeps_clear(g->second, dimensions, centre, radius);
    case SCREE_FORM_WITHOUT:
        return scene_keeps_clear(g->first, dimensions, centre, radius) ||
               scene_holds_sphere(g->second, dimensions, centre, radius);
    default:
        break;
    }
    /* all other forms are bounded: a point inside is not clear of them */
    if (scene_holds_point(g, dimensions, centre))
        return false;
    switch (g->form) {
    case SCREE_FORM_CYLINDER:
    case SCREE_FORM_CONE:
        return distance_to_cone(g, centre) >= radius;
    case SCREE_FORM_SPHERE:
        return distance_to_point(centre, g->from, dimensions) >= g->radius + radius;
    case SCREE_FORM_FACETS:
    case SCREE_FORM_FILE:
        return scene_surface_clears(g->mesh, centre, radius);
    default:
        return distance_to_box(g, dimensions, centre) >= radius;
    }
}

static bool composed_holds(const scree_scene_geometry *g, int dimensions, const double centre[3],
                           double radius)
{
    bool first = scene_holds_sphere(g->first, dimensions, centre, radius);

    if (g->form == SCREE_FORM_EITHER)
        return first || scene_holds_sphere(g->second, dimensions, centre, radius);
    if (!first)
        return false;
    return g->form == SCREE_FORM_BOTH ? scene_holds_sphere(g->second, dimensions, centre, radius)
                                      : scene_keeps_clear(g->second, dimensions, centre, radius);
}

bool scene_holds_sphere(const scree_scene_geometry *g, int dimensions, const double centre[3],
                        double radius)
{
    return scene_is_composed(g) ? composed_holds(g, dimensions, centre, radius)
                                : scene_simple_holds(g, dimensions, centre, radius);
}

bool scene_holds_point(const scree_scene_geometry *g, int dimensions, const double point[3])
{
    return scene_holds_sphere(g, dimensions, point, 0);
}

/* ---- moving a sphere inside or outside ---------------------------------------------------------------------- */

static void push_out_of_box(const scree_scene_geometry *g, int dimensions, double centre[3],
                            double radius)
{
    double least = INFINITY, target = 0;
    int axis = 0;

    for (int k = 0; k < dimensions; k++)
        for (int side = 0; side < 2; side++) {
            double there = side ? g->upper[k] + radius : g->lower[k] - radius;
            if (fabs(there - centre[k]) < least) {
                least = fabs(there - centre[k]);
                target = there;
                axis = k;
            }
        }
    centre[axis] = target;
}

/*  Past the nearer end, or off the side along its normal, whichever is shorter. */
static void push_out_of_cone(const scree_scene_geometry *g, double centre[3], double radius)
{
    double along, away, height = scene_look_along_axis(g, centre, &along, &away);
    double slope = (g->radius_to - g->radius) / height, secant = sqrt(1 + slope * slope);
    double to_side = (g->radius + slope * along - away) / secant + radius;
    double to_from = along + radius, to_end = height - along + radius;

    for (int k = 0; k < 3; k++) {
        double axis = (g->to[k] - g->from[k]) / height;
        double across = centre[k] - g->from[k] - along * axis;
        if (away > 0 && to_side <= to_from && to_side <= to_end)
            centre[k] += to_side / secant * (across / away - slope * axis);
        else
            centre[k] += (to_from < to_end ? -to_from : to_end) * axis;
    }
}

static void push_out_of_ball(const scree_scene_geometry *g, int dimensions, double centre[3],
                             double radius)
{
    double away = distance_to_point(centre, g->from, dimensions), wanted = g->radius + radius;

    if (away == 0) {
        centre[0] += wanted;
        return;
    }
    for (int k = 0; k < dimensions; k++)
        centre[k] = g->from[k] + (centre[k] - g->from[k]) * (wanted / away);
}

static void move_to_height(const scree_scene_geometry *g, double centre[3], double height)
{
    double way = height - height_over_plane(g, centre);
    double length = sqrt(scree_dot(g->normal, g->normal));

    for (int k = 0; k < 3; k++)
        centre[k] += way * (g->normal[k] / length);
}

typedef void move_fn(const scree_scene_geometry *g, int dimensions, double centre[3],
                     double radius);

/*  Moves `centre` to the nearer of two places, to the first if both are equally near. */
static void take_nearer(double centre[3], const double first[3], const double second[3],
                        int dimensions)
{
    bool is_first = distance_to_point(first, centre, dimensions) <=
                    distance_to_point(second, centre, dimensions);

    memcpy(centre, is_first ? first : second, 3 * sizeof *centre);
}

/*  Moves by the shorter of two displacements. */
static void move_nearer(const scree_scene_geometry *g, move_fn *move, int dimensions,
                        double centre[3], double radius)
{
    double one[3], other[3];

    memcpy(one, centre, sizeof one);
    memcpy(other, centre, sizeof other);
    move(g->first, dimensions, one, radius);
    move(g->second, dimensions, other, radius);
    take_nearer(centre, one, other, dimensions);
}

static void pull_in(const scree_scene_geometry *g, int dimensions, double centre[3], double radius)
{
    if (g->form == SCREE_FORM_PLANE) {
        if (!scene_holds_sphere(g, dimensions, centre, radius))
            move_to_height(g, centre, -radius);
        return;
    }
    scene_pull_inside(g, dimensions, centre, radius);
}

static void push_out(const scree_scene_geometry *g, int dimensions, double centre[3], double radius)
{
    if (scene_keeps_clear(g, dimensions, centre, radius))
        return;
    switch (g->form) {
    case SCREE_FORM_NONE:
        return;
    case SCREE_FORM_PLANE:
        move_to_height(g, centre, radius);
        return;
    case SCREE_FORM_BOX:
        push_out_of_box(g, dimensions, centre, radius);
        return;
    case SCREE_FORM_CYLINDER:
    case SCREE_FORM_CONE:
        push_out_of_cone(g, centre, radius);
        return;
    case SCREE_FORM_SPHERE:
        push_out_of_ball(g, dimensions, centre, radius);
        return;
    case SCREE_FORM_FACETS:
    case SCREE_FORM_FILE:
        scene_surface_push(g->mesh, centre, radius);
        return;
    case SCREE_FORM_BOTH:
        move_nearer(g, push_out, dimensions, centre, radius);
        return;
    case SCREE_FORM_EITHER:
        push_out(g->first, dimensions, centre, radius);
        push_out(g->second, dimensions, centre, radius);
        return;
    case SCREE_FORM_WITHOUT: {
        double out[3], in[3];
        memcpy(out, centre, sizeof out);
        memcpy(in, centre, sizeof in);
        push_out(g->first, dimensions, out, radius);
        pull_in(g->second, dimensions, in, radius);
        take_nearer(centre, out, in, dimensions);
    }
    }
}

/*  A move into one part may leave the other, so moves are repeated this often. If the sphere is still not inside,
    the packing moves it again in its next round. */
#define PULLS 4

static void pull_into_composed(const scree_scene_geometry *g, int dimensions, double centre[3],
                               double radius)
{
    if (g->form == SCREE_FORM_EITHER) {
        move_nearer(g, pull_in, dimensions, centre, radius);
        return;
    }
    for (int i = 0; i < PULLS && !composed_holds(g, dimensions, centre, radius); i++) {
        pull_in(g->first, dimensions, centre, radius);
        if (g->form == SCREE_FORM_BOTH)
            pull_in(g->second, dimensions, centre, radius);
        else
            push_out(g->second, dimensions, centre, radius);
    }
}

bool scene_pull_inside(const scree_scene_geometry *g, int dimensions, double centre[3],
                       double radius)
{
    if (scene_holds_sphere(g, dimensions, centre, radius))
        return false;
    if (scene_is_composed(g))
        pull_into_composed(g, dimensions, centre, radius);
    else
        scene_simple_pull(g, dimensions, centre, radius);
    return true;
}

/* ---- volume ------------------------------------------------------------------------------------------------- */

double scene_volume(const scree_scene_geometry *g, int dimensions)
{
    return scene_is_composed(g) ? g->volume : scene_simple_volume(g, dimensions);
}
