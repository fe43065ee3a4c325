/*  Every scene of tests/data/bad_scenes.txt is refused with its line and the words that stand below it. */
#include "scene_maker.h"

#include <stdio.h>
#include <string.h>

#define LEAST 60 /* of the scenes, in all */
#define HEAD                                                                                       \
    "g = material { density = 2500, young = 1e6 }\n"                                               \
    "ball = sphere { radius = 0.01 }\n"                                                            \
    "box_a = box { lower = {0, 0, 0}, upper = {1, 1, 1} }  box_far = box { lower = {5, 5, 5}, "    \
    "upper = "                                                                                     \
    "{6, 6, 6} }\n"                                                                                \
    "wall_a = wall { shape = plane { }, material = g }\n"

static const char *const topics[] = {"stages",           "conditions",   "formulas of columns",
                                     "composed regions", "laws",         "feeders",
                                     "motions",          "superquadrics"};

/*  Without the end of the line. */
static bool read_line(FILE *file, char line[1000])
{
    if (!fgets(line, 1000, file))
        return false;
    line[strcspn(line, "\n")] = 0;
    return true;
}

/*  Whether the scene of this line is refused so. */
static bool is_refused(const char *scene_line, const char *says)
{
    char text[2000];
    scree_error error;

    snprintf(text, sizeof text, HEAD "%s\nrun { time = 1 }\n", scene_line);
    scree_scene *scene = open_scene_with(text, NULL, 0, &error);
    bool is_right =
        !scene && strncmp(error.text, "scene.lua:5: ", 13) == 0 && strstr(error.text, says);
    if (!is_right)
        printf("%s\n  says \"%s\"\n  not  \"%s\"\n", scene_line, scene ? "nothing" : error.text,
               says);
    scree_scene_close(scene);
    return is_right;
}

TEST(each_is_refused_with_its_reason)
{
    FILE *file = fopen(TEST_ROOT "/tests/data/bad_scenes.txt", "r");
    char line[1000], says[1000];
    size_t count = 0, wrong = 0, topic = 0;

    if (!file)
        FAIL("no list of scenes");
    while (read_line(file, line)) {
        if (line[0] == '#')
            continue;
        if (strncmp(line, "== ", 3) == 0) {
            CHECK(topic < sizeof topics / sizeof *topics && strcmp(line + 3, topics[topic]) == 0);
            topic++;
            continue;
        }
        if (!read_line(file, says) || strncmp(says, "    -> ", 7) != 0)
            FAIL("no words below: %s", line);
        wrong += !is_refused(line, says + 7);
        count++;
    }
    fclose(file);
    CHECK_EQUAL(wrong, 0);
    CHECK_EQUAL(topic, sizeof topics / sizeof *topics);
    CHECK(count >= LEAST);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {CASE(each_is_refused_with_its_reason)};

    NEEDS_SCENES("test_bad_scenes");
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
