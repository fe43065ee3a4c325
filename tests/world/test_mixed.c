/*  Mixed precision: how far it is from double, and that it is one and the same however it is computed.
    Bounds are those of the comment in sphere_forces_mixed.c, with room. */
#include "harness/drum.h"
#include "sound_world.h"

/*  What the drum below comes to on every machine, with every compiler. */
#define GOLDEN 0x4f294cf720de2efdu

/* ---- one evaluation beside its twin in double ---- */

static uint64_t random_state;

/*  0 to 1. */
static double any(void)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (double)(random_state >> 11) * 0x1p-53;
}

static double between(double low, double high)
{
    return low + (high - low) * any();
}

/*  How pairs of spheres meet. */
typedef struct meeting
{
    const char *law;
    double place, speed;  /* of all */
    double radius;        /* of the smallest */
    double shallow, deep; /* overlaps, over the radius */
    double rate; /* relative speeds over the overlap, 1/s: below what contacts vibrate at */
    double bound,
        moment_most; /* of the difference, over the force, and over that times the radius */
} meeting;

#define PAIRS 500

static scree_world *open_meeting(const meeting *m, scree_precision precision)
{
    scree_world_def def = scree_default_world_def();
    scree_material_def glass = scree_default_material_def();
    scree_rule_def rule = scree_default_rule_def();
    scree_body_def body = scree_default_body_def();
    scree_world *world;

    def.dt = 1e-6 / m->rate; /* nothing moves in it, to the sixth digit */
    def.precision = precision;
    world = open_world(&def);
    glass.rolling_friction = glass.twisting_friction = 0.1;
    CHECK_EQUAL(scree_world_add_material(world, &glass, &body.material), SCREE_OK);
    rule.law = m->law;
    CHECK_EQUAL(scree_world_add_rule(world, &rule), SCREE_OK);
    random_state = 1;
    for (int k = 0; k < PAIRS; k++) {
        double radius = m->radius * between(1, 3), other = m->radius * between(1, 3);
        double overlap = m->radius * m->shallow * pow(m->deep / m->shallow, any()), way[3];
        for (int axis = 0; axis < 3; axis++)
            way[axis] = between(-1, 1);
        double length = length_of(way);
        body.shape = scree_shape_sphere(radius);
        for (int axis = 0; axis < 3; axis++) {
            body.position[axis] = m->place + (axis == 0 ? 20 * m->radius * k : 0);
            body.velocity[axis] = m->speed + between(-1, 1) * m->rate * overlap;
            body.spin[axis] = between(-1, 1) * m->rate * overlap / m->radius;
        }
        CHECK_EQUAL(scree_world_add_body(world, &body, NULL), SCREE_OK);
        body.shape = scree_shape_sphere(other);
        for (int axis = 0; axis < 3; axis++) {
            body.position[axis] += way[axis] / length * (radius + other - overlap);
            body.velocity[axis] = m->speed + between(-1, 1) * m->rate * overlap;
            body.spin[axis] = between(-1, 1) * m->rate * overlap / m->radius;
        }
        CHECK_EQUAL(scree_world_add_body(world, &body, NULL), SCREE_OK);
    }
    advance(world, 1);
    return world;
}

/*  Forces of all pairs in both precisions. */
static void compare(const meeting *m)
{
    scree_world *exact = open_meeting(m, SCREE_DOUBLE), *mixed = open_meeting(m, SCREE_MIXED);
    const scree_contact *a, *b;
    size_t count, same_count;
    double worst = 0, worst_moment = 0;

    CHECK_EQUAL(scree_world_contacts(exact, NULL, &a, &count), SCREE_OK);
    CHECK_EQUAL(scree_world_contacts(mixed, NULL, &b, &same_count), SCREE_OK);
    CHECK(count >= PAIRS - 5);
    CHECK_EQUAL(count, same_count);
    for (size_t k = 0; k < count; k++) {
        double force = length_of(a[k].force), off = distance(a[k].force, b[k].force);
        double turn = distance(a[k].moment, b[k].moment) / m->radius;
        CHECK(a[k].first.index1 == b[k].first.index1 && a[k].second.index1 == b[k].second.index1);
        worst = fmax(worst, off / force);
        worst_moment = fmax(worst_moment, turn / force);
    }
    printf("%s, radius %g at %g, overlaps %g to %g, %g m/s: off by %.2g, moments %.2g\n", m->law,
           m->radius, m->place, m->shallow, m->deep, m->speed, worst, worst_moment);
    CHECK(worst > 0 && worst <= m->bound);
    CHECK(worst_moment <= m->moment_most);
    scree_world_destroy(exact);
    scree_world_destroy(mixed);
}

TEST(forces_are_those_of_double_to_the_sixth_digit)
{
    static const meeting meetings[] = {
        {"hertz", 0, 0, 1e-3, 1e-6, 0.1, 300, 3e-6, 0},
        {"linear", 0, 0, 1e-3, 1e-6, 0.1, 2e4, 3e-6, 0},
        {"hertz-rolling", 0, 0, 1e-3, 1e-6, 0.1, 300, 3e-6, 3e-6},
        {"linear-rolling", 0, 0, 1e-3, 1e-6, 0.1, 2e4, 3e-6, 3e-6},
        /* far away, and all as fast as a bullet: what counts is what the two differ by */
        {"hertz", 300, 500, 1e-3, 1e-4, 0.1, 300, 3e-6, 0},
        /* the shallowest; and those that are hardly there */
        {"hertz", 0, 0, 1e-3, 1e-7, 1e-6, 100, 3e-6, 0},
        {"hertz", 0, 0, 1e-3, 1e-9, 1e-8, 100, 2e-5, 0},
        /* dust, and what planets are made of */
        {"hertz-rolling", 0, 0, 2e-9, 1e-3, 0.1, 1e9, 3e-6, 3e-6},
        {"linear-rolling", 0, 0, 2e-9, 1e-3, 0.1, 1e13, 3e-6, 3e-6},
        {"hertz", 0, 0, 3e5, 1e-3, 0.1, 5e-6, 3e-6, 0},
    };

    for (size_t k = 0; k < COUNT_OF(meetings); k++)
        compare(&meetings[k]);
}

/*  One centre upon the other: any direction will do, the same for both. */
TEST(one_centre_upon_the_other_is_no_division_by_zero)
{
    for (int k = 0; k < 2; k++) {
        scree_world_def def = sound_world();
        scree_material_def glass = scree_default_material_def();
        scree_body_def body = scree_default_body_def();
        scree_world *world;
        const scree_contact *contact;
        size_t count;

        def.overlap_limit = INFINITY;
        def.precision = (scree_precision)k;
        world = open_world(&def);
        CHECK_EQUAL(scree_world_add_material(world, &glass, &body.material), SCREE_OK);
        body.shape = scree_shape_sphere(0.01);
        CHECK_EQUAL(scree_world_add_body(world, &body, NULL), SCREE_OK);
        CHECK_EQUAL(scree_world_add_body(world, &body, NULL), SCREE_OK);
        def.dt = 1e-12;
        CHECK_EQUAL(scree_world_set_dt(world, SCREE_TIME_FIXED, 1e-12), SCREE_OK);
        advance(world, 1);
        CHECK_EQUAL(scree_world_contacts(world, NULL, &contact, &count), SCREE_OK);
        CHECK(count == 1 && contact->normal[0] == 1 && contact->force[0] < -1);
        scree_world_destroy(world);
    }
}

/* ---- what comes of it ---- */

/*  Two spheres meet head on; the share of their speed with which they part. */
static double restitution_of(const char *law, double typed, double speed, scree_precision precision)
{
    scree_world_def def = scree_default_world_def();
    scree_material_def glass = scree_default_material_def();
    scree_rule_def rule = scree_default_rule_def();
    scree_body_def body = scree_default_body_def();
    scree_body_id id;
    scree_body after;
    scree_world *world;

    def.precision = precision;
    /* some thousand steps for an impact, so that it is the law's restitution which is seen */
    def.dt = strcmp(law, "linear") == 0 ? 2e-7 : speed < 0.1 ? 3e-6 : 1e-6;
    world = open_world(&def);
    glass.restitution = typed;
    CHECK_EQUAL(scree_world_add_material(world, &glass, &body.material), SCREE_OK);
    rule.law = law;
    CHECK_EQUAL(scree_world_add_rule(world, &rule), SCREE_OK);
    body.shape = scree_shape_sphere(0.01);
    body.velocity[0] = speed;
    CHECK_EQUAL(scree_world_add_body(world, &body, &id), SCREE_OK);
    body.position[0] = 0.02 + 1e-9;
    body.velocity[0] = -speed;
    CHECK_EQUAL(scree_world_add_body(world, &body, NULL), SCREE_OK);
    for (int k = 0; k < 200; k++)
        advance(world, 50);
    CHECK_EQUAL(scree_world_get_body(world, id, &after), SCREE_OK);
    CHECK(scree_world_certificate(world).contacts == 0);
    scree_world_destroy(world);
    return -after.velocity[0] / speed;
}

TEST(restitution_is_what_is_typed)
{
    static const double typed[] = {1, 0.9, 0.5, 0.1}, speeds[] = {0.01, 1};
    static const char *const laws[] = {"hertz", "linear"};

    for (size_t l = 0; l < 2; l++)
        for (size_t t = 0; t < COUNT_OF(typed); t++)
            for (size_t s = 0; s < COUNT_OF(speeds); s++) {
                double exact = restitution_of(laws[l], typed[t], speeds[s], SCREE_DOUBLE);
                double mixed = restitution_of(laws[l], typed[t], speeds[s], SCREE_MIXED);
                if (fabs(mixed - exact) > 1e-5 || fabs(mixed - typed[t]) > 1e-4)
                    FAIL("%s, %g at %g m/s: %.8g, in double %.8g", laws[l], typed[t], speeds[s],
                         mixed, exact);
            }
}

/*  Three balls on a floor and one upon them, who pushes them apart: only friction and resistance to rolling
    hold the heap, by what contacts remember. What is lost in each step would show after a million. */
static scree_world *open_heap(scree_precision precision)
{
    scree_world_def def = scree_default_world_def();
    scree_material_def glass = scree_default_material_def();
    scree_wall_def floor = scree_default_wall_def();
    scree_rule_def rule = scree_default_rule_def();
    scree_body_def body = scree_default_body_def();
    scree_world *world;

    def.precision = precision;
    def.gravity[2] = -9.81;
    def.dt = 2e-5;
    world = open_world(&def);
    glass.rolling_friction = 0.1;
    CHECK_EQUAL(scree_world_add_material(world, &glass, &floor.material), SCREE_OK);
    rule.law = "hertz-rolling";
    CHECK_EQUAL(scree_world_add_rule(world, &rule), SCREE_OK);
    CHECK_EQUAL(scree_world_add_wall(world, &floor, NULL), SCREE_OK);
    body.material = floor.material;
    body.shape = scree_shape_sphere(0.01);
    body.position[2] = 0.01;
    for (int k = 0; k < 3; k++) {
        body.position[0] = 0.01 * 1.1547005383792515 * (k == 0 ? 1 : -0.5);
        body.position[1] = 0.01 * (k == 0 ? 0 : k == 1 ? 1 : -1);
        CHECK_EQUAL(scree_world_add_body(world, &body, NULL), SCREE_OK);
    }
    body.position[0] = 1e-5;
    body.position[1] = 2e-5;
    body.position[2] = 0.01 + 0.02 * 0.816496580927726;
    CHECK_EQUAL(scree_world_add_body(world, &body, NULL), SCREE_OK);
    advance(world, 100000);
    return world;
}

TEST(a_heap_at_rest_stays_at_rest)
{
    scree_world *world = open_heap(SCREE_MIXED), *exact = open_heap(SCREE_DOUBLE);
    scree_bodies_view now = scree_world_bodies(world), twin = scree_world_bodies(exact);
    double before[4][3], moved = 0, apart = 0, kinetic = 0;
    uint64_t steps = TEST_EFFORT(20000, 500000);

    for (int k = 0; k < 4; k++)
        memcpy(before[k], now.position[k], sizeof before[k]);
    advance(world, steps);
    now = scree_world_bodies(world);
    for (int k = 0; k < 4; k++) {
        moved = fmax(moved, distance(before[k], now.position[k]));
        apart = fmax(apart, distance(twin.position[k], before[k]));
        kinetic = fmax(kinetic, length_of(now.velocity[k]));
    }
    printf("the heap moved by %.2g m in %" PRIu64 " steps, speeds up to %.2g m/s; off double by "
           "%.2g m\n",
           moved, steps, kinetic, apart);
    CHECK(moved < 3e-11);
    CHECK(kinetic < 3e-9);
    CHECK(apart < 1e-7);
    scree_world_destroy(world);
    scree_world_destroy(exact);
}

static double balance_of(scree_world *world)
{
    scree_energy e = scree_world_energy(world);

    return e.kinetic + e.rotational + e.potential + e.elastic + e.damping + e.friction + e.rolling +
           e.body_damping - e.walls - e.loads - e.border - e.entered + e.removed;
}

/*  A heap of balls falls together in a box; how far its books are open, over the energy there was. */
static double watch_books(scree_precision precision, const char *law, double *friction)
{
    scree_world_def def = scree_default_world_def();
    scree_material_def glass = scree_default_material_def();
    scree_rule_def rule = scree_default_rule_def();
    scree_wall_def wall = scree_default_wall_def();
    scree_body_def body = scree_default_body_def();
    scree_world *world;
    double all, worst = 0;

    def.precision = precision;
    def.gravity[2] = -9.81;
    def.dt = 5e-6;
    def.ledger = true;
    world = open_world(&def);
    glass.rolling_friction = 0.05;
    CHECK_EQUAL(scree_world_add_material(world, &glass, &wall.material), SCREE_OK);
    rule.law = law;
    CHECK_EQUAL(scree_world_add_rule(world, &rule), SCREE_OK);
    CHECK_EQUAL(scree_world_add_wall(world, &wall, NULL), SCREE_OK);
    body.material = wall.material;
    random_state = 5;
    for (int k = 0; k < 40; k++) {
        body.shape = scree_shape_sphere(between(0.004, 0.006));
        body.position[0] = 0.012 * (k % 3) + between(0, 1e-3);
        body.position[1] = 0.012 * (k / 3 % 3) + between(0, 1e-3);
        body.position[2] = 0.01 + 0.012 * (k / 9);
        body.velocity[2] = -0.5;
        CHECK_EQUAL(scree_world_add_body(world, &body, NULL), SCREE_OK);
    }
    scree_energy begun = scree_world_energy(world);
    all = begun.kinetic + begun.potential;
    for (int k = 0; k < TEST_EFFORT(20, 200); k++) {
        advance(world, 200);
        worst = fmax(worst, fabs(balance_of(world)) / all);
    }
    *friction = scree_world_energy(world).friction / all;
    scree_world_destroy(world);
    return worst;
}

TEST(the_books_close_as_in_double)
{
    static const char *const laws[] = {"hertz", "linear-rolling"};

    for (int k = 0; k < 2; k++) {
        double of_double, of_mixed;
        double exact = watch_books(SCREE_DOUBLE, laws[k], &of_double);
        double mixed = watch_books(SCREE_MIXED, laws[k], &of_mixed);
        printf("%s: books open by %.3g, in double %.3g; friction %.4f and %.4f\n", laws[k], mixed,
               exact, of_mixed, of_double);
        CHECK(mixed <= 1.2 * exact + 1e-6);
        CHECK(of_mixed > TEST_EFFORT(0.002, 0.01) && fabs(of_mixed - of_double) < 0.1 * of_double);
    }
}

/* ---- the same bytes ---- */

#define STEPS 120u
#define EVERY 30u
#define TIMES (STEPS / EVERY)

static const drum_scene scenes[] = {{.across = 3,
                                     .layers = 1,
                                     .most = 7,
                                     .facets = 64,
                                     .has_planes = true,
                                     .stepper = SCREE_VELOCITY_VERLET,
                                     .precision = SCREE_MIXED},
                                    {.across = 3,
                                     .layers = 3,
                                     .most = 5,
                                     .facets = 64,
                                     .is_periodic = true,
                                     .stepper = SCREE_VELOCITY_VERLET,
                                     .time = SCREE_TIME_AUTOMATIC,
                                     .precision = SCREE_MIXED,
                                     .has_ledger = true},
                                    {.across = 5,
                                     .layers = 1,
                                     .facets = 48,
                                     .in_plane = true,
                                     .stepper = SCREE_SYMPLECTIC_EULER,
                                     .precision = SCREE_MIXED,
                                     .has_ledger = true}};

#define SCENES COUNT_OF(scenes)

static uint64_t known[SCENES][TIMES];
static bool are_known;

static scree_world *open_drum(const drum_scene *scene, const drum_way *way)
{
    scree_error error = {SCREE_OK, ""};
    scree_world *world = drum_scene_open(scene, way, &error);

    if (!world)
        FAIL("%s: %s", scree_status_name(error.status), error.text);
    return world;
}

static void note(size_t scene, uint32_t time, scree_world *world, const char *what)
{
    uint64_t digest = scree_world_digest(world);

    if (!are_known)
        known[scene][time] = digest;
    else if (known[scene][time] != digest)
        FAIL("%s, scene %zu: another digest at step %u", what, scene, (time + 1) * EVERY);
}

static void run_all(const drum_way *way, const char *what)
{
    for (size_t s = 0; s < SCENES; s++) {
        scree_world *world = open_drum(&scenes[s], way);
        for (uint32_t k = 0; k < TIMES; k++) {
            advance(world, EVERY);
            note(s, k, world, what);
        }
        scree_world_destroy(world);
    }
    are_known = true;
}

static void know_all(void)
{
    const drum_way plain = {.method = "pairing", .simd = SCREE_SIMD_SCALAR};

    if (!are_known)
        run_all(&plain, "plain");
}

TEST(the_digest_is_the_one_it_always_was)
{
    know_all();
    if (known[0][TIMES - 1] != GOLDEN)
        FAIL("the digest is 0x%016" PRIx64 ", was 0x%016" PRIx64, known[0][TIMES - 1],
             (uint64_t)GOLDEN);
}

TEST(it_is_not_that_of_double)
{
    drum_scene scene = scenes[0];
    const drum_way way = {0};
    scree_world *world;

    know_all();
    scene.precision = SCREE_DOUBLE;
    world = open_drum(&scene, &way);
    /* a choice of physics counts before it has done anything */
    drum_scene same = scenes[0];
    scree_world *other = open_drum(&same, &way);
    CHECK(scree_world_digest(world) != scree_world_digest(other));
    advance(world, STEPS);
    CHECK(scree_world_digest(world) != known[0][TIMES - 1]);
    scree_world_destroy(world);
    scree_world_destroy(other);
}

TEST(how_it_is_computed_does_not_matter)
{
    static const char *const methods[] = {"flat", "bvh8", "hash-grids", "insertion-sort"};

    know_all();
    for (size_t m = 0; m < COUNT_OF(methods); m++) {
        const drum_way way = {.method = methods[m], .sort_every = (uint32_t)m * 3 + 1};
        run_all(&way, methods[m]);
    }
    for (int level = SCREE_SIMD_AUTO; level <= SCREE_SIMD_AVX512; level++) {
        const drum_way way = {.simd = (scree_simd)level};
        run_all(&way, "simd");
    }
    for (uint32_t threads = 1; threads <= 3; threads++) {
        const drum_way way = {.threads = threads};
        run_all(&way, "threads");
    }
}

/*  Also from one way of computing to another, into a world that was of the other precision, and as a copy. */
TEST(snapshots_go_on_in_their_precision)
{
    know_all();
    for (size_t s = 0; s < SCENES; s++) {
        const drum_way way = {.threads = 2}, other_way = {.simd = SCREE_SIMD_SCALAR};
        drum_scene exact = scenes[s];
        exact.precision = SCREE_DOUBLE;
        scree_world *world = open_drum(&scenes[s], &way), *other = open_drum(&exact, &other_way);
        scree_world_def def = scree_default_world_def();
        scree_snapshot *snapshot, *before;

        advance(other, 10);
        CHECK_EQUAL(scree_world_snapshot(other, &before), SCREE_OK);
        uint64_t digest = scree_world_digest(other);
        for (uint32_t k = 0; k < TIMES; k++) {
            advance(world, EVERY / 2);
            CHECK_EQUAL(scree_world_snapshot(world, &snapshot), SCREE_OK);
            if (scree_world_restore(other, snapshot))
                FAIL("%s", scree_world_message(other));
            CHECK(scree_world_digest(other) == scree_world_digest(world));
            scree_snapshot_destroy(snapshot);
            advance(other, EVERY - EVERY / 2);
            note(s, k, other, "restored");
            scree_world_destroy(world);
            CHECK_EQUAL(scree_world_copy(other, &def, &world), SCREE_OK);
            note(s, k, world, "copied");
        }
        /* and back to double */
        CHECK_EQUAL(scree_world_restore(world, before), SCREE_OK);
        CHECK(scree_world_digest(world) == digest);
        advance(world, 20);
        CHECK_EQUAL(scree_world_restore(other, before), SCREE_OK);
        advance(other, 20);
        CHECK(scree_world_digest(world) == scree_world_digest(other));
        scree_snapshot_destroy(before);
        scree_world_destroy(world);
        scree_world_destroy(other);
    }
}

/*  What contacts exert and remember is the same after a restore as before, to the last bit. */
TEST(contacts_are_read_alike_from_a_snapshot)
{
    const drum_way way = {0};
    scree_world *world = open_drum(&scenes[2], &way), *other = open_drum(&scenes[2], &way);
    scree_snapshot *snapshot;
    const scree_contact *a, *b;
    size_t count, other_count;

    advance(world, 60);
    CHECK_EQUAL(scree_world_snapshot(world, &snapshot), SCREE_OK);
    CHECK_EQUAL(scree_world_restore(other, snapshot), SCREE_OK);
    CHECK_EQUAL(scree_world_contacts(world, NULL, &a, &count), SCREE_OK);
    CHECK_EQUAL(scree_world_contacts(other, NULL, &b, &other_count), SCREE_OK);
    CHECK(count == other_count && count > 50);
    for (size_t k = 0; k < count; k++) {
        CHECK(memcmp(a[k].force, b[k].force, sizeof a[k].force) == 0);
        CHECK(memcmp(a[k].moment, b[k].moment, sizeof a[k].moment) == 0);
        CHECK(a[k].memory_count == b[k].memory_count);
        for (uint32_t m = 0; m < a[k].memory_count; m++)
            CHECK(a[k].memory[m] == b[k].memory[m]);
        /* floats, where both are bodies */
        CHECK(!a[k].second.index1 || a[k].force[0] == (double)(float)a[k].force[0]);
    }
    scree_snapshot_destroy(snapshot);
    scree_world_destroy(world);
    scree_world_destroy(other);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(forces_are_those_of_double_to_the_sixth_digit),
        CASE(one_centre_upon_the_other_is_no_division_by_zero),
        CASE(restitution_is_what_is_typed),
        CASE(a_heap_at_rest_stays_at_rest),
        CASE(the_books_close_as_in_double),
        CASE(the_digest_is_the_one_it_always_was),
        CASE(it_is_not_that_of_double),
        CASE(how_it_is_computed_does_not_matter),
        CASE(snapshots_go_on_in_their_precision),
        CASE(contacts_are_read_alike_from_a_snapshot),
    };

    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
