/*  Local time steps of bodies of triangles, clumps and blocks: against each cluster alone in a world of its own, what surrogates
    say of which bodies are one, and what must not matter. */
#include "harness/failing_allocator.h"
#include "harness/solid_maker.h"

#include <stdio.h>

#define DT 0x1p-11

static scree_world_def local_def(uint32_t local_steps)
{
    scree_world_def def = plain_def(DT);

    def.events = false;
    def.step.local_steps = local_steps;
    def.gravity[2] = -9.81;
    return def;
}

static scene open_floor(const scree_world_def *def)
{
    scene s = open_scene(def, "linear", 0.6, 0.4);

    add_wall(&s, NULL);
    return s;
}

/*  Shapes, large and small. */
typedef struct kinds
{
    scree_mesh *stone, *cube, *pebble, *brick;
    scree_clump *jack;
} kinds;

static kinds make_kinds(void)
{
    return (kinds){globe(80, 0.05, 1.3), cube(0.08), globe(80, 0.012, 1.2), cube(0.02),
                   jack(0.012, 0.01)};
}

static void free_kinds(const kinds *k)
{
    scree_mesh_destroy(k->stone);
    scree_mesh_destroy(k->cube);
    scree_mesh_destroy(k->pebble);
    scree_mesh_destroy(k->brick);
    scree_clump_destroy(k->jack);
}

/* ---- clusters that stay: columns ---- */

enum
{
    COLUMNS = 4,
    MAX_IN_COLUMN = 3
};

/*  Each is a part of its own for its number of bodies: 3, 2 and 1 with steps of some length, and a ball. */
static int add_column(const scene *s, const kinds *k, int column, scree_body_id *ids)
{
    scree_body_def made[MAX_IN_COLUMN];
    int count = 0;

    if (column == 0) {
        made[count++] = body_at(s, scree_shape_block(k->cube, 8e-3), 0, 0, 0.047);
        made[count++] = body_at(s, scree_shape_mesh(k->stone, 8e-3), 0, 0, 0.175);
        made[count++] = body_at(s, scree_shape_sphere(0.04), 0.01, 0, 0.3);
    } else if (column == 1) {
        made[count++] = body_at(s, scree_shape_block(k->brick, 1e-3), 2, 0, 0.0112);
        made[count++] = body_at(s, scree_shape_mesh(k->pebble, 1e-3), 2, 0, 0.04);
    } else if (column == 2) {
        made[count++] = body_at(s, scree_shape_clump(k->jack), -2, 0, 0.04);
        made[0].spin[0] = 4;
    } else {
        made[count++] = body_at(s, scree_shape_sphere(0.05), 0, 2, 0.06);
    }
    for (int b = 0; b < count; b++)
        ids[b] = add(s, &made[b]);
    return count;
}

static void check_same(const scene *one, scree_body_id a, const scene *other, scree_body_id b)
{
    scree_body first = body_of(one, a), second = body_of(other, b);

    CHECK(memcmp(first.position, second.position, sizeof first.position) == 0);
    CHECK(memcmp(first.velocity, second.velocity, sizeof first.velocity) == 0);
    CHECK(memcmp(first.spin, second.spin, sizeof first.spin) == 0);
    CHECK(memcmp(first.orientation, second.orientation, sizeof first.orientation) == 0);
    CHECK(memcmp(first.force, second.force, sizeof first.force) == 0);
}

/*  The level of the part that a column is in: the world is asked with that column alone. */
static uint32_t level_of(const scree_local_step_stats *local_step_stats)
{
    for (uint32_t k = 0; k <= SCREE_MAX_LOCAL_STEPS; k++)
        if (local_step_stats->bodies[k])
            return k;
    return 0;
}

/*  Three worlds: all columns with local steps; each alone with local steps, which says how short they are; and each alone in
    plain steps of that length. */
static void go_beside_references(scree_integrator integrator)
{
    scree_world_def def = local_def(10), plain = local_def(0);
    const kinds k = make_kinds();
    scree_body_id ids[COLUMNS][MAX_IN_COLUMN], alone[COLUMNS][MAX_IN_COLUMN],
        references[COLUMNS][MAX_IN_COLUMN];
    scene single[COLUMNS], reference[COLUMNS];
    int count[COLUMNS];
    uint32_t least = SCREE_MAX_LOCAL_STEPS, most = 0;

    def.step.integrator = plain.step.integrator = integrator;
    scene s = open_floor(&def);
    for (int c = 0; c < COLUMNS; c++) {
        single[c] = open_floor(&def);
        reference[c] = open_floor(&plain);
        count[c] = add_column(&s, &k, c, ids[c]);
        add_column(&single[c], &k, c, alone[c]);
        add_column(&reference[c], &k, c, references[c]);
    }
    for (int n = 0; n < 200; n++) {
        step(&s, 1);
        for (int c = 0; c < COLUMNS; c++) {
            step(&single[c], 1);
            scree_local_step_stats local_step_stats = scree_world_local_step_stats(single[c].world);
            uint32_t level = level_of(&local_step_stats);
            for (int b = 0; b < count[c]; b++)
                check_same(&s, ids[c][b], &single[c], alone[c][b]);
            if (local_step_stats.islands != 1)
                continue;
            CHECK_EQUAL(
                scree_world_set_dt(reference[c].world, SCREE_TIME_FIXED, ldexp(DT, -(int)level)),
                SCREE_OK);
            step(&reference[c], (uint64_t)1 << level);
            for (int b = 0; b < count[c]; b++)
                check_same(&s, ids[c][b], &reference[c], references[c][b]);
            least = level < least ? level : least;
            most = level > most ? level : most;
        }
    }
    printf("levels %u to %u; %d contacts\n", least, most,
           (int)scree_world_detection_stats(s.world).contacts);
    CHECK(most >= least + 2);
    CHECK(scree_world_detection_stats(s.world).contacts > 5);
    printf("energy is off by %g\n", balance(&s));
    CHECK(fabs(balance(&s)) < 0.05);
    for (int c = 0; c < COLUMNS; c++) {
        scree_world_destroy(single[c].world);
        scree_world_destroy(reference[c].world);
    }
    scree_world_destroy(s.world);
    free_kinds(&k);
}

TEST(columns_go_as_they_would_alone)
{
    go_beside_references(SCREE_VELOCITY_VERLET);
    go_beside_references(SCREE_SYMPLECTIC_EULER);
}

/* ---- which bodies are a cluster ---- */

/*  How many clusters two slabs are that lie over each other, the balls around them deep in each other. */
static uint64_t clusters_of_slabs(double gap)
{
    scree_world_def def = local_def(4);
    const double lower[3] = {-0.5, -0.5, -0.01}, upper[3] = {0.5, 0.5, 0.01};
    maker m = maker_box(lower, upper);
    scree_mesh *slab = maker_mesh(&m);
    scene s;

    def.gravity[2] = 0;
    s = open_scene(&def, "linear", 0.6, 0.4);
    for (int k = 0; k < 2; k++) {
        scree_body_def body = body_at(&s, scree_shape_mesh(slab, 1e-3), 0, 0, k * (0.022 + gap));
        add(&s, &body);
    }
    step(&s, 1);
    uint64_t clusters = scree_world_local_step_stats(s.world).islands;
    scree_world_destroy(s.world);
    scree_mesh_destroy(slab);
    maker_free(&m);
    return clusters;
}

/*  Of a radius of 0.71 each may go a quarter. */
TEST(surrogates_tell_which_bodies_are_far)
{
    CHECK_EQUAL(clusters_of_slabs(0.01), 1);
    CHECK_EQUAL(clusters_of_slabs(0.3), 1);
    CHECK_EQUAL(clusters_of_slabs(0.4), 2);
}

/*  Of a block and one deep within it, which touch however far their surfaces are, or of meshes, which do not. */
static uint64_t clusters_of_nested(bool blocks, bool small_first, double y)
{
    scree_world_def def = local_def(SCREE_MAX_LOCAL_STEPS);
    scree_mesh *shell = cube(1), *kernel = cube(0.02);
    scree_shape shape[2] = {scree_shape_mesh(shell, 1e-3), scree_shape_mesh(kernel, 1e-3)};

    if (blocks) {
        shape[0] = scree_shape_block(shell, 1e-3);
        shape[1] = scree_shape_block(kernel, 1e-3);
    }
    def.gravity[2] = 0;
    def.overlap_limit = INFINITY;
    scene s = open_scene(&def, "linear", 0.6, 0.4);
    for (int k = 0; k < 2; k++) {
        bool is_small = (k == 0) == small_first;
        scree_body_def body = body_at(&s, shape[is_small], 0.02 * is_small, is_small ? y : 0, 0);
        add(&s, &body);
    }
    step(&s, 1);
    CHECK_EQUAL(scree_world_detection_stats(s.world).contacts > 0, blocks && y < 0.5);
    uint64_t clusters = scree_world_local_step_stats(s.world).islands;
    scree_world_destroy(s.world);
    scree_mesh_destroy(shell);
    scree_mesh_destroy(kernel);
    return clusters;
}

/*  Of radii of 0.87 and 0.02 both may go 0.22 together. */
TEST(a_block_within_another_is_near)
{
    for (int order = 0; order < 2; order++) {
        CHECK_EQUAL(clusters_of_nested(true, order, 0), 1);
        CHECK_EQUAL(clusters_of_nested(false, order, 0), 2);
        CHECK_EQUAL(clusters_of_nested(true, order, 0.7), 1);
        CHECK_EQUAL(clusters_of_nested(true, order, 0.76), 2);
    }
}

/* ---- what does not matter ---- */

/*  Large and small bodies of all kinds that fall into a box. */
static scene make_mixture(const scree_world_def *def, const kinds *k)
{
    scene s = open_floor(def);
    scree_random random = scree_random_stream(5, 0);

    for (int side = 0; side < 4; side++) {
        scree_wall_def wall = scree_default_wall_def();
        wall.material = s.material;
        wall.normal[2] = 0;
        wall.normal[side / 2] = side % 2 ? -1 : 1;
        wall.point[side / 2] = side % 2 ? 0.5 : 0;
        CHECK_EQUAL(scree_world_add_wall(s.world, &wall, NULL), SCREE_OK);
    }
    for (int n = 0; n < 36; n++) {
        scree_shape shape = n % 6 < 2    ? scree_shape_mesh(k->stone, 8e-3)
                            : n % 6 == 2 ? scree_shape_block(k->cube, 8e-3)
                            : n % 6 == 3 ? scree_shape_clump(k->jack)
                            : n % 6 == 4 ? scree_shape_block(k->brick, 1e-3)
                                         : scree_shape_sphere(0.03);
        scree_body_def body = body_at(&s, shape, 0.09 + 0.16 * (n % 3), 0.09 + 0.16 * (n / 3 % 3),
                                      0.09 + 0.17 * (n / 9));
        for (int a = 0; a < 3; a++) {
            body.velocity[a] = scree_random_range(&random, -1, 1);
            body.spin[a] = scree_random_range(&random, -5, 5);
        }
        add(&s, &body);
    }
    return s;
}

static uint64_t digest_of(const scree_world_def *def, const kinds *k, int portion)
{
    scene s = make_mixture(def, k);

    for (int n = 0; n < 240; n += portion)
        step(&s, (uint64_t)portion);
    uint64_t digest = scree_world_digest(s.world);
    scree_detection_stats c = scree_world_detection_stats(s.world);
    scree_local_step_stats local_step_stats = scree_world_local_step_stats(s.world);
    printf("%d contacts, %d clusters, %d compared\n", (int)c.contacts,
           (int)local_step_stats.islands, (int)c.triangle_tests);
    CHECK_EQUAL(c.late_contacts + c.missed_contacts, 0);
    CHECK(c.contacts > 5 && c.triangle_tests > 1000);
    scree_world_destroy(s.world);
    return digest;
}

TEST(engines_threads_methods_and_portions_do_not_matter)
{
    static const char *const methods[] = {"flat", "hashing", "bvh8"};
    static const scree_mesh_engine engines[] = {SCREE_MESH_ENGINE_SURROGATE, SCREE_MESH_ENGINE_ALL,
                                                SCREE_MESH_ENGINE_BOXES};
    const kinds k = make_kinds();
    scree_world_def def = local_def(12);
    uint64_t expected = digest_of(&def, &k, 60);

    CHECK(digest_of(&def, &k, 1) == expected);
    for (uint32_t n = 0; n < 3; n++) {
        scree_world_def other = def;
        other.compute.thread_count = n + 1;
        other.detection.method = methods[n];
        other.detection.mesh_engine = engines[n];
        other.detection.sort_every = n ? 7 * n : 0;
        other.compute.simd = n == 2 ? SCREE_SIMD_SCALAR : SCREE_SIMD_AUTO;
        other.detection.audit = n == 0 ? 9 : 0;
        CHECK(digest_of(&other, &k, 60) == expected);
    }
    free_kinds(&k);
}

TEST(snapshots_go_on_the_same)
{
    const kinds k = make_kinds();
    scree_world_def def = local_def(12), other = local_def(0);
    scene s = make_mixture(&def, &k), second = make_mixture(&other, &k);
    scree_snapshot *snapshot;

    step(&s, 61);
    CHECK_EQUAL(scree_world_snapshot(s.world, &snapshot), SCREE_OK);
    CHECK_EQUAL(scree_world_restore(second.world, snapshot), SCREE_OK);
    scree_snapshot_destroy(snapshot);
    step(&s, 40);
    step(&second, 40);
    CHECK(scree_world_digest(s.world) == scree_world_digest(second.world));
    scree_world_destroy(s.world);
    scree_world_destroy(second.world);
    free_kinds(&k);
}

/*  Every request of a step fails once: it has not happened, and the next try leads to where it would have led. */
TEST(requests_fail)
{
    const kinds shapes = make_kinds();
    uint64_t expected[2] = {0, 0};
    size_t failed = 0;
    bool fails = true;

    /* without a failure first, after no steps and after three */
    for (size_t k = 0; fails || k < 3; k += k < 2 ? 1 : 1 + k / 20) {
        failing_allocator memory = {.fail_at = 0};
        scree_world_def def = local_def(10);
        scree_body_id ids[MAX_IN_COLUMN];
        def.hooks.allocator = failing_allocator_hooks(&memory);
        scene s = open_floor(&def);
        for (int c = 0; c < COLUMNS; c++)
            add_column(&s, &shapes, c, ids);
        step(&s, k % 2 ? 3 : 0);
        uint64_t before = scree_world_digest(s.world);
        memory.fail_at = k > 1 ? memory.requests + k - 1 : 0;
        scree_status status = scree_world_step(s.world, 1);
        memory.fail_at = 0;
        fails = memory.failures > 0;
        failed += fails;
        CHECK_EQUAL(status, memory.failures ? SCREE_OUT_OF_MEMORY : SCREE_OK);
        if (status) {
            CHECK(scree_world_message(s.world)[0]);
            CHECK(scree_world_digest(s.world) == before);
            step(&s, 1);
        }
        step(&s, k % 2 ? 3 : 6);
        if (k < 2)
            expected[k] = scree_world_digest(s.world);
        CHECK(scree_world_digest(s.world) == expected[k % 2]);
        scree_world_destroy(s.world);
        CHECK(failing_allocator_is_clean(&memory));
    }
    printf("%d of the requests of a step\n", (int)failed);
    CHECK(failed > 40);
    free_kinds(&shapes);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(columns_go_as_they_would_alone),
        CASE(surrogates_tell_which_bodies_are_far),
        CASE(a_block_within_another_is_near),
        CASE(engines_threads_methods_and_portions_do_not_matter),
        CASE(snapshots_go_on_the_same),
        CASE(requests_fail),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
