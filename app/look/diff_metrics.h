/*  Differences between the metrics of two runs. */
#ifndef SCREE_DIFF_METRICS_H
#define SCREE_DIFF_METRICS_H

#include "common/json.h"

#include <stddef.h>

typedef struct scree_metrics_difference
{
    size_t rows;       /* in both */
    size_t differing;  /* of these */
    size_t more[2];    /* rows at the end of only one */
    char first[2][64]; /* the first values that differ */
    char column[64];   /* their column; "" if none differ */
    char step[64];     /* the first value of their row */
} scree_metrics_difference;

/*  Two CSV files, names in the first line. Columns that depend on the machine are not compared: those whose names begin with "wall_", "ns_" or "steps_per_".
    An exit code, with a message on stderr. */
int scree_diff_metrics(const char *a, const char *b, scree_metrics_difference *difference);

#endif
