/*  Which of many pairs of triangles touch, and where: several pairs per vector in floats, without missing any.

    Two triangles touch if they are no farther apart than the sum of their skins. That set of pairs is the one of
    scree_triangles_touch, in double, for the methods `certified` and `comparison`: floats decide only what they can
    prove, and pairs too close to decide are decided in double (triangle_tile.h has the proof). Results are
    bit-identical for every SIMD instruction set, and for a pair whatever its neighbours are.

        scree_triangle_settings settings = scree_triangle_default_settings();
        scree_triangle_pairs pairs = {.side = {{vertices, facets, NULL, 0.01}, {others, NULL, skins, 0}},
                                      .first = i, .second = j, .count = n};
        found = scree_triangle_batch(&pairs, &settings, touches, NULL, NULL, &counts);

    Plain functions: nothing is allocated, nothing fails, any number of threads may call them. */
#ifndef SCREE_TRIANGLE_BATCH_H
#define SCREE_TRIANGLE_BATCH_H

#include "narrow/triangle_distance.h"

typedef enum scree_triangle_method
{
    /*  Iterates with bounds that prove that triangles touch or are apart; comparison for the rest. */
    SCREE_TRIANGLES_CERTIFIED = 0,
    /*  Compares all edges, corners and faces of one with those of the other. */
    SCREE_TRIANGLES_COMPARISON,
    /*  Noble and Weinzierl's Algorithm 4 as published, comparison for what it leaves undecided. Its convergence test
        can be wrong, so it misses contacts: for comparison only. */
    SCREE_TRIANGLES_HYBRID,
} scree_triangle_method;

typedef enum scree_triangle_verdict
{
    SCREE_TRIANGLES_UNDECIDED = 0, /* only without `fallback` */
    SCREE_TRIANGLES_APART,
    SCREE_TRIANGLES_TOUCH,
} scree_triangle_verdict;

/*  Which points are reported for pairs that touch. */
typedef enum scree_triangle_points
{
    /*  The nearest, as float comparison finds them: points of the triangles, computed in double, whose squared distance
        exceeds the smallest by at most 2^-20 of the square of the pair's size. If they are so near that their direction
        would be noise (2^-12 of the size), they are those of scree_triangle_distance. */
    SCREE_TRIANGLE_POINTS_NEAREST = 0,
    /*  Bit-identical to those of scree_triangle_distance. */
    SCREE_TRIANGLE_POINTS_DOUBLE,
    /*  Any points that proved the contact: for triangles that only represent finer ones. */
    SCREE_TRIANGLE_POINTS_ANY,
} scree_triangle_points;

typedef struct scree_triangle_settings
{
    scree_triangle_method method;
    scree_triangle_points points;
    /*  false: pairs that iterations leave undecided stay so. That is enough for a tree that refines such pairs. */
    bool fallback;
    uint32_t steps; /* 4; at most 1000 */
    double factor;  /* certified: fraction of the step that each parameter alone would take; 0.5 */
    /*  Certified, points NEAREST: points are accepted if half the squared distance is proved to be within this fraction
        of half the squared range of the minimum; otherwise comparison finds them. 0 */
    double accuracy;
    /*  Hybrid: alpha_it, alpha_reg (above 0) and C of the paper, in the units of the coordinates, since the paper adds
        them to squares of lengths and to lengths. 0.01, 0.01 (not published), 1 */
    double penalty, regularisation, acceptance;
    scree_simd simd; /* SCREE_SIMD_AUTO */
} scree_triangle_settings;

scree_triangle_settings scree_triangle_default_settings(void);

/*  One of the two sets of triangles of which pairs are made. */
typedef struct scree_triangle_side
{
    const double *vertices; /* x y z each */
    const uint32_t
        *corners; /* vertices of triangle t: [3 t] to [3 t + 2]; NULL: 3 t, 3 t + 1, 3 t + 2 */
    const double *skin; /* of each triangle; NULL: `skin_of_all` */
    double skin_of_all;
    /*  Nine floats per triangle, as the paper streams them, in place of `vertices` and `corners`; NULL: use these. They
        are used as the doubles that they are, so all else is the same: half the bytes, and no indirection. */
    const float *soup;
} scree_triangle_side;

/*  Pair k is triangle first[k] of side 0 with triangle second[k] of side 1. Skins are finite and at least 0, and one of
    a pair's is above 0. */
typedef struct scree_triangle_pairs
{
    scree_triangle_side side[2];
    const uint32_t *first, *second;
    size_t count;
} scree_triangle_pairs;

typedef struct scree_triangle_touch
{
    size_t pair;
    double distance_sq;
    double point[2][3]; /* of the first triangle and of the second */
} scree_triangle_touch;

/*  Cost statistics; each call adds to them. */
typedef struct scree_triangle_counts
{
    uint64_t pairs;
    uint64_t iterations; /* iterations of all pairs */
    uint64_t compared;   /* pairs decided by comparison: all of them, or fallbacks */
    uint64_t doubles;    /* pairs decided in double */
    uint64_t touching, undecided;
} scree_triangle_counts;

/*  Writes those that touch to `touches`, which has room for all pairs, in the order of pairs, and returns their number.
    Each of the following may be NULL: verdicts (a scree_triangle_verdict for each pair), distances (squared; an upper
    bound for pairs that are apart, with COMPARISON the minimum within 2^-20 of the square of the pair's size; for
    undecided pairs the last iterate), counts. The size of a pair is the largest coordinate of any corner relative to
    the first. */
size_t scree_triangle_batch(const scree_triangle_pairs *pairs,
                            const scree_triangle_settings *settings, scree_triangle_touch *touches,
                            uint8_t *verdicts, double *distances_sq, scree_triangle_counts *counts);

/*  Does the same for one pair entirely in double: the slow reference of each method. Points and distance are those of
    the method, `verdict` is never undecided with `fallback`. */
scree_triangle_verdict scree_triangle_single(const double first[3][3], const double second[3][3],
                                             double reach, const scree_triangle_settings *settings,
                                             scree_gap *gap, scree_triangle_counts *counts);

#endif
