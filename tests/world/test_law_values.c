/*  Values of materials and rules that are changed while bodies move: that the world is then what it would be if it had been
    given them, that they go through snapshots and files, and that nothing changes where they are refused. */
#include "harness/checkpoint_maker.h"
#include "harness/checkpoint_repair.h"
#include "harness/failing_allocator.h"
#include "servo_maker.h"

static const scree_material_id ANY = {0};

typedef struct values
{
    double young, restitution, poisson,
        of_rule; /* of_rule: restitution that the rule of the floor gives */
} values;

static const values FIRST = {1e6, 0.5, 0.3, 0.3}, SECOND = {4e6, 0.8, 0.2, 0.7};

/*  Balls that fall into a corner; the floor has a rule of its own. */
static scree_world *make_heap(const scree_world_def *def, const values *v)
{
    scree_material_def material = scree_default_material_def();
    static const char *const names[] = {"restitution"};
    scree_rule_def rule = scree_default_rule_def();

    material.young = v->young;
    material.restitution = v->restitution;
    material.poisson = v->poisson;
    scree_world *world = make_world(def, &material);
    rule.type = SCREE_CONTACT_WALLS;
    rule.names = names;
    rule.values = &v->of_rule;
    rule.value_count = 1;
    CHECK_EQUAL(scree_world_add_rule(world, &rule), SCREE_OK);
    add_plane(world, 0, 0, 0, 2, 1);
    add_plane(world, 0, 0, 0, 0, 1);
    for (int k = 0; k < 40; k++) {
        scree_body_def body =
            ball(R * (1 + 0.01 * (k % 7)), R * (1.1 + 2.2 * (k % 4) + 0.03 * (k % 5)),
                 R * (2.2 * (k / 4 % 4)), R * (1.1 + 2.3 * (k / 16)));
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
    return def;
}

static void set(scree_world *world, const char *name, double value)
{
    if (scree_world_set_material_value(world, ANY, name, value))
        FAIL("%s", scree_world_message(world));
}

static void set_all(scree_world *world, const values *v)
{
    set(world, "young", v->young);
    set(world, "restitution", v->restitution);
    set(world, "poisson", v->poisson);
    if (scree_world_set_rule_value(world, 1, "restitution", v->of_rule))
        FAIL("%s", scree_world_message(world));
}

static void check_same_bodies(scree_world *a, scree_world *b)
{
    const scree_bodies_view x = scree_world_bodies(a), y = scree_world_bodies(b);

    CHECK_EQUAL(x.count, y.count);
    for (size_t i = 0; i < x.count; i++) {
        CHECK(memcmp(scree_row_at(x.position, i), scree_row_at(y.position, i), 24) == 0);
        CHECK(memcmp(scree_row_at(x.velocity, i), scree_row_at(y.velocity, i), 24) == 0);
    }
}

/*  Before anything touches it is as if the world had been given them. */
TEST(they_are_what_a_world_has_that_was_given_them)
{
    for (int k = 0; k < 2; k++) {
        scree_world_def def = heap_def();
        def.compute.thread_count = k ? 3 : 1;
        scree_world *changed = make_heap(&def, &FIRST), *given = make_heap(&def, &SECOND),
                    *plain = make_heap(&def, &FIRST);
        set_all(changed, &SECOND);
        CHECK(scree_world_digest(changed) != scree_world_digest(given));
        step(changed, STRETCH);
        step(given, STRETCH);
        step(plain, STRETCH);
        check_same_bodies(changed, given);
        CHECK(memcmp(scree_row_at(scree_world_bodies(plain).position, 39),
                     scree_row_at(scree_world_bodies(given).position, 39), 24) != 0);
        /* once they are kept, nothing tells the worlds apart */
        scree_world_keep_values(changed);
        CHECK(scree_world_digest(changed) == scree_world_digest(given));
        scree_world_destroy(changed);
        scree_world_destroy(given);
        scree_world_destroy(plain);
    }
}

/*  In the midst of contacts: a spring at rest under a weight is pressed as deep as its new stiffness asks for. */
TEST(a_weight_sinks_as_deep_as_its_stiffness_says)
{
    scree_world_def def = fixed(2e-6);
    scree_material_def soft = scree_default_material_def();
    const scree_contact *contacts;
    size_t count;
    double overlap[2];

    soft.young = 1e6;
    def.gravity[2] = -9.81;
    def.global_damping = 2000;
    scree_world *world = make_world(&def, &soft);
    add_plane(world, 0, 0, 0, 2, 1);
    scree_body_def body = ball(R, 0, 0, R);
    add(world, &body);
    for (int k = 0; k < 2; k++) {
        step(world, 60000);
        CHECK_EQUAL(scree_world_contacts(world, NULL, &contacts, &count), SCREE_OK);
        CHECK_EQUAL(count, 1);
        overlap[k] = contacts[0].overlap;
        set(world, "young", 8e6);
    }
    /* Hertz: overlap^(3/2) is as 1 / young */
    CHECK_NEAR(overlap[0] / overlap[1], 4, 1e-3);
    scree_world_destroy(world);
}

/*  An automatic step follows the stiffness at once. */
TEST(automatic_steps_follow)
{
    scree_world_def def = heap_def();
    scree_stable_step stable;

    def.step.mode = SCREE_TIME_AUTOMATIC;
    def.step.dt = 0;
    scree_world *world = make_heap(&def, &FIRST);
    step(world, 600);
    const double before = scree_world_clock(world).dt;
    set(world, "young", 1e10);
    step(world, 1);
    CHECK_EQUAL(scree_world_stable_step(world, &stable), SCREE_OK);
    CHECK(scree_world_clock(world).dt < 0.1 * before);
    CHECK(scree_world_clock(world).dt <= stable.dt);
    scree_world_destroy(world);
}

/*  A law that reaches farther when it is softer: contacts that are not touching yet are found. */
TEST(the_reach_of_laws_follows)
{
    scree_world_def def = fixed(1e-7);
    scree_material_def material = scree_default_material_def();
    static const char *const names[] = {"surface_tension", "volume"};
    double given[] = {0.07, 1e-15};
    scree_rule_def rule = scree_default_rule_def();
    scree_world *worlds[2];

    for (int k = 0; k < 2; k++) {
        scree_world *world = worlds[k] = make_world(&def, &material);
        given[1] = k ? 8e-12 : 1e-15;
        rule.law = "capillary";
        rule.names = names;
        rule.values = given;
        rule.value_count = 2;
        CHECK_EQUAL(scree_world_add_rule(world, &rule), SCREE_OK);
        for (int i = 0; i < 2; i++) {
            scree_body_def body = ball(R, i * 2 * R * 0.999, 0, 0);
            body.velocity[0] = i ? 0.5 : -0.5;
            add(world, &body);
        }
        if (k == 0)
            CHECK_EQUAL(scree_world_set_rule_value(world, 1, "volume", 8e-12), SCREE_OK);
        step(world, 2000);
    }
    check_same_bodies(worlds[0], worlds[1]);
    for (int k = 0; k < 2; k++)
        scree_world_destroy(worlds[k]);
}

/*  Written after a change, they go on with it: in a copy, in a world from the file alone, in one that was made again as it was
    given, and in itself when they have become others. */
TEST(they_go_through_snapshots_and_files)
{
    const scree_world_def def = heap_def();
    scree_world *world = make_heap(&def, &FIRST), *copy, *read, *again;
    scree_snapshot *snapshot, *before;
    scree_error error = {SCREE_OK, ""};

    enter_folder();
    step(world, STRETCH);
    const uint64_t begin = scree_world_digest(world);
    CHECK_EQUAL(scree_world_snapshot(world, &before), SCREE_OK);
    set_all(world, &SECOND);
    step(world, STRETCH);
    const uint64_t middle = scree_world_digest(world);
    CHECK_EQUAL(scree_world_snapshot(world, &snapshot), SCREE_OK);
    CHECK_EQUAL(scree_world_copy(world, &def, &copy), SCREE_OK);
    write_to(world, path_of("a.scree"));
    scree_checkpoint *checkpoint = read_from(path_of("a.scree"));
    read = world_of(checkpoint, NULL);
    again = make_heap(&def, &FIRST);
    if (scree_checkpoint_restore(checkpoint, again, &error))
        FAIL("%s", error.text);
    step(world, STRETCH);
    const uint64_t end = scree_world_digest(world);
    set(world, "young", 2e6);
    step(world, 100);
    CHECK_EQUAL(scree_world_restore(world, snapshot), SCREE_OK);
    scree_world *const all[] = {world, copy, read, again};
    for (int k = 0; k < 4; k++) {
        CHECK(scree_world_digest(all[k]) == middle);
        CHECK(scree_world_get_material_value(all[k], (scree_material_id){1}, "young") == 4e6);
        CHECK(scree_world_get_rule_value(all[k], 1, "restitution") == 0.7);
        step(all[k], STRETCH);
        CHECK(scree_world_digest(all[k]) == end);
    }
    for (int k = 0; k < 4; k++) {
        if (k != 2)
            CHECK_EQUAL(scree_world_restore(all[k], before), SCREE_OK);
        CHECK(k == 2 || scree_world_digest(all[k]) == begin);
        scree_world_destroy(all[k]);
    }
    CHECK(remove(path_of("a.scree")) == 0);
    scree_snapshot_destroy(before);
    scree_snapshot_destroy(snapshot);
    scree_checkpoint_destroy(checkpoint);
    leave_folder();
}

/*  Numbers that no world has, behind checksums that are right: 7 of the material, then those of the rule's law. */
TEST(values_that_cannot_be_are_refused)
{
    const scree_world_def def = heap_def();
    scree_world *world = make_heap(&def, &FIRST), *made;
    static const struct
    {
        size_t at;
        double value;
    } bad[] = {{0, -1}, {0, NAN}, {1, 0.6}, {2, 1.5}, {5, 0}, {7, -2}, {8, NAN}};
    scree_checkpoint *checkpoint;
    scree_checkpoint_section section;
    scree_error error = {SCREE_OK, ""};

    enter_folder();
    set(world, "young", 3e6);
    write_to(world, path_of("bad.scree"));
    file_bytes file = load(path_of("bad.scree"));
    CHECK_EQUAL(scree_checkpoint_read_bytes(file.data, file.count, NULL, &checkpoint, NULL),
                SCREE_OK);
    CHECK(scree_checkpoint_section_of(checkpoint, "state.values", &section));
    scree_checkpoint_destroy(checkpoint);
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        double good, *number = (double *)(void *)(file.data + section.offset) + bad[k].at;
        memcpy(&good, number, sizeof good);
        memcpy(number, &bad[k].value, sizeof good);
        repair_checksums(file.data, file.count);
        scree_status status =
            scree_checkpoint_read_bytes(file.data, file.count, NULL, &checkpoint, &error);
        if (!status) {
            status = scree_checkpoint_world(checkpoint, NULL, &made, &error);
            scree_checkpoint_destroy(checkpoint);
        }
        CHECK_EQUAL(status, SCREE_BAD_FILE);
        CHECK_SAYS(error.text, "its values of materials and rules cannot be");
        memcpy(number, &good, sizeof good);
    }
    free(file.data);
    scree_world_destroy(world);
    CHECK(remove(path_of("bad.scree")) == 0);
    leave_folder();
}

TEST(nonsense_is_refused)
{
    const scree_world_def def = heap_def();
    scree_world *world = make_heap(&def, &FIRST);
    const uint64_t digest = scree_world_digest(world);

#define REFUSED(call, status, what)                                                                \
    CHECK_EQUAL(call, status);                                                                     \
    CHECK_SAYS(scree_world_message(world), what);                                                  \
    CHECK(scree_world_digest(world) == digest);

    REFUSED(scree_world_set_material_value(world, ANY, "yuong", 1), SCREE_BAD_ARGUMENT,
            "it has no value \"yuong\" that can change; did you mean \"young\"?")
    REFUSED(scree_world_set_material_value(world, ANY, "density", 1), SCREE_BAD_ARGUMENT,
            "it has no value \"density\" that can change")
    REFUSED(scree_world_set_material_value(world, (scree_material_id){2}, "young", 1),
            SCREE_BAD_ARGUMENT, "young: there is no material 2, only 1 to 1")
    REFUSED(scree_world_set_material_value(world, ANY, "young", -1), SCREE_BAD_VALUE,
            "young: is -1, which it cannot be")
    REFUSED(scree_world_set_material_value(world, ANY, "poisson", 0.51), SCREE_BAD_VALUE,
            "poisson: is 0.51")
    /* rigid against rigid is nothing that "hertz" knows */
    REFUSED(scree_world_set_material_value(world, ANY, "young", INFINITY), SCREE_BAD_VALUE,
            "young of materials")
    REFUSED(scree_world_set_rule_value(world, 0, "young", 1), SCREE_BAD_ARGUMENT,
            "there is no rule 0, only 1 to 1")
    REFUSED(scree_world_set_rule_value(world, 2, "young", 1), SCREE_BAD_ARGUMENT,
            "there is no rule 2, only 1 to 1")
    REFUSED(scree_world_set_rule_value(world, 1, "young", 1), SCREE_BAD_ARGUMENT,
            "rule 1: young is not among its values")
    REFUSED(scree_world_set_rule_value(world, 1, "restitution", 2), SCREE_BAD_VALUE,
            "restitution is 2, must be 0 to 1")
#undef REFUSED
    CHECK_EQUAL(scree_world_set_material_value(NULL, ANY, "young", 1), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_world_set_material_value(world, ANY, NULL, 1), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_world_set_rule_value(NULL, 1, "young", 1), SCREE_BAD_ARGUMENT);
    CHECK(isnan(scree_world_get_material_value(world, ANY, "young")));
    CHECK(isnan(scree_world_get_material_value(NULL, (scree_material_id){1}, "young")));
    CHECK(isnan(scree_world_get_rule_value(world, 1, "young")));
    scree_world_keep_values(NULL);
    /* given again as it was: as if nothing had happened */
    set_all(world, &SECOND);
    CHECK(scree_world_digest(world) != digest);
    set_all(world, &(values){NAN, NAN, NAN, NAN});
    CHECK(scree_world_digest(world) == digest);
    scree_world_destroy(world);
}

/*  Every request of a change and of going back fails once. */
TEST(without_memory_nothing_changes)
{
    for (size_t k = 1;; k++) {
        failing_allocator memory = {0};
        scree_world_def def = heap_def();
        scree_snapshot *before;
        def.hooks.allocator = failing_allocator_hooks(&memory);
        scree_world *world = make_heap(&def, &FIRST);
        step(world, 200);
        CHECK_EQUAL(scree_world_snapshot(world, &before), SCREE_OK);
        uint64_t digest = scree_world_digest(world);
        memory.fail_at = memory.requests + k;
        scree_status status = scree_world_set_material_value(world, ANY, "young", 2e6);
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
        CASE(they_are_what_a_world_has_that_was_given_them),
        CASE(a_weight_sinks_as_deep_as_its_stiffness_says),
        CASE(automatic_steps_follow),
        CASE(the_reach_of_laws_follows),
        CASE(they_go_through_snapshots_and_files),
        CASE(values_that_cannot_be_are_refused),
        CASE(nonsense_is_refused),
        CASE(without_memory_nothing_changes),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
