/*  Implicit steps of all kinds of bodies: one digest however it is computed. */
#include "harness/solid_maker.h"

#include <inttypes.h>

typedef struct way
{
    const char *name, *method;
    uint32_t threads;
    scree_simd simd;
    scree_mesh_engine engine;
    bool restores; /* half of it in another world */
} way;

static const way ways[] = {
    {.name = "plain", .method = "flat"},
    {.name = "pairing", .method = "pairing"},
    {.name = "threads", .method = "bvh8", .threads = 3},
    {.name = "scalar", .method = "flat", .simd = SCREE_SIMD_SCALAR},
    {.name = "surrogates", .method = "flat", .engine = SCREE_MESH_ENGINE_SURROGATE},
    {.name = "restored", .method = "hash-grids", .restores = true},
};

#define WAYS (sizeof ways / sizeof *ways)

/*  A shaft, of which bodies take up most. */
static void add_shaft(const scene *s)
{
    add_wall(s, NULL);
    for (int side = 0; side < 4; side++) {
        scree_wall_def def = scree_default_wall_def();
        def.material = s->material;
        def.normal[2] = 0;
        def.normal[side / 2] = side % 2 ? -1 : 1;
        def.point[side / 2] = side % 2 ? 0.04 : -0.04;
        CHECK_EQUAL(scree_world_add_wall(s->world, &def, NULL), SCREE_OK);
    }
}

/*  How the heap is stepped, and how often in each half. */
typedef struct course
{
    scree_integrator integrator;
    uint64_t steps;
} course;

/*  Stones and balls that come down on one another. */
static scene make_heap(const way *w, const course *c)
{
    scree_world_def def = plain_def(5e-5);

    def.step.integrator = c->integrator;
    def.gravity[2] = -9.81;
    def.detection.method = w->method;
    def.compute.thread_count = w->threads ? w->threads : 1;
    def.compute.simd = w->simd;
    def.detection.mesh_engine = w->engine;
    scene s = open_scene(&def, "linear", 0.4, 0.5);
    scree_mesh *stone = globe(80, 0.02, 1.3), *block = cube(0.03);
    add_shaft(&s);
    for (int k = 0; k < 8; k++) {
        scree_shape shape = k % 4 == 0   ? scree_shape_mesh(stone, 3e-3)
                            : k % 4 == 2 ? scree_shape_mesh(block, 3e-3)
                                         : scree_shape_sphere(0.015);
        scree_body_def body =
            body_at(&s, shape, 0.004 * (k % 3), 0.003 * (k % 2), 0.03 + 0.045 * k);
        body.velocity[2] = -1 - 0.3 * k;
        body.spin[k % 3] = 5;
        add(&s, &body);
    }
    scree_mesh_destroy(stone);
    scree_mesh_destroy(block);
    return s;
}

static uint64_t run(const way *w, const course *on)
{
    scene s = make_heap(w, on);
    uint64_t digest;

    step(&s, on->steps);
    if (w->restores) {
        scree_snapshot *snapshot;
        scene second = make_heap(&ways[0], on);
        CHECK_EQUAL(scree_world_snapshot(s.world, &snapshot), SCREE_OK);
        CHECK_EQUAL(scree_world_restore(second.world, snapshot), SCREE_OK);
        scree_snapshot_destroy(snapshot);
        scree_world_destroy(s.world);
        s = second;
    }
    step(&s, on->steps);
    scree_detection_stats c = scree_world_detection_stats(s.world);
    digest = scree_world_digest(s.world);
    printf("%s: %" PRIu64 " evaluations, %" PRIu64 " contacts\n", w->name, c.force_evaluations,
           c.contacts);
    CHECK(c.force_evaluations > 2 * on->steps || w->restores);
    CHECK(c.contacts > 3);
    scree_world_destroy(s.world);
    return digest;
}

static void run_all(scree_integrator integrator, uint64_t steps)
{
    const course on = {integrator, steps};
    uint64_t expected = run(&ways[0], &on);

    for (size_t k = 1; k < WAYS; k++) {
        /* what finds bodies and meshes has been seen to change nothing */
        if (integrator != SCREE_IMPLICIT_EULER && (k == 1 || ways[k].engine))
            continue;
        uint64_t digest = run(&ways[k], &on);
        if (digest != expected)
            FAIL("%s: another digest, %016" PRIx64 " instead of %016" PRIx64, ways[k].name, digest,
                 expected);
    }
}

TEST(one_digest_by_implicit_euler)
{
    run_all(SCREE_IMPLICIT_EULER, 3000);
}

TEST(one_digest_by_surrogates_within_picard)
{
    run_all(SCREE_IMPLICIT_SURROGATE, 2500);
}

TEST(one_digest_by_multiscale_picard)
{
    run_all(SCREE_IMPLICIT_MULTISCALE, 2500);
}

TEST(momentum_of_stones_is_kept)
{
    scree_world_def def = plain_def(5e-5);

    def.step.integrator = SCREE_IMPLICIT_EULER;
    scene s = open_scene(&def, "linear", 0.4, 0.5);
    scree_mesh *stone = globe(320, 0.02, 1.2);
    scree_body_def one = body_at(&s, scree_shape_mesh(stone, 1e-3), 0, 0, 0);
    scree_body_def other = body_at(&s, scree_shape_mesh(stone, 1e-3), 0.05, 0.005, 0.004);
    other.velocity[0] = -2;
    add(&s, &one);
    add(&s, &other);
    scree_totals before = scree_world_totals(s.world), after;
    step(&s, 1000);
    after = scree_world_totals(s.world);
    for (int k = 0; k < 3; k++)
        CHECK_NEAR(after.momentum[k], before.momentum[k], 1e-13);
    /* they have met */
    CHECK(body_of(&s, (scree_body_id){1, 1}).velocity[0] < -0.1);
    scree_mesh_destroy(stone);
    scree_world_destroy(s.world);
}

/* ---- what is not found again ---- */

static size_t list_contacts(const scene *s, scree_contact *list, size_t room)
{
    const scree_contact *contacts;
    size_t count;

    CHECK_EQUAL(scree_world_contacts(s->world, NULL, &contacts, &count), SCREE_OK);
    CHECK(count <= room);
    if (count)
        memcpy(list, contacts, count * sizeof *list);
    return count;
}

/*  A step so short that nothing moves by it begins with an evaluation of its own: there everything is found again. */
static void check_found_again(const scene *s, const scene *reference, size_t *held)
{
    scree_contact was[256], is[256];
    size_t count = list_contacts(s, was, 256);
    scree_snapshot *snapshot;

    CHECK_EQUAL(scree_world_snapshot(s->world, &snapshot), SCREE_OK);
    CHECK_EQUAL(scree_world_restore(reference->world, snapshot), SCREE_OK);
    scree_snapshot_destroy(snapshot);
    CHECK_EQUAL(scree_world_set_dt(reference->world, SCREE_TIME_FIXED, 1e-40), SCREE_OK);
    step(reference, 1);
    CHECK_EQUAL(list_contacts(reference, is, 256), count);
    for (size_t k = 0; k < count; k++) {
        /* a turn by nothing rounds orientations */
        CHECK_NEAR(is[k].overlap, was[k].overlap, 1e-15);
        for (int a = 0; a < 3; a++) {
            CHECK_NEAR(is[k].point[a], was[k].point[a], 1e-14);
            CHECK_NEAR(is[k].normal[a], was[k].normal[a], 1e-11);
        }
    }
    *held += count;
}

TEST(bodies_that_stay_touch_where_a_new_search_finds_them)
{
    const course on = {SCREE_IMPLICIT_SURROGATE, 0};
    scene s = make_heap(&ways[0], &on), reference = make_heap(&ways[0], &on);
    size_t held = 0;

    for (int k = 0; k < 3000; k++) {
        step(&s, 1);
        if (k % 10 == 0)
            check_found_again(&s, &reference, &held);
    }
    printf("%d contacts\n", (int)held);
    CHECK(held > 300);
    scree_world_destroy(s.world);
    scree_world_destroy(reference.world);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(one_digest_by_implicit_euler),
        CASE(one_digest_by_surrogates_within_picard),
        CASE(one_digest_by_multiscale_picard),
        CASE(momentum_of_stones_is_kept),
        CASE(bodies_that_stay_touch_where_a_new_search_finds_them),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
