/*  What validation finds: sections of rows, each a number from elsewhere beside ours, and charts. A case
    adds rows; the caller reads them: the short tests count those that fail, the program `validate`
    writes a page. */
#ifndef SCREE_VALIDATION_REPORT_H
#define SCREE_VALIDATION_REPORT_H

#include "scree/base.h"

#include <stdio.h>

typedef enum validation_measure
{
    VALIDATION_RELATIVE, /* |ours - reference| <= tolerance * |reference| */
    VALIDATION_ABSOLUTE, /* |ours - reference| <= tolerance */
    VALIDATION_AT_MOST,  /* ours <= reference */
    VALIDATION_BETWEEN,  /* reference <= ours <= upper */
    VALIDATION_EXACT,    /* the same bits */
    VALIDATION_FAILED,   /* it could not be measured; the name says why */
} validation_measure;

typedef struct validation_row
{
    char name[120];
    /*  Begins with the mark of where the reference comes from: [F] a formula, [C] computed apart from scree,
        [D] read off a published figure, [P] published parameters, [U] not confirmed. */
    char source[48];
    validation_measure measure;
    double reference, upper, ours, tolerance;
    bool passed;
    uint32_t starts; /* more than 1: the median of so many starts, whose numbers were */
    double least, largest;
} validation_row;

typedef struct validation_curve
{
    const char *name;
    bool dashed; /* the reference */
    double *x, *y;
    size_t count, capacity;
} validation_curve;

#define VALIDATION_CURVES 12
typedef struct validation_chart
{
    const char *file, *title, *subtitle, *x_label, *y_label;
    bool logarithmic;
    size_t curve_count;
    validation_curve curve[VALIDATION_CURVES];
} validation_chart;

#define VALIDATION_CHARTS 4
typedef struct validation_section
{
    const char *title, *text; /* what is set up and why, as Markdown */
    size_t row_count, row_capacity, chart_count;
    validation_row *row;
    validation_chart chart[VALIDATION_CHARTS];
} validation_section;

#define VALIDATION_SECTIONS 32
typedef struct validation
{
    bool full;     /* else the short form, for every commit */
    bool longer;   /* and what takes longer than a minute or two */
    uint64_t seed; /* 0: bodies begin as they are placed; else each a little elsewhere */
    size_t section_count;
    validation_section section[VALIDATION_SECTIONS];
} validation;

/*  Rows and charts are added to the section begun last. */
void validation_begin(validation *v, const char *title, const char *text);
void validation_free(validation *v);

/*  Names are printf formats. */
void validation_relative(validation *v, const char *source, double reference, double ours,
                         double tolerance, const char *name, ...) SCREE_PRINTF(6, 7);
void validation_absolute(validation *v, const char *source, double reference, double ours,
                         double tolerance, const char *name, ...) SCREE_PRINTF(6, 7);
void validation_at_most(validation *v, const char *source, double bound, double ours,
                        const char *name, ...) SCREE_PRINTF(5, 6);
void validation_between(validation *v, const char *source, double lower, double upper, double ours,
                        const char *name, ...) SCREE_PRINTF(6, 7);
void validation_exact(validation *v, const char *source, double reference, double ours,
                      const char *name, ...) SCREE_PRINTF(5, 6);
void validation_failed(validation *v, const char *why, ...) SCREE_PRINTF(2, 3);

validation_chart *validation_add_chart(validation *v, const char *file, const char *title,
                                       const char *subtitle, const char *x_label,
                                       const char *y_label);
validation_curve *validation_add_curve(validation_chart *chart, const char *name, bool dashed);
void validation_point(validation_curve *curve, double x, double y);

/*  Of `count` reports of the same sections from different starts: each row of the first becomes the median one, by how far ours
    is above the reference. Rows that the others do not have stay. */
#define VALIDATION_MAX_STARTS 9
void validation_take_medians(validation *first, size_t section, const validation *others,
                             size_t count);

size_t validation_rows(const validation *v, bool failed_alone);
/*  One line: "hertz_impact: F_max: 10697 (reference 10696.9, tolerance 0.1 %)". */
void validation_print_row(const validation_row *row, FILE *out);

/*  The page, whose pictures stand beside it, and the pictures into a folder. */
void validation_write_page(const validation *v, FILE *out);
/*  false, and perror has spoken, where a file cannot be written. */
bool validation_write_charts(const validation *v, const char *folder);

#endif
