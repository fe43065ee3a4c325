/*  The parts of a turn of a cut. */
#ifndef SCREE_MESH_SURROGATE_CUT_PARTS_H
#define SCREE_MESH_SURROGATE_CUT_PARTS_H

#include "narrow/mesh_surrogate_cut.h"
#include "narrow/mesh_surrogate_parts.h"

#define SURROGATE_NEARBY (-1.0) /* value of `until`: compared with halos that are not enlarged */

typedef struct scree_surrogate_turn
{
    scree_mesh_finder *finder;
    scree_surrogate_search *search;
    scree_surrogate_cut *cut;
    double ahead; /* pairs that are apart with enlarged halos stay so until then */
    bool is_last; /* children of pairs that touch wait for the next turn */
    uint32_t opened;
} scree_surrogate_turn;

/*  Verdicts for up to SURROGATE_AT_ONCE branches, with the slots of each; there is room in the world. */
void scree_surrogate_compare_branches(scree_surrogate_turn *turn, int wider,
                                      const uint32_t *branches, size_t count,
                                      uint32_t slot[2][SURROGATE_AT_ONCE]);

/* ---- mesh_surrogate_quiet.c */
/*  After a turn that has no child left to compare and narrowed nothing: lists what the next turn must compare. */
scree_status scree_surrogate_cut_list_near(scree_surrogate_turn *turn);
/*  A turn in which the active set does not change. Returns false, with nothing changed, if it would. */
scree_status scree_surrogate_cut_stay(scree_surrogate_turn *turn, bool *stays);

#endif
