/*  How much a run will still write: what one frame of each series and one row of metrics took on the disk, times how often they
    are still due. It is looked at once in a call, as
    soon as one of each has been written and a step taken, and again when there are twice as many bodies as then. */
#ifndef SCREE_RUN_FORECAST_H
#define SCREE_RUN_FORECAST_H

#include "app/run/run.h"

/*  A larger share of what is free on the disk is not written without --force. */
#define SCREE_RUN_DISK_SHARE 0.5

typedef struct scree_run_forecast
{
    double bytes;         /* in all */
    bool is_complete;     /* all that is still due has been written once, so its size is known */
    const char *name;     /* of what takes most: "pictures"; "" where nothing is written */
    double times, length; /* of that: how often it is still due, and bytes of one */
} scree_run_forecast;

scree_run_forecast scree_run_forecast_of(const scree_run *run);

/*  Whether the disk has room for it as far as is known; else the reason is in the run's message. Says nothing between two
    occasions to look. */
bool scree_run_disk_suffices(scree_run *run);

#endif
