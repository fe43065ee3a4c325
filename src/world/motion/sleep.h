/*  The rule by which bodies come to rest and wake. */
#ifndef SCREE_WORLD_SLEEP_H
#define SCREE_WORLD_SLEEP_H

#include "world/state/body_sleep.h"
#include "world/state/step_data.h"

void scree_rest_free(scree_rest *rest, scree_memory *memory);
/*  Whether such numbers can come from a world. */
bool scree_rest_rule_is_sound(const scree_rest_rule *rule);
bool scree_rest_row_is_sound(const scree_rest_rule *rule, const double row[SCREE_RESTS]);
/*  Whether a world of this definition may have it. */
bool scree_rest_fits(const scree_world_def *def);
/*  A body has been added, or set by the host: it is awake. */
void scree_rest_enter(const scree_rest *rest, scree_crowd *bodies, uint32_t slot);
/*  A drift begins, of these bodies. */
void scree_rest_look_at_bodies(const scree_rest *rest, scree_crowd *bodies, uint32_t begin,
                               uint32_t end);
/*  The step has come to its end, and will be taken: who falls to rest, and who wakes. In a cell that moves nobody
    comes to rest. */
void scree_rest_decide(const scree_step *step, scree_rest *rest, scree_crowd *bodies,
                       bool cell_is_moving);

#endif
