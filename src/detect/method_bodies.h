/*  The bodies of a detector as methods see them, indexed by id: boxes, and the list of those that
    take part. A method never sees spheres, flags or filters; the shared code around it
    (detector.c, sink.c) does the rest of the rule. */
#ifndef SCREE_BODIES_H
#define SCREE_BODIES_H

#include "base/common.h"
#include "scree/detect.h"

/*  For sphere tables the box is rounded outward so far that no pair of the rule is lost: see
    table.c for the proof. Always finite, lower <= upper, at most 1.1e100 in magnitude. In two
    dimensions lower[2] = upper[2] = 0. Methods treat boxes as closed. */
typedef struct scree_box
{
    double lower[3], upper[3];
} scree_box;

/*  Frequent: box, read by all but methods that say spheres_alone, for which it is NULL if there are
    spheres. A sphere's box is made by scree_sphere_bounds.
    Invariant: active[position[id]] == id for each id with a finite box; position[id] is
    SCREE_NOT_ACTIVE for all other ids below bound. */
#define SCREE_NOT_ACTIVE 0xffffffffu

typedef struct scree_bodies
{
    int dimensions;
    scree_volume volume;
    uint32_t bound;         /* ids are below this */
    uint32_t active_count;  /* bodies with a finite box: those a method works on */
    const uint32_t *active; /* their ids; ascending unless bodies were inserted or removed singly */
    const uint32_t *position;
    const scree_box *box;
    const double (*sphere)[4]; /* x y z r as given; NULL for boxes */
} scree_bodies;

static inline bool scree_boxes_overlap(const scree_box *a, const scree_box *b)
{
    /* `&`, not `&&`: six comparisons without a branch; the third axis of discs always passes */
    return (a->lower[0] <= b->upper[0]) & (b->lower[0] <= a->upper[0]) &
           (a->lower[1] <= b->upper[1]) & (b->lower[1] <= a->upper[1]) &
           (a->lower[2] <= b->upper[2]) & (b->lower[2] <= a->upper[2]);
}

#endif
