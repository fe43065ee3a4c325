/*  What contacts say where a step was refused, and what else a step may be refused for. */
#include "harness/failing_allocator.h"
#include "world_box.h"

static scree_status refuse_at(scree_force_sink *sink, const scree_bodies_view *bodies, double time,
                              void *user)
{
    (void)bodies;
    (void)sink;
    return time > *(double *)user ? SCREE_BAD_VALUE : SCREE_OK;
}

/*  Contacts read after a refused step are those of before it; forces may differ by what velocities have changed
    within the last step, which at rest is next to nothing. */
TEST(a_refused_step_leaves_the_contacts)
{
    static scree_contact kept[1000];
    scree_world_def def = scene_def();
    scene s;
    const scree_contact *c;
    size_t count;
    double end = 1e9;

    def.global_damping = 20;
    s = open_scene(&def, 40);
    scree_world_set_force(s.world, refuse_at, &end);
    step(&s, 30000);
    count = read_all(&s, NULL, &c);
    CHECK(count > 20 && count < 1000);
    memcpy(kept, c, count * sizeof *c);
    end = 0;
    CHECK_EQUAL(scree_world_step(s.world, 1), SCREE_BAD_VALUE);
    end = 1e9;
    CHECK_EQUAL(read_all(&s, NULL, &c), count);
    for (size_t k = 0; k < count; k++) {
        CHECK(same(c[k].first, kept[k].first) && same(c[k].second, kept[k].second));
        CHECK(c[k].overlap == kept[k].overlap);
        for (int a = 0; a < 3; a++)
            CHECK_NEAR(c[k].force[a], kept[k].force[a], 1e-3);
    }
    step(&s, 1);
    scree_world_destroy(s.world);
}

/*  A step that is refused may have looked for walls where a body would have been; back where it was it must
    still find the floor, although it moves by much less than it was far from all walls there. */
TEST(a_refused_step_leaves_the_walls)
{
    const double still[3] = {0, 0, 0}, fierce[3] = {0, 0, -1e10};
    scree_world_def def = scree_default_world_def();
    scree_body_def body = scree_default_body_def();
    double end = 0;
    bool came_down = false;
    scree_body_id id;
    scene s = {0};

    def.step.dt = 3e-5;
    def.overlap_limit = INFINITY;
    s = open_scene(&def, 0);
    scree_world_set_force(s.world, refuse_at, &end);
    body.shape = scree_shape_sphere(RADIUS);
    body.material = s.material;
    body.position[0] = body.position[1] = 0.5;
    body.position[2] = 1.1 * RADIUS;
    body.velocity[2] = 1e4;
    CHECK_EQUAL(scree_world_add_body(s.world, &body, &id), SCREE_OK);
    CHECK_EQUAL(scree_world_set_gravity(s.world, still), SCREE_OK);
    CHECK_EQUAL(scree_world_step(s.world, 1), SCREE_BAD_VALUE);
    end = 1e9;
    CHECK_EQUAL(scree_world_set_gravity(s.world, fierce), SCREE_OK);
    CHECK_EQUAL(scree_world_set_dt(s.world, SCREE_TIME_FIXED, 1e-6), SCREE_OK);
    for (int k = 0; k < 4 && !came_down; k++) {
        step(&s, 1);
        came_down = body_of(&s, id).position[2] < RADIUS;
    }
    CHECK(came_down);
    CHECK_EQUAL(scree_world_detection_stats(s.world).contacts, 1);
    scree_world_destroy(s.world);
}

static scree_status spring_prepare(const scree_law_input *input,
                                   double constants[SCREE_MAX_CONSTANTS], void *user)
{
    (void)input;
    (void)user;
    constants[0] = 1e4;
    return SCREE_OK;
}

/*  A spring that gives no number while its flag is set. */
static void spring_force(const scree_batch *batch, const double *constants, void *user)
{
    for (uint32_t k = 0; k < batch->count; k++)
        for (int a = 0; a < 3; a++)
            batch->force[a][k] = *(bool *)user
                                     ? (double)NAN
                                     : -constants[0] * batch->overlap[k] * batch->normal[a][k];
}

TEST(what_a_refused_step_found_is_not_read)
{
    bool fails = false;
    scree_law spring = {
        .name = "spring", .prepare = spring_prepare, .force = spring_force, .user = &fails};
    scree_rule_def rule = scree_default_rule_def();
    scree_world_def def = scene_def();
    const scree_contact *c;
    double force, digest_force;
    scene s;

    rule.own_law = &spring;
    def.gravity[2] = 0;
    s = open_scene(&def, 0);
    CHECK_EQUAL(scree_world_add_rule(s.world, &rule), SCREE_OK);
    for (int k = 0; k < 2; k++) {
        scree_body_def body = scree_default_body_def();
        body.shape = scree_shape_sphere(RADIUS);
        body.material = s.material;
        body.position[0] = 0.07;
        body.position[1] = 0.05;
        body.position[2] = 0.5 + k * 0.0199;
        CHECK_EQUAL(scree_world_add_body(s.world, &body, NULL), SCREE_OK);
    }
    step(&s, 3);
    CHECK_EQUAL(read_all(&s, NULL, &c), 1);
    force = c[0].force[2];
    CHECK_NEAR(force, -1e4 * c[0].overlap, 1e-9);
    digest_force = body_of(&s, c[0].first).force[2];
    fails = true;
    CHECK_EQUAL(scree_world_step(s.world, 1), SCREE_BAD_VALUE);
    fails = false;
    CHECK_EQUAL(read_all(&s, NULL, &c), 1);
    CHECK(c[0].force[2] == force); /* this law knows no velocities: no difference at all */
    CHECK(body_of(&s, c[0].first).force[2] == digest_force);
    fails = true;
    CHECK_EQUAL(scree_world_step(s.world, 1), SCREE_BAD_VALUE);
    check_refused(&s, NULL, SCREE_BAD_VALUE, "law spring");
    scree_world_destroy(s.world);
}

static void probe_force(const scree_batch *batch, const double *constants, void *user)
{
    bool *is_aligned = user;
    const void *arrays[] = {batch->overlap, batch->normal[2], batch->slide[1], batch->force[0]};

    (void)constants;
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++)
        *is_aligned &= (uintptr_t)arrays[k] % 64 == 0;
    for (uint32_t k = 0; k < batch->count; k++)
        batch->force[0][k] = batch->force[1][k] = batch->force[2][k] = 0;
}

/*  The allocator of a host aligns as malloc does, no more. */
TEST(batches_are_aligned_for_the_widest_vectors)
{
    bool is_aligned = true;
    scree_law law = {
        .name = "probe", .prepare = spring_prepare, .force = probe_force, .user = &is_aligned};

    for (size_t shift = 0; shift < 4; shift++) {
        failing_allocator memory = {0};
        scree_rule_def rule = scree_default_rule_def();
        scree_world_def def = scene_def();
        void *taken[4];
        scene s;
        /* blocks move on by what others take before */
        for (size_t k = 0; k < shift; k++)
            taken[k] = malloc(16 + 32 * k);
        def.hooks.allocator = failing_allocator_hooks(&memory);
        def.overlap_limit = INFINITY;
        s = open_scene(&def, 0);
        rule.own_law = &law;
        CHECK_EQUAL(scree_world_add_rule(s.world, &rule), SCREE_OK);
        add_grains(&s, 20);
        step(&s, 500);
        scree_world_destroy(s.world);
        for (size_t k = 0; k < shift; k++)
            free(taken[k]);
    }
    CHECK(is_aligned);
}

/*  Materials that no law can bring together: said when bodies of them touch, and not before. */
TEST(materials_that_must_not_meet_are_named)
{
    scree_world_def def = scene_def();
    scree_material_def steel = scree_default_material_def();
    scree_body_def body = scree_default_body_def();
    scene s = open_scene(&def, 0);
    scree_material_id rigid;

    steel.young = INFINITY;
    steel.name = "steel";
    CHECK_EQUAL(scree_world_add_material(s.world, &steel, &rigid), SCREE_OK);
    body.shape = scree_shape_sphere(RADIUS);
    body.material = rigid;
    body.position[0] = 0.07;
    body.position[1] = 0.05;
    body.position[2] = 0.5;
    CHECK_EQUAL(scree_world_add_body(s.world, &body, NULL), SCREE_OK);
    body.position[2] = 0.5201;
    body.velocity[2] = -1;
    CHECK_EQUAL(scree_world_add_body(s.world, &body, NULL), SCREE_OK);
    step(&s, 3);
    CHECK_EQUAL(scree_world_step(s.world, 1), SCREE_BAD_VALUE);
    CHECK_SAYS(scree_world_message(s.world), "world: step 4: body 1 touches body 2: rule 0");
    CHECK_SAYS(scree_world_message(s.world), "young of materials steel and steel is infinite");
    CHECK_EQUAL(scree_world_clock(s.world).steps, 3);
    scree_world_destroy(s.world);
}

TEST(reading_may_run_out_of_memory)
{
    for (size_t fail = 1;; fail++) {
        failing_allocator memory = {0};
        scree_world_def def = scene_def();
        const scree_contact *c;
        size_t count, requests, refused;
        uint64_t digest;
        scene s;
        def.hooks.allocator = failing_allocator_hooks(&memory);
        s = open_scene(&def, 30);
        step(&s, 3000);
        digest = scree_world_digest(s.world);
        requests = memory.requests;
        memory.fail_at = requests + fail;
        refused = scree_world_contacts(s.world, NULL, &c, &count) == SCREE_OUT_OF_MEMORY;
        CHECK_EQUAL(refused, memory.failures);
        CHECK(scree_world_digest(s.world) == digest);
        memory.fail_at = 0;
        CHECK_EQUAL(read_all(&s, NULL, &c), scree_world_detection_stats(s.world).contacts);
        scree_world_destroy(s.world);
        CHECK(failing_allocator_is_clean(&memory));
        if (!refused)
            break;
    }
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(a_refused_step_leaves_the_contacts),
        CASE(a_refused_step_leaves_the_walls),
        CASE(what_a_refused_step_found_is_not_read),
        CASE(batches_are_aligned_for_the_widest_vectors),
        CASE(materials_that_must_not_meet_are_named),
        CASE(reading_may_run_out_of_memory),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
