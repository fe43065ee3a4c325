/*  Method "bvh8": a box tree of eight branches in Morton order. It is rebuilt by a sort, and its boxes are refitted
    while bodies move little (bvh8.h). Its cost hardly depends on sizes, clusters or domain. */
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

/*  Boxes of a level are eight siblings to a group; a box of level 0 is one of a leaf. */
void scree_bvh8_outline(const scree_bvh8 *tree, scree_outline_sink *sink)
{
    for (uint32_t level = tree->level_count; level-- > 0;) {
        uint32_t below = level ? tree->box_count[level - 1] : tree->body_count;
        for (uint32_t box = 0; box < tree->box_count[level] && !sink->stopped; box++) {
            const double *bounds = scree_bvh8_group(tree, level, box / SCREE_BVH8_LANES);
            uint32_t lane = box % SCREE_BVH8_LANES, left = below - box * SCREE_BVH8_LANES;
            scree_outline_piece piece = {.kind = SCREE_OUTLINE_NODE,
                                         .level = tree->level_count - 1 - level,
                                         .count =
                                             left < SCREE_BVH8_LANES ? left : SCREE_BVH8_LANES};
            for (uint32_t k = 0; k < tree->axes; k++) {
                piece.lower[k] = bounds[k * SCREE_BVH8_LANES + lane];
                piece.upper[k] = bounds[(3 + k) * SCREE_BVH8_LANES + lane];
            }
            scree_outline_put(sink, &piece);
        }
    }
}

static void outline(const void *self, const scree_bodies *bodies, scree_scratch *scratch,
                    scree_outline_sink *sink)
{
    (void)bodies;
    (void)scratch;
    scree_bvh8_outline(self, sink);
}

const scree_method scree_method_bvh8 = {
    .info = {.name = "bvh8",
             .summary = "box tree of eight branches over the Morton order",
             .cost = "N log N, whatever the sizes; refitted while bodies move little",
             .worst_time = "N^2, where long bodies cross without touching",
             .worst_memory = "N",
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
    .outline = outline,
};
