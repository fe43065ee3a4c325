/*  A published study measured again: its claims, each with the figures of this machine and a verdict,
    and charts of what was measured. A claim that misses is a finding, not an error. */
#ifndef SCREE_STUDY_H
#define SCREE_STUDY_H

#include "scree/base.h"

#include <stdio.h>

typedef struct scree_claim
{
    const char *id, *text;
    const char *rows;  /* of docs/checklist.md that it measures, "PFC-40 PFC-41"; "": none */
    char figure[1200]; /* lines of text */
    bool pass;
} scree_claim;

#define SCREE_CURVE_POINTS 16
typedef struct scree_curve
{
    char name[40];
    bool dashed;
    size_t count;
    double x[SCREE_CURVE_POINTS], y[SCREE_CURVE_POINTS];
} scree_curve;

#define SCREE_CHART_CURVES 16
typedef struct scree_chart
{
    const char *file, *title, *subtitle, *x_label, *y_label;
    size_t curve_count;
    scree_curve curve[SCREE_CHART_CURVES];
} scree_chart;

/*  A row of a table of times; rows of parts belong to the one above them. */
typedef struct scree_engine_row
{
    const char *name;
    bool is_part; /* of the last row that is not; does not count in the total */
    uint64_t count[2];
    double seconds[2];
} scree_engine_row;

#define SCREE_STUDY_CLAIMS 12
#define SCREE_STUDY_NOTES 2
#define SCREE_STUDY_CHARTS 8
typedef struct scree_study
{
    bool quick; /* smaller sizes and fewer runs: half a minute instead of minutes */
    uint32_t seed;
    FILE *progress; /* a line for each part; NULL: silent */
    size_t claim_count, note_count, chart_count;
    scree_claim claim[SCREE_STUDY_CLAIMS];
    scree_claim
        note[SCREE_STUDY_NOTES]; /* asked for by rows, but not claimed: recorded, not shown */
    scree_chart chart[SCREE_STUDY_CHARTS];
    char table[2400]; /* lines of text, shown after the claims; "": none */
} scree_study;

/*  Those that follow return the new one, to be filled; there is always room in a study that
    keeps to the limits above. */
scree_claim *scree_study_claim(scree_study *study, const char *id, const char *rows,
                               const char *text);
scree_claim *scree_study_note(scree_study *study, const char *id, const char *rows);
scree_chart *scree_study_chart(scree_study *study, const char *file, const char *title,
                               const char *subtitle, const char *x_label, const char *y_label);
scree_curve *scree_chart_curve(scree_chart *chart, const char *name);
void scree_curve_add(scree_curve *curve, double x, double y);

/*  Adds to the figure. */
void scree_claim_say(scree_claim *claim, const char *format, ...) SCREE_PRINTF(2, 3);

/*  Adds to the table. */
void scree_study_write(scree_study *study, const char *format, ...) SCREE_PRINTF(2, 3);

/*  Adds count, microseconds and percent of each engine to the table, for two runs side by side, and
    their total. */
void scree_study_engines(scree_study *study, const char *const run[2], const scree_engine_row *rows,
                         size_t count);

/*  To progress, if anybody listens. */
void scree_study_tell(const scree_study *study, const char *format, ...) SCREE_PRINTF(2, 3);

#endif
