/*  Scenes that are edited while they run: what takes effect at once gives the bits that a change by hand gives, and what cannot
    restarts the scene. */
#include "talk.h"

#define SCENE(gravity, friction, rate, count)                                                      \
    "gravity { 0, 0, " gravity " }\n"                                                              \
    "g = material { density = 2500, young = 1e6, friction = " friction " }\n"                      \
    "wall { shape = plane { }, material = g }\n"                                                   \
    "wall { shape = cylinder { from = {0, -0.2, 0}, to = {0, 0.2, 0}, radius = 0.2 }, material = " \
    "g,\n"                                                                                         \
    "       motion = spin { rate = " rate ", centre = {0, 0, 0}, axis = {0, 1, 0} } }\n"           \
    "fill { count = " count ", material = g, shape = sphere { radius = 0.01 },\n"                  \
    "       region = sphere { centre = {0, 0, 0.05}, radius = 0.1 } }\n"                           \
    "solver { dt = 1e-4 }\n"                                                                       \
    "run { time = 1, title = 'edited' }\n"

static scree_lab *open_driven(void)
{
    scree_lab_def def = {.threads = 1,
                         .max_bodies = 1000,
                         .max_bytes = (size_t)1 << 28,
                         .is_driven = true,
                         .wake = wake};
    scree_error error = {SCREE_OK, ""};
    scree_lab *lab;

    if (scree_lab_create(&def, &lab, &error))
        FAIL("%s", error.text);
    return lab;
}

static void act(scree_lab *lab, scree_lab_kind kind, uint32_t whole, const double *numbers,
                const char *text)
{
    tell(lab, kind, whole, numbers, text);
    scree_lab_turn(lab);
}

static char *board(scree_lab *lab, scree_lab_board which)
{
    scree_lab_sheet sheet;

    CHECK(!scree_lab_board_read(lab, which, 0, &sheet));
    sheet.bytes[sheet.count] = 0;
    return (char *)sheet.bytes;
}

static void check_note(scree_lab *lab, const char *part)
{
    char *text = board(lab, SCREE_LAB_NOTE);

    if (!strstr(text, part))
        FAIL("the note is %s, without \"%s\"", text, part);
    free(text);
}

/*  The status is told a few times a second. */
static void turn_until_status(scree_lab *lab, const char *part)
{
    double until = scree_clock_seconds() + 60;
    bool is_told = false;

    while (!is_told && scree_clock_seconds() < until) {
        scree_lab_turn(lab);
        char *status = board(lab, SCREE_LAB_STATUS);
        is_told = strstr(status, part) != NULL;
        free(status);
        sleep_some();
    }
    if (!is_told)
        FAIL("the status never says \"%s\"", part);
}

/*  A scene that has run for a while. */
static scree_lab *begin(const char *text)
{
    scree_lab *lab = open_driven();

    act(lab, SCREE_LAB_SCENE, 0, NULL, text);
    act(lab, SCREE_LAB_STEP, 700, NULL, NULL);
    turn_until_status(lab, "\"steps\": 700,");
    return lab;
}

static uint64_t end(scree_lab *lab)
{
    act(lab, SCREE_LAB_STEP, 300, NULL, NULL);
    uint64_t digest = scree_lab_digest(lab);
    scree_lab_destroy(lab);
    return digest;
}

TEST(gravity_that_is_edited_is_gravity_that_is_set)
{
    static const double weak[8] = {0, 0, -1.62};
    scree_lab *edited = begin(SCENE("-9.81", "0.3", "2", "100"));
    scree_lab *set = begin(SCENE("-9.81", "0.3", "2", "100"));
    scree_lab *alone = begin(SCENE("-9.81", "0.3", "2", "100"));

    act(edited, SCREE_LAB_EDIT, 0, NULL, SCENE("-1.62", "0.3", "2", "100"));
    check_note(edited, "In effect without a restart: gravity {0, 0, -9.81} m/s^2 is now");
    char *stage = board(edited, SCREE_LAB_STAGE);
    CHECK(strstr(stage, "\"edited\": true") && strstr(stage, "0, 0, -1.62"));
    free(stage);
    act(set, SCREE_LAB_GRAVITY, 0, weak, NULL);
    uint64_t digest = end(edited);
    CHECK_EQUAL(digest, end(set));
    CHECK(digest != end(alone));
}

TEST(friction_and_paths_take_effect_and_a_reset_starts_the_edited_scene)
{
    scree_lab *lab = begin(SCENE("-9.81", "0.3", "2", "100"));

    act(lab, SCREE_LAB_EDIT, 0, NULL, SCENE("-9.81", "0.6", "5", "100"));
    check_note(lab,
               "friction of the material of line 2 0.3 is now 0.6; motion of the wall of line 4");
    /* a checkpoint of it can be loaded: its values are those of the new scene */
    act(lab, SCREE_LAB_STEP, 100, NULL, NULL);
    uint64_t digest = scree_lab_digest(lab);
    act(lab, SCREE_LAB_SAVE, 0, NULL, NULL);
    scree_lab_sheet saved;
    CHECK(!scree_lab_board_read(lab, SCREE_LAB_SAVED, 0, &saved));
    act(lab, SCREE_LAB_RESET, 0, NULL, NULL);
    act(lab, SCREE_LAB_STEP, 800, NULL, NULL);
    uint64_t again = scree_lab_digest(lab);
    CHECK(again != digest);
    scree_lab_message load = {
        .kind = SCREE_LAB_LOAD, .bytes = saved.bytes + 4, .byte_count = saved.count - 4};
    CHECK(scree_lab_tell(lab, 1, &load));
    scree_lab_turn(lab);
    CHECK_EQUAL(scree_lab_digest(lab), digest);
    free(saved.bytes);
    scree_lab_destroy(lab);
    /* the reset is the edited scene from its start */
    lab = open_driven();
    act(lab, SCREE_LAB_SCENE, 0, NULL, SCENE("-9.81", "0.6", "5", "100"));
    act(lab, SCREE_LAB_STEP, 800, NULL, NULL);
    CHECK_EQUAL(scree_lab_digest(lab), again);
    scree_lab_destroy(lab);
}

TEST(what_cannot_change_restarts_and_a_mistake_changes_nothing)
{
    scree_lab *lab = begin(SCENE("-9.81", "0.3", "2", "100"));
    uint64_t digest = scree_lab_digest(lab);

    act(lab, SCREE_LAB_EDIT, 0, NULL, "gravty { 0, 0, -1 }\n");
    check_note(lab, "scene:1:");
    CHECK_EQUAL(scree_lab_digest(lab), digest);
    act(lab, SCREE_LAB_EDIT, 0, NULL, SCENE("-9.81", "0.3", "2", "5000"));
    check_note(lab, "the lab takes at most 1000");
    CHECK_EQUAL(scree_lab_digest(lab), digest);
    act(lab, SCREE_LAB_EDIT, 0, NULL, SCENE("-9.81", "0.3", "2", "50"));
    check_note(lab, "Restarted, as this cannot change while the scene runs: fill");
    turn_until_status(lab, "\"steps\": 0,");
    turn_until_status(lab, "\"bodies\": 50,");
    /* a value that is not allowed is refused with its line, and the scene continues */
    digest = scree_lab_digest(lab);
    act(lab, SCREE_LAB_EDIT, 0, NULL, SCENE("-9.81", "-1", "2", "50"));
    check_note(lab, "scene:2:");
    CHECK_EQUAL(scree_lab_digest(lab), digest);
    act(lab, SCREE_LAB_EDIT, 0, NULL, SCENE("-9.81", "0.3", "2", "50"));
    check_note(lab, "Restarted: the scene is as it was");
    scree_lab_destroy(lab);
}

#define WITH_BODY(velocity, seed)                                                                  \
    "g = material { density = 2500, young = 1e6 }\n"                                               \
    "body { shape = sphere { radius = 0.01 }, material = g, position = {0, 0, 0}, velocity = "     \
    "{" velocity ", 0, 0} }\n"                                                                     \
    "solver { dt = 1e-4 }\n"                                                                       \
    "run { time = 1, title = 'edited', seed = " seed " }\n"

#define WITH_BELT(belt)                                                                            \
    "gravity { 0, 0, -9.81 }\n"                                                                    \
    "g = material { density = 2500, young = 1e6, friction = 0.5 }\n"                               \
    "wall { shape = plane { }, material = g" belt " }\n"                                           \
    "body { shape = sphere { radius = 0.01 }, material = g, position = {0, 0, 0.01} }\n"           \
    "solver { dt = 1e-4 }\n"                                                                       \
    "run { time = 1, title = 'edited' }\n"

TEST(a_belt_begins_and_stops)
{
    scree_lab *lab = begin(WITH_BELT("")), *alone = begin(WITH_BELT(""));

    act(lab, SCREE_LAB_EDIT, 0, NULL, WITH_BELT(", belt = belt { velocity = {1, 0, 0} }"));
    check_note(lab, "In effect without a restart: motion of the wall of line 3");
    act(lab, SCREE_LAB_STEP, 300, NULL, NULL);
    act(alone, SCREE_LAB_STEP, 300, NULL, NULL);
    CHECK(scree_lab_digest(lab) != scree_lab_digest(alone));
    act(lab, SCREE_LAB_EDIT, 0, NULL, WITH_BELT(""));
    check_note(lab, "In effect without a restart: motion of the wall of line 3");
    scree_lab_destroy(alone);
    scree_lab_destroy(lab);
}

TEST(initial_bodies_and_the_seed_restart)
{
    scree_lab *lab = begin(WITH_BODY("1", "1"));

    act(lab, SCREE_LAB_EDIT, 0, NULL, WITH_BODY("2", "1"));
    check_note(lab, "while the scene runs: body of line 2");
    act(lab, SCREE_LAB_EDIT, 0, NULL, WITH_BODY("2", "7"));
    check_note(lab, "while the scene runs: seed");
    scree_lab_destroy(lab);
}

TEST(parameters_take_effect_and_stay)
{
    static const char scene[] =
        "weight = param('weight', 9.81)\n"
        "gravity { 0, 0, -weight }\n"
        "g = material { density = 2500, young = 1e6 }\n"
        "body { shape = sphere { radius = 0.01 }, material = g, position = {0, 0, 0} }\n"
        "solver { dt = 1e-4 }\n"
        "run { time = 1, title = 'weighed' }\n";
    char changed[sizeof scene];
    scree_lab *lab = begin(scene);

    act(lab, SCREE_LAB_SETTING, 0, NULL, "weight=2");
    act(lab, SCREE_LAB_EDIT, 0, NULL, "");
    check_note(lab, "gravity {0, 0, -9.81} m/s^2 is now {0, 0, -2} m/s^2");
    /* a value that the scene refuses */
    uint64_t digest = scree_lab_digest(lab);
    act(lab, SCREE_LAB_SETTING, 0, NULL, "weight=1e300");
    act(lab, SCREE_LAB_EDIT, 0, NULL, "");
    check_note(lab, "gravity is -1e+300, must be finite");
    CHECK_EQUAL(scree_lab_digest(lab), digest);
    act(lab, SCREE_LAB_SETTING, 0, NULL, "weight=2");
    /* another text, with the parameter as it is set */
    memcpy(changed, scene, sizeof scene);
    for (size_t k = 0, at = (size_t)(strstr(scene, "weighed") - scene); k < 7; k++)
        changed[at + k] = "changed"[k];
    act(lab, SCREE_LAB_EDIT, 0, NULL, changed);
    check_note(lab, "In effect without a restart: nothing that bodies and walls follow");
    char *stage = board(lab, SCREE_LAB_STAGE);
    CHECK(strstr(stage, "changed") && strstr(stage, "\"value\": \"2\""));
    free(stage);
    /* a text without it */
    act(lab, SCREE_LAB_EDIT, 0, NULL, WITH_BODY("1", "1"));
    check_note(lab, "Restarted");
    scree_lab_destroy(lab);
}

TEST(parts_of_a_checkpoint_are_read_for_one_page)
{
    scree_lab *lab = begin(SCENE("-9.81", "0.3", "2", "100"));
    uint64_t digest = scree_lab_digest(lab);
    scree_lab_sheet saved, parts;

    act(lab, SCREE_LAB_SAVE, 0, NULL, NULL);
    CHECK(!scree_lab_board_read(lab, SCREE_LAB_SAVED, 0, &saved));
    scree_lab_message ask = {
        .kind = SCREE_LAB_PARTS_OF, .bytes = saved.bytes + 4, .byte_count = saved.count - 4};
    CHECK(scree_lab_tell(lab, 1, &ask));
    scree_lab_turn(lab);
    CHECK(!scree_lab_board_read(lab, SCREE_LAB_FILM_PARTS, 0, &parts));
    CHECK(parts.client == 1 && parts.count > 24 && whole_at(parts.bytes) == 6);
    CHECK_EQUAL(whole_at(parts.bytes + 4), 0); /* bytes of the message */
    CHECK_EQUAL(whole_at(parts.bytes + 8), 2); /* walls */
    free(parts.bytes);
    /* half of it */
    ask.byte_count /= 2;
    CHECK(scree_lab_tell(lab, 1, &ask));
    scree_lab_turn(lab);
    CHECK(!scree_lab_board_read(lab, SCREE_LAB_FILM_PARTS, 0, &parts));
    uint32_t said = whole_at(parts.bytes + 4);
    CHECK(said > 50 && parts.count == 24 + said);
    parts.bytes[parts.count] = 0;
    CHECK(strstr((char *)parts.bytes + 24, "the newest checkpoint cannot be read"));
    free(parts.bytes);
    free(saved.bytes);
    CHECK_EQUAL(scree_lab_digest(lab), digest);
    scree_lab_destroy(lab);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(gravity_that_is_edited_is_gravity_that_is_set),
        CASE(friction_and_paths_take_effect_and_a_reset_starts_the_edited_scene),
        CASE(what_cannot_change_restarts_and_a_mistake_changes_nothing),
        CASE(a_belt_begins_and_stops),
        CASE(initial_bodies_and_the_seed_restart),
        CASE(parameters_take_effect_and_stay),
        CASE(parts_of_a_checkpoint_are_read_for_one_page),
    };

    if (!scree_scene_available()) {
        printf("test_edit: skipped: no Lua\n");
        return 77;
    }
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
