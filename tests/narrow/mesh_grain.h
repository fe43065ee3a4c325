/*  A sphere at a mesh, step by step, as the tests of their contacts use it. */
#ifndef SCREE_TESTS_MESH_GRAIN_H
#define SCREE_TESTS_MESH_GRAIN_H

#include "narrow/sphere_mesh.h"

#include "base/quaternion.h"
#include "harness/mesh_maker.h"

typedef struct grain
{
    scree_memory memory;
    scree_sphere_mesh work;
    scree_facet_list near;
    scree_mesh_memory old[64];
    size_t old_count;
} grain;

static inline void grain_begin(grain *g)
{
    memset(g, 0, sizeof *g);
    CHECK(scree_memory_init(&g->memory, NULL) == SCREE_OK);
}

static inline void grain_end(grain *g)
{
    scree_sphere_mesh_free(&g->work, &g->memory);
    scree_facet_list_free(&g->near, &g->memory);
    CHECK_EQUAL(g->memory.bytes, 0);
}

/*  One step at `centre`, with what was stored; contacts are in g->work. */
static inline size_t grain_step(grain *g, const scree_mesh *mesh, const double centre[3],
                                double radius)
{
    CHECK(scree_mesh_near(mesh, centre, 1.3 * radius, &g->memory, &g->near) == SCREE_OK);
    CHECK(scree_sphere_mesh_contacts(&g->work, &g->memory, mesh, NULL, g->near.facet, g->near.count,
                                     centre, radius, g->old, g->old_count) == SCREE_OK);
    CHECK(g->work.count <= SCREE_COUNT_OF(g->old));
    for (size_t i = 0; i < g->work.count; i++) {
        const scree_mesh_contact *c = &g->work.contacts[i];
        CHECK_NEAR(c->normal[0] * c->normal[0] + c->normal[1] * c->normal[1] +
                       c->normal[2] * c->normal[2],
                   1, 1e-12);
        CHECK(c->overlap > 0);
        CHECK(c->from == SCREE_NO_CONTACT || c->from < g->old_count);
        for (size_t j = 0; j < i; j++)
            CHECK(c->from == SCREE_NO_CONTACT || c->from != g->work.contacts[j].from);
        g->old[i] = c->memory;
    }
    g->old_count = g->work.count;
    return g->work.count;
}

static inline size_t grain_fresh(grain *g, const scree_mesh *mesh, double x, double y, double z,
                                 double radius)
{
    double centre[3] = {x, y, z};
    g->old_count = 0;
    return grain_step(g, mesh, centre, radius);
}

static inline const scree_mesh_contact *only(const grain *g)
{
    CHECK_EQUAL(g->work.count, 1);
    return g->work.contacts;
}

static inline void check_contact(const scree_mesh_contact *c, double x, double y, double z,
                                 double overlap, double tolerance)
{
    CHECK_NEAR(c->normal[0], x, tolerance);
    CHECK_NEAR(c->normal[1], y, tolerance);
    CHECK_NEAR(c->normal[2], z, tolerance);
    CHECK_NEAR(c->overlap, overlap, tolerance * 1.0);
}

static inline void turn_maker(maker *m, const double q[4], const double shift[3])
{
    for (size_t i = 0; i < m->vertex_count; i++) {
        scree_quaternion_turn(q, m->vertex + 3 * i, m->vertex + 3 * i);
        for (size_t k = 0; k < 3; k++)
            m->vertex[3 * i + k] += shift[k];
    }
}

static inline void random_turn(scree_random *random, double q[4])
{
    for (int k = 0; k < 4; k++)
        q[k] = scree_random_normal(random);
    CHECK(scree_quaternion_normalise(q));
}

/*  A place over the plane: anywhere, on an edge, on a vertex, or next to one. */
static inline void place_over(const maker *m, scree_random *random, double p[2])
{
    const uint32_t *f = m->facet + 3 * (size_t)scree_random_below(random, m->facet_count);
    double share[3] = {scree_random_unit(random), scree_random_unit(random), 0};
    uint32_t kind = scree_random_below(random, 5);
    if (kind == 0) { /* a vertex, exactly */
        share[0] = 1;
        share[1] = 0;
    } else if (kind == 1) { /* on an edge */
        share[1] = 1 - share[0];
    } else if (kind == 2) { /* next to an edge, down to the last bits */
        share[1] = 1 - share[0] - scree_random_log_uniform(random, 1e-17, 1e-3);
    } else if (kind == 3) { /* next to a vertex */
        share[0] = 1 - scree_random_log_uniform(random, 1e-17, 1e-3);
        share[1] = 1 - share[0];
    } else if (share[0] + share[1] > 1) {
        share[0] = 1 - share[0];
        share[1] = 1 - share[1];
    }
    share[2] = 1 - share[0] - share[1];
    for (size_t k = 0; k < 2; k++)
        p[k] = share[0] * m->vertex[3 * (size_t)f[0] + k] +
               share[1] * m->vertex[3 * (size_t)f[1] + k] +
               share[2] * m->vertex[3 * (size_t)f[2] + k];
}

#endif
