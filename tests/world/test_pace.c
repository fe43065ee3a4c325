/*  NW-49, local time steps: against each cluster alone in a world of its own, and what must not matter. */
#include "harness/failing_allocator.h"
#include "harness/world_maker.h"
#include "scree/cell.h"
#include "scree/checkpoint.h"
#include "scree/heat.h"
#include "scree/wall.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define DT 0x1p-10

static scree_world_def local_def(uint32_t local_steps)
{
    scree_world_def def = scree_default_world_def();

    def.step.dt = DT;
    def.step.local_steps = local_steps;
    def.gravity[2] = -9.81;
    def.energy_balance = true;
    return def;
}

/*  Springs of 5e4 N/m between two, over a floor that goes up and down. */
static scree_world *make_floor(const scree_world_def *def, double swing)
{
    scree_material_def material = scree_default_material_def();
    scree_rule_def rule = scree_default_rule_def();
    scree_wall_def floor = scree_default_wall_def();

    material.restitution = 0.7;
    material.friction = 0.4;
    scree_world *world = make_world(def, &material);
    rule.law = "linear";
    CHECK_EQUAL(scree_world_add_rule(world, &rule), SCREE_OK);
    floor.material.index1 = 1;
    /* below the domain where there is one */
    floor.point[2] = def->domain.boundary[2] ? -1 : 0;
    floor.path.swing[2] = swing;
    floor.path.frequency = 20;
    CHECK_EQUAL(scree_world_add_wall(world, &floor, NULL), SCREE_OK);
    return world;
}

static uint32_t random_bits(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

static double random_in(uint32_t *state, double lower, double upper)
{
    return lower + (upper - lower) * (random_bits(state) / 16777216.0);
}

/* ---- clusters that stay: stacks ---- */

enum
{
    STACKS = 3
};

typedef struct stack
{
    int count;
    double radius, x, first, slide;
} stack;

/*  Eight large balls, five that ask for shorter steps, one that falls and meets the floor on its way. */
static const stack stacks[STACKS] = {
    {8, 0.1, 0, 0.0999, 0.03}, {5, 0.02, -1, 0.01999, 0.02}, {1, 0.015, 1, 0.03, 0.01}};

static void add_stack(scree_world *world, const stack *given, scree_body_id *ids)
{
    for (int k = 0; k < given->count; k++) {
        scree_body_def made =
            ball(given->radius, given->x, 0, given->first + 1.998 * given->radius * k);
        made.velocity[0] = given->slide;
        made.spin[1] = given->slide;
        ids[k] = add(world, &made);
    }
}

/*  Which stacks are in so many: sums of 8, 5 and 1 are all different. */
static void find_levels(const scree_local_step_stats *local_step_stats, uint32_t level[STACKS])
{
    for (uint32_t k = 0; k <= SCREE_MAX_LOCAL_STEPS; k++) {
        uint64_t left = local_step_stats->bodies[k];
        for (int s = 0; s < STACKS; s++)
            if (left >= (uint64_t)stacks[s].count) {
                left -= (uint64_t)stacks[s].count;
                level[s] = k;
            }
        CHECK_EQUAL(left, 0);
    }
}

static void check_same(const scree_world *one, scree_body_id a, const scree_world *other,
                       scree_body_id b)
{
    scree_body first = body_of(one, a), second = body_of(other, b);

    CHECK(memcmp(first.position, second.position, sizeof first.position) == 0);
    CHECK(memcmp(first.velocity, second.velocity, sizeof first.velocity) == 0);
    CHECK(memcmp(first.spin, second.spin, sizeof first.spin) == 0);
    CHECK(memcmp(first.orientation, second.orientation, sizeof first.orientation) == 0);
    CHECK(memcmp(first.force, second.force, sizeof first.force) == 0);
}

static double lost(const scree_energy *energy)
{
    return energy->damping + energy->friction;
}

static void go_beside_references(scree_integrator integrator, uint64_t portion)
{
    scree_world_def def = local_def(8), alone = local_def(0);
    scree_world *reference[STACKS];
    scree_body_id ids[STACKS][8], references[STACKS][8];
    bool were_apart = false, were_late;

    def.step.integrator = alone.step.integrator = integrator;
    scree_world *world = make_floor(&def, 1e-3);
    for (int s = 0; s < STACKS; s++) {
        reference[s] = make_floor(&alone, 1e-3);
        add_stack(world, &stacks[s], ids[s]);
        add_stack(reference[s], &stacks[s], references[s]);
    }
    for (int n = 0; n < 250; n++) {
        uint32_t level[STACKS] = {0};
        double sum = 0, elastic = 0;
        step(world, portion);
        scree_local_step_stats local_step_stats = scree_world_local_step_stats(world);
        find_levels(&local_step_stats, level);
        CHECK_EQUAL(local_step_stats.islands, 3);
        for (int s = 0; s < STACKS; s++) {
            double own = ldexp(DT, -(int)level[s]);
            CHECK_EQUAL(scree_world_set_dt(reference[s], SCREE_TIME_FIXED, own), SCREE_OK);
            step(reference[s], (uint64_t)1 << level[s]);
            for (int k = 0; k < stacks[s].count; k++)
                check_same(world, ids[s][k], reference[s], references[s][k]);
            scree_energy energy = scree_world_energy(reference[s]);
            sum += lost(&energy);
            elastic += energy.elastic;
        }
        scree_energy energy = scree_world_energy(world);
        CHECK_NEAR(lost(&energy), sum, 1e-12 * (1 + sum));
        CHECK_NEAR(energy.elastic, elastic, 1e-12);
        were_apart |= level[0] + 2 <= level[1];
        CHECK_NEAR(scree_world_clock(world).time, (n + 1) * DT, 0);
    }
    were_late = scree_world_local_step_stats(world).restarts > 0;
    CHECK(were_apart && were_late);
    CHECK_EQUAL(scree_world_detection_stats(world).late_contacts, 0);
    for (int s = 0; s < STACKS; s++)
        scree_world_destroy(reference[s]);
    scree_world_destroy(world);
}

TEST(clusters_go_as_they_would_alone)
{
    PROVES("NW-49");
    go_beside_references(SCREE_VELOCITY_VERLET, 1);
    go_beside_references(SCREE_SYMPLECTIC_EULER, 1);
}

/* ---- what does not matter ---- */

/*  Large and small balls that fall into a box, where all meet: clusters join and part. */
static scree_world *make_mixture(const scree_world_def *def, int count)
{
    scree_world *world = make_floor(def, 1e-3);
    uint32_t state = 11;

    for (int side = 0; side < 4; side++) {
        scree_wall_def wall = scree_default_wall_def();
        wall.material.index1 = 1;
        wall.normal[2] = 0;
        wall.normal[side / 2] = side % 2 ? -1 : 1;
        wall.point[side / 2] = side % 2 ? 1.4 : 0;
        CHECK_EQUAL(scree_world_add_wall(world, &wall, NULL), SCREE_OK);
    }
    for (int k = 0; k < count; k++) {
        double radius = k % 4 ? random_in(&state, 0.02, 0.03) : 0.06;
        scree_body_def made = ball(radius, 0.07 + 0.14 * (k % 10), 0.07 + 0.14 * (k / 10 % 10),
                                   0.062 + 0.14 * (k / 100));
        for (int a = 0; a < 3; a++)
            made.velocity[a] = random_in(&state, -1, 1);
        add(world, &made);
    }
    return world;
}

static uint64_t digest_of(const scree_world_def *def, int count, int steps, int portion)
{
    scree_world *world = make_mixture(def, count);

    for (int n = 0; n < steps; n += portion)
        step(world, (uint64_t)portion);
    uint64_t digest = scree_world_digest(world);
    CHECK_EQUAL(scree_world_detection_stats(world).late_contacts, 0);
    CHECK_EQUAL(scree_world_detection_stats(world).missed_contacts, 0);
    scree_world_destroy(world);
    return digest;
}

TEST(threads_methods_and_portions_do_not_matter)
{
    static const char *const methods[] = {"flat", "hashing", "bvh8"};
    scree_world_def def = local_def(10);
    uint64_t expected = digest_of(&def, 300, 60, 60);

    CHECK(digest_of(&def, 300, 60, 1) == expected);
    CHECK(digest_of(&def, 300, 60, 7 - 2) == expected);
    for (uint32_t k = 0; k < 3; k++) {
        scree_world_def other = def;
        other.compute.thread_count = k + 1;
        other.detection.method = methods[k];
        other.detection.sort_every = k ? 7 * k : 0;
        other.detection.margin.kind = k == 1 ? SCREE_MARGIN_SKIN : other.detection.margin.kind;
        other.compute.simd = k == 2 ? SCREE_SIMD_SCALAR : SCREE_SIMD_AUTO;
        other.detection.audit = k == 0 ? 9 : 0;
        CHECK(digest_of(&other, 300, 60, 60) == expected);
    }
}

TEST(many_bodies_on_threads)
{
    scree_world_def def = local_def(10);
    uint64_t expected = digest_of(&def, 2500, 6, 6);

    for (uint32_t threads = 2; threads <= 3; threads++) {
        def.compute.thread_count = threads;
        CHECK(digest_of(&def, 2500, 6, 6) == expected);
    }
}

TEST(snapshots_and_copies_go_on_the_same)
{
    scree_world_def def = local_def(10), other = local_def(0);
    scree_world *world = make_mixture(&def, 200), *second = make_mixture(&other, 200), *copy;
    scree_snapshot *snapshot;

    step(world, 37);
    CHECK_EQUAL(scree_world_snapshot(world, &snapshot), SCREE_OK);
    CHECK_EQUAL(scree_world_copy(world, &def, &copy), SCREE_OK);
    CHECK_EQUAL(scree_world_restore(second, snapshot), SCREE_OK);
    CHECK(scree_world_digest(second) == scree_world_digest(world));
    step(world, 30);
    step(copy, 30);
    step(second, 30);
    CHECK(scree_world_digest(copy) == scree_world_digest(world));
    CHECK(scree_world_digest(second) == scree_world_digest(world));
    scree_snapshot_destroy(snapshot);
    scree_world_destroy(copy);
    scree_world_destroy(second);
    scree_world_destroy(world);
}

TEST(checkpoints_know_of_them)
{
    static const char path[] = "test_world_pace.scree";
    scree_world_def def = local_def(10);
    scree_world *world = make_mixture(&def, 100), *second;
    scree_checkpoint *checkpoint;

    step(world, 20);
    CHECK_EQUAL(scree_checkpoint_write(world, path, NULL, 0, NULL), SCREE_OK);
    CHECK_EQUAL(scree_checkpoint_read(path, NULL, &checkpoint, NULL), SCREE_OK);
    CHECK_EQUAL(scree_checkpoint_world(checkpoint, NULL, &second, NULL), SCREE_OK);
    step(world, 20);
    step(second, 20);
    CHECK(scree_world_digest(second) == scree_world_digest(world));
    CHECK(scree_world_local_step_stats(second).body_steps > 20 * 100);
    scree_checkpoint_destroy(checkpoint);
    scree_world_destroy(second);
    scree_world_destroy(world);
    remove(path);
}

/* ---- physics ---- */

/*  A ball between two plates, a spring without dashpot; the small one in steps sixteen times as short. */
static double error_of_press(double dt, double safety)
{
    scree_world_def def = local_def(10);
    static const double radius[] = {0.1, 0.1 / 6};
    scree_body_id id[2];
    double error = 0;

    def.step.dt = dt;
    def.step.safety_factor = safety;
    def.gravity[2] = 0;
    scree_material_def material = scree_default_material_def();
    material.restitution = 1;
    material.friction = 0;
    scree_world *world = make_world(&def, &material);
    scree_rule_def rule = scree_default_rule_def();
    rule.law = "linear";
    CHECK_EQUAL(scree_world_add_rule(world, &rule), SCREE_OK);
    for (int b = 0; b < 2; b++)
        for (int side = 0; side < 2; side++) {
            scree_wall_def wall = scree_default_wall_def();
            wall.material.index1 = 1;
            wall.groups = wall.mask = b ? 2 : 1;
            wall.normal[2] = side ? -1 : 1;
            wall.point[2] = (side ? 0.9 : -0.9) * radius[b];
            CHECK_EQUAL(scree_world_add_wall(world, &wall, NULL), SCREE_OK);
        }
    for (int b = 0; b < 2; b++) {
        scree_body_def made = ball(radius[b], 2 * b, 0, 0.02 * radius[b]);
        made.groups = made.mask = b ? 2 : 1;
        id[b] = add(world, &made);
    }
    step(world, (uint64_t)(0.0625 / dt + 0.5));
    scree_local_step_stats local_step_stats = scree_world_local_step_stats(world);
    uint64_t levels = 0;
    for (int k = 0; k <= SCREE_MAX_LOCAL_STEPS; k++)
        levels += local_step_stats.bodies[k] > 0;
    CHECK_EQUAL(levels, 2);
    for (int b = 0; b < 2; b++) {
        scree_body body = body_of(world, id[b]);
        double w = sqrt(2 * 5e4 / body.mass);
        double wrong = body.position[2] / (0.02 * radius[b]) - cos(w * 0.0625);
        error = fabs(wrong) > error ? fabs(wrong) : error;
    }
    scree_world_destroy(world);
    return error;
}

/*  Both are of second order with Verlet, each with its own step: half the step, with the shares kept, a quarter of the error. */
TEST(the_order_of_accuracy_is_kept)
{
    double coarse = error_of_press(0x1p-9, 0.2), fine = error_of_press(0x1p-10, 0.1);
    double finest = error_of_press(0x1p-11, 0.05);

    printf("errors %.3g, %.3g, %.3g\n", coarse, fine, finest);
    CHECK(coarse / fine > 3.5 && coarse / fine < 4.5);
    CHECK(fine / finest > 3.8 && fine / finest < 4.2);
}

static double sum_of(const scree_energy *e)
{
    return e->kinetic + e->rotational + e->potential + e->elastic + e->damping + e->friction -
           e->walls;
}

/*  Large and small balls that lose nothing: energy stays, and the books close with a floor that gives some. */
TEST(energy_is_kept_and_books_close)
{
    for (int lossy = 0; lossy < 2; lossy++) {
        scree_world_def def = local_def(10);
        scree_material_def material = scree_default_material_def();
        scree_wall_def floor = scree_default_wall_def();
        scree_rule_def rule = scree_default_rule_def();
        uint32_t state = 5;
        double largest = 0;

        material.restitution = lossy ? 0.6 : 1;
        material.friction = lossy ? 0.5 : 0;
        def.step.safety_factor = 0.05;
        scree_world *world = make_world(&def, &material);
        rule.law = "linear";
        CHECK_EQUAL(scree_world_add_rule(world, &rule), SCREE_OK);
        floor.material.index1 = 1;
        floor.path.swing[2] = lossy ? 1e-3 : 0;
        floor.path.frequency = 20;
        CHECK_EQUAL(scree_world_add_wall(world, &floor, NULL), SCREE_OK);
        for (int k = 0; k < 16; k++) {
            double radius = k % 2 ? 0.01 : 0.06;
            scree_body_def made = ball(radius, 0.5 * (k % 4), 0.5 * (k / 4), radius + 0.02);
            for (int n = 0; n < 2; n++, made.position[2] += 2.02 * radius) {
                made.velocity[0] = random_in(&state, -0.01, 0.01);
                add(world, &made);
            }
        }
        scree_energy energy = scree_world_energy(world);
        double start = sum_of(&energy);
        for (int n = 0; n < 40; n++) {
            step(world, 10);
            energy = scree_world_energy(world);
            double wrong = fabs(sum_of(&energy) / start - 1);
            largest = wrong > largest ? wrong : largest;
        }
        scree_local_step_stats local_step_stats = scree_world_local_step_stats(world);
        printf("energy is off by %.3g, %.3g of all; %llu moves, %llu late\n", largest,
               sum_of(&energy) / start - 1, (unsigned long long)local_step_stats.body_steps,
               (unsigned long long)local_step_stats.restarts);
        CHECK(largest < 2e-3);
        CHECK(local_step_stats.body_steps > 400 * 32);
        scree_world_destroy(world);
    }
}

/*  What goes too far for the step of all shortens it; two that were far apart at its start meet as they should. */
TEST(fast_bodies_shorten_the_step)
{
    scree_world_def def = local_def(12);
    def.gravity[2] = 0;
    scree_world *world = make_floor(&def, 0);
    scree_body_def made = ball(0.02, 0, 0, 1);
    scree_body_id a = add(world, &made), b;

    made.position[0] = 1;
    made.velocity[0] = -8;
    b = add(world, &made);
    while (scree_world_clock(world).time < 0.15)
        step(world, 1);
    CHECK(scree_world_clock(world).dt < DT);
    CHECK_NEAR(body_of(world, a).velocity[0], -8 * 0.85, 0.1);
    CHECK_NEAR(body_of(world, b).velocity[0], -8 * 0.15, 0.1);
    CHECK_EQUAL(scree_world_detection_stats(world).late_contacts, 0);
    scree_world_destroy(world);
}

/*  A light ball that is thrown in the middle of a step, by a heavy one that might still go on for long: nothing foretold it. */
TEST(thrown_bodies_shorten_the_step)
{
    scree_world_def def = local_def(12);
    def.gravity[2] = 0;
    scree_world *world = make_floor(&def, 0);
    scree_body_def made = ball(0.1, 0, 0, 1);

    made.velocity[0] = 10;
    add(world, &made);
    made = ball(0.02, 0.122, 0, 1);
    made.mass = 1e-3;
    scree_body_id light = add(world, &made);
    step(world, 1);
    scree_body body = body_of(world, light);
    CHECK(scree_world_clock(world).dt < DT);
    CHECK(body.velocity[0] > 1 && body.position[0] < 0.122 + 0.25 * 0.02);
    scree_world_destroy(world);
}

/* ---- boundaries ---- */

TEST(boundaries_hold)
{
    for (int kind = SCREE_BOUNDARY_STOP; kind <= SCREE_BOUNDARY_PERIODIC; kind++) {
        uint64_t digest[3];
        for (uint32_t t = 0; t < 3; t++) {
            scree_world_def def = local_def(8);
            uint32_t state = 3;
            def.gravity[2] = 0;
            def.compute.thread_count = 1 + t;
            def.detection.method = t ? "hashing" : "auto";
            for (int k = 0; k < 3; k++) {
                def.domain.boundary[k] = (scree_boundary)kind;
                def.domain.upper[k] = 1;
            }
            scree_world *world = make_floor(&def, 0);
            for (int k = 0; k < 125; k++) {
                scree_body_def made = ball(k % 3 ? 0.02 : 0.07, 0.1 + 0.2 * (k % 5),
                                           0.1 + 0.2 * (k / 5 % 5), 0.1 + 0.2 * (k / 25));
                for (int a = 0; a < 3; a++)
                    made.velocity[a] = random_in(&state, -3, 3);
                add(world, &made);
            }
            step(world, 150);
            scree_totals totals = scree_world_totals(world);
            CHECK((totals.destroyed > 0) == (kind == SCREE_BOUNDARY_DESTROY));
            CHECK_EQUAL(scree_world_detection_stats(world).late_contacts, 0);
            digest[t] = scree_world_digest(world);
            scree_world_destroy(world);
        }
        CHECK(digest[1] == digest[0] && digest[2] == digest[0]);
    }
}

/* ---- what is refused ---- */

static void check_refused(scree_world *world, const char *says)
{
    uint64_t before = scree_world_digest(world);

    CHECK_EQUAL(scree_world_step(world, 1), SCREE_BAD_ARGUMENT);
    CHECK_SAYS(scree_world_message(world), says);
    CHECK(scree_world_digest(world) == before);
    scree_world_destroy(world);
}

static scree_status no_force(scree_force_sink *sink, const scree_bodies_view *bodies, double time,
                             void *user)
{
    (void)sink, (void)bodies, (void)time, (void)user;
    return SCREE_OK;
}

/*  A small ball and a large one across the boundary of a box that was made half as long: it bounces, as it does without
    local steps. */
static double bounce(uint32_t local_steps)
{
    scree_world_def def = local_def(local_steps);
    scree_material_def material = scree_default_material_def();
    scree_body_def ball = scree_default_body_def();
    scree_body_id id;
    scree_cell_def cell;
    scree_world *world;
    scree_body found;

    def.step.dt = 1e-4;
    def.domain.boundary[0] = SCREE_BOUNDARY_PERIODIC;
    def.domain.upper[0] = 1;
    memset(def.gravity, 0, sizeof def.gravity);
    CHECK_EQUAL(scree_world_create(&def, &world), SCREE_OK);
    material.density = 1000;
    material.young = 1e7;
    CHECK_EQUAL(scree_world_add_material(world, &material, &ball.material), SCREE_OK);
    scree_world_get_cell(world, &cell);
    cell.upper[0] = 0.5;
    CHECK_EQUAL(scree_world_set_cell(world, &cell), SCREE_OK);
    ball.shape = scree_shape_sphere(0.05);
    ball.position[0] = 0.04;
    CHECK_EQUAL(scree_world_add_body(world, &ball, &id), SCREE_OK);
    ball.shape = scree_shape_sphere(0.002);
    ball.position[0] = 0.486;
    ball.velocity[0] = 0.5;
    CHECK_EQUAL(scree_world_add_body(world, &ball, &id), SCREE_OK);
    CHECK_EQUAL(scree_world_step(world, 100), SCREE_OK);
    CHECK_EQUAL(scree_world_get_body(world, id, &found), SCREE_OK);
    scree_world_destroy(world);
    return found.velocity[0];
}

TEST(periods_are_those_of_the_cell)
{
    CHECK(bounce(0) < -0.1);
    CHECK(bounce(10) < -0.1);
}

TEST(what_cannot_go_so_is_refused)
{
    static const struct
    {
        scree_integrator integrator;
        scree_time_mode time;
        bool events;
        uint32_t local_steps;
        const char *says;
    } bad[] = {
        {SCREE_IMPLICIT_EULER, SCREE_TIME_FIXED, false, 3,
         "local_steps is 3, must be 0: the integrator"},
        {SCREE_VELOCITY_VERLET, SCREE_TIME_AUTOMATIC, false, 3, "must be 0: time is not fixed"},
        {SCREE_VELOCITY_VERLET, SCREE_TIME_MASS_SCALING, false, 3, "must be 0: time is not fixed"},
        {SCREE_VELOCITY_VERLET, SCREE_TIME_FIXED, true, 3, "must be 0: events are of steps"},
        {SCREE_VELOCITY_VERLET, SCREE_TIME_FIXED, false, 21, "local_steps is 21, must be at most"},
    };
    scree_world_def def = local_def(4);
    scree_body_def made = ball(0.1, 0, 0, 1);

    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        scree_world_def wrong = def;
        scree_error error = {0};
        scree_world *world;
        wrong.step.integrator = bad[k].integrator;
        wrong.step.mode = bad[k].time;
        wrong.events = bad[k].events;
        wrong.step.local_steps = bad[k].local_steps;
        wrong.hooks.error = &error;
        CHECK_EQUAL(scree_world_create(&wrong, &world), SCREE_BAD_ARGUMENT);
        CHECK_SAYS(error.text, bad[k].says);
    }
    scree_world *world = make_floor(&def, 0);
    CHECK_EQUAL(scree_world_set_dt(world, SCREE_TIME_AUTOMATIC, 0), SCREE_BAD_ARGUMENT);
    CHECK_SAYS(scree_world_message(world), "must be fixed: steps are local");
    add(world, &made);
    scree_world_set_force(world, no_force, NULL);
    check_refused(world, "no force function");
    world = make_floor(&def, 0);
    made.flags = SCREE_GHOST;
    add(world, &made);
    check_refused(world, "no ghosts");
    made.flags = 0;
    world = make_floor(&def, 0);
    add(world, &made);
    scree_free_wall_def loose = scree_default_free_wall_def();
    loose.mass = 1;
    loose.held = SCREE_FREEZE_SPIN_X | SCREE_FREEZE_SPIN_Y | SCREE_FREEZE_SPIN_Z;
    CHECK_EQUAL(scree_world_set_free_wall(world, (scree_wall_id){1, 1}, &loose), SCREE_OK);
    check_refused(world, "no free walls");
    world = make_floor(&def, 0);
    add(world, &made);
    scree_wall_servo_def servo = scree_default_wall_servo_def();
    servo.axis[2] = 1;
    servo.force = 1;
    servo.max_speed = 1;
    CHECK_EQUAL(scree_world_set_wall_servo(world, (scree_wall_id){1, 1}, &servo), SCREE_OK);
    check_refused(world, "no servo walls");
    scree_heat_def heat = scree_default_heat_def();
    world = make_floor(&def, 0);
    add(world, &made);
    CHECK_EQUAL(scree_world_set_heat(world, &heat), SCREE_OK);
    check_refused(world, "no heat");
}

/*  A spring for which the shortest steps are too long. */
TEST(steps_that_are_not_short_enough)
{
    scree_world_def def = local_def(1);
    scree_world *world = make_floor(&def, 0);
    scree_body_def made = ball(0.002, 0, 0, 0.00199);

    scree_body_id id = add(world, &made);
    uint64_t before = scree_world_digest(world);
    CHECK_EQUAL(scree_world_step(world, 1), SCREE_UNSTABLE);
    CHECK_SAYS(scree_world_message(world), "the cluster of body 1 needs steps of at most");
    scree_body_id failed_body = scree_world_failed_body(world);
    CHECK(memcmp(&failed_body, &id, sizeof id) == 0);
    CHECK(scree_world_digest(world) == before);
    scree_world_destroy(world);
}

/*  Every request of a step fails once: it has not happened, and the next try leads to where it would have led. */
TEST(requests_fail)
{
    uint64_t expected = 0;
    size_t failed = 0;

    for (size_t k = 0; k == 0 || k <= failed + 1; k++) {
        failing_allocator memory = {.fail_at = 0};
        scree_world_def def = local_def(8);
        scree_body_id ids[8];
        def.hooks.allocator = failing_allocator_hooks(&memory);
        scree_world *world = make_floor(&def, 0);
        for (int s = 0; s < STACKS; s++)
            add_stack(world, &stacks[s], ids);
        step(world, 5);
        uint64_t before = scree_world_digest(world);
        memory.fail_at = k ? memory.requests + k : 0;
        scree_status status = scree_world_step(world, 1);
        memory.fail_at = 0;
        failed += memory.failures;
        CHECK_EQUAL(status, memory.failures ? SCREE_OUT_OF_MEMORY : SCREE_OK);
        if (status) {
            CHECK(scree_world_message(world)[0]);
            CHECK(scree_world_digest(world) == before);
            step(world, 1);
        }
        step(world, 3);
        expected = k ? expected : scree_world_digest(world);
        CHECK(scree_world_digest(world) == expected);
        scree_world_destroy(world);
        CHECK(failing_allocator_is_clean(&memory));
    }
    CHECK(failed > 50);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(clusters_go_as_they_would_alone), CASE(threads_methods_and_portions_do_not_matter),
        CASE(many_bodies_on_threads),          CASE(snapshots_and_copies_go_on_the_same),
        CASE(checkpoints_know_of_them),        CASE(the_order_of_accuracy_is_kept),
        CASE(energy_is_kept_and_books_close),  CASE(fast_bodies_shorten_the_step),
        CASE(thrown_bodies_shorten_the_step),  CASE(boundaries_hold),
        CASE(periods_are_those_of_the_cell),   CASE(what_cannot_go_so_is_refused),
        CASE(steps_that_are_not_short_enough), CASE(requests_fail),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
