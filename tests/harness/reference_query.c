/*  Queries by brute force, in long double. Where the answer hangs on rounding the verdict is "maybe":
    methods must agree with one another there to the last bit, but not with this file. */
#include "reference.h"

#include <math.h>

/*  Rounding of the library's formulas, relative to the magnitude of what goes into them, and absolute
    where squares underflow. */
#define RELATIVE 1e-12L
#define ABSOLUTE 1e-150L

static reference_verdict verdict_of(long double gap, long double tolerance)
{
    if (gap > tolerance)
        return VERDICT_NO;
    return gap < -tolerance ? VERDICT_YES : VERDICT_MAYBE;
}

static long double larger(long double a, long double b)
{
    return a > b ? a : b;
}

/*  Distance of a point to a box, and the magnitude of the numbers in it. */
static long double distance_to_box(const double *point, const double *lower, const double *upper,
                                   int dimensions, long double *magnitude)
{
    long double square = 0;
    for (int k = 0; k < dimensions; k++) {
        long double below = (long double)lower[k] - point[k];
        long double above = (long double)point[k] - upper[k];
        long double outside = larger(0, larger(below, above));
        square += outside * outside;
        *magnitude += fabsl(lower[k]) + fabsl(upper[k]) + fabsl(point[k]);
    }
    return sqrtl(square);
}

static long double distance_to_point(const double *a, const double *b, int dimensions,
                                     long double *magnitude)
{
    return distance_to_box(a, b, b, dimensions, magnitude);
}

static reference_verdict hit_box(const test_scene *scene, const scree_query *query,
                                 const scene_row *row)
{
    if (scene->volume == SCREE_BOXES) {
        for (int k = 0; k < scene->dimensions; k++)
            if (row->number[k] > query->upper[k] || row->number[3 + k] < query->lower[k])
                return VERDICT_NO;
        return VERDICT_YES;
    }
    long double magnitude = row->number[3];
    long double distance =
        distance_to_box(row->number, query->lower, query->upper, scene->dimensions, &magnitude);
    return verdict_of(distance - row->number[3], RELATIVE * magnitude + ABSOLUTE);
}

static reference_verdict hit_sphere(const test_scene *scene, const scree_query *query,
                                    const scene_row *row)
{
    long double magnitude = query->radius, distance, reach = query->radius;
    if (scene->volume == SCREE_BOXES) {
        distance = distance_to_box(query->centre, row->number, row->number + 3, scene->dimensions,
                                   &magnitude);
    } else {
        distance = distance_to_point(query->centre, row->number, scene->dimensions, &magnitude);
        reach += row->number[3];
        magnitude += row->number[3];
    }
    return verdict_of(distance - reach, RELATIVE * magnitude + ABSOLUTE);
}

static reference_verdict hit_nearest(const test_scene *scene, const scree_query *query,
                                     const scene_row *row, double *distance, double *tolerance)
{
    long double magnitude = 0, gap;
    if (scene->volume == SCREE_BOXES) {
        gap = distance_to_box(query->centre, row->number, row->number + 3, scene->dimensions,
                              &magnitude);
    } else {
        gap = distance_to_point(query->centre, row->number, scene->dimensions, &magnitude);
        gap = larger(0, gap - row->number[3]);
        magnitude += row->number[3];
    }
    *distance = (double)gap;
    *tolerance = (double)(RELATIVE * magnitude + ABSOLUTE);
    return VERDICT_YES;
}

/*  A quadratic for t. Squares cancel, so half the digits may go. */
static reference_verdict ray_sphere(int dimensions, const scree_query *query, const scene_row *row,
                                    double *distance, double *tolerance)
{
    long double a = 0, b = 0, c = 0, magnitude = row->number[3];
    for (int k = 0; k < dimensions; k++) {
        long double to = (long double)row->number[k] - query->centre[k];
        a += (long double)query->direction[k] * query->direction[k];
        b += to * query->direction[k];
        c += to * to;
        magnitude += fabsl(row->number[k]) + fabsl(query->centre[k]);
    }
    long double radius = row->number[3], length = sqrtl(a), loose = 1e-6L * magnitude + ABSOLUTE;
    long double perpendicular_sq = larger(0, c - b * b / a);
    reference_verdict start = verdict_of(sqrtl(c) - radius, loose);
    reference_verdict line =
        verdict_of(perpendicular_sq - radius * radius, RELATIVE * magnitude * magnitude + ABSOLUTE);
    long double half = sqrtl(larger(0, radius * radius - perpendicular_sq)) / length;
    long double enter = b / a - half, slack = loose / length;

    *distance = start == VERDICT_YES ? 0 : (double)larger(0, enter);
    *tolerance = start == VERDICT_MAYBE ? (double)(4 * half + slack) : (double)slack;
    if (start == VERDICT_YES)
        return VERDICT_YES;
    if (line == VERDICT_NO)
        return VERDICT_NO;
    reference_verdict begin = start == VERDICT_MAYBE ? VERDICT_MAYBE : verdict_of(-enter, slack);
    reference_verdict end =
        isinf(query->t_max) ? VERDICT_YES : verdict_of(enter - query->t_max, slack);
    reference_verdict worst = line < begin ? line : begin;
    return worst < end ? worst : end;
}

static reference_verdict ray_box(int dimensions, const scree_query *query, const scene_row *row,
                                 double *distance, double *tolerance)
{
    long double enter = 0, leave = query->t_max, slack = 0;
    bool doubtful = false;
    for (int k = 0; k < dimensions; k++) {
        long double origin = query->centre[k], d = query->direction[k];
        long double lower = row->number[k], upper = row->number[3 + k];
        long double magnitude = fabsl(origin) + fabsl(lower) + fabsl(upper);
        if (d == 0) {
            if (origin < lower || origin > upper)
                return VERDICT_NO;
            continue;
        }
        long double near = ((d > 0 ? lower : upper) - origin) / d;
        long double far = ((d > 0 ? upper : lower) - origin) / d;
        slack = larger(slack, (RELATIVE * magnitude + ABSOLUTE) / fabsl(d));
        enter = larger(enter, near);
        leave = far < leave ? far : leave;
    }
    *distance = (double)enter;
    *tolerance = (double)slack;
    doubtful = fabsl(leave - enter) <= 2 * slack;
    if (doubtful && slack > 0)
        return VERDICT_MAYBE;
    return enter <= leave ? VERDICT_YES : VERDICT_NO;
}

reference_verdict reference_hit(const reference_model *r, const scree_query *query, uint32_t id,
                                double *distance, double *tolerance)
{
    *distance = *tolerance = 0;
    if (id >= r->bound || r->state[id] & REFERENCE_REJECTED || !(r->state[id] & REFERENCE_PRESENT))
        return VERDICT_NO;
    const test_scene *scene = r->scene;
    const scene_row *row = &r->body[id];
    bool empty = false;

    if ((row->flags & SCREE_NO_BOUND) || !(row->group & query->groups))
        return VERDICT_NO;
    if (r->lie == REFERENCE_MISSES_A_HIT && id % 3 == 0)
        return VERDICT_NO;
    for (int k = 0; k < scene->dimensions; k++)
        empty |= query->kind == SCREE_QUERY_BOX && query->lower[k] > query->upper[k];
    if (empty)
        return VERDICT_NO;
    if (row->flags & SCREE_INFINITE)
        return VERDICT_YES;
    switch (query->kind) {
    case SCREE_QUERY_BOX:
        return hit_box(scene, query, row);
    case SCREE_QUERY_SPHERE:
        return hit_sphere(scene, query, row);
    case SCREE_QUERY_NEAREST:
        return hit_nearest(scene, query, row, distance, tolerance);
    default:
        return scene->volume == SCREE_SPHERES
                   ? ray_sphere(scene->dimensions, query, row, distance, tolerance)
                   : ray_box(scene->dimensions, query, row, distance, tolerance);
    }
}

/* ---- which queries are refused ---- */

static bool is_bad_vector(const double *vector, int dimensions)
{
    for (int k = 0; k < dimensions; k++)
        if (!(fabs(vector[k]) <= SCREE_MAX_COORDINATE))
            return true;
    return false;
}

bool reference_query_is_bad(const test_scene *scene, const scree_query *query)
{
    int n = scene->dimensions;
    bool is_ray = query->kind == SCREE_QUERY_RAY || query->kind == SCREE_QUERY_RAY_FIRST;
    bool still = true;

    if (query->kind == SCREE_QUERY_BOX)
        return is_bad_vector(query->lower, n) || is_bad_vector(query->upper, n);
    if (is_bad_vector(query->centre, n))
        return true;
    if (query->kind == SCREE_QUERY_SPHERE)
        return !(query->radius >= 0 && query->radius <= SCREE_MAX_COORDINATE);
    if (!is_ray)
        return false;
    for (int k = 0; k < n; k++)
        still &= fabs(query->direction[k]) < 1e-100; /* documented: squares would be lost */
    return still || is_bad_vector(query->direction, n) || isnan(query->t_max) || query->t_max < 0;
}
