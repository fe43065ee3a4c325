/*  A tree of balls: eight that are consecutive on the Morton curve lie in a larger one, eight of these in a larger one
    still, up to a single group. Nodes and leaves have the same layout, so each search tests eight balls at once. It
    finds what may be visible in a window of the screen, how much of a light reaches a point, how open the sky is above
    it, and which ball is nearest.

    Positions are in view space, of magnitude about 1. Floats are accurate enough for light. Visibility is decided in
    double from what the search returns, which is too much rather than too little. */
#ifndef SCREE_BALL_TREE_H
#define SCREE_BALL_TREE_H

#include "base/memory.h"
#include "base/tasks.h"

#define SCREE_BALL_LEVELS 12 /* 8^11 > 2^32 */
#define SCREE_NO_BALL UINT32_MAX

typedef struct scree_ball_group
{
    float x[8], y[8], z[8], radius[8]; /* unused places have radius -1e30 */
    float reach[8]; /* distance from x y z up to which a ball below dims the sky */
} scree_ball_group;

typedef struct scree_ball_tree
{
    scree_ball_group *groups;
    size_t group_count;
    size_t level_start[SCREE_BALL_LEVELS]; /* 0: of the balls themselves */
    int levels;                            /* 0: no balls */
    uint32_t *order;                       /* index of the ball in each place of level 0 */
    size_t count;
} scree_ball_tree;

/*  Balls in rows of x, y, z, radius, all finite. On failure the tree is empty. */
scree_status scree_ball_tree_build(scree_ball_tree *tree, scree_memory *memory,
                                   const scree_workers *workers, const double (*ball)[4],
                                   size_t count);
void scree_ball_tree_free(scree_ball_tree *tree, scree_memory *memory);

/*  Half spaces n.x + d >= 0; a ball entirely outside of one is not visible. */
#define SCREE_WINDOW_PLANES 5
typedef struct scree_window
{
    float plane[SCREE_WINDOW_PLANES][4];
} scree_window;

typedef struct scree_ball_list
{
    uint32_t *ball;
    size_t count, capacity;
} scree_ball_list;

/*  Replaces the content of the list by all that may be visible, in an order that depends on the balls only.
    SCREE_OUT_OF_MEMORY. */
scree_status scree_ball_tree_look(const scree_ball_tree *tree, const scree_window *window,
                                  scree_memory *memory, scree_ball_list *list);

/*  The fraction of a round light that reaches `point`; `towards` is a unit vector, `spread` the tangent of half the
    angle of the light as seen from the point. The ball `self` casts no shadow. */
float scree_ball_tree_light(const scree_ball_tree *tree, const float point[3],
                            const float towards[3], float spread, uint32_t self);

/*  The fraction of the sky that is open over a surface with this normal: balls dim it that are nearer than
    SCREE_SKY_REACH of their radii. */
#define SCREE_SKY_REACH 3.0f
float scree_ball_tree_sky(const scree_ball_tree *tree, const float point[3], const float normal[3],
                          uint32_t self);

/*  The ball whose surface is nearest to the point: distance of the centre minus radius; SCREE_NO_BALL if there are
    none. */
uint32_t scree_ball_tree_nearest(const scree_ball_tree *tree, const float point[3]);

#endif
