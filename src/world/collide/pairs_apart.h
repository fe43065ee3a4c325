/*  Pairs of bodies that are apart, and stay out of the search for contacts until their motion has used up the gap.

    BOUND. Where a pair is found apart, its gap is known to be at least g. A point of a body whose bounding sphere has
    radius R moves by at most |dx| + 2 R |dq| while its centre moves by dx and its orientation, a unit quaternion, by
    dq: a turn by the angle w moves it by at most 2 R sin(w / 2), and |dq| = 2 sin(w / 4). The `way` of a body is the
    sum of these over all evaluations. The pair cannot touch as long as both ways together have grown by less than g.

    Across a periodic boundary the gap is that to the nearest image, and ends where another image may become the nearest.

    So a pair that is left out has no contacts, whenever it was last tested: results do not depend on this memory, which
    is no part of the state. Ways are rounded, so a share of them is subtracted from the gap. */
#ifndef SCREE_WORLD_PAIRS_APART_H
#define SCREE_WORLD_PAIRS_APART_H

#include "world/collide/shape_contacts.h"

/*  Adds the motion since the last evaluation to the ways of bodies. Where pairs cannot be left out, none is until they
    have been tested again. SCREE_OUT_OF_MEMORY. */
scree_status scree_shape_ways_follow(scree_shape_job *job);

/*  Notes that a pair is apart by at least `gap`, as `test` has found. Bodies are not spheres. */
void scree_shape_note_apart(const scree_shape_job *job, const scree_shape_work *work, double gap,
                            scree_local_test test);

/*  Whether a pair need not be tested. */
static inline bool scree_shape_stays_apart(const scree_shape_finder *finder,
                                           const scree_shape_candidate *pair)
{
    return pair->way_to > 0 &&
           finder->ways[pair->slot[0]].sum + finder->ways[pair->slot[1]].sum < pair->way_to;
}

#endif
