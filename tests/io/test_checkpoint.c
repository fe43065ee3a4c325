/*  Checkpoints: a world from the file alone continues bit-identically to the one that wrote it, however that
    is computed. */
#include "harness/checkpoint_maker.h"
#include "scree/shape.h"
#include "scree/wall.h"

#include <math.h>

static const drum_scene scenes[] = {
    {.across = 3,
     .layers = 1,
     .most = 3,
     .facets = 32,
     .has_planes = true,
     .integrator = SCREE_VELOCITY_VERLET,
     .has_energy_balance = true},
    {.across = 4,
     .most = 4,
     .facets = 24,
     .in_plane = true,
     .integrator = SCREE_SYMPLECTIC_EULER,
     .has_energy_balance = true},
    {.across = 3, .layers = 3, .most = 2, .facets = 24, .is_periodic = true},
    {.across = 3, .layers = 1, .most = 3, .facets = 32, .time = SCREE_TIME_AUTOMATIC},
    {.across = 3, .layers = 1, .most = 3, .facets = 32, .integrator = SCREE_IMPLICIT_EULER},
    {.across = 3,
     .layers = 1,
     .most = 3,
     .facets = 32,
     .integrator = SCREE_VELOCITY_VERLET,
     .has_energy_balance = true},
};

/*  Writes `world`, makes another from the file by other means, and lets both go on. */
static void check_continues(scree_world *world, const scree_world_def *hooks, int steps)
{
    const char *path = path_of("one"), *second = path_of("two");
    scree_checkpoint *checkpoint;
    scree_world *again;
    file_bytes a, b;

    write_to(world, path);
    checkpoint = read_from(path);
    CHECK(scree_checkpoint_describe(checkpoint).digest == scree_world_digest(world));
    again = world_of(checkpoint, hooks);
    scree_checkpoint_destroy(checkpoint);
    /* what it would write is what it was read from */
    write_to(again, second);
    a = load(path);
    b = load(second);
    CHECK_EQUAL(a.count, b.count);
    CHECK(memcmp(a.data, b.data, a.count) == 0);
    free(a.data);
    free(b.data);
    for (int k = 0; k < steps; k++) {
        if (scree_world_digest(world) != scree_world_digest(again))
            FAIL("they part after %d steps", k);
        advance(world, 1);
        advance(again, 1);
    }
    CHECK(scree_world_digest(world) == scree_world_digest(again));
    scree_world_destroy(again);
    unlink(path);
    unlink(second);
}

static scree_world_def other_way(uint32_t threads, const char *method, scree_simd simd)
{
    scree_world_def hooks = scree_default_world_def();

    hooks.compute.thread_count = threads;
    hooks.detection.method = method;
    hooks.compute.simd = simd;
    hooks.detection.sort_every = 7;
    return hooks;
}

TEST(worlds_of_all_kinds_go_on)
{
    const scree_world_def ways[] = {other_way(1, "auto", SCREE_SIMD_AUTO),
                                    other_way(3, "flat", SCREE_SIMD_SCALAR),
                                    other_way(2, "bvh8", SCREE_SIMD_AVX2)};

    enter_folder();
    for (size_t s = 0; s < sizeof scenes / sizeof *scenes; s++)
        for (size_t w = 0; w < sizeof ways / sizeof *ways; w++) {
            scree_world *world = open_small_drum(scenes[s], NULL);
            check_continues(world, &ways[w], 5);
            advance(world, 60);
            check_continues(world, &ways[w], 25);
            scree_world_destroy(world);
        }
    leave_folder();
}

TEST(a_world_without_anything_continues)
{
    scree_world_def def = scree_default_world_def();
    scree_world *world;

    enter_folder();
    def.step.dt = 1e-3;
    CHECK_EQUAL(scree_world_create(&def, &world), SCREE_OK);
    check_continues(world, NULL, 3);
    scree_world_destroy(world);
    leave_folder();
}

/*  Bodies and walls that came and went, numbers of their own, ghosts, frozen ones, loads. */
static void stir(scree_world *world)
{
    scree_bodies_view view = scree_world_bodies(world);
    scree_body_id gone[6];
    scree_body_def def = scree_default_body_def();
    scree_wall_def plane = scree_default_wall_def();
    scree_wall_id walls[4], extra[3];
    scree_body body;

    for (size_t k = 0; k < 6; k++)
        gone[k] = scree_body_id_at(view.id, 3 + k);
    CHECK_EQUAL(scree_world_remove_bodies(world, gone, 6), SCREE_OK);
    def.shape = scree_shape_sphere(2e-3);
    def.material.index1 = 1;
    for (int k = 0; k < 4; k++) {
        def.position[0] = 5 + k;
        def.serial = k == 2 ? 1u << 20 : 0;
        def.flags = k == 1 ? SCREE_FREEZE : k == 3 ? SCREE_GHOST : 0;
        def.user = 70 + (uint64_t)k;
        CHECK_EQUAL(scree_world_add_body(world, &def, &gone[k]), SCREE_OK);
    }
    CHECK_EQUAL(scree_world_get_body(world, gone[0], &body), SCREE_OK);
    body.load[2] = 1e-3;
    body.load[4] = 1e-7;
    CHECK_EQUAL(scree_world_set_body(world, gone[0], &body), SCREE_OK);
    CHECK_EQUAL(scree_world_remove_body(world, gone[2]), SCREE_OK);

    plane.material.index1 = 2;
    for (int k = 0; k < 3; k++) {
        plane.point[2] = -10 - k;
        plane.user = (uint64_t)k + 9;
        CHECK_EQUAL(scree_world_add_wall(world, &plane, &extra[k]), SCREE_OK);
    }
    CHECK_EQUAL(scree_world_remove_wall(world, extra[1]), SCREE_OK);
    CHECK_EQUAL(scree_world_remove_wall(world, extra[0]), SCREE_OK);
    CHECK_EQUAL(scree_world_walls(world, walls, 4), 4);
    CHECK_EQUAL(scree_world_remove_wall(world, walls[1]), SCREE_OK);
    plane.point[2] = -20;
    CHECK_EQUAL(scree_world_add_wall(world, &plane, &extra[0]), SCREE_OK);
}

/*  What is added later gets the same names in both. */
static void check_same_names(scree_world *world)
{
    const char *path = path_of("names");
    scree_checkpoint *checkpoint;
    scree_world *again;
    scree_body_def def = scree_default_body_def();
    scree_wall_def plane = scree_default_wall_def();
    scree_wall_id walls[2][16], wall[2];
    scree_body_id id[2];
    size_t count;

    write_to(world, path);
    checkpoint = read_from(path);
    again = world_of(checkpoint, NULL);
    scree_checkpoint_destroy(checkpoint);
    unlink(path);
    count = scree_world_walls(world, walls[0], 16);
    CHECK_EQUAL(scree_world_walls(again, walls[1], 16), count);
    CHECK(memcmp(walls[0], walls[1], count * sizeof walls[0][0]) == 0);
    def.shape = scree_shape_sphere(1e-3);
    def.material.index1 = plane.material.index1 = 1;
    for (int k = 0; k < 9; k++) {
        def.position[1] = plane.point[2] = -50 - k;
        CHECK_EQUAL(scree_world_add_body(world, &def, &id[0]), SCREE_OK);
        CHECK_EQUAL(scree_world_add_body(again, &def, &id[1]), SCREE_OK);
        CHECK_EQUAL(scree_world_add_wall(world, &plane, &wall[0]), SCREE_OK);
        CHECK_EQUAL(scree_world_add_wall(again, &plane, &wall[1]), SCREE_OK);
        CHECK(memcmp(&id[0], &id[1], sizeof id[0]) == 0);
        CHECK(memcmp(&wall[0], &wall[1], sizeof wall[0]) == 0);
    }
    CHECK(scree_world_digest(world) == scree_world_digest(again));
    scree_world_destroy(again);
}

TEST(what_came_and_went_is_stored)
{
    scree_world *world;

    enter_folder();
    world = open_small_drum(scenes[0], NULL);
    advance(world, 30);
    stir(world);
    check_continues(world, NULL, 10);
    advance(world, 10);
    check_same_names(world);
    check_continues(world, NULL, 5);
    scree_world_destroy(world);
    leave_folder();
}

static const double table[4][4] = {
    {0, 0, 0, 0}, {1e-3, 0, 1e-4, 0}, {2e-3, 1e-4, 0, 0}, {9, 0, 0, 0}};

TEST(paths_of_walls_go_on)
{
    const scree_wall_path paths[] = {
        {.table = table, .table_count = 4, .velocity = {0.01, 0, 0}},
        {.swing = {0, 1e-4, 1e-4}, .frequency = 50, .phase = 0.3},
        {.axis = {0, 1, 1}, .rate = 3, .centre = {0.1, 0, 0}},
    };
    scree_world *world;
    scree_wall_id ids[3];

    enter_folder();
    world = open_small_drum(scenes[0], NULL);
    CHECK_EQUAL(scree_world_walls(world, ids, 3), 3);
    for (int k = 0; k < 3; k++) {
        advance(world, 10);
        CHECK_EQUAL(scree_world_set_wall_path(world, ids[k], &paths[k]), SCREE_OK);
    }
    advance(world, 10);
    check_continues(world, NULL, 40);
    scree_world_destroy(world);
    leave_folder();
}

/*  Two walls of one mesh share it again; what the mesh says of its origin is kept. */
TEST(meshes_are_shared_again)
{
    static const double corner[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1, 0, 1, 0, 0, 1, 1, -0.0,
                                    0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 1, 0, 0};
    scree_world_def def = scree_default_world_def();
    scree_material_def material = scree_default_material_def();
    scree_mesh_def mesh_def = scree_default_mesh_def();
    scree_wall_def wall = scree_default_wall_def();
    scree_wall_id ids[3];
    scree_wall first, third;
    scree_checkpoint *checkpoint;
    scree_world *world, *again;
    scree_mesh *mesh, *other;

    enter_folder();
    def.step.dt = 1e-4;
    CHECK_EQUAL(scree_world_create(&def, &world), SCREE_OK);
    CHECK_EQUAL(scree_world_add_material(world, &material, &wall.material), SCREE_OK);
    mesh_def.vertices = corner;
    mesh_def.vertex_count = 12;
    mesh_def.facet_count = 4; /* the third is flat, the fourth a reference */
    CHECK_EQUAL(scree_mesh_create(&mesh_def, &mesh), SCREE_OK);
    mesh_def.facet_count = 1;
    CHECK_EQUAL(scree_mesh_create(&mesh_def, &other), SCREE_OK);
    wall.kind = SCREE_WALL_MESH;
    for (int k = 0; k < 3; k++) {
        wall.mesh = k == 1 ? other : mesh;
        wall.point[2] = -k;
        CHECK_EQUAL(scree_world_add_wall(world, &wall, NULL), SCREE_OK);
    }
    write_to(world, path_of("meshes"));
    checkpoint = read_from(path_of("meshes"));
    CHECK_EQUAL(scree_checkpoint_describe(checkpoint).meshes, 2);
    again = world_of(checkpoint, NULL);
    scree_checkpoint_destroy(checkpoint);
    scree_world_walls(again, ids, 3);
    CHECK_EQUAL(scree_world_get_wall(again, ids[0], &first), SCREE_OK);
    CHECK_EQUAL(scree_world_get_wall(again, ids[2], &third), SCREE_OK);
    CHECK(first.mesh == third.mesh);
    CHECK_EQUAL(scree_mesh_describe(first.mesh).facet_count, 2);
    CHECK_EQUAL(scree_mesh_describe(first.mesh).source[1], 1);
    CHECK_EQUAL(scree_mesh_describe(first.mesh).dropped_flat, 1);
    CHECK_EQUAL(scree_mesh_describe(first.mesh).dropped_duplicates, 1);
    scree_mesh_destroy(mesh);
    scree_mesh_destroy(other);
    scree_world_destroy(again);
    scree_world_destroy(world);
    unlink(path_of("meshes"));
    leave_folder();
}

/* ---- rules ---- */

/*  Rows that are accepted only because of what was there, or was not yet, when they came. */
static scree_world *world_of_rules(void)
{
    static const char *const names[] = {"friction", "restitution"};
    static const double values[] = {0.25, 0.75};
    scree_world_def def = scree_default_world_def();
    scree_material_def soft = scree_default_material_def(), rigid = soft;
    scree_rule_def rule = scree_default_rule_def(), none = rule;
    scree_world *world;

    def.step.dt = 1e-5;
    CHECK_EQUAL(scree_world_create(&def, &world), SCREE_OK);
    rigid.young = INFINITY;
    rigid.name = "a name of exactly 31 bytes: abcd";
    rigid.name++;
    CHECK_EQUAL(scree_world_add_rule(world, &rule), SCREE_OK); /* before any material */
    CHECK_EQUAL(scree_world_add_material(world, &rigid, NULL), SCREE_OK);
    CHECK_EQUAL(scree_world_add_material(world, &rigid, NULL), SCREE_OK);
    CHECK_EQUAL(scree_world_add_material(world, &soft, NULL), SCREE_OK);
    rule.material[0].index1 = 1; /* with what came later than the second rigid one */
    rule.type = SCREE_CONTACT_WALLS;
    rule.names = names;
    rule.values = values;
    rule.value_count = 2;
    CHECK_EQUAL(scree_world_add_rule(world, &rule), SCREE_OK);
    none.law = NULL;
    none.material[0].index1 = 3;
    none.material[1].index1 = 2;
    none.type = SCREE_CONTACT_BODIES;
    none.groups = 0x30;
    CHECK_EQUAL(scree_world_add_rule(world, &none), SCREE_OK);
    rule.law = "linear-rolling";
    rule.material[1].index1 = 1;
    rule.value_count = 1;
    CHECK_EQUAL(scree_world_add_rule(world, &rule), SCREE_OK);
    return world;
}

TEST(rules_are_accepted_as_they_were)
{
    scree_world *world;

    enter_folder();
    world = world_of_rules();
    check_continues(world, NULL, 2);
    scree_world_destroy(world);
    leave_folder();
}

static scree_status prepare_own(const scree_law_input *input, double *constants, void *user)
{
    (void)input;
    (void)user;
    constants[0] = 1e3;
    return SCREE_OK;
}

static void push(const scree_batch *batch, const double *constants, void *user)
{
    (void)user;
    for (uint32_t k = 0; k < batch->count; k++)
        for (int a = 0; a < 3; a++) {
            batch->force[a][k] = -constants[0] * batch->overlap[k] * batch->normal[a][k];
            if (batch->stiffness)
                batch->stiffness[k] = constants[0], batch->shear_stiffness[k] = 0;
        }
}

static const scree_law own = {.name = "spring of the host", .prepare = prepare_own, .force = push};

/*  A world of one body above a plane, with a law or a path of the host's own. */
static scree_world *world_of_host(bool own_law, const scree_wall_path *path)
{
    scree_world_def def = scree_default_world_def();
    scree_material_def material = scree_default_material_def();
    scree_rule_def rule = scree_default_rule_def();
    scree_wall_def plane = scree_default_wall_def();
    scree_body_def body = scree_default_body_def();
    scree_world *world;

    def.step.dt = 1e-4;
    def.gravity[2] = -10;
    CHECK_EQUAL(scree_world_create(&def, &world), SCREE_OK);
    CHECK_EQUAL(scree_world_add_material(world, &material, &plane.material), SCREE_OK);
    rule.own_law = &own;
    if (own_law)
        CHECK_EQUAL(scree_world_add_rule(world, &rule), SCREE_OK);
    if (path)
        plane.path = *path;
    CHECK_EQUAL(scree_world_add_wall(world, &plane, NULL), SCREE_OK);
    body.material = plane.material;
    body.shape = scree_shape_sphere(0.01);
    body.position[2] = 0.00999;
    CHECK_EQUAL(scree_world_add_body(world, &body, NULL), SCREE_OK);
    return world;
}

static void lift(double time, double shift[3], double velocity[3], double turn[4], double spin[3],
                 void *user)
{
    (void)turn;
    (void)spin;
    (void)user;
    velocity[2] = 0.01;
    shift[2] = velocity[2] * time;
}

/*  From the file alone it is refused; with a world that has what is the host's it continues. */
static void check_takes_host(bool own_law, const char *says)
{
    const scree_wall_path path = {.function = lift};
    scree_world *world = world_of_host(own_law, own_law ? NULL : &path);
    scree_world *other = world_of_host(own_law, own_law ? NULL : &path);
    scree_world *refused, *plain = world_of_host(!own_law, NULL);
    scree_checkpoint *checkpoint;
    scree_error error = {SCREE_OK, ""};
    uint64_t before;

    advance(world, 20);
    write_to(world, path_of("host"));
    checkpoint = read_from(path_of("host"));
    CHECK_EQUAL(scree_checkpoint_world(checkpoint, NULL, &refused, &error), SCREE_BAD_ARGUMENT);
    CHECK(refused == NULL);
    CHECK_SAYS(error.text, says);
    CHECK_SAYS(error.text, test_folder);
    CHECK_EQUAL(scree_checkpoint_restore(checkpoint, other, &error), SCREE_OK);
    for (int k = 0; k < 10; k++) {
        CHECK(scree_world_digest(world) == scree_world_digest(other));
        advance(world, 3);
        advance(other, 3);
    }
    before = scree_world_digest(plain);
    CHECK_EQUAL(scree_checkpoint_restore(checkpoint, plain, &error), SCREE_BAD_ARGUMENT);
    CHECK(scree_world_digest(plain) == before);
    scree_checkpoint_destroy(checkpoint);
    scree_world_destroy(world);
    scree_world_destroy(other);
    scree_world_destroy(plain);
    unlink(path_of("host"));
}

TEST(what_is_the_hosts_is_asked_for)
{
    enter_folder();
    check_takes_host(true, "rule 1 has a law of the host's own, \"spring of the host\"");
    check_takes_host(false, "wall 1 is moved by a function of the host");
    leave_folder();
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(worlds_of_all_kinds_go_on),      CASE(a_world_without_anything_continues),
        CASE(what_came_and_went_is_stored),   CASE(paths_of_walls_go_on),
        CASE(meshes_are_shared_again),        CASE(rules_are_accepted_as_they_were),
        CASE(what_is_the_hosts_is_asked_for),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
