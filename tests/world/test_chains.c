/*  Force chains: rows with a known answer, a slow obvious reference in two and three dimensions, and bit-identical results whatever method,
    threads and order of bodies. */
#include "harness/failing_allocator.h"
#include "harness/world_maker.h"

#include "base/random.h"
#include "scree/chains.h"
#include "scree/shape.h"

#include <math.h>

#define R 0.01
#define PI 3.14159265358979323846
#define MOST 600 /* bodies */

static scree_world_def some_def(int dimensions)
{
    scree_world_def def = scree_default_world_def();

    def.dimensions = dimensions;
    def.step.dt = 1e-6;
    def.overlap_limit = INFINITY;
    return def;
}

typedef struct found
{
    size_t count;
    scree_chain_body body[MOST];
    uint32_t member[MOST];
    scree_chains all;
} found;

static const found *look(scree_world *world, const scree_chains_def *def)
{
    static found f;

    memset(&f, 0, sizeof f);
    f.count = scree_world_body_count(world);
    CHECK(f.count <= MOST);
    if (scree_world_chains(world, def, f.body, f.member, f.count, &f.all))
        FAIL("%s", scree_world_message(world));
    return &f;
}

static size_t row_of(scree_world *world, uint64_t serial)
{
    scree_bodies_view view = scree_world_bodies(world);
    size_t row = 0;

    while (row < view.count && scree_uint64_at(view.serial, row) != serial)
        row++;
    CHECK(row < view.count);
    return row;
}

/*  Columns of 7, far from each other and leaning by 30 degrees, with every third pressed ten times deeper. */
TEST(deep_columns_are_chains)
{
    enum
    {
        COLUMNS = 8,
        HEIGHT = 7
    };

    for (int dimensions = 2; dimensions <= 3; dimensions++) {
        scree_world_def def = some_def(dimensions);
        scree_chains_def chains = scree_default_chains_def();
        def.step.dt = 1e-12; /* bodies hardly move before one looks */
        scree_world *world = make_world(&def, NULL);
        for (int c = 0; c < COLUMNS; c++)
            for (int k = 0; k < HEIGHT; k++) {
                double along = k * (c % 3 ? 1.999 : 1.99) * R;
                scree_body_def body = ball(R, c * 10 * R + along * 0.5, along * sqrt(0.75), 0);
                add(world, &body);
            }
        step(world, 1);
        const found *f = look(world, &chains);
        CHECK_EQUAL(f->all.count, 3);
        CHECK_EQUAL(f->all.bodies, 3 * HEIGHT);
        CHECK_EQUAL(f->all.longest, HEIGHT);
        CHECK_NEAR(f->all.mean_length, HEIGHT, 0);
        CHECK_NEAR(f->all.share, 3.0 / COLUMNS, 1e-15);
        for (uint32_t i = 0; i < f->all.bodies; i++) {
            size_t serial = 3 * HEIGHT * (i / HEIGHT) + i % HEIGHT + 1;
            CHECK_EQUAL(f->member[i], row_of(world, serial));
            CHECK_EQUAL(f->body[f->member[i]].chain, i / HEIGHT + 1);
        }
        /* a middle one is pressed from both sides, an end from one: force times radius, over its volume */
        const scree_contact *contacts;
        size_t many;
        CHECK_EQUAL(scree_world_contacts(world, NULL, &contacts, &many), SCREE_OK);
        double force = sqrt(contacts[0].force[0] * contacts[0].force[0] +
                            contacts[0].force[1] * contacts[0].force[1]);
        double volume = dimensions == 2 ? PI * R * R : 4.0 / 3 * PI * R * R * R;
        const scree_chain_body *end = &f->body[row_of(world, 1)],
                               *next = &f->body[row_of(world, 2)];
        CHECK_NEAR(end->stress / (force * 0.995 * R / volume), 1, 1e-9);
        CHECK_NEAR(next->stress / end->stress, 2, 1e-9);
        CHECK_NEAR(fabs(next->direction[0] * 0.5 + next->direction[1] * sqrt(0.75)), 1, 1e-12);
        scree_world_destroy(world);
    }
}

/*  A row that goes left and right by 30 degrees is one chain where 31 are allowed, and none where 29 are; a pair is none. */
TEST(the_angle_decides)
{
    scree_world_def def = some_def(2);
    scree_world *world = make_world(&def, NULL);
    scree_chains_def chains = scree_default_chains_def();

    for (int k = 0; k < 9; k++) {
        scree_body_def body = ball(R, k % 2 ? 0.995 * R : 0, k * 1.99 * R * sqrt(0.75), 0);
        add(world, &body);
    }
    for (int k = 0; k < 2; k++) {
        scree_body_def body = ball(R, 10 * R + k * 1.98 * R, 0, 0);
        add(world, &body);
    }
    step(world, 1);
    chains.above = 0;
    chains.angle = 31 * PI / 180;
    CHECK_EQUAL(look(world, &chains)->all.count, 1);
    CHECK_EQUAL(look(world, &chains)->all.bodies, 9);
    chains.min_bodies = 2;
    CHECK_EQUAL(look(world, &chains)->all.count, 2);
    chains.min_bodies = 10;
    CHECK_EQUAL(look(world, &chains)->all.count, 0);
    chains.min_bodies = 3;
    chains.angle = 29 * PI / 180;
    CHECK_EQUAL(look(world, &chains)->all.count, 0);
    scree_world_destroy(world);
}

/*  Across a boundary that is periodic a row is as long as anywhere, and what pulls is no link. */
TEST(boundaries_are_not_seen)
{
    scree_world_def def = some_def(3);
    scree_chains_def chains = scree_default_chains_def();

    def.domain.boundary[0] = SCREE_BOUNDARY_PERIODIC;
    def.domain.upper[0] = 10 * 1.99 * R;
    def.domain.boundary[1] = SCREE_BOUNDARY_PERIODIC;
    def.domain.upper[1] = 20 * R;
    chains.above = 0.9;
    scree_world *world = make_world(&def, NULL);
    for (int k = 0; k < 10; k++) {
        scree_body_def body = ball(R, (k + 0.3) * 1.99 * R, 0.1 * R, 0);
        add(world, &body);
    }
    step(world, 1);
    const found *f = look(world, &chains);
    CHECK_EQUAL(f->all.count, 1);
    CHECK_EQUAL(f->all.bodies, 10);
    CHECK_NEAR(f->body[0].stress / f->all.mean_stress, 1, 1e-9);
    scree_world_destroy(world);
}

/* ---- a reference ---- */

/*  A heap in disorder, pressed, in a corner of walls. */
static scree_world *disorder(int dimensions, uint64_t seed, const scree_world_def *def)
{
    scree_world *world = make_world(def, NULL);
    scree_random random = scree_random_stream(seed, 0);
    scree_wall_def wall = scree_default_wall_def();
    int side = dimensions == 2 ? 20 : 7, layers = dimensions == 2 ? 1 : 7;

    wall.material.index1 = 1;
    for (int k = 0; k < dimensions; k++) {
        for (int i = 0; i < 3; i++)
            wall.normal[i] = i == k;
        CHECK_EQUAL(scree_world_add_wall(world, &wall, NULL), SCREE_OK);
    }
    for (int i = 0; i < side * side * layers; i++) {
        double place[3];
        for (int k = 0; k < 3; k++)
            place[k] = R * scree_random_range(&random, -0.15, 0.15);
        double radius = R * scree_random_range(&random, 0.7, 1.1);
        scree_body_def body =
            ball(radius, (i % side + 0.5) * 1.85 * R + place[0],
                 (i / side % side + 0.5) * 1.85 * R + place[1],
                 dimensions == 2 ? 0 : (i / side / side + 0.5) * 1.85 * R + place[2]);
        add(world, &body);
    }
    return world;
}

typedef struct reference_body
{
    double sum[3][3], stress, direction[3];
    int chain;
} reference_body;

/*  The power method on the tensor made positive. */
static void reference_principal(reference_body *t, double volume)
{
    double shift = 0, v[3] = {0.3, 0.5, 0.8}, w[3], length = 0;

    for (int i = 0; i < 9; i++)
        shift += fabs(t->sum[i / 3][i % 3]);
    if (shift == 0)
        return;
    for (int round = 0; round < 20000; round++) {
        length = 0;
        for (int i = 0; i < 3; i++) {
            w[i] = shift * v[i];
            for (int k = 0; k < 3; k++)
                w[i] += (t->sum[i][k] + t->sum[k][i]) / 2 * v[k];
            length += w[i] * w[i];
        }
        length = sqrt(length);
        for (int i = 0; i < 3; i++)
            v[i] = w[i] / length;
    }
    t->stress = (length - shift) / volume;
    memcpy(t->direction, v, sizeof v);
}

static void reference_stresses(scree_world *world, int dimensions, reference_body *t)
{
    scree_bodies_view view = scree_world_bodies(world);
    const scree_contact *contacts;
    size_t many;

    CHECK_EQUAL(scree_world_contacts(world, NULL, &contacts, &many), SCREE_OK);
    for (size_t b = 0; b < view.count; b++) {
        memset(&t[b], 0, sizeof t[b]);
        for (size_t c = 0; c < many; c++) {
            bool is_first = contacts[c].first.index1 == scree_body_id_at(view.id, b).index1;
            if (!is_first && contacts[c].second.index1 != scree_body_id_at(view.id, b).index1)
                continue;
            for (int i = 0; i < dimensions; i++)
                for (int k = 0; k < dimensions; k++)
                    t[b].sum[i][k] -= (is_first ? 1 : -1) * contacts[c].force[i] *
                                      (contacts[c].point[k] - scree_row_at(view.position, b)[k]);
        }
        double r = scree_double_at(view.radius, b);
        reference_principal(&t[b], dimensions == 2 ? PI * r * r : 4.0 / 3 * PI * r * r * r);
    }
}

/*  All sets by going through all contacts until nothing changes. */
static void reference_links(scree_world *world, const scree_chains_def *def, reference_body *t)
{
    scree_bodies_view view = scree_world_bodies(world);
    const scree_contact *contacts;
    size_t many;
    double mean = 0;
    bool changes = true;

    CHECK_EQUAL(scree_world_contacts(world, NULL, &contacts, &many), SCREE_OK);
    for (size_t b = 0; b < view.count; b++)
        mean += t[b].stress / (double)view.count;
    for (size_t b = 0; b < view.count; b++)
        t[b].chain = t[b].stress > def->above * mean ? (int)b + 1 : 0;
    while (changes) {
        changes = false;
        for (size_t c = 0; c < many; c++) {
            if (!contacts[c].second.index1)
                continue;
            reference_body *end[2] = {NULL, NULL};
            double line[3], length = 0, along[2] = {0, 0};
            size_t row[2] = {0, 0};
            while (scree_body_id_at(view.id, row[0]).index1 != contacts[c].first.index1)
                row[0]++;
            while (scree_body_id_at(view.id, row[1]).index1 != contacts[c].second.index1)
                row[1]++;
            for (int k = 0; k < 3; k++) {
                line[k] =
                    scree_row_at(view.position, row[1])[k] - scree_row_at(view.position, row[0])[k];
                length += line[k] * line[k];
            }
            for (int e = 0; e < 2; e++) {
                end[e] = &t[row[e]];
                for (int k = 0; k < 3; k++)
                    along[e] += end[e]->direction[k] * line[k] / sqrt(length);
            }
            if (!end[0]->chain || !end[1]->chain || end[0]->chain == end[1]->chain ||
                acos(fmin(1, fabs(along[0]))) > def->angle ||
                acos(fmin(1, fabs(along[1]))) > def->angle)
                continue;
            int least = end[0]->chain < end[1]->chain ? end[0]->chain : end[1]->chain;
            end[0]->chain = end[1]->chain = least;
            changes = true;
        }
    }
}

static void compare_with_reference(scree_world *world, int dimensions, const scree_chains_def *def)
{
    static reference_body t[MOST];
    const found *f = look(world, def);
    size_t chains = 0, bodies = 0, many[MOST + 1] = {0}, at = 0;

    reference_stresses(world, dimensions, t);
    reference_links(world, def, t);
    for (size_t b = 0; b < f->count; b++)
        many[t[b].chain] += t[b].chain > 0;
    for (size_t b = 0; b < f->count; b++) {
        bool is_in_chain = many[t[b].chain] >= def->min_bodies;
        CHECK_NEAR(f->body[b].stress / f->all.mean_stress, t[b].stress / f->all.mean_stress, 1e-8);
        CHECK_EQUAL(f->body[b].chain > 0, is_in_chain);
        bodies += is_in_chain;
        if (!is_in_chain)
            continue;
        /* the first of each gets the next number, and all others the same */
        if (t[b].chain == (int)b + 1)
            chains++;
        CHECK_EQUAL(f->body[b].chain > chains, 0);
        CHECK_EQUAL(f->body[b].chain, f->body[t[b].chain - 1].chain);
    }
    CHECK_EQUAL(f->all.count, chains);
    CHECK_EQUAL(f->all.bodies, bodies);
    for (uint32_t c = 1; c <= chains; c++)
        for (uint32_t b = 0; b < f->count; b++)
            if (f->body[b].chain == c)
                CHECK_EQUAL(f->member[at++], b);
    CHECK_EQUAL(at, bodies);
}

TEST(a_slow_reference_finds_the_same)
{
    size_t chains = 0;

    for (int dimensions = 2; dimensions <= 3; dimensions++)
        for (uint64_t seed = 1; seed <= 6; seed++) {
            scree_world_def def = some_def(dimensions);
            scree_chains_def asked = scree_default_chains_def();
            /* rows stay in the order of serials */
            def.detection.sort_every = 0;
            scree_world *world = disorder(dimensions, seed, &def);
            asked.angle = seed % 2 ? PI / 4 : PI / 7;
            asked.above = seed % 3 ? 1 : 0.6;
            step(world, 1);
            compare_with_reference(world, dimensions, &asked);
            chains += look(world, &asked)->all.count;
            scree_world_destroy(world);
        }
    CHECK(chains > 60);
}

/* ---- bit-identical results ---- */

TEST(ways_to_find_it_are_not_seen)
{
    static const struct
    {
        const char *method;
        uint32_t threads, sort_every;
    } ways[] = {
        {"bounding-volume", 1, 0}, {"flat", 1, 1},       {"bvh8", 3, 7},
        {"hash-grids", 2, 0},      {"cell-space", 4, 3},
    };

    for (int dimensions = 2; dimensions <= 3; dimensions++) {
        static found first;
        for (size_t w = 0; w < sizeof ways / sizeof *ways; w++) {
            scree_world_def def = some_def(dimensions);
            scree_chains_def asked = scree_default_chains_def();
            def.detection.method = ways[w].method;
            def.compute.thread_count = ways[w].threads;
            def.detection.sort_every = ways[w].sort_every;
            scree_world *world = disorder(dimensions, 11, &def);
            scree_bodies_view view = scree_world_bodies(world);
            CHECK_EQUAL(scree_world_remove_body(world, scree_body_id_at(view.id, 5)), SCREE_OK);
            step(world, 40);
            const found *f = look(world, &asked);
            view = scree_world_bodies(world);
            if (w == 0) {
                first = *f;
                CHECK(f->all.count > 3);
            }
            CHECK(memcmp(&first.all, &f->all, sizeof f->all) == 0);
            for (size_t b = 0; b < f->count; b++) {
                /* the first was never sorted, and the last body took the place of the one that went */
                size_t serial = (size_t)scree_uint64_at(view.serial, b), last = f->count + 1;
                const scree_chain_body *reference = &first.body[serial == last ? 5 : serial - 1];
                CHECK(reference->stress == f->body[b].stress &&
                      reference->chain == f->body[b].chain);
                CHECK(memcmp(reference->direction, f->body[b].direction,
                             sizeof reference->direction) == 0);
            }
            scree_world_destroy(world);
        }
    }
}

TEST(what_cannot_be_is_refused)
{
    scree_world_def def = some_def(3);
    scree_world *world = disorder(3, 2, &def);
    scree_chains_def good = scree_default_chains_def(), bad;
    static scree_chain_body bodies[MOST];
    size_t count = scree_world_body_count(world);
    scree_chains chains = {.count = 77};

    CHECK_EQUAL(scree_world_chains(NULL, &good, bodies, NULL, count, &chains), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_world_chains(world, NULL, bodies, NULL, count, &chains), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_world_chains(world, &good, NULL, NULL, count, &chains), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_world_chains(world, &good, bodies, NULL, count, NULL), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_world_chains(world, &good, bodies, NULL, count - 1, &chains),
                SCREE_BAD_ARGUMENT);
    CHECK_SAYS(scree_world_message(world), "the world has 343 bodies");
    bad = good;
    bad.cookie = 0;
    CHECK_EQUAL(scree_world_chains(world, &bad, bodies, NULL, count, &chains), SCREE_BAD_DEF);
    bad = good;
    bad.min_bodies = 1;
    CHECK_EQUAL(scree_world_chains(world, &bad, bodies, NULL, count, &chains), SCREE_BAD_VALUE);
    CHECK_SAYS(scree_world_message(world), "least is 1, must be 2 or more");
    bad = good;
    bad.angle = NAN;
    CHECK_EQUAL(scree_world_chains(world, &bad, bodies, NULL, count, &chains), SCREE_BAD_VALUE);
    CHECK_SAYS(scree_world_message(world), "angle");
    bad = good;
    bad.above = -1;
    CHECK_EQUAL(scree_world_chains(world, &bad, bodies, NULL, count, &chains), SCREE_BAD_VALUE);
    CHECK_SAYS(scree_world_message(world), "above");
    CHECK_EQUAL(chains.count, 77);
    scree_world_destroy(world);

    /* no body is there, and no body touches */
    world = make_world(&def, NULL);
    CHECK_EQUAL(look(world, &good)->all.count, 0);
    scree_body_def body = ball(R, 0, 0, 0);
    add(world, &body);
    CHECK_EQUAL(look(world, &good)->all.bodies, 0);
    scree_world_destroy(world);
}

TEST(without_memory_nothing_is_written)
{
    for (size_t k = 1;; k++) {
        failing_allocator memory = {0};
        scree_world_def def = some_def(2);
        scree_chains_def asked = scree_default_chains_def();
        static scree_chain_body bodies[MOST];
        static uint32_t members[MOST];
        scree_chains chains = {.count = 77};

        def.hooks.allocator = failing_allocator_hooks(&memory);
        scree_world *world = disorder(2, 3, &def);
        step(world, 1);
        bodies[0].chain = 99;
        members[0] = 98;
        memory.requests = 0;
        memory.fail_at = k;
        scree_status status = scree_world_chains(world, &asked, bodies, members,
                                                 scree_world_body_count(world), &chains);
        bool is_last = memory.requests < k;
        CHECK((status == SCREE_OK) == is_last);
        if (!is_last) {
            CHECK_EQUAL(status, SCREE_OUT_OF_MEMORY);
            CHECK(bodies[0].chain == 99 && members[0] == 98 && chains.count == 77);
        }
        memory.fail_at = 0;
        scree_world_destroy(world);
        CHECK(failing_allocator_is_clean(&memory));
        if (is_last) {
            CHECK(k > 7);
            break;
        }
    }
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(deep_columns_are_chains),           CASE(the_angle_decides),
        CASE(boundaries_are_not_seen),           CASE(a_slow_reference_finds_the_same),
        CASE(ways_to_find_it_are_not_seen),      CASE(what_cannot_be_is_refused),
        CASE(without_memory_nothing_is_written),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
