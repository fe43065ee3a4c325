/*  Files that are not as they were written: every cut, every bit that has flipped, and what the message says
    of it. */
#include "checkpoint_worlds.h"
#include "io/checkpoint_format.h"

/* ---- small files ---- */

static file_bytes small_file(int number)
{
    scree_world *world = small_world(number);
    file_bytes bytes = bytes_of(world);

    scree_world_destroy(world);
    return bytes;
}

/* ---- every cut, every bit ---- */

static scree_status read_bytes(const void *data, size_t count, scree_error *error)
{
    scree_checkpoint *checkpoint;
    scree_status status = scree_checkpoint_read_bytes(data, count, NULL, &checkpoint, error);

    CHECK((status == SCREE_OK) == (checkpoint != NULL));
    scree_checkpoint_destroy(checkpoint);
    return status;
}

TEST(every_cut_is_refused)
{
    scree_error error;

    enter_folder();
    for (int number = 0; number < 3; number++) {
        file_bytes file = small_file(number);
        CHECK_EQUAL(read_bytes(file.data, file.count, &error), SCREE_OK);
        for (size_t count = 0; count < file.count; count++) {
            /* exactly as long as what is left, so that a sanitizer sees one byte too far */
            unsigned char *cut = malloc(count ? count : 1);
            char where[64];
            memcpy(cut, file.data, count);
            if (read_bytes(cut, count, &error) != SCREE_BAD_FILE)
                FAIL("world %d cut at byte %zu is not refused", number, count);
            snprintf(where, sizeof where, "at byte %zu of", count);
            if (count >= 8)
                CHECK_SAYS(error.text, where);
            free(cut);
        }
        free(file.data);
    }
    leave_folder();
}

/*  The section of a byte, or NULL in head and table. */
static const char *section_of(const scree_checkpoint *checkpoint, size_t byte)
{
    scree_checkpoint_section section;
    const char *name = NULL;

    for (size_t k = 0; scree_checkpoint_section_at(checkpoint, k, &section); k++)
        if (section.offset <= byte)
            name = section.rows > 0 && section.row_bytes > 0 ? section.name : name;
    return name;
}

TEST(every_flipped_bit_is_refused)
{
    scree_error error;

    enter_folder();
    for (int number = 0; number < 3; number++) {
        file_bytes file = small_file(number);
        scree_checkpoint *checkpoint;
        CHECK_EQUAL(scree_checkpoint_read_bytes(file.data, file.count, NULL, &checkpoint, NULL),
                    SCREE_OK);
        for (size_t byte = 0; byte < file.count; byte++)
            for (int bit = 0; bit < 8; bit++) {
                const char *section = section_of(checkpoint, byte);
                file.data[byte] ^= (unsigned char)(1 << bit);
                if (read_bytes(file.data, file.count, &error) != SCREE_BAD_FILE)
                    FAIL("world %d: bit %d of byte %zu flips, and is not noticed", number, bit,
                         byte);
                if (section && !strstr(error.text, section))
                    FAIL("world %d, byte %zu: \"%s\" does not say %s", number, byte, error.text,
                         section);
                file.data[byte] ^= (unsigned char)(1 << bit);
            }
        scree_checkpoint_destroy(checkpoint);
        free(file.data);
    }
    leave_folder();
}

/* ---- what is said ---- */

static void check_says(file_bytes file, const char *says)
{
    scree_error error;

    CHECK_EQUAL(read_bytes(file.data, file.count, &error), SCREE_BAD_FILE);
    CHECK_SAYS(error.text, says);
}

TEST(messages_name_the_place)
{
    file_bytes file;
    scree_checkpoint_head *head;
    uint32_t kept;

    enter_folder();
    file = small_file(2);
    head = (scree_checkpoint_head *)(void *)file.data;
    kept = head->version;
    head->version = 2;
    check_says(file, "it is of version 2 of the format, and this program knows versions up to 1: "
                     "use a newer one");
    head->version = 0;
    check_says(file, "head, byte 12: there is no version 0");
    head->version = kept;
    head->endian = 0x04030201;
    check_says(file, "head, byte 8: the mark of little-endian files is 0x04030201");
    head->endian = SCREE_CHECKPOINT_ENDIAN;
    head->bytes += 8;
    check_says(file, "head and table of sections");
    head->bytes -= 8;
    head->section_count = UINT64_MAX;
    check_says(file, "head, byte 24: 18446744073709551615 sections");
    head->section_count = 3;
    check_says(file, "3 sections");
    file.data[0] = 'x';
    check_says(file, "it is not a checkpoint");
    free(file.data);
    leave_folder();
}

TEST(what_comes_behind_is_refused)
{
    file_bytes file, longer;

    enter_folder();
    file = small_file(0);
    longer.count = file.count + 1;
    longer.data = calloc(1, longer.count);
    memcpy(longer.data, file.data, file.count);
    check_says(longer, "the file continues after its end");
    free(longer.data);
    free(file.data);
    leave_folder();
}

/* ---- files that are no files ---- */

static void check_path(const char *path, scree_status status, const char *says)
{
    scree_checkpoint *checkpoint;
    scree_error error = {SCREE_OK, ""};

    CHECK_EQUAL(scree_checkpoint_read(path, NULL, &checkpoint, &error), status);
    CHECK(checkpoint == NULL);
    CHECK_SAYS(error.text, says);
}

static void write_bytes(const char *path, const void *data, size_t count)
{
    FILE *file = fopen(path, "wb");

    if (!file || fwrite(data, 1, count, file) != count || fclose(file))
        FAIL("cannot write %s", path);
}

TEST(other_files_are_refused)
{
    const char *path;
    file_bytes file;

    enter_folder();
    path = path_of("file");
    check_path(path, SCREE_IO_ERROR, "No such file or directory");
    check_path(test_folder, SCREE_IO_ERROR, "Is a directory");
    check_path("/dev/zero", SCREE_IO_ERROR, "/dev/zero: is a pipe or a device");
    write_bytes(path, "", 0);
    check_path(path, SCREE_BAD_FILE, "it is not a checkpoint");
    file = small_file(1);
    write_bytes(path, file.data, file.count - 9);
    check_path(path, SCREE_BAD_FILE, "it is cut off in section \"state.");
    /* a file that says it is short is not read on to its end */
    ((scree_checkpoint_head *)(void *)file.data)->bytes = 5000;
    write_bytes(path, file.data, file.count);
    check_path(path, SCREE_BAD_FILE, "are damaged");
    ((scree_checkpoint_head *)(void *)file.data)->bytes = UINT64_MAX;
    write_bytes(path, file.data, file.count);
    check_path(path, SCREE_BAD_FILE, "file");
    free(file.data);
    unlink(path);
    leave_folder();
}

TEST(calls_without_sense_are_refused)
{
    const scree_allocator half = {.release = (void (*)(void *, size_t, void *))(uintptr_t)1};
    scree_world_def hooks = scree_default_world_def();
    scree_checkpoint *checkpoint;
    scree_world *world, *none;
    scree_error error;
    file_bytes file;

    enter_folder();
    CHECK_EQUAL(scree_checkpoint_read("x", NULL, NULL, &error), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_checkpoint_read(NULL, NULL, &checkpoint, &error), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_checkpoint_read("x", &half, &checkpoint, &error), SCREE_BAD_DEF);
    CHECK_EQUAL(scree_checkpoint_read_bytes("x", 1, NULL, NULL, &error), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_checkpoint_read_bytes(NULL, 1, NULL, &checkpoint, &error),
                SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_checkpoint_read_bytes("x", 1, &half, &checkpoint, &error), SCREE_BAD_DEF);
    CHECK_EQUAL(scree_checkpoint_world(NULL, NULL, &none, &error), SCREE_BAD_ARGUMENT);
    world = small_world(2);
    CHECK_EQUAL(scree_checkpoint_write(world, NULL, NULL, 0, &error), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_checkpoint_write(NULL, "x", NULL, 0, &error), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_checkpoint_restore(NULL, world, &error), SCREE_BAD_ARGUMENT);
    file = bytes_of(world);
    CHECK_EQUAL(scree_checkpoint_read_bytes(file.data, file.count, NULL, &checkpoint, &error),
                SCREE_OK);
    CHECK_EQUAL(scree_checkpoint_restore(checkpoint, NULL, &error), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_checkpoint_world(checkpoint, NULL, NULL, &error), SCREE_BAD_ARGUMENT);
    hooks.hooks.allocator = half;
    CHECK_EQUAL(scree_checkpoint_world(checkpoint, &hooks, &none, &error), SCREE_BAD_DEF);
    hooks = scree_default_world_def();
    hooks.detection.method = "flatt";
    CHECK_EQUAL(scree_checkpoint_world(checkpoint, &hooks, &none, &error), SCREE_UNKNOWN_METHOD);
    CHECK_SAYS(error.text, "flatt");
    hooks.cookie = 0;
    CHECK_EQUAL(scree_checkpoint_world(checkpoint, &hooks, &none, &error), SCREE_BAD_DEF);
    scree_checkpoint_destroy(checkpoint);
    scree_checkpoint_destroy(NULL);
    CHECK_EQUAL(scree_checkpoint_describe(NULL).file_bytes, 0);
    free(file.data);
    scree_world_destroy(world);
    leave_folder();
}

/* ---- parts of the host ---- */

TEST(parts_come_back)
{
    const scree_checkpoint_part parts[] = {
        {"scene", "sphere {}", 9}, {"run", "\0\1\2", 3}, {"nothing-at-all_0123456.xyz", NULL, 0}};
    scree_world *world;
    scree_checkpoint *checkpoint;
    scree_checkpoint_part part;
    scree_checkpoint_section section;
    scree_error error;

    enter_folder();
    world = small_world(2);
    CHECK_EQUAL(scree_checkpoint_write(world, path_of("parts"), parts, 3, &error), SCREE_OK);
    checkpoint = read_from(path_of("parts"));
    CHECK_EQUAL(scree_checkpoint_describe(checkpoint).part_count, 3);
    for (size_t k = 0; k < 3; k++) {
        CHECK(scree_checkpoint_part_at(checkpoint, k, &part));
        CHECK_TEXT(part.name, parts[k].name);
        CHECK(scree_checkpoint_part_of(checkpoint, parts[k].name, &part));
        CHECK_EQUAL(part.bytes, parts[k].bytes);
        CHECK(part.bytes == 0 || memcmp(part.data, parts[k].data, part.bytes) == 0);
    }
    CHECK(!scree_checkpoint_part_at(checkpoint, 3, &part));
    CHECK(!scree_checkpoint_part_of(checkpoint, "sce", &part));
    CHECK(!scree_checkpoint_part_of(checkpoint, NULL, &part));
    CHECK(scree_checkpoint_section_of(checkpoint, "host.run", &section));
    CHECK_EQUAL(section.rows, 3);
    CHECK(!scree_checkpoint_section_of(checkpoint, "host.", &section));
    CHECK(!scree_checkpoint_section_of(checkpoint, NULL, &section));
    CHECK(!scree_checkpoint_section_at(checkpoint, 1000, &section));
    scree_checkpoint_destroy(checkpoint);
    unlink(path_of("parts"));
    scree_world_destroy(world);
    leave_folder();
}

TEST(parts_are_checked)
{
    static const char *const names[] = {
        "", NULL, "Scene", "a b", "nothing-at-all_0123456.xyz1", "a/b", "\303\244"};
    scree_checkpoint_part parts[2] = {{"a", "x", 1}, {"a", "y", 1}}, *many;
    scree_world *world;
    scree_error error;

    enter_folder();
    world = small_world(0);
    CHECK_EQUAL(scree_checkpoint_write(world, path_of("x"), parts, 2, &error), SCREE_BAD_ARGUMENT);
    CHECK_SAYS(error.text, "there are two parts \"a\"");
    CHECK_EQUAL(scree_checkpoint_write(world, path_of("x"), NULL, 2, &error), SCREE_BAD_ARGUMENT);
    parts[1] = (scree_checkpoint_part){"b", NULL, 1};
    CHECK_EQUAL(scree_checkpoint_write(world, path_of("x"), parts, 2, &error), SCREE_BAD_ARGUMENT);
    CHECK_SAYS(error.text, "part \"b\" has no data, but 1 bytes");
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        parts[1] = (scree_checkpoint_part){names[k], "z", 1};
        CHECK_EQUAL(scree_checkpoint_write(world, path_of("x"), parts, 2, &error),
                    SCREE_BAD_ARGUMENT);
        CHECK_SAYS(error.text, "must be 1 to 26 of a-z");
    }
    many = calloc(1001, sizeof *many);
    CHECK_EQUAL(scree_checkpoint_write(world, path_of("x"), many, 1001, &error),
                SCREE_BAD_ARGUMENT);
    CHECK_SAYS(error.text, "1001 parts");
    free(many);
    scree_world_destroy(world);
    leave_folder();
}

TEST(what_is_in_it_is_told)
{
    scree_world *world;
    scree_checkpoint_info info;
    scree_checkpoint *checkpoint;
    scree_energy energy;
    scree_totals totals;

    enter_folder();
    world = small_world(2);
    write_to(world, path_of("told"));
    checkpoint = read_from(path_of("told"));
    info = scree_checkpoint_describe(checkpoint);
    energy = scree_world_energy(world);
    totals = scree_world_totals(world);
    CHECK_EQUAL(info.version, SCREE_CHECKPOINT_VERSION);
    CHECK_EQUAL(info.scree_version, SCREE_VERSION_NUMBER);
    CHECK(info.digest == scree_world_digest(world));
    CHECK_EQUAL(info.steps, 3);
    CHECK(info.time == scree_world_clock(world).time && info.dt == 1e-4);
    CHECK(info.bodies == 3 && info.added == 4 && info.removed == 1 && info.destroyed == 0);
    CHECK_NEAR(info.mass, totals.mass, 1e-12 * totals.mass); /* another order of the sum */
    CHECK(info.smallest == 0.1 && info.largest == 0.1);
    CHECK(info.materials == 1 && info.rules == 1 && info.walls == 1 && info.meshes == 0);
    CHECK(info.contacts == 2 && info.wall_contacts == 3);
    CHECK(memcmp(&info.energy, &energy, sizeof energy) == 0);
    CHECK_EQUAL(info.dimensions, 3);
    scree_checkpoint_destroy(checkpoint);
    unlink(path_of("told"));
    scree_world_destroy(world);
    leave_folder();
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(every_cut_is_refused),    CASE(every_flipped_bit_is_refused),
        CASE(messages_name_the_place), CASE(what_comes_behind_is_refused),
        CASE(other_files_are_refused), CASE(calls_without_sense_are_refused),
        CASE(parts_come_back),         CASE(parts_are_checked),
        CASE(what_is_in_it_is_told),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
