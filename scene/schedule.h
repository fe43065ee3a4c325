/*  When something is due in a run: at intervals of steps or of simulated time. The n-th moment is n * every, not the
    previous moment plus every, so errors do not accumulate. It depends only on the clock of the world: a run
    continued from a checkpoint finds the same steps. */
#ifndef SCREE_SCENE_SCHEDULE_H
#define SCREE_SCENE_SCHEDULE_H

#include "scree/world.h"

typedef struct scree_schedule
{
    uint64_t steps; /* interval in steps; 0: not by steps */
    double time;    /* interval in s; 0: not by time. Both 0: only due with `last` */
    uint64_t next;  /* index of the next moment */
    /*  The moment with index `base`: the start, unless a stage has changed the interval. */
    scree_clock origin;
    uint64_t base;
} scree_schedule;

/*  The world's clock for scree_schedule_room; its dt is the larger one if the time step has just been increased. */
scree_clock scree_schedule_clock(const scree_world *world);

/*  A schedule that has done everything due before this clock, and what was due at it unless `is_at_start`. */
scree_schedule scree_schedule_begin(uint64_t steps, double time, scree_clock clock,
                                    bool is_at_start);

/*  By time: due at the nearest step. *number gets the index of the moment; 0 is the start. Several moments in one
    step count as one, the last of them. */
bool scree_schedule_is_due(const scree_schedule *schedule, scree_clock clock, uint64_t *number);
/*  Marks what was due at this clock as done. */
void scree_schedule_pass(scree_schedule *schedule, scree_clock clock);

/*  A new interval from a moment on that has passed: moments are counted from there, indices from `base`. What was
    due up to `now` is done. */
scree_schedule scree_schedule_from(uint64_t steps, double time, scree_clock origin, uint64_t base,
                                   scree_clock now);
/*  The index of the last moment up to now. */
uint64_t scree_schedule_number(const scree_schedule *schedule, scree_clock clock);

/*  Number of steps, at least 1, that cannot pass the next moment. Each step is at most `growth` times as long as the
    one before; 1 for equal steps. */
uint64_t scree_schedule_room(const scree_schedule *schedule, scree_clock clock, double growth);
/*  The same for a single moment: the end of a run. */
uint64_t scree_schedule_room_until(double moment, scree_clock clock, double growth);
bool scree_schedule_has_come(double moment, scree_clock clock);

/*  The end of a run is met exactly, except for rounding of the time: by shortening its last step or two. A fixed step
    that divides the time of the run keeps its length. */
bool scree_schedule_has_ended(double end, scree_clock clock);
/*  The length of the next step if it must be shortened to meet the end; 0 if not. Two equal steps are better than a
    whole one and a very short one. */
double scree_schedule_last_step(double end, scree_clock clock, bool is_fixed);

#endif
