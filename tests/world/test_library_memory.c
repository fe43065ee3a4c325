/*  What takes no allocator asks the C library for memory. Linked with malloc and realloc of our own in its place: each request
    fails in turn, and then all from it on; the call says so, the file that was there is as it was, nothing is left beside it,
    and the same call then writes what it would have written. */
#ifdef LIBRARY_MEMORY_FAILS

#include "harness/export_maker.h"

#include "scree/fields.h"
#include "scree/picture.h"

void *__real_malloc(size_t bytes);
void *__real_realloc(void *block, size_t bytes);
void __real_free(void *block);
void *__wrap_malloc(size_t bytes);
void *__wrap_realloc(void *block, size_t bytes);
void __wrap_free(void *block);

static struct
{
    size_t fail_at; /* 0: never */
    bool fail_all_after;
    size_t requests;
    long live;
} books;

static bool is_refused(void)
{
    size_t request = ++books.requests;

    return books.fail_at &&
           (books.fail_all_after ? request >= books.fail_at : request == books.fail_at);
}

void *__wrap_malloc(size_t bytes)
{
    void *block = is_refused() ? NULL : __real_malloc(bytes);

    books.live += block != NULL;
    return block;
}

void *__wrap_realloc(void *block, size_t bytes)
{
    void *moved = is_refused() ? NULL : __real_realloc(block, bytes);

    books.live += moved && !block;
    return moved;
}

void __wrap_free(void *block)
{
    books.live -= block != NULL;
    __real_free(block);
}

/* ---- the calls ---- */

enum
{
    CELLS = 4096 /* more than one portion of a file */
};

static scree_fields_def grid;
static scree_field fields[CELLS];
static scree_wall_load loads[CELLS];

static scree_status put_image(const char *to, scree_error *error)
{
    return scree_export_fields(&grid, 3, 0.5, fields, CELLS, to, error);
}

static scree_status put_loads(const char *to, scree_error *error)
{
    return scree_export_wall_loads(&grid, 3, 0.5, loads, CELLS, to, error);
}

static scree_status put_series(const char *to, scree_error *error)
{
    const char *files[1000];
    double times[1000];

    for (int k = 0; k < 1000; k++) {
        files[k] = "a file of a series, and not the shortest of names";
        times[k] = k / 3.0;
    }
    return scree_export_series(to, files, times, 1000, error);
}

static scree_status put_png(const char *to, scree_error *error)
{
    static uint8_t pixels[3 * 100 * 100];

    for (size_t k = 0; k < sizeof pixels; k++)
        pixels[k] = (uint8_t)(k * k >> 3);
    return scree_png_write(pixels, 100, 100, to, error);
}

static void make_data(void)
{
    grid = scree_default_fields_def();
    grid.width = 0.1;
    for (int k = 0; k < 3; k++) {
        grid.cells[k] = 16;
        grid.upper[k] = 1;
    }
    for (size_t i = 0; i < CELLS; i++) {
        for (size_t k = 0; k < sizeof *fields / sizeof(double); k++)
            ((double *)&fields[i])[k] = 1 + (double)(i * 100 + k) / 3;
        loads[i] = (scree_wall_load){.area = 1 + (double)i, .push = 1 / (1 + (double)i)};
    }
}

/* ---- one after the other ---- */

static void put_text(const char *to, const char *text)
{
    FILE *file = fopen(to, "wb");

    CHECK(file && fputs(text, file) >= 0 && fclose(file) == 0);
}

static void check_text(const char *of, const char *wanted)
{
    char *text = read_text(of);

    CHECK_TEXT(text, wanted);
    free(text);
}

static size_t fail_each_request(scree_status (*put)(const char *, scree_error *), const char *to,
                                bool all_after)
{
    char *whole = NULL;

    put_text(to, "what was there");
    for (size_t k = 0;; k++) {
        scree_error error = {SCREE_OK, ""};
        long before = books.live;
        books.requests = 0;
        books.fail_all_after = all_after;
        books.fail_at = k;
        scree_status status = put(to, &error);
        bool failed = k && books.requests >= k;
        books.fail_at = 0;
        CHECK_EQUAL(status, failed ? SCREE_OUT_OF_MEMORY : SCREE_OK);
        CHECK_EQUAL(books.live, before);
        if (failed) {
            CHECK_SAYS(error.text, "out of memory");
            check_text(to, "what was there");
            continue;
        }
        if (!k) {
            whole = read_text(to);
            CHECK(strlen(whole) > 3); /* of a picture up to its first 0 */
        } else {
            check_text(to, whole);
        }
        unlink(to);
        if (k) {
            free(whole);
            return k - 1;
        }
        put_text(to, "what was there");
    }
}

TEST(each_request_fails_in_turn)
{
    static const struct
    {
        scree_status (*put)(const char *, scree_error *);
        const char *name;
    } calls[] = {{put_image, "fields.vti"}, {put_image, "fields.csv"}, {put_loads, "loads.vti"},
                 {put_loads, "loads.csv"},  {put_series, "all.pvd"},   {put_png, "x.png"}};

    begin_folder();
    make_data();
    for (size_t c = 0; c < SCREE_COUNT_OF(calls); c++) {
        char to[96];
        snprintf(to, sizeof to, "%s/%s", folder, calls[c].name);
        CHECK(fail_each_request(calls[c].put, to, false) > 0);
        CHECK(fail_each_request(calls[c].put, to, true) > 0);
    }
    end_folder();
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {CASE(each_request_fails_in_turn)};
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}

#else

#include <stdio.h>

int main(void)
{
    puts("skipped: this linker puts nothing in the place of malloc");
    return 77;
}

#endif
