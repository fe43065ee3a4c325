/*  NOTHING IS MISSED. If a vertex is nearer to a triangle than the contact skins, so are all triangles around it, and
    the pair with the first of them is among the contacts. So each vertex is tested in the rows of its first facet, and
    each pair of edges with the first facets of both. */
#include "narrow/mesh_features.h"

#include "narrow/mesh_feature_parts.h"

#include <stdlib.h>

scree_mesh_feature *scree_feature_push(scree_mesh_features *work, scree_memory *memory)
{
    if (scree_memory_reserve(memory, &work->features, &work->capacity, work->count + 1,
                             sizeof *work->features))
        return NULL;
    memset(&work->features[work->count], 0, sizeof *work->features);
    return &work->features[work->count++];
}

/*  Pairs are {facet of bodies[from], facet of the other}, in this order, grouped by facet. */
static scree_status test_vertices(scree_mesh_features *work, scree_memory *memory,
                                  const scree_feature_search *search, int from,
                                  const uint64_t *pairs, size_t count)
{
    const scree_mesh *mesh = search->bodies[from].mesh;
    scree_status status = SCREE_OK;

    for (size_t k = 0, end; k < count && !status; k = end) {
        uint32_t facet = (uint32_t)(pairs[k] >> 32);
        for (end = k + 1; end < count && pairs[end] >> 32 == facet; end++)
            ;
        for (size_t c = 0; c < 3 && !status; c++) {
            uint32_t vertex = mesh->facets[3 * (size_t)facet + c];
            if (mesh->vertex_facet[mesh->vertex_start[vertex]] != facet)
                continue;
            scree_feature_vertex v = scree_feature_place_vertex(search, from, facet, vertex);
            for (size_t n = k; n < end; n++)
                scree_feature_compare_vertex(search, &v, (uint32_t)pairs[n]);
            status = scree_feature_take_vertex(work, memory, search, &v);
        }
    }
    return status;
}

static scree_status test_pair(scree_mesh_features *work, scree_memory *memory,
                              const scree_feature_search *search, const uint32_t facet[2])
{
    scree_feature_edge other[3];
    size_t others = 0;
    scree_status status = SCREE_OK;

    for (size_t c = 0; c < 3; c++)
        if (scree_feature_begins_edge(search->bodies[1].mesh, facet[1], c))
            other[others++] = scree_feature_place_edge(search, 1, facet[1], c);
    for (size_t c = 0; c < 3 && others; c++) {
        if (!scree_feature_begins_edge(search->bodies[0].mesh, facet[0], c))
            continue;
        scree_feature_edge mine = scree_feature_place_edge(search, 0, facet[0], c);
        for (size_t d = 0; d < others && !status; d++)
            status = scree_feature_take_edges(work, memory, search, &mine, &other[d]);
    }
    return status;
}

static int compare_words(const void *a, const void *b)
{
    uint64_t first = *(const uint64_t *)a, second = *(const uint64_t *)b;
    return (first > second) - (first < second);
}

scree_status scree_mesh_find_features(scree_mesh_features *work, scree_memory *memory,
                                      const scree_mesh_body bodies[2],
                                      const scree_mesh_skin skins[2], double thickness,
                                      const scree_mesh_touch *contacts, size_t count)
{
    const scree_feature_search search = {.bodies = bodies,
                                         .skins = skins,
                                         .reach = bodies[0].skin + bodies[1].skin,
                                         .thickness = thickness};
    scree_status status;

    work->count = 0;
    if (count == 0)
        return SCREE_OK;
    status = scree_memory_reserve(memory, &work->turned, &work->turned_capacity, count,
                                  sizeof *work->turned);
    for (int from = 0; from < 2 && !status; from++) {
        for (size_t k = 0; k < count; k++)
            work->turned[k] = (uint64_t)contacts[k].facet[from] << 32 | contacts[k].facet[1 - from];
        if (from == 1)
            qsort(work->turned, count, sizeof *work->turned, compare_words);
        status = test_vertices(work, memory, &search, from, work->turned, count);
    }
    for (size_t k = 0; k < count && !status; k++)
        status = test_pair(work, memory, &search, contacts[k].facet);
    if (status)
        work->count = 0;
    return status;
}

void scree_mesh_features_free(scree_mesh_features *work, scree_memory *memory)
{
    scree_memory_give(memory, &work->features, work->capacity, sizeof *work->features);
    scree_memory_give(memory, &work->turned, work->turned_capacity, sizeof *work->turned);
    scree_memory_give(memory, &work->pairs, work->pair_capacity, sizeof *work->pairs);
    for (int side = 0; side < 2; side++)
        scree_facet_list_free(&work->edges[side], memory);
    scree_facet_list_free(&work->facets, memory);
    work->count = work->capacity = work->turned_capacity = work->pair_capacity = 0;
}
