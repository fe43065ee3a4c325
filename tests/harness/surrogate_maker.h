/*  Surfaces for tests of surrogates: balls with bumps and dents, which are not convex, and sets of odd triangles. */
#ifndef SCREE_TESTS_SURROGATE_MAKER_H
#define SCREE_TESTS_SURROGATE_MAKER_H

#include "base/random.h"
#include "mesh_maker.h"
#include "shape/surrogate.h"

/*  Radius 0.5 times 1 to `most`, by a few waves over the ball. */
static inline maker maker_bumpy(uint32_t cuts, double most, uint64_t seed)
{
    maker m = maker_ball(cuts);
    scree_random random = scree_random_stream(seed, 77);
    double wave[6][4];
    for (int w = 0; w < 6; w++)
        for (int k = 0; k < 4; k++)
            wave[w][k] =
                k < 3 ? scree_random_range(&random, -5, 5) : scree_random_range(&random, 0, 6);
    for (size_t v = 0; v < m.vertex_count; v++) {
        double *x = m.vertex + 3 * v, sum = 0;
        for (int w = 0; w < 6; w++)
            sum += sin(wave[w][0] * x[0] + wave[w][1] * x[1] + wave[w][2] * x[2] + wave[w][3]);
        for (int k = 0; k < 3; k++)
            x[k] *= 0.5 * (1 + (most - 1) * (0.5 + sum / 12));
    }
    return m;
}

/*  Stretched along x. */
static inline maker maker_egg(uint32_t cuts, double stretch)
{
    maker m = maker_ball(cuts);
    for (size_t v = 0; v < m.vertex_count; v++) {
        m.vertex[3 * v] *= 0.5 * stretch;
        m.vertex[3 * v + 1] *= 0.5;
        m.vertex[3 * v + 2] *= 0.5;
    }
    return m;
}

/*  Triangles of all sorts in a box: fat ones, needles, points, references, in one plane, at one place. */
static inline maker maker_odd(uint32_t facets, uint64_t seed)
{
    maker m = maker_new(3 * (size_t)facets, facets);
    scree_random random = scree_random_stream(seed, 78);
    for (uint32_t f = 0; f < facets; f++) {
        double size = scree_random_log_uniform(&random, 1e-9, 0.3), at[3];
        uint32_t sort = scree_random_below(&random, 6);
        for (int k = 0; k < 3; k++)
            at[k] = sort == 5 ? 0.25 : scree_random_unit(&random);
        for (uint32_t c = 0; c < 3; c++) {
            double x[3];
            for (int k = 0; k < 3; k++)
                x[k] = sort == 1 ? at[k]
                                 : at[k] + size * scree_random_unit(&random) * (sort == 2 ? c : 1);
            if (sort == 3)
                x[2] = 0.5;
            maker_vertex(&m, x[0], x[1], x[2]);
        }
        if (sort == 4 && f > 0)
            memcpy(m.vertex + 9 * (size_t)f, m.vertex + 9 * (size_t)(f - 1), 9 * sizeof(double));
        maker_facet(&m, 3 * f, 3 * f + 1, 3 * f + 2);
    }
    return m;
}

static inline scree_surface maker_surface(const maker *m)
{
    return (scree_surface){m->vertex, m->facet, m->vertex_count, m->facet_count};
}

static inline scree_surrogate *maker_tree(const maker *m, bool tighten)
{
    scree_surrogate_def def = scree_default_surrogate_def();
    scree_error error = {SCREE_OK, ""};
    scree_surrogate *tree;
    def.surface = maker_surface(m);
    def.tighten = tighten;
    def.error = &error;
    if (scree_surrogate_create(&def, &tree))
        FAIL("tree: %s", error.text);
    return tree;
}

#endif
