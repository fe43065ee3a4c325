/*  What a host may get wrong in what it says of walls: each mistake is refused with a sentence that names it, and
    changes nothing; and what is asked of walls that are gone. */
#include "sound_world.h"

/*  A mesh of one facet: a triangle, or a segment in the plane. */
static scree_mesh *one_facet(int corners)
{
    static const double vertices[] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    static const uint32_t facet[] = {0, 1, 2};
    scree_mesh_def def = scree_default_mesh_def();
    scree_mesh *mesh = NULL;

    def.vertices = vertices;
    def.vertex_count = (uint32_t)corners;
    def.facets = facet;
    def.facet_count = 1;
    def.corners = corners;
    CHECK_EQUAL(scree_mesh_create(&def, &mesh), SCREE_OK);
    return mesh;
}

static scree_world *world_of(int dimensions, scree_material_id *material)
{
    scree_world_def def = sound_world();
    scree_material_def glass = scree_default_material_def();

    def.dimensions = dimensions;
    scree_world *world = open_world(&def);
    CHECK_EQUAL(scree_world_add_material(world, &glass, material), SCREE_OK);
    return world;
}

/*  What is written into a sound definition, in which case, and what is said. */
#define REFUSED(world, sound, change, expected, says)                                              \
    do {                                                                                           \
        scree_wall_def def = sound;                                                                \
        uint64_t before = scree_world_digest(world);                                               \
        change;                                                                                    \
        CHECK_EQUAL(scree_world_add_wall(world, &def, NULL), expected);                            \
        CHECK_SAYS(scree_world_message(world), says);                                              \
        CHECK(scree_world_digest(world) == before);                                                \
        CHECK_EQUAL(scree_world_walls(world, NULL, 0), 0);                                         \
    } while (0)

TEST(definitions_of_walls_are_checked)
{
    static const double no_numbers[] = {NAN, INFINITY, -INFINITY, 1e101};
    scree_wall_def sound = scree_default_wall_def();
    scree_world *world = world_of(3, &sound.material);
    scree_mesh *segment = one_facet(2);

    REFUSED(world, sound, def.cookie = 0, SCREE_BAD_DEF, "scree_default_wall_def");
    REFUSED(world, sound, def.material.index1 = 0, SCREE_BAD_ARGUMENT, "material is 0");
    REFUSED(world, sound, def.material.index1 = 2, SCREE_BAD_ARGUMENT, "material is 2");
    REFUSED(world, sound, def.kind = (scree_wall_kind)77, SCREE_BAD_ARGUMENT, "kind is 77");
    for (size_t k = 0; k < COUNT_OF(no_numbers); k++) {
        REFUSED(world, sound, def.point[k % 3] = no_numbers[k], SCREE_BAD_VALUE, "point[");
        REFUSED(world, sound, def.normal[k % 3] = no_numbers[k], SCREE_BAD_VALUE, "normal[");
    }
    REFUSED(world, sound, def.normal[0] = 1e-101, SCREE_BAD_VALUE, "normal has length");
    REFUSED(world, sound, def.normal[0] = def.normal[1] = 1e100, SCREE_BAD_VALUE,
            "normal has length");
    REFUSED(world, sound, def.orientation[0] = 0, SCREE_BAD_VALUE, "orientation");
    REFUSED(world, sound, def.orientation[2] = NAN, SCREE_BAD_VALUE, "orientation");
    REFUSED(world, sound, def.path.velocity[1] = NAN, SCREE_BAD_VALUE, "velocity");
    sound.kind = SCREE_WALL_MESH;
    REFUSED(world, sound, (void)0, SCREE_BAD_ARGUMENT, "mesh is NULL");
    REFUSED(world, sound, def.mesh = segment, SCREE_BAD_ARGUMENT, "2 corners, must be 3");
    CHECK_EQUAL(scree_world_add_wall(NULL, &sound, NULL), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_world_add_wall(world, NULL, NULL), SCREE_BAD_ARGUMENT);
    scree_mesh_destroy(segment);
    scree_world_destroy(world);
}

TEST(walls_stay_in_the_plane)
{
    scree_wall_def sound = scree_default_wall_def();
    scree_world *world = world_of(2, &sound.material);
    scree_mesh *triangle = one_facet(3);

    REFUSED(world, sound, def.point[2] = 1, SCREE_BAD_VALUE, "point[2] is 1");
    REFUSED(world, sound, (def.normal[0] = 1, def.normal[2] = 0.5), SCREE_BAD_VALUE,
            "normal[2] is 0.5");
    sound.kind = SCREE_WALL_MESH;
    REFUSED(world, sound, def.mesh = triangle, SCREE_BAD_ARGUMENT, "3 corners, must be 2");
    scree_mesh_destroy(triangle);
    scree_world_destroy(world);
}

TEST(walls_that_are_gone_are_refused)
{
    scree_wall_def def = scree_default_wall_def();
    scree_world *world = world_of(3, &def.material);
    scree_wall_path path = {.velocity = {1, 0, 0}};
    scree_wall_id id, again, ids[3];
    scree_wall wall;

    CHECK_EQUAL(scree_world_add_wall(world, &def, &id), SCREE_OK);
    CHECK_EQUAL(scree_world_set_wall_path(world, id, NULL), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_world_set_wall_path(NULL, id, &path), SCREE_BAD_ARGUMENT);
    path.velocity[2] = INFINITY;
    CHECK_EQUAL(scree_world_set_wall_path(world, id, &path), SCREE_BAD_VALUE);
    path.velocity[2] = 0;
    CHECK_EQUAL(scree_world_remove_wall(world, id), SCREE_OK);
    CHECK_EQUAL(scree_world_set_wall_path(world, id, &path), SCREE_BAD_ARGUMENT);
    CHECK_SAYS(scree_world_message(world), "names no wall");
    CHECK_EQUAL(scree_world_get_wall(world, id, &wall), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_world_remove_wall(world, id), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_world_remove_wall(NULL, id), SCREE_BAD_ARGUMENT);

    /* its name is used again, and is another */
    CHECK_EQUAL(scree_world_add_wall(world, &def, &again), SCREE_OK);
    CHECK_EQUAL(again.index1, id.index1);
    CHECK(again.generation != id.generation);
    CHECK_EQUAL(scree_world_get_wall(world, id, &wall), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_world_add_wall(world, &def, &id), SCREE_OK);
    CHECK_EQUAL(scree_world_walls(world, ids, 1), 2);
    CHECK_EQUAL(ids[0].index1, again.index1);
    CHECK_EQUAL(scree_world_walls(world, ids, 3), 2);
    CHECK_EQUAL(ids[1].index1, id.index1);
    scree_world_destroy(world);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(definitions_of_walls_are_checked),
        CASE(walls_stay_in_the_plane),
        CASE(walls_that_are_gone_are_refused),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
