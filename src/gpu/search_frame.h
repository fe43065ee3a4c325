/*  The grids of a search, as numbers shared by host and kernels. Compiled by both. */
#ifndef SCREE_SEARCH_FRAME_H
#define SCREE_SEARCH_FRAME_H

/* compilers of kernels define one of these */
#if defined(__OPENCL_VERSION__) || defined(__OPENCL_C_VERSION__)
#define SEARCH_U32 uint
#define SEARCH_U64 ulong
#else
#include <stdint.h>
#define SEARCH_U32 uint32_t
#define SEARCH_U64 uint64_t
#endif

/*  24, as SCREE_SEARCH_LEVELS. */
#define SEARCH_LEVELS 24

/*  Indices of an extent: see search_extent. */
#define SEARCH_EXTENTS 10

/*  The grid of a level: its cells have numbers first .. first + cells[0] * cells[1] * cells[2] - 1, x fastest. 24
    bytes. */
typedef struct search_level
{
    SEARCH_U64 first;
    SEARCH_U32 cells[3];
    SEARCH_U32 padding;
} search_level;

/*  Written by the host for each search. 736 bytes. */
typedef struct search_frame
{
    double origin[3]; /* the lower corner of the grids */
    double edge[3];   /* periods, or the extent of the bodies */
    double tilt[3];
    double period[3]; /* 0: not periodic */
    double inner[3];  /* differences below these cross no boundary; infinite if not periodic */
    double margin;
    double width;     /* cells of level 0 are at least this wide, of level 1 half of it, ... */
    SEARCH_U64 cells; /* of all levels */
    SEARCH_U32 levels, shift;
    search_level level[SEARCH_LEVELS];
} search_frame;

#endif
