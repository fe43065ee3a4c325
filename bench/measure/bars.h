/*  Horizontal bars in groups on one logarithmic axis, written as SVG: the time of each program,
    scene by scene. */
#ifndef SCREE_BARS_H
#define SCREE_BARS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

typedef struct scree_bar
{
    const char *name;
    double value;     /* positive */
    const char *note; /* right of the bar, after the value; may be NULL */
    bool is_ours;     /* drawn in the stronger colour */
} scree_bar;

typedef struct scree_bar_group
{
    const char *name;
    const scree_bar *bars;
    size_t count;
} scree_bar_group;

typedef struct scree_bars
{
    const char *title, *subtitle, *x_label;
    const scree_bar_group *groups;
    size_t group_count;
} scree_bars;

/*  Texts must be free of <, > and &. Failures show in ferror(out). */
void scree_bars_write(const scree_bars *bars, FILE *out);

#endif
