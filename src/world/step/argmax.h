/*  Of which body some number is greatest: of several the first by serial, whoever has looked at them. */
#ifndef SCREE_WORLD_ARGMAX_H
#define SCREE_WORLD_ARGMAX_H

#include "world/forces/sphere_forces.h"

/*  Bodies in the block of a run of scree_foremost. */
#define SCREE_FOREMOST_BLOCK 1024u

/*  Runs `look` over blocks of all bodies, which notes what it sees in its worker's scratch. Returns the greatest number, and
    whose it is; 0 and UINT32_MAX where none was above 0. */
double scree_foremost(const scree_workers *workers, scree_force_scratch *scratch,
                      const scree_crowd *bodies, scree_block_fn *look, void *data, uint32_t *slot);
void scree_foremost_take(scree_force_scratch *scratch, const scree_crowd *bodies, double number,
                         uint32_t slot);

/*  Once for each body: most are told at a glance. */
static inline void scree_foremost_note(scree_force_scratch *scratch, const scree_crowd *bodies,
                                       double number, uint32_t slot)
{
    if (!(number < scratch->foremost))
        scree_foremost_take(scratch, bodies, number, slot);
}

#endif
