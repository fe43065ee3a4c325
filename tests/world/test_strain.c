/*  A periodic domain that is tilted and moves: images are where and as fast as a slow reference has them, nothing is late, energy
    is recorded, and no byte depends on how pairs were found. */
#include "base/random.h"
#include "harness/failing_allocator.h"
#include "harness/world_maker.h"
#include "scree/cell.h"
#include "scree/checkpoint.h"
#include "scree/fields.h"
#include "scree/io.h"

#include <math.h>

static scree_world_def periodic_def(void)
{
    scree_world_def def = scree_default_world_def();

    def.step.dt = 1e-4;
    for (int k = 0; k < 3; k++) {
        def.domain.boundary[k] = SCREE_BOUNDARY_PERIODIC;
        def.domain.upper[k] = 1;
    }
    return def;
}

static scree_cell_def cell_of(const scree_world *world)
{
    scree_cell_def cell;

    scree_world_get_cell(world, &cell);
    return cell;
}

static void set(scree_world *world, const scree_cell_def *cell)
{
    if (scree_world_set_cell(world, cell))
        FAIL("%s", scree_world_message(world));
}

static void shear(scree_world *world, double rate)
{
    scree_cell_def cell = cell_of(world);

    cell.gradient[0][1] = rate;
    set(world, &cell);
}

/* ---- one body ---- */

/*  A body without neighbours goes straight on; what is seen is the image of that in the box. */
TEST(a_wrapped_body_is_as_fast_as_its_image)
{
    scree_world_def def = periodic_def();
    scree_body_def body = ball(0.01, 0.4, 0.6, 0.7);
    uint32_t crossings = 0;

    def.step.dt = 0x1p-10;
    scree_world *world = make_world(&def, NULL);
    scree_cell_def cell = cell_of(world);
    cell.tilt[0] = 0.25;
    cell.tilt[1] = -0.125;
    cell.tilt[2] = 0.375;
    cell.gradient[0][1] = 0.5;
    cell.gradient[0][2] = 0.25;
    cell.gradient[1][2] = -1;
    set(world, &cell);
    body.velocity[0] = 0.25;
    body.velocity[1] = 2;
    body.velocity[2] = -3;
    scree_body_id id = add(world, &body);
    for (int k = 1; k <= 4000; k++) {
        scree_body was = body_of(world, id), is;
        double n[3] = {0}, edge[3];
        step(world, 1);
        is = body_of(world, id);
        cell = cell_of(world);
        CHECK(fabs(cell.tilt[0]) <= 0.5 && fabs(cell.tilt[1]) <= 0.5 && fabs(cell.tilt[2]) <= 0.5);
        for (int a = 0; a < 3; a++)
            CHECK(is.position[a] >= 0 && is.position[a] <= 1);
        /* as many edges as the place has come in by, from the last axis on */
        n[2] = nearbyint(was.position[2] + was.velocity[2] * def.step.dt - is.position[2]);
        n[1] = nearbyint(was.position[1] + was.velocity[1] * def.step.dt - n[2] * cell.tilt[2] -
                         is.position[1]);
        n[0] = nearbyint(was.position[0] + was.velocity[0] * def.step.dt - n[2] * cell.tilt[1] -
                         n[1] * cell.tilt[0] - is.position[0]);
        edge[0] = n[0] + n[1] * cell.tilt[0] + n[2] * cell.tilt[1];
        edge[1] = n[1] + n[2] * cell.tilt[2];
        edge[2] = n[2];
        for (int a = 0; a < 3; a++)
            CHECK_NEAR(was.position[a] + was.velocity[a] * def.step.dt - edge[a], is.position[a],
                       1e-14);
        /* to the last bit where numbers have few of them */
        double faster[3] = {0.5 * edge[1] + 0.25 * edge[2], -edge[2], 0};
        for (int a = 0; a < 3; a++)
            CHECK_NEAR(is.velocity[a], was.velocity[a] - faster[a], 1e-14);
        if (n[1] != 0 && n[2] == 0)
            CHECK(is.velocity[0] == was.velocity[0] - 0.5 * n[1]);
        crossings += n[1] != 0 || n[2] != 0;
    }
    CHECK(crossings > 10);
    scree_world_destroy(world);
}

/*  Tilts of half a period to either side are the same lattice. */
TEST(a_tilt_and_its_flip_are_the_same)
{
    scree_world_def def = periodic_def();
    scree_world *worlds[2];
    scree_body_id ids[2][2];

    def.step.dt = 0x1p-14;
    for (int w = 0; w < 2; w++) {
        worlds[w] = make_world(&def, NULL);
        scree_cell_def cell = cell_of(worlds[w]);
        cell.tilt[0] = w ? -0.5 : 0.5;
        set(worlds[w], &cell);
        scree_body_def body = ball(0.0625, 0.25, 0.96875, 0.5);
        ids[w][0] = add(worlds[w], &body);
        body = ball(0.0625, 0.8125, 0.0625, 0.53125);
        body.velocity[0] = -0.5;
        ids[w][1] = add(worlds[w], &body);
        step(worlds[w], 3000);
    }
    CHECK(body_of(worlds[0], ids[0][0]).velocity[0] != 0);
    for (int b = 0; b < 2; b++) {
        scree_body one = body_of(worlds[0], ids[0][b]), other = body_of(worlds[1], ids[1][b]);
        for (int k = 0; k < 3; k++) {
            CHECK_NEAR(one.position[k], other.position[k], 1e-13);
            CHECK_NEAR(one.velocity[k], other.velocity[k], 1e-10);
            CHECK_NEAR(one.spin[k], other.spin[k], 1e-8);
        }
    }
    scree_world_destroy(worlds[0]);
    scree_world_destroy(worlds[1]);
}

/* ---- a pair across the boundary, and its reference without one ---- */

typedef struct pair_case
{
    scree_simd simd;
    scree_integrator integrator;
    double close; /* tolerance of velocities */
    bool are_clumps;
} pair_case;

/*  A ball with a pebble on it that is not in the way. */
static scree_clump *make_clump(void)
{
    static const scree_pebble pebbles[2] = {{{0, 0, 0}, 0.05}, {{0, 0, 0.02}, 0.04}};
    scree_clump_def def = scree_default_clump_def();
    scree_clump *clump;

    def.pebbles = pebbles;
    def.pebble_count = 2;
    CHECK_EQUAL(scree_clump_create(&def, &clump), SCREE_OK);
    return clump;
}

/*  An image at uniform speed is a body: in an open world the second is put where the first sees it. */
static void compare_pair(const pair_case *c)
{
    const double rate = 3, up = 1, tilt = 0.3;
    scree_world_def def = periodic_def();
    scree_body_id ids[2][2];
    scree_world *worlds[2];
    scree_clump *clump = make_clump();
    double before[3], after[3];

    def.compute.simd = c->simd;
    def.step.integrator = c->integrator;
    def.step.dt = 1e-5;
    for (int w = 0; w < 2; w++) {
        scree_world_def mine = def;
        if (w)
            memset(mine.domain.boundary, 0, sizeof mine.domain.boundary);
        worlds[w] = make_world(&mine, NULL);
        if (!w) {
            scree_cell_def cell = cell_of(worlds[w]);
            cell.tilt[0] = tilt;
            cell.gradient[0][1] = rate;
            set(worlds[w], &cell);
        }
        scree_body_def one = ball(0.05, 0.5, 0.93, 0.5), other = ball(0.05, 0.17, 0.04, 0.52);
        if (c->are_clumps)
            one.shape = other.shape = scree_shape_clump(clump);
        one.velocity[1] = 0.3;
        one.spin[0] = 20;
        other.velocity[0] = 0.2 - rate * up;
        if (w) {
            other.position[0] += tilt;
            other.position[1] += up;
            other.velocity[0] += rate * up;
        }
        ids[w][0] = add(worlds[w], &one);
        ids[w][1] = add(worlds[w], &other);
        for (int k = 0; k < 3; k++)
            before[k] = one.velocity[k] + other.velocity[k];
        step(worlds[w], 5000);
        for (int k = 0; k < 3; k++)
            after[k] = body_of(worlds[w], ids[w][0]).velocity[k] +
                       body_of(worlds[w], ids[w][1]).velocity[k];
        for (int k = 0; k < 3; k++)
            CHECK_NEAR(before[k], after[k], 1e-12);
    }
    scree_body one = body_of(worlds[0], ids[0][0]), other = body_of(worlds[0], ids[0][1]);
    CHECK(fabs(one.velocity[2]) > 1e-3);
    other.velocity[0] += rate * up;
    for (int k = 0; k < 3; k++) {
        CHECK_NEAR(one.velocity[k], body_of(worlds[1], ids[1][0]).velocity[k], c->close);
        CHECK_NEAR(other.velocity[k], body_of(worlds[1], ids[1][1]).velocity[k], c->close);
        CHECK_NEAR(one.spin[k], body_of(worlds[1], ids[1][0]).spin[k], 100 * c->close);
        CHECK_NEAR(other.spin[k], body_of(worlds[1], ids[1][1]).spin[k], 100 * c->close);
    }
    scree_clump_destroy(clump);
    scree_world_destroy(worlds[0]);
    scree_world_destroy(worlds[1]);
}

TEST(a_pair_across_the_boundary_is_a_pair_without_one)
{
    static const pair_case cases[] = {{SCREE_SIMD_AUTO, SCREE_VELOCITY_VERLET, 1e-10, false},
                                      {SCREE_SIMD_AUTO, SCREE_VELOCITY_VERLET, 1e-10, true},
                                      {SCREE_SIMD_SCALAR, SCREE_VELOCITY_VERLET, 1e-10, false},
                                      {SCREE_SIMD_AUTO, SCREE_SYMPLECTIC_EULER, 1e-10, false},
                                      {SCREE_SIMD_AUTO, SCREE_IMPLICIT_EULER, 1e-4, false}};

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        compare_pair(&cases[k]);
}

/* ---- many ---- */

#define MANY 150

static void fill(scree_world *world, uint32_t count, uint64_t seed)
{
    scree_random random = scree_random_stream(seed, 0);

    for (uint32_t k = 0; k < count; k++) {
        /* on a lattice, shaken: no body begins deep in another */
        uint32_t i = k % 6, j = k / 6 % 6, l = k / 36;
        scree_body_def body = ball(scree_random_range(&random, 0.06, 0.078), (i + 0.5) / 6,
                                   (j + 0.5) / 6, (l + 0.5) / 6);
        for (int a = 0; a < 3; a++) {
            body.position[a] += scree_random_range(&random, -0.01, 0.01);
            body.velocity[a] = scree_random_range(&random, -1, 1);
        }
        add(world, &body);
    }
}

static scree_cell_def busy_cell(const scree_world *world)
{
    scree_cell_def cell = cell_of(world);

    cell.tilt[0] = 0.2;
    cell.tilt[2] = -0.4;
    cell.gradient[0][1] = 6;
    cell.gradient[1][2] = -3;
    cell.gradient[0][2] = 1;
    cell.gradient[0][0] = -0.2;
    cell.gradient[2][2] = 0.3;
    cell.homogeneous = true;
    return cell;
}

static scree_world *make_many(scree_world_def def)
{
    scree_world *world = make_world(&def, NULL);
    scree_cell_def cell;

    fill(world, MANY, 5);
    cell = busy_cell(world);
    set(world, &cell);
    return world;
}

/*  Of all images within three edges the nearest. */
static double distance(const scree_cell_def *cell, const double a[3], const double b[3])
{
    double best = INFINITY;

    for (int z = -3; z <= 3; z++)
        for (int y = -3; y <= 3; y++)
            for (int x = -3; x <= 3; x++) {
                double lx = cell->upper[0] - cell->lower[0], ly = cell->upper[1] - cell->lower[1];
                double lz = cell->upper[2] - cell->lower[2];
                double dx = b[0] - a[0] + x * lx + y * cell->tilt[0] + z * cell->tilt[1];
                double dy = b[1] - a[1] + y * ly + z * cell->tilt[2], dz = b[2] - a[2] + z * lz;
                best = fmin(best, sqrt(dx * dx + dy * dy + dz * dz));
            }
    return best;
}

/*  After a step no body has moved since contacts were found, but for those that wrapped around: images all the same. */
static size_t check_contacts(scree_world *world)
{
    const scree_cell_def cell = cell_of(world);
    scree_bodies_view view = scree_world_bodies(world);
    const scree_contact *contacts;
    size_t count, expected = 0;

    for (size_t i = 0; i < view.count; i++)
        for (size_t j = i + 1; j < view.count; j++)
            expected +=
                distance(&cell, scree_row_at(view.position, i), scree_row_at(view.position, j)) <
                scree_double_at(view.radius, i) + scree_double_at(view.radius, j);
    CHECK_EQUAL(scree_world_contacts(world, NULL, &contacts, &count), SCREE_OK);
    CHECK_EQUAL(count, expected);
    for (size_t k = 0; k < count; k++) {
        scree_body one = body_of(world, contacts[k].first),
                   other = body_of(world, contacts[k].second);
        double apart = distance(&cell, one.position, other.position);
        CHECK_NEAR(contacts[k].overlap, one.shape.radius + other.shape.radius - apart, 1e-12);
    }
    return count;
}

TEST(contacts_are_those_of_all_images_while_the_cell_flips)
{
    scree_world_def def = periodic_def();
    uint32_t flips = 0;
    double last = 0;
    size_t seen = 0;

    def.detection.audit = 1;
    scree_world *world = make_many(def);
    for (int k = 0; k < 60; k++) {
        step(world, TEST_EFFORT(20, 100));
        flips += k && fabs(cell_of(world).tilt[0] - last) > 0.5;
        last = cell_of(world).tilt[0];
        seen += check_contacts(world);
    }
    scree_detection_stats detection_stats = scree_world_detection_stats(world);
    CHECK(flips > TEST_EFFORT(0, 2));
    CHECK(seen > 300);
    CHECK_EQUAL(detection_stats.missed_contacts, 0);
    CHECK_EQUAL(detection_stats.late_contacts, 0);
    /* and not by searching in every step */
    CHECK(detection_stats.rebuilds < detection_stats.force_evaluations / 2);
    scree_world_destroy(world);
}

TEST(bytes_do_not_depend_on_how_pairs_are_found)
{
    static const char *const methods[] = {
        "auto", "flat", "hash-grids", "bounding-volume", "bvh8", "insertion-sort", "rtree-packed"};
    const uint64_t steps = TEST_EFFORT(200, 1500);
    uint64_t digest = 0;

    for (int k = 0; k < 14; k++) {
        scree_world_def def = periodic_def();
        def.detection.method = methods[k % 7];
        def.energy_balance = true;
        def.compute.thread_count = (uint32_t)(k % 3 + 1);
        def.compute.simd = k % 2 ? SCREE_SIMD_SCALAR : SCREE_SIMD_AUTO;
        def.detection.sort_every = k % 4 ? 1000 : 7;
        def.detection.margin.kind = (scree_margin_kind)(k % 7);
        def.detection.margin.velocity[0] = 2;
        scree_world *world = make_many(def);
        step(world, steps);
        if (!digest)
            digest = scree_world_digest(world);
        if (scree_world_digest(world) != digest)
            FAIL("%s, margin %d: another digest", def.detection.method,
                 (int)def.detection.margin.kind);
        CHECK_EQUAL(scree_world_detection_stats(world).late_contacts, 0);
        scree_world_destroy(world);
    }
}

/*  Bodies at rest, to which images come: no body leaves a margin but by that. Pressed together along y, or one
    sheared past the other. */
static void bring_images(bool is_sheared)
{
    scree_world_def def = periodic_def();
    scree_world *world;
    scree_cell_def cell;
    const scree_contact *contacts;
    size_t count = 0;
    uint64_t steps = 0;

    def.detection.audit = 1;
    def.step.dt = 1e-3;
    def.domain.upper[1] = is_sheared ? 0.5 : 1;
    world = make_world(&def, NULL);
    cell = cell_of(world);
    if (is_sheared)
        cell.gradient[0][1] = 1;
    else
        cell.gradient[1][1] = -1;
    set(world, &cell);
    for (int k = 0; k < 2; k++) {
        scree_body_def body = ball(0.05, is_sheared && k ? 0.8 : 0.5,
                                   is_sheared ? 0.05 + 0.4 * k : 0.3 + 0.4 * k, 0.5);
        body.position[1] += is_sheared ? 0.01 * k : 0;
        add(world, &body);
    }
    while (count == 0 && steps < 2000) {
        step(world, 1);
        steps++;
        CHECK_EQUAL(scree_world_contacts(world, NULL, &contacts, &count), SCREE_OK);
    }
    /* 0.4 apart within, less than 0.1 across at a period below 0.5; 0.09 apart across, and 0.3 to go along */
    CHECK_NEAR((double)steps, is_sheared ? 513 : 694, 2);
    scree_detection_stats detection_stats = scree_world_detection_stats(world);
    CHECK_EQUAL(detection_stats.missed_contacts, 0);
    CHECK_EQUAL(detection_stats.late_contacts, 0);
    CHECK(detection_stats.rebuilds > 10 && detection_stats.rebuilds < steps);
    scree_world_destroy(world);
}

TEST(images_that_come_to_bodies_at_rest_are_not_late)
{
    bring_images(false);
    bring_images(true);
}

static double sum_of(const scree_energy *e)
{
    return e->kinetic + e->rotational + e->potential + e->elastic + e->damping + e->friction +
           e->rolling + e->body_damping - e->walls - e->loads - e->boundary - e->entered +
           e->removed;
}

/*  Books close to the order of dt, over what passes through them; of half the step to half of that. */
TEST(the_balance_closes)
{
    double error[2];

    for (int k = 0; k < 2; k++) {
        scree_world_def def = periodic_def();
        def.energy_balance = true;
        def.gravity[1] = -2;
        def.step.dt = k ? 1e-5 : 2e-5;
        scree_world *world = make_many(def);
        scree_energy energy = scree_world_energy(world);
        double before = sum_of(&energy);
        step(world, k ? 40000 : 20000);
        energy = scree_world_energy(world);
        error[k] = fabs(sum_of(&energy) - before) / energy.boundary;
        CHECK(energy.boundary > 0 && energy.friction + energy.damping > 0.1 * energy.boundary);
        scree_world_destroy(world);
    }
    printf("energy balance: %g and %g of what the cell gave\n", error[0], error[1]);
    CHECK(error[0] < 3e-3 && error[1] < 2e-3);
}

/*  Energy of two bodies in one contact across the boundary, each time it begins. */
TEST(the_balance_closes_for_clumps)
{
    scree_world_def def = periodic_def();
    scree_clump *clump = make_clump();

    def.energy_balance = true;
    def.step.dt = 1e-5;
    scree_world *world = make_world(&def, NULL);
    shear(world, 4);
    for (int k = 0; k < 16; k++) {
        scree_body_def body = ball(0.05, 0.1 + 0.25 * (k % 4), 0.1 + 0.25 * (k / 4), 0.5);
        body.shape = scree_shape_clump(clump);
        body.velocity[0] = 4 * body.position[1];
        body.velocity[1] = 0.3 * (k % 3 - 1);
        add(world, &body);
    }
    scree_clump_destroy(clump);
    scree_energy energy = scree_world_energy(world);
    double before = sum_of(&energy);
    step(world, 60000);
    energy = scree_world_energy(world);
    CHECK(energy.boundary > 0 && energy.friction > 0);
    CHECK_NEAR(sum_of(&energy), before, 5e-3 * energy.boundary);
    scree_world_destroy(world);
}

/* ---- what a host reads of it ---- */

TEST(fields_see_images_as_they_are)
{
    scree_world_def def = periodic_def();
    scree_body_def body = ball(0.05, 0.5, 0.04, 0.5);
    scree_world *world = make_world(&def, NULL);
    scree_cell_def cell = cell_of(world);
    scree_fields_def where = scree_default_fields_def();
    scree_field field = {0};

    cell.tilt[0] = 0.25;
    cell.gradient[0][1] = 2;
    set(world, &cell);
    body.velocity[0] = 0.5;
    add(world, &body);
    where.kernel = SCREE_KERNEL_BALL;
    where.width = 0.05;
    where.lower[0] = where.upper[0] = 0.75;
    where.lower[1] = where.upper[1] = 1.04;
    where.lower[2] = where.upper[2] = -0.5;
    CHECK_EQUAL(scree_world_add_fields(world, &where, 1, &field, 1), SCREE_OK);
    scree_field_values seen = scree_field_read(&field, 3);
    CHECK(seen.density > 0);
    CHECK_NEAR(seen.velocity[0], 2.5, 1e-14);
    /* where it would be without the tilt there is no body */
    where.lower[0] = where.upper[0] = 0.5;
    field = (scree_field){0};
    CHECK_EQUAL(scree_world_add_fields(world, &where, 1, &field, 1), SCREE_OK);
    CHECK(scree_field_read(&field, 3).density == 0);
    scree_world_destroy(world);
}

TEST(a_dump_has_the_tilts)
{
    static const char *const path = "test_strain.dump";
    scree_world_def def = periodic_def();
    scree_body_def body = ball(0.05, 0.5, 0.5, 0.5);
    scree_world *world = make_world(&def, NULL);
    scree_cell_def cell = cell_of(world);
    char text[1000] = "";

    cell.tilt[0] = 0.25;
    cell.tilt[1] = -0.5;
    cell.tilt[2] = -0.125;
    set(world, &cell);
    add(world, &body);
    CHECK_EQUAL(scree_export(world, SCREE_EXPORT_LAMMPS, path, NULL, NULL), SCREE_OK);
    FILE *file = fopen(path, "r");
    CHECK(file != NULL);
    text[fread(text, 1, sizeof text - 1, file)] = 0;
    fclose(file);
    CHECK_SAYS(text, "ITEM: BOX BOUNDS xy xz yz pp pp pp\n-0.5 1.25 0.25\n-0.125 1 -0.5\n"
                     "0 1 -0.125\n");
    CHECK_EQUAL(remove(path), 0);
    scree_world_destroy(world);
}

/* ---- state ---- */

TEST(a_run_continues_from_where_it_was)
{
    scree_world_def def = periodic_def();
    scree_world *world, *copy, *other, *plain;
    scree_snapshot *snapshot, *none;
    scree_cell_def has, had;

    def.energy_balance = true;
    plain = make_world(&def, NULL);
    CHECK_EQUAL(scree_world_snapshot(plain, &none), SCREE_OK);
    world = make_many(def);
    other = make_many(def);
    step(world, 500);
    CHECK_EQUAL(scree_world_snapshot(world, &snapshot), SCREE_OK);
    CHECK_EQUAL(scree_world_copy(world, &def, &copy), SCREE_OK);
    had = cell_of(world);
    CHECK(scree_world_digest(copy) == scree_world_digest(world));
    step(world, 500);
    step(copy, 500);
    CHECK(scree_world_digest(copy) == scree_world_digest(world));
    CHECK_EQUAL(scree_world_restore(other, snapshot), SCREE_OK);
    has = cell_of(other);
    CHECK(memcmp(has.tilt, had.tilt, sizeof has.tilt) == 0);
    CHECK(memcmp(has.lower, had.lower, sizeof has.lower) == 0);
    CHECK(has.homogeneous && has.gradient[1][2] == -3);
    step(other, 500);
    CHECK(scree_world_digest(other) == scree_world_digest(world));
    /* and to where there was no cell */
    CHECK_EQUAL(scree_world_restore(other, none), SCREE_OK);
    CHECK(scree_world_digest(other) == scree_world_digest(plain));
    CHECK(cell_of(other).tilt[0] == 0 && cell_of(other).gradient[0][1] == 0);
    step(other, 1);
    step(plain, 1);
    CHECK(scree_world_digest(other) == scree_world_digest(plain));
    scree_snapshot_destroy(snapshot);
    scree_snapshot_destroy(none);
    scree_world_destroy(world);
    scree_world_destroy(copy);
    scree_world_destroy(other);
    scree_world_destroy(plain);
}

TEST(a_checkpoint_holds_the_cell)
{
    static const char *const path = "test_strain.scree";
    scree_world_def def = periodic_def();
    scree_world *world = make_many(def), *read;
    scree_checkpoint *checkpoint;
    scree_error error = {0};

    step(world, 300);
    CHECK_EQUAL(scree_checkpoint_write(world, path, NULL, 0, &error), SCREE_OK);
    CHECK_EQUAL(scree_checkpoint_read(path, NULL, &checkpoint, &error), SCREE_OK);
    CHECK_EQUAL(scree_checkpoint_world(checkpoint, &def, &read, &error), SCREE_OK);
    CHECK(scree_world_digest(read) == scree_world_digest(world));
    step(world, 300);
    step(read, 300);
    CHECK(scree_world_digest(read) == scree_world_digest(world));
    scree_checkpoint_destroy(checkpoint);
    scree_world_destroy(read);
    scree_world_destroy(world);
    CHECK_EQUAL(remove(path), 0);
}

/* ---- homogeneous motion ---- */

/*  Bodies that do not touch keep their places in the cell, whatever it does. */
TEST(a_homogeneous_flow_takes_all_along)
{
    double worst[2];

    for (int k = 0; k < 2; k++) {
        scree_world_def def = periodic_def();
        def.step.dt = k ? 5e-4 : 1e-3;
        def.energy_balance = true;
        scree_world *world = make_world(&def, NULL);
        scree_body_id ids[8];
        scree_cell_def cell = cell_of(world);
        for (int b = 0; b < 8; b++) {
            scree_body_def body =
                ball(0.01, b & 1 ? 0.8 : 0.3, b & 2 ? 0.9 : 0.15, b & 4 ? 0.7 : 0.2);
            ids[b] = add(world, &body);
        }
        cell.gradient[0][0] = -0.3;
        cell.gradient[1][1] = 0.2;
        cell.gradient[2][2] = 0.1;
        cell.gradient[0][1] = 0.5;
        cell.homogeneous = true;
        set(world, &cell);
        step(world, k ? 2000 : 1000);
        cell = cell_of(world);
        CHECK_NEAR(cell.upper[0] - cell.lower[0], exp(-0.3), 1e-6);
        worst[k] = 0;
        for (int b = 0; b < 8; b++) {
            scree_body body = body_of(world, ids[b]);
            double z = b & 4 ? 0.7 : 0.2, y = b & 2 ? 0.9 : 0.15;
            double at_z = (body.position[2] - 0.5) / (cell.upper[2] - cell.lower[2]) + 0.5;
            double at_y = (body.position[1] - 0.5) / (cell.upper[1] - cell.lower[1]) + 0.5;
            worst[k] = fmax(worst[k], fmax(fabs(at_z - z), fabs(at_y - y)));
        }
        scree_energy energy = scree_world_energy(world);
        CHECK_NEAR(energy.kinetic, energy.boundary + energy.entered, 1e-9 * energy.kinetic);
        scree_world_destroy(world);
    }
    /* of first order in dt, as kicks follow motion */
    CHECK(worst[0] < 1e-4 && worst[1] < 0.6 * worst[0]);
}

/* ---- what is refused ---- */

static void refuse(scree_world *world, const scree_cell_def *cell, scree_status status,
                   const char *says)
{
    uint64_t digest = scree_world_digest(world);

    CHECK_EQUAL(scree_world_set_cell(world, cell), status);
    CHECK_SAYS(scree_world_message(world), says);
    CHECK(scree_world_digest(world) == digest);
}

TEST(cells_that_cannot_be_are_refused)
{
    scree_world_def def = periodic_def();
    scree_body_def body = ball(0.1, 0.5, 0.5, 0.5);
    scree_world *world = make_world(&def, NULL);
    scree_cell_def good, bad;

    add(world, &body);
    good = cell_of(world);
    bad = (scree_cell_def){.cookie = 0};
    refuse(world, &bad, SCREE_BAD_DEF, "scree_world_get_cell");
    refuse(world, NULL, SCREE_BAD_DEF, "scree_world_get_cell");
    CHECK_EQUAL(scree_world_set_cell(NULL, &good), SCREE_BAD_ARGUMENT);
    bad = good, bad.tilt[0] = 0.51;
    refuse(world, &bad, SCREE_BAD_VALUE, "tilt xy is 0.51, must be at most 0.5");
    bad = good, bad.tilt[2] = NAN;
    refuse(world, &bad, SCREE_BAD_VALUE, "tilt yz is");
    bad = good, bad.gradient[0][1] = NAN;
    refuse(world, &bad, SCREE_BAD_VALUE, "gradient xy is");
    bad = good, bad.gradient[1][1] = INFINITY;
    refuse(world, &bad, SCREE_BAD_VALUE, "gradient yy is inf, must be finite");
    bad = good, bad.gradient[1][0] = 1;
    refuse(world, &bad, SCREE_BAD_VALUE, "gradient yx is 1, must be 0 below the diagonal");
    bad = good, bad.upper[2] = 0;
    refuse(world, &bad, SCREE_BAD_VALUE, "0 to 0 along z");
    bad = good, bad.lower[1] = NAN;
    refuse(world, &bad, SCREE_BAD_VALUE, "along y");
    bad = good, bad.upper[0] = 0.39;
    refuse(world, &bad, SCREE_BAD_VALUE, "a period of 0.39 along x");
    scree_world_get_cell(NULL, &bad);
    CHECK(bad.upper[0] == 0);
    scree_world_get_cell(world, NULL);
    scree_world_destroy(world);

    def.domain.boundary[1] = SCREE_BOUNDARY_STOP;
    world = make_world(&def, NULL);
    good = cell_of(world);
    set(world, &good);
    bad = good, bad.gradient[0][1] = 1;
    refuse(world, &bad, SCREE_BAD_VALUE,
           "gradient xy is 1, must be 0 where an axis is not periodic");
    bad = good, bad.upper[1] = 2;
    refuse(world, &bad, SCREE_BAD_VALUE, "along y, which is not periodic");
    scree_world_destroy(world);

    memset(def.domain.boundary, 0, sizeof def.domain.boundary);
    world = make_world(&def, NULL);
    good = cell_of(world);
    refuse(world, &good, SCREE_BAD_VALUE, "no boundary of the world is periodic");
    scree_world_destroy(world);
}

TEST(steps_that_strain_too_much_are_refused)
{
    scree_world_def def = periodic_def();
    scree_body_def body = ball(0.1, 0.5, 0.5, 0.5);
    scree_world *world = make_world(&def, NULL);
    scree_cell_def cell;
    uint64_t digest;

    add(world, &body);
    step(world, 10);
    shear(world, 2000);
    digest = scree_world_digest(world);
    CHECK_EQUAL(scree_world_step(world, 1), SCREE_BAD_VALUE);
    CHECK_SAYS(scree_world_message(world), "gradient xy is 2000, which strains it by 0.2");
    CHECK(scree_world_digest(world) == digest);
    cell = cell_of(world);
    cell.gradient[0][1] = 0;
    cell.gradient[2][2] = -100;
    set(world, &cell);
    CHECK_EQUAL(scree_world_step(world, 1000), SCREE_BAD_VALUE);
    CHECK_SAYS(scree_world_message(world), "along z, for bodies that reach so far it must be");
    digest = scree_world_digest(world);
    cell = cell_of(world);
    CHECK(cell.upper[2] - cell.lower[2] >= 0.4 && cell.upper[2] - cell.lower[2] < 0.405);
    CHECK_EQUAL(scree_world_step(world, 1), SCREE_BAD_VALUE);
    CHECK(scree_world_digest(world) == digest);
    cell.gradient[2][2] = 0;
    set(world, &cell);
    step(world, 10);
    scree_world_destroy(world);
}

/*  A request that fails has changed nothing, and the same call then leads where it would have led. */
TEST(lost_memory_loses_nothing)
{
    uint64_t wanted = 0;

    for (size_t k = 0;; k++) {
        failing_allocator memory = {.fail_at = 0};
        scree_world_def def = periodic_def();
        def.hooks.allocator = failing_allocator_hooks(&memory);
        def.detection.sort_every = 20;
        scree_world *world = make_many(def);
        size_t before = memory.requests;
        bool failed = false;
        memory.fail_at = k ? before + k : 0;
        for (int n = 0; n < 60; n++) {
            uint64_t digest = scree_world_digest(world);
            scree_status status = scree_world_step(world, 1);
            if (status) {
                CHECK_EQUAL(status, SCREE_OUT_OF_MEMORY);
                CHECK(scree_world_digest(world) == digest);
                failed = true;
                step(world, 1);
            }
        }
        if (!k)
            wanted = scree_world_digest(world);
        CHECK(scree_world_digest(world) == wanted);
        scree_world_destroy(world);
        CHECK(failing_allocator_is_clean(&memory));
        if (k && !failed)
            break;
    }
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(a_wrapped_body_is_as_fast_as_its_image),
        CASE(a_tilt_and_its_flip_are_the_same),
        CASE(a_pair_across_the_boundary_is_a_pair_without_one),
        CASE(contacts_are_those_of_all_images_while_the_cell_flips),
        CASE(bytes_do_not_depend_on_how_pairs_are_found),
        CASE(images_that_come_to_bodies_at_rest_are_not_late),
        CASE(the_balance_closes),
        CASE(the_balance_closes_for_clumps),
        CASE(fields_see_images_as_they_are),
        CASE(a_dump_has_the_tilts),
        CASE(a_run_continues_from_where_it_was),
        CASE(a_checkpoint_holds_the_cell),
        CASE(a_homogeneous_flow_takes_all_along),
        CASE(cells_that_cannot_be_are_refused),
        CASE(steps_that_strain_too_much_are_refused),
        CASE(lost_memory_loses_nothing),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
