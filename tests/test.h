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
    poses or steps a test has is TEST_EFFORT(QUICK, FULL). What it asserts does not depend on it.

    A test proves rows of docs/checklist.md: those that its name begins with (`pfc_08_...`, `hg_01_hg_03_...`), and
    those that it names first of all, before it can fail; a figure goes with them if it gives one:

        PROVES("NW-25 NW-26");
        FIGURE("exponent %.2f", p);

    Where SCREE_TEST_RECORD names a folder, a program writes a line for each row and test to a file of its own there:
    row, passed or failed, program, test, figure and effort, parted by tabs. The last line is "# ended"; without it
    the program did not get to its end. See `./do checklist`. */
#ifndef SCREE_TEST_H
#define SCREE_TEST_H

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
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

#if TEST_IS_SLOW && !defined(SCREE_COVERAGE)
#define TEST_IS_SANITIZED 1
#else
#define TEST_IS_SANITIZED 0
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
    bool is_physics;
} test_case;

#define TEST(name) static void name(void)
/* clang-format off */
#define CASE(name) {#name, name, false}
/*  Many steps to a known answer, through code that others run as well: with a sanitizer it runs only where its whole
    name is asked for. */
#define CASE_OF_PHYSICS(name) {#name, name, true}
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

/* ---- what a test proves ---- */

static char test_rows[256], test_figure[512];

#if defined(__GNUC__)
__attribute__((format(printf, 4, 5)))
#endif
static void
test_note(char *text, size_t size, const char *between, const char *format, ...)
{
    size_t used = strlen(text);
    va_list list;

    if (used > 0) {
        snprintf(text + used, size - used, "%s", between);
        used = strlen(text);
    }
    va_start(list, format);
    vsnprintf(text + used, size - used, format, list);
    va_end(list);
}

#define PROVES(rows) test_note(test_rows, sizeof test_rows, " ", "%s", rows)
#define FIGURE(...) test_note(test_figure, sizeof test_figure, "; ", __VA_ARGS__)

/*  Those that a name begins with. */
static void test_begin_rows(const char *name)
{
    static const char *const kinds[][2] = {
        {"pfc_", "PFC"}, {"hg_", "HG"}, {"is_", "IS"}, {"gc_", "GC"}, {"nw_", "NW"}};
    size_t k = 0;

    test_rows[0] = test_figure[0] = 0;
    while (k < sizeof kinds / sizeof *kinds) {
        size_t length = strlen(kinds[k][0]);
        const char *number = name + length;
        if (strncmp(name, kinds[k][0], length) == 0 && strspn(number, "0123456789") == 2 &&
            number[2] == '_') {
            test_note(test_rows, sizeof test_rows, " ", "%s-%.2s", kinds[k][1], number);
            name = number + 3;
            k = 0;
        } else
            k++;
    }
}

/*  By folder and name, as "detect/test_cell_space". */
static const char *test_program_of(const char *path)
{
    const char *slash = strrchr(path, '/'), *program = path, *c;

    for (c = path; slash && c < slash; c++)
        if (*c == '/')
            program = c + 1;
    return strncmp(program, "./", 2) == 0 ? program + 2 : program;
}

/*  The file is called as the program, with "_" between folder and name. */
static FILE *test_open_record(const char *folder, const char *program)
{
    char path[1024];
    size_t at = strlen(folder) + 1;
    int length = snprintf(path, sizeof path, "%s/%s.txt", folder, program);
    FILE *file = NULL;

    for (; at < sizeof path && path[at]; at++)
        if (path[at] == '/')
            path[at] = '_';
    if (length > 0 && (size_t)length < sizeof path)
        file = fopen(path, "w");
    if (!file)
        printf("SCREE_TEST_RECORD: %s cannot be written\n", path);
    return file;
}

/*  record: NULL if there is none. */
static void test_write_rows(FILE *record, const char *program, const char *name, bool passed)
{
    const char *row = test_rows;
    char *c;

    if (!record)
        return;
    for (c = test_figure; *c; c++)
        if (*c == '\t' || *c == '\n')
            *c = ' ';
    while (*(row += strspn(row, " "))) {
        int length = (int)strcspn(row, " ");
        fprintf(record, "%.*s\t%s\t%s\t%s\t%s\t%s\n", length, row, passed ? "passed" : "failed",
                program, name, test_figure, test_is_full() ? "full" : "quick");
        row += length;
    }
    fflush(record);
}

static int test_main(int argc, char **argv, const test_case *tests, size_t count)
{
    const char *slash = strrchr(argv[0], '/');
    /* static: setjmp leaves changed locals undefined */
    static const char *filter = "";
    static int passed, failed, times;
    static size_t i;
    static clock_t begin;
    static FILE *record;
    static const char *program;
    const char *folder = getenv("SCREE_TEST_RECORD");

    setvbuf(stdout, NULL, _IOLBF, 0);
    if (argc > 1 && strcmp(argv[1], "--times") == 0)
        times = 1;
    else if (argc > 1)
        filter = argv[1];
    program = test_program_of(argv[0]);
    if (folder && *folder && strcmp(filter, "--list") != 0) {
        record = test_open_record(folder, program);
        if (!record)
            return 1;
    }
    for (i = 0; i < count; i++) {
        if (strcmp(filter, "--list") == 0) {
            printf("%s\n", tests[i].name);
            continue;
        }
        if (!strstr(tests[i].name, filter) ||
            (tests[i].is_physics && TEST_IS_SANITIZED && strcmp(filter, tests[i].name) != 0))
            continue;
        test_begin_rows(tests[i].name);
        begin = clock();
        if (setjmp(test_failed) == 0) {
            tests[i].run();
            passed++;
            test_write_rows(record, program, tests[i].name, true);
        } else {
            printf("FAILED: %s\n", tests[i].name);
            failed++;
            test_write_rows(record, program, tests[i].name, false);
        }
        if (times)
            printf("%8.2f s  %s\n", (double)(clock() - begin) / CLOCKS_PER_SEC, tests[i].name);
    }
    if (record) {
        fputs("# ended\n", record);
        if (fclose(record) != 0)
            failed++;
    }
    if (strcmp(filter, "--list") != 0)
        printf("%s: %d passed, %d failed\n", slash ? slash + 1 : argv[0], passed, failed);
    return failed != 0;
}

#endif
