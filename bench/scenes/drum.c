/*  A rotating drum with grains of many sizes. */
#include "scenes/worlds.h"

#include "base/error.h"
#include "base/portable_math.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846

scree_drum_plan scree_default_drum_plan(void)
{
    scree_drum_plan plan = {.bodies = 2000,
                            .smallest = 1e-3,
                            .ratio = 10,
                            .filling = 0.2,
                            .length = 0.4,
                            .rate = 4,
                            .facets = 240,
                            .seed = 1};
    return plan;
}

/* ---- the mesh: per step round the drum two triangles of the barrel and one of each end ---- */

static void put_vertex(double *vertices, uint32_t v, double x, double y, double z)
{
    vertices[3 * v] = x;
    vertices[3 * v + 1] = y;
    vertices[3 * v + 2] = z;
}

static void put_facet(uint32_t *facets, uint32_t f, uint32_t a, uint32_t b, uint32_t c)
{
    facets[3 * f] = a;
    facets[3 * f + 1] = b;
    facets[3 * f + 2] = c;
}

static void fill_mesh(double radius, double length, uint32_t around, double *vertices,
                      uint32_t *facets)
{
    uint32_t near_end = 2 * around, far_end = 2 * around + 1;

    for (uint32_t k = 0; k < around; k++) {
        double angle = 2 * PI * k / around, x = radius * scree_cos(angle),
               z = radius * scree_sin(angle);
        uint32_t next = (k + 1) % around;
        put_vertex(vertices, k, x, -length / 2, z);
        put_vertex(vertices, around + k, x, length / 2, z);
        put_facet(facets, 4 * k, k, around + k, next);
        put_facet(facets, 4 * k + 1, next, around + k, around + next);
        put_facet(facets, 4 * k + 2, near_end, k, next);
        put_facet(facets, 4 * k + 3, far_end, around + next, around + k);
    }
    put_vertex(vertices, near_end, 0, -length / 2, 0);
    put_vertex(vertices, far_end, 0, length / 2, 0);
}

scree_status scree_drum_mesh(double radius, double length, uint32_t facets, scree_mesh **mesh,
                             scree_error *error)
{
    uint32_t around = facets / 4;
    scree_mesh_def def = scree_default_mesh_def();
    double *vertices = malloc((2 * around + 2) * 3 * sizeof *vertices);
    uint32_t *corners = malloc((size_t)facets * 3 * sizeof *corners);
    scree_status status = SCREE_OUT_OF_MEMORY;

    if (vertices && corners) {
        fill_mesh(radius, length, around, vertices, corners);
        def.vertices = vertices;
        def.vertex_count = 2 * around + 2;
        def.facets = corners;
        def.facet_count = 4 * around;
        def.error = error;
        status = scree_mesh_create(&def, mesh);
    } else {
        scree_fail(error, status, "drum: %s", scree_status_name(status));
    }
    free(vertices);
    free(corners);
    return status;
}

/* ---- the grains ---- */

/*  Inside the polygon that the barrel is, and below the axis or little above it. */
static bool is_inside(const double centre[3], double radius, const void *user)
{
    const scree_drum *drum = user;
    double room = 0.97 * drum->radius - radius;
    return room > 0 && centre[0] * centre[0] + centre[2] * centre[2] < room * room;
}

/*  Mean volume of a sphere, where 1 / r^3 is even from smallest to largest. */
static double mean_volume(double smallest, double ratio)
{
    double a = smallest * smallest * smallest, b = a * ratio * ratio * ratio;
    return ratio > 1 ? 4.0 / 3 * PI * scree_ln(b / a) / (1 / a - 1 / b) : 4.0 / 3 * PI * a;
}

static void size_drum(const scree_drum_plan *plan, scree_drum *drum)
{
    double volume = plan->bodies * mean_volume(plan->smallest, plan->ratio) / plan->filling;
    double diameter = scree_pow(volume / (PI / 4 * plan->length), 1.0 / 3);
    double least = 8 * plan->smallest * plan->ratio;

    diameter = diameter > least ? diameter : least;
    drum->radius = diameter / 2;
    drum->length = diameter * plan->length;
    if (drum->length < 3 * plan->smallest * plan->ratio)
        drum->length = 3 * plan->smallest * plan->ratio;
}

static scree_status add_materials(scree_drum *drum)
{
    scree_material_def grain = scree_default_material_def(), steel = grain;

    grain.name = "grain";
    grain.young = 5e6;
    grain.restitution = 0.5;
    grain.friction = 0.5;
    steel.name = "steel";
    steel.young = 2e8;
    steel.friction = 0.5;
    scree_status status = scree_world_add_material(drum->world, &grain, &drum->grain);
    return status ? status : scree_world_add_material(drum->world, &steel, &drum->steel);
}

static scree_status add_wall(const scree_drum_plan *plan, scree_drum *drum)
{
    scree_wall_def wall = scree_default_wall_def();

    wall.kind = SCREE_WALL_MESH;
    wall.mesh = drum->mesh;
    wall.material = drum->steel;
    wall.path.axis[1] = 1;
    wall.path.rate = plan->rate;
    return scree_world_add_wall(drum->world, &wall, &drum->wall);
}

static scree_status add_grains(const scree_drum_plan *plan, scree_drum *drum, scree_error *error)
{
    double(*centre)[3] = malloc(plan->bodies * sizeof *centre);
    double *radius = malloc(plan->bodies * sizeof *radius);
    scree_pour_plan pour = {
        .lower = {-drum->radius, -drum->length / 2, -drum->radius},
        .upper = {drum->radius, drum->length / 2, drum->radius},
        .inside = is_inside,
        .user = drum,
        .smallest = plan->smallest,
        .largest = plan->smallest * plan->ratio,
        .seed = plan->seed,
    };
    scree_status status = SCREE_OUT_OF_MEMORY;

    if (centre && radius)
        status = scree_pour(&pour, plan->bodies, centre, radius, error);
    else
        scree_fail(error, status, "drum: %s", scree_status_name(status));
    for (uint32_t i = 0; i < plan->bodies && !status; i++) {
        scree_body_def grain = scree_default_body_def();
        grain.shape = scree_shape_sphere(radius[i]);
        grain.material = drum->grain;
        memcpy(grain.position, centre[i], sizeof grain.position);
        status = scree_world_add_body(drum->world, &grain, NULL);
    }
    free(centre);
    free(radius);
    return status;
}

scree_status scree_drum_create(const scree_drum_plan *plan, const scree_world_def *def,
                               scree_drum *drum, scree_error *error)
{
    scree_world_def own = *def;
    scree_status status;

    memset(drum, 0, sizeof *drum);
    size_drum(plan, drum);
    own.gravity[0] = own.gravity[1] = 0;
    own.gravity[2] = -9.81;
    own.hooks.error = error;
    status = scree_drum_mesh(drum->radius, drum->length, plan->facets, &drum->mesh, error);
    if (!status)
        status = scree_world_create(&own, &drum->world);
    if (status) {
        scree_drum_destroy(drum);
        return status;
    }
    status = add_materials(drum);
    if (!status)
        status = add_wall(plan, drum);
    if (!status)
        status = add_grains(plan, drum, error);
    if (status) {
        if (scree_world_message(drum->world)[0])
            scree_fail(error, status, "%s", scree_world_message(drum->world));
        scree_drum_destroy(drum);
    }
    return status;
}

void scree_drum_destroy(scree_drum *drum)
{
    scree_world_destroy(drum->world);
    scree_mesh_destroy(drum->mesh);
    memset(drum, 0, sizeof *drum);
}
