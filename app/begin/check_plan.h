/*  Valid parts of a scene that are almost certainly mistakes. */
#ifndef SCREE_CHECK_PLAN_H
#define SCREE_CHECK_PLAN_H

#include "plan.h"

/*  Calls `note` with a message for each: a wall that exists twice, an unused material, anything that starts after the
    end of the run. */
void scree_check_plan(const scree_scene_plan *plan, void (*note)(const char *text));

#endif
