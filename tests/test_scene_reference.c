/*  docs/guide/reference.md is what the table of the language says; every example of it is a scene that works; the
    example scenes run. */
#include "examine.h"
#include "scene_maker.h"
#include "trial.h"

#include <libgen.h>
#include <math.h>

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

/*  Of the source tree, by this file's own name. */
static char *read_source(const char *name)
{
    char path[4096], here[4096];

    snprintf(here, sizeof here, "%s", __FILE__);
    snprintf(path, sizeof path, "%s/../%s", dirname(here), name);
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
        FAIL(
            "docs/guide/reference.md differs at byte %zu: make it anew by `scree scene --markdown`",
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
    CHECK_SAYS(longest, "press with on the sides across x, y and z\n");
    free(longest);
    CHECK(!scree_scene_write_help("nothing", gather, NULL));
    CHECK_TEXT(scree_scene_nearest_function("materal"), "material");
    CHECK(!scree_scene_nearest_function("xxxxxxxxxxxxxxxx"));
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
        CHECK(exam.expected >= 40 && exam.stable > 0 && exam.stable < 1);
        scree_scene_close(scene);
    }
    CHECK_EQUAL(count, 20);
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
    CHECK_NEAR(exam.expected, 102, 1e-9);
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
        CASE(the_examples_run),
        CASE(an_examination_finds_what_is_there),
    };

    NEEDS_SCENES("test_scene_reference");
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
