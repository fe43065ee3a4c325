/*  A body that is in no slot any more, as after a stray write into the world's memory, is missed before the next
    step, by name and place; and nothing moves. */
#include "sound_world.h"
#include "world/step/world_data.h"

static scree_world *make_five(scree_body_id ids[5])
{
    scree_world_def def = scree_default_world_def();
    scree_material_def material = scree_default_material_def();
    scree_body_def body = scree_default_body_def();
    scree_world *world;

    def.step.dt = 1e-4;
    world = open_world(&def);
    CHECK_EQUAL(scree_world_add_material(world, &material, &body.material), SCREE_OK);
    body.shape = scree_shape_sphere(0.01);
    for (int k = 0; k < 5; k++) {
        body.position[0] = 0.25 * k;
        body.position[2] = -2;
        CHECK_EQUAL(scree_world_add_body(world, &body, &ids[k]), SCREE_OK);
    }
    CHECK_EQUAL(scree_world_remove_body(world, ids[1]), SCREE_OK);
    CHECK_EQUAL(scree_world_step(world, 3), SCREE_OK);
    return world;
}

static void a_body_that_is_lost_is_named(void)
{
    scree_body_id ids[5];
    scree_world *world = make_five(ids);

    world->bodies.count--;
    CHECK_EQUAL(scree_world_step(world, 1), SCREE_BAD_VALUE);
    CHECK_TEXT(scree_world_message(world),
               "world: step 4: the body of id 5 is lost; it was last seen at (1, 0, -2)");
    /* there is no body that a host could remove to continue */
    CHECK_EQUAL(scree_world_failed_body(world).index1, 0);
    CHECK_EQUAL(scree_world_clock(world).steps, 3);
    world->bodies.count++;
    CHECK_EQUAL(scree_world_step(world, 1), SCREE_OK);
    scree_world_destroy(world);
}

static void one_that_another_was_written_over_is_named(void)
{
    scree_body_id ids[5];
    scree_world *world = make_five(ids);
    uint32_t slot = (uint32_t)scree_bodies_slot(&world->bodies, ids[2]);
    const scree_body_id was = world->bodies.id[slot][0];

    world->bodies.added++;
    world->bodies.id[slot][0] = ids[0];
    CHECK_EQUAL(scree_world_step(world, 1), SCREE_BAD_VALUE);
    CHECK_TEXT(scree_world_message(world),
               "world: step 4: the body of id 3 is lost; it was last seen at (0.5, 0, -2)");
    /* a slot that cannot be one has no place to tell of */
    world->bodies.id[slot][0] = was;
    world->bodies.names[ids[2].index1 - 1].slot = UINT32_MAX;
    CHECK_EQUAL(scree_world_step(world, 1), SCREE_BAD_VALUE);
    CHECK_TEXT(scree_world_message(world), "world: step 4: the body of id 3 is lost");
    world->bodies.names[ids[2].index1 - 1].slot = slot;
    /* everybody is there, and yet the sums differ */
    CHECK_EQUAL(scree_world_step(world, 1), SCREE_BAD_VALUE);
    CHECK_TEXT(scree_world_message(world),
               "world: step 4: 4 bodies are there, but 6 came and 1 went");
    world->bodies.added--;
    CHECK_EQUAL(scree_world_step(world, 1), SCREE_OK);
    scree_world_destroy(world);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(a_body_that_is_lost_is_named),
        CASE(one_that_another_was_written_over_is_named),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
