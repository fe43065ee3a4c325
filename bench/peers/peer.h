/*  What a library must do to be measured beside scree: take the bodies, follow them as they move, and
    offer every pair of candidates it finds. An offer is put to scree's own rule, in doubles, and what
    passes is written to memory; so all libraries end with the same pairs, whatever boxes they work on.
    Each library is one program: this header, the harness (peer_main.c) and one file of its own. */
#ifndef SCREE_PEER_H
#define SCREE_PEER_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#ifdef __cplusplus
extern "C" {
#endif

/*  The bodies where they are now, as columns and once more as rows: a library may read what it likes.
    Spheres have x and radius, boxes low and high; in two dimensions the third column is all 0. */
typedef struct peer_bodies
{
    size_t count;
    int dimensions;
    bool boxes, moving;
    const double *x[3], *radius, *low[3], *high[3];
    const double *velocity[3]; /* a step */
    const double *row;         /* x, y, z, radius, or low x, y, z, high x, y, z */
    double lower[3], upper[3]; /* of all volumes, in all steps */
    double largest, smallest;  /* half the longest edge of a box; the radius */
} peer_bodies;

/*  The pairs found; i and j in any order. */
typedef struct peer_pairs
{
    const peer_bodies *bodies;
    const uint32_t *first, *second;
    size_t count;
    uint32_t *buffer[2]; /* where offers go, if first and second are these */
    size_t capacity;
    double sec_filter; /* of peer_filter */
} peer_pairs;

/*  One way to use a library. */
typedef struct peer_variant
{
    const char *name, *settings;
    /*  Why it is left out here, or NULL. */
    const char *(*refuse)(const peer_bodies *bodies);
    void *(*create)(const peer_bodies *bodies, const char *name);
    /*  Not measured: makes it as if build had not been called; memory may stay. */
    void (*reset)(void *state);
    void (*build)(void *state, const peer_bodies *bodies);
    /*  The rows have moved, all if it is NULL. */
    void (*move)(void *state, const peer_bodies *bodies, const uint32_t *rows, size_t count);
    void (*find)(void *state, peer_pairs *pairs);
    void (*destroy)(void *state);
} peer_variant;

typedef struct peer_library
{
    const char *version;
    const peer_variant *variants; /* ends with a NULL name */
    /*  The variant of this name, where the names are not known beforehand; else NULL. */
    const peer_variant *(*by_name)(const char *name);
} peer_library;

/*  Defined by the file of the library. */
extern const peer_library peer_this;

/*  Makes room for at least one more; ends the process if there is none. */
void peer_pairs_grow(peer_pairs *pairs);

/*  Offers kept candidates, and notes the time it takes. */
void peer_filter(peer_pairs *pairs, const uint32_t *first, const uint32_t *second, size_t count);

/*  Part 3 of THE RULE in scree/detect.h. */
static inline bool peer_overlap(const peer_bodies *bodies, uint32_t i, uint32_t j)
{
    if (bodies->boxes) {
        const double *a = bodies->row + (size_t)6 * i, *b = bodies->row + (size_t)6 * j;
        return a[0] <= b[3] && b[0] <= a[3] && a[1] <= b[4] && b[1] <= a[4] && a[2] <= b[5] &&
               b[2] <= a[5];
    }
    const double *a = bodies->row + (size_t)4 * i, *b = bodies->row + (size_t)4 * j;
    double dx = a[0] - b[0], dy = a[1] - b[1], dz = a[2] - b[2], reach = a[3] + b[3];
    return dx * dx + dy * dy + dz * dz <= reach * reach;
}

static inline void peer_offer(peer_pairs *pairs, uint32_t i, uint32_t j)
{
    if (!peer_overlap(pairs->bodies, i, j))
        return;
    if (pairs->count == pairs->capacity)
        peer_pairs_grow(pairs);
    pairs->buffer[0][pairs->count] = i;
    pairs->buffer[1][pairs->count++] = j;
}

/*  Rounding of the rule and of the corners together is below this share of position and size: two
    eps for the distance, two for the sum of radii, one for each corner, eps = 2.2e-16. */
#define PEER_ROUNDING 4e-15

/*  A box that overlaps that of every body it meets by the rule. */
static inline void peer_box(const peer_bodies *bodies, size_t i, double low[3], double high[3])
{
    for (int k = 0; k < 3; k++) {
        if (bodies->boxes) {
            low[k] = bodies->row[6 * i + (size_t)k];
            high[k] = bodies->row[6 * i + 3 + (size_t)k];
            continue;
        }
        double x = bodies->row[4 * i + (size_t)k], r = bodies->row[4 * i + 3];
        double outward = r + (fabs(x) + r) * PEER_ROUNDING;
        low[k] = x - outward;
        high[k] = x + outward;
    }
}

/*  The same as centre and half edges. */
static inline void peer_centred(const peer_bodies *bodies, size_t i, double centre[3],
                                double half[3])
{
    double low[3], high[3];
    peer_box(bodies, i, low, high);
    for (int k = 0; k < 3; k++) {
        centre[k] = (low[k] + high[k]) / 2;
        half[k] = (high[k] - low[k]) / 2;
        half[k] += (fabs(centre[k]) + half[k]) * PEER_ROUNDING;
    }
}

/*  The same in floats, rounded outward. */
static inline void peer_float_box(const peer_bodies *bodies, size_t i, float low[3], float high[3])
{
    double wide_low[3], wide_high[3];
    peer_box(bodies, i, wide_low, wide_high);
    for (int k = 0; k < 3; k++) {
        low[k] = (float)wide_low[k];
        high[k] = (float)wide_high[k];
        if ((double)low[k] > wide_low[k])
            low[k] = nextafterf(low[k], -INFINITY);
        if ((double)high[k] < wide_high[k])
            high[k] = nextafterf(high[k], INFINITY);
    }
}

#ifdef __cplusplus
}

/*  A class with refuse(bodies), a constructor from bodies, reset, build, move and find, as a variant. */
template <class Finder> peer_variant peer_make(const char *name, const char *settings)
{
    peer_variant variant = {};
    variant.name = name;
    variant.settings = settings;
    variant.refuse = &Finder::refuse;
    variant.create = [](const peer_bodies *bodies, const char *) -> void * {
        return new Finder(*bodies);
    };
    variant.reset = [](void *state) { static_cast<Finder *>(state)->reset(); };
    variant.build = [](void *state, const peer_bodies *bodies) {
        static_cast<Finder *>(state)->build(*bodies);
    };
    variant.move = [](void *state, const peer_bodies *bodies, const uint32_t *rows, size_t count) {
        static_cast<Finder *>(state)->move(*bodies, rows, count);
    };
    variant.find = [](void *state, peer_pairs *pairs) {
        static_cast<Finder *>(state)->find(*pairs);
    };
    variant.destroy = [](void *state) { delete static_cast<Finder *>(state); };
    return variant;
}

/*  Calls `action` with each row that moved. */
template <class Action>
void peer_each_moved(const peer_bodies &bodies, const uint32_t *rows, size_t count, Action action)
{
    for (size_t k = 0; k < (rows ? count : bodies.count); k++)
        action(rows ? rows[k] : static_cast<uint32_t>(k));
}
#endif

#endif
