/*  Small worlds whose checkpoints have something in every section. */
#ifndef CHECKPOINT_WORLDS_H
#define CHECKPOINT_WORLDS_H

#include "harness/checkpoint_maker.h"
#include "scree/shape.h"
#include "scree/wall.h"

static inline scree_world *empty_world(void)
{
    scree_world_def def = scree_default_world_def();
    scree_world *world;

    def.step.dt = 1e-3;
    CHECK_EQUAL(scree_world_create(&def, &world), SCREE_OK);
    return world;
}

/*  Two discs that touch, in a box that one may leave, and a line of two segments under them. */
static inline scree_world *flat_world(void)
{
    static const double line[] = {-1, 0, 0, 0, 0, 0, 1, 0, 0};
    static const uint32_t segments[] = {0, 1, 1, 2};
    scree_world_def def = scree_default_world_def();
    scree_material_def material = scree_default_material_def();
    scree_mesh_def mesh_def = scree_default_mesh_def();
    scree_wall_def wall = scree_default_wall_def();
    scree_body_def body = scree_default_body_def();
    scree_world *world;
    scree_mesh *mesh;

    def.dimensions = 2;
    def.step.dt = 1e-4;
    def.gravity[1] = -10;
    def.domain.boundary[0] = SCREE_BOUNDARY_REFLECT;
    def.domain.lower[0] = -1;
    def.domain.upper[0] = 1;
    CHECK_EQUAL(scree_world_create(&def, &world), SCREE_OK);
    CHECK_EQUAL(scree_world_add_material(world, &material, &wall.material), SCREE_OK);
    mesh_def.corners = 2;
    mesh_def.vertices = line;
    mesh_def.vertex_count = 3;
    mesh_def.facets = segments;
    mesh_def.facet_count = 2;
    CHECK_EQUAL(scree_mesh_create(&mesh_def, &mesh), SCREE_OK);
    wall.kind = SCREE_WALL_MESH;
    wall.mesh = mesh;
    CHECK_EQUAL(scree_world_add_wall(world, &wall, NULL), SCREE_OK);
    scree_mesh_destroy(mesh);
    body.material = wall.material;
    body.shape = scree_shape_sphere(0.1);
    for (int k = 0; k < 2; k++) {
        body.position[0] = 0.199 * k;
        body.position[1] = 0.0999;
        CHECK_EQUAL(scree_world_add_body(world, &body, NULL), SCREE_OK);
    }
    advance(world, 3);
    return world;
}

/*  Three spheres on a plane that swings, with a rule, an energy balance, and one that has gone. */
static inline scree_world *balance_world(void)
{
    static const char *const names[] = {"restitution"};
    static const double values[] = {0.3};
    scree_world_def def = scree_default_world_def();
    scree_material_def material = scree_default_material_def();
    scree_rule_def rule = scree_default_rule_def();
    scree_wall_def wall = scree_default_wall_def();
    scree_body_def body = scree_default_body_def();
    scree_body_id gone;
    scree_world *world;

    def.step.dt = 1e-4;
    def.gravity[2] = -10;
    def.energy_balance = true;
    CHECK_EQUAL(scree_world_create(&def, &world), SCREE_OK);
    material.name = "glass";
    CHECK_EQUAL(scree_world_add_material(world, &material, &wall.material), SCREE_OK);
    rule.names = names;
    rule.values = values;
    rule.value_count = 1;
    CHECK_EQUAL(scree_world_add_rule(world, &rule), SCREE_OK);
    wall.path.swing[2] = 1e-3;
    wall.path.frequency = 10;
    CHECK_EQUAL(scree_world_add_wall(world, &wall, NULL), SCREE_OK);
    body.material = wall.material;
    body.shape = scree_shape_sphere(0.1);
    for (int k = 0; k < 4; k++) {
        body.position[0] = 0.199 * k;
        body.position[2] = 0.0999;
        CHECK_EQUAL(scree_world_add_body(world, &body, &gone), SCREE_OK);
    }
    advance(world, 3);
    CHECK_EQUAL(scree_world_remove_body(world, gone), SCREE_OK);
    return world;
}

/*  On a plane a tetrahedron that stands on an edge, across its upper edge another one, and on this a sphere: all
    touch. Steps are implicit. */
static inline scree_world *solid_world(void)
{
    static const double corners[] = {0.1,  0.1, 0.1,  0.1,  -0.1, -0.1,
                                     -0.1, 0.1, -0.1, -0.1, -0.1, 0.1};
    static const uint32_t facets[] = {0, 1, 2, 0, 3, 1, 0, 2, 3, 1, 3, 2};
    scree_world_def def = scree_default_world_def();
    scree_material_def material = scree_default_material_def();
    scree_mesh_def mesh_def = scree_default_mesh_def();
    scree_wall_def wall = scree_default_wall_def();
    scree_body_def body = scree_default_body_def();
    scree_world *world;
    scree_mesh *mesh;

    def.step.dt = 1e-4;
    def.gravity[2] = -10;
    def.energy_balance = true;
    def.step.integrator = SCREE_IMPLICIT_EULER;
    /* as before there was a choice */
    def.step.picard.keeps_sets = def.step.picard.skips_levels = false;
    CHECK_EQUAL(scree_world_create(&def, &world), SCREE_OK);
    CHECK_EQUAL(scree_world_add_material(world, &material, &wall.material), SCREE_OK);
    CHECK_EQUAL(scree_world_add_wall(world, &wall, NULL), SCREE_OK);
    mesh_def.vertices = corners;
    mesh_def.vertex_count = 4;
    mesh_def.facets = facets;
    mesh_def.facet_count = 4;
    CHECK_EQUAL(scree_mesh_create(&mesh_def, &mesh), SCREE_OK);
    body.material = wall.material;
    body.shape = scree_shape_mesh(mesh, 0.01);
    body.position[2] = 0.1095;
    CHECK_EQUAL(scree_world_add_body(world, &body, NULL), SCREE_OK);
    body.position[2] += 0.2195;
    CHECK_EQUAL(scree_world_add_body(world, &body, NULL), SCREE_OK);
    body.position[2] += 0.1595;
    body.shape = scree_shape_sphere(0.05);
    CHECK_EQUAL(scree_world_add_body(world, &body, NULL), SCREE_OK);
    scree_mesh_destroy(mesh);
    advance(world, 3);
    return world;
}

/*  Three spheres that roll down a ramp of two triangles. */
static inline scree_world *rolling_world(void)
{
    static const double ramp[] = {-1, -1, 0, 1, -1, 0.2, 1, 1, 0.2, -1, 1, 0};
    static const uint32_t facets[] = {0, 1, 2, 0, 2, 3};
    scree_world_def def = scree_default_world_def();
    scree_material_def material = scree_default_material_def();
    scree_mesh_def mesh_def = scree_default_mesh_def();
    scree_rule_def rule = scree_default_rule_def();
    scree_wall_def wall = scree_default_wall_def();
    scree_body_def body = scree_default_body_def();
    scree_world *world;
    scree_mesh *mesh;

    def.step.dt = 1e-4;
    def.gravity[2] = -10;
    CHECK_EQUAL(scree_world_create(&def, &world), SCREE_OK);
    material.rolling_friction = 0.1;
    CHECK_EQUAL(scree_world_add_material(world, &material, &wall.material), SCREE_OK);
    rule.law = "hertz-rolling";
    CHECK_EQUAL(scree_world_add_rule(world, &rule), SCREE_OK);
    mesh_def.vertices = ramp;
    mesh_def.vertex_count = 4;
    mesh_def.facets = facets;
    mesh_def.facet_count = 2;
    CHECK_EQUAL(scree_mesh_create(&mesh_def, &mesh), SCREE_OK);
    wall.kind = SCREE_WALL_MESH;
    wall.mesh = mesh;
    CHECK_EQUAL(scree_world_add_wall(world, &wall, NULL), SCREE_OK);
    scree_mesh_destroy(mesh);
    body.material = wall.material;
    body.shape = scree_shape_sphere(0.1);
    for (int k = 0; k < 3; k++) {
        body.position[1] = 0.199 * (k - 1);
        body.position[2] = 0.2;
        body.spin[0] = k;
        CHECK_EQUAL(scree_world_add_body(world, &body, NULL), SCREE_OK);
    }
    advance(world, 3);
    return world;
}

static inline scree_world *small_world(int number)
{
    static scree_world *(*const make[])(void) = {empty_world, flat_world, balance_world,
                                                 solid_world, rolling_world};
    return make[number]();
}

#endif
