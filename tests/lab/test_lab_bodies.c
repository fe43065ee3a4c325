/*  Hands in the laboratory: physics that is changed, bodies that are poured, taken away, held and thrown. */
#include "small_scene.h"

#include <math.h>

/*  What pages are told of it: of several pages any may have changed it. */
TEST(physics_is_told_as_it_is)
{
    static const double up[8] = {0, 0, 3}, damped[8] = {5, 0.1}, smooth[8] = {0.1},
                        step[8] = {2e-5}, none[8] = {0};
    scree_lab *lab = open_lab(NULL, 100000);

    tell(lab, SCREE_LAB_SCENE, 0, NULL, small);
    char *text = await_after(lab, SCREE_LAB_STATUS, 0, "\"bodies\": 20,");
    CHECK_SAYS(text, "\"physics\": {\"gravity\": [0, 0, -9.81], \"friction\": 0.5, \"dt\": 0, ");
    check_damping(text, 0, 0);
    free(text);
    tell(lab, SCREE_LAB_GRAVITY, 0, up, NULL);
    tell(lab, SCREE_LAB_DAMPING, 0, damped, NULL);
    tell(lab, SCREE_LAB_FRICTION, 0, smooth, NULL);
    tell(lab, SCREE_LAB_DT, 0, step, NULL);
    text = await_after(lab, SCREE_LAB_STATUS, 0, "\"dt\": 0.00002, \"global_damping\"");
    CHECK_SAYS(text, "\"physics\": {\"gravity\": [0, 0, 3], \"friction\": 0.1, ");
    check_damping(text, 5, 0.1);
    free(text);
    tell(lab, SCREE_LAB_DT, 0, none, NULL);
    await(lab, SCREE_LAB_STATUS, "\"dt\": 0, \"global_damping\"");
    tell(lab, SCREE_LAB_RESET, 0, NULL, NULL);
    text = await_after(lab, SCREE_LAB_STATUS, 0, "\"gravity\": [0, 0, -9.81]");
    check_damping(text, 0, 0);
    free(text);
    scree_lab_destroy(lab);
}

TEST(physics_can_be_changed)
{
    static const double up[8] = {0, 0, 3}, damped[8] = {5, 0.1}, bad[8] = {-1, 0};
    scree_lab *lab = open_lab(NULL, 100000);

    tell(lab, SCREE_LAB_SCENE, 0, NULL, small);
    tell(lab, SCREE_LAB_GRAVITY, 0, up, NULL);
    tell(lab, SCREE_LAB_DAMPING, 0, damped, NULL);
    tell(lab, SCREE_LAB_STEP, 10, NULL, NULL);
    await(lab, SCREE_LAB_STATUS, "\"steps\": 10,");
    tell(lab, SCREE_LAB_DAMPING, 0, bad, NULL);
    await(lab, SCREE_LAB_NOTE, "damping");
    tell(lab, SCREE_LAB_FRICTION, 0, bad, NULL);
    await(lab, SCREE_LAB_NOTE, "friction: is -1");
    tell(lab, SCREE_LAB_SPEED, 0, bad, NULL);
    await(lab, SCREE_LAB_NOTE, "speed: -1");
    tell(lab, SCREE_LAB_FIELD, 3, NULL, NULL);
    tell(lab, SCREE_LAB_FIELD, 9, NULL, NULL);
    await(lab, SCREE_LAB_NOTE, "no field 9");
    tell(lab, SCREE_LAB_EXAMPLE, 1000, NULL, NULL);
    await(lab, SCREE_LAB_NOTE, "no example 1000");
    scree_lab_destroy(lab);
}

TEST(energies_are_counted_where_that_is_wanted)
{
    scree_lab *lab = open_lab(NULL, 100000);

    tell(lab, SCREE_LAB_SCENE, 0, NULL, small);
    tell(lab, SCREE_LAB_STEP, 500, NULL, NULL);
    char *status = await_after(lab, SCREE_LAB_STATUS, 0, "\"steps\": 500,");
    const double kinetic = number_of(status, "kinetic");
    CHECK(number_of(status, "lost") == 0 && number_of(status, "potential") > 0);
    free(status);
    tell(lab, SCREE_LAB_ENERGY_BALANCE, 1, NULL, NULL);
    await(lab, SCREE_LAB_STAGE, "\"energy_balance\": true, \"scene_energy_balance\": false");
    uint64_t version = scree_lab_board_version(lab, SCREE_LAB_STATUS);
    tell(lab, SCREE_LAB_STEP, 500, NULL, NULL);
    status = await_after(lab, SCREE_LAB_STATUS, version, "\"steps\": 500,");
    CHECK(number_of(status, "kinetic") == kinetic && number_of(status, "lost") > 0);
    double sum = kinetic + number_of(status, "rotational") + number_of(status, "potential") +
                 number_of(status, "elastic") + number_of(status, "lost");
    CHECK_NEAR(sum, number_of(status, "given"), 2e-2 * sum);
    free(status);
    tell(lab, SCREE_LAB_ENERGY_BALANCE, 0, NULL, NULL);
    await(lab, SCREE_LAB_STAGE, "\"energy_balance\": false");
    tell(lab, SCREE_LAB_SCENE, 0, NULL, "solver { energy_balance = true }\nrun { time = 1 }\n");
    await(lab, SCREE_LAB_STAGE, "\"scene_energy_balance\": true");
    scree_lab_destroy(lab);
}

TEST(bodies_are_poured_and_taken_away)
{
    static const double here[8] = {0.1, 0.1, 0.5, 0, 0, 0, 0.01, 0.05};
    static const double box[8] = {-1, -1, 0.3, 1, 1, 1}, nowhere[8] = {0, 0, 0, 0, 0, 0, -1, 0};
    char path[] = "/tmp/test_lab_XXXXXX";

    write_small(path);
    scree_lab *lab = open_lab(path, 40);
    tell(lab, SCREE_LAB_POUR, 5, here, NULL);
    await(lab, SCREE_LAB_STATUS, "\"bodies\": 25,");
    tell(lab, SCREE_LAB_REGION, 0, box, NULL);
    await(lab, SCREE_LAB_FOUND, "\"bodies\": 5,");
    tell(lab, SCREE_LAB_CLEAR, 0, box, NULL);
    await(lab, SCREE_LAB_STATUS, "\"bodies\": 20,");
    tell(lab, SCREE_LAB_POUR, 5, nowhere, NULL);
    await(lab, SCREE_LAB_NOTE, "radius -1");
    tell(lab, SCREE_LAB_POUR, 30, here, NULL);
    await(lab, SCREE_LAB_NOTE, "reached its limit of bodies");
    tell(lab, SCREE_LAB_SETTING, 0, NULL, "count=41");
    tell(lab, SCREE_LAB_RESET, 0, NULL, NULL);
    await(lab, SCREE_LAB_NOTE, "takes at most 40");
    scree_lab_destroy(lab);
    unlink(path);
}

TEST(a_body_is_held_and_let_go)
{
    PROVES("GC-38");
    scree_lab_message grab = {.kind = SCREE_LAB_GRAB, .number = {0.1, 0.1, 3}};
    scree_lab_message gone = {.kind = SCREE_LAB_GRAB, .whole = {3, 12345}};
    scree_lab_message erase = {.kind = SCREE_LAB_DELETE};
    static const double above[8] = {-9, -9, 0.25, 9, 9, 9}, fastest[8] = {0};
    scree_lab *lab = open_lab(NULL, 100000);

    tell(lab, SCREE_LAB_SCENE, 0, NULL, small);
    await(lab, SCREE_LAB_STATUS, "\"bodies\": 20,");
    body_in(lab, 3, &grab);
    CHECK(scree_lab_tell(lab, 1, &grab));
    tell(lab, SCREE_LAB_SPEED, 0, fastest, NULL);
    tell(lab, SCREE_LAB_PLAY, 1, NULL, NULL);
    /* it is drawn upward, out of the box in which all began */
    double until = scree_clock_seconds() + 60;
    for (uint64_t version = 0;;) {
        CHECK(scree_clock_seconds() < until);
        tell(lab, SCREE_LAB_REGION, 0, above, NULL);
        char *found = await_after(lab, SCREE_LAB_FOUND, version, "bodies");
        version = scree_lab_board_version(lab, SCREE_LAB_FOUND);
        double bodies = number_of(found, "bodies");
        free(found);
        if (bodies == 1)
            break;
        CHECK(bodies == 0);
    }
    tell(lab, SCREE_LAB_PULL, 0, above, NULL);
    tell(lab, SCREE_LAB_RELEASE, 0, NULL, NULL);
    CHECK(scree_lab_tell(lab, 2, &gone));
    await(lab, SCREE_LAB_NOTE, "that body has been removed");
    /* one that goes while it is held */
    CHECK(scree_lab_tell(lab, 2, &grab));
    erase.whole[0] = grab.whole[0];
    erase.whole[1] = grab.whole[1];
    CHECK(scree_lab_tell(lab, 1, &erase));
    await(lab, SCREE_LAB_STATUS, "\"bodies\": 19,");
    scree_lab_forget(lab, 2);
    tell(lab, SCREE_LAB_PLAY, 0, NULL, NULL);
    await(lab, SCREE_LAB_STATUS, "\"plays\": false");
    scree_lab_destroy(lab);
}

/*  After as many steps: whether a body is where the hand is. */
static bool hangs_after(scree_lab *lab, uint32_t steps)
{
    static const double about[8] = {0.05, 0.05, 2.95, 0.15, 0.15, 3.05};
    uint64_t version = scree_lab_board_version(lab, SCREE_LAB_FOUND);

    tell(lab, SCREE_LAB_STEP, steps, NULL, NULL);
    tell(lab, SCREE_LAB_REGION, 0, about, NULL);
    char *found = await_after(lab, SCREE_LAB_FOUND, version, "bodies");
    bool hangs = number_of(found, "bodies") == 1;
    free(found);
    return hangs;
}

/*  However much a portion of steps is: where machines are fast it is long, and the spring weak. */
TEST(a_hand_carries_what_it_holds)
{
    scree_lab_message grab = {.kind = SCREE_LAB_GRAB, .number = {0.1, 0.1, 3}};

    for (uint32_t steps = 1000; steps <= 10000; steps *= 10) {
        scree_lab *lab = open_lab(NULL, 100000);
        tell(lab, SCREE_LAB_SCENE, 0, NULL, small);
        await(lab, SCREE_LAB_STATUS, "\"bodies\": 20,");
        body_in(lab, 3, &grab);
        CHECK(scree_lab_tell(lab, 1, &grab));
        /* it may swing through, and then stays */
        for (int portion = 0, stays = 0; stays < 5; portion++) {
            CHECK(portion < 60);
            stays = hangs_after(lab, steps) ? stays + 1 : 0;
        }
        scree_lab_destroy(lab);
    }
}

/*  As the hand moved at last, in steps that one cannot see; nothing else moves it then. */
TEST(what_is_thrown_flies_on_with_the_speed_of_the_hand)
{
    static const char one[] =
        "m = material { density = 2500, young = 1e6 }\n"
        "body { shape = sphere { radius = 0.01 }, material = m, position = {0, 0, 0} }\n"
        "solver { dt = 1e-4 }\nrun { time = 1, title = 'one' }\n";
    static const double all[8] = {-9, -9, -9, 9, 9, 9};
    scree_lab_message grab = {.kind = SCREE_LAB_GRAB};
    scree_lab *lab = open_lab(NULL, 100000);
    double hand[8] = {0}, found[2];

    tell(lab, SCREE_LAB_SCENE, 0, NULL, one);
    await(lab, SCREE_LAB_STATUS, "\"bodies\": 1,");
    body_in(lab, 0, &grab);
    CHECK(scree_lab_tell(lab, 1, &grab));
    for (int k = 0; k < 100; k++) {
        hand[0] += 0.002;
        hand[2] -= 0.001;
        tell(lab, SCREE_LAB_PULL, 0, hand, NULL);
        tell(lab, SCREE_LAB_STEP, 50, NULL, NULL);
    }
    tell(lab, SCREE_LAB_RELEASE, 0, NULL, NULL);
    for (int later = 0; later < 2; later++) {
        uint64_t version = scree_lab_board_version(lab, SCREE_LAB_FOUND);
        tell(lab, SCREE_LAB_STEP, 100, NULL, NULL);
        tell(lab, SCREE_LAB_REGION, 0, all, NULL);
        char *text = await_after(lab, SCREE_LAB_FOUND, version, "bodies");
        found[later] = number_of(text, "speed");
        CHECK_NEAR(strtod(strstr(text, "\"velocity\": [") + 13, NULL), 0.4, 1e-8);
        free(text);
    }
    CHECK_NEAR(found[0], 0.2 * sqrt(5), 1e-8);
    CHECK(found[1] == found[0]);
    scree_lab_destroy(lab);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(physics_is_told_as_it_is),
        CASE(physics_can_be_changed),
        CASE(energies_are_counted_where_that_is_wanted),
        CASE(bodies_are_poured_and_taken_away),
        CASE(a_body_is_held_and_let_go),
        CASE(a_hand_carries_what_it_holds),
        CASE(what_is_thrown_flies_on_with_the_speed_of_the_hand),
    };
    if (!scree_scene_available()) {
        printf("test_lab_bodies: skipped: no Lua\n");
        return 77;
    }
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
