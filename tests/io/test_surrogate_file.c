/*  Surrogate trees in files: they come back bit-identical; what is torn, of another mesh or made up is refused and grown
    again. */
#include "harness/surrogate_maker.h"

#include "harness/failing_allocator.h"
#include "io/checksum.h"
#include "io/surrogate_file.h"

#include <sys/stat.h>
#include <unistd.h>

#define HEAD_BYTES 96

static char folder[64], path[128];
static scree_error error;

static void enter(void)
{
    snprintf(folder, sizeof folder, "/tmp/scree-surrogate-XXXXXX");
    if (!mkdtemp(folder))
        FAIL("no folder");
    snprintf(path, sizeof path, "%s/tree", folder);
}

static void leave(void)
{
    unlink(path);
    if (rmdir(folder))
        FAIL("there is something left in %s", folder);
}

static scree_surrogate_def def_of(const maker *m)
{
    scree_surrogate_def def = scree_default_surrogate_def();
    def.surface = maker_surface(m);
    def.error = &error;
    return def;
}

static void check_same_tree(const scree_surrogate *a, const scree_surrogate *b)
{
    CHECK(a->node_count == b->node_count && a->facet_count == b->facet_count);
    CHECK(a->level_count == b->level_count && a->source == b->source && a->reach == b->reach);
    CHECK(same_bits(a->level_start, b->level_start, sizeof a->level_start));
    CHECK(same_bits(a->nodes, b->nodes, a->node_count * sizeof *a->nodes));
    CHECK(same_bits(a->facet, b->facet, a->facet_count * sizeof *a->facet));
}

static unsigned char *load_file(size_t *count)
{
    FILE *file = fopen(path, "rb");
    unsigned char *bytes = malloc(1 << 20);
    CHECK(file);
    *count = fread(bytes, 1, 1 << 20, file);
    fclose(file);
    return bytes;
}

static void store_file(const unsigned char *bytes, size_t count)
{
    FILE *file = fopen(path, "wb");
    CHECK(file && fwrite(bytes, 1, count, file) == count);
    fclose(file);
}

TEST(what_is_written_comes_back)
{
    static const uint32_t facets[] = {1, 8, 9, 64, 65, 700};
    enter();
    for (size_t k = 0; k < SCREE_COUNT_OF(facets); k++) {
        maker m = maker_odd(facets[k], k);
        scree_surrogate_def def = def_of(&m);
        scree_surrogate *tree = maker_tree(&m, true), *back;
        struct stat info;
        CHECK(scree_surrogate_write(tree, path, &error) == SCREE_OK);
        CHECK(scree_surrogate_read(path, &def, &back) == SCREE_OK);
        check_same_tree(tree, back);
        CHECK(stat(path, &info) == 0);
        CHECK_EQUAL(info.st_size, HEAD_BYTES + 96 * tree->node_count + 4 * tree->facet_count + 8);
        scree_surrogate_destroy(back);
        scree_surrogate_destroy(tree);
        maker_free(&m);
    }
    leave();
}

TEST(grown_once)
{
    PROVES("NW-33");
    maker m = maker_bumpy(3, 1.4, 1), other = maker_bumpy(3, 1.4, 2);
    scree_surrogate_def def = def_of(&m);
    scree_surrogate_origin origin;
    scree_surrogate *tree, *again;
    enter();
    CHECK(scree_surrogate_cached(path, &def, &tree, &origin) == SCREE_OK);
    CHECK(origin == SCREE_SURROGATE_GROWN);
    CHECK(scree_surrogate_cached(path, &def, &again, &origin) == SCREE_OK);
    CHECK(origin == SCREE_SURROGATE_READ);
    check_same_tree(tree, again);
    scree_surrogate_destroy(again);
    double bytes =
        (double)(tree->node_count * sizeof *tree->nodes + tree->facet_count * sizeof *tree->facet) /
        tree->facet_count;
    FIGURE("%.1f bytes a triangle, grown once", bytes);
    CHECK(bytes < 48);
    /* another mesh, then other settings, then none of a folder that is not there */
    def.surface = maker_surface(&other);
    CHECK(scree_surrogate_read(path, &def, &again) == SCREE_BAD_FILE);
    CHECK_SAYS(error.text, "byte 24: is the tree of another mesh or of other settings");
    CHECK(scree_surrogate_cached(path, &def, &again, &origin) == SCREE_OK);
    CHECK(origin == SCREE_SURROGATE_GROWN);
    scree_surrogate_destroy(again);
    def.seed = 2;
    CHECK(scree_surrogate_cached(path, &def, &again, &origin) == SCREE_OK);
    CHECK(origin == SCREE_SURROGATE_GROWN);
    scree_surrogate_destroy(again);
    CHECK(scree_surrogate_cached("/nowhere/at/all", &def, &again, &origin) == SCREE_OK);
    CHECK(origin == SCREE_SURROGATE_GROWN_ALONE);
    CHECK_SAYS(error.text, "/nowhere/at/all");
    scree_surrogate_destroy(again);
    CHECK(scree_surrogate_cached("/nowhere/at/all", &def, &again, NULL) == SCREE_OK);
    scree_surrogate_destroy(again);
    def.surface.facet_count = 0;
    CHECK(scree_surrogate_cached(path, &def, &again, NULL) == SCREE_BAD_ARGUMENT);
    CHECK(!again);
    scree_surrogate_destroy(tree);
    maker_free(&m);
    maker_free(&other);
    leave();
}

/*  Cut at every place, and a byte changed at every place: never taken, never a crash. */
TEST(torn_files)
{
    maker m = maker_odd(12, 1);
    scree_surrogate_def def = def_of(&m);
    scree_surrogate *tree = maker_tree(&m, true), *back;
    size_t count;
    unsigned char *bytes;
    enter();
    CHECK(scree_surrogate_write(tree, path, &error) == SCREE_OK);
    bytes = load_file(&count);
    for (size_t k = 0; k < count; k++) {
        store_file(bytes, k);
        CHECK(scree_surrogate_read(path, &def, &back) == SCREE_BAD_FILE && !back);
        bytes[k] ^= 0x10;
        store_file(bytes, count);
        CHECK(scree_surrogate_read(path, &def, &back) == SCREE_BAD_FILE && !back);
        CHECK_SAYS(error.text, path);
        bytes[k] ^= 0x10;
    }
    store_file(bytes, count + 1);
    CHECK(scree_surrogate_read(path, &def, &back) == SCREE_BAD_FILE);
    free(bytes);
    scree_surrogate_destroy(tree);
    maker_free(&m);
    leave();
}

/*  Files whose checksum is right. */
TEST(lies_with_a_good_checksum)
{
    static const struct
    {
        size_t byte;
        uint32_t value;
        const char *says;
    } lies[] = {
        {8, 0x04030201, "byte 8: is from a machine with another byte order"},
        {12, 2, "byte 12: is of another version"},
        {16, 9, "longer or shorter than it says"},
        {20, 0x7fffffff, "longer or shorter than it says"},
        {24, 9, "byte 24: is the tree of another mesh"},
        {32, 13, "longer or shorter than it says"},
        {36, 0, "longer or shorter than it says"},
        {36, 0xffffffff, "longer or shorter than it says"},
        {40, 9, "byte 96: the nodes do not form a tree over the mesh"},
        {44, 1, "byte 96: the nodes do not form a tree over the mesh"},
        {48, 77, "byte 96: the nodes do not form a tree over the mesh"},
        {HEAD_BYTES + 76, 0, "byte 96: the nodes do not form a tree over the mesh"},
        {HEAD_BYTES + 92, 77, "byte 96: the nodes do not form a tree over the mesh"},
    };
    maker m = maker_odd(12, 1);
    scree_surrogate_def def = def_of(&m);
    scree_surrogate *tree = maker_tree(&m, true), *back;
    size_t count;
    unsigned char *bytes;
    enter();
    CHECK(scree_surrogate_write(tree, path, &error) == SCREE_OK);
    bytes = load_file(&count);
    for (size_t k = 0; k < SCREE_COUNT_OF(lies); k++) {
        unsigned char copy[4096];
        uint64_t checksum;
        memcpy(copy, bytes, count);
        memcpy(copy + lies[k].byte, &lies[k].value, 4);
        checksum = scree_checksum(copy, count - 8);
        memcpy(copy + count - 8, &checksum, 8);
        store_file(copy, count);
        CHECK(scree_surrogate_read(path, &def, &back) == SCREE_BAD_FILE && !back);
        CHECK_SAYS(error.text, lies[k].says);
    }
    /* no nodes, and a length to match */
    {
        unsigned char copy[HEAD_BYTES + 48 + 8];
        uint64_t checksum, length = sizeof copy;
        memcpy(copy, bytes, sizeof copy);
        memcpy(copy + 16, &length, 8);
        memset(copy + 36, 0, 4);
        checksum = scree_checksum(copy, sizeof copy - 8);
        memcpy(copy + sizeof copy - 8, &checksum, 8);
        store_file(copy, sizeof copy);
        CHECK(scree_surrogate_read(path, &def, &back) == SCREE_BAD_FILE);
        CHECK_SAYS(error.text, "do not form a tree");
    }
    store_file((const unsigned char *)"solid ball", 10);
    CHECK(scree_surrogate_read(path, &def, &back) == SCREE_BAD_FILE);
    CHECK_SAYS(error.text, "byte 10: ends within the head");
    memset(bytes, 'x', count);
    store_file(bytes, count);
    CHECK(scree_surrogate_read(path, &def, &back) == SCREE_BAD_FILE);
    CHECK_SAYS(error.text, "byte 0: is not a surrogate tree");
    free(bytes);
    scree_surrogate_destroy(tree);
    maker_free(&m);
    leave();
}

TEST(no_memory_for_files)
{
    maker m = maker_odd(20, 1);
    scree_surrogate *tree = maker_tree(&m, true);
    enter();
    CHECK(scree_surrogate_write(tree, path, &error) == SCREE_OK);
    for (size_t k = 1;; k++) {
        failing_allocator memory = {.fail_at = k};
        scree_surrogate_def def = def_of(&m);
        scree_surrogate *back, *copy;
        scree_status status;
        def.allocator = failing_allocator_hooks(&memory);
        status = scree_surrogate_read(path, &def, &back);
        CHECK(status == SCREE_OK || status == SCREE_OUT_OF_MEMORY);
        if (back) {
            status = scree_surrogate_write(back, path, &error);
            CHECK(status == SCREE_OK || status == SCREE_OUT_OF_MEMORY);
        }
        scree_surrogate_destroy(back);
        CHECK(failing_allocator_is_clean(&memory));
        /* whatever happened, the file is whole */
        def.allocator = (scree_allocator){0};
        CHECK(scree_surrogate_read(path, &def, &copy) == SCREE_OK);
        scree_surrogate_destroy(copy);
        if (memory.requests < k)
            break;
    }
    scree_surrogate_destroy(tree);
    /* one that is not there, and no memory to grow it */
    for (size_t k = 1;; k++) {
        failing_allocator memory = {.fail_at = k};
        scree_surrogate_def def = def_of(&m);
        scree_surrogate *grown;
        def.allocator = failing_allocator_hooks(&memory);
        scree_status status = scree_surrogate_cached("/nowhere/at/all", &def, &grown, NULL);
        CHECK(status == SCREE_OUT_OF_MEMORY || grown);
        scree_surrogate_destroy(grown);
        CHECK(failing_allocator_is_clean(&memory));
        if (memory.requests < k)
            break;
    }
    maker_free(&m);
    leave();
}

/*  More than what is read at first, with a head of another kind, and one that promises more than there is. */
TEST(long_files)
{
    maker m = maker_odd(200, 1);
    scree_surrogate_def def = def_of(&m);
    scree_surrogate *tree = maker_tree(&m, true), *back;
    const uint64_t most = UINT64_MAX;
    size_t count;
    unsigned char *bytes;
    enter();
    CHECK(scree_surrogate_write(tree, path, &error) == SCREE_OK);
    CHECK(scree_surrogate_read(path, &def, &back) == SCREE_OK);
    scree_surrogate_destroy(back);
    bytes = load_file(&count);
    CHECK(count > 4096);
    memcpy(bytes + 16, &most, sizeof most);
    store_file(bytes, count);
    CHECK(scree_surrogate_read(path, &def, &back) == SCREE_BAD_FILE);
    CHECK_SAYS(error.text, "longer or shorter");
    bytes[0] = 'x';
    store_file(bytes, count);
    CHECK(scree_surrogate_read(path, &def, &back) == SCREE_BAD_FILE);
    CHECK_SAYS(error.text, "is not a surrogate tree");
    free(bytes);
    scree_surrogate_destroy(tree);
    maker_free(&m);
    leave();
}

/*  What is no tree is another program's, and stays; a tree that is torn, and nothing, are written over. */
TEST(other_files_are_not_replaced)
{
    static const char *const others[] = {"solid ball\nendsolid\n", "x", "\211surr\n", "\211PNG"};
    maker m = maker_odd(12, 1);
    scree_surrogate_def def = def_of(&m);
    scree_surrogate *tree;
    scree_surrogate_origin origin;
    enter();
    for (size_t k = 0; k < SCREE_COUNT_OF(others); k++) {
        size_t count;
        store_file((const unsigned char *)others[k], strlen(others[k]));
        CHECK_EQUAL(scree_surrogate_cached(path, &def, &tree, &origin), SCREE_BAD_FILE);
        CHECK_SAYS(error.text, "is not overwritten");
        CHECK(!tree);
        unsigned char *bytes = load_file(&count);
        CHECK(count == strlen(others[k]) && memcmp(bytes, others[k], count) == 0);
        free(bytes);
    }
    for (size_t length = 0; length <= 8; length += 4) {
        store_file((const unsigned char *)"\211surro\r\n", length);
        CHECK_EQUAL(scree_surrogate_cached(path, &def, &tree, &origin), SCREE_OK);
        CHECK_EQUAL(origin, SCREE_SURROGATE_GROWN);
        scree_surrogate_destroy(tree);
    }
    maker_free(&m);
    leave();
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(other_files_are_not_replaced),
        CASE(what_is_written_comes_back),
        CASE(grown_once),
        CASE(torn_files),
        CASE(lies_with_a_good_checksum),
        CASE(no_memory_for_files),
        CASE(long_files),
    };
    return test_main(argc, argv, tests, SCREE_COUNT_OF(tests));
}
