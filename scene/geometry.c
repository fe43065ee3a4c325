/*  Simple regions and surfaces: tests of points and spheres, volumes, and triangles of round surfaces. */
#include "base/error.h"
#include "base/portable_math.h"
#include "base/vector.h"
#include "scene_internal.h"

#include <math.h>
#include <string.h>

#define PI 3.14159265358979323846

double scene_look_along_axis(const scree_scene_geometry *g, const double point[3], double *along,
                             double *away)
{
    double axis[3], offset[3];

    for (int k = 0; k < 3; k++) {
        axis[k] = g->to[k] - g->from[k];
        offset[k] = point[k] - g->from[k];
    }
    double height = sqrt(scree_dot(axis, axis));
    *along = scree_dot(offset, axis) / height;
    double square = scree_dot(offset, offset) - *along * *along;
    *away = sqrt(square > 0 ? square : 0);
    return height;
}

/*  The wall of a cone is inclined: the distance of a sphere is the radial distance times the cosine of the slope. */
static bool is_in_cone(const scree_scene_geometry *g, const double centre[3], double radius)
{
    double along, away, height = scene_look_along_axis(g, centre, &along, &away);
    double slope = (g->radius_to - g->radius) / height;

    if (along < radius || along > height - radius)
        return false;
    return away + radius * sqrt(1 + slope * slope) <= g->radius + slope * along;
}

static bool is_in_box(const scree_scene_geometry *g, int dimensions, const double centre[3],
                      double radius)
{
    for (int k = 0; k < dimensions; k++)
        if (!(centre[k] - radius >= g->lower[k] && centre[k] + radius <= g->upper[k]))
            return false;
    return true;
}

bool scene_simple_holds(const scree_scene_geometry *g, int dimensions, const double centre[3],
                        double radius)
{
    double offset[3] = {0};

    switch (g->form) {
    case SCREE_FORM_NONE:
        return true;
    case SCREE_FORM_PLANE:
        for (int k = 0; k < 3; k++)
            offset[k] = centre[k] - g->point[k];
        return scree_dot(offset, g->normal) <= -radius * sqrt(scree_dot(g->normal, g->normal));
    case SCREE_FORM_CYLINDER:
    case SCREE_FORM_CONE:
        return is_in_cone(g, centre, radius);
    case SCREE_FORM_SPHERE:
        for (int k = 0; k < dimensions; k++)
            offset[k] = centre[k] - g->from[k];
        return radius <= g->radius &&
               scree_dot(offset, offset) <= (g->radius - radius) * (g->radius - radius);
    case SCREE_FORM_FACETS:
    case SCREE_FORM_FILE:
        if (g->is_face)
            return true;
        return is_in_box(g, dimensions, centre, radius) &&
               scene_surface_holds(g->mesh, centre, radius);
    default:
        break;
    }
    return is_in_box(g, dimensions, centre, radius);
}

/* ---- moving a sphere inside ------------------------------------------------------------------------------ */

static double hold_between(double x, double lower, double upper)
{
    if (lower > upper)
        return 0.5 * (lower + upper);
    return x < lower ? lower : x > upper ? upper : x;
}

/*  Moves along the normal of the side, then away from the ends, then towards the axis. */
static void pull_into_cone(const scree_scene_geometry *g, double centre[3], double radius)
{
    double along, away, height = scene_look_along_axis(g, centre, &along, &away), axis[3],
                        across[3];
    double slope = (g->radius_to - g->radius) / height, secant = sqrt(1 + slope * slope);
    double first = radius, last = height - radius, before = away;

    for (int k = 0; k < 3; k++) {
        axis[k] = (g->to[k] - g->from[k]) / height;
        across[k] = centre[k] - g->from[k] - along * axis[k];
    }
    double excess = (away - (g->radius + slope * along - radius * secant)) / secant;
    if (excess > 0) {
        away -= excess / secant;
        along += excess * slope / secant;
    }
    /* near a tip there is no room for the sphere */
    double tip = slope != 0 ? (radius * secant - g->radius) / slope : 0;
    first = slope > 0 && tip > first ? tip : first;
    last = slope < 0 && tip < last ? tip : last;
    along = hold_between(along, first, last);
    away = hold_between(away, 0, g->radius + slope * along - radius * secant);
    away = away > 0 ? away : 0;
    for (int k = 0; k < 3; k++)
        centre[k] = g->from[k] + along * axis[k] + (before > 0 ? away / before : 0) * across[k];
}

static void pull_into_ball(const scree_scene_geometry *g, int dimensions, double centre[3],
                           double radius)
{
    double sum = 0, room = g->radius > radius ? g->radius - radius : 0;

    for (int k = 0; k < dimensions; k++)
        sum += (centre[k] - g->from[k]) * (centre[k] - g->from[k]);
    for (int k = 0; k < dimensions; k++)
        centre[k] = g->from[k] + (centre[k] - g->from[k]) * (room / sqrt(sum));
}

void scene_simple_pull(const scree_scene_geometry *g, int dimensions, double centre[3],
                       double radius)
{
    if (g->form == SCREE_FORM_CYLINDER || g->form == SCREE_FORM_CONE)
        pull_into_cone(g, centre, radius);
    else if (g->form == SCREE_FORM_SPHERE)
        pull_into_ball(g, dimensions, centre, radius);
    else if (g->mesh)
        scene_surface_pull(g->mesh, centre, radius);
    else
        for (int k = 0; k < dimensions; k++)
            centre[k] = hold_between(centre[k], g->lower[k] + radius, g->upper[k] - radius);
}

double scene_simple_volume(const scree_scene_geometry *g, int dimensions)
{
    double volume = 1, a = g->radius, b = g->radius_to, axis[3];

    if (g->form == SCREE_FORM_SPHERE)
        return scene_ball_volume(g->radius, dimensions);
    if (g->mesh)
        return scene_surface_volume(g->mesh);
    if (g->form == SCREE_FORM_CYLINDER || g->form == SCREE_FORM_CONE) {
        for (int k = 0; k < 3; k++)
            axis[k] = g->to[k] - g->from[k];
        return PI / 3 * sqrt(scree_dot(axis, axis)) * (a * a + a * b + b * b);
    }
    for (int k = 0; k < dimensions; k++)
        volume *= g->upper[k] - g->lower[k];
    return volume;
}

/* ---- surfaces -------------------------------------------------------------------------------------------- */

/*  Two directions perpendicular to the axis. */
static void span_across(const double axis[3], double u[3], double v[3])
{
    double length = sqrt(scree_dot(axis, axis));
    int least = 0;

    for (int k = 1; k < 3; k++)
        if (fabs(axis[k]) < fabs(axis[least]))
            least = k;
    double side[3] = {0};
    side[least] = 1;
    for (int k = 0; k < 3; k++)
        u[k] = side[k] - axis[k] / length * (axis[least] / length);
    double size = sqrt(scree_dot(u, u));
    for (int k = 0; k < 3; k++)
        u[k] /= size;
    for (int k = 0; k < 3; k++) {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        v[k] = (axis[i] * u[j] - axis[j] * u[i]) / length;
    }
}

static void put_facet(uint32_t *corners, uint32_t *count, uint32_t a, uint32_t b, uint32_t c)
{
    uint32_t *corner = &corners[3 * (size_t)(*count)++];

    corner[0] = a;
    corner[1] = b;
    corner[2] = c;
}

/*  Vertices: the circle at `from`, that at `to`, both centres. Facets: two per strip, and one per strip at each
    closed end. If an end is a tip, one triangle of each strip has no area, and the mesh drops it. */
static uint32_t fill_round(const scree_scene_geometry *g, double *vertices, uint32_t *corners)
{
    double axis[3], u[3], v[3];
    uint32_t around = g->facets, count = 0;

    for (int k = 0; k < 3; k++)
        axis[k] = g->to[k] - g->from[k];
    span_across(axis, u, v);
    for (uint32_t i = 0; i < around; i++) {
        double sine, cosine;
        scree_sin_cos(2 * PI * i / around, &sine, &cosine);
        uint32_t next = (i + 1) % around;
        for (int k = 0; k < 3; k++) {
            double across = cosine * u[k] + sine * v[k];
            vertices[3 * i + (uint32_t)k] = g->from[k] + g->radius * across;
            vertices[3 * (around + i) + (uint32_t)k] = g->to[k] + g->radius_to * across;
        }
        if (g->radius > 0)
            put_facet(corners, &count, i, next, around + i);
        if (g->radius_to > 0)
            put_facet(corners, &count, next, around + next, around + i);
        if (!(g->open & 1) && g->radius > 0)
            put_facet(corners, &count, 2 * around, next, i);
        if (!(g->open & 2) && g->radius_to > 0)
            put_facet(corners, &count, 2 * around + 1, around + i, around + next);
    }
    memcpy(&vertices[6 * around], g->from, sizeof g->from);
    memcpy(&vertices[6 * around + 3], g->to, sizeof g->to);
    return count;
}

static scree_status make_round(scree_mesh_def *def, const scree_scene_geometry *g,
                               scree_memory *memory, scree_mesh **mesh)
{
    void *vertices = NULL, *corners = NULL;
    size_t around = g->facets, vertex_count = 2 * around + 2;
    scree_status status = scree_memory_take(memory, 3 * vertex_count, sizeof(double), &vertices);

    if (!status)
        status = scree_memory_take(memory, 12 * around, sizeof(uint32_t), &corners);
    if (!status) {
        def->facet_count = fill_round(g, vertices, corners);
        def->vertices = vertices;
        def->vertex_count = (uint32_t)vertex_count;
        def->facets = corners;
        status = scree_mesh_create(def, mesh);
    } else {
        scree_fail(def->error, status, "out of memory");
    }
    scree_memory_give(memory, &vertices, vertices ? 3 * vertex_count : 0, sizeof(double));
    scree_memory_give(memory, &corners, corners ? 12 * around : 0, sizeof(uint32_t));
    return status;
}

static scree_status make_listed(scree_mesh_def *def, const scree_scene_geometry *g,
                                scree_memory *memory, scree_mesh **mesh)
{
    void *scaled = NULL;
    size_t count = 3 * (size_t)g->vertex_count;

    def->corners = g->corner_count;
    def->vertices = g->vertices;
    def->vertex_count = g->vertex_count;
    def->facets = g->corners;
    def->facet_count = g->facet_count;
    if (g->form != SCREE_FORM_FILE || g->scale == 1)
        return scree_mesh_create(def, mesh);
    if (scree_memory_take(memory, count, sizeof(double), &scaled))
        return scree_fail(def->error, SCREE_OUT_OF_MEMORY, "out of memory");
    for (size_t i = 0; i < count; i++)
        ((double *)scaled)[i] = g->scale * g->vertices[i];
    def->vertices = scaled;
    scree_status status = scree_mesh_create(def, mesh);
    scree_memory_give(memory, &scaled, count, sizeof(double));
    return status;
}

scree_status scene_make_surface(const scree_scene *scene, const scree_scene_geometry *g,
                                scree_mesh **mesh, scree_error *why)
{
    scree_mesh_def def = scree_default_mesh_def();
    scree_memory memory;

    scree_memory_init(&memory, &scene->memory.allocator);
    def.allocator = scene->memory.allocator;
    def.error = why;
    return make_listed(&def, g, &memory, mesh);
}

scree_status scene_make_mesh(const scree_scene *scene, const scree_scene_wall *wall, int dimensions,
                             scree_mesh **mesh, scree_error *error)
{
    scree_mesh_def def = scree_default_mesh_def();
    scree_error why = {SCREE_OK, ""};
    const scree_scene_geometry *g = &wall->surface;
    scree_memory memory;

    (void)dimensions;
    scree_memory_init(&memory, &scene->memory.allocator);
    def.allocator = scene->memory.allocator;
    def.error = &why;
    bool is_round = g->form == SCREE_FORM_CYLINDER || g->form == SCREE_FORM_CONE;
    scree_status status =
        is_round ? make_round(&def, g, &memory, mesh) : make_listed(&def, g, &memory, mesh);
    return status ? scene_fail_at(scene, error, status, wall->line, "wall: %s", why.text)
                  : SCREE_OK;
}
