/*  A small world in which all is well, for tests of what is not. */
#ifndef SCREE_TESTS_SOUND_WORLD_H
#define SCREE_TESTS_SOUND_WORLD_H

#include "scree/wall.h"
#include "scree/world.h"
#include "test.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

static inline scree_world_def sound_world(void)
{
    scree_world_def def = scree_default_world_def();

    def.step.dt = 1e-5;
    def.gravity[1] = -9.81;
    return def;
}

static inline scree_world *open_world(const scree_world_def *def)
{
    scree_world *world;

    CHECK_EQUAL(scree_world_create(def, &world), SCREE_OK);
    return world;
}

static inline double length_of(const double v[3])
{
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

static inline double distance(const double a[3], const double b[3])
{
    const double d[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
    return length_of(d);
}

static inline void advance(scree_world *world, uint64_t steps)
{
    if (scree_world_step(world, steps))
        FAIL("%s", scree_world_message(world));
}

/*  A world with a material, a floor and two bodies that touch each other and it. */
static inline scree_world *make_world(scree_body_id ids[2])
{
    scree_world_def def = sound_world();
    scree_material_def material = scree_default_material_def();
    scree_wall_def floor = scree_default_wall_def();
    scree_body_def body = scree_default_body_def();
    scree_world *world = open_world(&def);

    CHECK_EQUAL(scree_world_add_material(world, &material, &body.material), SCREE_OK);
    floor.material = body.material;
    CHECK_EQUAL(scree_world_add_wall(world, &floor, NULL), SCREE_OK);
    body.shape = scree_shape_sphere(0.01);
    body.position[2] = 0.0099;
    CHECK_EQUAL(scree_world_add_body(world, &body, &ids[0]), SCREE_OK);
    body.position[0] = 0.0199;
    CHECK_EQUAL(scree_world_add_body(world, &body, &ids[1]), SCREE_OK);
    return world;
}

/*  Contacts of both worlds that pass a filter, which names the same in both: the same bodies and forces; how many. */
static inline size_t check_same_contacts(scree_world *one, scree_world *other,
                                         const scree_contact_filter_def *filter)
{
    const scree_contact *first, *second;
    size_t count, other_count;

    CHECK_EQUAL(scree_world_contacts(one, filter, &first, &count), SCREE_OK);
    CHECK_EQUAL(scree_world_contacts(other, filter, &second, &other_count), SCREE_OK);
    CHECK_EQUAL(count, other_count);
    for (size_t k = 0; k < count; k++) {
        CHECK_EQUAL(first[k].first.index1, second[k].first.index1);
        CHECK_EQUAL(first[k].second.index1, second[k].second.index1);
        CHECK(memcmp(first[k].force, second[k].force, sizeof first[k].force) == 0);
    }
    return count;
}

#endif
