/*  Mixed precision: how far it is from double, that it is one and the same however it is computed, and what it
    refuses. Bounds are those of the comment in pair_floats.c, with room. */
#include "failing_allocator.h"
#include "harness/drum.h"
#include "sound_world.h"

/*  What the drum below comes to on every machine, with every compiler. */
#define GOLDEN 0x0f7a14fb8c78b55au

static void advance(scree_world *world, uint64_t steps)
{
    if (scree_world_step(world, steps))
        FAIL("%s", scree_world_message(world));
}

static double length_of(const double v[3])
{
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

static double distance(const double a[3], const double b[3])
{
    const double d[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
    return length_of(d);
}

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
    uint64_t steps = TEST_IS_SLOW ? 20000 : 500000;

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
    for (int k = 0; k < (TEST_IS_SLOW ? 20 : 200); k++) {
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
        CHECK(TEST_IS_SLOW || (of_mixed > 0.01 && fabs(of_mixed - of_double) < 0.1 * of_double));
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

/* ---- laws of the host ---- */

/*  A spring that remembers a third, and how often it was asked; it must not lose digits. */
static scree_status prepare_third(const scree_law_input *input, double *constants, void *user)
{
    (void)input;
    (void)user;
    constants[0] = 1e4;
    return SCREE_OK;
}

static void exert_third(const scree_batch *b, const double *c, void *user)
{
    (void)user;
    for (uint32_t k = 0; k < b->count; k++) {
        for (int a = 0; a < 3; a++)
            b->force[a][k] = -c[0] * b->overlap[k] * b->normal[a][k];
        b->next[0][k] = 1.0 / 3;
        b->next[1][k] = b->memory[1][k] + 1;
        for (int m = 2; m < 9; m++)
            b->next[m][k] = b->overlap[k];
        if (b->energy)
            b->energy[k] = 0.5 * c[0] * b->overlap[k] * b->overlap[k];
        for (int l = 0; b->energy && l < SCREE_LOSSES; l++)
            b->loss[l][k] = 0;
    }
}

static const scree_law third = {.name = "third",
                                .summary = "a spring",
                                .memory_count = 9,
                                .prepare = prepare_third,
                                .force = exert_third};

/*  Balls of two materials fall upon each other: own law between unlike ones, hertz between like ones. */
static scree_world *open_both_laws(const scree_allocator *allocator, scree_precision precision,
                                   const char *own)
{
    scree_world_def def = sound_world();
    scree_material_def glass = scree_default_material_def();
    scree_material_id material[2];
    scree_rule_def rule = scree_default_rule_def();
    scree_body_def body = scree_default_body_def();
    scree_world *world;

    def.precision = precision;
    def.gravity[1] = 0;
    def.method = "flat";
    if (allocator)
        def.allocator = *allocator;
    if (scree_world_create(&def, &world))
        return NULL;
    if (scree_world_add_material(world, &glass, &material[0]) ||
        scree_world_add_material(world, &glass, &material[1]))
        goto failed;
    rule.material[0] = material[0];
    rule.material[1] = material[1];
    if (own)
        rule.law = own;
    else
        rule.own_law = &third;
    if (scree_world_add_rule(world, &rule))
        goto failed;
    body.shape = scree_shape_sphere(0.01);
    for (int k = 0; k < 60; k++) {
        body.material = material[k % 2];
        body.position[0] = 0.0199 * (k % 5);
        body.position[1] = 0.0199 * (k / 5 % 4);
        body.position[2] = 0.0199 * (k / 20);
        body.velocity[0] = 0.1 * (k % 3 - 1);
        if (scree_world_add_body(world, &body, NULL))
            goto failed;
    }
    return world;

failed:
    scree_world_destroy(world);
    return NULL;
}

TEST(laws_of_the_host_compute_and_remember_in_double)
{
    scree_world *world = open_both_laws(NULL, SCREE_MIXED, NULL), *copy;
    scree_world_def def = scree_default_world_def();
    const scree_contact *contacts;
    size_t count, own = 0, built_in = 0;

    CHECK(world);
    advance(world, 9);
    CHECK_EQUAL(scree_world_copy(world, &def, &copy), SCREE_OK);
    CHECK(scree_world_digest(copy) == scree_world_digest(world));
    advance(world, 1);
    advance(copy, 1);
    CHECK(scree_world_digest(copy) == scree_world_digest(world));
    CHECK_EQUAL(scree_world_contacts(copy, NULL, &contacts, &count), SCREE_OK);
    for (size_t k = 0; k < count; k++) {
        const scree_contact *c = &contacts[k];
        if (c->memory_count != 9) {
            built_in++;
            CHECK_EQUAL(c->memory_count, 4);
            CHECK(c->memory[3] == (double)(float)c->memory[3]); /* its overlap */
            continue;
        }
        own++;
        CHECK(c->memory[0] == 1.0 / 3);
        CHECK(c->memory[1] <= 11);
        CHECK(c->memory[8] == c->overlap);
        CHECK_NEAR(length_of(c->force), 1e4 * c->overlap, 2e-7 * 1e4 * c->overlap);
        CHECK(c->force[0] == (double)(float)c->force[0]);
    }
    CHECK(own > 20 && built_in > 20);
    scree_world_destroy(world);
    scree_world_destroy(copy);
}

/*  Its forces are those in double, rounded once; so are the paths, to what a float may differ. */
TEST(laws_of_the_host_lead_to_the_same_paths)
{
    scree_world *mixed = open_both_laws(NULL, SCREE_MIXED, NULL);
    scree_world *exact = open_both_laws(NULL, SCREE_DOUBLE, NULL);

    CHECK(mixed && exact);
    advance(mixed, 500);
    advance(exact, 500);
    scree_bodies_view a = scree_world_bodies(mixed), b = scree_world_bodies(exact);
    for (size_t k = 0; k < a.count; k++)
        CHECK(distance(a.position[k], b.position[k]) < 1e-9);
    scree_world_destroy(mixed);
    scree_world_destroy(exact);
}

/* ---- Coulomb ---- */

TEST(the_bound_of_friction_is_kept)
{
    scree_world *world = open_both_laws(NULL, SCREE_MIXED, "linear");
    const scree_contact *contacts;
    size_t count, sliding = 0;

    CHECK(world);
    for (int turn = 0; turn < 50; turn++) {
        advance(world, 4);
        CHECK_EQUAL(scree_world_contacts(world, NULL, &contacts, &count), SCREE_OK);
        for (size_t k = 0; k < count; k++) {
            const double *n = contacts[k].normal, *f = contacts[k].force;
            double pressed = f[0] * n[0] + f[1] * n[1] + f[2] * n[2];
            const double along[3] = {f[0] - pressed * n[0], f[1] - pressed * n[1],
                                     f[2] - pressed * n[2]};
            double share = pressed == 0 ? 0 : length_of(along) / fabs(pressed);
            /* where spring and dashpot nearly cancel, so do the first digits */
            if (fabs(pressed) < 0.1 * 5e4 * contacts[k].overlap)
                continue;
            if (!(share <= 0.5))
                FAIL("a share of %.12g, pressed by %g", share, pressed);
            sliding += share > 0.49999;
        }
    }
    printf("%zu times sliding\n", sliding);
    CHECK(sliding > 20);
    scree_world_destroy(world);
}

/* ---- memory ---- */

static uint64_t digest_after(scree_world *world, int steps)
{
    for (int k = 0; k < steps; k++) {
        scree_status status = scree_world_step(world, 1);
        if (status) {
            CHECK_EQUAL(status, SCREE_OUT_OF_MEMORY);
            CHECK(scree_world_message(world)[0]);
            return 0;
        }
    }
    return scree_world_digest(world);
}

/*  Each request fails once; the step that it was for has not happened, and succeeds when it is made again. */
TEST(failing_requests_change_nothing)
{
    failing_allocator memory = {.fail_at = 0};
    scree_allocator hooks = failing_allocator_hooks(&memory);
    scree_world *world = open_both_laws(&hooks, SCREE_MIXED, NULL);
    size_t from = memory.requests, to;
    uint64_t expected;

    CHECK(world);
    expected = digest_after(world, 30);
    to = memory.requests;
    CHECK(to > from + 10);
    scree_world_destroy(world);
    for (size_t k = 1; k <= to; k++) {
        failing_allocator again = {.fail_at = k};
        hooks = failing_allocator_hooks(&again);
        world = open_both_laws(&hooks, SCREE_MIXED, NULL);
        CHECK(world || again.failures == 1);
        while (world && scree_world_clock(world).steps < 30) {
            uint64_t before = scree_world_digest(world);
            if (scree_world_step(world, 1))
                CHECK(scree_world_digest(world) == before);
        }
        if (world)
            CHECK(scree_world_digest(world) == expected);
        scree_world_destroy(world);
        CHECK(failing_allocator_is_clean(&again));
    }
}

/* ---- what is refused ---- */

static scree_status try_body(scree_precision precision, double radius, double mass,
                             const char *says)
{
    scree_world_def def = sound_world();
    scree_material_def glass = scree_default_material_def();
    scree_body_def body = scree_default_body_def();
    scree_world *world;
    scree_status status;

    def.precision = precision;
    world = open_world(&def);
    CHECK_EQUAL(scree_world_add_material(world, &glass, &body.material), SCREE_OK);
    body.shape = scree_shape_sphere(radius);
    body.mass = mass;
    status = scree_world_add_body(world, &body, NULL);
    if (says)
        CHECK_SAYS(scree_world_message(world), says);
    scree_world_destroy(world);
    return status;
}

TEST(bodies_that_floats_cannot_hold_are_refused)
{
    CHECK_EQUAL(try_body(SCREE_DOUBLE, 1e-10, 0, NULL), SCREE_OK);
    CHECK_EQUAL(try_body(SCREE_MIXED, 1e-10, 0, "radius is 1e-10, must be 1e-9 to 1e6 in mixed"),
                SCREE_BAD_VALUE);
    CHECK_EQUAL(try_body(SCREE_MIXED, 2e6, 1, "radius is 2e+06"), SCREE_BAD_VALUE);
    CHECK_EQUAL(try_body(SCREE_MIXED, 1, 1e-26, "mass is 1e-26, must be 1e-25 to 1e25 in mixed"),
                SCREE_BAD_VALUE);
    CHECK_EQUAL(try_body(SCREE_MIXED, 1, 1e26, "mass is 1e+26"), SCREE_BAD_VALUE);
    CHECK_EQUAL(try_body(SCREE_DOUBLE, 1, 1e26, NULL), SCREE_OK);
    CHECK_EQUAL(try_body(SCREE_MIXED, 1e-9, 0, NULL), SCREE_OK);
    CHECK_EQUAL(try_body(SCREE_MIXED, 1e6, 1e25, NULL), SCREE_OK);
}

/*  Two balls that overlap by a hundredth, between which a rule says so. */
static scree_world *open_pair(scree_precision precision, const char *law, const char *name,
                              double value, double overlap)
{
    scree_world_def def = sound_world();
    scree_material_def glass = scree_default_material_def();
    scree_rule_def rule = scree_default_rule_def();
    scree_body_def body = scree_default_body_def();
    scree_world *world;

    def.precision = precision;
    world = open_world(&def);
    CHECK_EQUAL(scree_world_add_material(world, &glass, &body.material), SCREE_OK);
    rule.law = law;
    rule.names = &name;
    rule.values = &value;
    rule.value_count = 1;
    CHECK_EQUAL(scree_world_add_rule(world, &rule), SCREE_OK);
    body.shape = scree_shape_sphere(0.01);
    CHECK_EQUAL(scree_world_add_body(world, &body, NULL), SCREE_OK);
    body.position[0] = 0.02 - 0.01 * overlap;
    CHECK_EQUAL(scree_world_add_body(world, &body, NULL), SCREE_OK);
    return world;
}

TEST(forces_beyond_floats_are_refused)
{
    static const double stiff[] = {1e50, 3e38};
    for (int k = 0; k < 2; k++) {
        scree_world *world = open_pair(SCREE_MIXED, "linear", "stiffness", stiff[k], 0.01);
        uint64_t before = scree_world_digest(world);
        /* at 3e38 N/m the stiffness is a float, and the force of 3e34 N; what goes with it is not */
        scree_status status = scree_world_step(world, 1);
        CHECK_EQUAL(status, k == 0 ? SCREE_BAD_VALUE : status);
        if (status)
            CHECK(scree_world_digest(world) == before);
        if (k == 0)
            CHECK_SAYS(scree_world_message(world), "is not finite (law linear)");
        scree_world_destroy(world);
    }
    /* the same is well in double */
    scree_world *world = open_pair(SCREE_DOUBLE, "linear", "stiffness", 1e50, 0.01);
    CHECK_EQUAL(scree_world_set_dt(world, SCREE_TIME_FIXED, 1e-40), SCREE_OK);
    CHECK_EQUAL(scree_world_step(world, 1), SCREE_OK);
    scree_world_destroy(world);
}

/*  Between the root of the greatest float and that float squares are infinite, forces are not. */
TEST(great_and_small_forces_slide_as_others_do)
{
    static const double stiff[] = {1e24, 1e-20};

    for (int k = 0; k < 2; k++) {
        double share[2];
        for (int p = 0; p < 2; p++) {
            scree_world *world =
                open_pair((scree_precision)p, "linear", "stiffness", stiff[k], 0.01);
            scree_bodies_view view = scree_world_bodies(world);
            scree_body body;
            const scree_contact *contact;
            size_t count;
            CHECK_EQUAL(scree_world_get_body(world, view.id[0], &body), SCREE_OK);
            body.velocity[1] = k == 0 ? 1e9 : 1e-9;
            CHECK_EQUAL(scree_world_set_body(world, body.id, &body), SCREE_OK);
            CHECK_EQUAL(scree_world_set_gravity(world, (const double[3]){0, 0, 0}), SCREE_OK);
            CHECK_EQUAL(scree_world_set_dt(world, SCREE_TIME_FIXED, k == 0 ? 1e-16 : 1e-3),
                        SCREE_OK);
            advance(world, 3);
            CHECK_EQUAL(scree_world_contacts(world, NULL, &contact, &count), SCREE_OK);
            CHECK_EQUAL(count, 1);
            share[p] = contact->force[1] / contact->force[0];
            scree_world_destroy(world);
        }
        printf("tangential over normal force: %.9g, in double %.9g\n", share[1], share[0]);
        CHECK(share[0] > 1e-3);
        CHECK_NEAR(share[1], share[0], 4e-6 * share[0]);
    }
}

TEST(overlaps_beyond_the_limit_are_refused_in_the_same_words)
{
    char text[2][300];

    for (int p = 0; p < 2; p++) {
        scree_world *world = open_pair((scree_precision)p, "hertz", "friction", 0.3, 0.7);
        CHECK_EQUAL(scree_world_step(world, 1), SCREE_UNSTABLE);
        snprintf(text[p], sizeof text[p], "%s", scree_world_message(world));
        scree_world_destroy(world);
    }
    CHECK_SAYS(text[1], "overlap by 0.7 of the smaller radius, the limit is 0.5");
    CHECK_TEXT(text[1], text[0]);
}

/* ---- stability ---- */

TEST(the_stable_step_is_that_of_double)
{
    static const char *const laws[] = {"hertz", "linear-rolling"};

    for (int l = 0; l < 2; l++) {
        scree_stable_step step[2];
        for (int p = 0; p < 2; p++) {
            scree_world *world = open_both_laws(NULL, (scree_precision)p, laws[l]);
            CHECK(world);
            CHECK_EQUAL(scree_world_stable_step(world, &step[p]), SCREE_OK);
            /* at rest is where the next one is looked at from */
            advance(world, 3);
            CHECK_EQUAL(scree_world_stable_step(world, &step[p]), SCREE_OK);
            scree_world_destroy(world);
        }
        CHECK(step[0].dt > 0);
        CHECK_NEAR(step[1].dt, step[0].dt, 1e-6 * step[0].dt);
    }
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {CASE(forces_are_those_of_double_to_the_sixth_digit),
                                      CASE(one_centre_upon_the_other_is_no_division_by_zero),
                                      CASE(restitution_is_what_is_typed),
                                      CASE(a_heap_at_rest_stays_at_rest),
                                      CASE(the_books_close_as_in_double),
                                      CASE(the_bound_of_friction_is_kept),
                                      CASE(the_digest_is_the_one_it_always_was),
                                      CASE(it_is_not_that_of_double),
                                      CASE(how_it_is_computed_does_not_matter),
                                      CASE(snapshots_go_on_in_their_precision),
                                      CASE(contacts_are_read_alike_from_a_snapshot),
                                      CASE(laws_of_the_host_compute_and_remember_in_double),
                                      CASE(laws_of_the_host_lead_to_the_same_paths),
                                      CASE(failing_requests_change_nothing),
                                      CASE(bodies_that_floats_cannot_hold_are_refused),
                                      CASE(forces_beyond_floats_are_refused),
                                      CASE(great_and_small_forces_slide_as_others_do),
                                      CASE(overlaps_beyond_the_limit_are_refused_in_the_same_words),
                                      CASE(the_stable_step_is_that_of_double)};
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
