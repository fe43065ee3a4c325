/*  Touching triangles of two meshes by their surrogate trees: Noble and Weinzierl's multiresolution contact detection
    (arXiv:2105.12415, Algorithm 5).

    Roots are compared first. If two surrogates with their halos touch, or this cannot be decided, their children are
    compared; if they are apart, nothing below them touches. Comparisons are collected from both trees and vectorised;
    surrogates are brought into the world when they are met. The finder decides the remaining pairs of facets at the
    bottom, so contacts are bit-identical to those of all other engines.

        scree_surrogate_search_init(&search, &memory);
        scree_mesh_find_surrogates(&finder, &search, NULL, &a, &b);

    A search is scratch memory, like a finder. A front, which may be NULL, belongs to a pair of bodies: it stores where
    the last search ended, so that the next one begins there. */
#ifndef SCREE_MESH_SURROGATE_H
#define SCREE_MESH_SURROGATE_H

#include "narrow/mesh_contact.h"
#include "shape/surrogate.h"

typedef enum scree_surrogate_traversal
{
    /*  Two surrogates that touch are replaced by all pairs of their children. */
    SCREE_SURROGATE_PAIRS = 0,
    /*  As published: two sets, compared each with each; every member that touches another is replaced by its children.
        */
    SCREE_SURROGATE_SETS,
    /*  Of two surrogates that touch, the one with the larger halo is replaced by its children. Then 8 comparisons
        select which of the 64 pairs of children are worth comparing. */
    SCREE_SURROGATE_SIDES,
} scree_surrogate_traversal;

/*  Cost statistics; each search adds to them. */
typedef struct scree_surrogate_counts
{
    uint64_t
        level[SCREE_SURROGATE_LEVELS + 1]; /* comparisons, by the deeper of the two; roots: 0 */
    uint64_t compared;                     /* all of these */
    uint64_t facets;                       /* of these, two facets */
    uint64_t offered;                      /* of these, left to the finder */
    uint64_t placed;                       /* surrogates and facets brought into the world */
    uint64_t batches,
        /*  batches of comparisons, and room in them; `compared` over `lanes` is the utilisation */
        lanes;
    uint64_t known_apart; /* pairs still known to be apart, which were not compared */
} scree_surrogate_counts;

/*  One of the two bodies: those parts of its tree that are in the world, by slot. Items of a tree are numbered: nodes
    first, then facets in the order of the tree's list. */
typedef struct scree_surrogate_side
{
    const scree_mesh_body *body;
    const scree_surrogate *tree;
    double slack;    /* enlargement of its halos that covers all rounding */
    double wider;    /* additional halo when a front looks ahead */
    uint32_t *slot;  /* by item: its slot, valid if that slot holds this item */
    uint32_t *thing; /* by slot */
    uint8_t *level;  /* by slot */
    double *corners; /* by slot: nine numbers */
    double *halo[2]; /* by slot: the halo, and the halo enlarged by `wider` */
    size_t slot_capacity, thing_capacity, level_capacity, corner_capacity, halo_capacity[2];
    uint32_t count;
    /* lists of slots, for sets */
    uint32_t *set, *next;
    uint8_t *touched;
    size_t set_capacity, next_capacity, touched_capacity;
    uint32_t set_count, next_count;
} scree_surrogate_side;

typedef struct scree_surrogate_search
{
    scree_surrogate_traversal traversal;
    /*  Method for surrogates, and for facets before the finder: CERTIFIED, or COMPARISON as in the paper's exact
        variant; not HYBRID, which misses contacts. */
    scree_triangle_method method;
    scree_surrogate_counts counts;
    /* private to the search */
    scree_memory *memory;
    scree_surrogate_side side[2];
    uint32_t *stack[2]; /* pairs of slots to be compared */
    size_t stack_capacity[2], stack_count;
    uint64_t *met; /* pairs of facets found by sets */
    size_t met_capacity, met_count;
    uint8_t *verdicts;
    scree_triangle_touch *touches;
    size_t verdict_capacity, touch_capacity;
    scree_sorter sorter;
} scree_surrogate_search;

/*  Defaults: SIDES, CERTIFIED. `memory` must outlive the search. */
void scree_surrogate_search_init(scree_surrogate_search *search, scree_memory *memory);
void scree_surrogate_search_free(scree_surrogate_search *search);

/*  An end of a search: a pair of items that were apart, and how far bodies may move until it must be compared again. */
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
    const scree_surrogate *tree[2]; /* trees of the last search; NULL: there was none */
    scree_mesh_pose pose[2];
    double skin[2];
    double travelled; /* since the front was created: largest possible approach of any two points */
    uint32_t age;     /* number of searches since then */
} scree_surrogate_front;

void scree_surrogate_front_init(scree_surrogate_front *front);
void scree_surrogate_front_free(scree_surrogate_front *front, scree_memory *memory);

/*  An engine as in mesh_contact.h. Both bodies have trees, which outlive the call, and the trees of a front outlive the
    front. Fronts allocate with the search's memory. SETS cannot use fronts: they begin at the roots. After a failure
    the front is empty. */
scree_status scree_mesh_find_surrogates(scree_mesh_finder *finder, scree_surrogate_search *search,
                                        scree_surrogate_front *front, const scree_mesh_body *a,
                                        const scree_mesh_body *b);

/*  Whether surrogates and a few facets prove that the surfaces are farther apart than their contact skins plus `way`.
    Compares at most a few hundred pairs. Both bodies have trees. The answer is the same for all SIMD instruction sets.
    */
bool scree_surrogates_are_apart(const scree_mesh_body *a, const scree_mesh_body *b, double way);

#endif
