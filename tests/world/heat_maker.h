/*  Worlds whose bodies have temperatures, for tests. */
#ifndef SCREE_TESTS_HEAT_MAKER_H
#define SCREE_TESTS_HEAT_MAKER_H

#include "scree/heat.h"
#include "servo_maker.h"

#define CONDUCTIVITY 2.0
#define CAPACITY 500.0
/*  Of neighbours in chains. */
#define SQUEEZE (0.01 * R)
/*  Nothing moves them, and yet they are in touch with each other. */
#define PINNED (SCREE_FREEZE_X | SCREE_FREEZE_Y | SCREE_FREEZE_Z)

static inline void heat_material(scree_world *world, uint32_t index1, double conductivity,
                                 double capacity)
{
    scree_material_heat_def heat = scree_default_material_heat_def();

    heat.conductivity = conductivity;
    heat.capacity = capacity;
    if (scree_world_set_material_heat(world, (scree_material_id){index1}, &heat))
        FAIL("no heat: %s", scree_world_message(world));
}

static inline void turn_heat_on(scree_world *world, double temperature)
{
    scree_heat_def def = scree_default_heat_def();

    def.temperature = temperature;
    if (scree_world_set_heat(world, &def))
        FAIL("no heat: %s", scree_world_message(world));
    heat_material(world, 1, CONDUCTIVITY, CAPACITY);
}

static inline void set_temperature(scree_world *world, scree_body_id id, double temperature,
                                   bool is_held)
{
    scree_body_heat heat = {.temperature = temperature, .is_held = is_held};

    if (scree_world_set_body_heat(world, id, &heat))
        FAIL("no temperature: %s", scree_world_message(world));
}

static inline void set_wall_temperature(scree_world *world, scree_wall_id id, double temperature)
{
    scree_wall_heat heat = {.is_given = true, .temperature = temperature};

    if (scree_world_set_wall_heat(world, id, &heat))
        FAIL("no temperature: %s", scree_world_message(world));
}

static inline double temperature(const scree_world *world, scree_body_id id)
{
    return scree_world_temperature(world, id);
}

static inline scree_body_heat heat_of(const scree_world *world, scree_body_id id)
{
    scree_body_heat heat;

    CHECK_EQUAL(scree_world_get_body_heat(world, id, &heat), SCREE_OK);
    return heat;
}

static inline scree_wall_heat wall_heat(const scree_world *world, scree_wall_id id)
{
    scree_wall_heat heat;

    CHECK_EQUAL(scree_world_get_wall_heat(world, id, &heat), SCREE_OK);
    return heat;
}

/*  W/K through a contact with this radius and overlap. */
static inline double conductance_of(double radius, double overlap)
{
    return 2 * CONDUCTIVITY * sqrt(radius * overlap);
}

/*  Of two neighbours in a chain. */
static inline double chain_link(void)
{
    return conductance_of(R / 2, SQUEEZE);
}

/*  What is in the world came from somewhere, to the last bits of it. */
static inline void check_books(const scree_world *world, double share)
{
    scree_heat_totals heat = scree_world_heat(world);

    CHECK(heat.is_on);
    CHECK_NEAR(heat.entered - heat.removed + heat.walls + heat.sources + heat.losses, heat.content,
               share * (heat.content + heat.removed));
}

/*  Pinned spheres along x, each SQUEEZE into the next; the first at 0. */
static inline scree_world *make_chain(const scree_world_def *def, int count, double start,
                                      scree_body_id *ids)
{
    scree_world *world = make_world(def, NULL);

    turn_heat_on(world, start);
    for (int k = 0; k < count; k++) {
        scree_body_def body = ball(R, k * (2 * R - SQUEEZE), 0, 0);
        body.flags = PINNED;
        ids[k] = add(world, &body);
    }
    return world;
}

/*  One of each kind of shape; how high above a plane their centres are where they touch it, and how far to the side of
    their highest point. */
typedef struct made_shapes
{
    scree_mesh *mesh;
    scree_clump *clump;
    double height[4], side[4];
} made_shapes;

static inline made_shapes make_shapes(scree_shape shape[4])
{
    const double skin = 0.02 * R;
    made_shapes made = {make_plate(1.6 * R, true, 3), make_dumbbell(), {R, 0.6 * R}, {0, 0.4 * R}};

    made.height[2] = made.height[3] = 0.4 * R + skin;
    shape[0] = scree_shape_sphere(R);
    shape[1] = scree_shape_clump(made.clump);
    shape[2] = scree_shape_mesh(made.mesh, skin);
    shape[3] = scree_shape_block(made.mesh, skin);
    return made;
}

static inline void free_shapes(made_shapes *made)
{
    scree_mesh_destroy(made->mesh);
    scree_clump_destroy(made->clump);
}

#endif
