/*  How far a run is and what is due: times without drift, a line that says what fits, a forecast that
    follows the speed, JSON. */
#include "../../app/run/progress.c"
#include "../../common/json.c"
#include "../../scene/schedule.c"

#include "harness/run_program.h"
#include "run_work.h"
#include "test.h"

#include <unistd.h>

/* ---- when things are due ------------------------------------------------------------------------ */

/*  Steps of a clock that adds up dt as a world does. */
static scree_clock tick(scree_clock clock, double dt)
{
    clock.time += dt;
    clock.dt = dt;
    clock.steps++;
    return clock;
}

TEST(a_schedule_by_time_does_not_drift)
{
    /* a tenth of a millisecond is no sum of binary fractions: a million of them are off by 1e-11 */
    scree_clock clock = {0, 0, 1e-4};
    scree_schedule s = scree_schedule_begin(0, 1e-2, clock, true);
    uint64_t number = 99, seen = 0;

    for (uint64_t step = 0; step <= 1000000; step++) {
        if (scree_schedule_is_due(&s, clock, &number)) {
            CHECK_EQUAL(number, seen);
            CHECK_EQUAL(step, seen * 100);
            scree_schedule_pass(&s, clock);
            CHECK(!scree_schedule_is_due(&s, clock, &number));
            seen++;
        }
        clock = tick(clock, 1e-4);
    }
    CHECK_EQUAL(seen, 10001);
}

TEST(a_schedule_by_steps_is_due_at_multiples)
{
    scree_clock clock = {0, 0, 0.5};
    scree_schedule s = scree_schedule_begin(7, 0, clock, true);
    uint64_t number;

    for (uint64_t step = 0; step < 100; step++) {
        bool due = scree_schedule_is_due(&s, clock, &number);
        CHECK_EQUAL(due, step % 7 == 0);
        if (due) {
            CHECK_EQUAL(number, step / 7);
            CHECK_EQUAL(scree_schedule_room(&s, clock, 1), 1);
            scree_schedule_pass(&s, clock);
        }
        CHECK_EQUAL(scree_schedule_room(&s, clock, 1), 7 - step % 7);
        clock = tick(clock, 0.5);
    }
}

/*  Another interval from a moment on: times count from there, and numbers go on. */
TEST(an_interval_changes_on_the_way)
{
    scree_clock clock = {0, 0, 1e-3};
    scree_schedule s = scree_schedule_begin(0, 0.01, clock, true);
    uint64_t number, seen = 0, last = 0;

    for (uint64_t step = 0; step <= 300; step++) {
        if (scree_schedule_is_due(&s, clock, &number)) {
            CHECK(number == seen++);
            last = step;
            scree_schedule_pass(&s, clock);
        }
        if (step == 105)
            s = scree_schedule_from(0, 0.05, clock, scree_schedule_number(&s, clock), clock);
        if (step == 205) {
            CHECK_EQUAL(last, 205);
            s = scree_schedule_from(7, 0, clock, scree_schedule_number(&s, clock), clock);
        }
        clock = tick(clock, 1e-3);
    }
    /* 0 to 10, two more, and 13 of seven steps each */
    CHECK_EQUAL(seen, 11 + 2 + 13);
    CHECK_EQUAL(last, 205 + 13 * 7);
}

/*  In portions as large as allowed, the same steps are found as one by one, whatever the steps do. */
static void same_steps(double every, double growth)
{
    enum
    {
        STEPS = 3000
    };
    static bool due_alone[STEPS + 1];
    static scree_clock at[STEPS + 1];
    uint64_t number, portions = 0, met = 0;

    at[0] = (scree_clock){0, 0, 1e-3};
    for (int k = 0; k < STEPS; k++) {
        /* grows to its limit, and falls back now and then */
        double dt = k == 0 ? 1e-3 : at[k].dt * growth;
        dt = dt > 4e-3 || k % 701 == 700 ? (growth > 1 ? 1e-4 : 1e-3) : dt;
        at[k + 1] = tick(at[k], dt);
    }
    scree_schedule s = scree_schedule_begin(0, every, at[0], true);
    for (int k = 0; k <= STEPS; k++) {
        due_alone[k] = scree_schedule_is_due(&s, at[k], &number);
        scree_schedule_pass(&s, at[k]);
        met += due_alone[k];
    }
    CHECK(met > 10);
    s = scree_schedule_begin(0, every, at[0], true);
    for (uint64_t k = 0; k <= STEPS; portions++) {
        CHECK_EQUAL(scree_schedule_is_due(&s, at[k], &number), due_alone[k]);
        scree_schedule_pass(&s, at[k]);
        uint64_t room = scree_schedule_room(&s, at[k], growth);
        CHECK(room >= 1);
        for (uint64_t skipped = k + 1; skipped < k + room && skipped <= STEPS; skipped++)
            CHECK(!due_alone[skipped]);
        k += room;
    }
    /* and portions are worth the name */
    CHECK(portions < STEPS / 2 || every < 0.01);
}

TEST(portions_pass_over_nothing)
{
    static const double every[] = {0.1, 0.0371, 0.002, 1e-3, 3e-4};
    for (size_t k = 0; k < sizeof every / sizeof *every; k++) {
        same_steps(every[k], 1);
        same_steps(every[k], 1.05);
    }
}

TEST(a_run_that_continues_finds_the_same_steps)
{
    scree_clock clock = {0, 0, 1e-4};
    for (uint64_t step = 0; step < 500; step++) {
        scree_schedule from_start = scree_schedule_begin(0, 0.0013, clock, false);
        uint64_t number;
        /* what was due at the step of a checkpoint was done before it was written */
        CHECK(!scree_schedule_is_due(&from_start, clock, &number));
        scree_clock next = tick(clock, 1e-4);
        scree_schedule after = scree_schedule_begin(0, 0.0013, next, false);
        CHECK_EQUAL(scree_schedule_is_due(&from_start, next, &number),
                    after.next != from_start.next);
        clock = next;
    }
}

TEST(a_schedule_that_never_comes)
{
    scree_clock clock = {1, 10, 0.1};
    scree_schedule s = scree_schedule_begin(0, 0, clock, true);
    uint64_t number;
    CHECK(!scree_schedule_is_due(&s, clock, &number));
    CHECK(scree_schedule_room(&s, clock, 1) > 1000000);
    /* far more often than steps are taken: once in each, and at once */
    s = scree_schedule_begin(0, 1e-12, clock, true);
    CHECK(scree_schedule_is_due(&s, clock, &number));
    CHECK_EQUAL(scree_schedule_room(&s, clock, 1), 1);
    s = scree_schedule_begin(0, 1e-300, clock, true);
    CHECK(scree_schedule_is_due(&s, clock, &number));
}

/* ---- how far it is ------------------------------------------------------------------------------ */

TEST(the_line_says_what_fits)
{
    scree_progress_report now = {.wall = 10,
                                 .step = 5000,
                                 .time = 0.06,
                                 .end_time = 0.5,
                                 .dt = 1e-5,
                                 .bodies = 4000,
                                 .contacts = 7210,
                                 .kinetic = 1.5e-3};
    scree_progress_speed speed = {2310, 108, 43};
    char text[256];

    CHECK_TEXT(
        scree_progress_text(&now, &speed, 0, text),
        " 12 %  t 0.06 of 0.5 s  ETA 43 s  4000 bodies  7210 contacts  step 5000  2310 steps/s"
        "  108 ns/body-step  dt 1e-05 s  E 0.0015 J");
    CHECK_TEXT(scree_progress_text(&now, &speed, 44, text),
               " 12 %  t 0.06 of 0.5 s  ETA 43 s  step 5000");
    CHECK_TEXT(scree_progress_text(&now, &speed, 4, text), "");
    now.end_time = 0;
    now.end_step = 10000;
    speed = (scree_progress_speed){0, 0, -1};
    CHECK_TEXT(scree_progress_text(&now, &speed, 30, text), " 50 %  t 0.06 s  4000 bodies");
}

TEST(durations_are_short)
{
    static const struct
    {
        double seconds;
        const char *text;
    } table[] = {{0.2, "0 s"},      {59.4, "59 s"},      {59.6, "1:00 min"}, {125, "2:05 min"},
                 {11400, "3:10 h"}, {440000, "5 d 2 h"}, {1e300, "years"},   {INFINITY, "years"}};
    char text[32];
    for (size_t k = 0; k < sizeof table / sizeof *table; k++)
        CHECK_TEXT(scree_duration_text(table[k].seconds, text), table[k].text);
}

/*  A thousand steps a second for a minute, then a hundred: the forecast follows within its window. */
TEST(the_forecast_follows_the_speed)
{
    scree_progress progress;
    scree_progress_report now = {.end_step = 1000000, .bodies = 100};
    double step = 0;

    scree_progress_begin(&progress, SCREE_PROGRESS_QUIET, stdout);
    CHECK_NEAR(scree_progress_speed_now(&progress, &now).left, -1, 0);
    for (; now.wall < 60; now.wall += 0.1, step += 100) {
        now.step = (uint64_t)step;
        scree_progress_note(&progress, &now);
    }
    scree_progress_speed speed = scree_progress_speed_now(&progress, &now);
    CHECK_NEAR(speed.steps, 1000, 1);
    CHECK_NEAR(speed.nanoseconds, 1e4, 10);
    CHECK_NEAR(speed.left, 940, 2);
    for (; now.wall < 80; now.wall += 0.1, step += 10) {
        now.step = (uint64_t)step;
        scree_progress_note(&progress, &now);
    }
    speed = scree_progress_speed_now(&progress, &now);
    CHECK_NEAR(speed.steps, 100, 1);
}

TEST(plain_lines_come_more_and_more_seldom)
{
    scree_progress progress;
    scree_progress_report now = {.end_step = 100, .bodies = 1};
    FILE *out = tmpfile();
    int lines = 0;

    CHECK(out);
    scree_progress_begin(&progress, SCREE_PROGRESS_PLAIN, out);
    for (; now.wall < 36000; now.wall += 0.5)
        if (scree_progress_is_due(&progress, now.wall)) {
            scree_progress_show(&progress, &now);
            lines++;
        }
    CHECK(lines > 60 && lines < 100);
    CHECK(!progress.is_line_open);
    fclose(out);
}

TEST(a_line_on_a_terminal_is_written_over)
{
    scree_progress progress;
    scree_progress_report now = {.wall = 1, .end_step = 100, .step = 50, .bodies = 1};
    char text[8192];
    FILE *out = fopen(in_work("line"), "wb");

    CHECK(out);
    scree_progress_begin(&progress, SCREE_PROGRESS_LINE, out);
    scree_progress_show(&progress, &now);
    scree_progress_show(&progress, &now);
    scree_progress_clear(&progress);
    scree_progress_clear(&progress);
    fclose(out);
    content_of(in_work("line"), text);
    CHECK(text[0] == '\r' && strchr(text + 1, '\r') && strstr(text, "\033[K"));
    CHECK(strchr(text, '\n') == text + strlen(text) - 1);
}

/* ---- JSON --------------------------------------------------------------------------------------- */

TEST(json_is_json)
{
    char *text = NULL;
    size_t bytes;
    FILE *out = open_memstream(&text, &bytes);
    scree_json json = scree_json_begin(out, true);
    scree_json_text(&json, "a\"b", "x\\y\n\x01\xc3\xa4\xff\xc0\x80\xed\xa0\x80.");
    scree_json_real(&json, "r", 0.1);
    scree_json_real(&json, "n", NAN);
    scree_json_list(&json, "l");
    scree_json_count(&json, NULL, UINT64_MAX);
    scree_json_object(&json, NULL);
    scree_json_end(&json);
    scree_json_end(&json);
    scree_json_object(&json, "o");
    scree_json_flag(&json, "f", true);
    scree_json_text(&json, "t", NULL);
    scree_json_end(&json);
    scree_json_finish(&json);
    fclose(out);
#define BAD "\xef\xbf\xbd"
    CHECK_TEXT(text, "{\"a\\\"b\": \"x\\\\y\\u000a\\u0001\xc3\xa4" BAD BAD BAD BAD BAD BAD
                     ".\", \"r\": 0.1, \"n\": null, \"l\": [18446744073709551615, {}], "
                     "\"o\": {\"f\": true, \"t\": null}}\n");
    free(text);
}

TEST(json_on_many_lines)
{
    char *text = NULL;
    size_t bytes;
    FILE *out = open_memstream(&text, &bytes);
    scree_json json = scree_json_begin(out, false);
    scree_json_count(&json, "a", 1);
    scree_json_list(&json, "l");
    scree_json_text(&json, NULL, "x");
    scree_json_end(&json);
    scree_json_list(&json, "none");
    scree_json_end(&json);
    scree_json_finish(&json);
    fclose(out);
    CHECK_TEXT(text, "{\n  \"a\": 1,\n  \"l\": [\n    \"x\"\n  ],\n  \"none\": []\n}\n");
    free(text);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(a_schedule_by_time_does_not_drift),
        CASE(an_interval_changes_on_the_way),
        CASE(a_schedule_by_steps_is_due_at_multiples),
        CASE(portions_pass_over_nothing),
        CASE(a_run_that_continues_finds_the_same_steps),
        CASE(a_schedule_that_never_comes),
        CASE(the_line_says_what_fits),
        CASE(durations_are_short),
        CASE(the_forecast_follows_the_speed),
        CASE(plain_lines_come_more_and_more_seldom),
        CASE(a_line_on_a_terminal_is_written_over),
        CASE(json_is_json),
        CASE(json_on_many_lines),
    };
    if (!mkdtemp(work)) {
        perror("mkdtemp");
        return 1;
    }
    int failed = test_main(argc, argv, tests, sizeof tests / sizeof *tests);
    const char *const words[] = {"rm", "-rf", work, NULL};
    return run_program(words) != 0 || failed;
}
