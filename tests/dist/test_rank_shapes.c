/*  Blocks, polygons, clumps and meshes on ranks, which are threads here: digests and snapshots of one process, and the same
    failures. */
#include "ranks_bed.h"

#include "dist/distribution.h"

/* ---- the same bits ---- */

/*  A host that sets a body as it is, before calls that a hash chooses: then bodies are distributed again. */
static void disturb(scree_world *world, int call)
{
    scree_body body;

    if (scree_hash_word(77, (uint64_t)call) % 3)
        return;
    CHECK_EQUAL(scree_world_get_body(world, id_of(world, 1), &body), SCREE_OK);
    CHECK_EQUAL(scree_world_set_body(world, id_of(world, 1), &body), SCREE_OK);
}

/*  Calls of lengths that a hash chooses. */
static void set_random_calls(run *all, int calls, uint64_t most)
{
    all->calls = calls;
    all->host = all->host ? all->host : disturb;
    for (int k = 0; k < calls; k++)
        all->steps[k] = 1 + scree_hash_word(5, (uint64_t)k) % most;
    run_alone(all);
    if (all->status)
        FAIL("%s", all->error.text);
}

static void compare_kinds(uint32_t kinds, bool is_periodic, bool has_mesh)
{
    static const uint32_t ranks[] = {1, 2, 3, 4, 7};
    run alone = {.of = {.bodies = 120,
                        .ratio = 2,
                        .threads = 1,
                        .damping = 0.3,
                        .shapes = kinds,
                        .is_periodic = is_periodic,
                        .has_mesh = has_mesh}};
    uint64_t shared = 0;

    set_random_calls(&alone, 12, TEST_EFFORT(220, 900));
    for (int k = 0; k < 5; k++)
        for (uint32_t threads = 1; threads <= 2; threads++)
            shared += compare(&alone, ranks[k], threads);
    CHECK(shared >= 4);
    FIGURE("%" PRIu64 " contacts over ranks at the ends of runs", shared);
}

TEST(blocks_are_the_same_on_any_number_of_ranks)
{
    compare_kinds(BED_BLOCKS, false, false);
}

TEST(clumps_are_the_same_on_any_number_of_ranks)
{
    compare_kinds(BED_CLUMPS, false, false);
}

TEST(meshes_are_the_same_on_any_number_of_ranks)
{
    compare_kinds(BED_MESHES, false, false);
}

TEST(all_kinds_together_are_the_same_in_a_periodic_box)
{
    compare_kinds(BED_ALL, true, false);
}

TEST(all_kinds_together_are_the_same_on_walls_of_triangles)
{
    compare_kinds(BED_ALL, false, true);
}

TEST(polygons_and_discs_that_are_clumps_are_the_same)
{
    run alone = {.of = {.bodies = 120,
                        .ratio = 2,
                        .threads = 1,
                        .is_flat = true,
                        .shapes = BED_SPHERES | BED_CLUMPS | BED_BLOCKS}};
    uint64_t shared = 0;

    set_random_calls(&alone, 10, TEST_EFFORT(220, 220));
    for (uint32_t ranks = 2; ranks <= 7; ranks++)
        shared += compare(&alone, ranks, 1 + ranks % 2);
    CHECK(shared >= 4);
}

TEST(steps_that_are_chosen_servos_and_energies_are_the_same)
{
    run alone = {.of = {.bodies = 100,
                        .ratio = 2,
                        .threads = 1,
                        .shapes = BED_ALL,
                        .is_automatic = true,
                        .has_servo = true,
                        .has_loads = true,
                        .has_balance = true}};

    set_random_calls(&alone, 8, TEST_EFFORT(200, 600));
    for (uint32_t ranks = 1; ranks <= 5; ranks += 2)
        compare(&alone, ranks, 2);
}

/* ---- what comes and goes ---- */

static void add_one(scree_world *world, const scree_shape *shape, double x, double z)
{
    scree_body_def def = scree_default_body_def();

    def.shape = *shape;
    def.material.index1 = 1;
    def.position[0] = x;
    def.position[2] = z;
    def.velocity[2] = -2;
    CHECK_EQUAL(scree_world_add_body(world, &def, NULL), SCREE_OK);
}

/*  Adds shapes that the worlds of other ranks never had, also a block of a mesh that was a body before; removes a body,
    and moves one away from what it touches. */
static void come_and_go(scree_world *world, int call)
{
    scree_shape shape;
    scree_body body;
    shape_stock stock = {0};

    CHECK_EQUAL(stock_make(&stock, 0.0031, 0.0037, 3), SCREE_OK);
    for (int k = 0; k < 2; k++) {
        const double x = 0.03 * k - 0.02;
        if (call == 1 || call == 3)
            shape = scree_shape_clump(stock.clump[k]);
        else if (call == 2)
            shape = scree_shape_mesh(stock.block[k], 0.0005);
        else
            shape = scree_shape_block(stock.block[k], 0.0003);
        if (call >= 1 && call <= 4)
            add_one(world, &shape, x, 0.15 + 0.02 * call);
    }
    stock_free(&stock);
    if (call == 4)
        CHECK_EQUAL(scree_world_remove_body(world, id_of(world, 8)), SCREE_OK);
    if (call == 5) {
        CHECK_EQUAL(scree_world_get_body(world, id_of(world, 12), &body), SCREE_OK);
        body.position[2] += 0.3;
        CHECK_EQUAL(scree_world_set_body(world, body.id, &body), SCREE_OK);
    }
}

TEST(shapes_that_come_later_and_bodies_that_go_are_the_same)
{
    run alone = {.of = {.bodies = 80, .ratio = 2, .threads = 1, .shapes = BED_ALL},
                 .host = come_and_go};
    run spheres = {.of = {.bodies = 80, .ratio = 2, .threads = 1}, .host = come_and_go};

    set_calls(&alone, 8, TEST_EFFORT(150, 500));
    set_calls(&spheres, 8, TEST_EFFORT(60, 500));
    for (uint32_t ranks = 1; ranks <= 4; ranks++) {
        compare(&alone, ranks, 1);
        compare(&spheres, ranks, 1);
    }
}

TEST(bodies_that_leave_are_removed)
{
    run alone = {.of = {.bodies = 80, .ratio = 2, .threads = 1, .shapes = BED_ALL, .leaves = true}};

    set_calls(&alone, 4, TEST_EFFORT(500, 1500));
    for (uint32_t ranks = 2; ranks <= 4; ranks++)
        compare(&alone, ranks, 1);
}

/* ---- ghosts ---- */

/*  A number for each body that all ranks know. */
static double mark_of(uint64_t serial, int k)
{
    return (double)(10 * serial) + k;
}

/*  What the path of a body in a step depends on comes from its owner: where it is, how it lies, and the final angular
    velocity of the step before, which a ghost never had. */
static scree_status share_marks(const scree_comm *comm, void *data)
{
    const bed of = {.bodies = 60, .ratio = 2, .threads = 1, .shapes = BED_ALL};
    scree_error error = {SCREE_OK, ""};
    scree_world *whole = NULL, *part = NULL;
    size_t *ghosts = data;
    scree_memory memory = {.allocator = {0}};
    scree_distribution ranks = {.memory = &memory, .comm = comm, .has_shapes = true};
    scree_status status = make(&of, &whole, &error);

    if (!status)
        status = make(&of, &part, &error);
    memory.allocator = part->memory.allocator;
    if (!status)
        status = scree_distribute_bodies(&ranks, comm->rank ? part : whole, comm->rank ? 0 : 60,
                                         part, 1e-3, SCREE_ONE_ROUND);
    for (uint32_t slot = 0; slot < part->bodies.count && !status; slot++)
        for (int k = 0; k < 4; k++) {
            const bool is_own = slot < ranks.owned;
            part->bodies.orientation[slot][k] =
                is_own ? mark_of(part->bodies.serial[slot][0], k) : 0;
            part->bodies.spin_before[slot][k] =
                is_own ? -mark_of(part->bodies.serial[slot][0], k) : 0;
        }
    if (!status)
        status = scree_update_ghosts(&ranks, part);
    for (uint32_t slot = ranks.owned; slot < part->bodies.count && !status; slot++)
        for (int k = 0; k < 3; k++)
            if (part->bodies.orientation[slot][k] != mark_of(part->bodies.serial[slot][0], k) ||
                part->bodies.spin_before[slot][k] != -mark_of(part->bodies.serial[slot][0], k))
                status = SCREE_BAD_VALUE;
    ghosts[comm->rank] = part->bodies.count - ranks.owned;
    scree_distribution_free(&ranks);
    scree_world_destroy(part);
    scree_world_destroy(whole);
    return status;
}

TEST(ghosts_get_the_state_on_which_paths_depend)
{
    size_t ghosts[3] = {0};

    CHECK_EQUAL(scree_run_ranks(3, share_marks, ghosts), SCREE_OK);
    CHECK(ghosts[0] + ghosts[1] + ghosts[2] >= 10);
}

/* ---- failures ---- */

static void ends_alike(const run *alone, uint32_t ranks)
{
    const run all = run_on(alone, ranks, 1);

    CHECK_EQUAL(all.status, alone->status);
    CHECK_TEXT(all.error.text, alone->error.text);
    CHECK_EQUAL(all.failed_serial, alone->failed_serial);
    CHECK_EQUAL(all.taken, alone->taken);
    for (int call = 0; call < alone->calls; call++)
        CHECK_EQUAL(all.digest[call], alone->digest[call]);
}

static double thrown_at; /* in m/s */

/*  A body that a rank in the middle has, sideways. */
static void throw_one(scree_world *world, int call)
{
    scree_body body;

    if (call != 1)
        return;
    CHECK_EQUAL(scree_world_get_body(world, id_of(world, 25), &body), SCREE_OK);
    body.velocity[0] = thrown_at;
    CHECK_EQUAL(scree_world_set_body(world, body.id, &body), SCREE_OK);
}

/*  `word`: of the message of a step that is refused; NULL: none is. */
static void throw_at(double speed, const char *word)
{
    run alone = {.of = {.bodies = 60, .ratio = 2, .threads = 1, .shapes = BED_MESHES},
                 .host = throw_one,
                 .calls = 2,
                 .steps = {30, 300}};

    thrown_at = speed;
    run_alone(&alone);
    CHECK_EQUAL(alone.status, word ? SCREE_UNSTABLE : SCREE_OK);
    if (word)
        CHECK_SAYS(alone.error.text, word);
    for (uint32_t ranks = 1; ranks <= 5; ranks++)
        ends_alike(&alone, ranks);
}

TEST(surfaces_that_cross_are_the_same)
{
    throw_at(160, NULL);
}

TEST(surfaces_that_are_too_deep_are_told)
{
    throw_at(500, "of the smaller radius deep in each other");
}

TEST(a_mesh_that_would_go_through_another_is_told)
{
    throw_at(-4000, "would go through");
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(blocks_are_the_same_on_any_number_of_ranks),
        CASE(clumps_are_the_same_on_any_number_of_ranks),
        CASE(meshes_are_the_same_on_any_number_of_ranks),
        CASE(all_kinds_together_are_the_same_in_a_periodic_box),
        CASE(all_kinds_together_are_the_same_on_walls_of_triangles),
        CASE(polygons_and_discs_that_are_clumps_are_the_same),
        CASE(steps_that_are_chosen_servos_and_energies_are_the_same),
        CASE(shapes_that_come_later_and_bodies_that_go_are_the_same),
        CASE(bodies_that_leave_are_removed),
        CASE(ghosts_get_the_state_on_which_paths_depend),
        CASE(surfaces_that_cross_are_the_same),
        CASE(surfaces_that_are_too_deep_are_told),
        CASE(a_mesh_that_would_go_through_another_is_told),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
