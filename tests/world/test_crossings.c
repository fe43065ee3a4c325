/*  Nothing passes through anything in silence: walls and bodies that are so fast that their contacts would be missed. Each case
    went through silently once. */
#include "harness/adversary.h"
#include "harness/world_maker.h"

#define RADIUS 0.01

/* ---- scenes ---- */

static int told;
static char telling[512];

static void hear(scree_log_level level, scree_log_id id, const char *text, void *user)
{
    (void)user;
    if (id != SCREE_LOG_CROSSING)
        return;
    CHECK_EQUAL(level, SCREE_LOG_WARNING);
    told++;
    snprintf(telling, sizeof telling, "%s", text);
}

static scree_world_def swift_def(double dt)
{
    scree_world_def def = scree_default_world_def();

    def.step.dt = dt;
    def.hooks.log.write = hear;
    told = 0;
    return def;
}

/*  In z = 0 at first, a square of 2 half. */
static scree_wall_id add_sheet(scree_world *world, double half, double speed)
{
    const double halves[2] = {half, half};
    scree_wall_def def = scree_default_wall_def();
    scree_mesh *mesh = adversary_sheet(halves, false);
    scree_wall_id id;

    def.kind = SCREE_WALL_MESH;
    def.mesh = mesh;
    def.material.index1 = 1;
    def.path.velocity[2] = speed;
    CHECK_EQUAL(scree_world_add_wall(world, &def, &id), SCREE_OK);
    scree_mesh_destroy(mesh);
    return id;
}

static scree_body_id add_bullet(scree_world *world, double radius, double z, double speed)
{
    scree_body_def def = ball(radius, 0, 0, z);

    def.velocity[2] = speed;
    return add(world, &def);
}

/*  Refused in one of the next steps, with the failed body; the step has not happened. */
static void check_refused(scree_world *world, scree_body_id failed_body, const char *says)
{
    uint64_t before = 0;
    scree_status status = SCREE_OK;

    for (int k = 0; k < 100 && !status; k++) {
        before = scree_world_digest(world);
        status = scree_world_step(world, 1);
    }
    CHECK_EQUAL(status, SCREE_UNSTABLE);
    CHECK_SAYS(scree_world_message(world), says);
    CHECK_SAYS(scree_world_message(world), "unseen");
    CHECK_EQUAL(scree_world_failed_body(world).index1, failed_body.index1);
    CHECK(scree_world_digest(world) == before);
}

static double kinetic_energy(scree_world *world)
{
    scree_energy energy = scree_world_energy(world);

    return energy.kinetic + energy.rotational;
}

/* ---- walls ---- */

static void add_plane(scree_world *world, double speed)
{
    scree_wall_def plane = scree_default_wall_def();

    plane.material.index1 = 1;
    plane.path.velocity[2] = speed;
    CHECK_EQUAL(scree_world_add_wall(world, &plane, NULL), SCREE_OK);
}

/*  A plane is seen wherever it is; but at once it was too deep. */
TEST(a_fast_wall_hits_what_lies_in_its_way)
{
    for (int is_plane = 0; is_plane < 2; is_plane++) {
        scree_world_def def = swift_def(0);
        def.step.mode = SCREE_TIME_AUTOMATIC;
        scree_world *world = make_world(&def, NULL);
        if (is_plane)
            add_plane(world, 3);
        else
            add_sheet(world, 0.5, 3);
        scree_body_id body = add_bullet(world, RADIUS, 0.5, 0);
        for (int k = 0; k < 3000 && !(kinetic_energy(world) > 0 &&
                                      scree_world_detection_stats(world).contacts == 0);
             k++)
            step(world, 1);
        /* a collision as any other: it is thrown off with the speed of the wall and what restitution leaves of it */
        CHECK(body_of(world, body).velocity[2] > 3 && body_of(world, body).velocity[2] < 6);
        /* once, with who and how fast */
        CHECK_EQUAL(told, 1);
        CHECK_SAYS(telling, is_plane ? "body 1 overlaps wall 1"
                                     : "body 1 would go through wall 1 unseen, at 3 m/s");
        CHECK_SAYS(telling, "steps are made shorter");
        scree_world_destroy(world);
    }
}

TEST(with_a_given_step_it_is_refused)
{
    scree_world_def def = swift_def(1e-3);
    def.overlap_limit = INFINITY;
    scree_world *world = make_world(&def, NULL);
    add_sheet(world, 0.5, 300);
    scree_body_id body = add_bullet(world, RADIUS, 0.5, 0);

    check_refused(world, body,
                  "body 1 would go through wall 1 unseen, at 300 m/s: 0.3 in a step of 0.001 s");
    CHECK_SAYS(scree_world_message(world), "steps of at most 3.33e-05 s would do");
    CHECK_EQUAL(told, 0);
    /* and so they do */
    CHECK_EQUAL(scree_world_set_dt(world, SCREE_TIME_FIXED, 3.33e-5), SCREE_OK);
    for (int k = 0; k < 60 && !(kinetic_energy(world) > 0); k++)
        step(world, 1);
    CHECK(kinetic_energy(world) > 0);
    scree_world_destroy(world);
}

TEST(a_bullet_at_a_sheet)
{
    static const double offsets[] = {0, 0.3, 0.5, 0.77, 0.99};

    for (size_t k = 0; k < sizeof offsets / sizeof *offsets; k++) {
        scree_world_def def = swift_def(1e-3);
        scree_world *world = make_world(&def, NULL);
        add_sheet(world, 0.5, 0);
        /* 100 radii a step, and a fraction of a step before the sheet */
        scree_body_id body = add_bullet(world, RADIUS, 2.5 + offsets[k], -1000);
        check_refused(world, body,
                      "body 1 would go through wall 1 unseen, at 1e+03 m/s: 1 in a step");
        scree_world_destroy(world);
    }
}

TEST(what_passes_beside_is_not_refused)
{
    scree_world_def def = swift_def(1e-3);
    scree_world *world = make_world(&def, NULL);
    add_sheet(world, 0.5, 0);
    scree_body_def made = ball(RADIUS, 0.5 + 1.01 * RADIUS, 0, 2.5);
    made.velocity[2] = -1000;
    scree_body_id body = add(world, &made);
    /* and what no law is for, or no group meets */
    made = ball(RADIUS, 0, 0, 2.5);
    made.velocity[2] = -1000;
    made.mask = made.groups = 2;
    add(world, &made);

    step(world, 5);
    CHECK_NEAR(body_of(world, body).position[2], -2.5, 1e-9);
    scree_world_destroy(world);
}

/*  It lies on the sheet, which keeps the side: fast along it, it is no case of passing. */
TEST(what_slides_along_a_sheet_is_not_refused)
{
    scree_world_def def = swift_def(1e-5);
    scree_world *world = make_world(&def, NULL);
    add_sheet(world, 5, 0);
    scree_body_def made = ball(RADIUS, -4, 0.3, RADIUS * (1 - 1e-5));
    made.velocity[0] = 3 * RADIUS / 1e-5;
    scree_body_id body = add(world, &made);

    step(world, 100);
    CHECK(body_of(world, body).position[2] > 0);
    scree_world_destroy(world);
}

/*  Half of a turn, and all of one, in a step. */
TEST(a_plane_that_turns)
{
    for (int turns = 1; turns <= 2; turns++) {
        scree_world_def def = swift_def(1e-3);
        scree_world *world = make_world(&def, NULL);
        scree_wall_def plane = scree_default_wall_def();
        plane.material.index1 = 1;
        plane.path.axis[0] = 1;
        plane.path.rate = 2 * 3.14159265358979 / 1e-3 * turns;
        CHECK_EQUAL(scree_world_add_wall(world, &plane, NULL), SCREE_OK);
        scree_body_id body = add_bullet(world, RADIUS, 0.2, 0);
        check_refused(world, body, "wall 1");
        scree_world_destroy(world);
    }
}

/* ---- bodies ---- */

TEST(a_bullet_at_a_body)
{
    static const double offsets[] = {0, 0.3, 0.45, 0.77, 0.94};

    for (size_t k = 0; k < sizeof offsets / sizeof *offsets; k++) {
        scree_world_def def = swift_def(1e-3);
        scree_world *world = make_world(&def, NULL);
        add_bullet(world, 2 * RADIUS, 0, 0);
        scree_body_id body = add_bullet(world, RADIUS, 2.5 + offsets[k], -1000);
        check_refused(world, body, "body 2 would go through body 1 unseen, at 1e+03 m/s");
        scree_world_destroy(world);
    }
}

TEST(in_a_periodic_cell)
{
    for (int is_wide = 0; is_wide < 2; is_wide++) {
        scree_world_def def = swift_def(1e-3);
        def.domain.boundary[2] = SCREE_BOUNDARY_PERIODIC;
        def.domain.lower[2] = 0;
        def.domain.upper[2] = 1;
        scree_world *world = make_world(&def, NULL);
        add_bullet(world, RADIUS, 0.95, 0);
        scree_body_id body = add_bullet(world, RADIUS, 0.1, is_wide ? -600 : -300);
        check_refused(world, body,
                      is_wide ? "body 2 would go through nearly half of the periodic cell"
                              : "body 2 would go through body 1");
        scree_world_destroy(world);
    }
}

/* ---- ways of stepping ---- */

/*  Within a call steps are made in place: the same one is refused, and all before it are the same. */
TEST(steps_in_place)
{
    uint64_t due = 0, count = 0;

    for (int is_at_once = 0; is_at_once < 2; is_at_once++) {
        scree_world_def def = swift_def(1e-3);
        scree_world *world = make_world(&def, NULL);
        add_sheet(world, 0.5, 0);
        add_bullet(world, RADIUS, 0.2, 1);
        scree_body_def made = ball(RADIUS, 0.2, 0, 0.1);
        made.velocity[2] = -1;
        add(world, &made);
        /* slow at first: it falls */
        CHECK_EQUAL(scree_world_set_gravity(world, (double[3]){0, 0, -9.81}), SCREE_OK);
        made = ball(RADIUS, -0.3, 0, 20);
        made.velocity[2] = -0.5;
        scree_body_id body = add(world, &made);
        scree_status status = SCREE_OK;
        if (is_at_once)
            status = scree_world_step(world, 5000);
        for (int k = 0; k < 5000 && !status && !is_at_once; k++)
            status = scree_world_step(world, 1);
        CHECK_EQUAL(status, SCREE_UNSTABLE);
        CHECK_SAYS(scree_world_message(world), "would go through wall 1 unseen");
        CHECK_EQUAL(scree_world_failed_body(world).index1, body.index1);
        due = is_at_once ? due : scree_world_digest(world);
        count = is_at_once ? count : scree_world_clock(world).steps;
        CHECK(scree_world_digest(world) == due && scree_world_clock(world).steps == count);
        scree_world_destroy(world);
    }
}

TEST(local_steps)
{
    scree_world_def def = swift_def(1e-3);
    def.step.local_steps = 2;
    scree_world *world = make_world(&def, NULL);
    add_sheet(world, 0.5, 300);
    add_bullet(world, RADIUS, 0.5, 0);
    scree_status status = SCREE_OK;

    for (int k = 0; k < 10 && !status; k++)
        status = scree_world_step(world, 1);
    CHECK_EQUAL(status, SCREE_UNSTABLE);
    CHECK_SAYS(scree_world_message(world), "would go through wall 1 unseen");
    scree_world_destroy(world);
}

/*  They are halved as often as they may be. */
TEST(implicit_steps)
{
    for (uint32_t halvings = 0; halvings <= 12; halvings += 12) {
        scree_world_def def = swift_def(1e-3);
        def.step.integrator = SCREE_IMPLICIT_EULER;
        def.step.picard.halvings = halvings;
        def.overlap_limit = INFINITY;
        scree_world *world = make_world(&def, NULL);
        add_sheet(world, 0.5, 0);
        scree_body_id body = add_bullet(world, RADIUS, 0.1, -30);
        if (halvings == 0) {
            check_refused(world, body, "body 1 would go through wall 1");
        } else {
            step(world, 50);
            CHECK(body_of(world, body).velocity[2] > 0);
        }
        scree_world_destroy(world);
    }
}

/* ---- the adversary ---- */

static void check_adversary(uint64_t seed, uint64_t count)
{
    adversary_tally tally = {0};

    for (uint64_t k = 0; k < count; k++) {
        const char *why = adversary_try(seed + k, false, &tally);
        if (why)
            FAIL("adversary, seed %llu: %s; ./do campaign adversary --seed %llu --cases 1",
                 (unsigned long long)(seed + k), why, (unsigned long long)(seed + k));
    }
    printf("%llu cases: %llu refused, %llu for something else, %llu made shorter, %llu touched\n",
           (unsigned long long)count, (unsigned long long)tally.refused,
           (unsigned long long)tally.otherwise, (unsigned long long)tally.shorter,
           (unsigned long long)tally.touched);
    /* it must be one */
    CHECK(tally.refused > count / 5 && tally.shorter > count / 50 && tally.touched > count / 5);
}

TEST(an_adversary_never_wins)
{
    check_adversary(1, (uint64_t)TEST_EFFORT(1500, 20000));
}

/*  Where bodies meet no body all of them pass, and that must be seen: what judges is not what refuses. */
TEST(who_judges_sees)
{
    adversary_tally tally = {0};
    uint64_t count = 400, seen = 0;

    for (uint64_t k = 0; k < count; k++) {
        const char *why = adversary_try(k, true, &tally);
        seen += why && strstr(why, "went through");
    }
    CHECK(tally.refused == 0);
    printf("%llu of %llu pass\n", (unsigned long long)seen, (unsigned long long)count);
    CHECK(seen > count / 2);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(a_fast_wall_hits_what_lies_in_its_way),
        CASE(with_a_given_step_it_is_refused),
        CASE(a_bullet_at_a_sheet),
        CASE(what_passes_beside_is_not_refused),
        CASE(what_slides_along_a_sheet_is_not_refused),
        CASE(a_plane_that_turns),
        CASE(a_bullet_at_a_body),
        CASE(in_a_periodic_cell),
        CASE(steps_in_place),
        CASE(local_steps),
        CASE(implicit_steps),
        CASE(an_adversary_never_wins),
        CASE(who_judges_sees),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
