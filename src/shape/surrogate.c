/*  Creates surrogate trees, level by level. Each node of a level is fitted, and its facets are split, by one block of
    work, which writes only data of that node. Then the nodes of the next level are numbered. All arrays that grow with
    the surface are allocated before the work begins, so workers do not allocate. */
#include "shape/surrogate.h"
#include "shape/surrogate_fit.h"

#include "base/error.h"
#include "base/hash.h"

#include <math.h>
#include <string.h>

scree_surrogate_def scree_default_surrogate_def(void)
{
    scree_surrogate_def def = {.seed = 1, .tighten = true};
    return def;
}

scree_surface scree_surface_of(const scree_mesh *mesh)
{
    return (scree_surface){.vertices = mesh->vertices,
                           .facets = mesh->facets,
                           .vertex_count = mesh->vertex_count,
                           .facet_count = mesh->facet_count};
}

/* ---- checks ---- */

scree_status scree_surrogate_check(const scree_surrogate_def *def)
{
    const scree_surface *s = &def->surface;
    scree_memory memory;
    if (scree_memory_init(&memory, &def->allocator))
        return scree_fail(def->error, SCREE_BAD_DEF,
                          "surrogates: allocator has some functions, not all");
    if (s->facet_count == 0 || !s->vertices)
        return scree_fail(def->error, SCREE_BAD_ARGUMENT, "surrogates: no facets");
    if (s->facet_count > SCREE_MESH_MAX_FACETS)
        return scree_fail(def->error, SCREE_TOO_LARGE, "surrogates: %u facets, at most %u",
                          s->facet_count, SCREE_MESH_MAX_FACETS);
    for (size_t at = 0; at < 3 * (size_t)s->facet_count; at++) {
        size_t vertex = s->facets ? s->facets[at] : at;
        if (vertex >= s->vertex_count)
            return scree_fail(def->error, SCREE_BAD_ARGUMENT,
                              "surrogates: facet %zu, corner %zu is vertex %zu, but there are %u",
                              at / 3, at % 3, vertex, s->vertex_count);
        for (size_t k = 0; k < 3; k++)
            if (!(fabs(s->vertices[3 * vertex + k]) <= SCREE_MESH_LARGEST))
                return scree_fail(def->error, SCREE_BAD_VALUE,
                                  "surrogates: facet %zu, corner %zu: %c is %g, must be finite and "
                                  "at most 1e60 in magnitude",
                                  at / 3, at % 3, "xyz"[k], s -> vertices[3 * vertex + k]);
    }
    return SCREE_OK;
}

uint64_t scree_surrogate_source(const scree_surrogate_def *def)
{
    const scree_surface *s = &def->surface;
    uint64_t hash = scree_hash_word(SCREE_HASH_START, s->facet_count);
    hash = scree_hash_word(hash, def->seed);
    hash = scree_hash_word(hash, def->tighten);
    for (size_t at = 0; at < 3 * (size_t)s->facet_count; at++) {
        size_t vertex = s->facets ? s->facets[at] : at;
        for (size_t k = 0; k < 3; k++)
            hash = scree_hash_number(hash, s->vertices[3 * vertex + k] + 0.0); /* -0 becomes 0 */
    }
    return hash;
}

/* ---- creation, level by level ---- */

typedef struct surrogate_job
{
    scree_surrogate *tree;
    const scree_surrogate_def *def;
    uint32_t (*size)[SCREE_SURROGATE_WIDTH]; /* facets of each child, by node */
    double (*middle)[3];
    double *regret;
    uint32_t *cluster, *rank, *spare;
    scree_surrogate_room *rooms; /* one for each worker */
    uint32_t worker_count;
    uint32_t first; /* first node of this level */
} surrogate_job;

/*  As few as keep leaves full: 9 facets have 2 children, not 8 of about one each. */
static uint32_t children_of(uint32_t facets)
{
    uint32_t children = (facets + SCREE_SURROGATE_WIDTH - 1) / SCREE_SURROGATE_WIDTH;
    return facets <= SCREE_SURROGATE_WIDTH    ? 0
           : children < SCREE_SURROGATE_WIDTH ? children
                                              : SCREE_SURROGATE_WIDTH;
}

/*  Largest number of nodes of a tree over so many facets. Siblings differ by one facet at most, and an uneven larger
    one only makes more nodes, so all count as the larger. */
static size_t max_nodes(uint32_t facets)
{
    size_t nodes = 0, level = 1;
    for (uint32_t most = facets;; most = (most - 1) / children_of(most) + 1) {
        nodes += level;
        if (children_of(most) == 0)
            return nodes;
        level *= children_of(most);
    }
}

static void grow_node(void *data, size_t block, uint32_t worker)
{
    surrogate_job *job = data;
    scree_surrogate *tree = job->tree;
    uint32_t number = job->first + (uint32_t)block;
    scree_surrogate_node *node = &tree->nodes[number];
    uint32_t *order = tree->facet + node->begin;
    scree_facet_set set = {&job->def->surface, order, node->end - node->begin};
    const scree_cluster_room room = {
        .middle = (const double(*)[3])job->middle,
        .regret = job->regret + node->begin,
        .cluster = job->cluster + node->begin,
        .rank = job->rank + node->begin,
        .spare = job->spare + node->begin,
    };
    scree_surrogate_fit(&set, job->def->tighten, &job->rooms[worker], node->corner, &node->radius);
    node->children = children_of(set.count);
    if (node->children > 0)
        scree_surrogate_split(order, set.count, node->children, job->def->seed, number, &room,
                              job->size[number]);
}

/*  Children of this level's nodes, which are the next level. */
static void number_children(const surrogate_job *job, uint32_t end)
{
    scree_surrogate *tree = job->tree;
    for (uint32_t n = job->first; n < end; n++) {
        scree_surrogate_node *node = &tree->nodes[n];
        uint32_t begin = node->begin;
        node->child = node->children > 0 ? tree->node_count : 0;
        for (uint32_t c = 0; c < node->children; c++) {
            scree_surrogate_node *child = &tree->nodes[tree->node_count++];
            child->begin = begin;
            child->end = begin += job->size[n][c];
        }
    }
}

static void grow_levels(surrogate_job *job)
{
    static const scree_workers alone = {.count = 1};
    const scree_workers *workers = job->def->workers ? job->def->workers : &alone;
    scree_surrogate *tree = job->tree;
    tree->nodes[0] = (scree_surrogate_node){.end = tree->facet_count};
    tree->node_count = 1;
    while (job->first < tree->node_count) {
        uint32_t end = tree->node_count;
        scree_workers_run(workers, end - job->first, grow_node, job);
        number_children(job, end);
        tree->level_start[tree->level_count++] = job->first;
        job->first = end;
    }
    for (uint32_t k = tree->level_count; k <= SCREE_SURROGATE_LEVELS; k++)
        tree->level_start[k] = tree->node_count;
}

/*  Sums of the corners, relative to the first: clustering uses middles, and a factor of three does not change the
    clusters. */
static void set_middles(const surrogate_job *job)
{
    const scree_facet_set all = {&job->def->surface, job->tree->facet, job->tree->facet_count};
    const double *origin = scree_facet_corner(&all, 0, 0);
    for (uint32_t f = 0; f < all.count; f++)
        for (uint32_t k = 0; k < 3; k++) {
            job->middle[f][k] = 0;
            for (uint32_t c = 0; c < 3; c++)
                job->middle[f][k] += scree_facet_corner(&all, f, c)[k] - origin[k];
        }
}

void scree_surrogate_measure(scree_surrogate *tree, const scree_surface *surface)
{
    const scree_facet_set all = {surface, tree->facet, tree->facet_count};
    tree->reach = 0;
    for (uint32_t n = 0; n < tree->node_count; n++)
        for (int k = 0; k < 9; k++)
            tree->reach = scree_larger_of(tree->reach, fabs(tree->nodes[n].corner[k / 3][k % 3]));
    for (size_t at = 0; at < 9 * (size_t)all.count; at++) {
        const double *x = scree_facet_corner(&all, (uint32_t)(at / 9), (uint32_t)(at / 3 % 3));
        tree->reach = scree_larger_of(tree->reach, fabs(x[at % 3]));
    }
}

/* ---- memory ---- */

#define SURROGATE_SCRATCH(X)                                                                       \
    X(size, nodes)                                                                                 \
    X(middle, facets)                                                                              \
    X(regret, facets)                                                                              \
    X(cluster, facets)                                                                             \
    X(rank, facets)                                                                                \
    X(spare, facets)                                                                               \
    X(rooms, workers)

static void give_scratch(surrogate_job *job, size_t nodes)
{
    size_t facets = job->tree->facet_count, workers = job->worker_count;
#define X(name, count) scree_memory_give(&job->tree->memory, &job->name, count, sizeof *job->name);
    SURROGATE_SCRATCH(X)
#undef X
}

static scree_status take_surrogate_scratch(surrogate_job *job, size_t nodes)
{
    scree_memory *memory = &job->tree->memory;
    size_t facets = job->tree->facet_count, workers = job->worker_count;
    scree_status status = SCREE_OK;
#define X(name, count)                                                                             \
    if (!status)                                                                                   \
        status = scree_memory_take(memory, count, sizeof *job->name, &job->name);
    SURROGATE_SCRATCH(X)
#undef X
    return status;
}

/*  Nodes are allocated for the maximum; a copy at the end releases the rest. */
static scree_status fit_memory(scree_surrogate *tree, size_t most)
{
    scree_surrogate_node *nodes;
    scree_status status = scree_memory_take(&tree->memory, tree->node_count, sizeof *nodes, &nodes);
    if (status)
        return status;
    memcpy(nodes, tree->nodes, tree->node_count * sizeof *nodes);
    scree_memory_give(&tree->memory, &tree->nodes, most, sizeof *nodes);
    tree->nodes = nodes;
    return SCREE_OK;
}

static scree_status grow_tree_of(scree_surrogate *tree, const scree_surrogate_def *def)
{
    surrogate_job job = {.tree = tree, .def = def};
    size_t most = max_nodes(tree->facet_count);
    scree_status status;
    job.worker_count = def->workers ? def->workers->count : 1;
    status = scree_memory_take(&tree->memory, tree->facet_count, sizeof *tree->facet, &tree->facet);
    if (!status)
        status = scree_memory_take(&tree->memory, most, sizeof *tree->nodes, &tree->nodes);
    if (!status)
        status = take_surrogate_scratch(&job, most);
    if (!status) {
        for (uint32_t f = 0; f < tree->facet_count; f++)
            tree->facet[f] = f;
        set_middles(&job);
        grow_levels(&job);
        scree_surrogate_measure(tree, &def->surface);
    }
    give_scratch(&job, most);
    if (!status)
        status = fit_memory(tree, most);
    if (status)
        scree_memory_give(&tree->memory, &tree->nodes, most, sizeof *tree->nodes);
    return status;
}

static scree_status allot_tree(const scree_allocator *allocator, uint32_t facets,
                               scree_surrogate **tree)
{
    scree_memory memory;
    scree_status status = scree_memory_init(&memory, allocator);
    *tree = NULL;
    if (status || (status = scree_memory_take(&memory, 1, sizeof **tree, tree)))
        return status;
    **tree = (scree_surrogate){.facet_count = facets};
    scree_memory_init(&(*tree)->memory, allocator);
    return SCREE_OK;
}

scree_status scree_surrogate_allot(const scree_allocator *allocator, uint32_t nodes,
                                   uint32_t facets, scree_surrogate **tree)
{
    scree_status status = allot_tree(allocator, facets, tree);
    if (status)
        return status;
    (*tree)->node_count = nodes;
    status = scree_memory_take(&(*tree)->memory, nodes, sizeof *(*tree)->nodes, &(*tree)->nodes);
    if (!status)
        status =
            scree_memory_take(&(*tree)->memory, facets, sizeof *(*tree)->facet, &(*tree)->facet);
    if (status) {
        scree_surrogate_destroy(*tree);
        *tree = NULL;
    }
    return status;
}

scree_status scree_surrogate_create(const scree_surrogate_def *def, scree_surrogate **tree)
{
    scree_status status = scree_surrogate_check(def);
    *tree = NULL;
    if (status)
        return status;
    status = allot_tree(&def->allocator, def->surface.facet_count, tree);
    if (!status && (status = grow_tree_of(*tree, def))) {
        scree_surrogate_destroy(*tree);
        *tree = NULL;
    }
    if (status)
        return scree_fail(def->error, status, "surrogates: out of memory");
    (*tree)->source = scree_surrogate_source(def);
    return SCREE_OK;
}

void scree_surrogate_destroy(scree_surrogate *tree)
{
    scree_memory memory;
    if (!tree)
        return;
    scree_memory_give(&tree->memory, &tree->nodes, tree->node_count, sizeof *tree->nodes);
    scree_memory_give(&tree->memory, &tree->facet, tree->facet_count, sizeof *tree->facet);
    scree_memory_init(&memory, &tree->memory.allocator);
    scree_memory_give(&memory, &tree, 1, sizeof *tree);
}
