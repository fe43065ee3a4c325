/*  Memory, messages, names, clock and SIMD choice: the small parts of src/base. */
#include "base/clock.h"
#include "base/error.h"
#include "base/memory.h"
#include "harness/failing_allocator.h"
#include "test.h"

#include <wchar.h>

TEST(version_is_that_of_the_header)
{
    CHECK_EQUAL(scree_version(), SCREE_VERSION_NUMBER);
    CHECK_EQUAL(scree_version(), 1000000);
}

TEST(every_status_has_a_name)
{
    CHECK_TEXT(scree_status_name(SCREE_OK), "ok");
    CHECK_TEXT(scree_status_name(SCREE_OUT_OF_MEMORY), "out of memory");
    CHECK_TEXT(scree_status_name(SCREE_IO_ERROR), "input or output error");
    for (int i = 0; i <= SCREE_DEVICE_ERROR; i++) {
        CHECK(strcmp(scree_status_name((scree_status)i), "unknown status") != 0);
        for (int j = 0; j < i; j++)
            CHECK(strcmp(scree_status_name((scree_status)i), scree_status_name((scree_status)j)));
    }
    CHECK_TEXT(scree_status_name((scree_status)(SCREE_DEVICE_ERROR + 1)), "unknown status");
    CHECK_TEXT(scree_status_name((scree_status)-1), "unknown status");
}

/* ---- messages ---- */

TEST(fail_writes_the_sentence)
{
    scree_error error;

    CHECK_EQUAL(scree_fail(&error, SCREE_BAD_VALUE, "skin is %g", -0.5), SCREE_BAD_VALUE);
    CHECK_EQUAL(error.status, SCREE_BAD_VALUE);
    CHECK_TEXT(error.text, "skin is -0.5");
    CHECK_EQUAL(scree_fail(NULL, SCREE_BAD_DEF, "%d", 1), SCREE_BAD_DEF);
}

TEST(a_long_text_is_cut)
{
    char text[1000];
    scree_error error;

    memset(text, 'x', sizeof text);
    text[sizeof text - 1] = '\0';
    scree_fail(&error, SCREE_BAD_VALUE, "%s", text);
    CHECK_EQUAL(strlen(error.text), sizeof error.text - 1);
}

TEST(a_text_that_cannot_be_encoded_is_empty)
{
    static const wchar_t not_in_the_c_locale[] = {0x20AC, 0};
    scree_error error = {.text = "old"};

    scree_fail(&error, SCREE_BAD_VALUE, "%ls", not_in_the_c_locale);
    CHECK_TEXT(error.text, "");
}

typedef struct last_message
{
    int count;
    scree_log_level level;
    scree_log_id id;
    char text[600];
} last_message;

static void keep_message(scree_log_level level, scree_log_id id, const char *text, void *user)
{
    last_message *last = user;

    last->count++;
    last->level = level;
    last->id = id;
    snprintf(last->text, sizeof last->text, "%s", text);
}

TEST(log_goes_to_the_host)
{
    last_message last = {0};
    scree_log log = {keep_message, &last}, silent = {NULL, &last};

    scree_log_write(&log, SCREE_LOG_WARNING, SCREE_LOG_GRID_REBUILT, "cell %d", 7);
    CHECK_EQUAL(last.level, SCREE_LOG_WARNING);
    CHECK_EQUAL(last.id, SCREE_LOG_GRID_REBUILT);
    CHECK_TEXT(last.text, "cell 7");
    scree_log_write(NULL, SCREE_LOG_INFO, SCREE_LOG_GRID_REBUILT, "unheard");
    scree_log_write(&silent, SCREE_LOG_INFO, SCREE_LOG_GRID_REBUILT, "unheard");
    CHECK_EQUAL(last.count, 1);
}

/* ---- memory ---- */

TEST(partial_hooks_are_refused)
{
    failing_allocator books = {0};
    scree_allocator all = failing_allocator_hooks(&books), none = {0};
    scree_memory memory;

    for (int given = 0; given < 8; given++) {
        scree_allocator some = {given & 1 ? all.allocate : NULL, given & 2 ? all.reallocate : NULL,
                                given & 4 ? all.release : NULL, &books};
        bool whole = given == 0 || given == 7;
        CHECK_EQUAL(scree_memory_init(&memory, &some), whole ? SCREE_OK : SCREE_BAD_DEF);
    }
    CHECK_EQUAL(scree_memory_init(&memory, &none), SCREE_OK);
    CHECK_EQUAL(scree_memory_init(&memory, NULL), SCREE_OK);
}

TEST(the_c_library_serves_by_default)
{
    scree_memory memory;
    double *numbers = NULL;
    size_t capacity = 0;

    scree_memory_init(&memory, NULL);
    CHECK_EQUAL(scree_memory_reserve(&memory, &numbers, &capacity, 3, sizeof *numbers), SCREE_OK);
    numbers[2] = 2.5;
    CHECK_EQUAL(scree_memory_reserve(&memory, &numbers, &capacity, 1000, sizeof *numbers),
                SCREE_OK);
    CHECK(numbers[2] == 2.5);
    CHECK_EQUAL(memory.bytes, 8 * capacity);
    scree_memory_give(&memory, &numbers, capacity, sizeof *numbers);
    CHECK(numbers == NULL);
    CHECK_EQUAL(memory.bytes, 0);
}

/*  Hosts may put blocks anywhere: here at each place between two lines in turn. */
typedef struct crooked
{
    size_t shift, live;
} crooked;

static void *crooked_allocate(size_t bytes, void *user)
{
    crooked *host = user;
    size_t shift = host->shift++ % 64;
    unsigned char *block = malloc(bytes + 128);

    if (!block)
        return NULL;
    unsigned char *at = block + (64 - (uintptr_t)block % 64) + shift;
    at[-1] = (unsigned char)(at - block); /* 1 to 127 */
    host->live += bytes;
    return at;
}

static void crooked_release(void *block, size_t bytes, void *user)
{
    unsigned char *at = block;
    ((crooked *)user)->live -= bytes;
    free(at - at[-1]);
}

static void *crooked_reallocate(void *block, size_t old_bytes, size_t new_bytes, void *user)
{
    void *moved = crooked_allocate(new_bytes, user);

    if (moved) {
        memcpy(moved, block, old_bytes < new_bytes ? old_bytes : new_bytes);
        crooked_release(block, old_bytes, user);
    }
    return moved;
}

TEST(lines_begin_at_lines_and_keep_their_content)
{
    crooked host = {0, 0};
    scree_allocator allocator = {crooked_allocate, crooked_reallocate, crooked_release, &host};
    scree_memory memory;

    scree_memory_init(&memory, &allocator);
    for (size_t round = 0; round < 70; round++) {
        uint32_t(*rows)[5] = NULL;
        size_t capacity = 0, filled = 0;
        for (size_t wanted = 1; wanted < 400; wanted += 1 + wanted / 3) {
            CHECK_EQUAL(scree_memory_reserve_lines(&memory, &rows, &capacity, wanted, sizeof *rows),
                        SCREE_OK);
            CHECK(capacity >= wanted && (uintptr_t)rows % SCREE_LINE == 0);
            CHECK_EQUAL(memory.bytes, capacity * sizeof *rows + SCREE_LINE);
            CHECK_EQUAL(host.live, memory.bytes);
            for (; filled < capacity; filled++)
                rows[filled][4] = (uint32_t)filled;
            for (size_t k = 0; k < filled; k++)
                CHECK_EQUAL(rows[k][4], k);
        }
        CHECK_EQUAL(scree_memory_reserve_lines(&memory, &rows, &capacity, SIZE_MAX / 16, 16),
                    SCREE_OUT_OF_MEMORY);
        scree_memory_give_lines(&memory, &rows, capacity, sizeof *rows);
        CHECK(rows == NULL);
        scree_memory_give_lines(&memory, &rows, 0, sizeof *rows);
        CHECK_EQUAL(host.live, 0);
        CHECK_EQUAL(memory.bytes, 0);
    }
}

TEST(take_checks_the_size)
{
    failing_allocator books = {0};
    scree_allocator hooks = failing_allocator_hooks(&books);
    scree_memory memory;
    int mark, *block = &mark;

    scree_memory_init(&memory, &hooks);
    CHECK_EQUAL(scree_memory_take(&memory, SIZE_MAX / 2, 4, &block), SCREE_OUT_OF_MEMORY);
    CHECK_EQUAL(scree_memory_take(&memory, SIZE_MAX, 1, &block), SCREE_OUT_OF_MEMORY);
    CHECK_EQUAL(scree_memory_take(&memory, SIZE_MAX / 8 + 2, 8, &block), SCREE_OUT_OF_MEMORY);
    CHECK(block == &mark);
    CHECK_EQUAL(books.requests, 0);

    CHECK_EQUAL(scree_memory_take(&memory, 0, 4, &block), SCREE_OK);
    CHECK(block == NULL);
    CHECK_EQUAL(books.requests, 0);
    scree_memory_give(&memory, &block, 0, 4);
    CHECK_EQUAL(scree_memory_take(&memory, 4, 0, &block), SCREE_OK);
    CHECK(block == NULL);

    CHECK_EQUAL(scree_memory_take(&memory, 5, 4, &block), SCREE_OK);
    CHECK_EQUAL(memory.bytes, 20);
    CHECK_EQUAL(books.live_bytes, 20);
    scree_memory_give(&memory, &block, 5, 4);
    CHECK_EQUAL(memory.bytes, 0);
    CHECK(failing_allocator_is_clean(&books));
}

TEST(take_reports_failure)
{
    failing_allocator books = {.fail_at = 1};
    scree_allocator hooks = failing_allocator_hooks(&books);
    scree_memory memory;
    int mark, *block = &mark;

    scree_memory_init(&memory, &hooks);
    CHECK_EQUAL(scree_memory_take(&memory, 5, 4, &block), SCREE_OUT_OF_MEMORY);
    CHECK(block == &mark);
    CHECK_EQUAL(memory.bytes, 0);
    CHECK_EQUAL(books.failures, 1);
}

TEST(reserve_grows_by_half)
{
    failing_allocator books = {0};
    scree_allocator hooks = failing_allocator_hooks(&books);
    scree_memory memory;
    uint16_t *block = NULL;
    size_t capacity = 0;

    scree_memory_init(&memory, &hooks);
    CHECK_EQUAL(scree_memory_reserve(&memory, &block, &capacity, 0, 2), SCREE_OK);
    CHECK(block == NULL);
    CHECK_EQUAL(scree_memory_reserve(&memory, &block, &capacity, 100, 2), SCREE_OK);
    CHECK_EQUAL(capacity, 100);
    CHECK_EQUAL(scree_memory_reserve(&memory, &block, &capacity, 101, 2), SCREE_OK);
    CHECK_EQUAL(capacity, 150);
    CHECK_EQUAL(scree_memory_reserve(&memory, &block, &capacity, 20, 2), SCREE_OK);
    CHECK_EQUAL(capacity, 150);
    CHECK_EQUAL(scree_memory_reserve(&memory, &block, &capacity, 1000, 2), SCREE_OK);
    CHECK_EQUAL(capacity, 1000);
    CHECK_EQUAL(memory.bytes, 2000);

    /* n appends make few requests */
    for (size_t count = 1000; count < 100000; count++)
        CHECK_EQUAL(scree_memory_reserve(&memory, &block, &capacity, count, 2), SCREE_OK);
    CHECK(books.requests < 20);
    scree_memory_give(&memory, &block, capacity, 2);
    CHECK(failing_allocator_is_clean(&books));
}

TEST(reserve_leaves_all_as_it_was_on_failure)
{
    failing_allocator books = {.fail_at = 2};
    scree_allocator hooks = failing_allocator_hooks(&books);
    scree_memory memory;
    int *block = NULL, *before;
    size_t capacity = 0;

    scree_memory_init(&memory, &hooks);
    CHECK_EQUAL(scree_memory_reserve(&memory, &block, &capacity, 10, 4), SCREE_OK);
    before = block;
    block[9] = 77;
    CHECK_EQUAL(scree_memory_reserve(&memory, &block, &capacity, 11, 4), SCREE_OUT_OF_MEMORY);
    CHECK_EQUAL(scree_memory_reserve(&memory, &block, &capacity, SIZE_MAX / 2, 4),
                SCREE_OUT_OF_MEMORY);
    CHECK(block == before);
    CHECK_EQUAL(block[9], 77);
    CHECK_EQUAL(capacity, 10);
    CHECK_EQUAL(memory.bytes, 40);
    scree_memory_give(&memory, &block, capacity, 4);
    CHECK(failing_allocator_is_clean(&books));
}

static char address_space[4];

static void *pretend_to_allocate(size_t bytes, void *user)
{
    *(size_t *)user = bytes;
    return address_space;
}

static void *pretend_to_reallocate(void *block, size_t old_bytes, size_t new_bytes, void *user)
{
    (void)old_bytes;
    *(size_t *)user = new_bytes;
    return block;
}

static void pretend_to_release(void *block, size_t bytes, void *user)
{
    (void)block;
    *(size_t *)user = bytes;
}

/*  Half as much again may be more than there can be, while the need itself is not. */
TEST(reserve_near_the_end_takes_the_exact_need)
{
    size_t asked = 0, capacity = 0, most = PTRDIFF_MAX / 8;
    scree_allocator hooks = {pretend_to_allocate, pretend_to_reallocate, pretend_to_release,
                             &asked};
    scree_memory memory;
    double *block = NULL;

    scree_memory_init(&memory, &hooks);
    CHECK_EQUAL(scree_memory_reserve(&memory, &block, &capacity, most - 10, 8), SCREE_OK);
    CHECK_EQUAL(scree_memory_reserve(&memory, &block, &capacity, most - 5, 8), SCREE_OK);
    CHECK_EQUAL(capacity, most - 5);
    CHECK_EQUAL(asked, 8 * (most - 5));
    CHECK_EQUAL(scree_memory_reserve(&memory, &block, &capacity, most + 1, 8), SCREE_OUT_OF_MEMORY);
    scree_memory_give(&memory, &block, capacity, 8);
    CHECK_EQUAL(asked, 8 * (most - 5));
    CHECK_EQUAL(memory.bytes, 0);
}

/*  The tests tilt on the failing allocator, so it must not lie. */
TEST(the_failing_allocator_keeps_books)
{
    failing_allocator books = {.fail_at = 3, .fail_all_after = true};
    scree_allocator hooks = failing_allocator_hooks(&books);
    char *first = hooks.allocate(10, &books), *second;

    memset(first, 'a', 10);
    second = hooks.reallocate(first, 10, 20, &books);
    CHECK(second && second[9] == 'a');
    CHECK_EQUAL(books.live_blocks, 1);
    CHECK_EQUAL(books.live_bytes, 20);
    CHECK(!failing_allocator_is_clean(&books));
    CHECK(hooks.reallocate(second, 20, 30, &books) == NULL);
    CHECK(hooks.allocate(1, &books) == NULL);
    CHECK_EQUAL(books.failures, 2);
    CHECK_EQUAL(books.requests, 4);
    hooks.release(second, 19, &books);
    CHECK_EQUAL(books.live_blocks, 0);
    CHECK_EQUAL(books.wrong_sizes, 1);
    CHECK(!failing_allocator_is_clean(&books));
    CHECK(hooks.allocate(0, &books) == NULL);
    CHECK_EQUAL(books.wrong_sizes, 2);
}

/* ---- clock, SIMD ---- */

TEST(the_clock_does_not_go_back)
{
    double before = scree_clock_seconds(), after = before;

    CHECK(before > 0.0);
    for (int i = 0; i < 1000; i++) {
        double now = scree_clock_seconds();
        CHECK(now >= after);
        after = now;
    }
    CHECK(after - before < 60.0);
}

TEST(simd_levels_have_names)
{
    CHECK_TEXT(scree_simd_name(SCREE_SIMD_AUTO), "auto");
    CHECK_TEXT(scree_simd_name(SCREE_SIMD_SCALAR), "scalar");
    CHECK_TEXT(scree_simd_name(SCREE_SIMD_128), "simd128");
    CHECK_TEXT(scree_simd_name(SCREE_SIMD_AVX2), "avx2");
    CHECK_TEXT(scree_simd_name(SCREE_SIMD_AVX512), "avx512");
    CHECK_TEXT(scree_simd_name((scree_simd)5), "unknown");
    CHECK_TEXT(scree_simd_name((scree_simd)-1), "unknown");
}

TEST(the_environment_sets_what_auto_means)
{
    static const char *const names[] = {"scalar", "simd128", "avx2", "avx512"};
    char *kept = getenv("SCREE_SIMD");
    scree_simd best;

    kept = kept ? strcpy(malloc(strlen(kept) + 1), kept) : NULL;
    unsetenv("SCREE_SIMD");
    best = scree_simd_resolve(SCREE_SIMD_AUTO);
    CHECK(best >= SCREE_SIMD_SCALAR && best <= SCREE_SIMD_AVX512);
    CHECK_EQUAL(scree_simd_resolve(SCREE_SIMD_AVX512), best);
    CHECK_EQUAL(scree_simd_resolve((scree_simd)9), best);
    CHECK_EQUAL(scree_simd_resolve((scree_simd)-9), best);

    for (int i = 0; i < 4; i++) {
        scree_simd level = (scree_simd)(i + 1), usable = level < best ? level : best;
        setenv("SCREE_SIMD", names[i], 1);
        CHECK_EQUAL(scree_simd_resolve(SCREE_SIMD_AUTO), usable);
        CHECK_EQUAL(scree_simd_resolve(SCREE_SIMD_SCALAR), SCREE_SIMD_SCALAR);
        CHECK_EQUAL(scree_simd_resolve(SCREE_SIMD_AVX512), best);
    }
    setenv("SCREE_SIMD", "AVX2 please", 1);
    CHECK_EQUAL(scree_simd_resolve(SCREE_SIMD_AUTO), best);
    setenv("SCREE_SIMD", "", 1);
    CHECK_EQUAL(scree_simd_resolve(SCREE_SIMD_AUTO), best);

    unsetenv("SCREE_SIMD");
    if (kept)
        setenv("SCREE_SIMD", kept, 1);
    free(kept);
}

#if defined(__x86_64__) && defined(__GNUC__)
TEST(the_level_is_one_that_the_processor_has)
{
    scree_simd best = scree_simd_resolve(SCREE_SIMD_AVX512);

    CHECK_EQUAL(best >= SCREE_SIMD_AVX2, __builtin_cpu_supports("avx2") != 0);
    if (best == SCREE_SIMD_AVX512)
        CHECK(__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw"));
}
#endif

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(version_is_that_of_the_header),
        CASE(every_status_has_a_name),
        CASE(fail_writes_the_sentence),
        CASE(a_long_text_is_cut),
        CASE(a_text_that_cannot_be_encoded_is_empty),
        CASE(log_goes_to_the_host),
        CASE(partial_hooks_are_refused),
        CASE(the_c_library_serves_by_default),
        CASE(lines_begin_at_lines_and_keep_their_content),
        CASE(take_checks_the_size),
        CASE(take_reports_failure),
        CASE(reserve_grows_by_half),
        CASE(reserve_leaves_all_as_it_was_on_failure),
        CASE(reserve_near_the_end_takes_the_exact_need),
        CASE(the_failing_allocator_keeps_books),
        CASE(the_clock_does_not_go_back),
        CASE(simd_levels_have_names),
        CASE(the_environment_sets_what_auto_means),
#if defined(__x86_64__) && defined(__GNUC__)
        CASE(the_level_is_one_that_the_processor_has),
#endif
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
