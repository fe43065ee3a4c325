/*  The readers of tables on hostile bytes: every prefix and every changed bit of small files, noise,
    and failing memory. Whatever comes, a reader either refuses with a place and a sentence, or gives a
    table that a detector takes. The block is placed at the end of its memory, so that a sanitizer
    sees one byte too far. */
#include "../../app/detect/read_binary.c"
#include "../../app/detect/read_columns.c"
#include "../../app/detect/read_csv.c"
#include "../../app/detect/read_table.c"

#include "base/random.h"
#include "harness/failing_allocator.h"
#include "test.h"

static const char text_file[] = "id,x,y,z,r,owner,flags\n"
                                "7,0,0,0,1,0,0\n"
                                "3,1.5,-2e3,0.25,1,4,1\r\n"
                                "# note\n"
                                "9,\"5\",5,5,0,0,2\n";

typedef struct writer
{
    unsigned char bytes[512];
    size_t size;
} writer;

static void put(writer *w, const void *bytes, size_t count)
{
    memcpy(w->bytes + w->size, bytes, count);
    w->size += count;
}

static void put_number(writer *w, uint64_t value, size_t bytes)
{
    for (size_t k = 0; k < bytes; k++)
        w->bytes[w->size++] = (unsigned char)(value >> (8 * k));
}

static void put_column(writer *w, const char *name, uint32_t type)
{
    char padded[16] = {0};
    for (size_t k = 0; k < sizeof padded && name[k]; k++)
        padded[k] = name[k];
    put(w, padded, 16);
    put_number(w, type, 4);
    put_number(w, 0, 4);
}

/*  Two discs with ids and flags. */
static writer binary_file(void)
{
    static const double reals[6] = {0, 1, 0, 0.5, 1, 1};
    writer w = {.size = 0};
    put(&w, "SCREETBL", 8);
    put_number(&w, 1, 4);
    put_number(&w, 5, 4);
    put_number(&w, 2, 8);
    put_column(&w, "x", 1);
    put_column(&w, "y", 1);
    put_column(&w, "r", 1);
    put_column(&w, "id", 3);
    put_column(&w, "flags", 5);
    for (int k = 0; k < 6; k++) {
        uint64_t bits;
        memcpy(&bits, &reals[k], 8);
        put_number(&w, bits, 8);
    }
    put_number(&w, 12, 4);
    put_number(&w, 5, 4);
    put_number(&w, 0, 2);
    return w;
}

static void detect_in(const scree_body_table *table)
{
    scree_detector_def def = scree_default_detector_def();
    scree_detector *detector;
    scree_table view = scree_body_table_view(table);
    def.method = "bounding-volume";
    def.dimensions = table->dimensions;
    def.volume = table->volume;
    CHECK_EQUAL(scree_detector_create(&def, &detector), SCREE_OK);
    scree_status status = scree_detector_update(detector, &view, NULL);
    if (status != SCREE_OK)
        printf("%s\n", scree_detector_message(detector));
    scree_detector_destroy(detector);
    CHECK_EQUAL(status, SCREE_OK);
}

/*  True if it was accepted. */
static bool read_bytes(const void *bytes, size_t size, const scree_read_options *options)
{
    scree_body_table table;
    scree_read_error error;
    char *block = malloc(size + 1);
    CHECK(block);
    memmove(block + 1, bytes, size);
    scree_status status = scree_read_table(block + 1, size, options, &table, &error);
    free(block);
    if (status == SCREE_OK) {
        detect_in(&table);
        for (size_t i = 1; i < table.count; i++)
            CHECK(scree_row_id(&table, (uint32_t)i - 1) < scree_row_id(&table, (uint32_t)i));
        scree_body_table_free(&table);
        return true;
    }
    CHECK(status == SCREE_BAD_FILE || status == SCREE_TOO_LARGE);
    CHECK_EQUAL(error.status, status);
    CHECK(error.field[0] && error.text[0]);
    CHECK(error.binary ? error.at <= size || status == SCREE_TOO_LARGE : error.at >= 1);
    for (const char *c = error.text; *c; c++)
        CHECK(*c >= ' ' && *c <= '~');
    return false;
}

TEST(whole_files_are_read)
{
    scree_body_table table;
    scree_read_error error;
    writer w = binary_file();
    CHECK_EQUAL(scree_read_table(text_file, sizeof text_file - 1, NULL, &table, &error), SCREE_OK);
    CHECK_EQUAL(table.count, 3);
    CHECK_EQUAL(table.dimensions, 3);
    CHECK_EQUAL(scree_row_id(&table, 0), 3);
    CHECK_NEAR(((const double *)table.column[SCREE_COLUMN_Y])[0], -2000, 0);
    CHECK_EQUAL(((const uint8_t *)table.column[SCREE_COLUMN_FLAGS])[2], 2);
    scree_body_table_free(&table);
    CHECK_EQUAL(scree_read_table(w.bytes, w.size, NULL, &table, &error), SCREE_OK);
    CHECK_EQUAL(table.count, 2);
    CHECK_EQUAL(table.dimensions, 2);
    CHECK_EQUAL(scree_row_id(&table, 0), 5);
    CHECK_NEAR(((const double *)table.column[SCREE_COLUMN_X])[0], 1, 0);
    scree_body_table_free(&table);
}

TEST(every_prefix_of_a_text)
{
    for (size_t size = 0; size < sizeof text_file; size++)
        read_bytes(text_file, size, NULL);
}

/*  Nothing but the whole is a binary table. */
TEST(every_prefix_of_a_binary_is_refused)
{
    writer w = binary_file();
    for (size_t size = 0; size < w.size; size++)
        if (read_bytes(w.bytes, size, NULL))
            FAIL("%zu of %zu bytes were accepted", size, w.size);
}

TEST(every_changed_bit)
{
    static const scree_read_options kind[2] = {{0}, {.ignore = "all", .any_number = false}};
    writer w = binary_file();
    char text[sizeof text_file];
    for (size_t bit = 0; bit < w.size * 8; bit++) {
        w.bytes[bit / 8] ^= (unsigned char)(1 << bit % 8);
        read_bytes(w.bytes, w.size, &kind[0]);
        read_bytes(w.bytes, w.size, &kind[1]);
        w.bytes[bit / 8] ^= (unsigned char)(1 << bit % 8);
    }
    memcpy(text, text_file, sizeof text);
    for (size_t bit = 0; bit < (sizeof text - 1) * 8; bit++) {
        text[bit / 8] ^= (char)(1 << bit % 8);
        read_bytes(text, sizeof text - 1, &kind[0]);
        read_bytes(text, sizeof text - 1, &kind[1]);
        text[bit / 8] ^= (char)(1 << bit % 8);
    }
}

/*  Strings of the characters that mean something. */
TEST(noise)
{
    static const char alphabet[] = "0123456789.,;-+eExyrzninfanlohi_d \t\r\n\n\n\"#\0\xff";
    scree_random random = scree_random_stream(11, 0);
    for (int round = 0; round < 20000; round++) {
        char text[64];
        size_t size = scree_random_below(&random, sizeof text);
        for (size_t k = 0; k < size; k++)
            text[k] = alphabet[scree_random_below(&random, sizeof alphabet - 1)];
        read_bytes(text, size, NULL);
    }
}

/*  A row of noise under a good header: reaches the numbers. */
TEST(noisy_rows)
{
    static const char alphabet[] = "0123456789.-+eE,,, \n";
    scree_random random = scree_random_stream(12, 0);
    int accepted = 0;
    for (int round = 0; round < 20000; round++) {
        char text[40] = "x,y,r\n";
        size_t size = 6 + scree_random_below(&random, 12);
        for (size_t k = 6; k < size; k++)
            text[k] = alphabet[scree_random_below(&random, sizeof alphabet - 1)];
        accepted += read_bytes(text, size, NULL);
    }
    CHECK(accepted > 100);
}

static void starve(const void *bytes, size_t size)
{
    for (size_t k = 1;; k++) {
        failing_allocator memory = {.fail_at = k, .fail_all_after = true};
        scree_allocator allocator = failing_allocator_hooks(&memory);
        scree_read_options options = {.allocator = &allocator};
        scree_body_table table;
        scree_read_error error;
        scree_status status = scree_read_table(bytes, size, &options, &table, &error);
        if (status == SCREE_OK)
            scree_body_table_free(&table);
        CHECK(failing_allocator_is_clean(&memory));
        if (status == SCREE_OK)
            break;
        CHECK_EQUAL(status, SCREE_OUT_OF_MEMORY);
        CHECK_SAYS(error.text, "no memory");
        CHECK(k < 50);
    }
}

TEST(memory_may_run_out_anywhere)
{
    writer w = binary_file();
    starve(w.bytes, w.size);
    starve(text_file, sizeof text_file - 1);
}

TEST(names_of_columns)
{
    CHECK_EQUAL(scree_column_by_name("radius", 6), SCREE_COLUMN_R);
    CHECK_EQUAL(scree_column_by_name("r", 1), SCREE_COLUMN_R);
    CHECK_EQUAL(scree_column_by_name("rad", 3), SCREE_COLUMN_COUNT);
    CHECK_EQUAL(scree_column_by_name("", 0), SCREE_COLUMN_COUNT);
    CHECK(scree_name_in_list("a,bc", "bc", 2));
    CHECK(!scree_name_in_list("a,bc", "b", 1));
    CHECK(!scree_name_in_list("a,bc", "c", 1));
    CHECK(!scree_name_in_list(NULL, "c", 1));
    CHECK(scree_name_in_list("all", "c", 1));
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(whole_files_are_read),
        CASE(every_prefix_of_a_text),
        CASE(every_prefix_of_a_binary_is_refused),
        CASE(every_changed_bit),
        CASE(noise),
        CASE(noisy_rows),
        CASE(memory_may_run_out_anywhere),
        CASE(names_of_columns),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
