/*  A packing whose spheres tremble on the spot, so that it stays what it is, while a few may fly through
    it; and detectors that look on. */
#ifndef SCREE_STAGE_H
#define SCREE_STAGE_H

#include "claims/compression.h"
#include "measure/observer.h"

#define SCREE_STAGE_OBSERVERS 5

typedef struct scree_stage
{
    scree_compression c;
    scree_observer observer[SCREE_STAGE_OBSERVERS];
    size_t count;  /* of observers */
    size_t flying; /* the first bodies fly */
} scree_stage;

/*  The compression has gone on for so many steps. */
scree_status scree_stage_open(scree_stage *stage, size_t n, uint64_t seed, uint64_t steps,
                              scree_error *error);
void scree_stage_close(scree_stage *stage);

scree_status scree_stage_invite(scree_stage *stage, const char *name,
                                const scree_margin_def *margin, scree_error *error);
void scree_stage_dismiss(scree_stage *stage); /* all observers */
void scree_stage_reset(scree_stage *stage);   /* their sums */

/*  The first `flying` get the speed `fast`, the others `slow`, in directions at random. */
void scree_stage_set_speeds(scree_stage *stage, size_t flying, double slow, double fast,
                            uint64_t seed);
scree_status scree_stage_play(scree_stage *stage, uint64_t steps, scree_error *error);

#endif
