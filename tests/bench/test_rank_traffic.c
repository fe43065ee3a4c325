/*  What ranks would send, counted on partitions of a small scene, against all pairs tried one by one. */
#include "cases/rank_traffic.h"

#include "test.h"

#include <math.h>

#define BODIES 3000
#define MARGIN 0.2

static scree_scene make_scene(const char *name)
{
    scree_scene scene;
    scree_error error;

    if (scree_scene_create(name, BODIES, 7, NULL, &scene, &error))
        FAIL("%s", error.text);
    return scene;
}

static scree_rank_traffic count(const scree_scene *scene, uint32_t ranks)
{
    scree_rank_traffic traffic;
    scree_error error = {SCREE_OK, ""};

    if (scree_bench_rank_traffic(scene, MARGIN, ranks, &traffic, &error))
        FAIL("%s", error.text);
    return traffic;
}

static double pairs_of(const scree_scene *scene)
{
    double pairs = 0;

    for (size_t i = 0; i < scene->count; i++)
        for (size_t j = 0; j < i; j++) {
            double reach = scene->radius[i] + scene->radius[j] + 2 * MARGIN, sum = 0;
            for (int k = 0; k < 3; k++) {
                double way = scene->centre[k][i] - scene->centre[k][j];
                sum += way * way;
            }
            pairs += sum <= reach * reach;
        }
    return pairs;
}

TEST(one_rank_sends_nothing)
{
    scree_scene scene = make_scene("uniform");
    scree_rank_traffic t = count(&scene, 1);

    CHECK(t.bodies == BODIES && t.imbalance == 1);
    CHECK(t.copies == 0 && t.messages == 0 && t.max_copies == 0 && t.offered == 1);
    CHECK(t.pairs == pairs_of(&scene) && t.max_pairs == t.pairs);
    scree_scene_free(&scene);
}

TEST(copies_are_enough_and_not_too_many)
{
    static const char *const names[] = {"uniform", "ratio10", "discs"};

    for (size_t s = 0; s < sizeof names / sizeof *names; s++) {
        scree_scene scene = make_scene(names[s]);
        const double pairs = pairs_of(&scene);
        for (uint32_t ranks = 2; ranks < 40; ranks += 9) {
            scree_rank_traffic t = count(&scene, ranks);
            CHECK_NEAR(t.bodies * ranks, BODIES, 1e-9 * BODIES);
            CHECK_NEAR(t.pairs * ranks, pairs, 1e-9 * pairs);
            CHECK(t.imbalance >= 1 && t.imbalance < 1.1);
            /* no rank has a body twice; smaller bodies of pairs need not be offered, they are answers */
            CHECK(t.offered > 0.5 && t.copies <= BODIES - t.bodies);
            CHECK(t.messages > 0 && t.max_messages <= ranks - 1);
            CHECK(t.max_copies >= t.copies && t.max_pairs >= t.pairs);
        }
        scree_scene_free(&scene);
    }
}

TEST(predictions_follow_from_counts)
{
    scree_scene scene = make_scene("uniform");
    scree_rank_traffic t = count(&scene, 8);
    /* as many bodies a rank as were counted, on a network that costs nothing */
    scree_cluster cluster = {BODIES, 300, 0, 1e6};
    scree_rank_forecast f = scree_bench_rank_forecast(&t, &cluster);

    CHECK_NEAR(f.bodies, t.bodies, 1e-9 * t.bodies);
    CHECK_NEAR(f.copies, t.copies, 1e-9 * t.copies);
    CHECK_NEAR(f.kilobytes, 0.072 * t.max_copies, 1e-9 * f.kilobytes);
    CHECK(f.messages_ms == 0 && f.reductions_ms == 0 && f.efficiency < 1);
    /* a thousand times as many: ten times as long a side, so a hundred times the copies */
    cluster.bodies *= 1000;
    const scree_rank_forecast more = scree_bench_rank_forecast(&t, &cluster);
    CHECK_NEAR(more.copies / f.copies, 100, 1e-6);
    CHECK(more.efficiency > f.efficiency);
    /* latency is counted once a message and for each level of a reduction */
    cluster.latency_us = 10;
    const scree_rank_forecast slow = scree_bench_rank_forecast(&t, &cluster);
    CHECK_NEAR(slow.messages_ms, 0.01 * t.max_messages, 1e-12);
    CHECK_NEAR(slow.reductions_ms, 0.01 * 3 * 3, 1e-12);
    scree_scene_free(&scene);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(one_rank_sends_nothing),
        CASE(copies_are_enough_and_not_too_many),
        CASE(predictions_follow_from_counts),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
