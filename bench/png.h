/*  PNG files of 8-bit RGB, written without a library. */
#ifndef SCREE_PNG_H
#define SCREE_PNG_H

#include "scree/base.h"

#include <stdio.h>

/*  `pixels` are width * height * 3 bytes, rows from the top. SCREE_OUT_OF_MEMORY, SCREE_TOO_LARGE;
    failures to write show in ferror(out). */
scree_status scree_bench_png(const uint8_t *pixels, uint32_t width, uint32_t height, FILE *out);

#endif
