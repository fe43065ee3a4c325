/*  How often a schedule is still due in a run. */
#ifndef SCREE_RUN_TIMES_LEFT_H
#define SCREE_RUN_TIMES_LEFT_H

#include "scene/schedule.h"
#include "scree/world.h"

/*  From this clock to the end of the run, in steps if end_steps is not 0, otherwise in time. 0 before the first step, which
    has no dt. */
double scree_run_times_left(const scree_schedule *schedule, scree_clock clock, uint64_t end_steps,
                            double end_time);

#endif
