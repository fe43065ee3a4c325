/*  on_nan = "quarantine": bodies whose numbers are not finite any more are taken out, said and counted, and all
    others go on: the same in every cut of calls, and after the course was saved and loaded. */
#include "scene_maker.h"

#include <math.h>

/*  Rigid grains fall on a rigid floor, of which the law knows no force, at different times; others on the same
    floor are fine. */
#define SCENE(policy)                                                                              \
    "gravity { 0, 0, -9.81 }\n"                                                                    \
    "glass = material { density = 2500, young = 1e6 }\n"                                           \
    "rigid = material { density = 5000, young = math.huge }\n"                                     \
    "wall { shape = plane { point = {0, 0, 0} }, material = rigid }\n"                             \
    "fill { count = 40, shape = sphere { radius = 0.002 }, material = glass,\n"                    \
    "       region = box { lower = {0, 0, 0}, upper = {0.05, 0.05, 0.01} } }\n"                    \
    "for i = 1, 5 do\n"                                                                            \
    "  body { shape = sphere { radius = 0.001 }, material = rigid,\n"                              \
    "         position = {0.1, 0.01 * i, 0.001 + 0.0001 * i} }\n"                                  \
    "end\n"                                                                                        \
    "measure { name = \"p\", region = plane { point = {0, 0, 0.005}, normal = {0, 0, -1} } }\n"    \
    "solver { dt = 2e-5, act_every = 10" policy " }\nrun { steps = 600 }"

static const char quarantining[] = SCENE(", on_nan = \"quarantine\"");
static const char stopping[] = SCENE("");

typedef struct heard
{
    int count;
    char first[400];
} heard;

static void hear(scree_log_level level, scree_log_id id, const char *text, void *user)
{
    heard *h = user;

    if (id != SCREE_LOG_BODY_QUARANTINED || level != SCREE_LOG_WARNING)
        return;
    if (h->count++ == 0)
        snprintf(h->first, sizeof h->first, "%s", text);
}

static scree_scene *start_heard(const char *text, heard *h, scree_world **world)
{
    scree_scene_def def = scree_default_scene_def();
    scree_error error = {SCREE_OK, ""};
    scree_scene *scene;

    def.text = text;
    def.name = "scene.lua";
    def.log = (scree_log){.write = hear, .user = h};
    def.error = &error;
    if (scree_scene_open(&def, &scene) || scree_scene_build(scene, NULL, world, &error) ||
        scree_scene_start(scene, *world, &error))
        FAIL("%s", error.text);
    return scene;
}

TEST(without_it_the_run_stops)
{
    scree_world *world;
    scree_scene *scene = must_start(stopping, &world);
    scree_error error = {SCREE_OK, ""};

    CHECK_EQUAL(scree_scene_step(scene, world, 600, &error), SCREE_BAD_VALUE);
    CHECK_SAYS(error.text, "body 1 touches wall 1: rule 0, materials 2 \"rigid\"");
    CHECK_EQUAL(scree_world_body_count(world), 45);
    CHECK_EQUAL(scree_scene_count(scene).quarantined, 0);
    scree_world_destroy(world);
    scree_scene_close(scene);
}

TEST(bodies_are_taken_out_and_the_others_go_on)
{
    heard h = {0};
    scree_world *world;
    scree_scene *scene = start_heard(quarantining, &h, &world);
    scree_totals before = scree_world_totals(world);

    must_step(scene, world, 600);
    scree_scene_tally tally = scree_scene_count(scene);
    scree_totals totals = scree_world_totals(world);
    CHECK_EQUAL(tally.quarantined, 5);
    CHECK_NEAR(tally.quarantined_mass, before.mass - totals.mass, 1e-12);
    CHECK(tally.quarantined_mass > 0);
    CHECK_EQUAL(totals.bodies, 40);
    CHECK_EQUAL(totals.removed, 5);
    CHECK_EQUAL(scree_world_clock(world).steps, 600);
    CHECK_EQUAL(h.count, 5);
    CHECK_SAYS(h.first, "body 1 is taken out before step ");
    CHECK_SAYS(h.first, "at {0.1, 0.01, 0.00100");
    CHECK_SAYS(h.first, "body 1 touches wall 1: rule 0, materials 2 \"rigid\"");
    scree_world_destroy(world);
    scree_scene_close(scene);
}

TEST(neither_the_cut_of_calls_nor_a_stop_matters)
{
    static const uint64_t parts[] = {1, 99, 120, 3, 7, 70, 200, 100};
    scree_world *whole, *cut;
    scree_scene *a = must_start(quarantining, &whole), *b = must_start(quarantining, &cut);

    must_step(a, whole, 600);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        scree_error error = {SCREE_OK, ""};
        scree_scene *other = must_open(quarantining);
        size_t bytes = scree_scene_course_bytes(b);
        unsigned char *course = malloc(bytes);
        scree_snapshot *snapshot;
        CHECK_EQUAL(scree_scene_course_save(b, course, bytes, &error), SCREE_OK);
        CHECK_EQUAL(scree_world_snapshot(cut, &snapshot), SCREE_OK);
        must_step(b, cut, 50);
        CHECK_EQUAL(scree_world_restore(cut, snapshot), SCREE_OK);
        if (scree_scene_course_load(other, course, bytes, &error))
            FAIL("%s", error.text);
        free(course);
        scree_snapshot_destroy(snapshot);
        scree_scene_close(b);
        b = other;
        must_step(b, cut, parts[i]);
    }
    CHECK_EQUAL(scree_world_clock(cut).steps, 600);
    CHECK(scree_world_digest(whole) == scree_world_digest(cut));
    CHECK_EQUAL(scree_scene_count(b).quarantined, 5);
    CHECK(scree_scene_count(b).quarantined_mass == scree_scene_count(a).quarantined_mass);
    scree_world_destroy(whole);
    scree_world_destroy(cut);
    scree_scene_close(a);
    scree_scene_close(b);
}

/*  A course of one with quarantine is none of one without. */
TEST(a_course_belongs_to_the_policy)
{
    scree_world *world;
    scree_scene *scene = must_start(quarantining, &world), *other = must_open(stopping);
    scree_error error = {SCREE_OK, ""};
    size_t bytes = scree_scene_course_bytes(scene);
    unsigned char *course = malloc(bytes);

    CHECK_EQUAL(scree_scene_course_save(scene, course, bytes, &error), SCREE_OK);
    CHECK_EQUAL(scree_scene_course_load(other, course, bytes, &error), SCREE_BAD_FILE);
    CHECK_SAYS(error.text, "another scene");
    for (size_t count = 0; count < bytes; count++)
        CHECK_EQUAL(scree_scene_course_load(scene, course, count, &error), SCREE_BAD_FILE);
    free(course);
    scree_world_destroy(world);
    scree_scene_close(scene);
    scree_scene_close(other);
}

/*  Other reasons stop a run all the same. */
TEST(what_is_no_bodys_fault_stops)
{
    scree_world *world;
    scree_scene *scene =
        must_start("g = material { density = 2500, young = 1e3 }\n"
                   "for i = 0, 1 do body { shape = sphere { radius = 0.01 }, material = g,\n"
                   "  position = {0.03 * i, 0, 0}, velocity = {5 - 10 * i, 0, 0} } end\n"
                   "solver { dt = 1e-5, on_nan = \"quarantine\" }\nrun { steps = 10000 }",
                   &world);
    scree_error error = {SCREE_OK, ""};

    CHECK_EQUAL(scree_scene_step(scene, world, 10000, &error), SCREE_UNSTABLE);
    CHECK_SAYS(error.text, "overlap");
    CHECK_EQUAL(scree_world_body_count(world), 2);
    scree_world_destroy(world);
    scree_scene_close(scene);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(without_it_the_run_stops),
        CASE(bodies_are_taken_out_and_the_others_go_on),
        CASE(neither_the_cut_of_calls_nor_a_stop_matters),
        CASE(a_course_belongs_to_the_policy),
        CASE(what_is_no_bodys_fault_stops),
    };
    NEEDS_SCENES("test_scene_quarantine");
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
