/*  Where methods put what they find. A method hands over candidates, each unordered pair once; the
    sink applies the rest of the rule (exact volumes, filters) in batches, counts, and stores. */
#ifndef SCREE_SINK_H
#define SCREE_SINK_H

#include "base/common.h"

#define SCREE_SINK_CAPACITY 1024u

typedef struct scree_sink
{
    uint32_t fill;
    bool stopped; /* the caller's action said stop, or memory ran out: leave as soon as is handy */
    uint32_t first[SCREE_SINK_CAPACITY], second[SCREE_SINK_CAPACITY];
    void (*flush)(struct scree_sink *sink); /* empties the buffer */
} scree_sink;

/*  One candidate pair, in any order, i != j, both active. Never the same pair twice in a search. */
static inline void scree_sink_pair(scree_sink *sink, uint32_t i, uint32_t j)
{
    sink->first[sink->fill] = i;
    sink->second[sink->fill] = j;
    if (++sink->fill == SCREE_SINK_CAPACITY)
        sink->flush(sink);
}

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
