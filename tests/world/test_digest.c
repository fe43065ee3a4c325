/*  A digest sees all that decides the future, and nothing else. */
#include "test.h"

#include "scree/wall.h"
#include "scree/world.h"
#include "world/step/world_data.h"

static scree_world *make_world(uint32_t sort_every)
{
    scree_world_def def = scree_default_world_def();
    scree_material_def material = scree_default_material_def();
    scree_wall_def floor = scree_default_wall_def();
    scree_world *world;

    def.gravity[2] = -9.81;
    def.step.dt = 1e-5;
    def.detection.sort_every = sort_every;
    def.overlap_limit = 2;
    CHECK_EQUAL(scree_world_create(&def, &world), SCREE_OK);
    CHECK_EQUAL(scree_world_add_material(world, &material, &floor.material), SCREE_OK);
    CHECK_EQUAL(scree_world_add_wall(world, &floor, NULL), SCREE_OK);
    return world;
}

static scree_body_def ball(double x, double z)
{
    scree_body_def def = scree_default_body_def();

    def.shape = scree_shape_sphere(0.01);
    def.material.index1 = 1;
    def.position[0] = x;
    def.position[2] = z;
    return def;
}

static scree_body_id add(scree_world *world, const scree_body_def *def)
{
    scree_body_id id;

    CHECK_EQUAL(scree_world_add_body(world, def, &id), SCREE_OK);
    return id;
}

/*  Four that lie on the floor, deep enough to touch one another and it. */
static void add_row(scree_world *world, scree_body_id ids[4])
{
    for (int k = 0; k < 4; k++) {
        scree_body_def def = ball(0.0195 * k, 0.0099);
        def.velocity[0] = 0.01 * k;
        ids[k] = add(world, &def);
    }
}

TEST(equal_calls_give_equal_digests)
{
    scree_world *a = make_world(0), *b = make_world(1);
    scree_body_id ids[4];

    CHECK(scree_world_digest(a) == scree_world_digest(b));
    add_row(a, ids);
    CHECK(scree_world_digest(a) != scree_world_digest(b));
    add_row(b, ids);
    for (int k = 0; k < 20; k++) {
        CHECK(scree_world_digest(a) == scree_world_digest(b));
        CHECK_EQUAL(scree_world_step(a, 1), SCREE_OK);
        CHECK(scree_world_digest(a) != scree_world_digest(b));
        CHECK_EQUAL(scree_world_step(b, 1), SCREE_OK);
    }
    scree_world_destroy(a);
    scree_world_destroy(b);
    CHECK(scree_world_digest(NULL) == 0);
}

/*  By memory alone: the bodies of one world in the slots of the other, backwards. */
TEST(neither_slots_nor_names_count)
{
    scree_world *a = make_world(0), *b = make_world(0);
    scree_body_id ids[4], gone[4];
    scree_body_def def;

    add_row(a, ids);
    /* b has had others before, so that names and slots differ; serials are brought */
    add_row(b, gone);
    CHECK_EQUAL(scree_world_remove_bodies(b, gone, 4), SCREE_OK);
    for (int k = 3; k >= 0; k--) {
        def = ball(0.0195 * k, 0.0099);
        def.velocity[0] = 0.01 * k;
        def.serial = (uint64_t)k + 1;
        ids[k] = add(b, &def);
    }
    b->bodies.added = a->bodies.added;
    b->bodies.removed = a->bodies.removed;
    for (int k = 0; k < 10; k++) {
        CHECK(scree_world_digest(a) == scree_world_digest(b));
        CHECK_EQUAL(scree_world_step(a, 3), SCREE_OK);
        CHECK_EQUAL(scree_world_step(b, 3), SCREE_OK);
    }
    scree_world_destroy(a);
    scree_world_destroy(b);
}

/* ---- every field counts ---- */

/*  Flips the lowest bit of one byte after the other: each must be seen, and putting it back as well. */
static size_t poke(scree_world *world, void *rows, size_t bytes)
{
    unsigned char *byte = rows;
    uint64_t before = scree_world_digest(world);
    size_t unseen = 0;

    for (size_t k = 0; k < bytes; k++) {
        byte[k] ^= 1;
        unseen += scree_world_digest(world) == before;
        byte[k] ^= 1;
    }
    CHECK(scree_world_digest(world) == before);
    return unseen;
}

#define X_POKE(type, name, n, when)                                                                \
    if (strcmp(#name, "shape") != 0 && strcmp(#name, "id") != 0 &&                                 \
        poke(world, bodies->name, 4 * sizeof *bodies->name))                                       \
        FAIL("a change of %s is not seen", #name);

TEST(every_field_of_bodies_counts)
{
    scree_world *world = make_world(0);
    scree_body_id ids[4];
    scree_body_arrays *bodies = &world->bodies;

    /* columns that are there only where they are needed */
    world->def.energy_balance = bodies->keeps[SCREE_KEEP_ACCOUNTS] = true;
    add_row(world, ids);
    CHECK_EQUAL(scree_bodies_keep(bodies, SCREE_KEEP_LOADS), SCREE_OK);
    CHECK_EQUAL(scree_world_step(world, 3), SCREE_OK);
    SCREE_BODY_FIELDS(X_POKE)
    CHECK_EQUAL(poke(world, &bodies->shape[1][0].radius, sizeof(double)), 0);
    CHECK_EQUAL(poke(world, bodies->id, sizeof *bodies->id), sizeof *bodies->id);
    scree_world_destroy(world);
}

TEST(what_contacts_remember_counts)
{
    scree_world *world = make_world(0);
    scree_body_id ids[4];
    size_t touching = 0;

    add_row(world, ids);
    CHECK_EQUAL(scree_world_step(world, 3), SCREE_OK);
    uint64_t digest = scree_world_digest(world);
    for (size_t c = 0; c < world->pairs.count; c++) {
        if (!world->pairs.touches[c][0])
            continue;
        touching++;
        world->pairs.touches[c][0] = 0;
        CHECK(scree_world_digest(world) != digest);
        world->pairs.touches[c][0] = 1;
        for (uint32_t m = 0; m < world->rules.planes; m++)
            CHECK_EQUAL(poke(world, &world->pairs.history[m][c], sizeof(double)), 0);
    }
    CHECK_EQUAL(touching, 3);
    CHECK_EQUAL(world->wall_contacts.now.count, 4);
    for (uint32_t m = 0; m < world->wall_contacts.now.planes; m++)
        CHECK_EQUAL(poke(world, world->wall_contacts.now.history[m], 4 * sizeof(double)), 0);
    scree_world_destroy(world);
}

TEST(walls_clock_and_physics_count)
{
    scree_world *world = make_world(0);
    uint64_t before = scree_world_digest(world);
    const double gravity[3] = {0, 0, -9.8};
    scree_material_def material = scree_default_material_def();
    scree_rule_def rule = scree_default_rule_def();
    scree_wall_id id;
    scree_wall_path path = {.velocity = {0, 0, 1}};

    CHECK_EQUAL(poke(world, &world->walls.wall[0].now, sizeof(scree_wall_pose)), 0);
    CHECK_EQUAL(poke(world, &world->clock, sizeof world->clock), 0);
    CHECK_EQUAL(scree_world_set_gravity(world, gravity), SCREE_OK);
    CHECK(scree_world_digest(world) != before);
    before = scree_world_digest(world);
    CHECK_EQUAL(scree_world_set_dt(world, SCREE_TIME_FIXED, 2e-5), SCREE_OK);
    CHECK(scree_world_digest(world) != before);
    before = scree_world_digest(world);
    CHECK_EQUAL(scree_world_set_damping(world, 0.1, 0), SCREE_OK);
    CHECK(scree_world_digest(world) != before);
    before = scree_world_digest(world);
    CHECK_EQUAL(scree_world_add_material(world, &material, NULL), SCREE_OK);
    CHECK(scree_world_digest(world) != before);
    before = scree_world_digest(world);
    rule.law = "linear";
    CHECK_EQUAL(scree_world_add_rule(world, &rule), SCREE_OK);
    CHECK(scree_world_digest(world) != before);
    before = scree_world_digest(world);
    CHECK_EQUAL(scree_world_walls(world, &id, 1), 1);
    CHECK_EQUAL(scree_world_set_wall_path(world, id, &path), SCREE_OK);
    CHECK(scree_world_digest(world) != before);
    scree_world_destroy(world);
}

TEST(how_it_is_computed_does_not_count)
{
    scree_world *world = make_world(0);
    scree_margin_def margin = scree_default_detector_def().margin;
    scree_body_id ids[4];
    uint64_t before;

    add_row(world, ids);
    CHECK_EQUAL(scree_world_step(world, 3), SCREE_OK);
    before = scree_world_digest(world);
    CHECK_EQUAL(scree_world_set_method(world, "flat"), SCREE_OK);
    CHECK_EQUAL(scree_world_set_margin(world, &margin), SCREE_OK);
    CHECK(scree_world_digest(world) == before);
    scree_world_destroy(world);
}

/*  Forces from before a body came are not used again, so what they are does not count either. */
TEST(forces_that_are_forgotten_do_not_count)
{
    scree_world *world = make_world(0);
    scree_body_id ids[4];
    scree_body_def def = ball(1, 1);

    add_row(world, ids);
    CHECK_EQUAL(scree_world_step(world, 3), SCREE_OK);
    CHECK_EQUAL(poke(world, world->bodies.force[0], sizeof(double[3])), 0);
    add(world, &def);
    CHECK_EQUAL(poke(world, world->bodies.force[0], sizeof(double[3])), sizeof(double[3]));
    scree_world_destroy(world);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(equal_calls_give_equal_digests),         CASE(neither_slots_nor_names_count),
        CASE(every_field_of_bodies_counts),           CASE(what_contacts_remember_counts),
        CASE(walls_clock_and_physics_count),          CASE(how_it_is_computed_does_not_count),
        CASE(forces_that_are_forgotten_do_not_count),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
