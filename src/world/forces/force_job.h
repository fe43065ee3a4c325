/*  Input of the forces of contacts with walls and of non-spherical bodies. */
#ifndef SCREE_WORLD_FORCE_JOB_H
#define SCREE_WORLD_FORCE_JOB_H

#include "world/state/bodies.h"
#include "world/state/step_data.h"
#include "world/state/sums.h"
#include "world/state/walls.h"

/*  Scratch of one worker. */
typedef struct scree_force_scratch scree_force_scratch;

/*  Input, and the sums that forces are added to. step/room_data.c fills it once sums have begun. */
typedef struct scree_force_job
{
    const scree_step *step;
    const scree_body_arrays *bodies;
    const scree_walls *walls;
    bool wants_stiffness;         /* stiffness is to be stored, see stiffness.c */
    scree_force_scratch *scratch; /* by worker */
    scree_sums *sums;
} scree_force_job;

#endif
