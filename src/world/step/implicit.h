/*  Data of the iteration of an implicit step, see implicit.c. */
#ifndef SCREE_WORLD_IMPLICIT_H
#define SCREE_WORLD_IMPLICIT_H

#include "base/memory.h"
#include "world/step/unconverged.h"

typedef struct scree_picard
{
    /*  By slot: force and torque before the step; the last residual; the relaxation factor. */
    double (*start)[8], (*residual)[8], *relaxation;
    /*  Level above the facets of the coarsest surrogate that the body touches, in the last iteration and the one
        before; 0: none. */
    uint8_t *height, *height_before;
    uint8_t *frozen; /* the body has converged, and its iterate is frozen */
    size_t start_capacity, residual_capacity, relaxation_capacity, frozen_capacity, height_capacity,
        height_before_capacity;
    uint32_t halvings;                  /* in the current step */
    scree_unconverged_list unconverged; /* see scree_world_unconverged */
} scree_picard;

struct scree_world;

void scree_picard_free(scree_picard *picard, scree_memory *memory);

/*  Called before a step. SCREE_OUT_OF_MEMORY. */
scree_status scree_picard_reserve(struct scree_world *world);
/*  From the state before the step (not yet in the second copies) to the end of an implicit step of *dt. Afterwards
    bodies are swapped, and have drifted and been evaluated once. `is_too_long`: the iteration did not converge, and
    *dt is now shorter, to be tried after an undo. SCREE_UNSTABLE: no halving that def.picard allows has converged;
    other statuses are those of an evaluation. */
scree_status scree_world_iterate(struct scree_world *world, double *dt, bool *is_too_long);

#endif
