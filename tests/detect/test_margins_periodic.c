/*  Margins in periodic cells, also sheared ones: growth ends before a body is half a period wide, for
    beyond that the nearest images of two enlarged bodies need not be those of the bodies. Bodies move
    through the cell, wrapped or not, while the cell changes its shape. */
#include "base/random.h"

#include "margin_troop.h"

typedef struct cell
{
    double period[3], tilt[3];
} cell;

static cell make_cell(scree_random *random, int dimensions)
{
    cell c;
    memset(&c, 0, sizeof c);
    for (int k = 0; k < dimensions; k++)
        c.period[k] = k == dimensions - 1 ? 1.7 : scree_random_range(random, 2, 6);
    for (int k = 0; k < (dimensions == 3 ? 3 : 1); k++) {
        double along = c.period[k == 2];
        c.tilt[k] = scree_random_range(random, -0.4 * along, 0.4 * along);
    }
    return c;
}

/*  The rule of scree/detect.h. */
static bool overlap(const troop *t, const cell *c, size_t i, size_t j)
{
    double d[3], n[3] = {0, 0, 0}, sum = 0, reach = t->r[i] + t->r[j];
    bool boxes = true;
    for (int k = 0; k < 3; k++)
        d[k] = t->volume == SCREE_SPHERES ? t->x[i][k] - t->x[j][k]
                                          : 0.5 * (t->lower[i][k] + t->upper[i][k]) -
                                                0.5 * (t->lower[j][k] + t->upper[j][k]);
    if (c->period[2] > 0) {
        n[2] = nearbyint(d[2] / c->period[2]);
        d[1] -= n[2] * c->tilt[2];
        d[0] -= n[2] * c->tilt[1];
    }
    n[1] = nearbyint(d[1] / c->period[1]);
    d[0] -= n[1] * c->tilt[0];
    n[0] = nearbyint(d[0] / c->period[0]);
    const double v[3] = {n[0] * c->period[0] + n[1] * c->tilt[0] + n[2] * c->tilt[1],
                         n[1] * c->period[1] + n[2] * c->tilt[2], n[2] * c->period[2]};
    for (int k = 0; k < 3 && k < t->dimensions; k++) {
        double delta = t->x[i][k] - t->x[j][k] - v[k];
        sum += delta * delta;
        boxes &=
            t->lower[i][k] - t->upper[j][k] <= v[k] && t->lower[j][k] - t->upper[i][k] <= -v[k];
    }
    return t->volume == SCREE_SPHERES ? sum <= reach * reach : boxes;
}

static size_t count_missed(troop *t, const cell *c)
{
    static bool known[TROOP_MAX][TROOP_MAX];
    scree_pairs pairs;
    size_t missed = 0;
    memset(known, 0, sizeof known);
    CHECK(scree_detector_pairs(t->detector, NULL, &pairs) == SCREE_OK);
    for (uint64_t k = 0; k < pairs.count; k++)
        known[pairs.first[k]][pairs.second[k]] = true;
    for (size_t i = 0; i < t->count; i++)
        for (size_t j = i + 1; j < t->count; j++)
            missed += overlap(t, c, i, j) && !known[i][j];
    return missed;
}

static void place(troop *t, scree_random *random, const cell *c)
{
    for (size_t i = 0; i < t->count; i++)
        for (int k = 0; k < 3; k++) {
            double half = scree_random_range(random, 0.02, 0.25);
            bool flat = k >= t->dimensions;
            t->r[i] = half;
            t->x[i][k] = flat ? 0 : scree_random_range(random, -1, 2) * c->period[k];
            t->lower[i][k] = t->x[i][k] - half;
            t->upper[i][k] = t->x[i][k] + half;
            t->v[i][k] = flat ? 0 : scree_random_range(random, -0.1, 0.1);
        }
}

/*  A sphere nearly half as wide as the cell, also when that shrinks a little. */
static void place_giant(troop *t, scree_random *random, const cell *c)
{
    double least = INFINITY;

    for (int k = 0; k < t->dimensions; k++)
        least = c->period[k] > 0 ? fmin(least, c->period[k]) : least;
    if (t->volume == SCREE_SPHERES && least < INFINITY)
        t->r[0] = scree_random_range(random, 0.22, 0.239) * least;
}

/*  A body that has left the cell comes back at the other side. */
static void wrap(troop *t, const cell *c, size_t i)
{
    double by = t->x[i][0] > c->period[0] ? -c->period[0] : t->x[i][0] < 0 ? c->period[0] : 0;
    t->x[i][0] += by;
    t->lower[i][0] += by;
    t->upper[i][0] += by;
}

TEST(no_contact_is_missed_across_the_boundary)
{
    uint64_t steps = 0, runs = 0;
    for (uint64_t seed = 1; seed <= TEST_EFFORT(600u, 3000u); seed++) {
        scree_random random = scree_random_stream(seed, 9);
        scree_detector_def def = troop_def((scree_margin_kind)(1 + seed % SCREE_MARGIN_PER_BODY));
        troop t;
        def.dimensions = 2 + (int)scree_random_below(&random, 2);
        def.volume = scree_random_below(&random, 2) ? SCREE_BOXES : SCREE_SPHERES;
        def.method = scree_method_at(seed % scree_method_count())->name;
        def.margin.length = scree_random_log_uniform(&random, 0.1, 1);
        def.margin.constant = scree_random_log_uniform(&random, 0.05, 0.5);
        def.margin.interaction = scree_random_below(&random, 2) * 0.3;
        def.margin.trust_velocities = scree_random_below(&random, 2);
        cell c = make_cell(&random, def.dimensions);
        memcpy(def.period, c.period, sizeof c.period);
        memcpy(def.tilt, c.tilt, sizeof c.tilt);
        troop_open(&t, &def, 20);
        place(&t, &random, &c);
        if (seed % 3 == 0)
            place_giant(&t, &random, &c);
        bool wraps = !def.margin.trust_velocities && scree_random_below(&random, 2);
        for (int step = 0; step < 40; step++) {
            runs += troop_advance(&t, 1);
            steps++;
            size_t missed = count_missed(&t, &c);
            if (missed)
                FAIL("seed %d, kind %d, step %d: %zu missed", (int)seed, (int)def.margin.kind, step,
                     missed);
            troop_move(&t, 1);
            for (size_t i = 0; i < t.count && wraps; i++)
                wrap(&t, &c, i);
            if (step % 10 == 9) {
                c.tilt[0] = scree_random_range(&random, -0.5, 0.5) * c.period[0];
                c.period[1] *= scree_random_range(&random, 0.99, 1.01);
                CHECK(scree_detector_set_cell(t.detector, c.period, c.tilt) == SCREE_OK);
            }
        }
        troop_close(&t);
    }
    CHECK(4 * runs < 3 * steps);
}

TEST(growth_ends_before_half_the_period)
{
    for (int kind = SCREE_MARGIN_SKIN; kind <= SCREE_MARGIN_PER_BODY; kind++)
        for (int boxes = 0; boxes < 2; boxes++) {
            scree_detector_def def = troop_def((scree_margin_kind)kind);
            troop t;
            def.volume = boxes ? SCREE_BOXES : SCREE_SPHERES;
            def.margin.length = 100;
            def.margin.constant = 50;
            def.margin.interaction = 0.5;
            def.period[1] = 10;
            troop_open(&t, &def, 3);
            t.v[0][0] = 0.1;
            CHECK(troop_advance(&t, 1));
            double half = boxes ? 0.5 : 1;
            for (size_t i = 0; i < 3; i++) {
                CHECK_NEAR(troop_growth(&t, i), 0.5 * (0.45 * 10 - 2 * half), 1e-14);
                CHECK_NEAR(troop_allowance(&t, i),
                           kind == SCREE_MARGIN_TOLERANCE ? 0.5 * (troop_growth(&t, i) - 0.25)
                                                          : troop_growth(&t, i),
                           1e-14);
            }
            CHECK(!troop_advance(&t, 1));
            t.x[2][1] += troop_growth(&t, 2) + 0.1;
            t.lower[2][1] += troop_growth(&t, 2) + 0.1;
            t.upper[2][1] += troop_growth(&t, 2) + 0.1;
            CHECK(troop_advance(&t, 1));
            CHECK_NEAR(troop_growth(&t, 2), 0.5 * (0.45 * 10 - 2 * half), 1e-14);
            troop_close(&t);
        }
}

TEST(a_body_that_outgrows_the_cell_is_refused_or_skipped)
{
    for (int skip = 0; skip < 2; skip++) {
        scree_detector_def def = troop_def(SCREE_MARGIN_SKIN);
        troop t;
        def.period[0] = 50;
        def.unusable = skip ? SCREE_SKIP_BODY : SCREE_REFUSE_CALL;
        troop_open(&t, &def, 3);
        CHECK(troop_advance(&t, 1));
        CHECK(!troop_advance(&t, 1));
        t.r[1] = 12.5;
        CHECK_EQUAL(troop_try(&t, 1), skip ? SCREE_OK : SCREE_BAD_VALUE);
        CHECK_EQUAL(scree_detector_stats(t.detector).rejected, skip);
        if (!skip)
            CHECK_SAYS(scree_detector_message(t.detector), "row 1 (body 1): it is 25 wide");
        t.r[1] = 1;
        CHECK_EQUAL(troop_advance(&t, 1), skip);
        CHECK_EQUAL(scree_detector_stats(t.detector).rejected, 0);
        troop_close(&t);
    }
}

TEST(a_cell_that_shrinks_maps_all)
{
    for (int kind = SCREE_MARGIN_SKIN; kind <= SCREE_MARGIN_PER_BODY; kind++) {
        scree_detector_def def = troop_def((scree_margin_kind)kind);
        static const double none[3] = {0, 0, 0}, slightly[3] = {46, 0, 0}, much[3] = {45, 0, 0};
        troop t;
        def.period[0] = 50;
        troop_open(&t, &def, 3);
        CHECK(troop_advance(&t, 1));
        CHECK(scree_detector_set_cell(t.detector, slightly, none) == SCREE_OK);
        CHECK(!troop_advance(&t, 1));
        CHECK(scree_detector_set_cell(t.detector, much, none) == SCREE_OK);
        CHECK(troop_advance(&t, 1));
        CHECK_EQUAL(t.did.mapped, 3);
        CHECK(!troop_advance(&t, 1));
        troop_close(&t);
    }
}

TEST(a_sphere_nearly_half_as_wide_as_the_cell_keeps_a_margin)
{
    static const double none[3] = {0, 0, 0}, slightly[3] = {49.95, 0, 0}, more[3] = {49.1, 0, 0};
    scree_detector_def def = troop_def(SCREE_MARGIN_SKIN);
    troop t;

    def.margin.length = 100;
    def.period[0] = 50;
    troop_open(&t, &def, 3);
    t.r[1] = 12.25;
    CHECK(troop_advance(&t, 1));
    /* half of what is left between 24.5 and 25, on both sides */
    CHECK_NEAR(troop_growth(&t, 1), 0.125, 1e-13);
    CHECK(!troop_advance(&t, 1));
    CHECK(scree_detector_set_cell(t.detector, slightly, none) == SCREE_OK);
    CHECK(!troop_advance(&t, 1));
    /* the enlarged sphere is wider than half of this */
    CHECK(scree_detector_set_cell(t.detector, more, none) == SCREE_OK);
    CHECK(troop_advance(&t, 1));
    CHECK_NEAR(troop_growth(&t, 1), 0.25 * (49.1 / 2 - 24.5), 1e-13);
    CHECK(!troop_advance(&t, 1));
    troop_close(&t);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(no_contact_is_missed_across_the_boundary),
        CASE(growth_ends_before_half_the_period),
        CASE(a_body_that_outgrows_the_cell_is_refused_or_skipped),
        CASE(a_cell_that_shrinks_maps_all),
        CASE(a_sphere_nearly_half_as_wide_as_the_cell_keeps_a_margin),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
