/*  What an implicit step keeps while it looks for its end, see implicit.c. */
#ifndef SCREE_WORLD_IMPLICIT_H
#define SCREE_WORLD_IMPLICIT_H

#include "base/memory.h"
#include "world/step/unconverged.h"

typedef struct scree_picard
{
    /*  By slot: force and torque before the step; what the last guess was wrong by; and the share of that by
        which the next one differs. */
    double (*start)[8], (*residual)[8], *share;
    /*  How many levels above facets the highest surrogate is that a body feels, at the last guess and the one before;
        0: none. */
    uint8_t *height, *height_before;
    uint8_t *stays; /* what it is guessed to feel is good enough, and is not guessed anew */
    size_t start_capacity, residual_capacity, share_capacity, stays_capacity, height_capacity,
        height_before_capacity;
    uint32_t halvings;              /* of the step under way */
    scree_unsettled_list unsettled; /* see scree_world_unconverged */
} scree_picard;

struct scree_world;

void scree_picard_free(scree_picard *picard, scree_memory *memory);

/*  Before a step. SCREE_OUT_OF_MEMORY. */
scree_status scree_picard_reserve(struct scree_world *world);
/*  From the state before (which is not in the twins yet) to the end of an implicit step of *dt, as bodies swapped,
    drifted and evaluated once leave it. `is_too_long`: forces have not settled, and *dt is shorter now, to be tried
    when this has been undone. SCREE_UNSTABLE: nor with any that def.step.picard allows; and as an evaluation. */
scree_status scree_world_settle(struct scree_world *world, double *dt, bool *is_too_long);

#endif
