/*  Touching triangles of two meshes by their surrogate trees: Noble and Weinzierl's multiresolution contact detection
    (arXiv:2105.12415, Algorithm 5).

    Roots are compared first. Where two surrogates with their halos touch, or it cannot be told, what they stand for is
    compared; where they are apart, nothing under them touches. Comparisons are collected from all over both trees and go
    through the vector unit many at a time; surrogates are brought into the world when they are met. What is left at the
    bottom, pairs of facets that may touch, is decided by the finder: contacts are those of all other engines, to
    the bit.

        scree_surrogate_search_init(&search, &memory);
        scree_mesh_find_surrogates(&finder, &search, NULL, &a, &b);

    A search is scratch memory, as a finder is. A front, which may be NULL, belongs to a pair of bodies: it remembers where the
    last search ended, so that the next one begins there. */
#ifndef SCREE_MESH_SURROGATE_H
#define SCREE_MESH_SURROGATE_H

#include "narrow/mesh_contact.h"
#include "shape/surrogate.h"

typedef enum scree_surrogate_traversal
{
    /*  Two surrogates that touch are replaced by all pairs of their children. */
    SCREE_SURROGATE_PAIRS = 0,
    /*  As published: two sets, compared each with each; whoever touches anyone is replaced by its children. */
    SCREE_SURROGATE_SETS,
    /*  Of two surrogates that touch, that with the larger halo is replaced by its children: 8 comparisons then say
        which of 64 are worth while. */
    SCREE_SURROGATE_SIDES,
} scree_surrogate_traversal;

/*  What it took; each search adds. */
typedef struct scree_surrogate_counts
{
    uint64_t
        level[SCREE_SURROGATE_LEVELS + 1]; /* comparisons, by the deeper of the two; roots: 0 */
    uint64_t compared;                     /* all of these */
    uint64_t facets;                       /* of these, two facets */
    uint64_t offered;                      /* of these, left to the finder */
    uint64_t placed;                       /* surrogates and facets brought into the world */
    uint64_t batches,
        lanes;           /* batches of comparisons, and room in them: `compared` says how full */
    uint64_t remembered; /* pairs known to be apart still, which were not compared */
} scree_surrogate_counts;

/*  One of the two: what of its tree is in the world, by slots. Things of a tree have numbers: nodes theirs, facets those of
    their places in the tree's list after the last node. */
typedef struct scree_surrogate_side
{
    const scree_mesh_body *body;
    const scree_surrogate *tree;
    double slack;    /* of its halos, for all that rounding does */
    double wider;    /* added to halos where a front looks ahead */
    uint32_t *slot;  /* by thing: where it is, if what is there is this thing */
    uint32_t *thing; /* by slot */
    uint8_t *level;  /* by slot */
    double *corners; /* by slot: nine numbers */
    double *halo[2]; /* by slot: as it is, and wider */
    size_t slot_capacity, thing_capacity, level_capacity, corner_capacity, halo_capacity[2];
    uint32_t count;
    /* slots, for sets */
    uint32_t *set, *next;
    uint8_t *touched;
    size_t set_capacity, next_capacity, touched_capacity;
    uint32_t set_count, next_count;
} scree_surrogate_side;

typedef struct scree_surrogate_search
{
    scree_surrogate_traversal traversal;
    /*  Of surrogates, and of facets before the finder: CERTIFIED, or COMPARISON as in the paper's exact
        variant; not HYBRID, which loses contacts. */
    scree_triangle_method method;
    scree_surrogate_counts counts;
    /* the rest is the search's own */
    scree_memory *memory;
    scree_surrogate_side side[2];
    uint32_t *stack[2]; /* pairs of slots to be compared */
    size_t stack_capacity[2], stack_count;
    uint64_t *met; /* pairs of facets that sets came upon */
    size_t met_capacity, met_count;
    uint8_t *verdicts;
    scree_triangle_touch *touches;
    size_t verdict_capacity, touch_capacity;
    scree_sorter sorter;
} scree_surrogate_search;

/*  SIDES, CERTIFIED. `memory` outlives the search. */
void scree_surrogate_search_init(scree_surrogate_search *search, scree_memory *memory);
void scree_surrogate_search_free(scree_surrogate_search *search);

/*  Where a search ended: a pair of things that were apart, and how far bodies may travel until they need be compared again. */
typedef struct scree_surrogate_end
{
    double until;
    uint32_t thing[2];
    uint32_t level[2];
} scree_surrogate_end;

typedef struct scree_surrogate_front
{
    scree_surrogate_end *ends;
    size_t end_count, end_capacity;
    const scree_surrogate *tree[2]; /* of the last search; NULL: there was none */
    scree_mesh_pose pose[2];
    double halo[2];
    double
        travelled; /* since the front was begun: how much nearer anything may have come, at most */
    uint32_t age;  /* searches since then */
} scree_surrogate_front;

void scree_surrogate_front_init(scree_surrogate_front *front);
void scree_surrogate_front_free(scree_surrogate_front *front, scree_memory *memory);

/*  An engine as in mesh_contact.h; both bodies have trees, which outlive the call, and those of a front the front. Fronts take memory from the search's. SETS know no fronts: they begin at the roots. After a failure a front is
    empty. */
scree_status scree_mesh_find_surrogates(scree_mesh_finder *finder, scree_surrogate_search *search,
                                        scree_surrogate_front *front, const scree_mesh_body *a,
                                        const scree_mesh_body *b);

/*  Whether it is proven, by surrogates and a few facets, that the surfaces are farther apart than their halos and `way` together: some hundred
    pairs are looked at, no more. Both have trees. The answer is the same for all SIMD levels. */
bool scree_surrogates_are_apart(const scree_mesh_body *a, const scree_mesh_body *b, double way);

#endif
