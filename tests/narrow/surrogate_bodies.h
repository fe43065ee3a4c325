/*  Bodies with surrogate trees in poses, a search among them, and the truth to hold it against. */
#ifndef SCREE_TESTS_SURROGATE_BODIES_H
#define SCREE_TESTS_SURROGATE_BODIES_H

#include "harness/surrogate_maker.h"
#include "narrow/mesh_surrogate.h"

typedef struct body
{
    scree_mesh *mesh;
    scree_surrogate *tree;
    scree_mesh_body body;
} body;

static inline body body_new(maker *m, bool tighten, double skin)
{
    body b;
    scree_surrogate_def def = scree_default_surrogate_def();
    b.mesh = maker_mesh(m);
    maker_free(m);
    def.surface = scree_surface_of(b.mesh);
    def.tighten = tighten;
    CHECK(scree_surrogate_create(&def, &b.tree) == SCREE_OK);
    b.body = (scree_mesh_body){.mesh = b.mesh, .skin = skin, .tree = b.tree};
    return b;
}

static inline void body_free(body *b)
{
    scree_surrogate_destroy(b->tree);
    scree_mesh_destroy(b->mesh);
}

static inline void random_pose(scree_random *random, double apart, scree_mesh_pose *pose)
{
    double turn[4], place[3];
    for (int k = 0; k < 4; k++)
        turn[k] = scree_random_normal(random);
    for (int k = 0; k < 3; k++)
        place[k] = scree_random_range(random, -apart, apart);
    *pose = scree_mesh_pose_of(place, turn);
}

/*  A finder and a search, and another finder for the truth. */
typedef struct searchers
{
    scree_memory memory;
    scree_mesh_finder finder, truth;
    scree_surrogate_search search;
} searchers;

static inline void searchers_begin(searchers *s, scree_simd simd)
{
    CHECK(scree_memory_init(&s->memory, NULL) == SCREE_OK);
    CHECK(scree_mesh_finder_init(&s->finder, &s->memory, simd) == SCREE_OK);
    CHECK(scree_mesh_finder_init(&s->truth, &s->memory, simd) == SCREE_OK);
    scree_surrogate_search_init(&s->search, &s->memory);
}

static inline void searchers_end(searchers *s)
{
    scree_surrogate_search_free(&s->search);
    scree_mesh_finder_free(&s->finder);
    scree_mesh_finder_free(&s->truth);
    CHECK_EQUAL(s->memory.bytes, 0);
}

static inline size_t find(searchers *s, const body *a, const body *b)
{
    CHECK(scree_mesh_find_surrogates(&s->finder, &s->search, NULL, &a->body, &b->body) == SCREE_OK);
    return s->finder.contact_count;
}

static inline void check_same_contacts(const searchers *s, uint64_t seed)
{
    if (s->finder.contact_count != s->truth.contact_count)
        FAIL("seed %d: %zu contacts instead of %zu", (int)seed, s->finder.contact_count,
             s->truth.contact_count);
    for (size_t k = 0; k < s->finder.contact_count; k++)
        if (!same_bits(&s->finder.contacts[k], &s->truth.contacts[k], sizeof(scree_mesh_touch)))
            FAIL("seed %d: contact %zu is another", (int)seed, k);
}

#endif
