/*  One drum, many ways to compute it, one digest: methods of detection, margins, SIMD levels, orders in memory,
    and snapshots restored on the way, also from one way of computing into another. */
#include "harness/drum.h"
#include "scree/wall.h"
#include "test.h"

#define STEPS 120u
#define EVERY 15u
#define CHECKPOINTS (STEPS / EVERY)

/*  What the scene below comes to on every machine, with every compiler. If this changes, so do the results of
    everyone: a commit of its own says why. */
#define GOLDEN 0x6f70eaddede59b41u

static const drum_scene drum = {.across = 3,
                                .layers = 1,
                                .most = 7,
                                .facets = 64,
                                .has_planes = true,
                                .integrator = SCREE_VELOCITY_VERLET};
static const drum_scene tunnel = {.across = 3,
                                  .layers = 3,
                                  .most = 5,
                                  .facets = 64,
                                  .is_periodic = true,
                                  .integrator = SCREE_VELOCITY_VERLET,
                                  .time = SCREE_TIME_AUTOMATIC,
                                  .has_energy_balance = true};
static const drum_scene disc = {.across = 5,
                                .layers = 1,
                                .facets = 48,
                                .in_plane = true,
                                .integrator = SCREE_SYMPLECTIC_EULER,
                                .has_energy_balance = true};
/*  Forces are found by iteration. */
static const drum_scene implicit = {.across = 3,
                                    .layers = 1,
                                    .most = 5,
                                    .facets = 48,
                                    .has_planes = true,
                                    .integrator = SCREE_IMPLICIT_EULER};

static scree_world *open_drum(const drum_scene *scene, const drum_way *way)
{
    scree_error error = {SCREE_OK, ""};
    scree_world *world = drum_scene_open(scene, way, &error);

    if (!world)
        FAIL("%s: %s", scree_status_name(error.status), error.text);
    return world;
}

static void advance(scree_world *world, uint64_t steps)
{
    if (scree_world_step(world, steps))
        FAIL("%s", scree_world_message(world));
}

typedef struct record
{
    uint64_t digest[CHECKPOINTS + 1];
    size_t count; /* 0: not made yet */
} record;

/*  The first run of a scene is what all others must be. */
static void note(record *known, record *run, uint64_t digest, const char *what)
{
    run->digest[run->count] = digest;
    if (known->count > run->count && known->digest[run->count] != digest)
        FAIL("%s: another digest at step %zu: %016" PRIx64 " instead of %016" PRIx64, what,
             run->count * EVERY, digest, known->digest[run->count]);
    run->count++;
}

static void run(const drum_scene *scene, record *known, const drum_way *way, const char *what)
{
    scree_world *world = open_drum(scene, way);
    record made = {{0}, 0};

    note(known, &made, scree_world_digest(world), what);
    for (uint32_t k = 0; k < CHECKPOINTS; k++) {
        advance(world, EVERY);
        note(known, &made, scree_world_digest(world), what);
    }
    scree_world_destroy(world);
    if (known->count == 0)
        *known = made;
}

static record known_drum, known_tunnel, known_disc, known_implicit;

static void know_all(void)
{
    const drum_way plain = {.method = "pairing"};

    if (known_drum.count)
        return;
    run(&drum, &known_drum, &plain, "drum");
    run(&tunnel, &known_tunnel, &plain, "tunnel");
    run(&disc, &known_disc, &plain, "disc");
    run(&implicit, &known_implicit, &plain, "implicit");
}

static void run_all(const drum_way *way, const char *what)
{
    know_all();
    run(&drum, &known_drum, way, what);
    run(&tunnel, &known_tunnel, way, what);
    run(&disc, &known_disc, way, what);
    run(&implicit, &known_implicit, way, what);
}

/*  A scene in which nothing touches would always have the same digest. */
TEST(the_scenes_have_contacts_of_all_kinds)
{
    const drum_way way = {0};
    const drum_scene *const scenes[] = {&drum, &tunnel, &disc, &implicit};

    for (int k = 0; k < 4; k++) {
        scree_world *world = open_drum(scenes[k], &way);
        const scree_contact *contacts;
        size_t count, with_walls = 0, with_memory = 0;
        advance(world, STEPS);
        CHECK_EQUAL(scree_world_contacts(world, NULL, &contacts, &count), SCREE_OK);
        for (size_t c = 0; c < count; c++) {
            with_walls += contacts[c].second.index1 == 0;
            with_memory += contacts[c].memory_count > 0 && contacts[c].memory[0] != 0;
        }
        printf("scene %d: %zu bodies, %zu contacts, %zu of them with walls\n", k,
               scree_world_body_count(world), count, with_walls);
        CHECK(count > 50 && with_walls > 0 && with_memory > 50);
        scree_world_destroy(world);
    }
}

TEST(the_digest_is_the_one_it_always_was)
{
    know_all();
    if (known_drum.digest[CHECKPOINTS] != GOLDEN)
        FAIL("the digest is 0x%016" PRIx64 ", was 0x%016" PRIx64, known_drum.digest[CHECKPOINTS],
             (uint64_t)GOLDEN);
}

TEST(methods_do_not_matter)
{
    for (size_t m = 0; m < scree_method_count(); m += TEST_EFFORT(2, 1)) {
        const drum_way way = {.method = scree_method_at(m)->name};
        run_all(&way, way.method);
    }
}

TEST(margins_do_not_matter)
{
    static const char *const names[] = {"none",     "skin", "tolerance", "stride",
                                        "distance", "bins", "per-body"};
    static const double lengths[] = {-0.05, -1, -0.001};

    for (int kind = SCREE_MARGIN_NONE; kind <= SCREE_MARGIN_PER_BODY; kind++) {
        for (int k = 0; k < (kind == SCREE_MARGIN_NONE ? 1 : 3); k++) {
            scree_margin_def margin = scree_default_detector_def().margin;
            const drum_way way = {.margin = &margin, .method = "flat"};
            margin.kind = (scree_margin_kind)kind;
            margin.length = lengths[k];
            run_all(&way, names[kind]);
        }
    }
}

TEST(simd_levels_do_not_matter)
{
    for (int level = SCREE_SIMD_AUTO; level <= SCREE_SIMD_AVX512; level++) {
        const drum_way way = {.simd = (scree_simd)level};
        run_all(&way, "simd");
    }
}

TEST(the_order_in_memory_does_not_matter)
{
    static const uint32_t every[] = {0, 1, 7, 1000};

    for (int k = 0; k < 4; k++) {
        const drum_way way = {.sort_every = every[k] + 1};
        run_all(&way, "sort_every");
    }
}

/*  A change of method or margin in the middle. */
TEST(detection_may_change_in_the_middle)
{
    const drum_way way = {0};
    scree_world *world = open_drum(&drum, &way);
    record made = {{0}, 0};

    know_all();
    for (uint32_t k = 0; k <= CHECKPOINTS; k++) {
        scree_margin_def margin = scree_default_detector_def().margin;
        note(&known_drum, &made, scree_world_digest(world), "change of detection");
        CHECK_EQUAL(
            scree_world_set_method(world, scree_method_at(k * 5 % scree_method_count())->name),
            SCREE_OK);
        margin.kind = (scree_margin_kind)(k % 7);
        CHECK_EQUAL(scree_world_set_margin(world, &margin), SCREE_OK);
        advance(world, EVERY);
    }
    scree_world_destroy(world);
}

/* ---- what hosts do on the way ---- */

static void change_materials(scree_world *world)
{
    scree_bodies_view view = scree_world_bodies(world);
    scree_rule_def rule = scree_default_rule_def();

    /* contacts that are there keep their law until they end */
    rule.law = "linear";
    rule.groups = 1;
    CHECK_EQUAL(scree_world_add_rule(world, &rule), SCREE_OK);
    for (size_t k = 0; k < view.count; k++) {
        scree_body body;
        CHECK_EQUAL(scree_world_get_body(world, scree_body_id_at(view.id, k), &body), SCREE_OK);
        if (body.user % 3)
            continue;
        body.material.index1 = 3 - body.material.index1;
        CHECK_EQUAL(scree_world_set_body(world, body.id, &body), SCREE_OK);
    }
}

/*  Every fifth leaves, by its user word. */
static void remove_some(scree_world *world)
{
    scree_bodies_view view = scree_world_bodies(world);
    size_t count = 0;
    scree_body_id *gone = calloc(view.count, sizeof *gone);

    CHECK(gone);
    for (size_t k = 0; k < view.count; k++)
        if (scree_uint64_at(view.user, k) % 5 == 2)
            gone[count++] = scree_body_id_at(view.id, k);
    CHECK_EQUAL(scree_world_remove_bodies(world, gone, count), SCREE_OK);
    free(gone);
}

static void change_walls(scree_world *world)
{
    scree_wall_path path = {.velocity = {0.1, 0.2, 0}, .axis = {0, 0, 1}, .rate = -5};
    scree_wall_id ids[3];

    CHECK_EQUAL(scree_world_walls(world, ids, 3), 3);
    CHECK_EQUAL(scree_world_set_wall_path(world, ids[0], &path), SCREE_OK);
    CHECK_EQUAL(scree_world_remove_wall(world, ids[2]), SCREE_OK);
}

static void run_with_changes(record *known, const drum_way *way, const char *what)
{
    static void (*const changes[])(scree_world *) = {change_materials, remove_some, change_walls};
    scree_world *world = open_drum(&drum, way);
    record made = {{0}, 0};

    for (uint32_t k = 0; k < CHECKPOINTS; k++) {
        advance(world, EVERY);
        if (k >= 2 && k < 5)
            changes[k - 2](world);
        note(known, &made, scree_world_digest(world), what);
    }
    scree_world_destroy(world);
    if (known->count == 0)
        *known = made;
}

TEST(changes_on_the_way_act_alike)
{
    scree_margin_def none = scree_default_detector_def().margin, wide = none;
    const drum_way ways[] = {{.margin = &none},
                             {.margin = &wide},
                             {.method = "flat"},
                             {.sort_every = 2},
                             {.sort_every = 1, .simd = SCREE_SIMD_SCALAR}};
    record known = {{0}, 0};

    none.kind = SCREE_MARGIN_NONE;
    wide.kind = SCREE_MARGIN_SKIN;
    wide.length = -3;
    for (size_t k = 0; k < sizeof ways / sizeof *ways; k++)
        run_with_changes(&known, &ways[k], "changes");
}

/* ---- snapshots on the way ---- */

static void check_snapshots(const drum_scene *scene, record *known, const drum_way *from,
                            const drum_way *to)
{
    scree_world *first = open_drum(scene, from), *second = open_drum(scene, to);
    record made = {{0}, 0};

    know_all();
    advance(second, 3); /* it has a past of its own */
    for (uint32_t k = 0; k <= CHECKPOINTS; k++) {
        scree_world *kept = first;
        scree_snapshot *snapshot;
        note(known, &made, scree_world_digest(first), "snapshot");
        CHECK_EQUAL(scree_world_snapshot(first, &snapshot), SCREE_OK);
        if (scree_world_restore(second, snapshot))
            FAIL("%s", scree_world_message(second));
        scree_snapshot_destroy(snapshot);
        if (scree_world_digest(second) != known->digest[k])
            FAIL("another digest right after a restore at step %u", k * EVERY);
        advance(second, EVERY);
        first = second;
        second = kept;
        advance(second, 1 + k % 3);
    }
    scree_world_destroy(first);
    scree_world_destroy(second);
}

TEST(snapshots_do_not_matter)
{
    scree_margin_def skin = scree_default_detector_def().margin, none = skin;
    const drum_way ways[] = {
        {.method = "flat"},
        {.method = "pairing", .margin = &none, .simd = SCREE_SIMD_SCALAR, .sort_every = 2},
        {.method = "hashing", .margin = &skin, .threads = 2, .sort_every = 1},
    };

    skin.kind = SCREE_MARGIN_SKIN;
    for (size_t k = TEST_EFFORT(1, 0); k < 3; k++) {
        check_snapshots(&drum, &known_drum, &ways[k], &ways[(k + 1) % 3]);
        check_snapshots(&tunnel, &known_tunnel, &ways[k], &ways[(k + 2) % 3]);
        check_snapshots(&disc, &known_disc, &ways[k], &ways[k]);
    }
}

TEST(copies_go_the_same_way)
{
    const drum_way way = {0};
    scree_world *world = open_drum(&drum, &way);
    record made = {{0}, 0};

    know_all();
    for (uint32_t k = 0; k <= CHECKPOINTS; k++) {
        scree_world_def def = scree_default_world_def();
        scree_world *copy;
        note(&known_drum, &made, scree_world_digest(world), "copy");
        def.detection.method = k % 2 ? "flat" : "pairing";
        def.compute.simd = k % 2 ? SCREE_SIMD_SCALAR : SCREE_SIMD_AUTO;
        CHECK_EQUAL(scree_world_copy(world, &def, &copy), SCREE_OK);
        CHECK(scree_world_digest(copy) == known_drum.digest[k]);
        scree_world_destroy(world);
        world = copy;
        advance(world, EVERY);
    }
    scree_world_destroy(world);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(the_scenes_have_contacts_of_all_kinds),
        CASE(the_digest_is_the_one_it_always_was),
        CASE(methods_do_not_matter),
        CASE(margins_do_not_matter),
        CASE(simd_levels_do_not_matter),
        CASE(the_order_in_memory_does_not_matter),
        CASE(detection_may_change_in_the_middle),
        CASE(changes_on_the_way_act_alike),
        CASE(snapshots_do_not_matter),
        CASE(copies_go_the_same_way),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
