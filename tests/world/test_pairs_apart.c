/*  Pairs of bodies that are apart are left out of the search for contacts until their motion has used up the gap
    (world/collide/pairs_apart.h). A world that forgets after each step what it knows of pairs comes to the same state, bit
    by bit; and most pairs that are apart are left out. */
#include "base/random.h"
#include "harness/solid_maker.h"
#include "world/collide/pairs_apart.h"
#include "world/step/world_data.h"

#define RADIUS 0.01
#define SIDE (RADIUS * 1.08)
#define SKIN (0.05 * RADIUS)
#define PITCH (2 * RADIUS)
#define ACROSS 4
#define STEPS 600

typedef struct shapes
{
    scree_mesh *mesh;
    scree_clump *clump;
} shapes;

static shapes make_shapes(void)
{
    const scree_pebble pebbles[3] = {{{0, 0, 0}, 0.5 * RADIUS},
                                     {{0.5 * RADIUS, 0, 0}, 0.4 * RADIUS},
                                     {{0, 0.5 * RADIUS, 0}, 0.4 * RADIUS}};

    return (shapes){cube(SIDE), clump_of(3, pebbles, 3)};
}

static void drop_shapes(shapes *of)
{
    scree_mesh_destroy(of->mesh);
    scree_clump_destroy(of->clump);
}

/*  Blocks, clumps, meshes and spheres by turns, in a cell that repeats or in a tray. */
static scene fill(const shapes *of, bool repeats, double speed)
{
    const double width = PITCH * ACROSS;
    scree_world_def def = plain_def(2e-5);
    scree_random random = scree_random_stream(3, 0);

    def.gravity[2] = -9.81;
    def.local_damping = 0.2;
    for (int k = 0; repeats && k < 3; k++) {
        def.domain.lower[k] = 0;
        def.domain.upper[k] = width;
        def.domain.boundary[k] = SCREE_BOUNDARY_PERIODIC;
    }
    scene s = open_scene(&def, "hertz", 0.3, 0.4);
    if (!repeats)
        add_wall(&s, NULL);
    for (int n = 0; n < ACROSS * ACROSS * ACROSS; n++) {
        const int place[3] = {n % ACROSS, n / ACROSS % ACROSS, n / ACROSS / ACROSS};
        const scree_shape sorts[4] = {
            scree_shape_block(of->mesh, SKIN), scree_shape_clump(of->clump),
            scree_shape_mesh(of->mesh, SKIN), scree_shape_sphere(0.95 * RADIUS)};
        scree_body_def body = body_at(&s, sorts[n % 7 % 4], 0, 0, 0);
        for (int k = 0; k < 3; k++) {
            body.position[k] = PITCH * (place[k] + 0.5);
            body.velocity[k] = scree_random_range(&random, -speed, speed);
            body.spin[k] = scree_random_range(&random, -speed, speed) / RADIUS;
        }
        for (int k = 0; k < 4; k++)
            body.orientation[k] = scree_random_normal(&random);
        add(&s, &body);
    }
    return s;
}

static void forget(scree_world *world)
{
    for (size_t k = 0; k < world->shape_contacts.candidate_count; k++)
        world->shape_contacts.candidates[k].way_to = 0;
}

static size_t left_out(const scree_world *world)
{
    const scree_shape_contacts *contacts = &world->shape_contacts;
    size_t count = 0;

    for (size_t k = 0; world->shape_finder.follows_ways && k < contacts->candidate_count; k++)
        count += scree_shape_stays_apart(&world->shape_finder, &contacts->candidates[k]);
    return count;
}

/*  Returns how many pairs stayed out, and finds how many touched, for all steps. */
static uint64_t go_beside(scene *s, scene *reference, int steps, uint64_t *touching)
{
    uint64_t count = 0;

    *touching = 0;
    for (int n = 0; n < steps; n++) {
        step(s, 1);
        step(reference, 1);
        forget(reference->world);
        CHECK_EQUAL(left_out(reference->world), 0);
        count += left_out(s->world);
        *touching += scree_world_detection_stats(s->world).contacts;
        if (scree_world_digest(s->world) != scree_world_digest(reference->world))
            FAIL("step %d: another state", n + 1);
    }
    return count;
}

TEST(what_is_left_out_touches_nothing)
{
    shapes of = make_shapes();

    for (int repeats = 0; repeats < 2; repeats++)
        for (int fast = 0; fast < 2; fast++) {
            scene s = fill(&of, repeats, fast ? 3 : 0.5),
                  reference = fill(&of, repeats, fast ? 3 : 0.5);
            uint64_t touching, count = go_beside(&s, &reference, STEPS, &touching);
            CHECK(count > 20 * STEPS);
            CHECK(touching > STEPS / 2);
            FIGURE("%s bodies: %.0f pairs left out a step, %.1f touch", fast ? "fast" : "slow",
                   (double)count / STEPS, (double)touching / STEPS);
            scree_world_destroy(s.world);
            scree_world_destroy(reference.world);
        }
    drop_shapes(&of);
}

/*  All counters are as if each pair had been tested. */
TEST(what_is_left_out_is_counted_as_before)
{
    shapes of = make_shapes();
    scene s = fill(&of, false, 0.1), reference = fill(&of, false, 0.1);

    uint64_t touching;
    go_beside(&s, &reference, 100, &touching);
    const scree_local_counts a = scree_world_local_counts(s.world),
                             b = scree_world_local_counts(reference.world);
    CHECK_EQUAL(a.pairs, b.pairs);
    CHECK_EQUAL(a.touching, b.touching);
    scree_world_destroy(s.world);
    scree_world_destroy(reference.world);
    drop_shapes(&of);
}

/*  A body that the host puts or turns elsewhere is looked at again at once. */
TEST(the_host_may_move_bodies)
{
    scree_world_def def = plain_def(1e-6);
    scree_mesh *mesh = cube(SIDE);
    def.detection.margin.kind = SCREE_MARGIN_SKIN;
    def.detection.margin.length = 4 * SIDE;
    scene s = open_scene(&def, "linear", 0.5, 0);
    scree_body_def body = body_at(&s, scree_shape_block(mesh, SKIN), 0, 0, 0);
    add(&s, &body);
    body.position[0] = 1.3 * SIDE;
    scree_body_id id = add(&s, &body);

    step(&s, 5);
    CHECK_EQUAL(left_out(s.world), 1);
    CHECK_EQUAL(scree_world_detection_stats(s.world).contacts, 0);
    /* a corner of the second reaches the first once it is turned */
    const double eighth[4] = {0.92387953251128674, 0, 0, 0.38268343236508977};
    CHECK_EQUAL(scree_body_set_orientation(s.world, id, eighth), SCREE_OK);
    CHECK_EQUAL(scree_body_set_position(s.world, id, (double[3]){1.25 * SIDE, 0, 0}), SCREE_OK);
    step(&s, 1);
    CHECK(scree_world_detection_stats(s.world).contacts > 0);
    scree_world_destroy(s.world);
    scree_mesh_destroy(mesh);
}

/*  Laws that act at a distance need all pairs. */
TEST(laws_at_a_distance_leave_out_nothing)
{
    scree_world_def def = plain_def(1e-6);
    scree_mesh *mesh = cube(SIDE);
    def.detection.margin.kind = SCREE_MARGIN_SKIN;
    def.detection.margin.length = 4 * SIDE;
    scene s = open_scene(&def, "linear", 0.5, 0);
    scree_rule_def rule = scree_default_rule_def();
    static const char *const names[] = {"bond_young", "bond_tension", "bond_shear"};
    static const double values[] = {2e6, 1e6, 1e6};
    rule.law = "bonded";
    rule.type = SCREE_CONTACT_BODIES;
    rule.names = names;
    rule.values = values;
    rule.value_count = 3;
    CHECK_EQUAL(scree_world_add_rule(s.world, &rule), SCREE_OK);
    scree_body_def body = body_at(&s, scree_shape_block(mesh, SKIN), 0, 0, 0);
    add(&s, &body);
    body.position[0] = 1.3 * SIDE;
    add(&s, &body);
    step(&s, 3);
    CHECK_EQUAL(left_out(s.world), 0);
    scree_world_destroy(s.world);
    scree_mesh_destroy(mesh);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(what_is_left_out_touches_nothing),
        CASE(what_is_left_out_is_counted_as_before),
        CASE(the_host_may_move_bodies),
        CASE(laws_at_a_distance_leave_out_nothing),
    };

    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
