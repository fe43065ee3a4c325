/*  The bodies of a detector as methods see them, indexed by id: boxes, and the list of those that
    take part. A method never sees spheres, flags or filters; the shared code around it
    (detector.c, sink.c) does the rest of the rule. */
#ifndef SCREE_BODIES_H
#define SCREE_BODIES_H

#include "base/common.h"
#include "scree/detect.h"

#include <float.h>
#include <math.h>

/*  For sphere tables the box is rounded outward so far that no pair of the rule is lost: see
    scree_sphere_bounds. Always finite, lower <= upper, at most 1.1e100 in magnitude. In two
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

/*  The least and the largest of each of the four numbers of spheres, or what encloses them. */
typedef struct scree_sphere_range
{
    double least[4], most[4];
} scree_sphere_range;

static const scree_sphere_range scree_no_spheres = {{INFINITY, INFINITY, INFINITY, INFINITY},
                                                    {-INFINITY, -INFINITY, -INFINITY, -INFINITY}};

static inline void scree_sphere_range_join(scree_sphere_range *range,
                                           const scree_sphere_range *other)
{
    for (int k = 0; k < 4; k++) {
        double least = other->least[k], most = other->most[k];
        range->least[k] = least < range->least[k] ? least : range->least[k];
        range->most[k] = most > range->most[k] ? most : range->most[k];
    }
}

typedef struct scree_bodies
{
    int dimensions;
    scree_volume volume;
    uint32_t bound;         /* ids are below this */
    uint32_t active_count;  /* bodies with a finite box: those a method works on */
    const uint32_t *active; /* their ids; ascending unless bodies were inserted or removed singly */
    const uint32_t *position;
    const scree_box *box;
    const double (*sphere)[4];       /* x y z r as given; NULL for boxes */
    const scree_sphere_range *range; /* of the active bodies; NULL: not known */
} scree_bodies;

static inline bool scree_boxes_overlap(const scree_box *a, const scree_box *b)
{
    /* `&`, not `&&`: six comparisons without a branch; the third axis of discs always passes */
    return (a->lower[0] <= b->upper[0]) & (b->lower[0] <= a->upper[0]) &
           (a->lower[1] <= b->upper[1]) & (b->lower[1] <= a->upper[1]) &
           (a->lower[2] <= b->upper[2]) & (b->lower[2] <= a->upper[2]);
}

/*  The box of a sphere, rounded outward far enough that whatever the sphere formulas accept also passes a test
    of boxes. Proof: let u = 2^-53 and S = r_i + r_j. If the formula of the rule accepts a pair, then, with one
    rounding a step, dx^2 (1-u)^5 <= S^2 (1+u)^3 + 2^-1073, the last term for squares that underflow; so
    |dx| <= S (1 + 5u) + 2^-536. The bounds below are computed with two roundings, each of at most
    u (|c| + r) (1 + 17u), and reach out by 8u (|c| + r) + 2^-536, so more than 5u (|c| + r) + 2^-536 of it is
    left. Then upper_i - lower_j >= (c_i - c_j) + S + 5u S + 2^-535 >= 0: the boxes overlap on every axis. The
    clamped distance of a sphere query has fewer roundings, and is covered as well. */
static inline void scree_sphere_bounds(double centre, double radius, double *lower, double *upper)
{
    double reach = 4 * DBL_EPSILON * (fabs(centre) + radius) + 0x1p-536;
    *lower = (centre - radius) - reach;
    *upper = (centre + radius) + reach;
}

static inline scree_box scree_sphere_box(const double sphere[4], int dimensions)
{
    scree_box box = {{0, 0, 0}, {0, 0, 0}};
    for (int k = 0; k < dimensions; k++)
        scree_sphere_bounds(sphere[k], sphere[3], &box.lower[k], &box.upper[k]);
    return box;
}

#endif
