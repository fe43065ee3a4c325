/*  Margins in bad company: every nonsense a caller can hand over gives an error that names row and field,
    and leaves the detector as it was, so that its later answers are those of a reference that was not asked.
    The same when memory runs out at any request. */
#include "base/random.h"
#include "harness/failing_allocator.h"

#include "margin_troop.h"

/* ---- definitions ---- */

static void check_refused(scree_margin_def margin, const char *says)
{
    scree_detector_def def = scree_default_detector_def();
    scree_detector *d;
    scree_error why = {SCREE_OK, ""};
    def.margin = margin;
    def.error = &why;
    CHECK(scree_detector_create(&def, &d) == SCREE_BAD_ARGUMENT);
    CHECK(!d);
    CHECK_SAYS(why.text, says);
}

#define REFUSED(field, value)                                                                      \
    do {                                                                                           \
        scree_margin_def m = scree_default_detector_def().margin;                                  \
        m.field = value;                                                                           \
        check_refused(m, "margin: " #field " is ");                                                \
    } while (0)

TEST(bad_definitions_are_refused)
{
    REFUSED(kind, (scree_margin_kind)(SCREE_MARGIN_PER_BODY + 1));
    REFUSED(kind, (scree_margin_kind)-1);
    REFUSED(length, NAN);
    REFUSED(length, INFINITY);
    REFUSED(length, -2e6);
    REFUSED(speed_factor, 0.99);
    REFUSED(speed_factor, NAN);
    REFUSED(velocity[0], -1e-9);
    REFUSED(velocity[3], NAN);
    REFUSED(extent[0], -1);
    REFUSED(extent[2], INFINITY);
    REFUSED(constant, -1);
    REFUSED(constant, NAN);
    REFUSED(interaction, -0.5);
    REFUSED(interaction, INFINITY);
    REFUSED(reach, 0.9);
    REFUSED(reach, NAN);
    REFUSED(bin_count, 0);
    REFUSED(bin_count, 101);
    REFUSED(bin_ratio, 1);
    REFUSED(bin_ratio, NAN);
    REFUSED(bin_overlap, 0);
    REFUSED(bin_overlap, 1);
    REFUSED(bin_overlap, NAN);
    REFUSED(bin_max_change, NAN);
    REFUSED(target_steps, NAN);
    REFUSED(min_fraction, -0.1);
    REFUSED(min_fraction, 1.1);
    scree_margin_def zero = scree_default_detector_def().margin;
    memset(zero.extent, 0, sizeof zero.extent);
    check_refused(zero, "velocity, extent and constant are all 0");
    zero.velocity[SCREE_PIECE_BLOCK] = 1;
    scree_detector_def def = scree_default_detector_def();
    scree_detector *d;
    def.margin = zero;
    CHECK(scree_detector_create(&def, &d) == SCREE_OK);
    scree_detector_destroy(d);
}

/* ---- calls ---- */

/*  Two detectors that see the same; one of them is asked nonsense in between. */
typedef struct references
{
    troop good, asked;
} references;

static scree_random fresh_random(void)
{
    return scree_random_stream(11, 0);
}

static void move_references(references *w, scree_random *random)
{
    for (size_t i = 0; i < w->good.count; i++)
        for (int k = 0; k < 3; k++)
            w->good.v[i][k] = scree_random_range(random, -0.05, 0.05);
    memcpy(w->asked.v, w->good.v, sizeof w->good.v);
    troop_move(&w->good, 1);
    troop_move(&w->asked, 1);
}

static void open_references(references *w, const scree_detector_def *def)
{
    troop_open(&w->good, def, 30);
    for (size_t i = 0; i < 30; i++) {
        w->good.x[i][0] = 1.9 * (double)i;
        w->good.lower[i][0] = 0.95 * (double)i;
        w->good.upper[i][0] = w->good.lower[i][0] + 1;
    }
    scree_detector *own = w->good.detector;
    troop_open(&w->asked, def, 30);
    scree_detector *asked = w->asked.detector;
    w->asked = w->good;
    w->asked.detector = asked;
    w->good.detector = own;
}

static void close_references(references *w)
{
    troop_close(&w->good);
    troop_close(&w->asked);
}

/*  They go on in the same way: the same runs, growths and pairs. */
static void check_references(references *w, scree_random *random)
{
    for (int step = 0; step < 12; step++) {
        scree_pairs_options canonical = {.canonical = true};
        scree_pairs p, q;
        move_references(w, random);
        CHECK_EQUAL(troop_advance(&w->good, 1), troop_advance(&w->asked, 1));
        CHECK_EQUAL(w->good.did.mapped, w->asked.did.mapped);
        CHECK(w->good.did.used == w->asked.did.used);
        CHECK(scree_detector_pairs(w->good.detector, &canonical, &p) == SCREE_OK);
        CHECK(scree_detector_pairs(w->asked.detector, &canonical, &q) == SCREE_OK);
        CHECK_EQUAL(p.count, q.count);
        CHECK(p.count == 0 || (memcmp(p.first, q.first, p.count * sizeof *p.first) == 0 &&
                               memcmp(p.second, q.second, p.count * sizeof *p.second) == 0));
        for (size_t i = 0; i < w->good.count; i++)
            CHECK(troop_growth(&w->good, i) == troop_growth(&w->asked, i));
    }
}

/*  What a caller may do wrong; the troop is put right again afterwards. */
typedef struct nonsense
{
    const char *says; /* part of the message */
    double dt;
    double *number, value; /* in the troop asked */
    scree_status status;
    bool boxes;
} nonsense;

static void ask(const scree_detector_def *def, size_t which, bool early)
{
    static references w;
    scree_random random = fresh_random();
    open_references(&w, def);
    if (!early)
        check_references(&w, &random);
    troop *t = &w.asked;
    const nonsense all[] = {
        {"dt is 0", 0, NULL, 0, SCREE_BAD_VALUE, false},
        {"dt is -1", -1, NULL, 0, SCREE_BAD_VALUE, false},
        {"dt is ", NAN, NULL, 0, SCREE_BAD_VALUE, false},
        {"dt is inf", INFINITY, NULL, 0, SCREE_BAD_VALUE, false},
        {"row 7 (body 7): velocity x is", 1, &t->v[7][0], NAN, SCREE_BAD_VALUE, false},
        {"row 8 (body 8): velocity y is", 1, &t->v[8][1], INFINITY, SCREE_BAD_VALUE, false},
        {"row 9 (body 9): velocity z is", 1, &t->v[9][2], -1e101, SCREE_BAD_VALUE, false},
        {"row 29 (body 29): spin y is", 1, &t->spin[29][1], NAN, SCREE_BAD_VALUE, false},
        {"row 0 (body 0): arm is", 1, &t->arm[0], NAN, SCREE_BAD_VALUE, false},
        {"row 0 (body 0): arm is -1", 1, &t->arm[0], -1, SCREE_BAD_VALUE, false},
        {"row 3 (body 3): constant is -0.5", 1, &t->constant[3], -0.5, SCREE_BAD_VALUE, false},
        {"row 3 (body 3): constant is", 1, &t->constant[3], NAN, SCREE_BAD_VALUE, false},
        {"row 4 (body 4): x is", 1, &t->x[4][0], NAN, SCREE_BAD_VALUE, false},
        {"row 4 (body 4): radius is -1", 1, &t->r[4], -1, SCREE_BAD_VALUE, false},
        {"row 4 (body 4): lower y is", 1, &t->lower[4][1], NAN, SCREE_BAD_VALUE, true},
        {"row 4 (body 4): upper z is", 1, &t->upper[4][2], INFINITY, SCREE_BAD_VALUE, true},
        {"must be at most upper z", 1, &t->lower[4][2], 900, SCREE_BAD_VALUE, true},
    };
    const nonsense *bad = &all[which];
    bool is_place = which >= 12 && bad->number;
    if (!is_place || bad->boxes == (def->volume == SCREE_BOXES)) {
        double before = bad->number ? *bad->number : 0;
        if (bad->number)
            *bad->number = bad->value;
        t->has_constants = bad->number == &t->constant[3];
        CHECK_EQUAL(troop_try(t, bad->dt), bad->status);
        CHECK_SAYS(scree_detector_message(t->detector), bad->says);
        CHECK(!t->did.ran && t->did.mapped == 0);
        t->has_constants = false;
        if (bad->number)
            *bad->number = before;
    }
    check_references(&w, &random);
    close_references(&w);
}

/*  Margins that look at positions; those that trust speeds do not see bad positions. */
TEST(bad_numbers_are_named_and_change_nothing)
{
    for (int kind = SCREE_MARGIN_NONE; kind <= SCREE_MARGIN_PER_BODY; kind++)
        for (size_t which = 0; which < 17; which++)
            for (int form = 0; form < 4; form++) {
                scree_detector_def def = troop_def((scree_margin_kind)kind);
                def.volume = form & 1 ? SCREE_BOXES : SCREE_SPHERES;
                def.margin.trust_velocities = form == 3 && which < 12;
                if (kind == SCREE_MARGIN_NONE)
                    def.margin.kind = SCREE_MARGIN_SKIN;
                ask(&def, which, form >= 2 && which % 2);
            }
}

TEST(a_speed_that_overflows_is_refused)
{
    scree_detector_def def = troop_def(SCREE_MARGIN_DISTANCE);
    troop t;
    troop_open(&t, &def, 2);
    t.spin[1][0] = 1e60;
    t.arm[1] = 1e60;
    CHECK_EQUAL(troop_try(&t, 1), SCREE_BAD_VALUE);
    CHECK_SAYS(scree_detector_message(t.detector), "row 1 (body 1): speed of its fastest point is");
    troop_close(&t);
}

TEST(unknown_kinds_are_refused)
{
    scree_detector_def def = troop_def(SCREE_MARGIN_TOLERANCE);
    troop t;
    troop_open(&t, &def, 3);
    CHECK(troop_advance(&t, 1));
    for (int late = 0; late < 2; late++) {
        t.kinds[2] = SCREE_PIECE_KINDS;
        CHECK_EQUAL(troop_try(&t, 1), SCREE_BAD_VALUE);
        CHECK_SAYS(scree_detector_message(t.detector), "row 2 (body 2): kind is 4, must be 0 to 3");
        t.kinds[2] = 3;
        (void)troop_advance(&t, 1);
    }
    troop_close(&t);
}

TEST(bodies_of_no_size_need_a_constant)
{
    scree_detector_def def = troop_def(SCREE_MARGIN_TOLERANCE);
    troop t;
    def.margin.velocity[0] = 1;
    troop_open(&t, &def, 3);
    t.r[1] = 0;
    t.v[1][0] = 1; /* speed does not help: it may come to rest */
    CHECK_EQUAL(troop_try(&t, 1), SCREE_BAD_VALUE);
    CHECK_SAYS(scree_detector_message(t.detector),
               "row 1 (body 1): tolerance is 0 at rest, must be above: size is 0, constant 0");
    t.has_constants = true;
    t.constant[1] = 0.25;
    CHECK(troop_advance(&t, 1));
    CHECK_NEAR(troop_allowance(&t, 1), 1.25, 1e-14);
    /* it loses it again, among bodies that are there */
    t.constant[1] = 0;
    CHECK_EQUAL(troop_try(&t, 1), SCREE_BAD_VALUE);
    CHECK_SAYS(scree_detector_message(t.detector), "row 1 (body 1): tolerance is 0 at rest");
    t.constant[1] = 0.25;
    CHECK(!troop_advance(&t, 1));
    t.constant[2] = 9e99;
    CHECK_EQUAL(troop_try(&t, 1), SCREE_BAD_VALUE);
    CHECK_SAYS(scree_detector_message(t.detector), "row 2 (body 2): tolerance makes it grow by");
    troop_close(&t);
}

static void check_call(troop *t, const scree_motion *motion, const char *says)
{
    scree_table table = troop_table(t);
    double dt = 5;
    CHECK_EQUAL(scree_detector_advance(t->detector, &table, motion, 1, NULL), SCREE_BAD_ARGUMENT);
    CHECK_SAYS(scree_detector_message(t->detector), says);
    CHECK_EQUAL(scree_detector_longest_step(t->detector, &table, motion, &dt), SCREE_BAD_ARGUMENT);
    CHECK_SAYS(scree_detector_message(t->detector), says);
    CHECK(dt == 5);
}

TEST(columns_must_fit)
{
    static const struct
    {
        size_t at, bytes;
        const char *says;
    } views[] = {
        {offsetof(scree_motion, velocity[0]), 8, "velocity x"},
        {offsetof(scree_motion, velocity[2]), 8, "velocity z"},
        {offsetof(scree_motion, spin[1]), 8, "spin y"},
        {offsetof(scree_motion, arm), 8, "arm"},
        {offsetof(scree_motion, constant), 8, "constant"},
    };
    scree_detector_def def = troop_def(SCREE_MARGIN_BINS);
    troop t;
    troop_open(&t, &def, 3);
    t.has_constants = true;
    for (size_t n = 0; n < sizeof views / sizeof *views; n++) {
        scree_motion motion = troop_motion(&t);
        scree_view *view = (scree_view *)(void *)((char *)&motion + views[n].at);
        view->stride = 0;
        check_call(&t, &motion, views[n].says);
        check_call(&t, &motion, "stride");
        view->stride = 8;
        view->real = (scree_real)7;
        check_call(&t, &motion, "unknown type 7");
    }
    scree_motion motion = troop_motion(&t);
    motion.kinds.stride = 0;
    check_call(&t, &motion, "kinds");
    troop_close(&t);
}

TEST(velocities_must_be_given_where_they_are_used)
{
    for (int kind = SCREE_MARGIN_NONE; kind <= SCREE_MARGIN_PER_BODY; kind++) {
        scree_detector_def def = troop_def((scree_margin_kind)kind);
        bool scheduled = kind >= SCREE_MARGIN_STRIDE && kind <= SCREE_MARGIN_BINS;
        scree_motion none;
        double dt;
        troop t;
        memset(&none, 0, sizeof none);
        troop_open(&t, &def, 3);
        scree_table table = troop_table(&t);
        scree_status wanted = scheduled ? SCREE_BAD_ARGUMENT : SCREE_OK;
        CHECK_EQUAL(scree_detector_advance(t.detector, &table, NULL, 1, NULL), wanted);
        CHECK_EQUAL(scree_detector_advance(t.detector, &table, &none, 1, NULL), wanted);
        if (scheduled)
            CHECK_SAYS(scree_detector_message(t.detector), "this margin needs velocities");
        CHECK_EQUAL(scree_detector_longest_step(t.detector, &table, &none, &dt),
                    SCREE_BAD_ARGUMENT);
        troop_close(&t);
    }
    /* spins with arms say how fast bodies are, too; in two dimensions about the third axis */
    for (int dimensions = 2; dimensions <= 3; dimensions++) {
        scree_detector_def def = troop_def(SCREE_MARGIN_DISTANCE);
        troop t;
        def.dimensions = dimensions;
        troop_open(&t, &def, 3);
        scree_table table = troop_table(&t);
        scree_motion turning = troop_motion(&t);
        memset(turning.velocity, 0, sizeof turning.velocity);
        t.spin[0][0] = dimensions == 2 ? NAN : 2;
        t.spin[0][2] = 3;
        t.arm[0] = 1;
        if (dimensions == 2)
            turning.spin[0].stride = turning.velocity[2].stride = 0; /* not looked at */
        CHECK(scree_detector_advance(t.detector, &table, &turning, 1, NULL) == SCREE_OK);
        CHECK_NEAR(t.detector->margin.last.largest, dimensions == 2 ? 3 : sqrt(13), 1e-14);
        turning.arm.data = NULL;
        CHECK(scree_detector_advance(t.detector, &table, &turning, 1, NULL) == SCREE_BAD_ARGUMENT);
        t.spin[0][2] = INFINITY;
        turning.arm = scree_doubles(t.arm, sizeof *t.arm);
        CHECK(scree_detector_advance(t.detector, &table, &turning, 1, NULL) == SCREE_BAD_VALUE);
        CHECK_SAYS(scree_detector_message(t.detector), "row 0 (body 0): spin z is inf");
        troop_close(&t);
    }
}

TEST(calls_without_a_detector_or_table)
{
    scree_detector_def def = troop_def(SCREE_MARGIN_SKIN);
    double dt = 3;
    troop t;
    troop_open(&t, &def, 3);
    scree_table table = troop_table(&t);
    scree_motion motion = troop_motion(&t);
    CHECK(scree_detector_advance(NULL, &table, &motion, 1, NULL) == SCREE_BAD_ARGUMENT);
    CHECK(scree_detector_advance(t.detector, NULL, &motion, 1, NULL) == SCREE_BAD_ARGUMENT);
    CHECK(scree_detector_longest_step(NULL, &table, &motion, &dt) == SCREE_BAD_ARGUMENT);
    CHECK(scree_detector_longest_step(t.detector, &table, &motion, NULL) == SCREE_BAD_ARGUMENT);
    CHECK(scree_detector_longest_step(t.detector, NULL, &motion, &dt) == SCREE_BAD_ARGUMENT);
    CHECK(scree_detector_longest_step(t.detector, &table, NULL, &dt) == SCREE_BAD_ARGUMENT);
    CHECK_SAYS(scree_detector_message(t.detector), "longest_step: no velocities");
    CHECK(scree_detector_longest_step(t.detector, &table, &motion, &dt) == SCREE_BAD_ARGUMENT);
    CHECK_SAYS(scree_detector_message(t.detector), "body 0 has not been mapped");
    CHECK(scree_detector_advance(t.detector, &table, &motion, 1, NULL) == SCREE_OK);
    t.v[1][0] = NAN;
    CHECK(scree_detector_longest_step(t.detector, &table, &motion, &dt) == SCREE_BAD_VALUE);
    CHECK_SAYS(scree_detector_message(t.detector), "row 1 (body 1): velocity x");
    CHECK(dt == 3);
    troop_close(&t);
    def.margin.kind = SCREE_MARGIN_NONE;
    troop_open(&t, &def, 3);
    CHECK(scree_detector_longest_step(t.detector, &table, &motion, &dt) == SCREE_BAD_ARGUMENT);
    CHECK_SAYS(scree_detector_message(t.detector), "there is no margin");
    troop_close(&t);
}

/*  Bodies without bounds, or with unusable numbers that are to be skipped, have no margin. */
TEST(bodies_without_bounds_are_left_alone)
{
    for (int kind = SCREE_MARGIN_SKIN; kind <= SCREE_MARGIN_PER_BODY; kind++) {
        scree_detector_def def = troop_def((scree_margin_kind)kind);
        uint8_t flags[4] = {SCREE_INFINITE, SCREE_NO_BOUND, 0, 0};
        double dt;
        troop t;
        def.unusable = SCREE_SKIP_BODY;
        troop_open(&t, &def, 4);
        t.v[0][0] = NAN;
        t.x[3][0] = NAN;
        scree_table table = troop_table(&t);
        scree_motion motion = troop_motion(&t);
        table.flags = scree_integer_view(flags, 1);
        CHECK(scree_detector_advance(t.detector, &table, &motion, 1, &t.did) == SCREE_OK);
        CHECK(scree_detector_longest_step(t.detector, &table, &motion, &dt) == SCREE_OK);
        CHECK_EQUAL(scree_detector_stats(t.detector).rejected, 1);
        CHECK(scree_detector_advance(t.detector, &table, &motion, 1, &t.did) == SCREE_OK);
        CHECK(!t.did.ran);
        flags[1] = 0;
        t.x[3][0] = 30;
        CHECK(scree_detector_advance(t.detector, &table, &motion, 1, &t.did) == SCREE_OK);
        CHECK(t.did.ran);
        CHECK_EQUAL(scree_detector_stats(t.detector).rejected, 0);
        CHECK(scree_detector_advance(t.detector, &table, &motion, 1, &t.did) == SCREE_OK);
        CHECK(!t.did.ran);
        troop_close(&t);
    }
}

/* ---- memory ---- */

/*  A life with bodies that come and go; calls that ran out of memory are made again. Returns how often
    that was needed. */
static size_t live(const scree_detector_def *with, failing_allocator *memory)
{
    scree_detector_def def = *with;
    scree_random random = scree_random_stream(4, 0);
    size_t failures = 0;
    troop t;
    memset(&t, 0, sizeof t);
    def.allocator = failing_allocator_hooks(memory);
    scree_status status = scree_detector_create(&def, &t.detector);
    if (status == SCREE_OUT_OF_MEMORY) {
        failures++;
        memory->fail_at = 0;
        status = scree_detector_create(&def, &t.detector);
    }
    CHECK(status == SCREE_OK);
    t.volume = def.volume;
    t.dimensions = 3;
    for (size_t i = 0; i < TROOP_MAX; i++) {
        t.r[i] = 0.5;
        for (int k = 0; k < 3; k++) {
            t.x[i][k] = scree_random_range(&random, 0, 5);
            t.v[i][k] = scree_random_range(&random, -0.02, 0.02);
        }
    }
    for (int step = 0; step < 12; step++) {
        static const size_t counts[] = {20, 20, 20, 60, 60, 40, 10, 10, 100, 100, 100, 0};
        t.count = counts[step];
        for (int again = 0; again < 2; again++) {
            status = troop_try(&t, 1);
            if (!status)
                break;
            CHECK(status == SCREE_OUT_OF_MEMORY);
            CHECK_SAYS(scree_detector_message(t.detector), "out of memory");
            failures++;
            memory->fail_at = 0;
        }
        CHECK(status == SCREE_OK);
        scree_pairs pairs;
        if (scree_detector_pairs(t.detector, NULL, &pairs)) {
            failures++;
            memory->fail_at = 0;
        }
        CHECK_EQUAL(troop_missed(&t), 0);
        CHECK_EQUAL(scree_detector_stats(t.detector).bodies, t.count);
        troop_move(&t, 1);
    }
    troop_close(&t);
    return failures;
}

TEST(every_request_for_memory_may_fail)
{
    for (int kind = SCREE_MARGIN_NONE; kind <= SCREE_MARGIN_PER_BODY; kind++)
        for (int form = 0; form < 4; form++)
            for (size_t k = 1;; k++) {
                scree_detector_def def = troop_def((scree_margin_kind)kind);
                failing_allocator memory = {.fail_at = k, .fail_all_after = form & 1};
                def.method = form & 2 ? "dess" : "rtree";
                size_t failures = live(&def, &memory);
                CHECK(failing_allocator_is_clean(&memory));
                if (failures == 0)
                    break;
                CHECK(k < 1000);
            }
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(bad_definitions_are_refused),
        CASE(bad_numbers_are_named_and_change_nothing),
        CASE(a_speed_that_overflows_is_refused),
        CASE(unknown_kinds_are_refused),
        CASE(bodies_of_no_size_need_a_constant),
        CASE(columns_must_fit),
        CASE(velocities_must_be_given_where_they_are_used),
        CASE(calls_without_a_detector_or_table),
        CASE(bodies_without_bounds_are_left_alone),
        CASE(every_request_for_memory_may_fail),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
