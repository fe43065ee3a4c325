/*  The server of the laboratory as it is seen from outside: by its own page, by a page of another origin, and by those who
    mean no good. */
#include "base/clock.h"
#include "stand.h"

#include <errno.h>
#include <math.h>

/*  The code of an answer to a request for a file, and its head. */
static int ask(const stand *s, const char *method, const char *path, const char *host, char *text,
               size_t room)
{
    int handle = client_connect(s->port);

    CHECK(handle >= 0);
    int count = snprintf(text, room, "%s %s HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n",
                         method, path, host);
    CHECK(client_write(handle, text, (size_t)count));
    int code = client_answer(handle, text, room);
    close(handle);
    return code;
}

/*  How it ends when this was sent: the code of closing, or 0. */
static int closing_code(int handle)
{
    for (int k = 0; k < 100000; k++) {
        uint8_t *bytes;
        size_t count;
        int opcode = client_receive(handle, &bytes, &count);
        int code = opcode == 8 && count >= 2 ? bytes[0] << 8 | bytes[1] : 0;
        free(bytes);
        if (opcode == 8 || opcode < 0)
            return code;
    }
    return -1;
}

TEST(serves_the_page_to_those_who_ask_for_it)
{
    stand s;
    char text[4096], local[40];

    open_stand(&s, false, 8);
    CHECK_EQUAL(ask(&s, "GET", "/", s.host, text, sizeof text), 200);
    CHECK_SAYS(text, "content-security-policy: default-src 'none'; script-src 'self'");
    CHECK_SAYS(text, "x-content-type-options: nosniff");
    CHECK_SAYS(text, "text/html");
    CHECK_EQUAL(ask(&s, "GET", "/main.js", s.host, text, sizeof text), 200);
    CHECK_SAYS(text, "text/javascript");
    snprintf(local, sizeof local, "localhost:%u", (unsigned)s.port);
    CHECK_EQUAL(ask(&s, "GET", "/style.css", local, text, sizeof text), 200);
    CHECK_EQUAL(ask(&s, "GET", "/nosuch", s.host, text, sizeof text), 404);
    CHECK_EQUAL(ask(&s, "GET", "/../../etc/passwd", s.host, text, sizeof text), 404);
    CHECK_EQUAL(ask(&s, "GET", "/%2e%2e/etc/passwd", s.host, text, sizeof text), 404);
    CHECK(ask(&s, "POST", "/", s.host, text, sizeof text) != 200);
    /* a name that was made to point here */
    CHECK_EQUAL(ask(&s, "GET", "/", "evil.example", text, sizeof text), 403);
    CHECK_EQUAL(ask(&s, "GET", "/", "127.0.0.1", text, sizeof text), 403);
    close_stand(&s);
}

TEST(lets_in_its_own_page_alone)
{
    stand s;
    char other[60];

    open_stand(&s, false, 8);
    snprintf(other, sizeof other, "http://localhost:%u", (unsigned)s.port);
    CHECK_EQUAL(join(&s, "/", s.host, "http://evil.example"), -403);
    CHECK_EQUAL(join(&s, "/", s.host, other), -403);
    CHECK_EQUAL(join(&s, "/", s.host, NULL), -403);
    CHECK_EQUAL(join(&s, "/", "evil.example", "http://evil.example"), -403);
    int handle = client_connect(s.port);
    CHECK(client_upgrade(handle, "/", s.host, s.origin, NULL) != 101);
    close(handle);
    handle = join(&s, "/", s.host, s.origin);
    CHECK(handle > 0);
    await(handle, "\"hello\"");
    await(handle, "\"stage\"");
    close(handle);
    close_stand(&s);
}

TEST(asks_for_its_token)
{
    stand s;
    char path[100];

    open_stand(&s, true, 8);
    const char *token = strstr(scree_lab_server_url(s.server), "?token=");
    CHECK(token && strlen(token) == 7 + 32);
    CHECK_EQUAL(join(&s, "/", s.host, s.origin), -403);
    CHECK_EQUAL(join(&s, "/?token=0123456789abcdef0123456789abcdef", s.host, s.origin), -403);
    snprintf(path, sizeof path, "/%s", token);
    int handle = join(&s, path, s.host, s.origin);
    CHECK(handle > 0);
    close(handle);
    close_stand(&s);
}

static const uint8_t ready[9] = {1, 0, 0, 0, 0, 15};
static const uint8_t play[5] = {2, 1};

TEST(sends_frames_as_they_are_drawn)
{
    stand s;
    uint8_t drawn[9] = {1, 1, 0, 0, 0, 15};

    open_stand(&s, false, 8);
    int handle = join(&s, "/", s.host, s.origin);
    CHECK(handle > 0);
    CHECK(client_send_frame(handle, 2, true, ready, sizeof ready));
    await(handle, NULL);
    /* in pieces, as a browser may */
    CHECK(client_send_frame(handle, 2, false, play, 2));
    CHECK(client_send_frame(handle, 0, true, play + 2, 3));
    for (int k = 0; k < 5; k++) {
        CHECK(client_send_frame(handle, 2, true, drawn, sizeof drawn));
        await(handle, NULL);
    }
    await(handle, "\"plays\": true");
    close(handle);
    close_stand(&s);
}

TEST(closes_on_what_is_not_right)
{
    static const uint8_t unknown[1] = {200}, cut[3] = {4, 0, 0},
                         nan[9] = {4, 0, 0, 0, 0, 0, 0, 0xf8, 0x7f};
    static uint8_t much[300000] = {12};
    stand s;

    open_stand(&s, false, 8);
    const struct
    {
        int opcode;
        const uint8_t *bytes;
        size_t count;
        int code;
    } cases[] = {{2, unknown, sizeof unknown, 1007}, {2, cut, sizeof cut, 1007},
                 {2, nan, sizeof nan, 1007},         {1, (const uint8_t *)"hello", 5, 1003},
                 {2, much, sizeof much, 1009},       {2, NULL, 0, 1007}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        int handle = join(&s, "/", s.host, s.origin);
        CHECK(handle > 0);
        client_send_frame(handle, cases[k].opcode, true, cases[k].bytes, cases[k].count);
        int code = closing_code(handle);
        /* with much on its way the word of goodbye may be lost */
        if (code != cases[k].code && !(k == 4 && code == 0))
            FAIL("case %zu: closed with %d, not %d", k, code, cases[k].code);
        close(handle);
    }
    /* the others are served as before */
    int handle = join(&s, "/", s.host, s.origin);
    await(handle, "\"hello\"");
    close(handle);
    close_stand(&s);
}

TEST(closes_on_those_who_shout)
{
    static const uint8_t step[5] = {3};
    stand s;

    open_stand(&s, false, 8);
    int handle = join(&s, "/", s.host, s.origin);
    CHECK(handle > 0);
    for (int k = 0; k < 2000; k++)
        if (!client_send_frame(handle, 2, true, step, sizeof step))
            break;
    int code = closing_code(handle);
    CHECK(code == 1008 || code == 0);
    close(handle);
    close_stand(&s);
}

TEST(takes_no_more_pages_than_it_was_told)
{
    stand s;

    open_stand(&s, false, 2);
    int first = join(&s, "/", s.host, s.origin), second = join(&s, "/", s.host, s.origin);
    CHECK(first > 0 && second > 0);
    CHECK_EQUAL(join(&s, "/", s.host, s.origin), -503);
    close(first);
    /* its place is free as soon as it is known to be gone */
    int third = -1;
    for (int k = 0; k < 500 && third < 0; k++) {
        sleep_some();
        third = join(&s, "/", s.host, s.origin);
    }
    CHECK(third > 0);
    close(second);
    close(third);
    close_stand(&s);
}

TEST(a_client_that_does_not_read_holds_up_none)
{
    stand s;

    open_stand(&s, false, 8);
    int slow = join(&s, "/", s.host, s.origin), quick = join(&s, "/", s.host, s.origin);
    CHECK(slow > 0 && quick > 0);
    CHECK(client_send_frame(slow, 2, true, ready, sizeof ready));
    CHECK(client_send_frame(slow, 2, true, play, sizeof play));
    for (int k = 0; k < 20; k++)
        await(quick, "\"plays\": true");
    close(slow);
    close(quick);
    close_stand(&s);
}

/*  Pages of memory that the process holds. */
static long resident(void)
{
    long all = 0, held = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (file) {
        if (fscanf(file, "%ld %ld", &all, &held) != 2)
            held = 0;
        fclose(file);
    }
    return held * sysconf(_SC_PAGESIZE);
}

TEST(a_thousand_come_and_go)
{
    int rounds = TEST_EFFORT(150, 1000);
    long before = 0;
    stand s;

    open_stand(&s, false, 8);
    for (int k = 0; k < rounds; k++) {
        int handle = -503;
        /* some say goodbye, some are cut off, some never finish what they say */
        for (int trial = 0; trial < 500 && handle == -503; trial++) {
            handle = join(&s, "/", s.host, s.origin);
            if (handle == -503)
                sleep_some();
        }
        CHECK(handle > 0);
        client_send_frame(handle, 2, k % 3 != 1, ready, sizeof ready);
        if (k % 3 == 0)
            client_send_frame(handle, 8, true, "\x03\xe8", 2);
        close(handle);
        int half = client_connect(s.port);
        if (k % 10 == 0)
            client_write(half, "GET / HT", 8);
        close(half);
        if (k == rounds / 4)
            before = resident();
    }
    long grown = resident() - before;
    /* sanitizers keep what is freed */
    if (!TEST_IS_SLOW && grown > 4000000)
        FAIL("%ld bytes more than at first", grown);
    close_stand(&s);
}

/*  True: the other side has closed it, which is so within this many seconds. */
static bool is_closed_within(int handle, double seconds)
{
    struct timeval patience = {(time_t)seconds, 0};
    char byte;

    CHECK(setsockopt(handle, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience) == 0);
    ssize_t got = recv(handle, &byte, 1, 0);
    return got == 0 || (got < 0 && errno == ECONNRESET);
}

/*  Many who say nothing, or half of what they want: a page is served beside them, and they are let go. */
TEST(who_does_not_say_what_it_wants_is_let_go)
{
    enum
    {
        IDLE = 200
    };
    int idle[IDLE];
    stand s;

    open_stand(&s, false, 2);
    for (int k = 0; k < IDLE; k++) {
        idle[k] = client_connect(s.port);
        CHECK(idle[k] >= 0);
        if (k % 2)
            client_write(idle[k], "GET / HTTP/1.1\r\nHost: ", 22);
    }
    int page = join(&s, "/", s.host, s.origin);
    CHECK(page > 0);
    await(page, "\"hello\"");
    double until = scree_clock_seconds() + 60;
    for (int k = 0; k < IDLE; k++) {
        if (!is_closed_within(idle[k], fmax(1, until - scree_clock_seconds())))
            FAIL("connection %d is kept", k);
        close(idle[k]);
    }
    CHECK(client_send_frame(page, 2, true, play, sizeof play));
    await(page, "\"plays\": true");
    close(page);
    close_stand(&s);
}

TEST(a_port_that_is_taken_is_told)
{
    stand s;
    scree_lab_server *second;
    scree_error error = {SCREE_OK, ""};

    open_stand(&s, false, 8);
    scree_lab_server_def def = {.address = "127.0.0.1", .port = s.port, .max_clients = 1};
    CHECK(scree_lab_server_create(&def, &second, &error) == SCREE_IO_ERROR);
    CHECK(!second);
    CHECK_SAYS(error.text, "is taken by another program; choose one with --port");
    close_stand(&s);
    def.address = "localhost";
    CHECK(scree_lab_server_create(&def, &second, &error) == SCREE_BAD_ARGUMENT);
    CHECK_SAYS(error.text, "\"localhost\" is not an address");
    def.address = "0.0.0.0";
    CHECK(scree_lab_server_create(&def, &second, &error) == SCREE_BAD_ARGUMENT);
    CHECK_SAYS(error.text, "need a token");
    def.address = "203.0.113.7";
    def.has_token = true;
    CHECK(scree_lab_server_create(&def, &second, &error) == SCREE_IO_ERROR);
    CHECK_SAYS(error.text, "cannot listen on 203.0.113.7");
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(serves_the_page_to_those_who_ask_for_it),
        CASE(lets_in_its_own_page_alone),
        CASE(asks_for_its_token),
        CASE(sends_frames_as_they_are_drawn),
        CASE(closes_on_what_is_not_right),
        CASE(closes_on_those_who_shout),
        CASE(takes_no_more_pages_than_it_was_told),
        CASE(a_client_that_does_not_read_holds_up_none),
        CASE(a_thousand_come_and_go),
        CASE(who_does_not_say_what_it_wants_is_let_go),
        CASE(a_port_that_is_taken_is_told),
    };
    if (!scree_lab_server_available() || !scree_scene_available()) {
        printf("test_lab_server: skipped: no libwebsockets, or no Lua\n");
        return 77;
    }
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
