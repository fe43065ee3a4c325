/*  Queries: the method passes bodies that may be hit, each gets the exact test here, and the hits are sorted.
    Without an up-to-date structure, all bodies are tested. The nearest bodies are found by growing a cube until it
    contains enough. The detector is not changed, so several threads may run queries at once. */
#include "detect/detector_internal.h"

#include "detect/exact.h"
#include "detect/query_def.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/*  The third axis of a plane query is 0, as that of the bodies. */
static scree_query flatten(const scree_query *query, int dimensions)
{
    scree_query flat = *query;
    if (dimensions == 2)
        flat.lower[2] = flat.upper[2] = flat.centre[2] = flat.direction[2] = 0;
    return flat;
}

/* ---- the exact tests ---- */

/*  Where the ray enters a sphere, from the point of the ray that is closest to its centre: more
   exact than the textbook's quadratic when the ray begins far away. The ray must also enter the
   sphere's box, and does not enter the sphere before it: so pruning by boxes agrees to the last
   bit. */
static bool ray_enters_sphere(const scree_probe *probe, const scree_box *box,
                              const double sphere[4], double *t)
{
    double offset[3], along = 0, length_sq = 0, closest_sq = 0, from_sq = 0, enter;
    if (!scree_probe_enters(probe, box, &enter))
        return false;
    for (int k = 0; k < 3; k++) {
        offset[k] = probe->origin[k] - sphere[k];
        along += offset[k] * probe->direction[k];
        length_sq += probe->direction[k] * probe->direction[k];
        from_sq += offset[k] * offset[k];
    }
    double radius_sq = sphere[3] * sphere[3], middle = -along / length_sq;
    if (from_sq <= radius_sq) {
        *t = 0;
        return true;
    }
    for (int k = 0; k < 3; k++) {
        double p = offset[k] + middle * probe->direction[k];
        closest_sq += p * p;
    }
    if (!(closest_sq <= radius_sq) || middle < 0)
        return false;
    *t = middle - sqrt((radius_sq - closest_sq) / length_sq);
    if (*t < enter)
        *t = enter;
    return *t <= probe->t_max;
}

/*  The current query. */
typedef struct asking
{
    scree_hit_sink sink; /* must be first: a pointer to it is cast to the query */
    scree_memory *memory;
    const scree_store *store;
    const scree_cell *cell; /* NULL: no periodic domain */
    scree_query query;
    scree_probe probe;
    double sphere[4]; /* sphere query: centre and radius */
    scree_box box;    /* box query */
    scree_hit *hits;
    size_t count, capacity;
    bool out_of_memory;
} asking;

/*  The volume of a body where the query looks for it. */
typedef struct placed
{
    scree_box box;
    double sphere[4];
} placed;

/*  Periodic: the image nearest to the middle of the query. */
static placed place_body(const asking *ask, uint32_t id)
{
    placed p = {{{0, 0, 0}, {0, 0, 0}}, {0, 0, 0, 0}};
    double middle[3], difference[3], n[3] = {0, 0, 0}, by[3];
    const scree_store *store = ask->store;
    p.box = scree_store_box(store, id);
    if (store->sphere)
        memcpy(p.sphere, store->sphere[id], sizeof p.sphere);
    if (!ask->cell || ask->probe.is_ray)
        return p;
    for (int k = 0; k < 3; k++) {
        middle[k] = ask->query.kind == SCREE_QUERY_BOX
                        ? 0.5 * (ask->box.lower[k] + ask->box.upper[k])
                        : ask->query.centre[k];
        difference[k] = middle[k] - (store->sphere ? p.sphere[k] * (k < store->dimensions)
                                                   : 0.5 * (p.box.lower[k] + p.box.upper[k]));
    }
    scree_cell_nearest(ask->cell, difference, n);
    scree_cell_vector(ask->cell, n, by);
    for (int k = 0; k < 3; k++) {
        p.sphere[k] += by[k];
        p.box.lower[k] += by[k];
        p.box.upper[k] += by[k];
    }
    return p;
}

static double distance_to(const asking *ask, const placed *p)
{
    if (!ask->store->sphere)
        return sqrt(scree_box_distance_sq(&p->box, ask->query.centre));
    scree_box centre;
    memcpy(centre.lower, p->sphere, sizeof centre.lower);
    memcpy(centre.upper, p->sphere, sizeof centre.upper);
    return fmax(sqrt(scree_box_distance_sq(&centre, ask->query.centre)) - p->sphere[3], 0);
}

static bool is_hit(const asking *ask, uint32_t id, double *distance)
{
    const placed p = place_body(ask, id);
    bool is_sphere = ask->store->sphere != NULL;
    *distance = 0;
    switch (ask->query.kind) {
    case SCREE_QUERY_BOX:
        return is_sphere ? scree_box_meets_sphere(&ask->box, p.sphere)
                         : scree_boxes_overlap(&ask->box, &p.box);
    case SCREE_QUERY_SPHERE:
        return is_sphere ? scree_spheres_overlap(ask->sphere, p.sphere)
                         : scree_box_meets_sphere(&p.box, ask->sphere);
    case SCREE_QUERY_RAY:
    case SCREE_QUERY_RAY_FIRST:
        /* as structures see it: behind the origin by so little that a division would lose it */
        if (!scree_boxes_overlap(&ask->probe.box, &p.box))
            return false;
        return is_sphere ? ray_enters_sphere(&ask->probe, &p.box, p.sphere, distance)
                         : scree_probe_enters(&ask->probe, &p.box, distance);
    default: /* nearest: all are hit, some farther away */
        *distance = distance_to(ask, &p);
        return true;
    }
}

static bool is_before(const scree_hit *a, const scree_hit *b)
{
    return a->distance < b->distance || (a->distance == b->distance && a->id < b->id);
}

static void add_hit(asking *ask, uint32_t id, double distance)
{
    scree_hit hit = {id, distance};
    if (ask->query.kind == SCREE_QUERY_RAY_FIRST && ask->count) {
        /* later ones cannot be first: the search becomes narrower */
        if (is_before(&hit, &ask->hits[0]))
            ask->hits[0] = hit;
        ask->probe.t_max = ask->hits[0].distance;
        return;
    }
    if (scree_memory_reserve(ask->memory, &ask->hits, &ask->capacity, ask->count + 1,
                             sizeof *ask->hits)) {
        ask->out_of_memory = ask->sink.stopped = true;
        return;
    }
    ask->hits[ask->count++] = hit;
    if (ask->query.kind == SCREE_QUERY_RAY_FIRST)
        ask->probe.t_max = distance;
}

static void flush_hits(scree_hit_sink *sink)
{
    asking *ask = (asking *)sink;
    for (uint32_t k = 0; k < sink->fill && !sink->stopped; k++) {
        uint32_t id = sink->id[k];
        double distance;
        bool in_groups =
            ((ask->store->group ? ask->store->group[id] : UINT64_MAX) & ask->query.groups) != 0;
        if (in_groups && is_hit(ask, id, &distance))
            add_hit(ask, id, distance);
    }
    sink->fill = 0;
}

/* ---- asking ---- */

static void ask_all(asking *ask)
{
    for (uint32_t a = 0; a < ask->store->active_count && !ask->sink.stopped; a++)
        scree_sink_hit(&ask->sink, ask->store->active[a]);
    flush_hits(&ask->sink);
}

static void ask_method(const scree_detector *d, asking *ask)
{
    scree_bodies bodies = scree_store_view(&d->store);
    /* structures of periodic detectors hold images near the cell only */
    if (d->is_stale || !scree_waiting_is_empty(&d->waiting) || !d->method->query ||
        bodies.active_count == 0 || ask->cell) {
        ask_all(ask);
        return;
    }
    d->method->query(d->state, &bodies, &ask->probe, &ask->sink);
    flush_hits(&ask->sink);
}

/*  The part of all bodies' bounds that the ray can reach. */
static void bound_ray(asking *ask)
{
    const scree_box *bounds = &ask->store->bounds;
    scree_probe *probe = &ask->probe;
    for (int k = 0; k < 3; k++) {
        double o = probe->origin[k], d = probe->direction[k];
        probe->box.lower[k] = d < 0 ? fmin(bounds->lower[k], o) : o;
        probe->box.upper[k] = d > 0 ? fmax(bounds->upper[k], o) : o;
    }
}

static void prepare_probe(asking *ask)
{
    const scree_query *query = &ask->query;
    scree_probe *probe = &ask->probe;
    for (int k = 0; k < 3; k++) {
        ask->box.lower[k] = query->lower[k];
        ask->box.upper[k] = query->upper[k];
        ask->sphere[k] = probe->origin[k] = query->centre[k];
        probe->direction[k] = query->direction[k];
    }
    ask->sphere[3] = query->radius;
    probe->t_max = query->t_max;
    probe->is_ray = scree_query_is_ray(query);
    if (probe->is_ray)
        bound_ray(ask);
    else if (query->kind == SCREE_QUERY_BOX)
        probe->box = ask->box;
    else
        for (int k = 0; k < 3; k++)
            scree_sphere_bounds(ask->sphere[k], query->radius, &probe->box.lower[k],
                                &probe->box.upper[k]);
}

static bool is_empty_box(const asking *ask)
{
    bool empty = false;
    for (int k = 0; k < 3; k++)
        empty |= ask->box.lower[k] > ask->box.upper[k];
    return ask->query.kind == SCREE_QUERY_BOX && empty;
}

static int compare_ids(const void *a, const void *b)
{
    const scree_hit *first = a, *second = b;
    return (first->id > second->id) - (first->id < second->id);
}

static int compare_hits(const void *a, const void *b)
{
    return is_before(a, b) ? -1 : is_before(b, a);
}

static void add_infinite(asking *ask)
{
    const scree_store *store = ask->store;
    for (uint32_t k = 0; k < store->infinite_count; k++) {
        uint32_t id = store->infinite[k];
        if (((store->group ? store->group[id] : UINT64_MAX) & ask->query.groups) != 0)
            add_hit(ask, id, 0);
    }
}

/* ---- the nearest ---- */

/*  After this many growths of the cube, all bodies are tested. */
#define MAX_GROWTHS 24

/*  A first guess: the cube that holds k bodies if they are spread evenly over their bounds, moved
   out as far as the bounds are away. */
static double first_reach(const asking *ask)
{
    const scree_store *store = ask->store;
    double side = 0, away = sqrt(scree_box_distance_sq(&store->bounds, ask->query.centre));
    for (int k = 0; k < store->dimensions; k++)
        side = fmax(side, store->bounds.upper[k] - store->bounds.lower[k]);
    double share = (double)ask->query.k / (double)store->active_count;
    double root = store->dimensions == 2 ? sqrt(share) : cbrt(share);
    return away + 0.5 * side * fmin(root, 1);
}

static size_t count_within(const asking *ask, double reach)
{
    size_t within = 0;
    for (size_t k = 0; k < ask->count; k++)
        within += ask->hits[k].distance <= reach;
    return within;
}

static void ask_nearest(const scree_detector *d, asking *ask)
{
    size_t infinite = ask->count;
    double reach = first_reach(ask);
    for (int growth = 0; growth < MAX_GROWTHS; growth++, reach *= 2) {
        bool is_all = true;
        /* the cube reaches a little farther than the distances that are trusted */
        for (int k = 0; k < 3; k++) {
            const scree_box *bounds = &ask->store->bounds;
            double point = ask->query.centre[k];
            double slack = 16 * DBL_EPSILON * (fabs(point) + reach) + 0x1p-500;
            ask->probe.box.lower[k] = point - reach - slack;
            ask->probe.box.upper[k] = point + reach + slack;
            is_all &= ask->probe.box.lower[k] <= bounds->lower[k] &&
                      ask->probe.box.upper[k] >= bounds->upper[k];
        }
        ask->count = infinite;
        ask_method(d, ask);
        if (is_all || ask->sink.stopped || count_within(ask, reach) >= ask->query.k)
            return;
    }
    ask->count = infinite;
    ask_all(ask);
}

/* ---- answers ---- */

static void run_query(const scree_detector *d, asking *ask)
{
    if (is_empty_box(ask) || (ask->query.kind == SCREE_QUERY_NEAREST && ask->query.k == 0))
        return;
    add_infinite(ask);
    if (ask->query.kind == SCREE_QUERY_NEAREST && !ask->sink.stopped && !ask->cell &&
        d->store.active_count)
        ask_nearest(d, ask);
    else if (!ask->sink.stopped)
        ask_method(d, ask);
    if (ask->count > 1)
        qsort(ask->hits, ask->count, sizeof *ask->hits,
              ask->query.kind <= SCREE_QUERY_SPHERE ? compare_ids : compare_hits);
    if (ask->query.kind == SCREE_QUERY_NEAREST && ask->count > ask->query.k)
        ask->count = ask->query.k;
}

typedef struct answer
{
    scree_hit *hits;
    size_t count, capacity;
} answer;

static scree_status answer_query(const scree_detector *d, const scree_query *query,
                                 scree_memory *memory, answer *result, scree_error *error)
{
    *result = (answer){NULL, 0, 0};
    if (!query)
        return scree_fail(error, SCREE_BAD_ARGUMENT, "query is NULL");
    scree_status status = scree_query_check(query, d->def.dimensions, error);
    if (status)
        return status;

    asking ask;
    ask.sink.fill = 0;
    ask.sink.stopped = ask.out_of_memory = false;
    ask.sink.flush = flush_hits;
    ask.memory = memory;
    ask.store = &d->store;
    ask.cell = d->search.images ? &d->images.cell : NULL;
    ask.query = flatten(query, d->def.dimensions);
    ask.hits = NULL;
    ask.count = ask.capacity = 0;
    prepare_probe(&ask);
    run_query(d, &ask);
    if (ask.out_of_memory) {
        scree_memory_give(memory, &ask.hits, ask.capacity, sizeof *ask.hits);
        return scree_fail(error, SCREE_OUT_OF_MEMORY, "query: out of memory after %zu hits",
                          ask.count);
    }
    *result = (answer){ask.hits, ask.count, ask.capacity};
    return SCREE_OK;
}

/*  The detector is const and may be used by several threads: each call has its own memory record. */
static void own_memory(const scree_detector *d, scree_memory *memory)
{
    memory->allocator = d->memory.allocator;
    memory->bytes = 0;
}

scree_status scree_detector_query(const scree_detector *d, const scree_query *query,
                                  scree_hit_fn *action, void *user, scree_error *error)
{
    if (!d || !action)
        return scree_fail(error, SCREE_BAD_ARGUMENT, "query: %s is NULL",
                          !d ? "the detector" : "action");
    scree_memory memory;
    answer result;
    own_memory(d, &memory);
    scree_status status = answer_query(d, query, &memory, &result, error);
    for (size_t k = 0; !status && k < result.count; k++)
        if (action(&result.hits[k], user))
            break;
    scree_memory_give(&memory, &result.hits, result.capacity, sizeof *result.hits);
    return status;
}

scree_status scree_detector_hits(const scree_detector *d, const scree_query *query, scree_hit *hits,
                                 size_t capacity, size_t *count, scree_error *error)
{
    if (!d || !count || (capacity && !hits))
        return scree_fail(error, SCREE_BAD_ARGUMENT, "hits: %s is NULL",
                          !d       ? "the detector"
                          : !count ? "count"
                                   : "the array");
    scree_memory memory;
    answer result;
    own_memory(d, &memory);
    *count = 0;
    scree_status status = answer_query(d, query, &memory, &result, error);
    if (status)
        return status;
    *count = result.count;
    size_t copied = result.count < capacity ? result.count : capacity;
    if (copied)
        memcpy(hits, result.hits, copied * sizeof *hits);
    scree_memory_give(&memory, &result.hits, result.capacity, sizeof *result.hits);
    if (copied < *count)
        return scree_fail(error, SCREE_TOO_SMALL,
                          "hits: the array has room for %zu, %zu are needed", capacity, *count);
    return SCREE_OK;
}
