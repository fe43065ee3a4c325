#include "app/run/times_left.h"

#include <math.h>

double scree_run_times_left(const scree_schedule *schedule, scree_clock clock, uint64_t end_steps,
                            double end_time)
{
    double time = end_time - clock.time, steps;

    if (!(clock.dt > 0))
        return 0;
    if (end_steps) {
        steps = end_steps > clock.steps ? (double)(end_steps - clock.steps) : 0;
        time = steps * clock.dt;
    } else {
        steps = time / clock.dt;
    }
    double times = schedule->steps      ? steps / (double)schedule->steps
                   : schedule->time > 0 ? time / schedule->time
                                        : 0;
    /* several within one step count as one */
    return fmax(0, floor(fmin(times, steps)));
}
