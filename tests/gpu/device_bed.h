/*  Grains in a box of planes, for worlds on the host and on a device. */
#ifndef SCREE_TESTS_DEVICE_BED_H
#define SCREE_TESTS_DEVICE_BED_H

#include "base/random.h"
#include "scree/scree.h"
#include "test.h"
#include "world/device/device.h"

typedef struct device_bed
{
    const char *law; /* of all contacts; NULL: the default */
    int side;        /* grains along x and y, */
    int layers;      /* and up */
    double least;    /* radius, over the largest */
    double speed;    /* m/s, at most, along each axis */
    double damping;  /* global */
    double local_damping;
    bool has_weight, shakes, has_two_materials;
    bool is_periodic; /* along x and y; along z, too, without walls: */
    bool has_no_walls;
    double gradient[9]; /* of the cell */
    bool homogeneous;
    double dt;
    const char *const
        *names; /* parameters of the law, NULL-terminated, and their values; NULL: none */
    const double *values;
} device_bed;

#define BED_RADIUS 0.005

/*  SCREE_TEST_DEVICE chooses. */
static inline const char *test_device(void)
{
    const char *chosen = getenv("SCREE_TEST_DEVICE");

    return chosen && *chosen ? chosen : "gpu";
}

/*  Where no device can compute worlds there is nothing to test: says so, once. */
static inline bool has_device(void)
{
    scree_world_def def = scree_default_world_def();
    scree_world *world = NULL;
    scree_error why = {0};
    static bool is_said;

    def.step.dt = 1e-5;
    def.compute.device = test_device();
    def.hooks.error = &why;
    scree_status status = scree_world_create(&def, &world);
    if (status && !is_said)
        printf("no device: %s\n", why.text);
    is_said |= status != SCREE_OK;
    scree_world_destroy(world);
    return status == SCREE_OK;
}

static inline void bed_walls(scree_world *world, const device_bed *bed, scree_material_id material)
{
    const double width = 2.2 * BED_RADIUS * bed->side, height = 2.2 * BED_RADIUS * bed->layers;
    scree_wall_def wall = scree_default_wall_def();

    wall.material = material;
    for (int side = bed->is_periodic ? 4 : 0; side < 6 && !bed->has_no_walls; side++) {
        for (int a = 0; a < 3; a++) {
            wall.normal[a] = a == side / 2 ? (side % 2 ? -1 : 1) : 0;
            wall.point[a] = a == side / 2 && side % 2 ? (a == 2 ? 2 * height : width) : 0;
            wall.path.swing[a] = bed->shakes && side == 4 && a == 2 ? 0.001 : 0;
            wall.path.velocity[a] = bed->shakes && side == 0 && a == 1 ? 0.05 : 0;
        }
        wall.path.frequency = 40;
        CHECK_EQUAL(scree_world_add_wall(world, &wall, NULL), SCREE_OK);
    }
}

static inline void bed_cell(scree_world *world, const device_bed *bed)
{
    scree_cell_def cell;
    bool moves = bed->homogeneous;

    for (int k = 0; k < 9; k++)
        moves |= bed->gradient[k] != 0;
    if (!moves)
        return;
    scree_world_get_cell(world, &cell);
    memcpy(cell.gradient, bed->gradient, sizeof bed->gradient);
    cell.homogeneous = bed->homogeneous;
    CHECK_EQUAL(scree_world_set_cell(world, &cell), SCREE_OK);
}

static inline void bed_rule(scree_world *world, const device_bed *bed)
{
    scree_rule_def rule = scree_default_rule_def();

    if (!bed->law)
        return;
    rule.law = bed->law;
    rule.names = bed->names;
    rule.values = bed->values;
    while (bed->names && bed->names[rule.value_count])
        rule.value_count++;
    CHECK_EQUAL(scree_world_add_rule(world, &rule), SCREE_OK);
}

static inline scree_world *make_bed(const device_bed *bed, const char *device)
{
    scree_world_def def = scree_default_world_def();
    scree_material_def material = scree_default_material_def();
    scree_body_def body = scree_default_body_def();
    scree_material_id kinds[2];
    scree_random random = scree_random_stream(7, 0);
    scree_error why = {0};
    scree_world *world;

    def.step.dt = bed->dt > 0 ? bed->dt : 1e-5;
    def.compute.device = device;
    def.hooks.error = &why;
    def.gravity[2] = bed->has_weight ? -9.81 : 0;
    def.global_damping = bed->damping;
    def.local_damping = bed->local_damping;
    for (int a = 0; bed->is_periodic && a < (bed->has_no_walls ? 3 : 2); a++) {
        def.domain.boundary[a] = SCREE_BOUNDARY_PERIODIC;
        def.domain.lower[a] = 0;
        def.domain.upper[a] = 2.2 * BED_RADIUS * (a < 2 ? bed->side : bed->layers);
    }
    if (scree_world_create(&def, &world)) {
        printf("%s\n", why.text);
        CHECK(false);
    }
    CHECK_EQUAL(scree_world_add_material(world, &material, &kinds[0]), SCREE_OK);
    material.density *= 2;
    material.friction = 0.2;
    CHECK_EQUAL(scree_world_add_material(world, &material, &kinds[1]), SCREE_OK);
    bed_rule(world, bed);
    bed_walls(world, bed, kinds[0]);
    for (int k = 0; k < bed->side * bed->side * bed->layers; k++) {
        const int cell[3] = {k % bed->side, k / bed->side % bed->side, k / (bed->side * bed->side)};
        body.material = kinds[bed->has_two_materials ? k % 2 : 0];
        body.shape = scree_shape_sphere(BED_RADIUS * scree_random_range(&random, bed->least, 1));
        for (int a = 0; a < 3; a++) {
            body.position[a] = BED_RADIUS * (2.2 * cell[a] + 1.1) +
                               BED_RADIUS * scree_random_range(&random, -0.05, 0.05);
            body.velocity[a] = scree_random_range(&random, -bed->speed, bed->speed);
            body.spin[a] = scree_random_range(&random, -20, 20);
        }
        CHECK_EQUAL(scree_world_add_body(world, &body, NULL), SCREE_OK);
    }
    bed_cell(world, bed);
    return world;
}

/*  Steps of a world of the host and one of a device in calls of a few lengths, with digests between them that are
    compared. Destroys both. */
static inline void check_same_worlds(scree_world *host, scree_world *device, uint64_t steps)
{
    uint64_t done = 0;

    for (uint64_t many = 1; done < steps; many = 3 * many + 1) {
        const uint64_t now = many < steps - done ? many : steps - done;
        scree_status status = scree_world_step(host, now), other = scree_world_step(device, now);
        done += now;
        if (status != other)
            printf("host: %s\ndevice: %s\n", scree_world_message(host),
                   scree_world_message(device));
        CHECK_EQUAL(status, other);
        CHECK_EQUAL(scree_world_clock(host).steps, scree_world_clock(device).steps);
        if (scree_world_digest(host) != scree_world_digest(device))
            printf("after %" PRIu64 " steps\n", done);
        CHECK(scree_world_digest(host) == scree_world_digest(device));
        CHECK_EQUAL(status, SCREE_OK);
    }
    /* it was the device that took them */
    const scree_device_course course = scree_device_course_of(device);
    CHECK(course.searches > 0);
    CHECK_EQUAL(course.host_steps, 0);
    FIGURE("searches %.0f", (double)course.searches);
    scree_world_destroy(host);
    scree_world_destroy(device);
}

static inline void check_same_steps(const device_bed *bed, uint64_t steps)
{
    check_same_worlds(make_bed(bed, NULL), make_bed(bed, test_device()), steps);
}

#endif
