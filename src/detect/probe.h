/*  The region of a query as methods see it. */
#ifndef SCREE_PROBE_H
#define SCREE_PROBE_H

#include "detect/method_bodies.h"

typedef struct scree_probe
{
    scree_box box; /* encloses the region; grids and sorted lists need no more */
    bool is_ray;
    double origin[3], direction[3], t_max; /* ray; t_max shrinks while a first hit is sought */
} scree_probe;

/*  Where the ray enters a box, into *t, at 0 or later; false if it misses the box or enters after t_max. Each bound
    is one subtraction and one division, both monotone under rounding: so a box inside another is never entered
    before it, and pruning by an enclosing box loses nothing. */
bool scree_probe_enters(const scree_probe *probe, const scree_box *box, double *t);

/*  False only if no body inside `box` can be hit: what trees prune by. */
static inline bool scree_probe_meets(const scree_probe *probe, const scree_box *box)
{
    double t;
    return scree_boxes_overlap(&probe->box, box) &&
           (!probe->is_ray || scree_probe_enters(probe, box, &t));
}

/*  A node of a tree that a query has not visited yet. For rays: where the ray enters its box; a first hit may have
    shortened the ray since. */
typedef struct scree_waiting_node
{
    double t;
    uint32_t level, node;
} scree_waiting_node;

/*  Puts a node into a list of `count` nodes that is sorted by descending t: for rays the nearest is on top. Returns the
    new count. */
static inline size_t scree_waiting_put(scree_waiting_node *waiting, size_t count,
                                       scree_waiting_node entry)
{
    size_t place = count;
    for (; place > 0 && waiting[place - 1].t < entry.t; place--)
        waiting[place] = waiting[place - 1];
    waiting[place] = entry;
    return count + 1;
}

#endif
