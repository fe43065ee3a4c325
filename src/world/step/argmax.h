/*  Of which body some number is greatest: of several the first by serial, whoever has looked at them. */
#ifndef SCREE_WORLD_ARGMAX_H
#define SCREE_WORLD_ARGMAX_H

#include "world/forces/sphere_forces.h"
#include "world/step/world_data.h"

/*  Bodies in the block of a run of scree_world_foremost. */
#define SCREE_FOREMOST_BLOCK 1024u

/*  Runs `look` over blocks of all bodies, which notes what it sees. Returns the greatest number, and whose it is;
    0 and UINT32_MAX where none was above 0. */
double scree_world_foremost(scree_world *world, scree_block_fn *look, void *data, uint32_t *slot);
void scree_foremost_take(scree_world *world, uint32_t worker, double number, uint32_t slot);

/*  Once for each body: most are told at a glance. */
static inline void scree_foremost_note(scree_world *world, uint32_t worker, double number,
                                       uint32_t slot)
{
    if (!(number < world->scratch[worker].foremost))
        scree_foremost_take(world, worker, number, slot);
}

#endif
