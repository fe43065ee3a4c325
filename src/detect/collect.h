/*  Runs a search: executes a method's blocks on the workers, applies the rest of the rule to each candidate, and
    delivers the remaining pairs in the order of the blocks, whichever worker did which. */
#ifndef SCREE_COLLECT_H
#define SCREE_COLLECT_H

#include "detect/images.h"
#include "detect/kinds.h"
#include "detect/method.h"
#include "detect/store.h"

/*  One worker's part of a search. */
typedef struct scree_collector
{
    scree_sink sink; /* first: the sink is the collector */
    const struct scree_search *search;
    scree_scratch scratch;
    scree_pair_block_fn *action; /* deliver at once; NULL: store */
    void *user;
    bool has_images; /* candidates may be periodic images */
    bool is_tested;  /* part 3 of the rule is still to be applied */
    bool out_of_memory;
    uint64_t tested, reported;
    uint32_t *first, *second; /* pairs stored */
    size_t count, first_capacity, second_capacity;
} scree_collector;

/*  Where the pairs of a block are stored. */
typedef struct scree_segment
{
    uint32_t worker;
    size_t begin, end; /* in that worker's arrays, */
    uint64_t place;    /* and in the list of all */
} scree_segment;

typedef struct scree_search
{
    scree_memory *memory;
    const scree_workers *workers;
    const scree_store *store;
    const scree_images *images; /* NULL: no periodic domain */
    const scree_method *method;
    const void *state; /* the method's */
    bool coarse;
    scree_simd simd;
    scree_bodies bodies;
    scree_kinds kinds;            /* if there are filters */
    scree_collector **collectors; /* one a worker, kept for the next search */
    size_t collector_count, collector_capacity;
    scree_segment *segments; /* one a block */
    size_t segment_count, segment_capacity;
    size_t wave_begin; /* block of the first segment */
    uint64_t tested, reported;
    bool was_stopped; /* the action wants no more, or memory ran out */
} scree_search;

void scree_search_free(scree_search *search);

/*  Calls `action` for each block of pairs, on this thread. */
scree_status scree_search_deliver(scree_search *search, scree_pair_block_fn *action, void *user);

/*  Stores all pairs, as a list of segments in order: scree_search_copy puts them into arrays. True from
    scree_search_is_whole: there they lie already, until the next search. */
scree_status scree_search_store(scree_search *search, uint64_t *count);
bool scree_search_is_whole(const scree_search *search, const uint32_t **first,
                           const uint32_t **second);
void scree_search_copy(const scree_search *search, uint32_t *first, uint32_t *second);

#endif
