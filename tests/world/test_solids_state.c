/*  Bodies of triangles and clumps: nothing but the calls made on a world decides its state, and whatever is asked of a
    world works with them. */
#include "harness/solid_maker.h"
#include "harness/superquadric_maker.h"

#include "scree/checkpoint.h"
#include "scree/wall.h"
#include "world/save/snapshot.h"

#include <unistd.h>

#define ZOO_BODIES 16
#define ZOO_WALLS 2

typedef struct zoo
{
    scene s;
    scree_mesh *box, *stone, *funnel, *dice, *disc;
    scree_clump *clump;
    scree_wall_id floor, wall;
} zoo;

static scree_world_def zoo_def(void)
{
    scree_world_def def = plain_def(2e-5);

    def.gravity[2] = -9.81;
    def.detection.sort_every = 40;
    return def;
}

/*  Cubes, as blocks and as triangles, stones, clumps and balls over a slope that sways, and a floor. */
static zoo open_zoo(const scree_world_def *def)
{
    zoo z = {.s = open_scene(def, "linear-rolling", 0.4, 0.4),
             .box = cube(0.05),
             .stone = globe(180, 0.03, 1.5),
             .funnel = slope(),
             .clump = jack(0.02, 0.018),
             .dice = superquadric(0.03, 0.025, 0.025, 5, 3),
             .disc = superquadric(0.035, 0.03, 0.015, 2, 2)};
    scree_wall_def wall = scree_default_wall_def();

    z.floor = add_wall(&z.s, NULL);
    wall.kind = SCREE_WALL_MESH;
    wall.mesh = z.funnel;
    wall.material = z.s.material;
    wall.path.swing[0] = 0.01;
    wall.path.frequency = 5;
    CHECK_EQUAL(scree_world_add_wall(z.s.world, &wall, &z.wall), SCREE_OK);
    for (int k = 0; k < ZOO_BODIES; k++) {
        scree_shape shape = k >= 12      ? scree_shape_superquadric(k % 2 ? z.dice : z.disc)
                            : k % 8 == 0 ? scree_shape_block(z.box, 0.004)
                            : k % 4 == 0 ? scree_shape_mesh(z.box, 0.004)
                            : k % 4 == 1 ? scree_shape_mesh(z.stone, 0.003)
                            : k % 4 == 2 ? scree_shape_clump(z.clump)
                                         : scree_shape_sphere(0.03);
        scree_body_def body = body_at(&z.s, shape, 0.09 * (k % 4) - 0.14, 0.08 * (k / 4 % 3) - 0.08,
                                      0.115 + 0.03 * (k % 2) + (k >= 12 ? 0.085 : 0));
        body.orientation[1] = 0.1 * k;
        body.spin[2] = k;
        body.velocity[2] = -1;
        add(&z.s, &body);
    }
    return z;
}

static void close_zoo(zoo *z)
{
    scree_world_destroy(z->s.world);
    scree_mesh_destroy(z->box);
    scree_mesh_destroy(z->stone);
    scree_mesh_destroy(z->funnel);
    scree_mesh_destroy(z->dice);
    scree_mesh_destroy(z->disc);
    scree_clump_destroy(z->clump);
}

#define ZOO_STEPS 2500

static uint64_t digest_of(const scree_world_def *def)
{
    zoo z = open_zoo(def);

    step(&z.s, ZOO_STEPS);
    uint64_t digest = scree_world_digest(z.s.world);
    CHECK(scree_world_detection_stats(z.s.world).contacts > 3);
    CHECK_EQUAL(scree_world_detection_stats(z.s.world).missed_contacts, 0);
    close_zoo(&z);
    return digest;
}

TEST(bit_identical_whatever_computes_them)
{
    scree_world_def def = zoo_def();
    uint64_t digest = digest_of(&def);

    for (uint32_t threads = 2; threads <= 3; threads++) {
        def.compute.thread_count = threads;
        CHECK_EQUAL(digest_of(&def), digest);
    }
    def = zoo_def();
    for (int level = SCREE_SIMD_SCALAR; level <= SCREE_SIMD_AVX512; level++) {
        def.compute.simd = (scree_simd)level;
        CHECK_EQUAL(digest_of(&def), digest);
    }
    def = zoo_def();
    for (int engine = SCREE_MESH_ENGINE_BOXES; engine <= SCREE_MESH_ENGINE_SURROGATE; engine++) {
        def.detection.mesh_engine = (scree_mesh_engine)engine;
        CHECK_EQUAL(digest_of(&def), digest);
    }
    /* by surrogates, from the roots in each step */
    def.step.picard.keeps_sets = false;
    CHECK_EQUAL(digest_of(&def), digest);
    def = zoo_def();
    def.detection.audit = 97;
    CHECK_EQUAL(digest_of(&def), digest);
    def.detection.sort_every = 0;
    def.detection.method = "hash-grids";
    CHECK_EQUAL(digest_of(&def), digest);
    def = zoo_def();
    for (int kind = SCREE_MARGIN_NONE; kind <= SCREE_MARGIN_SKIN; kind++) {
        def.detection.margin.kind = (scree_margin_kind)kind;
        CHECK_EQUAL(digest_of(&def), digest);
    }
}

/*  In the middle: a snapshot into the same world, a copy, and one step of a world without meshes. */
static void go_on_by(scree_mesh_engine engine)
{
    scree_world_def def = zoo_def();
    def.detection.mesh_engine = engine;
    zoo z = open_zoo(&def);
    scree_snapshot *snapshot, *again;
    scree_world *copy;
    scene other;

    step(&z.s, ZOO_STEPS / 2);
    CHECK_EQUAL(scree_world_snapshot(z.s.world, &snapshot), SCREE_OK);
    uint64_t halfway = scree_world_digest(z.s.world);
    CHECK_EQUAL(scree_world_copy(z.s.world, &def, &copy), SCREE_OK);
    CHECK_EQUAL(scree_world_digest(copy), halfway);
    step(&z.s, ZOO_STEPS / 2);
    uint64_t end = scree_world_digest(z.s.world);
    CHECK_EQUAL(scree_world_restore(z.s.world, snapshot), SCREE_OK);
    CHECK_EQUAL(scree_world_digest(z.s.world), halfway);
    CHECK_EQUAL(scree_world_snapshot(z.s.world, &again), SCREE_OK);
    CHECK_EQUAL(scree_snapshot_bytes(again), scree_snapshot_bytes(snapshot));
    scree_snapshot_destroy(again);
    step(&z.s, ZOO_STEPS / 2);
    CHECK_EQUAL(scree_world_digest(z.s.world), end);
    other.world = copy;
    step(&other, ZOO_STEPS / 2);
    CHECK_EQUAL(scree_world_digest(copy), end);
    scree_world_destroy(copy);
    scree_snapshot_destroy(snapshot);
    close_zoo(&z);
}

TEST(snapshots_and_copies_go_on)
{
    go_on_by(SCREE_MESH_ENGINE_AUTO);
    go_on_by(SCREE_MESH_ENGINE_SURROGATE);
}

/*  Through a file, in which the meshes are that no wall has; and every byte of the state that finds something is looked at
    when it is broken: whatever is said of it, nothing is led astray. */
TEST(checkpoints_bring_their_meshes)
{
    scree_world_def def = zoo_def();
    zoo z = open_zoo(&def);
    scree_checkpoint *checkpoint;
    scree_error error = {SCREE_OK, ""};
    scree_world *again = NULL;
    char path[64] = "/tmp/scree-solids-XXXXXX";
    int file = mkstemp(path);

    CHECK(file >= 0);
    close(file);
    step(&z.s, ZOO_STEPS);
    if (scree_checkpoint_write(z.s.world, path, NULL, 0, &error) ||
        scree_checkpoint_read(path, NULL, &checkpoint, &error) ||
        scree_checkpoint_world(checkpoint, NULL, &again, &error))
        FAIL("%s", error.text);
    unlink(path);
    CHECK_EQUAL(scree_world_digest(again), scree_world_digest(z.s.world));
    scene other = {.world = again};
    step(&other, 300);
    step(&z.s, 300);
    CHECK_EQUAL(scree_world_digest(again), scree_world_digest(z.s.world));
    CHECK_EQUAL(scree_checkpoint_restore(checkpoint, z.s.world, &error), SCREE_OK);
    step(&z.s, 300);
    CHECK_EQUAL(scree_world_digest(again), scree_world_digest(z.s.world));
    scree_checkpoint_destroy(checkpoint);
    scree_world_destroy(again);
    close_zoo(&z);
}

TEST(broken_snapshots_are_refused)
{
    scree_world_def def = zoo_def();
    zoo z = open_zoo(&def);
    scree_snapshot *snapshot;
    scree_random random = scree_random_stream(11, 0);
    size_t refused = 0, taken = 0;

    step(&z.s, ZOO_STEPS);
    CHECK_EQUAL(scree_world_snapshot(z.s.world, &snapshot), SCREE_OK);
    const scree_snapshot_head *head = scree_snapshot_head_of(snapshot);
    const char *const names[] = {"solid.mesh",   "solid.first", "solid.second", "solid.wall",
                                 "solid.memory", "solid.law",   "body.shape",   ""};
    for (int k = 0; names[k][0]; k++) {
        const scree_snapshot_section *section =
            (const scree_snapshot_section *)(const void *)(head + 1);
        while (strcmp(section->name, names[k]) != 0)
            section++;
        for (int n = 0; n < 400; n++) {
            size_t at = section->offset +
                        scree_random_below(&random, (uint32_t)(section->row_bytes * section->rows));
            unsigned char kept = snapshot->data[at];
            snapshot->data[at] = (unsigned char)scree_random_below(&random, 256);
            if (scree_world_restore(z.s.world, snapshot)) {
                refused++;
            } else {
                taken++;
                (void)scree_world_step(z.s.world, 1);
            }
            snapshot->data[at] = kept;
        }
    }
    CHECK(refused > 800 && taken > 20);
    /* a table that ends early, or is beside what the head says */
    scree_snapshot_head *broken = (scree_snapshot_head *)(void *)snapshot->data;
    uint64_t count = broken->section_count;
    for (uint64_t other = 0; other < 200; other++) {
        broken->section_count = other;
        CHECK_EQUAL(scree_world_restore(z.s.world, snapshot),
                    other == count ? SCREE_OK : SCREE_BAD_ARGUMENT);
    }
    broken->section_count = count;
    scree_snapshot_section *table = (scree_snapshot_section *)(void *)(broken + 1);
    while (strcmp(table->name, "solid.mesh") != 0)
        table++;
    table->rows = UINT64_MAX;
    CHECK_EQUAL(scree_world_restore(z.s.world, snapshot), SCREE_BAD_ARGUMENT);
    table->rows = 1;
    CHECK_EQUAL(scree_world_restore(z.s.world, snapshot), SCREE_BAD_ARGUMENT);
    scree_snapshot_destroy(snapshot);
    /* a world that has never seen the meshes */
    CHECK_EQUAL(scree_world_snapshot(z.s.world, &snapshot), SCREE_OK);
    scene plain = open_scene(&def, "linear-rolling", 0.4, 0.4);
    scree_wall_def wall = scree_default_wall_def();
    add_wall(&plain, NULL);
    wall.kind = SCREE_WALL_MESH;
    wall.mesh = z.funnel;
    wall.material = plain.material;
    CHECK_EQUAL(scree_world_add_wall(plain.world, &wall, NULL), SCREE_OK);
    CHECK_EQUAL(scree_world_restore(plain.world, snapshot), SCREE_BAD_ARGUMENT);
    CHECK(strstr(scree_world_message(plain.world), "mesh"));
    scree_world_destroy(plain.world);
    scree_snapshot_destroy(snapshot);
    close_zoo(&z);
}

/*  What contacts exert is what bodies get, and what walls get is the opposite. */
TEST(contacts_are_read)
{
    scree_world_def def = zoo_def();
    zoo z = open_zoo(&def);
    const scree_contact *contacts;
    size_t count, some = 0;
    scree_wall wall;

    for (int k = 0; k < 50; k++) {
        double sum[3] = {0}, walls[3] = {0};
        step(&z.s, 60);
        CHECK_EQUAL(scree_world_contacts(z.s.world, NULL, &contacts, &count), SCREE_OK);
        CHECK_EQUAL(count, scree_world_detection_stats(z.s.world).contacts);
        for (size_t c = 0; c < count; c++) {
            scree_body first, second = {0};
            CHECK_EQUAL(scree_world_get_body(z.s.world, contacts[c].first, &first), SCREE_OK);
            if (contacts[c].second.index1) {
                CHECK_EQUAL(scree_world_get_body(z.s.world, contacts[c].second, &second), SCREE_OK);
                CHECK(second.serial > first.serial);
            }
            for (int a = 0; a < 3 && !contacts[c].second.index1; a++)
                sum[a] += contacts[c].force[a];
            if (c == 0)
                continue;
            /* by first, bodies before walls */
            scree_body before;
            CHECK_EQUAL(scree_world_get_body(z.s.world, contacts[c - 1].first, &before), SCREE_OK);
            CHECK(before.serial <= first.serial);
            if (before.serial == first.serial && contacts[c].second.index1) {
                CHECK(contacts[c - 1].second.index1 != 0);
                CHECK_EQUAL(scree_world_get_body(z.s.world, contacts[c - 1].second, &before),
                            SCREE_OK);
                CHECK(before.serial <= second.serial);
            }
        }
        some += count;
        CHECK_EQUAL(scree_world_get_wall(z.s.world, z.floor, &wall), SCREE_OK);
        for (int a = 0; a < 3; a++)
            walls[a] += wall.force[a];
        CHECK_EQUAL(scree_world_get_wall(z.s.world, z.wall, &wall), SCREE_OK);
        for (int a = 0; a < 3; a++)
            CHECK_NEAR(walls[a] + wall.force[a], -sum[a], 1e-9 * (1 + fabs(sum[a])));
    }
    CHECK(some > 100);
    scree_contact_filter_def filters[3] = {scree_default_contact_filter_def(),
                                           scree_default_contact_filter_def(),
                                           scree_default_contact_filter_def()};
    size_t found[3], all;
    CHECK_EQUAL(scree_world_contacts(z.s.world, NULL, &contacts, &all), SCREE_OK);
    filters[0].bodies_only = true;
    filters[1].walls_only = true;
    filters[2].wall = z.wall;
    for (size_t c = 0; c < all; c++)
        if (contacts[c].wall.index1 == z.wall.index1)
            filters[2].facet1 = contacts[c].facet + 1;
    for (int k = 0; k < 3; k++)
        CHECK_EQUAL(scree_world_contacts(z.s.world, &filters[k], &contacts, &found[k]), SCREE_OK);
    CHECK_EQUAL(found[0] + found[1], all);
    CHECK(found[2] > 0 && found[2] <= found[1]);
    for (size_t c = 0; c < found[2]; c++)
        CHECK_EQUAL(contacts[c].facet + 1, filters[2].facet1);
    /* of one body, as first or second, are the forces that it feels */
    scree_bodies_view view = scree_world_bodies(z.s.world);
    for (size_t k = 0; k < view.count; k++) {
        scree_contact_filter_def filter = scree_default_contact_filter_def();
        double force[3] = {0, 0, 0};
        filter.body = scree_body_id_at(view.id, k);
        scree_body b = body_of(&z.s, scree_body_id_at(view.id, k));
        CHECK_EQUAL(scree_world_contacts(z.s.world, &filter, &contacts, &count), SCREE_OK);
        for (size_t c = 0; c < count; c++)
            for (int a = 0; a < 3; a++)
                force[a] += contacts[c].second.index1 == filter.body.index1 ? -contacts[c].force[a]
                                                                            : contacts[c].force[a];
        force[2] -= 9.81 * b.mass;
        for (int a = 0; a < 3; a++)
            CHECK_NEAR(force[a], b.force[a], 1e-9 * (1 + fabs(b.force[a])));
    }
    close_zoo(&z);
}

/*  Each pair begins before it ends, once; what has begun and not ended touches now. */
TEST(events_go_by_pairs)
{
    scree_world_def def = zoo_def();
    zoo z = open_zoo(&def);
    const scree_event *events;
    int touching[ZOO_BODIES + 1][ZOO_BODIES + ZOO_WALLS + 1] = {{0}};
    size_t count, begun = 0;

    for (int k = 0; k < 200; k++) {
        step(&z.s, 15);
        CHECK_EQUAL(scree_world_events(z.s.world, &events, &count), SCREE_OK);
        for (size_t e = 0; e < count; e++) {
            uint32_t a = events[e].first.index1, b = events[e].second.index1;
            scree_body first = body_of(&z.s, events[e].first);
            b = b ? b : ZOO_BODIES + events[e].wall.index1;
            if (!events[e].second.index1 && first.shape.kind == SCREE_SHAPE_SPHERE)
                continue;
            touching[a][b] += events[e].kind == SCREE_EVENT_CONTACT_BEGIN ? 1 : -1;
            CHECK(events[e].kind <= SCREE_EVENT_CONTACT_END);
            CHECK(events[e].kind != SCREE_EVENT_CONTACT_END || events[e].duration > 0);
            CHECK(touching[a][b] == 0 || touching[a][b] == 1);
            begun += events[e].kind == SCREE_EVENT_CONTACT_BEGIN;
        }
    }
    CHECK(begun > 10);
    const scree_contact *contacts;
    CHECK_EQUAL(scree_world_contacts(z.s.world, NULL, &contacts, &count), SCREE_OK);
    for (size_t c = 0; c < count; c++) {
        uint32_t b = contacts[c].second.index1 ? contacts[c].second.index1
                                               : ZOO_BODIES + contacts[c].wall.index1;
        if (contacts[c].second.index1 ||
            body_of(&z.s, contacts[c].first).shape.kind != SCREE_SHAPE_SPHERE)
            CHECK_EQUAL(touching[contacts[c].first.index1][b], 1);
    }
    close_zoo(&z);
}

/*  Bodies and a wall go in the middle of a run; the books close all the same. */
TEST(bodies_and_walls_may_go)
{
    scree_world_def def = zoo_def();
    zoo z = open_zoo(&def);

    step(&z.s, 1500);
    for (uint32_t k = 1; k < 12; k += 4) {
        CHECK_EQUAL(scree_world_remove_body(z.s.world, (scree_body_id){k, 0}), SCREE_BAD_ARGUMENT);
        scree_bodies_view view = scree_world_bodies(z.s.world);
        CHECK_EQUAL(scree_world_remove_body(z.s.world, scree_body_id_at(view.id, k % view.count)),
                    SCREE_OK);
        (void)scree_world_digest(z.s.world);
        step(&z.s, 200);
    }
    CHECK_EQUAL(scree_world_remove_wall(z.s.world, z.wall), SCREE_OK);
    (void)scree_world_digest(z.s.world);
    step(&z.s, 500);
    CHECK_EQUAL(scree_world_totals(z.s.world).bodies, 13);
    close_zoo(&z);
}

/*  Three cubes in a row on the floor, each touching the next: one goes, and then the floor. */
TEST(what_touched_may_go)
{
    scree_mesh *box = cube(0.1);
    scree_world_def def = plain_def(1e-5);
    def.detection.audit = 3;
    scene s = open_scene(&def, "linear", 0.5, 0.3);
    scree_wall_id ground = add_wall(&s, NULL);
    const scree_contact *contacts;
    scree_snapshot *snapshot;
    scree_body_id id[3];
    size_t count;

    for (int k = 0; k < 3; k++) {
        scree_body_def body =
            body_at(&s, scree_shape_mesh(box, 0.004), 0.106 * (k == 2 ? -1 : k), 0, 0.053);
        id[k] = add(&s, &body);
    }
    step(&s, 20);
    CHECK_EQUAL(scree_world_contacts(s.world, NULL, &contacts, &count), SCREE_OK);
    CHECK(count >= 12 + 2);
    CHECK_EQUAL(scree_world_remove_body(s.world, id[1]), SCREE_OK);
    CHECK_EQUAL(scree_world_snapshot(s.world, &snapshot), SCREE_OK);
    uint64_t digest = scree_world_digest(s.world);
    CHECK_EQUAL(scree_world_restore(s.world, snapshot), SCREE_OK);
    CHECK_EQUAL(scree_world_digest(s.world), digest);
    scree_snapshot_destroy(snapshot);
    CHECK_EQUAL(scree_world_remove_body(s.world, id[0]), SCREE_OK);
    CHECK_EQUAL(scree_world_contacts(s.world, NULL, &contacts, &count), SCREE_OK);
    CHECK_EQUAL(count, 4);
    CHECK_NEAR(scree_world_totals(s.world).coordination, 4, 1e-12);
    step(&s, 20);
    CHECK_EQUAL(scree_world_detection_stats(s.world).contacts, 4);
    CHECK_EQUAL(scree_world_remove_wall(s.world, ground), SCREE_OK);
    CHECK_EQUAL(scree_world_contacts(s.world, NULL, &contacts, &count), SCREE_OK);
    CHECK_EQUAL(count, 0);
    step(&s, 20);
    CHECK_EQUAL(scree_world_detection_stats(s.world).contacts, 0);
    CHECK_EQUAL(scree_world_detection_stats(s.world).missed_contacts, 0);
    scree_world_destroy(s.world);
    scree_mesh_destroy(box);
}

/*  Twenty meshes in one world, one of which has its facets turned inward, and one that is thinner than its skin: its upper
    vertices do not touch the floor through it. */
TEST(many_meshes)
{
    const double lower[3] = {-0.05, -0.05, -0.001}, upper[3] = {0.05, 0.05, 0.001};
    maker m = maker_box(lower, upper);
    scree_mesh *meshes[20];
    scree_world_def def = plain_def(1e-5);
    scene s = open_scene(&def, "linear", 0.5, 0.3);

    add_wall(&s, NULL);
    for (int k = 0; k < 20; k++) {
        if (k == 1)
            for (uint32_t f = 0; f < m.facet_count; f++) {
                uint32_t first = m.facet[3 * f];
                m.facet[3 * f] = m.facet[3 * f + 1];
                m.facet[3 * f + 1] = first;
            }
        meshes[k] = k < 2 ? maker_mesh(&m) : cube(0.04 + 0.001 * k);
        scree_body_def body =
            body_at(&s, scree_shape_mesh(meshes[k], 0.004), 0.2 * k, 0, k < 2 ? 0.004 : 0.1);
        add(&s, &body);
    }
    step(&s, 1);
    CHECK_EQUAL(scree_world_detection_stats(s.world).contacts, 8);
    CHECK(scree_row_at(scree_world_bodies(s.world).force, 0)[2] > 0);
    scree_world_destroy(s.world);
    for (int k = 0; k < 20; k++)
        scree_mesh_destroy(meshes[k]);
    maker_free(&m);
}

TEST(steps_are_chosen)
{
    scree_world_def def = zoo_def();
    scree_stable_step stable;
    def.step.mode = SCREE_TIME_AUTOMATIC;
    def.step.dt = 0;
    zoo z = open_zoo(&def);

    while (scree_world_clock(z.s.world).time < 0.03)
        step(&z.s, 20);
    CHECK_EQUAL(scree_world_stable_step(z.s.world, &stable), SCREE_OK);
    CHECK(stable.dt > 1e-5 && stable.dt < 1e-2);
    CHECK(stable.body.index1 != 0);
    CHECK(scree_world_clock(z.s.world).dt <=
          fmin(def.step.safety_factor * stable.springs, stable.dt) * 2);
    close_zoo(&z);
}

/*  Across a periodic boundary is as in the middle. */
TEST(bodies_touch_across_a_periodic_boundary)
{
    scree_mesh *box = cube(0.1);
    double speed[2];

    for (int across = 0; across < 2; across++) {
        scree_world_def def = plain_def(1e-5);
        def.domain.boundary[0] = SCREE_BOUNDARY_PERIODIC;
        def.domain.lower[0] = -0.5;
        def.domain.upper[0] = 0.5;
        scene s = open_scene(&def, "linear", 0.5, 0);
        scree_body_def a = body_at(&s, scree_shape_mesh(box, 0.004), across ? 0.44 : -0.06, 0, 0);
        scree_body_def b = body_at(&s, scree_shape_mesh(box, 0.004), across ? -0.44 : 0.06, 0, 0);
        a.velocity[0] = 0.3;
        b.velocity[0] = -0.3;
        add(&s, &a);
        scree_body_id id = add(&s, &b);
        step(&s, 10000);
        speed[across] = body_of(&s, id).velocity[0];
        CHECK(fabs(balance(&s)) < 1e-3 * 0.225);
        scree_world_destroy(s.world);
    }
    CHECK_NEAR(speed[0], 0.15, 0.02);
    CHECK_NEAR(speed[1], speed[0], 2e-3); /* faces on faces: rounding decides who comes first */
    scree_mesh_destroy(box);
}

TEST(frozen_bodies_and_ghosts)
{
    scree_mesh *box = cube(0.1);
    scree_world_def def = plain_def(1e-5);
    scene s = open_scene(&def, "linear", 1, 0);
    scree_body_def a = body_at(&s, scree_shape_mesh(box, 0.004), -0.06, 0, 0), b = a;

    b.position[0] = 0.06;
    a.flags = SCREE_FREEZE;
    b.velocity[0] = -0.3;
    scree_body_id id[2] = {add(&s, &a), add(&s, &b)};
    step(&s, 10000);
    CHECK(body_of(&s, id[0]).position[0] == -0.06);
    CHECK_NEAR(body_of(&s, id[1]).velocity[0], 0.3, 1e-4);
    a.flags = SCREE_GHOST;
    a.position[0] = body_of(&s, id[1]).position[0] + 0.12;
    id[0] = add(&s, &a);
    step(&s, 10000);
    CHECK_NEAR(body_of(&s, id[1]).velocity[0], -0.3, 1e-4);
    CHECK(body_of(&s, id[0]).position[0] == a.position[0]);
    scree_world_destroy(s.world);
    scree_mesh_destroy(box);
}

TEST(other_ways_through_a_step)
{
    scree_world_def def = zoo_def();
    def.step.mode = SCREE_TIME_MASS_SCALING;
    def.step.dt = 1e-4;
    def.energy_balance = false;
    def.overlap_limit = INFINITY;
    zoo z = open_zoo(&def);
    step(&z.s, 500);
    CHECK(scree_world_totals(z.s.world).coordination > 0);
    close_zoo(&z);
}

/*  The boundary takes a body that touches: its contacts end with it. */
TEST(the_boundary_ends_contacts)
{
    scree_mesh *large = cube(0.4), *small = cube(0.1);
    scree_world_def def = plain_def(1e-5);
    const scree_event *events;
    size_t count, begun = 0, ended = 0;

    def.domain.boundary[0] = SCREE_BOUNDARY_DESTROY;
    def.domain.lower[0] = -1;
    def.domain.upper[0] = 0.5;
    scene s = open_scene(&def, "linear", 0.5, 0);
    scree_body_def body = body_at(&s, scree_shape_mesh(large, 0.004), 0.4, 0, 0);
    add(&s, &body);
    body = body_at(&s, scree_shape_mesh(small, 0.004), 0.655, 0, 0);
    add(&s, &body);
    step(&s, 2);
    CHECK_EQUAL(scree_world_totals(s.world).destroyed, 1);
    CHECK_EQUAL(scree_world_events(s.world, &events, &count), SCREE_OK);
    for (size_t e = 0; e < count; e++) {
        begun += events[e].kind == SCREE_EVENT_CONTACT_BEGIN;
        ended += events[e].kind == SCREE_EVENT_CONTACT_END;
    }
    CHECK_EQUAL(begun, 1);
    CHECK_EQUAL(ended, 1);
    scree_world_destroy(s.world);
    scree_mesh_destroy(large);
    scree_mesh_destroy(small);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(bit_identical_whatever_computes_them),
        CASE(snapshots_and_copies_go_on),
        CASE(checkpoints_bring_their_meshes),
        CASE(broken_snapshots_are_refused),
        CASE(contacts_are_read),
        CASE(events_go_by_pairs),
        CASE(bodies_and_walls_may_go),
        CASE(what_touched_may_go),
        CASE(many_meshes),
        CASE(steps_are_chosen),
        CASE(bodies_touch_across_a_periodic_boundary),
        CASE(frozen_bodies_and_ghosts),
        CASE(other_ways_through_a_step),
        CASE(the_boundary_ends_contacts),
    };

    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
