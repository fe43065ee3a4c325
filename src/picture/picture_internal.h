/*  Shared by the files of a picture. */
#ifndef SCREE_PICTURE_INTERNAL_H
#define SCREE_PICTURE_INTERNAL_H

#include "picture/colour_map.h"
#include "picture/roster.h"

struct scree_picture
{
    scree_memory memory;
    uint32_t width, height;
    uint8_t *pixels;
    double range[2];
    uint64_t bodies;
};

/*  Index of a colour map, or -1. */
int scree_map_index(const char *name);

/*  Checks a definition of the host, as scree_picture_check, and completes it. */
scree_status scree_picture_read_def(const scree_picture_def *given, scree_picture_def *def,
                                    scree_error *error);

/*  png.c: as scree_png_write, with an allocator. */
scree_status scree_png_write_in(const scree_allocator *allocator, const uint8_t *pixels,
                                uint32_t width, uint32_t height, const char *path,
                                scree_error *error);

#endif
