/*  How the metrics of two runs differ. */
#ifndef SCREE_DIFF_METRICS_H
#define SCREE_DIFF_METRICS_H

#include "common/json.h"

#include <stddef.h>

typedef struct scree_metrics_difference
{
    size_t rows;       /* that both have */
    size_t differing;  /* of these */
    size_t more[2];    /* rows that one has alone, at its end */
    char first[2][64]; /* the values that differ first, */
    char column[64];   /* their column, "" if none do, */
    char step[64];     /* and what stands first in their row */
} scree_metrics_difference;

/*  Two files of lines of values with commas between, the first their names. Columns that tell of the machine
    and not of the world are not compared: those whose names begin with "wall_", "ns_" or "steps_per_".
    An exit code, with a message on stderr. */
int scree_diff_metrics(const char *a, const char *b, scree_metrics_difference *difference);

#endif
