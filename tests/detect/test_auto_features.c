/*  What "auto" sees of a scene: the features that its choice is made from, on scenes of which they are
    known. The choice hardly changes if one is a little off, so tests of the choice do not see it. They
    come from a sample that is drawn by a rule, so they are the same on every machine, to the last bit:
    where no figure follows from the scene itself, it is the one that was found when this was written,
    and the scene says in which range it had to be. */
#include "base/random.h"
#include "detect/auto.h"
#include "detect/detector_internal.h"
#include "test.h"

#include <math.h>

#define MOST 4000u

typedef struct world
{
    uint32_t count;
    int dimensions;
    bool boxes;
    double x[MOST][3], half[MOST][3];
    double lower[MOST][3], upper[MOST][3];
} world;

static world now;

static void make_world(uint32_t count, int dimensions, bool boxes, double side)
{
    scree_random random = scree_random_stream(99, count);
    memset(&now, 0, sizeof now);
    now.count = count;
    now.dimensions = dimensions;
    now.boxes = boxes;
    for (uint32_t i = 0; i < count; i++)
        for (int k = 0; k < dimensions; k++) {
            now.x[i][k] = scree_random_range(&random, 0, side);
            now.half[i][k] = 0.5;
        }
}

static scree_auto_features look(void)
{
    scree_auto_features features;
    scree_detector_def def = scree_default_detector_def();
    scree_detector *d;
    scree_view centre[3], low[3], high[3];
    for (int k = 0; k < 3; k++) {
        for (uint32_t i = 0; i < now.count; i++) {
            now.lower[i][k] = now.x[i][k] - now.half[i][k];
            now.upper[i][k] = now.x[i][k] + now.half[i][k];
        }
        centre[k] = scree_doubles(&now.x[0][k], sizeof now.x[0]);
        low[k] = scree_doubles(&now.lower[0][k], sizeof now.lower[0]);
        high[k] = scree_doubles(&now.upper[0][k], sizeof now.upper[0]);
    }
    scree_table table =
        now.boxes ? scree_table_boxes(now.count, low, high)
                  : scree_table_spheres(now.count, centre[0], centre[1], centre[2],
                                        scree_doubles(&now.half[0][0], sizeof now.half[0]));
    def.method = "pairing";
    def.dimensions = now.dimensions;
    def.volume = now.boxes ? SCREE_BOXES : SCREE_SPHERES;
    CHECK_EQUAL(scree_detector_create(&def, &d), SCREE_OK);
    CHECK_EQUAL(scree_detector_update(d, &table, NULL), SCREE_OK);
    scree_bodies bodies = scree_store_view(&d->store);
    memset(&features, 0, sizeof features);
    scree_auto_look(&features, &bodies);
    scree_detector_destroy(d);
    CHECK_EQUAL(features.bodies, now.count);
    CHECK_EQUAL(features.dimensions, now.dimensions);
    CHECK(features.has_spheres == !now.boxes);
    return features;
}

/*  A figure that follows from no formula: it is in the range, and it is the same as before. */
#define CHECK_KNOWN(figure, least, most, known)                                                    \
    do {                                                                                           \
        double check_figure = (figure);                                                            \
        CHECK(check_figure >= (least) && check_figure <= (most));                                  \
        if (check_figure != (known))                                                               \
            FAIL("%s is %.17g, it was %.17g", #figure, check_figure, (double)(known));             \
    } while (0)

/* ---- sizes ---- */

TEST(equal_spheres_are_equal)
{
    make_world(MOST, 3, false, 20);
    scree_auto_features f = look();
    CHECK(f.size_ratio == 1 && f.slenderness == 1 && f.large_share == 0 && f.far_share == 0);
    CHECK_KNOWN(f.crowding, 1, 1.5, 1.3066666666666666);
}

/*  The sample is 126 of 4000 bodies; sizes alternate over so few bodies that it has all of them. */
TEST(sizes_are_told_by_their_logarithms)
{
    make_world(MOST, 3, false, 20);
    for (uint32_t i = 0; i < MOST; i++)
        now.half[i][0] = i % 8 == 0 ? 4 : i % 8 == 1 ? 0.25 : 1;
    scree_auto_features f = look();
    CHECK(f.size_ratio == 16 && f.slenderness == 1);
    CHECK_KNOWN(f.large_share, 0.06, 0.2, 0.11904761904761904);
    /* bodies without a size are not counted among sizes */
    for (uint32_t i = 0; i < MOST; i++)
        now.half[i][0] = 1;
    for (uint32_t i = 0; i < MOST; i += 2)
        now.half[i][0] = 0;
    f = look();
    CHECK(f.size_ratio == 1 && f.large_share == 0);
    memset(now.half, 0, sizeof now.half);
    f = look();
    CHECK(f.size_ratio == 1 && f.large_share == 0 && f.slenderness == 1);
}

TEST(one_in_eight_is_large)
{
    make_world(MOST, 3, false, 20);
    for (uint32_t i = 0; i < MOST; i++)
        now.half[i][0] = i % 8 == 0 ? 2.6 : 1;
    CHECK(look().size_ratio == 2.6);
    CHECK_KNOWN(look().large_share, 0.06, 0.2, 0.11904761904761904);
    for (uint32_t i = 0; i < MOST; i++)
        now.half[i][0] = i % 8 == 0 ? 2.2 : 1;
    CHECK(look().large_share == 0);
}

TEST(boxes_have_slenderness)
{
    make_world(1000, 3, true, 20);
    for (uint32_t i = 0; i < 1000; i++)
        now.half[i][i % 3] = 2; /* edges 4, 1, 1: 4 over 2 */
    scree_auto_features f = look();
    CHECK_NEAR(f.slenderness, 2, 1e-12); /* coordinates round */
    CHECK_NEAR(f.size_ratio, 1, 1e-12);
    make_world(1000, 2, true, 40);
    for (uint32_t i = 0; i < 1000; i++)
        now.half[i][i % 2] = i % 4 ? 1.5 : 0.5; /* edges 3, 1: 3 over 2 */
    f = look();
    CHECK_KNOWN(f.slenderness, 1.3, 1.45, 1.3809523809523809);
    CHECK_NEAR(f.size_ratio, 3, 1e-12);
}

/* ---- places ---- */

TEST(clusters_are_seen)
{
    make_world(MOST, 3, false, 20);
    for (uint32_t i = 0; i < MOST; i++)
        for (int k = 0; k < 3 && i % 2; k++)
            now.x[i][k] = 10 + 0.05 * now.x[i][k];
    scree_auto_features f = look();
    CHECK_KNOWN(f.crowding, 5, 1e4, 82.537777777777777);
    CHECK(f.far_share == 0);
    make_world(MOST, 2, false, 60);
    for (uint32_t i = 0; i < MOST; i++)
        for (int k = 0; k < 2 && i % 4; k++)
            now.x[i][k] = 50 + 0.01 * now.x[i][k];
    CHECK_KNOWN(look().crowding, 5, 1e6, 198.16340130614421);
}

TEST(flat_scenes_are_no_clusters)
{
    make_world(MOST, 3, false, 20);
    for (uint32_t i = 0; i < MOST; i++)
        now.x[i][2] = 3;
    CHECK_KNOWN(look().crowding, 1, 2, 1.0727619047619048);
    for (uint32_t i = 0; i < MOST; i++)
        now.x[i][1] = -7;
    CHECK_KNOWN(look().crowding, 1, 2, 1);
    /* all at one place: all pairs of the sample are in one cell */
    for (uint32_t i = 0; i < MOST; i++)
        now.x[i][0] = 1;
    CHECK_KNOWN(look().crowding, 1, 1e9, 1);
}

TEST(runaways_are_far)
{
    make_world(MOST, 3, false, 20);
    for (uint32_t i = 0; i < MOST; i++)
        if (i % 100 == 3)
            now.x[i][i % 3] = i % 200 == 3 ? 5000 : -5000;
    scree_auto_features f = look();
    CHECK_KNOWN(f.far_share, 0.001, 0.05, 0.0079365079365079083);
    CHECK_KNOWN(f.crowding, 1, 3, 1.6908387096774193);
    /* half are one cloud, half another: none is far */
    for (uint32_t i = 0; i < MOST; i++)
        for (int k = 0; k < 3; k++)
            now.x[i][k] = (i % 2 ? 500 : -500) + fmod(now.x[i][k], 20);
    f = look();
    CHECK(f.far_share == 0);
    CHECK_KNOWN(f.crowding, 10, 1e9, 170.17155555555556);
}

/* ---- pairs ---- */

static double pairs_of_world(void)
{
    uint64_t pairs = 0;
    for (uint32_t i = 0; i < now.count; i++)
        for (uint32_t j = i + 1; j < now.count; j++) {
            double sum = 0, reach = now.half[i][0] + now.half[j][0];
            bool overlap = true;
            for (int k = 0; k < now.dimensions; k++) {
                double apart = now.x[i][k] - now.x[j][k];
                sum += apart * apart;
                overlap &= fabs(apart) <= now.half[i][k] + now.half[j][k];
            }
            pairs += now.boxes ? overlap : sum <= reach * reach;
        }
    return (double)pairs / now.count;
}

/*  In random places as many as there are, to a quarter: spheres, discs, boxes, and sizes that differ. */
TEST(pairs_are_expected)
{
    for (int kind = 0; kind < 8; kind++) {
        int dimensions = kind & 1 ? 3 : 2;
        make_world(MOST, dimensions, (kind & 2) != 0, dimensions == 3 ? 20 : 90);
        for (uint32_t i = 0; i < MOST; i++)
            for (int k = 0; k < 3 && kind & 4; k++)
                now.half[i][k] = i % 8 == 0 ? 0.9 : i % 3 ? 0.3 : 0.5;
        double pairs = pairs_of_world(), expected = look().expected;
        if (!(expected > 0.75 * pairs && expected < 1.25 * pairs + 0.1))
            FAIL("kind %d: %g pairs a body, expected were %g", kind, pairs, expected);
    }
    /* all at one place, and clusters */
    memset(now.x, 0, sizeof now.x);
    CHECK(look().expected == SCREE_AUTO_MAX_PAIRS);
    make_world(MOST, 3, false, 20);
    for (uint32_t i = 0; i < MOST; i++)
        for (int k = 0; k < 3 && i % 2; k++)
            now.x[i][k] = 10 + 0.05 * now.x[i][k];
    CHECK(look().expected == SCREE_AUTO_USUAL_PAIRS);
}

/* ---- few bodies ---- */

/*  Below 128 nothing is looked at, from there on it is. */
TEST(few_bodies_are_not_looked_at)
{
    make_world(127, 3, false, 4);
    for (uint32_t i = 0; i < 127; i += 2)
        now.half[i][0] = 5;
    scree_auto_features f = look();
    CHECK(f.size_ratio == 1 && f.crowding == 1 && f.far_share == 0 && f.large_share == 0);
    CHECK(f.expected == SCREE_AUTO_USUAL_PAIRS);
    make_world(128, 3, false, 4);
    for (uint32_t i = 0; i < 128; i += 2)
        now.half[i][0] = 5;
    f = look();
    CHECK(f.size_ratio == 10);
    CHECK(f.large_share == 22. / 48); /* of a sample of 48 */
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(equal_spheres_are_equal),
        CASE(sizes_are_told_by_their_logarithms),
        CASE(one_in_eight_is_large),
        CASE(boxes_have_slenderness),
        CASE(clusters_are_seen),
        CASE(flat_scenes_are_no_clusters),
        CASE(runaways_are_far),
        CASE(pairs_are_expected),
        CASE(few_bodies_are_not_looked_at),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
