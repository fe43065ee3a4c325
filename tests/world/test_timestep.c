/*  How long steps are: chosen ones within their bounds, given ones that are too long. */
#include "base/hash.h"
#include "harness/failing_allocator.h"
#include "step_maker.h"

static double wanted_step(scree_world *world, const scree_world_def *def)
{
    scree_stable_step stable = stable_step(world);

    return fmin(def->step.safety_factor * stable.springs, stable.dt);
}

/* ---- a bed ---- */

static void fill_bed(scree_world *world, int side)
{
    scree_wall_def floor = scree_default_wall_def();

    floor.material.index1 = 1;
    CHECK_EQUAL(scree_world_add_wall(world, &floor, NULL), SCREE_OK);
    for (int x = 0; x < side; x++)
        for (int y = 0; y < side; y++)
            for (int z = 0; z < 3; z++) {
                scree_body_def body = ball(1e-3, 2.02e-3 * x + 0.3e-3 * z + 1e-3,
                                           2.02e-3 * y + 0.1e-3 * z + 1e-3, 1.05e-3 + 2.02e-3 * z);
                add(world, &body);
            }
}

static scree_world_def bed_def(scree_time_mode mode, double dt, int side)
{
    scree_world_def def = given(dt);

    def.step.mode = mode;
    def.gravity[2] = -9.81;
    for (int k = 0; k < 2; k++) {
        def.domain.boundary[k] = SCREE_BOUNDARY_PERIODIC;
        def.domain.upper[k] = 2.02e-3 * side;
    }
    return def;
}

/* ---- automatic ---- */

TEST(pfc_27_automatic_keeps_its_bounds)
{
    scree_world_def def = bed_def(SCREE_TIME_AUTOMATIC, 0, 6);
    def.local_damping = 0.5;
    scree_world *world = make_world(&def, NULL);
    double last = 0, least = INFINITY;

    fill_bed(world, 6);
    for (int k = 0; k < 3000; k++) {
        step(world, 1);
        double dt = scree_world_clock(world).dt, wanted = wanted_step(world, &def);
        scree_bodies_view view = scree_world_bodies(world);
        CHECK(k == 0 || dt <= last * 1.05 * (1 + 1e-15));
        /* a step that would come to where it is more than twice what is wanted is tried again */
        CHECK(dt <= 2 * wanted * (1 + 1e-12));
        for (size_t b = 0; b < view.count; b++) {
            double speed = 0;
            for (int a = 0; a < 3; a++)
                speed += scree_row_at(view.velocity, b)[a] * scree_row_at(view.velocity, b)[a];
            /* the speed is that of the end, the bound of the beginning: what forces do in one step */
            CHECK(sqrt(speed) * dt <= 1.1 * 2e-3 / 32);
        }
        last = dt;
        least = fmin(least, dt);
    }
    /* it comes to rest on the floor, with a step that is what contacts allow */
    step(world, 15000);
    last = scree_world_clock(world).dt;
    CHECK(scree_world_energy(world).kinetic < 1e-9);
    CHECK_NEAR(last, wanted_step(world, &def), 1e-6 * last);
    CHECK(least > 1e-7);
    scree_world_destroy(world);
}

TEST(automatic_obeys_the_longest)
{
    scree_world_def def = given(1e-4);
    def.step.mode = SCREE_TIME_AUTOMATIC;
    scree_world *world = make_linear(&def);
    scree_body_def body = ball(1e-3, 0, 0, 0);

    body.velocity[0] = 0.1; /* would do with 6e-4 */
    add(world, &body);
    step(world, 3);
    CHECK(scree_world_clock(world).dt == 1e-4);
    CHECK_EQUAL(scree_world_set_dt(world, SCREE_TIME_AUTOMATIC, 0), SCREE_OK);
    step(world, 1);
    CHECK_NEAR(scree_world_clock(world).dt, 1.05e-4, 1e-18);
    step(world, 100);
    CHECK_NEAR(scree_world_clock(world).dt, 2e-3 / 32 / 0.1, 1e-15);
    scree_world_destroy(world);
}

/*  At rest in space nothing bounds the step but gravity, and where there is none, nothing. */
TEST(automatic_from_rest)
{
    scree_world_def def = given(0);
    def.step.mode = SCREE_TIME_AUTOMATIC;
    scree_world *world = make_linear(&def);
    scree_body_def body = ball(1e-3, 0, 0, 0);

    add(world, &body);
    step(world, 1);
    CHECK(scree_world_clock(world).dt == 1);
    CHECK_EQUAL(scree_world_set_gravity(world, (double[3]){0, 0, -9.81}), SCREE_OK);
    step(world, 1);
    CHECK_NEAR(scree_world_clock(world).dt, sqrt(2 * 2e-3 / 32 / 9.81), 1e-12);
    scree_world_destroy(world);
}

/*  A contact that begins is stiff at once ("linear"): the step in which it begins is undone and taken again. */
TEST(automatic_meets_a_contact)
{
    scree_world_def def = given(0);
    def.step.mode = SCREE_TIME_AUTOMATIC;
    scree_world *world = make_linear(&def);
    scree_body_def a = ball(1e-3, 0, 0, 0), b = ball(1e-3, 2.5e-3, 0, 0);
    double speed = 0, most = 0;

    b.velocity[0] = -0.01; /* the kinematic bound is 6 ms, the stable step of the contact 6 us */
    scree_body_id moving = (add(world, &a), add(world, &b));
    for (int k = 0; k < 5000 && scree_world_clock(world).time < 0.06; k++) {
        step(world, 1);
        CHECK(scree_world_clock(world).dt <= 2 * wanted_step(world, &def) * (1 + 1e-12));
        speed = fmax(speed, fabs(body_of(world, moving).velocity[0]));
        most = fmax(most, scree_world_clock(world).dt);
    }
    CHECK(most > 1e-3);
    CHECK(scree_world_clock(world).time >= 0.06);
    /* nothing was shot away */
    CHECK(speed <= 0.01 * (1 + 1e-9));
    CHECK(body_of(world, moving).velocity[0] > -0.006);
    scree_world_destroy(world);
}

TEST(automatic_gives_up_on_the_absurd)
{
    scree_world_def def = given(0);
    def.step.mode = SCREE_TIME_AUTOMATIC;
    scree_world *world = make_linear(&def);
    scree_body_def body = ball(1e-3, 0, 0, 0);
    scree_body_id id = add(world, &body);
    uint64_t digest;

    step(world, 1); /* 1 s */
    scree_body fast = body_of(world, id);
    fast.velocity[1] = 1e10;
    CHECK_EQUAL(scree_world_set_body(world, id, &fast), SCREE_OK);
    digest = scree_world_digest(world);
    CHECK_EQUAL(scree_world_step(world, 1), SCREE_UNSTABLE);
    CHECK_SAYS(scree_world_message(world), "kinematic timestep below 1e-12");
    CHECK_SAYS(scree_world_message(world), "body 1 ");
    CHECK(scree_world_digest(world) == digest);
    fast.velocity[1] = 1;
    CHECK_EQUAL(scree_world_set_body(world, id, &fast), SCREE_OK);
    step(world, 1);
    scree_world_destroy(world);
}

/* ---- the same bits ---- */

static uint64_t digest_of_bed(scree_time_mode mode, double dt, const char *method, uint32_t threads,
                              uint32_t sort_every, double *last)
{
    scree_world_def def = bed_def(mode, dt, 8);
    def.detection.method = method;
    def.compute.thread_count = threads;
    def.detection.sort_every = sort_every;
    def.local_damping = mode == SCREE_TIME_MASS_SCALING ? 0.7 : 0;
    scree_world *world = make_world(&def, NULL);
    uint64_t digest;

    fill_bed(world, 8);
    step(world, 400);
    *last = scree_world_clock(world).dt;
    digest = scree_world_digest(world);
    scree_world_destroy(world);
    return digest;
}

TEST(chosen_steps_are_the_same_everywhere)
{
    static const scree_time_mode modes[] = {SCREE_TIME_AUTOMATIC, SCREE_TIME_MASS_SCALING};

    for (size_t k = 0; k < sizeof modes / sizeof *modes; k++) {
        scree_time_mode mode = modes[k];
        double dt = mode == SCREE_TIME_MASS_SCALING ? 2e-4 : 0, due_dt, last;
        uint64_t due = digest_of_bed(mode, dt, "cell-space", 1, 0, &due_dt);
        CHECK(digest_of_bed(mode, dt, "auto", 1, 7, &last) == due);
        CHECK(last == due_dt);
        CHECK(digest_of_bed(mode, dt, "flat", 3, 50, &last) == due);
        CHECK(last == due_dt);
    }
}

/* ---- scaled ---- */

/*  Forces at rest are those of the true masses, at many times the stable step. */
TEST(pfc_28_scaled_comes_to_the_true_rest)
{
    scree_world_def def = bed_def(SCREE_TIME_MASS_SCALING, 5e-4, 5);
    double weight = 0, carried;
    scree_wall_id floor;
    scree_wall wall;

    def.local_damping = 0.7;
    scree_world *world = make_world(&def, NULL);
    fill_bed(world, 5);
    step(world, 12000);
    CHECK(scree_world_clock(world).dt == 5e-4);
    CHECK(stable_step(world).dt < 5e-4 / 5);
    CHECK(scree_world_energy(world).kinetic < 1e-18);
    CHECK_EQUAL(scree_world_walls(world, &floor, 1), 1);
    CHECK_EQUAL(scree_world_get_wall(world, floor, &wall), SCREE_OK);
    weight = 9.81 * scree_world_totals(world).mass;
    carried = -wall.force[2];
    CHECK_NEAR(carried, weight, 1e-6 * weight);
    /* and it is the rest of true masses: at a stable step nothing moves */
    double energy = scree_world_energy(world).kinetic;
    CHECK_EQUAL(scree_world_set_dt(world, SCREE_TIME_FIXED, 0.1 * stable_step(world).dt), SCREE_OK);
    step(world, 2000);
    CHECK(scree_world_energy(world).kinetic < 1e-14 + energy);
    scree_world_destroy(world);
}

/*  Without contacts masses are true: it falls as anything does. */
TEST(scaled_falls_freely)
{
    scree_world_def def = given(1e-5);
    def.step.mode = SCREE_TIME_MASS_SCALING;
    def.gravity[2] = -9.81;
    scree_world *world = make_linear(&def);
    scree_body_def body = ball(1e-3, 0, 0, 0);
    scree_body_id id = add(world, &body);

    step(world, 100);
    CHECK_NEAR(body_of(world, id).velocity[2], -9.81e-3, 1e-15);
    CHECK_NEAR(body_of(world, id).position[2], -9.81 * 1e-6 / 2, 1e-18);
    scree_world_destroy(world);
}

/*  One that is fast would come too deep into what it meets, taken for heavy as it is then. */
TEST(scaled_shortens_fast_steps)
{
    scree_world_def def = given(1e-2);
    def.step.mode = SCREE_TIME_MASS_SCALING;
    scree_world *world = make_linear(&def);
    scree_body_def body = ball(1e-3, 0, 0, 0);

    body.velocity[0] = 0.5;
    add(world, &body);
    step(world, 1);
    CHECK_NEAR(scree_world_clock(world).dt, def.step.safety_factor * 2e-3 / 32 / 0.5, 1e-18);
    scree_world_destroy(world);
}

/*  A copy continues bit-identically: all that chooses the next step is in the state. */
TEST(copies_choose_the_same_steps)
{
    for (int mode = SCREE_TIME_AUTOMATIC; mode <= SCREE_TIME_MASS_SCALING; mode++) {
        scree_world_def def =
            bed_def((scree_time_mode)mode, mode == SCREE_TIME_MASS_SCALING ? 2e-4 : 0, 5);
        scree_world_def hooks = scree_default_world_def();
        scree_world *world = make_world(&def, NULL), *copy;
        fill_bed(world, 5);
        for (int round = 0; round < 4; round++) {
            step(world, 150);
            CHECK_EQUAL(scree_world_copy(world, &hooks, &copy), SCREE_OK);
            CHECK(scree_world_digest(copy) == scree_world_digest(world));
            step(copy, 100);
            step(world, 100);
            CHECK(scree_world_clock(copy).dt == scree_world_clock(world).dt);
            CHECK(scree_world_digest(copy) == scree_world_digest(world));
            scree_world_destroy(copy);
        }
        scree_world_destroy(world);
    }
}

/* ---- steps that are too long ---- */

typedef struct heard
{
    uint32_t count;
    char text[256];
} heard;

static void hear(scree_log_level level, scree_log_id id, const char *text, void *user)
{
    heard *h = user;

    if (id != SCREE_LOG_STEP_TOO_LONG)
        return;
    h->count += level == SCREE_LOG_WARNING;
    snprintf(h->text, sizeof h->text, "%s", text);
}

TEST(warns_of_a_long_step)
{
    heard h = {0};
    scree_world_def def = given(1e-5);
    def.hooks.log = (scree_log){hear, &h};
    scree_world *world = make_linear(&def);
    scree_body_def a = ball(1e-3, 0, 0, 0), b = ball(1e-3, 1.9999e-3, 0, 0);

    a.flags = SCREE_FREEZE;
    add(world, &a);
    scree_body_id id = add(world, &b);
    double stable = stable_step(world).dt;
    CHECK(stable < 1e-5);
    step(world, 1);
    CHECK_EQUAL(h.count, 1);
    CHECK_SAYS(h.text, "dt is 1e-05");
    CHECK_SAYS(h.text, "body 2 against body 1");
    /* once in a thousand steps */
    scree_body body = body_of(world, id);
    for (int k = 0; k < 2500; k++) {
        CHECK_EQUAL(scree_world_set_body(world, id, &body), SCREE_OK);
        step(world, 1);
    }
    CHECK_EQUAL(h.count, 3);
    /* and not where it is short enough */
    CHECK_EQUAL(scree_world_set_dt(world, SCREE_TIME_FIXED, 0.1 * stable), SCREE_OK);
    step(world, 2500);
    CHECK_EQUAL(h.count, 3);
    scree_world_destroy(world);
}

/*  Being listened to changes nothing. */
TEST(a_log_leaves_no_trace)
{
    uint64_t digest[2];

    for (int variant = 0; variant < 2; variant++) {
        heard h = {0};
        scree_world_def def = bed_def(SCREE_TIME_FIXED, 2e-5, 5);
        if (variant)
            def.hooks.log = (scree_log){hear, &h};
        scree_world *world = make_world(&def, NULL);
        fill_bed(world, 5);
        step(world, 500);
        digest[variant] = scree_world_digest(world);
        scree_world_destroy(world);
    }
    CHECK(digest[0] == digest[1]);
}

static void hear_all(scree_log_level level, scree_log_id id, const char *text, void *user)
{
    (void)level;
    if (id == SCREE_LOG_STEP_TOO_LONG)
        *(uint64_t *)user = scree_hash_text(*(uint64_t *)user, text);
}

/*  Lists of candidates come and go within a call, most of them without an index of the bodies. */
TEST(warnings_do_not_depend_on_calls)
{
    uint64_t all[2] = {0};

    for (int variant = 0; variant < 2; variant++) {
        scree_world_def def = given(3e-5);
        def.gravity[2] = -9.81;
        def.hooks.log = (scree_log){hear_all, &all[variant]};
        scree_world *world = make_world(&def, NULL);
        fill_bed(world, 8);
        /* it falls apart sideways, so that most steps come to another list */
        scree_bodies_view view = scree_world_bodies(world);
        for (size_t b = 0; b < view.count; b++) {
            scree_body body = body_of(world, scree_body_id_at(view.id, b));
            body.velocity[0] = b % 2 ? 0.3 : -0.3;
            body.velocity[2] = -0.2 * (double)(b % 3);
            CHECK_EQUAL(scree_world_set_body(world, body.id, &body), SCREE_OK);
        }
        for (int k = 0; k < 4000; k += variant ? 1 : 4000)
            step(world, variant ? 1 : 4000);
        scree_world_destroy(world);
    }
    CHECK(all[0] != 0);
    CHECK(all[0] == all[1]);
}

/*  Three times the stable step of the springs: within a few steps the run is refused, the state is the one before, and goes
    on with a shorter one. */
TEST(a_blow_up_is_noticed)
{
    scree_world_def def = bed_def(SCREE_TIME_FIXED, 1e-5, 5);
    scree_status status = SCREE_OK;
    int blown = 0;
    uint64_t digest = 0;

    scree_world *world = make_world(&def, NULL);
    fill_bed(world, 5);
    step(world, 12000);
    double stable = stable_step(world).springs;
    CHECK(scree_world_energy(world).kinetic < 1e-8);
    CHECK_EQUAL(scree_world_set_dt(world, SCREE_TIME_FIXED, 3 * stable), SCREE_OK);
    for (; blown < 1000 && !status; blown++) {
        digest = scree_world_digest(world);
        status = scree_world_step(world, 1);
    }
    CHECK(status == SCREE_UNSTABLE || status == SCREE_BAD_VALUE);
    CHECK_SAYS(scree_world_message(world), "bod");
    CHECK_SAYS(scree_world_message(world), "step ");
    CHECK(blown < 200);
    CHECK(scree_world_digest(world) == digest);
    CHECK_EQUAL(scree_world_totals(world).bodies, 75);
    /* what is there is wild, but it can go on */
    CHECK_EQUAL(scree_world_set_dt(world, SCREE_TIME_AUTOMATIC, 0), SCREE_OK);
    step(world, 200);
    CHECK(scree_world_clock(world).steps == 12000 + (uint64_t)blown - 1 + 200);
    scree_world_destroy(world);
}

/*  The sentence names the two, and a step that would do. */
TEST(a_refused_overlap_names_a_step)
{
    scree_world_def def = given(1e-2);
    scree_world *world = make_linear(&def);
    scree_body_def a = ball(1e-3, 0, 0, 0), b = ball(1e-3, 2.5e-3, 0, 0);
    char part[64];

    b.velocity[0] = -0.12;
    scree_body_id id = (add(world, &a), add(world, &b));
    CHECK_EQUAL(scree_world_step(world, 10), SCREE_UNSTABLE);
    CHECK_SAYS(scree_world_message(world), "bodies 1 and 2");
    CHECK_SAYS(scree_world_message(world), "dt 0.01;");
    snprintf(part, sizeof part, "at most %.3g", pushed_step(body_of(world, id).mass, 1));
    CHECK_SAYS(scree_world_message(world), part);
    scree_world_destroy(world);
}

/* ---- memory ---- */

TEST(survives_want_of_memory)
{
    for (size_t k = 1; k < 400; k++) {
        failing_allocator memory = {.fail_at = k};
        scree_world_def def = bed_def(SCREE_TIME_AUTOMATIC, 0, 3);
        scree_world *world = NULL;
        scree_material_def material = scree_default_material_def();
        scree_body_def a = ball(1e-3, 1e-3, 1e-3, 1e-3), b = ball(1e-3, 2.9e-3, 1e-3, 1e-3);
        scree_stable_step stable;
        def.hooks.allocator = failing_allocator_hooks(&memory);
        if (!scree_world_create(&def, &world) &&
            !scree_world_add_material(world, &material, NULL) &&
            !scree_world_add_body(world, &a, NULL) && !scree_world_add_body(world, &b, NULL)) {
            scree_status status = scree_world_stable_step(world, &stable);
            CHECK(status == SCREE_OK || status == SCREE_OUT_OF_MEMORY);
            if (status) {
                CHECK(world && scree_world_message(world)[0] != 0);
                /* nothing has changed: it can be asked again */
                CHECK_EQUAL(scree_world_stable_step(world, &stable), SCREE_OK);
            }
            CHECK(stable.dt < 1e-4);
            status = scree_world_step(world, 2);
            CHECK(status == SCREE_OK || status == SCREE_OUT_OF_MEMORY);
        }
        scree_world_destroy(world);
        CHECK(failing_allocator_is_clean(&memory));
        if (memory.requests < k)
            return;
    }
    FAIL("more requests than expected");
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(pfc_27_automatic_keeps_its_bounds),
        CASE(automatic_obeys_the_longest),
        CASE(automatic_from_rest),
        CASE(automatic_meets_a_contact),
        CASE(automatic_gives_up_on_the_absurd),
        CASE(chosen_steps_are_the_same_everywhere),
        CASE(pfc_28_scaled_comes_to_the_true_rest),
        CASE(scaled_falls_freely),
        CASE(scaled_shortens_fast_steps),
        CASE(copies_choose_the_same_steps),
        CASE(warns_of_a_long_step),
        CASE(a_log_leaves_no_trace),
        CASE(warnings_do_not_depend_on_calls),
        CASE(a_blow_up_is_noticed),
        CASE(a_refused_overlap_names_a_step),
        CASE(survives_want_of_memory),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
