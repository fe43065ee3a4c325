/*  docs/guide/reference.md is what the table of the language says; every example of it is a scene that works; the
    example scenes run. */
#include "examine.h"
#include "scene_maker.h"
#include "trial.h"

#include <math.h>
#include <unistd.h>

static void gather(const char *text, void *user)
{
    char **all = user;
    size_t length = *all ? strlen(*all) : 0;
    char *longer = realloc(*all, length + strlen(text) + 1);

    if (!longer)
        abort();
    memcpy(longer + length, text, strlen(text) + 1);
    *all = longer;
}

/*  Of the source tree. */
static char *read_source(const char *name)
{
    char path[4096];

    snprintf(path, sizeof path, "%s/%s", TEST_ROOT, name);
    FILE *file = fopen(path, "rb");
    if (!file)
        FAIL("%s cannot be read", path);
    char *text = calloc(1, 1 << 20);
    size_t count = fread(text, 1, (1 << 20) - 1, file);
    fclose(file);
    text[count] = 0;
    return text;
}

TEST(the_reference_is_that_of_the_table)
{
    char *wanted = NULL, *is = read_source("docs/guide/reference.md");

    scree_scene_write_reference(gather, &wanted);
    if (strcmp(wanted, is) != 0) {
        size_t i = 0;
        while (wanted[i] == is[i])
            i++;
        FAIL("docs/guide/reference.md differs at byte %zu: make it again by `scree scene "
             "--markdown`",
             i);
    }
    free(wanted);
    free(is);
}

TEST(each_function_has_its_help)
{
    const char *name;
    size_t count = 0;

    for (; (name = scree_scene_function_at(count)) != NULL; count++) {
        char *text = NULL;
        CHECK(scree_scene_write_help(name, gather, &text));
        CHECK_SAYS(text, name);
        CHECK(!strstr(text, "(null)"));
        free(text);
    }
    CHECK(count > 25);
    /* the longest is not cut */
    char *longest = NULL;
    CHECK(scree_scene_write_help("measure", gather, &longest));
    CHECK_SAYS(longest, "of bodies on the sides perpendicular to x, y and z\n");
    free(longest);
    CHECK(!scree_scene_write_help("nothing", gather, NULL));
    CHECK_TEXT(scree_scene_nearest_function("materal"), "material");
    CHECK(!scree_scene_nearest_function("xxxxxxxxxxxxxxxx"));
}

TEST(each_field_of_bodies_in_files_is_named)
{
    const char *name;
    char *text = NULL, scene[200];

    CHECK(scree_scene_write_help("output", gather, &text));
    for (size_t f = 0; (name = scree_export_field_name(SCREE_EXPORT_CSV, f)) != NULL; f++) {
        if (!strstr(text, name))
            FAIL("the help of output does not name %s", name);
        snprintf(
            scene, sizeof scene,
            "heat { }\noutput { every = 1, write = \"csv\", fields = {\"%s\"} }\nrun { time = 1 }",
            name);
        scree_scene_close(must_open(scene));
    }
    free(text);
}

/* ---- examples of functions ---- */

#define TETRAHEDRON                                                                                \
    "solid x\n"                                                                                    \
    "facet normal 0 0 0\nouter loop\nvertex 0 0 0\nvertex 0 1 0\nvertex 1 0 0\nendloop\n"          \
    "endfacet\nfacet normal 0 0 0\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 0 1\n"         \
    "endloop\nendfacet\nfacet normal 0 0 0\nouter loop\nvertex 0 0 0\nvertex 0 0 1\nvertex 0 1 "   \
    "0\n"                                                                                          \
    "endloop\nendfacet\nfacet normal 0 0 0\nouter loop\nvertex 1 0 0\nvertex 0 1 0\nvertex 0 0 "   \
    "1\n"                                                                                          \
    "endloop\nendfacet\nendsolid x\n"

#define MATERIALS                                                                                  \
    "glass = material { density = 2500, young = 1e7 }\n"                                           \
    "steel = material { density = 7800, young = 2e8 }\n"

static void save_in(const char *folder, const char *name, const char *text)
{
    char path[64];

    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = text ? fopen(path, "wb") : NULL;
    if (text)
        CHECK(file && fputs(text, file) >= 0 && fclose(file) == 0);
    else
        CHECK(remove(path) == 0);
}

/*  A part of an example, with materials before it and a length after. */
static void check_part(const char *folder, const char *name, const char *part, size_t length)
{
    static const struct
    {
        const char *name, *before, *after;
    } needs[] = {
        {"units", NULL, "g = material { density = 2500, young = 1e7 }\nrun { time = 1 }"},
        {"polygon", "domain { dimensions = 2 }", NULL},
        {"set", NULL, "param(\"rate\", 6)\nrun { time = 1 }"},
        {"run", NULL, ""},
        {"after", NULL, ""},
        {"quiet", NULL, ""},
        {"count", NULL, ""},
        {"wall_force", NULL, ""},
        {"wall_moved", NULL, ""},
        {"broken", NULL, ""},
    };
    const char *before = "", *after = "run { time = 1 }";
    char text[4000];
    scree_error error = {SCREE_OK, ""};
    scree_scene_def def = scree_default_scene_def();
    scree_scene *scene;

    for (size_t k = 0; k < sizeof needs / sizeof *needs; k++)
        if (strcmp(name, needs[k].name) == 0) {
            before = needs[k].before ? needs[k].before : before;
            after = needs[k].after ? needs[k].after : after;
        }
    snprintf(text, sizeof text, "%s\n%s%.*s\n%s", before,
             strcmp(name, "units") == 0 ? "" : MATERIALS, (int)length, part, after);
    def.text = text;
    def.name = name;
    def.folder = folder;
    def.error = &error;
    if (scree_scene_open(&def, &scene))
        FAIL("%s\n%s", error.text, text);
    scree_scene_close(scene);
}

/*  Parts, of which each could be in a scene, are an empty line apart. */
TEST(examples_of_functions_are_read)
{
    char *text = read_source("docs/guide/reference.md"), name[40] = "",
         folder[] = "/tmp/scree_reference_XXXXXX";
    size_t count = 0;

    CHECK(mkdtemp(folder) != NULL);
    save_in(folder, "drum.stl", TETRAHEDRON);
    save_in(folder, "blade.stl", TETRAHEDRON);
    save_in(folder, "grains.csv", "x,y,z,radius\n0,0,0.1,0.01\n");
    for (char *at = strstr(text, "\n### "); at; at = strstr(at, "\n### ")) {
        CHECK(sscanf(at, "\n### %39s", name) == 1);
        char *from = strstr(at, "```lua\n"), *end = from ? strstr(from + 7, "```") : NULL;
        CHECK(end != NULL);
        from += 7;
        while (from < end) {
            char *gap = strstr(from, "\n\n");
            size_t length = (size_t)((gap && gap < end ? gap : end) - from);
            check_part(folder, name, from, length);
            from += length + 2;
            count++;
        }
        at = end;
    }
    CHECK(count > 60);
    save_in(folder, "drum.stl", NULL);
    save_in(folder, "blade.stl", NULL);
    save_in(folder, "grains.csv", NULL);
    CHECK(rmdir(folder) == 0);
    free(text);
}

/*  A few steps of each, with few bodies: what a page says of it is tried in full by the runs of the guide. */
TEST(the_examples_run)
{
    static const char *const few[] = {"grains=60", "count=60", "time=0.02"};
    const scree_scene_example *example;
    size_t count = 0;

    for (; (example = scree_scene_example_at(count)) != NULL; count++) {
        scree_error error;
        scree_scene *scene = NULL;
        scree_scene_exam exam;
        for (size_t i = 0; i < 2 && !scene; i++) {
            const char *settings[] = {few[i], few[2]};
            scene = open_scene_with(example->text, settings, 2, &error);
        }
        if (!scene)
            FAIL("%s: %s", example->name, error.text);
        CHECK(strlen(example->summary) > 10 && strncmp(example->text, "-- ", 3) == 0);
        scree_world *world;
        if (scree_scene_build(scene, NULL, &world, &error) ||
            scree_scene_start(scene, world, &error) ||
            scree_scene_examine(scene, world, NULL, &exam, &error))
            FAIL("%s: %s", example->name, error.text);
        CHECK_TEXT(exam.refusal, "");
        if (scree_scene_step(scene, world, 300, &error))
            FAIL("%s: %s", example->name, error.text);
        scree_world_destroy(world);
        /* a feeder brings 40 in that time */
        CHECK((double)exam.bodies + exam.later >= 40 && exam.stable > 0 && exam.stable < 1);
        scree_scene_close(scene);
    }
    CHECK_EQUAL(count, 48);
}

/*  Looked at, and tried for a moment. */
static scree_scene_exam examine(scree_scene *scene, scree_scene_trial *trial)
{
    scree_error error = {SCREE_OK, ""};
    scree_scene_exam exam;
    scree_world *world;

    if (scree_scene_build_trial(scene, NULL, &world, &error) ||
        scree_scene_examine(scene, world, NULL, &exam, &error))
        FAIL("%s", error.text);
    scree_scene_try(scene, world, 1, 0.01, trial);
    scree_world_destroy(world);
    return exam;
}

/*  What a doctor must find. */
TEST(an_examination_finds_what_is_there)
{
    scree_scene_exam exam;
    scree_scene_trial trial;
    scree_scene *scene = must_open(
        SCENE_TEXT_HEAD
        "gravity { 0, 0, -10 }\nwall { shape = plane { }, material = g }\n"
        "body { shape = s, material = g, position = {0, 0, 0.0095} }\n"
        "body { shape = sphere { radius = 0.02 }, material = g, position = {0, 0, 0.039} }\n"
        "pour { rate = 100, region = b, shape = s, material = g }\nrun { time = 1 }");

    exam = examine(scene, &trial);
    CHECK(exam.bodies == 2 && exam.contacts == 2 && exam.gravity == 10);
    CHECK_NEAR(exam.later, 100, 1e-9);
    CHECK(exam.least == 0.01 && exam.most == 0.02);
    /* 0.0005 of 0.01 at the wall; the pair overlaps by 0.03 - 0.0295 = 0.0005 of the smaller */
    CHECK_NEAR(exam.deepest, 0.05, 1e-9);
    CHECK(exam.stable_by_contact && exam.stable > 0 && isfinite(exam.stable) &&
          exam.stable_body == 1);
    CHECK(exam.method && exam.weight_overlap > 0);
    scree_scene_close(scene);
    scene = must_open(
        SCENE_TEXT_HEAD
        "body { shape = s, material = g, position = {0, 0, 0} }\n"
        "body { shape = s, material = g, position = {0, 0, 0.001} }\nrun { steps = 100 }");
    exam = examine(scene, &trial);
    CHECK_SAYS(exam.refusal,
               "body 1 and body 2 overlap by 1.9 of the smaller radius; the limit is 0.5");
    CHECK_SAYS(trial.stopped, "overlap");
    scree_scene_close(scene);
    scene = must_open("run { steps = 1000 }");
    exam = examine(scene, &trial);
    CHECK(exam.bodies == 0 && exam.least == 0 && !exam.method && trial.run_steps == 1000 &&
          trial.steps > 0 && trial.body_steps == 0 && exam.stable == INFINITY);
    scree_scene_close(scene);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(the_reference_is_that_of_the_table),
        CASE(each_function_has_its_help),
        CASE(each_field_of_bodies_in_files_is_named),
        CASE(examples_of_functions_are_read),
        CASE(the_examples_run),
        CASE(an_examination_finds_what_is_there),
    };

    NEEDS_SCENES("test_scene_reference");
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
