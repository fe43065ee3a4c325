/*  Surrogate trees measured, in the rows of Noble and Weinzierl's tables 1, 4 and 8 (arXiv:2105.12415); for 2 and 3 see
    bench_triangles.h. Counts and ratios compare with the paper; times are of other machines. */
#ifndef SCREE_BENCH_SURROGATE_H
#define SCREE_BENCH_SURROGATE_H

#include "narrow/mesh_surrogate.h"

/*  The coarsest surrogate of a globe of diameter 1 that is drawn out `stretch` times along an axis: longest edge and halo,
    as the functional gives them and after tightening; volume in percent of that of the sphere around. */
typedef struct scree_surrogate_shape
{
    double stretch;
    uint32_t triangles;
    struct
    {
        double edge, eps, percent;
    } paper, functional,
        tightened; /* the paper's percent follows from its edge: triangles with equal sides */
    double build_ms;
    uint32_t levels, nodes;
} scree_surrogate_shape;

/*  A globe of slices and stacks or an icosphere, whichever has so many triangles; `stretch`: drawn out along an axis. */
scree_status scree_bench_globe(uint32_t triangles, double radius, double stretch, scree_mesh **mesh,
                               scree_error *error);
/*  A square, 8 across, of 16 by 16 cells of two triangles, in z = 0 about the origin. */
scree_status scree_bench_plane(scree_mesh **mesh, scree_error *error);

#define SCREE_SURROGATE_SHAPES 15
scree_status scree_bench_surrogate_shapes(scree_surrogate_shape shape[SCREE_SURROGATE_SHAPES],
                                          scree_error *error);

/*  A scene of the paper, step by step, by one method: means over all steps. */
typedef struct scree_surrogate_row
{
    const char *scene, *method;
    uint32_t triangles; /* of the particle */
    double scale;       /* of it, against the other's */
    bool is_tree;
    double comparisons; /* of triangles, by steps of certified methods where those are used */
    double fallbacks;   /* of these, put to the comparison */
    double ns;          /* a step, of processor time, the least of several runs */
    double contacts;
    double level[SCREE_SURROGATE_LEVELS + 1];                 /* comparisons by level of the tree */
    double paper_comparisons, paper_fallbacks, paper_seconds; /* 0: not told */
} scree_surrogate_row;

/*  Table 4: a globe of 1,224 triangles against another, and over a tilted plane of 512; each flat and by trees,
    by comparison and by certified steps; and by boxes, whose comparisons are those of facets. Contacts of all are the same: else SCREE_BAD_VALUE. */
#define SCREE_SURROGATE_STEPS 24
scree_status scree_bench_surrogate_steps(uint32_t steps,
                                         scree_surrogate_row row[SCREE_SURROGATE_STEPS],
                                         size_t *count, scree_error *error);

/*  Table 8: a globe of 80 triangles against larger ones whose triangles are as large. */
#define SCREE_SURROGATE_SIZES 4
scree_status scree_bench_surrogate_sizes(uint32_t steps,
                                         scree_surrogate_row row[SCREE_SURROGATE_SIZES],
                                         scree_error *error);

#endif
