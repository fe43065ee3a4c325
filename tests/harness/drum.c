#include "drum.h"

#include "base/error.h"
#include "base/portable_math.h"
#include "base/random.h"
#include "scree/wall.h"

#include <math.h>
#include <stdlib.h>

#define LARGEST 0.01 /* m */
#define PITCH (2.04 * LARGEST)
#define TWO_PI 6.28318530717958647692

/*  Cells of a cubic lattice hold one large body, or n^d that are n times smaller. */
static const uint32_t divisions[] = {2, 10, 1, 5, 3, 1, 4, 2};
#define PATTERN (sizeof divisions / sizeof *divisions)

static uint32_t power(uint32_t n, int dimensions)
{
    return dimensions == 2 ? n * n : n * n * n;
}

static double half_length(const drum_scene *scene)
{
    return 0.5 * PITCH * scene->layers;
}

/*  The cells in the middle of the outermost rows just go in. */
static double drum_radius(const drum_scene *scene)
{
    double half = 0.5 * scene->across, aside = scene->across % 2 ? 0.5 : 1;

    return (sqrt(half * half + aside * aside) + 0.003) * PITCH;
}

void drum_scene_define(const drum_scene *scene, scree_world_def *def)
{
    def->dimensions = scene->in_plane ? 2 : 3;
    def->gravity[0] = 1.7;
    def->gravity[1] = -9.6;
    def->step.dt = 3e-5;
    def->overlap_limit = scene->overlap_limit > 0 ? scene->overlap_limit : 0.9;
    def->step.integrator = scene->integrator;
    def->step.mode = scene->time;
    def->energy_balance = scene->has_energy_balance;
    if (scene->is_periodic) {
        def->domain.boundary[2] = SCREE_BOUNDARY_PERIODIC;
        def->domain.lower[2] = -half_length(scene);
        def->domain.upper[2] = half_length(scene);
    }
}

/* ---- materials and rules ---- */

static scree_status add_materials(const drum_scene *scene, scree_world *world,
                                  scree_material_id material[3])
{
    scree_status status = SCREE_OK;

    for (int k = 0; k < 3 && !status; k++) {
        scree_material_def def = scree_default_material_def();
        def.density = scene->in_plane ? 2500 * LARGEST : 2500;
        def.young = 1e6 * (k + 1);
        def.friction = 0.3 + 0.1 * k;
        def.restitution = 0.7 - 0.2 * k;
        def.rolling_friction = 0.05;
        def.twisting_friction = 0.02;
        def.stiffness = 2e3;
        status = scree_world_add_material(world, &def, &material[k]);
    }
    return status;
}

static scree_status add_rules(scree_world *world, const scree_material_id material[3])
{
    scree_rule_def mixed = scree_default_rule_def(), second = scree_default_rule_def();
    scree_status status;

    mixed.material[0] = material[0];
    mixed.material[1] = material[1];
    mixed.law = "linear-rolling";
    second.material[0] = second.material[1] = material[1];
    second.law = "hertz-rolling";
    status = scree_world_add_rule(world, &mixed);
    return status ? status : scree_world_add_rule(world, &second);
}

/* ---- walls ---- */

/*  Around the z axis, longer than the block by a bit; turns. In the plane a ring of segments. */
static scree_mesh *make_drum(const drum_scene *scene)
{
    scree_mesh_def def = scree_default_mesh_def();
    scree_mesh *mesh = NULL;
    int corners = scene->in_plane ? 2 : 3;
    uint32_t sides = scene->in_plane ? scene->facets : scene->facets / 2;
    double z = 1.2 * half_length(scene);
    double *vertices = calloc((size_t)sides * 6, 3 * sizeof *vertices);
    uint32_t count = 0;

    for (uint32_t s = 0; s < sides && vertices; s++) {
        double at[2][2], radius = drum_radius(scene);
        for (uint32_t e = 0; e < 2; e++) {
            scree_sin_cos(TWO_PI * ((s + e) % sides) / sides, &at[e][1], &at[e][0]);
            at[e][0] *= radius;
            at[e][1] *= radius;
        }
        const double corner[4][3] = {{at[0][0], at[0][1], scene->in_plane ? 0 : -z},
                                     {at[1][0], at[1][1], scene->in_plane ? 0 : -z},
                                     {at[1][0], at[1][1], z},
                                     {at[0][0], at[0][1], z}};
        static const int order[6] = {0, 1, 2, 0, 2, 3};
        for (int k = 0; k < (scene->in_plane ? 2 : 6); k++)
            for (int axis = 0; axis < 3; axis++)
                vertices[3 * count + (uint32_t)axis] = corner[order[k]][axis], count += axis == 2;
    }
    def.corners = corners;
    def.vertices = vertices;
    def.vertex_count = count;
    def.facet_count = count / (uint32_t)corners;
    if (vertices && scree_mesh_create(&def, &mesh))
        mesh = NULL;
    free(vertices);
    return mesh;
}

static scree_status add_walls(const drum_scene *scene, scree_world *world,
                              scree_material_id material)
{
    scree_wall_def def = scree_default_wall_def();
    scree_mesh *mesh = make_drum(scene);
    scree_status status;

    if (!mesh)
        return SCREE_OUT_OF_MEMORY;
    def.kind = SCREE_WALL_MESH;
    def.mesh = mesh;
    def.material = material;
    def.path.axis[2] = 1;
    def.path.rate = 3;
    status = scree_world_add_wall(world, &def, NULL);
    scree_mesh_destroy(mesh);
    for (int side = -1; side <= 1 && scene->has_planes && !status; side += 2) {
        def = scree_default_wall_def();
        def.material = material;
        def.point[2] = side * half_length(scene);
        def.normal[2] = -side;
        def.path.swing[2] = 0.2 * LARGEST;
        def.path.frequency = 20;
        status = scree_world_add_wall(world, &def, NULL);
    }
    return status;
}

/* ---- bodies ---- */

typedef struct filling
{
    const drum_scene *scene;
    scree_world *world;
    scree_material_id material[3];
    scree_random random;
    uint32_t bodies;
} filling;

static scree_status add_one(filling *fill, const double centre[3], double radius)
{
    scree_body_def def = scree_default_body_def();

    def.shape = scree_shape_sphere(radius);
    def.material = fill->material[scree_random_below(&fill->random, 2)];
    for (int k = 0; k < (fill->scene->in_plane ? 2 : 3); k++) {
        def.position[k] = centre[k];
        def.velocity[k] = scree_random_range(&fill->random, -1, 1);
    }
    def.spin[2] = scree_random_range(&fill->random, -30, 30);
    if (!fill->scene->in_plane)
        def.spin[0] = scree_random_range(&fill->random, -30, 30);
    if (fill->bodies % 97 == 5)
        def.flags = SCREE_FREEZE_X | SCREE_FREEZE_SPIN_Z;
    if (fill->bodies % 89 == 7) { /* these do not meet one another */
        def.groups = 2;
        def.mask = UINT64_MAX - 2;
    }
    def.user = fill->bodies++;
    return scree_world_add_body(fill->world, &def, NULL);
}

static scree_status fill_cell(filling *fill, const double corner[3], uint32_t n)
{
    uint32_t most = fill->scene->most ? fill->scene->most : 10;
    n = n < most ? n : most;
    double pitch = PITCH / n, z = fill->scene->in_plane ? 0 : 1;
    scree_status status = SCREE_OK;

    for (uint32_t k = 0; k < power(n, fill->scene->in_plane ? 2 : 3) && !status; k++) {
        double radius = pitch / 2.04 * scree_random_range(&fill->random, 0.97, 1);
        double centre[3] = {corner[0] + (k % n + 0.5) * pitch,
                            corner[1] + (k / n % n + 0.5) * pitch,
                            corner[2] + z * (k / n / n + 0.5) * pitch};
        status = add_one(fill, centre, radius);
    }
    return status;
}

/*  Whether all of a cell lies in the drum; its place is counted from the axis, in cells. */
static bool is_inside(const drum_scene *scene, double x, double y)
{
    double far_x = x < 0 ? -x : x + 1, far_y = y < 0 ? -y : y + 1;
    double radius = drum_radius(scene) / PITCH;

    return far_x * far_x + far_y * far_y < radius * radius;
}

static scree_status add_bodies(filling *fill)
{
    uint32_t across = fill->scene->across, layers = fill->scene->layers, filled = 0;
    scree_status status = SCREE_OK;

    for (uint32_t k = 0; k < across * across * layers && !status; k++) {
        double x = k % across - 0.5 * across, y = k / across % across - 0.5 * across;
        double z = k / across / across * PITCH - half_length(fill->scene);
        const double corner[3] = {x * PITCH, y * PITCH, fill->scene->in_plane ? 0 : z};
        if (is_inside(fill->scene, x, y))
            status = fill_cell(fill, corner, divisions[filled++ % PATTERN]);
    }
    return status;
}

scree_status drum_scene_fill(const drum_scene *scene, scree_world *world)
{
    filling fill = {.scene = scene, .world = world, .random = scree_random_stream(20, 5)};
    scree_status status = add_materials(scene, world, fill.material);

    if (!status)
        status = add_rules(world, fill.material);
    if (!status)
        status = add_walls(scene, world, fill.material[2]);
    return status ? status : add_bodies(&fill);
}

void drum_way_apply(const drum_way *way, scree_world_def *def)
{
    def->detection.method = way->method ? way->method : def->detection.method;
    def->detection.margin = way->margin ? *way->margin : def->detection.margin;
    def->compute.thread_count = way->threads ? way->threads : 1;
    def->compute.simd = way->simd;
    def->detection.sort_every = way->sort_every ? way->sort_every - 1 : def->detection.sort_every;
    def->compute.tasks = way->tasks;
}

scree_world *drum_scene_open(const drum_scene *scene, const drum_way *way, scree_error *error)
{
    scree_world_def def = scree_default_world_def();
    scree_world *world;
    scree_status status;

    drum_scene_define(scene, &def);
    drum_way_apply(way, &def);
    def.hooks.error = error;
    status = scree_world_create(&def, &world);
    if (status)
        return NULL;
    status = drum_scene_fill(scene, world);
    if (status) {
        scree_fail(error, status, "%s", scree_world_message(world));
        scree_world_destroy(world);
        return NULL;
    }
    return world;
}
