/*  The tools of the hand: dragging while paused, the ball, explosions, walls that are drawn, and undo. */
#include "talk.h"

#include <math.h>

/*  Two balls of 0.05 m, 0.3 m apart, over a floor, without weight; the second is heavy as the first. */
static const char two[] =
    "m = material { density = 1000, stiffness = 1e4, restitution = 0.5, friction = 0.3 }\n"
    "rule { law = 'linear' }\n"
    "solver { dt = 5e-4, overlap_limit = 1 }\n"
    "wall { shape = plane { }, material = m }\n"
    "body { shape = sphere { radius = 0.05 }, material = m, position = {0, 0, 0.5} }\n"
    "body { shape = sphere { radius = 0.05 }, material = m, position = {0.3, 0, 0.5} }\n"
    "run { time = 100, title = 'two' }\n";

static scree_lab *open_two(void)
{
    scree_lab *lab = open_lab(NULL, 1000);

    tell(lab, SCREE_LAB_SCENE, 0, NULL, two);
    await(lab, SCREE_LAB_STATUS, "\"bodies\": 2,");
    return lab;
}

/*  The scene with gravity, and the balls on the floor. */
static scree_lab *open_with_gravity(void)
{
    static const double down[8] = {0, 0, -9.81};
    scree_lab *lab = open_two();

    tell(lab, SCREE_LAB_GRAVITY, 0, down, NULL);
    await(lab, SCREE_LAB_STATUS, "\"gravity\": [0, 0, -9.81]");
    return lab;
}

/*  The newest position of the body in a slot. */
static void place_of(scree_lab *lab, size_t slot, double place[3])
{
    scree_lab_cloud cloud = {0};
    double until = scree_clock_seconds() + 60;

    scree_lab_want(lab);
    while (!scree_lab_take(lab, &cloud) && scree_clock_seconds() < until)
        sleep_some();
    CHECK(cloud.slot_count > slot);
    for (int k = 0; k < 3; k++)
        place[k] = cloud.grain.origin[k] + cloud.grain.quantum * cloud.place[slot][k];
    scree_lab_cloud_free(&cloud);
}

/*  Waits until the body in a slot stays at a point: to a quantum, or `near`. */
static void await_place(scree_lab *lab, size_t slot, const double point[3], double near)
{
    double until = scree_clock_seconds() + 60, place[3] = {0}, apart = INFINITY;

    while (!(apart <= near) && scree_clock_seconds() < until) {
        /* clouds come when something has changed: the colour field is set again */
        tell(lab, SCREE_LAB_FIELD, 1, NULL, NULL);
        place_of(lab, slot, place);
        apart = 0;
        for (int k = 0; k < 3; k++)
            apart = hypot(apart, place[k] - point[k]);
    }
    if (!(apart <= near))
        FAIL("the body in slot %zu is at %g %g %g, not at %g %g %g", slot, place[0], place[1],
             place[2], point[0], point[1], point[2]);
}

static double number_in_status(scree_lab *lab, const char *key)
{
    char *text = await_after(lab, SCREE_LAB_STATUS, 0, key);
    double value = number_of(text, key);
    free(text);
    return value;
}

TEST(a_body_is_dragged_while_paused_and_stops_at_others)
{
    static const double beyond[8] = {0.45, 0, 0.5}, above[8] = {-0.2, 0.1, 0.8},
                        floor[8] = {-0.2, 0.1, -1};
    static const double start[3] = {0, 0, 0.5}, second[3] = {0.3, 0, 0.5},
                        at_second[3] = {0.2, 0, 0.5}, on_floor[3] = {-0.2, 0.1, 0.05};
    scree_lab_message grab = {.kind = SCREE_LAB_GRAB, .number = {0, 0, 0.5}};
    scree_lab *lab = open_two();

    body_in(lab, 0, &grab);
    CHECK(scree_lab_tell(lab, 1, &grab));
    tell(lab, SCREE_LAB_PULL, 0, beyond, NULL);
    await_place(lab, 0, at_second, 0.006);
    await_place(lab, 1, second, 1e-3);
    tell(lab, SCREE_LAB_PULL, 0, above, NULL);
    await_place(lab, 0, above, 2e-3);
    tell(lab, SCREE_LAB_PULL, 0, floor, NULL);
    await_place(lab, 0, on_floor, 0.006);
    tell(lab, SCREE_LAB_RELEASE, 0, NULL, NULL);
    CHECK(number_in_status(lab, "steps") == 0);
    CHECK(number_in_status(lab, "time") == 0);
    tell(lab, SCREE_LAB_UNDO, 0, NULL, NULL);
    await_place(lab, 0, start, 1e-3);
    tell(lab, SCREE_LAB_UNDO, 0, NULL, NULL);
    await(lab, SCREE_LAB_NOTE, "there is nothing to undo");
    scree_lab_destroy(lab);
}

TEST(a_ball_in_the_hand_pushes_and_goes)
{
    static const double here[8] = {-0.3, 0, 0.5, 0.08}, inside[8] = {0, 0, 0.5, 0.01},
                        there[8] = {0.1, 0, 0.5}, none[8] = {0, 0, 0.5, -1};
    static const double start[3] = {0, 0, 0.5};
    scree_lab *lab = open_two();

    tell(lab, SCREE_LAB_BALL, 0, none, NULL);
    await(lab, SCREE_LAB_NOTE, "radius -1");
    tell(lab, SCREE_LAB_BALL, 0, inside, NULL);
    await(lab, SCREE_LAB_NOTE, "there is no room for a ball");
    tell(lab, SCREE_LAB_PULL, 0, there, NULL);
    CHECK(number_in_status(lab, "bodies") == 2);
    tell(lab, SCREE_LAB_BALL, 0, here, NULL);
    await(lab, SCREE_LAB_STATUS, "\"bodies\": 3,");
    tell(lab, SCREE_LAB_PLAY, 1, NULL, NULL);
    tell(lab, SCREE_LAB_PULL, 0, there, NULL);
    double place[3] = {0}, until = scree_clock_seconds() + 60;
    while (place[0] < 0.03 && scree_clock_seconds() < until)
        place_of(lab, 0, place);
    CHECK(place[0] >= 0.03);
    tell(lab, SCREE_LAB_RELEASE, 0, NULL, NULL);
    await(lab, SCREE_LAB_STATUS, "\"bodies\": 2,");
    tell(lab, SCREE_LAB_PLAY, 0, NULL, NULL);
    await(lab, SCREE_LAB_STATUS, "\"plays\": false");
    tell(lab, SCREE_LAB_UNDO, 0, NULL, NULL);
    await_place(lab, 0, start, 1e-3);
    await(lab, SCREE_LAB_STATUS, "\"steps\": 0,");
    scree_lab_destroy(lab);
}

TEST(an_explosion_throws_bodies_apart)
{
    static const double between[8] = {0.15, 0, 0.5, 0.3, 4}, flat[8] = {0, 0, 0, 0, 1},
                        still[8] = {0, 0, 0, 1, 0}, far[8] = {9, 9, 9, 1, 1},
                        all[8] = {-9, -9, -9, 9, 9, 9};
    scree_lab *lab = open_two();

    tell(lab, SCREE_LAB_EXPLODE, 0, flat, NULL);
    await(lab, SCREE_LAB_NOTE, "radius is 0 m, must be above 0");
    tell(lab, SCREE_LAB_EXPLODE, 0, still, NULL);
    await(lab, SCREE_LAB_NOTE, "speed is 0 m/s");
    tell(lab, SCREE_LAB_EXPLODE, 0, far, NULL);
    await(lab, SCREE_LAB_NOTE, "no body that moves is within 1 m");
    CHECK(number_in_status(lab, "undos") == 0);
    tell(lab, SCREE_LAB_EXPLODE, 0, between, NULL);
    await(lab, SCREE_LAB_STATUS, "\"undos\": 1,");
    tell(lab, SCREE_LAB_REGION, 0, all, NULL);
    char *found = await_after(lab, SCREE_LAB_FOUND, 0, "bodies");
    /* half of the speed at half of the radius, in opposite directions */
    CHECK_NEAR(number_of(found, "speed"), 2, 1e-9);
    CHECK_NEAR(strtod(strstr(found, "\"velocity\": [") + 13, NULL), 0, 1e-9);
    free(found);
    scree_lab_destroy(lab);
}

TEST(a_wall_is_drawn_and_holds)
{
    static const scree_lab_message shelf = {.kind = SCREE_LAB_WALL,
                                            .number = {-1, -1, 0.3, 1, -1, 0.3, -1, 1, 0.3}};
    static const scree_lab_message through = {.kind = SCREE_LAB_WALL,
                                              .number = {-1, -1, 0.52, 1, -1, 0.52, -1, 1, 0.52}};
    static const scree_lab_message point = {.kind = SCREE_LAB_WALL,
                                            .number = {1, 1, 1, 1, 1, 1, 1, 1, 1}};
    static const double on_shelf[3] = {0, 0, 0.35}, on_floor[3] = {0, 0, 0.05}, fastest[8] = {0};
    scree_lab *lab = open_with_gravity();

    CHECK(scree_lab_tell(lab, 1, &through));
    await(lab, SCREE_LAB_NOTE, "the wall was not drawn: 2 bodies are in its way");
    CHECK(scree_lab_tell(lab, 1, &point));
    await(lab, SCREE_LAB_NOTE, "has an area");
    CHECK(scree_lab_tell(lab, 1, &shelf));
    await(lab, SCREE_LAB_STATUS, "\"undos\": 2,");
    tell(lab, SCREE_LAB_SPEED, 0, fastest, NULL);
    tell(lab, SCREE_LAB_STEP, 6000, NULL, NULL);
    await_place(lab, 0, on_shelf, 5e-3);
    /* without it they fall to the floor */
    tell(lab, SCREE_LAB_UNDO, 0, NULL, NULL);
    await(lab, SCREE_LAB_STATUS, "\"steps\": 0,");
    tell(lab, SCREE_LAB_STEP, 6000, NULL, NULL);
    await_place(lab, 0, on_floor, 5e-3);
    uint64_t version = scree_lab_board_version(lab, SCREE_LAB_SAVED);
    tell(lab, SCREE_LAB_SAVE, 0, NULL, NULL);
    while (scree_lab_board_version(lab, SCREE_LAB_SAVED) == version)
        sleep_some();
    scree_lab_destroy(lab);
}

static void copy_saved(scree_lab *lab, scree_lab_message *load)
{
    scree_lab_sheet sheet;
    uint64_t version = scree_lab_board_version(lab, SCREE_LAB_SAVED);

    tell(lab, SCREE_LAB_SAVE, 0, NULL, NULL);
    while (scree_lab_board_version(lab, SCREE_LAB_SAVED) == version)
        sleep_some();
    CHECK(!scree_lab_board_read(lab, SCREE_LAB_SAVED, 0, &sheet));
    load->kind = SCREE_LAB_LOAD;
    load->byte_count = sheet.count - 4;
    memmove(sheet.bytes, sheet.bytes + 4, load->byte_count);
    load->bytes = sheet.bytes;
}

/*  Also after a wall was undone, whose handle the next one has with another generation; and in a lab that has none. */
TEST(a_checkpoint_has_the_walls_that_were_drawn)
{
    static const scree_lab_message low = {.kind = SCREE_LAB_WALL,
                                          .number = {-1, -1, 0.2, 1, -1, 0.2, -1, 1, 0.2}},
                                   high = {.kind = SCREE_LAB_WALL,
                                           .number = {-1, -1, 0.3, 1, -1, 0.3, -1, 1, 0.3}};
    static const double on_shelf[3] = {0, 0, 0.35}, fastest[8] = {0};
    scree_lab *lab = open_with_gravity();
    scree_lab_message load = {0};

    CHECK(scree_lab_tell(lab, 1, &low));
    await(lab, SCREE_LAB_STATUS, "\"undos\": 2,");
    tell(lab, SCREE_LAB_UNDO, 0, NULL, NULL);
    await(lab, SCREE_LAB_STATUS, "\"undos\": 1,");
    CHECK(scree_lab_tell(lab, 1, &high));
    await(lab, SCREE_LAB_STATUS, "\"undos\": 2,");
    tell(lab, SCREE_LAB_SPEED, 0, fastest, NULL);
    tell(lab, SCREE_LAB_STEP, 100, NULL, NULL);
    await(lab, SCREE_LAB_STATUS, "\"steps\": 100,");
    copy_saved(lab, &load);
    scree_lab_destroy(lab);
    lab = open_with_gravity();
    CHECK(scree_lab_tell(lab, 1, &load));
    await(lab, SCREE_LAB_STATUS, "\"steps\": 100,");
    tell(lab, SCREE_LAB_SPEED, 0, fastest, NULL);
    tell(lab, SCREE_LAB_STEP, 6000, NULL, NULL);
    await_place(lab, 0, on_shelf, 5e-3);
    /* and can be saved again */
    free((void *)(uintptr_t)load.bytes);
    copy_saved(lab, &load);
    CHECK(scree_lab_tell(lab, 1, &load));
    await(lab, SCREE_LAB_STATUS, "\"steps\": 6100,");
    free((void *)(uintptr_t)load.bytes);
    scree_lab_destroy(lab);
}

/*  Of three spheres in a row that are bonded, cuts part the last from the others: what the triangle of the stroke meets. */
TEST(bonds_are_cut_by_a_stroke)
{
    static const char row[] = "%s"
                              "m = material { density = 1000, stiffness = 1e4 }\n"
                              "rule { between = 'bodies', law = 'bonded', values = { bond_young = "
                              "1e6, bond_ratio = 2.5, bond_radius = 0.9, "
                              "bond_reach = 0.1, bond_tension = 1e9, bond_shear = 1e9 } }\n"
                              "solver { dt = 1e-4 }\n"
                              "for k = 0, 2 do body { shape = sphere { radius = 0.05 }, material = "
                              "m, position = {0.1 * k, 0} } end\n"
                              "bond { gap = 0.001 }\n"
                              "run { time = 100, title = 'row' }\n";
    /* eye, and two points: beside all, in front of all, and through the second bond */
    static const double beside[9] = {0.15, -1, 0.3, 0.15, 1, 0.5, 0.15, 1, 0.2},
                        before[9] = {0.15, -1, 0.3, 0.15, -0.5, -0.5, 0.15, -0.5, 0.5},
                        through[9] = {0.15, -1, 0, 0.15, 1, -0.5, 0.15, 1, 0.5};
    /* in two dimensions: short of the row, and across it */
    static const double aside[9] = {0, 0, 0, 0.15, -1, 0, 0.15, -0.1, 0},
                        across[9] = {0, 0, 0, 0.15, -1, 0, 0.15, 1, 0};
    const double *const strokes[2][3] = {{beside, before, through}, {aside, aside, across}};
    char text[2048];

    for (int is_flat = 0; is_flat < 2; is_flat++) {
        scree_lab *lab = open_lab(NULL, 1000);
        snprintf(text, sizeof text, row, is_flat ? "domain { dimensions = 2 }\n" : "");
        tell(lab, SCREE_LAB_SCENE, 0, NULL, text);
        await(lab, SCREE_LAB_STATUS, "\"bodies\": 3,");
        tell(lab, SCREE_LAB_STEP, 10, NULL, NULL);
        await(lab, SCREE_LAB_STATUS, "\"steps\": 10,");
        CHECK(number_in_status(lab, "bonds") == 2);
        for (int k = 0; k < 3; k++) {
            scree_lab_message cut = {.kind = SCREE_LAB_CUT};
            memcpy(cut.number, strokes[is_flat][k], sizeof cut.number);
            CHECK(scree_lab_tell(lab, 1, &cut));
            tell(lab, SCREE_LAB_STEP, 10, NULL, NULL);
            char wanted[40];
            snprintf(wanted, sizeof wanted, "\"steps\": %d,", 10 * (k + 2));
            char *status = await_after(lab, SCREE_LAB_STATUS, 0, wanted);
            CHECK(number_of(status, "bonds") == (k < 2 ? 2 : 1));
            free(status);
        }
        tell(lab, SCREE_LAB_UNDO, 0, NULL, NULL);
        await(lab, SCREE_LAB_STATUS, "\"bonds\": 2,");
        scree_lab_destroy(lab);
    }
}

/*  Many messages of one stroke are undone at once; actions in their order; and a new scene has nothing to undo. */
TEST(strokes_are_undone_as_one)
{
    static const double here[8] = {0, 0, 2, 0, 0, 0, 0.02, 0.3}, box[8] = {-1, -1, 1, 1, 1, 3};
    scree_lab *lab = open_two();

    for (int k = 0; k < 4; k++)
        tell(lab, SCREE_LAB_POUR, 5, here, NULL);
    await(lab, SCREE_LAB_STATUS, "\"bodies\": 22,");
    CHECK(number_in_status(lab, "undos") == 1);
    tell(lab, SCREE_LAB_CLEAR, 0, box, NULL);
    await(lab, SCREE_LAB_STATUS, "\"bodies\": 2,");
    tell(lab, SCREE_LAB_UNDO, 0, NULL, NULL);
    await(lab, SCREE_LAB_STATUS, "\"bodies\": 22,");
    tell(lab, SCREE_LAB_UNDO, 0, NULL, NULL);
    await(lab, SCREE_LAB_STATUS, "\"bodies\": 2,");
    tell(lab, SCREE_LAB_POUR, 5, here, NULL);
    await(lab, SCREE_LAB_STATUS, "\"undos\": 1,");
    tell(lab, SCREE_LAB_RESET, 0, NULL, NULL);
    await(lab, SCREE_LAB_STATUS, "\"undos\": 0,");
    scree_lab_destroy(lab);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(a_body_is_dragged_while_paused_and_stops_at_others),
        CASE(a_ball_in_the_hand_pushes_and_goes),
        CASE(an_explosion_throws_bodies_apart),
        CASE(a_wall_is_drawn_and_holds),
        CASE(a_checkpoint_has_the_walls_that_were_drawn),
        CASE(bonds_are_cut_by_a_stroke),
        CASE(strokes_are_undone_as_one),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
