/*  A world with a fluid: balls, a swirl of grains, and the energy balance with the work of the fluid. */
#ifndef TEST_WORLD_POND_MAKER_H
#define TEST_WORLD_POND_MAKER_H

#include "scree/scree.h"
#include "test.h"

#include <math.h>

#define PI 3.14159265358979323846
#define GRAVITY 9.81

typedef struct pond
{
    scree_world *world;
    scree_material_id material;
} pond;

static inline scree_world_def pond_def(double dt)
{
    scree_world_def def = scree_default_world_def();

    def.step.dt = dt;
    def.gravity[2] = -GRAVITY;
    def.energy_balance = true;
    return def;
}

static inline pond open_pond(const scree_world_def *def)
{
    pond p = {0};
    scree_material_def material = scree_default_material_def();

    CHECK_EQUAL(scree_world_create(def, &p.world), SCREE_OK);
    material.density = 2500;
    material.young = 1e6;
    CHECK_EQUAL(scree_world_add_material(p.world, &material, &p.material), SCREE_OK);
    return p;
}

static inline scree_body_id add_ball(const pond *p, double radius, double x, double y, double z)
{
    scree_body_def def = scree_default_body_def();
    scree_body_id id;

    def.shape = scree_shape_sphere(radius);
    def.material = p->material;
    def.position[0] = x;
    def.position[1] = y;
    def.position[2] = z;
    CHECK_EQUAL(scree_world_add_body(p->world, &def, &id), SCREE_OK);
    return id;
}

static inline scree_fluid_def oil(void)
{
    scree_fluid_def def = scree_default_fluid_def();

    def.drag = SCREE_DRAG_STOKES;
    def.density = 900;
    def.viscosity = 0.1;
    return def;
}

static inline void set_fluid(const pond *p, const scree_fluid_def *def)
{
    CHECK_EQUAL(scree_world_set_fluid(p->world, def), SCREE_OK);
}

static inline void step(const pond *p, uint64_t count)
{
    if (scree_world_step(p->world, count))
        FAIL("%s", scree_world_message(p->world));
}

static inline scree_body body_of(const pond *p, scree_body_id id)
{
    scree_body body;

    CHECK_EQUAL(scree_world_get_body(p->world, id, &body), SCREE_OK);
    return body;
}

static inline double balance(const pond *p)
{
    const scree_energy e = scree_world_energy(p->world);
    const scree_ambient_work work = scree_world_ambient_work(p->world);

    return e.kinetic + e.rotational + e.potential + e.elastic + e.damping + e.friction + e.rolling +
           e.body_damping - e.walls - e.loads - e.boundary - e.entered + e.removed - work.fluid -
           work.fields;
}

/*  Grains that fall into a swirling fluid with void fractions of their own, and are shaken by a field. */
static inline pond open_swirl(scree_simd simd, uint32_t threads, bool backwards)
{
    scree_world_def def = pond_def(2e-5);
    scree_fluid_def fluid = scree_default_fluid_def();
    scree_force_field_def field = scree_default_force_field_def();
    scree_wall_def floor = scree_default_wall_def();
    scree_wall_id wall;
    const double nodes[][3] = {{0, 0, 0.1}, {0.1, 0, 0}};
    const scree_flow_grid flow = {{1, 2, 1}, {0, 0, 0}, {1, 0.02, 1}, nodes};

    def.compute.simd = simd;
    def.compute.thread_count = threads;
    def.detection.sort_every = backwards ? 3 : 0;
    pond p = open_pond(&def);
    floor.material = p.material;
    CHECK_EQUAL(scree_world_add_wall(p.world, &floor, &wall), SCREE_OK);
    for (int k = 0; k < 300; k++)
        add_ball(&p, 1e-3 * (1 + k % 3 * 0.2), k % 7 * 2.6e-3, k / 7 % 7 * 2.6e-3,
                 1.5e-3 + k / 49 * 2.6e-3);
    fluid.drag = SCREE_DRAG_DI_FELICE;
    fluid.density = 1000;
    fluid.viscosity = 1e-3;
    fluid.cell = 6e-3;
    fluid.has_rotational_drag = true;
    fluid.velocity[0] = "-20 * (y - 0.008) * exp(-t)";
    fluid.velocity[1] = "20 * (x - 0.008)";
    fluid.velocity[2] = "0.1 * sin(300 * x)";
    fluid.flow = &flow;
    set_fluid(&p, &fluid);
    field.acceleration[0] = "5 * sin(2 * pi * 200 * t) - 0.1 * vx";
    CHECK_EQUAL(scree_world_add_force_field(p.world, &field), SCREE_OK);
    return p;
}

#endif
