/*  Margins: nothing is missed. In every step of moving scenes, each pair of true volumes that overlap
    must be among the pairs of the detector, for every kind of margin, for spheres and boxes, for
    changing steps, bodies that jump, come and go, and one that runs away; and for the same margin all
    methods must report the same pairs. Then each kind's own rules. */
#include "base/random.h"
#include "scree/scree.h"

#include "test.h"

#include <math.h>

#define MAX_BODIES 60

typedef struct world
{
    int dimensions;
    scree_volume volume;
    size_t count;
    uint32_t ids[MAX_BODIES];
    double x[MAX_BODIES][3], v[MAX_BODIES][3], half[MAX_BODIES][3], radius[MAX_BODIES];
    double lower[MAX_BODIES][3], upper[MAX_BODIES][3], side, speed;
    uint32_t next_id;
    scree_random random;
} world;

static void add_body(world *w, double speed)
{
    size_t i = w->count++;
    w->ids[i] = w->next_id++;
    for (int k = 0; k < 3; k++) {
        bool flat = k >= w->dimensions;
        w->x[i][k] = flat ? 0 : scree_random_range(&w->random, 0, w->side);
        w->v[i][k] = flat ? 0 : scree_random_range(&w->random, -speed, speed);
        w->half[i][k] = flat ? 0 : scree_random_log_uniform(&w->random, 0.05, 0.5);
    }
    w->radius[i] = scree_random_log_uniform(&w->random, 0.05, 0.5);
}

static void remove_body(world *w, size_t i)
{
    size_t last = --w->count;
    w->ids[i] = w->ids[last];
    memcpy(w->x[i], w->x[last], sizeof w->x[i]);
    memcpy(w->v[i], w->v[last], sizeof w->v[i]);
    memcpy(w->half[i], w->half[last], sizeof w->half[i]);
    w->radius[i] = w->radius[last];
}

static world make_world(uint64_t seed)
{
    world w = {.random = scree_random_stream(seed, 0)};
    w.dimensions = 2 + (int)scree_random_below(&w.random, 2);
    w.volume = scree_random_below(&w.random, 2) ? SCREE_BOXES : SCREE_SPHERES;
    w.side = scree_random_range(&w.random, 1.5, 6);
    w.speed = scree_random_log_uniform(&w.random, 1e-4, 1);
    size_t count = scree_random_below(&w.random, 40);
    while (w.count < count)
        add_body(&w, w.speed);
    return w;
}

/*  One step of the motion, with all that may go wrong for a margin. */
static void move_world(world *w, double dt)
{
    for (size_t i = 0; i < w->count; i++) {
        for (int k = 0; k < w->dimensions; k++) {
            w->x[i][k] += w->v[i][k] * dt;
            if ((w->x[i][k] < 0) == (w->v[i][k] < 0) && (w->x[i][k] < 0 || w->x[i][k] > w->side))
                w->v[i][k] = -w->v[i][k];
        }
    }
    uint32_t event = scree_random_below(&w->random, 40);
    size_t i = w->count ? scree_random_below(&w->random, (uint32_t)w->count) : 0;
    if (event == 0 && w->count) /* a jump */
        for (int k = 0; k < w->dimensions; k++)
            w->x[i][k] = scree_random_range(&w->random, 0, w->side);
    if (event == 1 && w->count < MAX_BODIES)
        add_body(w, w->speed);
    if (event == 2 && w->count)
        remove_body(w, i);
    if (event == 3 && w->count) /* a runaway */
        for (int k = 0; k < w->dimensions; k++)
            w->v[i][k] *= 100;
    if (event == 4 && w->count) { /* growth */
        w->radius[i] *= 1.2;
        w->half[i][0] *= 1.2;
    }
    if (event == 5) /* all come to rest */
        memset(w->v, 0, sizeof w->v);
}

static scree_table table_of(world *w)
{
    scree_view low[3], high[3], centre[3];
    for (size_t i = 0; i < w->count; i++)
        for (int k = 0; k < 3; k++) {
            w->lower[i][k] = w->x[i][k] - w->half[i][k];
            w->upper[i][k] = w->x[i][k] + w->half[i][k];
        }
    for (int k = 0; k < 3; k++) {
        centre[k] = scree_doubles(&w->x[0][k], sizeof w->x[0]);
        low[k] = scree_doubles(&w->lower[0][k], sizeof w->lower[0]);
        high[k] = scree_doubles(&w->upper[0][k], sizeof w->upper[0]);
    }
    scree_table table = w->volume == SCREE_SPHERES
                            ? scree_table_spheres(w->count, centre[0], centre[1], centre[2],
                                                  scree_doubles(w->radius, sizeof *w->radius))
                            : scree_table_boxes(w->count, low, high);
    table.ids = scree_integer_view(w->ids, sizeof *w->ids);
    return table;
}

static scree_motion motion_of(const world *w)
{
    scree_motion motion;
    memset(&motion, 0, sizeof motion);
    for (int k = 0; k < 3; k++)
        motion.velocity[k] = scree_doubles(&w->v[0][k], sizeof w->v[0]);
    return motion;
}

static bool overlap(const world *w, size_t i, size_t j)
{
    if (w->volume == SCREE_SPHERES) {
        double d[3], reach = w->radius[i] + w->radius[j];
        for (int k = 0; k < 3; k++)
            d[k] = w->x[i][k] - w->x[j][k];
        return d[0] * d[0] + d[1] * d[1] + d[2] * d[2] <= reach * reach;
    }
    for (int k = 0; k < 3; k++)
        if (w->lower[i][k] > w->upper[j][k] || w->lower[j][k] > w->upper[i][k])
            return false;
    return true;
}

static bool has_pair(const scree_pairs *pairs, uint32_t a, uint32_t b)
{
    for (uint64_t k = 0; k < pairs->count; k++)
        if ((pairs->first[k] == a && pairs->second[k] == b) ||
            (pairs->first[k] == b && pairs->second[k] == a))
            return true;
    return false;
}

static size_t count_missed(const world *w, const scree_pairs *pairs)
{
    size_t missed = 0;
    for (size_t i = 0; i < w->count; i++)
        for (size_t j = i + 1; j < w->count; j++)
            missed += overlap(w, i, j) && !has_pair(pairs, w->ids[i], w->ids[j]);
    return missed;
}

static scree_detector *create(const world *w, const char *method, scree_margin_kind kind,
                              uint64_t seed)
{
    static const double lengths[] = {-0.5, -0.05, 0.01, 0.2, 0};
    scree_detector_def def = scree_default_detector_def();
    scree_detector *d;
    scree_error why = {SCREE_OK, ""};
    def.error = &why;
    def.method = method;
    def.dimensions = w->dimensions;
    def.volume = w->volume;
    def.margin.kind = kind;
    def.margin.length = lengths[seed % 5];
    def.margin.reach = seed % 3 ? 2 : 1;
    def.margin.velocity[0] = seed % 7 ? 0 : 1;
    def.margin.interaction = seed % 4 ? 0 : 0.1;
    if (scree_detector_create(&def, &d))
        FAIL("%s", why.text);
    return d;
}

/*  Runs one scene with a method beside the oracle. */
static void run_scene(uint64_t seed, scree_margin_kind kind, const char *method)
{
    world w = make_world(seed);
    scree_detector *d = create(&w, method, kind, seed);
    scree_detector *oracle = create(&w, "bounding-volume", kind, seed);
    scree_pairs_options canonical = {.canonical = true};
    double dt = 0.1;
    for (int step = 0; step < 60; step++) {
        scree_table table = table_of(&w);
        scree_motion motion = motion_of(&w);
        scree_advance did, same;
        scree_pairs pairs, expected;
        if (scree_detector_advance(d, &table, &motion, dt, &did) ||
            scree_detector_advance(oracle, &table, &motion, dt, &same))
            FAIL("seed %llu: %s", (unsigned long long)seed, scree_detector_message(d));
        CHECK(scree_detector_pairs(d, &canonical, &pairs) == SCREE_OK);
        CHECK(scree_detector_pairs(oracle, &canonical, &expected) == SCREE_OK);
        size_t missed = count_missed(&w, &pairs);
        bool equal =
            pairs.count == expected.count &&
            (pairs.count == 0 || (memcmp(pairs.first, expected.first, pairs.count * 4) == 0 &&
                                  memcmp(pairs.second, expected.second, pairs.count * 4) == 0));
        if (missed || !equal || did.ran != same.ran || did.mapped != same.mapped)
            FAIL("seed %llu, margin %d, %s, step %d: %zu missed, %llu pairs against %llu",
                 (unsigned long long)seed, (int)kind, method, step, missed,
                 (unsigned long long)pairs.count, (unsigned long long)expected.count);
        move_world(&w, dt);
        if (scree_random_below(&w.random, 10) == 0)
            dt = scree_random_log_uniform(&w.random, 1e-3, 0.3);
    }
    scree_detector_destroy(d);
    scree_detector_destroy(oracle);
}

TEST(nothing_is_missed_by_any_margin_with_any_method)
{
    uint64_t seed = 1;
    for (int round = 0; round < 8; round++)
        for (int kind = SCREE_MARGIN_NONE; kind <= SCREE_MARGIN_PER_BODY; kind++)
            for (size_t m = 0; m < scree_method_count(); m++)
                run_scene(seed++, (scree_margin_kind)kind, scree_method_at(m)->name);
}

/*  Contacts of the tolerance margin, kept by hand: only bodies that have moved by more than their
    tolerance are mapped, and a pair is there if the surfaces at the mapped places, each moved out by 2
    eps + r/2, overlap. */
TEST(pfc_44_pairs_are_those_of_the_mapped_places)
{
    for (uint64_t seed = 1; seed <= 40; seed++) {
        scree_random random = scree_random_stream(seed, 44);
        double x[30][3], mapped[30][3], grown[30], radius[30], v[30][3];
        scree_detector_def def = scree_default_detector_def();
        scree_detector *d;
        def.method = scree_method_at(seed % scree_method_count())->name;
        def.margin.kind = SCREE_MARGIN_TOLERANCE;
        def.margin.interaction = 0.02;
        CHECK(scree_detector_create(&def, &d) == SCREE_OK);
        for (int i = 0; i < 30; i++) {
            radius[i] = scree_random_range(&random, 0.1, 0.4);
            for (int k = 0; k < 3; k++) {
                x[i][k] = scree_random_range(&random, 0, 3);
                v[i][k] = scree_random_range(&random, -0.01, 0.01);
                mapped[i][k] = 1e9;
            }
        }
        for (int step = 0; step < 50; step++) {
            scree_table table =
                scree_table_spheres(30, scree_doubles(&x[0][0], 24), scree_doubles(&x[0][1], 24),
                                    scree_doubles(&x[0][2], 24), scree_doubles(radius, 8));
            scree_advance did;
            scree_pairs pairs;
            uint64_t dirty = 0, expected = 0;
            CHECK_EQUAL(scree_detector_advance(d, &table, NULL, 1, &did), SCREE_OK);
            CHECK_EQUAL(scree_detector_pairs(d, NULL, &pairs), SCREE_OK);
            for (int i = 0; i < 30; i++) {
                double eps = 2 * radius[i] / 32, moved = 0;
                for (int k = 0; k < 3; k++)
                    moved += (x[i][k] - mapped[i][k]) * (x[i][k] - mapped[i][k]);
                if (sqrt(moved) > eps) {
                    dirty++;
                    memcpy(mapped[i], x[i], sizeof mapped[i]);
                    grown[i] = radius[i] + 2 * eps + 0.01;
                }
            }
            for (uint32_t i = 0; i < 30; i++)
                for (uint32_t j = i + 1; j < 30; j++) {
                    double sum = 0, reach = grown[i] + grown[j];
                    for (int k = 0; k < 3; k++)
                        sum += (mapped[i][k] - mapped[j][k]) * (mapped[i][k] - mapped[j][k]);
                    bool there = sum <= reach * reach;
                    CHECK_EQUAL(has_pair(&pairs, i, j), there);
                    expected += there;
                }
            CHECK_EQUAL(did.mapped, dirty);
            CHECK_EQUAL(pairs.count, expected);
            for (int i = 0; i < 30; i++)
                for (int k = 0; k < 3; k++)
                    x[i][k] += v[i][k];
        }
        scree_detector_destroy(d);
    }
}

/*  By hand: a sphere, and a box, in two places, and after they were mapped again. */
TEST(leeway_is_what_is_left_of_the_margin)
{
    for (int boxes = 0; boxes < 2; boxes++) {
        static const double start[2][6] = {{1, 2, 3, 0.5}, {0, 0, 0, 1, 2, 3}};
        static const double later[2][6] = {{1.3, 2, 3.4, 0.5}, {0.2, 0, -0.3, 1.2, 2, 2.7}};
        static const double way[2] = {0.5, 0.3};
        scree_detector_def def = scree_default_detector_def();
        scree_detector *d;
        double moved = 7, left = 7;
        def.volume = boxes ? SCREE_BOXES : SCREE_SPHERES;
        def.margin.kind = SCREE_MARGIN_SKIN;
        def.margin.length = 0.75;
        CHECK(!scree_detector_create(&def, &d));
        for (int k = 0; k < 2; k++) {
            const double *row = k ? later[boxes] : start[boxes];
            const scree_view low[3] = {scree_doubles(row, 48), scree_doubles(row + 1, 48),
                                       scree_doubles(row + 2, 48)},
                             high[3] = {scree_doubles(row + 3, 48), scree_doubles(row + 4, 48),
                                        scree_doubles(row + 5, 48)};
            scree_table table = boxes ? scree_table_boxes(1, low, high)
                                      : scree_table_spheres(1, low[0], low[1], low[2], high[0]);
            CHECK(!scree_detector_update(d, &table, NULL));
            CHECK(!scree_detector_leeway(d, 0, row, &moved, &left));
            CHECK_NEAR(moved, 0, 1e-15);
            CHECK_NEAR(left, 0.75, 1e-15);
            CHECK(!scree_detector_leeway(d, 0, k ? start[boxes] : later[boxes], &moved, &left));
            CHECK_NEAR(moved, way[boxes], 1e-15);
            CHECK_NEAR(left, 0.75 - way[boxes], 1e-15);
        }
        CHECK_EQUAL(scree_detector_leeway(d, 1, start[boxes], &moved, &left), SCREE_BAD_ARGUMENT);
        CHECK_EQUAL(scree_detector_leeway(d, 0, NULL, &moved, &left), SCREE_BAD_ARGUMENT);
        CHECK_EQUAL(scree_detector_leeway(d, 0, start[boxes], NULL, &left), SCREE_BAD_ARGUMENT);
        CHECK_EQUAL(scree_detector_leeway(d, 0, start[boxes], &moved, NULL), SCREE_BAD_ARGUMENT);
        CHECK_EQUAL(scree_detector_leeway(NULL, 0, start[boxes], &moved, &left),
                    SCREE_BAD_ARGUMENT);
        scree_detector_destroy(d);
    }
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(nothing_is_missed_by_any_margin_with_any_method),
        CASE(pfc_44_pairs_are_those_of_the_mapped_places),
        CASE(leeway_is_what_is_left_of_the_margin),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
