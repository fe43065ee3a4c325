/*  Snapshots: what they bring back, what they refuse, and that bytes which were tampered with do no harm. */
#include "harness/drum.h"
#include "test.h"
#include "world/save/snapshot.h"

#include <stddef.h>

static const drum_scene drum = {.across = 3,
                                .layers = 1,
                                .most = 3,
                                .facets = 32,
                                .has_planes = true,
                                .integrator = SCREE_VELOCITY_VERLET,
                                .has_energy_balance = true};

static scree_world *open_drum(const drum_way *way)
{
    static const drum_way plain = {0};
    scree_error error = {SCREE_OK, ""};
    scree_world *world = drum_scene_open(&drum, way ? way : &plain, &error);

    if (!world)
        FAIL("%s: %s", scree_status_name(error.status), error.text);
    return world;
}

static void advance(scree_world *world, uint64_t steps)
{
    if (scree_world_step(world, steps))
        FAIL("%s", scree_world_message(world));
}

static scree_snapshot *take(scree_world *world)
{
    scree_snapshot *snapshot;

    if (scree_world_snapshot(world, &snapshot))
        FAIL("%s", scree_world_message(world));
    return snapshot;
}

static void restore(scree_world *world, const scree_snapshot *snapshot)
{
    if (scree_world_restore(world, snapshot))
        FAIL("%s", scree_world_message(world));
}

/*  Goes so many steps, from the state that the digest is of, to the same one again. */
static void check_same_way(scree_world *a, scree_world *b, int steps)
{
    for (int k = 0; k < steps; k++) {
        if (scree_world_digest(a) != scree_world_digest(b))
            FAIL("they part after %d steps", k);
        advance(a, 1);
        advance(b, 1);
    }
    CHECK(scree_world_digest(a) == scree_world_digest(b));
}

static bool are_same(const double a[3], const double b[3])
{
    return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}

/* ---- what is brought back ---- */

TEST(a_world_goes_back_and_the_same_way_again)
{
    scree_world *world = open_drum(NULL);
    scree_snapshot *snapshots[6];
    uint64_t digests[6];

    for (int k = 0; k < 6; k++) {
        snapshots[k] = take(world);
        digests[k] = scree_world_digest(world);
        advance(world, 40);
    }
    for (int k = 5; k >= 0; k--) {
        restore(world, snapshots[k]);
        CHECK(scree_world_digest(world) == digests[k]);
        for (int later = k + 1; later < 6; later++) {
            advance(world, 40);
            CHECK(scree_world_digest(world) == digests[later]);
        }
    }
    for (int k = 0; k < 6; k++)
        scree_snapshot_destroy(snapshots[k]);
    scree_world_destroy(world);
}

TEST(equal_states_are_equal_bytes)
{
    const drum_way other = {.method = "flat", .sort_every = 2, .simd = SCREE_SIMD_SCALAR};
    scree_world *a = open_drum(NULL), *b = open_drum(&other);

    for (int k = 0; k < 5; k++) {
        scree_snapshot *of_a = take(a), *of_b = take(b);
        CHECK_EQUAL(of_a->bytes, of_b->bytes);
        CHECK_EQUAL(scree_snapshot_bytes(of_a), of_a->bytes);
        CHECK(memcmp(of_a->data, of_b->data, of_a->bytes) == 0);
        restore(a, of_b);
        scree_snapshot_destroy(of_a);
        of_a = take(a);
        CHECK(memcmp(of_a->data, of_b->data, of_a->bytes) == 0);
        scree_snapshot_destroy(of_a);
        scree_snapshot_destroy(of_b);
        advance(a, 50);
        advance(b, 50);
    }
    scree_world_destroy(a);
    scree_world_destroy(b);
}

/*  Names mean after a restore what they meant when it was taken; those given later are the same again. */
TEST(ids_keep_their_meaning)
{
    scree_world *world = open_drum(NULL), *other = open_drum(NULL);
    size_t count = scree_world_body_count(world);
    scree_bodies_view view = scree_world_bodies(world);
    scree_body_id gone[10], kept = scree_body_id_at(view.id, 15), first[12], second[12];
    scree_body_def def = scree_default_body_def();
    scree_body before, after;
    scree_snapshot *snapshot;

    for (size_t k = 0; k < 10; k++)
        gone[k] = scree_body_id_at(view.id, k);
    CHECK_EQUAL(scree_world_remove_bodies(world, gone, 10), SCREE_OK);
    CHECK_EQUAL(scree_world_get_body(world, kept, &before), SCREE_OK);
    snapshot = take(world);
    restore(other, snapshot);
    CHECK_EQUAL(scree_world_body_count(other), count - 10);
    for (int k = 0; k < 10; k++)
        CHECK(!scree_world_has_body(other, gone[k]));
    CHECK_EQUAL(scree_world_get_body(other, kept, &after), SCREE_OK);
    CHECK(after.serial == before.serial && after.user == before.user);
    CHECK(are_same(after.position, before.position));

    def.shape = scree_shape_sphere(1e-3);
    def.material.index1 = 1;
    def.position[0] = 10;
    for (int k = 0; k < 12; k++) {
        def.position[1] = k;
        CHECK_EQUAL(scree_world_add_body(world, &def, &first[k]), SCREE_OK);
        CHECK_EQUAL(scree_world_add_body(other, &def, &second[k]), SCREE_OK);
        CHECK_EQUAL(first[k].index1, second[k].index1);
        CHECK_EQUAL(first[k].generation, second[k].generation);
    }
    check_same_way(world, other, 10);
    scree_snapshot_destroy(snapshot);
    scree_world_destroy(world);
    scree_world_destroy(other);
}

/*  Bodies with numbers of their own: the table of serials is made again after a restore. */
TEST(global_ids_are_known_again)
{
    scree_world *world = open_drum(NULL), *other = open_drum(NULL);
    scree_body_def def = scree_default_body_def();
    scree_snapshot *snapshot;

    def.shape = scree_shape_sphere(1e-3);
    def.material.index1 = 1;
    def.position[0] = 10;
    def.serial = 1u << 20;
    CHECK_EQUAL(scree_world_add_body(world, &def, NULL), SCREE_OK);
    def.position[1] = 1;
    def.serial--;
    CHECK_EQUAL(scree_world_add_body(world, &def, NULL), SCREE_OK);
    snapshot = take(world);
    restore(other, snapshot);
    CHECK_EQUAL(scree_world_add_body(other, &def, NULL), SCREE_BAD_ARGUMENT);
    CHECK_SAYS(scree_world_message(other), "serial 1048575 is taken");
    check_same_way(world, other, 3);
    def.serial = 0;
    def.position[1] = 2;
    CHECK_EQUAL(scree_world_add_body(world, &def, NULL), SCREE_OK);
    CHECK_EQUAL(scree_world_add_body(other, &def, NULL), SCREE_OK);
    check_same_way(world, other, 3);
    scree_snapshot_destroy(snapshot);
    scree_world_destroy(world);
    scree_world_destroy(other);
}

static void check_physics(const scree_world *world, scree_time_mode mode, double dt,
                          double global_damping, double local_damping)
{
    double now, global, local;
    scree_time_mode now_mode;

    CHECK_EQUAL(scree_world_get_dt(world, &now_mode, &now), SCREE_OK);
    CHECK_EQUAL(now_mode, mode);
    scree_world_get_damping(world, &global, &local);
    CHECK(now == dt && global == global_damping && local == local_damping);
}

TEST(gravity_damping_and_time_go_back_too)
{
    scree_world *world = open_drum(NULL), *other = open_drum(NULL);
    const double aside[3] = {3, 0, 1};
    double dt, global_damping, local_damping;
    scree_time_mode mode;
    scree_snapshot *snapshot;

    scree_world_get_dt(world, &mode, &dt);
    scree_world_get_damping(world, &global_damping, &local_damping);
    advance(world, 20);
    snapshot = take(world);
    CHECK_EQUAL(scree_world_set_gravity(other, aside), SCREE_OK);
    CHECK_EQUAL(scree_world_set_damping(other, 3, 0.5), SCREE_OK);
    CHECK_EQUAL(scree_world_set_dt(other, SCREE_TIME_AUTOMATIC, 1e-4), SCREE_OK);
    advance(other, 7);
    check_physics(other, SCREE_TIME_AUTOMATIC, 1e-4, 3, 0.5);
    CHECK_EQUAL(scree_world_set_dt(other, SCREE_TIME_FIXED, -1), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_world_set_damping(other, 1, 1), SCREE_BAD_ARGUMENT);
    check_physics(other, SCREE_TIME_AUTOMATIC, 1e-4, 3, 0.5);
    restore(other, snapshot);
    check_physics(other, mode, dt, global_damping, local_damping);
    check_same_way(world, other, 30);
    scree_snapshot_destroy(snapshot);
    scree_world_destroy(world);
    scree_world_destroy(other);
}

static const double table[4][4] = {
    {0, 0, 0, 0}, {1e-3, 0, 1e-4, 0}, {2e-3, 1e-4, 0, 0}, {9, 0, 0, 0}};

TEST(paths_of_walls_go_back_too)
{
    scree_world *world = open_drum(NULL), *other = open_drum(NULL);
    scree_wall_path by_table = {.table = table, .table_count = 4, .velocity = {0.01, 0, 0}};
    scree_wall_id ids[3];
    scree_snapshot *snapshot;

    CHECK_EQUAL(scree_world_walls(world, ids, 3), 3);
    advance(world, 20);
    CHECK_EQUAL(scree_world_set_wall_path(world, ids[0], &by_table), SCREE_OK);
    advance(world, 20);
    snapshot = take(world);
    advance(other, 5);
    by_table.table_count = 2;
    CHECK_EQUAL(scree_world_set_wall_path(other, ids[2], &by_table), SCREE_OK);
    restore(other, snapshot);
    check_same_way(world, other, 80);
    /* the tables in the snapshot are its own */
    scree_world_destroy(world);
    restore(other, snapshot);
    scree_snapshot_destroy(snapshot);
    advance(other, 80);
    scree_world_destroy(other);
}

static void drift_along(double time, double shift[3], double velocity[3], double turn[4],
                        double spin[3], void *user)
{
    (void)turn;
    (void)spin;
    velocity[2] = *(const double *)user;
    shift[2] = velocity[2] * time;
}

TEST(paths_of_the_host_stay)
{
    double speed = 0.1;
    scree_world *world = open_drum(NULL), *other = open_drum(NULL);
    const scree_wall_path own = {.function = drift_along, .user = &speed};
    scree_wall_id ids[3];
    scree_snapshot *snapshot;

    CHECK_EQUAL(scree_world_walls(world, ids, 3), 3);
    advance(world, 20);
    CHECK_EQUAL(scree_world_set_wall_path(world, ids[1], &own), SCREE_OK);
    advance(world, 20);
    snapshot = take(world);
    CHECK_EQUAL(scree_world_restore(other, snapshot), SCREE_BAD_ARGUMENT);
    CHECK_SAYS(scree_world_message(other), "wall 2 of the world is another one");
    CHECK_EQUAL(scree_world_set_wall_path(other, ids[1], &own), SCREE_OK);
    restore(other, snapshot);
    check_same_way(world, other, 40);
    scree_snapshot_destroy(snapshot);
    scree_world_destroy(world);
    scree_world_destroy(other);
}

/*  What the host reads of contacts is there before the next step. */
TEST(contacts_are_there_at_once)
{
    scree_world *world = open_drum(NULL), *other = open_drum(NULL);
    const scree_contact *here, *there;
    size_t count, count_there;
    scree_snapshot *snapshot;

    advance(world, 150);
    snapshot = take(world);
    restore(other, snapshot);
    CHECK_EQUAL(scree_world_contacts(world, NULL, &here, &count), SCREE_OK);
    CHECK_EQUAL(scree_world_contacts(other, NULL, &there, &count_there), SCREE_OK);
    CHECK(count > 30);
    CHECK_EQUAL(count, count_there);
    for (size_t c = 0; c < count; c++) {
        CHECK_EQUAL(here[c].first.index1, there[c].first.index1);
        CHECK_EQUAL(here[c].second.index1, there[c].second.index1);
        CHECK_EQUAL(here[c].wall.index1, there[c].wall.index1);
        CHECK(are_same(here[c].force, there[c].force));
        CHECK(are_same(here[c].moment, there[c].moment));
        CHECK(here[c].overlap == there[c].overlap && here[c].rule == there[c].rule);
        CHECK_EQUAL(here[c].memory_count, there[c].memory_count);
        for (uint32_t m = 0; m < here[c].memory_count; m++)
            CHECK(here[c].memory[m] == there[c].memory[m]);
    }
    scree_snapshot_destroy(snapshot);
    scree_world_destroy(world);
    scree_world_destroy(other);
}

TEST(contacts_of_a_wall_that_is_gone_are_not_kept)
{
    scree_world *world = open_drum(NULL), *other = open_drum(NULL);
    scree_wall_id ids[3];
    scree_snapshot *snapshot;

    advance(world, 100);
    CHECK_EQUAL(scree_world_walls(world, ids, 3), 3);
    CHECK_EQUAL(scree_world_remove_wall(world, ids[0]), SCREE_OK);
    CHECK_EQUAL(scree_world_remove_wall(other, ids[0]), SCREE_OK);
    snapshot = take(world);
    restore(other, snapshot);
    check_same_way(world, other, 20);
    scree_snapshot_destroy(snapshot);
    scree_world_destroy(world);
    scree_world_destroy(other);
}

TEST(empty_worlds_have_snapshots)
{
    scree_world_def def = scree_default_world_def();
    scree_world *empty, *full = open_drum(NULL);
    scree_snapshot *nothing, *everything;
    uint64_t digest;

    def.step.dt = 1;
    CHECK_EQUAL(scree_world_create(&def, &empty), SCREE_OK);
    nothing = take(empty);
    digest = scree_world_digest(empty);
    restore(empty, nothing);
    CHECK(scree_world_digest(empty) == digest);
    advance(empty, 2);
    restore(empty, nothing);
    CHECK(scree_world_digest(empty) == digest);
    everything = take(full);
    CHECK_EQUAL(scree_world_restore(empty, everything), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_world_restore(full, nothing), SCREE_BAD_ARGUMENT);
    scree_world_destroy(empty);
    scree_world_destroy(full);
    scree_snapshot_destroy(nothing);
    scree_snapshot_destroy(everything);
}

/* ---- what is refused ---- */

static void check_refused(scree_world *world, const scree_snapshot *snapshot, const char *why)
{
    uint64_t before = scree_world_digest(world);

    CHECK_EQUAL(scree_world_restore(world, snapshot), SCREE_BAD_ARGUMENT);
    CHECK_SAYS(scree_world_message(world), why);
    CHECK(scree_world_digest(world) == before);
}

TEST(other_worlds_are_refused)
{
    scree_world *world = open_drum(NULL), *other;
    scree_snapshot *snapshot = take(world);
    const drum_scene plane = {.across = 3, .layers = 1, .facets = 32, .in_plane = true};
    const drum_scene tunnel = {
        .across = 3, .layers = 3, .most = 1, .facets = 32, .is_periodic = true};
    const drum_scene finer = {
        .across = 3, .layers = 1, .most = 3, .facets = 34, .has_planes = true};
    const drum_scene open = {.across = 3, .layers = 1, .most = 3, .facets = 32};
    const struct
    {
        const drum_scene *scene;
        const char *why;
    } cases[] = {{&plane, "a world of 3 dimensions, this one has 2"},
                 {&tunnel, "the boundary along z"},
                 {&finer, "wall 1 of the world is another one"},
                 {&open, "it has 3 walls, the world 1"}};
    const drum_way way = {0};
    scree_material_def material = scree_default_material_def();
    scree_rule_def rule = scree_default_rule_def();

    for (int k = 0; k < 4; k++) {
        other = drum_scene_open(cases[k].scene, &way, NULL);
        CHECK(other);
        check_refused(other, snapshot, cases[k].why);
        scree_world_destroy(other);
    }
    other = open_drum(NULL);
    CHECK_EQUAL(scree_world_add_material(other, &material, NULL), SCREE_OK);
    check_refused(other, snapshot, "materials or rules");
    scree_world_destroy(other);
    other = open_drum(NULL);
    CHECK_EQUAL(scree_world_add_rule(other, &rule), SCREE_OK);
    check_refused(other, snapshot, "materials or rules");
    scree_world_destroy(other);
    CHECK_EQUAL(scree_world_restore(NULL, snapshot), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_world_restore(world, NULL), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_world_snapshot(world, NULL), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_world_snapshot(NULL, &snapshot), SCREE_BAD_ARGUMENT);
    scree_snapshot_destroy(snapshot);
    scree_snapshot_destroy(NULL);
    CHECK_EQUAL(scree_snapshot_bytes(NULL), 0);
    scree_world_destroy(world);
}

TEST(other_domains_are_refused)
{
    scree_world_def def = scree_default_world_def();
    scree_world *a, *b;
    scree_snapshot *snapshot;

    def.step.dt = 1;
    def.domain.boundary[1] = SCREE_BOUNDARY_REFLECT;
    def.domain.upper[1] = 1;
    CHECK_EQUAL(scree_world_create(&def, &a), SCREE_OK);
    def.domain.upper[1] = 2;
    CHECK_EQUAL(scree_world_create(&def, &b), SCREE_OK);
    snapshot = take(a);
    check_refused(b, snapshot, "its domain is 0 to 1 along y, that of this world 0 to 2");
    scree_snapshot_destroy(snapshot);
    scree_world_destroy(a);
    scree_world_destroy(b);
}

/* ---- sections that not all worlds have ---- */

#define NUMBERS (sizeof(scree_snapshot_tail) / sizeof(uint64_t))

/*  All subsets of them are laid out, and found again in the table: also those of a number that no section tells. */
TEST(what_is_laid_out_is_found_again)
{
    struct
    {
        scree_snapshot_head head;
        scree_snapshot_section table[SCREE_SNAPSHOT_SECTIONS];
    } block = {.head = {.bodies = 5, .walls = 2, .planes = 3}};

    for (uint32_t subset = 0; subset < 1u << NUMBERS; subset++) {
        uint64_t number[NUMBERS], bytes;
        scree_snapshot_tail tail, found;
        for (size_t k = 0; k < NUMBERS; k++)
            number[k] = subset >> k & 1;
        memcpy(&tail, number, sizeof tail);
        /* counts, some of sections that come with others */
        tail.meshes *= 7;
        tail.frictions *= 11;
        tail.contacts *= tail.meshes;
        tail.materials *= 13 * tail.has_heat;
        tail.path_parts *= 17;
        tail.path_rows *= 19 * tail.path_parts;
        tail.joints *= 23 * tail.has_joints;
        block.head.section_count = scree_snapshot_lay_out(&block.head, &tail, block.table, &bytes);
        CHECK(block.head.section_count <= SCREE_SNAPSHOT_SECTIONS);
        found = scree_snapshot_tail_of(&block.head);
        if (memcmp(&found, &tail, sizeof tail) != 0)
            FAIL("subset %x is not found", subset);
    }
}

/* ---- bytes that were tampered with ---- */

static scree_snapshot clone(const scree_snapshot *snapshot, size_t bytes)
{
    scree_snapshot made = {.bytes = bytes};

    scree_memory_init(&made.memory, NULL);
    made.data = malloc(bytes ? bytes : 1);
    memcpy(made.data, snapshot->data, bytes < snapshot->bytes ? bytes : snapshot->bytes);
    return made;
}

TEST(pieces_of_snapshots_are_refused)
{
    scree_world *world = open_drum(NULL);
    scree_snapshot *snapshot;

    advance(world, 100);
    snapshot = take(world);
    for (size_t bytes = 0; bytes < snapshot->bytes; bytes = 2 * bytes + 1) {
        scree_snapshot piece = clone(snapshot, bytes);
        CHECK_EQUAL(scree_world_restore(world, &piece), SCREE_BAD_ARGUMENT);
        free(piece.data);
    }
    scree_snapshot_destroy(snapshot);
    scree_world_destroy(world);
}

/*  Every byte of head and table; and of the rest many. What is refused changes nothing, and what is not can
    be looked at, stepped and left. */
TEST(no_byte_leads_astray)
{
    scree_world *world = open_drum(NULL), *victim = open_drum(NULL);
    scree_snapshot *snapshot;
    const scree_snapshot_head *head;
    size_t refused = 0, taken = 0, careful;

    advance(world, 100);
    snapshot = take(world);
    head = scree_snapshot_head_of(snapshot);
    careful = sizeof *head + (size_t)head->section_count * sizeof(scree_snapshot_section);
    CHECK(head->pairs > 20 && head->wall_contacts > 10 && head->bytes > careful);
    for (size_t k = 0; k < snapshot->bytes; k += k < careful ? 1 : 37) {
        scree_snapshot changed = clone(snapshot, snapshot->bytes);
        uint64_t before = scree_world_digest(victim);
        const scree_contact *contacts;
        size_t count;
        changed.data[k] ^= (unsigned char)(1u << k % 8);
        if (scree_world_restore(victim, &changed)) {
            CHECK(k >= careful || scree_world_message(victim)[0]);
            CHECK(scree_world_digest(victim) == before);
            refused++;
        } else {
            CHECK(k >= careful || k == offsetof(scree_snapshot_head, is_stale));
            scree_world_digest(victim);
            scree_world_contacts(victim, NULL, &contacts, &count);
            scree_world_step(victim, 1);
            taken++;
        }
        free(changed.data);
    }
    printf("%zu bytes: %zu changes refused, %zu taken\n", snapshot->bytes, refused, taken);
    CHECK(refused > 100 && taken > 100);
    restore(victim, snapshot);
    check_same_way(world, victim, 10);
    scree_snapshot_destroy(snapshot);
    scree_world_destroy(world);
    scree_world_destroy(victim);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(a_world_goes_back_and_the_same_way_again),
        CASE(equal_states_are_equal_bytes),
        CASE(ids_keep_their_meaning),
        CASE(global_ids_are_known_again),
        CASE(gravity_damping_and_time_go_back_too),
        CASE(paths_of_walls_go_back_too),
        CASE(paths_of_the_host_stay),
        CASE(contacts_are_there_at_once),
        CASE(contacts_of_a_wall_that_is_gone_are_not_kept),
        CASE(empty_worlds_have_snapshots),
        CASE(other_worlds_are_refused),
        CASE(other_domains_are_refused),
        CASE(what_is_laid_out_is_found_again),
        CASE(pieces_of_snapshots_are_refused),
        CASE(no_byte_leads_astray),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
