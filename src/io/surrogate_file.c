/*  Head, level starts, nodes, facets, checksum: as in memory, little-endian. */
#include "io/surrogate_file.h"

#include "base/error.h"
#include "io/checksum.h"
#include "io/read_file.h"
#include "io/write_file.h"

#include <stdio.h>
#include <string.h>

#define SURROGATE_MAGIC "\211surro\r\n" /* a transfer in text mode corrupts it */
#define SURROGATE_ENDIAN 0x01020304u
#define SURROGATE_VERSION 1u

typedef struct surrogate_head
{
    char magic[8];
    uint32_t endian, version;
    uint64_t bytes; /* length of the file */
    uint64_t source;
    uint32_t facet_count, node_count, level_count;
    uint32_t level_start[SCREE_SURROGATE_LEVELS + 1];
} surrogate_head;

_Static_assert(sizeof(surrogate_head) == 96, "no gaps");
_Static_assert(sizeof(scree_surrogate_node) == 96, "no gaps");
_Static_assert(SCREE_SURROGATE_LEVELS == 12, "the version of the file goes up");

static uint64_t surrogate_file_bytes(uint32_t nodes, uint32_t facets)
{
    return sizeof(surrogate_head) + nodes * (uint64_t)sizeof(scree_surrogate_node) +
           facets * (uint64_t)sizeof(uint32_t) + sizeof(uint64_t);
}

/* ---- writing ---- */

/*  Checksums cover everything, so the file is built in memory first. */
static void lay_out_tree(const scree_surrogate *tree, unsigned char *to, size_t bytes)
{
    surrogate_head head = {.endian = SURROGATE_ENDIAN,
                           .version = SURROGATE_VERSION,
                           .bytes = bytes,
                           .source = tree->source,
                           .facet_count = tree->facet_count,
                           .node_count = tree->node_count,
                           .level_count = tree->level_count};
    size_t node_bytes = tree->node_count * sizeof *tree->nodes, at = sizeof head;
    uint64_t checksum;
    memcpy(head.magic, SURROGATE_MAGIC, sizeof head.magic);
    memcpy(head.level_start, tree->level_start, sizeof head.level_start);
    memcpy(to, &head, sizeof head);
    memcpy(to + at, tree->nodes, node_bytes);
    memcpy(to + at + node_bytes, tree->facet, tree->facet_count * sizeof *tree->facet);
    checksum = scree_checksum(to, bytes - sizeof checksum);
    memcpy(to + bytes - sizeof checksum, &checksum, sizeof checksum);
}

scree_status scree_surrogate_write(const scree_surrogate *tree, const char *path,
                                   scree_error *error)
{
    size_t bytes = (size_t)surrogate_file_bytes(tree->node_count, tree->facet_count);
    scree_memory memory;
    unsigned char *all;
    scree_file file;
    scree_status status;
    scree_memory_init(&memory, &tree->memory.allocator);
    if ((status = scree_memory_take(&memory, bytes, 1, &all)))
        return scree_fail(error, status, "%.150s: no memory for its %zu bytes", path, bytes);
    lay_out_tree(tree, all, bytes);
    status = scree_file_begin(&file, path, &memory.allocator, error);
    if (!status) {
        (void)scree_file_put(&file, all, bytes);
        status = scree_file_commit(&file);
    }
    scree_memory_give(&memory, &all, bytes, 1);
    return status;
}

/* ---- reading ---- */

/*  The head suffices to refuse a wrong file. Here the file has more than a head. */
static size_t surrogate_claim(const unsigned char *bytes, size_t count)
{
    surrogate_head head;
    if (SCREE_NEVER(count < sizeof head))
        return count;
    memcpy(&head, bytes, sizeof head);
    return memcmp(head.magic, SURROGATE_MAGIC, sizeof head.magic) == 0 ? (size_t)head.bytes
                                                                       : sizeof head;
}

static scree_status refuse_tree(const char *path, const scree_surrogate_def *def, size_t byte,
                                const char *what)
{
    return scree_fail(def->error, SCREE_BAD_FILE, "%.150s: byte %zu: %s", path, byte, what);
}

static scree_status check_tree_file(const char *path, const scree_surrogate_def *def,
                                    const scree_file_bytes *file, surrogate_head *head)
{
    uint64_t checksum;
    if (file->count < sizeof *head)
        return refuse_tree(path, def, file->count, "ends within the head");
    memcpy(head, file->bytes, sizeof *head);
    if (memcmp(head->magic, SURROGATE_MAGIC, sizeof head->magic) != 0)
        return refuse_tree(path, def, 0, "is not a surrogate tree");
    if (head->endian != SURROGATE_ENDIAN)
        return refuse_tree(path, def, offsetof(surrogate_head, endian),
                           "is from a machine with another byte order");
    if (head->version != SURROGATE_VERSION)
        return refuse_tree(path, def, offsetof(surrogate_head, version), "is of another version");
    if (head->bytes != file->count ||
        head->bytes != surrogate_file_bytes(head->node_count, head->facet_count))
        return refuse_tree(path, def, file->count, "the file is longer or shorter than it says");
    memcpy(&checksum, file->bytes + file->count - sizeof checksum, sizeof checksum);
    if (checksum != scree_checksum(file->bytes, file->count - sizeof checksum))
        return refuse_tree(path, def, file->count - sizeof checksum, "the checksum does not match");
    if (head->source != scree_surrogate_source(def) ||
        SCREE_NEVER(head->facet_count != def->surface.facet_count))
        return refuse_tree(path, def, offsetof(surrogate_head, source),
                           "is the tree of another mesh or of other settings");
    if (head->node_count == 0)
        return refuse_tree(path, def, offsetof(surrogate_head, node_count),
                           "the nodes do not form a tree over the mesh");
    return SCREE_OK;
}

static scree_status take_tree(const char *path, const scree_surrogate_def *def,
                              const surrogate_head *head, const scree_file_bytes *file,
                              scree_surrogate *tree)
{
    const unsigned char *at = file->bytes + sizeof *head;
    size_t node_bytes = tree->node_count * sizeof *tree->nodes;
    uint8_t *seen;
    scree_status status = scree_memory_take(&tree->memory, tree->facet_count, 1, &seen);
    bool valid;
    if (status)
        return scree_fail(def->error, status, "%.150s: no memory for the tree", path);
    tree->level_count = head->level_count;
    tree->source = head->source;
    memcpy(tree->level_start, head->level_start, sizeof tree->level_start);
    memcpy(tree->nodes, at, node_bytes);
    memcpy(tree->facet, at + node_bytes, tree->facet_count * sizeof *tree->facet);
    valid = scree_surrogate_is_valid(tree, &def->surface, seen);
    scree_memory_give(&tree->memory, &seen, tree->facet_count, 1);
    if (!valid)
        return refuse_tree(path, def, sizeof *head, "the nodes do not form a tree over the mesh");
    scree_surrogate_measure(tree, &def->surface);
    return SCREE_OK;
}

scree_status scree_surrogate_read(const char *path, const scree_surrogate_def *def,
                                  scree_surrogate **tree)
{
    scree_memory memory;
    scree_file_bytes file = {0};
    surrogate_head head = {.node_count = 0};
    scree_status status = scree_surrogate_check(def);
    *tree = NULL;
    if (status)
        return status;
    scree_memory_init(&memory, &def->allocator);
    status = scree_file_read(path, surrogate_claim, &memory, &file, def->error);
    if (!status)
        status = check_tree_file(path, def, &file, &head);
    if (!status &&
        (status = scree_surrogate_allot(&def->allocator, head.node_count, head.facet_count, tree)))
        scree_fail(def->error, status, "%.150s: no memory for the tree", path);
    if (!status && (status = take_tree(path, def, &head, &file, *tree))) {
        scree_surrogate_destroy(*tree);
        *tree = NULL;
    }
    scree_file_bytes_free(&file, &memory);
    return status;
}

/*  Whether nothing is lost if a tree is written there: no file, an empty one, or one that begins like a tree. */
static bool may_be_replaced(const char *path)
{
    char magic[sizeof(((surrogate_head *)NULL)->magic)];
    FILE *file = fopen(path, "rb");
    if (!file)
        return true;
    size_t count = fread(magic, 1, sizeof magic, file);
    bool is_read = !ferror(file);
    fclose(file);
    return is_read && memcmp(magic, SURROGATE_MAGIC, count) == 0;
}

scree_status scree_surrogate_cached(const char *path, const scree_surrogate_def *def,
                                    scree_surrogate **tree, scree_surrogate_origin *origin)
{
    scree_surrogate_origin how = SCREE_SURROGATE_READ;
    scree_status status = scree_surrogate_read(path, def, tree);
    if (status == SCREE_BAD_FILE && !may_be_replaced(path))
        return scree_fail(def->error, status,
                          "%.150s: is not a surrogate tree, and is not overwritten", path);
    if (status == SCREE_BAD_FILE || status == SCREE_IO_ERROR) {
        how = SCREE_SURROGATE_GROWN;
        status = scree_surrogate_create(def, tree);
        if (!status && scree_surrogate_write(*tree, path, def->error))
            how = SCREE_SURROGATE_GROWN_ALONE;
    }
    if (origin)
        *origin = how;
    return status;
}
