/*  The whole test framework. A test program lists its tests in main:

        TEST(sorts_nothing) { CHECK(sort(NULL, 0) == 0); }
        int main(int argc, char **argv)
        {
            static const test_case tests[] = {CASE(sorts_nothing)};
            return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
        }

    `program`         runs all and ends with "program: 12 passed, 0 failed"; exit code 1 on failure.
    `program NAME`    runs those whose name contains NAME.
    `program --list`  lists them.
    `program --times` runs all and says how many seconds of processor time each takes.
    A failed CHECK ends its test, not the program.

    Tests have two sizes: SCREE_TEST_EFFORT=quick, which is the default, and SCREE_TEST_EFFORT=full. How many scenes,
    poses or steps a test has is TEST_EFFORT(QUICK, FULL). What it asserts does not depend on it. */
#ifndef SCREE_TEST_H
#define SCREE_TEST_H

#include <inttypes.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/*  Compiled with a sanitizer, or to be counted, a program runs many times as long and takes more memory: bounds of
    these are wider there. */
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(memory_sanitizer) ||                         \
    __has_feature(thread_sanitizer)
#define TEST_IS_SLOW 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || defined(SCREE_COVERAGE)
#define TEST_IS_SLOW 1
#endif
#ifndef TEST_IS_SLOW
#define TEST_IS_SLOW 0
#endif

/*  Compiled to find races: what one thread does alone is tested elsewhere. */
#define TEST_SEEKS_RACES 0
#if defined(__SANITIZE_THREAD__)
#undef TEST_SEEKS_RACES
#define TEST_SEEKS_RACES 1
#endif
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#undef TEST_SEEKS_RACES
#define TEST_SEEKS_RACES 1
#endif
#endif

typedef struct test_case
{
    const char *name;
    void (*run)(void);
} test_case;

#define TEST(name) static void name(void)
/* clang-format off */
#define CASE(name) {#name, name}
/* clang-format on */

static jmp_buf test_failed;

static inline int test_is_full(void)
{
    const char *effort = getenv("SCREE_TEST_EFFORT");
    return effort && strcmp(effort, "full") == 0;
}

/*  How often something is done, of whatever type the two numbers are. */
#define TEST_EFFORT(quick, full) (test_is_full() ? (full) : (quick))

#define FAIL(...)                                                                                  \
    do {                                                                                           \
        printf("%s:%d: ", __FILE__, __LINE__);                                                     \
        printf(__VA_ARGS__);                                                                       \
        printf("\n");                                                                              \
        longjmp(test_failed, 1);                                                                   \
    } while (0)

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition))                                                                          \
            FAIL("CHECK(%s)", #condition);                                                         \
    } while (0)

/*  Integers of any type. */
#define CHECK_EQUAL(a, b)                                                                          \
    do {                                                                                           \
        int64_t check_a = (int64_t)(a), check_b = (int64_t)(b);                                    \
        if (check_a != check_b)                                                                    \
            FAIL("%s is %" PRId64 ", %s is %" PRId64, #a, check_a, #b, check_b);                   \
    } while (0)

#define CHECK_NEAR(a, b, tolerance)                                                                \
    do {                                                                                           \
        double check_a = (a), check_b = (b), check_d = check_a - check_b;                          \
        if (!((check_d < 0 ? -check_d : check_d) <= (tolerance)))                                  \
            FAIL("%s is %.17g, %s is %.17g", #a, check_a, #b, check_b);                            \
    } while (0)

#define CHECK_TEXT(a, b)                                                                           \
    do {                                                                                           \
        const char *check_a = (a), *check_b = (b);                                                 \
        if (strcmp(check_a, check_b) != 0)                                                         \
            FAIL("%s is \"%s\", not \"%s\"", #a, check_a, check_b);                                \
    } while (0)

/*  `part` occurs in `text`. */
#define CHECK_SAYS(text, part)                                                                     \
    do {                                                                                           \
        const char *check_text = (text), *check_part = (part);                                     \
        if (!strstr(check_text, check_part))                                                       \
            FAIL("\"%s\" does not say \"%s\"", check_text, check_part);                            \
    } while (0)

static int test_main(int argc, char **argv, const test_case *tests, size_t count)
{
    const char *slash = strrchr(argv[0], '/');
    /* static: setjmp leaves changed locals undefined */
    static const char *filter = "";
    static int passed, failed, times;
    static size_t i;
    static clock_t begin;

    setvbuf(stdout, NULL, _IOLBF, 0);
    if (argc > 1 && strcmp(argv[1], "--times") == 0)
        times = 1;
    else if (argc > 1)
        filter = argv[1];
    for (i = 0; i < count; i++) {
        if (strcmp(filter, "--list") == 0) {
            printf("%s\n", tests[i].name);
            continue;
        }
        if (!strstr(tests[i].name, filter))
            continue;
        begin = clock();
        if (setjmp(test_failed) == 0) {
            tests[i].run();
            passed++;
        } else {
            printf("FAILED: %s\n", tests[i].name);
            failed++;
        }
        if (times)
            printf("%8.2f s  %s\n", (double)(clock() - begin) / CLOCKS_PER_SEC, tests[i].name);
    }
    if (strcmp(filter, "--list") != 0)
        printf("%s: %d passed, %d failed\n", slash ? slash + 1 : argv[0], passed, failed);
    return failed != 0;
}

#endif
