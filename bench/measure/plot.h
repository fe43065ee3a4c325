/*  Line plots written as SVG: with logarithmic axes, enough for curves of time over size, or linear ones. */
#ifndef SCREE_PLOT_H
#define SCREE_PLOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

typedef struct scree_plot_series
{
    const char *name;
    const double *x, *y; /* logarithmic axes: positive; other points are left out */
    size_t count;
    bool dashed; /* for lines of comparison: without dots, as are curves of very many points */
} scree_plot_series;

#define SCREE_PLOT_MAX_SERIES 24

typedef struct scree_plot
{
    const char *title, *subtitle, *x_label, *y_label;
    const scree_plot_series *series;
    size_t series_count; /* at most SCREE_PLOT_MAX_SERIES */
} scree_plot;

/*  Names must be free of <, > and &. Failures show in ferror(out). */
void scree_plot_write(const scree_plot *plot, FILE *out);
/*  The same with linear axes. */
void scree_plot_write_linear(const scree_plot *plot, FILE *out);

#endif
