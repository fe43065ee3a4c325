/*  Files that scenes name: meshes with a scale, of walls and as shapes, and bodies of files with materials by type,
    a scale and a radius that the file lacks. */
#include "scene_shapes.h"

#include <math.h>

static scree_scene *must_open_beside(const char *text)
{
    scree_error error;
    scree_scene *scene = open_beside(text, NULL, NULL, &error);

    if (!scene)
        FAIL("%s", error.text);
    return scene;
}

static void near_to(const double *is, double x, double y, double z)
{
    const double wanted[3] = {x, y, z};

    for (int k = 0; k < 3; k++)
        CHECK_NEAR(is[k], wanted[k], 1e-15);
}

static const char ramp_obj[] = "v 0 0 0\nv 100 0 0\nv 0 100 50\nf 1 2 3\n";
static const char ramp_stl[] =
    "solid ramp\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 100 "
    "0 0\nvertex 0 100 50\nendloop\nendfacet\nendsolid ramp\n";

/*  A mesh in millimetres, by both ways to say it; the same world as facets in metres. */
TEST(meshes_have_a_scale)
{
    static const char *const ways[] = {
        "wall { mesh = \"ramp.obj\", scale = 0.001, material = g, position = {0, 0, 0.01} }\n",
        "wall { mesh = \"ramp.stl\", scale = 0.001, material = g, position = {0, 0, 0.01} }\n",
        "wall { shape = mesh { file = \"ramp.obj\", scale = 0.001 }, material = g, position = {0, "
        "0, 0.01} }\n",
        "wall { shape = facets { vertices = {{0, 0, 0}, {0.1, 0, 0}, {0, 0.1, 0.05}}, facets = "
        "{{1, "
        "2, 3}} }, material = g, position = {0, 0, 0.01} }\n",
    };
    uint64_t digest[4];

    enter_folder();
    save("ramp.obj", ramp_obj);
    save("ramp.stl", ramp_stl);
    for (size_t i = 0; i < 4; i++) {
        char text[800];
        scree_world *world;
        scree_error error = {SCREE_OK, ""};
        snprintf(text, sizeof text,
                 "gravity { 0, 0, -9.81 }\ng = material { density = 2500, young = 1e6 }\n%s"
                 "body { shape = sphere { radius = 0.01 }, material = g, position = {0.02, 0.04, "
                 "0.05} }\nsolver { dt = 1e-4 }\nrun { steps = 1 }",
                 ways[i]);
        scree_scene *scene = must_open_beside(text);
        const scree_scene_geometry *surface = &scree_scene_plan_of(scene)->walls[0].surface;
        if (i < 3) {
            CHECK(surface->form == SCREE_FORM_FILE && surface->scale == 0.001);
            near_to(surface->lower, 0, 0, 0);
            near_to(surface->upper, 0.1, 0.1, 0.05);
        }
        if (scree_scene_build(scene, NULL, &world, &error) ||
            scree_scene_start(scene, world, &error))
            FAIL("%s", error.text);
        must_step(scene, world, 1500);
        CHECK(scree_world_detection_stats(world).contacts > 0);
        digest[i] = scree_world_digest(world);
        scree_world_destroy(world);
        scree_scene_close(scene);
    }
    CHECK(digest[0] == digest[1] && digest[0] == digest[2]);
    CHECK(digest[0] == digest[3]);
    /* a mesh of a file has its scale, whatever units the scene has */
    scree_scene *scene = must_open_beside(
        "units { length = \"mm\" }\ng = material {}\n"
        "wall { mesh = \"ramp.obj\", scale = 0.001, material = g, position = {0, 0, 10} }\n"
        "run { steps = 1 }");
    near_to(scree_scene_plan_of(scene)->walls[0].surface.upper, 0.1, 0.1, 0.05);
    CHECK(scree_scene_plan_of(scene)->walls[0].position[2] == 0.01);
    scree_scene_close(scene);
    refuses("g = material {}\nwall { mesh = \"none.obj\", material = g }", "none.obj: ");
    refuses("g = material {}\nwall { mesh = \"ramp.obj\", scale = 0, material = g }",
            "scale: is 0, must be a number above 0");
    refuses("g = material {}\nwall { shape = plane {}, scale = 2, material = g }",
            "scale: is for `mesh` alone");
    unlink(path_of("ramp.obj"));
    unlink(path_of("ramp.stl"));
    leave_folder();
}

static const char grains_csv[] = "x,y,z,radius,vx,vy,vz,type\n"
                                 "1,2,3,0.5,10,0,0,1\n"
                                 "4,5,6,0.25,0,20,0,2\n";
static const char yade_text[] = "#format x_y_z_r\n1 2 3 0.5\n4 5 6 0.25\n";
static const char places_csv[] = "x,y,z\n1,2,3\n4,5,6\n";

TEST(bodies_of_a_file)
{
    enter_folder();
    save("grains.csv", grains_csv);
    save("grains.txt", yade_text);
    save("places.csv", places_csv);
    scree_scene *scene = must_open_beside(
        "g = material {}\nh = material { density = 5000 }\n"
        "bodies { file = \"grains.csv\", material = {g, h}, scale = 0.001, velocity = {0, 0, -1},\n"
        "         groups = {3}, freeze = \"spin_x\" }\n"
        "bodies { file = \"grains.txt\", material = h, scale = 0.1 }\n"
        "bodies { file = \"places.csv\", material = g, scale = 0.01, radius = 0.3 }\n"
        "run { steps = 1 }");
    const scree_scene_plan *plan = scree_scene_plan_of(scene);
    const scree_scene_body *b = plan->bodies;
    CHECK_EQUAL(plan->body_count, 6);
    near_to(b[0].position, 0.001, 0.002, 0.003);
    near_to(b[0].velocity, 0.01, 0, -1);
    near_to(b[1].velocity, 0, 0.02, -1);
    CHECK_NEAR(b[0].radius, 0.0005, 1e-18);
    CHECK_NEAR(b[1].radius, 0.00025, 1e-18);
    CHECK(b[0].material == 1 && b[1].material == 2 && b[0].groups == 4 &&
          b[1].flags == SCREE_FREEZE_SPIN_X && b[0].line == 3);
    near_to(b[3].position, 0.4, 0.5, 0.6);
    CHECK_NEAR(b[3].radius, 0.025, 1e-17);
    CHECK(b[2].material == 2 && b[3].material == 2);
    near_to(b[4].position, 0.01, 0.02, 0.03);
    CHECK(b[4].radius == 0.003 && b[5].radius == 0.003);
    /* in the folder that the resolved scene says */
    CHECK(strstr(scree_scene_resolved(scene), test_folder));
    scree_scene *again = must_open(scree_scene_resolved(scene));
    CHECK_EQUAL(scree_scene_plan_of(again)->body_count, 6);
    scree_scene_close(again);
    scree_scene_close(scene);
    refuses("g = material {}\nbodies { file = \"grains.csv\", material = g }",
            "scene.lua:2: bodies: material: the file has 2 types of bodies, and there is 1");
    refuses("g = material {}\nbodies { file = \"places.csv\", material = g }", "places.csv");
    refuses("g = material {}\nbodies { file = \"none.csv\", material = g }", "none.csv: ");
    refuses("g = material {}\nbodies { file = \"grains.csv\", list = {}, material = g }",
            "has `list` and `file`");
    refuses("g = material {}\nbodies { file = \"\", material = g }", "the name of a file is empty");
    save("broken.csv", "x,y,z,radius\n1,2,3,zero\n");
    refuses("g = material {}\nbodies { file = \"broken.csv\", material = g }", "broken.csv:2: ");
    unlink(path_of("grains.csv"));
    unlink(path_of("grains.txt"));
    unlink(path_of("places.csv"));
    unlink(path_of("broken.csv"));
    leave_folder();
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(meshes_have_a_scale),
        CASE(bodies_of_a_file),
    };
    NEEDS_SCENES("test_scene_files");
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
