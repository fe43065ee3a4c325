/*  What a page gets, and in which order, from a laboratory that is given its turns; no thread, no network. */
#include "lab_internal.h"
#include "scene.h"
#include "viewer.h"

#include "base/clock.h"
#include "test.h"

static const char small[] =
    "gravity { 0, 0, -9.81 }\n"
    "grain = material { density = 2500, young = 1e6, poisson = 0.25 }\n"
    "wall { shape = plane { point = {0, 0, 0}, normal = {0, 0, 1} }, material = grain }\n"
    "fill { count = 20, material = grain, shape = sphere { radius = 0.01 },\n"
    "       region = box { lower = {0, 0, 0.02}, upper = {0.2, 0.2, 0.2} } }\n"
    "run { time = 1, title = 'small' }\n";

typedef struct stage
{
    scree_lab *lab;
    scree_lab_film film;
    scree_lab_cloud spare;
} stage;

static void ignore(void *user)
{
    (void)user;
}

static scree_lab_message message_of(scree_lab_kind kind, uint32_t first, uint32_t second)
{
    scree_lab_message message = {.kind = kind, .whole = {first, second}};
    return message;
}

static double turn(stage *s)
{
    double rest = scree_lab_turn(s->lab);
    if (scree_lab_take(s->lab, &s->spare))
        CHECK(!scree_lab_film_take(&s->film, &s->spare));
    return rest;
}

static void open_stage(stage *s)
{
    scree_lab_def def = {.threads = 1,
                         .max_bodies = 2000,
                         .max_bytes = (size_t)1 << 30,
                         .is_driven = true,
                         .wake = ignore};
    scree_lab_message scene = {
        .kind = SCREE_LAB_SCENE, .bytes = (const uint8_t *)small, .byte_count = sizeof small - 1};
    scree_error error = {SCREE_OK, ""};

    memset(s, 0, sizeof *s);
    if (scree_lab_create(&def, &s->lab, &error))
        FAIL("%s", error.text);
    CHECK(scree_lab_tell(s->lab, 1, &scene));
    turn(s);
}

static void close_stage(stage *s)
{
    scree_lab_destroy(s->lab);
    scree_lab_film_free(&s->film);
    scree_lab_cloud_free(&s->spare);
}

static void say(stage *s, scree_lab_viewer *viewer, scree_lab_kind kind, uint32_t first,
                uint32_t second)
{
    scree_lab_message message = message_of(kind, first, second);

    scree_lab_viewer_say(viewer, s->lab, &message);
    turn(s);
}

/*  The next parcel's first byte: '{' of a board of text, else its kind; -1: there is none. */
static int next(stage *s, scree_lab_viewer *viewer)
{
    scree_lab_parcel parcel;
    int first = -1;

    CHECK(!scree_lab_viewer_next(viewer, s->lab, &s->film, 16, &parcel));
    if (parcel.bytes) {
        CHECK(parcel.count > 4);
        first = parcel.bytes[16];
        CHECK_EQUAL(parcel.is_text, first == '{');
    }
    free(parcel.bytes);
    return first;
}

/*  Until there is nothing but frames, or nothing. */
static int first_frame(stage *s, scree_lab_viewer *viewer)
{
    int kind;

    for (int k = 0; k < 20; k++)
        if ((kind = next(s, viewer)) < 0 || kind == 1)
            return kind;
    FAIL("boards without end");
}

/*  Whether turns come to say this of the world, soon. */
static bool comes_to_say(stage *s, const char *part)
{
    double until = scree_lab_now() + 30;
    bool says = false;

    while (!says && scree_lab_now() < until) {
        scree_lab_sheet sheet;
        turn(s);
        CHECK(!scree_lab_board_read(s->lab, SCREE_LAB_STATUS, 0, &sheet));
        sheet.bytes[sheet.count] = 0;
        says = strstr((char *)sheet.bytes, part) != NULL;
        free(sheet.bytes);
    }
    return says;
}

/*  On a busy machine a look at all contacts takes long, and the next one is put off. */
TEST(a_checksum_that_was_put_off_is_told_in_the_end)
{
    scree_lab_message step = message_of(SCREE_LAB_STEP, 3, 0);
    stage s;

    open_stage(&s);
    CHECK(comes_to_say(&s, "\"checksum_steps\": 0"));
    s.lab->checksum_due = scree_lab_now() + 0.2;
    CHECK(scree_lab_tell(s.lab, 1, &step));
    CHECK(comes_to_say(&s, "\"steps\": 3,"));
    CHECK(comes_to_say(&s, "\"checksum_steps\": 3"));
    close_stage(&s);
}

TEST(turns_move_bodies)
{
    stage s, again;

    open_stage(&s);
    open_stage(&again);
    uint64_t before = scree_lab_digest(s.lab);
    CHECK(before == scree_lab_digest(again.lab));
    /* nothing is due, until it is told so */
    CHECK_NEAR(turn(&s), 0.25, 0);
    CHECK(before == scree_lab_digest(s.lab));
    scree_lab_message step = message_of(SCREE_LAB_STEP, 300, 0);
    scree_lab_tell(s.lab, 1, &step);
    CHECK(before == scree_lab_digest(s.lab));
    turn(&s);
    CHECK(before != scree_lab_digest(s.lab));
    step.whole[0] = 150;
    for (int k = 0; k < 2; k++) {
        scree_lab_tell(again.lab, 1, &step);
        turn(&again);
    }
    CHECK(scree_lab_digest(s.lab) == scree_lab_digest(again.lab));
    close_stage(&again);
    close_stage(&s);
}

TEST(who_plays_is_due_again_at_once)
{
    stage s;

    open_stage(&s);
    scree_lab_message fast = message_of(SCREE_LAB_SPEED, 0, 0),
                      play = message_of(SCREE_LAB_PLAY, 1, 0);
    scree_lab_tell(s.lab, 1, &fast);
    scree_lab_tell(s.lab, 1, &play);
    CHECK_NEAR(turn(&s), 0, 0);
    uint64_t before = scree_lab_digest(s.lab);
    CHECK_NEAR(turn(&s), 0, 0);
    CHECK(before != scree_lab_digest(s.lab));
    /* slower than the clock on the wall by far: no step is due yet, but soon */
    fast.number[0] = 1e-9;
    scree_lab_tell(s.lab, 1, &fast);
    double rest = turn(&s);
    CHECK(rest > 0 && rest < 0.01);
    play.whole[0] = 0;
    scree_lab_tell(s.lab, 1, &play);
    CHECK_NEAR(turn(&s), 0.25, 0);
    close_stage(&s);
}

TEST(boards_come_first_then_frames)
{
    scree_lab_viewer viewer;
    stage s;

    open_stage(&s);
    scree_lab_viewer_begin(&viewer, s.lab, 1);
    CHECK_EQUAL(next(&s, &viewer), '{'); /* hello */
    CHECK_EQUAL(next(&s, &viewer), '{'); /* stage */
    CHECK_EQUAL(next(&s, &viewer), 2);   /* walls */
    CHECK_EQUAL(first_frame(&s, &viewer), -1);
    /* a client that has not greeted gets no frame */
    say(&s, &viewer, SCREE_LAB_STEP, 1, 0);
    scree_lab_want(s.lab);
    turn(&s);
    CHECK(s.film.frame > 0);
    CHECK_EQUAL(first_frame(&s, &viewer), -1);
    say(&s, &viewer, SCREE_LAB_READY, 0, 15);
    CHECK_EQUAL(first_frame(&s, &viewer), 1);
    CHECK_EQUAL(first_frame(&s, &viewer), -1);
    close_stage(&s);
}

TEST(a_page_that_does_not_draw_gets_no_more)
{
    scree_lab_viewer viewer;
    stage s;
    int frames = 0;

    open_stage(&s);
    scree_lab_viewer_begin(&viewer, s.lab, 1);
    say(&s, &viewer, SCREE_LAB_READY, 0, 15);
    say(&s, &viewer, SCREE_LAB_OVERLAY, 3, 0xffff);
    for (int k = 0; k < 6; k++) {
        scree_lab_want(s.lab);
        say(&s, &viewer, SCREE_LAB_STEP, 1, 0);
        frames += first_frame(&s, &viewer) == 1;
    }
    CHECK_EQUAL(frames, SCREE_LAB_FRAMES_AHEAD);
    /* nor lines, which are as large */
    uint64_t lines = viewer.board[SCREE_LAB_LINES];
    double until = scree_clock_seconds() + 20;
    while (scree_lab_board_version(s.lab, SCREE_LAB_LINES) == lines &&
           scree_clock_seconds() < until) {
        scree_lab_want(s.lab);
        say(&s, &viewer, SCREE_LAB_STEP, 1, 0);
    }
    CHECK(scree_lab_board_version(s.lab, SCREE_LAB_LINES) > lines);
    CHECK_EQUAL(first_frame(&s, &viewer), -1);
    CHECK(viewer.board[SCREE_LAB_LINES] == lines);
    /* one drawn: one more, the newest */
    say(&s, &viewer, SCREE_LAB_READY, viewer.sent, 15);
    CHECK_EQUAL(first_frame(&s, &viewer), 1);
    CHECK_EQUAL(viewer.sent, s.film.frame);
    CHECK(viewer.board[SCREE_LAB_LINES] > lines);
    CHECK_EQUAL(first_frame(&s, &viewer), -1);
    close_stage(&s);
}

/*  What is wanted now and was not before comes whole, though the frame is the same. */
TEST(a_part_that_is_wanted_late_comes)
{
    scree_lab_viewer viewer;
    stage s;

    open_stage(&s);
    scree_lab_viewer_begin(&viewer, s.lab, 1);
    say(&s, &viewer, SCREE_LAB_READY, 0, 3);
    CHECK_EQUAL(first_frame(&s, &viewer), 1);
    CHECK_EQUAL(viewer.known[SCREE_LAB_PLACES], viewer.sent);
    CHECK_EQUAL(viewer.known[SCREE_LAB_TURNS], 0);
    uint32_t sent = viewer.sent;
    say(&s, &viewer, SCREE_LAB_READY, sent, 7);
    CHECK_EQUAL(first_frame(&s, &viewer), 1);
    CHECK_EQUAL(viewer.known[SCREE_LAB_TURNS], viewer.sent);
    /* what is wanted no more is forgotten: when it is wanted again it comes whole */
    say(&s, &viewer, SCREE_LAB_READY, viewer.sent, 3);
    scree_lab_message ready = message_of(SCREE_LAB_READY, 0, 7);
    scree_lab_viewer_say(&viewer, s.lab, &ready);
    CHECK_EQUAL(viewer.known[SCREE_LAB_TURNS], 0);
    close_stage(&s);
}

TEST(what_is_for_one_goes_to_no_other)
{
    scree_lab_viewer first, second;
    stage s;

    open_stage(&s);
    scree_lab_viewer_begin(&first, s.lab, 1);
    scree_lab_viewer_begin(&second, s.lab, 2);
    while (next(&s, &first) >= 0 || next(&s, &second) >= 0)
        continue;
    scree_lab_message save = message_of(SCREE_LAB_SAVE, 0, 0);
    scree_lab_viewer_say(&first, s.lab, &save);
    turn(&s);
    int kind, saved = 0, stolen = 0;
    while ((kind = next(&s, &first)) >= 0)
        saved += kind == 3;
    while ((kind = next(&s, &second)) >= 0)
        stolen += kind == 3;
    CHECK_EQUAL(saved, 1);
    CHECK_EQUAL(stolen, 0);
    /* and who comes later hears of what is there, not of what was said */
    scree_lab_viewer third;
    scree_lab_viewer_begin(&third, s.lab, 1);
    while ((kind = next(&s, &third)) >= 0)
        CHECK(kind != 3);
    close_stage(&s);
}

/*  What bodies look like comes once, before the first frame that has them; a scene of spheres takes it back. */
TEST(shapes_come_before_their_frame)
{
    static const char blocks[] =
        "clay = material { density = 2500, young = 1e6 }\n"
        "body { shape = block { points = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}} },\n"
        "       material = clay, position = {0, 0, 0} }\n"
        "run { time = 1, title = 'blocks' }\n";
    const char *texts[2] = {blocks, small};
    scree_lab_viewer viewer;
    stage s;

    open_stage(&s);
    scree_lab_viewer_begin(&viewer, s.lab, 1);
    say(&s, &viewer, SCREE_LAB_READY, 0, 15);
    CHECK_EQUAL(first_frame(&s, &viewer), 1);
    for (int k = 0; k < 2; k++) {
        scree_lab_message scene = {.kind = SCREE_LAB_SCENE,
                                   .bytes = (const uint8_t *)texts[k],
                                   .byte_count = strlen(texts[k])};
        int kind, shapes = 0;
        CHECK(scree_lab_tell(s.lab, 1, &scene));
        say(&s, &viewer, SCREE_LAB_READY, viewer.sent, 15);
        while ((kind = next(&s, &viewer)) != 1 && kind >= 0)
            shapes += kind == 5;
        CHECK_EQUAL(kind, 1);
        CHECK_EQUAL(shapes, 1);
        CHECK_EQUAL(s.film.cloud.shape[0], k == 0);
        say(&s, &viewer, SCREE_LAB_READY, viewer.sent, 15);
        say(&s, &viewer, SCREE_LAB_STEP, 1, 0);
        while ((kind = next(&s, &viewer)) >= 0)
            CHECK(kind != 5);
    }
    close_stage(&s);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(turns_move_bodies),
        CASE(a_checksum_that_was_put_off_is_told_in_the_end),
        CASE(who_plays_is_due_again_at_once),
        CASE(boards_come_first_then_frames),
        CASE(shapes_come_before_their_frame),
        CASE(a_page_that_does_not_draw_gets_no_more),
        CASE(a_part_that_is_wanted_late_comes),
        CASE(what_is_for_one_goes_to_no_other),
    };
    if (!scree_scene_available()) {
        printf("test_lab_viewer: skipped: no Lua\n");
        return 77;
    }
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
