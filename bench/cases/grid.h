/*  Very many bodies of triangles: the grid of Noble and Weinzierl's table 9 (arXiv:2105.12415), 24,576 globes of 1,224
    triangles at rest, whose skins overlap a little. Counts and ratios compare with the paper; times are of other machines. */
#ifndef SCREE_BENCH_GRID_H
#define SCREE_BENCH_GRID_H

#include "cases/implicit.h"

#define SCREE_GRID_BODIES 24576u
#define SCREE_GRID_TRIANGLES 1224u
/*  Single level is stepped where there are no more bodies than these; of more it would take hours. */
#define SCREE_GRID_FLAT 16u

typedef struct scree_grid_row
{
    const char *method;
    bool is_measured; /* else comparisons are what they would be, and there is no time */
    uint32_t bodies, steps;
    double pairs;       /* whose skins may meet: neighbours in the grid */
    double guesses;     /* a step */
    double comparisons; /* a step */
    double seconds;     /* a step, of processor time */
    double contacts;
    double meeting; /* pairs whose skins may meet as the world finds them, an evaluation */
    double bytes;   /* that the world holds, meshes and trees apart, a body */
    uint64_t state; /* of where bodies are at the end */
    double paper_comparisons, paper_ms; /* certified, a step and core; a pair; 0: not told */
} scree_grid_row;

typedef struct scree_grid_def
{
    uint32_t bodies, steps;
    bool single; /* single level is stepped however many bodies there are */
    bool own; /* each globe has a mesh of its own, and a tree grown from it: the paper's 3.87 GiB */
} scree_grid_def;

/*  Layers of 32 by 32 globes that touch those beside them: the paper's 1,984 pairs for each of 24 cores are those of 24
    such layers. Fewer bodies fill the first layers. Rows are the methods of bench_implicit.h, all through the same steps. */
scree_status scree_bench_grid(const scree_grid_def *def, scree_grid_row row[SCREE_IMPLICIT_METHODS],
                              scree_error *error);

#endif
