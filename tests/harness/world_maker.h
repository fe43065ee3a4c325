/*  Small worlds for tests of how bodies move. */
#ifndef WORLD_MAKER_H
#define WORLD_MAKER_H

#include "scree/wall.h"
#include "scree/world.h"
#include "test.h"

/*  A world whose one material is `material`, or the default one if that is NULL. */
static inline scree_world *make_world(const scree_world_def *def,
                                      const scree_material_def *material)
{
    scree_material_def standard = scree_default_material_def();
    scree_world_def with_error = *def;
    scree_error error = {0};
    scree_world *world;

    with_error.hooks.error = &error;
    if (scree_world_create(&with_error, &world))
        FAIL("no world: %s", error.text);
    CHECK_EQUAL(scree_world_add_material(world, material ? material : &standard, NULL), SCREE_OK);
    return world;
}

/*  A body of that material. */
static inline scree_body_def ball(double radius, double x, double y, double z)
{
    scree_body_def def = scree_default_body_def();

    def.shape = scree_shape_sphere(radius);
    def.material.index1 = 1;
    def.position[0] = x;
    def.position[1] = y;
    def.position[2] = z;
    return def;
}

static inline scree_body_id add(scree_world *world, const scree_body_def *def)
{
    scree_body_id id;

    if (scree_world_add_body(world, def, &id))
        FAIL("no body: %s", scree_world_message(world));
    return id;
}

static inline scree_body body_of(const scree_world *world, scree_body_id id)
{
    scree_body body;

    CHECK_EQUAL(scree_world_get_body(world, id, &body), SCREE_OK);
    return body;
}

static inline void step(scree_world *world, uint64_t count)
{
    if (scree_world_step(world, count))
        FAIL("no step: %s", scree_world_message(world));
}

#endif
