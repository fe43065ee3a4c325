/*  Clocks of the lab. */
#include "lab_internal.h"

#include "base/clock.h"

#include <time.h>

double scree_lab_now(void)
{
    return scree_clock_seconds();
}

double scree_lab_spent(void)
{
    struct timespec spent;

    if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &spent))
        return scree_lab_now();
    return (double)spent.tv_sec + 1e-9 * (double)spent.tv_nsec;
}
