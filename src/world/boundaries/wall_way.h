/*  Bounds of the displacements of walls in a step, and their poses during the step. */
#ifndef SCREE_WORLD_WALL_WAY_H
#define SCREE_WORLD_WALL_WAY_H

#include "base/error.h"
#include "world/state/walls.h"

#include <math.h>

/*  Upper bounds for one wall in the current step. A point of the wall at distance d from `centre` at the start moves
    by at most shift + turn d. */
typedef struct scree_wall_way
{
    double shift;           /* m, of the centre */
    double turn;            /* rad, about it */
    double centre[3];       /* at the start of the step */
    double rush, rush_turn; /* shift and turn with the largest speed during the whole step */
    double reach;           /* distance of its farthest point from there; INFINITY for a plane */
    bool is_straight;       /* no rotation, and a straight path */
} scree_wall_way;

/*  `now` and `next` must be known; `time` is that of `next`. A path that is a function of the host is called at a
    few times in between; its motion between those is unknown. SCREE_BAD_VALUE as for paths. */
scree_status scree_wall_find_way(const scree_wall_record *wall, double time, double dt,
                                 int dimensions, scree_wall_way *way, scree_error *error);

/*  Upper bound of the displacement of any point of the wall. */
static inline double scree_wall_max_way(const scree_wall_way *way)
{
    return way->turn > 0 ? way->shift + way->turn * way->reach : way->shift;
}

/*  Bound near a point, with the largest speed during the whole step. */
static inline double scree_wall_rush_near(const scree_wall_way *way, const double place[3],
                                          double own)
{
    double d_sq = 0;

    for (int k = 0; k < 3 && way->turn > 0; k++)
        d_sq += (place[k] - way->centre[k]) * (place[k] - way->centre[k]);
    return way->rush + way->rush_turn * (sqrt(d_sq) + own + way->shift);
}

/*  Upper bound of the displacement of those points of the wall that may meet a body at `place`, which itself moves
    by `own` in the step. */
static inline double scree_wall_way_near(const scree_wall_way *way, const double place[3],
                                         double own)
{
    double d_sq = 0, far, most = scree_wall_max_way(way);

    if (!(way->turn > 0))
        return way->shift;
    for (int k = 0; k < 3; k++)
        d_sq += (place[k] - way->centre[k]) * (place[k] - way->centre[k]);
    far = way->shift + way->turn * (sqrt(d_sq) + own + way->shift);
    return far < most ? far : most;
}

/*  A copy of a wall with its pose at a fraction of the step as `next`. `time` and `dt` as above. */
scree_status scree_wall_at_share(const scree_wall_record *wall, double time, double dt,
                                 int dimensions, double share, scree_wall_record *at,
                                 scree_error *error);

#endif
