/*  The quick look of a step with a margin against the general way. References get the same bodies in every step;
    one of them has a body more, which meets nothing, so that its rows are read one by one. What an advance
    says, what is known of each body, and the pairs must be the same to the last bit, for every margin, every
    SIMD level, tables with ids in any order, with filters and with any columns of motion. */
#include "detect/detector_internal.h"

#include "base/random.h"
#include "harness/failing_allocator.h"
#include "harness/same_bits.h"
#include "test.h"

#include <math.h>

#define MOST 400u

typedef struct body_set
{
    size_t count; /* the last row, one more, is the body that meets nothing */
    scree_volume volume;
    int dimensions;
    double number[6][MOST + 1], velocity[3][MOST + 1], spin[3][MOST + 1];
    double arm[MOST + 1], constant[MOST + 1];
    uint32_t id[MOST + 1], owner[MOST + 1];
    uint64_t group[MOST + 1], mask[MOST + 1];
    uint8_t flags[MOST + 1], kind[MOST + 1];
    bool has_ids, has_owners, has_groups, has_masks, has_motion, has_spin, has_constant, has_kinds;
} body_set;

static double speed_of(scree_random *random)
{
    return scree_random_range(random, -1, 1) * (scree_random_below(random, 8) ? 0.01 : 0.2);
}

static void make_body_set(body_set *c, scree_random *random, const scree_detector_def *def)
{
    memset(c, 0, sizeof *c);
    c->count = 1 + scree_random_below(random, scree_random_below(random, 4) ? 40 : MOST);
    c->volume = def->volume;
    c->dimensions = def->dimensions;
    c->has_ids = scree_random_below(random, 2);
    c->has_owners = scree_random_below(random, 3) == 0;
    c->has_groups = scree_random_below(random, 3) == 0;
    c->has_masks = c->has_groups && scree_random_below(random, 2);
    c->has_motion = scree_random_below(random, 3) || def->margin.kind > SCREE_MARGIN_TOLERANCE;
    c->has_spin = scree_random_below(random, 2);
    c->has_constant = scree_random_below(random, 2);
    c->has_kinds = scree_random_below(random, 2);
    double side = 1.5 * sqrt((double)c->count);
    for (size_t row = 0; row <= c->count; row++) {
        double size = scree_random_range(random, 0.2, 1);
        for (int k = 0; k < def->dimensions; k++) {
            c->number[k][row] = scree_random_range(random, 0, side);
            c->number[3 + k][row] = c->number[k][row] + size;
            c->velocity[k][row] = speed_of(random);
        }
        for (int k = 0; k < 3; k++)
            c->spin[k][row] = speed_of(random);
        if (def->volume == SCREE_SPHERES)
            c->number[3][row] = row % 9 ? 0.5 * size : 0;
        c->arm[row] = size;
        c->constant[row] = 0.01 * size;
        c->kind[row] = (uint8_t)scree_random_below(random, SCREE_PIECE_KINDS);
        c->owner[row] = (uint32_t)(row / 3);
        c->group[row] = 1u << row % 3;
        c->mask[row] = 7u >> row % 2;
        c->id[row] = (uint32_t)(row < c->count ? c->count - 1 - row : row);
        c->flags[row] = row % 11 == 5 ? SCREE_FIXED : 0;
    }
    if (def->volume == SCREE_SPHERES && def->period[0] == 0 && scree_random_below(random, 4) == 0)
        c->number[3][0] = 100;
    c->flags[c->count] = SCREE_NO_BOUND;
}

/*  Mostly by velocities; now and then one jumps, grows, turns round or changes its kind. */
static void step_body_set(body_set *c, scree_random *random, double dt)
{
    bool is_still = scree_random_below(random, 5) == 0;
    for (size_t row = 0; row < c->count && !is_still; row++)
        for (int k = 0; k < c->dimensions; k++) {
            c->number[k][row] += dt * c->velocity[k][row];
            if (c->volume == SCREE_BOXES)
                c->number[3 + k][row] += dt * c->velocity[k][row];
        }
    size_t row = scree_random_below(random, (uint32_t)c->count);
    switch (scree_random_below(random, 12)) {
    case 0:
        c->number[0][row] -= 1;
        break;
    case 1:
        c->number[3][row] *= 0.999;
        break;
    case 2:
        c->kind[row] = (uint8_t)((c->kind[row] + 1) % SCREE_PIECE_KINDS);
        break;
    case 3:
        c->constant[row] *= 2;
        break;
    case 4:
        c->group[row] ^= 1;
        break;
    case 5:
        c->owner[row] ^= 1;
        break;
    case 6:
        c->flags[row] ^= SCREE_FIXED;
        break;
    case 7:
        c->velocity[0][row] *= -8;
        break;
    case 8:
        c->mask[row] ^= 2;
        break;
    default:
        break;
    }
}

static scree_table table_of(const body_set *c, size_t rows)
{
    scree_view view[6];
    for (int k = 0; k < 6; k++)
        view[k] = scree_doubles(c->number[k], sizeof(double));
    scree_table t = c->volume == SCREE_SPHERES
                        ? scree_table_spheres(rows, view[0], view[1], view[2], view[3])
                        : scree_table_boxes(rows, view, view + 3);
    t.flags = scree_integer_view(c->flags, 1);
    if (c->has_ids)
        t.ids = scree_integer_view(c->id, 4);
    if (c->has_owners)
        t.owners = scree_integer_view(c->owner, 4);
    if (c->has_groups)
        t.groups = scree_integer_view(c->group, 8);
    if (c->has_masks)
        t.masks = scree_integer_view(c->mask, 8);
    return t;
}

static scree_motion motion_of(const body_set *c)
{
    scree_motion m;
    memset(&m, 0, sizeof m);
    for (int k = 0; k < 3; k++) {
        m.velocity[k] = scree_doubles(c->velocity[k], sizeof(double));
        if (c->has_spin)
            m.spin[k] = scree_doubles(c->spin[k], sizeof(double));
    }
    if (c->has_spin)
        m.arm = scree_doubles(c->arm, sizeof(double));
    if (c->has_constant)
        m.constant = scree_doubles(c->constant, sizeof(double));
    if (c->has_kinds)
        m.kinds = scree_integer_view(c->kind, 1);
    return m;
}

static scree_pairs canonical(scree_detector *d)
{
    scree_pairs_options options = {.canonical = true};
    scree_pairs pairs;
    CHECK_EQUAL(scree_detector_pairs(d, &options, &pairs), SCREE_OK);
    return pairs;
}

static void check_references(const body_set *c, scree_detector *const d[2],
                             const scree_advance did[2])
{
    const scree_margin *a = &d[0]->margin, *b = &d[1]->margin;
    CHECK_EQUAL(did[0].ran, did[1].ran);
    CHECK_EQUAL(did[0].late, did[1].late);
    CHECK(same_bits(&did[0].used, &did[1].used, sizeof did[0].used));
    for (uint32_t id = 0; id < c->count; id++) {
        CHECK(a->growth[id] == b->growth[id]);
        CHECK(a->allowance[id] == b->allowance[id]);
        CHECK(a->size[id] == b->size[id]);
        CHECK_EQUAL(a->bin[id], b->bin[id]);
        CHECK(same_bits(&d[0]->store.box[id], &d[1]->store.box[id], sizeof d[0]->store.box[id]));
        CHECK(c->volume == SCREE_BOXES || same_bits(d[0]->store.sphere[id], d[1]->store.sphere[id],
                                                    sizeof d[0]->store.sphere[id]));
    }
    CHECK(a->travelled == b->travelled);
    CHECK(same_bits(&a->last, &b->last, sizeof a->last));
    /* tolerance: found again only when all rows must be mapped, and the reference has a row more */
    if (a->def.kind != SCREE_MARGIN_TOLERANCE) {
        CHECK(a->length == b->length);
        CHECK(a->farthest == b->farthest);
        CHECK(a->largest == b->largest);
    }
    scree_pairs p = canonical(d[0]), q = canonical(d[1]);
    CHECK(p.count == q.count);
    for (uint64_t k = 0; k < p.count; k++)
        CHECK(p.first[k] == q.first[k] && p.second[k] == q.second[k]);
}

static scree_detector_def random_def(scree_random *random)
{
    scree_detector_def def = scree_default_detector_def();
    def.method = "rtree-packed";
    def.dimensions = 2 + (int)scree_random_below(random, 2);
    def.volume = scree_random_below(random, 2) ? SCREE_BOXES : SCREE_SPHERES;
    def.simd = (scree_simd)(SCREE_SIMD_SCALAR + (int)scree_random_below(random, SCREE_SIMD_AVX512));
    def.margin.kind = (scree_margin_kind)(1 + scree_random_below(random, SCREE_MARGIN_PER_BODY));
    def.margin.length = scree_random_below(random, 2) ? 0.1 : -0.3;
    def.margin.reach = 1 + scree_random_below(random, 2);
    def.margin.velocity[SCREE_PIECE_BALL] = scree_random_below(random, 2);
    def.margin.constant = 0.001;
    if (scree_random_below(random, 4) == 0)
        for (int k = 0; k < 2; k++)
            def.period[k] = 40;
    if (def.period[0] > 0 && scree_random_below(random, 3) == 0)
        def.margin.length = 30; /* more than the cell leaves */
    return def;
}

static bool has_references(const body_set *c, const scree_detector_def *def)
{
    return c->has_motion || def->margin.kind < SCREE_MARGIN_TOLERANCE ||
           def->margin.kind == SCREE_MARGIN_PER_BODY ||
           (def->margin.kind == SCREE_MARGIN_TOLERANCE && def->margin.velocity[0] == 0);
}

TEST(the_same_as_row_by_row)
{
    uint64_t steps = 0, runs = 0;
    for (uint64_t seed = 1; seed <= 1200; seed++) {
        static body_set c;
        scree_random random = scree_random_stream(seed, 41);
        scree_detector_def def = random_def(&random);
        scree_detector *d[2];
        scree_advance did[2];
        make_body_set(&c, &random, &def);
        if (!has_references(&c, &def))
            continue;
        for (int k = 0; k < 2; k++)
            CHECK_EQUAL(scree_detector_create(&def, &d[k]), SCREE_OK);
        for (int step = 0; step < 25; step++) {
            double dt = scree_random_below(&random, 6) ? 0.5 : 0.7;
            scree_motion motion = motion_of(&c);
            bool is_update = (seed + (uint64_t)step) % 7 == 3;
            for (size_t k = 0; k < 2; k++) {
                scree_table table = table_of(&c, c.count + k);
                if (is_update) {
                    CHECK_EQUAL(scree_detector_update(d[k], &table, NULL), SCREE_OK);
                    did[k] = (scree_advance){true, c.count, 0, 0};
                    continue;
                }
                CHECK_EQUAL(scree_detector_advance(d[k], &table, c.has_motion ? &motion : NULL, dt,
                                                   &did[k]),
                            SCREE_OK);
            }
            check_references(&c, d, did);
            steps++;
            runs += did[0].ran;
            step_body_set(&c, &random, dt);
        }
        for (int k = 0; k < 2; k++)
            scree_detector_destroy(d[k]);
    }
    /* both kinds of step have been seen, often */
    CHECK(runs > 2000 && steps - runs > 2000);
}

/*  Without a margin every step maps all: plain tables take the way of an update. */
TEST(without_a_margin_all_are_mapped)
{
    static body_set c;
    scree_random random = scree_random_stream(8, 45);
    scree_detector_def def = scree_default_detector_def();
    scree_detector *d;
    scree_advance did;
    def.method = "rtree-packed";
    make_body_set(&c, &random, &def);
    c.count = 300;
    c.has_ids = c.has_owners = c.has_groups = c.has_masks = false;
    CHECK_EQUAL(scree_detector_create(&def, &d), SCREE_OK);
    for (size_t rows = 300; rows >= 200; rows -= 50) {
        scree_table table = table_of(&c, rows);
        table.flags.data = NULL;
        CHECK_EQUAL(scree_detector_advance(d, &table, NULL, 1, &did), SCREE_OK);
        CHECK(did.ran && did.used == 0 && did.late == 0);
        CHECK_EQUAL(did.mapped, rows);
        CHECK_EQUAL(scree_detector_stats(d).bodies, rows);
        CHECK(same_bits(d->store.sphere[rows - 1],
                        &(const double[4]){c.number[0][rows - 1], c.number[1][rows - 1],
                                           c.number[2][rows - 1], c.number[3][rows - 1]},
                        sizeof d->store.sphere[0]));
        c.number[1][77] = NAN;
        CHECK_EQUAL(scree_detector_advance(d, &table, NULL, 1, &did), SCREE_BAD_VALUE);
        CHECK_SAYS(scree_detector_message(d), "row 77 (body 77): y is nan");
        CHECK_EQUAL(scree_detector_stats(d).bodies, rows);
        c.number[1][77] = (double)rows;
    }
    scree_detector_destroy(d);
}

/*  With another cell pairs may change although no body must be mapped. */
TEST(a_new_cell_may_change_pairs)
{
    const double x[2] = {0.5, 9.4}, zero[2] = {0, 0}, r[2] = {0.5, 0.5}, moves[2] = {0, 1};
    const double period[3] = {9.85, 0, 0}, none[3] = {0, 0, 0};
    scree_table table = scree_table_spheres(2, scree_doubles(x, 8), scree_doubles(zero, 8),
                                            scree_doubles(zero, 8), scree_doubles(r, 8));
    scree_detector_def def = scree_default_detector_def();
    scree_detector *d;
    scree_advance did;
    scree_motion motion;
    double dt;
    def.margin.kind = SCREE_MARGIN_SKIN;
    def.margin.length = 0.01;
    def.period[0] = 10;
    CHECK_EQUAL(scree_detector_create(&def, &d), SCREE_OK);
    CHECK_EQUAL(scree_detector_advance(d, &table, NULL, 1, &did), SCREE_OK);
    CHECK(did.ran);
    CHECK_EQUAL(canonical(d).count, 0);
    CHECK_EQUAL(scree_detector_set_cell(d, period, none), SCREE_OK);
    CHECK_EQUAL(scree_detector_advance(d, &table, NULL, 1, &did), SCREE_OK);
    CHECK(!did.ran);
    CHECK_EQUAL(canonical(d).count, 1);
    scree_detector_destroy(d);

    /* wider than 0.45 of the period: little room, half of what is left to half the period */
    def.period[0] = 2.1;
    CHECK_EQUAL(scree_detector_create(&def, &d), SCREE_OK);
    CHECK_EQUAL(scree_detector_advance(d, &table, NULL, 1, &did), SCREE_OK);
    memset(&motion, 0, sizeof motion);
    motion.velocity[0] = scree_doubles(moves, 8);
    CHECK_EQUAL(scree_detector_longest_step(d, &table, &motion, &dt), SCREE_OK);
    CHECK(dt > 0 && dt <= 0.25 * (0.5 * 2.1 - 1));
    scree_detector_destroy(d);
}

/* ---- what sends a step to the general way ---- */

/*  A body_set at rest, mapped once; then something in it is wrong, and nothing may change. */
static void refuse(body_set *c, scree_detector *d, const char *says)
{
    scree_table table = table_of(c, c->count);
    scree_motion motion = motion_of(c);
    CHECK(scree_detector_advance(d, &table, &motion, 1, NULL) != SCREE_OK);
    CHECK_SAYS(scree_detector_message(d), says);
}

/*  Motion is of no use without a margin, but what is wrong with it is said all the same: also of bodies that
    had no bounds until now. */
TEST(without_a_margin_motion_is_looked_at)
{
    for (uint32_t simd = 1; simd <= SCREE_SIMD_AVX512; simd++) {
        static body_set c, good;
        scree_random random = scree_random_stream(9, 46);
        scree_detector_def def = scree_default_detector_def();
        scree_detector *d;
        scree_advance did;
        def.simd = (scree_simd)simd;
        make_body_set(&c, &random, &def);
        c.count = 200;
        c.has_ids = c.has_owners = c.has_groups = c.has_masks = false;
        c.has_motion = c.has_spin = c.has_constant = c.has_kinds = true;
        memset(c.kind, 0, sizeof c.kind);
        memset(c.flags, 0, sizeof c.flags);
        c.flags[4] = SCREE_NO_BOUND;
        c.kind[4] = 200;
        c.velocity[1][4] = NAN;
        scree_table table = table_of(&c, c.count);
        scree_motion motion = motion_of(&c);
        CHECK_EQUAL(scree_detector_create(&def, &d), SCREE_OK);
        CHECK_EQUAL(scree_detector_advance(d, &table, &motion, 1, &did), SCREE_OK);
        c.flags[4] = 0;
        refuse(&c, d, "row 4 (body 4): velocity y is nan");
        table.flags.data = NULL;
        CHECK_EQUAL(scree_detector_advance(d, &table, &motion, 1, &did), SCREE_BAD_VALUE);
        CHECK_SAYS(scree_detector_message(d), "row 4 (body 4): velocity y is nan");
        CHECK_EQUAL(d->store.active_count, 199);
        c.velocity[1][4] = 0;
        CHECK_EQUAL(scree_detector_advance(d, &table, &motion, 1, &did), SCREE_BAD_VALUE);
        CHECK_SAYS(scree_detector_message(d), "row 4 (body 4): kind is 200");
        c.kind[4] = 1;
        CHECK_EQUAL(scree_detector_advance(d, &table, &motion, 1, &did), SCREE_OK);
        CHECK_EQUAL(did.mapped, 200);
        CHECK_EQUAL(d->store.active_count, 200);
        good = c;
        c.constant[199] = -1;
        refuse(&c, d, "row 199 (body 199): constant is -1");
        c = good;
        c.arm[0] = NAN;
        refuse(&c, d, "row 0 (body 0): arm is nan");
        scree_detector_destroy(d);
    }
}

TEST(what_is_wrong_is_named)
{
    for (int trust = 0; trust < 2; trust++)
        for (uint32_t simd = 1; simd <= SCREE_SIMD_AVX512; simd++) {
            static body_set c, good;
            scree_random random = scree_random_stream(7 + simd, 42);
            scree_detector_def def = scree_default_detector_def();
            scree_detector *d;
            scree_advance did;
            def.method = "rtree-packed";
            def.simd = (scree_simd)simd;
            def.margin.kind = SCREE_MARGIN_BINS;
            def.margin.length = 50; /* all begin in the slowest class */
            def.margin.trust_velocities = trust == 1;
            do
                make_body_set(&c, &random, &def);
            while (c.count < 150);
            c.has_ids = c.has_owners = c.has_groups = c.has_masks = false;
            c.has_motion = c.has_spin = c.has_constant = c.has_kinds = true;
            CHECK_EQUAL(scree_detector_create(&def, &d), SCREE_OK);
            scree_table table = table_of(&c, c.count);
            scree_motion motion = motion_of(&c);
            CHECK_EQUAL(scree_detector_advance(d, &table, &motion, 1, NULL), SCREE_OK);
            good = c;
            c.velocity[1][140] = NAN;
            refuse(&c, d, "row 140 (body 140): velocity y is nan");
            c = good;
            c.arm[127] = -1;
            refuse(&c, d, "row 127 (body 127): arm is -1");
            c = good;
            c.constant[c.count - 1] = INFINITY;
            refuse(&c, d, "constant is inf");
            c = good;
            c.kind[0] = 4;
            refuse(&c, d, "row 0 (body 0): kind is 4");
            c = good;
            c.spin[2][33] = 1e100;
            c.arm[33] = 1e10;
            refuse(&c, d, "row 33 (body 33): speed of its fastest point is");
            c = good;
            if (!trust) {
                c.number[2][149] = 2e100;
                refuse(&c, d, "row 149 (body 149): z is 2");
                c = good;
                c.number[3][149] = -1;
                refuse(&c, d, "row 149 (body 149): radius is -1");
                c = good;
            }
            CHECK_EQUAL(scree_detector_advance(d, &table, &motion, 1, &did), SCREE_OK);
            CHECK(!did.ran);
            scree_detector_destroy(d);
        }
}

TEST(ids_must_be_of_the_same_bodies)
{
    static body_set c;
    scree_random random = scree_random_stream(5, 43);
    scree_detector_def def = scree_default_detector_def();
    scree_detector *d;
    scree_advance did;
    def.margin.kind = SCREE_MARGIN_SKIN;
    def.margin.length = 1;
    def.method = "rtree-packed";
    make_body_set(&c, &random, &def);
    c.count = 20;
    c.has_ids = true;
    c.has_owners = c.has_groups = c.has_masks = false;
    for (uint32_t row = 0; row < 20; row++)
        c.id[row] = 3 * row;
    CHECK_EQUAL(scree_detector_create(&def, &d), SCREE_OK);
    scree_table table = table_of(&c, 20);
    CHECK_EQUAL(scree_detector_advance(d, &table, NULL, 1, &did), SCREE_OK);
    CHECK(did.ran);
    CHECK_EQUAL(scree_detector_advance(d, &table, NULL, 1, &did), SCREE_OK);
    CHECK(!did.ran);
    c.id[19] = 3;
    CHECK_EQUAL(scree_detector_advance(d, &table, NULL, 1, &did), SCREE_BAD_ARGUMENT);
    CHECK_SAYS(scree_detector_message(d), "row 19: body 3 is named twice");
    c.id[19] = 58;
    CHECK_EQUAL(scree_detector_advance(d, &table, NULL, 1, &did), SCREE_OK);
    CHECK(did.ran);
    CHECK_EQUAL(scree_detector_advance(d, &table, NULL, 1, &did), SCREE_OK);
    CHECK(!did.ran);
    scree_detector_destroy(d);
}

/*  Bodies that were inserted without ids, then steps that name them: memory for the names may run out in
    any place, and the next call is right. */
TEST(names_may_find_no_memory)
{
    static body_set c;
    uint64_t failures = 0;
    for (size_t k = 1; k < 40; k++) {
        scree_random random = scree_random_stream(9, 46);
        scree_detector_def def = scree_default_detector_def();
        failing_allocator memory;
        scree_detector *d;
        scree_advance did;
        memset(&memory, 0, sizeof memory);
        def.method = "rtree-packed";
        def.allocator = failing_allocator_hooks(&memory);
        def.margin.kind = SCREE_MARGIN_SKIN;
        def.margin.length = 1;
        make_body_set(&c, &random, &def);
        c.count = 20;
        c.has_owners = c.has_groups = c.has_masks = c.has_ids = false;
        for (uint32_t row = 0; row < 20; row++)
            c.id[row] = 19 - row;
        CHECK_EQUAL(scree_detector_create(&def, &d), SCREE_OK);
        scree_table table = table_of(&c, 20);
        table.flags.data = NULL;
        CHECK_EQUAL(scree_detector_insert(d, &table, NULL), SCREE_OK);
        table.ids = scree_integer_view(c.id, 4);
        /* odd: one request fails; even: all from there on */
        memory.fail_at = atomic_load(&memory.requests) + (k + 1) / 2;
        memory.fail_all_after = k % 2 == 0;
        scree_status status = scree_detector_advance(d, &table, NULL, 1, &did);
        CHECK(status == SCREE_OK || status == SCREE_OUT_OF_MEMORY);
        failures += atomic_load(&memory.failures);
        memory.fail_at = 0;
        CHECK_EQUAL(scree_detector_advance(d, &table, NULL, 1, &did), SCREE_OK);
        CHECK_EQUAL(scree_detector_stats(d).bodies, 20);
        CHECK(d->store.sphere[19][0] == c.number[0][0]);
        scree_detector_destroy(d);
        CHECK(failing_allocator_is_clean(&memory));
    }
    CHECK(failures > 4);
}

/*  Trusted velocities of bodies without bounds are not looked at, wherever they stand. */
TEST(passive_bodies_do_not_move)
{
    static body_set c;
    scree_random random = scree_random_stream(6, 44);
    scree_detector_def def = scree_default_detector_def();
    scree_detector *d;
    scree_advance did;
    def.margin.kind = SCREE_MARGIN_BINS;
    def.margin.length = 50;
    def.margin.trust_velocities = true;
    def.method = "rtree-packed";
    make_body_set(&c, &random, &def);
    c.count = 13;
    c.has_ids = c.has_owners = c.has_groups = c.has_masks = false;
    c.has_spin = c.has_constant = c.has_kinds = true;
    memset(c.flags, 0, sizeof c.flags);
    c.flags[4] = SCREE_INFINITE;
    c.flags[12] = SCREE_NO_BOUND;
    CHECK_EQUAL(scree_detector_create(&def, &d), SCREE_OK);
    scree_table table = table_of(&c, 13);
    scree_motion motion = motion_of(&c);
    CHECK_EQUAL(scree_detector_advance(d, &table, &motion, 1, &did), SCREE_OK);
    CHECK(did.ran);
    for (size_t row = 4; row < 13; row += 8) {
        c.velocity[0][row] = NAN;
        c.spin[1][row] = INFINITY;
        c.arm[row] = c.constant[row] = -1;
        c.kind[row] = 200;
    }
    CHECK_EQUAL(scree_detector_advance(d, &table, &motion, 1, &did), SCREE_OK);
    CHECK(!did.ran);
    c.velocity[0][11] = NAN;
    CHECK_EQUAL(scree_detector_advance(d, &table, &motion, 1, &did), SCREE_BAD_VALUE);
    CHECK_SAYS(scree_detector_message(d), "row 11 (body 11): velocity x is nan");
    scree_detector_destroy(d);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(the_same_as_row_by_row),         CASE(without_a_margin_all_are_mapped),
        CASE(a_new_cell_may_change_pairs),    CASE(what_is_wrong_is_named),
        CASE(ids_must_be_of_the_same_bodies), CASE(names_may_find_no_memory),
        CASE(passive_bodies_do_not_move),     CASE(without_a_margin_motion_is_looked_at),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
