/*  Length of a step. */
#ifndef SCREE_WORLD_TIME_STEP_H
#define SCREE_WORLD_TIME_STEP_H

#include "world/state/bodies.h"

struct scree_world;

/*  The length of the next step, by the time mode. SCREE_UNSTABLE if it would be too short to make progress. */
scree_status scree_world_choose_dt(struct scree_world *world, double *dt);
/*  Whether the next evaluation must find the stable step. */
bool scree_world_seeks_stable(const struct scree_world *world);
/*  Called after force accumulation: finds the stable step of the contacts and the factors of mass scaling. */
void scree_world_find_stable(struct scree_world *world);
/*  The step turned out too long for the contacts at its end: makes `dt` shorter for another try. SCREE_UNSTABLE if
    it would be too short to make progress. */
scree_status scree_world_shorten(struct scree_world *world, double *dt, bool *is_too_long);

/*  For each slot the squared inverse of the step to which def.safety applies, from the present contacts. May rebuild
    the neighbour list. Statuses as of an evaluation. */
scree_status scree_world_survey(struct scree_world *world, double *rates);
/*  The largest displacement of a body in a local step. */
double scree_body_max_move(const scree_body_arrays *bodies, uint32_t slot);
/*  The shortest time in which a body can move by a distance, with its velocity and force. */
double scree_body_time_to_move(const scree_body_arrays *bodies, uint32_t slot, double most);

#endif
