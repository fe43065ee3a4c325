/*  The rule by which bodies fall asleep and wake. */
#ifndef SCREE_WORLD_SLEEP_H
#define SCREE_WORLD_SLEEP_H

#include "world/state/body_sleep.h"
#include "world/state/step_data.h"

void scree_sleep_free(scree_sleep_state *sleep, scree_memory *memory);
/*  Whether the values are valid. */
bool scree_sleep_rule_is_sound(const scree_sleep_rule *rule);
bool scree_sleep_row_is_sound(const scree_sleep_rule *rule, const double row[SCREE_SLEEP_VALUES]);
/*  Whether a world of this definition may use sleep. */
bool scree_sleep_fits(const scree_world_def *def);
/*  A body has been added, or changed by the host: it is awake. */
void scree_sleep_enter(const scree_sleep_state *sleep, scree_body_arrays *bodies, uint32_t slot);
/*  Called before the drift of these bodies. */
void scree_sleep_look_at_bodies(const scree_sleep_state *sleep, scree_body_arrays *bodies,
                                uint32_t begin, uint32_t end);
/*  Called at the end of a step that will be accepted: decides which bodies fall asleep and wake. In a cell that
    deforms no body falls asleep. */
void scree_sleep_decide(const scree_step *step, scree_sleep_state *sleep, scree_body_arrays *bodies,
                        bool cell_is_moving);

#endif
