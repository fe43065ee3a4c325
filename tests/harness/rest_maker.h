/*  A bin of balls that fall, come to rest and are hit, for tests of rest. */
#ifndef SCREE_TESTS_REST_MAKER_H
#define SCREE_TESTS_REST_MAKER_H

#include "scree/sleep.h"
#include "scree/wall.h"
#include "world_maker.h"

#include <math.h>

#define REST_RADIUS 0.01
#define REST_DT 1e-4

/*  What a bin is made of, and how it is computed. */
typedef struct rest_bin
{
    uint32_t across, layers; /* balls */
    const char *law;         /* NULL: hertz */
    bool is_periodic;        /* along y, instead of walls */
    bool computes_all;
    bool has_no_rest;
    scree_world_def def; /* made by rest_bin_of */
} rest_bin;

static inline rest_bin rest_bin_of(uint32_t across, uint32_t layers)
{
    rest_bin bin = {.across = across, .layers = layers, .def = scree_default_world_def()};

    bin.def.gravity[2] = -9.81;
    bin.def.step.dt = REST_DT;
    bin.def.local_damping = 0.3;
    bin.def.global_damping = 2;
    bin.def.detection.sort_every = 300;
    return bin;
}

static inline void rest_turn_on(scree_world *world, bool computes_all)
{
    scree_sleep_def rest = scree_default_sleep_def();

    rest.speed = 2e-3;
    rest.acceleration = 1;
    rest.steps = 40;
    rest.computes_all = computes_all;
    CHECK_EQUAL(scree_world_set_sleep(world, &rest), SCREE_OK);
}

static inline void rest_add_plane(scree_world *world, int axis, double at, double side)
{
    scree_wall_def wall = scree_default_wall_def();

    wall.material.index1 = 1;
    wall.point[axis] = at;
    for (int k = 0; k < 3; k++)
        wall.normal[k] = k == axis ? side : 0;
    CHECK_EQUAL(scree_world_add_wall(world, &wall, NULL), SCREE_OK);
}

/*  Balls of sizes that differ by a fifth, on a lattice, pushed aside a little. */
static inline scree_world *rest_bin_open(const rest_bin *bin)
{
    scree_material_def glass = scree_default_material_def();
    scree_rule_def rule = scree_default_rule_def();
    scree_world_def def = bin->def;
    const double width = 2.3 * REST_RADIUS * bin->across;

    if (bin->is_periodic) {
        def.domain.boundary[1] = SCREE_BOUNDARY_PERIODIC;
        def.domain.upper[1] = width;
    }
    glass.young = 2e6;
    glass.stiffness = 1e4;
    glass.restitution = 0.3;
    glass.rolling_friction = glass.twisting_friction = 0.05;
    scree_world *world = make_world(&def, &glass);
    if (bin->law) {
        const char *const names[] = {"bond_young", "bond_tension", "bond_shear"};
        const double values[] = {2e6, 1e3, 1e3};
        rule.law = bin->law;
        if (strcmp(bin->law, "bonded") == 0) {
            rule.type = SCREE_CONTACT_BODIES;
            rule.names = names;
            rule.values = values;
            rule.value_count = 3;
        }
        CHECK_EQUAL(scree_world_add_rule(world, &rule), SCREE_OK);
    }
    rest_add_plane(world, 2, 0, 1);
    for (int axis = 0; axis < (bin->is_periodic ? 1 : 2); axis++) {
        rest_add_plane(world, axis, 0, 1);
        rest_add_plane(world, axis, width, -1);
    }
    for (uint32_t k = 0; k < bin->across * bin->across * bin->layers; k++) {
        uint32_t x = k % bin->across, y = k / bin->across % bin->across;
        uint32_t z = k / bin->across / bin->across;
        scree_body_def body = ball(REST_RADIUS * (0.9 + 0.01 * (k * 7 % 11)), (x + 0.5) * 0.023,
                                   (y + 0.5) * 0.023, (z + 0.5) * 0.021);
        body.velocity[0] = 0.05 * (double)(k * 5 % 7) - 0.15;
        body.velocity[1] = 0.05 * (double)(k * 3 % 5) - 0.1;
        add(world, &body);
    }
    if (!bin->has_no_rest)
        rest_turn_on(world, bin->computes_all);
    return world;
}

/*  A fast heavy ball from above. */
static inline scree_body_id rest_hit(scree_world *world, const rest_bin *bin)
{
    double middle = 1.15 * REST_RADIUS * bin->across;
    scree_body_def body = ball(1.5 * REST_RADIUS, middle, middle, 0.025 * bin->layers + 0.03);

    body.velocity[2] = -1.5;
    return add(world, &body);
}

#endif
