/*  Implicit steps of bodies of triangles, in the rows of Noble and Weinzierl's tables 5 to 8 (arXiv:2105.12415): whole steps of
    worlds. Counts and ratios compare with the paper; times are of other machines. */
#ifndef SCREE_BENCH_IMPLICIT_H
#define SCREE_BENCH_IMPLICIT_H

#include "scree/scree.h"

typedef struct scree_implicit_row
{
    const char *scene, *method;
    uint32_t triangles[2];
    double scale; /* of the second body, against the first */
    uint32_t steps;
    double guesses;     /* a step: evaluations of all forces */
    double comparisons; /* a step: of triangles and of surrogates */
    double ns;          /* a step, of processor time, the least of several runs */
    double contacts;    /* after a step */
    double touching;    /* the share of steps with a contact at their end */
    uint64_t
        state; /* of where bodies are at the end; of the same scene and steps equal, if these are */
    double paper_guesses, paper_comparisons,
        paper_seconds; /* the last two of 100 steps; 0: not told */
} scree_implicit_row;

/*  Rows of a scene. Of surrogates and multiscale there are two each: with sets that are kept, and from the roots. */
enum
{
    SCREE_IMPLICIT_EXPLICIT,
    SCREE_IMPLICIT_FLAT,
    SCREE_IMPLICIT_WITHIN,
    SCREE_IMPLICIT_WITHIN_ROOTS,
    SCREE_IMPLICIT_LEVELS,
    SCREE_IMPLICIT_LEVELS_ROOTS,
    SCREE_IMPLICIT_BOXES,
    SCREE_IMPLICIT_EXPLICIT_KEPT,
    SCREE_IMPLICIT_METHODS,
};

/*  Sets what makes a method; returns its name. */
const char *scree_implicit_choose(size_t method, scree_world_def *def);

/*  Tables 5 and 6: two globes of 1,224 triangles that meet, and one that comes down on a tilted plane and rolls. */
#define SCREE_IMPLICIT_ROWS (2 * SCREE_IMPLICIT_METHODS)
scree_status scree_bench_implicit_steps(uint32_t steps, scree_implicit_row row[SCREE_IMPLICIT_ROWS],
                                        scree_error *error);

/*  Tables 7 and 8: a globe of 80 triangles meets one 1, 2, 4 and 8 times as large, of as many triangles or of triangles
    as large, by multiscale Picard: first as published, from the roots, then with sets that are kept. */
#define SCREE_IMPLICIT_SCALES 4
#define SCREE_IMPLICIT_SIZES (2 * SCREE_IMPLICIT_SCALES)
scree_status scree_bench_implicit_sizes(uint32_t steps, bool same_triangles,
                                        scree_implicit_row row[SCREE_IMPLICIT_SIZES],
                                        scree_error *error);

#endif
