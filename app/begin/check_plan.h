/*  What is legal in a scene, and yet surely not meant. */
#ifndef SCREE_CHECK_PLAN_H
#define SCREE_CHECK_PLAN_H

#include "plan.h"

/*  Calls `note` with a sentence for each: a wall that is there twice, a material that nothing is made of, and what would begin
    after the end of the run. */
void scree_check_plan(const scree_scene_plan *plan, void (*note)(const char *text));

#endif
