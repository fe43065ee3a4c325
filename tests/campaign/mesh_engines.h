/*  All ways of finding the touching triangles of two meshes: one row each, compared with the double. */
#ifndef SCREE_TESTS_MESH_ENGINES_H
#define SCREE_TESTS_MESH_ENGINES_H

#include "narrow/mesh_boxes.h"
#include "narrow/mesh_surrogate.h"

typedef struct mesh_engine
{
    const char *name;
    scree_status (*find)(scree_mesh_finder *finder, scree_surrogate_search *search,
                         const scree_mesh_body *a, const scree_mesh_body *b);
} mesh_engine;

static scree_status find_by_all(scree_mesh_finder *finder, scree_surrogate_search *search,
                                const scree_mesh_body *a, const scree_mesh_body *b)
{
    (void)search;
    return scree_mesh_find_all(finder, a, b);
}

static scree_status find_by_boxes(scree_mesh_finder *finder, scree_surrogate_search *search,
                                  const scree_mesh_body *a, const scree_mesh_body *b)
{
    (void)search;
    return scree_mesh_find_boxes(finder, a, b);
}

static scree_status find_by_surrogates(scree_mesh_finder *finder, scree_surrogate_search *search,
                                       scree_surrogate_traversal traversal,
                                       const scree_mesh_body *a, const scree_mesh_body *b)
{
    search->traversal = traversal;
    return scree_mesh_find_surrogates(finder, search, NULL, a, b);
}

static scree_status find_by_pairs(scree_mesh_finder *finder, scree_surrogate_search *search,
                                  const scree_mesh_body *a, const scree_mesh_body *b)
{
    return find_by_surrogates(finder, search, SCREE_SURROGATE_PAIRS, a, b);
}

static scree_status find_by_sets(scree_mesh_finder *finder, scree_surrogate_search *search,
                                 const scree_mesh_body *a, const scree_mesh_body *b)
{
    return find_by_surrogates(finder, search, SCREE_SURROGATE_SETS, a, b);
}

static scree_status find_by_sides(scree_mesh_finder *finder, scree_surrogate_search *search,
                                  const scree_mesh_body *a, const scree_mesh_body *b)
{
    return find_by_surrogates(finder, search, SCREE_SURROGATE_SIDES, a, b);
}

static const mesh_engine mesh_engines[] = {
    {"all pairs", find_by_all},         {"boxes", find_by_boxes},
    {"surrogate pairs", find_by_pairs}, {"surrogate sets", find_by_sets},
    {"surrogate sides", find_by_sides},
};

#endif
