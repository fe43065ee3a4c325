/*  Memory, building and updating of a bvh8 tree. */
#include "detect/bvh8.h"

/*  Lays out the boxes of all levels in groups of eight. Returns the number of groups. */
static size_t lay_levels(scree_bvh8 *tree, uint32_t body_count)
{
    uint32_t boxes = body_count, groups = 0;
    tree->level_count = 0;
    do {
        boxes = (uint32_t)scree_block_count(boxes, SCREE_BVH8_LANES);
        tree->box_count[tree->level_count] = boxes;
        tree->group_at[tree->level_count] = groups;
        groups += (uint32_t)scree_block_count(boxes, SCREE_BVH8_LANES);
        tree->level_count++;
    } while (boxes > SCREE_BVH8_LANES);
    return groups;
}

static scree_status reserve(scree_bvh8 *tree, scree_memory *memory, uint32_t bound, size_t groups)
{
    size_t leaves = tree->box_count[0], bodies = leaves * SCREE_BVH8_LANES;
    scree_status status =
        scree_memory_reserve(memory, &tree->id, &tree->id_capacity, bodies, sizeof *tree->id);
    if (!status)
        status = scree_memory_reserve(memory, &tree->key, &tree->key_capacity, bodies,
                                      sizeof *tree->key);
    if (!status)
        status = scree_memory_reserve(memory, &tree->place, &tree->place_capacity, bound,
                                      sizeof *tree->place);
    if (!status)
        status = scree_memory_reserve(memory, &tree->column, &tree->column_capacity,
                                      bodies * scree_bvh8_columns(tree), sizeof *tree->column);
    if (!status)
        status = scree_memory_reserve(memory, &tree->bounds, &tree->bounds_capacity,
                                      groups * 6 * SCREE_BVH8_LANES, sizeof *tree->bounds);
    if (!status)
        status = scree_memory_reserve(memory, &tree->size, &tree->size_capacity, leaves,
                                      sizeof *tree->size);
    if (!status)
        status = scree_memory_reserve(memory, &tree->growth, &tree->growth_capacity, leaves,
                                      sizeof *tree->growth);
    return status;
}

/*  Missing boxes in the last group of each level overlap none. */
static void blank_last_groups(scree_bvh8 *tree)
{
    for (uint32_t level = 0; level < tree->level_count; level++) {
        uint32_t boxes = tree->box_count[level], last = (boxes - 1) / SCREE_BVH8_LANES;
        double *group = scree_bvh8_group(tree, level, last);
        for (uint32_t k = 0; k < 6 * SCREE_BVH8_LANES; k++)
            group[k] = NAN;
    }
}

scree_status scree_bvh8_build(scree_bvh8 *tree, const scree_method_env *env,
                              const scree_bodies *bodies)
{
    tree->has_spheres = bodies->sphere != NULL;
    tree->axes = (uint32_t)bodies->dimensions;
    tree->simd = env->def->simd;
    tree->body_count = 0;
    tree->level_count = 0;
    if (bodies->active_count == 0)
        return SCREE_OK;

    size_t groups = lay_levels(tree, bodies->active_count);
    scree_status status = reserve(tree, env->memory, bodies->bound, groups);
    if (!status)
        status = scree_bvh8_order(tree, env, bodies);
    if (status)
        return status;
    tree->body_count = bodies->active_count;
    for (uint32_t i = 0; i < tree->body_count; i++)
        tree->place[tree->id[i]] = i;
    for (uint32_t i = tree->body_count; i < tree->box_count[0] * SCREE_BVH8_LANES; i++)
        tree->id[i] = SCREE_NOT_ACTIVE;
    blank_last_groups(tree);
    scree_bvh8_refit(tree, env, bodies, true);
    tree->placed += tree->body_count;
    return SCREE_OK;
}

scree_status scree_bvh8_update(scree_bvh8 *tree, const scree_method_env *env,
                               const scree_bodies *bodies, const uint32_t *ids, size_t count)
{
    if (tree->body_count == 0)
        return SCREE_OK;
    /* refitting one body costs as much as eight of a leaf together, and the path to the root in addition */
    if (ids && count < tree->body_count / 16)
        scree_bvh8_refit_some(tree, bodies, ids, count);
    else
        scree_bvh8_refit(tree, env, bodies, false);
    return scree_bvh8_is_worn(tree) ? scree_bvh8_build(tree, env, bodies) : SCREE_OK;
}

void scree_bvh8_free(scree_bvh8 *tree, scree_memory *memory)
{
    scree_memory_give(memory, &tree->id, tree->id_capacity, sizeof *tree->id);
    scree_memory_give(memory, &tree->key, tree->key_capacity, sizeof *tree->key);
    scree_memory_give(memory, &tree->place, tree->place_capacity, sizeof *tree->place);
    scree_memory_give(memory, &tree->column, tree->column_capacity, sizeof *tree->column);
    scree_memory_give(memory, &tree->bounds, tree->bounds_capacity, sizeof *tree->bounds);
    scree_memory_give(memory, &tree->size, tree->size_capacity, sizeof *tree->size);
    scree_memory_give(memory, &tree->growth, tree->growth_capacity, sizeof *tree->growth);
    scree_sorter_free(&tree->sorter, memory);
}
