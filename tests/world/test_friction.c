/*  Friction that is changed while bodies move: that it is what a world has that was given it, goes through snapshots and
    files, and that nothing changes where it is refused. */
#include "harness/checkpoint_maker.h"
#include "harness/checkpoint_repair.h"
#include "harness/failing_allocator.h"
#include "servo_maker.h"

static const scree_material_id ANY = {0};

static void set_friction(scree_world *world, uint32_t material, double friction)
{
    if (scree_world_set_friction(world, (scree_material_id){material}, friction))
        FAIL("no friction: %s", scree_world_message(world));
}

static scree_material_def with_friction(double friction)
{
    scree_material_def def = scree_default_material_def();

    def.friction = friction;
    return def;
}

/*  Balls of two materials that fall into a corner; a third rule of its own for the floor, with a friction. */
static scree_world *make_heap(const scree_world_def *def, double first, double second, double floor)
{
    const scree_material_def one = with_friction(first), two = with_friction(second);
    scree_world *world = make_world(def, &one);
    static const char *const names[] = {"restitution", "friction"};
    const double values[] = {0.3, floor};
    scree_rule_def rule = scree_default_rule_def();

    CHECK_EQUAL(scree_world_add_material(world, &two, NULL), SCREE_OK);
    rule.type = SCREE_CONTACT_WALLS;
    rule.material[0].index1 = 2;
    rule.names = names;
    rule.values = values;
    rule.value_count = 2;
    CHECK_EQUAL(scree_world_add_rule(world, &rule), SCREE_OK);
    add_plane(world, 0, 0, 0, 2, 1);
    add_plane(world, 0, 0, 0, 0, 1);
    for (int k = 0; k < 60; k++) {
        scree_body_def body =
            ball(R * (1 + 0.01 * (k % 7)), R * (1.1 + 2.2 * (k % 4) + 0.03 * (k % 5)),
                 R * (2.2 * (k / 4 % 4)), R * (1.1 + 2.3 * (k / 16)));
        body.material.index1 = 1 + (uint32_t)k % 2;
        body.velocity[0] = -0.2;
        add(world, &body);
    }
    return world;
}

#define STRETCH 1500u

static scree_world_def heap_def(void)
{
    scree_world_def def = fixed(5e-6);

    def.gravity[2] = -9.81;
    def.energy_balance = true;
    return def;
}

static bool same_rows(scree_view one, scree_view two, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (memcmp(scree_row_at(one, i), scree_row_at(two, i), 3 * sizeof(double)) != 0)
            return false;
    return true;
}

static void check_same_bodies(scree_world *a, scree_world *b)
{
    scree_bodies_view one = scree_world_bodies(a), two = scree_world_bodies(b);

    CHECK_EQUAL(one.count, two.count);
    CHECK(same_rows(one.position, two.position, one.count));
    CHECK(same_rows(one.velocity, two.velocity, one.count));
    CHECK(same_rows(one.spin, two.spin, one.count));
}

/* ---- what it does ---- */

/*  A ball that may not turn slides along a floor. */
TEST(a_slide_is_braked_by_what_it_is_now)
{
    scree_world_def def = fixed(1e-5);
    const scree_material_def rough = with_friction(0.5);

    def.gravity[2] = -10;
    press p = make_press(&def, &rough, R);
    scree_body body = body_of(p.world, p.body);
    body.flags = SCREE_FREEZE_SPIN_X | SCREE_FREEZE_SPIN_Y | SCREE_FREEZE_SPIN_Z;
    body.velocity[0] = 3;
    CHECK_EQUAL(scree_world_set_body(p.world, p.body, &body), SCREE_OK);
    step(p.world, 5000);
    double last = body_of(p.world, p.body).velocity[0];
    for (int k = 0; k < 4; k++) {
        static const double frictions[] = {0.5, 0.1, 0, 0.8};
        set_friction(p.world, (uint32_t)k % 2, frictions[k]);
        CHECK(scree_world_get_friction(p.world, (scree_material_id){1}) == frictions[k]);
        step(p.world, 5000);
        double now = body_of(p.world, p.body).velocity[0];
        CHECK_NEAR(last - now, frictions[k] * 10 * 0.05, 1e-3);
        last = now;
    }
    scree_world_destroy(p.world);
}

/*  Before anything touches it is as if the world had been given it; each slot of the table, too. */
TEST(it_is_what_a_world_has_that_was_given_it)
{
    for (int k = 0; k < 2; k++) {
        scree_world_def def = heap_def();
        def.compute.thread_count = k ? 3 : 1;
        scree_world *changed = make_heap(&def, 0.5, 0.9, 0.05),
                    *given = make_heap(&def, 0.2, 0.2, 0.2);
        set_friction(changed, 0, 0.2);
        step(changed, STRETCH);
        step(given, STRETCH);
        check_same_bodies(changed, given);
        scree_world_destroy(changed);
        /* of one material: rows that say otherwise keep what they say */
        scree_world *other = make_heap(&def, 0.2, 0.2, 0.05),
                    *reference = make_heap(&def, 0.2, 0.7, 0.05);
        set_friction(reference, 2, 0.2);
        step(other, STRETCH);
        step(reference, STRETCH);
        check_same_bodies(other, reference);
        CHECK(
            !same_rows(scree_world_bodies(other).position, scree_world_bodies(given).position, 60));
        scree_world_destroy(given);
        scree_world_destroy(other);
        scree_world_destroy(reference);
    }
}

/*  What comes later is as it is given. */
TEST(materials_and_rows_may_follow)
{
    const scree_world_def def = heap_def();
    scree_world *world = make_heap(&def, 0.5, 0.9, 0.05);
    const scree_material_def third = with_friction(0.4);
    scree_material_id id;

    set_friction(world, 0, 0.3);
    CHECK_EQUAL(scree_world_add_material(world, &third, &id), SCREE_OK);
    CHECK(scree_world_get_friction(world, id) == 0.4);
    CHECK(scree_world_get_friction(world, (scree_material_id){2}) == 0.3);
    set_friction(world, 0, NAN);
    CHECK(scree_world_get_friction(world, (scree_material_id){2}) == 0.9);
    CHECK(scree_world_get_friction(world, id) == 0.4);
    CHECK(isnan(scree_world_get_friction(world, (scree_material_id){4})));
    CHECK(isnan(scree_world_get_friction(world, ANY)) && isnan(scree_world_get_friction(NULL, id)));
    scree_world_destroy(world);

    /* and where there is nothing yet */
    CHECK_EQUAL(scree_world_create(&def, &world), SCREE_OK);
    set_friction(world, 0, 0.3);
    CHECK_EQUAL(scree_world_add_material(world, &third, &id), SCREE_OK);
    CHECK(scree_world_get_friction(world, id) == 0.4);
    scree_world_destroy(world);
}

/* ---- it is a part of the state ---- */

TEST(the_digest_knows_it)
{
    const scree_world_def def = heap_def();
    scree_world *world = make_heap(&def, 0.5, 0.9, 0.05);
    const uint64_t none = scree_world_digest(world);
    uint64_t seen[4];

    for (uint32_t k = 0; k < 3; k++) {
        set_friction(world, k, 0.3);
        seen[k] = scree_world_digest(world);
        CHECK(seen[k] != none && (k == 0 || seen[k] != seen[k - 1]));
        set_friction(world, 0, NAN);
        CHECK(scree_world_digest(world) == none);
    }
    set_friction(world, 0, 0);
    seen[3] = scree_world_digest(world);
    set_friction(world, 0, -0.0);
    CHECK(scree_world_digest(world) == seen[3]);
    scree_world_destroy(world);
}

/*  Written after a change, it continues with it: in a copy, in a world from the file alone, in one that was made again as it
    was given, and in itself when friction has become another. */
TEST(it_goes_through_snapshots_and_files)
{
    const scree_world_def def = heap_def();
    scree_world *world = make_heap(&def, 0.5, 0.9, 0.05), *copy, *read, *again;
    scree_snapshot *snapshot, *before;
    scree_error error = {SCREE_OK, ""};

    enter_folder();
    step(world, STRETCH);
    const uint64_t begin = scree_world_digest(world);
    CHECK_EQUAL(scree_world_snapshot(world, &before), SCREE_OK);
    set_friction(world, 0, 0.02);
    set_friction(world, 1, 0.3);
    step(world, STRETCH);
    const uint64_t middle = scree_world_digest(world);
    CHECK_EQUAL(scree_world_snapshot(world, &snapshot), SCREE_OK);
    CHECK_EQUAL(scree_world_copy(world, &def, &copy), SCREE_OK);
    write_to(world, path_of("a.scree"));
    scree_checkpoint *checkpoint = read_from(path_of("a.scree"));
    read = world_of(checkpoint, NULL);
    again = make_heap(&def, 0.5, 0.9, 0.05);
    if (scree_checkpoint_restore(checkpoint, again, &error))
        FAIL("%s", error.text);
    write_to(read, path_of("b.scree"));
    write_to(again, path_of("c.scree"));
    file_bytes files[] = {load(path_of("a.scree")), load(path_of("b.scree")),
                          load(path_of("c.scree"))};
    for (int k = 1; k < 3; k++)
        CHECK(files[k].count == files[0].count &&
              memcmp(files[k].data, files[0].data, files[0].count) == 0);

    step(world, STRETCH);
    const uint64_t end = scree_world_digest(world);
    set_friction(world, 0, 1);
    step(world, 100);
    CHECK_EQUAL(scree_world_restore(world, snapshot), SCREE_OK);
    scree_world *const all[] = {world, copy, read, again};
    for (int k = 0; k < 4; k++) {
        CHECK(scree_world_digest(all[k]) == middle);
        CHECK(scree_world_get_friction(all[k], (scree_material_id){1}) == 0.3);
        CHECK(scree_world_get_friction(all[k], (scree_material_id){2}) == 0.02);
        step(all[k], STRETCH);
        CHECK(scree_world_digest(all[k]) == end);
    }
    /* from before the change it is as it was given */
    for (int k = 0; k < 4; k++) {
        if (k != 2)
            CHECK_EQUAL(scree_world_restore(all[k], before), SCREE_OK);
        CHECK(k == 2 || scree_world_digest(all[k]) == begin);
        scree_world_destroy(all[k]);
    }
    for (int k = 0; k < 3; k++) {
        free(files[k].data);
        CHECK(remove(path_of(((const char *[]){"a.scree", "b.scree", "c.scree"})[k])) == 0);
    }
    scree_snapshot_destroy(before);
    scree_snapshot_destroy(snapshot);
    scree_checkpoint_destroy(checkpoint);
    leave_folder();
}

/*  Numbers that no world has, behind checksums that are right. */
TEST(friction_that_cannot_be_is_refused)
{
    const scree_world_def def = heap_def();
    scree_world *world = make_heap(&def, 0.5, 0.9, 0.05), *made;
    static const double bad[][3] = {{-1, 0.9, 0.05},   {NAN, 0.9, 0.05}, {0.5, INFINITY, 0.05},
                                    {0.5, 1e200, 0.2}, {0.5, 0.9, -1},   {0.5, 0.9, -0.5}};
    scree_checkpoint *checkpoint;
    scree_checkpoint_section section;
    scree_error error = {SCREE_OK, ""};

    enter_folder();
    set_friction(world, 0, 0.3);
    write_to(world, path_of("bad.scree"));
    file_bytes file = load(path_of("bad.scree"));
    CHECK_EQUAL(scree_checkpoint_read_bytes(file.data, file.count, NULL, &checkpoint, NULL),
                SCREE_OK);
    CHECK(scree_checkpoint_section_of(checkpoint, "state.friction", &section));
    CHECK_EQUAL(section.rows, 3);
    scree_checkpoint_destroy(checkpoint);
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        memcpy(file.data + section.offset, bad[k], sizeof bad[k]);
        repair_checksums(file.data, file.count);
        scree_status status =
            scree_checkpoint_read_bytes(file.data, file.count, NULL, &checkpoint, &error);
        if (!status) {
            status = scree_checkpoint_world(checkpoint, NULL, &made, &error);
            scree_checkpoint_destroy(checkpoint);
        }
        CHECK_EQUAL(status, SCREE_BAD_FILE);
        CHECK_SAYS(error.text, "its friction cannot be");
    }
    free(file.data);
    scree_world_destroy(world);
    CHECK(remove(path_of("bad.scree")) == 0);
    leave_folder();
}

/* ---- what is refused ---- */

TEST(nonsense_is_refused)
{
    const scree_world_def def = heap_def();
    scree_world *world = make_heap(&def, 0.5, 0.9, 0.05);
    const uint64_t digest = scree_world_digest(world);

#define REFUSED(material, friction, status, what)                                                  \
    CHECK_EQUAL(scree_world_set_friction(world, (scree_material_id){material}, friction), status); \
    CHECK_SAYS(scree_world_message(world), what);                                                  \
    CHECK(scree_world_digest(world) == digest);

    REFUSED(0, -0.1, SCREE_BAD_VALUE, "friction: is -0.1, must be 0 to 1e100")
    REFUSED(1, INFINITY, SCREE_BAD_VALUE, "friction: is inf")
    REFUSED(3, 0.1, SCREE_BAD_ARGUMENT, "there is no material 3, only 1 to 2")
    /* more than the laws that are built in can do with */
    REFUSED(0, 1e90, SCREE_BAD_VALUE, "friction is 1e+90")
#undef REFUSED
    CHECK_EQUAL(scree_world_set_friction(NULL, ANY, 0.1), SCREE_BAD_ARGUMENT);
    scree_world *reference = make_heap(&def, 0.5, 0.9, 0.05);
    step(world, STRETCH);
    step(reference, STRETCH);
    CHECK(scree_world_digest(world) == scree_world_digest(reference));
    scree_world_destroy(world);
    scree_world_destroy(reference);
}

/*  Every request of a change and of going back fails once. */
TEST(without_memory_nothing_changes)
{
    for (size_t k = 1;; k++) {
        failing_allocator memory = {0};
        scree_world_def def = heap_def();
        scree_snapshot *before;
        def.hooks.allocator = failing_allocator_hooks(&memory);
        scree_world *world = make_heap(&def, 0.5, 0.9, 0.05);
        step(world, 200);
        CHECK_EQUAL(scree_world_snapshot(world, &before), SCREE_OK);
        uint64_t digest = scree_world_digest(world);
        memory.fail_at = memory.requests + k;
        scree_status status = scree_world_set_friction(world, ANY, 0.1);
        CHECK(status == SCREE_OK || status == SCREE_OUT_OF_MEMORY);
        CHECK((scree_world_digest(world) == digest) == (status != SCREE_OK));
        digest = scree_world_digest(world);
        if (!status) {
            status = scree_world_restore(world, before);
            CHECK(status == SCREE_OK || status == SCREE_OUT_OF_MEMORY);
            CHECK((scree_world_digest(world) == digest) == (status != SCREE_OK));
        }
        bool is_over = memory.failures == 0;
        memory.fail_at = 0;
        step(world, 10);
        scree_snapshot_destroy(before);
        scree_world_destroy(world);
        CHECK(failing_allocator_is_clean(&memory));
        if (is_over)
            break;
    }
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(a_slide_is_braked_by_what_it_is_now),
        CASE(it_is_what_a_world_has_that_was_given_it),
        CASE(materials_and_rows_may_follow),
        CASE(the_digest_knows_it),
        CASE(it_goes_through_snapshots_and_files),
        CASE(friction_that_cannot_be_is_refused),
        CASE(nonsense_is_refused),
        CASE(without_memory_nothing_changes),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
