/*  Two meshes somewhere near each other, and which of their triangles touch: asked of the double one by one. */
#ifndef SCREE_TESTS_MESH_PAIR_H
#define SCREE_TESTS_MESH_PAIR_H

#include "base/quaternion.h"
#include "base/random.h"
#include "narrow/mesh_boxes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/*  A mesh with its boxes; made to last. */
typedef struct solid
{
    scree_mesh *mesh;
    scree_mesh_boxes boxes;
    scree_memory memory;
    double radius; /* no vertex is farther from the origin */
} solid;

/*  Takes the mesh. False: no memory. */
static inline bool solid_of(scree_mesh *mesh, solid *to)
{
    to->mesh = mesh;
    to->radius = 0;
    for (size_t v = 0; v < mesh->vertex_count; v++) {
        const double *x = mesh->vertices + 3 * v;
        to->radius = fmax(to->radius, sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]));
    }
    return scree_memory_init(&to->memory, NULL) == SCREE_OK &&
           scree_mesh_boxes_init(&to->boxes, mesh, &to->memory) == SCREE_OK;
}

static inline bool solid_globe(uint32_t facets, double bumps, double elongation, double scale,
                               uint64_t seed, solid *to)
{
    scree_globe_def def = scree_default_globe_def();
    scree_mesh *mesh;
    def.facets = facets;
    def.bumps = bumps;
    def.elongation = elongation;
    def.radius *= scale;
    def.seed = seed;
    return scree_mesh_globe(&def, &mesh) == SCREE_OK && solid_of(mesh, to);
}

static inline void solid_free(solid *s)
{
    scree_mesh_boxes_free(&s->boxes, &s->memory);
    scree_mesh_destroy(s->mesh);
}

/* ---- poses ---- */

static inline void random_turn(scree_random *random, double q[4])
{
    for (int k = 0; k < 4; k++)
        q[k] = scree_random_normal(random);
}

static inline scree_mesh_body body_at(const solid *s, const double at[3], const double q[4],
                                      double skin)
{
    scree_mesh_body body = {s->mesh, scree_mesh_pose_of(at, q), skin, &s->boxes, NULL};
    return body;
}

/*  Two bodies `far` from the origin whose centres are from 0 to just out of reach apart, mostly so that their surfaces
    are near; skins of up to `skin` of the smaller one. */
static inline void random_bodies(scree_random *random, const solid *a, const solid *b, double skin,
                                 double far, scree_mesh_body body[2])
{
    double at[2][3], q[4], way[3], length = 0, size = fmin(a->radius, b->radius);
    double skins[2], apart = a->radius + b->radius;
    for (int s = 0; s < 2; s++)
        skins[s] = size * scree_random_log_uniform(random, 1e-4 * skin, skin);
    if (scree_random_below(random, 4) == 0)
        skins[scree_random_below(random, 2)] = 0;
    switch (scree_random_below(random, 3)) {
    case 0: /* one deep in the other */
        apart *= scree_random_unit(random);
        break;
    case 1: /* side by side */
        apart *= scree_random_range(random, 0.7, 1);
        break;
    default: /* near, if these were spheres */
        apart += scree_random_range(random, -0.2, 1.5) * (skins[0] + skins[1]);
        break;
    }
    for (int k = 0; k < 3; k++) {
        way[k] = scree_random_normal(random);
        length += way[k] * way[k];
    }
    for (int k = 0; k < 3; k++) {
        at[0][k] = far * scree_random_range(random, -1, 1);
        at[1][k] = at[0][k] + apart * way[k] / sqrt(length);
    }
    random_turn(random, q);
    body[0] = body_at(a, at[0], q, skins[0]);
    random_turn(random, q);
    body[1] = body_at(b, at[1], q, skins[1]);
}

/* ---- the truth ---- */

static inline void facet_in_world(const scree_mesh_body *body, uint32_t facet, double corner[3][3])
{
    for (size_t c = 0; c < 3; c++) {
        size_t vertex = body->mesh->facets[3 * (size_t)facet + c];
        scree_mesh_place(&body->pose, body->mesh->vertices + 3 * vertex, corner[c]);
    }
}

/*  The number of pairs on which the contacts and the double differ. */
static inline size_t count_lies(const scree_mesh_body body[2], const scree_mesh_touch *contacts,
                                size_t count)
{
    size_t next = 0, lies = 0;
    for (uint32_t i = 0; i < body[0].mesh->facet_count; i++) {
        double first[3][3], second[3][3];
        facet_in_world(&body[0], i, first);
        for (uint32_t j = 0; j < body[1].mesh->facet_count; j++) {
            facet_in_world(&body[1], j, second);
            bool is = scree_triangles_touch((const double(*)[3])first, (const double(*)[3])second,
                                            body[0].skin + body[1].skin, NULL);
            bool said =
                next < count && contacts[next].facet[0] == i && contacts[next].facet[1] == j;
            next += said;
            lies += is != said;
        }
    }
    return lies + (count - next);
}

#endif
