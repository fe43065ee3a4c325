/*  Where a locale has a comma in numbers: what is written is bit-identical to that without, and what is read the same
    numbers. Where the machine has no such locale one is made in a folder of the test's own; skipped where the
    C library cannot make any. */
#include "base/decimal.h"
#include "harness/checkpoint_maker.h"
#include "harness/run_program.h"
#include "scree/io.h"
#include "scree/picture.h"

#include <locale.h>
#include <math.h>

static const char *commas;

static const char *find_commas(void)
{
    static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8",  "fr_FR.UTF-8", "nl_NL.UTF-8",
                                        "es_ES.UTF-8", "it_IT.UTF-8", "ru_RU.UTF-8", "de_DE",
                                        "fr_FR",       "pt_BR.UTF-8"};
    const char *found = NULL;

    for (size_t i = 0; i < sizeof names / sizeof *names && !found; i++)
        if (setlocale(LC_ALL, names[i]) && localeconv()->decimal_point[0] == ',')
            found = names[i];
    setlocale(LC_ALL, "C");
    return found;
}

/* ---- a locale of our own ---- */

static char made_folder[] = "/tmp/scree-locale-XXXXXX";

/*  Numbers as in most of Europe, the rest as in C; of the built-in characters, so that no package is needed. */
static bool write_source(const char *path)
{
    FILE *file = fopen(path, "w");

    if (!file)
        return false;
    fputs("LC_NUMERIC\ndecimal_point \",\"\nthousands_sep \".\"\ngrouping 3;3\nEND LC_NUMERIC\n",
          file);
    return fclose(file) == 0;
}

static const char *make_commas(void)
{
    char source[64], place[64];
    const char *const words[] = {"localedef",      "-c",  "--quiet", "-i", source, "-f",
                                 "ANSI_X3.4-1968", place, NULL};

    if (!mkdtemp(made_folder))
        return NULL;
    snprintf(source, sizeof source, "%s/source", made_folder);
    snprintf(place, sizeof place, "%s/commas", made_folder);
    /* what it says of the categories that are left out counts as an error: whether it worked shows in use */
    if (write_source(source) && run_program(words) >= 0 && setenv("LOCPATH", made_folder, 1) == 0 &&
        setlocale(LC_ALL, "commas") && localeconv()->decimal_point[0] == ',') {
        setlocale(LC_ALL, "C");
        return "commas";
    }
    return NULL;
}

static void remove_made(void)
{
    const char *const words[] = {"rm", "-rf", made_folder, NULL};

    if (run_program(words) != 0)
        printf("test_locale: %s is left behind\n", made_folder);
}

static void with_commas(void)
{
    char text[8];

    CHECK(setlocale(LC_ALL, commas));
    /* it does what it is here for */
    snprintf(text, sizeof text, "%.1f", 0.5);
    CHECK_TEXT(text, "0,5");
}

TEST(numbers_as_text)
{
    char text[SCREE_REAL_TEXT];
    double value = 0;

    with_commas();
    CHECK(scree_text_to_real("1.5e-3", 6, &value) && value == 0.0015);
    CHECK(!scree_text_to_real("1,5", 3, &value));
    scree_real_to_text(-0.1, text);
    CHECK_TEXT(text, "-0.1");
    setlocale(LC_ALL, "C");
}

static void must_be_alike(const char *one, const char *other, const char *what)
{
    file_bytes a = load(one), b = load(other);

    if (a.count != b.count || memcmp(a.data, b.data, a.count) != 0)
        FAIL("%s differs", what);
    CHECK(a.count > 100);
    free(a.data);
    free(b.data);
    unlink(one);
    unlink(other);
}

/*  One body of triangles, far from the drum. */
static void add_stone(scree_world *world)
{
    scree_globe_def globe = scree_default_globe_def();
    scree_body_def def = scree_default_body_def();
    scree_mesh *mesh;

    globe.facets = 20;
    globe.radius = 0.01;
    CHECK_EQUAL(scree_mesh_globe(&globe, &mesh), SCREE_OK);
    def.shape = scree_shape_mesh(mesh, 0.001);
    def.material.index1 = 1;
    def.position[0] = 1.5;
    CHECK_EQUAL(scree_world_add_body(world, &def, NULL), SCREE_OK);
    scree_mesh_destroy(mesh);
}

TEST(what_is_written)
{
    drum_scene scene = {.across = 3, .most = 3, .layers = 1, .facets = 12};
    scree_error error = {SCREE_OK, ""};
    scree_picture_def def = scree_default_picture_def();
    const char *files[] = {"a.vtp", "b.vtp"};
    double times[] = {0.25, 1.5};

    def.width = 160;
    def.height = 90;
    def.samples = 1;
    enter_folder();
    scree_world *world = open_small_drum(scene, NULL);
    advance(world, 50);
    add_stone(world);
    for (int turn = 0; turn < 2; turn++) {
        char name[40];
        if (turn)
            with_commas();
        for (int format = 0; format < SCREE_EXPORT_FORMATS; format++) {
            snprintf(name, sizeof name, "export%d.%d", format, turn);
            if (scree_export(world, (scree_export_format)format, path_of(name), NULL, &error))
                FAIL("%s", error.text);
        }
        if (scree_export_series(path_of(turn ? "series.1" : "series.0"), files, times, 2, &error) ||
            scree_picture_png(world, &def, path_of(turn ? "picture.1" : "picture.0"), &error))
            FAIL("%s", error.text);
        write_to(world, path_of(turn ? "state.1" : "state.0"));
    }
    setlocale(LC_ALL, "C");
    for (int format = 0; format < SCREE_EXPORT_FORMATS; format++) {
        char one[40], other[40];
        snprintf(one, sizeof one, "export%d.0", format);
        snprintf(other, sizeof other, "export%d.1", format);
        must_be_alike(path_of(one), path_of(other),
                      scree_export_format_name((scree_export_format)format));
    }
    must_be_alike(path_of("series.0"), path_of("series.1"), "a series");
    must_be_alike(path_of("picture.0"), path_of("picture.1"), "a picture");
    must_be_alike(path_of("state.0"), path_of("state.1"), "a checkpoint");
    scree_world_destroy(world);
    leave_folder();
}

static void read_bodies(const char *text, const char *what)
{
    scree_error error = {SCREE_OK, ""};
    scree_body_list list = {0};

    if (scree_import_bytes(text, strlen(text), what, NULL, &list, &error))
        FAIL("%s", error.text);
    CHECK(list.count == 1 && list.bodies[0].position[0] == 1.5 &&
          list.bodies[0].shape.radius == 0.25);
    scree_body_list_free(&list);
}

static void read_mesh(const char *text, const char *what)
{
    scree_error error = {SCREE_OK, ""};
    scree_mesh *mesh;

    if (scree_mesh_read_bytes(text, strlen(text), what, NULL, &mesh, &error))
        FAIL("%s", error.text);
    scree_mesh_info info = scree_mesh_describe(mesh);
    CHECK(info.facet_count == 1 && info.upper[0] == 1.5);
    scree_mesh_destroy(mesh);
}

TEST(what_is_read)
{
    with_commas();
    read_bodies("x,y,z,radius\n1.5,2,3,0.25\n", "csv");
    read_bodies("#format x_y_z_r\n1.5 2 3 0.25\n", "yade");
    read_bodies("ITEM: TIMESTEP\n7\nITEM: NUMBER OF ATOMS\n1\nITEM: BOX BOUNDS ff ff ff\n-1.5 9\n"
                "-1.5 9\n-1.5 9\nITEM: ATOMS id type x y z radius\n1 1 1.5 2 3 0.25\n",
                "dump");
    read_mesh("v 0 0 0\nv 1.5 0 0\nv 0 0.5 0\nf 1 2 3\n", "obj");
    read_mesh("solid s\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1.5 0 0\nvertex 0 0.5 "
              "0\nendloop\nendfacet\nendsolid s\n",
              "stl");
    read_mesh("ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\n"
              "property float z\nelement face 1\nproperty list uchar int vertex_indices\n"
              "end_header\n0 0 0\n1.5 0 0\n0 0.5 0\n3 0 1 2\n",
              "ply");
    setlocale(LC_ALL, "C");
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(numbers_as_text),
        CASE(what_is_written),
        CASE(what_is_read),
    };
    int code = 77;

    commas = find_commas();
    bool is_made = !commas;
    if (is_made)
        commas = make_commas();
    if (commas)
        code = test_main(argc, argv, tests, sizeof tests / sizeof *tests);
    else
        printf("test_locale: skipped, there is no locale with a decimal comma, and none can be "
               "made\n");
    if (is_made)
        remove_made();
    return code;
}
