/*  The laboratory without its server: the scene on stage, its beginning and its end; checkpoints; limits. */
#include "small_scene.h"

static double status_number(scree_lab *lab, const char *part, const char *key)
{
    char *text = await_after(lab, SCREE_LAB_STATUS, 0, part);
    double value = number_of(text, key);
    free(text);
    return value;
}

TEST(says_hello_and_what_is_on_stage)
{
    scree_lab *lab = open_lab(NULL, 100000);

    await(lab, SCREE_LAB_HELLO, "\"methods\"");
    await(lab, SCREE_LAB_HELLO, "\"granular_gas\"");
    await(lab, SCREE_LAB_STAGE, "\"title\": \"a drum with lifters\"");
    await(lab, SCREE_LAB_STATUS, "\"plays\": false");
    CHECK(scree_lab_board_version(lab, SCREE_LAB_WALLS) > 0);
    CHECK(atomic_load(&woken) > 0);
    scree_lab_destroy(lab);
}

/*  It is seen from its beginning: it plays once a page looks, and not before; never if the page wants it paused. */
TEST(starts_when_a_page_looks)
{
    for (int is_paused = 0; is_paused < 2; is_paused++) {
        char path[] = "/tmp/scree-lab-starts-XXXXXX";
        write_small(path);
        scree_lab_def def = {.scene = path, .threads = 1, .max_bodies = 100, .wake = wake};
        scree_error error;
        scree_lab *lab;
        def.max_bytes = (size_t)1 << 30;
        def.starts = true;
        CHECK_EQUAL(scree_lab_create(&def, &lab, &error), SCREE_OK);
        await(lab, SCREE_LAB_STATUS, "\"plays\": false");
        await(lab, SCREE_LAB_STATUS, "\"steps\": 0,");
        if (is_paused)
            tell(lab, SCREE_LAB_PLAY, 0, NULL, NULL);
        scree_lab_want(lab);
        if (!is_paused)
            await(lab, SCREE_LAB_STATUS, "\"plays\": true");
        tell(lab, SCREE_LAB_STEP, 7, NULL, NULL);
        double steps = status_number(lab, "\"plays\": false", "steps");
        while (steps < 7)
            steps = status_number(lab, "\"plays\": false", "steps");
        CHECK(is_paused ? steps == 7 : steps >= 7);
        scree_lab_destroy(lab);
        unlink(path);
    }
}

TEST(plays_steps_and_begins_again)
{
    static const double fastest[8] = {0};
    scree_lab *lab = open_lab(NULL, 100000);

    tell(lab, SCREE_LAB_SCENE, 0, NULL, small);
    char *stage = await_after(lab, SCREE_LAB_STAGE, 0, "\"title\": \"small\"");
    /* the floor is a part of what is to be seen, though nothing lies on it yet */
    double x, y, z;
    CHECK(sscanf(strstr(stage, "\"lower\": ["), "\"lower\": [%lf, %lf, %lf", &x, &y, &z) == 3);
    CHECK(z == 0 && x > -0.01 && y > -0.01);
    free(stage);
    tell(lab, SCREE_LAB_STEP, 7, NULL, NULL);
    await(lab, SCREE_LAB_STATUS, "\"steps\": 7,");
    tell(lab, SCREE_LAB_SPEED, 0, fastest, NULL);
    tell(lab, SCREE_LAB_PLAY, 1, NULL, NULL);
    CHECK(status_number(lab, "\"plays\": true", "steps") >= 7);
    tell(lab, SCREE_LAB_PLAY, 0, NULL, NULL);
    await(lab, SCREE_LAB_STATUS, "\"plays\": false");
    tell(lab, SCREE_LAB_RESET, 0, NULL, NULL);
    await(lab, SCREE_LAB_STATUS, "\"steps\": 0,");
    scree_lab_destroy(lab);
}

TEST(a_scene_with_a_mistake_changes_nothing)
{
    scree_lab *lab = open_lab(NULL, 100000);

    tell(lab, SCREE_LAB_SCENE, 0, NULL, "-- one\nfill { count = 'many' }\n");
    char *note = await_after(lab, SCREE_LAB_NOTE, 0, "scene:2:");
    CHECK_SAYS(note, "\"line\": 2");
    CHECK_SAYS(note, "\"error\": true");
    free(note);
    CHECK_EQUAL(scree_lab_board_version(lab, SCREE_LAB_STAGE), 1);
    tell(lab, SCREE_LAB_SCENE, 0, NULL, "while true do end");
    await(lab, SCREE_LAB_NOTE, "takes too long");
    scree_lab_destroy(lab);
}

TEST(scenes_that_are_sent_reach_no_file)
{
    static const char *const scenes[] = {
        "wall { shape = mesh { file = '/etc/passwd' }, material = material {} }\n",
        "bodies { file = '/etc/passwd', material = material {} }\n",
        "io.open('/etc/passwd')\n",
        "dofile('/etc/passwd')\n",
        "require('os')\n",
    };
    scree_lab *lab = open_lab(NULL, 100000);

    for (size_t k = 0; k < sizeof scenes / sizeof *scenes; k++) {
        uint64_t before = scree_lab_board_version(lab, SCREE_LAB_NOTE);
        tell(lab, SCREE_LAB_SCENE, 0, NULL, scenes[k]);
        char *note = await_after(lab, SCREE_LAB_NOTE, before, "scene:1:");
        CHECK(k > 1 || strstr(note, "may name no files"));
        CHECK(!strstr(note, "root"));
        free(note);
    }
    scree_lab_destroy(lab);
}

TEST(a_file_may_name_files_and_comes_back_unchanged)
{
    char path[] = "/tmp/test_lab_XXXXXX";

    write_small(path);
    scree_lab *lab = open_lab(path, 100000);
    await(lab, SCREE_LAB_STAGE, "\"file\": true");
    tell(lab, SCREE_LAB_SCENE, 0, NULL, small);
    char *stage = await_after(lab, SCREE_LAB_STAGE, 1, "\"small\"");
    CHECK_SAYS(stage, "\"file\": true");
    free(stage);
    tell(lab, SCREE_LAB_EXAMPLE, 2, NULL, NULL);
    await(lab, SCREE_LAB_STAGE, "\"file\": false");
    scree_lab_destroy(lab);
    unlink(path);
}

TEST(parameters_hold_from_the_beginning)
{
    scree_lab *lab = open_lab(NULL, 100000);

    tell(lab, SCREE_LAB_SCENE, 0, NULL, small);
    tell(lab, SCREE_LAB_SETTING, 0, NULL, "count=33");
    tell(lab, SCREE_LAB_RESET, 0, NULL, NULL);
    await(lab, SCREE_LAB_STATUS, "\"bodies\": 33,");
    tell(lab, SCREE_LAB_SETTING, 0, NULL, "nosuch=1");
    await(lab, SCREE_LAB_NOTE, "the scene has no parameter");
    tell(lab, SCREE_LAB_SETTING, 0, NULL, "count");
    tell(lab, SCREE_LAB_SETTING, 0, NULL, "count=12");
    tell(lab, SCREE_LAB_RESET, 0, NULL, NULL);
    await(lab, SCREE_LAB_STATUS, "\"bodies\": 12,");
    scree_lab_destroy(lab);
}

/*  Also to what was changed by hand. */
TEST(a_checkpoint_continues_to_the_same)
{
    static const double slope[8] = {3, 0, -9.81}, smooth[8] = {0.03}, thick[8] = {2, 0.1};
    scree_lab *lab = open_lab(NULL, 100000);
    scree_lab_sheet saved;

    tell(lab, SCREE_LAB_SCENE, 0, NULL, small);
    tell(lab, SCREE_LAB_STEP, 100, NULL, NULL);
    tell(lab, SCREE_LAB_GRAVITY, 0, slope, NULL);
    tell(lab, SCREE_LAB_FRICTION, 0, smooth, NULL);
    tell(lab, SCREE_LAB_DAMPING, 0, thick, NULL);
    tell(lab, SCREE_LAB_STEP, 100, NULL, NULL);
    tell(lab, SCREE_LAB_SAVE, 0, NULL, NULL);
    tell(lab, SCREE_LAB_STEP, 300, NULL, NULL);
    char *first = await_after(lab, SCREE_LAB_STATUS, 0, "\"steps\": 500,");
    CHECK(!scree_lab_board_read(lab, SCREE_LAB_SAVED, 0, &saved));
    CHECK(saved.version == 1 && saved.client == 1 && saved.count > 1000);
    /* beside its own scene, and beside another */
    for (int round = 0; round < 2; round++) {
        scree_lab_message load = {
            .kind = SCREE_LAB_LOAD, .bytes = saved.bytes + 4, .byte_count = saved.count - 4};
        if (round)
            tell(lab, SCREE_LAB_EXAMPLE, 2, NULL, NULL);
        uint64_t version = scree_lab_board_version(lab, SCREE_LAB_STAGE);
        CHECK(scree_lab_tell(lab, 1, &load));
        char *stage = await_after(lab, SCREE_LAB_STAGE, version, "\"title\": \"small\"");
        CHECK(number_of(stage, "friction") == 0.03);
        CHECK_SAYS(stage, "\"physics\": {\"gravity\": [3, 0, -9.81]");
        check_damping(stage, 2, 0.1);
        free(stage);
        await(lab, SCREE_LAB_STATUS, "\"steps\": 200,");
        tell(lab, SCREE_LAB_STEP, 300, NULL, NULL);
        char *again = await_after(lab, SCREE_LAB_STATUS, 0, "\"steps\": 500,");
        CHECK(number_of(again, "kinetic") == number_of(first, "kinetic"));
        CHECK(number_of(again, "time") == number_of(first, "time"));
        free(again);
    }
    saved.bytes[saved.count / 2] ^= 1;
    scree_lab_message broken = {
        .kind = SCREE_LAB_LOAD, .bytes = saved.bytes + 4, .byte_count = saved.count - 4};
    CHECK(scree_lab_tell(lab, 1, &broken));
    await(lab, SCREE_LAB_NOTE, "\"error\": true");
    free(first);
    free(saved.bytes);
    scree_lab_destroy(lab);
}

TEST(memory_is_bounded)
{
    scree_lab_def def = {
        .threads = 1, .max_bodies = 100000000, .max_bytes = 30000000, .wake = wake};
    scree_error error = {SCREE_OK, ""};
    scree_lab *lab;

    CHECK(!scree_lab_create(&def, &lab, &error));
    tell(lab, SCREE_LAB_SCENE, 0, NULL, small);
    tell(lab, SCREE_LAB_SETTING, 0, NULL, "count=5000000");
    tell(lab, SCREE_LAB_RESET, 0, NULL, NULL);
    await(lab, SCREE_LAB_NOTE, "memory");
    scree_lab_destroy(lab);
}

/*  They would not fit: so it is seen that none of them was made. */
TEST(too_many_bodies_are_refused_before_they_are_made)
{
    scree_lab_def def = {.threads = 1, .max_bodies = 100000, .max_bytes = 30000000, .wake = wake};
    scree_error error = {SCREE_OK, ""};
    scree_lab *lab;

    CHECK(!scree_lab_create(&def, &lab, &error));
    tell(lab, SCREE_LAB_SCENE, 0, NULL, small);
    tell(lab, SCREE_LAB_SETTING, 0, NULL, "count=5000000");
    tell(lab, SCREE_LAB_RESET, 0, NULL, NULL);
    await(lab, SCREE_LAB_NOTE, "starts with about 5e+06 bodies: the lab takes at most 100000");
    scree_lab_destroy(lab);
}

TEST(a_wrong_scene_is_told_at_once)
{
    scree_lab_def def = {.scene = "/nowhere/at/all.lua",
                         .threads = 1,
                         .max_bodies = 10,
                         .max_bytes = 100000000,
                         .wake = wake};
    scree_error error = {SCREE_OK, ""};
    scree_lab *lab;

    CHECK(scree_lab_create(&def, &lab, &error) == SCREE_IO_ERROR);
    CHECK(!lab);
    CHECK_SAYS(error.text, "/nowhere/at/all.lua");
    scree_lab_destroy(NULL);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(says_hello_and_what_is_on_stage),
        CASE(starts_when_a_page_looks),
        CASE(plays_steps_and_begins_again),
        CASE(a_scene_with_a_mistake_changes_nothing),
        CASE(scenes_that_are_sent_reach_no_file),
        CASE(a_file_may_name_files_and_comes_back_unchanged),
        CASE(parameters_hold_from_the_beginning),
        CASE(a_checkpoint_continues_to_the_same),
        CASE(memory_is_bounded),
        CASE(too_many_bodies_are_refused_before_they_are_made),
        CASE(a_wrong_scene_is_told_at_once),
    };
    if (!scree_scene_available()) {
        printf("test_lab: skipped: no Lua\n");
        return 77;
    }
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
