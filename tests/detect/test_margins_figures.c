/*  What margins do inside: in which steps bodies are mapped, how many, how much of their allowance was
    used, how far each is enlarged, and how much memory it takes. Pairs are right with any enlargement
    that is large enough, and with a run in every step, so tests of pairs do not see a margin that maps
    too often or enlarges too much. Troops of bodies that fly, spin, jump, grow, come and go are played
    here, and all of that must be what it was when this was written, on every machine and with every
    compiler. A change of a margin that is intended puts in what SCREE_TEST_PRINT=1 prints; `mapped` is for
    people: it should not grow without a reason. */
#include "base/random.h"
#include "detect/detector_internal.h"
#include "figures_digest.h"
#include "harness/failing_allocator.h"
#include "test.h"

#include <math.h>

#define MOST 260u
#define FIRST 230u
#define STEPS 60
#define SIDE 12.0

typedef struct figures
{
    uint64_t runs, mapped;
    uint32_t steps, growth, bytes;
} figures;

/* ---- the troop ---- */

#define BOXES 1u    /* else spheres */
#define PLANE 2u    /* two dimensions */
#define NAMED 4u    /* rows in another order, with ids */
#define TRUST 8u    /* speeds alone are looked at in between */
#define CELL 16u    /* periodic */
#define BOUND 32u   /* some have no bounds, some are infinite, there are filters */
#define OWN 64u     /* constants and kinds of their own */
#define CHURN 128u  /* some come, go, jump and grow */
#define LENGTH 256u /* the margin's length is given, not a share of the smallest */
#define FLOATS 512u /* of columns */

typedef struct troop
{
    unsigned how;
    int dimensions;
    uint32_t count;
    double x[MOST][3], half[MOST], v[MOST][3], spin[MOST][3], arm[MOST], constant[MOST];
    uint8_t kind[MOST], flags[MOST];
    /* as rows */
    uint32_t id[MOST];
    double lower[MOST][3], upper[MOST][3], velocity[MOST][3];
    float velocity_f[MOST][3];
    scree_random random;
} troop;

static troop now;

static double any(double lower, double upper)
{
    return scree_random_range(&now.random, lower, upper);
}

static void make_troop(unsigned how)
{
    memset(&now, 0, sizeof now);
    now.how = how;
    now.dimensions = how & PLANE ? 2 : 3;
    now.count = FIRST;
    now.random = scree_random_stream(2026, how);
    for (uint32_t i = 0; i < MOST; i++) {
        for (int k = 0; k < now.dimensions; k++) {
            double speed = i % 16 == 0 ? 4 : i % 4 == 0 ? 0.5 : 0.05;
            now.x[i][k] = any(0, SIDE);
            now.v[i][k] = any(-speed, speed);
        }
        for (int k = how & PLANE ? 2 : 0; k < 3; k++)
            now.spin[i][k] = i % 7 == 0 ? any(-1, 1) : 0;
        now.half[i] = any(0.3, 0.5);
        now.arm[i] = now.spin[i][2] != 0 ? 0.1 : 0;
        now.constant[i] = any(0.01, 0.1);
        now.kind[i] = (uint8_t)(i % SCREE_PIECE_KINDS);
        if (how & BOUND)
            now.flags[i] = i % 31 == 7    ? SCREE_NO_BOUND
                           : i % 97 == 11 ? SCREE_INFINITE | SCREE_FIXED
                           : i % 13 == 0  ? SCREE_FIXED
                                          : 0;
    }
}

/*  A step of time dt, and what else may happen. */
static void fly(int step, double dt)
{
    for (uint32_t i = 0; i < now.count; i++)
        for (int k = 0; k < now.dimensions; k++) {
            now.x[i][k] += dt * now.v[i][k];
            if (now.x[i][k] < 0 || now.x[i][k] > SIDE)
                now.v[i][k] = -now.v[i][k];
        }
    if (step % 9 == 4)
        for (uint32_t i = 1; i < now.count; i += 5)
            now.v[i][step % now.dimensions] *= step % 18 == 4 ? 1.5 : 0.6;
    if (!(now.how & CHURN))
        return;
    if (step == 11)
        now.half[17] *= 1.4;
    if (step == 17)
        now.x[5][1] += 0.3;
    if (step == 23)
        now.count = MOST;
    if (step == 37)
        now.count = FIRST - 19; /* a prime: `body_of` names each once */
    if (step == 41)
        now.kind[3] = 1, now.constant[4] *= 2;
}

/* ---- rows ---- */

static uint32_t body_of(uint32_t row)
{
    return now.how & NAMED ? (row * 7 + 3) % now.count : row;
}

static scree_table make_table(void)
{
    static double centre[MOST][3], radius[MOST];
    static uint8_t flags[MOST];
    scree_view low[3], high[3], at[3];
    for (uint32_t row = 0; row < now.count; row++) {
        uint32_t i = now.id[row] = body_of(row);
        flags[row] = now.flags[i];
        radius[row] = now.half[i];
        for (int k = 0; k < 3; k++) {
            double half = now.half[i] * (k == 0 ? 1 : 0.7);
            centre[row][k] = now.x[i][k];
            now.lower[row][k] = now.x[i][k] - half;
            now.upper[row][k] = now.x[i][k] + half;
        }
    }
    for (int k = 0; k < 3; k++) {
        at[k] = scree_doubles(&centre[0][k], sizeof centre[0]);
        low[k] = scree_doubles(&now.lower[0][k], sizeof now.lower[0]);
        high[k] = scree_doubles(&now.upper[0][k], sizeof now.upper[0]);
    }
    scree_table table = now.how & BOXES
                            ? scree_table_boxes(now.count, low, high)
                            : scree_table_spheres(now.count, at[0], at[1], at[2],
                                                  scree_doubles(radius, sizeof *radius));
    if (now.how & NAMED)
        table.ids = scree_integer_view(now.id, sizeof *now.id);
    if (now.how & BOUND)
        table.flags = scree_integer_view(flags, sizeof *flags);
    return table;
}

static scree_motion make_motion(void)
{
    static double spin[MOST][3], arm[MOST], constant[MOST];
    static uint8_t kind[MOST];
    scree_motion motion;
    memset(&motion, 0, sizeof motion);
    for (uint32_t row = 0; row < now.count; row++) {
        uint32_t i = body_of(row);
        for (int k = 0; k < 3; k++) {
            now.velocity[row][k] = now.v[i][k];
            now.velocity_f[row][k] = (float)now.v[i][k];
            spin[row][k] = now.spin[i][k];
        }
        arm[row] = now.arm[i];
        constant[row] = now.constant[i];
        kind[row] = now.kind[i];
    }
    for (int k = 0; k < 3; k++) {
        motion.velocity[k] = now.how & FLOATS
                                 ? scree_floats(&now.velocity_f[0][k], sizeof now.velocity_f[0])
                                 : scree_doubles(&now.velocity[0][k], sizeof now.velocity[0]);
        motion.spin[k] = scree_doubles(&spin[0][k], sizeof spin[0]);
    }
    motion.arm = scree_doubles(arm, sizeof *arm);
    if (now.how & OWN) {
        motion.constant = scree_doubles(constant, sizeof *constant);
        motion.kinds = scree_integer_view(kind, sizeof *kind);
    }
    return motion;
}

/* ---- the play ---- */

static void set_margin(scree_detector_def *def, scree_margin_kind kind)
{
    def->margin.kind = kind;
    def->margin.trust_velocities = (now.how & TRUST) != 0;
    if (now.how & LENGTH)
        def->margin.length = 0.04;
    if (now.how & LENGTH && now.how & BOXES)
        def->margin.target_steps = -1;
    if (kind == SCREE_MARGIN_TOLERANCE)
        for (int k = 0; k < SCREE_PIECE_KINDS; k++) {
            def->margin.velocity[k] = 2 + k;
            def->margin.extent[k] = 0.05 / (1 + k);
        }
    if (now.how & PLANE)
        def->margin.reach = 1, def->margin.bin_max_change = -1, def->margin.bin_count = 3;
}

static void note_growth(const scree_detector *d, figures *of)
{
    const scree_margin *m = &d->margin;
    scree_speed_class classes[SCREE_MARGIN_MAX_BINS];
    uint32_t class_count = scree_detector_speed_classes(d, classes);
    for (uint32_t id = 0; id < d->store.bound && scree_margin_is_on(m); id++) {
        if (d->store.position[id] == SCREE_NOT_ACTIVE)
            continue;
        digest_real(&of->growth, m->growth[id]);
        digest_real(&of->growth, m->allowance[id]);
        digest(&of->growth, m->bin[id]);
    }
    for (uint32_t c = 0; c < class_count; c++) {
        digest_real(&of->growth, classes[c].speed);
        digest_real(&of->growth, classes[c].growth);
        digest(&of->growth, classes[c].bodies);
    }
    digest_real(&of->growth, m->largest);
    digest_real(&of->growth, m->length);
}

static void take_step(scree_detector *d, int step, figures *of)
{
    double dt = step < 40 ? 0.001 : 0.0015, longest = 0;
    scree_table table = make_table();
    scree_motion motion = make_motion();
    scree_advance did;
    CHECK_EQUAL(scree_detector_advance(d, &table, &motion, dt, &did), SCREE_OK);
    scree_stats stats = scree_detector_stats(d);
    digest(&of->steps, did.ran);
    digest(&of->steps, did.mapped);
    digest(&of->steps, did.late);
    digest_real(&of->steps, did.used);
    digest(&of->steps, stats.remapped);
    digest(&of->steps, stats.rebuilds);
    of->mapped += did.mapped;
    if (step % 10 == 0) {
        if (d->margin.def.kind != SCREE_MARGIN_NONE)
            CHECK_EQUAL(scree_detector_longest_step(d, &table, &motion, &longest), SCREE_OK);
        digest_real(&of->steps, longest);
        note_growth(d, of);
    }
    fly(step, dt);
}

static void play(scree_margin_kind kind, unsigned how, scree_simd simd, figures *of)
{
    static const double wider[3] = {1.01 * SIDE, SIDE, 1.02 * SIDE}, tilt[3] = {1, 0, 0};
    failing_allocator memory = {0};
    scree_detector_def def = scree_default_detector_def();
    scree_detector *d;
    make_troop(how);
    *of = (figures){0, 0, 2166136261u, 2166136261u, 2166136261u};
    def.method = "dess2";
    def.simd = simd;
    def.dimensions = now.dimensions;
    def.volume = how & BOXES ? SCREE_BOXES : SCREE_SPHERES;
    def.allocator = failing_allocator_hooks(&memory);
    for (int k = 0; k < now.dimensions && how & CELL; k++)
        def.period[k] = SIDE;
    set_margin(&def, kind);
    CHECK_EQUAL(scree_detector_create(&def, &d), SCREE_OK);
    for (int step = 0; step < STEPS; step++) {
        take_step(d, step, of);
        if (how == CELL && step == 30)
            CHECK_EQUAL(scree_detector_set_cell(d, wider, tilt), SCREE_OK);
    }
    scree_stats stats = scree_detector_stats(d);
    of->runs = stats.runs;
    digest(&of->steps, stats.late);
    digest(&of->bytes, stats.bytes);
    digest(&of->bytes, memory.requests);
    scree_detector_destroy(d);
    CHECK_EQUAL(memory.live_blocks, 0);
}

/* ---- what is known ---- */

static const unsigned hows[] = {
    0,
    BOXES | LENGTH,
    PLANE | FLOATS,
    BOXES | PLANE | NAMED,
    NAMED | OWN | CHURN,
    CHURN | LENGTH | BOUND,
    BOXES | CHURN | OWN | BOUND,
    TRUST | LENGTH,
    BOXES | TRUST | BOUND,
    CELL,
    CELL | PLANE | BOXES | NAMED,
};
#define HOWS (sizeof hows / sizeof *hows)
#define KINDS (SCREE_MARGIN_PER_BODY + 1)

static const figures known[KINDS][HOWS] = {
#include "margins_figures_known.h"
};

static void print_all(void)
{
    for (int kind = 0; kind < KINDS; kind++)
        for (size_t h = 0; h < HOWS; h++) {
            figures f;
            play((scree_margin_kind)kind, hows[h], SCREE_SIMD_SCALAR, &f);
            printf("%s{%" PRIu64 ", %" PRIu64 ", 0x%08" PRIx32 ", 0x%08" PRIx32 ", 0x%08" PRIx32
                   "}%s\n",
                   h ? "     " : "    {", f.runs, f.mapped, f.steps, f.growth, f.bytes,
                   h + 1 < HOWS ? "," : "},");
        }
}

static void check_same(int kind, unsigned how, const figures *is, const figures *was)
{
    if (is->runs != was->runs || is->mapped != was->mapped)
        FAIL("margin %d, troop %u: %" PRIu64 " runs and %" PRIu64 " mapped, it was %" PRIu64
             " and %" PRIu64,
             kind, how, is->runs, is->mapped, was->runs, was->mapped);
    if (is->steps != was->steps)
        FAIL("margin %d, troop %u: steps did other things", kind, how);
    if (is->growth != was->growth)
        FAIL("margin %d, troop %u: bodies grew otherwise", kind, how);
    /* where pointers have another size, so have blocks of memory */
    if (sizeof(void *) == 8 && is->bytes != was->bytes)
        FAIL("margin %d, troop %u: another amount of memory", kind, how);
}

static void play_all(scree_simd simd)
{
    if (scree_simd_resolve(simd) != simd || getenv("SCREE_TEST_PRINT"))
        return;
    for (int kind = 0; kind < KINDS; kind++)
        for (size_t h = 0; h < HOWS; h++) {
            figures f;
            play((scree_margin_kind)kind, hows[h], simd, &f);
            check_same(kind, hows[h], &f, &known[kind][h]);
        }
}

TEST(margins_work_as_they_did)
{
    if (getenv("SCREE_TEST_PRINT"))
        print_all();
    play_all(SCREE_SIMD_SCALAR);
}

TEST(two_at_once_work_the_same)
{
    play_all(SCREE_SIMD_128);
}

TEST(four_at_once_work_the_same)
{
    play_all(SCREE_SIMD_AVX2);
}

TEST(eight_at_once_work_the_same)
{
    play_all(SCREE_SIMD_AVX512);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(margins_work_as_they_did),
        CASE(two_at_once_work_the_same),
        CASE(four_at_once_work_the_same),
        CASE(eight_at_once_work_the_same),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
