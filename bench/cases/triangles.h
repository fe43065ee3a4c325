/*  What it costs to ask whether two triangles touch: each method at each level, over pairs at random, pairs that
    are near, and the paper's two workloads, all triangles of two spheres and of a sphere and a plane. */
#ifndef SCREE_BENCH_TRIANGLES_H
#define SCREE_BENCH_TRIANGLES_H

#include "narrow/triangle_batch.h"

#define SCREE_TRIANGLE_BENCHES 10
#define SCREE_TRIANGLE_METHODS 3

/*  One workload. Figures by method; ns of processor time a pair by method and level, where the first is
    scree_triangle_single in double; 0: not on this machine. */
typedef struct scree_triangle_bench
{
    const char *name;
    uint32_t triangles; /* of the sphere; 0: pairs of no bodies */
    double
        paper_fallback; /* share in percent that the paper's hybrid leaves to the comparison; 0: not told */
    double paper_speed_up; /* of its hybrid over its comparison */
    size_t pairs, touching;
    double ns[SCREE_TRIANGLE_METHODS][SCREE_SIMD_AVX512 + 1];
    double fallback[SCREE_TRIANGLE_METHODS];   /* percent put to the comparison after the method */
    double doubles[SCREE_TRIANGLE_METHODS];    /* percent put to the double */
    double iterations[SCREE_TRIANGLE_METHODS]; /* a pair */
    size_t missed[SCREE_TRIANGLE_METHODS], unfounded[SCREE_TRIANGLE_METHODS];
} scree_triangle_bench;

extern const char *const scree_triangle_method_names[SCREE_TRIANGLE_METHODS];

/*  Fills `bench` and says how many there are. Each figure is the least of several runs over `work` pairs, at least 1; a
    tenth of that where vectors are not used.
    SCREE_OUT_OF_MEMORY; SCREE_BAD_VALUE if a method that must not be wrong is. */
scree_status scree_bench_triangles(uint64_t work,
                                   scree_triangle_bench bench[SCREE_TRIANGLE_BENCHES],
                                   size_t *count, scree_error *error);

/*  How triangles lie in memory. */
enum
{
    SCREE_LAYOUT_INDEXED, /* doubles, corners by number, vertices in no order */
    SCREE_LAYOUT_DOUBLES, /* nine doubles each, one after the other */
    SCREE_LAYOUT_FLOATS,  /* nine floats each, as the paper streams them */
    SCREE_LAYOUTS,
};

typedef struct scree_triangle_layout
{
    const char *name;
    size_t bytes;  /* a pair, that are read */
    double ns, gb; /* a pair by `certified`, at the best level; and of these bytes, in a second */
    double fill_share; /* of this time, until corners are columns of floats: all but the tests */
} scree_triangle_layout;

/*  Pairs at random, so many that they come from memory, each triangle read once; the same pairs, and the same answers. SCREE_OUT_OF_MEMORY;
    SCREE_BAD_VALUE if layouts answer otherwise. */
scree_status scree_bench_triangle_layouts(size_t pairs, scree_triangle_layout layout[SCREE_LAYOUTS],
                                          scree_error *error);

#endif
