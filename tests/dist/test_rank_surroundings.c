/*  What hosts change of the surroundings between calls: walls that come and go, materials and contact models, their
    values, paths of walls, the fluid. Ranks, which are threads here, continue as one process does. */
#include "ranks_bed.h"

/* ---- a host with stages ---- */

static scree_wall_id wall_at(const scree_world *world, size_t place)
{
    scree_wall_id ids[16] = {{0, 0}};

    CHECK(scree_world_walls(world, ids, 16) > place);
    return ids[place];
}

/*  A material and a contact model of its own, with more history than that of the bed, and bodies that have them. */
static void add_another_kind(scree_world *world)
{
    scree_material_def material = scree_default_material_def();
    scree_rule_def rule = scree_default_rule_def();
    scree_body_def body = scree_default_body_def();

    material.density = 1500;
    material.young = 2e6;
    material.friction = 0.3;
    material.rolling_friction = 0.1;
    material.twisting_friction = 0.1;
    CHECK_EQUAL(scree_world_add_material(world, &material, &body.material), SCREE_OK);
    rule.law = "linear";
    rule.material[0] = body.material;
    CHECK_EQUAL(scree_world_add_rule(world, &rule), SCREE_OK);
    body.shape = scree_shape_sphere(0.003);
    for (int k = 0; k < 8; k++) {
        body.position[0] = 0.01 * k - 0.035;
        body.position[2] = 0.09;
        body.velocity[2] = -3;
        CHECK_EQUAL(scree_world_add_body(world, &body, NULL), SCREE_OK);
    }
}

static void add_lid(scree_world *world, scree_material_id material)
{
    scree_wall_def def = scree_default_wall_def();

    def.point[2] = 0.1;
    def.normal[2] = -1;
    def.path.velocity[2] = -2;
    def.material = material;
    CHECK_EQUAL(scree_world_add_wall(world, &def, NULL), SCREE_OK);
}

/*  The second wall is exchanged for a floor of triangles, whose place in the list is the last. */
static void exchange_walls(scree_world *world, int call)
{
    const scree_material_id stone = {1};
    const scree_wall_path swing = {.swing = {0.001, 0, 0}, .frequency = 30};

    if (call == 1) {
        CHECK_EQUAL(scree_world_remove_wall(world, wall_at(world, 1)), SCREE_OK);
        CHECK_EQUAL(add_mesh(world, stone), SCREE_OK);
    }
    if (call == 2)
        add_another_kind(world);
    if (call == 3) {
        CHECK_EQUAL(scree_world_set_wall_path(world, wall_at(world, 0), &swing), SCREE_OK);
        CHECK_EQUAL(scree_world_set_material_value(world, stone, "young", 4e6), SCREE_OK);
        CHECK_EQUAL(scree_world_set_friction(world, (scree_material_id){2}, 0.1), SCREE_OK);
    }
    if (call == 4) {
        scree_world_keep_values(world);
        add_lid(world, (scree_material_id){2});
    }
    if (call == 5) {
        CHECK_EQUAL(add_fluid(world, 0), SCREE_OK);
        while (scree_world_walls(world, NULL, 0) > 1)
            CHECK_EQUAL(scree_world_remove_wall(world, wall_at(world, 1)), SCREE_OK);
    }
    if (call == 6)
        CHECK_EQUAL(scree_world_set_fluid(world, NULL), SCREE_OK);
}

TEST(walls_and_laws_that_a_host_changes_are_the_same_on_any_number_of_ranks)
{
    static const uint32_t ranks[] = {1, 2, 3, 7};
    run alone = {.of = {.bodies = 300, .ratio = 3, .threads = 1}, .host = exchange_walls};
    run shaped = {.of = {.bodies = 120, .ratio = 2, .threads = 1, .shapes = BED_ALL},
                  .host = exchange_walls};
    uint64_t shared = 0;

    set_calls(&alone, 8, TEST_EFFORT(150, 600));
    for (int k = 0; k < 4; k++)
        shared += compare(&alone, ranks[k], 1 + (uint32_t)k % 2);
    CHECK(shared > 0);
    set_calls(&shaped, 8, 60);
    compare(&shaped, 3, 1);
}

/*  The pose and all numbers of the new wall are those of the old one: only its triangles differ. */
static void exchange_meshes(scree_world *world, int call)
{
    scree_wall_def def = scree_default_wall_def();
    scree_random random = scree_random_stream(3, 0);
    maker made = maker_plane(1 + 4 * (uint32_t)call, 0.12, 0.2, &random);

    for (uint32_t v = 0; v < made.vertex_count; v++)
        made.vertex[3 * v + 2] = 0.0007 * scree_random_unit(&random);
    scree_mesh *mesh = maker_mesh(&made);
    def.kind = SCREE_WALL_MESH;
    def.material.index1 = 1;
    def.mesh = mesh;
    def.point[0] = def.point[1] = -0.06;
    if (call)
        CHECK_EQUAL(scree_world_remove_wall(world, wall_at(world, 5)), SCREE_OK);
    CHECK_EQUAL(scree_world_add_wall(world, &def, NULL), SCREE_OK);
    scree_mesh_destroy(mesh);
    maker_free(&made);
}

TEST(a_wall_in_the_place_of_another_is_not_mistaken_for_it)
{
    run alone = {.of = {.bodies = 200, .ratio = 2, .threads = 1}, .host = exchange_meshes};

    set_calls(&alone, 4, 300);
    compare(&alone, 3, 1);
}

/* ---- ranks whose worlds differ ---- */

/*  The other ranks have a floor that swings, another law, and no walls of triangles. */
static scree_status open_other(const scree_comm *comm, void *data)
{
    run *all = data, other = {.of = all->of};

    if (comm->rank == 0)
        return run_rank(comm, all);
    other.of.rolls = true;
    other.of.has_mesh = false;
    other.of.law = "linear";
    other.of.bodies = 20;
    return run_rank(comm, &other);
}

TEST(other_ranks_get_the_walls_and_laws_of_rank_0)
{
    run alone = {.of = {.bodies = 300, .ratio = 3, .threads = 1, .has_mesh = true}};

    set_calls(&alone, 3, 400);
    run all = {.of = alone.of, .calls = alone.calls};
    memcpy(all.steps, alone.steps, sizeof all.steps);
    CHECK_EQUAL(scree_run_ranks(3, open_other, &all), SCREE_OK);
    for (int call = 0; call < alone.calls; call++)
        CHECK_EQUAL(all.digest[call], alone.digest[call]);
    CHECK_EQUAL(all.bytes_digest, alone.bytes_digest);
}

typedef struct opening
{
    bed of, other;           /* of rank 0, and of the others */
    bool has_host_functions; /* a wall follows a function of the host */
    scree_error errors[3];
} opening;

static void rest(double time, double shift[3], double velocity[3], double turn[4], double spin[3],
                 void *user)
{
    (void)time, (void)user;
    for (int k = 0; k < 3; k++)
        shift[k] = velocity[k] = spin[k] = turn[k + 1] = 0;
    turn[0] = 1;
}

static scree_status open_one(const scree_comm *comm, void *data)
{
    opening *o = data;
    scree_error *error = &o->errors[comm->rank];
    const scree_wall_path path = {.function = rest};
    scree_world *world;
    scree_rank_team *ranks = NULL;
    scree_status status = make(comm->rank ? &o->other : &o->of, &world, error);

    if (!status && o->has_host_functions)
        status = scree_world_set_wall_path(world, wall_at(world, 0), &path);
    if (!status)
        status = scree_ranks_open(comm, world, &ranks, error);
    if (!status && comm->rank)
        status = scree_ranks_serve(ranks);
    if (!status && comm->rank == 0) {
        status = scree_world_step(world, 5);
        if (!status)
            CHECK_EQUAL(scree_world_remove_wall(world, wall_at(world, 2)), SCREE_OK);
        const uint64_t digest = scree_world_digest(world);
        if (!status)
            status = scree_world_step(world, 5);
        scree_fail(error, status, "%s", scree_world_message(world));
        if (status)
            CHECK_EQUAL(scree_world_digest(world), digest);
    }
    scree_ranks_close(ranks);
    scree_world_destroy(world);
    return status;
}

TEST(worlds_that_cannot_be_made_alike_are_refused_on_all_ranks)
{
    const bed of = {.bodies = 10, .ratio = 1, .threads = 1};
    opening flat = {.of = of, .other = of}, driven = {.of = of, .other = of};

    flat.other.is_flat = true;
    driven.other.rolls = true;
    driven.other.has_mesh = true;
    driven.has_host_functions = true;
    CHECK_EQUAL(scree_run_ranks(3, open_one, &flat), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_run_ranks(3, open_one, &driven), SCREE_BAD_ARGUMENT);
    for (int r = 0; r < 3; r++) {
        CHECK_SAYS(flat.errors[r].text, "worlds differ in dimensions");
        CHECK_SAYS(driven.errors[r].text, "is a function of the host");
    }
}

/*  The ranks go on, and the host can still step by itself. */
TEST(a_change_that_cannot_be_sent_is_refused)
{
    const bed of = {.bodies = 10, .ratio = 1, .threads = 1};
    opening alike = {.of = of, .other = of, .has_host_functions = true};

    CHECK_EQUAL(scree_run_ranks(3, open_one, &alike), SCREE_UNSUPPORTED);
    CHECK_SAYS(alike.errors[0].text, "where a law or the path of a wall is a function of the host");
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(walls_and_laws_that_a_host_changes_are_the_same_on_any_number_of_ranks),
        CASE(a_wall_in_the_place_of_another_is_not_mistaken_for_it),
        CASE(other_ranks_get_the_walls_and_laws_of_rank_0),
        CASE(worlds_that_cannot_be_made_alike_are_refused_on_all_ranks),
        CASE(a_change_that_cannot_be_sent_is_refused),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
