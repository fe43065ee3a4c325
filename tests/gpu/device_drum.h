/*  Grains in a drum of triangles that rotates, for worlds on the host and on a device. */
#ifndef SCREE_TESTS_DEVICE_DRUM_H
#define SCREE_TESTS_DEVICE_DRUM_H

#include "device_bed.h"
#include "scree/shape.h"

#include <math.h>

typedef struct device_drum
{
    const char *law; /* of all contacts; NULL: the default */
    int across;      /* grains along x and y, which fall, */
    int layers;      /* and along the axis */
    int sides;       /* of the drum; its ends are fans of as many triangles */
    double least;    /* radius, over the largest */
    double rate;     /* of rotation, rad/s */
    double shake;    /* amplitude along the axis, m */
    bool has_lifters, has_floor, has_two_materials, has_belts;
    bool is_periodic; /* along the axis, without ends */
    bool is_still;    /* grains are at rest, without weight */
    double dt;
    const char *const *names; /* of parameters of the law, see device_bed */
    const double *values;
} device_drum;

static inline double drum_size(const device_drum *drum)
{
    return BED_RADIUS * (1.45 * drum->across + 0.5);
}

static inline double drum_length(const device_drum *drum)
{
    return 2.2 * BED_RADIUS * drum->layers;
}

/*  A ring of quadrangles, two fans, and blades towards the axis, which are open sheets. */
static inline scree_mesh *drum_mesh(const device_drum *drum)
{
    enum
    {
        MAX_SIDES = 512
    };
    static double vertices[3 * (2 * MAX_SIDES + 2 + 2 * MAX_SIDES)];
    static uint32_t facets[3 * 8 * MAX_SIDES];
    scree_mesh_def def = scree_default_mesh_def();
    const uint32_t sides = (uint32_t)drum->sides, hub = 2 * sides, inner = 2 * sides + 2;
    const double radius = drum_size(drum), length = drum_length(drum);
    uint32_t count = 0;
    scree_mesh *mesh = NULL;

    CHECK(sides <= MAX_SIDES);
    for (uint32_t v = 0; v < 2 * sides + 2 + 2 * sides; v++) {
        const uint32_t s = v < hub ? v / 2 : v < inner ? 0 : (v - inner) / 2;
        const double share = v < hub ? 1 : v < inner ? 0 : 0.7;
        vertices[3 * v] = share * radius * cos(2 * 3.14159265358979 * s / sides);
        vertices[3 * v + 1] = share * radius * sin(2 * 3.14159265358979 * s / sides);
        vertices[3 * v + 2] = length * (drum->is_periodic ? v % 2 ? 1.1 : -0.1 : v % 2);
    }
    for (uint32_t s = 0; s < sides; s++) {
        const uint32_t a = 2 * s, b = 2 * ((s + 1) % sides), c = inner + 2 * s;
        const bool lifts = drum->has_lifters && s % (sides / 4) == 0;
        const uint32_t six[6][3] = {{a, b, b + 1},           {a, b + 1, a + 1}, {hub, b, a},
                                    {hub + 1, a + 1, b + 1}, {a, a + 1, c + 1}, {a, c + 1, c}};
        for (int k = 0; k < (lifts ? 6 : 4); k++) {
            if (drum->is_periodic && (k == 2 || k == 3))
                continue;
            memcpy(facets + 3 * count++, six[k], sizeof six[k]);
        }
    }
    def.vertices = vertices;
    def.vertex_count = drum->has_lifters ? 4 * sides + 2 : 2 * sides + 2;
    def.facets = facets;
    def.facet_count = count;
    CHECK_EQUAL(scree_mesh_create(&def, &mesh), SCREE_OK);
    return mesh;
}

static inline void give_belt(scree_world *world, const device_drum *drum, scree_wall_id wall)
{
    scree_wall_belt_def belt = scree_default_wall_belt_def();

    belt.velocity[0] = 0.4;
    belt.centre[1] = BED_RADIUS;
    belt.rate = -5;
    CHECK_EQUAL(scree_world_set_wall_belt(world, wall, drum->has_belts ? &belt : NULL), SCREE_OK);
}

static inline void drum_walls(scree_world *world, const device_drum *drum,
                              const scree_material_id kinds[2])
{
    scree_wall_def wall = scree_default_wall_def();
    scree_mesh *mesh = drum_mesh(drum);
    scree_wall_id id;

    if (drum->has_floor) {
        wall.material = kinds[0];
        wall.normal[0] = wall.normal[2] = 0;
        wall.normal[1] = 1;
        wall.point[1] = -0.9 * drum_size(drum);
        CHECK_EQUAL(scree_world_add_wall(world, &wall, &id), SCREE_OK);
        give_belt(world, drum, id);
    }
    wall = scree_default_wall_def();
    wall.kind = SCREE_WALL_MESH;
    wall.mesh = mesh;
    wall.material = kinds[drum->has_two_materials];
    wall.path.axis[0] = wall.path.axis[1] = 0;
    wall.path.axis[2] = 1;
    wall.path.rate = drum->rate;
    wall.path.swing[2] = drum->shake;
    wall.path.frequency = 30;
    CHECK_EQUAL(scree_world_add_wall(world, &wall, &id), SCREE_OK);
    give_belt(world, drum, id);
    scree_mesh_destroy(mesh);
}

static inline scree_world *make_drum(const device_drum *drum, const char *device)
{
    const device_bed rule = {.law = drum->law, .names = drum->names, .values = drum->values};
    const double pitch = 2.2 * BED_RADIUS, middle = 0.5 * pitch * (drum->across - 1);
    scree_world_def def = scree_default_world_def();
    scree_material_def material = scree_default_material_def();
    scree_body_def body = scree_default_body_def();
    scree_random random = scree_random_stream(11, 0);
    scree_material_id kinds[2];
    scree_error why = {0};
    scree_world *world;

    def.step.dt = drum->dt > 0 ? drum->dt : 2e-5;
    def.compute.device = device;
    def.hooks.error = &why;
    def.gravity[1] = drum->is_still ? 0 : -98.1; /* so that they settle within a short test */
    def.gravity[2] = 0;
    if (drum->is_periodic) {
        def.domain.boundary[2] = SCREE_BOUNDARY_PERIODIC;
        def.domain.lower[2] = 0;
        def.domain.upper[2] = drum_length(drum);
    }
    if (scree_world_create(&def, &world)) {
        printf("%s\n", why.text);
        CHECK(false);
    }
    CHECK_EQUAL(scree_world_add_material(world, &material, &kinds[0]), SCREE_OK);
    material.density *= 2;
    material.friction = 0.2;
    CHECK_EQUAL(scree_world_add_material(world, &material, &kinds[1]), SCREE_OK);
    bed_rule(world, &rule);
    drum_walls(world, drum, kinds);
    for (int k = 0; k < drum->across * drum->across * drum->layers; k++) {
        const int cell[3] = {k % drum->across, k / drum->across % drum->across,
                             k / (drum->across * drum->across)};
        body.material = kinds[drum->has_two_materials ? k % 2 : 0];
        body.shape = scree_shape_sphere(BED_RADIUS * scree_random_range(&random, drum->least, 1));
        for (int a = 0; a < 3; a++) {
            body.position[a] = pitch * cell[a] - (a < 2 ? middle : -0.5 * pitch) +
                               BED_RADIUS * scree_random_range(&random, -0.05, 0.05);
            body.velocity[a] =
                drum->is_still ? 0 : scree_random_range(&random, -1.5, a == 1 ? 0 : 1.5);
            body.spin[a] = drum->is_still ? 0 : scree_random_range(&random, -20, 20);
        }
        CHECK_EQUAL(scree_world_add_body(world, &body, NULL), SCREE_OK);
    }
    return world;
}

#endif
