/*  scree itself, through the same harness: the question that none of the others answers. */
#include "mesh_peer.h"

#include "cases/mesh_case.h"
#include "narrow/mesh_surrogate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct searching
{
    scree_memory memory;
    scree_mesh *mesh[2];
    scree_mesh_boxes boxes[2];
    scree_surrogate *tree[2];
    scree_mesh_body body[2];
    scree_mesh_finder finder;
    scree_surrogate_search search;
    bool by_surrogates;
} searching;

static void check(scree_status status)
{
    if (!status)
        return;
    puts("failed: no memory");
    exit(1);
}

static searching *create(const mesh_peer_case *two, bool by_surrogates)
{
    searching *s = calloc(1, sizeof *s);
    check(s ? SCREE_OK : SCREE_OUT_OF_MEMORY);
    scree_memory_init(&s->memory, NULL);
    s->by_surrogates = by_surrogates;
    check(scree_mesh_finder_init(&s->finder, &s->memory, SCREE_SIMD_AUTO));
    scree_surrogate_search_init(&s->search, &s->memory);
    for (int k = 0; k < 2; k++) {
        const mesh_peer_body *from = &two->body[k];
        scree_mesh_def def = scree_default_mesh_def();
        def.vertices = from->vertices;
        def.vertex_count = from->vertex_count;
        def.facets = from->facets;
        def.facet_count = from->facet_count;
        check(scree_mesh_create(&def, &s->mesh[k]));
        s->body[k] = (scree_mesh_body){.mesh = s->mesh[k], .skin = two->reach / 2};
        memcpy(s->body[k].pose.place, from->place, sizeof from->place);
        memcpy(s->body[k].pose.turn, from->turn, sizeof from->turn);
    }
    return s;
}

static void *create_boxes(const mesh_peer_case *two)
{
    return create(two, false);
}

static void *create_surrogates(const mesh_peer_case *two)
{
    return create(two, true);
}

static void build(void *state)
{
    searching *s = state;
    for (int k = 0; k < 2; k++)
        if (s->by_surrogates) {
            scree_surrogate_def def = scree_default_surrogate_def();
            def.surface = scree_surface_of(s->mesh[k]);
            check(scree_surrogate_create(&def, &s->tree[k]));
            s->body[k].tree = s->tree[k];
        } else {
            check(scree_mesh_boxes_init(&s->boxes[k], s->mesh[k], &s->memory));
            s->body[k].boxes = &s->boxes[k];
        }
}

static double find(void *state)
{
    searching *s = state;
    if (s->by_surrogates)
        check(scree_mesh_find_surrogates(&s->finder, &s->search, NULL, &s->body[0], &s->body[1]));
    else
        check(scree_mesh_find_boxes(&s->finder, &s->body[0], &s->body[1]));
    return (double)s->finder.contact_count;
}

static void destroy(void *state)
{
    searching *s = state;
    scree_mesh_finder_free(&s->finder);
    scree_surrogate_search_free(&s->search);
    for (int k = 0; k < 2; k++) {
        if (s->by_surrogates)
            scree_surrogate_destroy(s->tree[k]);
        else
            scree_mesh_boxes_free(&s->boxes[k], &s->memory);
        scree_mesh_release(s->mesh[k]);
    }
    free(s);
}

static const mesh_peer_variant variants[] = {
    {"scree", "all pairs within reach, with points", create_boxes, build, NULL, find, destroy},
    {"scree-surrogate", "all pairs within reach, with points", create_surrogates, build, NULL, find,
     destroy},
    {NULL, NULL, NULL, NULL, NULL, NULL, NULL},
};

const mesh_peer_library mesh_peer_this = {SCREE_VERSION_TEXT, variants};
