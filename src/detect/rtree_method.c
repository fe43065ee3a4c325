/*  Shared by the three R-tree methods: their state is a scree_rtree, and they differ in how bodies are inserted.
    rtree-packed is built in bulk and then takes single bodies as Guttman's tree does. */
#include "detect/rtree.h"

void scree_rtree_method_destroy(void *self, const scree_method_env *env)
{
    scree_rtree_free(self, env->memory);
}

scree_status scree_rtree_method_build(void *self, const scree_method_env *env,
                                      const scree_bodies *bodies)
{
    scree_rtree *tree = self;
    if (tree->packs)
        return scree_rtree_pack(tree, env, bodies);
    scree_status status = scree_rtree_reset(tree, env->memory, 1, bodies->bound);
    if (!status)
        status = scree_rtree_add_node(tree, env->memory, 0, &tree->root);
    for (uint32_t i = 0; !status && i < bodies->active_count; i++) {
        uint32_t id = bodies->active[i];
        status = scree_rtree_insert(tree, env->memory, &bodies->box[id], id);
    }
    return status;
}

scree_status scree_rtree_method_insert(void *self, const scree_method_env *env,
                                       const scree_bodies *bodies, const uint32_t *ids,
                                       size_t count)
{
    scree_rtree *tree = self;
    scree_status status = scree_memory_reserve(env->memory, &tree->leaf_of, &tree->leaf_capacity,
                                               bodies->bound, sizeof *tree->leaf_of);
    for (size_t i = 0; !status && i < count; i++)
        status = scree_rtree_insert(tree, env->memory, &bodies->box[ids[i]], ids[i]);
    return status;
}

scree_status scree_rtree_method_remove(void *self, const scree_method_env *env,
                                       const scree_bodies *bodies, const uint32_t *ids,
                                       size_t count)
{
    scree_rtree *tree = self;
    scree_status status = SCREE_OK;
    (void)bodies;
    for (size_t i = 0; !status && i < count; i++)
        status = scree_rtree_remove(tree, env->memory, ids[i]);
    return status;
}

/*  Moving a body means removing and inserting it. With more than a quarter of all bodies, a new tree is cheaper and
    better. */
scree_status scree_rtree_method_update(void *self, const scree_method_env *env,
                                       const scree_bodies *bodies, const uint32_t *ids,
                                       size_t count)
{
    scree_rtree *tree = self;
    scree_status status = SCREE_OK;
    if (!ids || count > bodies->active_count / 4)
        return scree_rtree_method_build(self, env, bodies);
    for (size_t i = 0; !status && i < count; i++) {
        status = scree_rtree_remove(tree, env->memory, ids[i]);
        if (!status)
            status = scree_rtree_insert(tree, env->memory, &bodies->box[ids[i]], ids[i]);
    }
    return status;
}

void scree_rtree_method_stats(const void *self, scree_stats *stats)
{
    const scree_rtree *tree = self;
    stats->remapped += tree->placed;
}

void scree_rtree_method_outline(const void *self, const scree_bodies *bodies,
                                scree_scratch *scratch, scree_outline_sink *sink)
{
    const scree_rtree *tree = self;
    (void)bodies;
    (void)scratch;
    for (uint32_t node = 0; node < tree->node_count && !sink->stopped; node++) {
        const scree_rtree_head *head = &tree->head[node];
        if (head->level == SCREE_RTREE_FREE_LEVEL)
            continue;
        scree_box box = scree_rtree_node_box(tree, node);
        scree_outline_piece piece = {.kind = SCREE_OUTLINE_NODE,
                                     .level =
                                         (uint32_t)(tree->head[tree->root].level - head->level),
                                     .count = head->count};
        memcpy(piece.lower, box.lower, sizeof piece.lower);
        memcpy(piece.upper, box.upper, sizeof piece.upper);
        scree_outline_put(sink, &piece);
    }
}
