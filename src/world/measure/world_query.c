/*  Queries: which bodies are in a box, in a sphere or on a ray, and which are nearest to a point. All bodies are
    tested at their present positions, first by bounding sphere, then by their own surface. */
#include "scree/query.h"

#include "detect/query_def.h"
#include "world/measure/shape_query.h"
#include "world/step/world_data.h"

#include "base/quaternion.h"
#include "base/vector.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MAX_PERIODS 1000
/*  Farther away, rounding would give many images to test, or make counting impossible. */
#define MAX_PERIODS_AWAY 1e6
/*  Largest radius of a body in periods: each of its images would be searched. Steps refuse far smaller bodies. */
#define MAX_PERIODS_LARGE 10
/*  Bounding spheres are enlarged by this, relative to all coordinates, so that rounding misses none. */
#define ROUNDING 1e-12

typedef struct found
{
    scree_body_hit hit;
    uint64_t serial;
} found;

typedef struct asking
{
    const scree_world *world;
    scree_query query; /* in two dimensions without z */
    double way_sq;     /* of the direction of a ray */
    bool has_images;
    double lower[3], upper[3]; /* bounds of the query; infinite for nearest */
    scree_memory memory;
    found *list;
    size_t count, capacity, most; /* most: limit of the number of results */
} asking;

/* ---- the list ---- */

/*  By distance, which is 0 for boxes and spheres, then by global id. */
static int compare_found(const void *a, const void *b)
{
    const found *x = a, *y = b;

    if (x->hit.distance != y->hit.distance)
        return x->hit.distance < y->hit.distance ? -1 : 1;
    return (x->serial > y->serial) - (x->serial < y->serial);
}

/*  A heap with the last in order at its root. */
static void sink(found *list, size_t count, size_t at)
{
    for (;;) {
        size_t next = at, child = 2 * at + 1;
        if (child < count && compare_found(&list[child], &list[next]) > 0)
            next = child;
        if (child + 1 < count && compare_found(&list[child + 1], &list[next]) > 0)
            next = child + 1;
        if (next == at)
            return;
        found kept = list[at];
        list[at] = list[next];
        list[next] = kept;
        at = next;
    }
}

/*  If there are as many as wanted, replaces the last. SCREE_OUT_OF_MEMORY. */
static scree_status keep(asking *ask, const found *one)
{
    if (ask->count == ask->most) {
        if (compare_found(one, &ask->list[0]) < 0) {
            ask->list[0] = *one;
            sink(ask->list, ask->count, 0);
        }
        return SCREE_OK;
    }
    if (scree_memory_reserve(&ask->memory, &ask->list, &ask->capacity, ask->count + 1,
                             sizeof *ask->list))
        return SCREE_OUT_OF_MEMORY;
    ask->list[ask->count++] = *one;
    for (size_t at = ask->count; ask->count == ask->most && at-- > 0;)
        sink(ask->list, ask->count, at);
    return SCREE_OK;
}

/*  Larger distances are of no interest any more. */
static double farthest(const asking *ask)
{
    if (ask->count == ask->most)
        return ask->list[0].hit.distance;
    return scree_query_is_ray(&ask->query) ? ask->query.t_max : INFINITY;
}

/* ---- one image of a body ---- */

static bool ball_may_meet_box(const scree_query *query, const double ball[4])
{
    double apart_sq = 0, size = ball[3], radius;

    for (int k = 0; k < 3; k++) {
        double near = ball[k] < query->lower[k] ? query->lower[k] : ball[k];
        double apart = ball[k] - (near > query->upper[k] ? query->upper[k] : near);
        apart_sq += apart * apart;
        size += fabs(ball[k]);
    }
    radius = ball[3] + ROUNDING * size;
    return apart_sq <= radius * radius;
}

/*  `from`: from the centre to the start of the ray. */
static bool ball_may_meet_ray(const asking *ask, const double from[3], double radius, double size)
{
    const double *way = ask->query.direction;
    double along = fmin(fmax(-scree_dot(from, way) / ask->way_sq, 0), farthest(ask)), middle[3];

    for (int k = 0; k < 3; k++) {
        middle[k] = from[k] + along * way[k];
        size += fabs(along * way[k]);
    }
    radius += ROUNDING * size;
    return scree_dot(middle, middle) <= radius * radius;
}

/*  Whether the bounding sphere, centre and radius, may be near enough. */
static bool may_meet(const asking *ask, const double ball[4])
{
    const scree_query *query = &ask->query;
    double from[3], size = ball[3], most;

    if (query->kind == SCREE_QUERY_BOX)
        return ball_may_meet_box(query, ball);
    for (int k = 0; k < 3; k++) {
        from[k] = query->centre[k] - ball[k];
        size += fabs(query->centre[k]) + fabs(ball[k]);
    }
    if (scree_query_is_ray(query))
        return ball_may_meet_ray(ask, from, ball[3], size);
    most = query->kind == SCREE_QUERY_SPHERE ? query->radius : farthest(ask);
    most += ball[3] + ROUNDING * size;
    return scree_dot(from, from) <= most * most;
}

/*  Whether the body is found; if so, fills the result. */
static bool meets(const asking *ask, const scree_placed_shape *shape, scree_body_hit *hit)
{
    const scree_query *query = &ask->query;
    const double ball[4] = {shape->centre[0], shape->centre[1], shape->centre[2], shape->radius};
    double nearest[3];

    if (!may_meet(ask, ball))
        return false;
    if (query->kind == SCREE_QUERY_BOX)
        return scree_shape_meets_box(shape, query->lower, query->upper);
    if (query->kind == SCREE_QUERY_SPHERE)
        return scree_shape_distance(shape, query->centre, nearest) <= query->radius;
    if (query->kind == SCREE_QUERY_NEAREST) {
        hit->distance = scree_shape_distance(shape, query->centre, hit->point);
        return true;
    }
    if (!scree_shape_meets_ray(shape, query->centre, query->direction, farthest(ask),
                               &hit->distance))
        return false;
    for (int k = 0; k < 3; k++)
        hit->point[k] = query->centre[k] + hit->distance * query->direction[k];
    return true;
}

/* ---- all images of a body ---- */

/*  What is asked for, along an axis; of a ray only the part from t[0] to t[1], of a sphere its centre: one is found if its nearest
    image is, so the reach says all. */
static void find_extent(const asking *ask, int axis, const double t[2], double *lower,
                        double *upper)
{
    const scree_query *query = &ask->query;
    double at = query->centre[axis], way = query->direction[axis];

    *lower = query->kind == SCREE_QUERY_SPHERE ? at : ask->lower[axis];
    *upper = query->kind == SCREE_QUERY_SPHERE ? at : ask->upper[axis];
    if (!scree_query_is_ray(query) || way == 0)
        return;
    *lower = at + (way > 0 ? t[0] : t[1]) * way;
    *upper = at + (way > 0 ? t[1] : t[0]) * way;
}

static double widen(const asking *ask, const scree_placed_shape *shape, int axis, double reach)
{
    return reach + ROUNDING * (fabs(shape->centre[axis]) + fabs(ask->query.centre[axis]) +
                               ask->world->cell.now.period[axis]);
}

/*  Images along an axis whose spheres reach into the query: `first` to `last` edges away. */
static void find_range(const asking *ask, const scree_placed_shape *shape, int axis, double reach,
                       const double t[2], double *first, double *last)
{
    double period = ask->world->cell.now.period[axis], at = shape->centre[axis], lower, upper;

    *first = *last = 0;
    if (period == 0)
        return;
    find_extent(ask, axis, t, &lower, &upper);
    reach = widen(ask, shape, axis, reach);
    *first = ceil((lower - reach - at) / period);
    *last = floor((upper + reach - at) / period);
}

/*  Clips a ray to the part that passes an image along this axis, so that only images along the ray are tested, and
    not all in its bounding box. False: nothing is left. */
static bool clip(const asking *ask, const scree_placed_shape *image, int axis, double reach,
                 double t[2])
{
    double way = ask->query.direction[axis], from = image->centre[axis] - ask->query.centre[axis];

    if (!scree_query_is_ray(&ask->query) || way == 0)
        return true;
    reach = widen(ask, image, axis, reach);
    double one = (from - reach) / way, other = (from + reach) / way;
    t[0] = fmax(t[0], fmin(one, other));
    t[1] = fmin(t[1], fmax(one, other));
    return t[0] <= t[1];
}

static void shift(scree_placed_shape *shape, const scree_domain *domain, int axis, double n)
{
    double edges[3] = {0}, way[3];

    edges[axis] = n;
    scree_domain_vector(domain, edges, way);
    for (int k = 0; k < 3; k++) {
        shape->centre[k] += way[k];
        shape->origin[k] += way[k];
    }
}

static bool has_distance(const scree_query *query)
{
    return scree_query_is_ray(query) || query->kind == SCREE_QUERY_NEAREST;
}

/* ---- images in a wide box ---- */

/*  Along an axis a box takes in all of an image's sphere: then images farther along the axis meet no more of the box than
    this one does, if at each the same images along the other axes are there. So one image decides for all. */
static bool decides(const asking *ask, const scree_placed_shape *image, int axis, double reach)
{
    const scree_domain *domain = &ask->world->cell.now;

    if (ask->query.kind != SCREE_QUERY_BOX)
        return false;
    reach = widen(ask, image, axis, reach);
    if (image->centre[axis] - reach < ask->lower[axis] ||
        image->centre[axis] + reach > ask->upper[axis])
        return false;
    /* in a tilted cell, the box must be wide enough along lower axes for any place of the image there */
    for (int k = 0; k < axis && domain->is_tilted; k++)
        if (domain->period[k] > 0 &&
            !(ask->upper[k] - ask->lower[k] >= domain->period[k] + 2 * widen(ask, image, k, reach)))
            return false;
    return true;
}

/*  In which order images are looked at: of a box from its middle on, since one there decides soonest. */
static double number_of_image(const asking *ask, double first, double last, double k)
{
    double middle = floor((first + last) / 2);

    if (ask->query.kind != SCREE_QUERY_BOX)
        return first + k;
    return middle + k <= last ? middle + k : first + (k - (last - middle) - 1);
}

/*  The best image, over this axis and those below: images along z are tilted into y and x. Of equal ones the first.
    `t`: the part of a ray that may hit them. */
static bool find_image(const asking *ask, const scree_placed_shape *shape, int axis, double reach,
                       const double t[2], scree_body_hit *best)
{
    bool is_found = false;
    double first, last;

    if (axis < 0) {
        scree_body_hit hit = *best;
        if (!meets(ask, shape, &hit) || hit.distance > best->distance)
            return false;
        *best = hit;
        return true;
    }
    find_range(ask, shape, axis, reach, t, &first, &last);
    for (double k = 0; k <= last - first && !(is_found && !has_distance(&ask->query)); k++) {
        scree_placed_shape image = *shape;
        double part[2] = {t[0], t[1]}, n = number_of_image(ask, first, last, k);
        if (n != 0)
            shift(&image, &ask->world->cell.now, axis, n);
        if (clip(ask, &image, axis, reach, part))
            is_found |= find_image(ask, &image, axis - 1, reach, part, best);
        if (decides(ask, &image, axis, reach))
            break;
    }
    return is_found;
}

static scree_placed_shape place_shape(const scree_world *world, uint32_t slot)
{
    const scree_body_arrays *bodies = &world->bodies;
    scree_placed_shape shape = {.radius = bodies->position[slot][3]};

    memcpy(shape.centre, bodies->position[slot], sizeof shape.centre);
    if (!scree_is_not_sphere(bodies, slot))
        return shape;
    const scree_shape *own = &bodies->shape[slot][0];
    shape.mesh = own->kind == SCREE_SHAPE_CLUMP ? NULL : own->mesh;
    shape.clump = own->kind == SCREE_SHAPE_CLUMP ? own->clump : NULL;
    scree_world_body_frame(world, bodies->id[slot][0], shape.origin, shape.turn);
    return shape;
}

/*  Largest distance at which images are searched. For the nearest body only axes with images count: along other axes all
    images are equally far. The nearest image of a sphere is the one with the nearest centre; other surfaces are up to a radius
    nearer or farther than their centre. */
static double reach_of(const asking *ask, const scree_placed_shape *shape)
{
    const scree_domain *domain = &ask->world->cell.now;
    double step[3], n[3], across_sq = 0;

    if (ask->query.kind != SCREE_QUERY_NEAREST && ask->query.kind != SCREE_QUERY_SPHERE)
        return shape->radius;
    scree_domain_step(domain, ask->query.centre, shape->centre, step, n);
    if (ask->query.kind == SCREE_QUERY_SPHERE)
        return fmin(scree_length(step) + 2 * shape->radius, ask->query.radius + shape->radius);
    for (int k = 0; k < 3; k++)
        across_sq += domain->period[k] > 0 || domain->is_tilted ? step[k] * step[k] : 0;
    if (!shape->mesh && !shape->clump)
        return sqrt(across_sq);
    return sqrt(across_sq + 4 * shape->radius * (scree_length(step) + shape->radius));
}

/*  Number of periods between the domain's box and the farther end of a range. */
static double periods_away(const scree_domain *domain, int axis, double lower, double upper)
{
    double away = fmax(domain->lower[axis] - lower, upper - domain->upper[axis]);

    return domain->period[axis] > 0 ? away / domain->period[axis] : 0;
}

/*  Whether it is so far away along an axis without images that too many of those along others may be the nearest. */
static bool is_far_aside(const asking *ask, const double at[4])
{
    const double *period = ask->world->cell.now.period;

    for (int k = 0; k < 3; k++)
        for (int j = 0; j < 3; j++)
            if (period[k] == 0 && period[j] > 0 &&
                fabs(at[k] - ask->query.centre[k]) > MAX_PERIODS_AWAY * period[j])
                return true;
    return false;
}

/*  The host may have put it anywhere, and no step has brought it back yet, or refused it. SCREE_TOO_LARGE. */
static scree_status check_body(const asking *ask, uint32_t slot, scree_error *error)
{
    const double *at = ask->world->bodies.position[slot], *period = ask->world->cell.now.period;

    for (int k = 0; k < 3; k++)
        if (period[k] > 0 && at[3] > MAX_PERIODS_LARGE * period[k])
            return scree_fail(
                error, SCREE_TOO_LARGE,
                "query: body %" PRIu64 " has a radius of %g periods along %c, must be at "
                "most %d: remove it, no step can be taken with it",
                ask->world->bodies.serial[slot][0], at[3] / period[k], "xyz"[k], MAX_PERIODS_LARGE);
    for (int k = 0; k < 3; k++)
        if (!(periods_away(&ask->world->cell.now, k, at[k], at[k]) <= MAX_PERIODS_AWAY))
            return scree_fail(error, SCREE_TOO_LARGE,
                              "query: body %" PRIu64 " is more than %g periods from the domain: "
                              "take a step, which brings it back, or set its position",
                              ask->world->bodies.serial[slot][0], MAX_PERIODS_AWAY);
    if (ask->query.kind == SCREE_QUERY_NEAREST && scree_is_not_sphere(&ask->world->bodies, slot) &&
        is_far_aside(ask, at))
        return scree_fail(error, SCREE_TOO_LARGE,
                          "query: body %" PRIu64
                          " is more than %g periods from the point: remove it, "
                          "or ask about another point",
                          ask->world->bodies.serial[slot][0], MAX_PERIODS_AWAY);
    return SCREE_OK;
}

static scree_status look_at_body(asking *ask, uint32_t slot, scree_error *error)
{
    const scree_body_arrays *bodies = &ask->world->bodies;
    scree_status status = check_body(ask, slot, error);

    if (status)
        return status;
    scree_placed_shape shape = place_shape(ask->world, slot);
    found one = {.hit = {.id = bodies->id[slot][0], .distance = INFINITY},
                 .serial = bodies->serial[slot][0]};
    const double all[2] = {0, ask->query.t_max};

    if (!has_distance(&ask->query))
        one.hit.distance = 0;
    if (!find_image(ask, &shape, 2, reach_of(ask, &shape), all, &one.hit))
        return SCREE_OK;
    if (keep(ask, &one))
        return scree_fail(error, SCREE_OUT_OF_MEMORY, "query: out of memory after %zu hits",
                          ask->count);
    return SCREE_OK;
}

/* ---- a query ---- */

/*  The box that contains all possible results, if the domain is periodic. SCREE_TOO_LARGE. */
static scree_status find_bounds(asking *ask, scree_error *error)
{
    const scree_domain *domain = &ask->world->cell.now;
    const scree_query *query = &ask->query;
    double widest = 0, farthest_away = 0;

    for (int k = 0; k < 3; k++) {
        double end = query->centre[k];
        if (scree_query_is_ray(query) && query->direction[k] != 0)
            end += query->t_max * query->direction[k];
        ask->lower[k] = fmin(query->centre[k], end) - query->radius;
        ask->upper[k] = fmax(query->centre[k], end) + query->radius;
        if (query->kind == SCREE_QUERY_BOX) {
            ask->lower[k] = query->lower[k];
            ask->upper[k] = query->upper[k];
        }
    }
    for (int k = 0; k < 3; k++)
        farthest_away = fmax(farthest_away, periods_away(domain, k, ask->lower[k], ask->upper[k]));
    for (int k = 0; k < 3; k++)
        if (domain->period[k] > 0)
            widest = fmax(widest, (ask->upper[k] - ask->lower[k]) / domain->period[k]);
    if (!(widest <= MAX_PERIODS))
        return scree_fail(error, SCREE_TOO_LARGE,
                          "query: it is %g periods wide, must be at most %d%s", widest, MAX_PERIODS,
                          scree_query_is_ray(query) ? ": give the ray a smaller t_max" : "");
    if (!(farthest_away <= MAX_PERIODS_AWAY))
        return scree_fail(error, SCREE_TOO_LARGE,
                          "query: it is %g periods from the domain, must be at most %g",
                          farthest_away, MAX_PERIODS_AWAY);
    return SCREE_OK;
}

static scree_status prepare(asking *ask, const scree_world *world, const scree_query *query,
                            scree_error *error)
{
    scree_status status;

    *ask = (asking){.world = world, .most = SIZE_MAX};
    ask->memory.allocator = world->memory.allocator;
    atomic_init(&ask->memory.bytes, 0);
    if (!query)
        return scree_fail(error, SCREE_BAD_ARGUMENT, "query is NULL");
    status = scree_query_check(query, world->def.dimensions, error);
    if (status)
        return status;
    ask->query = *query;
    if (world->def.dimensions == 2)
        ask->query.lower[2] = ask->query.upper[2] = ask->query.centre[2] = ask->query.direction[2] =
            0;
    ask->way_sq = scree_dot(ask->query.direction, ask->query.direction);
    for (int k = 0; k < 3; k++)
        ask->has_images |= world->cell.now.period[k] > 0;
    if (query->kind == SCREE_QUERY_RAY_FIRST)
        ask->most = 1;
    if (query->kind == SCREE_QUERY_NEAREST)
        ask->most = query->k;
    return find_bounds(ask, error);
}

static bool is_empty(const scree_query *query)
{
    bool is = query->kind == SCREE_QUERY_NEAREST && query->k == 0;

    for (int k = 0; k < 3 && query->kind == SCREE_QUERY_BOX; k++)
        is |= query->lower[k] > query->upper[k];
    return is;
}

static scree_status answer(asking *ask, const scree_world *world, const scree_query *query,
                           scree_error *error)
{
    scree_status status = prepare(ask, world, query, error);

    if (status || is_empty(&ask->query))
        return status;
    for (uint32_t slot = 0; slot < world->bodies.count && !status; slot++)
        if ((ask->has_images || may_meet(ask, world->bodies.position[slot])) &&
            (world->bodies.groups[slot][0] & query->groups))
            status = look_at_body(ask, slot, error);
    if (status) {
        scree_memory_give(&ask->memory, &ask->list, ask->capacity, sizeof *ask->list);
        return status;
    }
    if (ask->count > 1)
        qsort(ask->list, ask->count, sizeof *ask->list, compare_found);
    return SCREE_OK;
}

scree_status scree_world_query(const scree_world *world, const scree_query *query,
                               scree_body_hit_fn *action, void *user, scree_error *error)
{
    asking ask;
    scree_status status;

    if (!world || !action)
        return scree_fail(error, SCREE_BAD_ARGUMENT, "query: %s is NULL",
                          !world ? "the world" : "action");
    status = answer(&ask, world, query, error);
    for (size_t k = 0; !status && k < ask.count; k++)
        if (action(&ask.list[k].hit, user))
            break;
    scree_memory_give(&ask.memory, &ask.list, ask.capacity, sizeof *ask.list);
    return status;
}

scree_status scree_world_hits(const scree_world *world, const scree_query *query,
                              scree_body_hit *hits, size_t capacity, size_t *count,
                              scree_error *error)
{
    asking ask;
    scree_status status;

    if (!world || !count || (capacity && !hits))
        return scree_fail(error, SCREE_BAD_ARGUMENT, "hits: %s is NULL",
                          !world   ? "the world"
                          : !count ? "count"
                                   : "the array");
    *count = 0;
    status = answer(&ask, world, query, error);
    if (status)
        return status;
    *count = ask.count;
    for (size_t k = 0; k < ask.count && k < capacity; k++)
        hits[k] = ask.list[k].hit;
    scree_memory_give(&ask.memory, &ask.list, ask.capacity, sizeof *ask.list);
    if (capacity < *count)
        return scree_fail(error, SCREE_TOO_SMALL,
                          "hits: the array has room for %zu, %zu are needed", capacity, *count);
    return SCREE_OK;
}
