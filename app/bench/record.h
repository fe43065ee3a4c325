/*  What benchmarks measured of the rows of docs/checklist.md, in the form that tests write too (tests/test.h): see
    `./do checklist`. */
#ifndef SCREE_RECORD_H
#define SCREE_RECORD_H

#include <stdbool.h>
#include <stdio.h>

typedef struct scree_recorded
{
    const char *rows; /* parted by blanks; "": nothing is written */
    const char *program, *check, *figure;
    const char *strength; /* "full", "quick", or of how much */
    bool pass;
} scree_recorded;

/*  A line for each row. */
void scree_record_lines(const scree_recorded *what, FILE *out);

/*  After all lines: without it the record is not whole. */
void scree_record_end(FILE *out);

#endif
