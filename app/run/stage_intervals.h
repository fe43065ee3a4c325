/*  Whether stages of a scene set intervals of rows or frames, which then start with the stage. */
#ifndef SCREE_RUN_STAGE_INTERVALS_H
#define SCREE_RUN_STAGE_INTERVALS_H

#include "scene/plan.h"

static inline bool scree_stages_set_intervals(const scree_scene_plan *plan)
{
    for (size_t k = 0; k < plan->stage_count; k++)
        if (plan->stages[k].metrics_every > 0 || plan->stages[k].output_every > 0)
            return true;
    return false;
}

#endif
