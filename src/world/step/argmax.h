/*  The body with the largest value of some quantity. Of equal values the smallest global id wins, whichever worker
    found them. */
#ifndef SCREE_WORLD_ARGMAX_H
#define SCREE_WORLD_ARGMAX_H

#include "world/forces/sphere_forces.h"

/*  Bodies per block. */
#define SCREE_FOREMOST_BLOCK 1024u

/*  Runs `look` on blocks of all bodies; it records values in the workspace of its worker. Returns the largest value
    and its slot; 0 and UINT32_MAX if none is above 0. */
double scree_foremost(const scree_workers *workers, scree_force_scratch *scratch,
                      const scree_body_arrays *bodies, scree_block_fn *look, void *data,
                      uint32_t *slot);
void scree_foremost_take(scree_force_scratch *scratch, const scree_body_arrays *bodies,
                         double number, uint32_t slot);

/*  Call once for each body. Most calls need only one comparison. */
static inline void scree_foremost_note(scree_force_scratch *scratch,
                                       const scree_body_arrays *bodies, double number,
                                       uint32_t slot)
{
    if (!(number < scratch->foremost))
        scree_foremost_take(scratch, bodies, number, slot);
}

#endif
