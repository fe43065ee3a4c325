/*  Bodies of triangles: laws of the host's act on them, and what cannot be is refused. */
#include "harness/failing_allocator.h"
#include "harness/solid_maker.h"
#include "shape/shape_skin.h"

/* ---- laws of the host's ---- */

static scree_status prepare_nothing(const scree_law_input *input,
                                    double constants[SCREE_MAX_CONSTANTS], void *user)
{
    (void)input;
    (void)user;
    constants[0] = 1e4;
    return SCREE_OK;
}

/*  Pulls as well as it pushes; with `user` its forces are no numbers. */
static void spring(const scree_batch *batch, const double *constants, void *user)
{
    for (uint32_t k = 0; k < batch->count; k++)
        for (int a = 0; a < 3; a++)
            batch->force[a][k] =
                user ? NAN : -constants[0] * batch->overlap[k] * batch->normal[a][k];
}

static scene open_with_law(const scree_world_def *def, double reach, void *user, bool acts)
{
    scene s = {0};
    scree_material_def material = scree_default_material_def();
    scree_rule_def rule = scree_default_rule_def();
    scree_law law = {.name = "spring",
                     .summary = "a spring",
                     .reach = reach,
                     .prepare = prepare_nothing,
                     .force = spring,
                     .user = user};

    CHECK_EQUAL(scree_world_create(def, &s.world), SCREE_OK);
    CHECK_EQUAL(scree_world_add_material(s.world, &material, &s.material), SCREE_OK);
    rule.law = NULL;
    rule.own_law = acts ? &law : NULL;
    CHECK_EQUAL(scree_world_add_rule(s.world, &rule), SCREE_OK);
    return s;
}

TEST(laws_may_reach_beyond_touch)
{
    scree_mesh *box = cube(0.1);
    const scree_shape shapes[] = {scree_shape_sphere(0.05), scree_shape_mesh(box, 0.004)};

    for (int k = 0; k < 2; k++) {
        scree_world_def def = plain_def(1e-5);
        def.energy_balance = false;
        scene s = open_with_law(&def, 0.01, NULL, true);
        double gap = 0.1 + 0.004 + scree_shape_skin(&shapes[k]) + 0.005;
        scree_body_def a = body_at(&s, scree_shape_mesh(box, 0.004), 0, 0, 1);
        scree_body_def b = body_at(&s, shapes[k], gap, 0, 1);
        const scree_contact *contacts;
        size_t count;
        add_wall(&s, NULL);
        add(&s, &a);
        scree_body_id id = add(&s, &b);
        step(&s, 1);
        CHECK_EQUAL(scree_world_contacts(s.world, NULL, &contacts, &count), SCREE_OK);
        CHECK(count > 0);
        for (size_t c = 0; c < count; c++)
            if (contacts[c].second.index1)
                CHECK_NEAR(contacts[c].overlap, -0.005, 1e-7);
        CHECK(body_of(&s, id).force[0] < 0);
        scree_world_destroy(s.world);
    }
    scree_mesh_destroy(box);
}

TEST(where_no_law_acts_nothing_touches)
{
    scree_mesh *box = cube(0.1);
    scree_world_def def = plain_def(1e-5);
    scene s = open_with_law(&def, 0, NULL, false);
    scree_body_def body = body_at(&s, scree_shape_mesh(box, 0.004), 0, 0, 0.05);

    add_wall(&s, NULL);
    add(&s, &body);
    body.position[0] = 0.1;
    add(&s, &body);
    step(&s, 10);
    CHECK_EQUAL(scree_world_detection_stats(s.world).contacts, 0);
    scree_world_destroy(s.world);
    scree_mesh_destroy(box);
}

TEST(forces_that_are_no_numbers_are_blamed)
{
    scree_mesh *box = cube(0.1);

    for (int at_wall = 0; at_wall < 2; at_wall++) {
        scree_world_def def = plain_def(1e-5);
        scene s = open_with_law(&def, 0, &def, true);
        scree_body_def body = body_at(&s, scree_shape_mesh(box, 0.004), 0, 0, 0.052);
        add(&s, &body);
        body.position[0] = 0.105;
        if (at_wall)
            add_wall(&s, NULL);
        else
            add(&s, &body);
        CHECK_EQUAL(scree_world_step(s.world, 1), SCREE_BAD_VALUE);
        CHECK(strstr(scree_world_message(s.world),
                     at_wall ? "its contact with wall 1" : "its contact with body 2"));
        CHECK(scree_world_failed_body(s.world).index1 != 0);
        scree_world_destroy(s.world);
    }
    scree_mesh_destroy(box);
}

/*  Where inertia is scaled, and where a host's function acts. */

/* ---- what is refused ---- */

TEST(surfaces_that_are_too_deep_end_the_run)
{
    scree_mesh *box = cube(0.1);

    for (int unlimited = 0; unlimited < 2; unlimited++) {
        scree_world_def def = plain_def(1e-5);
        def.overlap_limit = unlimited ? INFINITY : 0.01;
        scene s = open_scene(&def, "linear", 0.5, 0);
        scree_body_def a = body_at(&s, scree_shape_mesh(box, 0.001), 0, 0, 0), b = a;
        b.position[0] = 0.105;
        b.velocity[0] = -5;
        add(&s, &a);
        add(&s, &b);
        scree_status status = scree_world_step(s.world, 1000);
        CHECK_EQUAL(status, unlimited ? SCREE_OK : SCREE_UNSTABLE);
        if (!unlimited) {
            CHECK(strstr(scree_world_message(s.world), "body 1 overlaps body 2"));
            CHECK(strstr(scree_world_message(s.world), "deep in each other, the limit is 0.01"));
        }
        scree_world_destroy(s.world);
    }
    scree_mesh_destroy(box);
}

static void refuse(const scene *s, const scree_body_def *def, scree_status status,
                   const char *words)
{
    uint64_t digest = scree_world_digest(s->world);

    CHECK_EQUAL(scree_world_add_body(s->world, def, NULL), status);
    if (!strstr(scree_world_message(s->world), words))
        FAIL("\"%s\" does not say \"%s\"", scree_world_message(s->world), words);
    CHECK_EQUAL(scree_world_digest(s->world), digest);
}

TEST(what_is_no_body_is_refused)
{
    scree_random random = scree_random_stream(3, 0);
    maker m = maker_plane(2, 1, 0, &random);
    scree_mesh *sheet = maker_mesh(&m), *box = cube(1);
    scree_world_def def = plain_def(1e-5);
    scene s = open_scene(&def, "linear", 0.5, 0);
    scree_body_def body = body_at(&s, scree_shape_mesh(box, 0.01), 0, 0, 0);
    double origin[3], turn[4];
    scree_body_id id = add(&s, &body);

    for (int k = 0; k < 4; k++) {
        const double skins[] = {0, -1, NAN, INFINITY};
        body.shape = scree_shape_mesh(box, skins[k]);
        refuse(&s, &body, SCREE_BAD_VALUE, "contact_skin is");
        CHECK_EQUAL(scree_shape_mass(&body.shape, 1, 3, &(scree_mass){0}, NULL), SCREE_BAD_VALUE);
    }
    body.shape = scree_shape_mesh(NULL, 0.01);
    refuse(&s, &body, SCREE_BAD_VALUE, "mesh is NULL");
    body.shape = scree_shape_mesh(sheet, 0.01);
    refuse(&s, &body, SCREE_BAD_VALUE, "not closed");
    CHECK_EQUAL(scree_body_def_place(&body, (double[3]){0}, (double[4]){1, 0, 0, 0}),
                SCREE_BAD_ARGUMENT);
    body.shape = scree_shape_mesh(box, 0.01);
    CHECK_EQUAL(scree_body_def_place(&body, (double[3]){0}, (double[4]){0}), SCREE_BAD_VALUE);
    CHECK_EQUAL(scree_body_def_place(NULL, (double[3]){0}, (double[4]){1, 0, 0, 0}),
                SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_world_body_frame(s.world, id, NULL, turn), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_world_body_frame(s.world, (scree_body_id){0, 0}, origin, turn),
                SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_shape_frame(NULL, origin, turn, NULL), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_shape_frame(&body.shape, NULL, turn, NULL), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_shape_frame(&body.shape, origin, NULL, NULL), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_shape_frame(&(scree_shape){0}, origin, turn, NULL), SCREE_BAD_ARGUMENT);
    scree_shape sphere = scree_shape_sphere(1);
    CHECK_EQUAL(scree_shape_frame(&sphere, origin, turn, NULL), SCREE_OK);
    CHECK(origin[0] == 0 && turn[0] == 1);
    CHECK_EQUAL(scree_shape_mass(&body.shape, 1, 2, &(scree_mass){0}, NULL), SCREE_BAD_ARGUMENT);
    scree_body b = body_of(&s, id);
    b.shape.contact_skin = 0.02;
    CHECK_EQUAL(scree_world_set_body(s.world, id, &b), SCREE_BAD_ARGUMENT);
    b = body_of(&s, id);
    b.shape.mesh = sheet;
    CHECK_EQUAL(scree_world_set_body(s.world, id, &b), SCREE_BAD_ARGUMENT);
    scree_world_destroy(s.world);

    def.detection.mesh_engine = (scree_mesh_engine)4;
    CHECK_EQUAL(scree_world_create(&def, &s.world), SCREE_BAD_ARGUMENT);
    def.detection.mesh_engine = SCREE_MESH_ENGINE_AUTO;
    def.dimensions = 2;
    s = open_scene(&def, "linear", 0.5, 0);
    body.material = s.material;
    refuse(&s, &body, SCREE_BAD_VALUE, "must have 2 in 2 dimensions");
    scree_world_destroy(s.world);
    scree_mesh_destroy(sheet);
    scree_mesh_destroy(box);
    maker_free(&m);
}

/*  Every request for memory fails once, with surrogates one in seven; the step that is refused has not happened. */
static void fail_at_any_time(scree_mesh_engine engine)
{
    scree_mesh *box = cube(0.1), *floor = slope();
    uint64_t digest = 0;

    for (size_t k = 0;; k += engine ? 7 : 1) {
        failing_allocator memory = {.fail_at = k};
        scree_world_def def = plain_def(1e-5);
        scree_world *world = NULL, *copy = NULL;
        def.hooks.allocator = failing_allocator_hooks(&memory);
        def.gravity[2] = -9.81;
        def.detection.method = "flat";
        def.detection.mesh_engine = engine;
        def.overlap_limit = INFINITY;
        def.step.mode = SCREE_TIME_AUTOMATIC;
        if (scree_world_create(&def, &world) == SCREE_OK) {
            scree_material_def material = scree_default_material_def();
            scree_wall_def wall = scree_default_wall_def();
            scree_body_def body = scree_default_body_def();
            const scree_contact *contacts;
            size_t count, tries = 0;
            while (scree_world_add_material(world, &material, &body.material) && tries++ < 2)
                ;
            wall.material = body.material;
            while (scree_world_add_wall(world, &wall, NULL) && tries++ < 2)
                ;
            wall.kind = SCREE_WALL_MESH;
            wall.mesh = floor;
            while (scree_world_add_wall(world, &wall, NULL) && tries++ < 2)
                ;
            for (int n = 0; n < 5; n++) {
                body.shape = n == 0  ? scree_shape_sphere(0.05)
                             : n % 2 ? scree_shape_mesh(box, 0.01)
                                     : scree_shape_block(box, 0.01);
                body.position[0] = n < 3 ? 0.04 * n - 0.04 : 0.7 + 0.09 * n;
                body.position[2] = n < 3 ? 0.09 + 0.107 * n : 0.055;
                while (scree_world_add_body(world, &body, NULL) && tries++ < 2)
                    ;
            }
            while (scree_world_step(world, 1) && tries++ < 3)
                ;
            while (scree_world_clock(world).steps < 40 && tries++ < 3)
                (void)scree_world_step(world, 40 - scree_world_clock(world).steps);
            while (scree_world_contacts(world, NULL, &contacts, &count) && tries++ < 3)
                ;
            if (scree_world_clock(world).steps != 40)
                FAIL("request %zu: %s", k, scree_world_message(world));
            if (k == 0)
                digest = scree_world_digest(world);
            CHECK_EQUAL(scree_world_digest(world), digest);
            scree_world_def mine = def;
            if (scree_world_copy(world, &mine, &copy) == SCREE_OK)
                CHECK_EQUAL(scree_world_digest(copy), digest);
            scree_world_destroy(copy);
            scree_world_destroy(world);
        }
        CHECK(failing_allocator_is_clean(&memory));
        if (k > 0 && memory.requests < k)
            break;
    }
    scree_mesh_destroy(box);
    scree_mesh_destroy(floor);
}

TEST(memory_may_fail_at_any_time)
{
    fail_at_any_time(SCREE_MESH_ENGINE_AUTO);
    fail_at_any_time(SCREE_MESH_ENGINE_SURROGATE);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(laws_may_reach_beyond_touch),
        CASE(where_no_law_acts_nothing_touches),
        CASE(forces_that_are_no_numbers_are_blamed),
        CASE(surfaces_that_are_too_deep_end_the_run),
        CASE(what_is_no_body_is_refused),
        CASE(memory_may_fail_at_any_time),
    };

    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
