/*  Where methods put what they find. A method hands over candidates, each unordered pair once; the
    sink applies the rest of the rule (exact volumes, filters) in batches, counts, and stores. */
#ifndef SCREE_SINK_H
#define SCREE_SINK_H

#include "base/common.h"

#include <float.h>
#include <math.h>

#define SCREE_SINK_CAPACITY 1024u

typedef struct scree_sink
{
    uint32_t fill;
    bool stopped;   /* the caller's action said stop, or memory ran out: stop soon */
    uint16_t clear; /* by how much all candidates overlap, or more: see below; 0 if not known */
    uint32_t first[SCREE_SINK_CAPACITY], second[SCREE_SINK_CAPACITY];
    void (*flush)(struct scree_sink *sink); /* empties the buffer */
} scree_sink;

/*  A method may say of spheres by how much all that are in the sink overlap: then the rule need not be asked where its
    rounding is less than that. It is kept as a power of 2, and forgotten when the sink is emptied. */
#define SCREE_SINK_BIAS 2000

static inline uint16_t scree_sink_clear(double overlap)
{
    return overlap > 0 && overlap <= DBL_MAX ? (uint16_t)(ilogb(overlap) + SCREE_SINK_BIAS) : 0;
}

static inline double scree_sink_overlap(const scree_sink *sink)
{
    return sink->clear ? ldexp(1, sink->clear - SCREE_SINK_BIAS) : 0;
}

/*  One candidate pair, in any order, i != j, both active. Never the same pair twice in a search. */
static inline void scree_sink_pair(scree_sink *sink, uint32_t i, uint32_t j)
{
    sink->first[sink->fill] = i;
    sink->second[sink->fill] = j;
    if (++sink->fill == SCREE_SINK_CAPACITY)
        sink->flush(sink);
}

/*  Keeps the pairs {i, j} of a sink for which the condition holds. Written always, kept by counting: no
    branch to guess wrong. */
#define SCREE_SINK_KEEP_IF(sink, condition)                                                        \
    do {                                                                                           \
        uint32_t *const firsts = (sink)->first, *const seconds = (sink)->second;                   \
        const uint32_t pair_count = (sink)->fill;                                                  \
        uint32_t kept = 0;                                                                         \
        for (uint32_t k = 0; k < pair_count; k++) {                                                \
            const uint32_t i = firsts[k], j = seconds[k];                                          \
            firsts[kept] = i;                                                                      \
            seconds[kept] = j;                                                                     \
            kept += (condition);                                                                   \
        }                                                                                          \
        (sink)->fill = kept;                                                                       \
    } while (0)

/*  The same for queries: one candidate body, active, at most once in a query. */
typedef struct scree_hit_sink
{
    uint32_t fill;
    bool stopped;
    uint32_t id[SCREE_SINK_CAPACITY];
    void (*flush)(struct scree_hit_sink *sink);
} scree_hit_sink;

static inline void scree_sink_hit(scree_hit_sink *sink, uint32_t id)
{
    sink->id[sink->fill] = id;
    if (++sink->fill == SCREE_SINK_CAPACITY)
        sink->flush(sink);
}

#endif
