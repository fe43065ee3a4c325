/*  Force chains in scenes: columns of metrics, means, and the field of exports. */
#include "harness/failing_allocator.h"
#include "scene_shapes.h"

#include "scree/io.h"

/*  Nine columns of seven, every third pressed deeper; and a row that goes left and right by 40 degrees. */
#define COLUMNS                                                                                    \
    "g = material { density = 2500, young = 1e6 }\nsolver { dt = 1e-7 }\n"                         \
    "for c = 0, 8 do for k = 0, 6 do\n"                                                            \
    "body { shape = sphere { radius = 0.01 }, material = g, position = {c * 0.1, 0, k * (c % 3 "   \
    "== "                                                                                          \
    "0 and 0.0199 or 0.01999)} } end end\n"                                                        \
    "for k = 0, 4 do body { shape = sphere { radius = 0.01 }, material = g, position = {k % 2 * "  \
    "0.0199 * 0.64278760968654, 1, k * 0.0199 * 0.76604444311898} } end\n"
#define R "run { time = 1 }"

TEST(columns_tell_of_chains)
{
    scree_world *world;
    scree_scene *scene = must_start(
        COLUMNS "measure { name = \"m\", what = {\"chains\", \"chain_length\", \"chain_share\", "
                "\"count\"} }\n"
                "measure { name = \"narrow\", what = {\"chains\", \"chain_share\"}, chain_angle = "
                "0.65 }\n" R,
        &world);

    must_step(scene, world, 1);
    CHECK_EQUAL(column(scene, world, "m.chains"), 4);
    CHECK_NEAR(column(scene, world, "m.chain_length"), 26.0 / 4, 1e-15);
    CHECK_NEAR(column(scene, world, "m.chain_share"), 26.0 / 68, 1e-15);
    CHECK_EQUAL(column(scene, world, "m.count"), 68);
    CHECK_EQUAL(column(scene, world, "narrow.chains"), 3);
    CHECK_NEAR(column(scene, world, "narrow.chain_share"), 21.0 / 68, 1e-15);
    scree_world_destroy(world);
    scree_scene_close(scene);
}

/*  Chains of the first and the fourth column in a line of the file each. */
TEST(exports_have_them_where_they_are_asked_for)
{
    static const char *const asked[] = {"serial", "chain"};
    scree_export_def options = scree_default_export_def();
    scree_error error;
    scree_world *world;
    scree_scene *scene = must_start(COLUMNS R, &world);
    char line[400];
    size_t lines = 0;

    must_step(scene, world, 1);
    enter_folder();
    options.fields = asked;
    options.field_count = 2;
    CHECK_EQUAL(scree_export(world, SCREE_EXPORT_CSV, path_of("b.csv"), &options, &error),
                SCREE_OK);
    FILE *file = fopen(path_of("b.csv"), "r");
    CHECK(file && fgets(line, sizeof line, file));
    CHECK(strcmp(line, "serial,chain,x,y,z\n") == 0);
    while (fgets(line, sizeof line, file)) {
        long serial, chain, column = (long)lines / 7;
        CHECK(sscanf(line, "%ld,%ld,", &serial, &chain) == 2);
        CHECK_EQUAL(chain, lines >= 63 ? 4 : column % 3 ? 0 : column / 3 + 1);
        lines++;
    }
    fclose(file);
    CHECK_EQUAL(lines, 68);
    CHECK_EQUAL(scree_export(world, SCREE_EXPORT_CSV, path_of("b.csv"), NULL, &error), SCREE_OK);
    file = fopen(path_of("b.csv"), "r");
    CHECK(file && fgets(line, sizeof line, file));
    CHECK(!strstr(line, "chain"));
    fclose(file);
    CHECK_EQUAL(scree_export(world, SCREE_EXPORT_VTP_BODIES, path_of("b.csv"), &options, &error),
                SCREE_OK);
    CHECK_EQUAL(scree_export(world, SCREE_EXPORT_LAMMPS, path_of("b.csv"), &options, &error),
                SCREE_OK);
    unlink(path_of("b.csv"));
    leave_folder();
    scree_world_destroy(world);
    scree_scene_close(scene);
}

TEST(what_is_no_question_is_refused)
{
    refuses(COLUMNS
            "measure { what = {\"chains\"}, region = sphere { centre = {0, 0, 0}, radius = 1 "
            "} }\n" R,
            "what: \"chains\" is not available for a region");
    refuses(COLUMNS "measure { what = {\"count\"}, chain_angle = 0.5 }\n" R,
            "chain_angle: is for \"chains\"");
    refuses(COLUMNS "measure { what = {\"chains\"}, chain_angle = 2 }\n" R, "chain_angle");
    refuses(COLUMNS "measure { what = {\"chain\"} }\n" R, "did you mean \"chains\"?");
    refuses(COLUMNS "output { every = 1, write = \"csv\", fields = {\"chains\"} }\n" R, "chain");
}

TEST(memory_ends_anywhere)
{
    for (size_t k = 1;; k++) {
        failing_allocator memory = {0};
        scree_allocator hooks = failing_allocator_hooks(&memory);
        scree_world_def world_hooks = scree_default_world_def();
        scree_error error;
        scree_world *world;
        double values[8];
        scree_scene *scene = open_beside(
            COLUMNS "measure { name = \"m\", what = {\"chains\"} }\n" R, &hooks, NULL, &error);

        world_hooks.hooks.allocator = hooks;
        CHECK(scene && !scree_scene_build(scene, &world_hooks, &world, &error) &&
              !scree_scene_start(scene, world, &error));
        must_step(scene, world, 1);
        memory.requests = 0;
        memory.fail_at = k;
        scree_status status = scree_scene_measure(scene, world, values, &error);
        bool is_last = memory.requests < k;
        CHECK_EQUAL(status, is_last ? SCREE_OK : SCREE_OUT_OF_MEMORY);
        memory.fail_at = 0;
        scree_world_destroy(world);
        scree_scene_close(scene);
        CHECK(failing_allocator_is_clean(&memory));
        if (is_last) {
            CHECK(k > 8);
            break;
        }
    }
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(columns_tell_of_chains),
        CASE(exports_have_them_where_they_are_asked_for),
        CASE(what_is_no_question_is_refused),
        CASE(memory_ends_anywhere),
    };
    NEEDS_SCENES("test_scene_chains");
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
