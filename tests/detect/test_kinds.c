/*  Filters by kinds against the rule itself. Bodies lie all on one spot, so each two overlap, and which pairs are
    left follows from filters alone: of one kind, of as many as there is room for, and of more; and from step to
    step groups, masks, owners and flags change, or do not, bodies come and go, and columns are given or not. */
#include "scree/detect.h"

#include "base/random.h"
#include "test.h"

#define MOST 150u

/*  All that filters ask of a body, by id. */
typedef struct body_set
{
    uint32_t count; /* of rows */
    uint32_t id[MOST], owner[MOST];
    uint64_t group[MOST], mask[MOST];
    uint8_t flags[MOST];
    bool has_groups, has_masks, has_owners, has_flags;
} body_set;

static const double zeros[MOST];

static scree_table table_of(const body_set *c)
{
    scree_view zero = scree_doubles(zeros, sizeof *zeros);
    scree_table table = scree_table_spheres(c->count, zero, zero, zero, zero);
    table.ids = scree_integer_view(c->id, sizeof *c->id);
    if (c->has_groups)
        table.groups = scree_integer_view(c->group, sizeof *c->group);
    if (c->has_masks)
        table.masks = scree_integer_view(c->mask, sizeof *c->mask);
    if (c->has_owners)
        table.owners = scree_integer_view(c->owner, sizeof *c->owner);
    if (c->has_flags)
        table.flags = scree_integer_view(c->flags, sizeof *c->flags);
    return table;
}

/*  Parts 1 and 2 of the rule. */
static bool do_meet(const body_set *c, uint32_t a, uint32_t b)
{
    const uint8_t flags_a = c->has_flags ? c->flags[a] : 0,
                  flags_b = c->has_flags ? c->flags[b] : 0;
    uint64_t group_a = c->has_groups ? c->group[a] : UINT64_MAX;
    uint64_t group_b = c->has_groups ? c->group[b] : UINT64_MAX;
    uint64_t mask_a = c->has_masks ? c->mask[a] : group_a;
    uint64_t mask_b = c->has_masks ? c->mask[b] : group_b;
    if ((flags_a | flags_b) & SCREE_NO_BOUND)
        return false;
    if (flags_a & flags_b & (SCREE_FIXED | SCREE_INFINITE))
        return false;
    if (c->has_owners && c->owner[a] != 0 && c->owner[a] == c->owner[b])
        return false;
    return (group_a & mask_b) != 0 && (group_b & mask_a) != 0;
}

static void check_pairs(const body_set *c, scree_detector *d, int step)
{
    static bool found[MOST][MOST];
    scree_pairs pairs;
    memset(found, 0, sizeof found);
    CHECK_EQUAL(scree_detector_pairs(d, NULL, &pairs), SCREE_OK);
    SCREE_FOR_EACH_PAIR(pairs, i, j) {
        CHECK(i < j && j < MOST && !found[i][j]);
        found[i][j] = true;
    }
    for (uint32_t a = 0; a < c->count; a++)
        for (uint32_t b = 0; b < c->count; b++)
            if (c->id[a] < c->id[b] && found[c->id[a]][c->id[b]] != do_meet(c, a, b))
                FAIL("step %d: pair %u %u is %s", step, c->id[a], c->id[b],
                     do_meet(c, a, b) ? "missing" : "wrong");
}

/*  The filters of one body: one of so many kinds. */
static void choose_filters(body_set *c, uint32_t row, uint32_t kinds, scree_random *random)
{
    uint32_t kind = scree_random_below(random, kinds);
    scree_random of_kind = scree_random_stream(99, kind);
    c->group[row] = kinds % 2 ? 1 /* only masks tell kinds apart */
                              : scree_random_u64(&of_kind) & 0x8000000000000f0fu;
    c->mask[row] = scree_random_u64(&of_kind) & 0x8000000000000f0fu;
    c->flags[row] = scree_random_below(&of_kind, 3) == 0 && kinds % 2 == 0 ? SCREE_FIXED : 0;
    /* of many owners most pairs have two, and are looked at together: only some groups of them lose any */
    c->owner[row] = scree_random_below(random, kinds % 3 == 1 ? 4 : 300);
}

static body_set make_body_set(uint32_t kinds, scree_random *random)
{
    body_set c = {.count = MOST};
    c.has_groups = scree_random_below(random, 2);
    c.has_masks = scree_random_below(random, 2);
    c.has_owners = scree_random_below(random, 2);
    c.has_flags = scree_random_below(random, 2);
    for (uint32_t row = 0; row < MOST; row++) {
        c.id[row] = row;
        choose_filters(&c, row, kinds, random);
    }
    return c;
}

/*  What happens between two searches. */
static void change(body_set *c, uint32_t kinds, scree_random *random)
{
    uint32_t row = scree_random_below(random, c->count),
             other = scree_random_below(random, c->count);
    uint32_t id = c->id[row];
    switch (scree_random_below(random, 5)) {
    case 0: /* nothing */
        break;
    case 1:
        choose_filters(c, row, kinds, random);
        break;
    case 2: /* rows in another order: filters of ids change, those of rows do not */
        c->id[row] = c->id[other];
        c->id[other] = id;
        break;
    case 3:
        c->has_groups = c->has_masks = true; /* columns that were given are given ever after */
        break;
    default:
        c->flags[row] = (uint8_t)(scree_random_below(random, 2) ? SCREE_INFINITE : SCREE_NO_BOUND);
        break;
    }
}

static void play(uint32_t kinds, uint64_t seed, const char *method)
{
    scree_random random = scree_random_stream(seed, kinds);
    scree_detector_def def = scree_default_detector_def();
    scree_detector *d;
    def.method = method;
    body_set c = make_body_set(kinds, &random);
    CHECK_EQUAL(scree_detector_create(&def, &d), SCREE_OK);
    for (int step = 0; step < 12; step++) {
        scree_table table = table_of(&c);
        CHECK_EQUAL(scree_detector_update(d, &table, NULL), SCREE_OK);
        check_pairs(&c, d, step);
        uint32_t row = scree_random_below(&random, c.count);
        choose_filters(&c, row, kinds, &random);
        table = table_of(&c);
        const scree_rows dirty = {&row, 1};
        CHECK_EQUAL(scree_detector_update(d, &table, &dirty), SCREE_OK);
        check_pairs(&c, d, step);
        change(&c, kinds, &random);
    }
    scree_detector_destroy(d);
}

TEST(filters_are_those_of_the_rule)
{
    static const uint32_t kinds[] = {1, 2, 5, 30, 61, 62, 64, 65, 70, 1000};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        for (uint64_t seed = 1; seed <= TEST_EFFORT(6u, 40u); seed++) {
            play(kinds[k], seed, "flat");
            play(kinds[k], seed, "bvh8");
        }
}

/*  More bodies than a block has rows, so that whole columns are compared at once: one of them changes. */
TEST(a_change_in_a_long_column_is_seen)
{
    enum
    {
        ROWS = 20000
    };
    static double x[ROWS], zero[ROWS], radius[ROWS];
    static uint64_t group[ROWS];
    static uint8_t flags[ROWS];
    for (int column = 0; column < 2; column++) {
        scree_detector_def def = scree_default_detector_def();
        scree_detector *d;
        scree_pairs pairs;
        for (uint32_t k = 0; k < ROWS; k++) { /* a chain, in which each touches the next */
            x[k] = k;
            radius[k] = 0.5;
            group[k] = 1;
            flags[k] = 0;
        }
        scree_view along = scree_doubles(x, sizeof *x), none = scree_doubles(zero, sizeof *zero);
        scree_table table =
            scree_table_spheres(ROWS, along, none, none, scree_doubles(radius, sizeof *radius));
        table.groups = scree_integer_view(group, sizeof *group);
        table.flags = scree_integer_view(flags, sizeof *flags);
        CHECK_EQUAL(scree_detector_create(&def, &d), SCREE_OK);
        for (uint32_t row = 0; row < ROWS; row += 4999) {
            CHECK_EQUAL(scree_detector_update(d, &table, NULL), SCREE_OK);
            CHECK_EQUAL(scree_detector_pairs(d, NULL, &pairs), SCREE_OK);
            CHECK_EQUAL(pairs.count, ROWS - 1);
            group[row] = column == 0 ? 2 : 1;
            flags[row] = flags[row + 1] = column == 1 ? SCREE_FIXED : 0;
            CHECK_EQUAL(scree_detector_update(d, &table, NULL), SCREE_OK);
            CHECK_EQUAL(scree_detector_pairs(d, NULL, &pairs), SCREE_OK);
            CHECK_EQUAL(pairs.count, column == 0 && row > 0 ? ROWS - 3 : ROWS - 2);
            group[row] = 1;
            flags[row] = flags[row + 1] = 0;
        }
        scree_detector_destroy(d);
    }
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(filters_are_those_of_the_rule),
        CASE(a_change_in_a_long_column_is_seen),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
