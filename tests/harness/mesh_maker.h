/*  Meshes for tests: planes cut at random, boxes, balls, tubes; as shared vertices or as in STL files, where
    each facet has vertices of its own. */
#ifndef SCREE_TESTS_MESH_MAKER_H
#define SCREE_TESTS_MESH_MAKER_H

#include "base/random.h"
#include "harness/same_bits.h"
#include "shape/mesh.h"
#include "test.h"

#include <math.h>

typedef struct maker
{
    double *vertex; /* x y z each */
    uint32_t *facet;
    uint32_t vertex_count, facet_count;
} maker;

static inline maker maker_new(size_t vertices, size_t facets)
{
    maker m = {malloc(vertices * 3 * sizeof(double)), malloc(facets * 3 * sizeof(uint32_t)), 0, 0};
    return m;
}

static inline void maker_free(maker *m)
{
    free(m->vertex);
    free(m->facet);
    m->vertex = NULL;
    m->facet = NULL;
}

static inline uint32_t maker_vertex(maker *m, double x, double y, double z)
{
    double *v = m->vertex + 3 * (size_t)m->vertex_count;
    v[0] = x;
    v[1] = y;
    v[2] = z;
    return m->vertex_count++;
}

static inline void maker_facet(maker *m, uint32_t a, uint32_t b, uint32_t c)
{
    uint32_t *f = m->facet + 3 * (size_t)m->facet_count++;
    f[0] = a;
    f[1] = b;
    f[2] = c;
}

/*  [0, width]^2 in z = 0, normals up, cells x cells squares, each cut along a diagonal by chance; inner grid
    lines are shifted by up to `jitter` of a cell; below 0.25 squares stay convex. */
static inline maker maker_plane(uint32_t cells, double width, double jitter, scree_random *random)
{
    maker m = maker_new((size_t)(cells + 1) * (cells + 1), 2 * (size_t)cells * cells);
    double h = width / cells;
    for (uint32_t i = 0; i <= cells; i++)
        for (uint32_t j = 0; j <= cells; j++) {
            bool inner = i > 0 && j > 0 && i < cells && j < cells;
            double dx = inner ? scree_random_range(random, -jitter, jitter) * h : 0;
            double dy = inner ? scree_random_range(random, -jitter, jitter) * h : 0;
            maker_vertex(&m, i * h + dx, j * h + dy, 0);
        }
    for (uint32_t i = 0; i < cells; i++)
        for (uint32_t j = 0; j < cells; j++) {
            uint32_t a = i * (cells + 1) + j, b = a + cells + 1, c = b + 1, d = a + 1;
            if (scree_random_below(random, 2)) {
                maker_facet(&m, a, b, c);
                maker_facet(&m, a, c, d);
            } else {
                maker_facet(&m, a, b, d);
                maker_facet(&m, b, c, d);
            }
        }
    return m;
}

/*  A box from lower to upper, normals outward. */
static inline maker maker_box(const double lower[3], const double upper[3])
{
    static const uint32_t quad[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4},
                                        {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
    maker m = maker_new(8, 12);
    for (uint32_t i = 0; i < 8; i++)
        maker_vertex(&m, i & 1 ? upper[0] : lower[0], i & 2 ? upper[1] : lower[1],
                     i & 4 ? upper[2] : lower[2]);
    for (int q = 0; q < 6; q++) {
        maker_facet(&m, quad[q][0], quad[q][1], quad[q][2]);
        maker_facet(&m, quad[q][0], quad[q][2], quad[q][3]);
    }
    return m;
}

/*  A ball of radius 1 about 0: an octahedron whose facets are cut into `cuts`^2 each, as a soup. Normals
    outward. */
static inline maker maker_ball(uint32_t cuts)
{
    maker m = maker_new(8 * 3 * (size_t)cuts * cuts, 8 * (size_t)cuts * cuts);
    for (uint32_t octant = 0; octant < 8; octant++) {
        double sx = octant & 1 ? -1 : 1, sy = octant & 2 ? -1 : 1, sz = octant & 4 ? -1 : 1;
        bool mirrored = sx * sy * sz < 0;
        for (uint32_t i = 0; i < cuts; i++)
            for (uint32_t j = 0; j < 2 * (cuts - i) - 1; j++) {
                uint32_t b = j / 2;
                uint32_t at[3][2] = {{i, b}, {i + 1, b}, {i, b + 1}}, v[3];
                if (j & 1) {
                    at[0][0] = i + 1;
                    at[0][1] = b;
                    at[1][0] = i + 1;
                    at[1][1] = b + 1;
                }
                for (int k = 0; k < 3; k++) {
                    double x = at[k][0], y = at[k][1], z = (double)cuts - x - y;
                    double length = sqrt(x * x + y * y + z * z);
                    v[k] = maker_vertex(&m, sx * x / length, sy * y / length, sz * z / length);
                }
                if (mirrored)
                    maker_facet(&m, v[0], v[2], v[1]);
                else
                    maker_facet(&m, v[0], v[1], v[2]);
            }
    }
    return m;
}

/*  As in an STL file: each facet has vertices of its own, off by up to `noise`. */
static inline maker maker_soup(const maker *shared, double noise, scree_random *random)
{
    maker m = maker_new(3 * (size_t)shared->facet_count, shared->facet_count);
    for (size_t c = 0; c < 3 * (size_t)shared->facet_count; c++) {
        const double *v = shared->vertex + 3 * (size_t)shared->facet[c];
        double d[3] = {0, 0, 0};
        for (int k = 0; k < 3 && noise > 0; k++)
            d[k] = scree_random_range(random, -noise, noise);
        m.facet[c] = maker_vertex(&m, v[0] + d[0], v[1] + d[1], v[2] + d[2]);
    }
    m.facet_count = shared->facet_count;
    return m;
}

static inline scree_mesh_def maker_def(const maker *m)
{
    scree_mesh_def def = scree_default_mesh_def();
    def.vertices = m->vertex;
    def.vertex_count = m->vertex_count;
    def.facets = m->facet;
    def.facet_count = m->facet_count;
    return def;
}

static inline scree_mesh *maker_mesh(const maker *m)
{
    scree_error error = {SCREE_OK, ""};
    scree_mesh_def def = maker_def(m);
    scree_mesh *mesh;
    def.error = &error;
    if (scree_mesh_create(&def, &mesh))
        FAIL("mesh: %s", error.text);
    return mesh;
}

#endif
