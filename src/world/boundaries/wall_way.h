/*  How far walls go in a step, at most, and where they are on the way. */
#ifndef SCREE_WORLD_WALL_WAY_H
#define SCREE_WORLD_WALL_WAY_H

#include "base/error.h"
#include "world/state/walls.h"

#include <math.h>

/*  Upper bounds, of one wall in the step under way. No point of the wall that is d from `centre` at the start goes
    farther than shift + turn d. */
typedef struct scree_wall_way
{
    double shift;     /* m, of the centre */
    double turn;      /* rad, about it */
    double centre[3]; /* at the start of the step */
    double rush,
        rush_turn;    /* shift and turn, were it as fast in all of the step as at its fastest */
    double reach;     /* of the farthest point of the wall from there; INFINITY of a plane */
    bool is_straight; /* it does not turn, and its way is a straight one */
} scree_wall_way;

/*  `now` and `next` are known, `time` is that of `next`. A path that is a function of the host is asked at a few times in
    between: what it does between those is not known. SCREE_BAD_VALUE as a path. */
scree_status scree_wall_find_way(const scree_wall_record *wall, double time, double dt,
                                 int dimensions, scree_wall_way *way, scree_error *error);

/*  No point of the wall goes farther. */
static inline double scree_wall_most_way(const scree_wall_way *way)
{
    return way->turn > 0 ? way->shift + way->turn * way->reach : way->shift;
}

/*  How far it would go near there, were it as fast in all of the step as at its fastest. */
static inline double scree_wall_rush_near(const scree_wall_way *way, const double place[3],
                                          double own)
{
    double d_sq = 0;

    for (int k = 0; k < 3 && way->turn > 0; k++)
        d_sq += (place[k] - way->centre[k]) * (place[k] - way->centre[k]);
    return way->rush + way->rush_turn * (sqrt(d_sq) + own + way->shift);
}

/*  Nor does one that is where the wall may meet something that is at `place` at some time in the step, and goes `own` in it. */
static inline double scree_wall_way_near(const scree_wall_way *way, const double place[3],
                                         double own)
{
    double d_sq = 0, far, most = scree_wall_most_way(way);

    if (!(way->turn > 0))
        return way->shift;
    for (int k = 0; k < 3; k++)
        d_sq += (place[k] - way->centre[k]) * (place[k] - way->centre[k]);
    far = way->shift + way->turn * (sqrt(d_sq) + own + way->shift);
    return far < most ? far : most;
}

/*  A copy of a wall, put where the wall is at a share of the step: its `next`. `time` and `dt` as above. */
scree_status scree_wall_at_share(const scree_wall_record *wall, double time, double dt,
                                 int dimensions, double share, scree_wall_record *at,
                                 scree_error *error);

#endif
