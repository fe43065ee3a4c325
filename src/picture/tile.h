/*  A square of the screen that is small enough for the first-level cache: what each sample sees first, the glass in
    front of it, and then the light of each pixel. */
#ifndef SCREE_TILE_H
#define SCREE_TILE_H

#include "base/radix_sort.h"
#include "picture/subject.h"

#define SCREE_TILE_SIDE 64 /* samples */
#define SCREE_TILE_SAMPLES (SCREE_TILE_SIDE * SCREE_TILE_SIDE)
#define SCREE_TILE_NOTHING UINT32_MAX

typedef struct scree_tile
{
    const scree_subject *subject;
    scree_memory *memory;
    uint32_t x, y, width, height; /* pixels */
    uint32_t samples;             /* along each side of a pixel */
    uint32_t columns, rows;       /* of samples: width * samples, height * samples */
    double across[SCREE_TILE_SIDE], down[SCREE_TILE_SIDE]; /* points of the screen */
    double depth[SCREE_TILE_SAMPLES];                      /* of the first visible object */
    uint32_t hit[SCREE_TILE_SAMPLES]; /* index of the ball; or ball_count + index of the facet */
    /* glass in front of it: transmission, and the sums of its light and weight */
    float clear[SCREE_TILE_SAMPLES], gleam[SCREE_TILE_SAMPLES], glass[SCREE_TILE_SAMPLES];
    float light[SCREE_TILE_SAMPLES][3]; /* of pixels */
    scree_ball_list list;
    uint32_t *key; /* by entry of the list: depth of its nearest point */
    size_t key_capacity;
    scree_sorter sorter;
} scree_tile;

/*  Edge functions of a facet: linear on the screen. Each is the exact negative of that of the adjacent facet, so no ray
    passes between the two. All have the same sign inside. */
typedef struct scree_facet_plane
{
    double edge[3][3]; /* opposite to corner 0, 1, 2: edge[0] x + edge[1] y + edge[2] */
    double corner_z[3];
    double reach; /* perspective: depth is reach / sum of the edge functions */
    bool orthographic;
} scree_facet_plane;

void scree_facet_plane_set(scree_facet_plane *plane, const scree_facet_seen *facet,
                           bool orthographic);
/*  Depth, or a negative number if the facet is not visible; weights of the corners add up to 1. */
double scree_facet_plane_meet(const scree_facet_plane *plane, double x, double y, double weight[3]);
/*  Depth of the first intersection with the ball, or a negative number. */
double scree_ball_meet(const double ball[4], bool orthographic, double x, double y);

/*  cast.c: places the tile over these pixels, with nothing visible yet. */
void scree_tile_lay(scree_tile *tile);
/*  Places it, and finds what is visible. SCREE_OUT_OF_MEMORY. */
scree_status scree_tile_cast(scree_tile *tile);
/*  shade.c: the light of all its pixels. */
void scree_tile_shade(scree_tile *tile);
/*  edges.c: lines over it. SCREE_OUT_OF_MEMORY. */
scree_status scree_tile_draw_edges(scree_tile *tile);
/*  cast.c: the view volume of the tile: a half space for each side, and the one ahead. */
scree_window scree_tile_window(const scree_tile *tile);
void scree_tile_free(scree_tile *tile);

#endif
