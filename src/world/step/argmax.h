/*  The body with the largest value of some quantity. Of equal values the smallest global id wins, whichever worker
    found them. */
#ifndef SCREE_WORLD_ARGMAX_H
#define SCREE_WORLD_ARGMAX_H

#include "world/forces/sphere_forces.h"
#include "world/state/body_blocks.h"

/*  Runs `look` on blocks of all bodies; it records values in the workspace of its worker. Returns the largest value
    and its slot; 0 and UINT32_MAX if none is above 0. */
double scree_argmax(const scree_workers *workers, scree_force_scratch *scratch,
                    const scree_body_arrays *bodies, scree_body_block_fn *look, void *data,
                    uint32_t *slot);
void scree_argmax_take(scree_force_scratch *scratch, const scree_body_arrays *bodies, double number,
                       uint32_t slot);

/*  Call once for each body. Most calls need only one comparison. */
static inline void scree_argmax_note(scree_force_scratch *scratch, const scree_body_arrays *bodies,
                                     double number, uint32_t slot)
{
    if (!(number < scratch->largest))
        scree_argmax_take(scratch, bodies, number, slot);
}

#endif
