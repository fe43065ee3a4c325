/*  Striping: double-ended sorting after one dimension has been eliminated. Bodies are sorted on one axis and divided
    into consecutive stripes of about sqrt(N), each with a border of the following bodies that its own reach into.
    Inside a stripe, sorting on the next axis leaves each body only a constant number of others to test. In three
    dimensions stripes are divided a second time. (E. Perkins, MIT 1999, section 5.2.)

    The published stripes have a fixed number of bodies, so if a border is wider than the stripe most of the work is
    done many times over: the "hidden scaling problems" of the thesis. Here, unless def.stripe_naive requests those,
    a stripe grows until it is four times its border. */
#include "base/portable_math.h"
#include "detect/axis_sort.h"
#include "detect/method.h"
#include "detect/rank_search.h"

#include <math.h>

/*  A stripe is this many times as large as its border, in bodies: copying borders then costs at
    most a quarter of the work. */
#define STRIPE_OVER_BORDER 4u

/*  But it grows to at most this many published stripes. One very large body makes a border of all that follow; it
    would merge all stripes into one, although only its own stripe needs that. */
#define STRIPE_GROWTH 16u

/*  Bodies along an axis. Body p, in the order of lower ends, overlaps of those that begin later
    just the ones before stop[p]. The ranks of rank_search.h are {p, stop[p]}. */
typedef struct layer
{
    uint32_t *body; /* which body of the layer above this is; of the topmost: the id */
    int32_t *stop;
} layer;

/*  Bodies [first, last) of a layer belong to the stripe, those of [last, border) follow and are
    reached. */
typedef struct stripe
{
    size_t first, last, border;
} stripe;

typedef struct stripe_sort
{
    size_t count;
    int axes[3]; /* stripes are cut along the first, and searched along the last */
    scree_axis master;
    uint32_t *body, *number;
    int32_t *stop;
    stripe *stripes;
    size_t stripe_count;
    size_t body_capacity, number_capacity, stop_capacity, stripe_capacity;
    double factor;
    bool naive;
    uint64_t remapped;
} stripe_sort;

static scree_status stripe_create(void *state, const scree_method_env *env)
{
    stripe_sort *self = state;
    self->factor = env->def->stripe_factor;
    self->naive = env->def->stripe_naive;
    return SCREE_OK;
}

static void stripe_destroy(void *state, const scree_method_env *env)
{
    stripe_sort *self = state;
    scree_axis_free(&self->master, env->memory);
    scree_memory_give(env->memory, &self->body, self->body_capacity, sizeof *self->body);
    scree_memory_give(env->memory, &self->number, self->number_capacity, sizeof *self->number);
    scree_memory_give(env->memory, &self->stop, self->stop_capacity, sizeof *self->stop);
    scree_memory_give(env->memory, &self->stripes, self->stripe_capacity, sizeof *self->stripes);
}

/* ---- cutting --------------------------------------------------------------------------------- */

/*  Axes by the share of the whole that the bodies cover together, smallest first: there borders are thinnest. Shares
    replace the sums of ranges by which dess chooses, without sorting. */
static void choose_axes(stripe_sort *self, const scree_bodies *bodies)
{
    double share[3] = {0, 0, 0};
    for (int k = 0; k < bodies->dimensions; k++) {
        share[k] = scree_axis_share(bodies->box, bodies->active, bodies->active_count, k);

        /* insert, so that axes with equal shares keep their order */
        int at = k;
        for (; at > 0 && share[self->axes[at - 1]] > share[k]; at--)
            self->axes[at] = self->axes[at - 1];
        self->axes[at] = k;
    }
}

/*  Fills a layer from its sorted ends; `number` is scratch by what the ends name. */
static void rank_layer(layer bodies, uint32_t *number, const uint32_t *end, size_t count)
{
    int32_t begun = 0;
    for (size_t p = 0; p < 2 * count; p++) {
        uint32_t name = scree_end_id(end[p]);
        if (scree_end_is_upper(end[p])) {
            bodies.stop[number[name]] = begun;
        } else {
            bodies.body[begun] = name;
            number[name] = (uint32_t)begun++;
        }
    }
}

/*  The stripe that begins at `first`. `size` is that of a published stripe. */
static stripe next_stripe(const int32_t *stop, size_t first, size_t count, size_t size, bool naive)
{
    stripe s = {first, first, first};
    size_t most = count - first;
    if (most / STRIPE_GROWTH >= size)
        most = size * STRIPE_GROWTH;
    do {
        size_t last = count - s.last < size ? count : s.last + size;
        for (; s.last < last; s.last++)
            if ((size_t)stop[s.last] > s.border)
                s.border = (size_t)stop[s.last];
    } while (!naive && s.last - first < STRIPE_OVER_BORDER * (s.border - s.last) &&
             s.last - first < most);
    return s;
}

/*  factor * share as a number of bodies from 1 to count. */
static size_t stripe_size(double factor, double share, size_t count)
{
    double size = ceil(factor * share);
    return size >= (double)count ? count : size < 1 ? 1 : (size_t)size;
}

static scree_status cut_stripes(stripe_sort *self, const scree_method_env *env, int dimensions)
{
    double n = (double)self->count;
    size_t size =
        stripe_size(self->factor, dimensions == 2 ? sqrt(n) : scree_pow(n, 2.0 / 3.0), self->count);
    scree_status status =
        scree_memory_reserve(env->memory, &self->stripes, &self->stripe_capacity,
                             scree_block_count(self->count, size), sizeof *self->stripes);
    if (status)
        return status;
    for (size_t first = 0; first < self->count; self->stripe_count++) {
        stripe s = next_stripe(self->stop, first, self->count, size, self->naive);
        self->stripes[self->stripe_count] = s;
        first = s.last;
    }
    return SCREE_OK;
}

static scree_status stripe_build(void *state, const scree_method_env *env,
                                 const scree_bodies *bodies)
{
    stripe_sort *self = state;
    size_t count = bodies->active_count;
    scree_memory *memory = env->memory;
    self->count = self->stripe_count = 0;
    scree_status status = scree_axis_reserve(&self->master, memory, 2 * count);
    if (!status)
        status = scree_memory_reserve(memory, &self->body, &self->body_capacity, count,
                                      sizeof *self->body);
    if (!status)
        status = scree_memory_reserve(memory, &self->number, &self->number_capacity, bodies->bound,
                                      sizeof *self->number);
    if (!status)
        status = scree_memory_reserve(memory, &self->stop, &self->stop_capacity, count,
                                      sizeof *self->stop);
    if (status || count == 0)
        return status;

    choose_axes(self, bodies);
    scree_axis_list_ends(&self->master, bodies->active, count);
    scree_axis_read_keys(&self->master, bodies->box, self->axes[0], 0, 2 * count);
    scree_axis_heap_sort(self->master.key, self->master.end, 2 * count);
    rank_layer((layer){self->body, self->stop}, self->number, self->master.end, count);
    self->count = count;
    self->remapped += count;
    return cut_stripes(self, env, bodies->dimensions);
}

/* ---- search ---------------------------------------------------------------------------------- */

/*  Memory of a stripe, and its data: its bodies are id[0..count), in the order of the master axis; `middle` is the
    same along the second axis, in three dimensions. In the order of the last axis, other[] are ranks on the axes
    before it. */
typedef struct workshop
{
    const scree_bodies *bodies;
    scree_sink *sink;
    const uint32_t *id;
    const int32_t *stop; /* on the master axis, from the beginning of all bodies */
    stripe own;
    layer middle, last;
    uint64_t *key;
    uint32_t *end, *number;
    scree_ranks other[2];
} workshop;

/*  Sorts count bodies on an axis; body j is id[pick[j]], or id[j] if pick is NULL. */
static void sort_layer(workshop *w, int axis, const uint32_t *pick, size_t count, layer sorted)
{
    for (size_t j = 0; j < count; j++) {
        const scree_box *box = &w->bodies->box[w->id[pick ? pick[j] : j]];
        w->key[2 * j] = scree_key_of_double(box->lower[axis]);
        w->key[2 * j + 1] = scree_key_of_double(box->upper[axis]);
        w->end[2 * j] = (uint32_t)j;
        w->end[2 * j + 1] = (uint32_t)j | SCREE_UPPER_END;
    }
    scree_axis_quick_sort(w->key, w->end, 2 * count);
    rank_layer(sorted, w->number, w->end, count);
}

/*  Searches along the last axis. Of a pair, the one with the smaller rank on each axis before must
    belong to the stripe there: there is one such stripe for a pair, and both bodies are in it. */
static void search_last(workshop *w, size_t count, const size_t own[2], int other_count)
{
    uint32_t hits[SCREE_RANK_CHUNK];
    const int32_t *a = w->other[0].lower, *b = w->other[1].lower;
    for (size_t i = 0; i < count; i++) {
        size_t stop = (size_t)w->last.stop[i];
        for (size_t first = i + 1; first < stop && !w->sink->stopped; first += SCREE_RANK_CHUNK) {
            size_t last = stop - first < SCREE_RANK_CHUNK ? stop : first + SCREE_RANK_CHUNK;
            size_t hit_count = scree_rank_search(w->other, other_count, i, first, last, hits);
            for (size_t h = 0; h < hit_count; h++) {
                size_t j = hits[h];
                bool is_own = (size_t)(a[i] < a[j] ? a[i] : a[j]) < own[0];
                if (other_count == 2)
                    is_own &= (size_t)(b[i] < b[j] ? b[i] : b[j]) < own[1];
                if (is_own)
                    scree_sink_pair(w->sink, w->id[a[i]], w->id[a[j]]);
            }
        }
    }
}

/*  The bodies of a stripe, or in three dimensions those of a part of it, along the last axis. */
static void search_part(workshop *w, int axis, stripe part, bool is_cut)
{
    size_t count = part.border - part.first;
    const uint32_t *pick = is_cut ? w->middle.body + part.first : NULL;
    sort_layer(w, axis, pick, count, w->last);
    for (size_t i = 0; i < count; i++) {
        uint32_t j = w->last.body[i], place = pick ? pick[j] : j;
        w->other[0].lower[i] = (int32_t)place;
        w->other[0].upper[i] = w->stop[w->own.first + place] - (int32_t)w->own.first;
        if (is_cut) {
            w->other[1].lower[i] = (int32_t)j;
            w->other[1].upper[i] = w->middle.stop[part.first + j] - (int32_t)part.first;
        }
    }
    const size_t own[2] = {w->own.last - w->own.first, part.last - part.first};
    search_last(w, count, own, is_cut ? 2 : 1);
}

static bool take_workshop(workshop *w, scree_scratch *scratch, size_t count)
{
    w->key = scree_scratch_take(scratch, 2 * count, sizeof *w->key);
    w->end = scree_scratch_take(scratch, 2 * count, sizeof *w->end);
    w->number = scree_scratch_take(scratch, count, sizeof *w->number);
    w->middle.body = scree_scratch_take(scratch, count, sizeof *w->middle.body);
    w->middle.stop = scree_scratch_take(scratch, count, sizeof *w->middle.stop);
    w->last.body = scree_scratch_take(scratch, count, sizeof *w->last.body);
    w->last.stop = scree_scratch_take(scratch, count, sizeof *w->last.stop);
    for (int k = 0; k < 2; k++) {
        w->other[k].lower = scree_scratch_take(scratch, count, sizeof *w->other[k].lower);
        w->other[k].upper = scree_scratch_take(scratch, count, sizeof *w->other[k].upper);
    }
    return !scratch->failed;
}

static size_t stripe_block_count(const void *state, const scree_bodies *bodies)
{
    (void)bodies;
    return ((const stripe_sort *)state)->stripe_count;
}

static void stripe_pairs(const void *state, const scree_bodies *bodies, size_t block,
                         scree_scratch *scratch, scree_sink *sink)
{
    const stripe_sort *self = state;
    stripe own = self->stripes[block];
    size_t count = own.border - own.first;
    workshop w = {.bodies = bodies,
                  .sink = sink,
                  .id = self->body + own.first,
                  .stop = self->stop,
                  .own = own};
    if (!take_workshop(&w, scratch, count))
        return;
    if (bodies->dimensions == 2) {
        search_part(&w, self->axes[1], (stripe){0, own.last - own.first, count}, false);
        return;
    }
    sort_layer(&w, self->axes[1], NULL, count, w.middle);
    size_t size = stripe_size(self->factor, sqrt((double)count), count);
    for (size_t first = 0; first < count && !sink->stopped;) {
        stripe part = next_stripe(w.middle.stop, first, count, size, self->naive);
        search_part(&w, self->axes[2], part, true);
        first = part.last;
    }
}

static void stripe_query(const void *state, const scree_bodies *bodies, const scree_probe *probe,
                         scree_hit_sink *sink)
{
    const stripe_sort *self = state;
    scree_axis_query(bodies, self->axes[0], self->body, self->count, probe, sink);
}

static void stripe_stats(const void *state, scree_stats *stats)
{
    stats->remapped += ((const stripe_sort *)state)->remapped;
}

/*  Of bodies [first, last) of the master axis, as far as they begin; the last stripe has no end. */
static void put_stripe(const stripe_sort *self, const scree_bodies *bodies, size_t first,
                       size_t last, scree_outline_kind kind, scree_outline_sink *sink)
{
    int axis = self->axes[0];
    scree_outline_piece piece = {.kind = kind,
                                 .axis = (uint32_t)axis,
                                 .count = (uint32_t)(last - first),
                                 .lower = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL},
                                 .upper = {HUGE_VAL, HUGE_VAL, HUGE_VAL}};
    piece.lower[axis] = bodies->box[self->body[first]].lower[axis];
    if (last < self->count)
        piece.upper[axis] = bodies->box[self->body[last]].lower[axis];
    scree_outline_put(sink, &piece);
}

static void stripe_outline(const void *state, const scree_bodies *bodies, scree_scratch *scratch,
                           scree_outline_sink *sink)
{
    const stripe_sort *self = state;
    (void)scratch;
    for (size_t i = 0; i < self->stripe_count; i++) {
        const stripe *s = &self->stripes[i];
        put_stripe(self, bodies, s->first, s->last, SCREE_OUTLINE_STRIPE, sink);
        if (s->border > s->last)
            put_stripe(self, bodies, s->last, s->border, SCREE_OUTLINE_BOUNDARY, sink);
    }
}

const scree_method scree_method_stripe_sort = {
    .info =
        {
            .name = "stripe-sort",
            .summary = "double-ended sorting inside stripes of about sqrt(N) bodies",
            .cost = "N log N, while borders are thinner than their stripes",
            .worst_time = "N^(5/2) in 2D, N^(17/6) in 3D, where most bodies overlap most others on "
                          "every axis",
            .worst_memory = "N",
            .capabilities = SCREE_METHOD_QUERY | SCREE_METHOD_THREADS,
            .exponent = {1, 1},
        },
    .state_bytes = sizeof(stripe_sort),
    .create = stripe_create,
    .destroy = stripe_destroy,
    .build = stripe_build,
    .block_count = stripe_block_count,
    .pairs = stripe_pairs,
    .query = stripe_query,
    .stats = stripe_stats,
    .outline = stripe_outline,
};
