/*  Scenes in stages in the laboratory: walls that come and go, their time steps, and how many bodies they make. */
#include "talk.h"

/*  A scene in stages, with one wall, then two, then the second alone. */
static const char staged[] =
    "gravity { 0, 0, -9.81 }\n"
    "domain { dimensions = 3 }\n"
    "solver { dt = 1e-5 }\n"
    "grain = material { density = 2500, young = 1e6, poisson = 0.25 }\n"
    "floor = wall { shape = plane { point = {0, 0, 0}, normal = {0, 0, 1} }, material = grain }\n"
    "lid = wall { shape = plane { point = {0, 0, 1}, normal = {0, 0, -1} }, material = grain }\n"
    "body { shape = sphere { radius = 0.01 }, material = grain, position = {0, 0, 0.5} }\n"
    "stage { name = 'open', ends = after { steps = 5 } }\n"
    "stage { name = 'shut', add = lid, dt = 2e-5, ends = after { steps = 5 } }\n"
    "stage { name = 'fall', remove = floor, ends = after { steps = 50 } }\n"
    "run { title = 'staged' }\n";

static uint32_t walls_told(scree_lab *lab, uint64_t *version)
{
    scree_lab_sheet sheet;

    CHECK(!scree_lab_board_read(lab, SCREE_LAB_WALLS, 0, &sheet));
    CHECK(sheet.count >= 12);
    uint32_t count = whole_at(sheet.bytes + 8);
    *version = sheet.version;
    free(sheet.bytes);
    return count;
}

/*  Steps, and looks at what is told once they are taken. */
static uint32_t walls_after(scree_lab *lab, uint32_t steps, const char *then, uint64_t *version)
{
    tell(lab, SCREE_LAB_STEP, steps, NULL, NULL);
    await(lab, SCREE_LAB_STATUS, then);
    return walls_told(lab, version);
}

TEST(walls_that_come_and_go_with_stages_are_told)
{
    static const double fastest[8] = {0};
    scree_lab *lab = open_lab(NULL, 100000);
    uint64_t before, after;

    tell(lab, SCREE_LAB_SCENE, 0, NULL, staged);
    await(lab, SCREE_LAB_STAGE, "\"title\": \"staged\"");
    CHECK_EQUAL(walls_after(lab, 5, "\"steps\": 5,", &before), 1);
    CHECK_EQUAL(walls_after(lab, 1, "\"steps\": 6,", &after), 2);
    CHECK(after > before);
    /* within a stage nothing is told again */
    CHECK_EQUAL(walls_after(lab, 4, "\"steps\": 10,", &before), 2);
    CHECK(after == before);
    CHECK_EQUAL(walls_after(lab, 1, "\"steps\": 11,", &after), 1);
    CHECK(after > before);
    /* the same while it plays */
    tell(lab, SCREE_LAB_RESET, 0, NULL, NULL);
    await(lab, SCREE_LAB_STATUS, "\"steps\": 0,");
    before = after;
    tell(lab, SCREE_LAB_SPEED, 0, fastest, NULL);
    tell(lab, SCREE_LAB_PLAY, 1, NULL, NULL);
    await(lab, SCREE_LAB_STATUS, "\"steps\": 60,");
    CHECK_EQUAL(walls_told(lab, &after), 1);
    CHECK(after > before + 1);
    scree_lab_destroy(lab);
}

TEST(the_time_step_of_a_stage_is_the_scenes)
{
    static const double step[8] = {4e-5}, none[8] = {0};
    scree_lab *lab = open_lab(NULL, 100000);

    tell(lab, SCREE_LAB_SCENE, 0, NULL, staged);
    await(lab, SCREE_LAB_STAGE, "\"dt\": 0.00001, ");
    tell(lab, SCREE_LAB_STEP, 6, NULL, NULL);
    char *text = await_after(lab, SCREE_LAB_STATUS, 0, "\"steps\": 6,");
    CHECK(number_of(text, "dt") == 2e-5 && number_of(text, "scene_dt") == 2e-5);
    CHECK_SAYS(text, "\"dt\": 0, \"global_damping\"");
    free(text);
    tell(lab, SCREE_LAB_DT, 0, step, NULL);
    await(lab, SCREE_LAB_STATUS, "\"dt\": 0.00004, \"global_damping\"");
    tell(lab, SCREE_LAB_DT, 0, none, NULL);
    tell(lab, SCREE_LAB_STEP, 1, NULL, NULL);
    text = await_after(lab, SCREE_LAB_STATUS, 0, "\"steps\": 7,");
    CHECK(number_of(text, "dt") == 2e-5);
    CHECK_SAYS(text, "\"dt\": 0, \"global_damping\"");
    free(text);
    scree_lab_destroy(lab);
}

/*  The first of them would be made at once, the second between two steps. */
TEST(fills_of_stages_are_foreseen)
{
    static const char form[] =
        "domain { dimensions = 3 }\n"
        "solver { dt = 1e-5 }\n"
        "grain = material { density = 2500, young = 1e6, poisson = 0.25 }\n"
        "body { shape = sphere { radius = 0.01 }, material = grain, position = {0, 0, -1} }\n"
        "many = fill { count = 5000000, material = grain, shape = sphere { radius = 1e-4 },\n"
        "              region = box { lower = {0, 0, 0}, upper = {1, 1, 1} } }\n"
        "stage { name = 'first', %s ends = after { steps = 1 } }\n"
        "stage { name = 'second', %s ends = after { steps = 1 } }\n";
    scree_lab_def def = {.threads = 1, .max_bodies = 100000, .max_bytes = 30000000, .wake = wake};
    scree_error error = {SCREE_OK, ""};
    scree_lab *lab;
    char text[1000];

    CHECK(!scree_lab_create(&def, &lab, &error));
    for (int k = 0; k < 2; k++) {
        uint64_t before = scree_lab_board_version(lab, SCREE_LAB_NOTE);
        snprintf(text, sizeof text, form, k == 0 ? "add = many," : "", k == 1 ? "add = many," : "");
        tell(lab, SCREE_LAB_SCENE, 0, NULL, text);
        free(await_after(lab, SCREE_LAB_NOTE, before,
                         "with the fills of all stages, makes about 5e+06 bodies: the lab takes at "
                         "most 100000"));
    }
    scree_lab_destroy(lab);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(walls_that_come_and_go_with_stages_are_told),
        CASE(the_time_step_of_a_stage_is_the_scenes),
        CASE(fills_of_stages_are_foreseen),
    };
    if (!scree_scene_available()) {
        printf("test_lab_stages: skipped: no Lua\n");
        return 77;
    }
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
