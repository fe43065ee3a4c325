/*  The energy balance closes: whatever happens, what there was and what was given is there or lost.

    Tolerances: the energy balance books force times velocity at the end of each step, so while something happens it is
    right to the order of dt, as the integrators are. Where a bound is 1e-3 of the energy, a tenth of the step
    must give a tenth of the error; tests that say so check it. */
#include "scree/scree.h"
#include "test.h"

#include <math.h>

typedef struct scene
{
    scree_world *world;
    scree_material_id material;
} scene;

static scree_world_def quiet_def(double dt)
{
    scree_world_def def = scree_default_world_def();

    def.step.dt = dt;
    def.energy_balance = true;
    return def;
}

static scene open_scene(const scree_world_def *def, double restitution, double friction)
{
    scene s = {0};
    scree_material_def material = scree_default_material_def();

    CHECK_EQUAL(scree_world_create(def, &s.world), SCREE_OK);
    material.restitution = restitution;
    material.friction = friction;
    material.young = 1e7;
    CHECK_EQUAL(scree_world_add_material(s.world, &material, &s.material), SCREE_OK);
    return s;
}

static scree_body_def ball(const scene *s, double radius, double x, double y, double z)
{
    scree_body_def def = scree_default_body_def();

    def.shape = scree_shape_sphere(radius);
    def.material = s->material;
    def.position[0] = x;
    def.position[1] = y;
    def.position[2] = z;
    return def;
}

static scree_body_id add(const scene *s, const scree_body_def *def)
{
    scree_body_id id;

    CHECK_EQUAL(scree_world_add_body(s->world, def, &id), SCREE_OK);
    return id;
}

static scree_wall_id add_floor(const scene *s)
{
    scree_wall_def def = scree_default_wall_def();
    scree_wall_id id;

    def.material = s->material;
    CHECK_EQUAL(scree_world_add_wall(s->world, &def, &id), SCREE_OK);
    return id;
}

/*  What must stay as it is. */
static double balance(const scene *s)
{
    scree_energy e = scree_world_energy(s->world);

    return e.kinetic + e.rotational + e.potential + e.elastic + e.damping + e.friction + e.rolling +
           e.body_damping - e.walls - e.loads - e.boundary - e.entered + e.removed;
}

static void step(const scene *s, uint64_t count)
{
    if (scree_world_step(s->world, count))
        FAIL("%s", scree_world_message(s->world));
}

/*  Steps, and the largest deviation of the balance on the way. */
static double watch(const scene *s, uint64_t steps, uint64_t every)
{
    double worst = 0;

    for (uint64_t k = 0; k < steps; k += every) {
        step(s, every);
        double off = fabs(balance(s));
        worst = off > worst ? off : worst;
    }
    return worst;
}

static scree_energy energy_of(const scene *s)
{
    return scree_world_energy(s->world);
}

/* ---- impacts ---- */

/*  Two balls at 2 m/s, along the line of centres or past it; the deviation over the energy, on the way and
    after. */
static void hold_impact(const scree_world_def *def, const char *law, double restitution,
                        double friction, double offset, double on_the_way, double after)
{
    scene s = open_scene(def, restitution, friction);
    scree_rule_def rule = scree_default_rule_def();
    scree_body_def a = ball(&s, 0.01, 0, 0, 0), b = ball(&s, 0.01, 0.0201, offset, 0);
    scree_energy e;
    double all;
    /* a disc of one metre's length is heavy: it takes longer */
    uint64_t steps = (uint64_t)((def->dimensions == 2 ? 40e-3 : 6e-3) / def->step.dt);

    rule.law = law;
    CHECK_EQUAL(scree_world_add_rule(s.world, &rule), SCREE_OK);
    a.velocity[0] = 1;
    b.velocity[0] = -1;
    add(&s, &a);
    add(&s, &b);
    all = energy_of(&s).kinetic;
    CHECK(balance(&s) == 0);
    CHECK(watch(&s, steps, 1) <= on_the_way * all);
    CHECK(fabs(balance(&s)) <= after * all);
    e = energy_of(&s);
    CHECK(e.elastic == 0); /* they have parted */
    CHECK_NEAR(e.damping + e.friction + e.rolling, all - e.kinetic - e.rotational, after * all);
    CHECK((e.damping > 0.01 * all) == (restitution < 1));
    CHECK((e.friction > 0.001 * all) == (friction > 0 && offset > 0));
    CHECK(e.rolling == 0 && e.walls == 0 && e.loads == 0 && e.body_damping == 0);
    scree_world_destroy(s.world);
}

TEST(impacts_close)
{
    scree_world_def def = quiet_def(1e-6);

    hold_impact(&def, "hertz", 1, 0, 0, 1e-6, 1e-8);
    hold_impact(&def, "hertz", 0.5, 0, 0, 1e-3, 5e-6);
    hold_impact(&def, "linear", 1, 0, 0, 1e-5, 1e-5);
    hold_impact(&def, "linear", 0.5, 0, 0, 5e-3, 5e-5);
    hold_impact(&def, "hertz", 0.5, 0.3, 0.01, 1e-3, 1e-6);
    hold_impact(&def, "linear", 0.8, 0.3, 0.01, 5e-3, 1e-4);
}

TEST(the_error_goes_with_the_step)
{
    scree_world_def def = quiet_def(1e-5);

    hold_impact(&def, "hertz", 0.5, 0.3, 0.01, 1e-2, 2e-3);
    def.step.dt = 1e-7;
    hold_impact(&def, "hertz", 0.5, 0.3, 0.01, 1e-4, 2e-5);
}

TEST(impacts_close_by_symplectic_euler)
{
    scree_world_def def = quiet_def(1e-7);

    def.step.integrator = SCREE_SYMPLECTIC_EULER;
    hold_impact(&def, "hertz", 0.5, 0.3, 0.01, 1e-3, 1e-3);
}

TEST(impacts_of_discs_close)
{
    scree_world_def def = quiet_def(1e-6);

    def.dimensions = 2;
    hold_impact(&def, "hertz", 0.5, 0.3, 0.01, 1e-3, 1e-4);
}

/* ---- floors ---- */

TEST(sliding_until_it_rolls_closes)
{
    scree_world_def def = quiet_def(1e-5);
    scree_energy e;
    scene s;
    double all;

    def.gravity[2] = -9.81;
    s = open_scene(&def, 0.5, 0.5);
    scree_body_def a = ball(&s, 0.01, 0, 0, 0.01);
    a.velocity[0] = 1;
    add_floor(&s);
    add(&s, &a);
    all = energy_of(&s).kinetic;
    CHECK(watch(&s, 20000, 10) <= 1e-3 * all);
    e = energy_of(&s);
    /* two sevenths of it are lost, since 5/7 of the velocity are left (m v^2 / 2 = K 5/7) */
    CHECK_NEAR(e.friction, all * 2 / 7, 2e-3 * all);
    CHECK_NEAR(e.kinetic + e.rotational, all * 5 / 7, 2e-3 * all);
    CHECK(e.walls == 0); /* it does not move */
    scree_world_destroy(s.world);
}

static void set_rolling_law(scene *s)
{
    static const char *const names[] = {"rolling_friction", "twisting_friction"};
    static const double values[] = {0.1, 0.1};
    scree_rule_def rule = scree_default_rule_def();

    rule.law = "hertz-rolling";
    rule.names = names;
    rule.values = values;
    rule.value_count = 2;
    CHECK_EQUAL(scree_world_add_rule(s->world, &rule), SCREE_OK);
}

TEST(rolling_until_it_rests_closes)
{
    scree_world_def def = quiet_def(1e-5);
    scree_energy e;
    scene s;
    double all;

    def.gravity[2] = -9.81;
    s = open_scene(&def, 0.5, 0.5);
    set_rolling_law(&s);
    scree_body_def a = ball(&s, 0.01, 0, 0, 0.01 - 5e-7);
    a.velocity[0] = 0.1;
    a.spin[1] = 10;
    a.spin[2] = 20;
    add_floor(&s);
    add(&s, &a);
    all = energy_of(&s).kinetic + energy_of(&s).rotational;
    CHECK(watch(&s, 30000, 10) <= 2e-3 * all);
    e = energy_of(&s);
    CHECK(e.kinetic + e.rotational < 1e-3 * all);
    CHECK(e.rolling > 0.5 * all);
    scree_world_destroy(s.world);
}

/* ---- walls that move ---- */

TEST(a_belt_gives_energy)
{
    scree_world_def def = quiet_def(1e-5);
    scree_wall_def belt = scree_default_wall_def();
    scree_energy e;
    scene s;

    def.gravity[2] = -9.81;
    s = open_scene(&def, 0.5, 0.5);
    scree_body_def a = ball(&s, 0.01, 0, 0, 0.01 - 5e-7);
    belt.material = s.material;
    belt.path.velocity[0] = 1;
    CHECK_EQUAL(scree_world_add_wall(s.world, &belt, NULL), SCREE_OK);
    add(&s, &a);
    CHECK(watch(&s, 20000, 10) <= 1e-5);
    e = energy_of(&s);
    CHECK(e.walls > 1e-3); /* as much as it has, and again as much for friction */
    CHECK_NEAR(e.walls, e.kinetic + e.rotational + e.friction + e.damping, 1e-3 * e.walls);
    scree_world_destroy(s.world);
}

TEST(a_turning_floor_gives_energy)
{
    scree_world_def def = quiet_def(1e-5);
    scree_wall_def table = scree_default_wall_def();
    scree_energy e;
    scene s;

    def.gravity[2] = -9.81;
    s = open_scene(&def, 0.5, 0.5);
    set_rolling_law(&s);
    scree_body_def a = ball(&s, 0.01, 0, 0, 0.01 - 5e-7);
    table.material = s.material;
    table.path.axis[2] = 1;
    table.path.rate = 30;
    CHECK_EQUAL(scree_world_add_wall(s.world, &table, NULL), SCREE_OK);
    add(&s, &a);
    CHECK(watch(&s, 20000, 10) <= 1e-7);
    e = energy_of(&s);
    CHECK_NEAR(e.rotational, 0.5 * 0.4 * 0.010471975511965976 * 1e-4 * 900, 1e-6);
    CHECK(e.walls > 1.9 * e.rotational);
    scree_world_destroy(s.world);
}

TEST(a_shaken_floor_gives_and_takes_energy)
{
    scree_world_def def = quiet_def(1e-6);
    scree_wall_def floor = scree_default_wall_def();
    scene s;

    def.gravity[2] = -9.81;
    s = open_scene(&def, 0.5, 0.5);
    scree_body_def a = ball(&s, 0.01, 0, 0, 0.011);
    floor.material = s.material;
    floor.path.swing[2] = 1e-3;
    floor.path.frequency = 50;
    CHECK_EQUAL(scree_world_add_wall(s.world, &floor, NULL), SCREE_OK);
    add(&s, &a);
    CHECK(watch(&s, 100000, 10) <= 1e-6);
    CHECK(energy_of(&s).walls > 1e-4);
    scree_world_destroy(s.world);
}

/*  A frozen body that moves is a wall. */
TEST(a_frozen_body_gives_energy)
{
    scree_world_def def = quiet_def(1e-6);
    scene s = open_scene(&def, 0.5, 0.5);
    scree_body_def a = ball(&s, 0.01, 0, 0, 0), b = ball(&s, 0.01, 0.0201, 0.005, 0);
    scree_energy e;

    a.flags = SCREE_FREEZE;
    a.velocity[0] = 1;
    add(&s, &a);
    add(&s, &b);
    CHECK(watch(&s, 6000, 1) <= 2e-5);
    e = energy_of(&s);
    CHECK(e.elastic == 0);
    CHECK(e.walls > 1e-3);
    CHECK(fabs(balance(&s)) < 1e-6);
    scree_world_destroy(s.world);
}

TEST(what_a_ghost_has_is_its_owners)
{
    scree_world_def def = quiet_def(1e-6);
    scree_energy e;
    scene s;

    def.gravity[2] = -10;
    s = open_scene(&def, 0.5, 0.5);
    scree_body_def a = ball(&s, 0.01, 0, 0, 1), b = ball(&s, 0.01, 0.0199, 0, 1);
    a.flags = SCREE_GHOST;
    a.velocity[0] = 1;
    a.spin[0] = 1;
    add(&s, &a);
    e = energy_of(&s);
    CHECK(e.kinetic == 0 && e.rotational == 0 && e.potential == 0 && e.entered == 0);
    b.mass = 2;
    add(&s, &b);
    step(&s, 10);
    CHECK(scree_world_totals(s.world).mass == 2);
    /* the contact is booked by the owner of the first, which is the ghost */
    e = energy_of(&s);
    CHECK(e.elastic == 0 && e.damping == 0 && e.friction == 0 && e.walls == 0);
    CHECK_EQUAL(scree_world_totals(s.world).bodies, 2);
    scree_world_destroy(s.world);
}

/*  It falls through nothing at a constant speed: gravity's work goes into what holds it. */
TEST(a_frozen_body_that_sinks_closes)
{
    scree_world_def def = quiet_def(1e-4);
    scene s;

    def.gravity[2] = -10;
    s = open_scene(&def, 0.5, 0.5);
    scree_body_def a = ball(&s, 0.01, 0, 0, 1);
    a.flags = SCREE_FREEZE_Z;
    a.velocity[2] = -1;
    a.mass = 2;
    add(&s, &a);
    step(&s, 1000);
    CHECK_NEAR(energy_of(&s).walls, -2.0 * 10 * 0.1, 1e-12);
    CHECK_NEAR(balance(&s), 0, 1e-12);
    scree_world_destroy(s.world);
}

/* ---- what else acts ---- */

static void hold_damping(double global, double local)
{
    scree_world_def def = quiet_def(1e-4);
    scree_energy e;
    scene s;

    def.gravity[2] = -9.81;
    def.global_damping = global;
    def.local_damping = local;
    s = open_scene(&def, 0.5, 0.5);
    scree_body_def a = ball(&s, 0.01, 0, 0, 1);
    a.velocity[0] = 1;
    a.velocity[2] = 2;
    a.spin[1] = 100;
    add(&s, &a);
    /* at a change of direction local damping turns round between two steps */
    CHECK(watch(&s, 5000, 1) <= 1e-6);
    e = energy_of(&s);
    CHECK(e.body_damping > 1e-3);
    CHECK(e.damping == 0 && e.loads == 0);
    scree_world_destroy(s.world);
}

TEST(damping_of_bodies_closes)
{
    hold_damping(3, 0);
    hold_damping(0, 0.4);
    hold_damping(2, 0.3);
}

TEST(loads_give_energy)
{
    scree_world_def def = quiet_def(1e-4);
    scene s = open_scene(&def, 0.5, 0.5);
    scree_body_def a = ball(&s, 0.01, 0, 0, 0);
    scree_body_id id = add(&s, &a);
    scree_body body;
    scree_energy e;

    CHECK_EQUAL(scree_world_get_body(s.world, id, &body), SCREE_OK);
    body.load[0] = 0.1;
    body.load[5] = 1e-4;
    CHECK_EQUAL(scree_world_set_body(s.world, id, &body), SCREE_OK);
    CHECK(watch(&s, 1000, 1) <= 1e-13);
    e = energy_of(&s);
    CHECK_NEAR(e.loads, e.kinetic + e.rotational, 1e-13);
    CHECK(e.kinetic > 1e-4 && e.rotational > 1e-4);
    scree_world_destroy(s.world);
}

static scree_status push(scree_force_sink *sink, const scree_bodies_view *bodies, double time,
                         void *user)
{
    (void)user;
    for (size_t k = 0; k < bodies->count; k++) {
        const double y = scree_row_at(bodies->position, k)[1];
        scree_force_sink_add_row(sink, k, (double[3]){0.1 * (1 - 10 * time), -5 * y, 0},
                                 (double[3]){0, 0, 1e-4});
    }
    return SCREE_OK;
}

TEST(the_force_function_gives_energy)
{
    scree_world_def def = quiet_def(1e-5);
    scree_energy e;
    scene s;

    def.global_damping = 1;
    s = open_scene(&def, 0.5, 0.5);
    scree_body_def a = ball(&s, 0.01, 0, 0.1, 0);
    scree_world_set_force(s.world, push, NULL);
    add(&s, &a);
    CHECK(watch(&s, 10000, 1) <= 1e-5);
    e = energy_of(&s);
    CHECK(e.loads > 1e-3 && e.body_damping > 1e-4);
    scree_world_destroy(s.world);
}

/* ---- bodies that come, go and change ---- */

TEST(overlap_brought_along_is_counted)
{
    scree_world_def def = quiet_def(1e-6);
    scene s = open_scene(&def, 0.5, 0.3);
    scree_body_def a = ball(&s, 0.01, 0, 0, 0), b = ball(&s, 0.01, 0.019, 0, 0);
    scree_energy e;

    add(&s, &a);
    add(&s, &b);
    step(&s, 1);
    e = energy_of(&s);
    CHECK(e.entered > 1e-3);
    CHECK_NEAR(balance(&s), 0, 1e-3 * e.entered);
    CHECK(watch(&s, 3000, 1) <= 2e-3 * e.entered);
    scree_world_destroy(s.world);
}

TEST(what_is_stored_at_a_removed_body_goes_with_it)
{
    for (int which = 0; which < 2; which++) {
        scree_world_def def = quiet_def(1e-6);
        scene s = open_scene(&def, 1, 0);
        scree_body_def a = ball(&s, 0.01, 0, 0, 0), b = ball(&s, 0.01, 0.0201, 0, 0);
        scree_body_id ids[2];
        scree_energy e;
        double all;
        a.velocity[0] = 1;
        b.velocity[0] = -1;
        ids[0] = add(&s, &a);
        ids[1] = add(&s, &b);
        all = energy_of(&s).kinetic;
        step(&s, 800);
        CHECK(energy_of(&s).elastic > 0.5 * all);
        CHECK_EQUAL(scree_world_remove_body(s.world, ids[which]), SCREE_OK);
        CHECK(watch(&s, 100, 1) <= 1e-6 * all);
        e = energy_of(&s);
        CHECK(e.elastic == 0);
        CHECK_NEAR(e.removed, all - e.kinetic, 1e-6 * all);
        scree_world_destroy(s.world);
    }
}

TEST(what_removed_bodies_lost_stays_in_the_books)
{
    scree_world_def def = quiet_def(1e-5);
    scree_energy before, after;
    scene s;

    def.gravity[2] = -9.81;
    def.global_damping = 1;
    s = open_scene(&def, 0.5, 0.5);
    scree_body_def a = ball(&s, 0.01, 0, 0, 0.0101);
    a.velocity[0] = 1;
    add_floor(&s);
    scree_body_id id = add(&s, &a);
    step(&s, 3000);
    before = energy_of(&s);
    CHECK_EQUAL(scree_world_remove_body(s.world, id), SCREE_OK);
    after = energy_of(&s);
    CHECK(before.friction > 1e-4 && after.friction == before.friction);
    CHECK(before.damping > 1e-7 && after.damping == before.damping);
    CHECK(before.body_damping > 1e-5 && after.body_damping == before.body_damping);
    CHECK_NEAR(balance(&s), 0, 1e-5);
    scree_world_destroy(s.world);
}

TEST(changes_by_the_host_are_counted)
{
    scree_world_def def = quiet_def(1e-4);
    const double other[3] = {0, 3, 0};
    scree_body body;
    scene s;

    def.gravity[2] = -10;
    s = open_scene(&def, 0.5, 0);
    scree_body_def a = ball(&s, 0.01, 0, 1, 2);
    a.mass = 1;
    scree_body_id id = add(&s, &a);
    CHECK_NEAR(energy_of(&s).entered, 20, 1e-12);
    CHECK_EQUAL(scree_world_get_body(s.world, id, &body), SCREE_OK);
    body.velocity[0] = 2;
    body.position[2] = 3;
    CHECK_EQUAL(scree_world_set_body(s.world, id, &body), SCREE_OK);
    CHECK_NEAR(energy_of(&s).entered, 32, 1e-12);
    body.velocity[0] = 0;
    CHECK_EQUAL(scree_world_set_body(s.world, id, &body), SCREE_OK);
    CHECK_NEAR(energy_of(&s).removed, 2, 1e-12);
    CHECK_EQUAL(scree_world_set_gravity(s.world, other), SCREE_OK);
    double now[3];
    scree_world_get_gravity(s.world, now);
    CHECK(memcmp(now, other, sizeof now) == 0);
    CHECK_NEAR(energy_of(&s).loads, -33, 1e-12);
    CHECK(watch(&s, 100, 1) <= 1e-12);
    CHECK_EQUAL(scree_world_remove_body(s.world, id), SCREE_OK);
    CHECK_NEAR(balance(&s), 0, 1e-12);
    CHECK(energy_of(&s).kinetic == 0);
    scree_world_destroy(s.world);
}

/* ---- the boundary ---- */

static void hold_boundary(scree_boundary kind, double expected, uint64_t left)
{
    scree_world_def def = quiet_def(1e-4);
    scene s;

    def.gravity[2] = -10;
    def.domain.boundary[2] = kind;
    def.domain.lower[2] = -1;
    def.domain.upper[2] = 1;
    s = open_scene(&def, 0.5, 0);
    scree_body_def a = ball(&s, 0.01, 0, 0, 0.5);
    a.mass = 1;
    a.velocity[0] = 1;
    a.spin[0] = 1;
    add(&s, &a);
    CHECK(watch(&s, 6000, 1) <= 1e-10);
    CHECK_EQUAL(scree_world_totals(s.world).bodies, left);
    CHECK_EQUAL(scree_world_totals(s.world).destroyed, 1 - left);
    if (expected < 0)
        CHECK(energy_of(&s).boundary < expected);
    else
        CHECK_NEAR(energy_of(&s).boundary, expected, 1e-9);
    scree_world_destroy(s.world);
}

TEST(the_boundary_is_counted)
{
    hold_boundary(SCREE_BOUNDARY_REFLECT, 0, 1);
    hold_boundary(SCREE_BOUNDARY_STOP, -10, 1);
    hold_boundary(SCREE_BOUNDARY_PERIODIC, 20, 1);
    hold_boundary(SCREE_BOUNDARY_DESTROY, 0, 0);
}

/* ---- many bodies ---- */

static void pour(const scene *s, uint32_t seed, int count)
{
    uint64_t random = seed;

    for (int k = 0; k < count; k++) {
        scree_body_def a =
            ball(s, 0.01, 0.021 * (k % 6), 0.021 * (k / 6 % 6), 0.02 + 0.021 * (k / 36));
        for (int axis = 0; axis < 3; axis++) {
            random = random * 6364136223846793005u + 1442695040888963407u;
            a.velocity[axis] = (double)(random >> 40) / (1 << 24) - 0.5;
            a.spin[axis] = 20 * a.velocity[axis];
        }
        a.shape.radius *= 0.8 + 0.2 * ((double)(random >> 40) / (1 << 24));
        add(s, &a);
    }
}

static scene open_bed(uint32_t threads, uint32_t sort_every, const char *method)
{
    scree_world_def def = quiet_def(2e-6);
    scene s;

    def.gravity[2] = -9.81;
    def.global_damping = 0.5;
    def.local_damping = 0.1;
    def.compute.thread_count = threads;
    def.detection.sort_every = sort_every;
    def.detection.method = method;
    def.domain.boundary[0] = def.domain.boundary[1] = SCREE_BOUNDARY_PERIODIC;
    def.domain.lower[0] = def.domain.lower[1] = 0;
    def.domain.upper[0] = def.domain.upper[1] = 0.126;
    s = open_scene(&def, 0.4, 0.4);
    set_rolling_law(&s);
    scree_wall_def floor = scree_default_wall_def();
    floor.material = s.material;
    floor.path.velocity[0] = 0.2;
    CHECK_EQUAL(scree_world_add_wall(s.world, &floor, NULL), SCREE_OK);
    pour(&s, 7, 216);
    return s;
}

TEST(a_bed_closes)
{
    scene s = open_bed(1, 1000, "auto");
    scree_energy e = energy_of(&s);
    double all = e.kinetic + e.rotational + e.potential;

    CHECK(watch(&s, 25000, 50) <= 2e-3 * all);
    e = energy_of(&s);
    CHECK(e.damping > 0 && e.friction > 0 && e.rolling > 0 && e.body_damping > 0 && e.walls > 0);
    CHECK(scree_world_totals(s.world).coordination > 0.2);
    scree_world_destroy(s.world);
}

TEST(the_books_are_the_same_on_any_machine)
{
    scene one = open_bed(1, 0, "auto"), two = open_bed(3, 100, "hash-grids");
    scree_energy a, b;
    scree_totals t, u;

    step(&one, 4000);
    step(&two, 4000);
    a = energy_of(&one);
    b = energy_of(&two);
    CHECK(memcmp(&a, &b, sizeof a) == 0);
    t = scree_world_totals(one.world);
    u = scree_world_totals(two.world);
    t.bytes = u.bytes = 0;
    CHECK(memcmp(&t, &u, sizeof t) == 0);
    scree_world_destroy(one.world);
    scree_world_destroy(two.world);
}

TEST(the_books_are_in_snapshots)
{
    scene s = open_bed(1, 1000, "auto");
    scree_snapshot *snapshot;
    scree_energy before, after;
    double books;

    step(&s, 3000);
    before = energy_of(&s);
    books = balance(&s);
    CHECK_EQUAL(scree_world_snapshot(s.world, &snapshot), SCREE_OK);
    step(&s, 500);
    CHECK(energy_of(&s).damping > before.damping);
    CHECK_EQUAL(scree_world_restore(s.world, snapshot), SCREE_OK);
    after = energy_of(&s);
    CHECK(memcmp(&before, &after, sizeof before) == 0);
    CHECK(balance(&s) == books);
    scree_snapshot_destroy(snapshot);
    scree_world_destroy(s.world);
}

/* ---- readings ---- */

TEST(without_a_balance_three_are_known)
{
    scree_world_def def = quiet_def(1e-5);
    scree_energy e;
    scene s;

    def.energy_balance = false;
    def.gravity[2] = -10;
    s = open_scene(&def, 0.5, 0.5);
    scree_body_def a = ball(&s, 0.01, 0, 0, 0.5);
    a.mass = 2;
    a.inertia[0] = a.inertia[1] = a.inertia[2] = 3;
    a.velocity[0] = 3;
    a.spin[2] = 4;
    add(&s, &a);
    e = energy_of(&s);
    CHECK(e.kinetic == 9 && e.rotational == 24 && e.potential == 10);
    add_floor(&s);
    step(&s, 100);
    e = energy_of(&s);
    CHECK(e.elastic == 0 && e.damping == 0 && e.walls == 0 && e.entered == 0 && e.removed == 0);
    scree_world_destroy(s.world);
}

TEST(totals_are_sums)
{
    scree_world_def def = quiet_def(1e-6);
    scene s = open_scene(&def, 0.5, 0.5);
    scree_body_def a = ball(&s, 0.01, 1, 0, 0), b = ball(&s, 0.01, 1.0199, 0.002, 0);
    scree_totals t;

    CHECK(scree_world_totals(s.world).mass == 0 && scree_world_totals(s.world).coordination == 0);
    a.mass = 1;
    b.mass = 3;
    a.velocity[1] = 2;
    b.velocity[1] = -1;
    b.velocity[0] = -1;
    add(&s, &a);
    add(&s, &b);
    t = scree_world_totals(s.world);
    CHECK(t.mass == 4);
    CHECK_NEAR(t.centre[0], (1 + 3 * 1.0199) / 4, 1e-15);
    CHECK(t.momentum[0] == -3 && t.momentum[1] == -1);
    CHECK_NEAR(t.angular_momentum[2], 2 - 3 * 1.0199 + 3 * 0.002, 1e-14);
    step(&s, 50);
    t = scree_world_totals(s.world);
    CHECK(t.coordination == 1);
    /* contacts change neither, but for rounding of each step */
    CHECK_NEAR(t.momentum[0], -3, 1e-13);
    CHECK_NEAR(t.angular_momentum[2], 2 - 3 * 1.0199 + 3 * 0.002, 1e-12);
    CHECK_EQUAL(t.bodies, 2);
    CHECK_EQUAL(t.added, 2);
    CHECK(t.bytes > 1000);
    scree_world_destroy(s.world);
}

TEST(a_refused_step_books_nothing)
{
    scree_world_def def = quiet_def(1e-4);
    scree_energy before, after;
    scene s;

    def.overlap_limit = 0.1;
    s = open_scene(&def, 0.5, 0);
    scree_body_def a = ball(&s, 0.01, 0, 0, 0), b = ball(&s, 0.01, 0.0199, 0, 0);
    scree_body_def c = ball(&s, 0.01, 0, 0.021, 0);
    add(&s, &a);
    add(&s, &b);
    step(&s, 1);
    c.velocity[1] = -50;
    add(&s, &c);
    before = energy_of(&s);
    CHECK_EQUAL(scree_world_step(s.world, 1), SCREE_UNSTABLE);
    after = energy_of(&s);
    CHECK(memcmp(&before, &after, sizeof before) == 0);
    CHECK_EQUAL(scree_world_step(s.world, 1), SCREE_UNSTABLE);
    after = energy_of(&s);
    CHECK(memcmp(&before, &after, sizeof before) == 0);
    scree_world_destroy(s.world);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(impacts_close),
        CASE(the_error_goes_with_the_step),
        CASE(impacts_close_by_symplectic_euler),
        CASE(impacts_of_discs_close),
        CASE(sliding_until_it_rolls_closes),
        CASE(rolling_until_it_rests_closes),
        CASE(a_belt_gives_energy),
        CASE(a_turning_floor_gives_energy),
        CASE(a_shaken_floor_gives_and_takes_energy),
        CASE(a_frozen_body_gives_energy),
        CASE(what_a_ghost_has_is_its_owners),
        CASE(a_frozen_body_that_sinks_closes),
        CASE(damping_of_bodies_closes),
        CASE(loads_give_energy),
        CASE(the_force_function_gives_energy),
        CASE(overlap_brought_along_is_counted),
        CASE(what_is_stored_at_a_removed_body_goes_with_it),
        CASE(what_removed_bodies_lost_stays_in_the_books),
        CASE(changes_by_the_host_are_counted),
        CASE(the_boundary_is_counted),
        CASE(a_bed_closes),
        CASE(the_books_are_the_same_on_any_machine),
        CASE(the_books_are_in_snapshots),
        CASE(without_a_balance_three_are_known),
        CASE(totals_are_sums),
        CASE(a_refused_step_books_nothing),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
