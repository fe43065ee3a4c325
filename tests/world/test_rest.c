/*  Rest: who falls to rest and who wakes, and that the shortcut past what cannot have changed changes no bit: it is turned
    on and off on bins that are filled, rest, are hit and rest again. */
#include "harness/rest_maker.h"

#include "scree/cell.h"
#include "scree/law.h"
#include "scree/wall.h"

#define FILLING 8000
#define AFTER 6000
#define LOOKS 6

/*  What a bin comes to on its way: while it falls, rests, is hit, and rests again. */
typedef struct course
{
    uint64_t digest[LOOKS];
    scree_sleep_counts counts;
    double rested_before; /* share of bodies that rested when it was hit */
} course;

static course course_of(const rest_bin *bin)
{
    scree_world *world = rest_bin_open(bin);
    course c = {.rested_before = 0};

    for (int k = 0; k < LOOKS; k++) {
        if (k == LOOKS / 2) {
            c.rested_before = (double)scree_world_sleep_counts(world).asleep /
                              (double)scree_world_body_count(world);
            rest_hit(world, bin);
        }
        step(world, k < LOOKS / 2 ? FILLING / (LOOKS / 2) : AFTER / (LOOKS / 2));
        c.digest[k] = scree_world_digest(world);
    }
    c.counts = scree_world_sleep_counts(world);
    scree_world_destroy(world);
    return c;
}

static void check_same(const course *a, const course *b, const char *what)
{
    for (int k = 0; k < LOOKS; k++)
        if (a->digest[k] != b->digest[k])
            FAIL("%s: digest %d is another one", what, k);
    CHECK_EQUAL(a->counts.asleep, b->counts.asleep);
    CHECK_EQUAL(a->counts.fell_asleep, b->counts.fell_asleep);
    CHECK_EQUAL(a->counts.woke, b->counts.woke);
}

/*  The bin by the shortcut and without it; it must have been of use. */
static course check_bin(rest_bin *bin, const char *what)
{
    bin->computes_all = true;
    course all = course_of(bin);
    bin->computes_all = false;
    course some = course_of(bin);

    CHECK_EQUAL(all.counts.skipped, 0);
    if (some.counts.skipped < 10000 || some.rested_before < 0.1 || some.counts.woke < 20)
        FAIL("%s: %g rested, %d woke, %d spared", what, some.rested_before, (int)some.counts.woke,
             (int)some.counts.skipped);
    check_same(&all, &some, what);
    return some;
}

TEST(the_shortcut_changes_no_bit)
{
    static const char *const laws[] = {"hertz", "linear", "linear-rolling", "hertz-rolling",
                                       "bonded"};

    for (size_t k = 0; k < TEST_EFFORT((size_t)2, sizeof laws / sizeof *laws); k++) {
        rest_bin bin = rest_bin_of(6, 4);
        bin.law = laws[k];
        bin.is_periodic = k % 2 == 1;
        check_bin(&bin, laws[k]);
    }
}

TEST(nor_in_other_worlds)
{
    static const scree_integrator integrators[] = {SCREE_SYMPLECTIC_EULER, SCREE_EXPLICIT_EULER};
    rest_bin bin;

    for (int k = TEST_EFFORT(1, 0); k < 2; k++) {
        bin = rest_bin_of(6, 4);
        bin.def.step.integrator = integrators[k];
        check_bin(&bin, "integrator");
    }
    bin = rest_bin_of(5, 5);
    bin.def.energy_balance = bin.def.events = true;
    bin.law = "hertz-rolling";
    check_bin(&bin, "energy_balance");
}

/*  Detection, threads, SIMD and places of bodies in memory beside the shortcut: it is in use in all of them. */
TEST(one_digest_however_it_is_computed)
{
    static const char *const methods[] = {"bvh8", "hash-grids", "rtree", "insertion-sort"};
    rest_bin bin = rest_bin_of(6, 4);
    const course plain = check_bin(&bin, "plain");

    for (uint32_t k = TEST_EFFORT(2u, 0u); k < 4; k++) {
        bin = rest_bin_of(6, 4);
        bin.def.detection.method = methods[k];
        bin.def.compute.thread_count = k + 1;
        bin.def.compute.simd = (scree_simd)(k % (SCREE_SIMD_AVX512 + 1));
        bin.def.detection.sort_every = k * 77;
        bin.def.detection.margin.kind = k == 3 ? SCREE_MARGIN_NONE : SCREE_MARGIN_SKIN;
        const course other = course_of(&bin);
        check_same(&plain, &other, methods[k]);
        CHECK(k == 3 || other.counts.skipped > 10000);
    }
}

/*  A ball on the floor comes to rest: exactly. What it lost is in the books. */
TEST(what_rests_stands_still)
{
    scree_world_def def = scree_default_world_def();
    def.gravity[2] = -9.81;
    def.step.dt = REST_DT;
    def.energy_balance = true;
    scree_material_def soft = scree_default_material_def();
    soft.young = 1e6;
    soft.restitution = 0.2;
    scree_world *world = make_world(&def, &soft);
    rest_add_plane(world, 2, 0, 1);
    scree_body_def one = ball(REST_RADIUS, 0, 0, 0.0101);
    scree_body_id id = add(world, &one);

    rest_turn_on(world, false);
    step(world, 3000);
    scree_body at = body_of(world, id);
    CHECK(scree_world_is_asleep(world, id));
    for (int k = 0; k < 3; k++)
        CHECK(at.velocity[k] == 0 && at.spin[k] == 0);
    step(world, 1000);
    scree_body later = body_of(world, id);
    CHECK(memcmp(at.position, later.position, sizeof at.position) == 0);
    CHECK(memcmp(at.orientation, later.orientation, sizeof at.orientation) == 0);
    scree_energy e = scree_world_energy(world);
    double lost = e.damping + e.friction + e.body_damping;
    CHECK_NEAR(e.kinetic + e.potential + e.elastic + lost, e.entered, 1e-3 * lost);
    CHECK(e.body_damping > 0);

    /* a push that is too weak, and one that is not */
    later.load[0] = 0.2 * later.mass;
    CHECK_EQUAL(scree_world_set_body(world, id, &later), SCREE_OK);
    CHECK(!scree_world_is_asleep(world, id));
    step(world, 1000);
    const double tilted[3] = {0.3, 0, -9.81}, more[3] = {3, 0, -9.81};
    CHECK(scree_world_is_asleep(world, id));
    CHECK_EQUAL(scree_world_set_gravity(world, tilted), SCREE_OK);
    step(world, 10);
    CHECK(scree_world_is_asleep(world, id));
    CHECK_EQUAL(scree_world_set_gravity(world, more), SCREE_OK);
    step(world, 1);
    CHECK(!scree_world_is_asleep(world, id));
    step(world, 100);
    CHECK(body_of(world, id).velocity[0] > 0.01);
    scree_world_destroy(world);
}

/*  Four balls in a heap: the one on top wakes when one below is gone, and falls. */
TEST(what_loses_its_hold_falls)
{
    scree_world_def def = scree_default_world_def();
    def.gravity[2] = -9.81;
    def.step.dt = REST_DT;
    def.local_damping = 0.3;
    scree_material_def rough = scree_default_material_def();
    rough.friction = 0.9;
    rough.rolling_friction = 0.2;
    rough.young = 1e6;
    scree_world *world = make_world(&def, &rough);
    scree_rule_def rule = scree_default_rule_def();
    scree_body_id id[4];

    rule.law = "hertz-rolling";
    CHECK_EQUAL(scree_world_add_rule(world, &rule), SCREE_OK);
    rest_add_plane(world, 2, 0, 1);
    for (int k = 0; k < 4; k++) {
        double turn = 2.0943951023931953 * k, away = k < 3 ? 1.155 * REST_RADIUS : 0;
        scree_body_def one = ball(REST_RADIUS, away * cos(turn), away * sin(turn),
                                  k < 3 ? REST_RADIUS : 2.64 * REST_RADIUS);
        id[k] = add(world, &one);
    }
    rest_turn_on(world, false);
    step(world, 6000);
    CHECK_EQUAL(scree_world_sleep_counts(world).asleep, 4);
    double height = body_of(world, id[3]).position[2];
    CHECK_EQUAL(scree_world_remove_body(world, id[0]), SCREE_OK);
    step(world, 3);
    CHECK(!scree_world_is_asleep(world, id[3]));
    step(world, 2000);
    CHECK(body_of(world, id[3]).position[2] < height - 0.3 * REST_RADIUS);
    scree_world_destroy(world);
}

/*  Whatever a host does between steps, the next ones are as without the shortcut. */
static uint64_t meddle(bool computes_all)
{
    rest_bin bin = rest_bin_of(5, 4);
    bin.computes_all = computes_all;
    bin.def.detection.sort_every = 0;
    scree_world *world = rest_bin_open(&bin);
    const double aside[3] = {0.02, 0, -9.81};
    scree_rule_def rule = scree_default_rule_def();

    step(world, FILLING);
    CHECK(scree_world_sleep_counts(world).asleep > 30);
    for (int k = 0; k < 12; k++) {
        scree_bodies_view view = scree_world_bodies(world);
        scree_body_id least = scree_body_id_at(view.id, 0);
        for (size_t i = 0; i < view.count; i++)
            if (scree_uint64_at(view.serial, i) % 12 == (uint64_t)k)
                least = scree_body_id_at(view.id, i);
        scree_body body = body_of(world, least);
        scree_wall_id walls[8];
        switch (k) {
        case 0:
        case 6:
            CHECK_EQUAL(scree_world_remove_body(world, least), SCREE_OK);
            break;
        case 1:
            CHECK_EQUAL(scree_world_set_gravity(world, aside), SCREE_OK);
            break;
        case 2:
            body.load[2] = -0.1 * body.mass;
            CHECK_EQUAL(scree_world_set_body(world, least, &body), SCREE_OK);
            break;
        case 3:
            CHECK_EQUAL(scree_world_set_dt(world, SCREE_TIME_FIXED, 0.9 * REST_DT), SCREE_OK);
            break;
        case 4:
            CHECK_EQUAL(scree_world_set_damping(world, 0.1, 0.2), SCREE_OK);
            break;
        case 5:
            rule.law = "linear";
            CHECK_EQUAL(scree_world_add_rule(world, &rule), SCREE_OK);
            break;
        case 7:
            CHECK_EQUAL(scree_world_set_method(world, "hash-grids"), SCREE_OK);
            break;
        case 8:
            scree_world_walls(world, walls, 8);
            CHECK_EQUAL(scree_world_remove_wall(world, walls[2]), SCREE_OK);
            break;
        case 9:
            body.material.index1 = 1;
            body.mask = 2;
            CHECK_EQUAL(scree_world_set_body(world, least, &body), SCREE_OK);
            break;
        case 10:
            CHECK_EQUAL(scree_world_set_dt(world, SCREE_TIME_AUTOMATIC, REST_DT), SCREE_OK);
            break;
        default:
            rest_hit(world, &bin);
        }
        step(world, 700);
    }
    uint64_t digest = scree_world_digest(world);
    CHECK(computes_all == (scree_world_sleep_counts(world).skipped == 0));
    scree_world_destroy(world);
    return digest;
}

TEST(hosts_may_meddle)
{
    CHECK_EQUAL(meddle(false), meddle(true));
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(the_shortcut_changes_no_bit),       CASE(nor_in_other_worlds),
        CASE(one_digest_however_it_is_computed), CASE(what_rests_stands_still),
        CASE(what_loses_its_hold_falls),         CASE(hosts_may_meddle),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
