/*  How long a step is. */
#ifndef SCREE_WORLD_TIME_STEP_H
#define SCREE_WORLD_TIME_STEP_H

#include "world/state/bodies.h"

struct scree_world;

/*  The step to take next, by the mode. SCREE_UNSTABLE where it would be too short to go on. */
scree_status scree_world_choose_dt(struct scree_world *world, double *dt);
/*  Whether the next evaluation is to find the stable step. */
bool scree_world_seeks_stable(const struct scree_world *world);
/*  After forces are summed: the stable step for these contacts and, where masses are scaled, by how much. */
void scree_world_find_stable(struct scree_world *world);
/*  A step has come to where it is too long for the contacts there: `dt` becomes shorter, to try again.
    SCREE_UNSTABLE where it would be too short to go on. */
scree_status scree_world_shorten(struct scree_world *world, double *dt, bool *is_too_long);

/*  Of each slot the squared rate of which def.safety is to be a step, of contacts as they are; the list of candidates may be
    new then. As an evaluation. */
scree_status scree_world_survey(struct scree_world *world, double *rates);
/*  How far a body may move in a step of its own. */
double scree_body_most_move(const scree_crowd *bodies, uint32_t slot);
/*  How long a body takes for a way, at the least, as fast and pushed as it is. */
double scree_body_time_to_move(const scree_crowd *bodies, uint32_t slot, double most);

#endif
