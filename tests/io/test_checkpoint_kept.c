/*  Checkpoints of every version of the format that was released are read for ever: they are kept in
    tests/data/checkpoints. And they are what docs/checkpoint.md says, for a reader that knows nothing but that page.

    `test_checkpoint_kept --write FOLDER` writes those of the version that is. */
#include "checkpoint_worlds.h"
#include "harness/heard.h"

/* ---- a reader after docs/checkpoint.md alone ---- */

typedef struct page_file
{
    const unsigned char *bytes;
    uint64_t count, sections;
} page_file;

typedef struct page_section
{
    char name[33], type[9];
    uint64_t row_bytes, rows, offset, checksum;
} page_section;

static uint64_t word_at(const unsigned char *at, int bytes)
{
    uint64_t word = 0;

    for (int k = bytes - 1; k >= 0; k--)
        word = word << 8 | at[k];
    return word;
}

static double real_at(const unsigned char *at)
{
    uint64_t word = word_at(at, 8);
    double real;

    memcpy(&real, &word, sizeof real);
    return real;
}

static uint64_t mix(uint64_t hash, uint64_t word)
{
    uint64_t z = (hash ^ word) + 0x9e3779b97f4a7c15u;

    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static uint64_t page_checksum(const unsigned char *bytes, uint64_t count)
{
    const uint64_t start = 0xcbf29ce484222325u;
    uint64_t chain[4] = {start, start + 1, start + 2, start + 3}, hash = start;

    for (uint64_t block = 0; block * 32 < count; block++)
        for (uint64_t k = 0; k < 4; k++) {
            unsigned char word[8] = {0};
            for (uint64_t i = 0; i < 8; i++)
                if (block * 32 + k * 8 + i < count)
                    word[i] = bytes[block * 32 + k * 8 + i];
            chain[k] = mix(chain[k], word_at(word, 8));
        }
    for (int k = 0; k < 4; k++)
        hash = mix(hash, chain[k]);
    return mix(hash, count);
}

static page_section page_section_at(const page_file *file, uint64_t k)
{
    const unsigned char *row = file->bytes + 32 + 72 * k;
    page_section section = {.name = ""};

    memcpy(section.name, row, 32);
    memcpy(section.type, row + 32, 8);
    section.row_bytes = word_at(row + 40, 8);
    section.rows = word_at(row + 48, 8);
    section.offset = word_at(row + 56, 8);
    section.checksum = word_at(row + 64, 8);
    return section;
}

static page_file page_open(const file_bytes *bytes)
{
    page_file file = {bytes->data, bytes->count, 0};
    uint64_t table, end;

    CHECK(memcmp(file.bytes, "\x89\x73\x63\x72\x65\x65\x0d\x0a", 8) == 0);
    CHECK(memcmp(file.bytes + 8, "\4\3\2\1", 4) == 0);
    CHECK_EQUAL(word_at(file.bytes + 12, 4), 1);
    CHECK_EQUAL(word_at(file.bytes + 16, 8), file.count);
    file.sections = word_at(file.bytes + 24, 8);
    table = 32 + 72 * file.sections;
    CHECK(word_at(file.bytes + table, 8) == page_checksum(file.bytes, table));
    end = table + 8;
    for (uint64_t k = 0; k < file.sections; k++) {
        page_section section = page_section_at(&file, k);
        for (; end % 8 != 0; end++)
            CHECK_EQUAL(file.bytes[end], 0);
        CHECK_EQUAL(section.offset, end);
        end += section.row_bytes * section.rows;
        CHECK(page_checksum(file.bytes + section.offset, section.row_bytes * section.rows) ==
              section.checksum);
    }
    CHECK_EQUAL((end + 7) / 8 * 8, file.count);
    return file;
}

static const unsigned char *page_rows(const page_file *file, const char *name, uint64_t row_bytes,
                                      uint64_t rows)
{
    for (uint64_t k = 0; k < file->sections; k++) {
        page_section section = page_section_at(file, k);
        if (strcmp(section.name, name) != 0)
            continue;
        CHECK_EQUAL(section.row_bytes, row_bytes);
        CHECK_EQUAL(section.rows, rows);
        return file->bytes + section.offset;
    }
    FAIL("there is no section %s", name);
    return NULL;
}

/* ---- files ---- */

static char folder[1024]; /* of the kept ones */

typedef struct kept_file
{
    const char *name;
    uint64_t digest, later; /* as it was written, and 25 steps on */
    uint64_t in_double; /* its forces were computed in floats: as it is read; 0: they were not */
} kept_file;

/*  First those of before forces were summed exactly, then two whose forces were computed in floats; then those of version 0.1;
    then the worlds of small_world(), in its order, as version 1.0.0 writes them. */
static const kept_file kept[] = {
    {"v1-empty.scree", 0x73e2b93057eb516c, 0x8cd6e749af40a456, 0},
    {"v1-flat.scree", 0x49733630b959ef65, 0xbb7b763a51e9bbfb, 0},
    {"v1-ledger.scree", 0x2b1a6a459a89b7e1, 0x9fc52a0ca3837d19, 0},
    {"v1-solid.scree", 0x109721d26b3c1aa0, 0x2f56a7f6c25c0f13, 0},
    {"v1-mixed.scree", 0x993460974bf1a069, 0x68a6b5acdfbe77d7, 0xde00a27a3a48e069},
    {"v1-exact-mixed.scree", 0xf162494744fd0152, 0x42761fc0be5e6560, 0xe7473fe5691d55c8},
    {"v1-exact-empty.scree", 0x73e2b93057eb516c, 0x8cd6e749af40a456, 0},
    {"v1-exact-flat.scree", 0xf685af71eaf40292, 0x88f818d01a6afe5b, 0},
    {"v1-exact-ledger.scree", 0xd3cba723052da3b8, 0x0e0dd93aad8a3ee4, 0},
    {"v1-exact-solid.scree", 0xb6d65cfcc19fecfb, 0xf45a4485ead7a77b, 0},
    {"v1-exact-rolling.scree", 0xa04ea89020a2210b, 0x18dc2f15276ff804, 0},
    {"v1-release-empty.scree", 0x73e2b93057eb516c, 0x8cd6e749af40a456, 0},
    {"v1-release-flat.scree", 0xf685af71eaf40292, 0x88f818d01a6afe5b, 0},
    {"v1-release-ledger.scree", 0xd3cba723052da3b8, 0x0e0dd93aad8a3ee4, 0},
    {"v1-release-solid.scree", 0xb6d65cfcc19fecfb, 0xf45a4485ead7a77b, 0},
    {"v1-release-rolling.scree", 0xa04ea89020a2210b, 0x18dc2f15276ff804, 0},
};

enum
{
    KEPT = sizeof kept / sizeof *kept,
    WORLDS = 5,
    MIXED = 4,            /* the first of those in floats */
    TODAY = KEPT - WORLDS /* the first of those of now */
};

static file_bytes load_kept(int number)
{
    char path[1200];

    snprintf(path, sizeof path, "%s/%s", folder, kept[number].name);
    return load(path);
}

static scree_checkpoint *read_kept(int number)
{
    file_bytes file = load_kept(number);
    scree_checkpoint *checkpoint;
    scree_error error = {SCREE_OK, ""};

    if (scree_checkpoint_read_bytes(file.data, file.count, NULL, &checkpoint, &error))
        FAIL("%s: %s", kept[number].name, error.text);
    free(file.data);
    return checkpoint;
}

TEST(kept_files_are_read)
{
    for (int number = 0; number < KEPT; number++) {
        const uint64_t in_double = kept[number].in_double;
        scree_checkpoint *checkpoint = read_kept(number);
        scree_world *world = world_of(checkpoint, NULL);
        scree_checkpoint_destroy(checkpoint);
        if (scree_world_digest(world) != (in_double ? in_double : kept[number].digest))
            FAIL("%s has the digest %016" PRIx64, kept[number].name, scree_world_digest(world));
        advance(world, 25);
        if (scree_world_digest(world) != kept[number].later)
            FAIL("%s comes to the digest %016" PRIx64, kept[number].name,
                 scree_world_digest(world));
        scree_world_destroy(world);
    }
}

/*  Worlds whose forces were computed in floats go on in double, which is told once, whichever way they are read; so are they written
    again. */
TEST(worlds_in_floats_go_on_in_double)
{
    for (int number = 0; number < KEPT; number++) {
        const bool was_in_floats = kept[number].in_double != 0;
        scree_checkpoint *checkpoint = read_kept(number), *again;
        scree_world_def hooks = scree_default_world_def();
        scree_error error = {SCREE_OK, ""};
        heard h = {0, ""};
        scree_world *world, *second;
        hooks.hooks.log = (scree_log){hear, &h};
        world = world_of(checkpoint, &hooks);
        CHECK_EQUAL(h.count, was_in_floats);
        if (was_in_floats)
            CHECK_SAYS(h.text, "the world continues in double precision");
        CHECK_EQUAL(scree_world_step(world, 3), SCREE_OK);
        CHECK_EQUAL(scree_checkpoint_restore(checkpoint, world, &error), SCREE_OK);
        CHECK_EQUAL(h.count, 2 * was_in_floats);
        scree_checkpoint_destroy(checkpoint);
        file_bytes file = bytes_of(world);
        CHECK_EQUAL(scree_checkpoint_read_bytes(file.data, file.count, NULL, &again, &error),
                    SCREE_OK);
        second = world_of(again, &hooks);
        CHECK_EQUAL(h.count, 2 * was_in_floats);
        advance(world, 25);
        advance(second, 25);
        CHECK(scree_world_digest(world) == kept[number].later);
        CHECK(scree_world_digest(second) == kept[number].later);
        scree_checkpoint_destroy(again);
        scree_world_destroy(world);
        scree_world_destroy(second);
        free(file.data);
    }
}

TEST(kept_files_are_as_documented)
{
    for (int number = 0; number < KEPT; number++) {
        file_bytes bytes = load_kept(number);
        page_file file = page_open(&bytes);
        CHECK(word_at(page_rows(&file, "about", 224, 1) + 8, 8) == kept[number].digest);
        free(bytes.data);
    }
}

/*  Each number that the page names and the world of this file has. */
TEST(numbers_stand_where_the_page_says)
{
    file_bytes bytes = load_kept(2);
    page_file file = page_open(&bytes);
    const unsigned char *about = page_rows(&file, "about", 224, 1);
    const unsigned char *material = page_rows(&file, "materials", 104, 1);
    const unsigned char *rule = page_rows(&file, "rules", 88, 1);
    const unsigned char *value = page_rows(&file, "rule.values", 48, 1);
    const unsigned char *serial, *position, *shape, *wall;

    CHECK_EQUAL(word_at(about + 16, 8), 3); /* steps */
    CHECK(real_at(about + 32) == 1e-4);     /* dt */
    CHECK_EQUAL(word_at(about + 40, 8), 3); /* bodies */
    CHECK_EQUAL(word_at(about + 48, 8), 4);
    CHECK_EQUAL(word_at(about + 56, 8), 1);
    CHECK_EQUAL(word_at(about + 72, 8), 2);
    CHECK_EQUAL(word_at(about + 80, 8), 3);
    CHECK(real_at(about + 104) == 0.1 && real_at(about + 112) == 0.1);
    CHECK(real_at(about + 120) > 0); /* kinetic energy */
    CHECK_TEXT((const char *)material, "glass");
    CHECK(real_at(material + 32) == 2500 && real_at(material + 40) == 1e7);
    CHECK(word_at(rule, 8) == UINT64_MAX);
    CHECK_EQUAL(word_at(rule + 16, 4), 0);
    CHECK_EQUAL(word_at(rule + 20, 4), 1);
    CHECK_EQUAL(word_at(rule + 36, 4), 1);
    CHECK_TEXT((const char *)rule + 48, "hertz");
    CHECK_TEXT((const char *)value, "restitution");
    CHECK(real_at(value + 40) == 0.3);
    serial = page_rows(&file, "state.body.serial", 8, 3);
    position = page_rows(&file, "state.body.position", 32, 3);
    shape = page_rows(&file, "state.body.shape", 16, 3);
    for (uint64_t k = 0; k < 3; k++) {
        CHECK_EQUAL(word_at(serial + 8 * k, 8), k + 1);
        CHECK_NEAR(real_at(position + 32 * k), 0.199 * (double)k, 1e-4);
        CHECK(real_at(position + 32 * k + 24) == 0.1);
        CHECK_EQUAL(word_at(shape + 16 * k, 8), 1);
        CHECK(real_at(shape + 16 * k + 8) == 0.1);
    }
    wall = page_rows(&file, "state.wall", 264, 1);
    CHECK_EQUAL(word_at(wall + 8, 4), 0);  /* a plane */
    CHECK_EQUAL(word_at(wall + 12, 4), 1); /* of the first material */
    CHECK(real_at(page_rows(&file, "state.wall.path", 136, 1) + 104) == 10); /* frequency */
    CHECK(real_at(page_rows(&file, "state.physics", 176, 1) + 120) == -10);  /* gravity */
    CHECK(real_at(page_rows(&file, "state.course", 128, 1) + 16) == 1e-4);
    free(bytes.data);
}

/*  The parts that are there only where there are bodies of triangles, or implicit steps. */
TEST(triangles_stand_where_the_page_says)
{
    file_bytes bytes = load_kept(3);
    page_file file = page_open(&bytes);
    const unsigned char *mesh = page_rows(&file, "meshes", 32, 1);
    const unsigned char *shape = page_rows(&file, "state.body.shape", 16, 3);
    const unsigned char *first = page_rows(&file, "state.solid.first", 4, 4);
    const unsigned char *second = page_rows(&file, "state.solid.second", 4, 4);
    const unsigned char *wall = page_rows(&file, "state.solid.wall", 4, 4);
    const unsigned char *normal = page_rows(&file, "state.solid.normal", 32, 4);
    const unsigned char *point = page_rows(&file, "state.solid.point", 32, 4);
    const unsigned char *row = page_rows(&file, "state.solid.row", 96, 4);
    const unsigned char *picard = page_rows(&file, "state.picard", 24, 1);
    /* each touches what is under or over it, and the lowest the plane with both ends of an edge */
    const uint64_t of[4] = {0, 0, 0, 1}, with[4] = {1, UINT32_MAX, UINT32_MAX, 2};

    CHECK(word_at(mesh, 8) == word_at(page_rows(&file, "state.solid.mesh", 8, 1), 8));
    CHECK_EQUAL(word_at(mesh + 8, 4), 3);
    CHECK_EQUAL(word_at(mesh + 12, 4), 4);
    CHECK_EQUAL(word_at(mesh + 16, 4), 4);
    for (int k = 0; k < 2; k++) {
        CHECK_EQUAL(word_at(shape + 16 * k, 4), 2);
        CHECK_EQUAL(word_at(shape + 16 * k + 4, 4), 1);
        CHECK(real_at(shape + 16 * k + 8) == 0.01);
    }
    CHECK_EQUAL(word_at(shape + 32, 8), 1);
    for (int k = 0; k < 4; k++) {
        bool at_wall = with[k] == UINT32_MAX;
        CHECK_EQUAL(word_at(first + 4 * k, 4), of[k]);
        CHECK_EQUAL(word_at(second + 4 * k, 4), with[k]);
        CHECK_EQUAL(word_at(wall + 4 * k, 4), at_wall ? 0 : UINT32_MAX);
        /* from the first to the second; the force on the first goes the other way */
        CHECK_NEAR(real_at(normal + 32 * k + 16), at_wall ? -1 : 1, 1e-2);
        CHECK(real_at(row + 96 * k + 16) * real_at(normal + 32 * k + 16) < 0);
        CHECK_NEAR(real_at(point + 32 * k + 24), 5e-4, 1e-4);
    }
    CHECK(real_at(picard) == 0.01);
    CHECK_EQUAL(word_at(picard + 8, 8), 30);
    CHECK_EQUAL(word_at(picard + 16, 8), 10);
    CHECK_EQUAL(word_at(page_rows(&file, "state.physics", 176, 1) + 80, 8), SCREE_IMPLICIT_EULER);
    free(bytes.data);
}

TEST(old_precisions_stand_where_the_page_says)
{
    file_bytes bytes = load_kept(MIXED);
    page_file file = page_open(&bytes);
    const unsigned char *row = page_rows(&file, "state.pair.row", 64, 2);
    const unsigned char *moment = page_rows(&file, "state.pair.moment", 32, 2);

    CHECK_EQUAL(word_at(page_rows(&file, "state.physics", 176, 1) + 80, 8),
                SCREE_VELOCITY_VERLET + 256);
    for (int k = 0; k < 16; k++) {
        double number = real_at(row + 8 * k);
        CHECK(number == (double)(float)number);
    }
    CHECK(real_at(row + 8) != 0 && real_at(moment) != 0);
    free(bytes.data);
}

/*  What a world writes today is what it wrote then, as long as scree has the same version. */
TEST(the_same_worlds_write_the_same_files)
{
    file_bytes any = load_kept(TODAY);
    page_file file = page_open(&any);
    bool is_same = word_at(page_rows(&file, "about", 224, 1), 8) == SCREE_VERSION_NUMBER;

    free(any.data);
    if (!is_same)
        return;
    enter_folder();
    for (int number = 0; number < WORLDS; number++) {
        file_bytes before = load_kept(TODAY + number), now;
        scree_world *world = small_world(number);
        now = bytes_of(world);
        CHECK_EQUAL(before.count, now.count);
        for (size_t k = 0; k < now.count; k++)
            if (before.data[k] != now.data[k])
                FAIL("%s: byte %zu is another one", kept[TODAY + number].name, k);
        scree_world_destroy(world);
        free(before.data);
        free(now.data);
    }
    leave_folder();
}

static void write_kept(const char *to)
{
    for (int number = 0; number < WORLDS; number++) {
        scree_world *world = small_world(number);
        uint64_t digest = scree_world_digest(world);
        char path[1200];
        snprintf(path, sizeof path, "%s/%s", to, kept[TODAY + number].name);
        write_to(world, path);
        advance(world, 25);
        printf("{\"%s\", 0x%016" PRIx64 ", 0x%016" PRIx64 "},\n", kept[TODAY + number].name, digest,
               scree_world_digest(world));
        scree_world_destroy(world);
    }
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(kept_files_are_read),
        CASE(kept_files_are_as_documented),
        CASE(numbers_stand_where_the_page_says),
        CASE(triangles_stand_where_the_page_says),
        CASE(worlds_in_floats_go_on_in_double),
        CASE(old_precisions_stand_where_the_page_says),
        CASE(the_same_worlds_write_the_same_files),
    };
    snprintf(folder, sizeof folder, "%s", TEST_ROOT "/tests/data/checkpoints");
    if (argc == 3 && strcmp(argv[1], "--write") == 0) {
        if (setjmp(test_failed) == 0)
            write_kept(argv[2]);
        return 0;
    }
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
