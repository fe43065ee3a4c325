/*  The rule of scree/detect.h as straight loops, in no way related to the library: the slow, obvious
    reference that every method is compared with. It also says which calls must be refused. */
#ifndef HARNESS_REFERENCE_H
#define HARNESS_REFERENCE_H

#include "pair_scene.h"

/*  The switch that makes the reference lie, to prove that lies are caught. */
typedef enum reference_lie
{
    REFERENCE_HONEST,
    REFERENCE_MISSES_A_PAIR,
    REFERENCE_ADDS_A_PAIR,
    REFERENCE_IS_OPEN, /* touching does not count */
    REFERENCE_MISSES_A_HIT,
    REFERENCE_IGNORES_FILTERS,
    REFERENCE_ACCEPTS_ANY_CALL,
    REFERENCE_LIES
} reference_lie;

typedef struct reference_model
{
    const test_scene *scene;
    reference_lie lie;
    scene_row *body;      /* by id */
    unsigned char *state; /* by id, of REFERENCE_... */
    uint32_t *freed;      /* ids to be used again, a stack; ids since named otherwise stay in it */
    uint32_t bound, capacity;
    uint32_t freed_count, freed_capacity;
    uint32_t rejected; /* by the last call */
} reference_model;

#define REFERENCE_PRESENT 0x1u
#define REFERENCE_REJECTED 0x2u
#define REFERENCE_FREED 0x4u

void reference_init(reference_model *reference, const test_scene *scene, reference_lie lie);
void reference_free(reference_model *reference);
/*  One more than the largest id there is. */
uint32_t reference_id_bound(const reference_model *reference);
uint32_t reference_body_count(const reference_model *reference);

/*  Bit s: status s is right for this step. New ids of SCENE_INSERT_NEW go to `ids`. */
uint32_t reference_step(reference_model *reference, const scene_step *step, uint32_t *ids);

/*  Parts 1 to 3 of the rule; with `coarse`, parts 1 and 2. i < j. */
bool reference_is_pair(const reference_model *reference, uint32_t i, uint32_t j, bool coarse);

typedef struct pair_list
{
    uint32_t (*pair)[2];
    size_t count, capacity;
} pair_list;

void pair_list_add(pair_list *list, uint32_t i, uint32_t j);
void pair_list_sort(pair_list *list);
void pair_list_free(pair_list *list);
/*  All pairs, in canonical order. */
void reference_pairs(const reference_model *reference, bool coarse, pair_list *list);

/*  A query's answer for one body. Volumes of queries are compared in the library's own arithmetic,
    so where rounding decides, either answer is right. */
typedef enum reference_verdict
{
    VERDICT_NO,
    VERDICT_MAYBE,
    VERDICT_YES,
} reference_verdict;

/*  *distance as scree_hit has it, *tolerance what it may be off by. */
reference_verdict reference_hit(const reference_model *reference, const scree_query *query,
                                uint32_t id, double *distance, double *tolerance);
/*  The query itself must be refused. */
bool reference_query_is_bad(const test_scene *scene, const scree_query *query);

#endif
