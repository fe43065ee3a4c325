/*  Shows the progress of a run: on a terminal one line that is overwritten, elsewhere plain lines at growing
    intervals, or JSON, one object per line. The caller passes the wall-clock time, so that output can be tested. */
#ifndef SCREE_RUN_PROGRESS_H
#define SCREE_RUN_PROGRESS_H

#include "scree/base.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef enum scree_progress_mode
{
    SCREE_PROGRESS_QUIET,
    SCREE_PROGRESS_LINE,  /* on a terminal */
    SCREE_PROGRESS_PLAIN, /* elsewhere */
    SCREE_PROGRESS_JSON,
} scree_progress_mode;

/*  State of a run at one time. */
typedef struct scree_progress_report
{
    double wall; /* s since the start of the run */
    uint64_t step, end_step;
    double time, end_time; /* s; an unknown end is 0, also for steps */
    double dt;
    uint64_t bodies, contacts;
    double kinetic, potential; /* J; kinetic includes rotation */
} scree_progress_report;

#define SCREE_PROGRESS_SAMPLES 64

typedef struct scree_progress
{
    scree_progress_mode mode;
    FILE *out;
    double shown, gap; /* s: time of the last output, and interval to the next */
    bool is_line_open;
    /*  The last samples, for the present speed: a ring. */
    struct scree_progress_sample
    {
        double wall, time, body_steps;
        uint64_t step;
    } sample[SCREE_PROGRESS_SAMPLES];
    uint32_t newest, count;
} scree_progress;

void scree_progress_begin(scree_progress *progress, scree_progress_mode mode, FILE *out);
/*  To be called at every batch of steps: records samples. */
void scree_progress_note(scree_progress *progress, const scree_progress_report *now);
bool scree_progress_is_due(const scree_progress *progress, double wall);
void scree_progress_show(scree_progress *progress, const scree_progress_report *now);
/*  Ends the line before something else is printed. */
void scree_progress_clear(scree_progress *progress);

/*  Over the last ten seconds, or a tenth of the run if that is longer. */
typedef struct scree_progress_speed
{
    double steps;       /* per second */
    double nanoseconds; /* per body and step */
    double left;        /* wall-clock s to the end; negative: unknown */
} scree_progress_speed;

scree_progress_speed scree_progress_speed_now(const scree_progress *progress,
                                              const scree_progress_report *now);

/*  "12 %  0.06/0.5 s  ETA 0:43  ..."; fields that do not fit into `width` are omitted. Returns text. */
const char *scree_progress_text(const scree_progress_report *now, const scree_progress_speed *speed,
                                int width, char text[256]);
/*  "43 s", "2:05 min", "3:10 h", "5 d 2 h". */
const char *scree_duration_text(double seconds, char text[32]);
/*  "3.2 GB" */
const char *scree_bytes_text(double bytes, char text[32]);

#endif
