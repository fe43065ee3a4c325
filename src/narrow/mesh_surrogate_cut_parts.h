/*  What turns of a cut are made of. */
#ifndef SCREE_MESH_SURROGATE_CUT_PARTS_H
#define SCREE_MESH_SURROGATE_CUT_PARTS_H

#include "narrow/mesh_surrogate_cut.h"
#include "narrow/mesh_surrogate_parts.h"

#define SURROGATE_NEARBY (-1.0) /* until: compared with halos as they are */

typedef struct scree_surrogate_turn
{
    scree_mesh_finder *finder;
    scree_surrogate_search *search;
    scree_surrogate_cut *cut;
    double ahead; /* what is apart by wider halos is so until then */
    bool is_last; /* children of what touches wait for the next turn */
    uint32_t opened;
} scree_surrogate_turn;

/*  Verdicts of up to SURROGATE_AT_ONCE branches, with the slots of each; there is room in the world. */
void scree_surrogate_compare_branches(scree_surrogate_turn *turn, int wider,
                                      const uint32_t *branches, size_t count,
                                      uint32_t slot[2][SURROGATE_AT_ONCE]);

/* ---- mesh_surrogate_quiet.c */
/*  After a turn that has left no child to be looked at, and narrowed to nobody: what the next one has to look at. */
scree_status scree_surrogate_cut_list_near(scree_surrogate_turn *turn);
/*  A turn in which the active set stays as it is, if it is one: else nothing has changed. */
scree_status scree_surrogate_cut_stay(scree_surrogate_turn *turn, bool *stays);

#endif
