/*  Valid parts of a scene that are almost certainly mistakes. */
#ifndef SCREE_CHECK_PLAN_H
#define SCREE_CHECK_PLAN_H

#include "plan.h"

typedef void scree_plan_note_fn(const char *text, void *user);

/*  Calls `note` with a message for each: a wall that exists twice or has holes, an unused material, rule or law, anything
    that starts after the end of the run, a step that does not divide it. */
void scree_check_plan(const scree_scene_plan *plan, scree_plan_note_fn *note, void *user);

#endif
