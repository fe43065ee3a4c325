/*  Steps of a world by several ranks, which are threads here: at every call of the host the digest is that of one process, the
    snapshot is, too, byte for byte; a step that fails on one rank fails on all; what cannot be done yet is named. */
#include "ranks_bed.h"

/* ---- tests ---- */

TEST(a_settling_bed_is_the_same_on_any_number_of_ranks)
{
    static const uint32_t ranks[] = {1, 2, 3, 4, 7};
    run alone = {.of = {.bodies = 600, .ratio = 10, .threads = 1}};

    set_calls(&alone, 4, TEST_EFFORT(260, 2500));
    for (int k = 0; k < 5; k++)
        for (uint32_t threads = 1; threads <= 2; threads++)
            compare(&alone, ranks[k], threads);
}

TEST(bodies_change_owners_and_are_distributed_again)
{
    run alone = {.of = {.bodies = 600, .ratio = 3, .threads = 1, .seed = 11}};

    set_calls(&alone, 1, TEST_EFFORT(2000, 6000));
    const run all = run_on(&alone, 4, 1);
    CHECK_EQUAL(all.digest[0], alone.digest[0]);
    uint64_t moved = 0;
    for (int r = 0; r < 4; r++) {
        CHECK(all.stats[r].distributions >= 5);
        CHECK(all.stats[r].owned >= 100 && all.stats[r].owned <= 200);
        CHECK(all.stats[r].ghosts >= 10);
        moved += all.stats[r].moved;
    }
    CHECK(moved >= 10);
    uint64_t contacts = 0;
    for (int r = 0; r < 4; r++)
        contacts += all.stats[r].shared_contacts;
    CHECK(contacts >= 30);
    FIGURE("%" PRIu64 " distributions, %" PRIu64 " moved, %" PRIu64 " contacts over ranks",
           all.stats[0].distributions, moved, contacts);
}

static scree_timings told; /* of the calls before the last one */

static void time_calls(scree_world *world, int call)
{
    if (call == 0)
        scree_world_enable_timings(world, true);
    told = scree_world_timings(world);
}

/*  Those of rank 0, without the time in which it waits for others. */
TEST(phases_of_a_step_are_told)
{
    run alone = {.of = {.bodies = 300, .ratio = 3, .threads = 1}, .host = time_calls};

    set_calls(&alone, 3, 300);
    const run all = run_on(&alone, 3, 1);
    const double sum = told.search + told.pairs + told.walls + told.sums + told.other;
    const scree_rank_load *load = &all.load[0];
    CHECK_EQUAL(all.status, SCREE_OK);
    CHECK_EQUAL(told.steps, 600);
    CHECK(told.search > 0 && told.pairs > 0 && told.walls > 0 && told.sums > 0 && told.other > 0);
    CHECK(sum < 1e-9 * (double)(load->step_ns - load->waiting_ns) + 1e-4);
}

/*  Rank 0 hears of all ranks what each of them knows. */
/*  A bed on the floor, and as many bodies that fly above it: by number they would be shared out evenly, by work not. */
TEST(bodies_are_shared_out_by_work)
{
    run alone = {.of = {.bodies = 2000, .ratio = 1, .threads = 1, .seed = 6}};

    set_calls(&alone, 1, TEST_EFFORT(3000, 9000));
    const run all = run_on(&alone, 4, 1);
    uint64_t sum = 0, most = 0;
    CHECK_EQUAL(all.digest[0], alone.digest[0]);
    for (int r = 0; r < 4; r++) {
        sum += all.load[r].work;
        most = all.load[r].work > most ? all.load[r].work : most;
        FIGURE("rank %d: %" PRIu64 " bodies, work %" PRIu64, r, all.load[r].owned,
               all.load[r].work);
    }
    CHECK(4.0 * (double)most <= 1.1 * (double)sum + 4 * 100);
}

TEST(loads_are_told)
{
    run alone = {.of = {.bodies = 300, .ratio = 3, .threads = 1}};

    set_calls(&alone, 3, 300);
    const run all = run_on(&alone, 3, 1);
    uint64_t owned = 0;
    CHECK_EQUAL(all.status, SCREE_OK);
    for (int r = 0; r < 3; r++) {
        const scree_rank_load *load = &all.load[r];
        CHECK_EQUAL(load->owned, all.stats[r].owned);
        CHECK_EQUAL(load->ghosts, all.stats[r].ghosts);
        CHECK_EQUAL(load->steps, all.taken);
        CHECK(load->messages > 0 && load->bytes > load->messages);
        CHECK(load->waiting_ns > 0 && load->waiting_ns <= load->step_ns);
        owned += load->owned;
    }
    CHECK_EQUAL(owned, 300);
}

TEST(every_law_of_spheres_is_the_same)
{
    uint32_t compared = 0, with_shared = 0;

    for (uint32_t k = 0; k < scree_law_count(); k++) {
        run alone = {.of = {.bodies = 300, .ratio = 4, .threads = 1, .law = scree_law_at(k)->name}};
        run_alone(&alone);
        if (alone.status || scree_law_has_bonds(scree_law_at(k)))
            continue;
        set_calls(&alone, 2, 400);
        with_shared += compare(&alone, 3, 1) > 0;
        compared++;
    }
    FIGURE("%" PRIu32 " laws, %" PRIu32 " with contacts over ranks", compared, with_shared);
    CHECK(compared >= 10);
    CHECK_EQUAL(with_shared, compared);
}

TEST(steps_that_are_chosen_are_the_same)
{
    run alone = {.of = {.bodies = 600, .ratio = 5, .threads = 1, .seed = 3, .is_automatic = true}};

    set_calls(&alone, 4, TEST_EFFORT(250, 2000));
    for (uint32_t ranks = 2; ranks <= 5; ranks++)
        compare(&alone, ranks, 1);
}

TEST(two_dimensions_and_walls_of_triangles_are_the_same)
{
    run flat = {.of = {.bodies = 200, .ratio = 3, .threads = 1, .is_flat = true}};
    run mesh = {.of = {.bodies = 400, .ratio = 3, .threads = 1, .has_mesh = true}};

    set_calls(&flat, 3, TEST_EFFORT(500, 2000));
    compare(&flat, 3, 1);
    set_calls(&mesh, 3, TEST_EFFORT(400, 2000));
    compare(&mesh, 4, 1);
}

/*  A host that changes gravity, adds a body, moves one, and removes one. */
static void change(scree_world *world, int call)
{
    const double gravity[3] = {2, 0, -9.81};
    scree_body_def def = scree_default_body_def();
    scree_body body;
    scree_bodies_view view = scree_world_bodies(world);

    if (call == 1)
        scree_world_set_gravity(world, gravity);
    if (call == 2) {
        def.shape = scree_shape_sphere(0.003);
        def.material.index1 = 1;
        def.position[2] = 0.2;
        scree_world_add_body(world, &def, NULL);
    }
    for (size_t k = 0; k < view.count; k++) {
        if (call == 3 && scree_uint64_at(view.serial, k) == 17) {
            scree_world_get_body(world, scree_body_id_at(view.id, k), &body);
            body.velocity[2] = 1;
            scree_world_set_body(world, scree_body_id_at(view.id, k), &body);
        }
        if (call == 4 && scree_uint64_at(view.serial, k) == 23) {
            scree_world_remove_body(world, scree_body_id_at(view.id, k));
            break;
        }
    }
}

TEST(periodic_boxes_are_the_same)
{
    static const uint32_t ranks[] = {1, 2, 3, 5, 8};
    run alone = {.of = {.bodies = 600, .ratio = 8, .threads = 1, .is_periodic = true, .seed = 2}};
    run flat = {
        .of = {.bodies = 200, .ratio = 3, .threads = 1, .is_flat = true, .is_periodic = true}};
    run chosen = {
        .of = {.bodies = 300, .ratio = 3, .threads = 2, .is_automatic = true, .is_periodic = true}};

    set_calls(&alone, 4, TEST_EFFORT(300, 2500));
    for (int k = 0; k < 5; k++)
        CHECK(compare(&alone, ranks[k], 1) > 0 || ranks[k] == 1);
    set_calls(&flat, 3, TEST_EFFORT(500, 2000));
    compare(&flat, 3, 1);
    set_calls(&chosen, 3, TEST_EFFORT(300, 1500));
    compare(&chosen, 4, 2);
}

/*  All bodies get the same velocity: so fast that in each step some might pass through others. */
static void hurl_all(scree_world *world, int call)
{
    const scree_bodies_view view = scree_world_bodies(world);
    scree_body body;

    for (size_t k = 0; call == 0 && k < view.count; k++) {
        scree_world_get_body(world, scree_body_id_at(view.id, k), &body);
        body.velocity[0] += 40;
        scree_world_set_body(world, body.id, &body);
    }
}

TEST(fast_bodies_that_cross_the_boundary_pass_through_none)
{
    run alone = {.of = {.bodies = 300, .ratio = 8, .threads = 1, .is_periodic = true},
                 .host = hurl_all};
    run shapes = {
        .of = {.bodies = 100, .ratio = 2, .threads = 1, .is_periodic = true, .shapes = BED_ALL},
        .host = hurl_all};

    set_calls(&alone, 2, 200);
    set_calls(&shapes, 2, 200);
    for (uint32_t ranks = 2; ranks <= 5; ranks++) {
        compare(&alone, ranks, 1);
        compare(&shapes, ranks, 1);
    }
}

TEST(energies_are_the_same)
{
    run alone = {.of = {.bodies = 400,
                        .ratio = 4,
                        .threads = 1,
                        .damping = 0.1,
                        .rolls = true,
                        .is_periodic = true,
                        .has_loads = true,
                        .has_balance = true},
                 .host = change};
    run chosen = {
        .of = {.bodies = 300, .ratio = 3, .threads = 2, .is_automatic = true, .has_balance = true}};

    set_calls(&alone, 6, TEST_EFFORT(200, 1000));
    for (uint32_t ranks = 1; ranks <= 5; ranks += 2)
        compare(&alone, ranks, 1);
    set_calls(&chosen, 3, TEST_EFFORT(300, 1500));
    compare(&chosen, 4, 2);
}

TEST(fluids_and_force_fields_are_the_same)
{
    run alone = {
        .of = {.bodies = 400, .ratio = 4, .threads = 1, .is_periodic = true, .has_fluid = true}};
    run chosen = {
        .of = {.bodies = 300, .ratio = 3, .threads = 2, .is_automatic = true, .has_fluid = true}};

    set_calls(&alone, 4, TEST_EFFORT(200, 1000));
    for (uint32_t ranks = 2; ranks <= 5; ranks++)
        compare(&alone, ranks, 1);
    set_calls(&chosen, 3, TEST_EFFORT(300, 1500));
    compare(&chosen, 4, 2);
}

static uint64_t hash_work(scree_world *world)
{
    const scree_ambient_work work = scree_world_ambient_work(world);
    const scree_energy energy = scree_world_energy(world);

    return scree_hash_words(scree_hash_words(SCREE_HASH_START, &work, sizeof work), &energy,
                            sizeof energy);
}

/*  The work on bodies that were removed, too. */
TEST(the_work_of_fluids_and_force_fields_is_the_same)
{
    run alone = {.of = {.bodies = 400,
                        .ratio = 4,
                        .threads = 1,
                        .has_fluid = true,
                        .has_balance = true,
                        .leaves = true},
                 .look = hash_work};
    run shapes = {.of = {.bodies = 100,
                         .ratio = 2,
                         .threads = 1,
                         .has_fluid = true,
                         .has_balance = true,
                         .shapes = BED_ALL},
                  .look = hash_work,
                  .host = change};

    set_calls(&alone, 4, TEST_EFFORT(300, 1000));
    for (uint32_t ranks = 1; ranks <= 7; ranks += 2)
        compare(&alone, ranks, 1);
    set_calls(&shapes, 6, TEST_EFFORT(100, 500));
    compare(&shapes, 3, 2);
}

/*  With more ranks than bodies some have none, and take part in the sums. */
TEST(void_fractions_that_follow_from_bodies_are_the_same)
{
    run alone = {.of = {.bodies = 400,
                        .ratio = 4,
                        .threads = 2,
                        .is_periodic = true,
                        .has_fluid = true,
                        .has_balance = true,
                        .void_cell = 0.01}};
    run chosen = {.of = {.bodies = 200,
                         .ratio = 3,
                         .threads = 1,
                         .is_automatic = true,
                         .has_fluid = true,
                         .leaves = true,
                         .void_cell = 0.02},
                  .host = change};
    run few = {.of = {.bodies = 3, .ratio = 1, .threads = 1, .has_fluid = true, .void_cell = 0.01}};

    set_calls(&alone, 4, TEST_EFFORT(200, 1000));
    for (uint32_t ranks = 1; ranks <= 7; ranks += 2)
        compare(&alone, ranks, 1);
    set_calls(&chosen, 6, TEST_EFFORT(100, 500));
    compare(&chosen, 3, 2);
    set_calls(&few, 2, 100);
    compare(&few, 7, 1);
}

/*  Steps twenty times as long, with inertia that is raised. Some bodies have raised inertia without contacts for a while. */
TEST(raised_masses_are_the_same)
{
    run alone = {
        .of = {.bodies = 400, .ratio = 4, .threads = 1, .is_scaled = true, .is_periodic = true}};
    run shapes = {
        .of = {.bodies = 60, .ratio = 2, .threads = 1, .is_scaled = true, .shapes = BED_ALL},
        .host = change};

    set_calls(&alone, 4, TEST_EFFORT(60, 400));
    for (uint32_t ranks = 1; ranks <= 7; ranks += 2)
        compare(&alone, ranks, 1);
    set_calls(&shapes, 6, TEST_EFFORT(40, 200));
    compare(&shapes, 3, 2);
}

/*  How many bodies are left, at the last call. */
static size_t left;

static void count_left(scree_world *world, int call)
{
    (void)call;
    left = scree_world_body_count(world);
}

TEST(bodies_that_leave_are_removed_as_on_one_process)
{
    run alone = {.of = {.bodies = 400,
                        .ratio = 4,
                        .threads = 1,
                        .seed = 7,
                        .leaves = true,
                        .has_balance = true},
                 .host = count_left};
    run chosen = {
        .of = {.bodies = 300, .ratio = 2, .threads = 1, .is_automatic = true, .leaves = true},
        .host = change};

    set_calls(&alone, 6, TEST_EFFORT(500, 2000));
    CHECK(left > 0 && left < 380);
    FIGURE("%zu of 400 are left", left);
    for (uint32_t ranks = 1; ranks <= 4; ranks++)
        compare(&alone, ranks, 1);
    set_calls(&chosen, 6, TEST_EFFORT(300, 1000));
    compare(&chosen, 3, 1);
}

TEST(walls_with_servos_are_the_same)
{
    run alone = {.of = {.bodies = 400, .ratio = 3, .threads = 1, .has_servo = true},
                 .host = change};
    run chosen = {.of = {.bodies = 300,
                         .ratio = 3,
                         .threads = 1,
                         .is_automatic = true,
                         .has_servo = true,
                         .has_balance = true}};

    set_calls(&alone, 6, TEST_EFFORT(300, 1500));
    for (uint32_t ranks = 1; ranks <= 5; ranks += 2)
        compare(&alone, ranks, 1);
    set_calls(&chosen, 3, TEST_EFFORT(400, 2000));
    compare(&chosen, 4, 2);
}

TEST(boundaries_that_stop_and_reflect_and_loads_are_the_same)
{
    run alone = {
        .of = {
            .bodies = 300, .ratio = 3, .threads = 1, .stops = true, .has_loads = true, .seed = 4}};

    set_calls(&alone, 4, TEST_EFFORT(400, 2000));
    for (uint32_t ranks = 2; ranks <= 5; ranks++)
        compare(&alone, ranks, 1);
}

TEST(walls_that_move_and_damping_are_the_same)
{
    run alone = {
        .of = {.bodies = 300, .ratio = 2, .threads = 1, .damping = 0.3, .rolls = true, .seed = 9}};

    set_calls(&alone, 3, TEST_EFFORT(300, 1000));
    compare(&alone, 4, 1);
}

TEST(fewer_bodies_than_ranks_or_all_on_one_are_no_obstacle)
{
    static const uint32_t counts[] = {0, 1, 3};

    for (int k = 0; k < 3; k++) {
        run alone = {.of = {.bodies = counts[k], .ratio = 1, .threads = 1}};
        set_calls(&alone, 2, 100);
        compare(&alone, 4, 1);
    }
    run alone = {.of = {.bodies = 5, .ratio = 1, .threads = 1, .is_all_alone = true}};
    set_calls(&alone, 2, 600);
    compare(&alone, 4, 1);
}

TEST(what_the_host_changes_between_calls_is_heard)
{
    run alone = {.of = {.bodies = 300, .ratio = 3, .threads = 1}, .host = change};

    set_calls(&alone, 6, 60);
    compare(&alone, 3, 1);
}

static void throw_one(scree_world *world, int call)
{
    scree_bodies_view view = scree_world_bodies(world);
    scree_body body;

    for (size_t k = 0; call == 1 && k < view.count; k++)
        if (scree_uint64_at(view.serial, k) == 300) {
            scree_world_get_body(world, scree_body_id_at(view.id, k), &body);
            body.velocity[0] = -1470;
            scree_world_set_body(world, scree_body_id_at(view.id, k), &body);
            return;
        }
}

TEST(a_step_that_fails_on_one_rank_fails_as_on_one_process)
{
    run alone = {.of = {.bodies = 300, .ratio = 3, .threads = 1}, .host = throw_one, .calls = 3};

    for (int k = 0; k < 3; k++)
        alone.steps[k] = 50;
    run_alone(&alone);
    CHECK_EQUAL(alone.status, SCREE_UNSTABLE);
    const run all = run_on(&alone, 4, 1);
    CHECK_EQUAL(all.status, SCREE_UNSTABLE);
    CHECK_EQUAL(all.failed_serial, alone.failed_serial);
    CHECK_EQUAL(all.failed_serial, 300);
    CHECK_TEXT(all.error.text, alone.error.text);
    CHECK_EQUAL(all.digest[0], alone.digest[0]);
    CHECK_EQUAL(all.digest[1], alone.digest[1]);
}

/*  Rank 1 runs out of memory at some request after its world was made: all ranks hear of it, and none waits for ever. */
typedef struct shortage
{
    run all;
    size_t fail_after;
    failing_allocator memory;
} shortage;

static scree_status run_short_rank(const scree_comm *comm, void *data)
{
    shortage *of = data;
    scree_world *world = NULL;
    scree_rank_team *ranks = NULL;
    scree_error error = {SCREE_OK, ""};

    bed own = of->all.of;

    if (comm->rank == 1)
        own.allocator = failing_allocator_hooks(&of->memory);
    scree_status status = scree_comm_agree(comm, make(&own, &world, &error));
    if (comm->rank == 1)
        of->memory.fail_at = atomic_load(&of->memory.requests) + of->fail_after;
    if (!status)
        status = scree_ranks_open(comm, world, &ranks, &error);
    if (!status && comm->rank == 0)
        be_host(&of->all, world);
    else if (!status)
        status = scree_ranks_serve(ranks);
    if (comm->rank == 0 && status)
        of->all.status = status;
    scree_ranks_close(ranks);
    scree_world_destroy(world);
    return SCREE_OK;
}

static void run_short_of_memory(const bed *of, host_fn *host, uint32_t stride)
{
    uint32_t failed = 0;
    bool is_short = true;

    for (size_t k = 1; is_short; k += 1 + k / stride) {
        shortage all = {.all = {.of = *of, .host = host, .calls = 2}, .fail_after = k};
        all.all.steps[0] = all.all.steps[1] = 40;
        CHECK_EQUAL(scree_run_ranks(3, run_short_rank, &all), SCREE_OK);
        CHECK(failing_allocator_is_clean(&all.memory));
        is_short = atomic_load(&all.memory.failures) > 0;
        CHECK_EQUAL(all.all.status, is_short ? SCREE_OUT_OF_MEMORY : SCREE_OK);
        failed += is_short;
    }
    CHECK(failed >= 20);
    FIGURE("%" PRIu32 " requests refused", failed);
}

static void heat_and_bond(scree_world *world, int call)
{
    const scree_heat_def heat = scree_default_heat_def();
    scree_material_heat_def material = scree_default_material_heat_def();
    scree_bond_def bonds = scree_default_bond_def();

    material.conductivity = 1e3;
    material.capacity = 1;
    bonds.gap = 0.004;
    if (call)
        return;
    CHECK_EQUAL(scree_world_set_heat(world, &heat), SCREE_OK);
    CHECK_EQUAL(scree_world_set_material_heat(world, (scree_material_id){1}, &material), SCREE_OK);
    CHECK_EQUAL(scree_world_add_bonds(world, &bonds, NULL), SCREE_OK);
}

static scree_status push_first(scree_force_sink *sink, const scree_bodies_view *bodies, double time,
                               void *user)
{
    const double force[3] = {1e-3 * time};

    (void)user;
    return bodies->count ? scree_force_sink_add_row(sink, 0, force, NULL) : SCREE_OK;
}

static void push_all(scree_world *world, int call)
{
    if (call == 0)
        scree_world_set_force(world, push_first, NULL);
}

TEST(a_rank_without_memory_stops_all)
{
    static const bed plain = {.bodies = 80, .ratio = 2, .threads = 1},
                     periodic = {.bodies = 80,
                                 .ratio = 2,
                                 .threads = 1,
                                 .is_periodic = true,
                                 .has_loads = true,
                                 .has_balance = true},
                     pressed = {.bodies = 80, .ratio = 2, .threads = 1, .has_servo = true},
                     leaving = {.bodies = 80, .ratio = 2, .threads = 1, .leaves = true},
                     shaped = {.bodies = 40, .ratio = 2, .threads = 1, .shapes = BED_ALL},
                     bonded = {.bodies = 80, .ratio = 1.3, .threads = 1, .has_bonds = true},
                     watched = {.bodies = 80,
                                .ratio = 2,
                                .threads = 1,
                                .leaves = true,
                                .sleeps = true,
                                .lists_events = true,
                                .has_balance = true,
                                .has_fluid = true,
                                .void_cell = 0.02};

    run_short_of_memory(&plain, NULL, TEST_EFFORT(6, 40));
    run_short_of_memory(&periodic, NULL, TEST_EFFORT(6, 40));
    run_short_of_memory(&pressed, NULL, TEST_EFFORT(6, 40));
    run_short_of_memory(&leaving, NULL, TEST_EFFORT(6, 40));
    run_short_of_memory(&shaped, NULL, TEST_EFFORT(6, 40));
    run_short_of_memory(&bonded, heat_and_bond, TEST_EFFORT(6, 40));
    run_short_of_memory(&watched, push_all, TEST_EFFORT(6, 40));
}

/*  Forces that need all bodies are found in the middle of an evaluation: at whichever request memory runs out, all ranks are in
    the same call of another. */
TEST(a_rank_without_memory_leaves_none_alone_within_an_evaluation)
{
    static const bed few = {.bodies = 12,
                            .ratio = 2,
                            .threads = 1,
                            .is_automatic = true,
                            .has_balance = true,
                            .has_fluid = true,
                            .void_cell = 0.02};

    run_short_of_memory(&few, push_all, UINT32_MAX);
}

static uint64_t hash_audits(scree_world *world)
{
    const scree_detection_stats stats = scree_world_detection_stats(world);

    CHECK_EQUAL(stats.missed_contacts, 0);
    return stats.audits;
}

/*  Each rank checks what it has found. */
TEST(audits_on_ranks_miss_nothing)
{
    run alone = {
        .of = {.bodies = 200, .ratio = 3, .threads = 1, .has_mesh = true, .is_audited = true},
        .look = hash_audits};
    run shapes = {
        .of = {.bodies = 60, .ratio = 2, .threads = 1, .shapes = BED_ALL, .is_audited = true},
        .look = hash_audits};

    set_calls(&alone, 3, TEST_EFFORT(200, 1000));
    CHECK_EQUAL(alone.seen[2], 3 * TEST_EFFORT(200, 1000) / 10);
    for (uint32_t ranks = 1; ranks <= 7; ranks += 2)
        compare(&alone, ranks, 1);
    set_calls(&shapes, 3, TEST_EFFORT(100, 500));
    compare(&shapes, 3, 2);
}

TEST(what_ranks_cannot_do_yet_is_named)
{
    char text[200];
    scree_error error = {SCREE_OK, ""};
    scree_world_def def = scree_default_world_def();
    scree_world *world;

    def.step.integrator = SCREE_IMPLICIT_EULER;
    def.step.dt = 1e-5;
    def.hooks.error = &error;
    CHECK_EQUAL(scree_world_create(&def, &world), SCREE_OK);
    scree_ranks_refusals(world, text, sizeof text);
    CHECK_TEXT(text,
               "implicit integrators (they solve for all bodies at once: use an explicit one, or "
               "one process)");
    scree_ranks_refusals(world, text, 9);
    CHECK_TEXT(text, "implicit");
    scree_world_destroy(world);

    scree_body_def ball = scree_default_body_def();
    scree_joint_def joint = scree_default_joint_def();
    scree_material_def rock = scree_default_material_def();
    def = scree_default_world_def();
    def.step.dt = 1e-5;
    CHECK_EQUAL(scree_world_create(&def, &world), SCREE_OK);
    CHECK_EQUAL(scree_world_add_material(world, &rock, &ball.material), SCREE_OK);
    ball.shape = scree_shape_sphere(0.01);
    CHECK_EQUAL(scree_world_add_body(world, &ball, &joint.first), SCREE_OK);
    CHECK_EQUAL(scree_world_add_joint(world, &joint, NULL), SCREE_OK);
    scree_ranks_refusals(world, text, sizeof text);
    CHECK_TEXT(text, "joints (their bodies may lie on two ranks: use one process)");
    scree_world_destroy(world);

    /* several, in as much room as there is */
    scree_body_def ghost = scree_default_body_def();
    const scree_material_def material = scree_default_material_def();
    def = scree_default_world_def();
    def.step.local_steps = 2;
    def.step.dt = 1e-5;
    def.hooks.error = &error;
    CHECK_EQUAL(scree_world_create(&def, &world), SCREE_OK);
    CHECK_EQUAL(scree_world_add_material(world, &material, &ghost.material), SCREE_OK);
    ghost.shape = scree_shape_sphere(0.01);
    ghost.flags = SCREE_GHOST;
    CHECK_EQUAL(scree_world_add_body(world, &ghost, NULL), SCREE_OK);
    scree_ranks_refusals(world, text, sizeof text);
    CHECK_TEXT(text,
               "local steps (their islands lie in one process: set them to 0, or use one process); "
               "bodies that are owned elsewhere (ranks make ghosts: add none)");
    scree_ranks_refusals(world, text, 89);
    CHECK_TEXT(
        text,
        "local steps (their islands lie in one process: set them to 0, or use one process); bodie");
    scree_world_destroy(world);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(a_settling_bed_is_the_same_on_any_number_of_ranks),
        CASE(bodies_change_owners_and_are_distributed_again),
        CASE(phases_of_a_step_are_told),
        CASE(bodies_are_shared_out_by_work),
        CASE(loads_are_told),
        CASE(every_law_of_spheres_is_the_same),
        CASE(steps_that_are_chosen_are_the_same),
        CASE(two_dimensions_and_walls_of_triangles_are_the_same),
        CASE(periodic_boxes_are_the_same),
        CASE(fast_bodies_that_cross_the_boundary_pass_through_none),
        CASE(energies_are_the_same),
        CASE(fluids_and_force_fields_are_the_same),
        CASE(the_work_of_fluids_and_force_fields_is_the_same),
        CASE(void_fractions_that_follow_from_bodies_are_the_same),
        CASE(raised_masses_are_the_same),
        CASE(bodies_that_leave_are_removed_as_on_one_process),
        CASE(walls_with_servos_are_the_same),
        CASE(boundaries_that_stop_and_reflect_and_loads_are_the_same),
        CASE(walls_that_move_and_damping_are_the_same),
        CASE(fewer_bodies_than_ranks_or_all_on_one_are_no_obstacle),
        CASE(what_the_host_changes_between_calls_is_heard),
        CASE(a_step_that_fails_on_one_rank_fails_as_on_one_process),
        CASE(a_rank_without_memory_stops_all),
        CASE(a_rank_without_memory_leaves_none_alone_within_an_evaluation),
        CASE(audits_on_ranks_miss_nothing),
        CASE(what_ranks_cannot_do_yet_is_named),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
