/*  An adversary against margins. He sees how far each body was enlarged and where it was mapped, and
    moves every body by exactly what the margin lets it, straight at the neighbour that it comes nearest
    to without being known as its pair. No contact may be missed. The same motion against a margin that
    is 10 % too small must reach contacts that the detector does not know: so the adversary is a
    match for each kind of margin, and these tests can fail. */
#include "base/random.h"
#include "detect/detector_internal.h"

#include "test.h"

#include <math.h>

#define BODIES 24
#define SCENES TEST_EFFORT(300, 1000)

typedef struct arena
{
    scree_detector *detector;
    scree_random random;
    int dimensions;
    scree_volume volume;
    scree_margin_kind kind;
    double share; /* of the margin that is needed: 1 is honest */
    double x[BODIES][3], v[BODIES][3], shown[BODIES][3], r[BODIES];
    double lower[BODIES][3], upper[BODIES][3], dt;
    bool known[BODIES][BODIES], known_before[BODIES][BODIES];
    size_t missed, contacts, late, runs;
} arena;

/*  Lone bodies, and clusters whose gaps are like their growths. */
static void place_bodies(arena *a)
{
    double side = scree_random_range(&a->random, 2, 12);
    for (int i = 0; i < BODIES; i++) {
        a->r[i] = scree_random_log_uniform(&a->random, 0.2, 0.6);
        for (int k = 0; k < a->dimensions; k++)
            a->x[i][k] = scree_random_range(&a->random, 0, side);
        /* every third beside the one before */
        for (int k = 0; k < a->dimensions && i % 3 == 2; k++)
            a->x[i][k] = a->x[i - 1][k] + scree_random_range(&a->random, -1.5, 1.5);
    }
}

static void open_arena(arena *a, const scree_detector_def *margin, uint64_t seed, double share)
{
    scree_detector_def def = *margin;
    scree_error why = {SCREE_OK, ""};
    memset(a, 0, sizeof *a);
    a->random = scree_random_stream(seed, 7);
    a->dimensions = def.dimensions = 2 + (int)scree_random_below(&a->random, 2);
    a->volume = def.volume;
    a->kind = def.margin.kind;
    a->share = share;
    a->dt = 1;
    def.error = &why;
    def.method = scree_method_at(seed % scree_method_count())->name;
    place_bodies(a);
    if (scree_detector_create(&def, &a->detector))
        FAIL("%s", why.text);
}

static scree_table table_of(arena *a)
{
    scree_view centre[3], low[3], high[3];
    for (int i = 0; i < BODIES; i++)
        for (int k = 0; k < 3; k++) {
            a->lower[i][k] = a->x[i][k] - a->r[i];
            a->upper[i][k] = a->x[i][k] + a->r[i];
        }
    for (int k = 0; k < 3; k++) {
        centre[k] = scree_doubles(&a->x[0][k], sizeof a->x[0]);
        low[k] = scree_doubles(&a->lower[0][k], sizeof a->lower[0]);
        high[k] = scree_doubles(&a->upper[0][k], sizeof a->upper[0]);
    }
    return a->volume == SCREE_BOXES ? scree_table_boxes(BODIES, low, high)
                                    : scree_table_spheres(BODIES, centre[0], centre[1], centre[2],
                                                          scree_doubles(a->r, sizeof *a->r));
}

static bool overlap(const arena *a, int i, int j)
{
    double sum = 0, reach = a->r[i] + a->r[j];
    bool boxes = true;
    for (int k = 0; k < a->dimensions; k++) {
        double d = a->x[i][k] - a->x[j][k];
        sum += d * d;
        boxes &= a->lower[i][k] <= a->upper[j][k] && a->lower[j][k] <= a->upper[i][k];
    }
    return a->volume == SCREE_BOXES ? boxes : sum <= reach * reach;
}

/*  A margin that is too small: bodies may use more than they have grown by. */
static void shrink_margin(arena *a)
{
    scree_margin *margin = &a->detector->margin;
    for (int i = 0; i < BODIES && a->share < 1; i++) {
        double own = margin->growth[i];
        if (a->kind == SCREE_MARGIN_TOLERANCE)
            own = (own - 0.5 * margin->def.interaction) / margin->def.reach;
        margin->allowance[i] = own / a->share;
    }
}

/*  The detector is shown the velocities; then all true contacts must be known. */
static scree_advance advance(arena *a, double speed_shown)
{
    scree_table table = table_of(a);
    scree_motion motion;
    scree_advance did;
    scree_pairs pairs;
    memset(&motion, 0, sizeof motion);
    for (int i = 0; i < BODIES; i++)
        for (int k = 0; k < 3; k++)
            a->shown[i][k] = a->v[i][k] * speed_shown;
    for (int k = 0; k < 3; k++)
        motion.velocity[k] = scree_doubles(&a->shown[0][k], sizeof a->shown[0]);
    if (scree_detector_advance(a->detector, &table, &motion, a->dt, &did))
        FAIL("%s", scree_detector_message(a->detector));
    shrink_margin(a);
    CHECK(scree_detector_pairs(a->detector, NULL, &pairs) == SCREE_OK);
    memcpy(a->known_before, a->known, sizeof a->known);
    memset(a->known, 0, sizeof a->known);
    for (uint64_t k = 0; k < pairs.count; k++)
        a->known[pairs.first[k]][pairs.second[k]] = a->known[pairs.second[k]][pairs.first[k]] =
            true;
    a->runs += did.ran;
    return did;
}

static void count_contacts(arena *a)
{
    for (int i = 0; i < BODIES; i++)
        for (int j = i + 1; j < BODIES; j++) {
            bool touch = overlap(a, i, j);
            a->contacts += touch;
            a->missed += touch && !a->known[i][j];
            a->late += touch && !a->known_before[i][j];
        }
}

/* ---- aiming ---- */

/*  Where a body was when it was mapped. */
static void mapped_place(const arena *a, int i, double place[3])
{
    const scree_store *store = &a->detector->store;
    for (int k = 0; k < 3; k++)
        place[k] = a->volume == SCREE_SPHERES
                       ? store->sphere[i][k]
                       : 0.5 * (store->box[i].lower[k] + store->box[i].upper[k]);
}

/*  The direction from where i was mapped to the unknown neighbour whose enlarged volume is nearest.
    Boxes may use their allowance on every axis at once. */
static void aim(const arena *a, int i, double direction[3])
{
    const double *growth = a->detector->margin.growth;
    double best = INFINITY, from[3], to[3];
    mapped_place(a, i, from);
    memset(direction, 0, 3 * sizeof *direction);
    for (int j = 0; j < BODIES; j++) {
        double sum = 0, widest = 0;
        if (j == i || a->known[i][j])
            continue;
        mapped_place(a, j, to);
        for (int k = 0; k < 3 && k < a->dimensions; k++) {
            sum += (to[k] - from[k]) * (to[k] - from[k]);
            widest = fmax(widest, fabs(to[k] - from[k]));
        }
        double distance = a->volume == SCREE_BOXES ? widest : sqrt(sum);
        double gap = distance - a->r[i] - a->r[j] - growth[i] - growth[j];
        if (!(gap < best) || distance == 0)
            continue;
        best = gap;
        for (int k = 0; k < 3 && k < a->dimensions; k++)
            direction[k] = a->volume == SCREE_BOXES ? copysign(1, to[k] - from[k])
                                                    : (to[k] - from[k]) / distance;
    }
}

/* ---- one step, all of the allowance ---- */

/*  Everybody goes to the end of his allowance, and says that he stands still. */
static void strike(arena *a)
{
    double to[BODIES][3];
    for (int i = 0; i < BODIES; i++) {
        double direction[3], allowance = a->detector->margin.allowance[i] * (1 - 1e-12);
        aim(a, i, direction);
        mapped_place(a, i, to[i]);
        for (int k = 0; k < 3; k++)
            to[i][k] += direction[k] * allowance;
    }
    memcpy(a->x, to, sizeof to);
    (void)advance(a, 0);
    count_contacts(a);
}

static void scatter(arena *a)
{
    for (int i = 0; i < BODIES; i++) {
        double speed = scree_random_log_uniform(&a->random, 1e-3, 0.2);
        for (int k = 0; k < a->dimensions; k++) {
            a->v[i][k] = scree_random_range(&a->random, -speed, speed);
            a->x[i][k] += a->v[i][k];
        }
    }
}

static void fight_by_places(arena *a)
{
    for (int round = 0; round < 12; round++) {
        for (int warm = 0; warm < 2; warm++) {
            scatter(a);
            (void)advance(a, 1);
            count_contacts(a);
        }
        strike(a);
    }
}

/* ---- many steps, all that the speeds allow ---- */

static void choose_speeds(arena *a)
{
    double level = scree_random_log_uniform(&a->random, 0.003, 0.03);
    bool alike = scree_random_below(&a->random, 2);
    for (int i = 0; i < BODIES; i++) {
        double direction[3];
        double speed = level * (alike ? 1 : pow(0.5, scree_random_below(&a->random, 6)));
        aim(a, i, direction);
        double length = a->volume == SCREE_BOXES ? sqrt(a->dimensions) : 1;
        for (int k = 0; k < 3; k++)
            a->v[i][k] = direction[k] * speed / length;
    }
}

/*  Peaks of speed, halts, other steps; explicit and semi-implicit ones. */
static void fight_by_speeds(arena *a)
{
    bool implicit = scree_random_below(&a->random, 2);
    for (int step = 0; step < 60; step++) {
        scree_advance did = advance(a, a->share);
        double before[BODIES][3];
        count_contacts(a);
        memcpy(before, a->v, sizeof before);
        if (did.ran && !implicit) {
            /* the speeds of this step have been told: only directions may change */
            choose_speeds(a);
            (void)memcpy(before, a->v, sizeof before);
            (void)advance(a, a->share);
        } else if (did.ran || step == 0) {
            choose_speeds(a);
        }
        uint32_t event = scree_random_below(&a->random, 12);
        double factor = event == 0 ? scree_random_range(&a->random, 1, 20) : event == 1 ? 0.05 : 1;
        for (int i = 0; i < BODIES; i++)
            for (int k = 0; k < 3; k++) {
                a->v[i][k] *= factor;
                a->x[i][k] += a->dt * (implicit ? a->v[i][k] : before[i][k]);
            }
        if (event == 2)
            a->dt = scree_random_log_uniform(&a->random, 0.3, 3);
    }
}

/* ---- steps as long as the tolerances allow ---- */

/*  Everybody moves by his tolerance in each step. Then a contact must have been known before the step
    that makes it. */
static void fight_by_steps(arena *a)
{
    for (int step = 0; step < 60; step++) {
        scree_motion motion;
        (void)advance(a, 1);
        if (step > 0)
            count_contacts(a);
        scree_table table = table_of(a);
        memset(&motion, 0, sizeof motion);
        for (int i = 0; i < BODIES; i++) {
            double speed = scree_random_below(&a->random, 4) ? 1 : scree_random_unit(&a->random);
            double direction[3];
            aim(a, i, direction);
            for (int k = 0; k < 3; k++)
                a->v[i][k] = direction[k] * speed * a->detector->margin.allowance[i];
        }
        for (int k = 0; k < 3; k++)
            motion.velocity[k] = scree_doubles(&a->v[0][k], sizeof a->v[0]);
        CHECK(scree_detector_longest_step(a->detector, &table, &motion, &a->dt) == SCREE_OK);
        if (a->dt > 2)
            a->dt = 1;
        for (int i = 0; i < BODIES; i++)
            for (int k = 0; k < 3; k++)
                a->x[i][k] += a->v[i][k] * a->dt;
    }
}

/* ---- seasons ---- */

typedef void fight_fn(arena *a);

typedef struct score
{
    size_t missed, late, contacts, runs;
} score;

static score play(const scree_detector_def *margin, fight_fn *fight, int scenes, double share)
{
    score total = {0, 0, 0, 0};
    for (int seed = 1; seed <= scenes; seed++) {
        arena a;
        open_arena(&a, margin, (uint64_t)seed, share);
        fight(&a);
        scree_detector_destroy(a.detector);
        if (share == 1 && a.missed)
            FAIL("margin %d, seed %d: %zu contacts missed", (int)a.kind, seed, a.missed);
        total.missed += a.missed;
        total.late += a.late;
        total.contacts += a.contacts;
        total.runs += a.runs;
    }
    return total;
}

static scree_detector_def define(scree_margin_kind kind, double length)
{
    scree_detector_def def = scree_default_detector_def();
    def.margin.kind = kind;
    def.margin.length = length;
    return def;
}

/*  Honest: nothing missed, for spheres and boxes. 10 % too small: missed. */
static void check_kind(scree_detector_def def, fight_fn *fight, int scenes)
{
    score honest = play(&def, fight, scenes, 1);
    score small = play(&def, fight, scenes, 0.9);
    CHECK(honest.contacts > (size_t)scenes);
    CHECK_EQUAL(honest.missed, 0);
    if (small.missed == 0)
        FAIL("margin %d: nothing missed by a margin 10 %% too small, %zu contacts",
             (int)def.margin.kind, small.contacts);
    def.volume = SCREE_BOXES;
    CHECK_EQUAL(play(&def, fight, scenes / 2, 1).missed, 0);
}

TEST(skin_misses_nothing)
{
    check_kind(define(SCREE_MARGIN_SKIN, 0.1), fight_by_places, SCENES);
}

TEST(tolerance_with_reach_1_misses_nothing)
{
    scree_detector_def def = define(SCREE_MARGIN_TOLERANCE, 0);
    def.margin.reach = 1;
    check_kind(def, fight_by_places, SCENES);
    def.margin.velocity[SCREE_PIECE_BALL] = 1.5;
    def.margin.interaction = 0.05;
    CHECK_EQUAL(play(&def, fight_by_places, SCENES, 1).missed, 0);
}

TEST(stride_misses_nothing)
{
    check_kind(define(SCREE_MARGIN_STRIDE, 0.4), fight_by_places, SCENES);
}

TEST(distance_misses_nothing)
{
    check_kind(define(SCREE_MARGIN_DISTANCE, 0.1), fight_by_places, SCENES);
}

TEST(bins_miss_nothing)
{
    check_kind(define(SCREE_MARGIN_BINS, 0.2), fight_by_places, SCENES);
}

TEST(per_body_misses_nothing)
{
    check_kind(define(SCREE_MARGIN_PER_BODY, 0.1), fight_by_places, SCENES);
}

static scree_detector_def trusting(scree_margin_kind kind)
{
    scree_detector_def def = define(kind, 0.1);
    def.margin.trust_velocities = true;
    def.margin.speed_factor = 1; /* nothing to spare */
    return def;
}

TEST(stride_that_trusts_velocities_misses_nothing)
{
    check_kind(trusting(SCREE_MARGIN_STRIDE), fight_by_speeds, SCENES);
}

TEST(distance_that_trusts_velocities_misses_nothing)
{
    check_kind(trusting(SCREE_MARGIN_DISTANCE), fight_by_speeds, SCENES);
}

TEST(bins_that_trust_velocities_miss_nothing)
{
    check_kind(trusting(SCREE_MARGIN_BINS), fight_by_speeds, SCENES);
}

/*  Specification of the cell space, table of 9.1. */
TEST(pfc_26_tolerance_with_reach_2_knows_contacts_before_the_step)
{
    scree_detector_def def = define(SCREE_MARGIN_TOLERANCE, 0);
    int fights = TEST_EFFORT(300, 2000);
    score twice = play(&def, fight_by_steps, fights, 1);
    FIGURE("%d cycles, %zu contacts, %zu of them late", 60 * fights, twice.contacts, twice.late);
    CHECK(twice.contacts > 1000);
    CHECK_EQUAL(twice.missed, 0);
    CHECK_EQUAL(twice.late, 0);
    CHECK(play(&def, fight_by_steps, SCENES, 0.9).late > 0);

    def.margin.reach = 1;
    score once = play(&def, fight_by_steps, SCENES / 2, 1);
    def.margin.reach = 1.5;
    score between = play(&def, fight_by_steps, SCENES / 2, 1);
    CHECK_EQUAL(once.missed + between.missed, 0);
    printf("contacts made in the step before they were known, reach 1, 1.5, 2: %zu, %zu, %zu\n",
           once.late, between.late, twice.late);
    CHECK(once.late > between.late && between.late > 0);
    def.margin.reach = 1;
    CHECK(play(&def, fight_by_steps, SCENES, 0.9).missed > 0);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(skin_misses_nothing),
        CASE(tolerance_with_reach_1_misses_nothing),
        CASE(stride_misses_nothing),
        CASE(distance_misses_nothing),
        CASE(bins_miss_nothing),
        CASE(per_body_misses_nothing),
        CASE(stride_that_trusts_velocities_misses_nothing),
        CASE(distance_that_trusts_velocities_misses_nothing),
        CASE(bins_that_trust_velocities_miss_nothing),
        CASE(pfc_26_tolerance_with_reach_2_knows_contacts_before_the_step),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
