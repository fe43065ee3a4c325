/*  All ways of finding the touching triangles of two meshes: one row each, held against the double. */
#ifndef SCREE_TESTS_MESH_ENGINES_H
#define SCREE_TESTS_MESH_ENGINES_H

#include "narrow/mesh_boxes.h"

typedef struct mesh_engine
{
    const char *name;
    scree_status (*find)(scree_mesh_finder *finder, const scree_mesh_body *a,
                         const scree_mesh_body *b);
} mesh_engine;

static const mesh_engine mesh_engines[] = {
    {"all pairs", scree_mesh_find_all},
    {"boxes", scree_mesh_find_boxes},
};

#endif
