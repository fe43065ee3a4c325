/*  Drawing on pixels: lines with round ends, discs, rectangles and letters, anti-aliased. Positions are in pixels from
    the upper left corner, y down; colours are sRGB, 0 to 255. */
#ifndef SCREE_CANVAS_H
#define SCREE_CANVAS_H

#include "base/common.h"

typedef struct scree_canvas
{
    uint8_t *pixels; /* 3 bytes each, rows from the top */
    uint32_t width, height;
    uint32_t left, top, right, bottom; /* the clip rectangle; right and bottom are outside */
} scree_canvas;

scree_canvas scree_canvas_of(uint8_t *pixels, uint32_t width, uint32_t height);

void scree_canvas_dot(const scree_canvas *canvas, uint32_t x, uint32_t y, const float colour[3],
                      double opaque);
/*  All within `radius` of the segment from a to b; a disc if both are the same. */
void scree_canvas_line(const scree_canvas *canvas, const double a[2], const double b[2],
                       double radius, const float colour[3], double opaque);
void scree_canvas_box(const scree_canvas *canvas, const double upper_left[2],
                      const double lower_right[2], const float colour[3], double opaque);

/* ---- letters ---- */

/*  Width of a text. `size` is the height of a capital letter. */
double scree_text_width(const char *text, double size);
/*  The left end of its base line is at `at`. ASCII; other bytes show as a small box. */
void scree_canvas_text(const scree_canvas *canvas, const double at[2], double size,
                       const char *text, const float colour[3]);

#endif
