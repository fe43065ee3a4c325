#include "app/run/forecast.h"

#include "app/run/times_left.h"
#include "common/machine.h"

#include <inttypes.h>
#include <math.h>

static void add(scree_run_forecast *forecast, const char *name, double times, double length)
{
    forecast->is_complete &= length > 0 || !(times > 0);
    if (times * length > forecast->times * forecast->length) {
        forecast->name = name;
        forecast->times = times;
        forecast->length = length;
    }
    forecast->bytes += times * length;
}

scree_run_forecast scree_run_forecast_of(const scree_run *run)
{
    scree_clock clock = scree_world_clock(run->world);
    scree_run_forecast forecast = {.is_complete = true, .name = ""};

    for (size_t k = 0; k < run->series_count; k++) {
        const scree_run_series *series = &run->series[k];
        add(&forecast, scree_run_series_name(series),
            scree_run_times_left(&series->schedule, clock, run->end_steps, run->end_time),
            series->frame_bytes);
    }
    add(&forecast, "metrics",
        scree_run_times_left(&run->metrics_due, clock, run->end_steps, run->end_time),
        run->row_bytes);
    return forecast;
}

bool scree_run_disk_suffices(scree_run *run)
{
    uint64_t bodies = scree_world_body_count(run->world);
    char all[32], one[32], room[32];

    if (run->options->force || !(scree_world_clock(run->world).dt > 0) ||
        (run->forecast_made && bodies < 2 * run->forecast_bodies))
        return true;
    scree_run_forecast forecast = scree_run_forecast_of(run);
    if (!forecast.is_complete)
        return true;
    run->forecast_made = true;
    run->forecast_bodies = bodies;
    double free_bytes = scree_machine_disk_bytes(run->folder.path);
    if (!(forecast.bytes > SCREE_RUN_DISK_SHARE * free_bytes))
        return true;
    snprintf(run->message, sizeof run->message,
             "the run would still write about %s, most of it %s (%.3g times %s), but only %s are "
             "free on the disk of %s: write them less often (every = ...), or continue with scree "
             "run --resume %s --force",
             scree_bytes_text(forecast.bytes, all), forecast.name, forecast.times,
             scree_bytes_text(forecast.length, one), scree_bytes_text(free_bytes, room),
             run->folder.path, run->folder.path);
    return false;
}
