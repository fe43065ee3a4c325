/*  Rows of named values, printed as an aligned table, as CSV or as JSON. */
#ifndef SCREE_REPORT_H
#define SCREE_REPORT_H

#include "scree/base.h"

#include <stdio.h>

enum scree_report_format
{
    SCREE_REPORT_TABLE,
    SCREE_REPORT_CSV,
    SCREE_REPORT_JSON,
};

/*  For scree_parse_word: indexes are the formats. */
extern const char *const scree_report_formats[];

typedef struct scree_report_column
{
    const char *name;
    bool is_text;  /* otherwise a number: right-aligned, and unquoted in JSON */
    bool no_table; /* left out of tables (the same in all rows, and printed above) */
} scree_report_column;

typedef struct scree_report
{
    const scree_report_column *columns;
    size_t column_count;
    char **cells; /* row by row */
    size_t cell_count, capacity;
    bool failed; /* memory ran out */
} scree_report;

void scree_report_begin(scree_report *report, const scree_report_column *columns, size_t count);

/*  The next cell of the row; rows follow one another. */
void scree_report_add(scree_report *report, const char *format, ...) SCREE_PRINTF(2, 3);

/*  Prints and frees; an exit code. */
int scree_report_end(scree_report *report, int format, FILE *out);

#endif
