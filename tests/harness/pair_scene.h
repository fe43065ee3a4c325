/*  A scene: bodies and a script of calls, written out in full. Every step carries the rows of the
    table it hands over, so a scene stays meaningful when steps and rows are taken out of it: calls
    that become wrong are expected to be refused. That is what makes failing scenes small. */
#ifndef HARNESS_SCENE_H
#define HARNESS_SCENE_H

#include "base/random.h"
#include "scree/detect.h"

typedef struct scene_row
{
    double number[6]; /* x y z r, or lower and upper */
    uint64_t group, mask;
    uint32_t id, owner;
    uint8_t flags;
    bool chosen; /* SCENE_DIRTY: listed as dirty */
} scene_row;

typedef enum scene_step_kind
{
    SCENE_UPDATE,
    SCENE_DIRTY,
    SCENE_INSERT,     /* with the ids of the rows, if the scene gives ids */
    SCENE_INSERT_NEW, /* ids are chosen by the detector */
    SCENE_REMOVE,     /* only the ids of the rows count */
    SCENE_CLEAR,
    SCENE_QUERY,
    SCENE_STEP_KINDS
} scene_step_kind;

/*  What is asked after a step. */
#define SCENE_CHECK_PAIRS 0x01u     /* canonical, in the detector's arrays */
#define SCENE_CHECK_UNSORTED 0x02u  /* as they come */
#define SCENE_CHECK_OWN 0x04u       /* in arrays of the caller, too small at first */
#define SCENE_CHECK_EACH 0x08u      /* by callback */
#define SCENE_CHECK_NEIGHBORS 0x10u /* full and half */
#define SCENE_CHECK_STOP 0x20u      /* a callback that stops early */
#define SCENE_CHECK_ALL 0x3fu

typedef struct scene_step
{
    scene_step_kind kind;
    uint32_t begin, count; /* rows */
    uint32_t checks;
    bool backwards; /* SCENE_DIRTY: list rows from the last to the first */
    scree_query query;
} scene_step;

/*  Which optional columns the tables have. */
#define SCENE_IDS 0x01u
#define SCENE_GROUPS 0x02u
#define SCENE_MASKS 0x04u
#define SCENE_OWNERS 0x08u
#define SCENE_FLAGS 0x10u

typedef struct test_scene
{
    uint64_t seed;
    char name[64]; /* generators it was made by */
    int dimensions;
    scree_volume volume;
    scree_unusable unusable;
    bool coarse;
    uint32_t columns;
    uint32_t floats;  /* bit k: number k is handed over as float */
    uint32_t padding; /* bytes in front of each record; odd ones misalign everything */
    bool by_columns;  /* separate arrays, not records */
    double cell_factor, bin_factor, stripe_factor;
    bool stripe_naive, sort_by_insertion;
    uint32_t rtree_max_entries, rtree_min_entries;
    uint64_t method_seed; /* of the parameters of grids and colliders; 0: their defaults */
    scene_row *rows;
    uint32_t row_count, row_capacity;
    scene_step *steps;
    uint32_t step_count, step_capacity;
} test_scene;

/*  Numbers of a row that count: 3 or 4 of a sphere, 4 or 6 of a box (see scene_number_used). */
bool scene_number_used(const test_scene *scene, int k);
/*  "x", "radius", "upper z", ... */
const char *scene_number_name(const test_scene *scene, int k);

/*  All memory failures of the harness end the program: they are not what is tested. */
void *scene_memory(size_t bytes);
scene_step *scene_add_step(test_scene *scene, scene_step_kind kind);
/*  Adds a row to the last step. */
scene_row *scene_append_row(test_scene *scene);
test_scene scene_copy(const test_scene *scene);
void scene_free(test_scene *scene);

/*  The table of a step, in a block of its own that ends with the last byte the library may read. */
typedef struct scene_table
{
    scree_table table;
    unsigned char *block;
    uint32_t *dirty;
    size_t dirty_count;
} scene_table;

scene_table scene_table_make(const test_scene *scene, const scene_step *step);
void scene_table_free(scene_table *table);

scree_detector_def scene_def(const test_scene *scene, const char *method);

/*  Prints the scene as comma-separated values, a line a row. */
void scene_print(const test_scene *scene);
/*  The numbers of one row, as "sphere 1 (0.5, 1, 2; 0.25)". */
void scene_print_row(const test_scene *scene, uint32_t id, const scene_row *row, char *text,
                     size_t bytes);

#endif
