/*  Bodies come and go for a long time: memory and cost stay what they were, names are not mixed up, no body is
    lost. A million turns, where the program is not slowed down by what watches over it. */
#include "base/clock.h"
#include "base/random.h"
#include "harness/failing_allocator.h"
#include "scree/wall.h"
#include "scree/world.h"
#include "test.h"

#include <math.h>

#define LIVE 2000u

static uint32_t turns(void)
{
    return TEST_EFFORT(100000u, 1000000u);
}

static scree_world *make_world(failing_allocator *memory)
{
    scree_world_def def = scree_default_world_def();
    scree_material_def material = scree_default_material_def();
    scree_wall_def floor = scree_default_wall_def();
    scree_world *world;

    def.step.dt = 1e-5;
    def.gravity[2] = -9.81;
    def.overlap_limit = 10;
    def.detection.sort_every = 16;
    def.hooks.allocator = failing_allocator_hooks(memory);
    CHECK_EQUAL(scree_world_create(&def, &world), SCREE_OK);
    CHECK_EQUAL(scree_world_add_material(world, &material, &floor.material), SCREE_OK);
    CHECK_EQUAL(scree_world_add_wall(world, &floor, NULL), SCREE_OK);
    return world;
}

/*  Somewhere in a box in which the live ones have about three contacts each. */
static scree_body_def random_body(scree_random *random)
{
    scree_body_def def = scree_default_body_def();

    def.material.index1 = 1;
    def.shape = scree_shape_sphere(scree_random_range(random, 0.02, 0.03));
    for (int k = 0; k < 3; k++) {
        def.position[k] = scree_random_range(random, 0, 0.8);
        def.velocity[k] = scree_random_range(random, -0.1, 0.1);
    }
    return def;
}

typedef struct body_set
{
    scree_world *world;
    scree_random random;
    scree_body_id id[LIVE];
    uint64_t mark[LIVE]; /* user word of each */
    uint64_t next_mark;
    bool numbered; /* bodies bring their own numbers, in no order */
} body_set;

static void enter(body_set *c, uint32_t at)
{
    scree_body_def def = random_body(&c->random);

    c->mark[at] = def.user = ++c->next_mark;
    if (c->numbered) /* each once: an odd factor permutes the numbers of 40 bits */
        def.serial = 1 + (c->next_mark * 0x9e3779b97u & 0xffffffffffu);
    if (scree_world_add_body(c->world, &def, &c->id[at]))
        FAIL("%s", scree_world_message(c->world));
}

/*  One leaves, another comes; from time to time a step. */
static void churn(body_set *c, uint32_t count)
{
    for (uint32_t k = 0; k < count; k++) {
        uint32_t at = scree_random_below(&c->random, LIVE);
        scree_body_id old = c->id[at];
        scree_body body;
        CHECK_EQUAL(scree_world_get_body(c->world, old, &body), SCREE_OK);
        CHECK(body.user == c->mark[at]);
        CHECK_EQUAL(scree_world_remove_body(c->world, old), SCREE_OK);
        enter(c, at);
        CHECK(!scree_world_has_body(c->world, old));
        CHECK_EQUAL(scree_world_body_count(c->world), LIVE);
        if (k % 1000 == 999 && scree_world_step(c->world, 2))
            FAIL("%s", scree_world_message(c->world));
    }
}

static void check_churn(bool numbered)
{
    failing_allocator memory = {.fail_at = 0};
    body_set *c = calloc(1, sizeof *c);
    uint32_t tenth = turns() / 10;
    double first = INFINITY, last = INFINITY;
    size_t bytes = 0, later = 0;

    CHECK(c);
    c->world = make_world(&memory);
    c->random = scree_random_stream(3, numbered);
    c->numbered = numbered;
    for (uint32_t at = 0; at < LIVE; at++)
        enter(c, at);
    for (int part = 0; part < 10; part++) {
        double start = scree_clock_thread_seconds();
        churn(c, tenth);
        double spent = scree_clock_thread_seconds() - start;
        if (part == 1)
            bytes = memory.live_bytes;
        if (part > 0 && part < 5)
            first = spent < first ? spent : first;
        if (part >= 5)
            last = spent < last ? spent : last;
        later = memory.live_bytes;
    }
    printf("%u came and went: %.0f ns each, at first %.0f; %zu bytes, before %zu\n", 10 * tenth,
           1e9 * last / tenth, 1e9 * first / tenth, later, bytes);
    /* lists of candidates have their own ups and downs, and arrays grow by halves */
    CHECK(later <= bytes + bytes / 2);
    /* processor time, the least of some parts: others on the machine hardly count. What grows with the number that
       came and went would be much slower in the end. */
    CHECK(last < 3 * first);
    CHECK_EQUAL(scree_world_totals(c->world).bodies, LIVE);
    CHECK_EQUAL(scree_world_totals(c->world).added - scree_world_totals(c->world).removed, LIVE);
    scree_world_destroy(c->world);
    free(c);
    CHECK(failing_allocator_is_clean(&memory));
}

TEST(bodies_come_and_go)
{
    check_churn(false);
}

TEST(bodies_with_numbers_of_their_own_come_and_go)
{
    check_churn(true);
}

/*  All at once, and in batches. */
TEST(sets_come_and_go)
{
    failing_allocator memory = {.fail_at = 0};
    scree_world *world = make_world(&memory);
    scree_random random = scree_random_stream(4, 4);
    scree_body_def *defs = calloc(LIVE, sizeof *defs);
    scree_body_id *ids = calloc(LIVE, sizeof *ids);
    size_t bytes = 0;

    CHECK(defs && ids);
    for (uint32_t k = 0; k < LIVE; k++)
        defs[k] = random_body(&random);
    for (uint32_t round = 0; round < turns() / LIVE; round++) {
        uint32_t count = LIVE - scree_random_below(&random, LIVE / 2);
        CHECK_EQUAL(scree_world_add_bodies(world, defs, count, ids), SCREE_OK);
        if (scree_world_step(world, 1))
            FAIL("%s", scree_world_message(world));
        CHECK_EQUAL(scree_world_remove_bodies(world, ids, count), SCREE_OK);
        CHECK_EQUAL(scree_world_body_count(world), 0);
        CHECK_EQUAL(scree_world_step(world, 1), SCREE_OK);
        if (round == 10)
            bytes = memory.live_bytes;
    }
    CHECK(memory.live_bytes <= bytes + bytes / 2);
    scree_world_destroy(world);
    free(defs);
    free(ids);
    CHECK(failing_allocator_is_clean(&memory));
}

/*  Snapshots taken and restored over and over leave nothing behind. */
TEST(snapshots_come_and_go)
{
    failing_allocator memory = {.fail_at = 0};
    body_set *c = calloc(1, sizeof *c);
    scree_snapshot *small, *large;
    size_t bytes = 0;

    CHECK(c);
    c->world = make_world(&memory);
    c->random = scree_random_stream(5, 5);
    for (uint32_t at = 0; at < LIVE / 10; at++)
        enter(c, at);
    CHECK_EQUAL(scree_world_step(c->world, 1), SCREE_OK);
    CHECK_EQUAL(scree_world_snapshot(c->world, &small), SCREE_OK);
    for (uint32_t at = LIVE / 10; at < LIVE; at++)
        enter(c, at);
    CHECK_EQUAL(scree_world_step(c->world, 1), SCREE_OK);
    CHECK_EQUAL(scree_world_snapshot(c->world, &large), SCREE_OK);
    for (int k = 0; k < 200; k++) {
        CHECK_EQUAL(scree_world_restore(c->world, k % 2 ? small : large), SCREE_OK);
        CHECK_EQUAL(scree_world_body_count(c->world), k % 2 ? LIVE / 10 : LIVE);
        CHECK_EQUAL(scree_world_step(c->world, 1), SCREE_OK);
        if (k == 20)
            bytes = memory.live_bytes;
    }
    CHECK(memory.live_bytes <= bytes + bytes / 4);
    scree_snapshot_destroy(small);
    scree_snapshot_destroy(large);
    scree_world_destroy(c->world);
    free(c);
    CHECK(failing_allocator_is_clean(&memory));
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(bodies_come_and_go),
        CASE(bodies_with_numbers_of_their_own_come_and_go),
        CASE(sets_come_and_go),
        CASE(snapshots_come_and_go),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
