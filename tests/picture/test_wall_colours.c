/*  Walls coloured by what bodies do to each facet. */
#include "picture_maker.h"
#include "scree/wear.h"

#include <math.h>

/*  A square of two triangles, seen from above; a ball lies on the one whose x is larger than its y. */
typedef struct plate
{
    scree_world *world;
    scree_wall_id wall;
} plate;

static plate make_plate(void)
{
    static const double corners[] = {-1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0};
    static const uint32_t facets[] = {0, 1, 2, 0, 2, 3};
    scree_world_def def = scree_default_world_def();
    scree_mesh_def mesh_def = scree_default_mesh_def();
    scree_material_def material = scree_default_material_def();
    scree_wall_def wall = scree_default_wall_def();
    scree_body_def body = ball(0.1, 0.5, -0.5, 0.1);
    scree_mesh *mesh;
    plate p;

    def.step.dt = 1e-5;
    def.gravity[2] = -10;
    material.restitution = 0.1;
    p.world = make_world(&def, &material);
    mesh_def.vertices = corners;
    mesh_def.vertex_count = 4;
    mesh_def.facets = facets;
    mesh_def.facet_count = 2;
    CHECK_EQUAL(scree_mesh_create(&mesh_def, &mesh), SCREE_OK);
    wall.kind = SCREE_WALL_MESH;
    wall.mesh = mesh;
    wall.material.index1 = 1;
    CHECK_EQUAL(scree_world_add_wall(p.world, &wall, &p.wall), SCREE_OK);
    scree_mesh_destroy(mesh);
    CHECK_EQUAL(scree_world_add_body(p.world, &body, NULL), SCREE_OK);
    return p;
}

static void settle(plate *p)
{
    if (scree_world_step(p->world, 3000))
        FAIL("%s", scree_world_message(p->world));
}

static scree_picture_def from_above(const char *wall_field)
{
    scree_picture_def def = scree_default_picture_def();

    def.width = def.height = 100;
    def.camera.projection = SCREE_PICTURE_ORTHOGRAPHIC;
    def.camera.placed = true;
    def.camera.eye[2] = 5;
    def.camera.up[1] = 1;
    def.camera.up[2] = 0;
    def.camera.height = 2.4;
    def.field = "none";
    def.shadows = SCREE_PICTURE_SHADOWS_NONE;
    def.occlusion = false;
    def.walls = SCREE_PICTURE_WALLS_SOLID;
    def.colour_bar = def.time_label = false;
    def.wall_field = wall_field;
    return def;
}

/*  Brightness of a pixel, by its place on the plate. */
static int light_at(const scree_picture *picture, double x, double y)
{
    const scree_picture_info info = scree_picture_describe(picture);
    const size_t column = (size_t)((x / 2.4 + 0.5) * info.width);
    const size_t row = (size_t)((0.5 - y / 2.4) * info.height);
    const uint8_t *pixel = info.pixels + 3 * (row * info.width + column);

    return pixel[0] + pixel[1] + pixel[2];
}

/*  The facet under the ball has the brightest colour, the other the darkest, which both had before. */
static void check_shown(const char *field, plate *p)
{
    const scree_picture_def def = from_above(field);
    double range[2];
    scree_error error = {SCREE_OK, ""};
    scree_picture *empty = draw(p->world, &def);

    CHECK_EQUAL(scree_picture_wall_range(p->world, &def, range, &error), SCREE_OK);
    CHECK(range[0] == 0 && range[1] == 0);
    CHECK_EQUAL(light_at(empty, 0.1, -0.8), light_at(empty, -0.8, 0.1));
    settle(p);
    scree_picture *loaded = draw(p->world, &def);
    CHECK_EQUAL(light_at(loaded, -0.8, 0.1), light_at(empty, -0.8, 0.1));
    CHECK(light_at(loaded, 0.1, -0.8) > light_at(empty, 0.1, -0.8) + 150);
    CHECK_EQUAL(scree_picture_wall_range(p->world, &def, range, &error), SCREE_OK);
    CHECK(range[0] == 0 && range[1] > 0);

    /* a range that is given */
    scree_picture_def wide = def;
    wide.wall_range[1] = 2 * range[1];
    scree_picture *half = draw(p->world, &wide);
    CHECK(light_at(half, 0.1, -0.8) < light_at(loaded, 0.1, -0.8));
    CHECK(light_at(half, 0.1, -0.8) > light_at(empty, 0.1, -0.8));
    scree_picture_destroy(half);
    scree_picture_destroy(loaded);
    scree_picture_destroy(empty);
}

TEST(pressure_colours_the_facet_under_a_ball)
{
    plate p = make_plate();

    check_shown("pressure", &p);
    scree_facet_load loads[2];
    double range[2];
    scree_error error = {SCREE_OK, ""};
    const scree_picture_def def = from_above("pressure");
    CHECK_EQUAL(scree_world_wall_loads(p.world, p.wall, loads, 2), SCREE_OK);
    CHECK_EQUAL(scree_picture_wall_range(p.world, &def, range, &error), SCREE_OK);
    CHECK(range[1] == fmax(loads[0].pressure, loads[1].pressure));
    scree_world_destroy(p.world);
}

TEST(shear_colours_it_on_a_belt)
{
    plate p = make_plate();
    scree_wall_belt_def belt = scree_default_wall_belt_def();

    belt.velocity[0] = 1;
    CHECK_EQUAL(scree_world_set_wall_belt(p.world, p.wall, &belt), SCREE_OK);
    check_shown("shear", &p);
    scree_world_destroy(p.world);
}

TEST(wear_colours_it_too)
{
    plate p = make_plate();
    scree_wear_def wear = scree_default_wear_def();
    scree_wall_belt_def belt = scree_default_wall_belt_def();

    belt.velocity[0] = 1;
    wear.coefficient = 1;
    CHECK_EQUAL(scree_world_set_wall_belt(p.world, p.wall, &belt), SCREE_OK);
    CHECK_EQUAL(scree_world_set_wear(p.world, p.wall, &wear), SCREE_OK);
    check_shown("wear", &p);
    CHECK_EQUAL(scree_world_set_wear(p.world, p.wall, NULL), SCREE_OK);
    const scree_picture_def def = from_above("wear");
    scree_picture *picture = draw(p.world, &def);
    CHECK_EQUAL(light_at(picture, 0.1, -0.8), light_at(picture, -0.8, 0.1));
    scree_picture_destroy(picture);
    scree_world_destroy(p.world);
}

/*  The bar is at the left, and only with a field. */
TEST(a_bar_explains_the_colours)
{
    plate p = make_plate();
    scree_picture_def def = from_above("pressure");
    int marked[2] = {0, 0};

    settle(&p);
    def.width = def.height = 300;
    def.colour_bar = true;
    for (int k = 0; k < 2; k++) {
        def.wall_field = k ? "none" : "pressure";
        scree_picture *picture = draw(p.world, &def);
        const scree_picture_info info = scree_picture_describe(picture);
        for (uint32_t y = 80; y < 110; y++) {
            const uint8_t *pixel = info.pixels + 3 * ((size_t)y * info.width + 12);
            marked[k] += pixel[0] + pixel[1] + pixel[2] > 450;
        }
        scree_picture_destroy(picture);
    }
    CHECK(marked[0] > 20 && marked[1] == 0);
    scree_world_destroy(p.world);
}

TEST(nonsense_is_refused)
{
    plate p = make_plate();
    scree_picture_def def = from_above("presure");
    scree_error error = {SCREE_OK, ""};
    double range[2];

    CHECK_EQUAL(scree_picture_check(&def, &error), SCREE_BAD_ARGUMENT);
    CHECK_SAYS(error.text, "there is no field of walls \"presure\"; did you mean \"pressure\"?");
    def = from_above("pressure");
    def.wall_range[0] = 2;
    def.wall_range[1] = 1;
    CHECK_EQUAL(scree_picture_check(&def, &error), SCREE_BAD_VALUE);
    CHECK_SAYS(error.text, "wall_range is 2 to 1");
    def.wall_range[1] = NAN;
    CHECK_EQUAL(scree_picture_check(&def, &error), SCREE_BAD_VALUE);
    def = from_above(NULL);
    CHECK_EQUAL(scree_picture_wall_range(p.world, &def, range, &error), SCREE_OK);
    CHECK(range[0] == 0 && range[1] == 0);
    CHECK_EQUAL(scree_picture_wall_range(p.world, &def, NULL, &error), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_picture_wall_range(NULL, &def, range, &error), SCREE_BAD_ARGUMENT);
    CHECK(scree_picture_wall_field_at(4) == NULL);
    CHECK(strcmp(scree_picture_wall_field_at(1), "pressure") == 0);

    scree_world *flat = flat_world(3);
    def = from_above("pressure");
    CHECK_EQUAL(scree_picture_wall_range(flat, &def, range, &error), SCREE_BAD_ARGUMENT);
    CHECK_SAYS(error.text, "in two dimensions");
    scree_world_destroy(flat);
    scree_world_destroy(p.world);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(pressure_colours_the_facet_under_a_ball),
        CASE(shear_colours_it_on_a_belt),
        CASE(wear_colours_it_too),
        CASE(a_bar_explains_the_colours),
        CASE(nonsense_is_refused),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
