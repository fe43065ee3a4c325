/*  Connectivity of facets: shared edges and vertices, boundaries of the surface, and the sides of normals. */
#include "shape/mesh.h"

#include "base/radix_sort.h"

#include <string.h>

/* ---- edges ---- */

/*  Half edge h = facet * corners + k is edge k of that facet. Its key is made of its two vertices; for the end of a
    segment, the vertex twice. */
static uint64_t key_of_half_edge(const scree_mesh *mesh, size_t facet, int k)
{
    const uint32_t *vertex = mesh->facets + facet * (size_t)mesh->corners;
    uint64_t a = vertex[k], b = vertex[mesh->corners == 3 ? (k + 1) % 3 : k];
    return a < b ? a << 32 | b : b << 32 | a;
}

/*  Direction of a facet along its edge k: two facets with normals on the same side have opposite directions. For
    segments: whether it begins there. */
static bool goes_up(const scree_mesh *mesh, size_t facet, int k)
{
    const uint32_t *vertex = mesh->facets + facet * (size_t)mesh->corners;
    return mesh->corners == 3 ? vertex[k] < vertex[(k + 1) % 3] : k == 0;
}

static int edge_place(const scree_mesh *mesh, size_t facet, uint32_t edge)
{
    const uint32_t *edge_of = mesh->edge_of + facet * (size_t)mesh->corners;
    int k = 0;
    while (edge_of[k] != edge)
        k++;
    return k;
}

/*  Whether the two facets of an edge have the same direction along it. */
static bool is_turned(const scree_mesh *mesh, uint32_t edge)
{
    const uint32_t *pair = mesh->edge_facet + mesh->edge_start[edge];
    return goes_up(mesh, pair[0], edge_place(mesh, pair[0], edge)) ==
           goes_up(mesh, pair[1], edge_place(mesh, pair[1], edge));
}

/*  Half edges sorted by key: equal ones are adjacent, ordered by facet. */
static void name_edges(scree_mesh *mesh, const uint64_t *key, const uint32_t *half_edge,
                       size_t count)
{
    uint32_t edge = 0;
    for (size_t i = 0; i < count; i++) {
        if (i > 0 && key[i] != key[i - 1])
            edge++;
        if (i == 0 || key[i] != key[i - 1])
            mesh->edge_start[edge] = (uint32_t)i;
        mesh->edge_of[half_edge[i]] = edge;
        mesh->edge_facet[i] = half_edge[i] / (uint32_t)mesh->corners;
    }
    mesh->edge_start[mesh->edge_count] = (uint32_t)count;
}

static scree_status find_edges(scree_mesh *mesh, uint64_t *key, uint32_t *half_edge, size_t count)
{
    static const scree_workers alone = {.count = 1};
    scree_sorter sorter = {0};
    scree_status status;
    uint32_t edges = 1;
    for (size_t h = 0; h < count; h++) {
        size_t corners = (size_t)mesh->corners;
        key[h] = key_of_half_edge(mesh, h / corners, (int)(h % corners));
        half_edge[h] = (uint32_t)h;
    }
    status = scree_sort_u64(&sorter, &mesh->memory, &alone, key, half_edge, count);
    scree_sorter_free(&sorter, &mesh->memory);
    if (status)
        return status;
    for (size_t i = 1; i < count; i++)
        edges += key[i] != key[i - 1];
    if ((status = scree_memory_take(&mesh->memory, edges, 1, &mesh->edge_is_rim)))
        return status;
    mesh->edge_count =
        edges; /* free_mesh knows this from here on, with all arrays of that length */
    if ((status = scree_memory_take(&mesh->memory, (size_t)edges + 1, sizeof(uint32_t),
                                    &mesh->edge_start)))
        return status;
    name_edges(mesh, key, half_edge, count);
    return SCREE_OK;
}

static void count_edges(scree_mesh *mesh)
{
    for (uint32_t e = 0; e < mesh->edge_count; e++) {
        uint32_t facets = mesh->edge_start[e + 1] - mesh->edge_start[e];
        mesh->open_edges += facets == 1;
        mesh->nonmanifold_edges += facets > 2;
        mesh->flipped_edges += facets == 2 && is_turned(mesh, e);
    }
}

/* ---- vertices ---- */

static void list_facets_of_vertices(scree_mesh *mesh, size_t corners)
{
    uint32_t *start = mesh->vertex_start, sum = 0;
    memset(start, 0, ((size_t)mesh->vertex_count + 1) * sizeof *start);
    for (size_t c = 0; c < corners; c++)
        start[mesh->facets[c]]++;
    for (size_t v = 0; v < mesh->vertex_count; v++) {
        uint32_t count = start[v];
        start[v] = sum;
        sum += count;
    }
    for (size_t c = 0; c < corners; c++)
        mesh->vertex_facet[start[mesh->facets[c]]++] = (uint32_t)c / (uint32_t)mesh->corners;
    /* each start has become the next one's */
    memmove(start + 1, start, (size_t)mesh->vertex_count * sizeof *start);
    start[0] = 0;
}

/* ---- patches ---- */

/*  Appends to `queue` all facets that can be reached from its first. Returns whether their normals can all be on one
    side. */
static bool flood(scree_mesh *mesh, uint32_t *queue, uint32_t *end, uint32_t patch)
{
    bool has_sides = true;
    for (uint32_t at = *end - 1; at < *end; at++) {
        uint32_t facet = queue[at];
        for (int k = 0; k < mesh->corners; k++) {
            uint32_t edge = mesh->edge_of[(size_t)facet * (size_t)mesh->corners + (size_t)k];
            const uint32_t *pair = mesh->edge_facet + mesh->edge_start[edge];
            if (mesh->edge_start[edge + 1] - mesh->edge_start[edge] != 2)
                continue;
            uint32_t other = pair[0] == facet ? pair[1] : pair[0];
            int8_t turn = (int8_t)(is_turned(mesh, edge) ? -mesh->turn[facet] : mesh->turn[facet]);
            if (mesh->turn[other] == 0) {
                mesh->turn[other] = turn;
                mesh->patch[other] = patch;
                queue[(*end)++] = other;
            } else if (mesh->turn[other] != turn) {
                has_sides = false;
            }
        }
    }
    return has_sides;
}

/*  Turns of a patch without sides stay 1 or -1 until all patches are known: 0 means not visited yet. */
static void find_patches(scree_mesh *mesh, uint32_t *queue, uint8_t *without_sides)
{
    uint32_t end = 0, patch = 0;
    memset(mesh->turn, 0, mesh->facet_count);
    for (uint32_t f = 0; f < mesh->facet_count; f++) {
        if (mesh->turn[f] != 0)
            continue;
        mesh->turn[f] = 1;
        mesh->patch[f] = patch;
        queue[end++] = f;
        without_sides[patch] = !flood(mesh, queue, &end, patch);
        patch++;
    }
    for (uint32_t f = 0; f < mesh->facet_count; f++)
        if (without_sides[mesh->patch[f]])
            mesh->turn[f] = 0;
}

/* ---- boundaries ---- */

static void mark_edges(scree_mesh *mesh)
{
    for (uint32_t e = 0; e < mesh->edge_count; e++) {
        uint32_t first = mesh->edge_start[e];
        mesh->edge_is_rim[e] =
            mesh->edge_start[e + 1] - first != 2 || mesh->turn[mesh->edge_facet[first]] == 0;
    }
}

/*  The edge of a facet that ends at one of its vertices, other than `edge`. */
static uint32_t other_edge_at(const scree_mesh *mesh, uint32_t facet, uint32_t vertex,
                              uint32_t edge)
{
    size_t first = (size_t)facet * (size_t)mesh->corners;
    for (size_t k = 0; k < 3; k++) {
        bool ends_here =
            mesh->facets[first + k] == vertex || mesh->facets[first + (k + 1) % 3] == vertex;
        if (ends_here && mesh->edge_of[first + k] != edge)
            return mesh->edge_of[first + k];
    }
    return edge;
}

/*  Whether one walk from facet to facet, over edges with two facets, visits all triangles of a vertex and returns. */
static bool is_one_fan(const scree_mesh *mesh, uint32_t vertex)
{
    uint32_t begin = mesh->vertex_start[vertex], end = mesh->vertex_start[vertex + 1];
    uint32_t first = mesh->vertex_facet[begin], facet = first, edge = UINT32_MAX, steps = 0;
    do {
        edge = other_edge_at(mesh, facet, vertex, edge);
        if (mesh->edge_is_rim[edge])
            return false;
        const uint32_t *pair = mesh->edge_facet + mesh->edge_start[edge];
        facet = pair[0] == facet ? pair[1] : pair[0];
        steps++;
    } while (facet != first && steps < end - begin);
    return facet == first && steps == end - begin;
}

static void mark_boundaries(scree_mesh *mesh)
{
    mark_edges(mesh);
    for (uint32_t v = 0; v < mesh->vertex_count; v++)
        mesh->vertex_is_rim[v] = mesh->corners == 3 ? !is_one_fan(mesh, v) : mesh->edge_is_rim[v];
}

/* ---- all stages ---- */

static scree_status take_arrays(scree_mesh *mesh, size_t corners)
{
    scree_memory *memory = &mesh->memory;
    size_t facets = mesh->facet_count, vertices = mesh->vertex_count;
    scree_status status;
    if ((status = scree_memory_take(memory, corners, sizeof(uint32_t), &mesh->edge_of)) ||
        (status = scree_memory_take(memory, corners, sizeof(uint32_t), &mesh->edge_facet)) ||
        (status = scree_memory_take(memory, corners, sizeof(uint32_t), &mesh->vertex_facet)) ||
        (status = scree_memory_take(memory, vertices + 1, sizeof(uint32_t), &mesh->vertex_start)) ||
        (status = scree_memory_take(memory, vertices, 1, &mesh->vertex_is_rim)) ||
        (status = scree_memory_take(memory, facets, sizeof(uint32_t), &mesh->patch)))
        return status;
    return scree_memory_take(memory, facets, 1, &mesh->turn);
}

scree_status scree_mesh_link(scree_mesh *mesh)
{
    size_t corners = (size_t)mesh->facet_count * (size_t)mesh->corners;
    uint64_t *key = NULL;
    uint32_t *half_edge = NULL;
    scree_status status;
    if ((status = take_arrays(mesh, corners)) ||
        (status = scree_memory_take(&mesh->memory, corners, sizeof *key, &key)) ||
        (status = scree_memory_take(&mesh->memory, corners, sizeof *half_edge, &half_edge)) ||
        (status = find_edges(mesh, key, half_edge, corners)))
        goto done;
    list_facets_of_vertices(mesh, corners);
    /* both arrays are no longer needed and long enough to be reused */
    find_patches(mesh, half_edge, (uint8_t *)key);
    mark_boundaries(mesh);
    count_edges(mesh);
done:
    scree_memory_give(&mesh->memory, &half_edge, corners, sizeof *half_edge);
    scree_memory_give(&mesh->memory, &key, corners, sizeof *key);
    return status;
}
