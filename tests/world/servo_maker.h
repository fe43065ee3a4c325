/*  Worlds with servo walls, for tests: a sphere under a lid, and packings between planes. */
#ifndef SCREE_TESTS_SERVO_MAKER_H
#define SCREE_TESTS_SERVO_MAKER_H

#include "harness/world_maker.h"

#include <math.h>

#define R 0.001

static inline scree_wall_id add_plane(scree_world *world, double x, double y, double z, int axis,
                                      double side)
{
    scree_wall_def def = scree_default_wall_def();
    scree_wall_id id;

    def.material.index1 = 1;
    def.point[0] = x;
    def.point[1] = y;
    def.point[2] = z;
    memset(def.normal, 0, sizeof def.normal);
    def.normal[axis] = side;
    if (scree_world_add_wall(world, &def, &id))
        FAIL("no wall: %s", scree_world_message(world));
    return id;
}

static inline void set_servo(scree_world *world, scree_wall_id id,
                             const scree_wall_servo_def *servo)
{
    if (scree_world_set_wall_servo(world, id, servo))
        FAIL("no servo: %s", scree_world_message(world));
}

static inline scree_wall wall_of(scree_world *world, scree_wall_id id)
{
    scree_wall wall;

    CHECK_EQUAL(scree_world_get_wall(world, id, &wall), SCREE_OK);
    return wall;
}

static inline scree_wall_servo_def pushing(double force, double max_speed)
{
    scree_wall_servo_def servo = scree_default_wall_servo_def();

    servo.force = force;
    servo.max_speed = max_speed;
    return servo;
}

/*  A sphere on a floor, and a plane above it by `gap`. */
typedef struct press
{
    scree_world *world;
    scree_body_id body;
    scree_wall_id floor, lid;
} press;

static inline press make_press(const scree_world_def *def, const scree_material_def *material,
                               double gap)
{
    press p = {.world = make_world(def, material)};
    scree_body_def body = ball(R, 0, 0, R);

    if (def->dimensions == 2) {
        body.position[1] = R;
        body.position[2] = 0;
    }
    p.body = add(p.world, &body);
    int up = def->dimensions - 1;
    p.floor = add_plane(p.world, 0, 0, 0, up, 1);
    p.lid = add_plane(p.world, 0, up == 1 ? 2 * R + gap : 0, up == 2 ? 2 * R + gap : 0, up, -1);
    return p;
}

static inline scree_world_def fixed(double dt)
{
    scree_world_def def = scree_default_world_def();

    def.step.dt = dt;
    return def;
}

static inline scree_mesh *make_plate(double side, bool is_closed, int corners)
{
    double h = side / 2;
    const double plate[] = {-h, -h, 0, h, -h, 0, h, h, 0, -h, h, 0,
                            -h, -h, h, h, -h, h, h, h, h, -h, h, h};
    static const uint32_t facets[] = {0, 2, 1, 0, 3, 2, 4, 5, 6, 4, 6, 7, 0, 1, 5, 0, 5, 4,
                                      1, 2, 6, 1, 6, 5, 2, 3, 7, 2, 7, 6, 3, 0, 4, 3, 4, 7};
    static const uint32_t segments[] = {0, 1, 1, 2};
    scree_mesh_def def = scree_default_mesh_def();
    scree_mesh *mesh;

    def.corners = corners;
    def.vertices = plate;
    def.vertex_count = is_closed ? 8 : corners == 3 ? 4 : 3;
    def.facets = corners == 3 ? facets : segments;
    def.facet_count = is_closed ? 12 : 2;
    CHECK_EQUAL(scree_mesh_create(&def, &mesh), SCREE_OK);
    return mesh;
}

static inline scree_wall_id add_mesh(scree_world *world, scree_mesh *mesh, double z)
{
    scree_wall_def def = scree_default_wall_def();
    scree_wall_id id;

    def.kind = SCREE_WALL_MESH;
    def.material.index1 = 1;
    def.mesh = mesh;
    def.point[2] = z;
    if (scree_world_add_wall(world, &def, &id))
        FAIL("no wall: %s", scree_world_message(world));
    scree_mesh_destroy(mesh);
    return id;
}

/*  Bodies on a grid, a little apart, each a little elsewhere, between planes that all are driven. */
typedef struct packing
{
    scree_world *world;
    scree_wall_id wall[6];
    int sides;
} packing;

static inline packing make_packing(scree_world_def def, int across, double friction,
                                   scree_shape shape)
{
    scree_material_def material = scree_default_material_def();
    packing p = {.sides = 2 * def.dimensions};
    double width = across * 2.1 * shape.radius;
    uint32_t seed = 1;

    material.friction = friction;
    p.world = make_world(&def, &material);
    for (int k = 0; k < p.sides; k++) {
        double place = k % 2 ? width : 0;
        p.wall[k] = add_plane(p.world, k / 2 == 0 ? place : 0, k / 2 == 1 ? place : 0,
                              k / 2 == 2 ? place : 0, k / 2, k % 2 ? -1 : 1);
    }
    for (int k = 0; k < across * across * (def.dimensions == 3 ? across : 1); k++) {
        double at[3] = {k % across, k / across % across, k / across / across};
        scree_body_def body = ball(shape.radius, 0, 0, 0);
        body.shape = shape;
        for (int a = 0; a < def.dimensions; a++) {
            seed = seed * 1664525u + 1013904223u;
            body.position[a] =
                (at[a] * 2.1 + 1.05 + 0.04 * ((double)(seed >> 8) / (1 << 24) - 0.5)) *
                shape.radius;
        }
        add(p.world, &body);
    }
    return p;
}

static inline void drive(const packing *p, double stress, double max_speed)
{
    for (int k = 0; k < p->sides; k++) {
        scree_wall_servo_def servo = scree_default_wall_servo_def();
        servo.stress = stress;
        servo.max_speed = max_speed;
        for (int j = 0, n = 0; j < p->sides; j++)
            if (j / 2 != k / 2)
                servo.between[n++] = p->wall[j];
        set_servo(p->world, p->wall[k], &servo);
    }
}

static inline scree_clump *make_dumbbell(void)
{
    static const scree_pebble pebbles[] = {{{-0.4 * R, 0, 0}, 0.6 * R}, {{0.4 * R, 0, 0}, 0.6 * R}};
    scree_clump_def def = scree_default_clump_def();
    scree_clump *clump;

    def.pebbles = pebbles;
    def.pebble_count = 2;
    CHECK_EQUAL(scree_clump_create(&def, &clump), SCREE_OK);
    return clump;
}

#endif
