/*  Sets of bodies in a homogeneous periodic cell that is driven to given stresses, for tests: bodies of each kind, and what their
    stress is by a slow reference. */
#ifndef SCREE_TESTS_CELL_BODIES_H
#define SCREE_TESTS_CELL_BODIES_H

#include "harness/mesh_maker.h"
#include "harness/world_maker.h"
#include "scree/cell.h"
#include "scree/shape.h"

#include "base/random.h"

#include <math.h>

#define R 0.01

typedef enum body_kind
{
    OF_BALLS,
    OF_CLUMPS,
    OF_BLOCKS, /* in two dimensions polygons */
    OF_MESHES, /* in three */
    OF_ALL,    /* in turn */
} body_kind;

typedef struct cell_bodies
{
    int dimensions, many; /* along each axis */
    const char *method;
    uint32_t threads;
    body_kind kind;
    scree_integrator integrator; /* 0: velocity Verlet */
    double dt;                   /* s; 0: 2e-5 */
    scree_allocator allocator;
    scree_log log;
} cell_bodies;

typedef struct cell_shapes
{
    scree_clump *clump;
    scree_mesh *block, *mesh;
} cell_shapes;

static inline scree_mesh *cell_square(double half)
{
    const double corner[] = {-half, -half, 0, half, -half, 0, half, half, 0, -half, half, 0};
    const uint32_t side[] = {0, 1, 1, 2, 2, 3, 3, 0};
    scree_mesh_def def = scree_default_mesh_def();
    scree_mesh *mesh = NULL;

    def.corners = 2;
    def.vertices = corner;
    def.vertex_count = def.facet_count = 4;
    def.facets = side;
    CHECK_EQUAL(scree_mesh_create(&def, &mesh), SCREE_OK);
    return mesh;
}

static inline scree_mesh *cell_cube(double half)
{
    const double lower[3] = {-half, -half, -half}, upper[3] = {half, half, half};
    maker m = maker_box(lower, upper);
    scree_mesh *mesh = maker_mesh(&m);

    maker_free(&m);
    return mesh;
}

/*  No body reaches further than R. */
static inline cell_shapes cell_shapes_of(int dimensions)
{
    static const scree_pebble pebbles[2] = {{{-0.4 * R, 0, 0}, 0.6 * R},
                                            {{0.4 * R, 0, 0}, 0.6 * R}};
    scree_clump_def def = scree_default_clump_def();
    scree_globe_def globe = scree_default_globe_def();
    cell_shapes shapes = {NULL, NULL, NULL};

    def.dimensions = dimensions;
    def.pebbles = pebbles;
    def.pebble_count = 2;
    CHECK_EQUAL(scree_clump_create(&def, &shapes.clump), SCREE_OK);
    shapes.block = dimensions == 2 ? cell_square(0.6 * R) : cell_cube(0.5 * R);
    globe.facets = 20;
    globe.radius = 0.88 * R;
    if (dimensions == 3)
        CHECK_EQUAL(scree_mesh_globe(&globe, &shapes.mesh), SCREE_OK);
    return shapes;
}

static inline void cell_shapes_free(cell_shapes *shapes)
{
    scree_clump_destroy(shapes->clump);
    scree_mesh_destroy(shapes->block);
    scree_mesh_destroy(shapes->mesh);
}

static inline void put_shape_on(const cell_bodies *c, const cell_shapes *shapes, int body,
                                scree_body_def *def)
{
    body_kind kind = c->kind != OF_ALL    ? c->kind
                     : c->dimensions == 3 ? (body_kind)(body % 4)
                                          : (body_kind)(body % 3);

    if (kind == OF_CLUMPS)
        def->shape = scree_shape_clump(shapes->clump);
    if (kind == OF_BLOCKS)
        def->shape = scree_shape_block(shapes->block, 0.1 * R);
    if (kind == OF_MESHES)
        def->shape = scree_shape_mesh(shapes->mesh, 0.1 * R);
}

static inline scree_world_def def_of(const cell_bodies *c)
{
    scree_world_def def = scree_default_world_def();

    def.dimensions = c->dimensions;
    def.step.dt = c->dt > 0 ? c->dt : 2e-5;
    def.step.integrator = c->integrator ? c->integrator : SCREE_VELOCITY_VERLET;
    def.hooks.log = c->log;
    def.detection.method = c->method ? c->method : "auto";
    def.compute.thread_count = c->threads ? c->threads : 1;
    def.hooks.allocator = c->allocator;
    def.energy_balance = true;
    def.detection.sort_every = 50;
    for (int k = 0; k < c->dimensions; k++) {
        def.domain.boundary[k] = SCREE_BOUNDARY_PERIODIC;
        def.domain.upper[k] = c->many * 2.1 * R;
    }
    return def;
}

/*  Bodies in disorder that do not touch, in a homogeneous cell. */
static inline scree_world *loose(const cell_bodies *c)
{
    scree_world_def def = def_of(c);
    scree_material_def material = scree_default_material_def();
    scree_random random = scree_random_stream(5, 0);
    int layers = c->dimensions == 3 ? c->many : 1;
    cell_shapes shapes = cell_shapes_of(c->dimensions);
    scree_cell_def flow;

    material.young = 1e7;
    material.density = 2500;
    material.friction = 0.4;
    material.restitution = 0.6;
    scree_world *world = make_world(&def, &material);
    for (int i = 0; i < c->many * c->many * layers; i++) {
        const int cell[3] = {i % c->many, i / c->many % c->many, i / c->many / c->many};
        double at[3] = {0};
        for (int k = 0; k < c->dimensions; k++)
            at[k] = (cell[k] + 0.5) * 2.1 * R + R * scree_random_range(&random, -0.05, 0.05);
        scree_body_def body = ball(R * scree_random_range(&random, 0.7, 1), at[0], at[1], at[2]);
        put_shape_on(c, &shapes, i, &body);
        for (int k = 0; k < c->dimensions; k++)
            body.velocity[k] = scree_random_range(&random, -0.05, 0.05);
        add(world, &body);
    }
    cell_shapes_free(&shapes);
    scree_world_get_cell(world, &flow);
    flow.homogeneous = true;
    CHECK_EQUAL(scree_world_set_cell(world, &flow), SCREE_OK);
    return world;
}

static inline void press(scree_world *world, double pressure)
{
    scree_cell_servo_def servo = scree_default_cell_servo_def();

    servo.pressure = pressure;
    servo.max_rate = 2;
    if (scree_world_set_cell_servo(world, &servo))
        FAIL("%s", scree_world_message(world));
}

static inline void shear(scree_world *world, double rate)
{
    scree_cell_def cell;

    scree_world_get_cell(world, &cell);
    cell.gradient[0][1] = rate;
    if (scree_world_set_cell(world, &cell))
        FAIL("%s", scree_world_message(world));
}

static inline double pressure_of(const scree_world *world)
{
    double pressure;

    CHECK(scree_world_get_cell_servo(world, NULL, NULL, &pressure));
    return pressure;
}

/*  Mean and largest distance from the target, over so many looks. */
static inline double mean_pressure(scree_world *world, double target, int looks, double *most)
{
    double sum = 0;

    *most = 0;
    for (int k = 0; k < looks; k++) {
        step(world, 50);
        sum += pressure_of(world);
        *most = fmax(*most, fabs(pressure_of(world) - target));
    }
    return sum / looks;
}

/*  A log for the last word of servos, of 300 bytes. */
static inline void hear_servos(scree_log_level level, scree_log_id id, const char *text, void *user)
{
    if (level == SCREE_LOG_WARNING && id == SCREE_LOG_SERVO)
        snprintf(user, 300, "%s", text);
}

/* ---- what it measures ---- */

/*  From the first to the nearest image of the second: all 125 near ones are tried. */
static inline void nearest(const scree_cell_def *cell, const double from[3], const double to[3],
                           double line[3])
{
    double least = INFINITY;

    for (int n = 0; n < 125; n++) {
        double by[3] = {n % 5 - 2, n / 5 % 5 - 2, n / 25 - 2}, way[3], square = 0;
        double edge[3];
        for (int k = 0; k < 3; k++)
            edge[k] = cell->upper[k] - cell->lower[k];
        way[0] = to[0] - from[0] + by[0] * edge[0] + by[1] * cell->tilt[0] + by[2] * cell->tilt[1];
        way[1] = to[1] - from[1] + by[1] * edge[1] + by[2] * cell->tilt[2];
        way[2] = to[2] - from[2] + by[2] * edge[2];
        for (int k = 0; k < 3; k++)
            square += way[k] * way[k];
        if (square < least)
            memcpy(line, way, sizeof way);
        least = fmin(least, square);
    }
}

/*  Beside the flow of `before`, which was the cell's in the last step: what bodies have got since, to go on with the cell as it
    is now, was not there when the stress was measured. */
static inline void reference_stress(scree_world *world, const scree_cell_def *before,
                                    double stress[3][3])
{
    const double dt = scree_world_clock(world).dt;
    scree_bodies_view view = scree_world_bodies(world);
    const scree_contact *contacts;
    scree_cell_def cell;
    double volume = 1, mass = 0, drift[3] = {0}, line[3] = {0};
    size_t many;

    memset(stress, 0, 9 * sizeof(double));
    scree_world_get_cell(world, &cell);
    for (int pass = 0; pass < 2; pass++)
        for (size_t b = 0; b < view.count; b++) {
            double m = 1 / scree_double_at(view.inverse_mass, b), own[3];
            for (int i = 0; i < 3; i++) {
                own[i] = scree_row_at(view.velocity, b)[i] - (pass ? drift[i] / mass : 0);
                for (int k = 0; k < 3; k++) {
                    double flow = cell.gradient[i][k];
                    for (int n = 0; n < 3; n++)
                        flow += dt * before->gradient[i][n] * before->gradient[n][k];
                    own[i] -= flow * (scree_row_at(view.position, b)[k] -
                                      0.5 * (cell.lower[k] + cell.upper[k]));
                }
            }
            for (int i = 0; i < 3 && !pass; i++)
                drift[i] += m * own[i];
            mass += pass ? 0 : m;
            for (int i = 0; i < 9 && pass; i++)
                stress[i / 3][i % 3] += m * own[i / 3] * own[i % 3];
        }
    CHECK_EQUAL(scree_world_contacts(world, NULL, &contacts, &many), SCREE_OK);
    for (size_t c = 0; c < many; c++) {
        nearest(&cell, body_of(world, contacts[c].first).position,
                body_of(world, contacts[c].second).position, line);
        for (int i = 0; i < 9; i++)
            stress[i / 3][i % 3] -= contacts[c].force[i / 3] * line[i % 3];
    }
    for (int k = 0; k < 3; k++)
        volume *= cell.upper[k] > cell.lower[k] ? cell.upper[k] - cell.lower[k] : 1;
    for (int i = 0; i < 9; i++)
        stress[i / 3][i % 3] /= volume;
}

#endif
