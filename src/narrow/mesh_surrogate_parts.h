/*  What traversals of surrogate trees are made of. */
#ifndef SCREE_MESH_SURROGATE_PARTS_H
#define SCREE_MESH_SURROGATE_PARTS_H

#include "narrow/mesh_surrogate.h"

#define SURROGATE_AT_ONCE                                                                          \
    1024u /* comparisons in a batch: its tiles and verdicts stay in the cache */
#define SURROGATE_CHILD_PAIRS (SCREE_SURROGATE_WIDTH * SCREE_SURROGATE_WIDTH)

/*  Nothing is in the world. */
scree_status scree_surrogate_begin(scree_surrogate_search *search, const scree_mesh_body *a,
                                   const scree_mesh_body *b);
/*  Room for so many more, or for all there can be. */
scree_status scree_surrogate_reserve(scree_surrogate_search *search, int side, size_t more);
/*  The slot of a thing, which is brought into the world if it is not there; there is room. */
uint32_t scree_surrogate_slot(scree_surrogate_side *side, uint32_t thing, uint32_t level);
/*  Slots of what a slot stands for, and how many; a facet stands for itself. */
uint32_t scree_surrogate_open(scree_surrogate_side *side, uint32_t slot,
                              uint32_t to[SCREE_SURROGATE_WIDTH]);
/*  What anything in the world is off its place, at most. */
double scree_surrogate_place_error(const scree_mesh_body *body);

/*  Verdicts of up to SURROGATE_AT_ONCE pairs of slots, with halos as they are or wider (1). */
void scree_surrogate_compare(scree_surrogate_search *search, scree_simd simd, int wider,
                             const uint32_t *first, const uint32_t *second, size_t count);

static inline bool scree_surrogate_is_facet(const scree_surrogate_side *side, uint32_t slot)
{
    return side->thing[slot] >= side->tree->node_count;
}

static inline bool scree_surrogate_are_facets(const scree_surrogate_search *search, uint32_t first,
                                              uint32_t second)
{
    return scree_surrogate_is_facet(&search->side[0], first) &&
           scree_surrogate_is_facet(&search->side[1], second);
}

/*  The facet that a slot is. */
static inline uint32_t scree_surrogate_facet(const scree_surrogate_side *side, uint32_t slot)
{
    return side->tree->facet[side->thing[slot] - side->tree->node_count];
}

/*  Two facets that may touch, for the finder. */
scree_status scree_surrogate_offer(scree_mesh_finder *finder, scree_surrogate_search *search,
                                   uint32_t first, uint32_t second);

/*  Puts what two slots that may touch stand for onto the stack; there is room on it and in the world. */
void scree_surrogate_push_children(scree_surrogate_search *search, uint32_t first, uint32_t second);
/*  Room on the stack and in the world for the children of so many pairs. */
scree_status scree_surrogate_make_room(scree_surrogate_search *search, size_t pairs);

/*  By pairs or sides, from the roots. */
scree_status scree_surrogate_search_roots(scree_mesh_finder *finder,
                                          scree_surrogate_search *search);

/* ---- mesh_surrogate_front.c: what does not touch now, and will not for a while ---- */

/*  How much nearer to each other anything of the two may have come since they were there, at most. */
double scree_surrogate_way(const scree_surrogate_search *search, const scree_mesh_pose before[2]);
/*  Comparisons with wider halos look ahead by as much, in sum. What is apart then stays apart for as long a way as this
    returns. Before anything is in the world. */
double scree_surrogate_look_ahead(scree_surrogate_search *search, double ahead);
scree_status scree_surrogate_search_front(scree_mesh_finder *finder, scree_surrogate_search *search,
                                          scree_surrogate_front *front);

#endif
