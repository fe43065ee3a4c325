/*  What a library must do to be measured beside scree on two meshes that are near each other. None of them answers scree's
    question, all pairs of triangles within a distance with their nearest points; so each is asked the one that it can
    answer, which is said beside its figures. Each library is one program: this header, the harness
    (mesh_peer_main.c) and one file of its own. */
#ifndef SCREE_MESH_PEER_H
#define SCREE_MESH_PEER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/*  A mesh in its own frame, and where that is. */
typedef struct mesh_peer_body
{
    uint32_t vertex_count, facet_count;
    const double *vertices; /* x y z each */
    const uint32_t *facets; /* three vertices each */
    double place[3], turn[3][3];
} mesh_peer_body;

typedef struct mesh_peer_case
{
    mesh_peer_body body[2];
    double reach; /* pairs that are no farther apart are wanted */
} mesh_peer_case;

typedef struct mesh_peer_variant
{
    const char *name;
    const char *question; /* as the table says it */
    void *(*create)(const mesh_peer_case *two);
    void (*build)(void *state); /* what both meshes need once */
    void (*move)(
        void *state); /* what the library wants to do where bodies have moved; may be NULL */
    double (*find)(void *state); /* a number of pairs or contacts, or a distance */
    void (*destroy)(void *state);
} mesh_peer_variant;

typedef struct mesh_peer_library
{
    const char *version;
    const mesh_peer_variant *variants; /* ends with a NULL name */
} mesh_peer_library;

/*  Defined by the file of the library. */
extern const mesh_peer_library mesh_peer_this;

/*  Vertex v in the world. */
static inline void mesh_peer_place(const mesh_peer_body *body, size_t v, double to[3])
{
    const double *at = body->vertices + 3 * v;
    for (int k = 0; k < 3; k++)
        to[k] = body->turn[k][0] * at[0] + body->turn[k][1] * at[1] + body->turn[k][2] * at[2] +
                body->place[k];
}

/*  The box around facet f in the world. */
static inline void mesh_peer_box(const mesh_peer_body *body, size_t f, double low[3],
                                 double high[3])
{
    mesh_peer_place(body, body->facets[3 * f], low);
    for (int k = 0; k < 3; k++)
        high[k] = low[k];
    for (size_t c = 1; c < 3; c++) {
        double at[3];
        mesh_peer_place(body, body->facets[3 * f + c], at);
        for (int k = 0; k < 3; k++) {
            low[k] = at[k] < low[k] ? at[k] : low[k];
            high[k] = at[k] > high[k] ? at[k] : high[k];
        }
    }
}

#ifdef __cplusplus
}

/*  A class with a constructor from a case, build, move and find, as a variant. */
template <class Finder> mesh_peer_variant mesh_peer_make(const char *name, const char *question)
{
    mesh_peer_variant variant = {};
    variant.name = name;
    variant.question = question;
    variant.create = [](const mesh_peer_case *two) -> void * { return new Finder(*two); };
    variant.build = [](void *state) { static_cast<Finder *>(state)->build(); };
    variant.move = [](void *state) { static_cast<Finder *>(state)->move(); };
    variant.find = [](void *state) { return static_cast<Finder *>(state)->find(); };
    variant.destroy = [](void *state) { delete static_cast<Finder *>(state); };
    return variant;
}
#endif

#endif
