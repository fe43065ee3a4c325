/*  Any bytes as the file of a surrogate tree: as they are, then with the checksum made right, then with the length and the
    mesh that it is for, so that what stands behind these is reached too. What is refused must be refused with a reason; a tree
    that is accepted must hold each facet in the halo of each node above it. */
#include "harness/slow_nearest.h"
#include "io/checksum.h"
#include "io/surrogate_file.h"
#include "scratch_folder.h"

#include <math.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* ---- the mesh ---- */

#define ROWS 4u /* of vertices; a net with bumps */
#define FACETS (2 * (ROWS - 1) * (ROWS - 1))

/*  Where things are in a file; docs/files.md. */
enum
{
    BYTES_AT = 16,
    SOURCE_AT = 24,
    FACETS_AT = 32,
    NODES_AT = 36,
    HEAD_BYTES = 96,
};

static double vertices[3 * ROWS * ROWS];
static uint32_t facets[3 * FACETS];

static scree_surrogate_def make_def(scree_error *error)
{
    scree_surrogate_def def = scree_default_surrogate_def();
    uint32_t *facet = facets;

    for (uint32_t i = 0; i < ROWS * ROWS; i++) {
        vertices[3 * i] = i % ROWS;
        vertices[3 * i + 1] = i / ROWS; /* whole */
        vertices[3 * i + 2] = 0.3 * (i * i % 5);
    }
    for (uint32_t row = 0; row + 1 < ROWS; row++)
        for (uint32_t i = 0; i + 1 < ROWS; i++) {
            const uint32_t at = row * ROWS + i;
            const uint32_t six[6] = {at, at + 1, at + ROWS, at + 1, at + ROWS + 1, at + ROWS};
            memcpy(facet, six, sizeof six);
            facet += 6;
        }
    def.surface = (scree_surface){vertices, facets, ROWS * ROWS, FACETS};
    def.error = error;
    return def;
}

/* ---- what is insisted on ---- */

static void insist_holds(const scree_surrogate *tree)
{
    insist(tree->node_count > 0 && tree->facet_count == FACETS, "as many facets as the mesh");
    for (uint32_t n = 0; n < tree->node_count; n++) {
        const scree_surrogate_node *node = &tree->nodes[n];
        insist(node->begin < node->end && node->end <= FACETS, "facets of a node");
        insist(node->child < tree->node_count && node->children <= tree->node_count - node->child,
               "children of a node");
        uint32_t corners[3] = {0, 1, 2};
        double at[9];
        memcpy(at, node->corner, sizeof at);
        const scree_mesh triangle = {.vertices = at, .facets = corners};
        for (uint32_t f = 3 * node->begin; f < 3 * node->end; f++) {
            long double point[3];
            const double *corner = &vertices[3 * facets[3 * tree->facet[f / 3] + f % 3]];
            const double away = sqrt((double)nearest_slowly(&triangle, 0, corner, point));
            insist(away <= node->radius * (1 + 1e-9) + 1e-12 * tree->reach,
                   "a facet lies in the halo");
        }
    }
}

static scree_status try_file(const uint8_t *bytes, size_t size, bool also_cached)
{
    char path[SCRATCH_PATH];
    scree_error error = {SCREE_OK, ""};
    scree_surrogate_def def = make_def(&error);
    scree_surrogate_origin origin;
    scree_surrogate *tree;

    scratch_write("tree", bytes, size);
    scratch_path(path, "tree");
    const scree_status status = scree_surrogate_read(path, &def, &tree);
    insist((status == SCREE_OK) == (tree != NULL), "a tree or a reason");
    if (!status)
        insist_holds(tree);
    else
        insist(status == SCREE_BAD_FILE && strncmp(error.text, path, strlen(path)) == 0,
               "a reason");
    scree_surrogate_destroy(tree);
    if (!also_cached)
        return status;
    const bool is_tree = memcmp(bytes, "\211surro\r\n", size < 8 ? size : 8) == 0;
    insist((scree_surrogate_cached(path, &def, &tree, &origin) == SCREE_OK) == is_tree,
           "only a tree is replaced");
    if (is_tree)
        insist_holds(tree);
    scree_surrogate_destroy(tree);
    return status;
}

static void put_whole(uint8_t *at, uint64_t value)
{
    memcpy(at, &value, sizeof value);
}

static void repair(uint8_t *bytes, size_t size)
{
    if (size >= sizeof(uint64_t))
        put_whole(bytes + size - sizeof(uint64_t), scree_checksum(bytes, size - sizeof(uint64_t)));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    scree_error error;
    uint8_t *copy = calloc(size ? size : 1, 1);

    insist(copy != NULL, "memory for the target");
    if (size)
        memcpy(copy, data, size);
    (void)try_file(copy, size, true);
    repair(copy, size);
    (void)try_file(copy, size, false);
    if (size > HEAD_BYTES + sizeof(uint64_t)) {
        const scree_surrogate_def def = make_def(&error);
        const uint32_t count = FACETS;
        put_whole(copy + BYTES_AT, size);
        put_whole(copy + SOURCE_AT, scree_surrogate_source(&def));
        memcpy(copy + FACETS_AT, &count, sizeof count);
        repair(copy, size);
        (void)try_file(copy, size, false);
    }
    free(copy);
    return 0;
}
