/*  Predicts how much a run will still write: the size of one frame of each series and of one row of metrics, times
    their remaining number. Checked once per call, as soon as one of each was written and a step was taken, and again
    when the number of bodies has doubled. */
#ifndef SCREE_RUN_FORECAST_H
#define SCREE_RUN_FORECAST_H

#include "app/run/run.h"

/*  A larger share of the free disk space is not used without --force. */
#define SCREE_RUN_DISK_SHARE 0.5

typedef struct scree_run_forecast
{
    double bytes;     /* in total */
    bool is_complete; /* all series that are still due have been written once, so sizes are known */
    const char *name; /* the largest contribution: "pictures"; "" if nothing is written */
    double times, length; /* its remaining number, and bytes per frame */
} scree_run_forecast;

scree_run_forecast scree_run_forecast_of(const scree_run *run);

/*  Whether the free disk space is sufficient as far as known; otherwise the reason is in the run's message. Between
    two checks it returns true. */
bool scree_run_disk_suffices(scree_run *run);

#endif
