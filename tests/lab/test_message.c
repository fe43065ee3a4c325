/*  What a page may say: each kind read, and everything that is not quite one refused, with the byte. */
#include "guard.h"
#include "message.h"

#include "test.h"

#include <math.h>

/*  A message of a kind, grown field by field. */
typedef struct letter
{
    uint8_t bytes[1024];
    size_t count;
} letter;

static letter letter_of(scree_lab_kind kind)
{
    letter made = {.count = 1};
    made.bytes[0] = (uint8_t)kind;
    return made;
}

static void put_whole(letter *to, uint32_t value)
{
    for (int k = 0; k < 4; k++)
        to->bytes[to->count++] = (uint8_t)(value >> (8 * k));
}

static void put_real(letter *to, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    put_whole(to, (uint32_t)bits);
    put_whole(to, (uint32_t)(bits >> 32));
}

static void put_text(letter *to, const char *text)
{
    memcpy(to->bytes + to->count, text, strlen(text));
    to->count += strlen(text);
}

static scree_status read_letter(const letter *from, scree_lab_message *message, scree_error *error)
{
    /* a block of its own, so that a read past its end is seen */
    uint8_t *copy = malloc(from->count ? from->count : 1);
    CHECK(copy);
    memcpy(copy, from->bytes, from->count);
    scree_status status = scree_lab_message_read(copy, from->count, message, error);
    free(copy);
    return status;
}

TEST(reads_whole_numbers_and_reals)
{
    scree_lab_message message;
    scree_error error = {SCREE_OK, ""};
    letter pour = letter_of(SCREE_LAB_POUR);

    put_whole(&pour, 0xfedcba98u);
    for (int k = 0; k < 8; k++)
        put_real(&pour, k == 3 ? -0.0 : 1.5 * k);
    CHECK(!read_letter(&pour, &message, &error));
    CHECK_EQUAL(message.kind, SCREE_LAB_POUR);
    CHECK(message.whole[0] == 0xfedcba98u);
    CHECK(message.number[7] == 10.5 && message.number[1] == 1.5 && signbit(message.number[3]));
    CHECK_EQUAL(message.byte_count, 0);
}

TEST(reads_texts_and_files)
{
    scree_lab_message message;
    letter scene = letter_of(SCREE_LAB_SCENE), load = letter_of(SCREE_LAB_LOAD);

    put_text(&scene, "-- \xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80\n");
    CHECK(!scree_lab_message_read(scene.bytes, scene.count, &message, NULL));
    CHECK_EQUAL(message.byte_count, scene.count - 1);
    CHECK(message.bytes == scene.bytes + 1);
    put_text(&load, "\xff\xfe");
    load.bytes[load.count++] = 0;
    CHECK(!scree_lab_message_read(load.bytes, load.count, &message, NULL));
    CHECK_EQUAL(message.byte_count, 3);
}

TEST(refuses_what_is_too_short_or_too_long)
{
    for (int kind = 1; kind < SCREE_LAB_KIND_END; kind++) {
        size_t most = scree_lab_message_most((uint8_t)kind);
        CHECK(most >= 1);
        for (size_t count = 0; count <= 128; count++) {
            letter cut = letter_of((scree_lab_kind)kind);
            scree_lab_message message = {0};
            scree_error error = {SCREE_OK, ""};
            memset(cut.bytes + 1, ' ', sizeof cut.bytes - 1);
            cut.count = count;
            scree_status status = read_letter(&cut, &message, &error);
            CHECK(status == SCREE_OK || status == SCREE_BAD_VALUE);
            CHECK(status || message.kind == (scree_lab_kind)kind);
            CHECK(status || count <= most);
            /* what is refused is left alone, and told */
            CHECK(!status || (message.kind == 0 && error.text[0]));
        }
    }
}

TEST(says_how_long_it_should_be)
{
    scree_lab_message message;
    scree_error error;
    letter speed = letter_of(SCREE_LAB_SPEED);

    put_whole(&speed, 1);
    CHECK(read_letter(&speed, &message, &error) == SCREE_BAD_VALUE);
    CHECK_TEXT(error.text, "speed: 5 bytes, should be 9 to 9");
}

TEST(refuses_kinds_that_there_are_not)
{
    scree_lab_message message;
    scree_error error;

    for (unsigned kind = 0; kind < 256; kind++) {
        uint8_t byte = (uint8_t)kind;
        bool is_one = kind > 0 && kind < SCREE_LAB_KIND_END;
        CHECK((scree_lab_message_most(byte) > 0) == is_one);
        if (is_one)
            continue;
        CHECK(scree_lab_message_read(&byte, 1, &message, &error) == SCREE_BAD_VALUE);
        CHECK_SAYS(error.text, "there is no message of kind");
    }
    CHECK(scree_lab_message_read(NULL, 0, &message, &error) == SCREE_BAD_VALUE);
    CHECK_SAYS(error.text, "an empty message");
}

TEST(refuses_numbers_that_cannot_be_used)
{
    static const double bad[] = {NAN, INFINITY, -INFINITY, 1.1e100, -2e300};
    scree_lab_message message;
    scree_error error;

    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        letter gravity = letter_of(SCREE_LAB_GRAVITY);
        put_real(&gravity, 0);
        put_real(&gravity, bad[k]);
        put_real(&gravity, 0);
        CHECK(read_letter(&gravity, &message, &error) == SCREE_BAD_VALUE);
        CHECK_SAYS(error.text, "gravity: byte 9: an invalid number");
    }
}

TEST(refuses_what_is_no_text)
{
    /* a lone trail, a lead without its trail, overlong, half of a pair, beyond the last, zero */
    static const char *const bad[] = {"\x80",         "a\xc3",        "\xc0\xaf",
                                      "\xe0\x80\xaf", "\xed\xa0\x80", "\xf4\x90\x80\x80",
                                      "\xff",         "\xe2\x82"};
    scree_lab_message message;
    scree_error error;

    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        letter method = letter_of(SCREE_LAB_METHOD);
        put_text(&method, bad[k]);
        CHECK(read_letter(&method, &message, &error) == SCREE_BAD_VALUE);
        CHECK_SAYS(error.text, "is not UTF-8 text");
    }
    letter zero = letter_of(SCREE_LAB_METHOD);
    put_text(&zero, "flat");
    zero.bytes[zero.count++] = 0;
    CHECK(read_letter(&zero, &message, &error) == SCREE_BAD_VALUE);
    CHECK_SAYS(error.text, "method: byte 5");
}

/* ---- the guard ------------------------------------------------------------------------------------------- */

TEST(knows_its_own_host_and_origin)
{
    scree_lab_guard guard = {.address = "127.0.0.1", .port = 8420};

    CHECK(scree_lab_host_is_ours(&guard, "127.0.0.1:8420"));
    CHECK(scree_lab_host_is_ours(&guard, "localhost:8420"));
    CHECK(!scree_lab_host_is_ours(&guard, "localhost"));
    CHECK(!scree_lab_host_is_ours(&guard, "localhost:8421"));
    CHECK(!scree_lab_host_is_ours(&guard, "evil.example:8420"));
    CHECK(!scree_lab_host_is_ours(&guard, "localhost:8420.evil.example"));
    CHECK(!scree_lab_host_is_ours(&guard, ""));
    CHECK(scree_lab_origin_is_ours(&guard, "http://localhost:8420", "localhost:8420"));
    CHECK(!scree_lab_origin_is_ours(&guard, "http://localhost:8420", "127.0.0.1:8420"));
    CHECK(!scree_lab_origin_is_ours(&guard, "https://localhost:8420", "localhost:8420"));
    CHECK(!scree_lab_origin_is_ours(&guard, "http://evil.example", "localhost:8420"));
    CHECK(!scree_lab_origin_is_ours(&guard, "http://evil.example", "evil.example"));
    CHECK(!scree_lab_origin_is_ours(&guard, "null", "localhost:8420"));
    CHECK(!scree_lab_origin_is_ours(&guard, "", "localhost:8420"));
    guard.address = "::1";
    CHECK(scree_lab_host_is_ours(&guard, "[::1]:8420"));
}

TEST(knows_addresses_of_this_machine)
{
    CHECK(scree_lab_is_loopback("127.0.0.1") && scree_lab_is_loopback("127.8.9.1"));
    CHECK(scree_lab_is_loopback("::1"));
    CHECK(!scree_lab_is_loopback("0.0.0.0") && !scree_lab_is_loopback("192.168.1.2"));
    CHECK(!scree_lab_is_loopback("::") && !scree_lab_is_loopback("1127.0.0.1"));
}

TEST(asks_for_a_token)
{
    scree_lab_guard guard = {.address = "0.0.0.0", .port = 1, .is_open = true};
    char other[SCREE_LAB_TOKEN_TEXT];

    CHECK(scree_lab_make_token(guard.token) && scree_lab_make_token(other));
    CHECK_EQUAL(strlen(guard.token), 32);
    CHECK(strcmp(guard.token, other) != 0);
    CHECK(scree_lab_token_is_right(&guard, guard.token));
    CHECK(!scree_lab_token_is_right(&guard, other));
    CHECK(!scree_lab_token_is_right(&guard, ""));
    snprintf(other, sizeof other, "%.31s", guard.token);
    CHECK(!scree_lab_token_is_right(&guard, other));
    /* a name is not known ahead, but origin and host must agree still */
    CHECK(scree_lab_origin_is_ours(&guard, "http://box:1", "box:1"));
    CHECK(!scree_lab_origin_is_ours(&guard, "http://evil.example", "box:1"));
    CHECK(!scree_lab_host_is_ours(&guard, ""));
}

TEST(bounds_how_often_one_may_speak)
{
    scree_lab_bucket bucket = {0};
    int taken = 0;

    while (taken < 10000 && scree_lab_bucket_take(&bucket, 100))
        taken++;
    CHECK_EQUAL(taken, SCREE_LAB_BURST);
    for (taken = 0; taken < 10000 && scree_lab_bucket_take(&bucket, 101); taken++)
        continue;
    CHECK_EQUAL(taken, SCREE_LAB_RATE);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(reads_whole_numbers_and_reals),
        CASE(reads_texts_and_files),
        CASE(refuses_what_is_too_short_or_too_long),
        CASE(says_how_long_it_should_be),
        CASE(refuses_kinds_that_there_are_not),
        CASE(refuses_numbers_that_cannot_be_used),
        CASE(refuses_what_is_no_text),
        CASE(knows_its_own_host_and_origin),
        CASE(knows_addresses_of_this_machine),
        CASE(asks_for_a_token),
        CASE(bounds_how_often_one_may_speak),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
