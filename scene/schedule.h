/*  When something is due in a run: every so many steps, or every so many seconds of simulated time. The n-th
    time is n * every, never the last time plus every, so that nothing drifts. Whether something is due follows
    from the clock of the world alone: a run that goes on from a checkpoint finds the same steps. */
#ifndef SCREE_SCENE_SCHEDULE_H
#define SCREE_SCENE_SCHEDULE_H

#include "scree/world.h"

typedef struct scree_schedule
{
    uint64_t steps; /* every so many; 0: not by steps */
    double time;    /* s; 0: not by time. Neither: never due but for `last` */
    uint64_t next;  /* the number of the next time */
    /*  From where it counts, and which number that has: 0, where no stage has changed it. */
    scree_clock origin;
    uint64_t base;
} scree_schedule;

/*  The world's clock, for asking how many steps there is room for: where the time step was just made longer, that one and
    not the last. */
scree_clock scree_schedule_clock(const scree_world *world);

/*  One that has done all that was due before this clock, and what was due at it unless `is_at_start`. */
scree_schedule scree_schedule_begin(uint64_t steps, double time, scree_clock clock,
                                    bool is_at_start);

/*  By time: due at the step that is nearest. *number gets which time it is; 0 is the start. Several that
    fall into one step are one, the last of them. */
bool scree_schedule_is_due(const scree_schedule *schedule, scree_clock clock, uint64_t *number);
/*  What was due at this clock is done. */
void scree_schedule_pass(scree_schedule *schedule, scree_clock clock);

/*  Another interval, or the same, from a moment on that has come: times count from there, numbers go on from `base`. What was
    due up to `now` is done. */
scree_schedule scree_schedule_from(uint64_t steps, double time, scree_clock origin, uint64_t base,
                                   scree_clock now);
/*  The number of the last time up to now. */
uint64_t scree_schedule_number(const scree_schedule *schedule, scree_clock clock);

/*  So many steps, at least 1, can be taken without passing over the next time. Each step is at most
    `growth` times as long as the one before it; 1 where steps are all the same. */
uint64_t scree_schedule_room(const scree_schedule *schedule, scree_clock clock, double growth);
/*  The same for one moment: the end of a run. */
uint64_t scree_schedule_room_until(double moment, scree_clock clock, double growth);
bool scree_schedule_has_come(double moment, scree_clock clock);

#endif
