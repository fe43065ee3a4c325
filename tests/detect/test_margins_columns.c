/*  Margins with all that a table can have beside numbers: filters that change while no body moves, bodies
    without bounds, floats, rows far apart. */
#include "margin_troop.h"

typedef struct columns
{
    uint64_t groups[3], masks[3];
    uint32_t owners[3];
    uint8_t flags[3];
} columns;

static uint64_t count_pairs(troop *t, scree_table table, double dt)
{
    scree_motion motion = troop_motion(t);
    scree_pairs pairs;
    if (scree_detector_advance(t->detector, &table, &motion, dt, &t->did))
        FAIL("%s", scree_detector_message(t->detector));
    CHECK(scree_detector_pairs(t->detector, NULL, &pairs) == SCREE_OK);
    return pairs.count;
}

/*  Two bodies that touch; in the n-th case something keeps them apart. */
static columns filter(int n, bool apart)
{
    columns c = {{1, 1, 1}, {1, 1, 1}, {1, 2, 3}, {0, 0, 0}};
    if (n == 0 && apart)
        c.groups[0] = c.masks[0] = 2;
    if (n == 1 && apart)
        c.masks[1] = 0;
    if (n == 2 && apart)
        c.owners[1] = 1;
    if (n == 3 && apart)
        c.flags[0] = c.flags[1] = SCREE_FIXED;
    if (n == 4 && apart)
        c.flags[1] = SCREE_NO_BOUND;
    return c;
}

static void give(scree_table *table, const columns *c, int n)
{
    if (n == 0)
        table->groups = scree_integer_view(c->groups, sizeof *c->groups);
    if (n <= 1)
        table->masks = scree_integer_view(c->masks, sizeof *c->masks);
    if (n == 2)
        table->owners = scree_integer_view(c->owners, sizeof *c->owners);
    if (n >= 3)
        table->flags = scree_integer_view(c->flags, sizeof *c->flags);
}

TEST(filters_that_change_are_noticed)
{
    for (int kind = SCREE_MARGIN_SKIN; kind <= SCREE_MARGIN_PER_BODY; kind++)
        for (int n = 0; n < 10; n++) {
            scree_detector_def def = troop_def((scree_margin_kind)kind);
            troop t;
            def.volume = n >= 5 ? SCREE_BOXES : SCREE_SPHERES;
            troop_open(&t, &def, 3);
            t.x[1][0] = 1.5;
            t.lower[1][0] = 0.2;
            for (int step = 0; step < 8; step++) {
                bool apart = step / 2 % 2;
                columns c = filter(n % 5, apart);
                scree_table table = troop_table(&t);
                give(&table, &c, n % 5);
                CHECK_EQUAL(count_pairs(&t, table, 1), !apart);
                CHECK_EQUAL(t.did.ran, step % 2 == 0);
            }
            /* without the column the defaults hold: nothing keeps them apart */
            columns c = filter(n % 5, true);
            scree_table table = troop_table(&t);
            give(&table, &c, n % 5);
            CHECK_EQUAL(count_pairs(&t, table, 1), 0);
            CHECK_EQUAL(count_pairs(&t, troop_table(&t), 1), 1);
            CHECK_EQUAL(count_pairs(&t, troop_table(&t), 1), 1);
            CHECK(!t.did.ran);
            troop_close(&t);
        }
}

TEST(bodies_without_bounds_have_no_speed)
{
    scree_detector_def def = troop_def(SCREE_MARGIN_DISTANCE);
    columns c = filter(4, true);
    troop t;
    def.margin.length = 1;
    def.margin.trust_velocities = true;
    troop_open(&t, &def, 3);
    t.v[0][0] = 0.2;
    t.v[1][0] = 1e9;
    scree_table table = troop_table(&t);
    give(&table, &c, 4);
    for (int step = 0; step < 20; step++) {
        (void)count_pairs(&t, table, 1);
        CHECK_EQUAL(t.did.ran, step % 5 == 0);
        CHECK_NEAR(t.detector->margin.last.largest, 0.2, 1e-15);
    }
    troop_close(&t);
}

/*  Ids are a matter of the calls made, not of what a margin skipped. */
TEST(new_bodies_get_the_same_ids_with_every_margin)
{
    for (int kind = SCREE_MARGIN_NONE; kind <= SCREE_MARGIN_PER_BODY; kind++) {
        scree_detector_def def = troop_def((scree_margin_kind)kind);
        const uint32_t gone[2] = {2, 4};
        uint32_t ids[3];
        troop t;
        troop_open(&t, &def, 5);
        scree_table table = troop_table(&t);
        (void)count_pairs(&t, table, 1);
        CHECK(scree_detector_remove(t.detector, gone, 2) == SCREE_OK);
        const uint32_t left[3] = {0, 1, 3};
        table.count = 3;
        table.ids = scree_integer_view(left, sizeof *left);
        (void)count_pairs(&t, table, 1);
        table.ids.data = NULL;
        CHECK(scree_detector_insert(t.detector, &table, ids) == SCREE_OK);
        for (uint32_t k = 0; k < 3; k++)
            CHECK_EQUAL(ids[k], 4 + k);
        troop_close(&t);
    }
}

/*  The same motion in floats, in rows of 40 bytes, and in the plain form. */
TEST(floats_and_strides_make_no_difference)
{
    static float rows[TROOP_MAX][10];
    for (int kind = SCREE_MARGIN_SKIN; kind <= SCREE_MARGIN_PER_BODY; kind++) {
        scree_detector_def def = troop_def((scree_margin_kind)kind);
        troop plain, other;
        troop_open(&plain, &def, 30);
        troop_open(&other, &def, 30);
        for (int step = 0; step < 50; step++) {
            scree_motion motion;
            memset(&motion, 0, sizeof motion);
            for (size_t i = 0; i < 30; i++)
                for (int k = 0; k < 3; k++) {
                    double v =
                        0.0625 * (double)((i * 7 + (size_t)k * 5 + (size_t)step) % 9) / 8 - 0.03125;
                    plain.v[i][k] = v;
                    rows[i][k] = (float)plain.x[i][k];
                    rows[i][4 + k] = (float)v;
                    rows[i][3] = 1;
                }
            for (int k = 0; k < 3; k++)
                motion.velocity[k] = scree_floats(&rows[0][4 + k], sizeof rows[0]);
            scree_table table = scree_table_spheres(30, scree_floats(&rows[0][0], sizeof rows[0]),
                                                    scree_floats(&rows[0][1], sizeof rows[0]),
                                                    scree_floats(&rows[0][2], sizeof rows[0]),
                                                    scree_floats(&rows[0][3], sizeof rows[0]));
            CHECK(scree_detector_advance(other.detector, &table, &motion, 1, &other.did) ==
                  SCREE_OK);
            CHECK_EQUAL(troop_advance(&plain, 1), other.did.ran);
            CHECK_EQUAL(plain.did.mapped, other.did.mapped);
            CHECK(plain.did.used == other.did.used);
            troop_move(&plain, 1);
        }
        troop_close(&plain);
        troop_close(&other);
    }
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(filters_that_change_are_noticed),
        CASE(bodies_without_bounds_have_no_speed),
        CASE(new_bodies_get_the_same_ids_with_every_margin),
        CASE(floats_and_strides_make_no_difference),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
