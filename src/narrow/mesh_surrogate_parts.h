/*  The parts of traversals of surrogate trees. */
#ifndef SCREE_MESH_SURROGATE_PARTS_H
#define SCREE_MESH_SURROGATE_PARTS_H

#include "narrow/mesh_surrogate.h"

#define SURROGATE_AT_ONCE                                                                          \
    1024u /* comparisons in a batch: its tiles and verdicts stay in the cache */
#define SURROGATE_CHILD_PAIRS (SCREE_SURROGATE_WIDTH * SCREE_SURROGATE_WIDTH)

/*  Removes all items from the world. */
scree_status scree_surrogate_begin(scree_surrogate_search *search, const scree_mesh_body *a,
                                   const scree_mesh_body *b);
/*  Reserves room for so many more, or for all items. */
scree_status scree_surrogate_reserve(scree_surrogate_search *search, int side, size_t more);
/*  Returns the slot of an item, and brings it into the world if it is not there; there is room. */
uint32_t scree_surrogate_slot(scree_surrogate_side *side, uint32_t thing, uint32_t level);
/*  Returns the slots of the children of a slot, and their number. A facet is its own child. */
uint32_t scree_surrogate_open(scree_surrogate_side *side, uint32_t slot,
                              uint32_t to[SCREE_SURROGATE_WIDTH]);
/*  Largest position error of any item in the world. */
double scree_surrogate_place_error(const scree_mesh_body *body);

/*  Verdicts for up to SURROGATE_AT_ONCE pairs of slots, with halos as they are (0) or enlarged (1). */
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

/*  The facet of a slot. */
static inline uint32_t scree_surrogate_facet(const scree_surrogate_side *side, uint32_t slot)
{
    return side->tree->facet[side->thing[slot] - side->tree->node_count];
}

/*  Offers two facets that may touch to the finder. */
scree_status scree_surrogate_offer(scree_mesh_finder *finder, scree_surrogate_search *search,
                                   uint32_t first, uint32_t second);

/*  Pushes the children of two slots that may touch; there is room on the stack and in the world. */
void scree_surrogate_push_children(scree_surrogate_search *search, uint32_t first, uint32_t second);
/*  Reserves room on the stack and in the world for the children of so many pairs. */
scree_status scree_surrogate_make_room(scree_surrogate_search *search, size_t pairs);

/*  Traverses by pairs or sides, from the roots. */
scree_status scree_surrogate_search_roots(scree_mesh_finder *finder,
                                          scree_surrogate_search *search);

/* ---- mesh_surrogate_front.c: pairs that do not touch now, and will not for a while ---- */

/*  Upper bound of how much any two points of the two bodies have approached since those poses. */
double scree_surrogate_way(const scree_surrogate_search *search, const scree_mesh_pose before[2]);
/*  Makes comparisons with enlarged halos look ahead by this much, in sum. Returns the motion for which pairs that are
    apart then stay apart. Call it before anything is in the world. */
double scree_surrogate_look_ahead(scree_surrogate_search *search, double ahead);
scree_status scree_surrogate_search_front(scree_mesh_finder *finder, scree_surrogate_search *search,
                                          scree_surrogate_front *front);

#endif
