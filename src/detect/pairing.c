/*  Pairing: every pair of bodies is a candidate (Perkins 1999, 3.2.1). No structure, no work before the search, and
    the least accurate candidates of all: the baseline for every other method. */
#include "detect/method.h"

/*  Bodies of a block; each meets all bodies after it. */
#define BLOCK 64u

static void destroy(void *self, const scree_method_env *env)
{
    (void)self;
    (void)env;
}

static scree_status build(void *self, const scree_method_env *env, const scree_bodies *bodies)
{
    (void)self;
    (void)env;
    (void)bodies;
    return SCREE_OK;
}

static scree_status change(void *self, const scree_method_env *env, const scree_bodies *bodies,
                           const uint32_t *ids, size_t count)
{
    (void)ids;
    (void)count;
    return build(self, env, bodies);
}

static size_t block_count(const void *self, const scree_bodies *bodies)
{
    (void)self;
    return scree_block_count(bodies->active_count, BLOCK);
}

static void pairs(const void *self, const scree_bodies *bodies, size_t block,
                  scree_scratch *scratch, scree_sink *sink)
{
    (void)self;
    (void)scratch;
    size_t end = scree_block_end(block, BLOCK, bodies->active_count);
    for (size_t i = block * BLOCK; i < end && !sink->stopped; i++)
        for (size_t j = i + 1; j < bodies->active_count && !sink->stopped; j++)
            scree_sink_pair(sink, bodies->active[i], bodies->active[j]);
}

static void query(const void *self, const scree_bodies *bodies, const scree_probe *probe,
                  scree_hit_sink *sink)
{
    (void)self;
    for (size_t i = 0; i < bodies->active_count && !sink->stopped; i++)
        if (scree_probe_meets(probe, &bodies->box[bodies->active[i]]))
            scree_sink_hit(sink, bodies->active[i]);
}

const scree_method scree_method_pairing = {
    .info = {.name = "pairing",
             .summary = "every pair is a candidate",
             .cost = "N^2",
             .worst_time = "N^2 in any scene",
             .worst_memory = "N",
             .capabilities = SCREE_METHOD_QUADRATIC | SCREE_METHOD_INCREMENTAL |
                             SCREE_METHOD_DIRTY | SCREE_METHOD_THREADS,
             .exponent = {2, 2}},
    .state_bytes = 1,
    .destroy = destroy,
    .build = build,
    .update = change,
    .insert = change,
    .remove = change,
    .block_count = block_count,
    .pairs = pairs,
    .query = query,
};
