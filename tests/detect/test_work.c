/*  How much work methods do. Pairs are right whatever a tree is built like and however large a cell is,
    so tests of pairs do not see a method that has become slow. Here it is seen, by counts and not by
    time: on fixed scenes, how many pairs a method tests, at first and after bodies have moved, is at
    most a little above what it was when this was written. Better is always allowed; then the figures
    here are to be lowered. */
#include "base/random.h"
#include "scree/detect.h"
#include "test.h"

#define MOST 4000u
#define SLACK 1.03

typedef struct world
{
    size_t count;
    int dimensions;
    bool boxes;
    double x[3][MOST], half[3][MOST], low[3][MOST], high[3][MOST];
} world;

static world now;

/* ---- scenes ---- */

enum scenes
{
    UNIFORM, /* equal spheres */
    RATIO,   /* radii over a ratio of 30, dense and thin places */
    DISCS,   /* two dimensions */
    NEEDLES, /* boxes, long on one axis */
    SCENES,
};

static void place(size_t i, scree_random *random, double side)
{
    for (int k = 0; k < now.dimensions; k++)
        now.x[k][i] = scree_random_range(random, 0, side);
}

static void make_scene(int scene)
{
    scree_random random = scree_random_stream(77, (uint64_t)scene);
    memset(&now, 0, sizeof now);
    now.count = MOST;
    now.dimensions = scene == DISCS ? 2 : 3;
    now.boxes = scene == NEEDLES;
    for (size_t i = 0; i < MOST; i++) {
        double r = scene == RATIO ? scree_random_log_uniform(&random, 0.1, 3)
                                  : scree_random_range(&random, 0.5, 0.5 + 1e-9);
        bool crowded = scene == RATIO && i % 2;
        place(i, &random, scene == DISCS ? 50 : crowded ? 8 : scene == RATIO ? 40 : 14);
        for (int k = 0; k < now.dimensions; k++)
            now.half[k][i] = scene == NEEDLES ? 0.1 : r;
        if (scene == NEEDLES)
            now.half[scree_random_below(&random, 3)][i] = 2.5;
    }
}

/*  All by a little, one in twenty to another place. */
static void move(uint64_t step)
{
    scree_random random = scree_random_stream(78, step);
    for (size_t i = 0; i < now.count; i++) {
        for (int k = 0; k < now.dimensions; k++)
            now.x[k][i] += scree_random_range(&random, -0.1, 0.1);
        if ((i + step) % 20 == 0)
            place(i, &random, 14);
    }
}

static scree_table table_now(void)
{
    scree_view centre[3], low[3], high[3];
    for (int k = 0; k < 3; k++) {
        for (size_t i = 0; i < now.count; i++) {
            now.low[k][i] = now.x[k][i] - now.half[k][i];
            now.high[k][i] = now.x[k][i] + now.half[k][i];
        }
        centre[k] = scree_doubles(now.x[k], sizeof(double));
        low[k] = scree_doubles(now.low[k], sizeof(double));
        high[k] = scree_doubles(now.high[k], sizeof(double));
    }
    return now.boxes ? scree_table_boxes(now.count, low, high)
                     : scree_table_spheres(now.count, centre[0], centre[1], centre[2],
                                           scree_doubles(now.half[0], sizeof(double)));
}

/* ---- work ---- */

/*  Pairs tested after a build, and after moves. */
static void play(const char *method, int scene, uint64_t tested[2])
{
    scree_detector_def def = scree_default_detector_def();
    scree_detector *detector;
    scree_pairs pairs;
    make_scene(scene);
    def.method = method;
    def.thread_count = 1;
    def.dimensions = now.dimensions;
    def.volume = now.boxes ? SCREE_BOXES : SCREE_SPHERES;
    CHECK_EQUAL(scree_detector_create(&def, &detector), SCREE_OK);
    for (uint64_t step = 0; step <= 12; step++) {
        scree_table table = table_now();
        CHECK_EQUAL(scree_detector_update(detector, &table, NULL), SCREE_OK);
        if (step == 0 || step == 12) {
            CHECK_EQUAL(scree_detector_pairs(detector, NULL, &pairs), SCREE_OK);
            tested[step == 12] = scree_detector_stats(detector).tested;
        }
        move(step);
    }
    scree_detector_destroy(detector);
}

/*  For each scene: at first, and after moves. */
static const struct
{
    const char *method;
    uint64_t tested[SCENES][2];
} known[] = {
    {"bounding-volume", {{11417, 11309}, {127373, 89936}, {10030, 50074}, {18363, 18507}}},
    {"spatial-sort-1", {{21041, 20943}, {205811, 154434}, {12710, 62946}, {18363, 18507}}},
    {"spatial-sort-2", {{21041, 20943}, {568362, 550800}, {12710, 62946}, {456270, 451848}}},
    {"spatial-sort-3", {{21041, 20943}, {400945, 357456}, {12710, 62946}, {192715, 191276}}},
    {"hashing", {{68872, 68405}, {2287816, 3699415}, {28296, 138662}, {4040902, 4022221}}},
    {"hashing2", {{68872, 68405}, {2287816, 3699415}, {28296, 138662}, {4040902, 4022221}}},
    {"cgrid", {{102598, 100148}, {529433, 437474}, {37758, 180588}, {364091, 346721}}},
    {"dess", {{21041, 20943}, {205811, 154434}, {12710, 62946}, {18363, 18507}}},
    {"dess2", {{21041, 20943}, {205811, 154434}, {12710, 62946}, {18363, 18507}}},
    {"stripe-sort", {{21041, 20943}, {205811, 154434}, {12710, 62946}, {18363, 18507}}},
    {"rtree", {{21041, 20943}, {205811, 154434}, {12710, 62946}, {18363, 18507}}},
    {"rtree-rstar", {{21041, 20943}, {205811, 154434}, {12710, 62946}, {18363, 18507}}},
    {"rtree-packed", {{21041, 20943}, {205811, 154434}, {12710, 62946}, {18363, 18507}}},
    {"dess-rtree", {{21041, 20943}, {205811, 154434}, {12710, 62946}, {18363, 18507}}},
    {"hash-grids", {{179301, 177444}, {929336, 1068382}, {55773, 266875}, {6769748, 6687861}}},
    {"cell-space", {{11417, 11309}, {127373, 89936}, {10030, 50074}, {18363, 18507}}},
    {"insertion-sort", {{21041, 20943}, {205811, 154434}, {12710, 62946}, {18363, 18507}}},
};

TEST(no_method_tests_more_pairs_than_it_did)
{
    for (size_t m = 0; m < sizeof known / sizeof *known; m++)
        for (int scene = 0; scene < SCENES; scene++) {
            uint64_t tested[2];
            play(known[m].method, scene, tested);
            for (int when = 0; when < 2; when++)
                if ((double)tested[when] > SLACK * (double)known[m].tested[scene][when])
                    FAIL("%s, scene %d, %s: %" PRIu64 " pairs tested, it was %" PRIu64,
                         known[m].method, scene, when ? "after moves" : "at first", tested[when],
                         known[m].tested[scene][when]);
        }
}

/*  Figures of all methods, as they are written above; with SCREE_TEST_PRINT set. */
TEST(figures_may_be_printed)
{
    if (!getenv("SCREE_TEST_PRINT"))
        return;
    for (size_t m = 0; scree_method_at(m); m++) {
        printf("    {\"%s\", {", scree_method_at(m)->name);
        for (int scene = 0; scene < SCENES; scene++) {
            uint64_t tested[2];
            play(scree_method_at(m)->name, scene, tested);
            printf("%s{%" PRIu64 ", %" PRIu64 "}", scene ? ", " : "", tested[0], tested[1]);
        }
        printf("}},\n");
    }
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(no_method_tests_more_pairs_than_it_did),
        CASE(figures_may_be_printed),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
