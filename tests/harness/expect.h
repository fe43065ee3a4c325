/*  What a scene must come to, step by step, worked out once by the reference and then compared with
    every method. */
#ifndef HARNESS_EXPECT_H
#define HARNESS_EXPECT_H

#include "reference.h"

typedef struct expected_hit
{
    reference_verdict verdict;
    double distance, tolerance;
} expected_hit;

typedef struct expected_step
{
    uint32_t statuses; /* bit s: status s is right */
    uint32_t body_count, id_bound, rejected;
    uint32_t *ids;        /* of inserted bodies */
    pair_list pairs;      /* the rule's; for steps with checks */
    pair_list candidates; /* coarse scenes: those that may be reported besides */
    expected_hit *hits;   /* queries: by id */
    /*  Queries: what the first method answered. All others must give the same bits. */
    scree_hit *first_answer;
    size_t first_count;
    bool is_answered;
} expected_step;

typedef struct expectation
{
    const test_scene *scene;
    reference_lie lie;
    expected_step *steps;
} expectation;

void expectation_init(expectation *expected, const test_scene *scene, reference_lie lie);
void expectation_free(expectation *expected);

/*  One number for all pairs and all ids of hits: the golden value of a scene. */
uint64_t expectation_digest(const expectation *expected);

#endif
