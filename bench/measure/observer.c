/*  Time is that of the calling thread, read around the calls of the detector alone. */
#include "measure/observer.h"

#include "measure/measure.h"

#include "base/error.h"

#include <string.h>

scree_margin_def scree_margin_of(scree_margin_kind kind, double length)
{
    scree_margin_def margin = scree_default_detector_def().margin;
    margin.kind = kind;
    margin.length = length;
    return margin;
}

scree_status scree_observer_open(scree_observer *observer, const char *name, scree_volume volume,
                                 const scree_margin_def *margin, scree_error *error)
{
    scree_detector_def def = scree_default_detector_def();
    memset(observer, 0, sizeof *observer);
    observer->name = name;
    def.method = "insertion-sort";
    def.volume = volume;
    def.margin = *margin;
    def.error = error;
    return scree_detector_create(&def, &observer->detector);
}

void scree_observer_close(scree_observer *observer)
{
    scree_detector_destroy(observer->detector);
    observer->detector = NULL;
}

void scree_observer_reset(scree_observer *observer)
{
    observer->steps = observer->runs = observer->pairs = observer->inversions = 0;
    observer->sec = observer->sec_runs = observer->sec_pairs = 0;
}

scree_status scree_observer_look(scree_observer *observer, const scree_table *table,
                                 const scree_motion *motion, scree_error *error)
{
    scree_advance did;
    scree_pairs pairs = {0, NULL, NULL};
    double begin = scree_thread_seconds();
    scree_status status = scree_detector_advance(observer->detector, table, motion, 1, &did);
    double searching = scree_thread_seconds();
    if (status == SCREE_OK && did.ran)
        status = scree_detector_pairs(observer->detector, NULL, &pairs);
    double end = scree_thread_seconds(), sec = end - begin;
    if (status != SCREE_OK)
        return scree_fail(error, status, "%s: %s", observer->name,
                          scree_detector_message(observer->detector));
    if (did.ran) {
        observer->pair_count = pairs.count;
        observer->inversions += scree_detector_stats(observer->detector).inversions;
        observer->sec_pairs += end - searching;
    }
    observer->steps++;
    observer->runs += did.ran;
    observer->pairs += observer->pair_count;
    observer->sec += sec;
    observer->sec_runs += did.ran ? sec : 0;
    return SCREE_OK;
}
