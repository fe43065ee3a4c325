/*  Making queries, and checking their numbers before any is used. */
#include "detect/query_def.h"

#include <math.h>
#include <string.h>

#define QUERY_COOKIE 0x9e7a11e5u
/*  Directions shorter than this cannot be squared without loss. */
#define SHORTEST_DIRECTION 1e-100

/* ---- making queries ---- */

static scree_query make_query(scree_query_kind kind)
{
    scree_query query;
    memset(&query, 0, sizeof query);
    query.cookie = QUERY_COOKIE;
    query.kind = kind;
    query.groups = UINT64_MAX;
    return query;
}

/*  A NULL gives numbers that are not usable, so that the query is refused later with a message. */
static void copy_point(double to[3], const double from[3])
{
    for (int k = 0; k < 3; k++)
        to[k] = from ? from[k] : (double)NAN;
}

scree_query scree_query_box(const double lower[3], const double upper[3])
{
    scree_query query = make_query(SCREE_QUERY_BOX);
    copy_point(query.lower, lower);
    copy_point(query.upper, upper);
    return query;
}

scree_query scree_query_sphere(const double centre[3], double radius)
{
    scree_query query = make_query(SCREE_QUERY_SPHERE);
    copy_point(query.centre, centre);
    query.radius = radius;
    return query;
}

static scree_query make_ray(scree_query_kind kind, const double origin[3],
                            const double direction[3], double t_max)
{
    scree_query query = make_query(kind);
    copy_point(query.centre, origin);
    copy_point(query.direction, direction);
    query.t_max = t_max;
    return query;
}

scree_query scree_query_ray(const double origin[3], const double direction[3], double t_max)
{
    return make_ray(SCREE_QUERY_RAY, origin, direction, t_max);
}

scree_query scree_query_ray_first(const double origin[3], const double direction[3], double t_max)
{
    return make_ray(SCREE_QUERY_RAY_FIRST, origin, direction, t_max);
}

scree_query scree_query_nearest(const double point[3], uint32_t k)
{
    scree_query query = make_query(SCREE_QUERY_NEAREST);
    copy_point(query.centre, point);
    query.k = k;
    return query;
}

/* ---- checking them ---- */

static scree_status check_point(const double point[3], int dimensions, const char *name,
                                scree_error *error)
{
    for (int k = 0; k < dimensions; k++)
        if (!(fabs(point[k]) <= SCREE_MAX_COORDINATE))
            return scree_fail(
                error, SCREE_BAD_VALUE,
                "query: %s %c is %.17g, must be finite and at most 1e100 in magnitude", name,
                "xyz"[k], point[k]);
    return SCREE_OK;
}

static scree_status check_ray(const scree_query *query, int dimensions, scree_error *error)
{
    double longest = 0;
    scree_status status = check_point(query->direction, dimensions, "direction", error);
    if (status)
        return status;
    for (int k = 0; k < dimensions; k++)
        longest = fmax(longest, fabs(query->direction[k]));
    if (longest < SHORTEST_DIRECTION)
        return scree_fail(error, SCREE_BAD_VALUE,
                          "query: direction is %g long, must be at least %g", longest,
                          SHORTEST_DIRECTION);
    if (!(query->t_max >= 0))
        return scree_fail(error, SCREE_BAD_VALUE, "query: t_max is %g, must be 0 or more",
                          query->t_max);
    return SCREE_OK;
}

scree_status scree_query_check(const scree_query *query, int dimensions, scree_error *error)
{
    scree_status status;
    if (query->cookie != QUERY_COOKIE || query->kind > SCREE_QUERY_NEAREST)
        return scree_fail(error, SCREE_BAD_DEF, "query was not made by a scree_query_... function");
    if (query->kind == SCREE_QUERY_BOX) {
        status = check_point(query->lower, dimensions, "lower", error);
        return status ? status : check_point(query->upper, dimensions, "upper", error);
    }
    status = check_point(query->centre, dimensions, scree_query_is_ray(query) ? "origin" : "centre",
                         error);
    if (!status && query->kind == SCREE_QUERY_SPHERE &&
        !(query->radius >= 0 && query->radius <= SCREE_MAX_COORDINATE))
        status = scree_fail(error, SCREE_BAD_VALUE, "query: radius is %.17g, must be 0 to 1e100",
                            query->radius);
    if (!status && scree_query_is_ray(query))
        status = check_ray(query, dimensions, error);
    return status;
}
