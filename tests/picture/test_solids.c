/*  Bodies of triangles in pictures: they cover what their triangles cover, whatever way these go round, in the colour
    of their body; small ones are balls. */
#include "harness/failing_allocator.h"
#include "picture_maker.h"

#include <math.h>

#define WIDE 120u
#define HIGH 100u

static scree_mesh *bumpy(uint32_t facets, double radius)
{
    scree_globe_def def = scree_default_globe_def();
    scree_mesh *mesh;

    def.facets = facets;
    def.radius = radius;
    def.bumps = 1.8;
    def.elongation = 1.5;
    CHECK_EQUAL(scree_mesh_globe(&def, &mesh), SCREE_OK);
    return mesh;
}

/*  The same surface with its triangles the other way round. */
static scree_mesh *turned_over(const scree_mesh *mesh)
{
    scree_mesh_info info = scree_mesh_describe(mesh);
    scree_mesh_def def = scree_default_mesh_def();
    uint32_t *facets = malloc(3 * (size_t)info.facet_count * sizeof *facets);
    scree_mesh *over;

    for (size_t f = 0; f < info.facet_count; f++)
        for (size_t c = 0; c < 3; c++)
            facets[3 * f + c] = info.facets[3 * f + 2 - c];
    def.vertices = info.vertices;
    def.vertex_count = info.vertex_count;
    def.facets = facets;
    def.facet_count = info.facet_count;
    CHECK_EQUAL(scree_mesh_create(&def, &over), SCREE_OK);
    free(facets);
    return over;
}

static scree_world *empty_world(void)
{
    scree_world_def def = scree_default_world_def();

    def.step.dt = 1e-6;
    return make_world(&def, NULL);
}

static scree_body_def stone(const scree_mesh *mesh, double x, double y, double z)
{
    scree_body_def def = ball(1, x, y, z);
    static const double turn[4] = {0.8, 0.3, -0.4, 0.2};

    def.shape = scree_shape_mesh(mesh, 1e-3);
    memcpy(def.orientation, turn, sizeof turn);
    return def;
}

static scree_picture_def view(scree_picture_projection projection)
{
    scree_picture_def def = small_picture(WIDE, HIGH);

    def.camera = (scree_picture_camera){.projection = projection,
                                        .placed = true,
                                        .eye = {3, 2, 2.5},
                                        .target = {0, 0, 0},
                                        .up = {0, 0, 1},
                                        .angle = 0.5,
                                        .height = 2,
                                        .zoom = 1};
    def.samples = 1;
    def.field = "none";
    return def;
}

static bool is_covered(const scree_picture *picture, const scree_picture *empty, uint32_t x,
                       uint32_t y)
{
    return memcmp(pixel_of(picture, x, y), pixel_of(empty, x, y), 3) != 0;
}

/*  The wall and the body are the same triangles in the same place. */
TEST(bodies_cover_what_walls_of_the_same_mesh_do)
{
    scree_mesh *mesh = bumpy(320, 0.3);
    scree_world *body = empty_world(), *wall = empty_world(), *nothing = empty_world();
    scree_body_def def = stone(mesh, 0.1, -0.1, 0.05);
    scree_wall_def surface = scree_default_wall_def();
    scree_body_id id = add(body, &def);

    surface.kind = SCREE_WALL_MESH;
    surface.mesh = mesh;
    surface.material.index1 = 1;
    CHECK_EQUAL(scree_world_body_frame(body, id, surface.point, surface.orientation), SCREE_OK);
    CHECK_EQUAL(scree_world_add_wall(wall, &surface, NULL), SCREE_OK);
    for (int projection = SCREE_PICTURE_PERSPECTIVE; projection <= SCREE_PICTURE_ORTHOGRAPHIC;
         projection++) {
        scree_picture_def seen = view((scree_picture_projection)projection);
        seen.walls = SCREE_PICTURE_WALLS_SOLID;
        scree_picture *a = draw(body, &seen), *b = draw(wall, &seen), *none = draw(nothing, &seen);
        uint32_t covered = 0, wrong = 0;
        for (uint32_t y = 0; y < HIGH; y++)
            for (uint32_t x = 0; x < WIDE; x++) {
                covered += is_covered(a, none, x, y);
                wrong += is_covered(a, none, x, y) != is_covered(b, none, x, y);
            }
        CHECK(covered > 1000 && covered < WIDE * HIGH / 2);
        /* a sample on the very edge may be in one and not in the other: vertices come about in two ways */
        CHECK(wrong <= 2);
        scree_picture_destroy(a);
        scree_picture_destroy(b);
        scree_picture_destroy(none);
    }
    scree_world_destroy(body);
    scree_world_destroy(wall);
    scree_world_destroy(nothing);
    scree_mesh_destroy(mesh);
}

static bool same_pixels(const scree_picture *a, const scree_picture *b)
{
    return memcmp(scree_picture_describe(a).pixels, scree_picture_describe(b).pixels,
                  3 * WIDE * HIGH) == 0;
}

TEST(it_does_not_matter_which_way_triangles_go_round)
{
    scree_mesh *mesh = bumpy(320, 0.3), *over = turned_over(mesh);
    scree_world *a = empty_world(), *b = empty_world();
    scree_body_def one = stone(mesh, 0, 0, 0), other = stone(over, 0, 0, 0);
    scree_picture_def def = view(SCREE_PICTURE_PERSPECTIVE);

    /* the same place of the mesh, whatever its principal axes are called */
    const double turn[4] = {0.8, 0.3, -0.4, 0.2}, origin[3] = {0};
    CHECK_EQUAL(scree_body_def_place(&one, origin, turn), SCREE_OK);
    CHECK_EQUAL(scree_body_def_place(&other, origin, turn), SCREE_OK);
    add(a, &one);
    add(b, &other);
    scree_picture *x = draw(a, &def), *y = draw(b, &def);
    uint32_t far = 0;
    for (uint32_t k = 0; k < 3 * WIDE * HIGH; k++)
        far += abs((int)scree_picture_describe(x).pixels[k] -
                   (int)scree_picture_describe(y).pixels[k]) > 3;
    /* but for rounding at edges */
    CHECK(far < 20);
    scree_picture_destroy(x);
    scree_picture_destroy(y);
    scree_world_destroy(a);
    scree_world_destroy(b);
    scree_mesh_destroy(mesh);
    scree_mesh_destroy(over);
}

/*  Of less than two pixels: the ball with the same volume. */
TEST(small_bodies_are_balls)
{
    scree_mesh *mesh = bumpy(80, 0.004);
    scree_mesh_solid solid;
    scree_world *stones = empty_world(), *balls = empty_world();
    scree_picture_def def = view(SCREE_PICTURE_ORTHOGRAPHIC);
    scree_error error;

    CHECK_EQUAL(scree_mesh_solid_of(mesh, 1, &solid, &error), SCREE_OK);
    double radius = cbrt(solid.volume * 3 / (4 * 3.14159265358979323846));
    for (int i = 0; i < 60; i++) {
        double x = 0.05 * (i % 9) - 0.2, y = 0.06 * (i % 7) - 0.2, z = 0.01 * i - 0.3;
        scree_body_def one = stone(mesh, x, y, z), other = ball(radius, x, y, z);
        memcpy(other.orientation, one.orientation, sizeof one.orientation);
        add(stones, &one);
        add(balls, &other);
    }
    def.samples = 4;
    scree_picture *a = draw(stones, &def), *b = draw(balls, &def);
    CHECK(same_pixels(a, b));
    /* seen from near they are not */
    def.camera.height = 0.05;
    scree_picture *c = draw(stones, &def), *d = draw(balls, &def);
    CHECK(!same_pixels(c, d));
    scree_picture_destroy(a);
    scree_picture_destroy(b);
    scree_picture_destroy(c);
    scree_picture_destroy(d);
    scree_world_destroy(stones);
    scree_world_destroy(balls);
    scree_mesh_destroy(mesh);
}

/*  Stones among balls on a floor, which some of them hide. */
static scree_world *mixed_world(void)
{
    scree_mesh *mesh = bumpy(80, 0.12);
    scree_world *world = empty_world();
    scree_wall_def floor = scree_default_wall_def();

    floor.material.index1 = 1;
    floor.point[2] = -0.5;
    CHECK_EQUAL(scree_world_add_wall(world, &floor, NULL), SCREE_OK);
    for (int i = 0; i < 24; i++) {
        double x = 0.4 * (i % 4) - 0.6, y = 0.4 * (i / 4 % 3) - 0.4, z = i < 12 ? -0.2 : 0.25;
        scree_body_def def = i % 3 ? stone(mesh, x, y, z) : ball(0.1, x, y, z);
        def.user = (uint64_t)i;
        def.velocity[0] = i;
        add(world, &def);
    }
    scree_mesh_destroy(mesh);
    return world;
}

TEST(colours_are_those_of_bodies_and_pictures_the_same_output)
{
    scree_world *world = mixed_world();
    scree_picture_def def = view(SCREE_PICTURE_PERSPECTIVE);

    def.field = "speed";
    scree_picture *once = draw(world, &def);
    def.thread_count = 3;
    scree_picture *again = draw(world, &def);
    CHECK(same_pixels(once, again));
    def.field = "none";
    scree_picture *plain = draw(world, &def);
    CHECK(!same_pixels(once, plain));
    /* shadows fall from stones as well */
    def.shadows = SCREE_PICTURE_SHADOWS_NONE;
    scree_picture *light = draw(world, &def);
    uint32_t darker = 0;
    for (uint32_t y = 0; y < HIGH; y++)
        for (uint32_t x = 0; x < WIDE; x++)
            darker += pixel_of(plain, x, y)[1] + 3 < pixel_of(light, x, y)[1];
    CHECK(darker > 50);
    scree_picture_destroy(once);
    scree_picture_destroy(again);
    scree_picture_destroy(plain);
    scree_picture_destroy(light);
    scree_world_destroy(world);
}

TEST(every_failed_allocation_is_survived)
{
    scree_world *world = mixed_world();
    scree_picture_def def = view(SCREE_PICTURE_PERSPECTIVE);

    for (size_t k = 1;; k++) {
        failing_allocator memory = {.fail_at = k};
        scree_picture *picture;
        def.allocator = failing_allocator_hooks(&memory);
        scree_status status = scree_picture_draw(world, &def, &picture, NULL);
        if (status)
            CHECK_EQUAL(status, SCREE_OUT_OF_MEMORY);
        else
            scree_picture_destroy(picture);
        CHECK(failing_allocator_is_clean(&memory));
        if (memory.requests < k)
            break;
    }
    scree_world_destroy(world);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(bodies_cover_what_walls_of_the_same_mesh_do),
        CASE(it_does_not_matter_which_way_triangles_go_round),
        CASE(small_bodies_are_balls),
        CASE(colours_are_those_of_bodies_and_pictures_the_same_output),
        CASE(every_failed_allocation_is_survived),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
