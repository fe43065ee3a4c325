/*  Method "bvh8": a box tree of eight branches over the Morton order, made anew in a sort and kept by
    refitting its boxes while bodies move little (bvh8.h). What it costs hardly depends on sizes,
    clusters or domain. */
#include "detect/bvh8.h"

static void destroy(void *self, const scree_method_env *env)
{
    scree_bvh8_free(self, env->memory);
}

static scree_status build(void *self, const scree_method_env *env, const scree_bodies *bodies)
{
    return scree_bvh8_build(self, env, bodies);
}

static scree_status update(void *self, const scree_method_env *env, const scree_bodies *bodies,
                           const uint32_t *ids, size_t count)
{
    return scree_bvh8_update(self, env, bodies, ids, count);
}

static size_t block_count(const void *self, const scree_bodies *bodies)
{
    (void)bodies;
    return scree_bvh8_block_count(self);
}

static void pairs(const void *self, const scree_bodies *bodies, size_t block,
                  scree_scratch *scratch, scree_sink *sink)
{
    (void)bodies;
    scree_bvh8_pairs(self, block, scratch, sink);
}

static void query(const void *self, const scree_bodies *bodies, const scree_probe *probe,
                  scree_hit_sink *sink)
{
    scree_bvh8_query(self, bodies, probe, sink);
}

static void stats(const void *self, scree_stats *figures)
{
    const scree_bvh8 *tree = self;
    figures->remapped += tree->placed;
}

const scree_method scree_method_bvh8 = {
    .info = {.name = "bvh8",
             .summary = "box tree of eight branches over the Morton order",
             .cost = "N log N, whatever the sizes; refitted while bodies move little",
             .capabilities = SCREE_METHOD_COHERENT | SCREE_METHOD_DIRTY | SCREE_METHOD_QUERY |
                             SCREE_METHOD_THREADS,
             .exponent = {1.1, 1.1}},
    .state_bytes = sizeof(scree_bvh8),
    .exact = true,
    .spheres_alone = true,
    .destroy = destroy,
    .build = build,
    .update = update,
    .block_count = block_count,
    .pairs = pairs,
    .query = query,
    .stats = stats,
};
